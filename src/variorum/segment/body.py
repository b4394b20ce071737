"""What stands inside a law: its own words, clauses, notes, and what is torn off."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from variorum.segment import headings
from variorum.segment.headings import Span
from variorum.segment.numerals import WHOLE
from variorum.segment.outline import Count, Item, outermost

ANNOTATED = 0.25  # the share of laws with a remark from which on every further paragraph is one
DEEPEST = 3  # laws have clauses, clauses within them, and clauses within those

_MARK = re.compile(r"(?<=[.!?:;)”\"’])\s+(?P<mark>[*†‡§•][*†‡»«'’\"^°•.]{0,2})\s?(?=[“\"'(]?[A-Z])")
_MARKED = re.compile(r"(?P<mark>[*†‡][*†‡»'’\"^°•.]{0,2}|\[\w\])\s?(?=\S)")
_REMARK = re.compile(
    r"(?:CASES?|NOTES?|N\. ?B\.|EXAMPLES?|REMARKS?|COMMENTS?|OBSERVATIONS?|Note|Example|Case)\s?[.:—–-]"
)
_FOOTNOTE = re.compile(r"\[(?:Footnote|Note)\b")
_WHOLE_WORD = re.compile(r"[“\"‘'(\[_]{0,2}[^\W_]+(?:[-'’—–][^\W_]+)*[-—–]?[,.;:!?”\"’')\]_*†‡]{0,3}")
_ENDED = re.compile(r"[.!?:;—…][”\"’')\]_*†‡]{0,3}\s*$")


@dataclass(slots=True)
class Part:
    """A clause in the making: label, spans of its own words, and the clauses within."""

    label: str
    start: int
    end: int
    label_end: int
    own: list[Span] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)


@dataclass(slots=True)
class Remark:
    """A note in the making: its span, its mark's end (its start if it has none) and where its words begin and end."""

    start: int
    end: int
    mark_end: int
    words: Span


def notes(text: str, lo: int, hi: int, *, annotated: bool = False) -> list[Remark]:
    """The notes within text[lo:hi]: paragraphs in brackets or with a mark, remarks, what follows a mark in the line.

    In an annotated code a law is one paragraph, and what follows is commentary on it.
    """
    found: list[Remark] = []
    for start, end in headings.paragraphs(text, lo, hi):
        if (
            annotated
            and start > lo
            and (found or _ENDED.search(text, max(lo, start - 12), start))
            and _breaks(text, lo, start)
        ):
            found += _marked_apart(text, _whole(text, start, end) or Remark(start, end, start, (start, end)))
            continue
        whole = (
            None
            if start == lo or (not text[lo:start].strip() and not _breaks(text, lo, start))
            else _whole(text, start, end)
        )
        if whole:
            found += _marked_apart(text, whole)
        elif found and _continues(text, found[-1]):
            found[-1] = Remark(found[-1].start, end, found[-1].mark_end, (found[-1].words[0], end))
        else:
            found += _run_in(text, start, end)
    return found


def remark(text: str, start: int, end: int) -> bool:
    """Whether a paragraph is a note."""
    return _whole(text, start, end) is not None


def annotated(text: str, spans: Sequence[Span]) -> bool:
    """Whether a code has commentary after its laws: many of the laws with more than one paragraph have a remark."""
    several = remarked = 0
    for lo, hi in spans:
        more = list(headings.paragraphs(text, lo, hi))[1:]
        several += bool(more)
        remarked += any(_REMARK.match(text, start, end) for start, end in more)
    return remarked > 2 and remarked >= ANNOTATED * several


def _breaks(text: str, lo: int, hi: int) -> bool:
    return "\n\n" in text[lo:hi] or "\f" in text[lo:hi]


def _continues(text: str, note: Remark) -> bool:
    """Whether a bracket opened in the note's paragraph is still open at its end."""
    words = text[note.start : note.end]
    return words[0] == "[" and words.count("[") > words.count("]") and note.end - note.start < 4000


