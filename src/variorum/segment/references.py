"""Cross-references between laws: "See law 10, b.", "The 6th and 7th rules", "as in the preceding case"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from variorum.segment import numerals

_NOUN = r"(?:laws?|rules?|articles?|arts?\.|sections?|sect?s?\.|§{1,2}|clauses?|paragraphs?|regulations?)"
_NUMBER = r"(?:\d{1,3}[a-h]?\b|[IVXLC]{1,8}\b|[ivxlc]{2,8}\b)"
_LIST = re.compile(
    rf"(?<!\w)(?P<noun>(?i:{_NOUN}))[.]?\s{{0,3}}(?P<first>{_NUMBER})"
    rf"(?P<rest>(?:(?:,?\s(?:and|or|to|&)\s|,\s|\s?[-–—]\s?){_NUMBER}){{0,12}}+)"
    r"(?P<clause>,?\s?(?:\(\s?[a-z]\s?\)|(?<=,\s)[a-z]\b(?![’'])))?"
)
_ORDINAL = r"\d{1,3}(?:st|nd|rd|d|th)|" + "|".join(numerals.ORDINALS)
_ORDINALS = re.compile(
    r"\b(?P<list>(?:"
    + _ORDINAL
    + r")(?:(?:,\s|,?\sand\s|,?\sor\s)(?:"
    + _ORDINAL
    + r")){0,6}+)\s(?P<noun>laws?|rules?|articles?|sections?|clauses?)\b",
    re.IGNORECASE,
)
_NEAR = re.compile(
    r"\b(?P<word>preceding|foregoing|last|next|following)\s(?:law|rule|article|section|case|clause|paragraph)\b",
    re.IGNORECASE,
)
_EACH = re.compile(_NUMBER)
_EACH_ORDINAL = re.compile(_ORDINAL, re.IGNORECASE)

NAMED, NEIGHBOUR, DOUBTFUL = 0.95, 0.6, 0.5


@dataclass(frozen=True, slots=True)
class Pointer:
    """A reference as it stands in the text: its span, the number and clause it names, or a step to a neighbour."""

    start: int
    end: int
    number: str = ""
    clause: str = ""
    step: int = 0


def pointers(text: str, lo: int, hi: int) -> Iterator[Pointer]:
    """The references in text[lo:hi], in order, one for each law named."""
    found = [*_numbered(text, lo, hi), *_ordinals(text, lo, hi), *_neighbours(text, lo, hi)]
    at = lo
    for pointer in sorted(found, key=lambda p: (p.start, -p.end)):
        if pointer.start >= at:
            at = pointer.end
            yield pointer


def _numbered(text: str, lo: int, hi: int) -> Iterator[Pointer]:
    for match in _LIST.finditer(text, lo, hi):
        each = list(_EACH.finditer(text, match.start("first"), match.end("rest")))
        clause = re.sub(r"\W", "", match["clause"] or "")
        for k, number in enumerate(each):
            last = k + 1 == len(each)
            yield Pointer(
                number.start() if k else match.start(),
                match.end() if last else number.end(),
                _plain(number.group()),
                clause if last else "",
            )


def _ordinals(text: str, lo: int, hi: int) -> Iterator[Pointer]:
    for match in _ORDINALS.finditer(text, lo, hi):
        each = list(_EACH_ORDINAL.finditer(text, match.start("list"), match.end("list")))
        for k, number in enumerate(each):
            digits = re.sub(r"\D", "", number.group())
            value = digits or str(numerals.ORDINALS[number.group().lower()])
            yield Pointer(number.start(), match.end() if k + 1 == len(each) else number.end(), value)


def _neighbours(text: str, lo: int, hi: int) -> Iterator[Pointer]:
    for match in _NEAR.finditer(text, lo, hi):
        step = 1 if match["word"].lower() in ("next", "following") else -1
        yield Pointer(match.start(), match.end(), step=step)


def _plain(number: str) -> str:
    value = numerals.roman_value(number.upper())
    return str(value) if value else number
