"""How like two laws are: cosines of character 3- to 5-grams, for the pairs of laws that may be alike at all.

Of long codes not every law is compared with every other: candidates are found by the rare words and pairs of words that
two laws share, so that time and memory grow with the laws and not with their square.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from variorum.model import Law
from variorum.thesaurus import SMALL, stem, thesaurus
from variorum.tokens import figure, is_word, tokenise

OPENING = 6  # words at a law's head that may name its matter as a heading does
HEADING = 0.8  # what a heading counts beside the text: it names the matter, but one heading may stand over many laws
GAIN = 0.05  # least share of the other law's words that a part covers and the law already linked does not
# Up to so many pairs of two witnesses all are compared; beyond it, each law with its CANDIDATES and with those that
# stand BESIDE its own place.
ALL_PAIRS = 40_000
CANDIDATES, BESIDE = 24, 2
COMMON = 100  # laws of a witness above which a word or pair of words finds no candidates
BLOCK = 4096  # pairs compared at a time


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One law with what it is compared by."""

    siglum: str
    place: int
    law: Law
    words: tuple[str, ...]
    concepts: tuple[str, ...]  # words folded by the thesaurus
    heading: tuple[str, ...]
    content: frozenset[str]

    @property
    def named(self) -> tuple[str, str]:
        """The law as a ruling names it."""
        return self.siglum, self.law.id

    @property
    def name(self) -> str:
        """The law as evidence names it."""
        return f"{self.siglum} {self.law.id}"


def entry(siglum: str, place: int, law: Law) -> Entry:
    """A law made ready to be compared."""
    words = tuple(t.normal for t in tokenise(law.whole) if is_word(t))
    title = tuple(t.normal for t in tokenise(law.section) if is_word(t))
    folded = thesaurus().folded(words)
    content = frozenset([*folded, *(figure(w) or stem(w) for w in words)]) - SMALL
    heading = (*thesaurus().folded(title), *folded[:OPENING])
    return Entry(siglum, place, law, words, tuple(folded), heading, content)


class Table(NamedTuple):
    """Pairs of laws of two witnesses that may be one, by row and column, with the likeness of texts, and of texts and
    headings together."""

    height: int
    width: int
    rows: Any
    columns: Any
    text: Any
    both: Any


class Likeness:
    """Likeness of any two laws, and what they share."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        self._number = {(e.siglum, e.place): k for k, e in enumerate(entries)}
        self._seen = Counter(word for e in entries for word in set(e.words))

    @cached_property
    def _text(self) -> Any:
        return _vectors([e.concepts for e in self._entries])

    @cached_property
    def _heading(self) -> Any:
        return _vectors([e.heading for e in self._entries])

    @cached_property
    def _keys(self) -> Any:
        return _keys(self._entries)

    def table(self, left: Sequence[Entry], right: Sequence[Entry]) -> Table:
        """The candidates of two witnesses with their likeness."""
        import numpy as np

        numbers = [np.array([self._number[e.siglum, e.place] for e in side]) for side in (left, right)]
        if len(left) * len(right) <= ALL_PAIRS:
            rows, columns = (x.ravel() for x in np.indices((len(left), len(right))))
        else:
            rows, columns = _candidates(self._keys[numbers[0]], self._keys[numbers[1]])
        text = _cosines(self._text, numbers[0][rows], numbers[1][columns])
        headed = [np.array([bool(e.law.section) for e in side]) for side in (left, right)]
        both = text
        if headed[0].any() and headed[1].any():
            heading = _cosines(self._heading, numbers[0][rows], numbers[1][columns])
            both = text + HEADING * heading * (headed[0][rows] & headed[1][columns])
        return Table(len(left), len(right), rows, columns, text, both)

    def of(self, a: Entry, b: Entry) -> float:
        """The likeness of the texts of two laws."""
        rows = [[self._number[e.siglum, e.place]] for e in (a, b)]
        return float(_cosines(self._text, *rows)[0])

    def part(self, part: Entry, law: Entry, partner: Entry) -> float:
        """The share of a law's words that another law has and its partner has not; 0 where that is next to none."""
        whole, own = Counter(law.concepts), Counter(part.concepts)
        new = whole - Counter(partner.concepts)
        if self._weight(new & own) < GAIN * self._weight(whole):
            return 0.0
        return self._weight(own & new) / max(self._weight(own), 1e-9)

    def _weight(self, words: Counter[str]) -> float:
        return math.fsum(self._rarity[w] * n for w, n in words.items())

    @cached_property
    def _rarity(self) -> dict[str, float]:
        seen = Counter(word for e in self._entries for word in set(e.concepts))
        return {word: math.log((1 + len(self._entries)) / (1 + n)) for word, n in seen.items()}

    def shared(self, a: Entry, b: Entry) -> list[str]:
        """The rarest words of one law that the other has too; none that any sentence may have."""
        common = {w for w in a.words if len(w) > 3 and not {w, stem(w)} & SMALL} & set(b.words)
        return sorted(common, key=lambda w: (self._seen[w], -len(w), w))[:4]


