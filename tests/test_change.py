"""Did the rule change? The words that show it, and nothing where only the wording differs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import variorum
from variorum.change import changes
from variorum.collation import collate
from variorum.concord import concord
from variorum.edition import collate_locus
from variorum.errors import VariorumError
from variorum.model import Change, Law, Locus, Relation
from variorum.score import change_rate
from variorum.thesaurus import parse, stem, thesaurus

CASES = Path(__file__).parent / "cases" / "changes" / "cases.txt"


def compared(texts: dict[str, str]) -> tuple[Change, ...]:
    laws = {s: (Law("1", "1", "1.", "", text, 0, 0, 0),) for s, text in texts.items()}
    locus = Locus("L01", dict.fromkeys(texts, ("1",)), Relation.REVISED, False, 1.0, "")
    return changes(locus, laws, collate(texts))


def blocks() -> list[list[str]]:
    lines = [line for line in CASES.read_text("utf-8").split("\n") if not line.startswith("#")]
    return [block.split("\n") for block in "\n".join(lines).strip().split("\n\n")]


@pytest.mark.parametrize("block", blocks(), ids=lambda block: block[0])
def test_a_case_written_by_hand(block: list[str]) -> None:
    """The first case: five cards are dealt in one edition, six in the other."""
    texts = dict(line.split(": ", 1) for line in block[1:3])
    found = [f"{c.kind}: {c.readings['A'] or '-'} / {c.readings['B'] or '-'}" for c in compared(texts)]
    assert (found or ["none"]) == block[3:]


def test_a_change_says_what_happened_in_a_plain_sentence() -> None:
    (change,) = compared({"A": "He plays five cards.", "B": "He plays six cards."})
    assert (change.op, change.laws["B"]) == ("altered", ("1",))
    assert "five cards" in change.sentence
    assert "six cards" in change.sentence


def test_a_sentence_tells_the_kind_and_which_edition_lacks_it() -> None:
    limited = "A misdeal is good unless it be discovered."
    (added,) = compared({"A": "A misdeal is good.", "B": limited})
    assert added.sentence == "B makes a condition that A does not make: “unless it be discovered”."
    (altered,) = compared({"A": "He plays five cards.", "B": "He plays six cards."})
    assert altered.sentence == "The figure differs: A has “five cards”, B has “six cards”."


def test_a_law_that_one_edition_lacks_is_added_or_dropped_as_a_whole() -> None:
    first = "1. The dealer gives five cards to each player.\n\n2. The eldest hand leads the first trick.\n"
    more = first + "\n3. No bystander may speak while a game is played.\n"
    (added,) = (c for c in variorum.changes({"A": first, "B": more}))
    (dropped,) = (c for c in variorum.changes({"A": more, "B": first}))
    assert (added.op, added.kind, dict(added.laws)) == ("added", "scope", {"B": ("3",)})
    assert (dropped.op, dropped.kind, dict(dropped.laws)) == ("dropped", "scope", {"A": ("3",)})
    assert added.readings == {"A": "", "B": "No bystander may speak while a game is played"}
    assert added.sentence.startswith("B has a law that A has nowhere: “No bystander may speak")


def test_a_law_that_other_editions_have_is_told_of_each_that_lacks_it() -> None:
    first = "1. The dealer gives five cards to each player.\n\n2. The eldest hand leads the first trick.\n"
    more = first + "\n3. No bystander may speak while a game is played.\n"
    found = variorum.changes({"A": more, "B": first, "C": more, "D": first})
    assert [tuple(c.readings) for c in found] == [("A", "B"), ("A", "D")]


def test_what_one_edition_does_not_say_is_added_or_dropped() -> None:
    limited = "A misdeal is good unless it be discovered."
    (added,) = compared({"A": "A misdeal is good.", "B": limited})
    (dropped,) = compared({"A": limited, "B": "A misdeal is good."})
    assert (added.op, dropped.op) == ("added", "dropped")
    assert added.readings == {"A": "", "B": "unless it be discovered"}


WORDS = [
    "the",
    "dealer",
    "may",
    "must",
    "deal",
    "five",
    "six",
    ",",
    ".",
    "unless",
    "adversary",
    "new",
    "deal",
    "loses",
    "not",
]


@given(
    st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join),
)
@settings(max_examples=150, deadline=None)
def test_the_words_that_show_a_change_stand_in_the_law(a: str, b: str) -> None:
    for change in compared({"A": a, "B": b}):
        assert change.readings["A"] in a
        assert change.readings["B"] in b
        assert change.readings["A"] or change.readings["B"]
        assert 0 <= change.cert <= 1


@given(st.text(max_size=60))
@settings(max_examples=40, deadline=None)
def test_a_law_has_not_changed_against_its_own_copy(text: str) -> None:
    assert compared({"A": text, "B": text}) == ()


def test_the_two_ecartes_by_the_annotation(root: Path) -> None:
    """Pins what is reached from raw OCR; `tests/quality` has more."""
    raw = {s: next((root / "corpus" / "witnesses" / s).glob("*.txt")).read_text("utf-8") for s in ("EcA", "EcB")}
    gold = json.loads((root / "corpus" / "gold" / "ecarte-a--ecarte-b.changes.json").read_text("utf-8"))
    laws = {s: variorum.laws(variorum.clean(text)) for s, text in raw.items()}
    found = [c for locus in concord(laws).loci for c in collate_locus(locus, laws, "EcA").changes]
    rate = change_rate(gold, found, "EcA", "EcB")
    assert rate.recall >= 0.85
    assert rate.precision >= 0.7


def test_the_thesaurus_folds_the_names_of_one_concept() -> None:
    folded = thesaurus().folded
    assert folded(str.split("the overplus cards of the elder hand")) == folded(
        str.split("the superfluous cards of the opponent")
    )
    assert folded(str.split("he calls a fresh deal")) == folded(str.split("he calls a new deal"))
    assert folded(str.split("the talon")) == folded(str.split("the stock"))


@pytest.mark.parametrize(
    "forms", ["deal deals dealt dealing", "show shew shewn shows", "party parties", "point points"]
)
def test_the_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


def test_a_phrase_under_two_concepts_is_refused_with_its_line() -> None:
    with pytest.raises(VariorumError, match="line 3"):
        parse(["[thing]", "stock: talon", "pack: talon"], "mine.txt")


def test_a_line_that_is_no_concept_is_refused_with_its_line() -> None:
    with pytest.raises(VariorumError, match="line 2"):
        parse(["[thing]", "talon"], "mine.txt")
