"""The links between two witnesses: which of their candidates are the same law, and which law is a part of another's.

Likeness is corrected for laws that are like everything (CSLS: Conneau et al., "Word translation without parallel data",
2018), with neighbours as a further signal; pairs are settled jointly by assignment; what is left over is tried as a
part of a law split or merged.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from variorum.concord.likeness import Entry, Likeness, Table
from variorum.rulings import NOTHING, RuledLinks

# Each is a likeness after hub correction, 0 where a law is as like another as it is to its nearest five on average.
# `python benchmarks/correspondence.py --thresholds` measures them on all links we have.
LINK = 0.0  # least for two laws to be one: as like as each is to its nearest on average
# Least for a law left over to be part of another's locus: its likeness and the share of it that is matched only so.
PART = 0.38
SAID = 0.2  # least for that share by itself
# Least likeness of text and heading together, and of the text by itself, however unlike all else is. Laws of games that
# have nothing in common reach 0.29.
FLOOR, TEXT_FLOOR = 0.3, 0.15
COPY = 0.95  # likeness from which two laws are one even in a code that says the same thing many times
HUB = 5  # neighbours by which a law's general likeness is judged, and candidates for a part
# Likeness of two laws of one game that have nothing to do with each other; it stands for neighbours that are wanting.
BACKGROUND = 0.2
NEIGHBOUR = 0.25  # what the likeness of the laws before and after counts
NEIGHBOUR_MOST = 0.3
# The certainty of a link, by logistic regression on 1,450 links between windows of codes: of one game, with the links a
# reader made, and of games that have nothing in common. It goes by the share of words that both laws have, and by
# whether the two witnesses are kin at all: how many of their laws are clearly alike. Measured again by
# `python benchmarks/correspondence.py --certainty`.
CERT_WORDS, CERT_KIN, CERT_BASE = 11.4, 12.1, -8.3
PART_KIN, PART_BASE = 3.1, -2.0  # the same of parts of a law split or merged
CLEAR = 0.5  # likeness from which two laws are clearly one
KIN_PRIOR, KIN_WEIGHT = 0.3, 2  # what is taken for kinship before any law is seen, and how many laws that counts for
DOUBT = 0.1  # certainty below which laws are left apart
NEVER = -9.0  # the likeness of laws of which the editor has ruled otherwise


@dataclass(frozen=True, slots=True)
class Link:
    """Two laws that are one, or of which the second says a part of what the first says."""

    a: Entry
    b: Entry
    part: bool  # a law left over, added to the locus of another
    score: float
    alike: float
    kin: float = KIN_PRIOR
    by: str | None = None  # the editor who ruled it

    @property
    def cert(self) -> float:
        """How certain the link is, 0 to 1."""
        if self.by is not None:
            return 1.0
        weight = PART_KIN * self.kin + PART_BASE if self.part else self._whole
        return 1 / (1 + math.exp(-weight))

    @property
    def _whole(self) -> float:
        return CERT_WORDS * _in_common(self.a, self.b) + CERT_KIN * self.kin + CERT_BASE

    def key(self) -> tuple[bool, bool, float, str, int, str, int]:
        """What is ruled first, whole laws before parts, the surest first, ties by their names."""
        return self.by is None, self.part, -self.score, self.a.siglum, self.a.place, self.b.siglum, self.b.place


def _in_common(a: Entry, b: Entry) -> float:
    """The share of the words of two laws, concepts folded and small words left out, that both have (Dice)."""
    shared = len(a.content & b.content)
    return 2 * shared / max(1, len(a.content) + len(b.content))


def links_between(
    likeness: Likeness,
    left: Sequence[Entry],
    right: Sequence[Entry],
    ruled: RuledLinks = NOTHING,
    nearest: dict[Entry, Link] | None = None,
) -> list[Link]:
    """The links between two witnesses; `nearest` keeps, for each law, the law nearest to it, linked or not."""
    if not left or not right:
        return []
    table = likeness.table(left, right)
    corrected = _corrected(table)
    closed = _closed(table, left, right, ruled)
    corrected[closed], table.text[closed] = NEVER, 0.0
    score = _with_neighbours(table, corrected)
    if nearest is not None:
        _remember(nearest, table, left, right, score)
    links = [
        Link(left[table.rows[k]], right[table.columns[k]], False, float(score[k]), float(table.text[k]))
        for k in _assigned(table, score)
    ]
    kin = _kinship(links, min(len(left), len(right)))
    links = [link for link in (replace(link, kin=kin) for link in links) if link.cert >= DOUBT]
    turned = table._replace(height=table.width, width=table.height, rows=table.columns, columns=table.rows)
    parts = [
        *_parts(likeness, links, left, right, table, corrected),
        *_parts(likeness, links, right, left, turned, corrected),
    ]
    return [*_by_ruling(likeness, left, right, ruled), *links, *(replace(part, kin=kin) for part in parts)]


def _by_ruling(likeness: Likeness, left: Sequence[Entry], right: Sequence[Entry], ruled: RuledLinks) -> list[Link]:
    """The links that the editor has ruled: whatever stands in their way, they go together."""
    named = {e.named: e for e in (*left, *right)}
    pairs = [tuple(sorted((named[a], named[b]), key=lambda e: e.siglum)) for a, b in ruled.same if {a, b} <= set(named)]
    return [
        Link(a, b, True, 1.0, likeness.of(a, b), 1.0, ruled.same_as(a.named, b.named) or "")
        for a, b in sorted(pairs, key=lambda pair: (pair[0].place, pair[1].place))
    ]


def _closed(table: Table, left: Sequence[Entry], right: Sequence[Entry], ruled: RuledLinks) -> Any:
    import numpy as np

    if not (ruled.same or ruled.never):
        return np.zeros(len(table.rows), dtype=bool)
    pairs = zip(table.rows, table.columns, strict=True)
    return np.array([ruled.closed(left[i].named, right[j].named) for i, j in pairs], dtype=bool)


def _remember(
    nearest: dict[Entry, Link], table: Table, left: Sequence[Entry], right: Sequence[Entry], score: Any
) -> None:
    for k in (*_best(table.rows, table.columns, score), *_best(table.columns, table.rows, score)):
        link = Link(left[table.rows[k]], right[table.columns[k]], False, float(score[k]), float(table.text[k]))
        for e in (link.a, link.b):
            if e not in nearest or nearest[e].score < link.score:
                nearest[e] = link


def _kinship(links: Sequence[Link], most: int) -> float:
    """How far two witnesses are editions of one code: the share of their laws that are clearly alike, 0 to 1."""
    return (sum(link.alike >= CLEAR for link in links) + KIN_PRIOR * KIN_WEIGHT) / (most + KIN_WEIGHT)


# --------------------------------------------------------------------------------------------------------------- scores


def _ranked(groups: Any, others: Any, score: Any, most: int) -> Any:
    """The best candidates of each group, at most so many; ties by the other side's order."""
    import numpy as np

    order = np.lexsort((others, -score, groups))
    sizes = np.bincount(groups)
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    return order[np.arange(len(order)) - starts < most]


