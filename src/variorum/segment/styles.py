"""The ways in which printers number laws and clauses, as an ordered list of STYLES.

A style finds the places in a text where its kind of number may stand, and says how likely each is by its form and its
place. It decides nothing: `sequence` reads the places together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from variorum.segment import numerals
from variorum.segment.numerals import WHOLE, Numeral
from variorum.segment.sequence import Candidate

# Form: what the shape of a number says for its being one.
STOPPED, BRACKETED, KEYED, REMNANT = 2.0, 1.5, 3.0, -1.5


@dataclass(frozen=True, slots=True)
class Style:
    """One way of numbering.

    `pattern` finds it, with groups num and perhaps key; `read` gives the readings of num; `form` is the weight of its
    shape; `write` gives a value back in the style's own letters. It may number clauses if `inside`, laws if `outside`,
    and stands only where a line begins unless `inline`.
    """

    name: str
    pattern: re.Pattern[str]
    read: Callable[[str], Iterator[Numeral]]
    form: float
    write: Callable[[int], str] = numerals.plain
    inside: bool = True
    outside: bool = True
    inline: bool = True

    @property
    def bracketed(self) -> bool:
        """Whether the number stands in brackets."""
        return self.form == BRACKETED

    @property
    def labels(self) -> bool:
        """Whether something beside the numeral, a word or brackets, shows that it is a label."""
        return self.bracketed or bool(self.pattern.groupindex.get("key"))

    @property
    def mendable(self) -> bool:
        """Whether a remnant of a number in this style may be read as the number that is due."""
        return self.outside and self.name not in ("ordinal", "spelled", "half paren")


@dataclass(frozen=True, slots=True)
class Sighting:
    """A candidate with the style it was found by; `key` is the word before the number ("rule"), or ""."""

    candidate: Candidate
    style: Style
    key: str = ""

    @property
    def kind(self) -> str:
        """What counts together: the style's name, with its word."""
        return f"{self.style.name}:{self.key}" if self.key else self.style.name


# Every pattern begins where a word begins, has no part of unlimited length and no two parts that can match the same
# characters, so that each is tried once a word and fails at once.
_AT = r"(?<![^\s—–])"
_THEN = r"(?=[\s—–\"“‘'(\[_*]|[A-Z][a-z]|$)"
_STOP = r"(?P<stop>[ \t]?[.,:;)\]*°•]{1,2})"
_ENDS = r"(?=[\s—–]|$)"

