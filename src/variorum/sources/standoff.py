"""Numbers hung out into the margin and large first letters, put back at the head of the line that they belong to.

Engines find them as blocks of their own, and a column of numbers would else be read before, or after, its laws.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from variorum.sources.sheets import Block, Line, Stand, union

_HUNG = re.compile(r"[(\[]?(?:\d{1,3}|[ivxlcIVXLC]{1,7}|[A-Za-z]|[A-Z][a-z]?)[)\].:,]{0,2}")
_NEAR = 4.0  # line heights between what is hung out and its line
_FACING = 0.5  # of the lower of the two heights that must stand side by side


def put_back(blocks: Sequence[Block], line: float) -> list[Block]:
    """The blocks, with those that hold nothing but numbers or letters hung out taken into the lines beside them."""
    hung = [k for k, block in enumerate(blocks) if _is_hung(block)]
    kept = {k: list(block.lines) for k, block in enumerate(blocks) if k not in hung}
    for k in hung:
        left = [one for one in blocks[k].lines if not _put(one, kept, line)]
        if left:
            kept[k] = left
    return [replace(blocks[k], lines=kept[k]) for k in sorted(kept)]


def _is_hung(block: Block) -> bool:
    return bool(block.lines) and all(
        len(line.words) == 1 and line.stands and _HUNG.fullmatch(line.words[0].text) for line in block.lines
    )


def _put(hung: Line, kept: dict[int, list[Line]], line: float) -> bool:
    """Put a hung line at the head of the first line beside it. False where there is none."""
    best: tuple[float, int, int] | None = None
    for k, lines in kept.items():
        for n, one in enumerate(lines):
            if one.stands and hung.stands and one.words and _beside(hung.stands, one.stands, line):
                best = min(best or (one.stands[1], k, n), (one.stands[1], k, n))
    if best is None:
        return False
    _, k, n = best
    one = kept[k][n]
    kept[k][n] = Line([*hung.words, *one.words], one.box, union([hung.stands, one.stands]))
    return True


def _beside(hung: Stand, one: Stand, line: float) -> bool:
    gap = one[0] - hung[2]
    facing = min(hung[3], one[3]) - max(hung[1], one[1])
    return -line <= gap <= _NEAR * line and facing >= _FACING * min(hung[3] - hung[1], one[3] - one[1])
