"""TEI that others made -> `Segmented`: the text as it would stand on the page, and what the encoder says of it.

A print encoded line by line (DTABf), a transcription without lines (EEBO-TCP) and a hand-made list of laws are read the
same way: characters in their order, a line for `lb`, a page for `pb`, a paragraph for each block. What the encoder
corrected is a correction; what he set as furniture is furniture; notes follow the paragraph they belong to. Where he
marks laws (`div type="law"`, a numbered list), they are the laws. What is not understood is left out and told.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from variorum.model import (
    Block,
    Clause,
    Correction,
    CorrectionKind,
    Finding,
    FurnitureRole,
    Gap,
    Heading,
    Law,
    Note,
    Page,
    Prose,
    Reference,
    Repair,
    Segmented,
)
from variorum.sources.tei.facs import image
from variorum.sources.tei.laws import PageText, spans_of, without
from variorum.sources.tei.own import certainty
from variorum.sources.tei.xmlin import XML_ID, line_of, name, tei, text_of
from variorum.wording import plain_words, title_words

RULE = "encoder"  # whose corrections these are: not ours

_BLOCKS_NAMES = """
    text front body back group floatingText div div1 div2 div3 div4 div5 div6 div7 p ab head list item lg l
    quote titlePage docTitle titlePart docAuthor docImprint docDate docEdition imprimatur byline closer opener
    salute signed dateline trailer argument epigraph cit table row sp speaker stage postscript
"""
_BLOCKS = frozenset(_BLOCKS_NAMES.split())
_INLINE_NAMES = """
    hi emph foreign mentioned soCalled term gloss title name persName placeName orgName rs date time num measure
    measureGrp ref seg s w pc c phr cl q said abbr expan ex am orig reg sic corr add supplied unclear label cell
    author surname forename roleName addName genName geogName country settlement region publisher pubPlace bibl
    biblScope editor subst mod retrace damage restore secl surplus idno distinct lang email address addrLine
    stamp
"""
_INLINE = frozenset(_INLINE_NAMES.split())
_EMPTY = frozenset(["milestone", "anchor", "cb", "gb", "handShift", "ptr", "addSpan", "delSpan", "damageSpan"])
_LAWS = frozenset(["law", "rule", "article", "regulation"])
_ROLES: Mapping[str, FurnitureRole] = {
    **dict.fromkeys(("pageNum", "pagenum", "folio", "page", "foliation"), "pageNum"),
    **dict.fromkeys(("catch", "catchword"), "catch"),
    **dict.fromkeys(("sig", "signature"), "sig"),
}
_HYPHENS = "-\u00ad\u00ac\u2010\u2011"
_SPACE = re.compile(r"[ \t\r\n\x85\u2028\u2029]+")
_LABEL = re.compile(
    r"(?:(?:law|rule|art(?:icle)?|no)\b\.?\s*)?[(\[]?(?:([0-9]{1,4})\b[)\].:]{0,2}|([ivxlc]{1,8})[)\].:]{1,2})",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\W*(?:(?:law|rule|art(?:icle)?|no)\b\W*)?([0-9]{1,4}|[ivxlc]{1,8})\W*", re.IGNORECASE)
_PARAGRAPH = re.compile(r"(?:(?!\n\n).)+", re.DOTALL)
UNNUMBERED = 0.5  # the certainty of a number that stands nowhere in the file
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_LINES = frozenset(["l", "row", "item", "titlePart"])
_OUTER_NAMES = """
    text front body back div div1 div2 div3 div4 div5 div6 div7 list
