"""A list in which every line has a label: then each line is a law, however odd its number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from variorum.segment import headings, numerals
from variorum.segment.numerals import WHOLE, Numeral
from variorum.segment.outline import CHAPTER, Count, Item
from variorum.segment.sequence import LOST, YEARS, Candidate, Chosen
from variorum.segment.styles import STYLES

FEWEST = 4  # lines that make a list
NUMBERED = 0.6  # the share of lines whose label can be read as a number

_LABEL = re.compile(r"(?P<num>[^\s.]{1,40}+)(?P<stop>[.:)]|(?=\s[A-Z]))\s+(?=\S)")
_ENDED = re.compile(r"[.!?;:][”\"’')\]]?$")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_PLAIN = next(style for style in STYLES if style.name == "arabic")


def listed(text: str, lo: int, hi: int, counts: list[Count]) -> list[Count]:
    """The counts found, or, where every line of a short text has a label of its own, one count of all lines.

    Numbers that stand twice, go back or are past reading are kept as they stand; what they should be is for the reader.
    """
    if hi - lo >= CHAPTER:
        return counts
    lines = list(headings.lines(text, lo, hi))
    labels = [match for start, end in lines if (match := _LABEL.match(text, start, end))]
    found = sum(len(c.items) + sum(map(len, c.nested)) for c in counts)
    if len(lines) < FEWEST or len(labels) < len(lines) or found >= len(lines):
        return counts
    if not all(_ENDED.search(text, start, end) for start, end in lines):
        return counts
    readings = [_reading(match["num"]) for match in labels]
    if any(r is None and not match["stop"] for r, match in zip(readings, labels, strict=True)):
        return counts
    if sum(r is not None and r.value < YEARS * WHOLE for r in readings) < NUMBERED * len(labels):
        return counts
    items = tuple(_items(labels, readings))
    return [Count("arabic", _PLAIN, items, ((),) * len(items))]


def _reading(token: str) -> Numeral | None:
    plain = token.translate(_SUPERSCRIPTS)
    if plain.isascii() and plain.isdigit() and len(plain) > 3:
        return Numeral(int(plain) * WHOLE, 1.0)
    doubt = 0.0 if plain == token else 1.0
    romans = list(numerals.romans(plain))
    found = [n for n in romans if not n.doubt] or [*numerals.figures(plain)] or romans
    return Numeral(found[0].value, found[0].doubt + doubt) if found else None


def _items(labels: Sequence[re.Match[str]], readings: Sequence[Numeral | None]) -> Iterator[Item]:
    last = 0
    for match, reading in zip(labels, readings, strict=True):
        end = match.end("stop")
        candidate = Candidate(match.start(), end, match.start("num"), match.end("num"), (), 0.0, paragraph=True)
        if reading is None:
            chosen = Chosen(candidate, (last // WHOLE + 1) * WHOLE, LOST, 0.0, inferred=True)
        else:
            chosen = Chosen(candidate, reading.value, reading.doubt, 0.0)
        last = chosen.value
        yield Item(chosen, match.start(), end)
