"""Running heads inside running text, where line and page breaks were lost.

    not enough. CARDS 99 CARDS the adversary     ->  not enough. the adversary
    the adver- CARDS 1 12 CAR, saries            ->  the adver- saries
    before the cards are                         ->  before the cards are
    12
    cut.                                             cut.

A row of capitals with a number is a head where the text runs on past it: the next word is in lower case, or a word is
broken across it. The words of a dictionary's head stand on both sides of the number and agree; a head on one side only
must be one that the text has elsewhere too. A true heading is followed by a new sentence or a law's number, and stays.

A number alone in its line is that of a page where the text runs on past it, or where a sentence has ended and a law
begins that cannot be its neighbour; figures one under the other are a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from variorum.model import Correction, CorrectionKind, FurnitureRole, Page
from variorum.repair.draft import Draft, Proposal

_NUMBER = re.compile(r"(?<!\S)\d(?: ?\d){0,3}(?=[.,:;]?(?:\s|$))")
_TOKEN = re.compile(r"\S+")
_CHAPTER = re.compile(r"(?:CHAP|SECT?|PART|BOOK|RULE|LAW|ARTICLE|ART|NO|FIG|PLATE|PAGE|VOL)", re.IGNORECASE)
_LONE = re.compile(r"(?:^|(?<=\f))[ \t]*(\d{1,4})[ \t]*(?=[\n\f]|\Z)", re.MULTILINE)
_LABEL = re.compile(r"(\d{1,3})\.\s+[“\"']?[^\W\d]")
_LINE_LENGTH = 300  # characters looked at on either side of a line
_YEARS = 1500  # numbers from here on are rather years
_MOST = 6  # words of a head on either side of its number
_LONGEST = 30  # characters of one word
_ALIKE = 70  # rapidfuzz ratio of the letters of a head's two halves


@dataclass(frozen=True)
class _Head:
    """A suspected head at [start, end): its number at [number, number_end), capitals before and after it."""

    start: int
    number: int
    number_end: int
    end: int


def heads(draft: Draft) -> Proposal:
    """Running heads with their numbers, and the page breaks that they show."""
    text = draft.text
    found = [head for head in _suspects(text) if _is_head(draft, head)]
    found = sorted([*found, *_lone_numbers(text)], key=lambda head: head.start)
    notes: list[Correction] = []
    at = 0
    kept = []
    for head in found:
        if head.start >= at:
            kept.append(head)
            notes += _notes(text, head)
            at = head.end
    return Proposal(tuple(notes), (), _pages(draft, kept) if kept else None)


def _suspects(text: str) -> Iterator[_Head]:
    for match in _NUMBER.finditer(text):
        start, end = _capitals_before(text, match.start()), _capitals_after(text, match.end())
        broken = text[: match.start()][-2:] == "- "
        if start < match.start() or end > match.end() or broken:
            yield _Head(start, match.start(), match.end(), end)


def _lone_numbers(text: str) -> Iterator[_Head]:
    """Lines within the text that are nothing but the number of a page."""
    for match in _LONE.finditer(text):
        before, after = _line_before(text, match.start()), _line_after(text, match.end())
        if not before or not after or before.strip().isdigit() or int(match[1]) >= _YEARS:
            continue
        runs_on = after[0].islower() and (before[-1].isalpha() or before[-1] in "-¬,;")
        label = _LABEL.match(after)
        between = label and before[-1] in ".!?" and abs(int(label[1]) - int(match[1])) > 1
        if runs_on or between:
            yield _Head(match.start(1), match.start(1), match.end(1), match.end(1))


def _line_before(text: str, at: int) -> str:
    """The last line with text before `at`, not looking further than it may be long."""
    return text[max(0, at - _LINE_LENGTH) : at].rstrip().rpartition("\n")[2].strip()


def _line_after(text: str, at: int) -> str:
    return text[at : at + _LINE_LENGTH].lstrip().partition("\n")[0].strip()


def _capitals_before(text: str, at: int) -> int:
    """Where the row of words in capitals begins that ends at `at`."""
    for _ in range(_MOST):
        end = at
        while end > 0 and text[end - 1].isspace():
            end -= 1
        start = end
        while start > max(0, end - _LONGEST) and not text[start - 1].isspace():
            start -= 1
        if not _is_capital(text[start:end]):
            break
        at = start
    return at


def _capitals_after(text: str, at: int) -> int:
    """Where the row of words in capitals ends that follows `at`."""
    for _ in range(_MOST):
        match = _TOKEN.search(text, at, at + _LONGEST)
        if match is None or not _is_capital(match.group()):
            break
        at = match.end()
    return at


def _is_capital(word: str) -> bool:
    letters = [c for c in word if c.isalpha()]
    return len(letters) > 1 and all(c.isupper() for c in letters) and not any(c.isdigit() for c in word)


def _is_head(draft: Draft, head: _Head) -> bool:
    text = draft.text
    before = text[max(0, head.start - 40) : head.start].rstrip()
    after = _TOKEN.search(text, head.end, head.end + _LONGEST + 2)
    if not before or after is None or not after.group()[0].islower():
        return False
    left, right = _letters(text[head.start : head.number]), _letters(text[head.number_end : head.end])
    if _mid_word(draft, before, after.group()):
        return True
    if left and right:
        return _alike(left, right)
    if _CHAPTER.match(left) or "\n" in text[head.start : head.end]:
        return False
    unfinished = before[-1].isalpha() or before[-1] in ",-"
    return unfinished and len(left or right) > 4 and _stands_elsewhere(draft, head)


def _mid_word(draft: Draft, before: str, after: str) -> bool:
    """Whether a word is broken across the head."""
    first = re.search(r"([^\W\d_]+)[-¬]$", before)
    second = re.match(r"[^\W\d_]+", after)
    if first is None or second is None:
        return False
    whole = first.group(1) + second.group()
    return draft.language.count(whole) > 0 or not draft.language.known(second.group())


def _alike(left: str, right: str) -> bool:
    from rapidfuzz import fuzz

    short, long = sorted((left, right), key=len)
    return (len(short) > 2 and long.startswith(short)) or fuzz.ratio(left, right) >= _ALIKE


def _stands_elsewhere(draft: Draft, head: _Head) -> bool:
    """Whether the text has the same words with other numbers, as a book has on its other pages."""
    text = draft.text
    words = re.escape(text[head.start : head.number].strip() or text[head.number_end : head.end].strip())
    pattern = re.compile(rf"(\d{{1,3}})\W{{1,3}}{words}|{words}\W{{1,3}}(\d{{1,3}})(?!\d)")
    return len({a or b for a, b in pattern.findall(text)}) > 2


def _letters(text: str) -> str:
    return "".join(c for c in text if c.isalpha())


def _notes(text: str, head: _Head) -> Iterator[Correction]:
    """A note for each part of the head, each with the space after it."""
    cuts: list[tuple[int, int, FurnitureRole]] = [
        (head.start, head.number, "header"),
        (head.number, head.number_end, "pageNum"),
        (head.number_end, head.end, "header"),
    ]
    at = head.start
    beside = "in its running head" if head.start < head.number or head.number_end < head.end else "alone in its line"
    for _, end, role in cuts:
        if end > at and (role == "pageNum" or _letters(text[at:end])):
            stop = end
            while role == "pageNum" and text[stop : stop + 1] in (".", ",", ":", ";"):
                stop += 1
            stop += text[stop : stop + 1].isspace()
            yield Correction(
                at,
                stop,
                text[at:stop],
                "",
                CorrectionKind.FURNITURE,
                f"heads.{role}",
                0.93,
                "a running head within a sentence" if role == "header" else f"the number of a page, {beside}",
                role,
            )
            at = stop


def _pages(draft: Draft, found: list[_Head]) -> tuple[Page, ...]:
    """The pages with one more for each head, beginning with it and bearing its number; none more at a page's edge."""
    raw = draft.repair.raw
    to_raw = draft.offsets.to_raw
    starts = [(to_raw(head.start), re.sub(r"\D", "", draft.text[head.number : head.number_end])) for head in found]
    pages: list[Page] = []
    for page in draft.repair.pages:
        current = page
        for start, folio in starts:
            if current.start <= start < page.end:
                if not raw[current.start : start].strip() or not raw[start + len(folio) : page.end].strip():
                    current = replace(current, folio=current.folio or folio)
                    continue
                pages.append(replace(current, end=start))
                current = replace(page, n=0, start=start, folio=folio)
        pages.append(current)
    return tuple(replace(page, n=n) for n, page in enumerate(pages, 1))
