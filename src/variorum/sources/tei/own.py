"""Our own edition files -> `Segmented`: raw text, corrections, pages, laws and what else they hold, as written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lxml import etree

from variorum.errors import ModelError
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
from variorum.sources.tei.laws import PageText, Span, spans_of, without
from variorum.sources.tei.rend import FORM_FEED, characters
from variorum.sources.tei.xmlin import XML_ID, control, name, tei, text_of
from variorum.sources.text import pages as text_pages
from variorum.wording import plain_words, title_words

UNCLEAR = "unclear"  # the code of the finding that an unclear reading of the file becomes
_TOOL = "variorum"
_REMARKS = ("note", "ref", "unclear", "gap")
_LOST = ("truncated", "illegible")
_WORDS_OF_CERT = {"high": 0.9, "medium": 0.6, "low": 0.3, "unknown": 0.5}
_ROLES: Mapping[str, FurnitureRole] = {"header": "header", "pageNum": "pageNum", "catch": "catch", "sig": "sig"}


class _NotOurs(Exception):  # noqa: N818 - not an error: the file is then read as anybody's TEI
    """Something in the file that we do not write."""


def is_own(root: etree._Element) -> bool:
    """True where the header says that this program wrote the file."""
    return any(a.get("ident") == _TOOL for a in root.iter(tei("application")))


def is_collation(root: etree._Element) -> bool:
    """True where the file holds the text of several witnesses at once."""
    return root.find(f".//{tei('listWit')}/{tei('witness')}") is not None and root.find(f".//{tei('app')}") is not None


def read_own(root: etree._Element) -> Segmented | None:
    """All that an edition file of ours says of its witness; None where somebody has put in what we do not write."""
    body = root.find(f"{tei('text')}/{tei('body')}")
    if body is None:
        return None
    reader = _Reader(root)
    try:
        reader.divisions(body)
        return reader.segmented()
    except (_NotOurs, ModelError, ValueError):
        return None


def certainty(value: str | None, otherwise: float = 1.0) -> float:
    """A certainty as written: a number from 0 to 1, or one of TEI's words for it."""
    if not value:
        return otherwise
    try:
        return min(max(float(value), 0.0), 1.0)
    except ValueError:
        return _WORDS_OF_CERT.get(value, otherwise)


@dataclass(slots=True)
class _Open:
    """An element of the structure as it is read, with what is found inside it."""

    element: etree._Element
    start: int
    end: int = 0
    parts: list[_Open] = field(default_factory=list)

    @property
    def tag(self) -> str:
        return name(self.element)


@dataclass(slots=True)
class _Break:
    """Where a page begins, and whether a form feed parts it from the one before."""

    at: int
    folio: str
    image: str
    fed: bool


