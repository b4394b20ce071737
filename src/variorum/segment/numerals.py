"""What a numeral may stand for: figures, Roman numerals, ordinals, letters, and what OCR makes of them.

A value is one whole number that also holds a suffix: 1200 is "12", 1201 "12a", 1250 "12 bis". A numeral that may be
read in several ways has several `Numeral`s, each with its doubt; which one is right is for the sequence to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

WHOLE = 100  # values of neighbouring whole numbers lie this far apart
_SUFFIXES = {"bis": 50, "ter": 51, "quater": 52}


@dataclass(frozen=True, slots=True)
class Numeral:
    """One way of reading a numeral: its value, and its doubt (0 as it stands, more for each letter misread)."""

    value: int
    doubt: float = 0.0

    @property
    def misread(self) -> bool:
        """True where the page's characters are not those of the value."""
        return self.doubt > 0


# What a figure is often read as. Cost 1 for a shape that nobody confuses by eye alone, less for the usual ones.
_FIGURES = {
    **dict.fromkeys("lI|!i", ("1", 0.4)),
    **dict.fromkeys("tTJjrL][", ("1", 0.9)),
    **dict.fromkeys("Oo", ("0", 0.4)),
    **dict.fromkeys("QD", ("0", 0.9)),
    **dict.fromkeys("Zz", ("2", 0.6)),
    **dict.fromkeys("Ss$", ("5", 0.6)),
    **dict.fromkeys("B&", ("8", 0.8)),
    **dict.fromkeys("gq", ("9", 0.8)),
    **dict.fromkeys("Gb", ("6", 0.9)),
    **dict.fromkeys("aJ", ("3", 1.2)),
    **dict.fromkeys("Ah", ("4", 1.2)),
}
# "n" is 11 with its strokes run together, "u" the same upside down; "rr" and "ri" are 11, "ro" is 10.
_RUN_TOGETHER = {"n": "11", "u": "11", "m": "111"}


def figures(token: str) -> Iterator[Numeral]:
    """Readings of a token as Arabic figures, with the letters OCR puts in their place; none where it cannot be one."""
    body, suffix = _suffix(token)
    if body.isascii() and body.isdigit():
        yield Numeral(int(body) * WHOLE + suffix)
        return
    if token in _RUN_TOGETHER:
        yield Numeral(int(_RUN_TOGETHER[token]) * WHOLE, 2.5)
        return
    digits, doubt = "", 0.0
    for char in token:
        if char.isascii() and char.isdigit():
            digits += char
        elif char in _FIGURES:
            digit, cost = _FIGURES[char]
            digits, doubt = digits + digit, doubt + cost
        elif char != " ":
            return
    if digits and not digits.startswith("0") and len(digits) <= 3:
        letters_only = not any(c.isdigit() for c in token)
        yield Numeral(int(digits) * WHOLE, 0.3 + doubt + letters_only)


def _suffix(token: str) -> tuple[str, int]:
    for word, n in _SUFFIXES.items():
        if token.lower().endswith(word):
            return token[: -len(word)].rstrip(), n
    if len(token) > 1 and token[-1] in "abcdefgh" and token[:-1].isdigit():
        return token[:-1], ord(token[-1]) - ord("a") + 1
    return token, 0


# ---------------------------------------------------------------------------------------------------------------- Roman

_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500}
_STROKES = {"l": "I", "1": "I", "|": "I", "!": "I", "T": "I", "t": "I", "f": "I", "J": "I", "j": "I", "i": "I"}
_OTHER = {"Y": "V", "v": "V", "x": "X", "U": "II", "H": "II", "N": "II", "M": "III", "u": "II", "n": "II", "K": "X"}


def roman_value(token: str) -> int | None:
    """The value of a Roman numeral in capitals, printers' forms (IIII, VIIII) let pass; None where it is none."""
    total, before = 0, 0
    for char in reversed(token):
        n = _ROMAN.get(char, 0)
        if not n:
            return None
        total += n if n >= before else -n
        before = max(before, n)
    return total if token in (to_roman(total), _additive(total)) else None


