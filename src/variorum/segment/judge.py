"""Which counts of numbers are codes of laws: not chapters, a table of contents, footnotes, questions, or mere lists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from variorum.segment import headings
from variorum.segment.outline import CHAPTER, MOSTLY, Count, Item, numbers_title, outermost, reach

# In a text as long as a chapter a count is a code if a title says so and it lays something down; or if it is long, or
# such counts fill much of the text, and it clearly lays down what may and must be done, and tells no story.
# Measured by benchmarks/laws.py --books and --novels.
FILLS, LONG, CHAPTER_LIKE = 0.3, 10, 3000
LAYS_DOWN, LAYS_SOMETHING, LAYS_ALL = 0.6, 0.3, 0.9
TELLS, TELLS_MUCH = 0.25, 0.6
OPENING, DISCOURSE = 600, 2000  # where a law says what it lays down, and what is longer than laws are on average

_LAYS_DOWN = re.compile(
    r"\b(?:must|shall|cannot|may|can|should|is to|are to|entitled|forfeit(?:s|ed)?|liable|allowed|permitted|penalty"
    r"|void|no player|(?<=\w )to be|loses?|wins?|counts?|scores?)\b",
    re.IGNORECASE,
)
_TELLS = re.compile(r"\b(?:was|were|had|did|said|thought|I|my|we|our|us|me|ago|1[78]\d\d)\b")
_QUESTION = re.compile(r"[^.!]{0,300}\?")


@dataclass(frozen=True, slots=True)
class _Manner:
    """How a count speaks: the shares of its laws that lay something down, tell something, and ask something."""

    lays_down: float
    tells: float
    asks: float

    @property
    def orders(self) -> bool:
        """Whether it speaks as laws do that have no title to say so."""
        return self.lays_down >= LAYS_DOWN and (self.tells < TELLS or self.lays_down >= LAYS_ALL > self.tells)

    @property
    def bears_title(self) -> bool:
        """Whether a title that calls it laws may be believed."""
        return self.lays_down >= LAYS_SOMETHING and (self.tells < TELLS_MUCH or self.lays_down >= LAYS_ALL)


def codes(text: str, lo: int, hi: int) -> list[Count]:
    """The counts of text[lo:hi] that number laws: not chapters, and in a long text no stray lists."""
    counts = [c for c in outermost(text, lo, hi) if not _chapters(text, c, hi) and not _says_other(text, lo, c)]
    if hi - lo < CHAPTER:
        return counts
    manners = {count.start: _manner(text, count, hi) for count in counts}
    # Tables and lists of names fill a yearbook as well: only what lays down is asked how much of the text it fills.
    laying = [c for c in counts if manners[c.start].orders and _short(c, hi) and not _titles(text, c)]
    filled = sum(reach(c, hi) - c.start for c in laying) >= FILLS * (hi - lo)
    return [c for c in counts if _is_code(text, lo, hi, c, manners[c.start], filled=filled)]


def _is_code(text: str, lo: int, hi: int, count: Count, manner: _Manner, *, filled: bool) -> bool:
    if manner.asks >= MOSTLY or not manner.bears_title:
        return False
    if _says_so(text, lo, count, hi):
        return True
    laws = manner.orders and _short(count, hi) and not _titles(text, count)
    # Numbers in mid line, with no title over them, are references and footnotes.
    return (laws and len(count.items) >= LONG and _in_lines(text, count)) or (filled and not _titles(text, count))


def _short(count: Count, hi: int) -> bool:
    """Whether what a count numbers is not as long as the heads of a discourse are."""
    return reach(count, hi) - count.start <= DISCOURSE * len(count.items)


def _manner(text: str, count: Count, hi: int) -> _Manner:
    ends = [item.start for item in count.items[1:]] + [reach(count, hi)]
    spans = [text[item.end : min(end, item.end + OPENING)] for item, end in zip(count.items, ends, strict=True)]
    return _Manner(_share(_LAYS_DOWN, spans), _share(_TELLS, spans), _share(_QUESTION, spans, begins=True))


def _share(pattern: re.Pattern[str], spans: Sequence[str], *, begins: bool = False) -> float:
    return sum(bool(pattern.match(s) if begins else pattern.search(s)) for s in spans) / len(spans)


def _chapters(text: str, count: Count, hi: int) -> bool:
    """Whether the numbers of a count stand before titles in their own lines, with long texts after them."""
    return _titles(text, count) and reach(count, hi) - count.start > CHAPTER_LIKE * len(count.items)


def _titles(text: str, count: Count) -> bool:
    """Whether most numbers of a count stand before a title: of a chapter, a puzzle, a game."""
    return sum(numbers_title(text, item) for item in count.items) >= MOSTLY * len(count.items)


def _says_other(text: str, lo: int, count: Count) -> bool:
    """Whether the heading over a count says that it holds no laws ("Advice to all Players", "Terms used")."""
    spans = headings.before(text, lo, count.start)
    return bool(spans) and headings.other_title(headings.words_of(text, spans[-1]))


def _in_lines(text: str, count: Count) -> bool:
    """Whether most numbers of a count begin a line."""
    return sum(_set_off(text, item) for item in count.items) >= MOSTLY * len(count.items)


def _set_off(text: str, item: Item) -> bool:
    """Whether a number begins a line."""
    at = item.start
    while at and text[at - 1] in " \t":
        at -= 1
    return at == 0 or text[at - 1] in "\n\f"


def _says_so(text: str, lo: int, count: Count, hi: int) -> bool:
    """Whether a title within a page before a count calls it laws or rules, or each number is called so."""
    if count.style.name == "keyed":
        return len(count.items) > 1 and _in_lines(text, count) and _short(count, hi)
    if _in_lines(text, count):
        spans = list(headings.paragraphs(text, max(lo, count.start - CHAPTER_LIKE), count.start))
    else:  # numbers in the running text need the title next to them
        spans = headings.before(text, lo, count.start)
    words = [" ".join(text[a:b].split()) for a, b in spans]
    return len(count.items) > 2 and any(headings.titled(w) and headings.code_title(w) for w in words)
