"""Laws written anew: whole sentences of which the other law has hardly a word, and limits that it does not set."""

from __future__ import annotations

from collections.abc import Iterator

from variorum.change.extent import pieces
from variorum.change.kinds import kind_of, measured
from variorum.change.limits import conditions, content, phrases
from variorum.change.pairs import Pair
from variorum.change.passages import LACKING, joined, one_sided
from variorum.change.readings import QUANTIFIERS
from variorum.change.sides import Found, Span
from variorum.model import ChangeKind

ANEW = 0.6  # share of a sentence's naming words that a law written anew must lack
ENOUGH = 3  # naming words of such a sentence
LIKELY = 0.6  # the same, to set what two conditions say of either party or of both side by side
RECAST = 0.3  # share of words that agree, up to which two laws that lack much of one another are one change as a whole


def find(pair: Pair) -> Iterator[Found]:
    """Whole sentences of one side of which the other has hardly a word, and limits that it does not set."""
    if pair.agreement < RECAST and all(_lacking(pair, at) >= LACKING for at in (0, 2)):
        yield _recast(pair)
        return
    left, right = _sentences(pair, 0), _sentences(pair, 2)
    if len(left) == len(right) == 1:
        kind = kind_of(pair.a, left[0], True, pair.left_over[0], ())
        yield Found(kind, left[0], right[0], 0.6)
    else:
        yield from (one_sided(pair, 0, span, 1) for span in left)
        yield from (one_sided(pair, 2, span, 1) for span in right)
    yield from conditions(pair, left, right)
    yield from _quantified(pair)
    yield from joined(pair, left, right)


def _lacking(pair: Pair, at: int) -> float:
    """Share of a side's naming words that the other has nowhere."""
    named = [key for key in (pair.a, pair.b)[at // 2].keys if key]
    return len(pair.new(at)) / len(named) if len(named) > ENOUGH else 0.0


def _recast(pair: Pair) -> Found:
    """A law put in place of another: of its figures where both give measures, else of how it is done."""
    spans = (0, pair.a.sentence_end(0)), (0, pair.b.sentence_end(0))
    both = all(measured(side, 0, len(side.words)) for side in (pair.a, pair.b))
    return Found(ChangeKind.QUANTITY if both else ChangeKind.PROCEDURE, *spans, 0.5)


def _sentences(pair: Pair, at: int) -> list[Span]:
    side, other = (pair.a, pair.b) if at == 0 else (pair.b, pair.a)
    told: list[Span] = []
    for start, end in pieces(side, 0, len(side.words)):
        named = [k for k in range(start, end) if side.keys[k]]
        new = [k for k in named if side.keys[k] not in other.folded]
        if not side.argued(start) and len(new) >= max(ENOUGH, ANEW * len(named)):
            told.append((start, end))
    return told


def _quantified(pair: Pair) -> Iterator[Found]:
    """The same condition, of either party here and of both there."""
    for first in phrases(pair.a):
        own = content(pair.a, first[0] + 1, first[1])
        likely = {span: _alike(own, content(pair.b, span[0] + 1, span[1])) for span in phrases(pair.b)}
        second = max(likely, key=lambda span: (likely[span], -span[0]), default=None)
        if second is None or likely[second] < LIKELY:
            continue
        one, two = ({w for w in s.words[x:y] if w in QUANTIFIERS} for s, (x, y) in ((pair.a, first), (pair.b, second)))
        if one and two and not one & two:
            yield Found(ChangeKind.CONDITION, first, second, 0.7)


def _alike(one: frozenset[str], two: frozenset[str]) -> float:
    return len(one & two) / max(1, len(one), len(two))
