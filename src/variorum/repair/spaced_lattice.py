"""The likeliest reading of a badly torn passage: every space and stray mark may go, words may begin at any character.

A Viterbi search (Viterbi 1967) with a beam over characters and the two words before. A passage is read as words of the
lexicon, numbers and stops; what is no word may also stand as it is, at a cost, so that a name or a ruin is never lost.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from variorum.language.running import STOP
from variorum.repair.spaced_search import Found, Line, Search

if TYPE_CHECKING:
    from variorum.language.model import Language

# Costs, as minus natural logarithms; measured with those of spaced_search.
LM = 0.8  # weight of the language model against the page
SPACE_LOST = 4.0  # two words without a space between them
KEEP_STOP = 0.7
KEEP_HYPHEN = 3.8
KEEP_MARK = 5.5
FIGURES_APART = 2.5  # a space within a number
AS_IT_IS, AS_IT_IS_MORE = 4.5, 1.7  # a word of no lexicon, and more for each of its letters
NAME_MORE = 1.2  # the same in a word with a capital, which may be a name
KNOWN_AS_IT_IS = 6.0
TORN_OFF = 4.0  # what stands so at the very end of the text, where a page may break off within a word
_CONTEXTS = 4  # pairs of words before that are kept at each character
_BEHIND = 5.0  # a place this much worse than one further on is given up
_AHEAD = 12  # how far on is looked for that
_SLOPE = 1.3  # what each character further costs at least, on a likely path
_UNKNOWN = 0
_STOPS = frozenset(".;:!?")
_MARKS_KEPT = frozenset(',()[]&*§—–"“”')

_ORDINAL = re.compile(r"\d{1,4}(?:st|nd|rd|th|d|mo|vo|to|s)(?![^\W_])")

Kind = Literal["word", "as is", "number", "mark", "dirt"]


class Piece(NamedTuple):
    """[start, end) of a line's characters read as one thing; `word` is folded, `cost` that of the reading by itself."""

    kind: Kind
    start: int
    end: int
    word: str
    cost: float
    margin: float = 0.0  # how much dearer the next best word is in this place
    opens: bool = False  # whether it stands at the beginning of a sentence


_Key = tuple[int, int, bool]  # the word before, the one before that, whether a space has stood since


class _Step(NamedTuple):
    score: float
    place: int
    key: _Key | None
    piece: Piece | None


class Lattice:
    """Reads the lines of one language."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._number = cache(language.number)
        self._logp = cache(language.logp_numbers)
        self._stop, self._figure = language.number(STOP), language.number("1")

    def read(self, line: Line, last: bool = False) -> list[Piece]:
        """The pieces of the likeliest reading, in order; together they take up every character of the line.

        `last` says that the text ends with the line.
        """
        size = len(line.characters)
        beams: list[dict[_Key, _Step]] = [{} for _ in range(size + 1)]
        beams[0][self._stop, self._stop, True] = _Step(0.0, 0, None, None)
        lowest = [math.inf] * (size + 1)
        lowest[0] = 0.0
        search = Search(line, self._language)
        choices: dict[int, list[Found]] = {}
        for at in range(size):
            here = _kept(beams, lowest, at)
            beams[at] = here
            if not here:
                continue
            choices[at] = words = search.words(at)
            other = list(self._other(line, at, last))
            for key, step in here.items():
                self._spread(line, beams, lowest, at, key, step.score, words, other)
        path = _path(beams)
        return self._weighed(path, choices)

    def _spread(
        self,
        line: Line,
        beams: list[dict[_Key, _Step]],
        lowest: list[float],
        at: int,
        key: _Key,
        score: float,
        words: list[Found],
        other: list[Piece],
    ) -> None:
        """All that may follow one state, put on the beams it leads to."""
        before, earlier, spaced = key
        spaced = spaced or line.gaps[at] > 0
        start = score if spaced else score + SPACE_LOST
        logp, number = self._logp, self._number
        for end, word, cost in words:
            n = number(word)
            total = start + cost - LM * logp(n, before, earlier)
            state = (n, before, False)
            held = beams[end].get(state)
            if held is None or total < held.score:
                beams[end][state] = _Step(total, at, key, Piece("word", at, end, word, cost))
                if total < lowest[end]:
                    lowest[end] = total
        for piece in other:
            state, more = self._after(piece, before, earlier, spaced)
            total = more + piece.cost + (score if piece.kind in ("mark", "dirt") else start)
            held = beams[piece.end].get(state)
            if held is None or total < held.score:
                beams[piece.end][state] = _Step(total, at, key, piece)
                lowest[piece.end] = min(lowest[piece.end], total)

    def _after(self, piece: Piece, before: int, earlier: int, spaced: bool) -> tuple[_Key, float]:
        """The state after a piece that is no word of the lexicon, and what the language model takes for it."""
        if piece.kind == "as is":
            return (_UNKNOWN, before, False), -0.5 * LM * self._logp(_UNKNOWN, before, earlier)
        if piece.kind == "number":
            return (self._figure, before, False), -LM * self._logp(self._figure, before, earlier)
        if piece.kind == "dirt":
            return (before, earlier, spaced), 0.0
        if piece.word in _STOPS:
            return (self._stop, before, True), -LM * self._logp(self._stop, before, earlier)
        return (before, earlier, spaced or piece.word in _MARKS_KEPT or piece.word == "-"), 0.0

    def _other(self, line: Line, at: int, last: bool) -> Iterator[Piece]:
        """What may begin at a character besides words of the lexicon."""
        text = line.characters
        c = text[at]
        if c.isalpha():
            end = _run(line, at)
            cost = self._as_it_is(line, at, end)
            yield Piece("as is", at, end, text[at:end], min(cost, TORN_OFF) if last and end == len(text) else cost)
            return
        if c.isdigit():
            yield from _numbers(line, at)
        else:
            yield Piece("mark", at, at + 1, c, _keeping(c))
        yield Piece("dirt", at, at + 1, c, line.dirt(at))

    def _as_it_is(self, line: Line, at: int, end: int) -> float:
        """The cost of letters that are no word of the lexicon."""
        letters = line.characters[at:end]
        if line.gaps[at] and end - at > 2 and not self._number(letters) and self._language.known(letters):
            return KNOWN_AS_IT_IS  # a possessive or a compound
        capital = line.gaps[at] and line.capitals[at]
        return AS_IT_IS + (NAME_MORE if capital else AS_IT_IS_MORE) * (end - at)

    def _weighed(self, path: list[Piece], choices: dict[int, list[Found]]) -> list[Piece]:
        """The path with each word's margin over the next best word in its place."""
        context = [self._stop, self._stop]
        weighed: list[Piece] = []
        following = self._following(path)
        opens = True
        for n, piece in enumerate(path):
            if piece.kind == "word":
                margin = self._margin(piece, choices[piece.start], context, following[n])
                piece = piece._replace(margin=margin, opens=opens)
            weighed.append(piece)
            state, _ = self._after(piece, context[-1], context[-2], True)
            if piece.kind == "word":
                context.append(self._number(piece.word))
            elif state[0] != context[-1] or piece.kind in ("as is", "number"):
                context.append(state[0])
            if piece.kind != "dirt":
                opens = piece.word in ".!?" or (opens and piece.kind in ("mark", "number") and piece.word not in ",;")
                opens = opens or _enumerator(weighed)
        return weighed

    def _following(self, path: list[Piece]) -> list[list[int]]:
        """For each piece the numbers of the two words after it."""
        following: list[list[int]] = []
        ahead: list[int] = []
        for piece in reversed(path):
            following.append(ahead[:2])
            if piece.kind == "word":
                ahead = [self._number(piece.word), *ahead[:1]]
            elif piece.kind != "dirt" and (piece.kind != "mark" or piece.word in _STOPS):
                ahead = [self._stop if piece.kind == "mark" else _UNKNOWN, *ahead[:1]]
        return following[::-1]

    def _margin(self, piece: Piece, words: list[Found], context: list[int], following: list[int]) -> float:
        own = self._in_place(piece.word, piece.cost, context, following)
        others = [
            self._in_place(word, cost, context, following)
            for end, word, cost in words
            if end == piece.end and word != piece.word
        ]
        return min(others, default=math.inf) - own

    def _in_place(self, word: str, cost: float, context: list[int], following: list[int]) -> float:
        row = [context[-2], context[-1], self._number(word), *following]
        return cost - LM * sum(self._logp(c, b, a) for a, b, c in zip(row, row[1:], row[2:], strict=False))


