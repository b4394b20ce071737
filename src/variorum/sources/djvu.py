"""DjVu XML -> `Source`: the hidden text of a DjVu file as djvutoxml and the Internet Archive write it."""

from __future__ import annotations

from lxml import etree

from variorum.model import Source
from variorum.sources.layout import source
from variorum.sources.sheets import Block, Box, Line, Sheet, Word, box, number, share
from variorum.sources.xmlfile import encoding_of, local, parse, within


def read(data: bytes, name: str = "") -> Source:
    """The text of a DjVu XML file.

    Raises SourceError where there is no text in it or it is not well formed, Declined where it is no DjVu XML.
    """
    root = parse(data, name, ("DjVuXML",))
    sheets = [
        Sheet([_block(paragraph) for paragraph in within(page, "PARAGRAPH")], _image(page))
        for page in root.iter()
        if local(page) == "OBJECT"
    ]
    return source(sheets, data, name, encoding_of(root))


def _image(page: etree._Element) -> str:
    """The page's name, as its parameter PAGE gives it."""
    named = [p for p in within(page, "PARAM") if p.get("name") == "PAGE"]
    return str(named[0].get("value", "")) if named else ""


def _block(paragraph: etree._Element) -> Block:
    return Block([Line([_word(w) for w in within(line, "WORD")]) for line in within(paragraph, "LINE")])


def _word(word: etree._Element) -> Word:
    text = "".join(map(str, word.itertext()))
    return Word(text, _box(word), share(word.get("x-confidence"), 100))


def _box(word: etree._Element) -> Box | None:
    """Left, bottom, right, top (and the base line) in the file; left, top, right, bottom here."""
    edges = [number(edge) for edge in str(word.get("coords", "")).split(",")[:4]]
    known = [edge for edge in edges if edge is not None]
    if len(known) != 4:
        return None
    left, bottom, right, top = known
    return box(left, top, right, bottom)
