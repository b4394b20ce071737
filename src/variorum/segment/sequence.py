"""Reading candidate numbers together: the chain of numbers that the neighbours bear out.

Each place where a number might stand is a `Candidate` with one or more readings. A chain takes some of the candidates,
in order; it earns by each number's form and place and by each step to the next number, and pays for gaps, repeats,
steps back and restarts. The best chain is found by dynamic programming (Viterbi 1967), with one level of stacking for a
count that is broken off by a shorter one and taken up again. The time grows with the number of candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf, log

from variorum.segment.numerals import WHOLE, Numeral

# All weights are rough log-odds: 0 says nothing, 2.5 about twelve to one. They were set by hand, by reasoning from what
# each kind of evidence is worth; benchmarks/laws.py measures them.
NEXT = 2.5  # the number after the one before
GAP, GAP_GROWTH, GAP_MOST = -0.5, 0.7, 9  # numbers left out: torn pages, extracts, and candidates not seen
REPEAT = -2.0
ELSEWHERE = -5.0  # any other step
TAKEN_UP = 2.0  # back to the outer count
INTO = -1.5  # a count within the count
FIRST_NOT_ONE = -1.5
RESTART, RESTART_PARAGRAPH, RESTART_HEADED = -4.5, -2.5, 0.0
FAR, FARTHEST = 1 / 5000, 4.0  # each character between two numbers (5,000 is a long law), and the most they cost
WRONG_FIGURE, WRONG_NUMBER = 5.0, 7.0  # a clean numeral that is not the one asked for: by one character, or altogether
ASKED, NEARER = 3, 0.2  # how far on a number is asked for (those between may be lost), and what nearness is worth
LATEST = 3  # how many readings of the candidate before are asked what number is due next
YEARS = 1000  # a number so large only goes on with a count; alone it is a year
HOPELESS = 12.0  # a doubt that no neighbours can make good
NEARLY = 3.0  # a remnant that is but one character from the numeral asked for
# A remnant that is no numeral where one is asked for: at the head of a paragraph, of a line, in a label ("RULE V7.").
LOST, LOST_IN_LINE, LOST_IN_LABEL = 3.2, 4.0, 2.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place where a number may stand: label [start, end), its numeral [num_start, num_end), all in the repaired text.

    `weight` is what form and place say for it. `headed` says that a heading stands before it, `paragraph` that it
    begins a paragraph. `wild` gives the doubt at which it may be read as a value its neighbours ask for; None: never.
    """

    start: int
    end: int
    num_start: int
    num_end: int
    numerals: tuple[Numeral, ...]
    weight: float
    headed: bool = False
    paragraph: bool = False
    wild: Callable[[int], float] | None = None
    upto: int = 0  # the last number of a label that has several ("5 and 6."), or 0


@dataclass(frozen=True, slots=True)
class Chosen:
    """A candidate read: its value, its doubt, and whether it begins a count or stands in a count within the count."""

    candidate: Candidate
    value: int
    doubt: float
    gain: float
    restart: bool = False
    nested: bool = False
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class _Node:
    score: float
    value: int
    outer: int  # the last value of the outer count, 0 where there is none
    chosen: Chosen
    before: _Node | None


