"""One law in two editions, word beside word: where they differ, and what neither has of the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

from variorum.change.sides import Side
from variorum.model import Collation
from variorum.tokens import figure

# Agreeing words between two differences, up to which they are one difference: chance meetings of "the" and "of".
BRIDGE = 3
FEW = 3  # words of one side that stand for the first words of the other up to its mark
# In laws of more words than this a word met again elsewhere says little; there it must come with a neighbour.
LONG = 70
# Share of words of two laws that agree, from which one is the other revised: what is put in then is meant. A law with
# sentences added has fewer, but agrees in stretches of many words.
REVISED = 0.6
STRETCH = 5
IN_STRETCHES = 0.2
LIKE = 82.0  # likeness of letters, in per cent, from which two words side by side are taken for one word

Run = tuple[int, int, int, int]  # a difference: words [start, end) of either side


class Pair:
    """Two witnesses of a law, word beside word."""

    def __init__(self, a: Side, b: Side, collation: Collation) -> None:
        self.a, self.b = a, b
        self.beside: dict[int, int] = {}  # word of a -> the same word of b
        self.runs = [part for run in _runs(collation, a, b, self.beside) for part in _at_marks(a, b, run)]
        self.agreement = self._agreement()

    @cached_property
    def revised(self) -> bool:
        """True where one law is the other revised, and not written anew: they agree mostly, or in long stretches."""
        stretch = longest = total = 0
        last = (-2, -2)
        for i, j in [*self.beside.items(), (-1, -1)]:
            if (i, j) == (last[0] + 1, last[1] + 1):
                stretch += 1
            else:
                longest, total = max(longest, stretch), total + (stretch if stretch >= STRETCH else 0)
                stretch = 1
            last = (i, j)
        short = min(len(self.a.words), len(self.b.words))
        return self.agreement >= REVISED or (longest >= 2 * STRETCH and total >= IN_STRETCHES * short)

    def around(self, run: Run) -> float:
        """Share of the words outside a difference, in the sentences in which it stands, that agree."""
        i, i_end, _, _ = run
        first, last = max(0, min(i, len(self.a.words) - 1)), max(0, min(i_end, len(self.a.words)) - 1)
        sentences = {self.a.sentence[k] for k in (first, last)}
        outside = [k for k, n in enumerate(self.a.sentence) if n in sentences and not i <= k < i_end]
        return sum(k in self.beside for k in outside) / len(outside) if len(outside) > 2 else 0.0

    def _agreement(self) -> float:
        """Share of the words of the shorter side that stand beside the same word of the other."""
        a, b = len(self.a.words), len(self.b.words)
        apart = sum(i_end - i for i, i_end, _, _ in self.runs), sum(j_end - j for *_, j, j_end in self.runs)
        return 1 - min(apart[0] / max(1, a), apart[1] / max(1, b))

    @cached_property
    def wide(self) -> list[Run]:
        """The differences, those run together that only chance meetings of small words part."""
        joined: list[Run] = []
        for run in self.runs:
            if joined and self._bridged(joined[-1], run):
                joined[-1] = (joined[-1][0], run[1], joined[-1][2], run[3])
            else:
                joined.append(run)
        return joined

    def _bridged(self, one: Run, two: Run) -> bool:
        gap = two[0] - one[1]
        if gap == 0:
            return False  # cut on purpose
        size = min(max(r[1] - r[0], r[3] - r[2]) for r in (one, two))
        apart = self.a.sentence[one[1] - 1 : one[1]] != self.a.sentence[two[0] - 1 : two[0]]
        if gap > BRIDGE or gap >= max(2, size + 1) or apart:
            return False
        return sum(1 for k in range(one[1], two[0]) if self.a.keys[k]) <= (size > BRIDGE)

    @cached_property
    def left_over(self) -> tuple[frozenset[int], frozenset[int]]:
        """Words of either side that stand beside no like word, and that the other side has at no other place."""
        return self._left(self.a, self.b, 0), self._left(self.b, self.a, 2)

    def _left(self, side: Side, other: Side, at: int) -> frozenset[int]:
        near = max(len(side.words), len(other.words)) > LONG
        pool = Counter(other.keys[k] for r in self.runs for k in range(r[2 - at], r[3 - at]) if other.keys[k])
        pairs = {pair for r in self.runs for pair in _places(other, r[2 - at], r[3 - at])}
        left = []
        for run in self.runs:
            start, end = run[at], run[at + 1]
            here = Counter(other.keys[k] for k in range(run[2 - at], run[3 - at]) if other.keys[k])
            moved = {k for pair, ks in _places(side, start, end).items() if pair in pairs for k in ks}
            for k in range(start, end):
                key = side.keys[k]
                if not key:
                    continue
                if here[key] > 0:
                    here[key] -= 1
                    pool[key] -= 1
                elif pool[key] > 0 and (not near or k in moved):
                    pool[key] -= 1
                else:
                    left.append(k)
        return frozenset(left)

    def new(self, at: int) -> frozenset[int]:
        """Of the words left over on a side (0 or 2), those that the other has nowhere."""
        side, other = (self.a, self.b) if at == 0 else (self.b, self.a)
        return frozenset(k for k in self.left_over[at // 2] if side.keys[k] not in other.folded)

    def weight(self, at: int, start: int, end: int) -> tuple[float, int]:
        """How much words [start, end) of a side say that the other does not, and how many of them it has nowhere."""
        side, other = (self.a, self.b) if at == 0 else (self.b, self.a)
        left = [k for k in range(start, end) if k in self.left_over[at // 2]]
        strong = sum(side.keys[k] not in other.folded for k in left)
        return strong + 0.5 * (len(left) - strong), strong


def _places(side: Side, start: int, end: int) -> dict[tuple[str, str], list[int]]:
    """Pairs of neighbouring naming words, with their places."""
    named = [k for k in range(start, end) if side.keys[k]]
    found: dict[tuple[str, str], list[int]] = {}
    for one, two in pairwise(named):
        found.setdefault((side.keys[one], side.keys[two]), []).extend((one, two))
    return found


def _runs(collation: Collation, a: Side, b: Side, beside: dict[int, int]) -> Iterator[Run]:
    """Stretches of words where two witnesses differ; words that agree are put down in `beside`."""
    words_a, words_b = frozenset(a.at), frozenset(b.at)
    k_a = k_b = i = j = start_i = start_j = 0
    open_ = False
    for row in collation.rows:
        left, right = row[a.siglum], row[b.siglum]
        k_a, k_b = k_a + (left is not None), k_b + (right is not None)
        is_a, is_b = left is not None and k_a - 1 in words_a, right is not None and k_b - 1 in words_b
        if not is_a and not is_b:
            continue
        same = is_a and is_b and _same(a, i, b, j)
        if same:
            beside[i] = j
        if same and open_:
            yield start_i, i, start_j, j
            open_ = False
        elif not same and not open_:
            start_i, start_j, open_ = i, j, True
        i, j = i + is_a, j + is_b
    if open_:
        yield start_i, i, start_j, j


def _at_marks(a: Side, b: Side, run: Run) -> Iterator[Run]:
    """A difference of few words against many, cut at the first mark: "than four" and "than ten, and the tee laid"."""
    i, i_end, j, j_end = run
    for side, start, end, other in ((b, j, j_end, i_end - i), (a, i, i_end, j_end - j)):
        cut = next((k for k in range(start + 1, min(end, start + FEW + 1)) if side.marked(k)), 0)
        if 0 < other <= FEW < end - start and cut:
            yield (i, i_end, j, cut) if side is b else (i, cut, j, j_end)
            yield (i_end, i_end, cut, j_end) if side is b else (cut, i_end, j_end, j_end)
            return
    yield run


def _same(a: Side, i: int, b: Side, j: int) -> bool:
    """Whether two words say the same: one stem, one figure, one concept in one word, or two spellings."""
    if a.stems[i] == b.stems[j] or (a.keys[i] and a.keys[i] == b.keys[j]):
        return True
    one, two = figure(a.words[i]), figure(b.words[j])
    if one or two:
        return one == two
    from rapidfuzz import fuzz

    return min(len(a.words[i]), len(b.words[j])) > 4 and fuzz.ratio(a.words[i], b.words[j]) >= LIKE
