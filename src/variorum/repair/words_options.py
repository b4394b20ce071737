"""The ways to read a text from each of its units on: to stay, to be another word, to join, to part, to go."""

from __future__ import annotations

import re
from collections.abc import Iterator

from variorum.language.running import fold
from variorum.repair.words_candidates import is_mark
from variorum.repair.words_lattice import STOP_NUMBER, Option, score_run
from variorum.repair.words_passage import Passage
from variorum.repair.words_variants import elided

# Two words that print joined as it pleased: an adverb with its participle (beforementioned), and here, there and where
# with a preposition (hereunto).
_COMPOUND = re.compile(
    r"(?:before|above|after|under|over)[a-z]+(?:ed|en|said)"
    r"|(?:here|there|where)(?:about|after|at|by|for|from|in|into|of|on|to|under|until|unto|upon|with)"
)
CAPITAL_INSIDE = re.compile(r"([A-Za-z]?[a-z]+)([A-Z][a-z]{2,})")  # ofStrabane
KNOWN_ROOM = 3.0  # how far behind a known word another may be in its own context and still enter the lattice
PART_FLOOR = 60  # counts of the parts of a split
JOIN_COST = 7.5  # ln P of a space added, from ght_*_dev
SPLIT_COST = 6.5  # ln P of a space lost
SEAM_COST = 4.0  # of a split before a capital
DROP_COST = 6.0
GAP_SHORTEST = 4  # letters of a word of which one was read as a space
FRAGMENT = 3  # letters of the longest piece of another column that is taken out
FRAGMENT_COST = 3.0  # for each of its letters, beside the page's own rate of such pieces
_GAP = re.compile(r"[ \n]|[ ]['`*][ \n]")  # between the pieces of a word: a space, or a speck between two
PIECES = 4  # units that one word may have fallen into


class Options:
    """The readings that the decoder may choose from in a passage."""

    def __init__(self, passage: Passage) -> None:
        self.passage = passage

    def at(self, k: int) -> list[Option]:
        """The ways to read the text from unit k on; the first is to leave it."""
        unit, entry = self.passage.units[k], self.passage.entries[k]
        stay = Option(k, k + 1, "stay", (), (entry.number,), self.passage.odd(k))
        if self.passage.strange[k]:
            return [stay]
        if entry.fixed or self.passage.guarded(k):
            return [stay, *self.joins(k)]
        found = [stay]
        if len(unit.core) == 1 and is_mark(unit.core):
            if self.passage.counts(k):
                return [stay]
            return [stay, Option(k, k + 1, "drop", (), (), DROP_COST - self.passage.shift)]
        found += self.strays(k)
        others = self.likely_others(k) if entry.known else entry.others
        before, after = unit.lead or unit.gap.rstrip(), self.passage.after(k)
        others = [o for o in others if not elided(fold(unit.core), o[0], before, after)]
        found += [Option(k, k + 1, "word", (w,), (n,), c - self.passage.shift) for w, n, c in others]
        if not entry.known:
            found += self.splits(k)
        return found + self.joins(k)

    def strays(self, k: int) -> Iterator[Option]:
        """A letter or two that stand for no word: cut from the next column, or read for a point of exclamation."""
        unit = self.passage.units[k]
        if unit.gap != " ":
            return
        if len(unit.core) == 1 and self.passage.ends_sentence(k):
            for point, cost in self.passage.forms.points.get(unit.core, ()):
                yield Option(k, k + 1, "point", (point,), (STOP_NUMBER,), cost - self.passage.shift)
        if self.passage.counts(k):
            return
        fragment = len(unit.core) < FRAGMENT or (len(unit.core) == FRAGMENT and not self.passage.common(unit.core))
        if not fragment or any(map(str.isdigit, unit.core)) or (unit.core.isupper() and unit.core != "I"):
            return
        cost = FRAGMENT_COST * len(unit.core) - self.passage.bits
        yield Option(k, k + 1, "drop", (), (), cost)

    def likely_others(self, k: int) -> list[tuple[str, int, float]]:
        """Those words for a known one that its neighbours do not rule out."""
        entry = self.passage.entries[k]
        if not entry.others:
            return []
        before, after = self.passage.left(k), self.passage.right(k + 1)
        stays = score_run(self.passage.language, before, (entry.number, *after))
        floor = stays - KNOWN_ROOM - self.passage.shift
        return [o for o in entry.others if score_run(self.passage.language, before, (o[1], *after)) - o[2] > floor]

    def joins(self, k: int) -> list[Option]:
        """Words that unit k makes with those after it."""
        found, joined = [], self.passage.units[k].core
        if self.passage.units[k].trail:
            return []
        for last in range(k + 1, min(k + PIECES, len(self.passage.units))):
            unit = self.passage.units[last]
            if not _GAP.fullmatch(unit.gap) or unit.lead or not unit.core.isalpha():
                break
            joined += unit.core
            if self.joinable(k, last + 1, joined):
                word = fold(joined)
                cost = JOIN_COST * (last - k) - self.passage.shift * (last - k)
                found.append(Option(k, last + 1, "join", (word,), (self.passage.language.index[word],), cost))
            elif last == k + 1:
                found += self.over_gap(k)
            if unit.trail:
                break
        return found

    def over_gap(self, k: int) -> Iterator[Option]:
        """Words that units k and k + 1 make with a letter that was read as the space between them."""
        left, right = self.passage.units[k].core, self.passage.units[k + 1].core
        both = self.passage.common(left) and self.passage.common(right)
        if both or len(left) + len(right) + 1 < GAP_SHORTEST or not left.isalpha():
            return
        for word, cost in self.passage.forms.candidates.over_gap(left, right):
            yield Option(k, k + 2, "join", (word,), (self.passage.language.index[word],), cost - self.passage.shift)

    def joinable(self, first: int, last: int, joined: str) -> bool:
        """Only where a piece is no common word: two true words are never joined, whatever later print did.

        A capital alone before a word stands for a player ("B ought to lead") or a name; `initials` joins those that
        begin a sentence.
        """
        if self.passage.language.count(joined) < 3 or not joined.isalpha():
            return False
        cores = [self.passage.units[k].core for k in range(first, last)]
        return any(not self.passage.common(c) for c in cores[len(cores[0]) == 1 and cores[0].isupper() :])

    def splits(self, k: int) -> Iterator[Option]:
        """Two common words that unit k may hold."""
        core, language = self.passage.units[k].core, self.passage.language
        word = fold(core)
        seam = CAPITAL_INSIDE.fullmatch(core)
        if seam and self.part(fold(seam[1])):
            left, right = fold(seam[1]), fold(seam[2])
            numbers = (language.index[left], self.passage.forms.number(right))
            yield Option(k, k + 1, "split", (left, right), numbers, SEAM_COST)
        marks = sum(is_mark(c) or c == "'" for c in core)
        if _COMPOUND.fullmatch(word) or (not core.isalpha() and marks != 1):
            return
        for at in range(1, len(word)):
            left, right = word[:at], word[at:]
            cost = SPLIT_COST - self.passage.shift
            if is_mark(right[0]) or right[0] == "'":
                right, cost = right[1:], cost + 1.0
            if self.part(left) and self.part(right):
                yield Option(k, k + 1, "split", (left, right), (language.index[left], language.index[right]), cost)

    def part(self, word: str) -> bool:
        """True for a word common enough to be half of what was run together."""
        if len(word) == 1:
            return word in ("a", "i") and word in self.passage.language.index
        return self.passage.language.count(word) >= PART_FLOOR and self.passage.language.capitalised(word) < 0.5
