"""Words broken over the end of a line or a page, with the lines kept or already run together.

    the part- ner may        ->  the partner may
    finished to-\nday        ->  finished to-day         (the text has to-day in mid line)
    three- or four-handed    ->  as it is: the hyphen hangs

The hyphen goes where the whole is a word of this text or of the language, and stays where the compound is. Where
neither is known, a line end still speaks for a broken word; a mere space after the hyphen does so only when the halves
are no words themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from variorum.model import Correction, CorrectionKind
from variorum.repair.draft import Draft, Proposal

_HYPHENS = "-¬\u00ad\u2010\u2011"
_HYPHEN = re.compile(rf"(?<=[^\W\d_])[{_HYPHENS}][ \t\n\f]+(?=[^\W\d_])")
_BARE_END = re.compile(r"(?<=[^\W\d_])[ \t]*\n(?=[^\W\d_])")
_NOTE = re.compile(rf"(?<=[^\W\d_])[{_HYPHENS}]\n\s*\n(?=[*†‡§‖¶])")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_HANGING = re.compile(r"(?:and|or|to|nor|but)\s+(?:[\w'’]+\s+){0,2}[^\W\d_]+-[^\W\d_]", re.IGNORECASE)
_TENS = frozenset(("twenty", "thirty", "forty", "fourty", "fifty", "sixty", "seventy", "eighty", "ninety"))
_UNITS = frozenset(
    (
        *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
        *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    )
)
_LONGEST = 40  # characters looked at on either side: no word is longer
_NOTE_REACH = 3000  # a footnote is shorter than this
# A word seen less often than this in the language may itself be a misreading or a rare name.
_COMMON = 20


@dataclass(frozen=True)
class _Verdict:
    """What stands for the hyphen ("" or "-"), how sure that is, and why."""

    reads: str
    cert: float
    evidence: str


def breaks(draft: Draft) -> Proposal:
    """Broken words made whole, over line ends, spaces, furniture and footnotes."""
    corrections = [*_over_hyphens(draft), *_over_notes(draft), *_over_bare_ends(draft)]
    return Proposal(tuple(corrections))


def _over_hyphens(draft: Draft) -> Iterator[Correction]:
    text = draft.text
    for match in _HYPHEN.finditer(text):
        left, right = _left(text, match.start()), _right(text, match.end())
        if not left or not right or _HANGING.match(text, match.end(), match.end() + 3 * _LONGEST):
            continue
        at_end = "\n" in match.group() or "\f" in match.group()
        verdict = judge(draft, left, right, at_end)
        if verdict:
            yield from _around_furniture(draft, match.start(), match.end(), verdict)


def _left(text: str, at: int) -> str:
    """The letters before an offset, with the apostrophes and hyphens between them."""
    start = at
    while start > max(0, at - _LONGEST) and (text[start - 1].isalpha() or text[start - 1] in "'’-"):
        start -= 1
    return text[start:at].lstrip("'’-")


def _right(text: str, at: int) -> str:
    match = _WORD.match(text, at, at + _LONGEST)
    return match.group() if match else ""


def judge(draft: Draft, left: str, right: str, at_end: bool) -> _Verdict | None:
    """What stands between two halves of a word with a hyphen and white space between them; None where nothing is sure.

    `at_end` says that a line or page ends between them.
    """
    own, language = draft.own_words, draft.language
    head = left.rsplit("-", 1)[-1]
    whole, compound = (head + right).lower(), f"{left}-{right}".lower()
    if own[compound] > own[whole]:
        return _Verdict("-", 0.95, f"the text has {left}-{right} elsewhere")
    if own[whole]:
        return _Verdict("", 0.98, f"the text has {head}{right} elsewhere")
    if head.lower() in _TENS and right.lower() in _UNITS:
        return _Verdict("-", 0.97, "a number of two words")
    if len(head) < 2 or len(right) < 2:  # initials, "L- B-", far oftener than a word broken after one letter
        return None
    counted, with_hyphen = language.count(whole), language.count(f"{head}-{right}")
    if with_hyphen > counted:
        return _Verdict("-", 0.93, f"{head}-{right} is the usual form")
    if counted or language.known(whole):
        return _Verdict("", 0.97, f"{head}{right} is a word, broken here")
    return _unknown(draft, left, right, at_end)


def _unknown(draft: Draft, left: str, right: str, at_end: bool) -> _Verdict | None:
    """Neither the whole nor the compound is known."""
    words = [_common(draft, left.rsplit("-", 1)[-1]), _common(draft, right)]
    if right[0].isupper() and not left.isupper():
        return _Verdict("-", 0.85, "the second half has its own capital") if at_end or left[0].isupper() else None
    if not all(words):
        return _Verdict("", 0.85 if at_end else 0.75, "a broken word: its halves are no words")
    return _Verdict("-", 0.6, "two words that make a compound") if at_end else None


def _common(draft: Draft, word: str) -> bool:
    return len(word) > 1 and (draft.language.count(word) >= _COMMON or draft.own_words[word.lower()] > 1)


def _around_furniture(draft: Draft, start: int, end: int, verdict: _Verdict) -> Iterator[Correction]:
    """The correction of [start, end), cut where furniture was taken out within it: that stays a note by itself."""
    cuts = [start, *(at for at in draft.furniture if start < at < end), end]
    for n, (left, right) in enumerate(pairwise(cuts)):
        found = draft.text[left:right]
        reads = verdict.reads if n == 0 else ""
        if found and found != reads:
            yield Correction(
                left, right, found, reads, CorrectionKind.BREAK, "breaks.hyphen", verdict.cert, verdict.evidence
            )


def _over_notes(draft: Draft) -> Iterator[Correction]:
    """A word whose second half stands on the next page, past a footnote: the half is read before the note."""
    text = draft.text
    for match in _NOTE.finditer(text):
        page_end = text.find("\f", match.end(), match.end() + _NOTE_REACH)
        if page_end < 0:
            continue
        start = _after_space(text, page_end)
        left, right = _left(text, match.start()), _right(text, start)
        verdict = judge(draft, left, right, True) if left and right and right[0].islower() else None
        if verdict is None:
            continue
        why = f"{verdict.evidence}; its second half stands past a footnote"
        hyphen, end = match.start(), start + len(right)
        end += text[end : end + 1] == " "
        yield Correction(
            hyphen, hyphen + 1, text[hyphen], verdict.reads + right, CorrectionKind.BREAK, "breaks.note", 0.85, why
        )
        yield Correction(start, end, text[start:end], "", CorrectionKind.BREAK, "breaks.note", 0.85, why)


def _after_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _over_bare_ends(draft: Draft) -> Iterator[Correction]:
    """A line end at which the hyphen was lost: neither half is a word, and the whole is a common one."""
    text, language = draft.text, draft.language
    for match in _BARE_END.finditer(text):
        left, right = _left(text, match.start()), _right(text, match.end())
        if not (1 < len(left) < _LONGEST and len(right) > 1 and right[0].islower()):
            continue
        if language.known(left) or language.known(right) or draft.own_words[left.lower()] > 1:
            continue
        if language.count(left + right) >= _COMMON:
            evidence = f"{left}{right} is a word, and its halves are none"
            yield Correction(
                match.start(), match.end(), match.group(), "", CorrectionKind.BREAK, "breaks.bare", 0.85, evidence
            )
