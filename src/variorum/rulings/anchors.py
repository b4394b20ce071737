"""Where a ruling stands in a text that may have changed since it was written.

The whole quotation is looked for first; where it stands nowhere, each place with the words ruled on is compared with
what was quoted round them, and the one whose surroundings are clearly most like it is taken. Robust anchoring of
annotations by quotation is described by Brush et al., "Robust annotation positioning in digital documents" (2001).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from variorum.rulings.ruling import Ruling

# Likeness of what stands round the words to what was quoted, 0 to 1. Chance surroundings of English reach 0.45; a word
# misread or two in a quotation of five leave 0.7.
LIKE = 0.6
CLEAR = 0.15  # the best place must be more like it than any other by so much
LEAST = 5  # letters of context without which no likeness tells anything


@dataclass(frozen=True, slots=True)
class Anchored:
    """The spans of the raw text that a ruling is about; where there are none, `doubt` says why.

    `exact` is False where the quotation no longer stands and its place was found by likeness. `near` is the place
    thought of and not taken, or None.
    """

    spans: tuple[tuple[int, int], ...]
    exact: bool = True
    doubt: str = ""
    ambiguous: bool = False
    near: tuple[int, int] | None = None


def anchor(raw: str, ruling: Ruling) -> Anchored:
    """The span of the words that a ruling is about, or all spans where it rules everywhere; see `Anchored`."""
    found = _exact(raw, ruling)
    if ruling.everywhere:
        return Anchored(found) if found else Anchored((), doubt="the words stand nowhere any more")
    if len(found) == 1:
        return Anchored(found)
    if found:
        what = f"the quotation fits {len(found)} places; quote more of what stands round the words"
        return Anchored((), doubt=what, ambiguous=True, near=found[0])
    return _by_likeness(raw, ruling)


def _exact(raw: str, ruling: Ruling) -> tuple[tuple[int, int], ...]:
    pattern = f"{_loose(ruling.before)}({_loose(ruling.found)}){_loose(ruling.after)}"
    whole = ruling.before + ruling.found + ruling.after
    return tuple(m.span(1) for m in _all(raw, pattern, _is_word(whole[0]), _is_word(whole[-1])))


def _all(raw: str, pattern: str, left: bool, right: bool) -> Iterator[re.Match[str]]:
    """Where a pattern stands, at word borders where asked for; of two places that overlap, neither hides the other."""
    search = re.compile(pattern).search
    match = search(raw)
    while match:
        start, end = match.span()
        cut = (left and _is_word(raw[start - 1 : start])) or (right and _is_word(raw[end : end + 1]))
        if not cut:
            yield match
        match = search(raw, start + 1)


def _is_word(character: str) -> bool:
    return bool(re.match(r"\w", character))


def _by_likeness(raw: str, ruling: Ruling) -> Anchored:
    left = not ruling.before[-1:].strip() and _is_word(ruling.found[0])
    right = not ruling.after[:1].strip() and _is_word(ruling.found[-1])
    places = [m.span() for m in _all(raw, _loose(ruling.found), left, right)]
    if not places:
        return Anchored((), doubt="the words stand nowhere any more")
    if len((ruling.before + ruling.after).replace(" ", "")) < LEAST:
        return Anchored((), doubt="what was quoted round the words stands nowhere any more", near=places[0])
    likeness = sorted(((_likeness(raw, ruling, place), -place[0], place) for place in places), reverse=True)
    best, _, place = likeness[0]
    if best < LIKE:
        return Anchored((), doubt="what was quoted round the words stands nowhere any more", near=place)
    if len(likeness) > 1 and best - likeness[1][0] < CLEAR:
        return Anchored((), doubt="several places are as like the quotation", ambiguous=True, near=place)
    return Anchored((place,), exact=False)


def _likeness(raw: str, ruling: Ruling, place: tuple[int, int]) -> float:
    """How like the surroundings of a place are to those quoted: of each side its share, by the letters quoted."""
    from rapidfuzz.fuzz import ratio

    start, end = place
    room = 2 * max(len(ruling.before), len(ruling.after)) + 20
    before = re.sub(r"\s+", " ", raw[max(0, start - room) : start])[-len(ruling.before) :] if ruling.before else ""
    after = re.sub(r"\s+", " ", raw[end : end + room])[: len(ruling.after)]
    shares = [(ratio(before, ruling.before), len(ruling.before)), (ratio(after, ruling.after), len(ruling.after))]
    return sum(share * weight for share, weight in shares) / (100 * sum(weight for _, weight in shares))


def _loose(text: str) -> str:
    """A pattern for a text in which any white space stands for any other."""
    return r"\s+".join(re.escape(part) for part in text.split(" "))


def brief(texts: Sequence[str], length: int = 60) -> str:
    """Words quoted, cut where they are long."""
    text = re.sub(r"\s+", " ", "".join(texts))
    return text if len(text) <= length else f"{text[: length - 1]}…"
