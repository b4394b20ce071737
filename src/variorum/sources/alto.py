"""ALTO 2 to 4 -> `Source`: the XML of library digitisation, and of Transkribus and eScriptorium."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from variorum.model import Source
from variorum.sources.layout import source
from variorum.sources.sheets import Block, Box, Line, Sheet, Word, box, number, share
from variorum.sources.xmlfile import children, encoding_of, local, parse, within

# What stands in the margins at the sides is no part of the text, and follows it.
_SPACES = ("TopMargin", "PrintSpace", "LeftMargin", "RightMargin", "BottomMargin")


def read(data: bytes, name: str = "") -> Source:
    """The text of an ALTO file.

    Raises SourceError where there is no text in it or it is not well formed, Declined where it is no ALTO.
    """
    root = parse(data, name, ("alto",))
    images = [str(element.text or "").strip() for element in root.iter() if local(element) == "fileName"]
    pages = [page for layout in children(root, "Layout") for page in children(layout, "Page")]
    sheets = [
        Sheet(list(_blocks(page)), images[k] if k < len(images) and len(images) == len(pages) else "")
        for k, page in enumerate(pages)
    ]
    return source(sheets, data, name, encoding_of(root))


def _blocks(page: etree._Element) -> Iterator[Block]:
    """The text blocks of a page, its spaces as zones from the top margin to the bottom one."""
    spaces = sorted(children(page, *_SPACES), key=lambda space: _SPACES.index(local(space)))
    for zone, space in enumerate(spaces or [page]):
        for block in within(space, "TextBlock"):
            yield Block([Line(list(_words(line)), _box(line)) for line in children(block, "TextLine")], zone)


def _words(line: etree._Element) -> Iterator[Word]:
    """The words of a line, with the hyphen at its end that ALTO keeps in an element of its own."""
    words: list[Word] = []
    for part in line:
        kind = local(part)
        if kind == "String":
            words.append(Word(str(part.get("CONTENT", "")), _box(part), share(part.get("WC"))))
        elif kind == "HYP" and words:
            hyphen = str(part.get("CONTENT") or "-")
            if not words[-1].text.endswith(hyphen):
                words[-1] = Word(words[-1].text + hyphen, words[-1].box, words[-1].confidence)
    for word in words:  # eScriptorium writes a whole line into one String
        parts = word.text.split()
        yield from [word] if len(parts) < 2 else [Word(text, None, word.confidence) for text in parts]


def _box(part: etree._Element) -> Box | None:
    edges = [number(part.get(key)) for key in ("HPOS", "VPOS", "WIDTH", "HEIGHT")]
    left, top, width, height = edges
    if left is None or top is None or width is None or height is None:
        return None
    return box(left, top, left + width, top + height)