class _Chains:
    """The best chain so far for each last value and outer value."""

    def __init__(self) -> None:
        self.by_whole: dict[int, dict[int, _Node]] = {}
        self.by_outer: dict[int, _Node] = {}
        self.best: _Node | None = None
        self.best_flat: _Node | None = None
        self.latest: list[_Node] = []

    def add(self, node: _Node) -> None:
        """Keep a node where it is the best of its kind, distance counted."""
        row = self.by_whole.setdefault(node.value // WHOLE, {})
        old = row.get(node.outer)
        if old is None or _reach(node) >= _reach(old):
            row[node.outer] = node
            if len(row) > 3:  # an outer count that lies far back is not taken up again
                del row[min(row, key=lambda k: _reach(row[k]))]
        if node.outer:
            old = self.by_outer.get(node.outer // WHOLE)
            if old is None or _reach(node) >= _reach(old):
                self.by_outer[node.outer // WHOLE] = node
        if self.best is None or node.score >= self.best.score:
            self.best = node
        if not node.outer and (self.best_flat is None or _reach(node) >= _reach(self.best_flat)):
            self.best_flat = node


def _score(node: _Node) -> float:
    return node.score


def _reach(node: _Node) -> float:
    return node.score + FAR * node.chosen.candidate.start


def read_sequence(candidates: Iterable[Candidate]) -> list[Chosen]:
    """The best chain through candidates that come in reading order; empty where none is worth taking."""
    chains = _Chains()
    first = True
    for candidate in candidates:
        nodes = [
            node
            for numeral in _readings(candidate, chains)
            if (node := _step(chains, candidate, numeral, first)) is not None
        ]
        first = False
        for node in nodes:
            chains.add(node)
        if nodes:
            chains.latest = sorted(nodes, key=_score, reverse=True)[:LATEST]
    return _back(chains.best) if chains.best and chains.best.score > 0 else []


def _readings(candidate: Candidate, chains: _Chains) -> list[tuple[Numeral, bool]]:
    """The candidate's own readings, and whatever the best chain so far asks for."""
    readings = [(n, False) for n in candidate.numerals]
    if candidate.wild is not None:
        own = {n.value for n in candidate.numerals}
        last = {n.value: n for n in (chains.best, chains.best_flat, *chains.latest) if n is not None}
        for node in last.values():
            for k in range(1, ASKED + 1):
                asked = (node.value // WHOLE + k) * WHOLE
                doubt = candidate.wild(asked)
                if asked not in own and doubt < HOPELESS and (k == 1 or doubt <= WRONG_FIGURE):
                    own.add(asked)
                    readings.append((Numeral(asked, doubt + NEARER * (k - 1)), True))
    return readings


def _step(chains: _Chains, candidate: Candidate, reading: tuple[Numeral, bool], first: bool) -> _Node | None:
    numeral, inferred = reading
    value, gain = numeral.value, candidate.weight - numeral.doubt
    best = _onward(chains, value, candidate.start)
    if not inferred:
        for option in _afresh(chains, candidate, value, first):
            if best is None or option[0] > best[0]:
                best = option
    if best is None:
        return None
    score, before, outer, restart = best
    held = before.score if before else 0.0
    chosen = Chosen(candidate, value, numeral.doubt, gain + score - held, restart, bool(outer), inferred)
    reached = value if inferred else max(value, candidate.upto)
    return _Node(score + gain, reached, outer, chosen, before)


_Option = tuple[float, "_Node | None", int, bool]
_REACH = FARTHEST / FAR  # the distance from which on more of it costs no more


def _onward(chains: _Chains, value: int, at: int) -> _Option | None:
    """The best step that goes on with a count."""
    whole, best, score, outer_of_best = value // WHOLE, None, -inf, 0
    for k, worth_of_gap in _STEPS:
        row = chains.by_whole.get(whole - k)
        if row is None:
            continue
        for outer, node in row.items():
            worth = worth_of_gap if not value % WHOLE and node.value != value else _worth(node.value, value)
            reached = _far(node, at) + worth
            if reached > score:
                best, score, outer_of_best = node, reached, outer
    taken_up, flat = chains.by_outer.get(whole - 1), chains.best_flat
    if taken_up is not None and _far(taken_up, at) + TAKEN_UP > score:
        best, score, outer_of_best = taken_up, _far(taken_up, at) + TAKEN_UP, 0
    if flat is not None and whole < YEARS and _far(flat, at) + ELSEWHERE > score:
        best, score, outer_of_best = flat, _far(flat, at) + ELSEWHERE, 0
    return (score, best, outer_of_best, False) if best is not None else None


def _far(node: _Node, at: int) -> float:
    distance = at - node.chosen.candidate.start
    return node.score - (FAR * distance if distance < _REACH else FARTHEST)


def _worth(before: int, value: int) -> float:
    gap = value // WHOLE - before // WHOLE
    if value == before:
        return REPEAT
    if value % WHOLE:  # 12a after 12, 12b after 12a
        return (
            NEXT if (gap == 0 and value == before + 1) or (value % WHOLE in (1, 50) and not before % WHOLE) else REPEAT
        )
    return _step_worth(gap)


def _step_worth(gap: int) -> float:
    if gap == 1:
        return NEXT
    return GAP - GAP_GROWTH * log(gap) if gap > 1 else ELSEWHERE


_STEPS = tuple((k, _step_worth(k)) for k in range(-1, GAP_MOST + 1))


def _afresh(chains: _Chains, candidate: Candidate, value: int, first: bool) -> Iterable[_Option]:
    """A first count, a count that starts again, a count within the count."""
    begins = value // WHOLE == 1
    if value // WHOLE >= YEARS:
        return
    if first or chains.best is None:
        yield 0.0 if begins else FIRST_NOT_ONE, None, 0, True
    else:
        yield 0.0 if begins else 2 * FIRST_NOT_ONE, None, 0, True
    if not begins:
        return
    if chains.best is not None:
        price = RESTART_HEADED if candidate.headed else RESTART_PARAGRAPH if candidate.paragraph else RESTART
        yield chains.best.score + price, chains.best, 0, True
    if chains.best_flat is not None:
        flat = chains.best_flat
        yield _far(flat, candidate.start) + INTO, flat, flat.value, True


def _back(node: _Node | None) -> list[Chosen]:
    chain = []
    while node is not None:
        chain.append(node.chosen)
        node = node.before
    return chain[::-1]


def runs(chain: Sequence[Chosen]) -> list[list[Chosen]]:
    """A chain cut where its count starts again; numbers of a count within the count stay in the run they stand in.

    A count within the count that is never left for the outer one is a count of its own.
    """
    out: list[list[Chosen]] = []
    for k, chosen in enumerate(chain):
        if (chosen.restart and (not chosen.nested or not _left(chain, k))) or not out or _anew(out[-1][-1], chosen):
            out.append([])
        out[-1].append(chosen)
    return out


def _anew(before: Chosen, chosen: Chosen) -> bool:
    """Whether a number that goes back under a heading begins a count whose first number is lost."""
    return chosen.candidate.headed and not chosen.nested and chosen.value < before.value and not chosen.inferred


def _left(chain: Sequence[Chosen], k: int) -> bool:
    """Whether the count within the count that begins at k is left for the outer one."""
    for later in chain[k + 1 :]:
        if later.restart:
            return False
        if not later.nested:
            return True
    return False