_ARABIC = re.compile(
    _AT + r"(?P<num>\d{1,5}+(?:[a-h]| ?(?:bis|ter|quater))?+)(?:" + _STOP + _THEN + r"|(?P<bare>)" + _ENDS + ")"
)
_SPACED = re.compile(_AT + r"(?P<num>(?:\d [\dlIO]|[lI] \d))(?P<stop>[.,])" + _ENDS)
_JUMBLED = re.compile(
    _AT + r"(?P<num>(?!\d{1,4}[\s.,:;)])[\dlI|!itTJrOoQDZzSs$B&gqGbaAhnu\]\[]{1,4}+)"
    r"(?:(?P<stop>[.,:;)*°•]{1,2})" + _ENDS + r"|(?P<bare>)(?=\s[“\"'(]?[A-Z]))"
)
_LOST = re.compile(
    _AT + r"(?P<num>(?![A-Za-z]{1,2}\s|[A-Z][.]\s)[^\s\w]?[^\s]{1,3})" + r"(?P<stop>)(?=\s[A-Z][a-z]|\s[A-Z]\s[a-z])"
)
_ROMAN = re.compile(
    _AT
    + r"(?P<num>[IVXLCTHUYJil1|!vxfltjnuKNM]{1,9}+)(?:(?P<stop>[ \t]?[.,:;]{1,2})"
    + _ENDS
    + r"|(?<=[A-Z][A-Z])(?P<bare>)(?=\s[A-Z]))"
)
_ROMAN_SPACED = re.compile(_AT + r"(?P<num>[IVXL](?: [IVXL]){1,6}+)(?P<stop> ?[.,:;])" + _ENDS)
_ROMAN_LOWER = re.compile(_AT + r"(?P<num>[ivxlcj1|!tf]{1,8}+)(?P<stop>[.,:]{1,2})" + _ENDS)
_PAREN = re.compile(_AT + r"[(\[{]\s?(?P<num>\d{1,3}+[a-h]?|[\dlIiOoSs$]{1,3}+)[.]?\s?[)\]}](?P<stop>[.:,]?)")
_PAREN_OPEN = re.compile(_AT + r"[(\[{]\s?(?P<num>\d{1,3}+)(?P<stop>)(?=\s[A-Z])")
_PAREN_LOST = re.compile(_AT + r"[(\[{]\s?(?P<num>[^\s()\[\]]{0,3}+)\s?[)\]}]" + r"(?P<stop>[.:,]?)(?=\s[A-Z])")
_HALF = re.compile(_AT + r"(?P<num>[\dlIO]{1,3}+)(?P<stop>\))")
_PAREN_ROMAN = re.compile(_AT + r"\(\s?(?P<num>[ivxlcj1I]{1,6}+)\s?(?P<stop>\))")
_PAREN_LETTER = re.compile(_AT + r"\(\s?(?P<num>[a-zA-Z])\s?(?P<stop>\))")
_HALF_LETTER = re.compile(_AT + r"(?P<num>[a-z])(?P<stop>\))")
_LETTER = re.compile(_AT + r"_?(?P<num>[a-zA-Z])_?(?P<stop>[.])_?" + _ENDS)
# The words that stand before a number, and what they count as: "Sec. 3" goes on from "SECTION 2".
KEYWORDS = {
    **{word: word for word in ["law", "rule", "article", "section", "clause", "regulation", "statute", "canon"]},
    **{
        "art": "article",
        "sect": "section",
        "sec": "section",
        "§": "section sign",
        "§§": "section sign",
        "¶": "paragraph sign",
    },
}
_KEYED = re.compile(
    _AT + r"(?P<key>(?i:" + "|".join(w for w in KEYWORDS if w.isalpha()) + r")\b|§{1,2}|¶)[.,]?\s{0,3}"
    r"(?P<num>\d{1,3}+[a-h]?|(?i:[ivxlc]{1,8}+)|[\dlIOoStSB(]{1,3}+|[A-Za-z]{3,11}+(?:-[A-Za-z]{4,8}+)?)(?P<stop>[.:,;)]{0,2})"
    r"(?=[\s—–]|$)"
)
_KEYED_LOOSE = re.compile(
    _AT + r"[“\"'‘_*,.]?(?P<key>[A-Z’']{3,9}+)[.,]?\s{0,2}(?P<num>[^\s]{1,4}?)(?P<stop>[.,:;]{0,2})(?=\s)"
)
# "Rules 3 and 4.", "5-7.": one law under several numbers.
PLURALS = {**{f"{word}s": word for word in set(KEYWORDS.values())}, "arts": "article", "sects": "section"}
_PLURAL = "|".join(sorted(w for w in PLURALS if w.isalpha()))
_UPTO = r"(?:\s(?:and|&|to)\s|\s?[-–—]\s?)"
_RANGE = re.compile(_AT + r"(?P<num>\d{1,3}+)" + _UPTO + r"(?P<upto>\d{1,3}+)(?P<stop>[.:])" + _ENDS)
_RANGE_ROMAN = re.compile(_AT + r"(?P<num>[IVXLC]{1,8}+)" + _UPTO + r"(?P<upto>[IVXLC]{1,8}+)(?P<stop>[.:])" + _ENDS)
_RANGE_KEYED = re.compile(
    _AT
    + r"(?P<key>(?i:"
    + _PLURAL
    + r")\b|§§)[.,]?\s{0,3}(?P<num>\d{1,3}+|[IVXLC]{1,8}+)"
    + _UPTO
    + r"(?P<upto>\d{1,3}+|[IVXLC]{1,8}+)(?P<stop>[.:])"
    + _ENDS
)
_WORDS = "|".join(w for w in KEYWORDS if w.isalpha())
_THE = re.compile(
    _AT + r"(?P<key>(?i:" + _WORDS + r")\b)[.,]?\s{1,3}(?i:the)\s{1,3}"
    r"(?P<num>[A-Za-z]{3,9}+(?:-[A-Za-z]{4,8}+)?|\d{1,2}(?=st|nd|d|rd|th)|[IVXLC]{1,8}+)"
    r"(?P<stop>(?:st|nd|rd|d|th)?[.,:;—–])(?=[\s—–“\"]|[A-Z])"
)
_WORD_FIRST = re.compile(
    _AT
    + r"(?P<num>[A-Z][A-Za-z]{2,8}+(?:-[A-Za-z]{4,8}+)?)\s{1,3}(?P<key>(?i:"
    + _WORDS
    + r")\b)(?P<stop>[.:])"
    + _ENDS
)
_ORDINAL = re.compile(_AT + r"(?P<num>\d{1,2}(?=st|nd|d|rd|th))(?P<stop>(?:st|nd|rd|d|th)(?:ly)?[.,:])" + _ENDS)
_SPELLED = re.compile(_AT + r"(?P<num>[A-Z][a-z]{2,10}+)(?P<stop>[.,:])" + _ENDS)


