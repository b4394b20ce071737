"""One text on its way through the decoder: its units, what is known of each, and what stands round them."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from math import log

from variorum.language.running import fold
from variorum.repair.words_candidates import is_mark
from variorum.repair.words_forms import Forms
from variorum.repair.words_lattice import STOP_NUMBER
from variorum.repair.words_noise import ALIKE, noise_of, oddness
from variorum.repair.words_tongue import NOISY, strange
from variorum.repair.words_units import units

_BRACKETS = frozenset("()[]")
LEARNED_NOISE = 0.04  # the noise of the pages that the confusions were learned from
# Of pieces of clean books that no model had seen, one in twenty-five looks noisier than this, for its Latin and names.
CLEANEST = 0.005
FEW_ALIKE = 30  # words of a clean text mixed in where it is asked whether this is one
DIRTY = 0.0015  # share of words with marks in them that no clean book has
MODERN = 1700  # print before this year, or with this share of words spelled as before it, keeps its spelling
EARLY_SHARE = 0.02


class Passage:
    """A text with its units and forms.

    `noise` is the estimated share of misread characters, `year` that of the print; `long_s` is set where the text shows
    that its print has the long s.
    """

    def __init__(self, text: str, forms: Forms, noise: float, year: int | None = None) -> None:
        self.text, self.forms, self.language = text, forms, forms.language
        self.noise, self.long_s = noise, False
        self.units = units(text)
        self.strange = strange(self.units, self.language, noise)
        self.entries = [forms.entry(u.core) for u in self.units]
        self.here = Counter(u.core for u in self.units)
        self.folded_here = Counter(fold(u.core) for u in self.units)
        self.odd_share = oddness((u.core for u in self.units), self.language)
        self.early = year < MODERN if year is not None else self.early_share() > EARLY_SHARE
        self.dirt = log((0.3 + sum(map(_dirty, self.here.elements()))) / (len(self.units) + 150))
        bits = sum(n for c, n in self.here.items() if len(c) < 3 and c.isalpha() and not self.common(c))
        self.bits = log((0.3 + bits) / (len(self.units) + 150))
        self.shift = min(1.0, max(-1.5, log((noise + 0.002) / LEARNED_NOISE)))

    def early_share(self) -> float:
        """The share of words that the lexicon knows only in a later spelling (vpon, haue, iustice)."""
        lower = [c for c in self.here.elements() if len(c) > 2 and c.islower()]
        return sum(self.forms.early(c) for c in lower) / max(ALIKE, len(lower))

    @cached_property
    def misread(self) -> bool:
        """True where the text shows that OCR has read it; in a few lines two words that are none show it."""
        share = oddness((u.core for u in self.units), self.language, FEW_ALIKE)
        return max(self.noise, noise_of(share)) > CLEANEST or self.dirt > log(DIRTY)

    def odd(self, k: int) -> float:
        """What it costs to take an unknown unit for a word: less where the text has it again and again."""
        entry = self.entries[k]
        if entry.known or not entry.odd:
            return 0.0
        repeats = self.here[self.units[k].core]
        return entry.odd if repeats < 3 else entry.odd / repeats

    def common(self, core: str) -> bool:
        """True for a word that stands in every book."""
        return core in ("a", "A", "I", "O", "o") or (len(core) > 1 and self.language.count(core) >= 100)

    def guarded(self, k: int) -> bool:
        """Abbreviations, names that stand here more than once, and capitals amid a sentence that are words."""
        unit, entry = self.units[k], self.entries[k]
        if self.early and (entry.known or self.forms.early(unit.core)):
            return True
        if entry.accented and self.noise < NOISY:
            return True
        if entry.known:
            return unit.core[0].isupper() and (not unit.stop or unit.core.isupper())
        if unit.trail.startswith(".") and len(unit.core) <= 4 and self.goes_on(k):
            return True
        return unit.core[0].isupper() and self.here[unit.core] > 1

    def goes_on(self, k: int) -> bool:
        """True where the sentence goes on after a full stop: an abbreviation."""
        following = self.units[k + 1] if k + 1 < len(self.units) else None
        if following is None:
            return False
        # A number with its own stop ("deai. 3. A revoke"), or on a new line, begins the next law.
        counts = following.trail.startswith(".") or "\n" in following.gap
        return following.core[0].islower() or (following.core[0].isdigit() and not counts)

    def ends_sentence(self, k: int) -> bool:
        """True where a point may stand instead of unit k: behind a word, and before a capital or the line's end."""
        unit, before = self.units[k], self.units[k - 1] if k else None
        following = self.units[k + 1] if k + 1 < len(self.units) else None
        if before is None or before.trail or unit.lead or unit.trail or unit.gap != " ":
            return False
        return following is None or "\n" in following.gap or following.core[0].isupper() or bool(following.lead)

    def counts(self, k: int) -> bool:
        """True where unit k may be a number, misread: in brackets, or between a stop and a capital ("n If the ace")."""
        unit = self.units[k]
        following = self.units[k + 1] if k + 1 < len(self.units) else None
        bracketed = not _BRACKETS.isdisjoint(unit.lead + unit.trail)
        return bracketed or (unit.stop and (following is None or following.core[0].isupper()))

    def after(self, k: int) -> str:
        """What stands right after unit k, past a space that the OCR put before an apostrophe."""
        unit = self.units[k]
        return unit.trail or self.text[unit.end : unit.end + 2].lstrip()

    def left(self, k: int) -> tuple[int, int]:
        """The two word numbers before unit k as the page has them."""
        run = self.run(max(0, k - 2), k)
        if self.units[k].stop:
            run.append(STOP_NUMBER)
        run = [STOP_NUMBER, STOP_NUMBER, *run]
        return run[-2], run[-1]

    def right(self, k: int) -> tuple[int, ...]:
        """The two word numbers from unit k on as the page has them."""
        if k >= len(self.units):
            return (STOP_NUMBER,)
        run = self.run(k, min(k + 2, len(self.units)))
        if self.units[k].stop:
            run.insert(0, STOP_NUMBER)
        return tuple(run[:2])

    def run(self, first: int, last: int) -> list[int]:
        """The word numbers of units, with the stops between them (none before the first)."""
        found: list[int] = []
        for k in range(first, last):
            if k > first and self.units[k].stop:
                found.append(STOP_NUMBER)
            found.append(self.entries[k].number)
        return found


def _dirty(core: str) -> bool:
    """True for a word with a mark or a figure among its letters."""
    return not core.isalpha() and any(map(str.isalpha, core)) and any(is_mark(c) or c.isdigit() for c in core)
