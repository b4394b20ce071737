"""Did the rule change? Substantive variants of a locus that alter what players may, must or forfeit.

Plain and honest: it looks for differing numbers, modal words, agents, penalties, terms, manners and conditions in the
words themselves, by the games thesaurus; it does not understand the law. What it reports comes with the words that show
it, so that a reader can judge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from variorum.model import Change, ChangeKind, ChangeOp, Collation, Law, Locus, Token
from variorum.thesaurus import SMALL, Mention, stem, thesaurus
from variorum.tokens import figure, is_word

# Words that open a circumstance under which a law bites. "If" and "when" open nearly every law and say little by
# themselves; the others limit it.
LIMITS = frozenset(str.split("before after until till unless during except excepting provided"))
OPENERS = frozenset(str.split("if when where should"))
# A sentence with one of these argues or gives an example; it binds nobody.
ARGUMENT = frozenset(str.split("contend argue perhaps opinion unfair unjust"))
QUANTIFIERS = ("either", "both", "all", "each", "every", "none", "neither")
# Words on each side up to which a difference of agent, modal or number is taken for a change and not for a rewording.
SHORT = 4
PHRASE = 14  # words of a condition that are looked at
COVERED = 0.6  # share of a phrase's words that the other law has, from which it is taken to say it too
MATCHED = 0.34  # share of words two conditions have in common, from which they are taken for one
REFERENCES = frozenset(stem(w) for w in str.split("rule law article section sec clause paragraph"))
LISTED = 12  # words of a list of law numbers that are looked over for the word "rules" at its end
# "Before mentioned" is no condition.
MENTIONED = frozenset(stem(w) for w in str.split("mentioned described stated named said specified provided"))


@dataclass(frozen=True, slots=True)
class _Phrase:
    """Words [start, end) of one side; `head` the stem that opens it."""

    start: int
    end: int
    head: str
    content: frozenset[str]


class _Side:
    """One witness's law as words, with what is named in them."""

    def __init__(self, siglum: str, tokens: Sequence[Token]) -> None:
        self.siglum = siglum
        self.tokens = tokens
        self.at = [k for k, t in enumerate(tokens) if is_word(t)]
        self.words = [tokens[k].normal for k in self.at]
        self.stems = [stem(w) for w in self.words]

    def text(self, start: int, end: int) -> str:
        """Words [start, end) as printed, with the marks between them."""
        end = min(end, len(self.at))
        if start >= end:
            return ""
        inner = self.tokens[self.at[start] : self.at[end - 1] + 1]
        return " ".join("".join(t.surface + t.space for t in inner).split())

    @cached_property
    def mentions(self) -> list[Mention]:
        """Concepts named outside of argument."""
        return [m for m in thesaurus().mentions(self.words) if not self.argued(m.start)]

    def of_kind(self, kind: str) -> list[Mention]:
        return [m for m in self.mentions if m.kind == kind]

    @cached_property
    def folded(self) -> frozenset[str]:
        """Every word and every concept of the law, for asking whether it says a thing at all."""
        return frozenset(thesaurus().folded(self.words)) | frozenset(self.stems)

    @cached_property
    def _sentence(self) -> list[int]:
        """The number of the sentence of each word."""
        numbers, n = [], 0
        for k, t in enumerate(self.tokens):
            if k in self._word_places:
                numbers.append(n)
            elif t.normal in (".", ";", "?", "!"):
                n += 1
        return numbers

    @cached_property
    def _word_places(self) -> frozenset[int]:
        return frozenset(self.at)

    @cached_property
    def _arguments(self) -> frozenset[int]:
        return frozenset(n for n, s in zip(self._sentence, self.stems, strict=True) if s in _ARGUMENT_STEMS)

    def argued(self, word: int) -> bool:
        """True for a word in a sentence that argues or gives an example."""
        return self._sentence[word] in self._arguments

    def refers(self, word: int) -> bool:
        """True for a number that names a law: "rule 6", "rules 6, 7 and 8", "the 6th and 7th rules"."""
        for step in (-1, 1):
            for far in range(1, LISTED):
                k = word + step * far
                if not 0 <= k < len(self.words):
                    break
                if self.stems[k] in REFERENCES:
                    return True
                if not figure(self.words[k]) and self.words[k] not in ("and", "or", "to"):
                    break
        return False

    @cached_property
    def phrases(self) -> list[_Phrase]:
        """Conditions: from the word that opens each to the next mark; a limit within a limit is part of it."""
        phrases: list[_Phrase] = []
        for k, word in enumerate(self.words):
            within = bool(phrases) and k < phrases[-1].end and phrases[-1].head in LIMITS
            if word not in LIMITS | OPENERS or within or self.argued(k):
                continue
            end = k + 1
            while end < min(len(self.words), k + PHRASE) and not self._breaks(end, word in OPENERS):
                end += 1
            content = frozenset(thesaurus().folded(self.words[k + 1 : end])) - SMALL
            if content - MENTIONED:
                phrases.append(_Phrase(k, end, word, content))
        return phrases

    def _breaks(self, word: int, at_limits: bool) -> bool:
        return self.at[word] != self.at[word - 1] + 1 or (at_limits and self.words[word] in LIMITS)


