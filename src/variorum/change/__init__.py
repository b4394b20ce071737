"""Did the rule change? Substantive variants of a locus that alter what players may, must or forfeit.

Plain and honest: it does not understand the law. It asks which words of one edition the other has in no wording
(`passages`; `anew` where the law was written anew), what such words chiefly do (`kinds`), and where two short readings
differ in a figure, a modal word, an agent, a remedy or an opposite (`readings`), by the games thesaurus. What it tells
comes with the words that show it, so that a reader can judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from variorum.change import anew, passages, readings
from variorum.change.pairs import Pair
from variorum.change.sentences import sentence, whole_law
from variorum.change.sides import Found, Side, Span
from variorum.model import Change, ChangeKind, ChangeOp, Collation, Law, Locus

OPENING = 14  # words by which a whole law is shown
NEAR = 1  # words between the figures of one measure
ALONE = 0.6  # certainty that a law that stands in one edition only is no part of the other's rule elsewhere


def changes(locus: Locus, laws: Mapping[str, Sequence[Law]], collation: Collation) -> tuple[Change, ...]:
    """The changes of rule between the first witness that has the law and each other that has it.

    `laws` are the laws of the locus by siglum, `collation` its words aligned, in the order of its witnesses. Each
    change gives kind, op, the words that show it in both witnesses, one plain sentence and a certainty from 0 to 1.
    A law that the first witness of all has and another has not is dropped as a whole there, and added where it is the
    first witness that lacks it; its kind is the scope of the code.
    """
    sigla = [s for s in collation.witnesses if laws.get(s)]
    sides = {s: Side(s, [t for row in collation.rows if (t := row[s])]) for s in sigla}
    found: list[Change] = []
    for siglum in sigla[1:]:
        a, b = sides[sigla[0]], sides[siglum]
        if a.words != b.words and a.words and b.words:
            pair = Pair(a, b, collation)
            found += [_change(locus, a, b, one) for one in _settled(pair)]
    return *found, *_alone(locus, sides, collation.witnesses)


def _settled(pair: Pair) -> Iterator[Found]:
    """What was found, each place once: single words give way to a passage that holds them and more, and what is only
    other in some words (`passages` altered) gives way to the single word that is known to be other."""
    short = list(readings.find(pair))
    of_rule = [x for x in short if x.kind is not ChangeKind.TERM]
    told = passages.find(pair) if pair.revised else anew.find(pair)
    whole = [x for x in told if not any(_within(x, y) or _both_meet(x, y) for y in of_rule)]
    whole = [x for x in whole if not any(_same_measure(x, y) for y in of_rule)]
    if not pair.revised:  # where a word stands beside its like, the sentence is not a new one
        aligned = [x for x in of_rule if x.first[1] and x.second[1]]
        whole = [x for x in whole if (x.first[1] and x.second[1]) or not any(_holds(x, y) for y in aligned)]
    for one in short:
        if one.kind is ChangeKind.TERM or not any(_within(one, x) for x in whole):
            yield one
    yield from whole


def _same_measure(passage: Found, figure: Found) -> bool:
    """True for a figure that is put in right beside another that differs: "three feet six inches" for "four feet"."""
    spans = (passage.first, figure.first) if passage.first[1] else (passage.second, figure.second)
    near = spans[0][0] - NEAR <= spans[1][1] and spans[1][0] <= spans[0][1] + NEAR
    return passage.kind is figure.kind is ChangeKind.QUANTITY and near and spans[1][1] > 0


def _within(inner: Found, outer: Found) -> bool:
    return _inside(inner.first, outer.first) and _inside(inner.second, outer.second)


def _holds(one: Found, two: Found) -> bool:
    return _meet(one.first, two.first) or _meet(one.second, two.second)


def _inside(inner: Span, outer: Span) -> bool:
    return inner[0] == inner[1] or (outer[0] <= inner[0] and inner[1] <= outer[1])


def _both_meet(one: Found, two: Found) -> bool:
    """True for two alterations of the same words."""
    return _meet(one.first, two.first) and _meet(one.second, two.second)


def _meet(one: Span, two: Span) -> bool:
    return max(one[0], two[0]) < min(one[1], two[1])


def _change(locus: Locus, a: Side, b: Side, found: Found) -> Change:
    first, second = a.text(*found.first), b.text(*found.second)
    op: ChangeOp = "altered" if first and second else "dropped" if first else "added"
    said = sentence(a.siglum, b.siglum, found.kind, first, second)
    laws = {s: locus.laws[s] for s in (a.siglum, b.siglum)}
    return Change(locus.id, laws, found.kind, op, {a.siglum: first, b.siglum: second}, said, found.cert)


def _alone(locus: Locus, sides: Mapping[str, Side], witnesses: Sequence[str]) -> Iterator[Change]:
    """The law as a whole, added to the code or dropped from it."""
    base, *others = witnesses
    for siglum in others:
        if (base in sides) == (siglum in sides):
            continue
        has, lacks = (base, siglum) if base in sides else (siglum, base)
        side = sides[has]
        words = side.text(0, min(OPENING, side.sentence_end(0)))
        if words:
            op: ChangeOp = "dropped" if has == base else "added"
            shown = {base: words, siglum: ""} if has == base else {base: "", siglum: words}
            said = whole_law(has, lacks, words)
            yield Change(locus.id, {has: locus.laws[has]}, ChangeKind.SCOPE, op, shown, said, ALONE)
