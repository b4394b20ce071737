"""Lines that an engine read across two columns, or from the text into the margin, found by the white between.

A corridor is a strip that no word crosses in any of some lines one below the other. Words are parted by chance at the
same place in a line or two, not in many. Where both sides are set as columns of prose, the lines are cut there, and
a finding says so; where they may as well be a table, nothing is cut, and a finding says that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from variorum.sources.sheets import Block, Line, Stand, Word, middle, union
from variorum.sources.upright import height_of

_GAP = 0.9  # line heights between two words of a line that may be a corridor; a wide space has half of it
_EDGE = 1.5  # line heights within which the lines of a column end, or begin, together
_TOGETHER = 0.6  # of the lines of a column set as prose do so
_LINES = 7  # lines at least that a corridor runs through; chance makes five where spaces were lost and added
_NOTES = 3  # lines at least that reach into a margin
_WORDS = 2.5  # words in a line of a column of prose, on average
_NARROW = 0.45  # of the wider side: what is narrower is a margin
_STARTS, _ENDS = 0.7, 0.5  # of the lines beside a margin begin and end together; the last of a paragraph ends before
_PAGE, _BODY = 0.4, 8  # of the lines of the page, and lines at least, that stand beside a margin
_SPARSE = 0.75  # of the lines beside a margin have a note at most; a table has something in each
_LETTERS = 0.6  # of the characters of notes and columns; numbers of pages, sums and leaders have fewer
_PITCH = 1.6  # line distances after which a new paragraph of a column begins
_TRIES, _CUTS = 4, 6  # corridors tried in turn, and cut, on one page


@dataclass(frozen=True, slots=True)
class _Row:
    """A line with a place: of which block and where in it, and its words but for stray marks, from left to right."""

    block: int
    line: int
    words: tuple[Word, ...]
    stand: Stand


@dataclass(frozen=True, slots=True)
class _Corridor:
    left: float
    right: float
    rows: tuple[_Row, ...]  # all lines that it runs by or through
    through: tuple[_Row, ...]  # those with words on both sides
    page: int  # how many lines the page has


def part(blocks: Sequence[Block]) -> tuple[list[Block], int, int]:
    """The blocks with lines read across cut in two; how many lines were cut; how many look so and were not."""
    blocks, done, doubtful = list(blocks), 0, 0
    for _ in range(_CUTS):
        rows = list(_rows(blocks))
        line = height_of(w for row in rows for w in row.words)
        found = next(iter(_corridors(rows, line)), None) if line and len(rows) >= _NOTES else None
        if found is None:
            break
        corridor, sure = found
        if not sure:
            doubtful = len(corridor.through)
            break
        done += len(corridor.through)
        blocks = _cut(blocks, corridor)
    return blocks, done, doubtful


def _rows(blocks: Sequence[Block]) -> Iterator[_Row]:
    for b, block in enumerate(blocks):
        for n, line in enumerate(block.lines):
            words = tuple(w for w in line.words if w.stands and any(map(str.isalnum, w.text)))
            if words and all(w.stands for w in line.words) and (stand := union(w.stands for w in words)):
                yield _Row(b, n, words, stand)


def _stand(word: Word) -> Stand:
    return word.stands or (0.0, 0.0, 0.0, 0.0)


def _corridors(rows: Sequence[_Row], line: float) -> Iterator[tuple[_Corridor, bool]]:
    """Corridors worth a word, those that are sure first."""
    doubtful = None
    for at in _places(rows, line):
        for corridor in _runs(rows, at, line):
            sure = _is_columns(corridor, line) or _is_margin(corridor, line)
            if sure:
                yield corridor, True
            elif doubtful is None and _may_be_columns(corridor):
                doubtful = corridor
    if doubtful:
        yield doubtful, False


def _places(rows: Sequence[_Row], line: float) -> list[float]:
    """Places across the page at which the most lines have a gap, the best first."""
    gaps = []
    for row in rows:
        for one, next_ in pairwise(row.words):
            left, right = _stand(one)[2], _stand(next_)[0]
            if right - left >= _GAP * line:
                gaps.append((left, right))
    found: list[float] = []
    for _ in range(_TRIES):
        edges = sorted([(left, -1) for left, _ in gaps] + [(right, 1) for _, right in gaps])
        depth, best, at = 0, _NOTES - 1, None
        for (edge, side), (following, _) in pairwise(edges):
            depth -= side
            if depth > best and following > edge:
                best, at = depth, (edge + following) / 2
        if at is None:
            break
        found.append(at)
        gaps = [(left, right) for left, right in gaps if not left < at < right]
    return found


def _runs(rows: Sequence[_Row], at: float, line: float) -> Iterator[_Corridor]:
    """The longest stretches of lines one below the other that leave a corridor free around a place."""
    run: list[_Row] = []
    for row in sorted(rows, key=lambda r: (r.stand[1] + r.stand[3], r.stand[0])):
        if any(_stand(w)[0] < at < _stand(w)[2] for w in row.words):
            yield from _corridor(run, at, line, len(rows))
            run = []
        else:
            run.append(row)
    yield from _corridor(run, at, line, len(rows))


def _corridor(run: Sequence[_Row], at: float, line: float, page: int) -> Iterator[_Corridor]:
    through = tuple(r for r in run if r.stand[0] < at < r.stand[2])
    if len(through) < _NOTES:
        return
    left = max(_stand(w)[2] for r in through for w in r.words if _stand(w)[2] <= at)
    right = min(_stand(w)[0] for r in through for w in r.words if _stand(w)[0] >= at)
    if right - left >= _GAP * line / 2:
        yield _Corridor(left, right, tuple(run), through, page)


def _sides(corridor: _Corridor) -> tuple[list[list[Word]], list[list[Word]]]:
    """What each line has on the left and on the right of a corridor, where it has something there."""
    middle_ = (corridor.left + corridor.right) / 2
    lefts = [[w for w in r.words if _stand(w)[0] < middle_] for r in corridor.rows]
    rights = [[w for w in r.words if _stand(w)[0] >= middle_] for r in corridor.rows]
    return list(filter(None, lefts)), list(filter(None, rights))


def _is_columns(corridor: _Corridor, line: float) -> bool:
    """Two columns of about one width, of several words in each line, the left one ending at the corridor."""
    lefts, rights = _sides(corridor)
    if corridor.right - corridor.left < _GAP * line or not _may_be_columns(corridor):
        return False
    ends = sum(_stand(words[-1])[2] >= corridor.left - _EDGE * line for words in lefts)
    last = max(_stand(words[-1])[2] for words in rights)
    far_ends = sum(_stand(words[-1])[2] >= last - _EDGE * line for words in rights)
    starts = sum(_stand(words[0])[0] <= corridor.right + _EDGE * line for words in rights)
    return ends >= _TOGETHER * len(lefts) and starts >= _TOGETHER * len(rights) and far_ends >= _TOGETHER * len(rights)


def _may_be_columns(corridor: _Corridor) -> bool:
    lefts, rights = _sides(corridor)
    widths = sorted((_width(lefts), _width(rights)))
    return (
        len(corridor.through) >= _LINES
        and widths[0] >= _NARROW * widths[1]
        and all(_words(side) >= _WORDS and _letters(side) >= _LETTERS for side in (lefts, rights))
    )


def _is_margin(corridor: _Corridor, line: float) -> bool:
    """A column of prose and, in some of its lines, a few words outside of it."""
    lefts, rights = _sides(corridor)
    body, notes = (lefts, rights) if _width(lefts) >= _width(rights) else (rights, lefts)
    if _width(notes) >= _NARROW * _width(body) or _letters(notes) < _LETTERS or _words(body) < 2 * _WORDS:
        return False
    if len(corridor.rows) < _PAGE * corridor.page or len(corridor.rows) < _BODY:
        return False
    if len(notes) > _SPARSE * len(body) or sum(map(_is_count, notes)) > len(notes) / 3:
        return False
    right = max(_stand(words[-1])[2] for words in body)
    left = min(_stand(words[0])[0] for words in body)
    ends = sum(_stand(words[-1])[2] >= right - _EDGE * line for words in body)
    starts = sum(_stand(words[0])[0] <= left + _EDGE * line for words in body)
    return ends >= _ENDS * len(body) and starts >= _STARTS * len(body)


def _is_count(words: Sequence[Word]) -> bool:
    """True for what has a figure in it, or but a letter or two: a law's number rather than a note on it."""
    text = "".join(w.text for w in words)
    return any(c.isdigit() for c in text) or sum(c.isalpha() for c in text) < 3


