"""Cutting a repaired text into laws, headings and prose; every offset handed out is one of the raw text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

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
    Prose,
    Reference,
    Repair,
    Segmented,
)
from variorum.segment import body, headings, numerals
from variorum.segment.copies import copies
from variorum.segment.headings import Span
from variorum.segment.judge import codes
from variorum.segment.listed import listed
from variorum.segment.numerals import WHOLE
from variorum.segment.outline import Count, Item
from variorum.segment.references import DOUBTFUL, NAMED, NEIGHBOUR, pointers
from variorum.spans import Offsets, compose
from variorum.wording import plain_words

_START = re.compile(r"^\*{3} ?START OF TH[^\n]{0,200}$", re.MULTILINE)
_END = re.compile(r"^\*{3} ?END OF TH[^\n]{0,200}$", re.MULTILINE)
_IN_LINE = re.compile(r"(?<=[^\s.!?])[ \t]+(?P<num>\d{1,3})\.[ \t]+(?=[“\"‘']?[A-Z])")
COLUMN = 0.6  # the share of laws with a number of the second column from which on a text is read across
_SMALL = """of the a an and or in for at to on by with as law laws rule rules game games"""
_SMALL_WORDS = frozenset(_SMALL.split())

NO_LAWS = (
    "no numbered law was found; the text is kept as prose: look at it with variorum clean, and see that it has the "
    "pages with the laws, each law with its number at the start of a line"
)
ACROSS = 0.5  # the certainty of numbers in a text that seems to be read across two columns
MOST_NAMED = 50  # missing numbers that a finding names one by one
BY_SHAPE = 0.6  # of a number that its neighbours do not bear out
ALIKE = 0.8  # the share of headings in capitals from which on all are
MISREAD_BETWEEN, MISREAD_BESIDE, WRONG_NUMBER, NO_NUMBER = 0.97, 0.9, 0.7, 0.8


@dataclass(slots=True)
class Draft:
    """A law in the making; all offsets are of the repaired text."""

    number: str
    label: Span
    end: int
    section: str
    part: int
    item: Item | None
    count: Count | None
    nested: tuple[Item, ...] = ()
    cert: float = 1.0
    id: str = ""
    place: int = 0
    torn: Span | None = None


@dataclass(slots=True)
class Cutter:
    """The work on one text: what has been found so far."""

    repair: Repair
    offsets: Offsets
    drafts: list[Draft] = field(default_factory=list)
    others: list[tuple[Span, int]] = field(default_factory=list)  # headings with their level; prose has level 0
    edits: list[Correction] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The repaired text that is cut."""
        return self.repair.text

    def raw(self, span: Span) -> Span:
        """A span of the repaired text in the raw text."""
        start = self.offsets.to_raw(span[0])
        return start, max(start, self.offsets.to_raw(span[1], end=True))

    def doubt(self, code: str, message: str, span: Span, candidates: tuple[str, ...] = ()) -> None:
        """Note a finding on a span of the repaired text."""
        start, end = self.raw(span)
        self.findings.append(Finding(code, message, start, end, candidates=candidates))


def cut(repair: Repair) -> Segmented:
    """See `variorum.segment.segment`."""
    work = Cutter(repair, Offsets(repair.corrections))
    lo, hi = _bounds(repair.text)
    _prose(work, 0, lo)
    _laws(work, lo, hi)
    _prose(work, hi, len(repair.text))
    _report_library(work, lo, hi)
    _name(work)
    _check(work)
    _check_columns(work)
    if not work.drafts and work.text.strip():
        work.findings.append(Finding("no-laws", NO_LAWS, problem=True))
    blocks = _blocks(work)
    return Segmented(
        compose(repair, work.edits), tuple(blocks), tuple(sorted(work.findings, key=lambda f: (f.start, f.end, f.code)))
    )


def _bounds(text: str) -> Span:
    """The part of an e-text that is the book: what stands outside its START and END lines is the library's."""
    start, end = _START.search(text), _END.search(text)
    lo = start.end() if start else 0
    return lo, end.start() if end and end.start() >= lo else len(text)


