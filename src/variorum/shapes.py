"""The model's values as plain dicts and lists, ready for JSON. The keys named in the documentation are fixed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from variorum.model import (
    Change,
    Clause,
    Collation,
    Concordance,
    Correction,
    Finding,
    Law,
    Locus,
    Reading,
    Repair,
    Unit,
)

Shape = dict[str, Any]


def dumps(value: object, *, ascii_only: bool = False) -> str:
    """JSON text, laid out for reading."""
    return json.dumps(value, ensure_ascii=ascii_only, indent=2)


def clean(repair: Repair) -> Shape:
    """A repair: its text, its corrections and its findings."""
    return {
        "text": repair.text,
        "corrections": [correction(c) for c in repair.corrections],
        "findings": findings(repair.findings),
    }


def correction(value: Correction) -> Shape:
    """A correction, with the span of the raw text that it is about."""
    return {
        "start": value.start,
        "end": value.end,
        "found": value.found,
        "reads": value.reads,
        "kind": value.kind.value,
        "role": value.role,
        "rule": value.rule,
        "cert": value.cert,
        "evidence": value.evidence,
    }


def findings(values: Iterable[Finding]) -> list[Shape]:
    """Findings, in order."""
    return [
        {
            "code": value.code,
            "message": value.message,
            "start": value.start,
            "end": value.end,
            "siglum": value.siglum,
            "candidates": list(value.candidates),
            "problem": value.problem,
        }
        for value in values
    ]


def laws(values: Iterable[Law], doubts: Iterable[Finding]) -> Shape:
    """Laws in reading order, with the findings about them."""
    return {"laws": [_law(value) for value in values], "findings": findings(doubts)}


def _law(law: Law) -> Shape:
    return {
        "id": law.id,
        "number": law.number,
        "label": law.label,
        "section": law.section,
        "text": law.text,
        "clauses": _clauses(law.clauses),
        "notes": [note.text for note in law.notes],
        "gaps": [{"start": gap.start, "end": gap.end, "reason": gap.reason} for gap in law.gaps],
        "references": [{"start": r.start, "end": r.end, "target": r.target, "cert": r.cert} for r in law.references],
        "start": law.start,
        "end": law.end,
        "cert": law.cert,
    }


def _clauses(clauses: Iterable[Clause]) -> list[Shape]:
    return [{"label": c.label, "text": c.text, "clauses": _clauses(c.clauses)} for c in clauses]


def align(concordance: Concordance) -> Shape:
    """A concordance."""
    return {
        "witnesses": list(concordance.witnesses),
        "loci": [_locus(locus) for locus in concordance.loci],
        "findings": findings(concordance.findings),
    }


def _locus(locus: Locus) -> Shape:
    return {
        "id": locus.id,
        "laws": {siglum: list(ids) for siglum, ids in locus.laws.items()},
        "relation": locus.relation.value,
        "moved": locus.moved,
        "cert": locus.cert,
        "evidence": locus.evidence,
    }


def collate(collation: Collation) -> Shape:
    """A collation: its columns of words, and the places where the witnesses differ."""
    return {
        "witnesses": list(collation.witnesses),
        "columns": list(collation.columns),
        "units": [_unit(unit) for unit in collation.units],
    }


def _unit(unit: Unit) -> Shape:
    return {
        "id": unit.id,
        "kind": unit.kind.value,
        "accidental": unit.accidental,
        "first": unit.first,
        "last": unit.last,
        "readings": [_reading(reading) for reading in unit.readings],
    }


def _reading(reading: Reading) -> Shape:
    return {"text": reading.text, "witnesses": list(reading.witnesses), "state": reading.state.value}


def changes(witnesses: Sequence[str], values: Iterable[Change]) -> Shape:
    """Changes of rule between witnesses."""
    return {"witnesses": list(witnesses), "changes": [_change(value) for value in values]}


def _change(change: Change) -> Shape:
    return {
        "locus": change.locus,
        "laws": {siglum: list(ids) for siglum, ids in change.laws.items()},
        "kind": change.kind.value,
        "op": change.op,
        "readings": dict(change.readings),
        "sentence": change.sentence,
        "cert": change.cert,
    }
