"""Small witnesses and works written by hand, readable enough to check by eye.

A text is written as it stands on the page; a correction is written into it as {found=>reads}, with its kind before a
colon where it is not a misreading: {break:- =>}, {header:CARDS=>}, {spacing:mus t=>must}, {print:If=>if}.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from variorum.model import (
    ACCIDENTALS,
    Block,
    Change,
    Clause,
    Collated,
    Collation,
    Concordance,
    Correction,
    CorrectionKind,
    Fact,
    Finding,
    Gap,
    Heading,
    Imprint,
    Law,
    Locus,
    Note,
    Page,
    Prose,
    Reading,
    Reference,
    Relation,
    Repair,
    Segmented,
    Source,
    State,
    Token,
    Unit,
    UnitKind,
    Witness,
    Work,
)

_MARK = re.compile(r"\{(?:(\w+):)?([^{}]*?)=>([^{}]*?)\}", re.DOTALL)
_KINDS = {
    None: (CorrectionKind.MISREADING, ""),
    "break": (CorrectionKind.BREAK, ""),
    "spacing": (CorrectionKind.SPACING, ""),
    "encoding": (CorrectionKind.ENCODING, ""),
    "print": (CorrectionKind.EMENDATION, ""),
    **{role: (CorrectionKind.FURNITURE, role) for role in ("header", "pageNum", "catch", "sig")},
}


@dataclass
class Writer:
    """A raw text as it grows, with the corrections and blocks noted on it."""

    raw: str = ""
    corrections: list[Correction] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    cert: float = 0.9

    def add(self, marked: str) -> tuple[int, int]:
        """Adds some text and returns its span."""
        start, at = len(self.raw), 0
        for match in _MARK.finditer(marked):
            self.raw += marked[at : match.start()]
            kind, role = _KINDS[match[1]]
            here = len(self.raw)
            rule = "ruling.editor" if match[1] == "print" else f"{kind.value}.rule"
            self.corrections.append(
                Correction(here, here + len(match[2]), match[2], match[3], kind, rule, self.cert, "by hand", role)
            )
            self.raw += match[2]
            at = match.end()
        self.raw += marked[at:]
        return start, len(self.raw)

    def prose(self, marked: str) -> Writer:
        start, end = self.add(marked)
        self.blocks.append(Prose("", start, end))
        return self

    def heading(self, marked: str, level: int = 2) -> Writer:
        start, end = self.add(marked)
        self.blocks.append(Heading("", start, end, level))
        return self

    def space(self, marked: str = " ") -> Writer:
        """What stands between two blocks."""
        self.add(marked)
        return self

    def page(self, folio: str = "", image: str = "") -> Writer:
        """A page begins here."""
        self.pages.append(Page(len(self.pages) + 1, len(self.raw), len(self.raw), folio, image))
        return self

    def law(
        self,
        key: str,
        label: str,
        marked: str,
        *clauses: tuple[str, str, str] | str,
        number: str = "",
        cert: float = 1.0,
        refs: Mapping[str, str] | None = None,
        gaps: Sequence[tuple[str, str]] = (),
        notes: Sequence[str] = (),
    ) -> Writer:
        """A law: its label and text; clauses (label, as printed, text), between which a str is white space or text.

        `refs` maps words of the law to the law they name, `gaps` are ("start" | "end" | a remnant, reason), `notes` are
        remarks as they stand in the law.
        """
        start, label_end = self.add(label)
        self.add(marked)
        parts = []
        for clause in clauses:
            if isinstance(clause, str):
                self.add(clause)
                continue
            a, b = self.add(clause[1])
            _, c = self.add(clause[2])
            parts.append(Clause(clause[0], "", a, c, b))
        end = len(self.raw)
        self.blocks.append(
            Law(
                key,
                number or key.rpartition(".")[2],
                label.strip(),
                "",
                "",
                start,
                end,
                label_end,
                tuple(parts),
                tuple(Note("", *self._find(n, start), n[:1]) for n in notes),
                tuple(self._gap(where, reason, start, end) for where, reason in gaps),
                tuple(Reference(*self._find(words, start), target, 0.9) for words, target in (refs or {}).items()),
                cert,
            )
        )
        return self

    def _find(self, words: str, after: int) -> tuple[int, int]:
        at = self.raw.index(words, after)
        return at, at + len(words)

    def _gap(self, where: str, reason: str, start: int, end: int) -> Gap:
        span = {"start": (start, start), "end": (end, end)}.get(where) or self._find(where, start)
        return Gap(*span, reason)  # type: ignore[arg-type]

    def doubt(self, words: str, *candidates: str) -> Writer:
        """A finding on the last place where some words stand."""
        at = self.raw.rindex(words)
        self.findings.append(Finding("doubtful-word", "It may be otherwise.", at, at + len(words), "", candidates))
        return self

    def witness(self, siglum: str = "EcA", title: str = "Rules of Écarté", year: int | None = 1850) -> Witness:
        """All of it as one witness."""
        pages = tuple(
            Page(p.n, p.start, self.pages[p.n].start if p.n < len(self.pages) else len(self.raw), p.folio, p.image)
            for p in self.pages
        )
        repair = Repair(self.raw, tuple(self.corrections), pages=pages)
        return Witness(
            siglum,
            "ecarte",
            Imprint(
                Fact(title, "stated" if title else "unknown"),
                Fact("", "unknown"),
                Fact("Bohn", "inferred"),
                year,
                year,
                "inferred" if year else "unknown",
                "a made-up page",
                "public domain",
            ),
            Source(self.raw, f"{siglum}.txt", "0" * 64, "utf-8"),
            Segmented(repair, tuple(self.blocks), tuple(self.findings)),
        )


def rows(**lines: str) -> Collation:
    """Rows of a collation: cells parted by |, a space at a cell's end is the token's, an empty cell is no token."""
    cells = {siglum: line.split("|") for siglum, line in lines.items()}
    count = max(map(len, cells.values()))
    table = [{s: _token(c[k] if k < len(c) else "") for s, c in cells.items()} for k in range(count)]
    return Collation(tuple(lines), tuple(table))


def _token(cell: str) -> Token | None:
    surface = cell.rstrip(" ")
    return Token(surface, surface.lower(), cell[len(surface) :]) if surface else None


def with_units(collation: Collation, *units: tuple[UnitKind, int, int], **states: State) -> Collation:
    """The collation with units over some of its rows; the first witness is the base.

    `states` says what a witness without words has where it is no omission.
    """
    made = []
    for n, (kind, first, last) in enumerate(units, 1):
        groups: dict[tuple[str, State], list[str]] = {}
        for siglum in collation.witnesses:
            tokens = [t for row in collation.rows[first:last] if (t := row[siglum])]
            text = " ".join("".join(t.surface + t.space for t in tokens).split())
            state = State.TEXT if text else states.get(siglum, State.OMISSION)
            groups.setdefault((text, state), []).append(siglum)
        readings = tuple(Reading(text, tuple(sigla), state) for (text, state), sigla in groups.items())
        made.append(Unit(f"u{n:02}", kind, first, last, readings))
    return Collation(collation.witnesses, collation.rows, tuple(made))


def locus(key: str, relation: Relation = Relation.REVISED, moved: bool = False, **laws: str) -> Locus:
    """A locus: for each witness its law ids, parted by spaces."""
    return Locus(key, {s: tuple(ids.split()) for s, ids in laws.items()}, relation, moved, 0.8, "words in common")


def change(locus_id: str, kind: str, laws: Mapping[str, tuple[str, ...]], **readings: str) -> Change:
    """A change of rule, shown by some words of each witness."""
    from variorum.model import ChangeKind

    return Change(locus_id, laws, ChangeKind(kind), "altered", readings, "The one differs from the other.", 0.75)


def work(*loci: tuple[Locus, Collation] | tuple[Locus, Collation, tuple[Change, ...]], **witnesses: Witness) -> Work:
    """A work whose first witness is the base."""
    collated = tuple(Collated(*parts) for parts in loci)
    sigla = tuple(witnesses)
    concordance = Concordance(sigla, tuple(c.locus for c in collated))
    return Work("ecarte", "Laws of Écarté", sigla[0], tuple(witnesses.values()), concordance, collated)


__all__ = ["ACCIDENTALS", "Writer", "change", "locus", "rows", "with_units", "work"]