def _kept(beams: list[dict[_Key, _Step]], lowest: list[float], at: int) -> dict[_Key, _Step]:
    """The best few states of a place, none where a place further on is already much cheaper."""
    bound = min(cost - _SLOPE * k for k, cost in enumerate(lowest[at : at + _AHEAD])) + _BEHIND
    states = sorted(beams[at].items(), key=lambda item: (item[1].score, item[0]))
    return {key: step for key, step in states[:_CONTEXTS] if step.score <= bound}


def _path(beams: list[dict[_Key, _Step]]) -> list[Piece]:
    _, step = min(beams[-1].items(), key=lambda item: (item[1].score, item[0]))
    path = []
    while step.piece is not None and step.key is not None:
        path.append(step.piece)
        step = beams[step.place][step.key]
    return path[::-1]


def _run(line: Line, at: int) -> int:
    """The end of the letters that stand together from a character on."""
    text, end = line.characters, at + 1
    while (
        end < len(text) and not line.gaps[end] and (text[end].isalnum() or (text[end] in "'’-" and _inner(line, end)))
    ):
        end += 1
    return end


def _inner(line: Line, at: int) -> bool:
    return at + 1 < len(line.characters) and not line.gaps[at + 1] and line.characters[at + 1].isalpha()


def _numbers(line: Line, at: int) -> Iterator[Piece]:
    """The figures from a character on, as one number of any length."""
    text, end, cost = line.characters, at + 1, 0.5
    whole = _ORDINAL.match(text, at)
    if whole and not any(line.gaps[at + 1 : whole.end()]):
        yield Piece("number", at, whole.end(), whole.group(), cost)
    while True:
        yield Piece("number", at, end, text[at:end], cost)
        if end >= len(text) or not text[end].isdigit():
            return
        cost += FIGURES_APART if line.gaps[end] else 0.0
        end += 1


def _keeping(c: str) -> float:
    if c in _STOPS or c in _MARKS_KEPT:
        return KEEP_STOP if c in _STOPS else 1.3
    return KEEP_HYPHEN if c in "-'’‘" else KEEP_MARK


def _enumerator(pieces: list[Piece]) -> bool:
    """Whether the reading so far ends with "(a)"."""
    kept = [p for p in pieces[-6:] if p.kind != "dirt"][-3:]
    return len(kept) == 3 and kept[0].word == "(" and kept[2].word == ")" and len(kept[1].word) == 1
