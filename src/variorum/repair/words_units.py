"""Cuts a text into units: a word with the points round it, as the decoder of `words` reads it."""

from __future__ import annotations

import re
from dataclasses import dataclass

# No two hyphens in a row and no dash inside a unit. Each character can be read in one way only, so this is linear.
# A hyphen behind a point is a dash ("Curtis.-He").
_UNIT = re.compile(r"[^\s—–-]+(?:(?<![.,;:!?])-[^\s—–-]+)*")
POINTS = ".,;:!?\"'“”‘’«»()[]{}*†‡§¶…"
STOPS = frozenset(".;:!?…")
LONGEST = 40  # characters: a longer run is no word, whatever it is


@dataclass(frozen=True, slots=True)
class Unit:
    """A word at [start, end) of the text, without the points before (`lead`) and after it (`trail`).

    `stop`: a stop, a blank line or the text's start stands between this word and the one before. `gap` is what stands
    between the last unit (points and all) and this one.
    """

    start: int
    end: int
    core: str
    lead: str
    trail: str
    gap: str
    stop: bool


def units(text: str) -> list[Unit]:
    """The units of a text in order; every character outside them is white space, a dash or points."""
    found: list[Unit] = []
    last, stop = 0, True
    for match in _UNIT.finditer(text):
        whole = match.group()
        body = whole.lstrip(POINTS)
        lead = whole[: len(whole) - len(body)]
        core = body.rstrip(POINTS)
        if body[len(core) :].startswith("«"):  # no quotation ends with the sign that opens one: an s, mostly
            core += "«"
        trail = body[len(core) :]
        if not core:
            stop = stop or not STOPS.isdisjoint(whole)
            continue
        gap = text[last : match.start()]
        stop = stop or "\n\n" in gap or not STOPS.isdisjoint(lead)
        start = match.start() + len(lead)
        found.append(Unit(start, start + len(core), core, lead, trail, gap, stop))
        last, stop = match.end(), not STOPS.isdisjoint(trail)
    return found
