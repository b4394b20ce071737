"""The nouns of an edition: frozen, validated at birth, free of every library.

One unit of offset everywhere: code points of the NFC text of the raw file, half-open. `Repair.raw[start:end]` is always
what stands on the page; what the editor reads instead is a `Correction` pointing at that span.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Literal

from variorum.errors import ModelError


def _refuse(what: str) -> None:
    raise ModelError("model", what)


# ---------------------------------------------------------------------------------------------------------------- pages


class CorrectionKind(StrEnum):
    """What went wrong at a corrected span."""

    MISREADING = "misreading"  # the OCR's fault
    BREAK = "break"  # a word carried over a line end
    SPACING = "spacing"  # spaces lost or added by the OCR
    FURNITURE = "furniture"  # running head, folio, catchword, signature: on the page, not in the text
    ENCODING = "encoding"  # mojibake, control characters
    EMENDATION = "emendation"  # the printer's fault, only by an editor's ruling


FurnitureRole = Literal["", "header", "pageNum", "catch", "sig"]


@dataclass(frozen=True, slots=True)
class Correction:
    """A proposed reading for a span of the raw text.

    `found` is what the page says at [start, end), `reads` what the editor reads there ("" takes the span out), `rule`
    the name of the rule that proposed it, `cert` its certainty from 0 to 1, `evidence` the reason in a few plain words.
    `role` tells kinds of furniture apart and is "" for everything else.
    """

    start: int
    end: int
    found: str
    reads: str
    kind: CorrectionKind
    rule: str
    cert: float
    evidence: str = ""
    role: FurnitureRole = ""

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end or self.end - self.start != len(self.found):
            _refuse(f"correction of {self.found!r} does not fit its span [{self.start}, {self.end})")
        if self.found == self.reads:
            _refuse(f"correction at {self.start} reads what it found, {self.found!r}")
        if not 0.0 <= self.cert <= 1.0:
            _refuse(f"certainty {self.cert} at {self.start} is not between 0 and 1")
        if bool(self.role) != (self.kind is CorrectionKind.FURNITURE):
            _refuse(f"correction at {self.start}: furniture has a role, and nothing else has one")


@dataclass(frozen=True, slots=True)
class Finding:
    """A doubt to be read by the editor.

    `code` is a short stable name ("law-number-inferred"), `message` one plain sentence, `start`/`end` the raw span it
    is about (both 0 when it is about the whole witness), `siglum` the witness or "". `candidates` are readings thought
    of and not applied. `problem` marks what makes the command end with exit code 3.
    """

    code: str
    message: str
    start: int = 0
    end: int = 0
    siglum: str = ""
    candidates: tuple[str, ...] = ()
    problem: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            _refuse(f"finding {self.code} has the span [{self.start}, {self.end})")


@dataclass(frozen=True, slots=True)
class Page:
    """One image's text: [start, end) of the raw text; `n` its running number from 1, `folio` what is printed on it.

    `image` is the name of the image where the file gives it, never a path that leads out of the corpus.
    """

    n: int
    start: int
    end: int
    folio: str = ""
    image: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a word of the raw text, [start, end), stands on its page's image, and how sure the OCR engine was of it.

    `box` is left, top, right, bottom in pixels of that image, or None; `confidence` 0 to 1, or None where the file
    gives none.
    """

    start: int
    end: int
    box: tuple[int, int, int, int] | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A witness's raw text as read from its file, NFC, line ends as LF; `sha256` is that of the bytes on disk.

    `stated` is what the file itself says of its corrections, pages and laws (its blocks are empty where it marks no
    laws), or None: a plain text says nothing. `places` has the words in order, where the file says where they stand.
    """

    raw: str
    name: str = ""
    sha256: str = ""
    encoding: str = ""
    pages: tuple[Page, ...] = ()
    findings: tuple[Finding, ...] = ()
    stated: Segmented | None = None
    places: tuple[Place, ...] = ()

    def confidence_at(self, start: int, end: int) -> float | None:
        """How sure the OCR engine was of the raw text at [start, end), 0 to 1: as of the word it was least sure of.

        None where the file says nothing of any word there.
        """
        first = bisect_right(self.places, start, key=lambda place: place.end)
        last = bisect_left(self.places, max(end, start + 1), lo=first, key=lambda place: place.start)
        known = [p.confidence for p in self.places[first:last] if p.confidence is not None]
        return min(known, default=None)


@dataclass(frozen=True, slots=True)
class Ruled:
    """An editor's ruling as it was carried out at [start, end) of the raw text.

    `verdict` is accept, reject, read or emend, `found` the words ruled on, `reads` what is read there, or None where
    the page is right. `by` names the editor and `note` gives his reason, both may be ""; `line` is that of his file.
    """

    start: int
    end: int
    verdict: str
    found: str
    reads: str | None
    by: str = ""
    note: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Repair:
    """The raw text, untouched, with the corrections proposed for it, in order and without overlap.

    `text` is derived: the raw text with every correction applied. `pages` are the page spans of the raw text.
    `noise` is the estimated share of characters misread, 0 to 1; `rulings` are those carried out, in order. Raises
    ModelError where a correction does not say what the page says or overlaps another.
    """

    raw: str
    corrections: tuple[Correction, ...] = ()
    findings: tuple[Finding, ...] = ()
    pages: tuple[Page, ...] = ()
    noise: float = 0.0
    rulings: tuple[Ruled, ...] = field(default=(), compare=False)
    text: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        pieces, at = [], 0
        for c in self.corrections:
            if c.start < at:
                _refuse(f"correction of {c.found!r} at {c.start} overlaps the one before it or is out of order")
            if self.raw[c.start : c.end] != c.found:
                _refuse(f"correction at {c.start} found {c.found!r} where the page says {self.raw[c.start : c.end]!r}")
            pieces += [self.raw[at : c.start], c.reads]
            at = c.end
        pieces.append(self.raw[at:])
        object.__setattr__(self, "text", "".join(pieces))


# ----------------------------------------------------------------------------------------------------------------- laws


@dataclass(frozen=True, slots=True)
class Clause:
    """A lettered part of a law: [start, end) with its label at [start, label_end)."""

    label: str
    text: str
    start: int
    end: int
    label_end: int
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """A remark on a law by its author or editor, or a footnote; `mark` as printed ("*"), at [start, mark_end)."""

    text: str
    start: int
    end: int
    mark: str = ""
    mark_end: int = 0


@dataclass(frozen=True, slots=True)
class Gap:
    """Text lost to the page: a law that began before it or ends after it, or a torn remnant that cannot be read.

    `reason` is "truncated" or "illegible"; [start, end) holds the remnant's raw characters and may be empty.
    """

    start: int
    end: int
    reason: Literal["truncated", "illegible"]


@dataclass(frozen=True, slots=True)
class Reference:
    """A cross-reference to one law or clause: `target` is a law id with, after a dot, clause labels ("10.b"), or ""."""

    start: int
    end: int
    target: str
    cert: float


@dataclass(frozen=True, slots=True)
class Law:
    """One numbered law at [start, end) of the raw text.

    `id` is unique in its witness ("12"; "SW.3" where a count restarts): letters and digits, parts joined by dots.
    `number` is the true number as a string, `label` the number as the page has it ("to" for 10; "" where it is lost),
    at [start, label_end). `text` is the law's own repaired words, white space collapsed, without number, clauses, notes
    and gaps. `cert` is the certainty of the number.
    """

    id: str
    number: str
    label: str
    section: str
    text: str
    start: int
    end: int
    label_end: int
    clauses: tuple[Clause, ...] = ()
    notes: tuple[Note, ...] = ()
    gaps: tuple[Gap, ...] = ()
    references: tuple[Reference, ...] = ()
    cert: float = 1.0

    @property
    def whole(self) -> str:
        """The law's own words and those of its clauses, with the clauses' labels, run together."""
        return " ".join(part for part in (self.text, *_run(self.clauses)) if part)


def _run(clauses: tuple[Clause, ...]) -> Iterator[str]:
    for clause in clauses:
        yield f"({clause.label}) {clause.text}"
        yield from _run(clause.clauses)


@dataclass(frozen=True, slots=True)
class Heading:
    """A title or section heading; `level` 1 is a code's title, 2 a section within it."""

    text: str
    start: int
    end: int
    level: int = 2