class _Reader:
    def __init__(self, root: etree._Element) -> None:
        self._prefix = f"{root.get(XML_ID, '')}-law"
        self._rules = {s.get(XML_ID): s.get("n", "") for s in root.iter(tei("respStmt"))}
        categories = root.iter(tei("category"))
        self._reasons = {c.get(XML_ID): " ".join(text_of(c).split()) for c in categories}
        self._raw: list[str] = []
        self._at = 0
        self._corrections: list[Correction] = []
        self._breaks: list[_Break] = []
        self._blocks: list[tuple[_Open, etree._Element]] = []  # with the division it stands in
        self._stack: list[_Open] = []

    # -- divisions and blocks

    def divisions(self, parent: etree._Element) -> None:
        """Reads the divisions of an element, from the first character to the last."""
        if _blank(parent.text) and all(_blank(child.tail) for child in parent):
            for child in parent.iterchildren(etree.Element):
                self._division(child, parent)
        else:
            raise _NotOurs

    def _division(self, element: etree._Element, parent: etree._Element) -> None:
        kind = element.get("type")
        if name(element) == "head":
            self._block(element, parent, [element])
        elif name(element) != "div" or not _blank(element.text):
            raise _NotOurs
        elif kind in ("law", "prose"):
            self._block(element, parent, list(element.iterchildren(etree.Element)))
        else:
            self.divisions(element)

    def _block(self, element: etree._Element, parent: etree._Element, paragraphs: list[etree._Element]) -> None:
        block = _Open(element, self._at)
        self._stack = [block]
        for paragraph in paragraphs:
            if name(paragraph) not in ("p", "head") or (paragraph is not element and not _blank(paragraph.tail)):
                raise _NotOurs
            self._content(paragraph)
        block.end = self._at
        self._blocks.append((block, parent))

    # -- characters

    def _content(self, element: etree._Element) -> None:
        self._write(element.text)
        for child in element:
            if isinstance(child.tag, str):
                tag = name(child)
                if child.tag != tei(tag) or tag not in _READ:
                    raise _NotOurs
                _READ[tag](self, child)
            self._write(child.tail)

    def _write(self, text: str | None) -> None:
        if text:
            self._raw.append(text)
            self._at += len(text)

    def _part(self, element: etree._Element) -> None:
        part = _Open(element, self._at)
        self._stack[-1].parts.append(part)
        self._stack.append(part)
        self._content(element)
        self._stack.pop()
        part.end = self._at

    def _nothing(self, element: etree._Element) -> None:
        if len(element) or element.text:
            raise _NotOurs

    def _page(self, element: etree._Element) -> None:
        fed = element.get("rend") == FORM_FEED
        if fed:
            self._write("\f")
        self._breaks.append(_Break(self._at, element.get("n", ""), image(element.get("facs", "")), fed))

    def _line(self, element: etree._Element) -> None:
        if element.get("break") == "no":
            self._correct(characters(element.get("rend", "")), "", CorrectionKind.BREAK, element)

    def _furniture(self, element: etree._Element) -> None:
        self._correct(_characters(element), "", CorrectionKind.FURNITURE, element, _role(element))

    def _control(self, element: etree._Element) -> None:
        self._write(control(element.get("ref", "")))

    def _choice(self, element: etree._Element) -> None:
        if [name(child) for child in element] != ["sic", "corr"]:
            raise _NotOurs
        sic, corr = element
        kind = CorrectionKind(corr.get("subtype", ""))
        role: FurnitureRole = ""
        if kind is CorrectionKind.FURNITURE:
            role = _role(next(sic.iterchildren(tei("fw")), sic))
        self._correct(_characters(sic), _characters(corr), kind, corr, role)

    def _correct(
        self, found: str, reads: str, kind: CorrectionKind, says: etree._Element, role: FurnitureRole = ""
    ) -> None:
        rule = self._rules.get(says.get("resp", "").split(" ")[0].removeprefix("#"), "")
        evidence = says.get("evidence") or self._reasons.get(says.get("ana", "").removeprefix("#"), "")
        start = self._at
        self._write(found)
        cert = certainty(says.get("cert"))
        self._corrections.append(Correction(start, self._at, found, reads, kind, rule, cert, evidence, role))

    # -- what it makes

    def segmented(self) -> Segmented:
        """The witness as the file has it."""
        raw = "".join(self._raw)
        page = PageText(raw, self._corrections)
        made = _Made(page, self._prefix, [block for block, _ in self._blocks])
        blocks = [b for block, parent in self._blocks if (b := made.block(block, parent))]
        findings = tuple(f for block, _ in self._blocks for f in _doubts(block))
        repair = Repair(raw, tuple(self._corrections), findings, tuple(self._pages(raw)))
        return Segmented(repair, tuple(blocks))

    def _pages(self, raw: str) -> Iterator[Page]:
        if not self._breaks:
            yield from text_pages(raw)
            return
        ends = [b.at - b.fed for b in self._breaks[1:]]
        last = raw.rfind("\f", self._breaks[-1].at)
        ends.append(last if last >= 0 and not raw[last:].strip() else len(raw))
        for n, (begun, end) in enumerate(zip(self._breaks, ends, strict=True), 1):
            yield Page(n, begun.at, end, begun.folio, begun.image)


_READ: Mapping[str, Callable[[_Reader, etree._Element], None]] = {
    **dict.fromkeys(("label", "num", "list", "item", "note", "ref", "unclear"), _Reader._part),
    "gap": _Reader._part,
    "anchor": _Reader._nothing,
    "pb": _Reader._page,
    "lb": _Reader._line,
    "fw": _Reader._furniture,
    "g": _Reader._control,
    "choice": _Reader._choice,
}