_ARGUMENT_STEMS = frozenset(stem(w) for w in ARGUMENT)


def changes(locus: Locus, laws: Mapping[str, Sequence[Law]], collation: Collation) -> tuple[Change, ...]:
    """The changes of rule between the first witness that has the law and each other that has it.

    `laws` are the laws of the locus by siglum, `collation` its words aligned, in the order of its witnesses. Each
    change gives kind, op, the words that show it in both witnesses, one plain sentence and a certainty from 0 to 1.
    A witness that lacks the law gives none: that is the concordance's to say.
    """
    sigla = [s for s in collation.witnesses if laws.get(s)]
    found: list[Change] = []
    for siglum in sigla[1:]:
        a = _Side(sigla[0], [t for row in collation.rows if (t := row[sigla[0]])])
        b = _Side(siglum, [t for row in collation.rows if (t := row[siglum])])
        if a.words == b.words or not a.words or not b.words:
            continue
        runs = list(_runs(collation, a.siglum, b.siglum))
        seen = set()
        for detect in _DETECTORS:
            for kind, first, second, cert in detect(a, b, runs):
                if (kind, first, second) not in seen and (first or second):
                    seen.add((kind, first, second))
                    found.append(_change(locus, a, b, kind, first, second, cert))
    return tuple(found)


Found = tuple[ChangeKind, str, str, float]
Run = tuple[int, int, int, int]  # words [start, end) of either side that differ, between words that agree


def _runs(collation: Collation, a: str, b: str) -> Iterator[Run]:
    """Stretches of words where two witnesses differ."""
    i = j = start_i = start_j = 0
    open_ = False
    for row in collation.rows:
        left, right = row[a], row[b]
        left = left if left and is_word(left) else None
        right = right if right and is_word(right) else None
        if left is None and right is None:
            continue
        same = bool(left and right and stem(left.normal) == stem(right.normal))
        if same and open_:
            yield start_i, i, start_j, j
            open_ = False
        elif not same and not open_:
            start_i, start_j, open_ = i, j, True
        i += left is not None
        j += right is not None
    if open_:
        yield start_i, i, start_j, j


def _change(locus: Locus, a: _Side, b: _Side, kind: ChangeKind, first: str, second: str, cert: float) -> Change:
    op: ChangeOp = "altered" if first and second else "dropped" if first else "added"
    laws = {s: locus.laws[s] for s in (a.siglum, b.siglum)}
    readings = {a.siglum: first, b.siglum: second}
    return Change(locus.id, laws, kind, op, readings, _sentence(a.siglum, b.siglum, kind, first, second), cert)


_ABOUT = {
    ChangeKind.QUANTITY: "the figure",
    ChangeKind.MODALITY: "what may or must be done",
    ChangeKind.AGENT: "who it is",
    ChangeKind.PENALTY: "the penalty or remedy",
    ChangeKind.CONDITION: "the condition",
    ChangeKind.SCOPE: "the cases covered",
    ChangeKind.PROCEDURE: "the manner",
    ChangeKind.DEFINITION: "the meaning",
    ChangeKind.TERM: "only the name",
}


def _sentence(a: str, b: str, kind: ChangeKind, first: str, second: str) -> str:
    about = _ABOUT[kind]
    if first and second:
        return f"{a}: “{first}”; {b}: “{second}” ({about} differs)."
    has, lacks, words = (a, b, first) if first else (b, a, second)
    return f"{has} has “{words}” ({about}); {lacks} does not say so."


# ----------------------------------------------------------------------------------------------------------- detectors


