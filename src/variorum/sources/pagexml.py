"""PAGE XML (2013 to 2019) -> `Source`: what Transkribus, eScriptorium and OCR-D export."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from variorum.model import Source
from variorum.sources.layout import source
from variorum.sources.sheets import Block, Box, Line, Sheet, Word, box, number, share
from variorum.sources.xmlfile import children, encoding_of, local, parse, within


def read(data: bytes, name: str = "") -> Source:
    """The text of a PAGE file, regions in the reading order that it states.

    Raises SourceError where there is no text in it or it is not well formed, Declined where it is no PAGE.
    """
    root = parse(data, name, ("PcGts",))
    sheets = [_sheet(page) for page in children(root, "Page")]
    return source(sheets, data, name, encoding_of(root))


def _sheet(page: etree._Element) -> Sheet:
    """The text regions of a page: those of the reading order first, as it has them, then the others."""
    regions = [r for r in page.iter() if local(r) == "TextRegion"]
    places: dict[str, int] = {}
    for order in children(page, "ReadingOrder"):
        for reference in _references(order):
            places.setdefault(str(reference.get("regionRef", "")), len(places))
    stated = all(str(r.get("id", "")) in places for r in regions)
    regions.sort(key=lambda r: places.get(str(r.get("id", "")), len(places)))
    return Sheet([_region(region) for region in regions], str(page.get("imageFilename", "")), ordered=stated)


def _references(group: etree._Element) -> Iterator[etree._Element]:
    """The region references of a group: by their index where it is an ordered one."""

    def index(element: etree._Element) -> float:
        value = number(element.get("index"))
        return value if value is not None else float("inf")

    parts = sorted(group, key=index) if local(group).startswith("OrderedGroup") else list(group)
    for part in parts:
        if "regionRef" in part.attrib:
            yield part
        if len(part):
            yield from _references(part)


def _region(region: etree._Element) -> Block:
    lines = [Line(list(_words(line)), _box(line)) for line in children(region, "TextLine")]
    return Block(lines or [Line([Word(word) for word in row.split()]) for row in _best(region).split("\n")])


def _words(line: etree._Element) -> Iterator[Word]:
    """The words of a line; where its own text is not that of its words, somebody mended it, and it counts."""
    words = [Word(_best(w), _box(w), _confidence(w)) for w in within(line, "Word")]
    whole = _best(line).split()
    if words and (not whole or whole == [w.text for w in words]):
        yield from words
    else:
        yield from (Word(text, None, _confidence(line)) for text in whole)


def _equivalents(element: etree._Element) -> list[etree._Element]:
    """The readings of an element, the one that the file puts first at the head."""
    found = children(element, "TextEquiv")
    return sorted(found, key=lambda e: number(e.get("index")) or 0.0)


def _best(element: etree._Element) -> str:
    for equivalent in _equivalents(element):
        for text in (*children(equivalent, "Unicode"), *children(equivalent, "PlainText")):
            if text.text:
                return str(text.text)
    return ""


def _confidence(element: etree._Element) -> float | None:
    return next((share(e.get("conf")) for e in _equivalents(element)), None)


def _box(element: etree._Element) -> Box | None:
    for coords in children(element, "Coords"):
        pairs = [point.split(",") for point in str(coords.get("points", "")).split()]
        points = [(number(p[0]), number(p[1])) for p in pairs if len(p) == 2]
        across = [x for x, _ in points if x is not None]
        down = [y for _, y in points if y is not None]
        if across and down:
            return box(min(across), min(down), max(across), max(down))
    return None
