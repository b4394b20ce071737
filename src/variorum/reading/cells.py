"""A witness's text at a locus, set for reading: its laws and clauses, with the places of difference marked."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from variorum.keys import Keys
from variorum.model import Clause, Collated, Correction, CorrectionKind, Finding, Law, UnitKind, Witness, law_key

KINDS = tuple(UnitKind)
# What would act on the page and not be seen: controls, what turns the direction of writing, halves of a character.
_ACTING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
_LONG = 14  # words from which a reading is shown in the apparatus by its first and last words only
_ENDS = 5


def seen(text: str) -> str:
    """The text with what a browser would obey or refuse made visible, as a name in brackets: \\x00 -> ⟨U+0000⟩."""
    return _ACTING.sub(lambda m: f"⟨U+{ord(m[0]):04X}⟩", text)


def html(text: str) -> Markup:
    """A text as HTML that shows that text."""
    return escape(seen(text))


def brief(text: str) -> str:
    """A reading for the apparatus: a long one by its first and last words."""
    words = text.split()
    if len(words) < _LONG:
        return text
    return " ".join((*words[:_ENDS], "…", *words[-_ENDS:]))


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int
    text: str
    unit: int  # 0 outside every unit


def law_html(collated: Collated, witness: Witness, keys: Keys) -> Markup:
    """The laws of a witness at a locus: one block a law, a paragraph a clause, with their keys (of the witness) as ids.

    The words are those of the collation; each place of difference stands in an element whose data-u is the number of
    its unit. An empty element stands where the witness lacks the words.
    """
    laws = laws_at(collated, witness)
    starts = list(_starts(laws))
    pieces = list(_cut(_pieces(collated, witness.siglum), [start for start, _, _ in starts[1:]]))
    blocks: list[list[Markup]] = [[] for _ in starts]
    k = 0
    for piece in pieces:
        while k + 1 < len(starts) and piece.start >= starts[k + 1][0] and piece.text:
            k += 1
        blocks[k].append(_span(collated, piece))
    several = len({law.section for law in witness.laws}) > 1
    out: list[Markup] = []
    last: Law | None = None
    for (_, law, part), block in zip(starts, blocks, strict=True):
        if law is not last:
            out.append(
                _close(last) + Markup('<div class="law" id="{}" dir="auto">').format(law_key(witness.siglum, law.id))
            )
            out.append(_section(law) * several + _number(law))
            last = law
        name = _named(part, keys) if part else Markup("")
        out.append(Markup("<p{}>{}</p>").format(name, Markup("").join(block)))
    return Markup("").join(out) + _close(last)


@dataclass(frozen=True, slots=True)
class _Part:
    """A clause with its depth, 1 for the clauses of a law."""

    clause: Clause
    depth: int


def _named(part: _Part, keys: Keys) -> Markup:
    return Markup(' class="d{}" id="{}"').format(min(part.depth, 3), keys.clause(part.clause))


def laws_at(collated: Collated, witness: Witness) -> tuple[Law, ...]:
    """The laws of a witness that stand at a locus, in the order of the locus."""
    by_id = {law.id: law for law in witness.laws}
    return tuple(by_id[i] for i in collated.locus.laws.get(witness.siglum, ()))


def _close(law: Law | None) -> Markup:
    if law is None:
        return Markup("")
    notes = Markup("").join(Markup('<p class="note" dir="auto">{}</p>').format(html(n.text)) for n in law.notes)
    gaps = Markup("").join(Markup('<p class="gap">[text lost: {}]</p>').format(gap.reason) for gap in law.gaps)
    return notes + gaps + Markup("</div>")


def _section(law: Law) -> Markup:
    return Markup('<p class="sec" dir="auto">{}</p>').format(html(law.section)) if law.section else Markup("")


def _number(law: Law) -> Markup:
    printed = law.label.strip(" .)(")
    if printed == law.number:
        return Markup('<b class="no">{}</b>').format(html(law.number))
    said = f"printed {law.label}" if law.label else "number lost"
    return Markup('<b class="no">{} <i>[{}]</i></b>').format(html(law.number), html(said))


def _starts(laws: Sequence[Law]) -> Iterator[tuple[int, Law, _Part | None]]:
    """Where each law and clause begins in the laws' text run together."""
    at = 0
    for law in laws:
        parts: list[tuple[str, _Part | None]] = [(law.text, None)] if law.text or not law.clauses else []
        for text, part in (*parts, *_clauses(law.clauses, 1)):
            yield at, law, part
            at += len(text) + 1


