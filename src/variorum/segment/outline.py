"""Which counts of numbers make the laws of a text, and which stand inside others."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log

from variorum.segment import headings
from variorum.segment.numerals import WHOLE
from variorum.segment.sequence import LOST, Candidate, Chosen, read_sequence, runs
from variorum.segment.sight import headed, sightings
from variorum.segment.styles import Sighting, Style

# A longer text has more numbers in it that by chance stand in order, so a count must earn more in it.
NEEDED, NEEDED_GROWTH, GROWS_FROM = 3.5, 0.8, 2000
NEEDED_INSIDE = 3.0
AT_START = 1.5  # a text that opens with a number is likely to be numbered
CLEAN = 0.4  # the share of numbers that must stand as they are: misread ones are known by the others
FIRST_LEFT = 3  # the first number left of a code that has lost its beginning
CHAPTER = 20_000  # a text so long holds much beside its laws
SOUND = 3  # more numbers than these, all as they stand, are no misreading of another count's
SHORT_LINE = 36  # a line that ends so early was not broken for want of room
SINGLE = 0.8  # the share of laws with one paragraph from which on another paragraph is another law
MOSTLY = 0.6

_REMNANT = re.compile(r"(?:[^\w\s(\[*†‡]{1,3}|[^\w\s]?[^\sA-Za-z(\[*†‡][^\s]{0,3}|[^\s(\[*†‡]{1,3}[.,])(?=\s+[A-Z])")
# What may be left of a number at the head of a paragraph: marks, something in brackets, or a short token, no common
# word, with a capital after it ("M The", "lt Each", "it. A", "x'lli, If").
_TRACE = re.compile(
    r"\([^)\s]{0,4}(?:\s[^)\s]{1,2})?\)"
    r"|(?:[a-z][^\s]{0,3}|[^\s]{0,4}[^\w\s][^\s]{0,2}"
    r"|(?!(?:A|If|The|In|No|Of|On|At|By|To|An|As|It|All|Any|He|Or|And|For|Two)\s)[A-Z][^\s]{0,2})(?=\s+[“\"'(]?[A-Z])"
)
BEFORE_FIRST = 3000  # characters before a count in which its first laws may stand without their numbers
_OPENS = re.compile(r"[^\sa-z(\[*†‡]")


@dataclass(frozen=True, slots=True)
class Item:
    """One number of a count: its label's span, its numeral's span, its value and how it was read."""

    chosen: Chosen
    start: int  # of the label, with a second number that stands beside it
    end: int

    @property
    def value(self) -> int:
        """The number's value."""
        return self.chosen.value

    @property
    def upto(self) -> int:
        """The last value of a label that has several ("5 and 6."); the value itself otherwise."""
        return self.value if self.chosen.inferred else max(self.value, self.chosen.candidate.upto)


@dataclass(frozen=True, slots=True)
class Count:
    """A count of numbers of one kind that goes through without starting again; `inner` holds counts within it."""

    kind: str
    style: Style
    items: tuple[Item, ...]
    nested: tuple[tuple[Item, ...], ...]  # for each item, the numbers of the same kind that stand within it

    @property
    def start(self) -> int:
        """Where the first label begins."""
        return self.items[0].start

    @property
    def last(self) -> int:
        """Where the last label begins."""
        return self.items[-1].start

    @property
    def evidence(self) -> float:
        """What speaks for the count, as log-odds."""
        return sum(item.chosen.gain for item in self.items)


def outermost(text: str, lo: int, hi: int, *, inside: bool = False, without: str = "") -> list[Count]:
    """The counts of text[lo:hi] that stand in no other count, in reading order.

    `inside` looks for the clauses of a law: then a count begins at its first number. `without` leaves out one kind.
    """
    needed = NEEDED_INSIDE if inside else NEEDED + NEEDED_GROWTH * log(1 + (hi - lo) / GROWS_FROM)
    first = _skip(text, lo)
    seen = {kind: row for kind, row in sightings(text, lo, hi, inside=inside).items() if kind != without}
    rows = {kind: list(_counts(text, lo, kind, row, inside=inside)) for kind, row in seen.items()}
    for kind, spent in _misread_of_others(rows).items():
        row = [s for s in seen[kind] if s.candidate.start not in spent]
        rows[kind] = list(_counts(text, lo, kind, row, inside=inside))
    return _outer(text, [c for row in rows.values() for c in row if _holds(c, needed, first, inside=inside)])


