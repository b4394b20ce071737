"""Finding the places where numbers may stand: every style's sightings, in reading order, kind by kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from variorum.segment import numerals
from variorum.segment import place as ground
from variorum.segment.numerals import WHOLE, plain
from variorum.segment.place import Kind, Place, after, place
from variorum.segment.sequence import LOST, LOST_IN_LABEL, LOST_IN_LINE, NEARLY, WRONG_FIGURE, WRONG_NUMBER, Candidate
from variorum.segment.styles import ANY_INSIDE, ANY_OUTSIDE, INSIDE, KEYWORDS, OUTSIDE, PLURALS, Sighting, Style

SMALL_AFTER_SENTENCE = -0.5
_WORDLIKE = re.compile(r"[^\W\d_]+[.,:;]?")  # an initial or an abbreviation is no remnant of a number
BARE, BARE_ROMAN, BARE_KEYED = 2.5, 1.5, 1.0  # a number without its stop
NEVER = 99.0
DASHES = ("—", "–")
LONGEST_RANGE = 12  # the most laws that one label stands for
HOPELESS = -4.0  # what no neighbours can make good


def sightings(text: str, lo: int, hi: int, *, inside: bool) -> dict[str, list[Sighting]]:
    """The places in text[lo:hi] where a number may stand, by kind of number; `inside` a law for its clauses."""
    found: dict[str, dict[int, Sighting]] = {}
    places = [match.start() for match in (ANY_INSIDE if inside else ANY_OUTSIDE).finditer(text, lo, hi)]
    for style in INSIDE if inside else OUTSIDE:
        for sighting in _sight(style, text, (lo, hi), places, inside=inside):
            row = found.setdefault(sighting.kind, {})
            row[sighting.candidate.start] = _joined(row.get(sighting.candidate.start), sighting)
    return {kind: [row[at] for at in sorted(row)] for kind, row in found.items()}


def _joined(old: Sighting | None, new: Sighting) -> Sighting:
    """Two sightings at one place: the heavier one; readings that only the other has are dropped."""
    if old is None or _best(new.candidate) > _best(old.candidate):
        return new
    return old


def _best(candidate: Candidate) -> float:
    doubts = [n.doubt for n in candidate.numerals] or [LOST]
    return candidate.weight - min(doubts)


def _matches(style: Style, text: str, span: tuple[int, int], places: Sequence[int]) -> Iterator[re.Match[str]]:
    """The style's matches at some places, none within another."""
    at, match_at = span[0], style.pattern.match
    for start in places:
        if start >= at and (match := match_at(text, start, span[1])):
            at = match.end()
            if style.inline or _begins_line(text, start, span[0]):
                yield match


def _sight(
    style: Style, text: str, span: tuple[int, int], places: Sequence[int], *, inside: bool
) -> Iterator[Sighting]:
    lo, hi = span
    for match in _matches(style, text, span, places):
        start = match.start()
        key = _keyword(match, style)
        readings = tuple(n for n in style.read(match["num"]) if n.value)
        if key is None or (not readings and not style.mendable):
            continue
        clean = any(not n.doubt for n in readings)
        here = place(text, start, lo)
        follows = after(text, match.end(), hi)
        if follows == ground.SMALL:
            follows = _small(style, here, inside=inside)
        weight = _weight(style, match, here, follows, clean=clean, inside=inside)
        wild = _wild(style, match["num"], here, clean=clean, alike=bool(readings) and _shaped(style, match["num"]))
        if weight <= HOPELESS or (not readings and wild is None):
            continue
        end = match.end() + (text[match.end() : match.end() + 1] in DASHES)  # "Law the First.—" is the label
        label = (start, end, match.start("num"), match.end("num"))
        paragraph = here.kind is Kind.PARAGRAPH
        last = _last_of_range(style, match, readings)
        if last is None:
            continue
        yield Sighting(Candidate(*label, readings, weight, paragraph=paragraph, wild=wild, upto=last), style, key)


def _last_of_range(style: Style, match: re.Match[str], readings: Sequence[numerals.Numeral]) -> int | None:
    """The last number of "5 and 6."; 0 where the label has one number, None where the two are no range."""
    if "upto" not in match.re.groupindex:
        return 0
    last = [n.value for n in style.read(match["upto"]) if not n.doubt]
    first = [n.value for n in readings if not n.doubt]
    fits = bool(last and first) and 0 < last[0] - first[0] <= LONGEST_RANGE * WHOLE
    return last[0] if fits else None


def _begins_line(text: str, at: int, lo: int) -> bool:
    while at > lo and text[at - 1] in " \t":
        at -= 1
    return at == lo or text[at - 1] in "\n\f"


