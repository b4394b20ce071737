"""Which law is which: the laws of any number of witnesses brought together into loci.

A law's number is not its identity. Likeness is the cosine of character 3- to 5-grams (tf-idf over all laws of all
witnesses, synonyms of the games thesaurus folded), corrected for laws that are like everything (CSLS: Conneau et al.,
"Word translation without parallel data", 2018), with headings and neighbours as further signals; pairs are settled
jointly by assignment; what is left over is tried as a part of a law split or merged.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

from variorum.model import Concordance, Finding, Law, Locus, Relation
from variorum.thesaurus import SMALL, stem, thesaurus
from variorum.tokens import figure, is_word, skeleton, tokenise

# Each is a likeness after hub correction, 0 where a law is as like another as it is to its nearest five on average.
# `python benchmarks/correspondence.py --thresholds` measures them on all links we have.
LINK = 0.0  # least for two laws to be one: as like as each is to its nearest on average
# Least for a law left over to be part of another's locus: its likeness and the share of it that is matched only so.
PART = 0.38
GAIN = 0.05  # least share of the other law's words that the part covers and the law already linked does not
# Least likeness of text and heading together, and of the text by itself, however unlike all else is. Laws of games that
# have nothing in common reach 0.29.
FLOOR, TEXT_FLOOR = 0.3, 0.15
COPY = 0.95  # likeness from which two laws are one even in a code that says the same thing many times
HUB = 5  # neighbours by which a law's general likeness is judged, and candidates for a part
# Likeness of two laws of one game that have nothing to do with each other; it stands for neighbours that are wanting.
BACKGROUND = 0.2
HEADING = 0.6  # what a heading counts beside the text: it names the matter, but one heading may stand over many laws
NEIGHBOUR = 0.25  # what the likeness of the laws before and after counts
NEIGHBOUR_MOST = 0.3
OPENING = 6  # words at a law's head that may name its matter as a heading does
# The certainty of a link, by logistic regression on 1,450 links between windows of codes: of one game, with the links a
# reader made, and of games that have nothing in common. It goes by the share of words that both laws have, and by
# whether the two witnesses are kin at all: how many of their laws are clearly alike. Measured again by
# `python benchmarks/correspondence.py --certainty`.
CERT_WORDS, CERT_KIN, CERT_BASE = 11.4, 12.1, -8.3
PART_KIN, PART_BASE = 3.1, -2.0  # the same of parts of a law split or merged
CLEAR = 0.5  # likeness from which two laws are clearly one
KIN_PRIOR, KIN_WEIGHT = 0.3, 2  # what is taken for kinship before any law is seen, and how many laws that counts for
EVEN = 0.5  # certainty below which a link is told to the editor
DOUBT = 0.15  # certainty below which laws are left apart
TOLD = 3  # links of a locus that are told one by one
RECAST = 0.12  # plain likeness below which the laws of one locus have too little wording in common to be "revised"


@dataclass(frozen=True, slots=True, eq=False)
class _Entry:
    """One law with what it is compared by."""

    siglum: str
    place: int
    law: Law
    words: tuple[str, ...]
    folded: Counter[str]
    content: frozenset[str]
    grams: Counter[str]
    heading: Counter[str]


def concord(witnesses: Mapping[str, Sequence[Law]]) -> Concordance:
    """Bring the laws of witnesses, given by siglum, into loci: every law in exactly one.

    Which laws are linked does not depend on the order of the witnesses; the ids of the loci ("L01", "L02" ...) follow
    the first witness, and laws it lacks stand after the law they follow in their own. `moved` marks loci that stand
    out of the longest common order of two witnesses, and both of two neighbours that change places. Needs no law to be
    alike at all; an empty witness is a finding.
    """
    entries = [_entry(s, k, law) for s in sorted(witnesses) for k, law in enumerate(witnesses[s])]
    own = {s: [e for e in entries if e.siglum == s] for s in witnesses}
    evidence = _Evidence(entries)
    links = [link for a, b in combinations(sorted(witnesses), 2) for link in _pair(evidence, own[a], own[b])]
    clusters = _clusters(entries, links)
    loci = _ordered(clusters, list(witnesses))
    moved = _moved(loci, list(witnesses))
    width = max(2, len(str(len(loci))))
    by_law: dict[_Entry, list[_Link]] = {}
    for link in links:
        by_law.setdefault(link.a, []).append(link)
    made = tuple(
        _locus(f"L{n:0{width}}", cluster, moved.get(n - 1, ""), list(witnesses), by_law, evidence)
        for n, cluster in enumerate(loci, start=1)
    )
    return Concordance(tuple(witnesses), made, (*_lacking(witnesses), *_doubtful(made)))


def _lacking(witnesses: Mapping[str, Sequence[Law]]) -> Iterator[Finding]:
    for siglum in witnesses:
        if not witnesses[siglum]:
            yield Finding("no-laws", f"{siglum} has no laws to be compared", siglum=siglum)


def _doubtful(loci: Iterable[Locus]) -> Iterator[Finding]:
    for locus in loci:
        if locus.relation is not Relation.ONLY and locus.cert < EVEN:
            names = ", ".join(f"{siglum} {' and '.join(ids)}" for siglum, ids in locus.laws.items())
            yield Finding("link-doubtful", f"{names} may not be the same law ({locus.cert:.2f}): {locus.evidence}")


# ------------------------------------------------------------------------------------------------------------ likeness


def _entry(siglum: str, place: int, law: Law) -> _Entry:
    words = tuple(t.normal for t in tokenise(law.whole) if is_word(t))
    title = tuple(t.normal for t in tokenise(law.section) if is_word(t))
    folded = thesaurus().folded(words)
    return _Entry(
        siglum,
        place,
        law,
        words,
        Counter(folded),
        frozenset([*folded, *(figure(w) or stem(w) for w in words)]) - SMALL,
        _grams(folded),
        _grams([*thesaurus().folded(title), *folded[:OPENING]]),
    )


def _grams(words: Iterable[str]) -> Counter[str]:
    grams: Counter[str] = Counter()
    for word in words:
        padded = f" {word} "
        for n in (3, 4, 5):
            grams.update(padded[k : k + n] for k in range(max(1, len(padded) - n + 1)))
    return grams


def _vectors(counts: Sequence[Counter[str]]) -> Any:
    """Rows of unit length: 1 + log count, times the rarity of the gram among all laws."""
    import numpy as np
    from scipy.sparse import csr_array

    seen = Counter(gram for count in counts for gram in count)
    rarity = {gram: math.log((1 + len(counts)) / (1 + n)) + 1 for gram, n in seen.items()}
    column = {gram: k for k, gram in enumerate(sorted(seen))}
    rows, columns, values = [], [], []
    for row, count in enumerate(counts):
        weights = {gram: (1 + math.log(n)) * rarity[gram] for gram, n in count.items()}
        length = math.sqrt(math.fsum(w * w for w in weights.values())) or 1.0
        for gram in sorted(weights):
            rows.append(row)
            columns.append(column[gram])
            values.append(weights[gram] / length)
    return csr_array((np.array(values), (rows, columns)), shape=(len(counts), len(column)))


class _Evidence:
    """Likeness of any two laws, and what they share."""

    def __init__(self, entries: Sequence[_Entry]) -> None:
        self.entries = entries
        self.number = {(e.siglum, e.place): k for k, e in enumerate(entries)}
        self._seen = Counter(word for e in entries for word in set(e.words))
        self.nearest: dict[_Entry, _Link] = {}

    @cached_property
    def _text(self) -> Any:
        return _vectors([e.grams for e in self.entries])

    @cached_property
    def _heading(self) -> Any:
        return _vectors([e.heading for e in self.entries])

    def tables(self, left: Sequence[_Entry], right: Sequence[_Entry]) -> tuple[Any, Any]:
        """Likeness of the texts, and of texts and headings together."""
        import numpy as np

        rows = [self.number[e.siglum, e.place] for e in left]
        columns = [self.number[e.siglum, e.place] for e in right]
        text = (self._text[rows] @ self._text[columns].T).toarray()
        headed = [np.array([bool(e.law.section) for e in side]) for side in (left, right)]
        if not (headed[0].any() and headed[1].any()):
            return text, text
        heading = (self._heading[rows] @ self._heading[columns].T).toarray()
        return text, text + HEADING * heading * np.logical_and.outer(headed[0], headed[1])

    def remember(self, left: Sequence[_Entry], right: Sequence[_Entry], score: Any, text: Any) -> None:
        """Keep, for each law, the law of another witness that is nearest to it, linked or not."""
        for i, j in [*enumerate(score.argmax(axis=1)), *((i, j) for j, i in enumerate(score.argmax(axis=0)))]:
            link = _Link(left[i], right[j], False, float(score[i, j]), float(text[i, j]))
            for e in (link.a, link.b):
                if e not in self.nearest or self.nearest[e].score < link.score:
                    self.nearest[e] = link

    def part(self, part: _Entry, law: _Entry, partner: _Entry) -> float:
        """The share of a law's words that another law has and its partner has not; 0 where that is next to none."""
        new = law.folded - partner.folded
        if self._weight(new & part.folded) < GAIN * self._weight(law.folded):
            return 0.0
        return self._weight(part.folded & new) / max(self._weight(part.folded), 1e-9)

    def _weight(self, words: Counter[str]) -> float:
        return math.fsum(self._rarity[w] * n for w, n in words.items())

    @cached_property
    def _rarity(self) -> dict[str, float]:
        seen = Counter(word for e in self.entries for word in e.folded)
        return {word: math.log((1 + len(self.entries)) / (1 + n)) for word, n in seen.items()}

    def shared(self, a: _Entry, b: _Entry) -> list[str]:
        """The rarest words of one law that the other has too; none that any sentence may have."""
        common = {w for w in a.words if len(w) > 3 and not {w, stem(w)} & SMALL} & set(b.words)
        return sorted(common, key=lambda w: (self._seen[w], -len(w), w))[:4]


