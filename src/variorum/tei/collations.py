"""The collation file of a work: locus by locus, the text all share and an app at each place of difference."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lxml import etree

from variorum.model import (
    Change,
    Collated,
    Collation,
    Locus,
    State,
    Unit,
    UnitKind,
    Witness,
    Work,
    law_key,
    locus_key,
)
from variorum.tei.headers import TOOL, Header, cert, collation_header
from variorum.tei.segments import Line, Segment
from variorum.tei.xml import XML_ID, XML_SPACE, append, collapse, document, legal, lines, serialise, sub

_CAUSES = {
    UnitKind.ADDITION: "addition",
    UnitKind.OMISSION: "omission",
    UnitKind.TRANSPOSITION: "transposition",
    UnitKind.RECAST: "recast",
}


def collation(work: Work, header: Header) -> bytes:
    """The TEI collation file of one work, as UTF-8 bytes.

    Every witness's words can be read back from it (`witness_text`).
    """
    root = document(work.id)
    collation_header(root, work, header)
    etree.indent(root[0], " ")
    _stand_off(root, work)
    text = sub(root, "text")
    body = sub(text, "body")
    laws = sub(body, "div", {"type": "laws", XML_ID: f"{work.id}-laws"})
    sub(laws, "head", {XML_SPACE: "preserve"}, work.title)
    for collated in work.loci:
        _law(laws, work, collated)
    for element in (root, text, body, laws):
        lines(element)
    return serialise(root)


# ------------------------------------------------------------------------------------------------------- one law


def _law(laws: etree._Element, work: Work, collated: Collated) -> None:
    locus = collated.locus
    key = locus_key(work.id, locus.id)
    kinds = " ".join(f"#rule-{kind}" for kind in sorted({c.kind.value for c in collated.changes}))
    own = " ".join(target for w in work.witnesses for target in _law_targets(locus, w.siglum))
    div = sub(laws, "div", {"type": "law", "n": locus.id, XML_ID: key, "corresp": own, "ana": kinds})
    sub(div, "note", {"type": "numbers", XML_ID: f"{key}-numbers"}, _numbers(work, locus))
    for n, change in enumerate(collated.changes, 1):
        _change(div, f"{key}-c{n:02}", change)
    line = Line(collated.collation, [w.siglum for w in work.witnesses])
    paragraph = sub(div, "p", {XML_SPACE: "preserve"})
    _Apparatus(work, collated, line, key).fill(paragraph)
    lines(div)


def _numbers(work: Work, locus: Locus) -> str:
    """The numbers of the laws in each edition, in words a reader can use: "EcA 6; EcB 7, 9"."""
    said = []
    for witness in work.witnesses:
        ids = locus.laws.get(witness.siglum, ())
        numbers = {law.id: law.number or law.id for law in witness.laws}
        said.append(f"{witness.siglum} {', '.join(numbers.get(i, i) for i in ids) or 'lacks it'}")
    return "; ".join(said)


def _change(div: etree._Element, key: str, change: Change) -> None:
    attributes = {
        "type": "change",
        "subtype": change.op,
        XML_ID: key,
        "ana": f"#rule-{change.kind.value}",
        "cert": cert(change.cert),
        "resp": f"#{TOOL}",
    }
    sub(div, "note", attributes, change.sentence)


@dataclass(slots=True)
class _Group:
    """Witnesses that have the same at a place."""

    text: str
    state: State
    witnesses: list[str] = field(default_factory=list)


class _Apparatus:
    """Writes the paragraph of one locus."""

    def __init__(self, work: Work, collated: Collated, line: Line, key: str) -> None:
        self._work = work
        self._locus = collated.locus
        self._line = line
        self._key = key
        self._absent_told = False
        self._changed = _changes_by_unit(collated, line)
        self._apart = 0

    def fill(self, paragraph: etree._Element) -> None:
        """Writes every segment and the spaces between them."""
        last = len(self._line.segments) - 1
        for k, segment in enumerate(self._line.segments):
            if not segment.differs:
                append(paragraph, collapse(legal(self._line.text(segment, self._line.witnesses[0]))))
            else:
                self._app(paragraph, segment)
            if k < last and self._line.spaces[k]:
                append(paragraph, " ")

    def _app(self, paragraph: etree._Element, segment: Segment) -> None:
        key = self._name(segment)
        unit = _weightiest(segment)
        groups = self._groups(segment)
        absent = any(group.state is State.ABSENT for group in groups)
        kind = unit.kind.value if unit else "absent" if absent else "spacing" if segment.spacing else "omission"
        app = sub(paragraph, "app", {XML_ID: key, "type": kind, "ana": f"#vc-{kind}"})
        for n, group in enumerate(groups, 1):
            attributes = {XML_ID: f"{key}-r{n}", "wit": " ".join(f"#{s}" for s in group.witnesses)}
            if n == 1:
                attributes["cause"] = "" if group.text else "omission"
                sub(app, "lem", attributes, group.text)
            else:
                sub(app, "rdg", attributes | self._class(segment, group, groups[0]), group.text)
        for other in segment.units[1:]:  # a unit whose place was joined to another's keeps its key
            sub(paragraph, "anchor", {XML_ID: f"{self._key}-{other.id}"})
        self._absent_told = self._absent_told or absent

    def _name(self, segment: Segment) -> str:
        if segment.units:
            return f"{self._key}-{segment.units[0].id}"
        self._apart += 1
        return f"{self._key}-{'s' if segment.spacing else 'k'}{self._apart:02}"

    def _groups(self, segment: Segment) -> list[_Group]:
        """The readings, lemma first: the base text's, or where that is lost or absent the first that has words."""
        groups: dict[tuple[str, State], _Group] = {}
        for siglum in self._line.witnesses:
            text = collapse(legal(self._line.text(segment, siglum)))
            state = self._line.state(segment, siglum)
            groups.setdefault((text, state), _Group(text, state)).witnesses.append(siglum)
        order = _order(segment)
        lost = (State.ABSENT, State.LACUNA)
        lemma = next((g for g in groups.values() if self._work.base in g.witnesses and g.state not in lost), None)
        if lemma is None:
            lemma = next((g for g in groups.values() if g.text), next(iter(groups.values())))
        return sorted(
            groups.values(), key=lambda g: (g is not lemma, order.get(g.witnesses[0], 0), g.state.value, g.text)
        )

    def _class(self, segment: Segment, group: _Group, lemma: _Group) -> dict[str, str]:
        """@type, @cause, @ana and @corresp of a reading that is not the lemma."""
        if group.state is State.LACUNA:
            return {"type": "lac"}
        if group.state is State.ABSENT:
            return {"type": "overlap" if self._absent_told else "substantive", "cause": "omission", "ana": "#vc-absent"}
        unit = _weightiest(segment)
        attributes = {"type": "orthographic", "cause": "substitution"}
        if unit and unit.kind is UnitKind.NUMBER:
            attributes["type"] = "number"
        elif not (unit.accidental if unit else segment.spacing):
            attributes["type"] = "substantive"
        if not group.text:
            attributes["cause"] = "omission"
        elif not lemma.text:
            attributes["cause"] = "addition"
        elif unit:
            attributes["cause"] = _CAUSES.get(unit.kind, "substitution")
        changes = [change for own in segment.units for change in self._changed.get(own.id, ())]
        touched = sorted({c.kind.value for c in changes if not c.readings.keys().isdisjoint(group.witnesses)})
        attributes["ana"] = " ".join(f"#rule-{kind}" for kind in touched)
        if unit and unit.kind is UnitKind.RECAST:
            attributes["corresp"] = " ".join(self._targets(group.witnesses))
        return attributes

    def _targets(self, sigla: Sequence[str]) -> Iterator[str]:
        return (target for siglum in sigla for target in _law_targets(self._locus, siglum))