def _whole(text: str, start: int, end: int) -> Remark | None:
    # "|" and "{" are what the OCR makes of a square bracket, whose other end it may have lost.
    if (
        (text[start] in "[{" and text[start + 1 : start + 2].isalpha())
        or (text[start] == "|" and text[start + 1 : start + 2].isupper())
        or (text[start] == "(" and text[end - 1] in ")}]")
    ):
        return Remark(start, end, start, (start, end))
    marked = _MARKED.match(text, start, end)
    if marked:
        return Remark(start, end, marked.end("mark"), (marked.end(), end))
    if _REMARK.match(text, start, end):
        return Remark(start, end, start, (start, end))
    return None


def _marked_apart(text: str, note: Remark) -> Iterator[Remark]:
    """A note, cut where another mark follows in its paragraph: "* By law 3. † Formerly of ash."."""
    later = list(_run_in(text, note.start + 1, note.end)) if note.mark_end > note.start else []
    end = later[0].start if later else note.end
    while end > note.mark_end and text[end - 1].isspace():
        end -= 1
    yield Remark(note.start, end, note.mark_end, (note.words[0], end))
    yield from later


def _run_in(text: str, lo: int, hi: int) -> Iterator[Remark]:
    marks = list(_MARK.finditer(text, lo, hi))
    for k, match in enumerate(marks):
        end = marks[k + 1].start() if k + 1 < len(marks) else hi
        yield Remark(match.start("mark"), end, match.end("mark"), (match.end(), end))


def without(span: Span, holes: Sequence[Span]) -> list[Span]:
    """A span with holes cut out of it."""
    out, at = [], span[0]
    for start, end in holes:
        if start > at:
            out.append((at, min(start, span[1])))
        at = max(at, end)
    if at < span[1]:
        out.append((at, span[1]))
    return out


def clauses(
    text: str, lo: int, hi: int, kind: str, nested: Sequence[Item] = (), holes: Sequence[Span] = (), depth: int = 1
) -> tuple[int, list[Part]]:
    """Where the clauses of text[lo:hi] begin (hi where there are none), and the clauses.

    `kind` is the kind of number of the law itself, which does not number clauses, except those of `nested`.
    `holes` are notes within: no words of a clause.
    """
    if nested:
        marks = [(i.start, i.end, to_label(i)) for i in nested]
        inner = kind
    else:
        count = _first_count(text, lo, hi, kind)
        if count is None:
            return hi, []
        marks = [(i.start, i.end, count.style.write(i.value)) for i in count.items]
        inner = count.kind
    marks = [m for m in marks if not any(a <= m[0] < b for a, b in holes)]
    parts = []
    for k, (start, label_end, label) in enumerate(marks):
        end = marks[k + 1][0] if k + 1 < len(marks) else hi
        while end > label_end and text[end - 1].isspace():
            end -= 1
        at, within = (
            (end, []) if depth == DEEPEST else clauses(text, label_end, end, inner, holes=holes, depth=depth + 1)
        )
        parts.append(Part(label, start, max(end, label_end), label_end, without((label_end, at), holes), within))
    return (marks[0][0] if marks else hi), parts


def to_label(item: Item) -> str:
    """A clause's label where it is numbered as the laws are."""
    return str(item.value // WHOLE)


def _first_count(text: str, lo: int, hi: int, kind: str) -> Count | None:
    counts = outermost(text, lo, hi, inside=True, without=kind)
    return min(counts, key=lambda c: c.start) if counts else None


def torn_end(text: str, lo: int, hi: int) -> Span | None:
    """Where the words of text[lo:hi] break off: the remnant that is no word, perhaps empty; None: they end well."""
    if _ENDED.search(text, max(lo, hi - 12), hi):
        return None
    at = hi
    while at > lo:
        start = at
        while start > lo and not text[start - 1].isspace():
            start -= 1
        token = text[start:at]
        if not token or (_WHOLE_WORD.fullmatch(token) and (len(token) > 1 or token in "aIAO")):
            break
        at = start
        while at > lo and text[at - 1].isspace():
            at -= 1
    if at in (lo, hi):  # where nothing would be left, the words are odd and not torn
        return hi, hi
    while at < hi and text[at].isspace():
        at += 1
    return at, hi
