"""Page breaks that the file has lost, found again by the numbers of the pages.

    revoke must imme-            a page begins here:
                                     THE GAME OF WHIST. 15
    THE GAME OF WHIST. 15            diately declare it
    diately declare it

Lines that stand apart and bear a number are page numbers where they go up one by one through the text, a page's length
from each other, and sentences run on across them. Numbers of laws go up too, but no sentence runs on across them. The
lines themselves are dealt with by `edges`, as in a text whose page breaks were kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from variorum.repair.draft import Draft, Proposal
from variorum.repair.edges import Line, bare, edge_numbers, lines_of, stands_alone

# A heading or caption with its number.
_LABEL = re.compile(
    r"\[\s*[^\W\d]|^\s*\d+[.)]|\b(?:fig|figure|no|nos|case|diagram|plate)\.?\s+\d"
    r"|^\W*(?:illustration|example|exercise|problem|hand|game|table|series|chap|chapter|sec|sect|section|part|book|rule|law"
    r"|article|art|canto|letter|lesson|question|note)\.?\s+\d",
    re.IGNORECASE,
)
_SHORTEST_PAGE, _LONGEST_PAGE = 400, 8000  # characters between two page numbers
_YEARS = 1500  # numbers from here on are rather years
_SKIPPED = 2  # numbers of pages that may be missing between two that were read
_LEAST = 4  # page numbers that make a run
_LOOK_BACK = 40  # candidates looked back for the number before
_RUN_ON = 1 / 3  # share of a run's breaks across which a sentence runs on; a list of laws has none


_UNEVEN = 0.3  # pages of a book are nearly of one length, figures and chapters are not


@dataclass(frozen=True)
class _Number:
    """A line that may bear a page's number: its place among the lines, and the number."""

    place: int
    value: int


def pagebreaks(draft: Draft) -> Proposal:
    """The pages of a text that came without page breaks."""
    if len(draft.pages) != 1:
        return Proposal()
    rows = lines_of(draft.text, draft.pages[0])
    run = _run(rows, _numbers(rows))
    if len(run) < _LEAST or _share_run_on(rows, run) < _RUN_ON or _uneven(rows, run) > _UNEVEN:
        return Proposal()
    at_foot = sum(_head_follows(rows, n) for n in run) * 2 > len(run)
    starts = [rows[n.place].end + 1 if at_foot else rows[n.place].start for n in run]
    ends = [*starts, len(draft.text)]
    to_raw = draft.offsets.to_raw
    cuts = [draft.repair.pages[0].start, *(to_raw(start) for start in ends[:-1]), draft.repair.pages[0].end]
    pairs = [(a, b) for a, b in pairwise(cuts) if a < b]
    pages = tuple(replace(draft.repair.pages[0], n=n, start=a, end=b) for n, (a, b) in enumerate(pairs, 1))
    return Proposal(pages=pages)


def _numbers(rows: list[Line]) -> list[_Number]:
    """The lines that stand apart and are a number, alone or beside words in capitals."""
    return [
        _Number(place, folio.value)
        for place, row in enumerate(rows)
        if (row.blank_before or row.blank_after) and (stands_alone(row) or row.capitals) and not _LABEL.search(row.text)
        for folio in edge_numbers(row)
        if bare(row, folio) and folio.value < _YEARS
    ]


def _run(rows: list[Line], numbers: list[_Number]) -> list[_Number]:
    """The longest run of numbers that go up as those of pages do."""
    length: list[int] = []
    before: list[int] = []
    for k, number in enumerate(numbers):
        best, link = 1, -1
        for j in range(max(0, k - _LOOK_BACK), k):
            if length[j] >= best and _next_page(rows, numbers[j], number):
                best, link = length[j] + 1, j
        length.append(best)
        before.append(link)
    at = max(range(len(numbers)), key=length.__getitem__, default=-1)
    run = []
    while at >= 0:
        run.append(numbers[at])
        at = before[at]
    return run[::-1]


def _next_page(rows: list[Line], first: _Number, second: _Number) -> bool:
    step = second.value - first.value
    apart = rows[second.place].start - rows[first.place].start
    return 0 < step <= 1 + _SKIPPED and step * _SHORTEST_PAGE <= apart <= step * _LONGEST_PAGE


def _share_run_on(rows: list[Line], run: list[_Number]) -> float:
    """The share of a run's numbers across which a sentence runs on: unfinished before, in lower case after."""
    return sum(_unfinished(rows, n.place) and any(_begins_low(rows, n.place + k) for k in (1, 2)) for n in run) / len(
        run
    )


def _unfinished(rows: list[Line], place: int) -> bool:
    """Whether the text before a line, or before a running head above it, is cut off within a sentence."""
    ends = [rows[k].text.rstrip()[-1] for k in (place - 1, place - 2) if k >= 0]
    return any(c.isalnum() or c in "-¬,;" for c in ends)


def _begins_low(rows: list[Line], place: int) -> bool:
    return place < len(rows) and rows[place].text.lstrip("'‘’“\" ")[:1].islower()


def _uneven(rows: list[Line], run: list[_Number]) -> float:
    """How much the pages of a run differ in length: the median difference from the median, as a share of it."""
    from statistics import median

    sizes = [(rows[b.place].start - rows[a.place].start) / (b.value - a.value) for a, b in pairwise(run)]
    middle = median(sizes)
    return median(abs(size - middle) for size in sizes) / middle


def _head_follows(rows: list[Line], number: _Number) -> bool:
    """Whether a line of capitals comes after a number that stands alone, as at the foot of a page."""
    after = number.place + 1
    return stands_alone(rows[number.place]) and after < len(rows) and rows[after].capitals and rows[after].blank_after