def _weightiest(segment: Segment) -> Unit | None:
    """The unit that names a place of difference: the first that is more than an accidental."""
    return next((u for u in segment.units if not u.accidental), segment.units[0] if segment.units else None)


def _order(segment: Segment) -> dict[str, int]:
    """The place of each witness's reading in its unit."""
    unit = _weightiest(segment)
    readings = unit.readings if unit else ()
    return {siglum: k for k, reading in enumerate(readings) for siglum in reading.witnesses}


def _changes_by_unit(collated: Collated, line: Line) -> Mapping[str, list[Change]]:
    """The changes of rule whose words stand in a unit, by the unit's id."""
    found: dict[str, list[Change]] = {}
    spans = {siglum: _Words(collated.collation, siglum) for siglum in collated.collation.witnesses}
    for change in collated.changes:
        rows = {
            row for siglum, words in change.readings.items() if siglum in spans for row in spans[siglum].rows(words)
        }
        for unit in (unit for segment in line.segments for unit in segment.units if not unit.accidental):
            if any(row in rows for row in range(unit.first, unit.last)):
                found.setdefault(unit.id, []).append(change)
    return found


class _Words:
    """Finds the rows on which some words of one witness stand, whatever the spacing."""

    def __init__(self, collation: Collation, siglum: str) -> None:
        self._rows: list[int] = []
        self._starts: list[int] = []
        pieces: list[str] = []
        at = 0
        for number, row in enumerate(collation.rows):
            if token := row[siglum]:
                surface = "".join(token.surface.split())
                self._rows.append(number)
                self._starts.append(at)
                pieces.append(surface)
                at += len(surface)
        self._text = "".join(pieces)

    def rows(self, words: str) -> Sequence[int]:
        """The rows of the first place where the words stand; none where they do not."""
        sought = "".join(words.split())
        at = self._text.find(sought) if sought else -1
        if at < 0:
            return ()
        first = bisect_right(self._starts, at) - 1
        last = bisect_right(self._starts, at + len(sought) - 1)
        return self._rows[first:last]