def _numbers(side: _Side, start: int, end: int) -> dict[bool, set[str]]:
    """Numbers among words [start, end), ordinals apart (key True); cross-references left out.

    "Twenty four" is one number, and "more than two" the three it means.
    """
    found: dict[bool, set[str]] = {False: set(), True: set()}
    for k in range(start, end):
        value = figure(side.words[k])
        if not value or side.refers(k) or (value == "1" and k + 1 < len(side.words) and side.words[k + 1] in SMALL):
            continue
        ones = value.removesuffix("th")
        tens = figure(side.words[k - 1]) if k else ""
        if tens.isdigit() and ones.isdigit() and 0 < int(ones) < 10 < int(tens) < 100:
            value = str(int(tens) + int(ones))
        if side.words[max(0, k - 2) : k] == ["more", "than"] and value.isdigit():
            value = str(int(value) + 1)
        found[value.endswith("th")].add(value)
    return found


def _quantity(a: _Side, b: _Side, runs: Sequence[Run]) -> Iterator[Found]:
    for i, i_end, j, j_end in runs:
        if max(i_end - i, j_end - j) > SHORT:
            continue
        left, right = _numbers(a, i, i_end), _numbers(b, j, j_end)
        if any(left[rank] and right[rank] and left[rank] != right[rank] for rank in (False, True)):
            yield ChangeKind.QUANTITY, _with_next(a, i, i_end), _with_next(b, j, j_end), 0.8


# Words that make a figure of what they stand before.
_MEASURES = frozenset(str.split("half double treble triple twice thrice quarter"))


def _measure(a: _Side, b: _Side, runs: Sequence[Run]) -> Iterator[Found]:
    """The same thing, half of it here or twice of it there: "the stakes" and "half the stakes"."""
    for i, i_end, j, j_end in runs:
        if max(i_end - i, j_end - j) > SHORT:
            continue
        one, two = ({w for w in s.words[x:y] if w in _MEASURES} for s, x, y in ((a, i, i_end), (b, j, j_end)))
        if one != two and not (_numbers(a, i, i_end)[False] and _numbers(b, j, j_end)[False]):
            wider = SHORT // 2
            yield (
                ChangeKind.QUANTITY,
                a.text(max(0, i - 1), min(i_end + wider, len(a.words))),
                b.text(max(0, j - 1), min(j_end + wider, len(b.words))),
                0.7,
            )


# What cannot both be so of one place in a law, with what such a change is one of.
_OPPOSITES = {
    frozenset(pair.split("/")): kind
    for kind, pairs in (
        (ChangeKind.PROCEDURE, "lowest/highest least/most first/last right/left odd/even open/closed upper/lower"),
        (ChangeKind.CONDITION, "before/after with/without inside/outside always/never above/below"),
        (ChangeKind.QUANTITY, "more/less more/fewer increase/diminish"),
        (ChangeKind.PENALTY, "win/lose wins/loses winner/loser gains/loses"),
    )
    for pair in pairs.split()
}


def _opposite(a: _Side, b: _Side, runs: Sequence[Run]) -> Iterator[Found]:
    """A word here and its opposite there: "the lowest card deals" and "the highest card deals".

    Only where hardly anything else differs: in other words throughout, "till after" may well be "before".
    """
    for i, i_end, j, j_end in runs:
        if max(i_end - i, j_end - j) > SHORT // 2:
            continue
        one, two = set(a.words[i:i_end]), set(b.words[j:j_end])
        for pair, kind in _OPPOSITES.items():
            left, right = one & pair, two & pair
            if len(left) == len(right) == 1 and left != right:
                yield kind, _with_next(a, i, i_end), _with_next(b, j, j_end), 0.7


def _with_next(side: _Side, start: int, end: int) -> str:
    """The words, and what they count where that follows."""
    more = end < len(side.words) and side.words[end] not in SMALL and side.at[end] == side.at[end - 1] + 1
    return side.text(start, end + more)


def _modality(a: _Side, b: _Side, runs: Sequence[Run]) -> Iterator[Found]:
    left, right = a.of_kind("modal"), b.of_kind("modal")
    for i, i_end, j, j_end in runs:
        if max(i_end - i, j_end - j) > SHORT:
            continue
        one = [m for m in left if m.start < i_end and i < m.end]
        two = [m for m in right if m.start < j_end and j < m.end]
        if one and two and {m.concept for m in one} != {m.concept for m in two}:
            yield ChangeKind.MODALITY, _around(a, one), _around(b, two), 0.7


def _around(side: _Side, mentions: Sequence[Mention]) -> str:
    return side.text(mentions[0].start, mentions[-1].end + 1)


def _agent(a: _Side, b: _Side, runs: Sequence[Run]) -> Iterator[Found]:
    left, right = a.of_kind("agent"), b.of_kind("agent")
    for i, i_end, j, j_end in runs:
        if max(i_end - i, j_end - j) > SHORT:
            continue
        one = {m.concept: m for m in left if i <= m.start < i_end}
        two = {m.concept: m for m in right if j <= m.start < j_end}
        # "A player" is anybody, and so may be the person named on the other side.
        if one and two and not one.keys() & two.keys() and "player" not in {*one, *two}:
            yield ChangeKind.AGENT, _around(a, list(one.values())), _around(b, list(two.values())), 0.7


