"""Tables that count: presence and order, agreement of the witnesses, words and their spellings, words in doubt."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from variorum.model import CorrectionKind, Locus, Token, Unit, UnitKind, Witness, Work, locus_key
from variorum.tables.columns import TABLES, UNSURE
from variorum.tokens import is_word

Record = dict[str, Any]

# No evidence of how editions are related: what the machine did, what is lost, what cannot be set side by side.
_NO_EVIDENCE = {UnitKind.OCR, UnitKind.LACUNA, UnitKind.ABSENT, UnitKind.RECAST}


def presence(works: Sequence[Work], *_: object) -> Iterator[Record]:
    """One row a locus: the place of its laws in the order of each witness."""
    table = TABLES["presence"]
    for work in works:
        place = {(w.siglum, law.id): str(k) for w in work.witnesses for k, law in enumerate(w.laws, 1)}
        order = [witness.siglum for witness in dated(work)]
        for locus in work.concordance.loci:
            having = [siglum for siglum in order if siglum in locus.laws]
            yield {
                "work": work.id,
                "locus": locus_key(work.id, locus.id),
                "moved": locus.moved,
                "witnesses": len(locus.laws),
                "of": len(work.witnesses),
                "first": having[0] if having else "",
                "last": having[-1] if having else "",
                **{table.witness(s): _places(locus, s, place) for s in locus.laws},
            }


def _places(locus: Locus, siglum: str, place: dict[tuple[str, str], str]) -> str:
    return " + ".join(place[siglum, law_id] for law_id in locus.laws[siglum])


def dated(work: Work) -> list[Witness]:
    """The witnesses of which a year is known, the oldest first, by their earliest year and then their latest."""
    years = {}
    for k, witness in enumerate(work.witnesses):
        known = [y for y in (witness.imprint.not_before, witness.imprint.not_after) if y is not None]
        if known:
            years[k] = (known[0], known[-1])
    return [work.witnesses[k] for k in sorted(years, key=lambda k: years[k])]


# ------------------------------------------------------------------------------------------------------------ agreement


def similarity(works: Sequence[Work], *_: object) -> Iterator[Record]:
    """One row a witness: the share of equal words with each other witness, as in Dice's coefficient."""
    table = TABLES["similarity"]
    for work in works:
        equal, both = _agreement(work)
        for siglum in _sigla(work):
            cells = {
                table.witness(other): round(2 * equal[siglum, other] / both[siglum, other], 4)
                for other in _sigla(work)
                if both[siglum, other]
            }
            yield {"work": work.id, "witness": siglum, **cells}


def _agreement(work: Work) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    """For each pair of witnesses: words that agree, and words of the one and the other, over their common loci."""
    equal: Counter[tuple[str, str]] = Counter()
    both: Counter[tuple[str, str]] = Counter()
    for collated in work.loci:
        present = [s for s in _sigla(work) if s in collated.locus.laws]
        size: Counter[str] = Counter()
        for row in collated.collation.rows:
            normals: dict[str, list[str]] = defaultdict(list)
            for siglum in present:
                token = row.get(siglum)
                if token and is_word(token):
                    normals[token.normal].append(siglum)
                    size[siglum] += 1
            for same in normals.values():
                equal.update((a, b) for a in same for b in same)
        both.update({(a, b): size[a] + size[b] for a in present for b in present})
    return equal, both


def shared_variants(works: Sequence[Work], *_: object) -> Iterator[Record]:
    """Two rows a witness, of substantive and of accidental variants: how often it goes with each other witness."""
    table = TABLES["shared_variants"]
    for work in works:
        together: dict[bool, Counter[tuple[str, str]]] = {False: Counter(), True: Counter()}
        for collated in work.loci:
            for unit in collated.collation.units:
                if unit.kind not in _NO_EVIDENCE:
                    together[unit.accidental].update(_pairs(unit))
        for accidental, pairs in together.items():
            for siglum in _sigla(work):
                yield {
                    "work": work.id,
                    "class": "accidental" if accidental else "substantive",
                    "witness": siglum,
                    **{table.witness(other): pairs[siglum, other] for other in _sigla(work)},
                }


