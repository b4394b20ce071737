"""Variation units: each witness in exactly one reading, and silence never taken for agreement."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from variorum.apparatus import apparatus, difference, torn
from variorum.collation import collate
from variorum.errors import ModelError
from variorum.model import Collation, Gap, Law, Locus, Relation, State, Unit, UnitKind

WORDS = [
    "the",
    "dealer",
    "may",
    "must",
    "deal",
    "deals",
    ",",
    ";",
    "5",
    "five",
    "king",
    "overplus",
    "over",
    "plus",
    "The",
]
TEXT = st.lists(st.sampled_from(WORDS), max_size=16).map(" ".join)
WITNESSES = st.dictionaries(st.sampled_from("ABCD"), TEXT, min_size=1, max_size=4)


def units(texts: dict[str, str], **options: object) -> tuple[Unit, ...]:
    return apparatus(collate(texts), base=next(iter(texts)), **options).units  # type: ignore[arg-type]


def words(collation: Collation, unit: Unit, siglum: str) -> str:
    tokens = [t for row in collation.rows[unit.first : unit.last] if (t := row[siglum])]
    return " ".join("".join(t.surface + t.space for t in tokens).split())


@given(WITNESSES)
@settings(max_examples=150, deadline=None)
def test_every_witness_is_in_exactly_one_reading_of_each_unit(texts: dict[str, str]) -> None:
    base = next(iter(texts))
    found = apparatus(collate(texts), base=base)
    at = 0
    for unit in found.units:
        assert at <= unit.first < unit.last <= len(found.rows)
        at = unit.last
        assert sorted(s for r in unit.readings for s in r.witnesses) == sorted(texts)
        assert base in unit.readings[0].witnesses
        for reading in unit.readings:
            assert all(words(found, unit, s) == reading.text for s in reading.witnesses)
            assert bool(reading.text) == (reading.state is State.TEXT)
        assert len(unit.readings) > 1


@given(WITNESSES)
@settings(max_examples=150, deadline=None)
def test_outside_of_the_units_all_witnesses_agree(texts: dict[str, str]) -> None:
    found = apparatus(collate(texts), base=next(iter(texts)))
    covered = {row for unit in found.units for row in range(unit.first, unit.last)}
    for k, row in enumerate(found.rows):
        assert k in covered or len({t.surface if t else None for t in row.values()}) == 1


@given(WITNESSES)
@settings(max_examples=60, deadline=None)
def test_ids_run_on_from_one(texts: dict[str, str]) -> None:
    ids = [unit.id for unit in apparatus(collate(texts), base=next(iter(texts)), prefix="v").units]
    assert ids == [f"v{n:02}" for n in range(1, len(ids) + 1)]


def test_two_copies_have_no_variants() -> None:
    assert units({"A": "A revoke, then.", "B": "A revoke, then."}) == ()


def test_without_a_base_the_reading_of_most_comes_first() -> None:
    found = apparatus(collate({"A": "he may", "B": "he must", "C": "he must"}))
    assert found.units[0].readings[0].witnesses == ("B", "C")


def test_a_base_that_is_no_witness_is_refused() -> None:
    with pytest.raises(ModelError):
        apparatus(collate({"A": "one"}), base="Z")


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("It", "it", UnitKind.CAPITAL),
        (":", ",", UnitKind.PUNCTUATION),
        ("shew", "show", UnitKind.SPELLING),
        ("ſuit", "suit", UnitKind.SPELLING),
        ("honour", "honor", UnitKind.SPELLING),
        ("five", "5", UnitKind.NUMBER),
        ("turn-up", "turnup", UnitKind.DIVISION),
        ("adversary", "advcrsary", UnitKind.OCR),
        ("may", "must", UnitKind.WORDING),
        ("hand", "band", UnitKind.WORDING),
        ("fell", "fall", UnitKind.WORDING),
        ("five", "six", UnitKind.WORDING),
        ("card", "cards", UnitKind.WORDING),
        ("these", "those", UnitKind.WORDING),
    ],
)
def test_a_difference_is_classed_by_what_differs(a: str, b: str, kind: UnitKind) -> None:
    assert difference(a, b) is kind
    assert difference(b, a) is kind


def test_accidental_and_substantive_are_told_apart() -> None:
    found = units({"A": "If he shew it, he may play", "B": "if he show it he must play"})
    assert [(u.kind, u.accidental) for u in found] == [
        (UnitKind.CAPITAL, True),
        (UnitKind.SPELLING, True),
        (UnitKind.PUNCTUATION, True),
        (UnitKind.WORDING, False),
    ]


def test_where_a_witness_lacks_the_law_no_word_counts_for_it() -> None:
    found = units({"A": "No bystander may speak.", "B": "No bystander shall speak.", "C": ""})
    assert [(u.kind, [(r.text, r.witnesses, r.state) for r in u.readings]) for u in found] == [
        (UnitKind.ABSENT, [("No bystander", ("A", "B"), State.TEXT), ("", ("C",), State.ABSENT)]),
        (
            UnitKind.WORDING,
            [("may", ("A",), State.TEXT), ("shall", ("B",), State.TEXT), ("", ("C",), State.ABSENT)],
        ),
        (UnitKind.ABSENT, [("speak.", ("A", "B"), State.TEXT), ("", ("C",), State.ABSENT)]),
    ]


def test_what_a_torn_page_lost_is_no_omission() -> None:
    texts = {"A": "The dealer may at once call a new deal.", "B": "The may at once"}
    found = units(texts, torn={"B": ["end"]})
    assert [[r.state for r in u.readings if "B" in r.witnesses] for u in found] == [[State.OMISSION], [State.LACUNA]]


def test_the_gaps_of_a_law_say_where_it_is_torn() -> None:
    begun_before = Law("1", "1", "", "", "it must remain.", 10, 60, 10, gaps=(Gap(10, 20, "truncated"),))
    runs_on = Law("2", "2", "2.", "", "If the", 60, 90, 62, gaps=(Gap(90, 90, "truncated"),))
    assert torn([begun_before]) == {"start"}
    assert torn([runs_on]) == {"end"}
    assert torn([begun_before, runs_on]) == {"start", "end"}


def test_a_law_whose_words_are_all_lost_is_not_absent() -> None:
    locus = Locus("L01", {"A": ("1",), "B": ("1",)}, Relation.REVISED, False, 1.0, "")
    found = apparatus(collate({"A": "The dealer.", "B": ""}), locus, "A")
    assert [r.state for r in found.units[0].readings] == [State.TEXT, State.LACUNA]


def test_a_split_law_is_set_side_by_side_whole() -> None:
    locus = Locus("L01", {"A": ("6",), "B": ("7", "9")}, Relation.SPLIT, False, 1.0, "")
    found = apparatus(collate({"A": "The deal is good.", "B": "A deal is good. It may be called."}), locus, "A")
    assert [(u.kind, [r.text for r in u.readings]) for u in found.units] == [
        (UnitKind.RECAST, ["The deal is good.", "A deal is good. It may be called."])
    ]


def test_a_law_with_no_wording_in_common_is_recast() -> None:
    a = "Whoever names his suit without being asked forfeits three tricks at once to the other side"
    b = "Spectators must remain silent behind their chairs until every round of playing has been scored completely"
    assert [u.kind for u in units({"A": a, "B": b})] == [UnitKind.RECAST]


def test_words_that_changed_places_are_marked_at_both() -> None:
    found = units({"A": "played or discarded", "B": "discarded or played"})
    assert [(u.kind, [r.text for r in u.readings]) for u in found] == [
        (UnitKind.TRANSPOSITION, ["played", "discarded"]),
        (UnitKind.TRANSPOSITION, ["discarded", "played"]),
    ]


def test_a_stop_and_a_capital_are_no_division_of_words() -> None:
    found = units({"A": "the deal is good but if", "B": "the deal is good. But if"})
    assert [u.kind for u in found] == [UnitKind.PUNCTUATION, UnitKind.CAPITAL]
