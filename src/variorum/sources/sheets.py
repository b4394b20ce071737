"""What an OCR engine found on a page: sheets, blocks, lines and words, each with its place where the file gives it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import isfinite

Box = tuple[int, int, int, int]
Stand = tuple[float, float, float, float]
_LARGEST = 1_000_000  # pixels: no image is as wide


@dataclass(frozen=True, slots=True)
class Word:
    """A word as the engine read it: `box` in pixels, `confidence` 0 to 1, each None where the file gives none.

    `stands` is the box in the direction in which the page is read, once that has been found out.
    """

    text: str
    box: Box | None = None
    confidence: float | None = None
    stands: Stand | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """The words of a line in order; `box` is the line's own, where the file gives one."""

    words: Sequence[Word]
    box: Box | None = None
    stands: Stand | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """The lines of a paragraph or region in order. `zone` tells parts of a page apart that the file itself orders.

    `beside` is true for what was found to stand in the margin, beside the text.
    """

    lines: Sequence[Line]
    zone: int = 0
    beside: bool = False

    @property
    def stands(self) -> Stand | None:
        """What its lines cover; None where none of them has a place."""
        return union(line.stands for line in self.lines)


@dataclass(slots=True)
class Sheet:
    """One page: its blocks, and the name of its image. `ordered` is true where the file says that they are in order."""

    blocks: list[Block] = field(default_factory=list)
    image: str = ""
    ordered: bool = False


def union(stands: Iterable[Stand | None]) -> Stand | None:
    """What some boxes cover together, those that there are."""
    known = [s for s in stands if s]
    if not known:
        return None
    left, top, right, bottom = zip(*known, strict=True)
    return min(left), min(top), max(right), max(bottom)


def middle(values: Sequence[float], default: float = 0.0) -> float:
    """The median, or the default where there is no value."""
    return sorted(values)[len(values) // 2] if values else default


def box(*edges: float) -> Box | None:
    """A box of whole pixels from left, top, right and bottom; None where they make none."""
    if len(edges) != 4 or not all(isfinite(e) and 0 <= e <= _LARGEST for e in edges):
        return None
    left, top, right, bottom = (round(e) for e in edges)
    return (left, top, right, bottom) if left <= right and top <= bottom else None


def number(text: str | None) -> float | None:
    """The number that an attribute gives, or None."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if isfinite(value) else None


def share(text: str | None, most: float = 1.0) -> float | None:
    """A confidence as a share of 1, from a number of which `most` is certainty; None where it is none."""
    value = number(text)
    return min(1.0, value / most) if value is not None and 0 <= value <= most * 1.01 else None
