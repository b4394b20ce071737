"""Words with their places on the image -> `Source`: what the readers of OCR formats have in common.

Words are parted by a space, lines by a line end, blocks by an empty line, pages by a form feed, as in the plain text
that the same engines write; so all formats of one scan give one text. The order is the one that the file gives.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import isfinite

from variorum.errors import SourceError
from variorum.model import Finding, Page, Place, Source
from variorum.sources.text import NO_TEXT

Box = tuple[int, int, int, int]
_LARGEST = 1_000_000  # pixels: no image is as wide
_BREAK = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Word:
    """A word as the engine read it: `box` in pixels, `confidence` 0 to 1, each None where the file gives none."""

    text: str
    box: Box | None = None
    confidence: float | None = None


Line = Sequence[Word]
Block = Sequence[Line]


@dataclass(slots=True)
class Sheet:
    """One page: its blocks in reading order, and the name of its image."""

    blocks: list[Block] = field(default_factory=list)
    image: str = ""


def source(sheets: Iterable[Sheet], data: bytes, name: str, encoding: str, findings: Sequence[Finding] = ()) -> Source:
    """The text of some pages, with the place of each word.

    Raises SourceError where no page has a word.
    """
    made = _Text()
    for sheet in sheets:
        made.add(sheet)
    raw = made.text()
    if not raw.strip():
        raise SourceError(name, NO_TEXT, "check that the engine has read the pages, and export them anew")
    digest = hashlib.sha256(data).hexdigest()
    told = (*findings, *made.findings)
    return Source(raw, name, digest, encoding, tuple(made.pages), told, None, tuple(made.places))


class _Text:
    """The raw text as it grows."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._at = 0
        self.pages: list[Page] = []
        self.places: list[Place] = []
        self.findings: list[Finding] = []

    def text(self) -> str:
        return "".join(self._pieces)

    def _write(self, text: str) -> None:
        self._pieces.append(text)
        self._at += len(text)

    def add(self, sheet: Sheet) -> None:
        if self.pages:
            self._write("\f")
        start = self._at
        for block in sheet.blocks:
            lines = list(filter(None, map(_words, block)))
            self._write("\n" if lines and self._at > start else "")
            for words in lines:
                self._line(words)
        image = sheet.image if inside(sheet.image) else ""
        if sheet.image and not image:
            message = f"the image {sheet.image!r} of page {len(self.pages) + 1} lies outside the corpus and is left out"
            self.findings.append(Finding("image-outside", message, start, start))
        self.pages.append(Page(len(self.pages) + 1, start, self._at, image=image))

    def _line(self, words: Sequence[Word]) -> None:
        for k, word in enumerate(words):
            self._write(" " if k else "")
            start = self._at
            self._write(word.text)
            self.places.append(Place(start, self._at, word.box, word.confidence))
        self._write("\n")


def _words(line: Line) -> list[Word]:
    """The words of a line that have letters: NFC, without white space."""
    kept = []
    for word in line:
        text = unicodedata.normalize("NFC", _BREAK.sub("", word.text))
        if text:
            kept.append(Word(text, word.box, word.confidence))
    return kept


def inside(name: str) -> bool:
    """True for a file name that leads nowhere but into the folder in which it stands."""
    parts = re.split(r"[/\\]", name)
    return bool(name) and ".." not in parts and parts[0] != "" and ":" not in name


def box(*edges: float) -> Box | None:
    """A box of whole pixels from left, top, right and bottom; None where they make none."""
    if len(edges) != 4 or not all(isfinite(e) and 0 <= e <= _LARGEST for e in edges):
        return None
    left, top, right, bottom = (round(e) for e in edges)
    return (left, top, right, bottom) if left <= right and top <= bottom else None


def number(text: str | None) -> float | None:
    """The number that an attribute gives, or None."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if isfinite(value) else None


def share(text: str | None, most: float = 1.0) -> float | None:
    """A confidence as a share of 1, from a number of which `most` is certainty; None where it is none."""
    value = number(text)
    return min(1.0, value / most) if value is not None and 0 <= value <= most * 1.01 else None
