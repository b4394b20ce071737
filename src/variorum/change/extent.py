"""Where a reading begins and ends: at sentences and marks, without what only joins it to other words."""

from __future__ import annotations

from variorum.change.kinds import JOINTS
from variorum.change.sides import LIMITS, PHRASE, Side, Span
from variorum.thesaurus import SMALL

NEAR = 2  # words by which a reading goes on to the next mark
TAIL = 4  # small words after the last mark, which belong to what follows
CLOSE = frozenset(
    str.split("a an the of to in on at by for from with as and or nor but that which who than his its their")
)


def pieces(side: Side, start: int, end: int) -> list[Span]:
    """Words [start, end) cut at the ends of sentences."""
    found: list[Span] = []
    while start < end:
        stop = min(end, side.sentence_end(start))
        found.append((start, stop))
        start = stop
    return found


def opens_sentence(side: Side, word: int) -> bool:
    """True for the first word of a sentence."""
    return word == 0 or side.sentence[word - 1] != side.sentence[word]


def whole(side: Side, span: Span) -> bool:
    """True for words that are a sentence, or nearly."""
    start, end = span
    if start >= end:
        return False
    first = start
    while first and side.sentence[first - 1] == side.sentence[start]:
        first -= 1
    return (end - start) >= 0.7 * (side.sentence_end(start) - first)


def rotated(side: Side, span: Span) -> Span:
    """Words put in can often begin earlier, where the same word stands before them as at their end; best at a mark."""
    start, end = span
    best = span
    while start and side.words[start - 1] == side.words[end - 1] and end - start < len(side.words):
        start, end = start - 1, end - 1
        if side.marked(start) or side.words[start] in JOINTS | LIMITS:
            best = (start, end)
    if end < len(side.words) and best == span and not (side.marked(span[0]) or side.words[span[0]] in JOINTS | LIMITS):
        start, end = span
        while end < len(side.words) and side.words[start] == side.words[end]:
            start, end = start + 1, end + 1
            if side.marked(start) or side.words[start] in JOINTS | LIMITS:
                return start, end
    return best


def tidy(side: Side, span: Span) -> Span:
    """Without what only joins it to words that are not shown; with the noun that it ends before."""
    start, end = span
    while start < end - 1 and side.marked(start + 1) and side.words[start] in CLOSE:
        start += 1
    if _counts_next(side, start, end):
        end += 1
    end = _to_a_mark(side, end)
    for k in range(max(start + 1, end - TAIL), end):
        if side.marked(k) and all(w in SMALL or w in CLOSE for w in side.words[k:end]):
            end = k
            break
    while end - 1 > start and side.words[end - 1] in CLOSE:
        end -= 1
    return start, end


def _to_a_mark(side: Side, end: int) -> int:
    """The end of the phrase, where it is near: "in proper" of "in proper order"."""
    for k in range(end, min(len(side.words), end + NEAR) + 1):
        if k == len(side.words) or side.marked(k):
            return k
    return end


def _counts_next(side: Side, start: int, end: int) -> bool:
    """True for words that end in a figure, with what it counts after them."""
    if end >= len(side.words) or side.marked(end) or end - start >= PHRASE:
        return False
    return side.keys[end - 1].isdigit() and side.words[end] not in SMALL
