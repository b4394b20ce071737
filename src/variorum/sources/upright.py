"""The direction in which a page is read, and every word's box turned into it.

A page may lie on its side, on its head, or a little aslant, and may be read from right to left: the words of its lines
say so, as each follows the one before, and its lines do, as each stands below the one before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import cos, hypot, pi

from variorum.sources.sheets import Block, Box, Line, Stand, Word, middle, union

_ASLANT = 30 * pi / 180  # a line that runs at more than this to the others is no part of the text
_STRAIGHT = 0.002  # radians: less than a pixel in a line, and not worth turning


@dataclass(frozen=True, slots=True)
class Frame:
    """A turn by an angle, and whether the page is then mirrored (read from right to left)."""

    x: float = 1.0  # the direction of the lines, as cosine and sine
    y: float = 0.0
    mirrored: bool = False

    @property
    def turned(self) -> bool:
        """True for a page on its side or on its head."""
        return not self.mirrored and self.x < cos(_ASLANT)

    def stand(self, box: Box) -> Stand:
        """A box turned about its middle: what is on its side changes its width for its height."""
        left, top, right, bottom = box
        across, down = (left + right) / 2, (top + bottom) / 2
        width, height = right - left, bottom - top
        if abs(self.y) > abs(self.x):
            width, height = height, width
        along, below = across * self.x + down * self.y, down * self.x - across * self.y
        if self.mirrored:
            below = -below
        return along - width / 2, below - height / 2, along + width / 2, below + height / 2


def frame_of(blocks: Iterable[Block]) -> Frame:
    """The direction in which most of a page is read."""
    blocks = list(blocks)
    vectors = [v for block in blocks for line in block.lines if (v := direction(line))]
    if not vectors:
        return Frame()
    across, down = _most(vectors)
    length = hypot(across, down)
    if not length or (across > 0 and abs(down) < _STRAIGHT * length):
        return Frame()
    frame = Frame(across / length, down / length)
    return replace(frame, mirrored=True) if _upwards(blocks, frame) else frame


def direction(line: Line) -> tuple[float, float] | None:
    """From the middle of a line's first word to that of its last."""
    boxes = [w.box for w in line.words if w.box]
    if len(boxes) < 2:
        return None
    (l0, t0, r0, b0), (l1, t1, r1, b1) = boxes[0], boxes[-1]
    return (l1 + r1 - l0 - r0) / 2, (t1 + b1 - t0 - b0) / 2


def _most(vectors: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The sum of the vectors on the side on which most of the length lies: right, left, down or up."""
    sides: dict[int, tuple[float, float]] = {}
    for across, down in vectors:
        side = (0 if across >= 0 else 1) if abs(across) >= abs(down) else (2 if down > 0 else 3)
        x, y = sides.get(side, (0.0, 0.0))
        sides[side] = (x + across, y + down)
    return max(sides.values(), key=lambda v: hypot(*v))


def _upwards(blocks: Iterable[Block], frame: Frame) -> bool:
    """True where, so turned, the lines of most blocks would go up the page."""
    down = 0
    for block in blocks:
        stands = [s for line in block.lines if (s := union(frame.stand(w.box) for w in line.words if w.box))]
        down += sum((below[1] > above[1]) - (below[1] < above[1]) for above, below in pairwise(stands))
    return down < 0


def upright(block: Block, frame: Frame) -> Block:
    """The block with the place of each word and line in the frame."""
    return replace(block, lines=[_line(line, frame) for line in block.lines])


def _line(line: Line, frame: Frame) -> Line:
    words = [replace(w, stands=frame.stand(w.box)) if w.box else w for w in line.words]
    own = frame.stand(line.box) if line.box else None
    return Line(words, line.box, union(w.stands for w in words) or own)


def aslant(block: Block, frame: Frame) -> bool:
    """True where most lines of a block run in another direction than the page."""
    along = askew = 0.0
    for line in block.lines:
        if vector := direction(line):
            length = hypot(*vector)
            cosine = vector[0] * frame.x + vector[1] * frame.y
            along += length
            askew += length if cosine < cos(_ASLANT) * length else 0.0
    return askew > along / 2


def height_of(words: Iterable[Word], default: float = 0.0) -> float:
    """The height of a line of some words."""
    return middle([w.stands[3] - w.stands[1] for w in words if w.stands], default)