def _misread_of_others(rows: dict[str, list[Count]]) -> dict[str, set[int]]:
    """For each kind, where it takes for a misread number what is a sound number of a sound count of another kind.

    So the "i." and "ii." of laws under "76. Laws of Whist" are no 1 and 2 that lead to 76.
    """
    sound: dict[int, str] = {}
    doubtful: list[tuple[str, int]] = []
    for kind, row in rows.items():
        for count in row:
            whole = len(count.items) > SOUND and all(not item.chosen.doubt for item in count.items)
            for item in count.items:
                if whole:
                    sound[item.start] = kind
                elif item.chosen.doubt:
                    doubtful.append((kind, item.start))
    spent: dict[str, set[int]] = {}
    for kind, at in doubtful:
        if sound.get(at, kind) != kind:
            spent.setdefault(kind, set()).add(at)
    return spent


def _holds(count: Count, needed: float, at: int, *, inside: bool) -> bool:
    clean = sum(not item.chosen.doubt for item in count.items)
    if count.evidence < needed - (AT_START if count.start == at else 0) or clean < CLEAN * len(count.items):
        return False
    return not inside or (count.items[0].value // WHOLE == 1 and (len(count.items) > 1 or count.style.name == "keyed"))


def _counts(text: str, lo: int, kind: str, seen: Sequence[Sighting], *, inside: bool) -> Iterator[Count]:
    if not inside:
        seen = [_with_heading(text, lo, s) for s in seen]
    styles = {s.candidate.start: s.style for s in seen}
    for run in runs(read_sequence(s.candidate for s in seen)):
        items: list[Item] = []
        nested: list[list[Item]] = []
        deep = run[0].nested
        for chosen in run:
            item = Item(chosen, chosen.candidate.start, chosen.candidate.end)
            if chosen.nested and not deep:
                nested[-1].append(item)
            else:
                items.append(item)
                nested.append([])
        count = Count(kind, styles[items[0].start], tuple(items), tuple(map(tuple, nested)))
        yield count if inside else with_lost(text, count)


def with_lost(text: str, count: Count) -> Count:
    """The count with numbers that the page has lost, where it is plain which paragraphs they stood before."""
    spans = list(zip(count.items, count.items[1:], strict=False))
    single = sum(len(_openings(text, a.end, b.start)) == 0 for a, b in spans if b.value - a.upto == WHOLE)
    simple = single >= SINGLE * sum(b.value - a.value == WHOLE for a, b in spans)
    items: list[Item] = [*_lost_first(text, count), count.items[0]]
    nested = [*[()] * (len(items) - 1), count.nested[0]]
    for k, (a, b) in enumerate(spans, 1):
        missing = b.value // WHOLE - a.upto // WHOLE - 1
        for n, at in enumerate(_lost(text, a.end, b.start, missing, simple=simple) if 0 < missing <= 3 else (), 1):
            items.append(_guess(text, at, a.upto + n * WHOLE))
            nested.append(())
        items.append(b)
        nested.append(count.nested[k])
    return Count(count.kind, count.style, tuple(items), tuple(nested))


def _guess(text: str, at: int, value: int) -> Item:
    remnant = _REMNANT.match(text, at) or _TRACE.match(text, at)
    end = remnant.end() if remnant else at
    candidate = Candidate(at, end, at, end, (), 0.0, paragraph=True)
    return Item(Chosen(candidate, value, LOST, 0.0, inferred=True), at, end)


def _openings(text: str, lo: int, hi: int) -> list[int]:
    """Where paragraphs begin in text[lo:hi] that might be laws: not the first, no headings, notes or folios."""
    out = []
    for k, (start, end) in enumerate(headings.paragraphs(text, lo, hi)):
        words = " ".join(text[start:end].split())
        if k and len(words) > 30 and not headings.titled(words) and _OPENS.match(text, start):
            out.append(start)
    return out


def _heads(text: str, lo: int, hi: int) -> list[int]:
    """Where paragraphs begin in text[lo:hi], and lines after a full stop: not the first, no headings, nothing short."""
    out = []
    for start, end in headings.lines(text, lo, hi):
        ends_before = text[lo:start].rstrip()[-1:]
        if start > lo and end - start > SHORT_LINE // 2 and ends_before in tuple(".!?;:]") and ends_before:
            out.append(start)
    return [at for at in out if not headings.titled(text[at : _line_end(text, at, hi)])]


def _line_end(text: str, at: int, hi: int) -> int:
    end = text.find("\n", at, hi)
    return hi if end < 0 else end


def _lost_first(text: str, count: Count) -> list[Item]:
    """The laws before a count that begins at 2 or 3: as many paragraphs as are missing, right under a title."""
    missing = count.items[0].value // WHOLE - 1
    if not 0 < missing < FIRST_LEFT or count.style.name == "keyed":
        return []
    lo = max(0, count.start - BEFORE_FIRST)
    spans = list(headings.paragraphs(text, lo, count.start))
    if len(spans) <= missing:
        return []
    title, *laws = spans[-missing - 1 :]
    words = [" ".join(text[a:b].split()) for a, b in laws]
    if not headings.titled(" ".join(text[title[0] : title[1]].split())) or any(map(headings.titled, words)):
        return []
    return [_guess(text, start, n * WHOLE) for n, (start, _) in enumerate(laws, 1)]


def _lost(text: str, lo: int, hi: int, missing: int, *, simple: bool) -> list[int]:
    """The paragraphs that `missing` lost numbers stood before: led by a remnant, under a heading, or the only ones."""
    openings = _openings(text, lo, hi)
    for chosen in (
        [at for at in openings if _REMNANT.match(text, at)],
        [at for at in _heads(text, lo, hi) if _TRACE.match(text, at)],
        [at for at in openings if headings.before(text, lo, at)],
        openings if simple else [],
    ):
        if len(chosen) == missing:
            return chosen
    return []


def _with_heading(text: str, lo: int, sighting: Sighting) -> Sighting:
    """Only a number that may begin a count is asked whether it stands under a heading."""
    candidate = sighting.candidate
    if any(n.value // WHOLE <= FIRST_LEFT for n in candidate.numerals) and headings.before(text, lo, candidate.start):
        return headed(sighting)
    return sighting


def reach(count: Count, hi: int) -> int:
    """About where a count ends, its last law taken to be as long as the others."""
    return min(hi, count.last + (count.last - count.start) // max(1, len(count.items) - 1))


class _ByKind:
    """Counts found by their kind and place; the counts of one kind follow one another."""

    def __init__(self, counts: Sequence[Count]) -> None:
        self.rows: dict[str, list[Count]] = {}
        for count in sorted(counts, key=_start):
            self.rows.setdefault(count.kind, []).append(count)

    def holder(self, count: Count, kind: str) -> tuple[Count, int] | None:
        """The count of a kind with the whole of another count in one item, the last item open; and the item's index."""
        row = self.rows.get(kind, [])
        k = bisect_left(row, count.start, key=_start) - 1
        if k < 0:
            return None
        held = bisect_left(row[k].items, count.start, key=lambda item: item.start) - 1
        whole = held + 1 == len(row[k].items) or count.last < row[k].items[held + 1].start
        return (row[k], held) if whole else None

    def near(self, count: Count, kind: str) -> list[Count]:
        """The counts of a kind that begin next before and next after another count's beginning."""
        row = self.rows[kind]
        k = bisect_left(row, count.start, key=_start)
        return row[max(0, k - 1) : k + 1]


def _start(count: Count) -> int:
    return count.start


def _outer(text: str, counts: list[Count]) -> list[Count]:
    counts = _without_headings(text, counts)
    by_kind = _ByKind(counts)
    inner = _inner_kinds(by_kind)
    taken: list[Count] = []
    named = {id(c) for c in counts if _own_code(text, c, by_kind)}
    for count in sorted(counts, key=lambda c: (id(c) not in named, c.kind in inner, -c.evidence, c.start)):
        k = bisect_left(taken, count.start, key=_start)
        clear = (k == 0 or taken[k - 1].last < count.start) and (k == len(taken) or count.last < taken[k].start)
        if clear and not (count.kind in inner and _held_by(count, by_kind, taken)):
            taken.insert(k, count)
    return [_beside(text, count, by_kind) for count in taken]


def _own_code(text: str, count: Count, by_kind: _ByKind) -> bool:
    """Whether a count within an item of another stands under a title of laws ("76. Laws of Whist"): a code in a book
    whose paragraphs are numbered, and no clauses of a law."""
    if len(count.items) <= SOUND:
        return False
    for kind in by_kind.rows:
        held = by_kind.holder(count, kind) if kind != count.kind else None
        if held is None:
            continue
        item = held[0].items[held[1]]
        line_end = text.find("\n", item.end)
        title = text[item.end : max(line_end, item.end)].strip()
        near = count.start - item.end <= 2 * headings.LONGEST
        if near and len(title) < SHORT_LINE and headings.titled(title.rstrip(",;:")) and headings.code_title(title):
            return reach(held[0], len(text)) - held[0].start > CHAPTER
    return False


def _held_by(count: Count, by_kind: _ByKind, taken: Sequence[Count]) -> bool:
    """Whether a count stands in the last item of a count that is taken."""
    k = bisect_left(taken, count.start, key=_start) - 1
    held = by_kind.holder(count, taken[k].kind) if k >= 0 else None
    return held is not None and held[0] is taken[k]


def _inner_kinds(by_kind: _ByKind) -> set[str]:
    """The kinds whose counts lie mostly within items of another kind, which does not lie in theirs."""
    kinds = list(by_kind.rows)
    shares = {(a, b): _share(by_kind, a, b) for a in kinds for b in kinds if a != b}
    return {a for a, b in shares if shares[a, b] >= MOSTLY and shares[b, a] < MOSTLY}


def _share(by_kind: _ByKind, kind: str, other: str) -> float:
    """The share of a kind's numbers that stand, up to where they go back, in single items of another kind."""
    held = total = closed = 0
    for piece in (p for c in by_kind.rows[kind] for p in _rising(c)):
        total += len(piece.items)
        holder = by_kind.holder(piece, other)
        if holder is not None and len(holder[0].items) > 1:
            held += len(piece.items)
            closed += holder[1] + 1 < len(holder[0].items)
    if not closed:  # what only follows the last number of a count (a table of contents, say) is not within it
        return 0.0
    return held / total


def _rising(count: Count) -> Iterator[Count]:
    """A count cut where its numbers go back: the OCR has lost a first number there."""
    at = 0
    for k in range(1, len(count.items) + 1):
        if k == len(count.items) or count.items[k].value <= count.items[k - 1].value:
            yield Count(count.kind, count.style, count.items[at:k], count.nested[at:k])
            at = k


def _without_headings(text: str, counts: list[Count]) -> list[Count]:
    """Counts without those that number headings ("76. Laws of Whist").

    Most items of such a count begin with a title in its own line, or hold a count with nothing but a title before it.
    """
    by_kind = _ByKind(counts)
    held: dict[int, dict[int, int]] = {}
    for count in counts:
        for kind in by_kind.rows:
            holder = by_kind.holder(count, kind) if kind != count.kind else None
            if holder is not None:
                row = held.setdefault(holder[0].start, {})
                row[holder[1]] = min(row.get(holder[1], count.start), count.start)
    out = []
    for count in counts:
        inside = held.get(count.start, {})
        titles = sum(numbers_title(text, item, inside.get(k)) for k, item in enumerate(count.items))
        if not inside or titles < MOSTLY * len(count.items):
            out.append(count)
    return out


def numbers_title(text: str, item: Item, held: int | None = None) -> bool:
    """Whether a number stands before a title in its own line; `held` is where a count within its item begins."""
    if (
        held is not None
        and held - item.end <= headings.LONGEST
        and headings.titled(" ".join(text[item.end : held].split()))
    ):
        return True
    line_end = text.find("\n", item.end)
    words = text[item.end : line_end if line_end >= 0 else len(text)].strip().lstrip("—–- ")
    return headings.titled(words) and (text[line_end : line_end + 2] == "\n\n" or len(words) < SHORT_LINE)


def _beside(text: str, count: Count, by_kind: _ByKind) -> Count:
    """The count with labels that take in the second number where each law has two ("(41) § 3.")."""
    for other in (c for kind in by_kind.rows for c in by_kind.near(count, kind)):
        if other.kind == count.kind or not MOSTLY <= len(other.items) / len(count.items) <= 1 / MOSTLY:
            continue
        starts = {item.start: item for item in other.items}
        ends = {_skip(text, item.end): item for item in other.items}
        items = tuple(_joined(item, ends.get(item.start), starts.get(_skip(text, item.end))) for item in count.items)
        changed = sum(new is not old for new, old in zip(items, count.items, strict=True))
        if len(items) > 1 and changed >= MOSTLY * len(items):
            return Count(count.kind, count.style, items, count.nested)
    return count


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _joined(item: Item, before: Item | None, after: Item | None) -> Item:
    if before is None and after is None:
        return item
    return Item(item.chosen, before.start if before else item.start, after.end if after else item.end)
