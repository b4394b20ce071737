"""Files that real programs made of a short code of our own (specimens/make.py): each gives the laws of the text."""

from __future__ import annotations

import gzip
import re
from functools import cache
from pathlib import Path

import pytest
from rapidfuzz.distance import Levenshtein

from variorum.edition import cut, edit
from variorum.model import Segmented, Source
from variorum.repair import repair
from variorum.sources import read, read_pages

SPECIMENS = Path(__file__).parent / "specimens"
YEAR = 1850
EDITED = ["code.pdf", "gutenberg.html", "gutenberg.txt", "tcp.xml", "wikisource.html"]
OCR = [
    "code.alto.xml",
    "code.djvu.txt",
    "code.djvu.xml",
    "code.hocr",
    "code.page.zip",
    "hathitrust.zip",
    "searchable.pdf",
]
LAYOUTS = sorted(p.name for p in SPECIMENS.glob("*-psm*.gz"))
NUMBERS = [str(n) for n in range(1, 13)]


@cache
def source(name: str) -> Source:
    if name.endswith(".pdf"):
        pytest.importorskip("pypdfium2")
    return read((SPECIMENS / name).read_bytes(), name)


@cache
def understood(name: str) -> Segmented:
    return cut(source(name), repair(source(name), YEAR))


def laws(name: str) -> list[tuple[str, str, list[str]]]:
    return [(law.number, law.text, [clause.text for clause in law.clauses]) for law in understood(name).laws]


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


@pytest.mark.parametrize("name", EDITED)
def test_what_is_not_ocr_has_the_laws_of_the_plain_text(name: str) -> None:
    assert laws(name) == laws("code.txt")


@pytest.mark.parametrize("name", OCR)
def test_what_one_engine_read_has_the_same_laws_in_every_format(name: str) -> None:
    assert laws(name) == laws("code.ocr.txt")
    assert [number for number, _, _ in laws(name)] == NUMBERS


@pytest.mark.parametrize("name", ["code.alto.xml", "code.djvu.xml", "code.hocr", "code.page.zip", "hathitrust.zip"])
def test_every_word_has_its_place_and_the_pages_are_two(name: str) -> None:
    made = source(name)
    assert len(made.pages) == 2
    assert len(made.places) == len(made.raw.split())
    assert all(place.box for place in made.places)


@pytest.mark.parametrize("name", [name for name in LAYOUTS if not name.startswith("hanging-psm3")])
def test_columns_margins_and_hung_numbers_are_read_in_order(name: str) -> None:
    """Of hung numbers psm 3 sees but a few: what the engine did not read, nobody can put in order."""
    assert [law.number for law in understood(name).laws] == NUMBERS
    truth = [words(law.whole) for law in understood("code.txt").laws]
    found = [words(law.whole) for law in understood(name).laws]
    wrong = sum(Levenshtein.distance(a, b) for a, b in zip(truth, found, strict=True))
    assert wrong <= 0.08 * sum(map(len, truth))


def test_notes_in_the_margin_are_out_of_the_text_also_where_each_page_is_a_file() -> None:
    made = source("margins-psm3.hocr.gz")
    assert made.stated
    assert "Pack not cut" in made.raw
    assert "Pack not cut" not in made.stated.repair.text
    together = read_pages([("1.hocr", gzip.decompress((SPECIMENS / "margins-psm3.hocr.gz").read_bytes()))] * 2)
    assert together.stated
    assert together.raw == f"{made.raw}\f{made.raw}"
    assert together.stated.repair.text == f"{made.stated.repair.text}\f{made.stated.repair.text}"


def test_columns_read_as_one_block_are_parted_and_that_is_told() -> None:
    made = source("columns-psm6.hocr.gz")
    truth = words((SPECIMENS / "code.txt").read_text(encoding="utf-8"))
    assert Levenshtein.normalized_distance(truth, words(made.raw)) < 0.1
    assert "columns-parted" in {finding.code for finding in made.findings}


# ------------------------------------------------------------------------------------------------------- Gutenberg


