"""Where the words that differ stand in the cells of the synopsis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from variorum.model import Collated, UnitKind, Work, locus_key
from variorum.tables.columns import TABLES

# These differ as a whole: to mark every word would show nothing.
_WHOLE = {UnitKind.RECAST, UnitKind.ABSENT, UnitKind.LACUNA}


class Mark(NamedTuple):
    """A span [start, end) of a cell's text that belongs to a variation unit, and whether it is one of sense."""

    start: int
    end: int
    substantive: bool


Marks = Mapping[tuple[str, str], tuple[Mark, ...]]
"""The marks of a cell of the synopsis, by its locus and column."""


def marks(works: Sequence[Work]) -> Marks:
    """The variant words of every cell of the synopsis, in order and disjoint."""
    table = TABLES["synopsis"]
    found: dict[tuple[str, str], tuple[Mark, ...]] = {}
    for work in works:
        for collated in work.loci:
            for siglum in collated.locus.laws:
                cell = _marks(collated, siglum)
                if cell:
                    found[locus_key(work.id, collated.locus.id), table.witness(siglum)] = cell
    return found


def _marks(collated: Collated, siglum: str) -> tuple[Mark, ...]:
    """The tokens of a witness give its text back, so that their lengths say where in the text each stands."""
    spans: list[tuple[int, int] | None] = []
    at = 0
    for row in collated.collation.rows:
        token = row.get(siglum)
        spans.append((at, at + len(token.surface)) if token else None)
        at += len(token.surface) + len(token.space) if token else 0
    made: list[Mark] = []
    for unit in sorted(collated.collation.units, key=lambda unit: unit.first):
        here = [span for span in spans[unit.first : unit.last] if span]
        start = max(here[0][0], made[-1].end if made else 0) if here else 0
        if here and unit.kind not in _WHOLE and start < here[-1][1]:
            made.append(Mark(start, here[-1][1], not unit.accidental))
    return tuple(made)
