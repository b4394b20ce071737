"""What a misread word may have been: a walk through the lexicon, letter by letter, along the confusions of OCR."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import log
from typing import TYPE_CHECKING

from variorum.language.running import fold

if TYPE_CHECKING:
    from variorum.language.model import Language

Found = tuple[str, float]
State = tuple[int, str, float]  # characters read, letters built, cost

# Natural logarithms, as costs.
MARK_DROPPED, MARK_FOR_LETTER = 6.0, 8.0
DIGIT = 7.0
SIGNS = "-'’&£$%=+×÷/@#°"  # no letters, and no specks
DIGITS = {"0": "o", "1": "li", "3": "e", "4": "a", "5": "s", "6": "bg", "8": "ba", "9": "g", "7": "ty"}
SURE = 11.0  # a common word this near ends the search for dearer ones
COMMON = 20
RARE = 0.6  # cost per e-fold of rareness when candidates are ranked before the context is asked
ONE, MORE = 11.0, 15.0  # dearest reading along one confusion, and along several
APART = 2  # letters by which a reading along unseen confusions may differ
COMPARED = 8  # of those so far apart
STEPS = 1_500  # states of one walk: several times what a word of ten letters needs
KEEP = 8
SHORTEST = 3  # in shorter words anything may have been anything


def is_mark(c: str) -> bool:
    """True for a character that has no business in a word: a speck read as something."""
    return not c.isalnum() and c not in SIGNS


class Candidates:
    """Finds words near to a misread one; remembers what it has found."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._rules: dict[str, list[tuple[str, float]]] = {}
        for misread, row in language.confusions.by_misread.items():
            kept = [(t, -p) for t, p in row if t.isalpha() or t in ("", "'")]
            if kept and " " not in misread:
                self._rules[misread] = kept
        for digit, letters in DIGITS.items():
            self._rules[digit] = [(c, DIGIT) for c in letters]
        self._cheapest = min((c for row in self._rules.values() for _, c in row), default=MARK_DROPPED)
        self._longest = max((len(m) for m in self._rules), default=0)
        self._near: dict[str, list[Found]] = {}
        self._confused: dict[str, list[Found]] = {}

    def confused(self, word: str, bound: float) -> list[Found]:
        """Words that one known confusion makes into this word, which is itself one: folded, with costs."""
        if word not in self._confused:
            self._confused[word] = self._ranked(dict(self._one_rule(fold(word), bound)))
        return self._confused[word]

    def _one_rule(self, word: str, bound: float) -> Iterator[Found]:
        index = self._language.index
        found: dict[str, float] = {}
        for at in range(len(word) + 1):
            for length in range(min(self._longest, len(word) - at) + 1):
                for letters, cost in self._rules.get(word[at : at + length], ()):
                    if cost <= bound:
                        other = word[:at] + letters + word[at + length :]
                        if other in index and other != word:
                            found[other] = min(cost, found.get(other, bound))
        yield from found.items()

    def near(self, core: str) -> list[Found]:
        """Folded words near to a core that is none, and what it costs to read them so; likeliest first."""
        if core not in self._near:
            self._near[core] = self._widening(fold(core))
        return self._near[core]

    def _widening(self, misread: str) -> list[Found]:
        """One seen confusion; where that gives nothing sure, several of them, and any two letters."""
        found = dict(self._one_rule(misread, ONE))
        count = self._language.count
        if not any(count(w) >= COMMON for w in found):
            for word, cost in [*self._walk(misread, MORE).items(), *self._apart(misread)]:
                found[word] = min(cost, found.get(word, cost))
        found.pop(misread, None)
        return self._ranked(found)

    @cached_property
    def _by_length(self) -> dict[int, list[str]]:
        """The common words by their length."""
        grouped: dict[int, list[str]] = {}
        for word in self._language.words[3:]:
            if self._language.count(word) >= COMMON:
                grouped.setdefault(len(word), []).append(word)
        return grouped

    def _apart(self, misread: str) -> Iterator[Found]:
        """Common words that differ in a letter or two, whatever the letters."""
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import extract

        apart = APART if len(misread) > 4 else 1
        if len(misread) < SHORTEST:
            return
        near = [w for n in range(len(misread) - apart, len(misread) + apart + 1) for w in self._by_length.get(n, ())]
        found = extract(misread, near, scorer=Levenshtein.distance, score_cutoff=apart, limit=COMPARED)
        for word, _, _ in found:
            yield word, -self._language.confusions.channel(misread, word)

    def _ranked(self, found: dict[str, float]) -> list[Found]:
        count = self._language.count
        order = sorted(found.items(), key=lambda f: (f[1] - RARE * log(1 + count(f[0])), f[0]))
        return order[:KEEP]

    def _walk(self, misread: str, bound: float) -> dict[str, float]:
        """Every word that seen confusions and marks make into `misread` within the bound."""
        index, ahead = self._language.index, self._language.next_letters
        stack: list[State] = [(0, "", 0.0)]
        best: dict[tuple[int, str], float] = {}
        found: dict[str, float] = {}
        last = len(misread)
        steps = 0
        while stack and steps < STEPS:
            at, built, cost = stack.pop()
            if best.get((at, built), bound + 1.0) <= cost:
                continue
            best[at, built] = cost
            steps += 1
            if at == last and built in index:
                found[built] = min(cost, found.get(built, cost))
            self._push(stack, misread, (at, built, cost), bound)
            if at < last and built + misread[at] in ahead:
                stack.append((at + 1, built + misread[at], cost))
        return found

    def _push(self, stack: list[State], misread: str, state: State, bound: float) -> None:
        """Puts on the stack what may follow a state other than the plain next letter."""
        ahead, rules = self._language.next_letters, self._rules
        at, built, cost = state
        room = bound - cost
        if room < self._cheapest:
            return
        for length in range(min(self._longest, len(misread) - at) + 1):
            for letters, more in rules.get(misread[at : at + length], ()):
                if more <= room and built + letters in ahead:
                    stack.append((at + length, built + letters, cost + more))
        if at < len(misread) and is_mark(misread[at]) and room >= MARK_DROPPED:
            stack.append((at + 1, built, cost + MARK_DROPPED))
            if room >= MARK_FOR_LETTER:
                stack += [(at + 1, built + c, cost + MARK_FOR_LETTER) for c in ahead[built]]