def _clauses(clauses: Iterable[Clause], depth: int) -> Iterator[tuple[str, _Part]]:
    for clause in clauses:
        yield f"({clause.label}) {clause.text}", _Part(clause, depth)
        yield from _clauses(clause.clauses, depth + 1)


def _pieces(collated: Collated, siglum: str) -> Iterator[_Piece]:
    collation = collated.collation
    unit_of = [0] * len(collation.rows)
    for n, unit in enumerate(collation.units, 1):
        unit_of[unit.first : unit.last] = [n] * (unit.last - unit.first)
    at, k = 0, 0
    while k < len(unit_of):
        first, unit_no = k, unit_of[k]
        while k < len(unit_of) and unit_of[k] == unit_no:
            k += 1
        tokens = [t for row in collation.rows[first:k] if (t := row[siglum])]
        text = "".join(t.surface + t.space for t in tokens)
        words = text.rstrip() if unit_no else text
        yield _Piece(at, words, unit_no)
        if len(words) < len(text):
            yield _Piece(at + len(words), text[len(words) :], 0)
        at += len(text)


def _cut(pieces: Iterable[_Piece], borders: Sequence[int]) -> Iterator[_Piece]:
    for piece in pieces:
        text, start = piece.text, piece.start
        for border in borders[bisect_left(borders, start + 1) :]:
            if border >= start + len(text):
                break
            yield _Piece(start, text[: border - start], piece.unit)
            text, start = text[border - start :], border
        yield _Piece(start, text, piece.unit)


def _span(collated: Collated, piece: _Piece) -> Markup:
    if not piece.unit:
        return html(piece.text)
    kind = KINDS.index(collated.collation.units[piece.unit - 1].kind)
    name = f"v k{kind}" if piece.text else f"v o k{kind}"
    return Markup('<span class="{}" data-u="{}">{}</span>').format(name, piece.unit, html(piece.text))


# ------------------------------------------------------------------------------------------------------- the raw page


class Page:
    """The raw text of a witness with what was corrected and doubted on it."""

    def __init__(self, witness: Witness, findings: Iterable[Finding]) -> None:
        self.raw = witness.repair.raw
        self._corrections = witness.repair.corrections
        self._starts = [c.start for c in self._corrections]
        self._findings = sorted(
            (f for f in findings if f.siglum == witness.siglum and f.end), key=lambda f: (f.start, f.end, f.code)
        )
        self._doubts = [f.start for f in self._findings]

    def corrections(self, start: int, end: int) -> Sequence[Correction]:
        """The corrections that begin in [start, end) of the raw text."""
        return self._corrections[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def findings(self, start: int, end: int) -> Sequence[Finding]:
        """The doubts about places in [start, end)."""
        return self._findings[bisect_left(self._doubts, start) : bisect_left(self._doubts, end)]

    def html(self, start: int, end: int) -> Markup:
        """The raw text of [start, end), each corrected span marked."""
        out, at = [], start
        for c in self.corrections(start, end):
            stop = min(c.end, end)
            name = "s f" if c.kind is CorrectionKind.FURNITURE else "s"
            out.append(html(self.raw[at : c.start]))
            out.append(Markup('<span class="{}">{}</span>').format(name, html(c.found[: stop - c.start])))
            at = stop
        out.append(html(self.raw[at:end]))
        return Markup("").join(out)
