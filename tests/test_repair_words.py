"""The repair of words: what it mends, and above all what it leaves alone."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum.language import load
from variorum.language.model import Language
from variorum.model import Correction, CorrectionKind
from variorum.repair.doubt import APPLY
from variorum.repair.words import correct_words
from variorum.repair.words_candidates import Candidates
from variorum.repair.words_gate import Proposal, certainty
from variorum.repair.words_lattice import Option, best_path
from variorum.repair.words_noise import estimate_noise
from variorum.repair.words_units import units
from variorum.repair.words_variants import early_forms, elided, same_inflected, same_spelled

CASES = Path(__file__).parent / "cases" / "words"


@pytest.fixture(scope="module")
def language() -> Language:
    return load()


def found(text: str, year: int | None = None) -> tuple[Correction, ...]:
    return correct_words(text, load(), estimate_noise(text, load()), year)[0]


def mended(text: str, year: int | None = None) -> str:
    pieces, at = [], 0
    for c in found(text, year):
        if c.cert >= APPLY:
            pieces += [text[at : c.start], c.reads]
            at = c.end
    return "".join([*pieces, text[at:]])


def cases(name: str, lines: int) -> list[list[str]]:
    blocks = (CASES / name).read_text("utf-8").strip().split("\n\n")
    rows = [[line for line in b.splitlines() if not line.startswith("#")] for b in blocks]
    rows = [row for row in rows if row]
    assert all(len(row) == lines for row in rows), f"a case of {name} has not {lines} lines"
    return rows


@pytest.mark.parametrize(("title", "read", "printed"), cases("misread.txt", 3))
def test_what_was_misread_is_mended(title, read, printed):
    assert mended(read) == printed


@pytest.mark.parametrize(("title", "text"), cases("kept.txt", 2))
def test_what_was_printed_stays(title, text):
    assert mended(text) == text


def test_units_part_words_from_points_and_dashes():
    text = '"Well," said he—the dealer (non-dealer?)\n\nNext'
    assert [u.core for u in units(text)] == ["Well", "said", "he", "the", "dealer", "non-dealer", "Next"]
    assert [u.stop for u in units(text)] == [True, False, False, False, False, False, True]


@given(st.text(max_size=300))
def test_units_stand_in_the_text_where_they_say(text):
    at = 0
    for unit in units(text):
        assert unit.start >= at
        assert text[unit.start : unit.end] == unit.core
        assert text[unit.start - len(unit.lead) : unit.start] == unit.lead
        assert text[unit.end : unit.end + len(unit.trail)] == unit.trail
        at = unit.end


@given(st.text(alphabet=st.sampled_from("abehilnortuc .,-'’^•1lI\n—éſ?"), max_size=200))
def test_corrections_fit_the_text_in_order_and_apart(text):
    at = 0
    for c in found(text):
        assert c.start >= at
        assert text[c.start : c.end] == c.found != c.reads
        assert 0 < c.cert <= 1
        assert c.evidence
        at = c.end


def test_the_same_text_gives_the_same_corrections():
    text = "The adversarv may withdraw bis stake, and tbe cornpany proceed with tbe gane."
    assert found(text) == found(text) != ()


def test_case_follows_the_page():
    assert mended("TBE DEALER of tbe cornpany. Tbe cards of tbe cornpany are dealt to tbe adversarv.") == (
        "THE DEALER of the company. The cards of the company are dealt to the adversary."
    )


def test_each_correction_says_what_kind_it_is_and_why():
    (c,) = [c for c in found("The cornpany proceed to call a new deal for the adversary.") if c.cert >= APPLY]
    assert (c.found, c.reads, c.kind) == ("cornpany", "company", CorrectionKind.MISREADING)
    assert "company" in c.evidence


def test_early_spelling_is_kept_by_its_year_and_by_its_own_look():
    text = "And then the Kinge dyd saye vnto hym, goe forthe and haue thy fylle of the feaste, for iustice is donne."
    assert mended(text, year=1580) == text
    assert mended(text * 3) == text * 3


def test_a_text_in_another_language_or_script_is_left_alone():
    latin = "Quousque tandem abutere, Catilina, patientia nostra? quam diu etiam furor iste tuus nos eludet?"
    greek = "Μῆνιν ἄειδε θεὰ Πηληϊάδεω Ἀχιλῆος οὐλομένην, ἣ μυρί᾽ Ἀχαιοῖς ἄλγε᾽ ἔθηκε."
    assert mended(latin) == latin
    assert found(greek) == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n\n",
        "." * 5000,
        "x" * 100_000,
        "a b c d e " * 2000,
        "\u202e\u0000\u0007 a\u200bb " * 500,
        "l1|" * 3000,
    ],
)
def test_odd_input_takes_little_time_and_loses_nothing(text):
    begun = time.perf_counter()
    for c in found(text):
        assert text[c.start : c.end] == c.found
    assert time.perf_counter() - begun < 20


def test_candidates_find_the_word_behind_a_confusion(language):
    near = Candidates(language).near
    for misread, word in (("cornpany", "company"), ("p>ack", "pack"), ("^ny", "any"), ("rnisdeal", "misdeal")):
        assert near(misread)[0][0] == word


def test_a_known_word_is_only_read_as_another_along_a_known_confusion(language):
    words = dict(Candidates(language).confused("bis", 10.0))
    assert "his" in words
    assert "cards" not in words


def test_the_best_path_weighs_the_words_round_it(language):
    def number(word: str) -> int:
        return language.number(word)

    stay = Option(0, 1, "stay", (), (number("bis"),), 0.0)
    read = Option(0, 1, "word", ("his",), (number("his"),), 8.0)
    path = best_path(language, [[stay, read]], [False], (number("may"), number("oblige")), (number("partner"),))
    assert path == [read]


def test_the_gate_rises_with_the_margin():
    plain = dict.fromkeys(Proposal.__dataclass_fields__, 0.0)
    plain |= {"noise": -3.0, "new_count": 8.0, "lead": 10.0, "length": 7.0, "spelled": -3.0, "dirt": -5.0, "cost": 7.0}
    weak, strong = Proposal(**plain | {"odd": 2.0}), Proposal(**plain | {"odd": 25.0, "gain": 2.0})
    assert certainty(weak) < 0.5 < 0.8 < certainty(strong)


@pytest.mark.parametrize(
    ("one", "other"), [("colour", "color"), ("publick", "public"), ("shew", "show"), ("connexion", "connection")]
)
def test_spellings_of_one_word_are_the_same(one, other):
    assert same_spelled(one, other)


@pytest.mark.parametrize(("one", "other"), [("gane", "game"), ("bis", "his"), ("tben", "then"), ("deai", "deal")])
def test_misreadings_are_not_spellings(one, other):
    assert not same_spelled(one, other)


def test_endings_and_elisions_are_seen():
    assert same_inflected("contain", "contains")
    assert not same_inflected("bis", "his")
    assert elided("nothin", "nothing", "", "'")
    assert elided("ead", "head", "'", " ")
    assert "have" in early_forms("haue")
    assert "upon" in early_forms("vpon")


@pytest.mark.shared
def test_clean_books_that_nothing_was_learned_from_pass_all_but_unchanged(shared):
    changed = words = 0
    for name in (
        "period/round-games-with-cards.txt",
        "rulebooks/pg-elwell-bridge-club-code.txt",
        "period/roberts-rules.txt",
    ):
        text = (shared / "texts" / name).read_text("utf-8")[:60_000]
        changed += sum(len(c.found.split()) for c in found(text) if c.cert >= APPLY)
        words += len(re.findall(r"\S+", text))
    assert changed <= words * 3e-4
