"""Rulings carried out: what the rules propose, put right by what the editor says."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from variorum.model import Correction, CorrectionKind, Finding, Repair, Ruled, Segmented
from variorum.rulings.anchors import anchor, brief
from variorum.rulings.ruling import RULE, Ruling, Verdict

LOST, DOUBTFUL, CONFLICT = "ruling-lost", "ruling-doubtful", "ruling-conflict"


@dataclass(frozen=True, slots=True)
class _Place:
    """A ruling at a span of the raw text."""

    start: int
    end: int
    ruling: Ruling

    def meets(self, other: _Place) -> bool:
        return self.start < other.end and other.start < self.end

    def key(self) -> tuple[object, ...]:
        r = self.ruling
        return self.start, self.end, r.verdict.value, r.reads or "", r.everywhere, r.by, r.note, r.before, r.after


def decide(repair: Repair, rulings: Iterable[Ruling]) -> Repair:
    """The repair with the rulings carried out: accepted corrections certain, rejected ones gone, readings put in.

    What the rules propose is expected whole, before any of it is held back as doubtful. In whatever order the rulings
    stand, the outcome is the same. A ruling that has lost its place, fits several, or is at odds with another is not
    carried out, and is a finding with its line.
    """
    places, findings = _placed(repair.raw, rulings)
    places, more = _without_conflicts(places)
    findings += more
    corrections = list(repair.corrections)
    ruled: list[Ruled] = []
    idle: dict[Ruling, bool] = {}
    for place in places:
        # Corrections do not overlap, and so are in order by their ends as well.
        first = bisect_right(corrections, place.start, key=lambda c: c.end)
        last = bisect_left(corrections, place.end, key=lambda c: c.start)
        touched = corrections[first:last]
        done = _carried_out(place, touched, repair.raw, findings)
        idle[place.ruling] = idle.get(place.ruling, True) and done is None
        if done is not None:
            corrections[first:last] = done
            ruled.append(_ruled(place, done))
    findings += [_nothing_there(ruling) for ruling, is_idle in idle.items() if is_idle]
    findings.sort(key=lambda f: (f.start, f.end, f.code, f.message))
    return replace(repair, corrections=tuple(corrections), findings=(*repair.findings, *findings), rulings=tuple(ruled))


def doubts(raw: str, rulings: Iterable[Ruling]) -> tuple[Finding, ...]:
    """The rulings that have lost their place in a raw text, fit several, or are at odds: a finding each."""
    places, lost = _placed(raw, rulings)
    return (*lost, *_without_conflicts(places)[1])


def unheeded(rulings: Iterable[Ruling]) -> tuple[Finding, ...]:
    """What is told of rulings on a text that its own file has edited and cut into laws."""
    what = "the file states its own corrections and laws; correct it there"
    return tuple(_finding(DOUBTFUL, ruling, what) for ruling in rulings)


def overruled(segmented: Segmented) -> Segmented:
    """The laws, with a finding for each ruled place that the reading of a law's number has changed again."""
    found = []
    for r in segmented.repair.rulings:
        for c in segmented.repair.corrections:
            if c.start < r.end and r.start < c.end and not c.rule.startswith(RULE):
                what = f"the ruling in line {r.line} is not heeded: {c.found!r} is read as {c.reads!r} ({c.rule})"
                found.append(Finding(DOUBTFUL, what, c.start, c.end))
    return replace(segmented, findings=(*segmented.findings, *found)) if found else segmented


# ------------------------------------------------------------------------------------------------------------- places


def _placed(raw: str, rulings: Iterable[Ruling]) -> tuple[list[_Place], list[Finding]]:
    """Where the rulings stand. A ruling on one place goes before one that rules everywhere."""
    single: list[_Place] = []
    general: list[_Place] = []
    findings = []
    for ruling in rulings:
        anchored = anchor(raw, ruling)
        if anchored.doubt:
            code = DOUBTFUL if anchored.ambiguous else LOST
            findings.append(_finding(code, ruling, anchored.doubt, anchored.near or (0, 0)))
        (general if ruling.everywhere else single).extend(_Place(*span, ruling) for span in anchored.spans)
    general = [place for place in general if not any(place.meets(other) for other in single)]
    return sorted([*single, *general], key=_Place.key), findings