"""
_OUTER = frozenset(_OUTER_NAMES.split())
_FIRST = {"choice": ("sic", "orig", "abbr", "unclear"), "app": ("lem",), "subst": ("add",)}
_OTHER = {"sic": "corr", "orig": "reg", "abbr": "expan"}


def read_foreign(root: etree._Element) -> Segmented:
    """What a TEI file of any make says of its text; without blocks where it marks no laws."""
    reader = _Reader()
    for child in root.iterchildren(etree.Element):
        if name(child) == "text" and child.tag == tei("text"):
            reader.element(child)
        elif name(child) != "teiHeader":
            reader.leave_out(child)
    return reader.segmented()


@dataclass(slots=True)
class _Part:
    """A law, item, note, gap, reference or heading as it is read."""

    kind: str
    start: int
    end: int = 0
    label: str = ""
    key: str = ""
    level: int = 1
    parts: list[_Part] = field(default_factory=list)


@dataclass(slots=True)
class _Left:
    """Elements of one name that are left out."""

    line: int
    times: int = 0
    words: int = 0


class _Reader:
    def __init__(self) -> None:
        self._raw: list[str] = []
        self._at = 0
        self._pending = ""  # white space that stands before the next character, if there is one
        self._glued = False  # the next character belongs to the word before
        self._corrections: list[Correction] = []
        self._literal = 0  # inside furniture or sic: no corrections of its own
        self._breaks: list[tuple[int, str, str]] = []
        self._due: list[tuple[str, str]] = []  # folios and images of pages that begin with the next character
        self._notes: list[list[etree._Element]] = [[]]
        self._left: dict[str, _Left] = {}
        self._tops: list[_Part] = []  # laws and headings
        self._open: list[_Part] = []
        self._numbers: list[dict[etree._Element, str]] = []

    # -- characters and the space between them

    def write(self, text: str | None) -> None:
        """Adds text of the file; runs of its white space are one space, or the break that is due there."""
        for k, word in enumerate(_SPACE.split(unicodedata.normalize("NFC", text or ""))):
            if k:
                self.space(" ")
            if word:
                self._flush()
                self._put(word)

    def space(self, white: str) -> None:
        """Asks for white space before the next character; of several, the widest stands."""
        if not self._glued and _WIDTH[white] > _WIDTH[self._pending]:
            self._pending = white

    def _flush(self) -> None:
        if self._raw and self._pending:
            self._put(self._pending)
        self._pending, self._glued = "", False

    def _put(self, text: str) -> None:
        if self._due and not text.isspace():
            self._breaks += [(self._at, *page) for page in self._due]
            self._due = []
        self._raw.append(text)
        self._at += len(text)

    def _last(self) -> str:
        return self._raw[-1][-1] if self._raw else ""

    # -- elements

    def element(self, element: etree._Element) -> None:
        """Reads an element, or leaves it out."""
        tag = name(element)
        if element.tag != tei(tag):
            self.leave_out(element)
        elif handler := _HANDLERS.get(tag):
            handler(self, element)
        elif tag in _BLOCKS:
            self._block(element)
        elif tag in _INLINE:
            self._content(element)
        elif tag not in _EMPTY:
            self.leave_out(element)

    def _content(self, element: etree._Element) -> None:
        self.write(element.text)
        for child in element:
            if isinstance(child.tag, str):
                self.element(child)
            elif isinstance(child, etree._Entity):
                self.leave_out(child)
            self.write(child.tail)

    def leave_out(self, element: etree._Element) -> None:
        """Notes that an element is left out, with its words."""
        entity: Any = element if isinstance(element, etree._Entity) else None
        tag = f"&{entity.name};" if entity is not None else name(element)
        if entity is None and element.tag != tei(tag):
            space = etree.QName(element).namespace
            tag = "XInclude (not followed)" if space == "http://www.w3.org/2001/XInclude" else f"{tag} of {space}"
        left = self._left.setdefault(tag, _Left(line_of(element)))
        left.times += 1
        left.words += 0 if entity else len(text_of(element).split())

    def _block(self, element: etree._Element, label: etree._Element | None = None) -> None:
        """Reads a block, and after its text the notes that stand in it."""
        between = "\n" if name(element) in _LINES else "\n\n"
        self.space(between)
        self._notes.append([])
        part = self._part_of(element)

        def read() -> None:
            if label is not None:
                self._content(label)
                self.space(" ")
            self._content(element)
            if name(element) not in _OUTER:
                self._set_notes(self._notes[-1])

        if part:
            self._within(part, read)
        else:
            read()
        notes = self._notes.pop()
        if name(element) in _OUTER:
            self._set_notes(notes)
        self.space(between)

    def _within(self, part: _Part, read: Callable[[], None]) -> None:
        self._flush_before(part)
        (self._open[-1].parts if self._open else self._tops).append(part)
        self._open.append(part)
        read()
        self._open.pop()
        part.end = self._at

    def _flush_before(self, part: _Part) -> None:
        """The white space due before a part stands before it, so that the part begins with its first character."""
        if self._raw and not self._glued:
            self._flush()
        part.start = self._at

    def _set_notes(self, notes: Sequence[etree._Element]) -> None:
        for note in notes:
            self.space("\n\n")
            mark = note.get("n", "")
            part = _Part("note", self._at, label=mark)

            def read(note: etree._Element = note, mark: str = mark) -> None:
                if mark and not text_of(note).lstrip().startswith(mark):
                    self.write(f"{mark} ")
                self._content(note)

            if self._open:
                self._within(part, read)
            else:
                read()
            self.space("\n\n")

    # -- what is a law, a clause, a heading

    def _part_of(self, element: etree._Element) -> _Part | None:
        tag, kind = name(element), element.get("type", "").lower()
        in_law = any(part.kind == "law" for part in self._open)
        if tag == "head":
            level = 1 + sum(1 for _ in element.iterancestors(tei("div"))) // 2
            return None if in_law else _Part("head", self._at, level=min(level, 2))
        if tag in ("div", "ab", "p", "item", *(f"div{n}" for n in range(1, 8))) and kind in _LAWS and not in_law:
            return _Part("law", self._at, label=_number(element.get("n", "")), key=element.get(XML_ID, ""))
        if tag == "item":
            number = next((row[element] for row in reversed(self._numbers) if element in row), "")
            if number and (in_law or not self._open):
                label = number if in_law else _number(number)
                return _Part("clause" if in_law else "law", self._at, label=label, key=element.get(XML_ID, ""))
        return None

    def _list(self, element: etree._Element) -> None:
        """A list; where each item bears a number (its own, a label's, or by the list's kind) the numbers are kept."""
        rows = _numbered(element)
        self._numbers.append(rows)
        self._block(element)
        self._numbers.pop()

    def _label(self, element: etree._Element) -> None:
        following = element.getnext()
        if following is not None and name(following) == "item" and _in_list(element):
            return  # it is read with its item
        self._content(element)
        self.space(" ")

    def _item(self, element: etree._Element) -> None:
        label = element.getprevious()
        self._block(element, label if label is not None and name(label) == "label" else None)

    # -- single elements

    def _line(self, element: etree._Element) -> None:
        if element.get("break") == "no":
            self._join("\n")
        else:
            self.space("\n")

    def _join(self, white: str) -> None:
        """A word over a line or page end: the hyphen, if there is one, and the line end are taken out."""
        if not self._raw:
            return
        free = not self._corrections or self._corrections[-1].end < self._at
        hyphen = free and not self._pending and self._last() in _HYPHENS
        start = self._at - hyphen
        self._put(white)
        self._pending, self._glued = "", True
        self._note_correction(start, "", CorrectionKind.BREAK, "the file joins the word over the line end")

    def _page(self, element: etree._Element) -> None:
        """A page begins with the next character; a line does too."""
        self._line(element)
        self._due.append((element.get("n", ""), image(element.get("facs", ""))))

    def _furniture(self, element: etree._Element) -> None:
        self.space("\n")
        if not text_of(element).strip():
            return
        own_line = self._pending == "\n" and bool(self._raw)  # the line end before it goes with it
        self._flush()
        start = self._at - own_line
        self._literal += 1
        self._content(element)
        self._literal -= 1
        role = _ROLES.get(element.get("type", ""), "header")
        self._note_correction(start, "", CorrectionKind.FURNITURE, "the file sets it apart from the text", role)
        self.space("\n")

    def _choice(self, element: etree._Element) -> None:
        children = {name(c): c for c in reversed(element) if isinstance(c.tag, str)}
        first = next((children[tag] for tag in _FIRST[name(element)] if tag in children), None)
        if first is None:
            self.leave_out(element)
            return
        partner = children.get(_OTHER.get(name(first), ""))
        for child in children.values():
            if child is not first and not (child is partner and name(first) == "sic"):
                self.leave_out(child)
        if name(first) == "sic" and partner is not None:
            self._corrected(first, partner)
        else:
            self._content(first)

    def _corrected(self, sic: etree._Element, corr: etree._Element) -> None:
        words = _SPACE.sub(" ", unicodedata.normalize("NFC", text_of(corr)))
        if not text_of(sic).strip():
            if words and self._raw and not self._pending and not self._literal:
                start = self._at - 1
                self._note_correction(start, self._last() + words, CorrectionKind.EMENDATION, "", cert=corr.get("cert"))
            return
        self._flush()
        start = self._at
        self._literal += 1
        self._content(sic)
        self._literal -= 1
        self._note_correction(start, words.strip(), CorrectionKind.EMENDATION, "", cert=corr.get("cert"))

    def _note_correction(
        self,
        start: int,
        reads: str,
        kind: CorrectionKind,
        evidence: str,
        role: FurnitureRole = "",
        cert: str | None = None,
    ) -> None:
        found = _tail(self._raw, self._at - start)
        free = not self._corrections or self._corrections[-1].end <= start
        if found and found != reads and free and not self._literal:
            why = evidence or "corrected in the file"
            self._corrections.append(Correction(start, self._at, found, reads, kind, RULE, certainty(cert), why, role))

    def _note(self, element: etree._Element) -> None:
        self._notes[-1].append(element)

    def _gap(self, element: etree._Element) -> None:
        said = " ".join(text_of(d) for d in element.iterchildren(tei("desc"))).strip()
        self._flush()
        part = _Part("gap", self._at)
        self._put(unicodedata.normalize("NFC", said) or "\N{REPLACEMENT CHARACTER}")
        part.end = self._at
        if self._open:
            self._open[-1].parts.append(part)
        left = self._left.setdefault("gap", _Left(line_of(element)))
        left.times += 1

    def _glyph(self, element: etree._Element) -> None:
        if text_of(element).strip():
            self._content(element)
        elif element.get("ref", "").endswith("EOLhyphen"):  # EEBO-TCP: a hyphen at a line end, which it does not keep
            self._flush()
            start = self._at
            self._put("\u00ad")
            self._glued = True
            self._note_correction(start, "", CorrectionKind.BREAK, "the file marks a hyphen at a line end")
        else:
            self._flush()
            self._put("\N{REPLACEMENT CHARACTER}")
            self.leave_out(element)

    def _reference(self, element: etree._Element) -> None:
        self._flush()
        part = _Part("ref", self._at, label=element.get("target", "").removeprefix("#"))
        self._content(element)
        part.end = self._at
        if self._open and part.end > part.start and " " not in part.label:
            self._open[-1].parts.append(part)

    def _white(self, element: etree._Element) -> None:
        self.space(" ")

    # -- what it makes

    def segmented(self) -> Segmented:
        """The text with all that the file says of it."""
        raw = "".join(self._raw)
        findings = list(self._findings())
        if not unicodedata.is_normalized("NFC", raw):  # an accent parted from its letter by a tag
            raw = unicodedata.normalize("NFC", raw)
            told = "An accent stands in another element than its letter; the marks of the file are left out."
            return Segmented(Repair(raw, findings=(*findings, Finding("tei-accent-apart", told))))
        page = PageText(raw, self._corrections)
        blocks = tuple(_Made(page, self._tops).blocks())
        repair = Repair(raw, tuple(self._corrections), tuple(findings), tuple(self._pages(raw)))
        return Segmented(repair, blocks if any(isinstance(b, Law) for b in blocks) else ())

    def _pages(self, raw: str) -> Iterator[Page]:
        breaks = self._breaks if self._breaks and self._breaks[0][0] == 0 else [(0, "", ""), *self._breaks]
        breaks = [*breaks, *((len(raw), *page) for page in self._due)]
        ends = [*(at for at, *_ in breaks[1:]), len(raw)]
        for n, ((start, folio, scan), end) in enumerate(zip(breaks, ends, strict=True), 1):
            yield Page(n, start, end, folio, scan)

    def _findings(self) -> Iterator[Finding]:
        for tag, left in self._left.items():
            first = f"line {left.line}" if left.times == 1 else f"first in line {left.line}"
            count = f"{left.times} {tag}" if left.times > 1 else tag
            if tag == "gap":
                yield Finding("tei-gap", f"The file marks text that is lost: {count} ({first}).")
                continue
            words = f", with {left.words} words" if left.words > 1 else ", with one word" if left.words else ""
            yield Finding("tei-left-out", f"What the file has as {count} is left out ({first}{words}).")


_WIDTH = {"": 0, " ": 1, "\n": 2, "\n\n": 3}
_HANDLERS: Mapping[str, Callable[[_Reader, etree._Element], None]] = {
    "lb": _Reader._line,
    "pb": _Reader._page,
    "fw": _Reader._furniture,
    "choice": _Reader._choice,
    "app": _Reader._choice,
    "note": _Reader._note,
    "gap": _Reader._gap,
    "g": _Reader._glyph,
    "ref": _Reader._reference,
    "space": _Reader._white,
    "list": _Reader._list,
    "label": _Reader._label,
    "item": _Reader._item,
}


def _in_list(element: etree._Element) -> bool:
    parent = element.getparent()
    return parent is not None and name(parent) == "list"


def _tail(pieces: Sequence[str], length: int) -> str:
    """The last characters of some pieces."""
    out: list[str] = []
    for piece in reversed(pieces):
        if length <= 0:
            break
        out.append(piece[-length:])
        length -= len(out[-1])
    return "".join(reversed(out))


def _number(label: str) -> str:
    """A law's number as figures: "Law XII." is 12; "" where there is none."""
    match = _NUMBER.fullmatch(label)
    if match is None:
        return ""
    if match[1].isdigit():
        return str(int(match[1]))
    values = [_ROMAN[letter] for letter in match[1].lower()]
    return str(sum(-v if any(w > v for w in values[k + 1 : k + 2]) else v for k, v in enumerate(values)))


