"""The repair of a page: layout, encoding and torn text; the words themselves are tested in test_words.py."""

from __future__ import annotations

import json
import re
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from variorum import language
from variorum.model import CorrectionKind, Repair, Source
from variorum.repair import RULES, repair
from variorum.repair.draft import Draft, settle
from variorum.repair.spaced import TORN, spaced, torn
from variorum.sources import read

CASES = Path(__file__).parent / "cases" / "repair"
ESCAPE = re.compile(r"\\(n|f|x[0-9a-f]{2}|u[0-9a-f]{4})")


def unescape(text: str) -> str:
    return ESCAPE.sub(lambda m: {"n": "\n", "f": "\f"}.get(m.group(1)) or chr(int(m.group(1)[1:], 16)), text)


def cases(name: str):
    blocks = (CASES / name).read_text("utf-8").split("\n\n")
    for block in blocks:
        title, *lines = [line for line in block.split("\n") if line and not line.startswith("#")] or [""]
        if title:
            yield pytest.param([tuple(line.split(": ", 1)) for line in lines], id=title)


def plain(text: str) -> str:
    return " ".join(text.split())


def undone(done: Repair) -> str:
    """The raw text again, from the repaired text and the corrections."""
    pieces, at = [], 0
    text = done.text
    for c in reversed(done.corrections):
        stop = len(text) - at
        tail = len(done.raw) - c.end - sum(len(p) for p in pieces)
        pieces[:0] = [c.found, text[stop - tail : stop]]
        at += tail + len(c.reads)
    return "".join([text[: len(text) - at], *pieces])


@pytest.mark.parametrize("case", [*cases("layout.txt"), *cases("torn.txt")])
def test_cases(case):
    (_, page), *expected = case
    text = plain(repair(unescape(page)).text)
    for kind, line in expected:
        if kind == "text":
            assert text == line
        else:
            assert line in text


def test_every_case_file_holds_cases():
    assert len(list(cases("layout.txt"))) > 20
    assert len(list(cases("torn.txt"))) > 2


# --------------------------------------------------------------------------------------------------- what it promises

PAGES = st.text(
    st.sampled_from("aeinorst th he adver- saries CARDS 99 \n\n\f-¬·•'.,;:(1a)2\u00ad\u200b\x00ÃâÂ€™é"), max_size=160
)


@settings(deadline=None, max_examples=60)
@given(PAGES | st.text(max_size=120))
def test_no_text_is_lost_and_every_correction_can_be_undone(text):
    done = repair(text)
    assert done.raw == unicodedata.normalize("NFC", text)
    assert undone(done) == done.raw
    assert all(0 <= p.start <= p.end <= len(done.raw) for p in done.pages)
    assert [p.n for p in done.pages] == list(range(1, len(done.pages) + 1))


@settings(deadline=None, max_examples=15)
@given(st.text(st.sampled_from("abcdefghilmnorstuw  .,·'"), min_size=60, max_size=120))
def test_the_reading_of_torn_text_never_fails(text):
    draft = Draft(Repair(text), language.load())
    edits = spaced(draft).corrections
    assert settle(edits) == list(edits)


def test_the_same_text_gives_the_same_repair():
    text = "1. The adver- saries may call t he part-\nner. CARDS 99 CARDS the end"
    assert repair(text) == repair(text)


@pytest.mark.parametrize(
    "text",
    [
        "The publick shew of favour, chuse ye well; to-morrow any one may connexion make.",
        "If the pack contain a faced card, the eldest hand play first. Vice versâ.",
        "It was agreed--and the wager laid--that 22 yards, 5 ft. 2 in., and £5 10s. were to stand.",
        "CHAPTER IV.\n\nTHE RULES.\n\n1. Each ball must first be placed upon the spot.",
    ],
)
def test_clean_text_goes_through_unchanged(text):
    assert repair(text).corrections == ()


# ------------------------------------------------------------------------------------------------------------ furniture


def test_each_piece_of_a_head_is_a_note_of_its_own():
    done = repair("the adver- CARDS 1 12 CAR, saries forfeit the penalty of a revoke.")
    furniture = [c for c in done.corrections if c.kind is CorrectionKind.FURNITURE]
    assert [(c.found, c.role) for c in furniture] == [("CARDS ", "header"), ("1 12 ", "pageNum"), ("CAR, ", "header")]
    assert all(c.reads == "" for c in furniture)
    (hyphen,) = [c for c in done.corrections if c.kind is CorrectionKind.BREAK]
    assert (hyphen.found, hyphen.reads) == ("- ", "")


def test_a_head_within_the_text_begins_a_page():
    done = repair("and the dealer has not enough. CARDS 99 CARDS the adversary may complete his hand.")
    assert [(done.raw[p.start : p.end][:5], p.folio) for p in done.pages] == [("and t", ""), ("CARDS", "99")]


def test_folios_are_read_from_the_run_of_pages_even_where_one_is_misread():
    pages = [f"the text of a page goes on and on\nand never ends before the\n{n}" for n in ("28", "2g", "30", "31")]
    done = repair("\n\f".join(pages))
    assert [p.folio for p in done.pages] == ["28", "29", "30", "31"]
    assert "2g" not in done.text


