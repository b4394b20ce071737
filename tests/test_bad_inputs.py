"""Hostile and odd files: each is read, or refused in one line with the way out, and stops none of the others.

The numbers of the rows are those of design/bad-inputs.md beside the repository; rows that no file stands for are tested
where their room is: 9 and 25 in test_tables.py, 22 and 23 in test_sources_formats.py too, 29 and 32 in test_kept.py.
"""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from variorum import cli

pytestmark = pytest.mark.shared

Run = Callable[..., tuple[int, str, str]]

GOOD = "1. The dealer shuffles the cards, and the adversary must cut them.\n2. The dealer deals five cards to each.\n"
OTHER = GOOD.replace("must", "may")
DONE, COULD_NOT, PROBLEMS = 0, 1, 3
NO_LAW = "no numbered law was found; the text is kept as prose: look at it"


@dataclass(frozen=True)
class Row:
    """What a file leads to: the exit code of `laws`, what is said, and the laws and codes of findings there are."""

    row: int
    file: str
    code: int = DONE
    said: str = ""
    laws: dict[str, str] | None = None
    findings: set[str] = field(default_factory=set)


ROWS = [
    Row(1, "01_empty.txt", COULD_NOT, "01_empty.txt: witness has no text; check"),
    Row(1, "02_only_bom.txt", COULD_NOT, "02_only_bom.txt: witness has no text; check"),
    Row(2, "03_no_laws.txt", PROBLEMS, NO_LAW, {}, {"no-laws"}),
    Row(3, "04_utf16le_bom.txt"),
    Row(4, "05_cp1252.txt", laws={"1": "The adversary’s Écarté — “honours”."}, findings={"encoding"}),
    Row(5, "06_mojibake.txt", laws={"1": "vice versâ; Écarté."}, findings={"encoding-mojibake"}),
    Row(6, "07_mixed_utf8_latin1.txt", laws={"1": "Écarté.", "2": "Écarté."}, findings={"encoding"}),
    Row(7, "08_controls.txt", findings={"encoding-control", "encoding-invisible"}),
    Row(8, "09_lone_cr.txt"),
    Row(9, "10_formula_cells.txt", laws={"2": "@SUM(A1)", "3": "-plus cards", "4": "+44"}),
    Row(10, "11_markup_in_text.txt"),
    Row(11, "12_redos_words.txt", PROBLEMS, NO_LAW),
    Row(11, "13_redos_dots.txt", PROBLEMS, NO_LAW),
    Row(12, "14_repeating.txt", PROBLEMS, NO_LAW),
    Row(
        13,
        "15_law_numbers.txt",
        laws={"10": "If ten.", "11": "If eleven.", "4": "four.", "13": "thirteen.", "99999999999999999999": "huge."},
        findings={"law-number-repeated", "law-number-missing", "law-number-backwards", "law-number-inferred"},
    ),
    Row(
        14,
        "16_numbers_in_body.txt",
        laws={"1": "Deal 5 cards. 2 at a time, 3. then 2. more; see law 10, b.", "2": "Real second law."},
    ),
    Row(15, "17_one_token_100k.txt", PROBLEMS, NO_LAW),
    Row(16, "18_truncated.xml", COULD_NOT, "line 1, column 91: not well-formed XML"),
    Row(16, "25_wrong_root.xml", COULD_NOT, "its root element is html"),
    Row(17, "19_xxe_general.xml", COULD_NOT, "with the entities x; remove the DOCTYPE"),
    Row(17, "20_xxe_parameter.xml", COULD_NOT, "has a document type, which may name other files"),
    Row(18, "21_billion_laughs.xml", COULD_NOT, "not well-formed XML (Maximum entity amplification"),
    Row(18, "24_deep.xml", COULD_NOT, "its root element is a"),
    Row(19, "22_internal_entity_ok.xml", COULD_NOT, "with the entities eacute; remove the DOCTYPE"),
    Row(20, "23_xinclude.xml", COULD_NOT, "XInclude (not followed)"),
    Row(21, "26_bad_bbox.hocr.html", PROBLEMS, NO_LAW),
    Row(22, "27_zip_slip.zip", COULD_NOT, "names '../../evil.txt', which leads out of the archive; unpack it"),
    Row(22, "28_zip_bomb.zip", COULD_NOT, "unpacks to more than a book can be"),
    Row(22, "29_zip_dupes.zip", COULD_NOT, "has '00000001.txt' twice; unpack it"),
    Row(23, "30_truncated.gz", COULD_NOT, "ends early, after 5,426 bytes of its text; fetch the file again"),
    Row(23, "31_not_gzip.gz", PROBLEMS, NO_LAW),
    Row(25, "34_na_tokens.csv", PROBLEMS, NO_LAW),
    Row(25, "35_huge_field.csv", PROBLEMS, NO_LAW),
    Row(26, "36_google_notice.txt", laws={"1": "Only law."}),
    Row(26, "37_ai_modernized_tail.txt", laws={"1": "He who does not show."}),
    Row(27, "38_spaced_letters.txt"),
    Row(28, "39_astral_rtl.txt"),
]
BY_ROW = pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.row}-{row.file}")


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: object) -> tuple[int, str, str]:
        capfd.readouterr()
        code = cli.main([str(argument) for argument in arguments])
        return code, *capfd.readouterr()

    return call