def _report_library(work: Cutter, lo: int, hi: int) -> None:
    """Say what was cut off as the library's own words."""
    for start, end, where in ((0, lo, "before the book begins"), (hi, len(work.text), "after the book ends")):
        if work.text[start:end].strip():
            message = f"What stands {where} is the e-text library's notice and licence; no laws are looked for there."
            work.doubt("library-notice", message, (start, end))


# --------------------------------------------------------------------------------------- laws and what is round them


def _laws(work: Cutter, lo: int, hi: int) -> None:
    counts = listed(work.text, lo, hi, codes(work.text, lo, hi))
    twice = copies(work.text, counts, hi)
    at = lo
    for k, count in enumerate(counts):
        limit = counts[k + 1].start if k + 1 < len(counts) else hi
        if k in twice:
            _prose(work, at, limit)
            _report_copy(work, count, counts[twice[k]], limit)
            at = limit
            continue
        at = _front(work, at, count, k)
        at = _run(work, count, k, at, limit)
    _tail(work, at, hi)


def _report_copy(work: Cutter, count: Count, original: Count, limit: int) -> None:
    first, last = (numerals.plain(item.value) for item in (count.items[0], count.items[-1]))
    end = _last_end(work.text, count.items[-1].end, limit, 1)
    work.doubt(
        "text-repeated",
        f"Laws {first} to {last} stand here a second time, nearly word for word; this copy is left out of the laws.",
        (count.start, end),
        (numerals.plain(original.items[0].value),),
    )


def _front(work: Cutter, lo: int, count: Count, part: int) -> int:
    """What stands before the first law of a count: headings, prose, the rest of a law that began before the page."""
    before = headings.before(work.text, lo, count.start)
    edge = before[0][0] if before else count.start
    for start, end in headings.paragraphs(work.text, lo, edge):
        words = " ".join(work.text[start:end].split())
        first = start == lo or not work.text[lo:start].strip()
        if headings.titled(words) and (first or count.start - start < 2000):
            work.others.append(((start, end), 1))
        elif end == edge or not work.text[end:edge].strip():
            _begun_before(work, (start, end), count, part, torn=not before or not headings.titled(words))
        else:
            work.others.append(((start, end), 0))
    for span in before:
        words = headings.words_of(work.text, span)
        work.others.append((span, 1 if headings.code_title(words) else 2))
    return count.start


def _begun_before(work: Cutter, span: Span, count: Count, part: int, *, torn: bool) -> None:
    """The paragraph before a first number that is not 1: if it begins in mid sentence, the end of the law before it."""
    value = count.items[0].value
    letters = work.text[span[0] : span[0] + 8].lstrip("“\"'(.,;·•- ")
    if not torn or value <= WHOLE or value % WHOLE or not letters[:1].islower() or work.drafts:
        work.others.append((span, 0))
        return
    number = count.style.write(value - WHOLE)
    work.drafts.append(Draft(number, (span[0], span[0]), span[1], "", part, None, count, cert=NO_NUMBER))
    work.doubt(
        "law-number-inferred",
        f"This law began before the page; it is taken for law {number}, because {count.style.write(value)} follows.",
        span,
        (number,),
    )


def _run(work: Cutter, count: Count, part: int, lo: int, limit: int) -> int:
    """The laws of one count; returns where the last one ends."""
    text = work.text
    section = _section(work, count.start)
    over = _over_items(text, count)
    longest = 1
    for k, item in enumerate(count.items):
        if k + 1 < len(count.items):
            after = over[k]
            end = after[0][0] if after else count.items[k + 1].start
        else:
            after = []
            before = headings.before(text, item.end, limit) if limit < len(text) else []
            end = _last_end(text, item.end, before[0][0] if before else limit, longest)
        while end > item.end and text[end - 1].isspace():
            end -= 1
        longest = max(longest, sum(1 for _ in headings.paragraphs(text, item.end, end)))
        number = count.style.write(item.value)
        work.drafts.append(Draft(number, (item.start, item.end), end, section, part, item, count, count.nested[k]))
        work.others += [(span, 2) for span in after]
        if after:
            section = headings.words_of(text, after[-1])
        lo = end
    return lo