def to_roman(n: int) -> str:
    """A whole number from 1 to 899 as a Roman numeral in capitals."""
    out = ""
    for value, letters in _STEPS:
        while n >= value:
            out, n = out + letters, n - value
    return out


_STEPS = (
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
)


def _additive(n: int) -> str:
    out = ""
    for value, letters in _STEPS:
        if len(letters) == 1:
            while n >= value:
                out, n = out + letters, n - value
    return out


def romans(token: str, *, lower: bool = False) -> Iterator[Numeral]:
    """Readings of a token as a Roman numeral, with the letters OCR puts in their place ("Xlll", "IIL", "vill")."""
    plain = token.upper() if lower and token.islower() and "l" not in token else token
    value = roman_value(plain)
    if value is not None:
        yield Numeral(value * WHOLE)
    if value is not None and plain != "L":
        return
    if lower:  # "l" is a stroke in small letters; 50 is rare enough to be left to the sequence
        value = roman_value(token.upper())
        if value is not None:
            yield Numeral(value * WHOLE, 0.2)
    seen = set()
    for mended, doubt in _mended(token):
        value = roman_value(mended)
        if value and value not in seen:
            seen.add(value)
            yield Numeral(value * WHOLE, doubt)


def _mended(token: str) -> Iterator[tuple[str, float]]:
    """Ways of putting the letters of a Roman numeral right: strokes first, then a last L for a stroke ("IIL")."""
    doubt, out = 0.0, ""
    for char in token:
        if char in _ROMAN:
            out += char
        elif char in _STROKES:
            out, doubt = out + _STROKES[char], doubt + 0.4
        elif char in _OTHER:
            out, doubt = out + _OTHER[char], doubt + (0.4 if char in "vx" else 1.2)
        else:
            return
    yield out, doubt
    if out == "L":
        yield "I", doubt + 0.8
    if out.endswith("L") and len(out) > 1:
        yield out[:-1] + "I", doubt + 0.4
        yield out[:-1] + "II", doubt + 1.2  # "VIL" may be VII (strokes joined at the foot)
    if out.endswith("TL") or out.endswith("IL"):
        yield out[:-2] + "II", doubt + 0.8


# ------------------------------------------------------------------------------------------------------ words, letters

_UNITS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"""
_CARDINALS = """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty"""
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70}
ORDINALS = {
    **{word: n for n, word in enumerate(_UNITS.split(), 1)},
    **{f"{word[:-1]}ieth": n for word, n in _TENS.items()},
    **{f"{ten}-{word}": n + k for ten, n in _TENS.items() for k, word in enumerate(_UNITS.split()[:9], 1)},
}
SPELLED = {
    **ORDINALS,
    **{word: n for n, word in enumerate(_CARDINALS.split(), 1)},
    **_TENS,
    **{f"{ten}-{word}": n + k for ten, n in _TENS.items() for k, word in enumerate(_CARDINALS.split()[:9], 1)},
}


def spelled(token: str) -> Iterator[Numeral]:
    """A number in words: "First", "Fourthly", "ONE"."""
    word = token.lower()
    for form in (word, word.removesuffix("ly")):
        if form in SPELLED:
            yield Numeral(SPELLED[form] * WHOLE)
            return


def letter(token: str) -> Iterator[Numeral]:
    """A letter as the place it has in the alphabet."""
    if len(token) == 1 and "a" <= token.lower() <= "z":
        yield Numeral((ord(token.lower()) - ord("a") + 1) * WHOLE)


def to_letter(n: int) -> str:
    """The nth letter; the number itself beyond z."""
    return chr(ord("a") + n - 1) if 1 <= n <= 26 else str(n)


def plain(value: int) -> str:
    """A value as figures with its suffix: 1200 -> "12", 1201 -> "12a", 1250 -> "12bis"."""
    n, suffix = divmod(value, WHOLE)
    for word, k in _SUFFIXES.items():
        if k == suffix:
            return f"{n}{word}"
    return f"{n}{chr(ord('a') + suffix - 1)}" if suffix else str(n)
