"""The order of loci, and which of them have moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from variorum.concord.clusters import Cluster


def ordered(clusters: Sequence[Cluster], sigla: Sequence[str]) -> list[Cluster]:
    """Loci in the order of the first witness; what it lacks after the law it follows in its own witness."""
    following: dict[int, int] = {-1: -1}  # a chain of loci by number, from -1 to -1
    for siglum in sigla:
        here = sorted((c[siglum][0].place, k) for k, c in enumerate(clusters) if siglum in c)
        last = -1
        for _, k in here:
            if k not in following:
                following[k], following[last] = following[last], k
            last = k
    order, k = [], following[-1]
    while k >= 0:
        order.append(clusters[k])
        k = following[k]
    return order


def moved(loci: Sequence[Cluster], sigla: Sequence[str]) -> dict[int, str]:
    """Loci out of the longest common order of two witnesses that have them, and how that shows, in words."""
    moves: dict[int, str] = {}
    counts = {s: sum(len(cluster.get(s, ())) for cluster in loci) for s in sigla}
    for a, b in combinations(sigla, 2):
        for k, words in _Moves(loci, a, b, counts).told():
            moves.setdefault(k, words)
    return moves


class _Moves:
    """What stands in one order in one witness and in another order in another."""

    def __init__(self, loci: Sequence[Cluster], a: str, b: str, counts: dict[str, int]) -> None:
        import numpy as np

        self.loci, self.a, self.b = loci, a, b
        shared = [k for k, cluster in enumerate(loci) if a in cluster and b in cluster]
        self.shared = sorted(shared, key=lambda k: loci[k][a][0].place)
        places = [(loci[k][a][0].place, loci[k][b][0].place) for k in self.shared]
        self.places = np.array(places, dtype=np.int64).reshape(-1, 2)
        self.kept = _chain(places, counts[a], counts[b])

    def told(self) -> Iterator[tuple[int, str]]:
        passed = {n: self._passed(n) for n in range(len(self.shared)) if n not in self.kept}
        for n, others in passed.items():
            strayed = abs(self.places[others, 1] - self.places[n, 1]).tolist()
            near = [(far, self.shared[m], m) for far, m in zip(strayed, others, strict=True) if m in self.kept]
            yield self.shared[n], self._words(n, min(near)[2])
        for n, others in passed.items():
            # Neighbours that change places have each passed the other and no third: neither is more moved.
            if len(others) == 1 and self._beside(n, others[0]) and self._passed(others[0]) == [n]:
                yield self.shared[others[0]], self._words(others[0], n)

    def _passed(self, n: int) -> list[int]:
        """What stands on one side of a law in one witness and on the other side in the other."""
        before = self.places[n] < self.places
        found: list[int] = (before[:, 0] != before[:, 1]).nonzero()[0].tolist()
        return found

    def _beside(self, n: int, other: int) -> bool:
        return bool((abs(self.places[n] - self.places[other]) == 1).all())

    def _words(self, n: int, other: int) -> str:
        """How a law stands to one that it has passed."""
        here, there = ("before", "after") if self.places[n, 0] < self.places[other, 0] else ("after", "before")
        laws = self.loci[self.shared[other]]
        return f"moved: {here} {laws[self.a][0].name} in {self.a}, {there} {laws[self.b][0].name} in {self.b}"


_Chain = tuple[int, float, int]  # length, minus distance strayed, its last link


def _chain(places: Sequence[tuple[int, int]], count_a: int, count_b: int) -> set[int]:
    """The longest chain that rises on both sides; among equals the one whose laws best keep their place in the book."""
    best: list[_Chain] = []
    tree = _Prefixes(count_b + 1)
    for k, (p, q) in enumerate(places):
        before = tree.best(q)
        stray = abs(p / count_a - q / count_b)
        best.append((before[0] + 1, before[1] - stray, before[2]))
        tree.put(q, (best[k][0], best[k][1], k))
    chain: set[int] = set()
    k = max(range(len(best)), key=lambda m: (best[m][0], best[m][1], -m), default=-1)
    while k >= 0:
        chain.add(k)
        k = best[k][2]
    return chain


class _Prefixes:
    """The best chain that ends before a place (a tree of prefix maxima: Fenwick, Software 24, 1994)."""

    def __init__(self, size: int) -> None:
        self._tree: list[_Chain] = [(0, 0.0, -1)] * (size + 1)

    def put(self, place: int, chain: _Chain) -> None:
        at = place + 1
        while at < len(self._tree):
            self._tree[at] = max(self._tree[at], chain)
            at += at & -at

    def best(self, place: int) -> _Chain:
        """The best of those put at places below this one."""
        found: _Chain = (0, 0.0, -1)
        while place > 0:
            found = max(found, self._tree[place])
            place -= place & -place
        return found