def _over_items(text: str, count: Count) -> list[list[Span]]:
    """For each number of a count, the headings between its law and the next one.

    A heading leaves the law before it some words, and the headings of one code are alike: where nearly all are in
    capitals, a line that only looks like a title is not one.
    """
    over = []
    for item, following in zip(count.items, count.items[1:], strict=False):
        spans = headings.before(text, item.end, following.start)
        if spans and not text[item.end : spans[0][0]].strip():
            spans = spans[1:]
        over.append(spans)
    last = [headings.mostly_capitals(text[s[-1][0] : s[-1][1]]) for s in over if s]
    if sum(last) >= ALIKE * len(last):
        over = [_capitals_at_end(text, spans) for spans in over]
    return over


def _capitals_at_end(text: str, spans: list[Span]) -> list[Span]:
    """The last of some headings, back to the first that is not in capitals."""
    k = len(spans)
    while k and headings.mostly_capitals(text[spans[k - 1][0] : spans[k - 1][1]]):
        k -= 1
    return spans[k:]


def _section(work: Cutter, at: int) -> str:
    """The heading over the first law of a count, with no law and no more than a subtitle between.

    A title in the running line names the code and is no section.
    """
    since = work.drafts[-1].end if work.drafts else 0
    prose = 0
    for span, level in reversed(work.others):
        if span[1] <= since or prose > 2 * headings.LONGEST:
            return ""
        if level and span[1] <= at:
            words = headings.words_of(work.text, span)
            named = level == 2 or ("\n" in work.text[span[1] : at] and headings.code_title(words))
            return words if named else ""
        prose += span[1] - span[0]
    return ""


def _last_end(text: str, lo: int, hi: int, most: int) -> int:
    """Where the last law of a count ends: at a heading, or after as many paragraphs as the longest law before it."""
    run_in = headings.run_in(text, lo, hi)
    if run_in and text[lo : run_in[0]].strip():  # a law keeps some words
        hi = run_in[0]
    end = lo
    for k, (start, stop) in enumerate(headings.paragraphs(text, lo, hi)):
        words = " ".join(text[start:stop].split())
        if k and ((k >= most and not body.remark(text, start, stop)) or headings.titled(words)):
            break
        end = stop
    return end


def _tail(work: Cutter, lo: int, hi: int) -> None:
    """What stands after the last law: headings and prose."""
    at = lo
    run_in = headings.run_in(work.text, max(0, lo - 2), hi) if lo else None
    if run_in and not work.text[at : run_in[0]].strip():
        work.others.append((run_in, 2))
        at = run_in[1]
    _prose(work, at, hi)


def _prose(work: Cutter, lo: int, hi: int) -> None:
    for start, end in headings.paragraphs(work.text, lo, hi):
        title = headings.titled(" ".join(work.text[start:end].split()))
        work.others.append(((start, end), 2 if title else 0))


# -------------------------------------------------------------------------------------------------- names and doubts


def _name(work: Cutter) -> None:
    """Give each law an id that is unique in the witness."""
    prefixes = _prefixes(work)
    times: dict[str, int] = {}
    for draft in work.drafts:
        base = ".".join(p for p in (prefixes[draft.part], draft.number) if p)
        times[base] = times.get(base, 0) + 1
        draft.id = base if times[base] == 1 else f"{base}.r{times[base]}"


def _prefixes(work: Cutter) -> dict[int, str]:
    """A prefix for each part after the first: the initials of its heading, or its ordinal."""
    prefixes: dict[int, str] = {}
    for draft in work.drafts:
        if draft.part in prefixes:
            continue
        if not prefixes:
            prefixes[draft.part] = ""
            continue
        initials = _initials(draft.section)
        taken = not initials or initials in prefixes.values()
        prefixes[draft.part] = str(len(prefixes) + 1) if taken else initials
    return prefixes