def test_the_frame_of_a_gutenberg_file_is_taken_out_and_told_and_still_in_the_raw_text() -> None:
    data = (SPECIMENS / "gutenberg.txt").read_text(encoding="utf-8")
    made = understood("gutenberg.txt").repair
    assert made.raw == data
    assert "GUTENBERG" not in made.text
    assert "licence" not in made.text
    assert "Specimen Proofreading" not in made.text
    assert "Misprints stand" not in made.text
    assert made.text.strip().startswith("THE LAWS OF QUINTAIN.")
    (told,) = [f.message for f in made.findings if f.code == "frame-left-out"]
    before = data.index("***\n") + 4
    after = len(data) - data.index("*** END")
    assert f"{before:,} characters before it, {after:,} after it" in told


def test_marks_of_type_are_corrections_that_can_be_undone() -> None:
    made = understood("gutenberg.txt").repair
    marks = [c for c in made.corrections if c.rule == "gutenberg.type"]
    assert {c.found for c in marks} == {"_", "="}
    assert all(c.reads == "" and c.kind == "encoding" for c in marks)
    assert not set(made.text) & {"_", "="}


def test_the_edition_of_a_gutenberg_file_gives_its_raw_text_back(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes((SPECIMENS / "gutenberg.txt").read_bytes())
    entry = '[[witnesses]]\nsiglum = "QuA"\nwork = "quintain"\nsource = "a.txt"\n'
    work = '[[works]]\nid = "quintain"\ntitle = "Laws"\nbase = "QuA"\n'
    head = '[corpus]\ntitle = "Quintain"\ndate = "2026-12-01"\n'
    (tmp_path / "corpus.toml").write_text(head + work + entry, encoding="utf-8")
    made = edit(tmp_path)
    assert {"frame-left-out", "type-marks"} <= {finding.code for finding in made.findings}
    back = read(made.tei["editions/QuA.xml"], "QuA.xml")
    assert back.raw == source("gutenberg.txt").raw
    assert [law.whole for law in cut(back, repair(back)).laws] == [law.whole for law in understood("code.txt").laws]


def test_a_note_without_brackets_stays_and_is_told() -> None:
    start, end = "*** START OF THE PROJECT GUTENBERG EBOOK X ***", "*** END OF THE PROJECT GUTENBERG EBOOK X ***"
    made = read(f"{start}\n\n1. Deal.\n\nTranscriber's Notes\n\nSpelling kept.\n\n{end}\n".encode())
    assert "transcriber-note" in [f.code for f in made.findings]
    assert made.stated
    assert "Spelling kept." in made.stated.repair.text


@pytest.mark.parametrize("text", ["1. A_B deals _, and 2 = 3 = x.", "a = b, c = d", "snake_case _names_ here"])
def test_signs_in_a_file_without_the_frame_are_signs(text: str) -> None:
    made = read(text.encode())
    assert made.stated is None
    assert made.raw == text


def test_signs_that_mark_nothing_stay_in_a_file_with_the_frame() -> None:
    made = read(f"*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n1. {'x = 2 and 3 = y; a_b_c; _ _; __'}\n".encode())
    assert made.stated
    assert made.stated.repair.text.strip() == "1. x = 2 and 3 = y; a_b_c; _ _; __"


def test_a_text_may_begin_with_a_word_in_italics() -> None:
    assert read(b"<i>Laws</i> of Whist.\n1. Deal.").raw == "<i>Laws</i> of Whist.\n1. Deal."


# ----------------------------------------------------------------------------------------------------- confidences


def test_a_stretch_of_text_is_as_sure_as_its_least_sure_word() -> None:
    made = source("code.hocr")
    first, second = made.places[:2]
    assert made.confidence_at(first.start, first.end) == first.confidence
    known = [p.confidence for p in made.places[:10] if p.confidence is not None]
    assert made.confidence_at(0, made.places[9].end) == min(known)
    assert made.confidence_at(first.end, second.start) is None  # the space between them
    assert source("code.txt").confidence_at(0, 10) is None
    assert made.confidence_at(len(made.raw), len(made.raw) + 5) is None


def test_the_specimens_are_small() -> None:
    assert sum(path.stat().st_size for path in SPECIMENS.iterdir()) < 500_000
