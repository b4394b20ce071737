"""A locus with its relation, certainty and evidence in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from variorum.concord.clusters import Cluster
from variorum.concord.likeness import Entry, Likeness
from variorum.concord.links import Link
from variorum.model import Locus, Relation
from variorum.tokens import figure, skeleton

TOLD = 3  # links of a locus that are told one by one
RECAST = 0.12  # plain likeness below which the laws of one locus have too little wording in common to be "revised"


def locus(
    name: str,
    cluster: Cluster,
    moved: str,
    sigla: Sequence[str],
    links: Mapping[Entry, Sequence[Link]],
    likeness: Likeness,
    nearest: Mapping[Entry, Link],
) -> Locus:
    """A cluster as a locus: `links` are those of each law, `moved` says in words that it has moved, or is ""."""
    laws = {s: tuple(e.law.id for e in cluster[s]) for s in sigla if s in cluster}
    members = [e for s in sorted(cluster) for e in cluster[s]]
    if len(cluster) == 1:
        near = [nearest[e] for e in members if e in nearest]
        if not near:
            return Locus(name, laws, Relation.ONLY, False, 1.0, "no other witness has laws")
        link = min(near, key=Link.key)
        found = f"{link.a.name} to {link.b.name}, has a likeness of {link.alike:.2f}"
        words = f"no law is like enough; the nearest, {found}"
        return Locus(name, laws, Relation.ONLY, False, round(1 - min(link.cert, 0.5), 3), words)
    here = set(members)
    inside = sorted((k for e in members for k in links.get(e, ()) if k.b in here), key=Link.key)
    cert = min((link.cert for link in inside), default=0.5)
    words = "; ".join(filter(None, (_told_all(inside, likeness), moved)))
    return Locus(name, laws, _relation(cluster, sigla, inside), bool(moved), round(cert, 3), words)


def _told_all(links: Sequence[Link], likeness: Likeness) -> str:
    """Each link in words; of many, how many they are and the weakest."""
    if len(links) <= TOLD:
        return "; ".join(_told(link, likeness) for link in links)
    weakest = min(links, key=lambda link: (link.alike, link.key()))
    alike = [link.alike for link in links]
    spread = f"{len(links)} links, likeness {min(alike):.2f} to {max(alike):.2f}"
    return f"{spread}; the weakest: {_told(weakest, likeness)}"


def _told(link: Link, likeness: Likeness) -> str:
    if link.by is not None:
        return f"{link.a.name} and {link.b.name} are one by ruling of {link.by or 'the editor'}"
    shared = ", ".join(f"'{w}'" for w in likeness.shared(link.a, link.b))
    said = f"{link.a.name} and {link.b.name} have a likeness of {link.alike:.2f}"
    if link.part:
        said = f"{link.b.name} says a part of what {link.a.name} says (likeness {link.alike:.2f})"
    return said + (f", both have {shared}" if shared else "")


def _relation(cluster: Cluster, sigla: Sequence[str], links: Sequence[Link]) -> Relation:
    """What became of the laws, as seen from the first witness where it has them, else from the first by name."""
    first = sigla[0] if sigla[0] in cluster else min(cluster)
    counts = [len(cluster[first]), *(len(cluster[s]) for s in sorted(cluster) if s != first)]
    if max(counts) > 1:
        if counts[0] == 1:
            return Relation.SPLIT
        return Relation.MERGED if 1 in counts else Relation.RECAST
    forms = {tuple(figure(w) or skeleton(w) for w in cluster[s][0].words) for s in cluster}
    if len(forms) == 1:
        return Relation.SAME
    return Relation.RECAST if min((k.alike for k in links), default=0.0) < RECAST else Relation.REVISED
