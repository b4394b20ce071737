"""From the edition's values to DataFrames."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from variorum.model import (
    Change,
    ChangeKind,
    Clause,
    Collated,
    Collation,
    Correction,
    CorrectionKind,
    Finding,
    Law,
    Locus,
    Page,
    Unit,
    Witness,
    Work,
    law_key,
    locus_key,
)
from variorum.rulings.ruling import RULE as RULING
from variorum.sources.tei.foreign import RULE as ENCODER
from variorum.tables.columns import HOLDS, TABLES
from variorum.tables.counts import dated, doubtful, presence, shared_variants, similarity, words

if TYPE_CHECKING:
    from pandas import DataFrame

Record = dict[str, Any]

ASTYPE = {"int", "float", "bool"}  # columns that pandas keeps as such; all others hold objects as they are
CONTEXT = 5  # words and points before a variant: enough to find the place by eye in a law of some fifty words


def tables(works: Sequence[Work], witnesses: Sequence[Witness], findings: Sequence[Finding]) -> dict[str, DataFrame]:
    """All tables of an edition by name, each with the columns that the table "columns" explains.

    Cells hold text as str, numbers as int or float, yes and no as bool; a cell without a value is "". Keys are the
    xml:ids of the TEI files.
    """
    return {name: table(name, works, witnesses, findings) for name in TABLES}


def table(
    name: str, works: Sequence[Work] = (), witnesses: Sequence[Witness] = (), findings: Sequence[Finding] = ()
) -> DataFrame:
    """One table of an edition by its name, a key of TABLES."""
    import pandas as pd

    about = TABLES[name]
    columns = about.named(witness.siglum for witness in witnesses) if name != "columns" else about.named(())
    records = _RECORDS[name](works, witnesses, findings)
    rows = [[record.get(column, "") for column in columns] for record in records]
    # Cells stay the objects they are: a guess at their type would make a number of a law, or nothing of "NA".
    frame = pd.DataFrame(rows, columns=list(columns), dtype=object)
    return frame.astype({column: about.kind for column, about in columns.items() if about.kind in ASTYPE})


def alignment(collation: Collation) -> DataFrame:
    """The words of a collation, a column a witness; a cell without a word is ""."""
    import pandas as pd

    rows = [[surface or "" for surface in column.values()] for column in collation.columns]
    return pd.DataFrame(rows, columns=list(collation.witnesses), dtype=object)


# ----------------------------------------------------------------------------------------------------------- the tables


def _loci(works: Sequence[Work]) -> Iterator[tuple[Work, Locus]]:
    for work in works:
        for locus in work.concordance.loci:
            yield work, locus


def _by_id(work: Work) -> dict[tuple[str, str], Law]:
    return {(witness.siglum, law.id): law for witness in work.witnesses for law in witness.laws}


def _concordance(works: Sequence[Work], *_: object) -> Iterator[Record]:
    table = TABLES["concordance"]
    for work, locus in _loci(works):
        yield {
            "work": work.id,
            "locus": locus_key(work.id, locus.id),
            "relation": locus.relation.value,
            "moved": locus.moved,
            "cert": round(locus.cert, 4),
            "evidence": locus.evidence,
            **{table.witness(siglum): " + ".join(ids) for siglum, ids in locus.laws.items()},
        }


def _synopsis(works: Sequence[Work], *_: object) -> Iterator[Record]:
    table = TABLES["synopsis"]
    for work in works:
        law = _by_id(work)
        for locus in work.concordance.loci:
            texts = {s: "\n".join(law[s, i].whole for i in ids) for s, ids in locus.laws.items()}
            yield {
                "work": work.id,
                "locus": locus_key(work.id, locus.id),
                "relation": locus.relation.value,
                **{table.witness(siglum): text for siglum, text in texts.items()},
            }


def _register(works: Sequence[Work], witnesses: Sequence[Witness], _: object) -> Iterator[Record]:
    locus_of = {
        (siglum, law_id): locus_key(work.id, locus.id)
        for work, locus in _loci(works)
        for siglum, ids in locus.laws.items()
        for law_id in ids
    }
    for witness in witnesses:
        place = _Places(witness)
        for law in witness.laws:
            yield {
                "witness": witness.siglum,
                "law": law_key(witness.siglum, law.id),
                "number": law.number,
                "label": law.label,
                "section": law.section,
                "locus": locus_of.get((witness.siglum, law.id), ""),
                **place.of(law.start),
                "cert": round(law.cert, 4),
                "words": len(law.whole.split()),
                "clauses": _count(law.clauses),
                "text": law.whole,
                "notes": "\n".join(note.text for note in law.notes),
                "gaps": ", ".join(gap.reason for gap in law.gaps),
                "start": law.start,
                "end": law.end,
            }


def _count(clauses: tuple[Clause, ...]) -> int:
    return sum(1 + _count(clause.clauses) for clause in clauses)


def _variants(works: Sequence[Work], *_: object) -> Iterator[Record]:
    for work in works:
        for collated in work.loci:
            for unit in collated.collation.units:
                yield from _readings(work, collated, unit)


def _readings(work: Work, collated: Collated, unit: Unit) -> Iterator[Record]:
    locus = locus_key(work.id, collated.locus.id)
    lemma = unit.readings[0]
    before = _before(collated, unit, lemma.witnesses[0])
    for reading in unit.readings:
        yield {
            "work": work.id,
            "locus": locus,
            "unit": f"{locus}-{unit.id}",
            "kind": unit.kind.value,
            "class": "accidental" if unit.accidental else "substantive",
            "before": before,
            "lemma": lemma.text,
            "reading": reading.text,
            "state": reading.state.value,
            "witnesses": " ".join(reading.witnesses),
            "is_lemma": reading is lemma,
        }


def _before(collated: Collated, unit: Unit, siglum: str) -> str:
    tokens = []
    for row in reversed(collated.collation.rows[: unit.first]):
        if token := row[siglum]:
            tokens.append(token.surface + token.space)
            if len(tokens) == CONTEXT:
                break
    return "".join(reversed(tokens)).strip()


def _changes(works: Sequence[Work], *_: object) -> Iterator[Record]:
    for work in works:
        order = [witness.siglum for witness in dated(work)]
        for collated in work.loci:
            having: dict[object, list[str]] = defaultdict(list)
            for change in collated.changes:
                having[_same_change(change)] += list(change.readings)[1:]
            for change in collated.changes:
                first = [siglum for siglum in order if siglum in having[_same_change(change)]]
                yield _change(work, change, first[0] if first else "")


def _same_change(change: Change) -> object:
    """What is the same for changes that set other editions against the same one in the same words."""
    against, *_ = change.readings
    return change.kind, change.op, against, tuple(words.casefold() for words in change.readings.values())


def _change(work: Work, change: Change, first: str) -> Record:
    table = TABLES["changes"]
    return {
        "work": work.id,
        "locus": locus_key(work.id, change.locus),
        "laws": "; ".join(f"{siglum} {' + '.join(ids)}" for siglum, ids in change.laws.items()),
        "kind": change.kind.value,
        "op": change.op,
        "of_rule": change.kind is not ChangeKind.TERM,
        "first": first,
        "sentence": change.sentence,
        "cert": round(change.cert, 4),
        **{table.witness(siglum): words for siglum, words in change.readings.items()},
    }


def _corrections(works: Sequence[Work], witnesses: Sequence[Witness], _: object) -> Iterator[Record]:
    for witness in witnesses:
        place = _Places(witness)
        for correction in witness.repair.corrections:
            yield _correction(correction, place)


def _correction(correction: Correction, place: _Places) -> Record:
    return {
        "witness": place.siglum,
        **place.of(correction.start),
        "law": place.law(correction.start),
        "found": correction.found,
        "reads": correction.reads,
        "kind": correction.kind.value,
        "role": correction.role,
        "rule": correction.rule,
        "decided": _decided(correction.rule),
        "cert": round(correction.cert, 4),
        "evidence": correction.evidence,
        **place.on_image(correction.start, correction.end),
        "start": correction.start,
        "end": correction.end,
    }


def _decided(rule: str) -> str:
    """Who answers for a correction."""
    family, _, name = rule.partition(":")
    if family == RULING:
        return name.strip() or "editor"
    return "file" if rule == ENCODER else "program"


def _rulings(works: Sequence[Work], witnesses: Sequence[Witness], _: object) -> Iterator[Record]:
    for witness in witnesses:
        place = _Places(witness)
        for ruled in witness.repair.rulings:
            yield {
                "witness": witness.siglum,
                **place.of(ruled.start),
                "law": place.law(ruled.start),
                "verdict": ruled.verdict,
                "found": witness.repair.raw[ruled.start : ruled.end],
                "reads": ruled.reads or "",
                "by": ruled.by,
                "note": ruled.note,
                "ruling": ruled.line,
                "start": ruled.start,
                "end": ruled.end,
            }


def _findings(works: Sequence[Work], witnesses: Sequence[Witness], findings: Sequence[Finding]) -> Iterator[Record]:
    places = {witness.siglum: _Places(witness) for witness in witnesses}
    for finding in findings:
        place = places.get(finding.siglum)
        somewhere: Record = {}
        if place and finding.end:
            somewhere = {**place.of(finding.start), "law": place.law(finding.start)}
            somewhere["found"] = place.raw[finding.start : finding.end]
        yield {
            "witness": finding.siglum,
            "code": finding.code,
            "message": finding.message,
            "problem": finding.problem,
            "candidates": " | ".join(finding.candidates),
            "start": finding.start,
            "end": finding.end,
            **somewhere,
        }


_KIND_COLUMNS = {
    "misreadings": CorrectionKind.MISREADING,
    "breaks": CorrectionKind.BREAK,
    "spacings": CorrectionKind.SPACING,
    "furniture": CorrectionKind.FURNITURE,
    "encodings": CorrectionKind.ENCODING,
    "emendations": CorrectionKind.EMENDATION,
}


def _witnesses(works: Sequence[Work], witnesses: Sequence[Witness], findings: Sequence[Finding]) -> Iterator[Record]:
    bases = {work.base for work in works}
    doubts = Counter(finding.siglum for finding in findings)
    for witness in witnesses:
        kinds = Counter(correction.kind for correction in witness.repair.corrections)
        yield {
            "witness": witness.siglum,
            "work": witness.work,
            "base": witness.siglum in bases,
            **_imprint(witness),
            "file": witness.source.name,
            "sha256": witness.source.sha256,
            "encoding": witness.source.encoding,
            "characters": len(witness.source.raw),
            "pages": len(witness.repair.pages),
            "laws": len(witness.laws),
            "words": sum(len(law.whole.split()) for law in witness.laws),
            "noise": round(witness.repair.noise, 4),
            "doubtful": round(doubtful(witness), 4),
            "corrections": kinds.total() - kinds[CorrectionKind.FURNITURE],
            **{column: kinds[kind] for column, kind in _KIND_COLUMNS.items()},
            "findings": doubts[witness.siglum],
        }


def _imprint(witness: Witness) -> Record:
    imprint = witness.imprint
    facts = {"title": imprint.title, "author": imprint.author, "publisher": imprint.publisher}
    return {
        **{name: fact.value for name, fact in facts.items()},
        **{f"{name}_status": fact.status for name, fact in facts.items()},
        "not_before": "" if imprint.not_before is None else imprint.not_before,
        "not_after": "" if imprint.not_after is None else imprint.not_after,
        "date_status": imprint.date_status,
        "origin": imprint.origin,
        "licence": imprint.licence,
        "remark": imprint.remark,
    }


def _columns(works: Sequence[Work], witnesses: Sequence[Witness], _: object) -> Iterator[Record]:
    sigla = [witness.siglum for witness in witnesses]
    for name, table in TABLES.items():
        for column, about in table.named(sigla if name != "columns" else ()).items():
            yield {"table": name, "column": column, "holds": HOLDS[about.kind], "meaning": about.meaning}


_RECORDS: Mapping[str, Callable[[Sequence[Work], Sequence[Witness], Sequence[Finding]], Iterator[Record]]] = {
    "concordance": _concordance,
    "presence": presence,
    "synopsis": _synopsis,
    "register": _register,
    "variants": _variants,
    "changes": _changes,
    "similarity": similarity,
    "shared_variants": shared_variants,
    "words": words,
    "corrections": _corrections,
    "rulings": _rulings,
    "findings": _findings,
    "witnesses": _witnesses,
    "columns": _columns,
}


# --------------------------------------------------------------------------------------------------------------- places


class _Places:
    """Where an offset of a witness's raw text stands: its line, page and law."""

    def __init__(self, witness: Witness) -> None:
        self.siglum = witness.siglum
        self.raw = witness.repair.raw
        self._lines = [k for k, character in enumerate(self.raw) if character == "\n"]
        self._pages: tuple[Page, ...] = witness.repair.pages
        self._page_starts = [page.start for page in self._pages]
        self._words = witness.source.places
        self._word_starts = [word.start for word in self._words]
        self._laws = witness.laws
        self._law_starts = [law.start for law in self._laws]

    def of(self, at: int) -> Record:
        """The cells page, folio and line."""
        k = bisect_right(self._page_starts, at) - 1
        page = self._pages[k] if k >= 0 and at < self._pages[k].end else None
        return {
            "page": str(page.n) if page else "",
            "folio": page.folio if page else "",
            "line": 1 + bisect_right(self._lines, at - 1),
        }

    def on_image(self, start: int, end: int) -> Record:
        """The cells image and box of the words in a span, as far as the source says where they stand."""
        last = bisect_left(self._word_starts, end)
        first = max(0, bisect_right(self._word_starts, start) - 1)
        boxes = [p.box for p in self._words[first:last] if p.box and p.end > start]
        k = bisect_right(self._page_starts, start) - 1
        edges = list(zip(*boxes, strict=True))
        around = (min(edges[0]), min(edges[1]), max(edges[2]), max(edges[3])) if edges else ()
        return {"image": self._pages[k].image if k >= 0 else "", "box": " ".join(map(str, around))}

    def law(self, at: int) -> str:
        """The key of the law that the character belongs to, or ""."""
        k = bisect_right(self._law_starts, at) - 1
        return law_key(self.siglum, self._laws[k].id) if k >= 0 and at < self._laws[k].end else ""