def _grams(word: str) -> list[str]:
    padded = f" {word} "
    return [padded[k : k + n] for n in (3, 4, 5) for k in range(max(1, len(padded) - n + 1))]


def _vectors(texts: Sequence[Sequence[str]]) -> Any:
    """Rows of unit length: 1 + log count, times the rarity of the gram among all laws."""
    import numpy as np

    number: dict[str, int] = {}
    grams: dict[str, Any] = {}
    for word in sorted({word for text in texts for word in text}):
        grams[word] = np.array([number.setdefault(g, len(number)) for g in _grams(word)], dtype=np.int32)
    none = np.array([], dtype=np.int32)
    counted = [np.unique(np.concatenate([grams[w] for w in t] or [none]), return_counts=True) for t in texts]
    matrix = _matrix([g for g, _ in counted], [1 + np.log(n) for _, n in counted], len(number))
    rarity = np.log((1 + len(texts)) / (1 + np.bincount(matrix.indices, minlength=len(number)))) + 1
    return _scaled(matrix, rarity)


def _matrix(columns: Sequence[Any], values: Sequence[Any], width: int) -> Any:
    import numpy as np
    from scipy.sparse import csr_array

    ends = np.cumsum([0, *map(len, columns)])
    if not ends[-1]:
        return csr_array((len(columns), width))
    return csr_array((np.concatenate(values), np.concatenate(columns), ends), shape=(len(columns), width))


def _scaled(matrix: Any, weights: Any) -> Any:
    """The columns of a matrix weighted, its rows of unit length."""
    import numpy as np

    matrix.data = matrix.data * weights[matrix.indices]
    length = np.sqrt(matrix.multiply(matrix).sum(axis=1))
    matrix.data /= np.repeat(np.where(length > 0, length, 1.0), np.diff(matrix.indptr))
    return matrix


def _cosines(vectors: Any, rows: Any, columns: Any) -> Any:
    import numpy as np

    found = np.zeros(len(rows))
    for k in range(0, len(rows), BLOCK):
        left, right = vectors[rows[k : k + BLOCK]], vectors[columns[k : k + BLOCK]]
        found[k : k + BLOCK] = left.multiply(right).sum(axis=1)
    return np.round(found, 9)


# ---------------------------------------------------------------------------------------------------------- candidates


def _keys(entries: Sequence[Entry]) -> Any:
    """What finds a law: its words, its pairs of words, the words of its heading."""
    import numpy as np

    number: dict[tuple[str, ...], int] = {}

    def numbers(e: Entry) -> Any:
        keys = [*((w,) for w in e.concepts), *zip(e.concepts, e.concepts[1:], strict=False), e.concepts]
        keys += [("", w) for w in e.heading if e.law.section]
        return np.unique(np.array([number.setdefault(key, len(number)) for key in keys], dtype=np.int32))

    rows = [numbers(e) for e in entries]
    return _matrix(rows, [np.ones(len(row)) for row in rows], len(number))


def _candidates(left: Any, right: Any) -> tuple[Any, Any]:
    """Pairs of laws that share rare keys, or stand at the same place of their codes, by row and column."""
    import numpy as np

    counts = [np.bincount(side.indices, minlength=side.shape[1]) for side in (left, right)]
    kept = (counts[0] > 0) & (counts[1] > 0) & (counts[0] <= COMMON) & (counts[1] <= COMMON)
    rarity = np.log((left.shape[0] + right.shape[0]) / np.maximum(1, counts[0] + counts[1]))
    near, far = (_scaled(side[:, kept].copy(), rarity[kept]) for side in (left, right))
    height, width = left.shape[0], right.shape[0]
    found = [_best(near, far), _best(far, near)[:, ::-1], *_beside(height, width)]
    pairs = np.unique(np.concatenate([p[:, 0] * width + p[:, 1] for p in found]))
    return pairs // width, pairs % width


def _best(left: Any, right: Any) -> Any:
    """For each row of one side the rows of the other that share most with it."""
    import numpy as np

    pairs = []
    other = right.T.tocsc()
    for start in range(0, left.shape[0], 256):
        block = left[start : start + 256] @ other
        for k in range(block.shape[0]):
            here = slice(block.indptr[k], block.indptr[k + 1])
            columns, value = block.indices[here], np.round(block.data[here], 9)
            best = columns[np.lexsort((columns, -value))[:CANDIDATES]].astype(np.int64)
            pairs.append(np.column_stack([np.full(len(best), start + k), best]))
    return np.concatenate(pairs)


def _beside(height: int, width: int) -> Iterable[Any]:
    import numpy as np

    rows = np.arange(height)
    for step in range(-BESIDE, BESIDE + 1):
        columns = rows * width // height + step
        inside = (columns >= 0) & (columns < width)
        yield np.column_stack([rows, columns])[inside]