# --------------------------------------------------------------------------------------------------------------- links


@dataclass(frozen=True, slots=True)
class _Link:
    a: _Entry
    b: _Entry
    part: bool  # a law left over, added to the locus of another
    score: float
    alike: float
    kin: float = KIN_PRIOR

    @property
    def cert(self) -> float:
        weight = PART_KIN * self.kin + PART_BASE if self.part else self._whole
        return 1 / (1 + math.exp(-weight))

    @property
    def _whole(self) -> float:
        return CERT_WORDS * _in_common(self.a, self.b) + CERT_KIN * self.kin + CERT_BASE

    def key(self) -> tuple[bool, float, str, int, str, int]:
        """Whole laws before parts, the surest first, ties by their names."""
        return self.part, -self.score, self.a.siglum, self.a.place, self.b.siglum, self.b.place


def _in_common(a: _Entry, b: _Entry) -> float:
    """The share of the words of two laws, concepts folded and small words left out, that both have (Dice)."""
    shared = len(a.content & b.content)
    return 2 * shared / max(1, len(a.content) + len(b.content))


def _pair(evidence: _Evidence, left: Sequence[_Entry], right: Sequence[_Entry]) -> list[_Link]:
    """The links between two witnesses."""
    if not left or not right:
        return []
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    text, both = evidence.tables(left, right)
    corrected = _corrected(both)
    score = _with_neighbours(corrected)
    evidence.remember(left, right, score, text)
    # Nothing but place tells laws of the same words apart.
    place = np.abs(np.subtract.outer(np.arange(len(left)) / len(left), np.arange(len(right)) / len(right)))
    rows, columns = linear_sum_assignment(-np.round(np.maximum(score, LINK - 0.3) - 0.001 * place, 9))
    links = [
        _Link(left[i], right[j], False, float(score[i, j]), float(text[i, j]))
        for i, j in zip(rows.tolist(), columns.tolist(), strict=True)
        if (score[i, j] >= LINK and both[i, j] >= FLOOR and text[i, j] >= TEXT_FLOOR) or text[i, j] >= COPY
    ]
    kin = _kinship(links, min(len(left), len(right)))
    links = [link for link in (replace(link, kin=kin) for link in links) if link.cert >= DOUBT]
    parts = [
        *_parts(evidence, links, left, right, corrected, text),
        *_parts(evidence, links, right, left, corrected.T, text.T),
    ]
    return [*links, *(replace(part, kin=kin) for part in parts)]