def _best(groups: Any, others: Any, score: Any) -> Any:
    return _ranked(groups, others, score, 1)


def _corrected(table: Table) -> Any:
    """Cross-domain similarity local scaling: twice the likeness, less what each has with its nearest on average."""
    across = _general(table.rows, table.columns, table.height, table.both)
    down = _general(table.columns, table.rows, table.width, table.both)
    return 2 * table.both - across[table.rows] - down[table.columns]


def _general(groups: Any, others: Any, count: int, likeness: Any) -> Any:
    import numpy as np

    near = _ranked(groups, others, likeness, HUB)
    total = np.bincount(groups[near], weights=likeness[near], minlength=count)
    wanting = HUB - np.bincount(groups[near], minlength=count)
    return (total + wanting * BACKGROUND) / HUB


def _with_neighbours(table: Table, score: Any) -> Any:
    """Each pair gains where the laws before them, or after them, are a pair too."""
    import numpy as np

    at = (
        table.rows * (table.width + 1) + table.columns
    )  # a column more than there is, so that no row runs into the next
    order = np.argsort(at)
    near = np.clip(score, 0, NEIGHBOUR_MOST)
    gain = np.zeros_like(score)
    for step in (-1, 1):
        wanted = at + step * (table.width + 2)
        found = order[np.minimum(np.searchsorted(at[order], wanted), len(at) - 1)]
        gain += np.where((at[found] == wanted) & (table.columns + step >= 0), near[found], 0.0)
    return score + NEIGHBOUR * _order_kept(table, score) * gain


def _order_kept(table: Table, score: Any) -> float:
    """The share of clear pairs, each the other's best, whose neighbours are a clear pair too: 0 where order is lost."""
    down = set(_best(table.columns, table.rows, score).tolist())
    mutual = [k for k in _best(table.rows, table.columns, score).tolist() if k in down and score[k] > LINK]
    clear = {(int(table.rows[k]), int(table.columns[k])) for k in mutual}
    beside = sum((i - 1, j - 1) in clear or (i + 1, j + 1) in clear for i, j in clear)
    return beside / max(1, len(clear))


def _assigned(table: Table, score: Any) -> list[int]:
    """Of the candidates that are like enough those that together are worth most, no law in two of them."""
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    like = (score >= LINK) & (table.both >= FLOOR) & (table.text >= TEXT_FLOOR)
    kept = np.flatnonzero(like | (table.text >= COPY))
    # Nothing but place tells laws of the same words apart.
    place = np.abs(table.rows / table.height - table.columns / table.width)
    worth = np.round(np.maximum(score - LINK, 0.0) + 0.001 * (2 - place), 9)
    alone = np.arange(table.height)
    rows = np.concatenate([table.rows[kept], alone])
    columns = np.concatenate([table.columns[kept], table.width + alone])
    most = float(worth.max(initial=0)) + 1
    cost = csr_array((most - np.concatenate([worth[kept], np.zeros(table.height)]), (rows, columns)))
    found = zip(*(side.tolist() for side in min_weight_full_bipartite_matching(cost)), strict=True)
    at = {(int(table.rows[k]), int(table.columns[k])): int(k) for k in kept}
    return sorted(at[pair] for pair in found if pair in at)


def _parts(
    likeness: Likeness, links: Sequence[Link], whole: Sequence[Entry], other: Sequence[Entry], table: Table, score: Any
) -> list[Link]:
    """Laws of `other` left over that say what a law of `whole` says and its partner does not."""
    partner = {k.a: k.b for k in links} | {k.b: k.a for k in links}
    best: dict[int, tuple[float, int]] = {}
    for k in _ranked(table.columns, table.rows, score, HUB).tolist():
        law, part = whole[table.rows[k]], other[table.columns[k]]
        if part in partner or law not in partner:
            continue
        said = likeness.part(part, law, partner[law])
        # A law that is as like the partner as the law itself repeats it, and is no part that it lacks.
        if said < SAID or likeness.of(part, partner[law]) >= table.text[k]:
            continue
        value = said + float(score[k])
        if value > best.get(int(table.columns[k]), (0.0, -1))[0]:
            best[int(table.columns[k])] = value, k
    return [
        Link(whole[table.rows[k]], other[table.columns[k]], True, value - PART + LINK, float(table.text[k]))
        for value, k in best.values()
        if value >= PART
    ]
