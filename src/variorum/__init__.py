"""Variorum: from the raw OCR of historical rulebooks to a critical edition.

    clean(text)      repair a text; every change is a note on a span of it
    laws(text)       its numbered laws
    align(texts)     which law answers to which
    collate(texts)   which words differ
    changes(texts)   where the rule changed
    edit(folder)     all of that for a corpus, with TEI, tables and a reading edition

Nothing heavy is loaded before it is needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from variorum.errors import VariorumError
from variorum.model import Change, Collation, Concordance, Law, Repair, Segmented

if TYPE_CHECKING:
    from variorum.edition import Edition

__version__ = "0.1.0"
__all__ = [
    "Change",
    "Collation",
    "Concordance",
    "Law",
    "Repair",
    "VariorumError",
    "align",
    "changes",
    "clean",
    "collate",
    "edit",
    "laws",
    "segmented",
]


def clean(text: str, year: int | None = None) -> Repair:
    """Repair a raw text.

    `year` is the year of printing, where known; early spelling is then left alone. Returns a Repair: `raw` as it came
    (NFC), `text` with furniture out and words mended, `corrections` and `findings`.
    """
    from variorum.repair import repair

    return repair(text, year)


def segmented(text: str | Repair, repair: bool = True) -> Segmented:
    """A text cut into laws, headings and prose; a plain string is repaired first unless `repair` is false."""
    from variorum.repair import untouched
    from variorum.segment import segment

    if isinstance(text, Repair):
        return segment(text)
    return segment(clean(text) if repair else untouched(text))


def laws(text: str | Repair, repair: bool = True) -> tuple[Law, ...]:
    """The numbered laws of a text in reading order; a plain string is repaired first unless `repair` is false."""
    return segmented(text, repair).laws


def _laws_of(witnesses: Mapping[str, str | Sequence[Law]]) -> dict[str, tuple[Law, ...]]:
    return {s: laws(w, repair=False) if isinstance(w, str) else tuple(w) for s, w in witnesses.items()}


def align(witnesses: Mapping[str, str | Sequence[Law]]) -> Concordance:
    """Which law answers to which: siglum -> text (cut into laws as it stands) or laws. Returns the concordance."""
    from variorum.concord import concord

    return concord(_laws_of(witnesses))


def collate(witnesses: Mapping[str, str]) -> Collation:
    """Align the words of texts, each taken as one law: siglum -> text. The first witness is the base."""
    from variorum.apparatus import apparatus
    from variorum.collation import collate as align_words

    return apparatus(align_words(witnesses), None, next(iter(witnesses), None))


def changes(witnesses: Mapping[str, str | Sequence[Law]]) -> tuple[Change, ...]:
    """Changes of rule, law by law: siglum -> text (cut into laws as it stands) or laws."""
    from variorum.concord import concord
    from variorum.edition import collate_locus

    own = _laws_of(witnesses)
    base = next(iter(own), None)
    return tuple(change for locus in concord(own).loci for change in collate_locus(locus, own, base).changes)


def edit(corpus: str | Path) -> Edition:
    """Edit a corpus: the folder of a manifest, corpus.toml. The result has `works`, `tables` and `write(folder)`."""
    from variorum.edition import edit as edit_corpus

    return edit_corpus(corpus)
