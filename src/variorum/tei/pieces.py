"""The raw text as pieces: corrections that are never divided, and the plain characters between them.

Structure (laws, clauses, labels, pages) is set by offsets that may fall inside a correction. A correction is first
divided there if the characters on one side of the offset are the same in what was found and what is read; where that
cannot be done, the border moves to the correction's nearer edge. No character is lost or read twice either way.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from variorum.model import Correction, CorrectionKind

# Corrections that take characters out of the page and leave the rest as it stood.
_TAKES_OUT = (CorrectionKind.BREAK, CorrectionKind.FURNITURE)


@dataclass(frozen=True, slots=True)
class Pieces:
    """Corrections in order, none of which a border of the structure divides."""

    corrections: tuple[Correction, ...]
    starts: tuple[int, ...]

    def border(self, at: int) -> int:
        """Where a border at this offset is set: there, or at the nearer edge of the correction it falls in."""
        k = bisect_left(self.starts, at) - 1
        if k < 0 or self.corrections[k].end <= at:
            return at
        c = self.corrections[k]
        return c.start if at - c.start <= c.end - at else c.end

    def within(self, start: int, end: int) -> tuple[Correction, ...]:
        """The corrections that lie in [start, end), both of which are borders."""
        return self.corrections[bisect_left(self.starts, start) : bisect_left(self.starts, end)]


def pieces(corrections: Iterable[Correction], borders: Iterable[int]) -> Pieces:
    """Corrections trimmed to what they change where that matters, and divided at borders where they can be."""
    wanted = sorted(set(borders))
    done: list[Correction] = []
    for c in corrections:
        trimmed = _trim(c) if c.kind in _TAKES_OUT else c
        inside = wanted[bisect_right(wanted, trimmed.start) : bisect_left(wanted, trimmed.end)]
        done += _divide(trimmed, inside)
    return Pieces(tuple(done), tuple(c.start for c in done))


def _same(c: Correction) -> tuple[int, int]:
    """How many characters at the beginning, and then at the end, are read as they were found."""
    prefix = _alike(c.found, c.reads)
    return prefix, _alike(c.found[prefix:][::-1], c.reads[prefix:][::-1])


def _alike(a: str, b: str) -> int:
    """How many characters two strings begin with in common."""
    shorter = min(len(a), len(b))
    return next((k for k in range(shorter) if a[k] != b[k]), shorter)


def _cut(c: Correction, prefix: int, suffix: int) -> Correction | None:
    """The correction without its first and last characters, or None if no character of the page were left to it."""
    if prefix + suffix >= len(c.found):
        return None
    return replace(
        c,
        start=c.start + prefix,
        end=c.end - suffix,
        found=c.found[prefix : len(c.found) - suffix],
        reads=c.reads[prefix : len(c.reads) - suffix],
    )


def _trim(c: Correction) -> Correction:
    """The characters taken out alone, where nothing is put in their place; else the correction as it came."""
    trimmed = _cut(c, *_same(c))
    return trimmed if trimmed and not trimmed.reads else c


def _divide(c: Correction, inside: list[int]) -> Iterator[Correction]:
    prefix, suffix = _same(c)
    left = max((at - c.start for at in inside if at - c.start <= prefix), default=0)
    right = max((c.end - at for at in inside if c.end - at <= suffix), default=0)
    # What puts characters in needs one of the page to hang on; then only one side can be cut.
    yield _cut(c, left, right) or _cut(c, left, 0) or c
