"""Words and marks: as printed, as compared, and what each is worth as a number."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import Any

from variorum.model import Token

# spaCy refuses a million characters and slows down on odd long ones: it is fed pieces of at most this many, cut at
# white space. Only a "word" longer than this is cut in two.
PIECE = 20_000

_APOSTROPHES = "'’‘"
_HYPHENS = "‐‑-"
# What stands apart from the words. Not "&" (&c), signs of measure and money, or modifier letters: they are parts of
# words.
_MARKS = (
    '!"#()*,./:;<=>?@\\[\\]\\\\_{|}~'
    "\u00a1\u00a7\u00ab\u00b6\u00b7\u00bb\u00bf\u2012-\u2015\u2016\u2017\u201a-\u2027\u2030-\u2043\u2045-\u205e"
    "\u2190-\u21ff\u2500-\u27bf\u2e00-\u2e5d\u3001-\u3003\u3008-\u3011\ufffd"
)
_ANY = f"[{_MARKS}{_APOSTROPHES}{_HYPHENS}]"
# An apostrophe that opens one of these belongs to the word; any other is a quotation mark.
_ELIDED = r"(?:tis|twas|twere|twill|twould|em|gainst|midst|neath|d|ll|re|s|t|ve)"

_PREFIX = re.compile(rf"^(?!(?i:[{_APOSTROPHES}]{_ELIDED}$))({_ANY})\1*")
_SUFFIX = re.compile(rf"({_ANY})\1*$")
_INFIX = re.compile(
    rf"(?<![0-9])([.,:/])\1*|([.,:/])\2*(?![0-9.,:/])"  # a point within a number stays in it
    rf"|([{_MARKS.replace('.', '').replace(',', '').replace(':', '').replace('/', '')}])\3*"
    rf"|([{_HYPHENS}])\4+"
)

_FOLDS = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛ʼ`´′", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **{"ſ": "s", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "…": "..."},
        "æ": "ae",
        "œ": "oe",
        "\u00ad": None,
    }
)

_UNITS = str.split(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = str.split("twenty thirty forty fifty sixty seventy eighty ninety")
_ORDINALS = str.split("zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth")
_ORDINALS += [f"{unit}th" for unit in _UNITS[13:]]


def tokenise(text: str) -> tuple[Token, ...]:
    """Words and marks of a text, in order; "".join(surface + space) gives the text back exactly.

    A word keeps its inner apostrophes, hyphens and the points within a number; every other mark is a token of its own
    (a run of the same mark is one). White space before the first word, which belongs to no word, is kept as the space
    of a first token whose surface is empty; there is no such token where the text begins with a word.
    """
    tokens: list[Token] = []
    for start, end in _pieces(text):
        spans = [(t.idx, t.idx + len(t.text)) for t in _tokenizer()(text[start:end]) if not t.text.isspace()]
        stops = [s for s, _ in spans[1:]] + [end - start]
        if (not spans or spans[0][0]) and (at := text[start : start + spans[0][0]] if spans else text[start:end]):
            _space(tokens, at)
        for (left, right), stop in zip(spans, stops, strict=False):
            surface = text[start + left : start + right]
            tokens.append(Token(surface, normal(surface), text[start + right : start + stop]))
    return tuple(tokens)


def _space(tokens: list[Token], space: str) -> None:
    """Give white space at the head of a piece to the token before it, or to the margin."""
    last = tokens.pop() if tokens else Token("", "")
    tokens.append(Token(last.surface, last.normal, last.space + space))


def _pieces(text: str) -> list[tuple[int, int]]:
    pieces, start = [], 0
    while len(text) - start > PIECE:
        end = start + PIECE
        while end > start and not text[end - 1].isspace():
            end -= 1
        end = end if end > start else start + PIECE
        pieces.append((start, end))
        start = end
    if start < len(text):
        pieces.append((start, len(text)))
    return pieces


@cache
def _tokenizer() -> Any:
    import spacy
    from spacy.tokenizer import Tokenizer

    return Tokenizer(
        spacy.blank("en").vocab,
        rules={},
        prefix_search=_PREFIX.search,
        suffix_search=_SUFFIX.search,
        infix_finditer=_INFIX.finditer,
    )


@lru_cache(maxsize=65_536)
def normal(surface: str) -> str:
    """A word as compared: lower case; long s, ligatures, quotation marks and dashes folded; accents kept."""
    # Not NFKC: it would make 42 of a 4 with a note mark, 4².
    folded = unicodedata.normalize("NFC", surface.casefold().translate(_FOLDS))
    if folded.strip("-") == "" and folded:
        return "-"
    return folded or surface


@lru_cache(maxsize=65_536)
def skeleton(word: str) -> str:
    """A normal form stripped to its letters and figures: no accents, hyphens, apostrophes; "" for a mark."""
    return "".join(c for c in unicodedata.normalize("NFKD", word) if c.isalnum()).casefold()


def is_word(token: Token) -> bool:
    """True for a word or number, False for a mark."""
    return bool(skeleton(token.normal))


@cache
def _number_words() -> dict[str, str]:
    values = {word: str(n) for n, word in enumerate(_UNITS)} | {word: f"{n}th" for n, word in enumerate(_ORDINALS)}
    for k, ten in enumerate(_TENS, start=2):
        values |= {ten: str(10 * k), f"{ten[:-1]}ieth": f"{10 * k}th"}
        for n in range(1, 10):
            for joint in ("", "-"):
                values |= {
                    f"{ten}{joint}{_UNITS[n]}": str(10 * k + n),
                    f"{ten}{joint}{_ORDINALS[n]}": f"{10 * k + n}th",
                }
    return values | {"hundred": "100", "thousand": "1000", "dozen": "12"}


@lru_cache(maxsize=65_536)
def figure(word: str) -> str:
    """The figures a number word or figure stands for: "five" -> "5", "sixth" and "6th" -> "6th"; "" for no number."""
    low = normal(word)
    if low in _number_words():
        return _number_words()[low]
    if match := re.fullmatch(r"([0-9]{1,9})(st|nd|rd|th|d|ly|thly)?", low.replace(",", "")):
        return str(int(match[1])) + ("th" if match[2] else "")
    if low and low[0].isdecimal() and re.fullmatch(r"[0-9][0-9.,/⁄]{0,12}", low):
        return low.rstrip(".,")
    roman = word.upper() if word.isupper() and len(word) > 1 else ""
    return _roman(roman)


def _roman(word: str) -> str:
    match = re.fullmatch(r"(X{0,3})(IX|IV|V?I{0,4})", word)
    if not match or not word:
        return ""
    ones = {"IX": 9, "IV": 4}.get(match[2], 5 * match[2].count("V") + match[2].count("I"))
    return str(10 * len(match[1]) + ones)