def _kinship(links: Sequence[_Link], most: int) -> float:
    """How far two witnesses are editions of one code: the share of their laws that are clearly alike, 0 to 1."""
    return (sum(link.alike >= CLEAR for link in links) + KIN_PRIOR * KIN_WEIGHT) / (most + KIN_WEIGHT)


def _corrected(likeness: Any) -> Any:
    """Cross-domain similarity local scaling: twice the likeness, less what each has with its nearest on average."""
    import numpy as np

    rows, columns = likeness.shape
    padding = ((0, max(0, HUB - rows)), (0, max(0, HUB - columns)))
    padded = np.pad(likeness, padding, constant_values=BACKGROUND)
    across = np.sort(padded[:rows], axis=1)[:, -HUB:].mean(axis=1)
    down = np.sort(padded[:, :columns], axis=0)[-HUB:].mean(axis=0)
    return 2 * likeness - across[:, None] - down[None, :]


def _with_neighbours(score: Any) -> Any:
    """Each pair gains where the laws before them, or after them, are a pair too."""
    import numpy as np

    near = _order_kept(score) * np.clip(score, 0, NEIGHBOUR_MOST)
    gain = np.zeros_like(score)
    gain[1:, 1:] += near[:-1, :-1]
    gain[:-1, :-1] += near[1:, 1:]
    return score + NEIGHBOUR * gain


