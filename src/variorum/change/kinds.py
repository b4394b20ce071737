"""What words of a law chiefly do: give a figure, a condition, a penalty, a command, a meaning, a manner, a case."""

from __future__ import annotations

from collections.abc import Collection

from variorum.change.readings import numbers
from variorum.change.sides import LIMITS, OPENERS, Side, Span
from variorum.model import ChangeKind
from variorum.thesaurus import FILLING, SMALL, stem
from variorum.tokens import figure

JOINTS = frozenset(str.split("and or nor but then also"))
MEANING = frozenset(str.split("is are means mean counts count called termed designated considered reckoned known"))
MANNER = frozenset(str.split("manner order successively alternately separately together"))
LOSSES = frozenset(stem(w) for w in str.split("lose forfeit fine penalty debar expel disqualify"))
UNITS = frozenset(
    stem(w) for w in str.split("inch foot feet yard ounce pound mile minute hour day point card trick run stroke")
)
BRIEF = 12  # words up to which a figure is what a phrase is about
GOVERNED = 30  # words over which a limit reaches that is opened before a phrase and goes on in it


def kind_of(side: Side, span: Span, whole: bool, left: Collection[int], new: Collection[int]) -> ChangeKind:
    """What words [start, end) chiefly do.

    `whole` where they are a sentence, `left` those that stand beside nothing on the other side, `new` those that the
    other side has nowhere: where these come after a limit, the rest of the sentence is nothing new.
    """
    start = _head(side, span, left)
    words = side.words[start : span[1]]
    limited = side.words[start] in LIMITS or words[:2] in (["in", "case"], ["so", "long"], ["as", "long"])
    opened = side.opens(start) and not limited
    later = _head(side, span, new) if new else start
    forbids = any(side.modal(m) == "must not" for m in side.of_kind("modal", start, later))
    if limited or (opened and not whole) or (later > start and side.opens(later) and not forbids):
        return ChangeKind.CONDITION
    if _penal(side, start, span[1]) and not (whole and opened):
        return ChangeKind.PENALTY
    measures = measured(side, *span)
    if measures > 1 or (len(words) <= BRIEF and numbers(side, start, span[1])[False] - {"1"}):
        return ChangeKind.QUANTITY
    if whole and opened:
        return ChangeKind.SCOPE
    if any(side.modal(m) for m in side.of_kind("modal", *span)):
        first = span[0] - (side.sentence[: span[0]].count(side.sentence[span[0]]))
        return ChangeKind.PENALTY if not whole and _penal(side, first, span[0]) else ChangeKind.MODALITY
    return _of_phrase(side, start, span[1], whole)


def _penal(side: Side, start: int, end: int) -> bool:
    lost = any(side.stems[k] in LOSSES and k not in side.conditional for k in range(start, end))
    return lost or any(m.start not in side.conditional for m in side.of_kind("penalty", start, end))


def measured(side: Side, start: int, end: int) -> int:
    """How many figures with a measure stand there: "ten ounces"."""
    near = (k for k in range(start, end - 1) if figure(side.words[k]) and not side.refers(k))
    return sum(any(s in UNITS for s in side.stems[k + 1 : k + 3]) for k in near)


def _head(side: Side, span: Span, own: Collection[int]) -> int:
    """Where what matters begins: at the first of the words, with the small words that lead to it, joints left out."""
    start = min((k for k in own if span[0] <= k < span[1]), default=span[0])
    while start > span[0] and (side.words[start - 1] in SMALL | LIMITS | OPENERS or side.stems[start - 1] in FILLING):
        start -= 1
    while start < span[1] - 1 and side.words[start] in JOINTS:
        start += 1
    return start


def _of_phrase(side: Side, start: int, end: int, whole: bool) -> ChangeKind:
    words = side.words[start:end]
    if words[:1] == ["by"] and len(words) > 1 and words[1].endswith("ing"):
        return ChangeKind.PROCEDURE
    if words[:3] == ["in", "the", "opinion"] or (words[:1] == ["by"] and side.of_kind("agent", start, end)):
        return ChangeKind.AGENT
    acting = {k for m in side.of_kind("agent", start, end) for k in range(m.start, m.end)}
    if acting and all(k in acting or not side.keys[k] for k in range(start, end)):
        return ChangeKind.AGENT
    if any(side.opens(k) for k in range(start, end)) or (not whole and _governed(side, start)):
        return ChangeKind.CONDITION
    if whole and MEANING & set(words):
        return ChangeKind.DEFINITION
    if MANNER & set(words):
        return ChangeKind.PROCEDURE
    return ChangeKind.SCOPE


def _governed(side: Side, start: int) -> bool:
    """True where the phrase goes on with a limit that the same sentence opened before it."""
    before = (k for k in range(max(0, start - GOVERNED), start) if side.sentence[k] == side.sentence[start - 1])
    return any(side.words[k] in LIMITS - {"without", "only", "within"} for k in before)