@dataclass(frozen=True, slots=True)
class Prose:
    """Running text that belongs to no law."""

    text: str
    start: int
    end: int


Block = Law | Heading | Prose


@dataclass(frozen=True, slots=True)
class Segmented:
    """A repaired text cut into laws, headings and prose.

    `blocks` stand in reading order, do not overlap, and between them is nothing but white space and furniture. `repair`
    is the repair they were cut from, with the corrections of misread law numbers added.
    """

    repair: Repair
    blocks: tuple[Block, ...] = ()
    findings: tuple[Finding, ...] = ()

    def __post_init__(self) -> None:
        at, seen = 0, set()
        for block in self.blocks:
            if not at <= block.start < block.end <= len(self.repair.raw):
                _refuse(f"block at {block.start} overlaps the one before it, is empty or leaves the page")
            at = block.end
            if isinstance(block, Law):
                if block.id in seen:
                    _refuse(f"two laws have the id {block.id}")
                seen.add(block.id)

    @property
    def laws(self) -> tuple[Law, ...]:
        """The laws in reading order."""
        return tuple(b for b in self.blocks if isinstance(b, Law))


# ------------------------------------------------------------------------------------------------------- correspondence


class Relation(StrEnum):
    """How the laws of one locus stand to each other across witnesses."""

    SAME = "same"
    REVISED = "revised"
    SPLIT = "split"
    MERGED = "merged"
    RECAST = "recast"
    ONLY = "only"


