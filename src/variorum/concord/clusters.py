"""The links of all pairs of witnesses joined into loci."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, product

from variorum.concord.likeness import Entry
from variorum.concord.links import Link
from variorum.rulings import NOTHING, RuledLinks

# The share of witnesses, taken two and two across two groups of laws, that must have a link for the groups to be one:
# of many witnesses some two always link laws that are unlike, and that link must not lump what all others keep apart.
# `python benchmarks/correspondence.py --descent` measures it on editions made by program.
BORNE_OUT, PART_BORNE_OUT = 0.2, 0.35

Cluster = dict[str, list[Entry]]  # the laws of one locus, by witness


def clusters(entries: Sequence[Entry], links: Sequence[Link], ruled: RuledLinks = NOTHING) -> list[Cluster]:
    """Join links into loci, surest first.

    Two whole laws of one witness never meet in one locus through a third's, nor two that the editor has ruled apart,
    nor groups of laws that most of their witnesses do not link.
    """
    home: dict[Entry, Cluster] = {e: {e.siglum: [e]} for e in entries}
    linked: dict[Entry, set[Entry]] = {e: set() for e in entries}
    for link in links:
        linked[link.a].add(link.b)
        linked[link.b].add(link.a)

    def join(a: Cluster, b: Cluster) -> None:
        for siglum, laws in b.items():
            a[siglum] = sorted([*a.get(siglum, []), *laws], key=lambda e: e.place)
            for e in laws:
                home[e] = a

    for link in sorted(links, key=Link.key):
        a, b = home[link.a], home[link.b]
        if a is b or not (link.part or not a.keys() & b.keys()) or _apart(a, b, ruled):
            continue
        if link.by is not None or _borne_out(a, b, linked) >= (PART_BORNE_OUT if link.part else BORNE_OUT):
            join(a, b)
    return list({id(cluster): cluster for cluster in home.values()}.values())


def _borne_out(a: Cluster, b: Cluster, linked: dict[Entry, set[Entry]]) -> float:
    """The share of pairs of witnesses, one of each group, that have a link between the groups.

    Two witnesses that both have a law in either group say nothing: each has a partner for each.
    """
    told = found = 0
    for s, t in product(a, b):
        if s != t and not (s in b and t in a):
            told += 1
            found += any(not linked[e].isdisjoint(b[t]) for e in a[s])
    return found / max(1, told)


def _apart(a: Cluster, b: Cluster, ruled: RuledLinks) -> bool:
    return bool(ruled.never) and any(
        frozenset((x.named, y.named)) in ruled.never for own in a.values() for x in own for y in chain(*b.values())
    )
