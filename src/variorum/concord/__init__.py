"""Which law is which: the laws of any number of witnesses brought together into loci.

A law's number is not its identity. `likeness` finds the laws that may be one and says how like they are, `links`
settles those of two witnesses, `clusters` joins the links of all witnesses into loci, `order` puts them in order and
tells which have moved, `telling` says it in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from variorum.concord.clusters import clusters
from variorum.concord.likeness import Entry, Likeness, entry
from variorum.concord.links import Link, links_between
from variorum.concord.order import moved, ordered
from variorum.concord.telling import locus
from variorum.model import Concordance, Finding, Law, Locus, Relation
from variorum.rulings import NOTHING, RuledLinks

__all__ = ["concord"]

EVEN = 0.5  # certainty below which a link is told to the editor


def concord(witnesses: Mapping[str, Sequence[Law]], ruled: RuledLinks = NOTHING) -> Concordance:
    """Bring the laws of witnesses, given by siglum, into loci: every law in exactly one.

    What the editor has `ruled` of links goes before all likeness.

    Which laws are linked does not depend on the order of the witnesses; the ids of the loci ("L01", "L02" ...) follow
    the first witness, and laws it lacks stand after the law they follow in their own. `moved` marks loci that stand
    out of the longest common order of two witnesses, and both of two neighbours that change places. Needs no law to be
    alike at all; an empty witness is a finding.
    """
    sigla = list(witnesses)
    entries = [entry(s, k, law) for s in sorted(sigla) for k, law in enumerate(witnesses[s])]
    own: dict[str, list[Entry]] = {s: [] for s in sigla}
    for e in entries:
        own[e.siglum].append(e)
    likeness, nearest = Likeness(entries), dict[Entry, Link]()
    pairs = combinations(sorted(sigla), 2)
    links = [link for a, b in pairs for link in links_between(likeness, own[a], own[b], ruled, nearest)]
    by_law: dict[Entry, list[Link]] = {}
    for link in links:
        by_law.setdefault(link.a, []).append(link)
    loci = ordered(clusters(entries, links, ruled), sigla)
    moves = moved(loci, sigla)
    width = max(2, len(str(len(loci))))
    made = tuple(
        locus(f"L{n:0{width}}", cluster, moves.get(n - 1, ""), sigla, by_law, likeness, nearest)
        for n, cluster in enumerate(loci, start=1)
    )
    return Concordance(tuple(sigla), made, (*_lacking(witnesses), *_doubtful(made)))


def _lacking(witnesses: Mapping[str, Sequence[Law]]) -> Iterator[Finding]:
    for siglum in witnesses:
        if not witnesses[siglum]:
            yield Finding("no-laws", f"{siglum} has no laws to be compared", siglum=siglum)


def _doubtful(loci: Iterable[Locus]) -> Iterator[Finding]:
    for place in loci:
        if place.relation is not Relation.ONLY and place.cert < EVEN:
            names = ", ".join(f"{siglum} {' and '.join(ids)}" for siglum, ids in place.laws.items())
            yield Finding("link-doubtful", f"{names} may not be the same law ({place.cert:.2f}): {place.evidence}")
