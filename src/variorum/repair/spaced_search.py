"""Words that may begin at a character of a badly torn text, whatever spaces, marks and misreadings stand in them.

A search over the beginnings of the lexicon's words: from each character on it reads letters as they are, as confusions
of OCR, skips stray marks and spaces, each at a cost (minus a natural logarithm), and keeps the cheapest few beginnings.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from variorum.language.running import fold

if TYPE_CHECKING:
    from variorum.language.model import Language

# Costs, as minus natural logarithms. Measured together on texts torn by program (benchmarks/torn.py).
SPACE_IN_WORD = 1.4  # a space of the page that is none: as common in torn text as one that is
LINE_END_IN_WORD = 4.0  # the same for a line end
CONFUSION = 0.7  # torn text is misread oftener than the pages the confusions were counted on
UNSEEN = 5.5  # one letter for another, in no table
LOST = 8.0  # a letter that the page has not
STRAY_MARK = 0.8  # a dot or stroke that no printer sets inside a word
STRAY_STOP, STRAY_QUOTE, STRAY_FIGURE, STRAY_LETTER = 3.2, 2.2, 4.5, 7.0
STOP_DROPPED = 4.0  # more than for other dirt, where a printer may have set a stop or hyphen
LONE_LETTER = 4.0  # a word of one letter other than a, I, O
_BEAMS = (1, 28, 20, 14)  # beginnings kept after so many characters: the first may have been any letter
_BEAM = 8  # and after more
_BEAM_UNSEEN = 4  # of these, the ones that may go on by a confusion of no table
_LONGEST = 24  # characters of the page in one word
_WORDS_AT_END = 8  # words kept for each stretch of the page
_LONGEST_CONFUSION = 3
_RARE = 3  # words counted less often are left to lie: among them are misreadings of the texts counted
_PRIOR = 0.5  # weight of a word's own frequency while it is searched
_MOST_UNSEEN = 2  # confusions of no table in one word
_ALLOWED, _ALLOWED_MORE = 4.0, 3.2  # cost allowed to a word at all, and more for each character

MARKS = frozenset("·•^~`´><|\\{}=_#@€°«»■♦¬¦¨")
_SET_CLOSE = frozenset(".,)-")  # set close to the word before, with a space after
_SET_APART = frozenset(";:!?")  # may stand with a space before as well
_QUOTES = frozenset("'’‘\"“”*")


class Found(NamedTuple):
    """A word that may stand at [start of the search, end) of a line's characters, and what reading it so costs."""

    end: int
    word: str
    cost: float


@dataclass(frozen=True)
class Line:
    """A passage without its spaces: its characters, folded, their offsets, and the cost of the space before each."""

    characters: str
    offsets: tuple[int, ...]
    gaps: tuple[float, ...]  # 0 where no space stands before the character
    capitals: tuple[bool, ...]

    @classmethod
    def of(cls, text: str, start: int, end: int) -> Line:
        """The passage [start, end) of a text."""
        characters, offsets, gaps, gap = [], [], [], SPACE_IN_WORD
        capitals = []
        for at in range(start, end):
            c = text[at]
            if c.isspace():
                gap = max(gap, LINE_END_IN_WORD if c in "\n\f" else SPACE_IN_WORD)
                continue
            folded = fold(c)
            characters.append(folded if len(folded) == 1 else c)
            offsets.append(at)
            gaps.append(gap)
            capitals.append(c.isupper())
            gap = 0.0
        return cls("".join(characters), tuple(offsets), tuple(gaps), tuple(capitals))

    def dirt(self, at: int) -> float:
        """The cost of reading a character as dirt."""
        return stray(self.characters[at]) + (STOP_DROPPED if self._set_there(at) else 0.0)

    def _set_there(self, at: int) -> bool:
        """Whether a printer may have set the mark here: before a space, and close to the word or, as of old, not."""
        c, last = self.characters[at], at + 1 == len(self.characters)
        if not last and not self.gaps[at + 1]:
            return False
        close = not self.gaps[at]
        possessive = c in "'’" and close and self.characters[at - 1 : at] == "s"
        return c in _SET_APART or (close and c in _SET_CLOSE) or possessive


class _Tree(NamedTuple):
    """The lexicon by beginnings: the letters that go on from each, ln of its commonest word, and of the whole words."""

    onward: dict[str, str]
    best: dict[str, float]
    words: dict[str, float]


@lru_cache(maxsize=2)
def _tree(language: Language) -> _Tree:
    best: dict[str, float] = {}
    words: dict[str, float] = {}
    for word in language.sorted_words:
        count = language.count(word)
        if count < _RARE:
            continue
        log = words[word] = math.log(count)
        for k in range(len(word), -1, -1):
            if best.get(word[:k], -1.0) >= log:
                break
            best[word[:k]] = log
    onward: defaultdict[str, list[str]] = defaultdict(list)
    for beginning in best:
        if beginning:
            onward[beginning[:-1]].append(beginning[-1])
    return _Tree({b: "".join(sorted(letters)) for b, letters in onward.items()}, best, words)


@lru_cache(maxsize=2)
def _confusions(language: Language) -> dict[str, list[tuple[str, float]]]:
    """For each misread string what it may stand for and at which cost, without spaces."""
    table: dict[str, list[tuple[str, float]]] = {}
    for misread, row in language.confusions.by_misread.items():
        kept = [(t, -CONFUSION * log) for t, log in row if t and all(c.isalpha() or c in "'-" for c in t)]
        if misread and " " not in misread and kept:
            table[misread] = kept
    for misread, truth in _SHAPES:
        kept = [(t, cost) for t, cost in table.get(misread, ()) if t != truth or cost < SHAPE]
        table[misread] = kept if any(t == truth for t, _ in kept) else [*kept, (truth, SHAPE)]
        if "l" in misread or "i" in misread:  # a 1 does for either
            one = misread.replace("l", "1").replace("i", "1", "l" not in misread)
            table.setdefault(one, []).append((truth, SHAPE + 1.0))
    return table


