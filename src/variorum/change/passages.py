"""What one edition says and the other does in no wording: sentences, clauses and phrases, added, dropped or altered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from variorum.change.extent import opens_sentence, pieces, rotated, tidy, whole
from variorum.change.kinds import JOINTS, kind_of
from variorum.change.limits import conditions
from variorum.change.pairs import Pair, Run
from variorum.change.readings import BOUNDS, numbers
from variorum.change.sides import Found, Side, Span
from variorum.model import ChangeKind

SAID = 1.5  # naming words that the other side lacks, from which a phrase says something of its own
LITTLE = 0.5  # up to this many, what stands in its place on the other side says nothing of its own
REWORDED = 2.0  # the same where the other side has other words in its place
CLOSELY = 0.8  # share from which a single word that is put in is meant
ALIKE = 0.85  # share of the words around, from which some words put for others are more than another wording
LACKING = 0.5  # share of naming words that is much
VERY_SHORT = 3  # letters
ITEM = 6  # words of a thing in a list
LEAD = 8  # words of a sentence that agree before all the rest is new: they are shown with it


def find(pair: Pair) -> Iterator[Found]:
    """What is added, dropped or altered in words of its own."""
    found = [
        one
        for run in pair.wide
        for i, i_end, j, j_end in _cut(pair, run)
        if (one := _judged(pair, (i, i_end), (j, j_end)))
    ]
    yield from found
    left, right = [x.first for x in found], [x.second for x in found]
    yield from conditions(pair, left, right)
    yield from joined(pair, left, right)


def _cut(pair: Pair, run: Run) -> Iterator[Run]:
    """A difference, sentence by sentence: where both sides have several, what is gone and what has come apart."""
    left, right = pieces(pair.a, run[0], run[1]), pieces(pair.b, run[2], run[3])
    both = bool(left and right) and opens_sentence(pair.a, run[0]) == opens_sentence(pair.b, run[2])
    if len(left) <= 1 and len(right) <= 1 and (both or not (left and right)):
        yield run
        return
    for start, end in left:
        yield start, end, run[2], run[2]
    for start, end in right:
        yield run[0], run[0], start, end


def _argued(side: Side, span: Span) -> bool:
    return span[0] < span[1] and side.argued(span[0])


def _judged(pair: Pair, first: Span, second: Span) -> Found | None:
    if _argued(pair.a, first) or _argued(pair.b, second):
        return None
    (left, sure_left), (right, sure_right) = pair.weight(0, *first), pair.weight(2, *second)
    if _little(right, sure_right) and _enough(pair, 0, first, second, left, sure_left):
        return one_sided(pair, 0, first, sure_left)
    if _little(left, sure_left) and _enough(pair, 2, second, first, right, sure_right):
        return one_sided(pair, 2, second, sure_right)
    if min(sure_left, sure_right) >= 1 and left + right >= 2 * SAID and pair.around((*first, *second)) >= ALIKE:
        return _altered(pair, first, second)
    if min(sure_left, sure_right) >= 2 and min(_fresh(pair, 0, first), _fresh(pair, 2, second)) >= LACKING:
        return _altered(pair, first, second)
    return None


def _fresh(pair: Pair, at: int, span: Span) -> float:
    """Share of the naming words of a passage that the other side has nowhere."""
    named = [k for k in range(*span) if (pair.a, pair.b)[at // 2].keys[k]]
    return sum(k in pair.new(at) for k in named) / max(1, len(named))


def _little(weight: float, sure: int) -> bool:
    return weight <= LITTLE or (sure == 0 and weight <= 2 * LITTLE)


def _enough(pair: Pair, at: int, span: Span, other: Span, weight: float, sure: int) -> bool:
    """Whether words that the other side lacks say something: by their number, less where nothing stands for them."""
    side = pair.a if at == 0 else pair.b
    left = [k for k in range(*span) if k in pair.left_over[at // 2]]
    if all(side.keys[k].isdigit() for k in left) and BOUNDS & {*side.words[max(0, span[0] - 2) : span[1] + 2]}:
        return False
    if weight >= (SAID if other[1] - other[0] < 3 else REWORDED):
        return True
    # Alone, a very short word that nobody knows may be a small word misread: "tbe".
    left = [k for k in left if len(side.keys[k]) > VERY_SHORT or side.keys[k].isdigit()]
    if not left:
        return False
    if other[1] - other[0] > 1:
        return sure >= 1 and _opens(side, span, left[0])
    if (pair.agreement >= CLOSELY or whole(side, span)) and sure >= 1:
        return True
    return (span[1] - span[0]) >= 4 and _opens(side, span, left[0])


def _opens(side: Side, span: Span, word: int) -> bool:
    """True where small words lead from a limit, or from "but not", to the word."""
    lead = side.words[span[0] : word]
    return any(side.opens(k) for k in range(span[0], word)) or ("not" in lead and lead[0] in JOINTS)


def one_sided(pair: Pair, at: int, span: Span, sure: int) -> Found:
    """A passage of side `at` (0 or 2) of which the other says nothing; `sure` of its words stand there nowhere."""
    side = pair.a if at == 0 else pair.b
    span = tidy(side, rotated(side, span))
    left = pair.left_over[at // 2]
    is_whole = whole(side, span)
    first = span[0] - side.sentence[: span[0]].count(side.sentence[span[0]])
    if is_whole and span[0] - first <= LEAD:
        span = (first, span[1])
    kind = kind_of(side, span, is_whole, left, pair.new(at))
    cert = 0.9 if is_whole and sure > 2 else 0.8 if sure > 1 else 0.6 if span[1] - span[0] > 1 else 0.5
    return Found(kind, span, (0, 0), cert) if at == 0 else Found(kind, (0, 0), span, cert)


def _altered(pair: Pair, first: Span, second: Span) -> Found | None:
    a, b = pair.a, pair.b
    first, second = tidy(a, first), tidy(b, second)
    if first[0] >= first[1] or second[0] >= second[1]:
        return None
    left, right = pair.left_over
    kinds = kind_of(a, first, False, left, pair.new(0)), kind_of(b, second, False, right, pair.new(2))
    one, two = numbers(a, *first)[False], numbers(b, *second)[False]
    if one and two and one != two:
        kind = ChangeKind.QUANTITY
    elif first[0] in a.conditional or second[0] in b.conditional:
        kind = ChangeKind.CONDITION
    else:
        kind = next((k for k in kinds if k is not ChangeKind.SCOPE), ChangeKind.SCOPE)
    return Found(kind, first, second, 0.6)


def joined(pair: Pair, left: Sequence[Span], right: Sequence[Span]) -> Iterator[Found]:
    """Some words more in a list: "in a bunker" and "in a bunker, or on a road"."""
    for i, i_end, j, j_end in pair.wide:
        for at, side, span, other, told in (
            (0, pair.a, (i, i_end), j_end - j, left),
            (2, pair.b, (j, j_end), i_end - i, right),
        ):
            here = any(s <= span[0] < e for s, e in told)
            if other or here or not 1 < span[1] - span[0] <= ITEM or side.words[span[0]] not in ("or", "nor"):
                continue
            if pair.weight(at, *span)[1]:
                yield one_sided(pair, at, span, 1)
