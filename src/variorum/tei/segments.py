"""A collation as a line of segments: text common to all and places of difference, with the spaces between them.

A file can hold one space or none between two neighbours, and a reading neither begins nor ends with one. Where
witnesses are spaced differently ("deal ;" beside "deal;"), the place of difference therefore takes in the words about
the space; so each witness is read back spaced as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from variorum.model import Collation, State, Token, Unit

# Where the units of one place see different reasons for the lack of words, the weightiest holds.
_LACKS = (State.ABSENT, State.LACUNA, State.OMISSION)


@dataclass(slots=True)
class Segment:
    """Rows [first, last) of a collation: text common to all, or a place of difference.

    `units` are the variation units that lie there; a place of difference outside every unit has none, because it is
    text that some witness lacks whole, or (`spacing`) because the witnesses differ in a space only.
    """

    first: int
    last: int
    units: tuple[Unit, ...] = ()
    differs: bool = True
    spacing: bool = False


@dataclass(frozen=True, slots=True)
class Crossing:
    """A witness goes from one token to its next over boundaries [first, last) between segments, spaced or not."""

    first: int
    last: int
    spaced: bool


class Line:
    """A locus as segments; `spaces` says of each whether a space stands after it."""

    def __init__(self, collation: Collation, witnesses: Sequence[str]) -> None:
        self.collation = collation
        self.witnesses = tuple(witnesses)
        self._present = {s for row in collation.rows for s, token in row.items() if token}
        self.segments = _segments(collation, self.witnesses)
        self._settle()

    def tokens(self, segment: Segment, siglum: str) -> list[Token]:
        """A witness's tokens in a segment; none where the collation does not know the witness."""
        return [t for row in self.collation.rows[segment.first : segment.last] if (t := row.get(siglum))]

    def text(self, segment: Segment, siglum: str) -> str:
        """A witness's words in a segment, spaced as it spaces them."""
        return "".join(t.surface + " " * bool(t.space) for t in self.tokens(segment, siglum)).rstrip(" ")

    def state(self, segment: Segment, siglum: str) -> State:
        """What a witness has in a segment."""
        if self.tokens(segment, siglum):
            return State.TEXT
        told = {r.state for unit in segment.units for r in unit.readings if siglum in r.witnesses}
        fallback = State.OMISSION if siglum in self._present else State.ABSENT
        return next((state for state in _LACKS if state in told), fallback)

    def _settle(self) -> None:
        """Widens and joins places of difference until every witness's spaces come right.

        Each round makes the common text or the number of places smaller, so that there is an end.
        """
        while True:
            crossings = list(self._crossings())
            self.spaces = _spaces(crossings, len(self.segments))
            wrong = [c for c in crossings if any(self.spaces[c.first : c.last]) != c.spaced]
            if not wrong:
                return
            boundaries = {next(k for k in range(c.first, c.last) if self.spaces[k]) for c in wrong}
            for boundary in sorted(boundaries, reverse=True):
                self._take_in(boundary)
            self.segments = [s for s in self.segments if s.first < s.last]

    def _crossings(self) -> Iterator[Crossing]:
        for siglum in self.witnesses:
            since, spaced = -1, False
            for k, segment in enumerate(self.segments):
                tokens = self.tokens(segment, siglum)
                if tokens:
                    if since >= 0:
                        yield Crossing(since, k, spaced)
                    since, spaced = k, bool(tokens[-1].space)

    def _take_in(self, boundary: int) -> None:
        """Brings a space into a place of difference: the word before it, or the word after, or two places joined."""
        left, right = self.segments[boundary : boundary + 2]
        if not left.differs:
            left.last -= 1
            right.first -= 1
        elif not right.differs:
            right.first += 1
            left.last += 1
        else:
            left.units += right.units
            left.spacing = left.spacing and right.spacing
            left.last = right.last
            del self.segments[boundary + 1]


def _spaces(crossings: Sequence[Crossing], count: int) -> list[bool]:
    """Whether a space stands after each segment: where a witness needs one, so that no two words run together."""
    spaces = [False] * count
    closed = {c.first for c in crossings if not c.spaced and c.last - c.first == 1}
    for c in sorted(crossings, key=lambda c: c.last - c.first):
        if c.spaced and not any(spaces[c.first : c.last]):
            spaces[next((k for k in range(c.first, c.last) if k not in closed), c.first)] = True
    return spaces


def _segments(collation: Collation, witnesses: Sequence[str]) -> list[Segment]:
    done: list[Segment] = []
    at = 0
    for unit in sorted(collation.units, key=lambda u: (u.first, u.last)):
        if unit.first >= unit.last:
            continue
        if unit.first < at:  # two units on the same rows are one place
            done[-1].units += (unit,)
            done[-1].last = at = max(at, unit.last)
            continue
        done += _between(collation, witnesses, at, unit.first)
        done.append(Segment(unit.first, unit.last, (unit,)))
        at = unit.last
    done += _between(collation, witnesses, at, len(collation.rows))
    return done


def _between(collation: Collation, witnesses: Sequence[str], first: int, last: int) -> Iterator[Segment]:
    """Rows outside every unit as segments: common to all, lacking somewhere, or set with other spaces."""
    kinds = [_kind(collation.rows[row], witnesses) for row in range(first, last)]
    for row in range(first, last - 1):
        here = row - first
        if kinds[here] and kinds[here + 1] and _spaced_otherwise(collation.rows[row], witnesses):
            kinds[here] = kinds[here + 1] = "spacing"
    start = first
    for row in range(first + 1, last + 1):
        if row == last or kinds[row - first] != kinds[start - first]:
            kind = kinds[start - first]
            yield Segment(start, row, differs=kind != "common", spacing=kind == "spacing")
            start = row


def _kind(row: Mapping[str, Token | None], witnesses: Sequence[str]) -> str:
    surfaces = {token.surface if token else None for token in map(row.get, witnesses)}
    return "common" if len(surfaces) == 1 and None not in surfaces else ""


def _spaced_otherwise(row: Mapping[str, Token | None], witnesses: Sequence[str]) -> bool:
    return len({bool(token.space) for token in map(row.get, witnesses) if token}) > 1
