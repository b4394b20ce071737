"""Two short readings that cannot both be the rule: a figure, a modal, an agent, a remedy, an opposite, a name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from variorum.change.pairs import Pair, Run
from variorum.change.sides import LIMITS, NEGATIVE, Found, Side, Span, tens_and_ones
from variorum.model import ChangeKind
from variorum.thesaurus import FILLING, SMALL, Mention, stem
from variorum.tokens import figure

# Words on each side up to which a difference is taken for a change of that word and not for a rewording.
SHORT = 5
KIN = 0.3  # share of the words around that agree, below which two figures measure different things
NEGATED = 4  # words over which a reading reaches back to its negative: "no one may"
FOLLOWING = 6  # words over which it reaches on to what is to be done: "may at any time ask"
ACTING = 6  # words before a penalty in which whoever brings it about or suffers it is named
NEXT = 2  # words between two figures of one measure
CERTAIN = 0.85  # share of the words around that agree, from which another thing is no other wording
BOUNDS = frozenset(str.split("more less fewer least most"))  # "two or more", "more than one"
ALIKE = 0.7  # share of words that agree, from which a figure that only one edition has is a figure
QUANTIFIERS = frozenset(str.split("either both all each every none neither any"))
# Words that make a figure of what they stand before.
MEASURES = frozenset(str.split("half double treble triple twice thrice quarter quarters third thirds eighth eighths"))
# What cannot both be so of one place in a law, with what such a change is one of.
OPPOSITES = {
    frozenset(stem(w) for w in pair.split("/")): kind
    for kind, pairs in (
        (
            ChangeKind.PROCEDURE,
            "lowest/highest lower/higher least/most first/last right/left odd/even open/closed upper/lower high/low",
        ),
        (ChangeKind.CONDITION, "before/after with/without inside/outside within/outside always/never above/below"),
        (ChangeKind.QUANTITY, "more/less more/fewer increase/diminish maximum/minimum"),
        (ChangeKind.PENALTY, "win/lose winner/loser gain/lose"),
    )
    for pair in pairs.split()
}  # fmt: skip


def find(pair: Pair) -> Iterator[Found]:
    """What the detectors find, each place once."""
    seen: set[tuple[object, ...]] = set()
    last: Found | None = None
    for detect in _DETECTORS:
        for one in detect(pair):
            said = pair.a.text(*one.first).casefold(), pair.b.text(*one.second).casefold()
            place = _sentence(pair.a, one.first), _sentence(pair.b, one.second)
            heads = _heads(said)
            # "The lowest against the highest" and "the highest against the lowest" differ once.
            if _goes_on(one, last) or (one.kind, place, said) in seen or (one.kind, place, heads[::-1]) in seen:
                continue
            seen |= {(one.kind, place, said), (one.kind, place, heads)}
            last = one
            yield one


def _goes_on(one: Found, last: Found | None) -> bool:
    """True for a figure right after a figure: "three feet six inches" differs once from "four feet"."""
    if last is None or not one.kind is last.kind is ChangeKind.QUANTITY:
        return False
    return -NEXT <= one.first[0] - last.first[1] <= NEXT and -NEXT <= one.second[0] - last.second[1] <= NEXT


def _sentence(side: Side, span: Span) -> int:
    return side.sentence[span[0]] if span[0] < span[1] else -1


def _heads(said: tuple[str, str]) -> tuple[str, ...]:
    return tuple("first word: " + words.split()[0] if words else "" for words in said)


def _short(pair: Pair) -> Iterator[Run]:
    return (run for run in pair.runs if max(run[1] - run[0], run[3] - run[2]) <= SHORT)


def numbers(side: Side, start: int, end: int) -> dict[bool, set[str]]:
    """Numbers among words [start, end), ordinals apart (key True); cross-references left out.

    "Twenty four" is one number, and "more than two" the three it means.
    """
    found: dict[bool, set[str]] = {False: set(), True: set()}
    for k in range(start, end):
        value = figure(side.words[k].lstrip("$£"))
        if not value or side.refers(k) or (value == "1" and k + 1 < len(side.words) and side.words[k + 1] in SMALL):
            continue
        ones = value.removesuffix("th")
        following = figure(side.words[k + 1]) if k + 1 < len(side.words) and not side.marked(k + 1) else ""
        if tens_and_ones(value, following.removesuffix("th")):
            continue  # "twenty" of "twenty four"
        tens = figure(side.words[k - 1]) if k else ""
        if tens_and_ones(tens, ones):
            value = str(int(tens) + int(ones)) + value[len(ones) :]
        if side.words[max(0, k - 2) : k] == ["more", "than"] and value.isdigit():
            value = str(int(value) + 1)
        found[value.endswith("th")].add(value)
    return found


def _quantity(pair: Pair) -> Iterator[Found]:
    for i, i_end, j, j_end in _short(pair):
        if not pair.revised and pair.around((i, i_end, j, j_end)) < KIN:
            continue
        left, right = _with_both(pair.a, i, i_end), _with_both(pair.b, j, j_end)
        if any(left[rank] and right[rank] and left[rank] != right[rank] for rank in (False, True)):
            first = _with_next(pair.a, _figure_start(pair.a, i), i_end)
            second = _with_next(pair.b, _figure_start(pair.b, j), j_end)
            yield Found(ChangeKind.QUANTITY, first, second, 0.9)


def _with_both(side: Side, start: int, end: int) -> dict[bool, set[str]]:
    """Numbers, and "both" for two: "one foot" and "both feet"."""
    found = numbers(side, start, end)
    return found if "both" not in side.words[start:end] else {**found, False: found[False] | {"2"}}


def _inserted(pair: Pair) -> Iterator[Found]:
    """A number above one where the other edition has none: "the last trick" and "the last two tricks"."""
    for i, i_end, j, j_end in pair.runs:
        if pair.agreement < ALIKE or max(i_end - i, j_end - j) > 2 or (i_end > i and j_end > j):
            continue
        if {*pair.a.words[max(0, i - 2) : i_end + 2], *pair.b.words[max(0, j - 2) : j_end + 2]} & BOUNDS:
            continue
        one, two = (numbers(s, x, y)[False] - {"1"} for s, x, y in ((pair.a, i, i_end), (pair.b, j, j_end)))
        before = numbers(pair.a, max(0, i - 1), i)[False] | numbers(pair.b, max(0, j - 1), j)[False]
        if bool(one) != bool(two) and not (one | two) <= before:  # "four" after "twenty" is no figure more
            first = (i, i_end) if one else (max(0, i - 1), i)
            second = (j, j_end) if two else (max(0, j - 1), j)
            yield Found(ChangeKind.QUANTITY, _with_next(pair.a, *first), _with_next(pair.b, *second), 0.7)


def _thing(pair: Pair) -> Iterator[Found]:
    """Another thing that has a name in the games: "at the end of every game" and "of every set"."""
    for run in _short(pair):
        i, i_end, j, j_end = run
        one = {m.concept: m for m in pair.a.of_kind("thing", i, i_end)}
        two = {m.concept: m for m in pair.b.of_kind("thing", j, j_end)}
        if len(one) == len(two) == 1 and not one.keys() & two.keys() and pair.around(run) >= CERTAIN:
            kind = ChangeKind.CONDITION if i in pair.a.conditional else ChangeKind.SCOPE
            yield Found(kind, (i, i_end), (j, j_end), 0.6)


def _measures(side: Side, start: int, end: int) -> set[str]:
    """Words of a fraction or a multiple: "half", "one-half", "three-quarters"."""
    return {w.removesuffix("s") for w in side.words[start:end] if w.rpartition("-")[2] in MEASURES}


def _measure(pair: Pair) -> Iterator[Found]:
    """The same thing, half of it here or twice of it there: "the stakes" and "half the stakes"."""
    a, b = pair.a, pair.b
    for i, i_end, j, j_end in _short(pair):
        one, two = _measures(a, i, i_end), _measures(b, j, j_end)
        if one != two and not (numbers(a, i, i_end)[False] or numbers(b, j, j_end)[False]):
            yield Found(ChangeKind.QUANTITY, _measured(a, i, i_end), _measured(b, j, j_end), 0.7)


def _measured(side: Side, start: int, end: int) -> Span:
    """The words of a measure, with what comes before them in it and what it is of: "two and one-half inches"."""
    start = max(0, start - (start == end or not side.marked(start)))
    start = _figure_start(side, start)
    return start, _to_a_name(side, end)


def _figure_start(side: Side, start: int) -> int:
    """Where the figure begins that goes on at a word: "two hundred and ten"."""
    joins = side.words[start : start + 1] == ["and"]
    while start and not side.marked(start) and (figure(side.words[start - 1]) or side.words[start - 1] == "and"):
        if side.words[start - 1] == "and" and not (start > 1 and figure(side.words[start - 2])):
            break
        if not joins and not figure(side.words[start]) and "-" not in side.words[start]:
            break
        start -= 1
        joins = side.words[start] == "and"
    return start


def _opposite(pair: Pair) -> Iterator[Found]:
    """A word here and its opposite there: "the lowest card deals" and "the highest card deals".

    Only where hardly anything else differs: in other words throughout, "till after" may well be "before".
    """
    for i, i_end, j, j_end in _short(pair):
        if max(i_end - i, j_end - j) > SHORT // 2:
            continue
        one, two = set(pair.a.stems[i:i_end]), set(pair.b.stems[j:j_end])
        for opposites, kind in OPPOSITES.items():
            left, right = one & opposites, two & opposites
            if len(left) == len(right) == 1 and left != right:
                yield Found(kind, _with_next(pair.a, i, i_end), _with_next(pair.b, j, j_end), 0.8)


def _with_next(side: Side, start: int, end: int) -> Span:
    """The words, and what they count where that follows."""
    more = end < len(side.words) and side.words[end] not in SMALL and not side.marked(end)
    return start, end + more


def _modality(pair: Pair) -> Iterator[Found]:
    for one, two in _modals(pair):
        said = {pair.a.modal(m) for m in one}, {pair.b.modal(m) for m in two}
        if (
            "" in said[0] | said[1]
            or said[0] == said[1]
            or (_claims(pair.a, one) and "must not" not in said[0] | said[1])
        ):
            continue
        yield Found(ChangeKind.MODALITY, _around(pair.a, one), _around(pair.b, two), 0.8)


def _modals(pair: Pair) -> Iterator[tuple[list[Mention], list[Mention]]]:
    """Modal words that stand in one short difference, or beside one another."""
    left, right = pair.a.of_kind("modal"), pair.b.of_kind("modal")
    for i, i_end, j, j_end in _short(pair):
        one = [m for m in left if m.start < i_end and i < m.end]
        two = [m for m in right if m.start < j_end and j < m.end]
        if one and two:
            yield one, two
    ends = {m.end: m for m in right}
    for m in left:
        other = ends.get(pair.beside.get(m.end - 1, -2) + 1)
        if other:
            yield [m], [other]


# Who may claim a thing till then, must claim it till then.
CLAIMS = frozenset(stem(w) for w in str.split("claim claimed demand demanded appeal call called object report"))


def _claims(side: Side, modals: Sequence[Mention]) -> bool:
    end = modals[-1].end
    return any(s in CLAIMS for s in side.stems[end : end + 3]) and any(w in LIMITS for w in side.words[end : end + 8])


def _around(side: Side, mentions: Sequence[Mention]) -> Span:
    """The words, with the negative before them and what they are said of after them."""
    start, end = mentions[0].start, mentions[-1].end
    for k in range(max(0, start - NEGATED), start):
        if side.words[k] in NEGATIVE and side.sentence[k] == side.sentence[start]:
            start = k - (k > 0 and not side.marked(k) and side.words[k - 1] in ("under", "in", "by", "on", "at"))
            break
    return start, _to_a_name(side, end)


def _to_a_name(side: Side, end: int) -> int:
    """The end of the first words after it that name something, where these follow at once."""
    for k in range(end, min(len(side.words), end + FOLLOWING)):
        if side.sentence[k] != side.sentence[end - 1]:
            return end
        if side.words[k] not in SMALL and side.stems[k] not in FILLING:
            return k + 1
    return end


def _agent(pair: Pair) -> Iterator[Found]:
    for i, i_end, j, j_end in _short(pair):
        one = {m.concept: m for m in pair.a.of_kind("agent") if i <= m.start < i_end}
        two = {m.concept: m for m in pair.b.of_kind("agent") if j <= m.start < j_end}
        # "A player" is anybody, and so may be the person named on the other side.
        spoken = _consequences(pair.a, i, i_end), _consequences(pair.b, j, j_end)
        if (
            one
            and two
            and not (all(spoken) and spoken[0] != spoken[1])
            and not one.keys() & two.keys()
            and "player" not in {*one, *two}
        ):
            yield Found(ChangeKind.AGENT, _around(pair.a, list(one.values())), _around(pair.b, list(two.values())), 0.7)


def _consequences(side: Side, start: int, end: int) -> set[str]:
    """Penalties at the words or just after: where these differ, who it is goes with them."""
    return {m.concept for m in side.of_kind("penalty") if m.start < end + 3 and start < m.end}


def _penalty(pair: Pair) -> Iterator[Found]:
    """A consequence that one side names and the other does not, set against what the other names in its place."""
    only = _only(pair.a, pair.b), _only(pair.b, pair.a)
    for k in range(max(map(len, only))):
        spans = [_acted(s, own[k]) if k < len(own) else (0, 0) for s, own in zip((pair.a, pair.b), only, strict=True)]
        yield Found(ChangeKind.PENALTY, spans[0], spans[1], 0.7 if all(y for _, y in spans) else 0.6)


def _acted(side: Side, penalty: Mention) -> Span:
    """A penalty, with whoever brings it about or suffers it: "the adversary may call a new deal"."""
    start = penalty.start
    for m in side.of_kind("agent", max(0, start - ACTING), start):
        if not any(side.marked(k) for k in range(m.start + 1, start + 1)):
            return m.start, penalty.end
    return start, penalty.end


def _only(side: Side, other: Side) -> list[Mention]:
    """Penalties of one side that the other does not have, by concept or in its own words."""
    has = {m.concept for m in other.of_kind("penalty")}
    own: dict[str, Mention] = {}
    for m in side.of_kind("penalty"):
        words = [
            s for s, w in zip(side.stems[m.start : m.end], side.words[m.start : m.end], strict=True) if w not in SMALL
        ]
        if m.start not in side.conditional and not all(s in other.stems for s in words):
            own.setdefault(m.concept, m)
    return [m for concept, m in own.items() if concept not in has]


def _term(pair: Pair) -> Iterator[Found]:
    """One concept, in other words throughout."""
    for kind in ("agent", "thing"):
        left, right = _names(pair.a, kind), _names(pair.b, kind)
        for concept in sorted(left.keys() & right.keys()):
            pairs = [(set(one), set(two)) for one in left[concept] for two in right[concept]]
            if concept != "player" and not any(one <= two or two <= one for one, two in pairs):
                one, two = min(left[concept].values()), min(right[concept].values())
                yield Found(ChangeKind.TERM, one, two, 0.8)


def _names(side: Side, kind: str) -> dict[str, dict[tuple[str, ...], Span]]:
    names: dict[str, dict[tuple[str, ...], Span]] = {}
    for m in side.of_kind(kind):
        names.setdefault(m.concept, {}).setdefault(tuple(side.stems[m.start : m.end]), (m.start, m.end))
    return names


_DETECTORS: tuple[Callable[[Pair], Iterator[Found]], ...] = (
    _quantity,
    _inserted,
    _measure,
    _opposite,
    _modality,
    _agent,
    _thing,
    _penalty,
    _term,
)
