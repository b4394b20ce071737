"""Limits, means and things in a list that one law names and the other does not, in any words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from variorum.change.pairs import Pair
from variorum.change.sides import LIMITS, OPENERS, PHRASE, Found, Side, Span
from variorum.model import ChangeKind
from variorum.thesaurus import FILLING, SMALL, thesaurus

MATCHED = 0.34  # share of words two conditions have in common, from which they are taken for one
COVERED = 0.6  # share of a limit's words that the other law has, from which it is taken to say it too


def conditions(pair: Pair, left: Sequence[Span], right: Sequence[Span]) -> Iterator[Found]:
    """Limits and means that the other side does not name at all, outside of what is told already."""
    for kind, find in ((ChangeKind.CONDITION, _limits), (ChangeKind.PROCEDURE, _means)):
        one, two = (
            [span for span in find(side, other) if not any(s < span[1] and span[0] < e for s, e in told)]
            for side, other, told in ((pair.a, pair.b, left), (pair.b, pair.a, right))
        )
        for k in range(max(len(one), len(two))):
            first, second = (spans[k] if k < len(spans) else (0, 0) for spans in (one, two))
            yield Found(kind, first, second, 0.6)


def _limits(side: Side, other: Side) -> Iterator[Span]:
    """Limits that the other side does not set in any words, nor by a limit that has some of the words."""
    theirs = [content(other, start + 1, end) for start, end in phrases(other)]
    for start, end in phrases(side):
        own = content(side, start + 1, end)
        like = any(len(own & c) >= MATCHED * max(len(own), len(c), 1) for c in theirs)
        if side.words[start] in LIMITS - {"only", "within"} and not like and _unsaid(side, other, start + 1, end):
            yield start, end


def phrases(side: Side) -> list[Span]:
    """Conditions: from the word that opens each to the next mark; a limit within a limit is part of it."""
    found: list[Span] = []
    for k, word in enumerate(side.words):
        within = bool(found) and k < found[-1][1] and side.words[found[-1][0]] in LIMITS
        if side.opens(k) and not within and not side.argued(k):
            end = k + 1
            while end < min(len(side.words), k + PHRASE) and not side.marked(end):
                if word in OPENERS and side.words[end] in LIMITS:
                    break
                end += 1
            found.append((k, end))
    return found


def _means(side: Side, other: Side) -> Iterator[Span]:
    """By what means: "by restoring the cards"."""
    for k, word in enumerate(side.words[:-1]):
        if word == "by" and side.words[k + 1].endswith("ing") and not side.argued(k):
            end = k + 1
            while end < min(len(side.words), k + PHRASE) and not side.marked(end):
                end += 1
            if _unsaid(side, other, k + 1, end):
                yield k, end


def content(side: Side, start: int, end: int) -> frozenset[str]:
    """Words [start, end) that name something, as concepts or stems."""
    return frozenset(thesaurus().folded(side.words[start:end])) - SMALL - FILLING


def _unsaid(side: Side, other: Side, start: int, end: int) -> bool:
    """True for words of which the other law has too few, in any order."""
    own = content(side, start, end)
    refers = all(side.refers(k) or side.words[k] in SMALL for k in range(start, end))
    return bool(own) and not refers and len(own & other.folded) < COVERED * len(own)