def _order_kept(score: Any) -> float:
    """The share of clear pairs, each the other's best, whose neighbours are a clear pair too: 0 where order is lost."""
    best = [int(j) for j in score.argmax(axis=1)]
    clear = {(i, j) for i, j in enumerate(best) if score[i, j] > LINK and int(score[:, j].argmax()) == i}
    beside = sum((i - 1, j - 1) in clear or (i + 1, j + 1) in clear for i, j in clear)
    return beside / max(1, len(clear))


def _parts(
    evidence: _Evidence,
    links: Sequence[_Link],
    whole: Sequence[_Entry],
    other: Sequence[_Entry],
    score: Any,
    text: Any,
) -> list[_Link]:
    """Laws of `other` left over that say what a law of `whole` says and its partner does not."""
    partner = {k.a: k.b for k in links} | {k.b: k.a for k in links}
    parts = []
    for j, part in enumerate(other):
        if part in partner:
            continue
        best, at = 0.0, -1
        for i in (-score[:, j]).argsort(kind="stable")[:HUB].tolist():
            law = whole[i]
            if law in partner and (found := evidence.part(part, law, partner[law])) + score[i, j] > best:
                best, at = found + float(score[i, j]), i
        if best >= PART:
            parts.append(_Link(whole[at], part, True, best - PART + LINK, float(text[at, j])))
    return parts


# ---------------------------------------------------------------------------------------------------------------- loci

_Cluster = dict[str, list[_Entry]]


def _clusters(entries: Sequence[_Entry], links: Sequence[_Link]) -> list[_Cluster]:
    """Join links into loci, surest first; two whole laws of one witness never meet in one locus through a third's."""
    home: dict[tuple[str, int], _Cluster] = {(e.siglum, e.place): {e.siglum: [e]} for e in entries}

    def join(a: _Cluster, b: _Cluster) -> None:
        for siglum, laws in b.items():
            a[siglum] = sorted([*a.get(siglum, []), *laws], key=lambda e: e.place)
            for e in laws:
                home[e.siglum, e.place] = a

    for link in sorted(links, key=_Link.key):
        a, b = home[link.a.siglum, link.a.place], home[link.b.siglum, link.b.place]
        if a is not b and (link.part or not a.keys() & b.keys()):
            join(a, b)
    seen: dict[int, _Cluster] = {id(cluster): cluster for cluster in home.values()}
    return list(seen.values())


def _ordered(clusters: Sequence[_Cluster], sigla: Sequence[str]) -> list[_Cluster]:
    """Loci in the order of the first witness; what it lacks after the law it follows in its own witness."""
    order: list[_Cluster] = []
    for siglum in sigla:
        after = 0
        for cluster in sorted((c for c in clusters if siglum in c), key=lambda c: c[siglum][0].place):
            known = next((k for k, c in enumerate(order) if c is cluster), None)
            if known is None:
                order.insert(after, cluster)
                after += 1
            else:
                after = known + 1
    return order


def _moved(loci: Sequence[_Cluster], sigla: Sequence[str]) -> dict[int, str]:
    """Loci out of the longest common order of two witnesses that have them, and how that shows, in words."""
    moved: dict[int, str] = {}
    counts = {s: sum(len(cluster.get(s, ())) for cluster in loci) for s in sigla}
    for a, b in combinations(sigla, 2):
        shared = [k for k, cluster in enumerate(loci) if a in cluster and b in cluster]
        shared.sort(key=lambda k: loci[k][a][0].place)
        places = [(loci[k][a][0].place, loci[k][b][0].place) for k in shared]
        kept = _chain(shared, places, counts[a], counts[b])
        passed = {k: _passed(loci, k, shared, a, b) for k in shared if k not in kept}
        for k, others in passed.items():
            near = min(
                (n for n in others if n in kept), key=lambda n: (abs(_place(loci, n, b) - _place(loci, k, b)), n)
            )
            moved.setdefault(k, _move(loci, k, near, a, b))
        for k, others in passed.items():
            # Neighbours that change places have each passed the other and no third: neither is more moved.
            beside = others[0] if len(others) == 1 and _beside(loci, k, others[0], (a, b)) else k
            if beside != k and _passed(loci, beside, shared, a, b) == [k]:
                moved.setdefault(beside, _move(loci, beside, k, a, b))
    return moved