def _penalty(a: _Side, b: _Side, runs: Sequence[Run]) -> Iterator[Found]:
    left = {m.concept: m for m in reversed(a.of_kind("penalty"))}
    right = {m.concept: m for m in reversed(b.of_kind("penalty"))}
    only_a = [m for concept, m in sorted(left.items(), key=lambda x: x[1].start) if concept not in right]
    only_b = [m for concept, m in sorted(right.items(), key=lambda x: x[1].start) if concept not in left]
    for k in range(max(len(only_a), len(only_b))):
        first = a.text(only_a[k].start, only_a[k].end) if k < len(only_a) else ""
        second = b.text(only_b[k].start, only_b[k].end) if k < len(only_b) else ""
        yield ChangeKind.PENALTY, first, second, 0.7 if first and second else 0.6


def _condition(a: _Side, b: _Side, runs: Sequence[Run]) -> Iterator[Found]:
    yield from _quantified(a, b)
    left, right = _unsaid(a, b), _unsaid(b, a)
    for k in range(max(len(left), len(right))):
        first = a.text(left[k].start, left[k].end) if k < len(left) else ""
        second = b.text(right[k].start, right[k].end) if k < len(right) else ""
        yield ChangeKind.CONDITION, first, second, 0.6


def _quantified(a: _Side, b: _Side) -> Iterator[Found]:
    """The same condition, of either party here and of both there."""
    for p in a.phrases:
        q = max(b.phrases, key=lambda q: (_alike(p, q), q.head == p.head, -q.start), default=None)
        if q is None or _alike(p, q) < 2 * MATCHED:
            continue
        one = {w for w in a.words[p.start : p.end] if w in QUANTIFIERS}
        two = {w for w in b.words[q.start : q.end] if w in QUANTIFIERS}
        if one and two and not one & two:
            yield ChangeKind.CONDITION, a.text(p.start, p.end), b.text(q.start, q.end), 0.6


def _alike(p: _Phrase, q: _Phrase) -> float:
    return len(p.content & q.content) / max(len(p.content), len(q.content))


def _unsaid(side: _Side, other: _Side) -> list[_Phrase]:
    """Limiting conditions of one side that the other does not have in any words."""
    return [
        p
        for p in side.phrases
        if p.head in LIMITS
        and len(p.content & other.folded) < COVERED * len(p.content)
        and not any(_alike(p, q) >= MATCHED for q in other.phrases)
    ]


def _procedure(a: _Side, b: _Side, runs: Sequence[Run]) -> Iterator[Found]:
    """By what means: "by restoring the cards"."""
    for side, other in ((a, b), (b, a)):
        for k, (word, after) in enumerate(pairwise(side.words)):
            if word == "by" and after.endswith("ing") and not side.argued(k):
                end = k + 2
                while end < min(len(side.words), k + PHRASE) and side.at[end] == side.at[end - 1] + 1:
                    end += 1
                content = frozenset(thesaurus().folded(side.words[k + 1 : end])) - SMALL
                if content and len(content & other.folded) < COVERED * len(content):
                    words = side.text(k, end)
                    yield ChangeKind.PROCEDURE, *((words, "") if side is a else ("", words)), 0.5


def _term(a: _Side, b: _Side, runs: Sequence[Run]) -> Iterator[Found]:
    """One concept, in other words throughout."""
    for kind in ("agent", "thing"):
        left, right = _names(a, kind), _names(b, kind)
        for concept in sorted(left.keys() & right.keys()):
            pairs = [(set(one), set(two)) for one in left[concept] for two in right[concept]]
            if concept != "player" and not any(one <= two or two <= one for one, two in pairs):
                yield ChangeKind.TERM, min(left[concept].values()), min(right[concept].values()), 0.8


def _names(side: _Side, kind: str) -> dict[str, dict[tuple[str, ...], str]]:
    names: dict[str, dict[tuple[str, ...], str]] = {}
    for m in side.of_kind(kind):
        names.setdefault(m.concept, {})[tuple(side.stems[m.start : m.end])] = side.text(m.start, m.end)
    return names


_DETECTORS: tuple[Callable[[_Side, _Side, Sequence[Run]], Iterator[Found]], ...] = (
    _quantity,
    _measure,
    _opposite,
    _modality,
    _agent,
    _penalty,
    _condition,
    _procedure,
    _term,
)