@pytest.fixture
def good(tmp_path: Path) -> list[Path]:
    """Two good texts to stand beside the bad one."""
    paths = [tmp_path / "good.txt", tmp_path / "other.txt"]
    for path, text in zip(paths, (GOOD, OTHER), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def plain(err: str) -> bool:
    """True where every line is one of ours, and none steers a terminal."""
    return all(line.startswith("variorum: ") for line in err.splitlines()) and not set(err) & set("\x00\x07\x0b\x1b")


@BY_ROW
def test_a_file_alone_is_read_or_refused_in_one_line(run: Run, shared: Path, row: Row) -> None:
    code, out, err = run("laws", shared / "bad-inputs" / row.file, "-f", "json")
    assert code == row.code, err
    assert plain(err)
    if code == DONE:
        assert err == ""
    else:
        assert row.said in err
        assert err.count("\n") == 1
    if code == COULD_NOT:
        assert out == ""
        return
    made: dict[str, Any] = json.loads(out)
    laws = {law["id"]: law["text"] for law in made["laws"]}
    assert row.laws is None or row.laws.items() <= laws.items()
    assert bool(laws) == (code == DONE)
    assert row.findings <= {finding["code"] for finding in made["findings"]}


@BY_ROW
def test_a_file_beside_good_ones_stops_nothing(run: Run, shared: Path, good: list[Path], row: Row) -> None:
    file = shared / "bad-inputs" / row.file
    for command in ("align", "collate", "changes"):
        code, out, err = run(command, good[0], file, good[1], "-f", "json")
        assert code in {DONE, PROBLEMS}, err
        assert code == PROBLEMS or row.code != COULD_NOT
        assert plain(err)
        assert {"good", "other"} <= set(json.loads(out)["witnesses"])
    code, out, err = run("clean", good[0], file)
    assert code == (PROBLEMS if row.code == COULD_NOT else DONE), err
    assert "The dealer shuffles the cards" in out
    assert plain(err)


@pytest.fixture
def corpus(shared: Path, tmp_path: Path) -> Path:
    """A corpus of all the bad files and one good one, each a work of its own."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    files = {f"B{k:02}": shared / "bad-inputs" / row.file for k, row in enumerate(ROWS)}
    (folder / "good.txt").write_text(GOOD, encoding="utf-8")
    text = '[corpus]\ntitle = "Odd"\ndate = "2026-12-01"\n'
    for siglum, source in {**files, "Goo": folder / "good.txt"}.items():
        if siglum != "Goo":
            (folder / source.name).write_bytes(source.read_bytes())
        text += f'[[works]]\nid = "w{siglum}"\ntitle = "{siglum}"\nbase = "{siglum}"\n'
        text += f'[[witnesses]]\nsiglum = "{siglum}"\nwork = "w{siglum}"\nsource = "{source.name}"\n'
    (folder / "corpus.toml").write_text(text, encoding="utf-8")
    return folder


def test_a_corpus_of_them_all_is_checked_and_built(run: Run, corpus: Path, tmp_path: Path) -> None:
    refused = {f"B{k:02}": row for k, row in enumerate(ROWS) if row.code == COULD_NOT}
    code, out, err = run("check", corpus)
    assert code == PROBLEMS
    assert plain(err)
    told = dict(line.removeprefix("variorum: ").split(": ", 1) for line in err.splitlines())
    assert told.keys() == refused.keys()
    assert all(row.said in told[siglum] for siglum, row in refused.items())
    assert "Goo: good.txt" in out

    code, out, err = run("build", corpus, "--out", tmp_path / "out")
    assert code == PROBLEMS
    assert plain(err)
    told = dict(line.removeprefix("variorum: ").split(": ", 1) for line in err.splitlines())
    assert told.keys() == {f"B{k:02}" for k, row in enumerate(ROWS) if row.code != DONE}
    editions = {path.stem for path in (tmp_path / "out/tei/editions").iterdir()}
    assert editions == {"Goo", *(f"B{k:02}" for k, row in enumerate(ROWS) if row.code != COULD_NOT)}
    with (tmp_path / "out/tables/register.csv").open(encoding="utf-8-sig", newline="") as stream:
        cells = [cell for line in csv.reader(stream) for cell in line]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t"))]


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (
            "32_manifest_traversal.toml",
            ["line 1: ", "unknown key 'witness'; did you mean 'witnesses'?", "corpus is missing"],
        ),
        ("33_manifest_bom.toml", ["line 1: unknown key 'title'", "corpus is missing"]),
    ],
)
@pytest.mark.parametrize("command", ["check", "build"])
def test_row_24_all_that_is_wrong_with_a_manifest_is_told_at_once(
    run: Run, shared: Path, tmp_path: Path, command: str, file: str, said: list[str]
) -> None:
    options = ["--out", tmp_path / "out"] if command == "build" else []
    code, out, err = run(command, shared / "bad-inputs" / file, *options)
    assert (code, out) == (COULD_NOT, "")
    assert plain(err)
    assert all(what in err for what in said)
    assert not (tmp_path / "out").exists()


def test_row_24_every_kind_of_mistake_has_its_line(run: Run, tmp_path: Path) -> None:
    text = (
        '[corpus]\ntitle = "x"\ndate = "y"\n[[works]]\nid = "w"\ntitle = "w"\nbase = "a"\n'
        '[[witnesses]]\nsiglum = "a"\nwork = "w"\nsource = "../../etc/passwd"\n'
        '[[witnesses]]\nsiglum = "a"\nwork = "v"\nsource = "C:\\\\x"\nyear = "eighteen"\nunknwon = 1\n'
        '[[witnesses]]\nsiglum = "1850 Bohn/../x"\nwork = "w"\nsource = "b.txt"\nyear = 18500\n'
    )
    (tmp_path / "corpus.toml").write_text(text, encoding="utf-8")
    code, _, err = run("check", tmp_path)
    assert code == COULD_NOT
    for line in (11, 13, 14, 15, 16, 17, 19, 22):
        assert f"corpus.toml: line {line}: " in err


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["a ", ". . ", "1. ", "word-\n", "((", "\f1\n", "\t \t", "é1"])
def test_rows_11_and_15_twice_the_text_takes_about_twice_the_time(run: Run, tmp_path: Path, unit: str) -> None:
    def seconds(length: int) -> float:
        path = tmp_path / "odd.txt"
        path.write_text(unit * (length // len(unit)), encoding="utf-8")
        start = time.process_time()
        assert run("laws", path)[0] in {DONE, COULD_NOT, PROBLEMS}
        return time.process_time() - start

    seconds(1_000)
    short, long = (min(seconds(length) for _ in range(2)) for length in (10_000, 40_000))
    assert long < 0.5 + 7 * short  # squares would give 16
