"""From aligned words to variation units: columns are classed first, readings grouped after."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from variorum.model import ACCIDENTALS, Collation, Law, Locus, Reading, Row, State, Token, Unit, UnitKind
from variorum.thesaurus import SMALL, stem
from variorum.tokens import figure, is_word, normal, skeleton

# What the spelling of one word lets vary. The first set is safe between any two words; by the second "later" would be a
# spelling of "latter", so one of the two words must be unknown.
SPELLED = (
    ("our", "or"), ("ise", "ize"), ("isi", "izi"), ("que", "ck"), ("ick", "ic"), ("ence", "ense"), ("xion", "ction"),
    ("tre", "ter"), ("gue", "g"), ("shew", "show"), ("enq", "inq"), ("encl", "incl"), ("ph", "f"), ("ae", "e"),
    ("oe", "e"), ("gray", "grey"), ("ould", "oud"), ("ll", "l"), ("ey", "y"), ("dgem", "dgm"),
)  # fmt: skip
LOOSELY_SPELLED = (
    ("y", "i"), ("ie", "y"), ("v", "u"), ("i", "j"), ("e", ""), ("k", ""), ("a", "e"), ("o", "oo"), ("i", "e"),
)  # fmt: skip
LETTERS = 4  # shorter words are too near to one another to be told apart from spellings and misreadings
MISREAD = (
    0.7  # likeness of letters from which an unknown word is suspected to be a misreading of the known one beside it
)
# A law is recast where fewer than this share of its words stand beside an equal or like word; below it most columns
# hold chance meetings of "the" and "of". Texts shorter than RECAST_WORDS are always collated.
RECAST_SHARE = 0.25
RECAST_WORDS = 12

Torn = Literal["start", "end"]


def torn(laws: Sequence[Law]) -> frozenset[Torn]:
    """At which ends the laws of one witness at a locus are lost to a torn page, by their gaps."""
    sides: set[Torn] = set()
    for law in laws:
        for gap in law.gaps:
            sides.add("start" if gap.start - law.start < law.end - gap.end else "end")
    return frozenset(sides)


@dataclass(frozen=True, slots=True)
class _Run:
    first: int
    last: int
    kind: UnitKind | None  # None: no difference


def apparatus(
    collation: Collation,
    locus: Locus | None = None,
    base: str | None = None,
    prefix: str = "u",
    *,
    torn: Mapping[str, Collection[Torn]] | None = None,
) -> Collation:
    """The collation with its variation units, ids `prefix` + "01", "02" ... in order.

    `locus` says which witnesses have the law at all, and how many laws each; without one, a witness without words lacks
    it. `base` is the witness whose reading comes first and stands as lemma; without one, the reading of most witnesses
    comes first. `torn` names witnesses whose law is lost at its start or end: what they lack there is a lacuna, not an
    omission. Where a witness is absent every row belongs to some unit, so that silence is never taken for agreement.
    A locus with several laws of one witness (split, merged), and a law whose words have too little in common to be set
    side by side, gets one unit of whole readings.
    Every witness is in exactly one reading of each unit. Raises ModelError for a base that is no witness.
    """
    if base is not None and base not in collation.witnesses:
        from variorum.errors import ModelError

        raise ModelError("apparatus", f"the base {base} is no witness of this collation")
    states = _States(collation, locus, torn or {})
    whole = locus is not None and any(len(laws) > 1 for laws in locus.laws.values())
    if whole or _recast(collation, states):
        runs = [_Run(0, len(collation.rows), UnitKind.RECAST)] if collation.rows else []
        if not _differs(collation.rows, states.present):
            runs = []
    else:
        runs = _runs(collation, states, base)
    runs = _transposed(collation, states, _cover(runs, len(collation.rows), states), base)
    shown = [run for run in runs if run.kind is not None]
    width = max(2, len(str(len(shown))))
    return replace(
        collation,
        units=tuple(
            Unit(f"{prefix}{n:0{width}}", run.kind, run.first, run.last, _readings(collation, states, run, base))
            for n, run in enumerate(shown, start=1)
            if run.kind is not None
        ),
    )


class _States:
    """What a witness has where it has no word: nothing, a torn page, or no such law."""

    def __init__(self, collation: Collation, locus: Locus | None, torn: Mapping[str, Collection[Torn]]) -> None:
        self.here = frozenset(locus.laws if locus else ())
        self.extent: dict[str, tuple[int, int]] = {}
        for siglum in collation.witnesses:
            places = [k for k, row in enumerate(collation.rows) if row[siglum]]
            if places:
                self.extent[siglum] = (places[0], places[-1] + 1)
        self.present = tuple(s for s in collation.witnesses if s in self.extent)
        self.absent = tuple(s for s in collation.witnesses if s not in self.extent)
        self.torn = torn

    def state(self, siglum: str, first: int, last: int) -> State:
        """The state of a witness that has no word at rows [first, last)."""
        if siglum not in self.extent:
            # A law known by its number alone is not absent: its words are lost.
            return State.LACUNA if siglum in self.here or self.torn.get(siglum) else State.ABSENT
        start, end = self.extent[siglum]
        sides = self.torn.get(siglum, ())
        lost = ("start" in sides and last <= start) or ("end" in sides and first >= end)
        return State.LACUNA if lost else State.OMISSION

    def lost(self, siglum: str, row: int) -> bool:
        return self.state(siglum, row, row + 1) is not State.OMISSION


# ----------------------------------------------------------------------------------------------------- classing columns


def _tokens(row: Row, sigla: Sequence[str]) -> list[Token | None]:
    return [row[s] for s in sigla]


def _runs(collation: Collation, states: _States, base: str | None) -> list[_Run]:
    """Runs of rows that are one place of difference each, in order, and between them those that agree."""
    kinds = [_row_kind(row, _witnessing(states, k), base) for k, row in enumerate(collation.rows)]
    runs: list[_Run] = []
    k = 0
    while k < len(kinds):
        if kinds[k] is None:
            k += 1
            continue
        end = k
        while end < len(kinds) and kinds[end] is not None:
            end += 1
        runs += _split_run(collation, states, kinds, k, end)
        k = end
    return runs


def _witnessing(states: _States, row: int) -> tuple[str, ...]:
    return tuple(s for s in states.present if not states.lost(s, row))


def _row_kind(row: Row, sigla: Sequence[str], base: str | None) -> UnitKind | None:
    """The gravest difference between any two witnesses of a row; None where all agree."""
    distinct = sorted({t.surface for s in sigla if (t := row[s])})
    holes = any(row[s] is None for s in sigla)
    if holes:
        lacking = base is not None and base in sigla and row[base] is None
        words = any(is_word(t) for t in row.values() if t)
        return UnitKind.PUNCTUATION if not words else UnitKind.ADDITION if lacking else UnitKind.OMISSION
    if len(distinct) < 2:
        return None
    found = {difference(a, b) for a, b in combinations(distinct, 2)}
    return max(found, key=_GRAVITY.index)


_GRAVITY = (
    UnitKind.PUNCTUATION,
    UnitKind.CAPITAL,
    UnitKind.ABBREVIATION,
    UnitKind.SPELLING,
    UnitKind.DIVISION,
    UnitKind.NUMBER,
    UnitKind.OCR,
    UnitKind.LACUNA,
    UnitKind.ABSENT,
    UnitKind.OMISSION,
    UnitKind.ADDITION,
    UnitKind.TRANSPOSITION,
    UnitKind.WORDING,
    UnitKind.RECAST,
)


def difference(a: str, b: str) -> UnitKind:
    """What sort of difference lies between two printed forms that share a column."""
    low, other = normal(a), normal(b)
    bare, bare_other = skeleton(low), skeleton(other)
    if not bare and not bare_other:
        return UnitKind.PUNCTUATION
    if low == other:
        return UnitKind.CAPITAL if a.lower() == b.lower() else UnitKind.SPELLING
    if figure(a) and figure(a) == figure(b):
        return UnitKind.NUMBER
    if bare == bare_other:
        return UnitKind.DIVISION if ("-" in low) != ("-" in other) else UnitKind.SPELLING
    if figure(a) or figure(b):
        return UnitKind.WORDING
    return _of_words(bare, bare_other)


def _of_words(a: str, b: str) -> UnitKind:
    from rapidfuzz.distance import Indel

    from variorum.language import load

    if min(len(a), len(b)) < LETTERS:
        return UnitKind.WORDING
    if _one_swap(a, b, SPELLED):
        return UnitKind.SPELLING
    known = load().known
    if known(a) and known(b):
        return UnitKind.WORDING
    doubled = re.sub(r"(.)\1", r"\1", a) == re.sub(r"(.)\1", r"\1", b)
    if doubled or _one_swap(a, b, LOOSELY_SPELLED):
        return UnitKind.SPELLING
    suspect = known(a) != known(b) and Indel.normalized_similarity(a, b) >= MISREAD
    return UnitKind.OCR if suspect else UnitKind.WORDING


def _common(a: str, b: str) -> int:
    return next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _one_swap(a: str, b: str, pairs: Sequence[tuple[str, str]]) -> bool:
    """True where the words differ at one place only, and there as a pair allows."""
    head = _common(a, b)
    tail = _common(a[head:][::-1], b[head:][::-1])
    for pair in pairs:
        longest = max(map(len, pair))
        for at in range(max(0, head - longest), head + 1):
            for end in range(len(a) - tail, min(len(a), len(a) - tail + longest) + 1):
                left, right = a[at:end], b[at : end + len(b) - len(a)]
                if (left, right) in (pair, pair[::-1]):
                    return True
    return False


# ------------------------------------------------------------------------------------------------------------- joining


def _split_run(
    collation: Collation, states: _States, kinds: Sequence[UnitKind | None], first: int, last: int
) -> Iterator[_Run]:
    """Cut a run of differing rows into units: words divided otherwise, accidentals one by one, substance joined."""
    k = first
    pending = first
    while k < last:
        end = _divided(collation.rows, _witnessing(states, k), k, last)
        kind = kinds[k]
        if end:
            yield from _joined(kinds, pending, k)
            yield _Run(k, end, UnitKind.DIVISION)
            k = pending = end
        elif kind in ACCIDENTALS:
            yield from _joined(kinds, pending, k)
            yield _Run(k, k + 1, kind)
            k = pending = k + 1
        else:
            k += 1
    yield from _joined(kinds, pending, last)


def _joined(kinds: Sequence[UnitKind | None], first: int, last: int) -> Iterator[_Run]:
    if first < last:
        found = {kinds[k] for k in range(first, last)}
        kind = found.pop() if len(found) == 1 else UnitKind.WORDING
        yield _Run(first, last, kind)


def _divided(rows: Sequence[Row], sigla: Sequence[str], first: int, last: int) -> int:
    """The end of the shortest stretch from `first` where all have the same letters in other words; 0 if none is."""
    texts = dict.fromkeys(sigla, "")
    counts = dict.fromkeys(sigla, 0)
    for end in range(first, min(last, first + 5)):
        for s in sigla:
            token = rows[end][s]
            texts[s] += skeleton(token.normal) if token else ""
            counts[s] += token is not None and is_word(token)
        if end > first and len(set(texts.values())) == 1 and len(set(counts.values())) > 1 and texts[sigla[0]]:
            return end + 1
    return 0


def _cover(runs: Sequence[_Run], height: int, states: _States) -> list[_Run]:
    """The runs, and between them what agrees: as units too where a witness lacks the law or the words are lost."""
    covered: list[_Run] = []
    at = 0
    for run in (*runs, _Run(height, height, None)):
        if at < run.first:
            covered += _agreeing(at, run.first, states)
        if run.first < run.last:
            covered.append(run)
        at = run.last
    return covered


def _agreeing(first: int, last: int, states: _States) -> Iterator[_Run]:
    """Rows on which all that have them agree, cut where a torn witness begins or ends."""

    def kind(row: int) -> UnitKind | None:
        here = {states.state(s, row, row + 1) for s in (*states.present, *states.absent) if _outside(states, s, row)}
        return UnitKind.ABSENT if State.ABSENT in here else UnitKind.LACUNA if State.LACUNA in here else None

    start = first
    for row in range(first + 1, last + 1):
        if row == last or kind(row) is not kind(start):
            yield _Run(start, row, kind(start))
            start = row


def _outside(states: _States, siglum: str, row: int) -> bool:
    start, end = states.extent.get(siglum, (0, 0))
    return not start <= row < end


# ---------------------------------------------------------------------------------------------- transposed and recast


def _content(rows: Sequence[Row], siglum: str) -> tuple[str, ...]:
    """The words that name something, in order: neither small words nor figures, which stand anywhere."""
    words = (t.normal for row in rows if (t := row[siglum]) and is_word(t))
    return tuple(skeleton(w) for w in words if not {w, stem(w)} & SMALL and not any(c.isdigit() for c in w))


def _transposed(collation: Collation, states: _States, runs: list[_Run], base: str | None) -> list[_Run]:
    """Mark units whose words stand in another unit of another witness: the same content words, elsewhere.

    One word by itself has moved only where it stands in the law but once: a word used many times comes and goes.
    """
    movable = (UnitKind.WORDING, UnitKind.ADDITION, UnitKind.OMISSION)
    used = {s: Counter(_content(collation.rows, s)) for s in states.present}
    where: dict[tuple[str, ...], dict[str, set[int]]] = {}
    for k, run in enumerate(runs):
        if run.kind in movable:
            for s in states.present:
                words = _content(collation.rows[run.first : run.last], s)
                if len(words) > 1 or (words and used[s][words[0]] == 1):
                    where.setdefault(words, {}).setdefault(s, set()).add(k)
    moved: set[int] = set()
    for places in where.values():
        for s, here in places.items():
            for t, there in places.items():
                # Each has the words at a place where the other has not.
                if s < t and here - there and there - here:
                    moved |= here ^ there
    return [replace(run, kind=UnitKind.TRANSPOSITION) if k in moved else run for k, run in enumerate(runs)]


def _recast(collation: Collation, states: _States) -> bool:
    """True where too few words of the present witnesses stand beside an equal or like word."""
    if len(states.present) < 2:
        return False
    counts = [sum(1 for row in collation.rows if (t := row[s]) and is_word(t)) for s in states.present]
    if min(counts) < RECAST_WORDS:
        return False
    shared = 0
    for row in collation.rows:
        forms = Counter(t.surface for s in states.present if (t := row[s]) and is_word(t))
        shared += sum(
            n for form, n in forms.items() if n > 1 or any(_like(form, other) for other in forms if other != form)
        )
    return shared < RECAST_SHARE * sum(counts)


def _like(a: str, b: str) -> bool:
    return stem(a) == stem(b) or difference(a, b) in ACCIDENTALS


# ------------------------------------------------------------------------------------------------------------ readings


def _differs(rows: Sequence[Row], sigla: Sequence[str]) -> bool:
    return any(len({t.surface if t else None for t in _tokens(row, sigla)}) > 1 for row in rows)


def _text(collation: Collation, run: _Run, siglum: str) -> str:
    """The words of a witness at a place as it prints them, each run of white space as one space."""
    tokens = [t for row in collation.rows[run.first : run.last] if (t := row[siglum])]
    return " ".join("".join(t.surface + t.space for t in tokens).split())


def _readings(collation: Collation, states: _States, run: _Run, base: str | None) -> tuple[Reading, ...]:
    groups: dict[tuple[str, State], list[str]] = {}
    for siglum in collation.witnesses:
        text = _text(collation, run, siglum)
        state = State.TEXT if text else states.state(siglum, run.first, run.last)
        groups.setdefault((text, state), []).append(siglum)
    first = next((key for key, sigla in groups.items() if base in sigla), None)
    order = sorted(groups, key=lambda key: (key != first, key[1] is not State.TEXT, -len(groups[key]), key))
    return tuple(Reading(text, tuple(groups[text, state]), state) for text, state in order)
