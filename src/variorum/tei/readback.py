"""Our own files read again: the raw text, the corrected text and each witness's words, out of the XML alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lxml import etree

from variorum.errors import SourceError
from variorum.sources.tei.rend import FORM_FEED, characters
from variorum.tei.xml import XML_ID, body, collapse, control, name, parse, tei, walk

# Elements whose characters are those of the page; white space around them only lays out the file.
_TEXT = ("p", "head")


def raw_text(file: bytes) -> str:
    """The raw text of an edition file, exactly as the OCR had it.

    Raises SourceError where the file is not well-formed, is not TEI, or takes characters away under an unknown name.
    """
    return _page_text(file, "corr", _taken_away)


def running_text(file: bytes) -> str:
    """The corrected text of an edition file: what `Repair.text` holds. Raises SourceError as `raw_text` does."""
    return _page_text(file, "sic", lambda _: "", "fw")


def _page_text(file: bytes, unread: str, at_break: Callable[[etree._Element], str], also: str = "") -> str:
    pieces: list[str] = []
    inside = 0  # how many p and head are open
    hidden = 0  # how many elements that are not read are open
    for event, element in walk(body(parse(file))):
        tag = name(element)
        step = {"start": 1, "end": -1}.get(event, 0)
        inside += step * (tag in _TEXT)
        hidden += step * (tag in (unread, also))
        if inside and not hidden:
            pieces.append(_characters(event, tag, element, at_break))
    return "".join(pieces)


def _characters(event: str, tag: str, element: etree._Element, at_break: Callable[[etree._Element], str]) -> str:
    """What an element's start or end adds: its own character and first text, or the text after it."""
    if event != "start":
        return element.tail or ""
    own = ""
    if tag == "g":
        own = control(element.get("ref", ""))
    elif tag == "lb" and element.get("break") == "no":
        own = at_break(element)
    elif tag == "pb" and element.get("rend") == FORM_FEED:
        own = "\f"
    return own + (element.text or "")


def _taken_away(line_break: etree._Element) -> str:
    try:
        return characters(line_break.get("rend", ""))
    except ValueError as error:
        where = f"TEI, line {line_break.sourceline}"
        raise SourceError(where, f"{error} in @rend", "use hyphen, space, newline or U+ and the code point") from None


def witness_text(file: bytes, siglum: str) -> str:
    """The words of one witness out of a collation file, one line for each locus where it has any.

    Words and points are exactly those of the witness; spacing about points that all witnesses share is the base text's.
    Raises SourceError where the file lists no such witness.
    """
    root = parse(file)
    listed = {w.get(XML_ID) for w in root.iter(tei("witness"))}
    if siglum not in listed:
        known = ", ".join(sorted(filter(None, listed))) or "none"
        raise SourceError("TEI", f"no witness {siglum}", f"the file lists {known}")
    found = (_law_text(div, f"#{siglum}") for div in body(root).iter(tei("div")) if div.get("type") == "law")
    return "\n".join(filter(None, found))


def _law_text(div: etree._Element, pointer: str) -> str:
    pieces: list[str] = []
    for paragraph in div.iter(tei("p")):
        pieces.append(paragraph.text or "")
        for child in paragraph:
            if name(child) == "app":
                pieces += _reading(child, pointer)
            pieces.append(child.tail or "")
        pieces.append(" ")
    return collapse("".join(pieces))


def _reading(app: etree._Element, pointer: str) -> Iterator[str]:
    for reading in app:
        if pointer in reading.get("wit", "").split():
            yield reading.text or ""
