"""Where in a text a number stands, and what that says for its being a law's number."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from unicodedata import category

PARAGRAPH, LINE, SENTENCE, COLON, DASH, COMMA, MIDDLE = 1.5, 1.0, 0.0, -0.5, -0.3, -1.5, -2.0
LINE_IN_SENTENCE = -1.0
UNWRAPPED = 150  # a line longer than this was not broken by the printer: what follows it begins a paragraph
REFERRED = -8.0  # "under Law / 10, and must": the number belongs to the word before it
QUOTED = -8.0
CAPITAL, SMALL_L, SMALL, FIGURE, NOTHING = 0.5, -0.5, -2.5, -2.5, -2.0

# A word before a number that makes the number its own ("law 10", "No. 5", "p. 12") or asks for more ("and / 10").
_CLAIMS_WORDS = """law laws rule rules no nos number numbers p pp page pages vol vols ch chap chapter sec
    section sections art article articles fig figure plate nr clause clauses par paragraph paragraphs of and or
    to at see vide from under by in than the a an with for last first next about is are was were be not as on"""
_CLAIMS = frozenset(_CLAIMS_WORDS.split())
# Abbreviations whose stop ends no sentence.
_SHORT_WORDS = """no nos p pp vol vols ch chap sec sect art fig mr mrs dr st viz vide cf ed capt col gen maj rev
    hon e.g i.e jan feb mar apr aug sept oct nov dec"""
_SHORT = frozenset(_SHORT_WORDS.split())
_ENDERS = frozenset(".!?")
_CLOSERS = frozenset("\"”’')]}*_»†‡")
_OPENERS = frozenset("\"“‘'([{_*<")
_SMALL_L = re.compile(r"l[fntsrc]\b|[fh]f\b|[il]f|ir\b|lt\b")
_BESIDE = re.compile(r"[(\[]\d{1,3}[)\]]$")


class Kind(Enum):
    """What kind of place a number stands at."""

    PARAGRAPH = auto()
    LINE = auto()
    INLINE = auto()


@dataclass(frozen=True, slots=True)
class Place:
    """What stands before a number: the kind of place, its weight, and whether a sentence ends there."""

    kind: Kind
    weight: float
    sentence: bool


def place(text: str, at: int, lo: int = 0) -> Place:
    """The place at `at` in a text that begins at `lo`."""
    k, breaks = at, 0
    while k > lo and text[k - 1].isspace():
        k -= 1
        breaks += text[k] == "\n"
        breaks += 2 * (text[k] == "\f")
    if k == lo:
        return Place(Kind.PARAGRAPH, PARAGRAPH, True)
    beside = _BESIDE.search(text, max(lo, k - 8), k)
    if beside and not breaks:  # "(41) § 3.": the second number stands where the first does
        return place(text, beside.start(), lo)
    ends, weight = _ending(text, k, lo)
    if breaks > 1 or (breaks and "\n" not in text[max(lo, k - UNWRAPPED) : k] and k - lo > UNWRAPPED):
        return Place(Kind.PARAGRAPH, PARAGRAPH, True)
    if weight in (REFERRED, QUOTED):
        return Place(Kind.LINE if breaks else Kind.INLINE, weight, False)
    if breaks:
        return Place(Kind.LINE, LINE if ends else LINE_IN_SENTENCE, ends)
    return Place(Kind.INLINE, weight, ends)


def _ending(text: str, k: int, lo: int) -> tuple[bool, float]:
    """Whether a sentence ends at k, and the weight of a number after it in the same line."""
    last = text[k - 1]
    if last in "\"“‘'" and (k == len(text) or not text[k].isspace()):
        return False, QUOTED
    j = k
    while j > lo and (text[j - 1] in _CLOSERS or text[j - 1] == " "):
        j -= 1
    mark = text[j - 1] if j > lo else ""
    if mark in _ENDERS:
        word = word_before(text, j - 1, lo) if mark == "." else ""
        if word in _SHORT:
            return False, REFERRED
        return (False, MIDDLE) if len(word) == 1 and text[j - 2].isupper() else (True, SENTENCE)  # an initial
    if mark in ";:":
        return True, COLON
    if mark in "—–-":
        return True, DASH
    if mark == ",":
        return False, REFERRED if word_before(text, j - 1, lo) in _CLAIMS else COMMA
    return False, REFERRED if word_before(text, j, lo) in _CLAIMS else MIDDLE


def word_before(text: str, k: int, lo: int = 0) -> str:
    """The word that ends at k, in small letters; "" where none does."""
    j = k
    while j > lo and k - j < 20 and (text[j - 1].isalpha() or (text[j - 1] == "." and j < k)):
        j -= 1
    return text[j:k].lower().strip(".")


def after(text: str, at: int, hi: int) -> float:
    """What the text after a label says: a capital speaks for it, a small letter against."""
    k = at
    while k < hi and k - at < 8 and (text[k].isspace() or text[k] in _OPENERS or text[k] in "—–-.,"):
        k += 1
    if k >= hi or text[k].isspace():
        return NOTHING
    if text[k].isupper():
        return CAPITAL
    if text[k].islower():
        return SMALL_L if _SMALL_L.match(text, k) else SMALL
    if text[k].isalpha():  # a script without small letters
        return CAPITAL
    if text[k].isdigit():
        return FIGURE
    return CAPITAL if category(text[k]) in ("So", "Lo") else NOTHING  # a card or a die in the running line
