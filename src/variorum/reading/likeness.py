"""How like the witnesses are to one another, law by law and in all, and the tree that follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from variorum.model import Collated, Work
from variorum.tokens import is_word

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Shared:
    """Words that two witnesses have in the same place and alike as compared, and the words of both taken together."""

    same: int = 0
    words: int = 0

    @property
    def share(self) -> float:
        """From 0, nothing in common, to 1 (Dice's coefficient); two texts without a word are alike."""
        return 2 * self.same / self.words if self.words else 1.0

    def __add__(self, other: Shared) -> Shared:
        return Shared(self.same + other.same, self.words + other.words)


class Likeness:
    """The likeness of any two witnesses of a work, at a locus and in all, over the laws that both have.

    Points, capitals and long s do not count, spelling does. The figures are those of the table "similarity".
    """

    def __init__(self, work: Work) -> None:
        self.sigla = tuple(witness.siglum for witness in work.witnesses)
        self._at = {collated.locus.id: _shared_at(collated) for collated in work.loci}
        self._whole: dict[Pair, Shared] = {}
        for shared_at in self._at.values():
            for pair, shared in shared_at.items():
                self._whole[pair] = self._whole.get(pair, Shared()) + shared

    def at(self, locus: str, a: str, b: str) -> float | None:
        """The likeness of two witnesses at a locus, 0 to 1; None where one of them has no such law."""
        return _of(self._at[locus], a, b)

    def whole(self, a: str, b: str) -> float | None:
        """The likeness of two witnesses in all laws that both have, 0 to 1; None where they have none in common."""
        return _of(self._whole, a, b)


def hundredths(share: float) -> int:
    """A share in whole hundredths, rounded down: 100 is said only of texts wholly alike."""
    return int(share * 100 + 1e-9)


def _of(shared: Mapping[Pair, Shared], a: str, b: str) -> float | None:
    if a == b:
        return 1.0
    found = shared.get((a, b)) or shared.get((b, a))
    return found.share if found else None


def _shared_at(collated: Collated) -> dict[Pair, Shared]:
    """For each two witnesses that have the locus."""
    columns: dict[str, list[str]] = {siglum: [] for siglum in collated.locus.laws}
    for row in collated.collation.rows:
        for siglum, column in columns.items():
            token = row.get(siglum)
            column.append(token.normal if token and is_word(token) else "")
    size = {siglum: sum(map(bool, column)) for siglum, column in columns.items()}
    return {
        (a, b): Shared(sum(1 for x, y in zip(columns[a], columns[b], strict=True) if x and x == y), size[a] + size[b])
        for a, b in combinations(columns, 2)
    }


# ------------------------------------------------------------------------------------------------------------ the tree


@dataclass(frozen=True, slots=True)
class Branch:
    """A node of a tree: a witness, or two branches that meet at a difference of `height` (half their mean distance)."""

    sigla: tuple[str, ...]
    height: float = 0.0
    parts: tuple[Branch, ...] = ()


def tree(likeness: Likeness) -> Branch | None:
    """The witnesses joined, the nearest first, by average linkage (UPGMA: Sokal and Michener 1958).

    Distance is the share of words in which two witnesses differ; those without a law in common differ in all. A tree
    of likeness and no stemma: it says nothing of which edition was set from which. None without a witness.
    """
    branches = [Branch((siglum,)) for siglum in likeness.sigla]
    while len(branches) > 1:
        distance, i, j = min(
            (_distance(likeness, a, b), i, j) for (i, a), (j, b) in combinations(enumerate(branches), 2)
        )
        a, b = branches[i], branches[j]
        joined = Branch((*a.sigla, *b.sigla), max(distance / 2, a.height, b.height), (a, b))
        branches = [branch for k, branch in enumerate(branches) if k not in (i, j)]
        branches.insert(i, joined)
    return branches[0] if branches else None


def _distance(likeness: Likeness, a: Branch, b: Branch) -> float:
    total = sum(1 - (likeness.whole(x, y) or 0.0) for x in a.sigla for y in b.sigla)
    return round(total / (len(a.sigla) * len(b.sigla)), 9)