def _initials(title: str) -> str:
    words = [w for w in re.findall(r"[A-Za-z]+", title) if w.lower() not in _SMALL_WORDS]
    return "".join(w[0].upper() for w in words)[:4]


def _check(work: Cutter) -> None:
    """Corrections of misread numbers, and findings on what is odd in the counting."""
    for k, draft in enumerate(work.drafts):
        before = work.drafts[k - 1] if k and work.drafts[k - 1].part == draft.part else None
        after = work.drafts[k + 1] if k + 1 < len(work.drafts) and work.drafts[k + 1].part == draft.part else None
        if draft.item is not None:
            _number(work, draft, before, after)
            if before is not None:
                _step(work, draft, before)


def _number(work: Cutter, draft: Draft, before: Draft | None, after: Draft | None) -> None:
    assert draft.item is not None
    chosen = draft.item.chosen
    if not chosen.doubt:
        return
    found = work.text[chosen.candidate.num_start : chosen.candidate.num_end]
    places = [f"before {after.number}"] if after and _next(draft, after) else []
    places += [f"after {before.number}"] if before and _next(before, draft) else []
    evidence = "stands " + " and ".join(places) if places else "is read by its shape"
    span = (chosen.candidate.num_start, chosen.candidate.num_end)
    if chosen.inferred:
        draft.cert = WRONG_NUMBER
        message = f"The page has “{found}” where law {draft.number} is due; it {evidence}."
        work.doubt("law-number-inferred", message, span, (draft.number,))
        return
    draft.cert = (BY_SHAPE, MISREAD_BESIDE, MISREAD_BETWEEN)[len(places)]
    reads = draft.number if draft.count is None else _as_printed(draft, found)
    if reads != found:
        work.edits.append(
            Correction(*span, found, reads, CorrectionKind.MISREADING, "law number", draft.cert, evidence)
        )
        message = f"The page has “{found}” for {reads}; it {evidence}."
        work.doubt("law-number-inferred", message, span, (draft.number,))


def _next(draft: Draft, following: Draft) -> bool:
    """Whether a law's number is the one after another's."""
    if draft.item is None or following.item is None:
        return True
    return 0 < following.item.value - draft.item.upto <= WHOLE


def _as_printed(draft: Draft, found: str) -> str:
    """The true number in the kind of numeral that the printer used."""
    assert draft.item is not None
    style = draft.count.style.name if draft.count else ""
    whole = draft.item.value // WHOLE
    roman = style == "roman" or (
        style == "keyed" and all(c in "IVXLClvxi1T|" for c in found) and not found.isdigit() and len(found) > 2
    )
    return numerals.to_roman(whole) if roman else draft.number


