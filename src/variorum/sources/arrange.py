"""The blocks of a page in the order in which a reader takes them, and what was doubtful about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from variorum.sources.across import part
from variorum.sources.order import Area, by_position
from variorum.sources.sheets import Block, Line, Sheet, middle
from variorum.sources.standoff import put_back
from variorum.sources.upright import aslant, frame_of, height_of, upright

Doubt = tuple[str, str]  # code and message of a finding

_MOST = 2000  # lines on one page: what has more is no page of a book, and stays as it is
_TURNED = "the page lies on its side or on its head: it is read as its lines run"
_STATED = "the order that the file states runs up the page: it is read by position"
_UPWARDS = 0.5  # of the steps of a stated order that go up within a column: it is then no order of reading


def arrange(sheet: Sheet) -> tuple[list[Block], list[Doubt]]:
    """The blocks of a sheet in reading order, and what an editor should know about that order.

    An order that the file states is kept, unless it runs up the page; blocks without a place stay behind the one that
    they follow.
    """
    blocks = [b for b in sheet.blocks if any(line.words for line in b.lines)]
    if sum(len(b.lines) for b in blocks) > _MOST or not any(
        line.box or _placed(line) for b in blocks for line in b.lines
    ):
        return blocks, []
    frame = frame_of(blocks)
    doubts: list[Doubt] = [("page-turned", _TURNED)] if frame.turned else []
    blocks = [upright(block, frame) for block in blocks]
    ordered = sheet.ordered and not _runs_up(blocks)
    if sheet.ordered and not ordered:
        doubts.append(("reading-order", _STATED))
    askew = [not ordered and aslant(b, frame) for b in blocks]
    aside = [b for b, is_askew in zip(blocks, askew, strict=True) if is_askew]
    blocks, cut, doubtful = part([b for b, is_askew in zip(blocks, askew, strict=True) if not is_askew])
    doubts += _told(cut, doubtful)
    if ordered:
        return blocks, doubts
    line = height_of(w for b in blocks for one in b.lines for w in one.words)
    blocks = put_back(blocks, line)
    done: list[Block] = []
    for zone in sorted({b.zone for b in blocks}):
        done += _in_order([b for b in blocks if b.zone == zone])
    if notes := sum(b.beside for b in done):
        doubts.append(
            ("marginal-notes", f"what stands in the margin is put after the text of the page: {notes} blocks")
        )
    return done + aside, doubts


def _placed(line: Line) -> bool:
    return any(w.box for w in line.words)


def _told(cut: int, doubtful: int) -> Iterator[Doubt]:
    if cut:
        yield "columns-parted", f"{cut} lines were read across two columns or into the margin, and are cut in two there"
    if doubtful:
        what = f"{doubtful} lines may have been read across two columns, or be a table: they stay as they were read"
        yield "columns-doubtful", what


def _runs_up(blocks: Sequence[Block]) -> bool:
    """True where, of the steps from block to block within a column, most go up the page."""
    stands = [s for b in blocks if (s := b.stands)]
    steps = [
        below[3] <= above[1]
        for above, below in pairwise(stands)
        if min(above[2], below[2]) - max(above[0], below[0]) > min(above[2] - above[0], below[2] - below[0]) / 2
    ]
    return len(steps) > 1 and sum(steps) > _UPWARDS * len(steps)


def _in_order(blocks: Sequence[Block]) -> list[Block]:
    """The blocks by position, each with those behind it that have no place; what stands in a margin is marked."""
    led: list[list[Block]] = []
    areas: list[Area] = []
    for block in blocks:
        stands = block.stands
        if stands or not led:
            areas.append(Area(len(led), *(stands or (0.0, 0.0, 0.0, 0.0)), height(block)))
            led.append([])
        led[-1].append(block)
    order, notes = by_position(areas)
    marginal = set(notes)
    return [replace(block, beside=k in marginal) for k in order for block in led[k]]


def height(block: Block) -> float:
    """How high a line of a block is: its words, or the line itself where those have no place."""
    own = [line.stands[3] - line.stands[1] for line in block.lines if line.stands]
    return height_of((w for line in block.lines for w in line.words), middle(own))
