"""hOCR -> `Source`: the HTML of Tesseract, OCRopus, Internet Archive and others (hOCR 1.2).

Words are `ocrx_word`, or single characters (`ocrx_cinfo`, as in chOCR) put together; where a line has neither, its text
is parted at spaces. Properties stand in `title`: "bbox 202 354 266 377; x_wconf 95".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from variorum.model import Source
from variorum.sources.declined import Declined
from variorum.sources.layout import source
from variorum.sources.sheets import Block, Box, Line, Sheet, Word, box, number, share
from variorum.sources.xmlfile import decoded, parse_html, root_name

_PAGE = "ocr_page"
_PARAGRAPHS = ("ocr_par",)
_LINES = ("ocr_line", "ocr_header", "ocr_footer", "ocr_caption", "ocr_textfloat", "ocrx_line", "ocr_title")
_WORD, _CHARACTER = "ocrx_word", "ocrx_cinfo"
_IMAGE = re.compile(r"image\s+(?:\"([^\"]*)\"|'([^']*)'|([^;\s]+))")


def read(data: bytes, name: str = "") -> Source:
    """The text of an hOCR file. Raises SourceError where there is no text in it, Declined where it is no hOCR."""
    if root_name(data).lower() != "html":
        raise Declined("it is no HTML")
    if not (_names(data, "ocr_page") or _names(data, "ocr_line")):  # before a whole book is decoded
        raise Declined("it is HTML without pages or lines of OCR")
    text, encoding, findings = decoded(data)
    root = parse_html(text)
    pages = _of_class(root, (_PAGE,)) or [root]
    return source((Sheet(list(_blocks(page)), _image(page)) for page in pages), data, name, encoding, findings)


def _names(data: bytes, word: str) -> bool:
    return any(word.encode(encoding) in data for encoding in ("ascii", "utf-16-le", "utf-16-be"))


def _classes(element: etree._Element) -> list[str]:
    return str(element.get("class", "")).split()


def _of_class(element: etree._Element, wanted: tuple[str, ...]) -> list[etree._Element]:
    """Elements below one that have one of some classes, none within another of them."""
    found, stack = [], list(reversed(element))
    while stack:
        child = stack.pop()
        if any(c in wanted for c in _classes(child)):
            found.append(child)
        else:
            stack += reversed(child)
    return found


def _blocks(page: etree._Element) -> Iterator[Block]:
    """The paragraphs of a page, each the lines in it; lines outside of any by themselves."""
    loose: list[Line] = []
    for part in _of_class(page, (*_PARAGRAPHS, *_LINES)):
        if any(c in _PARAGRAPHS for c in _classes(part)):
            if loose:
                yield Block(loose)
                loose = []
            yield Block([_line(line) for line in _of_class(part, _LINES)] or [_line(part)])
        else:
            loose.append(_line(part))
    if loose:
        yield Block(loose)


def _line(line: etree._Element) -> Line:
    words = [Word(_text(w), _box(w), _confidence(w)) for w in _of_class(line, (_WORD,))]
    return Line(words or [Word(text) for text in _text(line, " ").split()], _box(line))


def _text(element: etree._Element, between: str = "") -> str:
    """The text within; of a word in single characters, those characters without what stands between them."""
    if characters := _of_class(element, (_CHARACTER,)):
        return between.join("".join(map(str, c.itertext())).strip() for c in characters)
    return "".join(map(str, element.itertext()))


def _properties(element: etree._Element) -> dict[str, str]:
    parts = (part.strip().partition(" ") for part in str(element.get("title", "")).split(";"))
    return {key: value.strip() for key, _, value in parts}


def _box(element: etree._Element) -> Box | None:
    edges = [number(edge) for edge in _properties(element).get("bbox", "").split()]
    known = [edge for edge in edges if edge is not None]
    return box(*known) if len(known) == len(edges) else None


def _confidence(element: etree._Element) -> float | None:
    return share(_properties(element).get("x_wconf"), 100)


def _image(page: etree._Element) -> str:
    found = _IMAGE.search(str(page.get("title", "")))
    return next((group for group in found.groups() if group), "") if found else ""