def _step(work: Cutter, draft: Draft, before: Draft) -> None:
    assert draft.item is not None
    old = before.item.upto if before.item else draft.item.value - WHOLE
    new = draft.item.value
    gap = new // WHOLE - old // WHOLE
    if draft.item.upto > new:
        message = f"One law stands under the numbers {draft.number} to {numerals.plain(draft.item.upto)}."
        work.doubt("law-number-range", message, draft.label)
    if new == old:
        work.doubt("law-number-repeated", f"The number {draft.number} stands twice.", draft.label)
    elif gap > 1:
        first, last = (numerals.plain(v * WHOLE) for v in (old // WHOLE + 1, new // WHOLE - 1))
        missing = tuple(str(v) for v in range(old // WHOLE + 1, min(new // WHOLE, old // WHOLE + MOST_NAMED)))
        what = f"Law {first} is" if gap == 2 else f"Laws {first} to {last} are"
        work.doubt(
            "law-number-missing", f"{what} not found between {before.number} and {draft.number}.", draft.label, missing
        )
    elif gap < 0:
        work.doubt("law-number-backwards", f"Law {draft.number} stands after law {before.number}.", draft.label)


def _check_columns(work: Cutter) -> None:
    """Doubt laws whose lines hold, one by one, the numbers of another column: "1. The game ... 12. If the striker"."""
    parts: dict[int, list[Draft]] = {}
    for draft in work.drafts:
        parts.setdefault(draft.part, []).append(draft)
    for drafts in parts.values():
        second = _second_column(work.text, drafts)
        if len(second) < max(3, COLUMN * len(drafts)):
            continue
        for draft in drafts:
            draft.cert = min(draft.cert, ACROSS)
        numbers = f"{second[0]} to {second[-1]}"
        message = f"Two columns seem to be read across: {numbers} stand within laws {drafts[0].number} to"
        span = (drafts[0].label[0], drafts[-1].end)
        work.doubt("columns-read-across", f"{message} {drafts[-1].number}; read the page column by column.", span)


def _second_column(text: str, drafts: Sequence[Draft]) -> list[int]:
    """The longest row of numbers, each the next, that stand in mid line within laws that follow one another."""
    best: list[int] = []
    row: list[int] = []
    for draft in drafts:
        inside = [int(m["num"]) for m in _IN_LINE.finditer(text, draft.label[1], draft.end)]
        due = row[-1] + 1 if row else 0
        if due in inside:
            row.append(due)
        else:
            row = inside[:1]
        best = max(best, row, key=len)
    return best


# ------------------------------------------------------------------------------------------------------------ blocks


def _blocks(work: Cutter) -> list[Block]:
    made: list[Block] = []
    for span, level in work.others:
        start, end = work.raw(span)
        if start < end:
            words = headings.words_of(work.text, span)
            made.append(
                Heading(words, start, end, level) if level else Prose(words_of_prose(work.text, span), start, end)
            )
    last = work.drafts[-1] if work.drafts else None
    index = _index(work)
    bodies: dict[int, list[Span]] = {}
    for draft in work.drafts:
        bodies.setdefault(draft.part, []).append((draft.label[1], draft.end))
    annotated = {part: body.annotated(work.text, spans) for part, spans in bodies.items()}
    for place, draft in enumerate(work.drafts):
        draft.place = place
        if draft is last:
            draft.torn = _torn(work, draft)
        made.append(_law(work, draft, index, annotated=annotated[draft.part]))
    made.sort(key=lambda b: b.start)
    return _apart([_with_clauses(work, b, made) if isinstance(b, Law) and b.references else b for b in made])


def _apart(blocks: list[Block]) -> list[Block]:
    """Blocks without overlap: where a corrected span belongs to two, the later one has it."""
    out: list[Block] = []
    for block in blocks:
        while out and out[-1].end > block.start:
            before = out.pop()
            if before.start < block.start:
                out.append(replace(before, end=block.start))
        out.append(block)
    return out


def words_of_prose(text: str, span: Span) -> str:
    """The words of a stretch of prose."""
    return plain_words(text[span[0] : span[1]])


def _torn(work: Cutter, draft: Draft) -> Span | None:
    """Where the last law breaks off, if nothing but white space follows it."""
    if work.text[draft.end :].strip():
        return None
    return body.torn_end(work.text, draft.label[1], draft.end)


def _law(work: Cutter, draft: Draft, index: dict[tuple[int, str], list[Draft]], *, annotated: bool) -> Law:
    text, start, label_end = work.text, draft.label[0], draft.label[1]
    end = draft.torn[0] if draft.torn else draft.end
    remarks = body.notes(text, label_end, end, annotated=annotated)
    holes = [(r.start, r.end) for r in remarks]
    kind = draft.count.kind if draft.count else ""
    at, parts = body.clauses(text, label_end, end, kind, draft.nested, holes)
    own = body.without((label_end, end), [h for h in holes if h[0] < at] + _hole(at, end))
    raw_start, raw_end = work.raw((start, draft.end))
    raw_label = work.offsets.to_raw(label_end, end=True) if draft.item else raw_start
    return Law(
        draft.id,
        draft.number,
        work.repair.raw[raw_start:raw_label].strip(),
        draft.section,
        _words(text, own),
        raw_start,
        raw_end,
        raw_label,
        tuple(_clause(work, p) for p in parts),
        tuple(_note(work, r) for r in remarks),
        tuple(_gaps(work, draft)),
        tuple(_references(work, draft, index)),
        draft.cert,
    )


def _hole(lo: int, hi: int) -> list[Span]:
    return [(lo, hi)] if lo < hi else []


def _words(text: str, spans: Sequence[Span]) -> str:
    return plain_words(" ".join(text[a:b] for a, b in spans))


def _clause(work: Cutter, part: body.Part) -> Clause:
    start, end = work.raw((part.start, part.end))
    label_end = work.offsets.to_raw(part.label_end, end=True)
    return Clause(
        part.label, _words(work.text, part.own), start, end, label_end, tuple(_clause(work, p) for p in part.parts)
    )


def _note(work: Cutter, remark: body.Remark) -> Note:
    start, end = work.raw((remark.start, remark.end))
    mark_end = work.offsets.to_raw(remark.mark_end, end=True) if remark.mark_end > remark.start else start
    mark = work.repair.raw[start:mark_end]
    return Note(_words(work.text, [remark.words]), start, end, mark, mark_end if mark else 0)


def _gaps(work: Cutter, draft: Draft) -> Iterator[Gap]:
    if draft.item is None:
        at = work.offsets.to_raw(draft.label[0])
        yield Gap(at, at, "truncated")
    if draft.torn is not None:
        start, end = work.raw(draft.torn)
        yield Gap(start, end, "truncated")
        work.doubt("law-truncated", f"Law {draft.number} breaks off at the end of the text.", draft.torn)


# -------------------------------------------------------------------------------------------------------- references


def _with_clauses(work: Cutter, law: Law, blocks: Sequence[Block]) -> Law:
    """The law with its references to clauses looked up: one to a clause that is not there keeps its law, with doubt."""
    by_id = {b.id: b for b in blocks if isinstance(b, Law)} if any("." in r.target for r in law.references) else {}
    references = []
    for reference in law.references:
        place, _, label = reference.target.rpartition(".")
        known = by_id.get(place)
        if known is not None and reference.target not in by_id and label not in {c.label for c in known.clauses}:
            words = " ".join(work.repair.raw[reference.start : reference.end].split())
            message = f"“{words}” in law {law.number} names a clause that law {known.number} has not."
            work.findings.append(Finding("reference-doubtful", message, reference.start, reference.end))
            reference = replace(reference, target=place, cert=DOUBTFUL)
        references.append(reference)
    return replace(law, references=tuple(references))


def _index(work: Cutter) -> dict[tuple[int, str], list[Draft]]:
    index: dict[tuple[int, str], list[Draft]] = {}
    for draft in work.drafts:
        index.setdefault((draft.part, _figures(draft)), []).append(draft)
    return index


def _figures(draft: Draft) -> str:
    if draft.item is not None:
        return numerals.plain(draft.item.value)
    value = numerals.roman_value(draft.number.upper())
    return str(value) if value else draft.number


def _references(work: Cutter, draft: Draft, index: dict[tuple[int, str], list[Draft]]) -> Iterator[Reference]:
    for pointer in pointers(work.text, draft.label[1], draft.end):
        span = (pointer.start, pointer.end)
        start, end = work.raw(span)
        if pointer.step:
            near = draft.place + pointer.step
            known = 0 <= near < len(work.drafts) and work.drafts[near].part == draft.part
            target, cert = (work.drafts[near].id, NEIGHBOUR) if known else ("", DOUBTFUL)
        else:
            found = index.get((draft.part, pointer.number), [])
            target = ".".join(p for p in (found[0].id, pointer.clause) if p) if found else ""
            cert = NAMED if len(found) == 1 else DOUBTFUL
        if not target:
            words = " ".join(work.text[span[0] : span[1]].split())
            work.doubt("reference-unresolved", f"“{words}” in law {draft.number} names no law here.", span)
        yield Reference(start, end, target, cert)