def _pairs(unit: Unit) -> Iterator[tuple[str, str]]:
    """Pairs of witnesses of the same reading: to want words is a reading, to have lost them is none."""
    for reading in unit.readings:
        if reading.state in ("text", "omission"):
            yield from ((a, b) for a in reading.witnesses for b in reading.witnesses)


def _sigla(work: Work) -> tuple[str, ...]:
    return tuple(witness.siglum for witness in work.witnesses)


# ---------------------------------------------------------------------------------------------------------------- words


def words(works: Sequence[Work], *_: object) -> Iterator[Record]:
    """One row a spelling, the spellings of one word together, words in the order of the alphabet."""
    table = TABLES["words"]
    for work in works:
        counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for collated in work.loci:
            for row in collated.collation.rows:
                for siglum, token in row.items():
                    if token and is_word(token):
                        counts[token.normal, token.surface][siglum] += 1
        commonest = _one_word(work, counts)
        lines = sorted(
            (commonest[normal], -each.total(), surface, normal) for (normal, surface), each in counts.items()
        )
        forms: dict[str, set[str]] = defaultdict(set)
        for word, _count, surface, _normal in lines:
            forms[word].add(surface.casefold())
        for word, count, surface, normal in lines:
            yield {
                "work": work.id,
                "word": word,
                "spelling": surface,
                "spellings": len(forms[word]),
                "count": -count,
                **{table.witness(s): counts[normal, surface][s] for s in _sigla(work)},
            }


def _one_word(work: Work, counts: dict[tuple[str, str], Counter[str]]) -> dict[str, str]:
    """Each normal form with the commonest form of its word; a unit of spelling says which forms are one word."""
    totals: Counter[str] = Counter()
    for (normal, _), each in counts.items():
        totals[normal] += each.total()
    of = {normal: normal for normal in totals}  # towards the head of its word; the head stands for itself

    def head(form: str) -> str:
        while of[form] != form:
            of[form] = of[of[form]]
            form = of[form]
        return form

    for forms in _spelled_otherwise(work):
        heads = {head(form) for form in forms}
        first = min(heads, key=lambda form: (-totals[form], form))
        of.update(dict.fromkeys(heads, first))
    return {form: head(form) for form in totals}


def _spelled_otherwise(work: Work) -> Iterator[set[str]]:
    """The normal forms of a unit of spelling in which every witness has one word or none."""
    for collated in work.loci:
        for unit in collated.collation.units:
            if unit.kind is UnitKind.SPELLING:
                rows = collated.collation.rows[unit.first : unit.last]
                forms = [_words(row.get(siglum) for row in rows) for siglum in collated.collation.witnesses]
                if all(len(form) <= 1 for form in forms):
                    yield {form[0] for form in forms if form}


def _words(tokens: Iterable[Token | None]) -> list[str]:
    return [token.normal for token in tokens if token and is_word(token)]


# ---------------------------------------------------------------------------------------------------------------- doubt


def doubtful(witness: Witness) -> float:
    """The share of doubtful words in the laws, as the data dictionary has it; a word is what stands between spaces."""
    starts, ends = [], []
    for law in witness.laws:
        for match in re.compile(r"\S+").finditer(witness.repair.raw, law.start, law.end):
            starts.append(match.start())
            ends.append(match.end())
    touched: set[int] = set()
    for start, end in _doubts(witness):
        k = max(bisect_right(starts, start) - 1, 0)
        while k < len(starts) and starts[k] < end:
            if ends[k] > start:
                touched.add(k)
            k += 1
    return len(touched) / len(starts) if starts else 0.0


def _doubts(witness: Witness) -> Iterator[tuple[int, int]]:
    """Spans with a reading thought of and not applied, and of unsure corrections, in order and disjoint."""
    spans = [(f.start, f.end) for f in witness.repair.findings if f.candidates]
    spans += [
        (c.start, c.end)
        for c in witness.repair.corrections
        if c.cert < UNSURE and c.kind is not CorrectionKind.FURNITURE
    ]
    at = 0
    for start, end in sorted(spans):
        if end > at:
            yield max(start, at), end
            at = end