class _Made:
    """Makes the blocks of the model of the elements that were read."""

    def __init__(self, page: PageText, prefix: str, blocks: Sequence[_Open]) -> None:
        self._page = page
        self._prefix = prefix
        self._targets: dict[str, str] = {}
        for block in blocks:
            if block.element.get("type") == "law" and block.end > block.start:
                self._name(block, self._law_id(block.element))

    def _law_id(self, element: etree._Element) -> str:
        """The reverse of `model.law_key`."""
        key = element.get(XML_ID, "")
        *parts, last = key.removeprefix(self._prefix).split("-")
        padded = len(last) - len(last.lstrip("0123456789")) == 2 and last.startswith("0")
        if not key.startswith(self._prefix) or not last:
            raise _NotOurs
        return ".".join([*parts, last[1:] if padded else last])

    def _name(self, part: _Open, path: str) -> None:
        self._targets[part.element.get(XML_ID, "")] = path
        for item in _below(part, "item"):
            self._name(item, f"{path}.{item.element.get('n', '')}")

    def block(self, block: _Open, parent: etree._Element) -> Block | None:
        """The block; None where the division holds nothing but white space and furniture."""
        start, end = self._page.trim(block.start, block.end)
        remarks = [part for tag in _REMARKS for part in _within(block, tag)]
        start = min([start, *(part.start for part in remarks)])
        end = max([end, *(part.end for part in remarks)])
        law = block.element.get("type") == "law"
        if start == end and law:  # nothing but white space, and a law of its edition all the same
            start, end = block.start, min(block.start + 1, block.end)
        if start == end:
            return None
        if block.tag == "head":
            level = 1 if parent.get("type") == "laws" else 1 + _depth(parent)
            return Heading(title_words(self._page.read([(start, end)])), start, end, level)
        if block.element.get("type") == "prose":
            return Prose(plain_words(self._page.read([(start, end)])), start, end)
        return self._law(block, parent, (start, end))

    def _law(self, block: _Open, parent: etree._Element, span: Span) -> Law:
        element = block.element
        label = next(_below(block, "label"), None)
        num = next(iter(label.parts), None) if label else None
        cert = certainty(num.element.get("cert") if num else element.get("cert"))
        label_end = label.end if label else span[0]
        notes = [self._note(part) for part in _within(block, "note")]
        gaps = sorted(_gaps(block), key=lambda g: (g.start, g.end))
        clauses = [self._clause(item, notes, gaps) for item in _below(block, "item")]
        holes = [*spans_of(clauses), *spans_of(notes), *spans_of(gaps)]
        return Law(
            id=self._targets[element.get(XML_ID, "")],
            number=element.get("n", ""),
            label=self._page.raw[span[0] : label_end].strip(),
            section=parent.get("n", ""),
            text=plain_words(self._page.read(without((label_end, span[1]), holes))),
            start=span[0],
            end=span[1],
            label_end=label_end,
            clauses=tuple(clauses),
            notes=tuple(notes),
            gaps=tuple(gaps),
            references=tuple(self._reference(part) for part in _within(block, "ref")),
            cert=cert,
        )

    def _clause(self, item: _Open, notes: Sequence[Note], gaps: Sequence[Gap]) -> Clause:
        start, end = item.start, max(item.start, self._page.trim(item.start, item.end)[1])
        label = next(_below(item, "label"), None)
        label_end = label.end if label else start
        inner = [self._clause(part, notes, gaps) for part in _below(item, "item")]
        holes = [*spans_of(inner), *spans_of(notes), *spans_of(gaps)]
        words = plain_words(self._page.read(without((label_end, end), holes))) if label_end < end else ""
        return Clause(item.element.get("n", ""), words, start, end, label_end, tuple(inner))

    def _note(self, part: _Open) -> Note:
        mark = part.element.get("n", "")
        mark_end = part.start + len(mark) if mark else 0
        span = (max(mark_end, part.start), part.end)
        return Note(plain_words(self._page.read([span])), part.start, part.end, mark, mark_end)

    def _reference(self, part: _Open) -> Reference:
        target = self._targets.get(part.element.get("target", "").removeprefix("#"), "")
        cert = certainty(part.element.get("cert")) if target else _WORDS_OF_CERT["low"]
        return Reference(part.start, part.end, target, cert)


def _gaps(block: _Open) -> Iterator[Gap]:
    """Each gap with the remnant beside it; a remnant that is unclear for the same reason."""
    remnants = [p for p in _within(block, "unclear") if p.element.get("reason") in _LOST]
    for part in _within(block, "gap"):
        alike = (r for r in remnants if r.element.get("reason") == part.element.get("reason"))
        beside = next((r for r in alike if part.start in (r.start, r.end)), None)
        span = (part.start, part.end)
        if beside:
            remnants.remove(beside)
            span = (beside.start, beside.end)
        yield Gap(*span, "truncated" if part.element.get("reason") == "truncated" else "illegible")


def _doubts(block: _Open) -> Iterator[Finding]:
    for part in _within(block, "unclear"):
        if part.element.get("reason") not in _LOST and part.end > part.start:
            yield Finding(UNCLEAR, "The file marks this reading as unclear.", part.start, part.end)


def _within(part: _Open, tag: str) -> Iterator[_Open]:
    for inner in part.parts:
        if inner.tag == tag:
            yield inner
        yield from _within(inner, tag)


def _below(part: _Open, tag: str) -> Iterator[_Open]:
    """The parts of that name that stand in no other item: what a list or a reference is set around is its own too."""
    for inner in part.parts:
        if inner.tag == tag:
            yield inner
        elif inner.tag != "item":
            yield from _below(inner, tag)


def _depth(section: etree._Element) -> int:
    return 1 + sum(1 for a in section.iterancestors(tei("div")) if a.get("type") == "section")


def _role(element: etree._Element) -> FurnitureRole:
    return _ROLES.get(element.get("type", ""), "header")


def _blank(text: str | None) -> bool:
    return not (text or "").strip()


def _characters(element: etree._Element) -> str:
    """The characters of an element, with those that `g` stands for."""
    own = control(element.get("ref", "")) if name(element) == "g" else element.text or ""
    below = (_characters(c) if isinstance(c.tag, str) else "" for c in element)
    return own + "".join(inner + (child.tail or "") for child, inner in zip(element, below, strict=True))