@dataclass(frozen=True, slots=True)
class Locus:
    """One law's identity across witnesses: which law ids of each witness stand here; a witness without it is no key."""

    id: str
    laws: Mapping[str, tuple[str, ...]]
    relation: Relation
    moved: bool
    cert: float
    evidence: str

    def __post_init__(self) -> None:
        if not self.laws or not all(self.laws.values()):
            _refuse(f"locus {self.id} holds no law, or a witness without one")
        object.__setattr__(self, "laws", MappingProxyType(dict(self.laws)))


@dataclass(frozen=True, slots=True)
class Concordance:
    """Every law of every witness in exactly one locus."""

    witnesses: tuple[str, ...]
    loci: tuple[Locus, ...]
    findings: tuple[Finding, ...] = ()


# ------------------------------------------------------------------------------------------------------------ collation


@dataclass(frozen=True, slots=True)
class Token:
    """A word or mark as printed and as compared; `space` is the white space after it: tokens give back the text."""

    surface: str
    normal: str
    space: str = ""


class State(StrEnum):
    """What a witness has at a place: words, no words, lost words, or no such law at all."""

    TEXT = "text"
    OMISSION = "omission"
    LACUNA = "lacuna"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Reading:
    """What one or more witnesses have at a place of difference; `text` is "" unless the state is TEXT."""

    text: str
    witnesses: tuple[str, ...]
    state: State = State.TEXT


class UnitKind(StrEnum):
    """What sort of difference a variation unit shows."""

    PUNCTUATION = "punctuation"
    CAPITAL = "capital"
    SPELLING = "spelling"
    ABBREVIATION = "abbreviation"
    DIVISION = "division"
    NUMBER = "number"
    OCR = "ocr"
    WORDING = "wording"
    ADDITION = "addition"
    OMISSION = "omission"
    TRANSPOSITION = "transposition"
    LACUNA = "lacuna"
    ABSENT = "absent"
    RECAST = "recast"


