"""What a misread word may have been: a walk through the lexicon, letter by letter, along the confusions of OCR."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from math import log
from typing import TYPE_CHECKING

from variorum.language.confusions import LOST, blocks
from variorum.language.model import COMMON
from variorum.language.running import fold

if TYPE_CHECKING:
    from variorum.language.model import Language

Pair = tuple[str, str]  # misread, truth
Found = tuple[str, float]
State = tuple[int, str, float]  # characters read, letters built, cost

# Natural logarithms, as costs.
MARK_DROPPED, MARK_FOR_LETTER = 6.0, 8.0
DIGIT = 7.0
SIGNS = "-'’&£$%=+×÷/@#°"  # no letters, and no specks
DIGITS = {"0": "o", "1": "li", "3": "e", "4": "a", "5": "s", "6": "bg", "8": "bas", "9": "g", "7": "ty"}
GAP = 8.0  # a letter read as a space
GAP_KEEP = 3

RARE = 0.6  # cost per e-fold of rareness when candidates are ranked before the context is asked
ONE, MORE = 11.0, 15.0  # dearest reading along one confusion, and along several
DEARER = 4.0  # how much dearer than the cheapest reading others may be
APART = 2  # letters by which a reading along unseen confusions may differ
COMPARED = 8  # of those so far apart
STEPS = 1_500  # states of one walk: several times what a word of ten letters needs
KEEP = 8
SHORTEST = 3  # in shorter words anything may have been anything


def is_mark(c: str) -> bool:
    """True for a character that has no business in a word: a speck read as something."""
    return not c.isalnum() and c not in SIGNS


def _unaccented(word: str) -> str:
    """The word without its accents, which OCR sees where there are specks."""
    if word.isascii():
        return word
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


class Candidates:
    """Finds words near to a misread one, along the language's confusions; remembers what it found.

    `learned` are confusions of a page that are likelier there, and `base` the candidates without them.
    """

    def __init__(
        self, language: Language, learned: Mapping[Pair, float] | None = None, base: Candidates | None = None
    ) -> None:
        self._language, self._base = language, base
        self._confusions = language.confusions.likelier(learned) if learned else language.confusions
        self._rules: dict[str, list[tuple[str, float]]] = {}
        self._gaps: dict[str, list[tuple[str, float]]] = {" ": [(c, GAP) for c in "abcdefghijklmnopqrstuvwxyz"]}
        for misread, row in self._confusions.by_misread.items():
            kept = [(t, -p) for t, p in row if t.isalpha() or t in ("", "'")]
            if " " in misread.strip("\n"):
                self._gaps.setdefault(misread, []).extend((t, c) for t, c in kept if t)
            elif kept:
                self._rules[misread] = kept
        for digit, letters in DIGITS.items():
            row = self._rules.setdefault(digit, [])
            row += [(c, DIGIT) for c in letters if c not in dict(row)]
        self._learned: dict[str, list[tuple[str, float]]] = {}
        for misread, truth in sorted(learned or ()):
            self._learned.setdefault(misread, []).append((truth, -self._confusions.table[misread, truth]))
        self._cheapest = min((c for row in self._rules.values() for _, c in row), default=MARK_DROPPED)
        self._longest = max((len(m) for m in self._rules), default=0)
        self._near: dict[str, list[Found]] = {}
        self._confused: dict[str, list[Found]] = {}

    def confused(self, word: str, bound: float) -> list[Found]:
        """Words that one known confusion makes into this word, which is itself one: folded, with costs."""
        if word not in self._confused:
            rules = self._learned if self._base else self._rules
            found = dict(self._base.confused(word, bound)) if self._base else {}
            for other, cost in self._one_rule(fold(word), bound, rules):
                found[other] = min(cost, found.get(other, cost))
            self._confused[word] = self._ranked(found)
        return self._confused[word]

    def _one_rule(self, word: str, bound: float, rules: Mapping[str, list[tuple[str, float]]]) -> Iterator[Found]:
        index = self._language.index
        found: dict[str, float] = {}
        for at in range(len(word) + 1):
            for length in range(min(self._longest, len(word) - at) + 1):
                for letters, cost in rules.get(word[at : at + length], ()):
                    if cost <= bound:
                        other = word[:at] + letters + word[at + length :]
                        if other in index and other != word:
                            found[other] = min(cost, found.get(other, bound))
        yield from found.items()

    def near(self, core: str) -> list[Found]:
        """Folded words near to a core that is none, and what it costs to read them so; likeliest first."""
        if core not in self._near:
            self._near[core] = self._widening(fold(core) if self._language.accented else _unaccented(fold(core)))
        return self._near[core]

    def over_gap(self, before: str, after: str) -> list[Found]:
        """Words of which a letter or two were read as the space between two pieces ("si ht": sight)."""
        left, right = fold(before), fold(after)
        joined, index = f"{left} {right}", self._language.index
        found: dict[str, float] = {}
        for misread, row in self._gaps.items():
            gap = misread.index(" ")
            at = len(left) - gap
            if at < 0 or not joined.startswith(misread, at):
                continue
            for letters, cost in row:
                word = joined[:at] + letters + joined[at + len(misread) :]
                if word in index and self._language.counted(word) >= COMMON:
                    found[word] = min(cost, found.get(word, cost))
        return self._ranked(found)[:GAP_KEEP]

    def _widening(self, misread: str) -> list[Found]:
        """One seen confusion, several of them, and any two letters."""
        found = dict(self._one_rule(misread, ONE, self._rules))
        best = min((c for w, c in found.items() if self._language.counted(w) >= COMMON), default=MORE)
        for word, cost in [*self._walk(misread, min(MORE, best + DEARER)).items(), *self._apart(misread)]:
            found[word] = min(cost, found.get(word, cost))
        found.pop(misread, None)
        return self._ranked(found)

    def _apart(self, misread: str) -> Iterator[Found]:
        """Common words that differ in a letter or two, whatever the letters."""
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import extract

        apart = APART if len(misread) > 4 else 1
        if len(misread) < SHORTEST:
            return
        alike = self._language.alike(misread, apart)
        found = extract(misread, alike, scorer=Levenshtein.distance, score_cutoff=apart, limit=COMPARED)
        table = self._confusions.table
        for word, _, _ in found:
            faults = blocks(misread, word)
            yield word, sum(-table.get(f, LOST * max(map(len, f))) for f in faults)

    def _ranked(self, found: dict[str, float]) -> list[Found]:
        count = self._language.counted
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