def stray(c: str) -> float:
    """The cost of reading a character as dirt, wherever it stands."""
    if c in MARKS:
        return STRAY_MARK
    if c.isalpha():
        return STRAY_LETTER
    if c.isdigit():
        return STRAY_FIGURE
    return STRAY_QUOTE if c in _QUOTES else STRAY_STOP


# What the shapes of type make of letters, whatever the engine: strokes taken for other strokes.
_SHAPES = [
    *(
        ("cl", "d"),
        ("rl", "d"),
        ("ol", "d"),
        ("el", "d"),
        ("ci", "d"),
        ("rn", "m"),
        ("ni", "m"),
        ("in", "m"),
        ("nn", "m"),
    ),
    *(("iii", "m"), ("rri", "m"), ("rii", "m"), ("ii", "n"), ("ri", "n"), ("ii", "u"), ("li", "h"), ("ii", "h")),
    *(("lt", "k"), ("lc", "k"), ("vv", "w"), ("vi", "w"), ("ui", "w"), ("vii", "wi"), ("tli", "th"), ("lo", "b")),
    *(("1", "l"), ("1", "i"), ("0", "o"), ("5", "s"), ("8", "b"), ("6", "b"), ("9", "g")),
]
SHAPE = 4.0  # the cost of one of them

# Cost less the prior, cost, letters, unseen confusions, and _DIRTY where dirt came last: a word does not end with it.
_State = tuple[float, float, str, int, str]
_DIRTY = "\0"
_Front = dict[str, _State]


class Search:
    """The words that may begin at each character of a line."""

    def __init__(self, line: Line, language: Language) -> None:
        self._line = line
        self._tree = _tree(language)
        self._confusions = _confusions(language)

    def words(self, start: int) -> list[Found]:
        """The likeliest words from a character on, for each end a few."""
        size = min(_LONGEST, len(self._line.characters) - start)
        fronts: list[_Front] = [{} for _ in range(size + _LONGEST_CONFUSION)]
        fronts[0][""] = (0.0, 0.0, "", 0, "")
        found: list[Found] = []
        for used in range(size + 1):
            states = sorted(fronts[used].values())
            if used:
                found += self._whole(start, used, states)
            if used < size:
                self._onward(start, used, states[: _BEAMS[used] if used < len(_BEAMS) else _BEAM], fronts)
        return found

    def _whole(self, start: int, used: int, states: list[_State]) -> list[Found]:
        """The words that are complete here."""
        words, end = self._tree.words, start + used
        allowed = _ALLOWED + _ALLOWED_MORE * used
        ended = []
        for _, cost, letters, _, mark in states:
            log = words.get(letters)
            if log is not None and cost <= allowed and not mark:
                if (
                    len(letters) == 1
                    and letters not in "aio"
                    and self._line.characters[end : end + 1] not in (".", ")")
                ):
                    cost += LONE_LETTER
                ended.append((cost - _PRIOR * log, cost, letters))
        ended.sort()
        return [Found(end, letters, cost) for _, cost, letters in ended[:_WORDS_AT_END]]

    def _onward(self, start: int, used: int, states: list[_State], fronts: list[_Front]) -> None:
        """Every beginning by one step further: a letter as it is, misread, or a mark passed over."""
        line, best = self._line, self._tree.best
        at = start + used
        c = line.characters[at]
        gap = line.gaps[at] if used else 0.0
        steps = [(1, c, 0.0), *self._misread(at)]
        after = fronts[used + 1]
        dirt = line.dirt(at)
        for _, cost, letters, unseen, _ in states:
            cost += gap
            for length, truth, extra in steps:
                grown = letters + truth
                prior = best.get(grown)
                if prior is not None:
                    _put(fronts[used + length], cost + extra, prior, grown, unseen)
            if letters:
                _put(after, cost + dirt, best[letters], letters, unseen, _DIRTY)
        allowed = _ALLOWED + _ALLOWED_MORE * (used + 1) - UNSEEN - gap
        for _, cost, letters, unseen, _ in states[:_BEAM_UNSEEN]:
            if unseen < _MOST_UNSEEN and cost <= allowed:
                self._unseen(after, letters, c, cost + gap, unseen)

    def _unseen(self, after: _Front, letters: str, c: str, cost: float, unseen: int) -> None:
        """A letter for another that is in no table, and one that the page has not."""
        best = self._tree.best
        for letter in self._tree.onward.get(letters, ""):
            grown = letters + letter
            if letter != c:
                _put(after, cost + UNSEEN, best[grown], grown, unseen + 1)
                if not unseen and letters and (prior := best.get(grown + c)) is not None:
                    _put(after, cost + LOST, prior, grown + c, unseen + 1)

    def _misread(self, at: int) -> list[tuple[int, str, float]]:
        """What the next one to three characters may be misread from: how many, the truth, the cost."""
        text, gaps = self._line.characters, self._line.gaps
        row = []
        gap = 0.0
        for length in range(1, _LONGEST_CONFUSION + 1):
            if at + length > len(text):
                break
            gap += gaps[at + length - 1] if length > 1 else 0.0
            row += [(length, truth, cost + gap) for truth, cost in self._confusions.get(text[at : at + length], ())]
        return row


def _put(front: _Front, cost: float, prior: float, letters: str, unseen: int, dirty: str = "") -> None:
    key = letters + dirty
    known = front.get(key)
    if known is None or cost < known[1]:
        front[key] = (cost - _PRIOR * prior, cost, letters, unseen, dirty)