def _place(loci: Sequence[_Cluster], k: int, siglum: str) -> int:
    return loci[k][siglum][0].place


def _beside(loci: Sequence[_Cluster], k: int, other: int, sigla: Sequence[str]) -> bool:
    return all(abs(_place(loci, k, s) - _place(loci, other, s)) == 1 for s in sigla)


def _before(loci: Sequence[_Cluster], k: int, other: int, siglum: str) -> bool:
    return _place(loci, k, siglum) < _place(loci, other, siglum)


def _passed(loci: Sequence[_Cluster], k: int, shared: Sequence[int], a: str, b: str) -> list[int]:
    """The loci that stand on one side of a law in one witness and on the other side in the other."""
    return [n for n in shared if _before(loci, k, n, a) != _before(loci, k, n, b)]


def _move(loci: Sequence[_Cluster], k: int, other: int, a: str, b: str) -> str:
    """In words, how a law stands to one that it has passed."""
    here, there = ("before", "after") if _before(loci, k, other, a) else ("after", "before")
    return f"moved: {here} {_name(loci[other][a][0])} in {a}, {there} {_name(loci[other][b][0])} in {b}"


def _chain(loci: Sequence[int], places: Sequence[tuple[int, int]], count_a: int, count_b: int) -> set[int]:
    """The longest chain that rises on both sides; among equals the one whose laws best keep their place in the book."""
    best: list[tuple[int, float, int]] = []  # length, minus distance strayed, the link before
    for k, (_, q) in enumerate(places):
        before = max(((best[m][0], best[m][1], m) for m in range(k) if places[m][1] < q), default=(0, 0.0, -1))
        stray = abs(places[k][0] / count_a - q / count_b)
        best.append((before[0] + 1, before[1] - stray, before[2]))
    if not best:
        return set()
    k = max(range(len(best)), key=lambda m: (best[m][0], best[m][1], -m))
    chain = set()
    while k >= 0:
        chain.add(loci[k])
        k = best[k][2]
    return chain


def _locus(
    name: str,
    cluster: _Cluster,
    moved: str,
    sigla: Sequence[str],
    links: Mapping[_Entry, Sequence[_Link]],
    evidence: _Evidence,
) -> Locus:
    laws = {s: tuple(e.law.id for e in cluster[s]) for s in sigla if s in cluster}
    members = [e for s in sorted(cluster) for e in cluster[s]]
    if len(cluster) == 1:
        near = [evidence.nearest[e] for e in members if e in evidence.nearest]
        if not near:
            return Locus(name, laws, Relation.ONLY, False, 1.0, "no other witness has laws")
        link = min(near, key=_Link.key)
        nearest = f"{_name(link.a)} to {_name(link.b)}, has a likeness of {link.alike:.2f}"
        words = f"no law is like enough; the nearest, {nearest}"
        return Locus(name, laws, Relation.ONLY, False, round(1 - min(link.cert, 0.5), 3), words)
    inside = sorted((k for e in members for k in links.get(e, ()) if k.b in members), key=_Link.key)
    cert = min((link.cert for link in inside), default=0.5)
    words = "; ".join(filter(None, (_told_all(inside, evidence), moved)))
    return Locus(name, laws, _relation(cluster, sigla, inside), bool(moved), round(cert, 3), words)


def _told_all(links: Sequence[_Link], evidence: _Evidence) -> str:
    """Each link in words; of many, how many they are and the weakest."""
    if len(links) <= TOLD:
        return "; ".join(_told(link, evidence) for link in links)
    weakest = min(links, key=lambda link: (link.alike, link.key()))
    alike = [link.alike for link in links]
    spread = f"{len(links)} links, likeness {min(alike):.2f} to {max(alike):.2f}"
    return f"{spread}; the weakest: {_told(weakest, evidence)}"


def _told(link: _Link, evidence: _Evidence) -> str:
    shared = ", ".join(f"'{w}'" for w in evidence.shared(link.a, link.b))
    said = f"{_name(link.a)} and {_name(link.b)} have a likeness of {link.alike:.2f}"
    if link.part:
        said = f"{_name(link.b)} says a part of what {_name(link.a)} says (likeness {link.alike:.2f})"
    return said + (f", both have {shared}" if shared else "")


def _name(entry: _Entry) -> str:
    return f"{entry.siglum} {entry.law.id}"


def _relation(cluster: _Cluster, sigla: Sequence[str], links: Sequence[_Link]) -> Relation:
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
