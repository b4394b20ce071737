"""XML and HTML of OCR engines, read safely: nothing outside the file is opened, and no entity is made up."""

from __future__ import annotations

import re

from lxml import etree

from variorum.errors import SourceError
from variorum.sources.declined import Declined

_ROOT = re.compile(rb"<(?![?!])(?:[\w.-]+:)?([\w.-]+)")
_LOOKED_AT = 20_000  # bytes at the head of a file in which its root element stands


def root_name(data: bytes) -> str:
    """The name of a file's root element without its prefix, "" where it looks like no markup."""
    head = data[:_LOOKED_AT]
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        head = head.decode("utf-16", "ignore").encode()
    head = re.sub(rb"<!--.*?-->", b"", head, flags=re.DOTALL)
    if not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return ""
    found = _ROOT.search(head)
    return found[1].decode("ascii", "ignore") if found else ""


def parse(data: bytes, where: str, roots: tuple[str, ...]) -> etree._Element:
    """The root of an XML file whose root element has one of some names.

    Raises Declined where it has another, SourceError with line and column where it is not well formed or names
    entities.
    """
    if (found := root_name(data)) not in roots:
        raise Declined(f"the root element is {found or 'none'}, not {' or '.join(roots)}")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        raise SourceError(
            f"{where}, line {line}, column {column}",
            f"not well-formed XML ({error.msg})",
            "fetch or export the file again: it may not have been saved completely",
        ) from None
    if b"<!ENTITY" in data:
        raise SourceError(where, "declares entities, which may name other files", "remove the DOCTYPE declaration")
    return root


def parse_html(data: bytes) -> etree._Element:
    """The root of an HTML file, whatever its faults; named entities are those of HTML, and no file is opened."""
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False, remove_comments=True)
    root = etree.fromstring(_decoded(data).encode("utf-8", "replace"), parser)
    if root is None:
        raise Declined("there is no element in it")
    return root


def _decoded(data: bytes) -> str:
    """The text in the encoding that a file's head names, if it can be read so; else UTF-8, or cp1252 if it is none."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    named = re.search(rb"charset\s*=\s*[\"']?([\w.-]+)|<\?xml[^>]*encoding=[\"']([\w.-]+)", data[:_LOOKED_AT])
    for encoding in ((named[1] or named[2]).decode("ascii") if named else "", "utf-8", "cp1252"):
        try:
            return data.decode(encoding)
        except (LookupError, UnicodeDecodeError):
            continue
    return data.decode("latin-1")


def local(element: etree._Element) -> str:
    """An element's name without its namespace; "" for a comment or processing instruction."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def children(element: etree._Element, *names: str) -> list[etree._Element]:
    """The children of an element that have one of some names, whatever their namespace."""
    return [child for child in element if local(child) in names]


def within(element: etree._Element, *names: str) -> list[etree._Element]:
    """All elements below one that have one of some names, in order, none within another of them."""
    found: list[etree._Element] = []
    for child in element:
        if local(child) in names:
            found.append(child)
        elif len(child):
            found += within(child, *names)
    return found