# ---------------------------------------------------------------------------------------------- correspondence


def _law_targets(locus: Locus, siglum: str) -> list[str]:
    return [f"editions/{siglum}.xml#{law_key(siglum, i)}" for i in locus.laws.get(siglum, ())]


def _stand_off(root: etree._Element, work: Work) -> None:
    groups = {
        "law-alignment": list(_alignments(work)),
        "law-omitted": list(_omissions(work)),
        "law-transposed": list(_transpositions(work)),
    }
    if not any(groups.values()):
        return
    stand_off = sub(root, "standOff")
    for kind, links in groups.items():
        if links:
            group = sub(stand_off, "linkGrp", {"type": kind, XML_ID: f"{work.id}-{kind}"})
            for attributes in links:
                sub(group, "link", attributes)
            lines(group)
    lines(stand_off)


def _link(key: str, suffix: str, locus: Locus, targets: Sequence[str], corresp: str) -> dict[str, str]:
    return {
        XML_ID: f"{key}-{suffix}",
        "n": locus.evidence,
        "cert": cert(locus.cert),
        "resp": f"#{TOOL}",
        "corresp": corresp,
        "target": " ".join(targets),
    }


def _alignments(work: Work) -> Iterator[dict[str, str]]:
    """Which laws of which editions are one locus; a locus of one law has nothing to be linked with."""
    for locus in _loci(work):
        key = locus_key(work.id, locus.id)
        targets = [t for w in work.witnesses for t in _law_targets(locus, w.siglum)]
        if len(targets) > 1:
            link = _link(key, "align", locus, targets, f"#{key}")
            yield {**link, "type": locus.relation.value, "subtype": "moved" if locus.moved else ""}


def _omissions(work: Work) -> Iterator[dict[str, str]]:
    for locus in _loci(work):
        key = locus_key(work.id, locus.id)
        for siglum in (w.siglum for w in work.witnesses if w.siglum not in locus.laws):
            yield _link(key, f"lacks-{siglum}", locus, [f"#{key}", f"#{siglum}"], f"#{key}")


def _transpositions(work: Work) -> Iterator[dict[str, str]]:
    """For each moved locus and each witness: one locus that stands on the other side of it than in the base."""
    loci = _loci(work)
    base = next((w for w in work.witnesses if w.siglum == work.base), None)
    if base is None:
        return
    in_base = _places(base, loci)
    for witness in work.witnesses:
        here = _places(witness, loci)
        for locus in (x for x in loci if x.moved and x.id in here and x.id in in_base and witness is not base):
            pair = _inverted(locus.id, here, in_base)
            if pair:
                key = locus_key(work.id, locus.id)
                targets = [f"#{locus_key(work.id, i)}" for i in pair]
                yield _link(key, f"moved-{witness.siglum}", locus, targets, f"#{key} #{witness.siglum}")


def _loci(work: Work) -> tuple[Locus, ...]:
    return tuple(c.locus for c in work.loci)


def _places(witness: Witness, loci: Sequence[Locus]) -> dict[str, int]:
    """The place of each locus in a witness: that of its first law there."""
    order = {law.id: k for k, law in enumerate(witness.laws)}
    return {x.id: min(order.get(i, 0) for i in x.laws[witness.siglum]) for x in loci if witness.siglum in x.laws}


def _inverted(locus: str, here: Mapping[str, int], base: Mapping[str, int]) -> tuple[str, str] | None:
    """The nearest locus in this witness that the base has on the other side, and this one, in the witness's order."""
    others = [i for i in here if i in base and (here[i] - here[locus]) * (base[i] - base[locus]) < 0]
    if not others:
        return None
    near = min(others, key=lambda i: (abs(here[i] - here[locus]), here[i], i))
    return (locus, near) if here[locus] < here[near] else (near, locus)
