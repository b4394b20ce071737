"""A doubtful word is judged by the same law in another edition; a word that nobody doubts never is."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from variorum.concord import concord
from variorum.consult import consult
from variorum.model import Fact, Imprint, Repair, Source, Witness
from variorum.repair import repair
from variorum.repair.doubt import APPLY
from variorum.rulings import read_places
from variorum.segment import segment

# Laws around the one in question, so that there is a code to be compared.
BEFORE = "1. The dealer shuffles the cards, and the adversary must cut them before they are dealt.\n\n"
AFTER = "\n\n3. If a player has revoked, the adversary may demand that the hand be played over again.\n"


def witness(siglum: str, law: str, mended: Repair | None = None, rulings: str = "") -> Witness:
    raw = f"{BEFORE}2. {law}{AFTER}"
    unknown = Fact("", "unknown")
    imprint = Imprint(unknown, unknown, unknown, 1850, 1850, "stated", "", "")
    done = mended or repair(raw, 1850, rulings=read_places(rulings)[0])
    return Witness(siglum, "game", imprint, Source(raw), segment(done))


def consulted(laws: Mapping[str, str], apply: float = APPLY, rulings: str = "") -> dict[str, Witness]:
    """Witnesses of one law each, after they were consulted; `rulings` are on the first."""
    first = next(iter(laws))
    witnesses = [witness(s, law, rulings=rulings if s == first else "") for s, law in laws.items()]
    concordance = concord({w.siglum: w.laws for w in witnesses})
    assert all(len(locus.laws) == len(laws) for locus in concordance.loci)
    return {w.siglum: w for w in consult(witnesses, concordance, apply)}


def law(witness: Witness) -> str:
    return witness.laws[1].text


def test_a_word_that_is_none_is_read_as_the_other_edition_has_it() -> None:
    done = consulted(
        {
            "A": "Should the dealer turn up two cards, his opponent may clajrn a new deal, if he has not looked.",
            "B": "Should the dealer turn up two cards, the adversary may claim a new deal, if he has not looked.",
        }
    )
    assert "opponent may claim a new deal" in law(done["A"])
    assert done["A"].source.raw == done["A"].repair.raw
    (c,) = (c for c in done["A"].repair.corrections if c.rule == "consult")
    assert (c.found, c.reads, c.evidence) == ("clajrn", "claim", "so reads B, law 2")
    assert c.cert >= APPLY


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("the dealer loses one point and the hand", "the dealer loses two points and the hand"),
        ("the player shall lose his deal and one point", "the player may lose his deal and one point"),
        ("if he shew his hand to the adversary", "if he show his hand to the adversary"),
        ("he must retouch the card that he has named", "he must touch the card that he has named"),
        ("the cards are to be rebacked by the dealer", "the cards are to be replaced by the dealer"),
        ("he who plays with the Piquet pack has the deal", "he who plays with the Picket pack has the deal"),
        ("the talons lie before the eldest hand", "the talon lies before the eldest hand"),
    ],
)
def test_a_true_variant_is_left_alone(a: str, b: str) -> None:
    frame = "When all the cards have been dealt round by two and by three, {}, unless the adversary agree."
    before = {"A": frame.format(a), "B": frame.format(b)}
    done = consulted(before)
    assert [law(done[s]) for s in before] == list(before.values())


def test_a_word_that_stands_in_another_edition_is_a_word() -> None:
    frame = "When the cards have been dealt, the player who holds the {} may claim it before he plays {}."
    done = consulted(
        {"A": frame.format("bezik", "again"), "B": frame.format("bezique", "a card, and so with the bezik")}
    )
    assert "holds the bezik may" in law(done["A"])


def test_a_reading_in_doubt_stays_a_suggestion_where_the_editor_asks_for_more_certainty() -> None:
    done = consulted(
        {
            "A": "Should the dealer turn up two cards, his opponent may clajrn a new deal, if he has not looked.",
            "B": "Should the dealer turn up two cards, the adversary may claim a new deal, if he has not looked.",
        },
        apply=0.99,
    )
    assert "clajrn" in law(done["A"])
    said = [f for f in done["A"].repair.findings if f.candidates == ("claim",)]
    assert [f.code for f in said] == ["correction-suggested"]
    assert "so reads B, law 2" in said[0].message


def test_what_the_editor_has_ruled_is_not_consulted_about() -> None:
    done = consulted(
        {
            "A": "Should the dealer turn up two cards, his opponent may clajrn a new deal, if he has not looked.",
            "B": "Should the dealer turn up two cards, the adversary may claim a new deal, if he has not looked.",
        },
        rulings="reject may |clajrn| a new",
    )
    assert "clajrn" in law(done["A"])


def test_a_suggestion_that_another_edition_bears_out_becomes_a_correction() -> None:
    a = "Should the dealer turn up two cards, his opponent may claim a new dead, if he has not looked at them."
    b = "Should the dealer turn up two cards, his opponent may claim a new deal, if he has not looked at them."
    raw = f"{BEFORE}2. {a}{AFTER}"
    at = raw.index("dead")
    from variorum.model import Finding

    doubt = Finding("correction-suggested", "'dead' may be 'deal'", at, at + 4, candidates=("deal", "head"))
    witnesses = [witness("A", a, Repair(raw, findings=(doubt,))), witness("B", b)]
    concordance = concord({w.siglum: w.laws for w in witnesses})
    done, _ = consult(witnesses, concordance, APPLY)
    assert "a new deal, if" in law(done)
    assert not [f for f in done.repair.findings if f.code == "correction-suggested"]


def test_the_order_of_the_witnesses_changes_nothing() -> None:
    laws = {
        "A": "Should the dealer turn up two cards, his opponent may clajrn a new deal, if he has not looked.",
        "B": "Should the dealer turn up two cards, the adversary may claim a new deal, if he has not looked.",
        "C": "Should the dealer turn up two cards, the adversary can claim a new dcal, if he has not looked.",
    }
    one, other = consulted(laws), consulted(dict(reversed(laws.items())))
    assert {s: law(w) for s, w in one.items()} == {s: law(w) for s, w in other.items()}


def test_the_laws_keep_their_ids_and_a_misread_number_is_still_told() -> None:
    done = consulted(
        {
            "A": "Should the dealer turn up two cards, his opponent may clajrn a new deal, if he has not looked.",
            "B": "Should the dealer turn up two cards, the adversary may claim a new deal, if he has not looked.",
        }
    )
    assert [x.id for x in done["A"].laws] == ["1", "2", "3"]