def _book(number, gap):
    """A book of eight pages without page breaks; `number` makes the line that stands between two of them."""
    line = "the eldest hand may take up the cards of the stock and lay out as many of his own as he has taken"
    page = "\n".join([line] * 6)
    return gap.join(f"{page}\n\n{number(n)}\n" for n in range(41, 49)) + gap + page


def test_lost_page_breaks_are_found_again_by_the_numbers_of_the_pages():
    raw = _book(lambda n: f"THE GAME OF PIQUET. {n}", "\n")
    done = repair(raw)
    assert [p.folio for p in done.pages] == ["", *(str(n) for n in range(41, 49))]
    assert "PIQUET" not in done.text
    assert undone(done) == raw


def test_captions_with_numbers_are_no_page_breaks():
    for caption in ("[Illustration: Fig. {}.]", "DIAGRAM {}.", "CHAPTER {}."):
        raw = _book(lambda n, caption=caption: caption.format(n - 40), "\n")
        assert len(repair(raw).pages) == 1


def test_furniture_within_a_broken_word_stays_furniture():
    done = repair("must imme-\n\n14\n\fTHE GAME OF WHIST.\n\ndiately go on\n\n15\n\fTHE GAME OF WHIST.\n\nand so forth")
    roles = [c.role for c in done.corrections if c.role]
    assert roles == ["pageNum", "header", "pageNum", "header"]
    assert "immediately" in done.text


# --------------------------------------------------------------------------------------------------------------- doubts


def test_what_is_too_doubtful_to_apply_is_a_finding_with_its_reading():
    text = "the part-\nner may call"
    surely = repair(text, apply=0.5)
    assert surely.corrections
    never = repair(text, apply=1.0)
    assert not never.corrections
    assert never.text == text
    assert any(f.candidates == ("",) for f in never.findings)


def test_findings_of_the_source_are_kept():
    source = read(b"1. The deal.\n2. \xc9cart\xe9.")
    assert source.findings[0] in repair(source).findings


def test_rules_are_named_once_each():
    names = [name for name, _ in RULES]
    assert len(set(names)) == len(names)


# ------------------------------------------------------------------------------------------------------------ torn text


def test_only_torn_text_is_torn():
    spoken = language.load()
    whole = (
        "If a player fails to draw when he ought and plays another card his adversary may allow the offender to draw."
    )
    fallen = "If a pl ayer fai ls to dr aw w hen he oug ht a nd pla ys an other ca rd h is adver sary m ay allo w h im."
    assert torn(whole, spoken) == 0.0
    assert torn(fallen, spoken) > TORN


def test_a_word_torn_off_at_the_end_of_the_page_is_not_guessed():
    text = "If a pl ayer fai ls to dr aw w hen he oug ht, a nd pla ys an other ca rd, h e ca n sco re no ;H"
    assert repair(text).text.endswith("he can score no ;H")


# ------------------------------------------------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    "text",
    [
        "1. " + "a " * 60_000,
        "1. " + "." * 60_000 + " -" * 30_000,
        "1. " + "the dealer may call " * 5_000,
        "1. " + "x" * 120_000,
        "b c d f " * 10_000,
        "CARDS 9 " * 12_000,
        "-\n" * 40_000 + "a-\nb " * 10_000,
        "14\n\f" * 3_000,
    ],
    ids=["letters", "dots", "repeating", "one word", "consonants", "heads", "hyphens", "empty pages"],
)
def test_odd_text_takes_no_more_than_its_time(text):
    start = time.perf_counter()
    done = repair(text)
    assert undone(done) == text
    assert time.perf_counter() - start < 20


def test_a_page_without_words_is_left_alone():
    assert repair("").corrections == ()
    assert repair(Source("...\n* * *\n")).corrections == ()


# ----------------------------------------------------------------------------------------------------------- real pages


@pytest.mark.shared
@pytest.mark.parametrize("name", ["F04", "F05", "F06", "F07", "F12", "F14", "I02"])
def test_what_users_of_such_tools_complained_of(shared, name):
    case = json.loads((shared / "cases" / f"{name}.json").read_text("utf-8"))
    text = repair(case["input"]["text"]).text
    assert plain(text) == case["expected"]["repaired_text"]
    assert not any(bad in text for bad in case["expected"].get("must_not_contain", ()))


@pytest.mark.shared
@pytest.mark.parametrize("name", ["ecarte-a", "whist-a"])
def test_the_seeds_lose_their_furniture_and_hyphens(shared, name):
    done = repair((shared / "seeds" / f"{name}.ocr.txt").read_text("utf-8"))
    gold = json.loads((shared / "gold" / f"{name}.json").read_text("utf-8"))
    taken = "".join(c.found for c in done.corrections if c.kind is CorrectionKind.FURNITURE)
    assert plain(taken) == plain(" ".join(gold["furniture"]))
    assert "- " not in done.text.replace("on- 5", "")


@pytest.mark.shared
def test_a_page_of_a_rendered_book_gives_its_furniture(shared):
    folder = shared / "rendered" / "pg-lieber-code-armies.laws__clean"
    done = repair((folder / "ocr.txt").read_text("utf-8"))
    printed = {page["printed_no"] for page in json.loads((folder / "pages.json").read_text("utf-8"))}
    found = {int(p.folio) for p in done.pages if p.folio}
    assert found <= printed
    assert len(found) >= 0.8 * len(printed)
