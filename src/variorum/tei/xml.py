"""XML in and out: one parser, one serialiser, and a way to write any character of a page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from lxml import etree

from variorum.errors import SourceError
from variorum.sources.tei.xmlin import TEI as TEI
from variorum.sources.tei.xmlin import XML_ID as XML_ID
from variorum.sources.tei.xmlin import control as control
from variorum.sources.tei.xmlin import name as name
from variorum.sources.tei.xmlin import parse as parse
from variorum.sources.tei.xmlin import tei as tei

XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"

# What XML 1.0 cannot hold, even as a character reference (https://www.w3.org/TR/xml/#charsets).
ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def document(key: str) -> etree._Element:
    """A new TEI root with an xml:id, in English."""
    namespaces: Any = {None: TEI}  # the stubs of lxml do not know of a default namespace
    root = etree.Element(tei("TEI"), nsmap=namespaces)
    root.set(XML_ID, key)
    root.set(XML_LANG, "en")
    return root


def legal(text: str) -> str:
    """The text with every character that XML cannot hold replaced by U+FFFD."""
    return ILLEGAL.sub(REPLACEMENT, text)


def collapse(text: str) -> str:
    """The text with runs of XML white space (space, tab, line ends) made one space, none at its ends."""
    return re.sub("[ \t\r\n]+", " ", text).strip(" ")


def sub(
    parent: etree._Element, tag: str, attributes: Mapping[str, str] | None = None, text: str = ""
) -> etree._Element:
    """A new last child of `parent`; empty attributes are left out, illegal characters replaced."""
    child = etree.SubElement(parent, tei(tag))
    for key, value in (attributes or {}).items():
        if value:
            child.set(key, legal(value))
    if text:
        child.text = legal(text)
    return child


def append(parent: etree._Element, text: str) -> None:
    """Adds characters after what `parent` already holds."""
    if not text:
        return
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def control_id(character: str) -> str:
    """The xml:id under which a character that XML cannot hold is declared: "ctrl-0C" for a form feed."""
    return f"ctrl-{ord(character):02X}"


def write(parent: etree._Element, text: str) -> None:
    """Adds raw characters after what `parent` holds; those that XML cannot hold become `g`."""
    at = 0
    for match in ILLEGAL.finditer(text):
        append(parent, text[at : match.start()])
        sub(parent, "g", {"ref": f"#{control_id(match.group())}"})
        at = match.end()
    append(parent, text[at:])


def lines(element: etree._Element) -> None:
    """Sets each child of an element that holds no text of its own on a line of its own."""
    element.text = "\n"
    for child in element:
        child.tail = "\n"


def serialise(root: etree._Element) -> bytes:
    """The document as UTF-8 bytes, without a clock or any other trace of when it was written."""
    body: bytes = etree.tostring(root, encoding="UTF-8", xml_declaration=False)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + body + b"\n"


def body(root: etree._Element) -> etree._Element:
    """The text's body. Raises SourceError where there is none."""
    found = root.find(f"{tei('text')}/{tei('body')}")
    if found is None:
        raise SourceError("TEI", "the file has no text/body")
    return found


def walk(element: etree._Element) -> Iterator[tuple[str, etree._Element]]:
    """An element and all below it in the order of the page: ("start", e), ("end", e); comments come once."""
    yield from etree.iterwalk(element, events=("start", "end", "comment", "pi"))