def _in_brackets(here: Place, *, inside: bool) -> float:
    """What brackets make good of a place in mid sentence: they are seldom anything but a label."""
    if here.weight == ground.REFERRED and inside:  # "if a card is (i) faced"
        return ground.MIDDLE - ground.REFERRED
    return -here.weight / 2 if ground.MIDDLE <= here.weight < 0 else 0.0


def _small(style: Style, here: Place, *, inside: bool) -> float:
    """What a small letter after the label says: little for a clause or where a sentence has ended, much elsewhere."""
    if inside and style.bracketed:
        return 0.0
    return SMALL_AFTER_SENTENCE if here.sentence and here.kind is not Kind.INLINE else ground.SMALL


def _keyword(match: re.Match[str], style: Style) -> str | None:
    """The word before the number, in its plain form; "" where the style has none, None where it is no such word."""
    if "key" not in match.re.groupindex:
        return ""
    word = match["key"].lower()
    known = KEYWORDS.get(word) or PLURALS.get(word)
    if known:
        return known
    return nearest_keyword(match["key"])


def nearest_keyword(word: str) -> str | None:
    """The keyword that a word in capitals was, with up to a third of its letters misread; None where there is none."""
    if not word.isupper():
        return None
    for keyword, counted in KEYWORDS.items():
        limit = len(keyword) // 3
        if limit and abs(len(keyword) - len(word)) <= limit and _distance(word.lower(), keyword) <= limit:
            return counted
    return None


def _distance(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


def _weight(style: Style, match: re.Match[str], here: Place, follows: float, *, clean: bool, inside: bool) -> float:
    weight = style.form + here.weight + follows
    if style.bracketed:
        weight += _in_brackets(here, inside=inside)
    bare = not match["stop"] if "stop" in match.re.groupindex else True
    if bare and not style.bracketed and style.form > 0:
        weight -= BARE_ROMAN if style.name == "roman" else BARE_KEYED if style.name == "keyed" else BARE
        if not clean and not here.sentence:
            weight += ground.REFERRED
    if style.name == "keyed" and here.kind is Kind.INLINE and not here.sentence:
        weight += ground.REFERRED  # "under Law 12": a reference
    if not style.inline and here.kind is Kind.INLINE:
        weight += ground.REFERRED
    return weight


def _wild(style: Style, found: str, here: Place, *, clean: bool, alike: bool) -> Callable[[int], float] | None:
    """The doubt at which a number may be read as whatever its neighbours ask for."""
    if (not here.sentence and not style.labels) or here.kind is Kind.INLINE:
        return None
    if not clean:
        return _remnant(style, found, here, alike=alike) if style.mendable else None
    return lambda value: WRONG_FIGURE if _off_by_one(style, found, value) else WRONG_NUMBER


def _remnant(style: Style, found: str, here: Place, *, alike: bool) -> Callable[[int], float]:
    """The doubt at which a token that is no numeral may be read as one; a word only where it nearly is one."""
    lost = LOST if here.kind is Kind.PARAGRAPH else LOST_IN_LINE
    lost = LOST_IN_LABEL if style.labels else WRONG_FIGURE if alike and found.isalpha() else lost
    if not style.labels and not alike and _WORDLIKE.fullmatch(found):
        lost = NEVER

    def doubt(value: int) -> float:
        return min(lost, NEARLY) if len(found) > 1 and _off_by_one(style, found, value) else lost

    return doubt


def _off_by_one(style: Style, found: str, value: int) -> bool:
    return _one_apart(found.upper(), _written(style, found, value))


def _one_apart(a: str, b: str) -> bool:
    """Whether two words differ in one character at most."""
    if abs(len(a) - len(b)) > 1:
        return False
    k = 0
    while k < min(len(a), len(b)) and a[k] == b[k]:
        k += 1
    return a[k + 1 :] == b[k + 1 :] or a[k:] == b[k + 1 :] or a[k + 1 :] == b[k:]


def _shaped(style: Style, found: str) -> bool:
    """Whether a token has the shape of a numeral, and not that of an initial or a short word."""
    return any(c.isdigit() for c in found) or (style.name.startswith("roman") and len(found) > 1)


def _written(style: Style, found: str, value: int) -> str:
    """A value in the kind of numeral that was found."""
    roman = style.name.startswith("roman") or (found.isalpha() and any(style.read(found)))
    return numerals.to_roman(value // WHOLE) if roman else plain(value)


def headed(sighting: Sighting) -> Sighting:
    """The same sighting with a heading before it."""
    return replace(sighting, candidate=replace(sighting.candidate, headed=True))
