"""The order in which the blocks of a page are read, by where they stand on it.

The method is the recursive X-Y cut (G. Nagy and S. Seth, "Hierarchical representation of optically scanned documents",
ICPR 1984) on the boxes of blocks instead of on ink (J. Ha, R. Haralick and I. Phillips, "Recursive X-Y cut using
bounding boxes of connected components", ICDAR 1995): a group of blocks is parted where a band without any runs across
it from edge to edge. Columns are cut before rows, as in J. Sutherland's and others' practice with newspapers, so that
paragraphs of two columns are not read across; rows that a heading keeps apart are put together first as far as one
corridor parts them all. What no cut parts stays as the engine has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Span = tuple[float, float]

_SHARE = 0.2  # of a line's height that is taken off above and below: ascenders of one line reach into the one above
_CORRIDOR = 0.6  # line heights that lie at least between two columns
_BESIDE = 0.5  # of the shorter of two columns that must stand beside the other
_MARGIN = 0.45  # of the widest column: what is narrower is a margin with notes, and follows the text
_BODY = 0.4  # of the page's height that a column must have for what stands beside it to be its margin
_AHEAD = 200  # bands that are looked at for a common corridor


@dataclass(frozen=True, slots=True)
class Area:
    """What a block covers in the direction of reading, how high a `line` of it is, and its place `at` in the file."""

    at: int
    left: float
    top: float
    right: float
    bottom: float
    line: float


def by_position(areas: Sequence[Area]) -> tuple[list[int], list[int]]:
    """The places of blocks in the order in which they are read, and of those among them that are notes in a margin."""
    if not areas:
        return [], []
    cutter = _Cutter(areas)
    return [a.at for a in cutter.ordered(list(areas))], cutter.marginal


class _Cutter:
    def __init__(self, areas: Sequence[Area]) -> None:
        heights = sorted(a.line for a in areas)
        self._line = heights[len(heights) // 2]
        self._height = max(a.bottom for a in areas) - min(a.top for a in areas)
        self.marginal: list[int] = []

    def ordered(self, areas: list[Area]) -> Iterator[Area]:
        if len(areas) < 2:
            yield from areas
            return
        if len(columns := self._columns(areas)) > 1:
            for column in self._margins_last(columns):
                yield from self.ordered(column)
            return
        bands = self._bands(areas)
        if len(bands) == 1:  # they overlap: nothing says which comes first but the engine
            yield from sorted(areas, key=lambda a: a.at)
            return
        for group in self._groups(bands):
            yield from self.ordered(group)

    def _bands(self, areas: Sequence[Area]) -> list[list[Area]]:
        """The blocks parted by every free row, from top to bottom."""
        found: list[list[Area]] = []
        reach = float("-inf")
        for area in sorted(areas, key=lambda a: (a.top, a.at)):
            spare = min(_SHARE * area.line, (area.bottom - area.top) / 3)
            if not found or area.top + spare >= reach:
                found.append([])
            found[-1].append(area)
            reach = max(reach, area.bottom - spare)
        return found

    def _groups(self, bands: Sequence[list[Area]]) -> Iterator[list[Area]]:
        """Bands put together as far as they are rows of the same columns; the others each by itself."""
        k = 0
        while k < len(bands):
            reach = self._reach(bands, k)
            group = [a for band in bands[k:reach] for a in band]
            while reach > k + 1 and len(self._columns(group)) < 2:
                reach = (k + 1 + reach) // 2
                group = [a for band in bands[k:reach] for a in band]
            yield group
            k = reach

    def _reach(self, bands: Sequence[list[Area]], k: int) -> int:
        """The first band after `k` that leaves no corridor free through it and all from `k` on."""
        free: list[Span] = [(float("-inf"), float("inf"))]
        sides = bands[k : k + _AHEAD]
        left, right = min(a.left for b in sides for a in b), max(a.right for b in sides for a in b)
        for n, band in enumerate(sides, k):
            free = [cut for span in free for cut in _without(span, band) if self._within(cut, left, right)]
            if not free:
                return max(n, k + 1)
        return k + len(sides)

    def _within(self, span: Span, left: float, right: float) -> bool:
        return min(span[1], right) - max(span[0], left) >= _CORRIDOR * self._line

    def _columns(self, areas: Sequence[Area]) -> list[list[Area]]:
        """The blocks parted by every free corridor, from left to right, where what it parts stands side by side."""
        found: list[list[Area]] = []
        reach = float("-inf")
        for area in sorted(areas, key=lambda a: (a.left, a.at)):
            if not found or area.left - reach >= _CORRIDOR * self._line:
                found.append([])
            found[-1].append(area)
            reach = max(reach, area.right)
        k = 1
        while k < len(found):
            if _beside(found[k - 1], found[k]) < _BESIDE:
                found[k - 1 : k + 1] = [found[k - 1] + found[k]]
            else:
                k += 1
        return found

    def _margins_last(self, columns: list[list[Area]]) -> list[list[Area]]:
        widest = max(map(_width, columns))
        text = [c for c in columns if _width(c) >= _MARGIN * widest]
        notes = [c for c in columns if _width(c) < _MARGIN * widest]
        if not notes or max(map(_length, text)) < _BODY * self._height:
            return columns
        self.marginal += [a.at for column in notes for a in column]
        return text + notes


def _without(span: Span, band: Sequence[Area]) -> Iterator[Span]:
    """What a band of blocks leaves free of a span."""
    at = span[0]
    for area in sorted(band, key=lambda a: a.left):
        if area.left > at:
            yield at, min(area.left, span[1])
        at = max(at, area.right)
        if at >= span[1]:
            return
    yield at, span[1]


def _beside(one: Sequence[Area], other: Sequence[Area]) -> float:
    """How much of the shorter of two columns stands beside the other, as a share."""
    top = max(min(a.top for a in one), min(a.top for a in other))
    bottom = min(max(a.bottom for a in one), max(a.bottom for a in other))
    return (bottom - top) / max(1.0, min(_length(one), _length(other)))


def _width(column: Sequence[Area]) -> float:
    return max(a.right for a in column) - min(a.left for a in column)


def _length(column: Sequence[Area]) -> float:
    return max(a.bottom for a in column) - min(a.top for a in column)
