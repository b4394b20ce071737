"""Rulings on links: which laws are one, and which are never."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from variorum.model import Finding, Law

LIKE = 0.8  # likeness of a law's first words to those quoted: a letter misread or mended makes no other law of it

LawId = tuple[str, str]  # siglum, law id
Pair = tuple[LawId, LawId]


@dataclass(frozen=True, slots=True)
class LawName:
    """A law as a ruling names it: by its witness, its id and its first words."""

    siglum: str
    law: str
    opens: str


@dataclass(frozen=True, slots=True)
class LinkRuling:
    """The laws of `a`, all of one witness, and those of `b`, of another, are one (`same`), or never one."""

    same: bool
    a: tuple[LawName, ...]
    b: tuple[LawName, ...]
    by: str = ""
    note: str = ""
    line: int = 0

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Each law of one side with each of the other."""
        return tuple(((x.siglum, x.law), (y.siglum, y.law)) for x in self.a for y in self.b)


@dataclass(frozen=True, slots=True)
class RuledLinks:
    """What the editor has ruled of links: pairs of laws that are one, with who said so, and pairs that never are."""

    same: Mapping[Pair, str]
    never: frozenset[frozenset[LawId]]

    def same_as(self, a: LawId, b: LawId) -> str | None:
        """Who ruled that two laws are one ("" where he is not named), or None."""
        return self.same.get((a, b), self.same.get((b, a)))

    def closed(self, a: LawId, b: LawId) -> bool:
        """True where two laws may not be linked by their likeness: ruled apart, or one of them ruled to be others."""
        return frozenset((a, b)) in self.never or any(
            (a in pair and any(law[0] == b[0] for law in pair)) or (b in pair and any(law[0] == a[0] for law in pair))
            for pair in self.same
        )


NOTHING = RuledLinks({}, frozenset())


def resolve(rulings: Iterable[LinkRuling], laws: Mapping[str, Sequence[Law]]) -> tuple[RuledLinks, tuple[Finding, ...]]:
    """What the rulings come to for these laws, and a finding for each that no longer fits.

    A law whose number no longer belongs to the words quoted is followed to its new number, if only one law of its
    witness opens so, and that is told. Rulings on witnesses that are not here are passed over.
    """
    same: dict[Pair, str] = {}
    never: set[frozenset[LawId]] = set()
    lines: dict[frozenset[LawId], LinkRuling] = {}
    odd: set[frozenset[LawId]] = set()
    findings: list[Finding] = []
    for ruling in sorted(rulings, key=lambda r: (r.a[0].siglum, r.b[0].siglum, r.line)):
        if ruling.a[0].siglum not in laws or ruling.b[0].siglum not in laws:
            continue
        a, b = (_found(ruling, side, laws[side[0].siglum], findings) for side in (ruling.a, ruling.b))
        if a is None or b is None:
            continue
        for pair in ((x, y) for x in a for y in b):
            other = lines.setdefault(frozenset(pair), ruling)
            if other.same is not ruling.same:
                odd.add(frozenset(pair))
                findings.append(_conflict(ruling, other))
            elif ruling.same:
                same.setdefault(pair if pair[::-1] not in same else pair[::-1], ruling.by)
            else:
                never.add(frozenset(pair))
    same = {pair: by for pair, by in same.items() if frozenset(pair) not in odd}
    never -= odd
    return RuledLinks(same, frozenset(never)), tuple(findings)


def _conflict(ruling: LinkRuling, other: LinkRuling) -> Finding:
    what = f"the rulings on links in lines {other.line} and {ruling.line} are at odds; neither is heeded"
    return Finding("ruling-conflict", what, problem=True)


def _found(
    ruling: LinkRuling, names: Sequence[LawName], laws: Sequence[Law], findings: list[Finding]
) -> list[LawId] | None:
    """The laws that a side of a ruling names, or None where one is not found."""
    found = []
    for name in names:
        where = f"the ruling on links in line {ruling.line}"
        law = next((law for law in laws if law.id == name.law), None)
        if law is None or not _opens(law, name.opens):
            others = [other for other in laws if _opens(other, name.opens)]
            if len(others) != 1:
                now = "has no such law" if law is None else f"begins {' '.join(law.whole.split()[:6])!r} there"
                what = f"{where}: {name.siglum} {name.law} is to begin {name.opens!r}, and the witness {now}"
                findings.append(Finding("ruling-lost", what, siglum=name.siglum))
                return None
            law = others[0]
            what = f"{where}: {name.siglum} {name.law}, {name.opens!r}, is now {name.siglum} {law.id}; followed there"
            findings.append(Finding("ruling-doubtful", what, law.start, law.end, name.siglum))
        found.append((name.siglum, law.id))
    return found


def _opens(law: Law, words: str) -> bool:
    from rapidfuzz.fuzz import ratio

    quoted = " ".join(words.casefold().split())
    return ratio(" ".join(law.whole.casefold().split())[: len(quoted)], quoted) >= 100 * LIKE
