"""The edition file of one witness: its whole raw text in place, and around it what the editor makes of it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from lxml import etree

from variorum.keys import Keys
from variorum.model import (
    Block,
    Clause,
    Correction,
    CorrectionKind,
    Finding,
    Gap,
    Heading,
    Law,
    Note,
    Page,
    Prose,
    Reference,
    Witness,
    law_key,
)
from variorum.sources.tei.facs import facs
from variorum.sources.tei.own import UNCLEAR
from variorum.sources.tei.rend import FORM_FEED, tokens
from variorum.tei.headers import TOOL, Header, cert, edition_header, reason_ids, rule_id, words
from variorum.tei.pieces import Pieces, pieces
from variorum.tei.xml import (
    ILLEGAL,
    XML_ID,
    XML_SPACE,
    collapse,
    document,
    legal,
    lines,
    serialise,
    sub,
    tei,
    write,
)

# Below this certainty a correction is marked as a doubtful reading: a reader should go back to the page.
DOUBTFUL = 0.8

# A figure as num/@value may hold it (xs:decimal without sign or point).
_FIGURE = re.compile(r"[0-9]+")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")


def edition(witness: Witness, header: Header) -> bytes:
    """The TEI edition file of one witness, as UTF-8 bytes.

    The raw text can be rebuilt from it exactly (`raw_text`), and so can the corrected text (`running_text`).
    """
    pages = _pages(witness)
    keys = Keys(witness, pages)
    root = document(witness.siglum)
    reasons = reason_ids(witness.repair.corrections)
    edition_header(root, witness, header, _controls(witness), reasons, _cite(witness))
    text = sub(root, "text")
    body = sub(text, "body")
    _Writer(witness, keys, pages, reasons).fill(body)
    etree.indent(root[0], " ")
    lines(root)
    lines(text)
    return serialise(root)


def _controls(witness: Witness) -> list[str]:
    corrected = "".join(c.reads for c in witness.repair.corrections)
    return sorted(set(ILLEGAL.findall(witness.repair.raw + corrected)))


def _cite(witness: Witness) -> str:
    """What a law is cited by: its number, or its key where a count restarts within the witness."""
    numbers = [law.number for law in witness.laws]
    return "@n" if len(set(numbers)) == len(numbers) else "substring-after(@xml:id, '-law')"


def _pages(witness: Witness) -> tuple[Page, ...]:
    pages = witness.repair.pages or witness.source.pages
    # One page without folio and image is a file that knows of no pages.
    return pages if len(pages) > 1 or any(page.folio or page.image for page in pages) else ()


# ------------------------------------------------------------------------------------------------ spans of a block


# Elements of the structure, which no remark on the same characters is set around.
_FRAME = ("list", "item", "label")


@dataclass(slots=True)
class _Span:
    """An element to be set around raw characters [start, end), with the elements inside it."""

    start: int
    end: int
    tag: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    kids: list[_Span] = field(default_factory=list)
    owner: Law | None = None

    def takes(self, other: _Span) -> bool:
        """True where another span begins inside this one; one of no width at its beginning stands before it."""
        if other.end == other.start:
            return self.start < other.start < self.end
        within = self.start <= other.start < self.end
        return within and (self.tag in _FRAME or (self.start, self.end) != (other.start, other.end))

    def put(self, other: _Span) -> None:
        """Sets a span where it belongs: in the smallest one it begins in, cut to fit; what it holds moves into it."""
        for kid in self.kids:
            if kid.takes(other):
                kid.put(other)
                return
        other.end = min(other.end, self.end)
        other.end = min((k.start for k in self.kids if k.start < other.end < k.end), default=other.end)
        held = [k for k in self.kids if other.start <= k.start and k.end <= other.end and k.start < other.end]
        other.kids += held
        rest = [k for k in self.kids if not any(k is h for h in held)]
        self.kids = sorted([*rest, other], key=lambda k: (k.start, k.end))


@dataclass(frozen=True, slots=True)
class _Part:
    """A block with the raw characters it answers for: its own, and the white space and furniture up to the next."""

    block: Block
    start: int
    end: int


class _Writer:
    """Writes the body of one edition file, from the first character of the raw text to the last."""

    def __init__(self, witness: Witness, keys: Keys, pages: Sequence[Page], reasons: Mapping[str, str]) -> None:
        self._witness = witness
        self._reasons = reasons
        self._raw = witness.repair.raw
        self._keys = keys
        self._blocks = witness.segmented.blocks or (Prose("", 0, len(self._raw)),)
        findings = (*witness.source.findings, *witness.repair.findings, *witness.segmented.findings)
        borders = _borders(self._blocks, pages)
        self._pieces: Pieces = pieces(witness.repair.corrections, borders)
        self._remarks = sorted(self._all_remarks(), key=lambda s: (s.start, s.end))
        self._doubts = [self._doubt(*span) for span in sorted({(f.start, f.end) for f in findings if _doubtful(f)})]
        self._breaks = sorted(((self._pieces.border(p.start), p) for p in pages), key=lambda b: (b[0], b[1].n))
        self._places = {place for place, _ in self._breaks}
        self._next_break = 0
        self._stop = 0  # the last visible character of the paragraph being written

    # -- blocks into divisions

    def fill(self, body: etree._Element) -> None:
        """Writes the whole text into the body."""
        open_divs: list[tuple[int, etree._Element]] = [(0, body)]  # level of the heading that opened it, element
        for part in self._parts():
            if isinstance(part.block, Heading):
                self._head(open_divs, part)
            elif isinstance(part.block, Law):
                self._law(self._laws(open_divs), part)
            else:
                self._prose(open_divs[-1][1], part)
        self._page_breaks(len(self._raw) + 1, self._last_paragraph(body))
        for element in body.iter(tei("body"), tei("div")):
            lines(element)

    def _parts(self) -> Iterator[_Part]:
        """The blocks, between them covering every character once."""
        border = self._pieces.border
        starts = [border(b.start) for b in self._blocks]
        ends = [max(border(b.end), s) for b, s in zip(self._blocks, starts, strict=True)]
        starts.append(len(self._raw))
        at = 0
        if self._has_text(0, starts[0]):
            yield _Part(Prose("", 0, starts[0]), 0, starts[0])
            at = starts[0]
        for k, block in enumerate(self._blocks):
            stop = starts[k + 1]
            if self._has_text(ends[k], stop):  # characters no block answers for: kept, as prose
                yield _Part(block, at, ends[k])
                yield _Part(Prose("", ends[k], stop), ends[k], stop)
            else:
                if isinstance(block, Heading) and k + 1 < len(self._blocks):
                    stop = self._white_end(ends[k], stop)  # a running head belongs to what follows, not to a heading
                yield _Part(block, at, stop)
            at = max(at, stop)

    def _has_text(self, start: int, end: int) -> bool:
        """True where something other than white space and furniture stands there."""
        at = start
        for c in self._pieces.within(start, end):
            if self._raw[at : c.start].strip() or (c.kind is not CorrectionKind.FURNITURE and c.found.strip()):
                return True
            at = c.end
        return bool(self._raw[at:end].strip())

    def _white_end(self, start: int, end: int) -> int:
        corrections = self._pieces.within(start, end)
        stop = corrections[0].start if corrections else end
        return start + len(self._raw[start:stop]) - len(self._raw[start:stop].lstrip())

    def _laws(self, open_divs: list[tuple[int, etree._Element]]) -> etree._Element:
        if len(open_divs) == 1:
            open_divs.append((1, sub(open_divs[0][1], "div", {"type": "laws", XML_ID: self._keys.other("laws")})))
        return open_divs[-1][1]

    def _head(self, open_divs: list[tuple[int, etree._Element]], part: _Part) -> None:
        assert isinstance(part.block, Heading)
        level = max(part.block.level, 1)
        while open_divs[-1][0] >= level:
            open_divs.pop()
        if level > 1:
            self._laws(open_divs)
        kind = "laws" if level == 1 else "section"
        div = sub(
            open_divs[-1][1], "div", {"type": kind, XML_ID: self._keys.other("laws" if level == 1 else "section")}
        )
        open_divs.append((level, div))
        head = sub(div, "head", {XML_SPACE: "preserve"})
        self._stop = self._visible_end(part.start, part.end)
        self._inside(head, self._spans(part), part.start, part.end)

    def _prose(self, parent: etree._Element, part: _Part) -> None:
        div = sub(parent, "div", {"type": "prose", XML_ID: self._keys.other("prose")})
        self._paragraphs(div, self._spans(part), part)

    def _law(self, parent: etree._Element, part: _Part) -> None:
        assert isinstance(part.block, Law)
        law = part.block
        attributes = {"type": "law", "n": law.number or law.id, XML_ID: law_key(self._witness.siglum, law.id)}
        if law.label_end <= law.start:  # no number to be seen: its certainty is the law's own
            attributes |= {"cert": cert(law.cert), "resp": f"#{TOOL}"}
        if law.section and not parent.get("n"):
            parent.set("n", collapse(legal(law.section)))
        div = sub(parent, "div", attributes)
        self._paragraphs(div, self._spans(part), part)

    # -- spans

    def _spans(self, part: _Part) -> list[_Span]:
        root = _Span(part.start, part.end, "p")
        if isinstance(part.block, Law):
            self._label(root, part.block)
            root.kids += self._lists(part.block.clauses, part.end)
            root.kids.sort(key=lambda k: (k.start, k.end))
        for span in _between(self._remarks, part):
            root.put(span)
        for doubt in _between(self._doubts, part):
            if doubt.end <= part.end:
                _put_doubt(root, doubt)
        return root.kids

    def _label(self, root: _Span, law: Law) -> None:
        start = self._pieces.border(law.start)
        end = self._label_end(start, self._pieces.border(law.label_end))
        if end <= start:
            return
        value = law.number if _FIGURE.fullmatch(law.number) else ""
        attributes = {"type": "law", "value": value, "n": "" if value else law.number}
        if law.cert < 1:
            attributes |= {"cert": cert(law.cert), "resp": f"#{TOOL}"}
        root.kids.append(_Span(start, end, "label", kids=[_Span(start, end, "num", attributes)]))

    def _label_end(self, start: int, end: int) -> int:
        """The end of a label without the white space after it."""
        corrected = max((c.end for c in self._pieces.within(start, end)), default=start)
        while end > corrected and self._raw[end - 1].isspace():
            end -= 1
        return end

    def _lists(self, clauses: tuple[Clause, ...], stop: int) -> list[_Span]:
        """The clauses as lists: one list, unless other words of the law stand between two clauses."""
        border = self._pieces.border
        done: list[_Span] = []
        for k, clause in enumerate(clauses):
            start, end = border(clause.start), min(max(border(clause.end), border(clause.start)), stop)
            after = border(clauses[k + 1].start) if k + 1 < len(clauses) else end
            joined = after >= end and not self._has_text(end, after)
            item = _Span(
                start, after if joined else end, "item", {"n": clause.label, XML_ID: self._keys.clause(clause)}
            )
            label_end = self._label_end(start, min(border(clause.label_end), item.end))
            if label_end > start:
                item.kids.append(_Span(start, label_end, "label"))
            item.kids += self._lists(clause.clauses, item.end)
            if not done or done[-1].end < start:
                done.append(_Span(start, item.end, "list", {"type": "subclauses"}))
            done[-1].kids.append(item)
            done[-1].end = item.end
        return done

    def _all_remarks(self) -> Iterator[_Span]:
        """Notes, gaps and references of all laws, with their borders set; they may stand outside their law."""
        border = self._pieces.border
        for law in self._witness.laws:
            spans = [*map(_note, law.notes), *map(self._reference, law.references)]
            for gap in sorted(law.gaps, key=lambda g: (g.start, g.end)):
                spans += _gap(gap, law)
            for span in spans:
                span.start, span.end = border(span.start), border(span.end)
                yield span

    def _doubt(self, start: int, end: int) -> _Span:
        border = self._pieces.border
        return _Span(border(start), border(end), "unclear", {"reason": "ocr", "resp": f"#{TOOL}"})

    def _reference(self, reference: Reference) -> _Span:
        key = self._keys.targets.get(reference.target, "")
        certain = cert(reference.cert) if key else "low"
        attributes = {"type": "law", "target": f"#{key}" if key else "", "cert": certain, "resp": f"#{TOOL}"}
        return _Span(reference.start, reference.end, "ref", attributes)

    # -- paragraphs and characters

    def _paragraphs(self, div: etree._Element, kids: list[_Span], part: _Part) -> None:
        cuts = [part.start, *self._blank_lines(part, kids), part.end]
        for k, (start, end) in enumerate(pairwise(cuts)):
            last = k == len(cuts) - 2
            own = [kid for kid in kids if start <= kid.start and (kid.start < end or last)]
            self._stop = self._visible_end(start, end)
            self._inside(sub(div, "p", {XML_SPACE: "preserve"}), own, start, end)

    def _blank_lines(self, part: _Part, kids: list[_Span]) -> Iterator[int]:
        """Where a new paragraph begins: after a blank line between plain characters, outside every element."""
        taken = [(k.start, k.end) for k in kids] + [(c.start, c.end) for c in self._pieces.within(part.start, part.end)]
        starts, ends = zip(*sorted(taken), strict=True) if taken else ((), ())
        first, last = self._visible_start(part.start, part.end), self._visible_end(part.start, part.end)
        for match in _BLANK_LINE.finditer(self._raw, first, last):
            k = bisect_right(starts, match.end() - 1) - 1
            if k < 0 or ends[k] <= match.start():
                yield match.end()

    def _visible_start(self, start: int, end: int) -> int:
        return end - len(self._raw[start:end].lstrip())

    def _visible_end(self, start: int, end: int) -> int:
        return start + len(self._raw[start:end].rstrip())

    def _inside(self, parent: etree._Element, kids: list[_Span], start: int, end: int) -> None:
        at = start
        for kid in kids:
            self._run(parent, at, kid.start)
            self._page_breaks(kid.start, parent)
            element = sub(parent, kid.tag, kid.attributes)
            self._inside(element, kid.kids, kid.start, kid.end)
            at = kid.end
        self._run(parent, at, end)

    def _run(self, parent: etree._Element, start: int, end: int) -> None:
        """Writes raw characters [start, end) with their corrections; neighbours that can share a choice do."""
        at, group = start, list[Correction]()
        for c in self._pieces.within(start, end):
            if group and not self._shares(group[-1], c):
                self._corrected(parent, group)
                group = []
            self._plain(parent, at, c.start)
            group.append(c)
            at = c.end
        if group:
            self._corrected(parent, group)
        self._plain(parent, at, end)

    def _shares(self, c: Correction, following: Correction) -> bool:
        alike = c.kind is following.kind and c.kind not in (CorrectionKind.BREAK, CorrectionKind.FURNITURE)
        at = following.start
        return alike and c.end == at and at not in self._places

    def _plain(self, parent: etree._Element, start: int, end: int) -> None:
        at = start
        while at < end:
            if self._raw[at] == "\f":
                if not self._page_breaks(at + 1, parent, FORM_FEED):
                    write(parent, "\f")
                at += 1
                continue
            self._page_breaks(at, parent)
            feed = self._raw.find("\f", at, end)
            stop = end if feed < 0 else feed
            if self._next_break < len(self._breaks):
                stop = min(stop, self._breaks[self._next_break][0])
            self._lines(parent, at, stop)
            at = stop

    def _lines(self, parent: etree._Element, start: int, end: int) -> None:
        """Writes characters, with lb after each line end that something of the paragraph follows."""
        at = start
        while (newline := self._raw.find("\n", at, min(end, self._stop))) >= 0:
            write(parent, self._raw[at : newline + 1])
            sub(parent, "lb")
            at = newline + 1
        write(parent, self._raw[at:end])

    def _page_breaks(self, at: int, parent: etree._Element, rend: str = "") -> bool:
        """Writes the page breaks due before or at an offset; True where there were any.

        `rend` names the character of the page that the last of them stands for.
        """
        first = self._next_break
        while self._next_break < len(self._breaks) and self._breaks[self._next_break][0] <= at:
            self._next_break += 1
        due = [page for _, page in self._breaks[first : self._next_break]]
        for page in due:
            attributes = {"n": page.folio, "facs": facs(page.image), XML_ID: self._keys.page(page)}
            sub(parent, "pb", attributes | {"rend": rend if page is due[-1] else ""})
        return bool(due)

    def _last_paragraph(self, body: etree._Element) -> etree._Element:
        return [*body.iter(tei("p"), tei("head"))][-1]

    # -- corrections

    def _corrected(self, parent: etree._Element, group: Sequence[Correction]) -> None:
        c = group[0]
        self._page_breaks(c.start, parent)
        why = self._reasons.get(words(c.evidence), "")
        responsible = {"resp": f"#{rule_id(c.rule)}", "cert": cert(c.cert), "ana": f"#{why}" if why else ""}
        if c.kind is CorrectionKind.FURNITURE and not c.reads:
            write(sub(parent, "fw", {"type": c.role, **responsible}), c.found)
        elif c.kind is CorrectionKind.BREAK and not c.reads and (rend := tokens(c.found)):
            sub(parent, "lb", {"break": "no", "rend": rend, **responsible})
        else:
            _choice(parent, group)


def _choice(parent: etree._Element, group: Sequence[Correction]) -> None:
    choice = sub(parent, "choice")
    sic = sub(choice, "sic")
    certain = min(c.cert for c in group)
    if group[0].kind is CorrectionKind.FURNITURE:
        sic = sub(sic, "fw", {"type": group[0].role})
    elif certain < DOUBTFUL:
        sic = sub(sic, "unclear", {"reason": "ocr", "resp": f"#{rule_id(group[0].rule)}", "cert": "low"})
    write(sic, "".join(c.found for c in group))
    emended = group[0].kind is CorrectionKind.EMENDATION
    attributes = {
        "type": "print" if emended else "ocr",
        "subtype": group[0].kind.value,
        "resp": " ".join(dict.fromkeys(f"#{rule_id(c.rule)}" for c in group)),
        "cert": cert(certain),
        "evidence": words("; ".join(filter(None, dict.fromkeys(c.evidence for c in group)))),
    }
    write(sub(choice, "corr", attributes), "".join(c.reads for c in group))


# ----------------------------------------------------------------------------------------------------- remarks

# The wider are set first, so that the narrower find their place inside them.
_WIDTH = {"note": 0, "unclear": 1, "ref": 2, "gap": 3}


def _between(spans: Sequence[_Span], part: _Part) -> list[_Span]:
    """Those of spans in order that begin in a part, the wider kinds first."""
    first = bisect_left(spans, part.start, key=lambda s: s.start)
    last = bisect_right(spans, part.end, key=lambda s: s.start)
    here = [s for s in spans[first:last] if s.start < min(s.end, part.end) or s.owner is part.block]
    return sorted(here, key=lambda s: _WIDTH[s.tag])


def _note(note: Note) -> _Span:
    return _Span(note.start, note.end, "note", {"n": note.mark})


def _gap(gap: Gap, law: Law) -> Iterator[_Span]:
    """A gap is an empty element; a torn remnant stays beside it as unclear text."""
    at = gap.start if gap.start == law.start else gap.end
    lost = {"reason": gap.reason, "unit": "words", "extent": "unknown", "resp": f"#{TOOL}"}
    yield _Span(at, at, "gap", lost, owner=law)
    if gap.end > gap.start:
        yield _Span(gap.start, gap.end, "unclear", {"reason": gap.reason, "resp": f"#{TOOL}"})


def _put_doubt(root: _Span, doubt: _Span) -> None:
    """Marks a doubtful reading, unless an element would cut it short or stand in it: then the findings alone tell."""
    inner = root
    while kid := next(
        (k for k in inner.kids if k.start <= doubt.start and doubt.end <= k.end and k.end > k.start), None
    ):
        inner = kid
    clear = all(k.end <= doubt.start or doubt.end <= k.start for k in inner.kids)
    if clear and doubt.end > doubt.start and inner.tag not in ("list", "unclear"):
        inner.put(doubt)


def _doubtful(finding: Finding) -> bool:
    return (bool(finding.candidates) or finding.code == UNCLEAR) and finding.end > finding.start


def _borders(blocks: Sequence[Block], pages: Iterable[Page]) -> Iterator[int]:
    """Every offset at which an element of the structure begins or ends."""
    for block in blocks:
        yield from (block.start, block.end)
        if isinstance(block, Law):
            yield block.label_end
            yield from _clause_borders(block.clauses)
            yield from (at for note in block.notes for at in (note.start, note.end))
            yield from (at for gap in block.gaps for at in (gap.start, gap.end))
            yield from (at for reference in block.references for at in (reference.start, reference.end))
    yield from (page.start for page in pages)


def _clause_borders(clauses: Iterable[Clause]) -> Iterator[int]:
    for clause in clauses:
        yield from (clause.start, clause.label_end, clause.end)
        yield from _clause_borders(clause.clauses)
