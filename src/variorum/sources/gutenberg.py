"""What a file of Project Gutenberg says that its book does not: frame, credits, transcribers' notes, marks of type.

    *** START OF THE PROJECT GUTENBERG EBOOK WHIST ***   ->  taken out, with all before it
    the _post_ and =The Dealer=                          ->  the post and The Dealer

All stays in the raw text: what is taken out is a correction, as any other is, and a finding says how much it was. Only
a file that has the frame is understood so: elsewhere an underscore or an equals sign may be anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from variorum.model import Correction, CorrectionKind, Finding, Page, Repair, Segmented

_START = re.compile(
    r"\*{3} ?START OF (?:THE|THIS) PROJECT GUTENBERG [^*]{0,400}\*{3}[ \t]*\n?|"
    r"\*END\*? ?THE SMALL PRINT![^\n]{0,200}\n"
)
_END = re.compile(
    r"(?:^[ \t]*End of (?:the |this )?Project Gutenberg[^*]{0,400}\n[ \t]*)?"
    r"\*{3} ?END OF (?:THE|THIS) PROJECT GUTENBERG",
    re.MULTILINE | re.IGNORECASE,
)
_CREDITS = re.compile(
    r"\s{0,200}(?:Produced|E-?text (?:prepared|produced)|Transcribed|This (?:e-?text|e-?book|file) was produced"
    r"|Credits:)\b(?:(?!\n[ \t]*\n)[^\f]){0,2000}(?:\n|\Z)",
    re.IGNORECASE,
)
_NOTE = re.compile(r"\[\s?Transcriber['’]?s?['’]? note[^\[\]]{0,4000}\]|\[T\. ?N\.[^\[\]]{0,1000}\]", re.IGNORECASE)
_UNMARKED = re.compile(r"^[ \t]*(Transcriber['’]?s?['’]? notes?)\b", re.IGNORECASE | re.MULTILINE)
# A mark stands before a word and after one; what lies between is of one paragraph and has a letter.
_MARKED = re.compile(r"(?<![\w=_])([_=])(?=[^\s_=])((?:(?!\n[ \t]*\n|\1).){1,600}?)(?<=[^\s])\1(?!\w)", re.DOTALL)
_MARKS = {"_": "italics", "=": "bold type or small capitals"}
_RULE = "gutenberg"


def understood(raw: str, pages: tuple[Page, ...], findings: tuple[Finding, ...]) -> Segmented | None:
    """What a text says of itself by the frame of a Gutenberg file; None where it has no such frame."""
    start = _START.search(raw)
    if start is None:
        return None
    end = _END.search(raw, start.end())
    first, last = start.end(), end.start() if end else len(raw)
    around = [(0, first), *_prefaced(raw, first, last), *([(last, len(raw))] if end else [])]
    notes = [m.span() for m in _NOTE.finditer(raw, around[-2 if end else -1][1], last)]
    spans = [span for span in (*around, *notes) if span[0] < span[1]]
    if not raw[first:last].strip():
        return None
    marks = list(_marks(raw, spans))
    taken = [_frame(raw, span) for span in spans] + [_mark(raw, at) for at in marks]
    taken.sort(key=lambda c: c.start)
    told = (*findings, *_told(raw, first, last, spans, marks))
    return Segmented(Repair(raw, tuple(taken), told, pages))


def _prefaced(raw: str, start: int, last: int) -> Iterator[tuple[int, int]]:
    """The credits and notes that stand between the frame and the book."""
    while found := _CREDITS.match(raw, start, last):
        yield start, found.end()
        start = found.end()


def _marks(raw: str, spans: list[tuple[int, int]]) -> Iterator[int]:
    """Where a mark of type stands, in the book only."""
    taken = sorted(spans)
    k = 0
    for found in _MARKED.finditer(raw):
        while k < len(taken) and taken[k][1] <= found.start():
            k += 1
        clear = k == len(taken) or found.end() <= taken[k][0]
        if clear and any(map(str.isalpha, found[2])):
            yield found.start()
            yield found.end() - 1


def _frame(raw: str, span: tuple[int, int]) -> Correction:
    start, end = span
    return Correction(
        start,
        end,
        raw[start:end],
        "",
        CorrectionKind.FURNITURE,
        f"{_RULE}.frame",
        1.0,
        "of those who made the file, not of the book",
        "header",
    )


def _mark(raw: str, at: int) -> Correction:
    what = f"a mark for {_MARKS[raw[at]]}"
    return Correction(at, at + 1, raw[at], "", CorrectionKind.ENCODING, f"{_RULE}.type", 0.98, what)


def _told(raw: str, first: int, last: int, spans: list[tuple[int, int]], marks: list[int]) -> Iterator[Finding]:
    inner = sum(end - start for start, end in spans if first <= start < last)
    what = (
        f"the frame of a Project Gutenberg file is no part of the text: {first:,} characters before it, "
        f"{len(raw) - last:,} after it, and {inner:,} of credits and transcribers' notes are left out"
    )
    yield Finding("frame-left-out", what, 0, first)
    if found := _UNMARKED.search(raw, first, last):
        yield Finding(
            "transcriber-note", "a note of the transcriber's stands in the text as if of the book", *found.span(1)
        )
    if marks:
        what = f"{len(marks):,} marks for italics, bold type or small capitals are left out"
        yield Finding("type-marks", what, marks[0], marks[0] + 1)
