"""Offsets and composition: what is laid over a text can always be lifted again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from variorum.model import Correction, CorrectionKind, Repair
from variorum.spans import Offsets, compose

MISREADING = CorrectionKind.MISREADING


def correction(text: str, start: int, end: int, reads: str) -> Correction:
    return Correction(start, end, text[start:end], reads, MISREADING, "test", 0.9)


@st.composite
def corrections(draw: st.DrawFn, text: str) -> tuple[Correction, ...]:
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    spans = list(zip(cuts[::2], cuts[1::2], strict=False))
    out = []
    for start, end in spans:
        reads = draw(st.text(alphabet="xyz ", max_size=3))
        if reads != text[start:end]:
            out.append(correction(text, start, end, reads))
    return tuple(out)


@st.composite
def repaired_twice(draw: st.DrawFn) -> tuple[Repair, tuple[Correction, ...]]:
    raw = draw(st.text(alphabet="abc \n", min_size=1, max_size=30))
    repair = Repair(raw, draw(corrections(raw)))
    return repair, draw(corrections(repair.text))


@given(repaired_twice())
def test_composing_edits_gives_the_text_that_applying_them_in_turn_gives(
    case: tuple[Repair, tuple[Correction, ...]],
) -> None:
    repair, edits = case
    assert compose(repair, edits).text == Repair(repair.text, edits).text


@given(repaired_twice())
def test_composing_edits_leaves_the_raw_text_alone(case: tuple[Repair, tuple[Correction, ...]]) -> None:
    repair, edits = case
    composed = compose(repair, edits)
    assert composed.raw == repair.raw
    assert all(composed.raw[c.start : c.end] == c.found for c in composed.corrections)


@given(repaired_twice(), st.data())
def test_offsets_lead_to_the_raw_text_and_back(
    case: tuple[Repair, tuple[Correction, ...]], data: st.DataObject
) -> None:
    repair, _ = case
    offsets = Offsets(repair.corrections)
    start = data.draw(st.integers(0, len(repair.text)))
    end = data.draw(st.integers(start, len(repair.text)))
    raw_start, raw_end = offsets.to_raw(start), offsets.to_raw(end, end=True)
    assert raw_start >= 0
    assert raw_end <= len(repair.raw)
    if start < end:
        assert offsets.to_text(raw_start) <= start
        assert offsets.to_text(raw_end, end=True) >= end


def test_an_edit_takes_an_earlier_correction_in() -> None:
    raw = "the cnr- rtf game"
    repair = Repair(raw, (correction(raw, 7, 9, ""),))
    assert repair.text == "the cnrrtf game"
    composed = compose(repair, [correction(repair.text, 4, 10, "cards")])
    assert [(c.found, c.reads) for c in composed.corrections] == [("cnr- rtf", "cards")]


def test_an_edit_that_restores_the_page_takes_the_correction_back() -> None:
    raw = "a shew of hands"
    repair = Repair(raw, (correction(raw, 2, 6, "show"),))
    assert compose(repair, [correction(repair.text, 2, 6, "shew")]).corrections == ()


def test_furniture_stays_a_note_of_its_own_inside_a_mended_word() -> None:
    raw = "the adver CARDS 12 sarics"
    head = Correction(9, 19, " CARDS 12 ", "", CorrectionKind.FURNITURE, "running head", 0.9, "", "header")
    repair = Repair(raw, (head,))
    composed = compose(repair, [correction(repair.text, 4, 15, "adversaries")])
    assert composed.text == "the adversaries"
    assert [(c.found, c.reads) for c in composed.corrections] == [(" CARDS 12 ", ""), ("c", "e")]