def _width(side: Sequence[Sequence[Word]]) -> float:
    return max(_stand(words[-1])[2] for words in side) - min(_stand(words[0])[0] for words in side)


def _words(side: Sequence[Sequence[Word]]) -> float:
    return sum(map(len, side)) / len(side)


def _letters(side: Sequence[Sequence[Word]]) -> float:
    text = "".join(w.text for words in side for w in words)
    return sum(c.isalpha() for c in text) / max(1, len(text))


def _cut(blocks: Sequence[Block], corridor: _Corridor) -> list[Block]:
    """The blocks, those with lines in the corridor parted into what is before, left, right and after."""
    at = (corridor.left + corridor.right) / 2
    near = {(r.block, r.line) for r in corridor.rows}
    done: list[Block] = []
    for b, block in enumerate(blocks):
        halves = [_halves(line, at) for n, line in enumerate(block.lines) if (b, n) in near]
        if not (any(left for left, _ in halves) and any(right for _, right in halves)):
            done.append(block)
            continue
        before: list[Line] = []
        sides: tuple[list[Line], list[Line]] = ([], [])
        for n, line in enumerate(block.lines):
            if (b, n) in near:
                for side, words in zip(sides, _halves(line, at), strict=True):
                    if words:
                        side.append(Line(words, None, union(w.stands for w in words)))
                continue
            if any(sides):
                done += _pieces(block, before, sides)
                before, sides = [], ([], [])
            before.append(line)
        done += _pieces(block, before, sides)
    return done


def _halves(line: Line, at: float) -> tuple[list[Word], list[Word]]:
    return [w for w in line.words if _stand(w)[0] < at], [w for w in line.words if _stand(w)[0] >= at]


def _pieces(block: Block, before: list[Line], sides: tuple[list[Line], list[Line]]) -> Iterator[Block]:
    if before:
        yield replace(block, lines=before)
    for side in sides:
        for paragraph in _paragraphs(side):
            yield replace(block, lines=paragraph)


def _paragraphs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines of a column parted where one stands much further below than others do."""
    feet = [line.stands[3] if line.stands else 0.0 for line in lines]
    pitch = middle([below - above for above, below in pairwise(feet)])
    start = 0
    for k, (above, below) in enumerate(pairwise(feet), 1):
        if below - above > _PITCH * pitch:
            yield list(lines[start:k])
            start = k
    if lines:
        yield list(lines[start:])
