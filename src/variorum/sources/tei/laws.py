"""What both readers of TEI do with a page once its characters are known: trim spans, and read words off them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from variorum.model import Clause, Correction, CorrectionKind, Gap, Note

Span = tuple[int, int]


class PageText:
    """A raw text with its corrections, none of which any element of the file divides."""

    def __init__(self, raw: str, corrections: Sequence[Correction]) -> None:
        self.raw = raw
        self.corrections = tuple(corrections)
        self._starts = [c.start for c in self.corrections]
        furniture = [c for c in self.corrections if c.kind is CorrectionKind.FURNITURE and not c.reads]
        self._furniture_from = {c.start: c.end for c in furniture}
        self._furniture_to = {c.end: c.start for c in furniture}

    def read(self, spans: Iterable[Span]) -> str:
        """The corrected text of some spans, with a space between them."""
        return " ".join(self._read(*span) for span in spans)

    def _read(self, start: int, end: int) -> str:
        pieces, at = [], start
        for c in self.corrections[bisect_left(self._starts, start) : bisect_left(self._starts, end)]:
            pieces += [self.raw[at : c.start], c.reads]
            at = c.end
        return "".join([*pieces, self.raw[at:end]])

    def trim(self, start: int, end: int) -> Span:
        """A span without the white space and furniture at its ends; empty at its start if nothing else is in it."""
        low, high = start, end
        while low < high and (self.raw[low].isspace() or self._furniture_from.get(low, high + 1) <= high):
            low = self._furniture_from.get(low, low + 1)
        while high > low and (self.raw[high - 1].isspace() or self._furniture_to.get(high, -1) >= low):
            high = self._furniture_to.get(high, high - 1)
        return (low, high) if low < high else (start, start)


def without(span: Span, holes: Iterable[Span]) -> list[Span]:
    """A span with holes cut out of it."""
    out, at = [], span[0]
    for start, end in sorted(holes):
        if start > at:
            out.append((at, min(start, span[1])))
        at = max(at, end)
    if at < span[1]:
        out.append((at, span[1]))
    return out


def spans_of(parts: Iterable[Clause | Note | Gap]) -> list[Span]:
    """Where some parts of a law stand."""
    return [(part.start, part.end) for part in parts]