def _without_conflicts(places: Sequence[_Place]) -> tuple[list[_Place], list[Finding]]:
    """The places at which the rulings agree, each once, and a finding for each two rulings that do not."""
    odd: set[int] = set()
    twice: set[int] = set()
    findings: dict[tuple[int, int], Finding] = {}
    for k, place in enumerate(places):
        for n in range(k + 1, len(places)):
            other = places[n]
            if other.start >= place.end:
                break
            same_span = (place.start, place.end) == (other.start, other.end)
            if same_span and place.ruling.outcome == other.ruling.outcome:
                twice.add(n)
                continue
            odd |= {k, n}
            a, b = sorted((place.ruling, other.ruling), key=lambda r: r.line)
            what = f"the rulings in lines {a.line} and {b.line} are at odds over {brief([place.ruling.found])!r}"
            findings.setdefault(
                (a.line, b.line),
                Finding(CONFLICT, f"{what}; neither is carried out", place.start, place.end, problem=True),
            )
    return [p for k, p in enumerate(places) if k not in odd | twice], list(findings.values())


# ------------------------------------------------------------------------------------------------------- carrying out


def _carried_out(
    place: _Place, touched: list[Correction], raw: str, findings: list[Finding]
) -> list[Correction] | None:
    """What a ruling makes of the corrections that it touches, or None where an accepted one is not there."""
    ruling = place.ruling
    if ruling.verdict is Verdict.REJECT:
        return []
    if ruling.reads is None:
        return [_signed(c, ruling) for c in touched] or None
    if any(c.kind is CorrectionKind.FURNITURE for c in touched):
        what = "the words stand in what is taken off the page; reject that first"
        findings.append(_finding(DOUBTFUL, ruling, what, (place.start, place.end)))
        return touched
    for c in touched:
        if c.start < place.start or c.end > place.end:
            what = f"takes back {brief([c.found])!r} read as {brief([c.reads])!r}, of which it quotes only a part"
            findings.append(_finding(DOUBTFUL, ruling, what, (c.start, c.end)))
    return _read(place, touched, raw)


def _signed(c: Correction, ruling: Ruling) -> Correction:
    evidence = "; ".join(filter(None, (ruling.note, f"accepted: {c.rule}", c.evidence)))
    return replace(c, rule=ruling.rule, cert=1.0, evidence=evidence)


def _read(place: _Place, touched: Sequence[Correction], raw: str) -> list[Correction]:
    ruling, found = place.ruling, raw[place.start : place.end]
    assert ruling.reads is not None
    if found == ruling.reads:  # the page now reads so itself
        return []
    same = [c for c in touched if (c.start, c.end, c.reads) == (place.start, place.end, ruling.reads)]
    if same and ruling.verdict is not Verdict.EMEND:
        return [_signed(same[0], ruling)]
    evidence = ruling.note or ("the printer's fault" if ruling.verdict is Verdict.EMEND else "read so by the editor")
    return [Correction(place.start, place.end, found, ruling.reads, _kind(ruling, found), ruling.rule, 1.0, evidence)]


def _kind(ruling: Ruling, found: str) -> CorrectionKind:
    if ruling.verdict is Verdict.EMEND:
        return CorrectionKind.EMENDATION
    spaces_only = "".join(found.split()) == "".join((ruling.reads or "").split())
    return CorrectionKind.SPACING if spaces_only else CorrectionKind.MISREADING


def _ruled(place: _Place, made: Sequence[Correction]) -> Ruled:
    r = place.ruling
    reads = r.reads if r.reads is not None or r.verdict is Verdict.REJECT else " ".join(c.reads for c in made)
    return Ruled(place.start, place.end, r.verdict.value, r.found, reads, r.by, r.note, r.line)


# ------------------------------------------------------------------------------------------------------------ findings


def _nothing_there(ruling: Ruling) -> Finding:
    return _finding(DOUBTFUL, ruling, "nothing is suggested there; write read, with a reading")


def _finding(code: str, ruling: Ruling, what: str, span: tuple[int, int] = (0, 0)) -> Finding:
    quoted = brief([ruling.before, "|", ruling.found, "|", ruling.after])
    said = f"the ruling in line {ruling.line}, {ruling.verdict.value} {quoted!r}: {what}"
    return Finding(code, said, *span, candidates=(ruling.reads,) if ruling.reads else ())