ACCIDENTALS = frozenset(
    {
        UnitKind.PUNCTUATION,
        UnitKind.CAPITAL,
        UnitKind.SPELLING,
        UnitKind.ABBREVIATION,
        UnitKind.DIVISION,
        UnitKind.NUMBER,
        UnitKind.OCR,
    }
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A variation unit: columns [first, last) of a collation, and what each witness has there.

    Every witness stands in exactly one reading; the base witness's reading, the lemma, comes first.
    """

    id: str
    kind: UnitKind
    first: int
    last: int
    readings: tuple[Reading, ...]

    @property
    def accidental(self) -> bool:
        """True where the difference is one of spelling, capitals or points, not of sense."""
        return self.kind in ACCIDENTALS


Row = Mapping[str, Token | None]


@dataclass(frozen=True, slots=True)
class Collation:
    """The tokens of one locus aligned: every witness in every row; read down, each witness gives its own text back."""

    witnesses: tuple[str, ...]
    rows: tuple[Row, ...]
    units: tuple[Unit, ...] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if tuple(row) != self.witnesses:
                _refuse("a row of a collation names every witness once, in order")
        object.__setattr__(self, "rows", tuple(MappingProxyType(dict(r)) for r in self.rows))

    @property
    def columns(self) -> tuple[dict[str, str | None], ...]:
        """The alignment as surfaces."""
        return tuple({s: t.surface if t else None for s, t in row.items()} for row in self.rows)


# ------------------------------------------------------------------------------------------------------ changes of rule


class ChangeKind(StrEnum):
    """What a change of rule touches; TERM is recorded and is no change of rule."""

    QUANTITY = "quantity"
    MODALITY = "modality"
    AGENT = "agent"
    PENALTY = "penalty"
    CONDITION = "condition"
    SCOPE = "scope"
    PROCEDURE = "procedure"
    DEFINITION = "definition"
    TERM = "term"


ChangeOp = Literal["added", "dropped", "altered"]


@dataclass(frozen=True, slots=True)
class Change:
    """A substantive variant that alters what players may, must or forfeit, with the words that show it."""

    locus: str
    laws: Mapping[str, tuple[str, ...]]
    kind: ChangeKind
    op: ChangeOp
    readings: Mapping[str, str]
    sentence: str
    cert: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "laws", MappingProxyType(dict(self.laws)))
        object.__setattr__(self, "readings", MappingProxyType(dict(self.readings)))


# -------------------------------------------------------------------------------------------------------------- witness


@dataclass(frozen=True, slots=True)
class Fact:
    """A bibliographic fact with what is known of it: stated by the source, inferred by an editor, or unknown."""

    value: str
    status: Literal["stated", "inferred", "unknown"]


@dataclass(frozen=True, slots=True)
class Imprint:
    """Bibliographic facts and provenance of a witness; `not_before` and `not_after` are years, None where unknown."""

    title: Fact
    author: Fact
    publisher: Fact
    not_before: int | None
    not_after: int | None
    date_status: Literal["stated", "inferred", "unknown"]
    origin: str
    licence: str
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Witness:
    """One printed edition as a text, from its file to its laws."""

    siglum: str
    work: str
    imprint: Imprint
    source: Source
    segmented: Segmented

    @property
    def repair(self) -> Repair:
        """The repair that the laws were cut from."""
        return self.segmented.repair

    @property
    def laws(self) -> tuple[Law, ...]:
        """The laws in reading order."""
        return self.segmented.laws


@dataclass(frozen=True, slots=True)
class Collated:
    """A locus with its alignment of words; where words could not be aligned honestly, one unit has whole readings."""

    locus: Locus
    collation: Collation
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Work:
    """One work in all its witnesses: the value of which TEI, tables and reading edition are views."""

    id: str
    title: str
    base: str
    witnesses: tuple[Witness, ...]
    concordance: Concordance
    loci: tuple[Collated, ...]


# ----------------------------------------------------------------------------------------------------------------- keys


def law_key(siglum: str, law_id: str) -> str:
    """The xml:id and table key of a law: ("EcA", "3") -> "EcA-law03", ("WhA", "SW.3") -> "WhA-lawSW-03"."""
    *parts, last = law_id.split(".")
    digits = len(last) - len(last.lstrip("0123456789"))
    return f"{siglum}-law" + "".join(f"{p}-" for p in parts) + ("0" + last if digits == 1 else last)


def locus_key(work: str, locus_id: str) -> str:
    """The xml:id and table key of a locus: locus_key("ecarte", "L03") -> "ecarte-L03"."""
    return f"{work}-{locus_id}"