def _arabic(token: str) -> Iterator[Numeral]:
    return numerals.figures(token)


def _unread(_: str) -> Iterator[Numeral]:
    return iter(())


def _bracketed(token: str) -> Iterator[Numeral]:
    # Between brackets a letter alone is as likely a figure misread as a letter is anywhere.
    for numeral in numerals.figures(token):
        yield Numeral(numeral.value, max(0.0, numeral.doubt - 1.0) if token.isalpha() else numeral.doubt)


def _keyed(token: str) -> Iterator[Numeral]:
    seen = set()
    for read in (numerals.figures, numerals.romans, _lower_roman, numerals.spelled):
        for numeral in read(token):
            if numeral.value not in seen:
                seen.add(numeral.value)
                yield numeral


def _upper_roman(token: str) -> Iterator[Numeral]:
    return numerals.romans(token)


def _spaced_roman(token: str) -> Iterator[Numeral]:
    yield from numerals.romans(token.replace(" ", ""))  # "X I V.": capitals that the OCR has set apart


def _lower_roman(token: str) -> Iterator[Numeral]:
    return numerals.romans(token, lower=True)


def _as_lower_roman(value: int) -> str:
    # Small Roman numbers stand mostly for items within a numbered paragraph; as figures they would be taken for it.
    n, suffix = divmod(value, WHOLE)
    return numerals.to_roman(n).lower() if n and not suffix else numerals.plain(value)


def _as_letter(value: int) -> str:
    return numerals.to_letter(value // WHOLE)


STYLES: tuple[Style, ...] = (
    Style("keyed", _KEYED, _keyed, KEYED),
    Style("keyed", _KEYED_LOOSE, _keyed, KEYED - 0.5, inline=False),
    Style("keyed", _THE, _keyed, KEYED),
    Style("keyed", _WORD_FIRST, numerals.spelled, KEYED - 0.5, inside=False, inline=False),
    Style("keyed", _RANGE_KEYED, _keyed, KEYED, inside=False, inline=False),
    Style("arabic", _RANGE, _arabic, STOPPED, inside=False),
    Style("roman", _RANGE_ROMAN, _upper_roman, STOPPED, inside=False),
    Style("arabic", _ARABIC, _arabic, STOPPED),
    Style("arabic", _SPACED, _arabic, STOPPED - 0.5),
    Style("arabic", _JUMBLED, _arabic, STOPPED),
    *(
        Style(name, _LOST, _unread, REMNANT, write, inside=False, inline=False)
        for name, write in (("arabic", numerals.plain), ("roman", numerals.plain), ("roman lower", _as_lower_roman))
    ),
    Style("roman", _ROMAN, _upper_roman, STOPPED),
    Style("roman", _ROMAN_SPACED, _spaced_roman, STOPPED - 0.5),
    Style("roman lower", _ROMAN_LOWER, _lower_roman, STOPPED - 0.5, write=_as_lower_roman),
    Style("paren", _PAREN, _bracketed, BRACKETED),
    Style("paren", _PAREN_OPEN, _bracketed, BRACKETED, inside=False, inline=False),
    Style("paren", _PAREN_LOST, _bracketed, BRACKETED, inside=False, inline=False),
    Style("half paren", _HALF, _bracketed, BRACKETED),
    Style("paren roman", _PAREN_ROMAN, _lower_roman, BRACKETED, write=_as_lower_roman, outside=False),
    Style("paren letter", _PAREN_LETTER, numerals.letter, BRACKETED, write=_as_letter, outside=False),
    Style("half letter", _HALF_LETTER, numerals.letter, BRACKETED - 0.5, write=_as_letter, outside=False),
    Style("letter", _LETTER, numerals.letter, STOPPED - 1.0, write=_as_letter, outside=False),
    Style("ordinal", _ORDINAL, _arabic, STOPPED - 0.5),
    Style("spelled", _SPELLED, numerals.spelled, STOPPED - 1.0),
)


def _any_of(styles: Iterable[Style]) -> re.Pattern[str]:
    """A pattern of no width for the places at which some of the styles may match: one pass over the text for all."""
    forms = dict.fromkeys(re.sub(r"\?P<\w+>", "?:", s.pattern.pattern.removeprefix(_AT)) for s in styles)
    return re.compile(_AT + "(?=" + "|".join(forms) + ")")


OUTSIDE = tuple(style for style in STYLES if style.outside)
INSIDE = tuple(style for style in STYLES if style.inside)
ANY_OUTSIDE, ANY_INSIDE = _any_of(OUTSIDE), _any_of(INSIDE)
