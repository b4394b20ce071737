"""The nouns refuse what cannot be true."""

from __future__ import annotations

import pytest

from variorum.errors import ModelError
from variorum.model import (
    Collation,
    Correction,
    CorrectionKind,
    Law,
    Locus,
    Relation,
    Repair,
    Segmented,
    law_key,
    locus_key,
)

MISREADING = CorrectionKind.MISREADING


def law(law_id: str, start: int, end: int) -> Law:
    return Law(law_id, law_id, law_id, "", "words", start, end, start)


def test_a_correction_must_say_what_the_page_says() -> None:
    with pytest.raises(ModelError, match="where the page says 'deai'"):
        Repair("a new deai", (Correction(6, 10, "dcal", "deal", MISREADING, "test", 0.9),))


def test_corrections_must_not_overlap() -> None:
    first = Correction(0, 5, "a new", "any", MISREADING, "test", 0.9)
    second = Correction(4, 10, "w deai", "deal", MISREADING, "test", 0.9)
    with pytest.raises(ModelError, match="overlaps"):
        Repair("a new deai", (first, second))


@pytest.mark.parametrize("cert", [-0.1, 1.1])
def test_a_certainty_lies_between_0_and_1(cert: float) -> None:
    with pytest.raises(ModelError, match="certainty"):
        Correction(0, 1, "a", "b", MISREADING, "test", cert)


def test_a_correction_must_change_something() -> None:
    with pytest.raises(ModelError, match="reads what it found"):
        Correction(0, 1, "a", "a", MISREADING, "test", 0.9)


def test_only_furniture_has_a_role() -> None:
    with pytest.raises(ModelError, match="role"):
        Correction(0, 1, "a", "", MISREADING, "test", 0.9, role="header")
    with pytest.raises(ModelError, match="role"):
        Correction(0, 1, "a", "", CorrectionKind.FURNITURE, "test", 0.9)


def test_the_repaired_text_is_derived_from_raw_text_and_corrections() -> None:
    repair = Repair("a new deai.", (Correction(6, 10, "deai", "deal", MISREADING, "test", 0.9),))
    assert repair.text == "a new deal."
    assert repair.raw == "a new deai."


def test_two_laws_of_one_witness_cannot_share_an_id() -> None:
    with pytest.raises(ModelError, match="two laws have the id 1"):
        Segmented(Repair("words words"), (law("1", 0, 5), law("1", 6, 11)))


def test_blocks_stand_in_reading_order() -> None:
    with pytest.raises(ModelError, match="overlaps the one before"):
        Segmented(Repair("words words"), (law("1", 0, 7), law("2", 6, 11)))


def test_a_locus_names_no_witness_that_has_nothing_there() -> None:
    with pytest.raises(ModelError):
        Locus("L01", {"A": ()}, Relation.ONLY, False, 1.0, "")


def test_every_row_of_a_collation_names_every_witness() -> None:
    with pytest.raises(ModelError, match="names every witness"):
        Collation(("A", "B"), ({"A": None},))


@pytest.mark.parametrize(
    ("law_id", "key"),
    [("3", "EcA-law03"), ("12", "EcA-law12"), ("12a", "EcA-law12a"), ("SW.3", "EcA-lawSW-03"), ("2.10", "EcA-law2-10")],
)
def test_the_key_of_a_law_is_an_xml_name(law_id: str, key: str) -> None:
    assert law_key("EcA", law_id) == key


def test_the_key_of_a_locus_names_its_work() -> None:
    assert locus_key("ecarte", "L03") == "ecarte-L03"
