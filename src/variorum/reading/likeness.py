"""How like the witnesses are to one another, law by law and in all, and the tree that follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    """A node of a tree: a witness, or parts that meet; `depth` is its distance from the root."""

    sigla: tuple[str, ...]
    depth: float = 0.0
    parts: tuple[Branch, ...] = ()


Lines = dict[int, dict[int, float]]  # the length of the line between two neighbouring nodes; witnesses come first
Ways = dict[int, tuple[float, int]]  # how far each node is from a first one, and the node before it on the way


def tree(likeness: Likeness) -> Branch | None:
    """The witnesses joined by neighbour joining (Saitou and Nei 1987), the root midway between the two least alike.

    Distance is the share of words in which two witnesses differ; those without a law in common differ in all. The
    method is the field's usual one, and does not suppose, as average linkage does, that every edition stands equally
    far from the first: a reprint stands close to its source however old that is. A tree of likeness and no stemma: the
    root says nothing of age. None without a witness.
    """
    sigla = likeness.sigla
    if len(sigla) < 2:
        return Branch(sigla) if sigla else None
    lines = _joined([[1 - (likeness.whole(a, b) or 0.0) for b in sigla] for a in sigla])
    ways = [_ways(lines, k) for k in range(len(sigla))]
    a, b = max(combinations(range(len(sigla)), 2), key=lambda pair: round(ways[pair[0]][pair[1]][0], 9))
    return _rooted(lines, sigla, *_middle(ways[a], b))


def _joined(distances: list[list[float]]) -> Lines:
    """The lines of the tree. What would be shorter than nothing is nothing, and its neighbour takes the rest."""
    far = {i: dict(enumerate(row)) for i, row in enumerate(distances)}
    lines: Lines = {i: {} for i in far}
    while len(far) > 2:
        total = {i: sum(far[j][i] for j in far) for i in far}
        others = len(far) - 2
        i, j = min(
            combinations(sorted(far), 2),
            key=lambda pair: round(others * far[pair[0]][pair[1]] - total[pair[0]] - total[pair[1]], 9),
        )
        length = min(max((far[i][j] + (total[i] - total[j]) / others) / 2, 0.0), far[i][j])
        new = len(lines)
        lines[new] = {}
        _line(lines, i, new, length)
        _line(lines, j, new, far[i][j] - length)
        rest = {k: max((far[i][k] + far[j][k] - far[i][j]) / 2, 0.0) for k in far if k not in (i, j)}
        far = {k: {n: d for n, d in row.items() if n not in (i, j)} for k, row in far.items() if k in rest}
        for k, d in rest.items():
            far[k][new] = d
        far[new] = {**rest, new: 0.0}
    i, j = sorted(far)
    _line(lines, i, j, far[i][j])
    return lines


def _line(lines: Lines, a: int, b: int, length: float) -> None:
    lines[a][b] = lines[b][a] = round(length, 9)


def _ways(lines: Lines, start: int) -> Ways:
    """The ways from a node to every other."""
    found, due = {start: (0.0, start)}, [start]
    while due:
        node = due.pop()
        for other, length in lines[node].items():
            if other not in found:
                found[other] = found[node][0] + length, node
                due.append(other)
    return found


def _middle(ways: Ways, end: int) -> tuple[int, int, float]:
    """The line in the middle of the way to `end`: its farther and its nearer node, and how far from the first."""
    half = ways[end][0] / 2
    node, (length, before) = end, ways[end]
    while ways[before][0] > half:
        node, (length, before) = before, ways[before]
    return node, before, length - half


def _rooted(lines: Lines, sigla: tuple[str, ...], node: int, before: int, length: float) -> Branch:
    """The tree hung up at a point of the line between two nodes, `length` from the first."""
    sides = ((node, before, length), (before, node, max(lines[node][before] - length, 0.0)))
    return _meeting([_hung(lines, sigla, one, other, depth) for one, other, depth in sides], 0.0)


def _hung(lines: Lines, sigla: tuple[str, ...], node: int, above: int, depth: float) -> Branch:
    parts = [
        _hung(lines, sigla, other, node, depth + length) for other, length in lines[node].items() if other != above
    ]
    return _meeting(parts, depth) if parts else Branch((sigla[node],), depth)


def _meeting(parts: Iterable[Branch], depth: float) -> Branch:
    ordered = tuple(sorted(parts, key=lambda part: part.sigla))
    return Branch(tuple(s for part in ordered for s in part.sigla), depth, ordered)
