"""Words with their places on the image -> `Source`: what the readers of OCR formats have in common.

Words are parted by a space, lines by a line end, blocks by an empty line, pages by a form feed, as in the plain text
that the same engines write; so all formats of one scan give one text. Blocks stand in the order in which they are read;
notes in the margin follow the text of their page and are taken out of it, as other furniture is, by a correction.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence

from variorum.errors import SourceError
from variorum.model import Correction, CorrectionKind, Finding, Page, Place, Repair, Segmented, Source
from variorum.sources.arrange import arrange
from variorum.sources.sheets import Line, Sheet, Word
from variorum.sources.text import NO_TEXT

_BREAK = re.compile(r"\s+")


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
    told, pages = (*findings, *made.findings), tuple(made.pages)
    return Source(raw, name, digest, encoding, pages, told, _without_notes(made, told), tuple(made.places))


def _without_notes(made: _Text, told: tuple[Finding, ...]) -> Segmented | None:
    """The text without the notes of its margins, where it has such: one block on one page may be a blot."""
    notes = [spans for spans in made.beside if spans]
    several = sum(len(spans) > 1 for spans in notes)
    if not several:
        return None
    raw = made.text()
    alone = several >= len(notes) / 2
    taken = [_note(raw, span) for spans in notes if alone or len(spans) > 1 for span in spans]
    return Segmented(Repair(raw, tuple(taken), told, tuple(made.pages)))


def _note(raw: str, span: tuple[int, int]) -> Correction:
    why = "a note in the margin, beside the text"
    return Correction(*span, raw[slice(*span)], "", CorrectionKind.FURNITURE, "layout.margin", 0.85, why, "header")


class _Text:
    """The raw text as it grows."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._at = 0
        self.pages: list[Page] = []
        self.places: list[Place] = []
        self.findings: list[Finding] = []
        self.beside: list[list[tuple[int, int]]] = []  # the spans of the notes in the margin, page by page

    def text(self) -> str:
        return "".join(self._pieces)

    def _write(self, text: str) -> None:
        self._pieces.append(text)
        self._at += len(text)

    def add(self, sheet: Sheet) -> None:
        if self.pages:
            self._write("\f")
        start = self._at
        blocks, doubts = arrange(sheet)
        beside = []
        for block in blocks:
            lines, begun = list(filter(None, map(_words, block.lines))), self._at
            self._write("\n" if lines and self._at > start else "")
            for words in lines:
                self._line(words)
            if block.beside and lines:
                beside.append((begun, self._at))
        self.beside.append(beside)
        named = _on_another_disk(sheet.image)
        image = named if inside(named) else ""
        if sheet.image and not image:
            message = f"the image {sheet.image!r} of page {len(self.pages) + 1} lies outside the corpus and is left out"
            self.findings.append(Finding("image-outside", message, start, start))
        for code, message in doubts:
            self.findings.append(Finding(code, f"page {len(self.pages) + 1}: {message}", start, self._at))
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
    for word in line.words:
        text = unicodedata.normalize("NFC", _BREAK.sub("", word.text))
        if text:
            kept.append(Word(text, word.box, word.confidence))
    return kept


def _on_another_disk(name: str) -> str:
    """The image's own name, of a path from the root of the disk on which the engine ran; else the name as it is."""
    absolute = name.startswith(("/", "\\")) or name[1:2] == ":"
    return re.split(r"[/\\]", name)[-1] if absolute else name


def inside(name: str) -> bool:
    """True for a file name that leads nowhere but into the folder in which it stands."""
    parts = re.split(r"[/\\]", name)
    return bool(name) and ".." not in parts and parts[0] != "" and ":" not in name
