"""The ways to read a stretch of units, and the best path through them under the language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from variorum.language.model import Language

BEAM = 8
STOP_NUMBER = 1


@dataclass(frozen=True, slots=True)
class Option:
    """Units [first, last) read as `words` (folded; none of them where the unit stays as it is or goes).

    `cost` is the channel's, a positive natural logarithm; `kind` is "stay", "word", "join", "split" or "drop".
    """

    first: int
    last: int
    kind: str
    words: tuple[str, ...]
    numbers: tuple[int, ...]
    cost: float


@dataclass(frozen=True, slots=True)
class _State:
    score: float
    before: tuple[int, int]  # the last two word numbers, the nearer second
    option: Option | None
    back: _State | None


def score_run(language: Language, before: tuple[int, int], numbers: Sequence[int]) -> float:
    """ln P of word numbers after two others."""
    a, b = before
    total = 0.0
    for c in numbers:
        total += language.logp_numbers(c, b, a)
        a, b = b, c
    return total


def _step(
    language: Language, state: _State, stop: bool, option: Option | None, numbers: Sequence[int], bold: float = 0.0
) -> _State:
    a, b = state.before
    score = state.score
    if option:
        score -= option.cost if option.kind == "stay" else option.cost - bold
    for c in (STOP_NUMBER, *numbers) if stop else numbers:
        score += language.logp_numbers(c, b, a)
        a, b = b, c
    return _State(score, (a, b), option, state)


def best_path(
    language: Language,
    options: Sequence[Sequence[Option]],
    stops: Sequence[bool],
    before: tuple[int, int],
    after: Sequence[int],
    bold: float = 0.0,
) -> list[Option]:
    """The best reading of a stretch of units (Viterbi with a beam).

    `options[k]` begin at unit k of the stretch, `stops[k]` says whether a stop stands before it; `before` are the two
    word numbers to the left, `after` those to the right; `bold` favours every option that does not leave a unit as it
    is.
    """
    size = len(options)
    first = options[0][0].first
    columns: list[list[_State]] = [[] for _ in range(size + 1)]
    columns[0] = [_State(0.0, before, None, None)]
    for k in range(size):
        for state in _pruned(columns[k]):
            for option in options[k]:
                end = option.last - first
                if end <= size:
                    columns[end].append(_step(language, state, stops[k], option, option.numbers, bold))
    ends = [_step(language, s, False, None, after) for s in _pruned(columns[size])]
    at = max(ends, key=lambda s: s.score).back
    path: list[Option] = []
    while at is not None and at.option is not None:
        path.append(at.option)
        at = at.back
    return path[::-1]


def _pruned(states: list[_State]) -> list[_State]:
    best: dict[tuple[int, int], _State] = {}
    for state in states:
        other = best.get(state.before)
        if other is None or state.score > other.score:
            best[state.before] = state
    return sorted(best.values(), key=lambda s: -s.score)[:BEAM]