def _numbered(element: etree._Element) -> dict[etree._Element, str]:
    """The number of each item of a list, if all have one."""
    items = list(element.iterchildren(tei("item")))
    by_place = {element.get("type", ""), element.get("rend", "")} & {"ordered", "numbered", "number"}
    rows: dict[etree._Element, str] = {}
    for n, item in enumerate(items, 1):
        label = item.getprevious()
        shown = text_of(label).strip() if label is not None and name(label) == "label" else ""
        rows[item] = item.get("n", "") or shown.strip("()[].:") or (str(n) if by_place else "")
    return rows if len(items) > 1 and all(rows.values()) else {}


class _Made:
    """Makes the blocks of the model of the laws and headings that were read."""

    def __init__(self, page: PageText, tops: Sequence[_Part]) -> None:
        self._page = page
        self._tops = [p for p in tops if p.kind in ("law", "head") and self._fit(p)]
        laws = [p for p in self._tops if p.kind == "law"]
        self._numbers = dict(zip(map(id, laws), _all_numbers(page.raw, laws), strict=True))
        self._ids = dict(zip(map(id, laws), _ids(list(self._numbers.values())), strict=True))
        self._targets = {p.key: self._ids[id(p)] for p in laws if p.key}

    def _fit(self, part: _Part) -> bool:
        part.start, part.end = self._page.trim(part.start, part.end)
        return part.end > part.start

    def blocks(self) -> Iterator[Block]:
        """Laws and headings in order, and the paragraphs between them as prose."""
        at, section = 0, ""
        for part in self._tops:
            yield from self._prose(at, part.start)
            if part.kind == "head":
                words = title_words(self._page.read([(part.start, part.end)]))
                section = words if part.level > 1 else ""
                yield Heading(words, part.start, part.end, part.level)
            else:
                yield self._law(part, section)
            at = part.end
        yield from self._prose(at, len(self._page.raw))

    def _prose(self, start: int, end: int) -> Iterator[Prose]:
        for paragraph in _PARAGRAPH.finditer(self._page.raw, start, end):
            low, high = self._page.trim(*paragraph.span())
            if low < high:
                yield Prose(plain_words(self._page.read([(low, high)])), low, high)

    def _law(self, part: _Part, section: str) -> Law:
        number = self._numbers[id(part)]
        label_end = _label_end(self._page.raw, part, number)
        notes = [self._note(p) for p in part.parts if p.kind == "note" and self._fit(p)]
        gaps = [Gap(p.start, p.end, "illegible") for p in _all(part, "gap")]
        clauses = [self._clause(p, gaps) for p in part.parts if p.kind == "clause" and self._fit(p)]
        holes = [*spans_of(notes), *spans_of(gaps), *spans_of(clauses)]
        references = [
            Reference(p.start, p.end, self._targets[p.label], 1.0)
            for p in _all(part, "ref")
            if p.label in self._targets
        ]
        return Law(
            id=self._ids[id(part)],
            number=number,
            label=self._page.raw[part.start : label_end].strip(),
            section=section,
            text=plain_words(self._page.read(without((label_end, part.end), holes))),
            start=part.start,
            end=part.end,
            label_end=label_end,
            clauses=tuple(clauses),
            notes=tuple(notes),
            gaps=tuple(gaps),
            references=tuple(references),
            cert=1.0 if part.label or label_end > part.start else UNNUMBERED,
        )

    def _clause(self, part: _Part, gaps: Sequence[Gap]) -> Clause:
        label = part.label.strip("()[].: ")
        shown = re.compile(rf"[(\[]?{re.escape(label)}[)\].:]{{0,2}}(?=\s)").match(self._page.raw, part.start, part.end)
        label_end = shown.end() if shown and label else part.start
        inner = [self._clause(p, gaps) for p in part.parts if p.kind == "clause" and self._fit(p)]
        notes = [(p.start, p.end) for p in part.parts if p.kind == "note"]
        holes = [*notes, *spans_of(gaps), *spans_of(inner)]
        words = plain_words(self._page.read(without((label_end, part.end), holes)))
        return Clause(label, words, part.start, part.end, label_end, tuple(inner))

    def _note(self, part: _Part) -> Note:
        marked = part.label if part.label and self._page.raw.startswith(part.label, part.start) else ""
        mark_end = part.start + len(marked) if marked else 0
        span = (max(mark_end, part.start), part.end)
        return Note(plain_words(self._page.read([span])), part.start, part.end, marked, mark_end)


def _all(part: _Part, kind: str) -> Iterator[_Part]:
    for inner in part.parts:
        if inner.kind == kind:
            yield inner
        yield from _all(inner, kind)


def _label_end(raw: str, part: _Part, number: str) -> int:
    match = _LABEL.match(raw, part.start, part.end)
    return match.end() if match and _number(match[1] or match[2]) == number else part.start


def _all_numbers(raw: str, laws: Sequence[_Part]) -> list[str]:
    """The number of each law: as marked, else as printed, else the one that follows."""
    numbers: list[str] = []
    for law in laws:
        printed = _LABEL.match(raw, law.start, law.end)
        shown = _number(printed[1] or printed[2]) if printed else ""
        following = str(int(numbers[-1]) + 1) if numbers and numbers[-1].isdigit() else "1"
        numbers.append(law.label or shown or following)
    return numbers


def _ids(numbers: Sequence[str]) -> list[str]:
    """An id for each law: its number, led by the ordinal of its count where the numbers begin again."""
    ids: list[str] = []
    count, seen = 1, set[str]()
    for number in numbers:
        if number in seen:
            count, seen = count + 1, set()
        seen.add(number)
        ids.append(number if count == 1 else f"{count}.{number}")
    return ids
