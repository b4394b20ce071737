"""XML and HTML of OCR engines, read safely: nothing outside the file is opened, and no entity is made up."""

from __future__ import annotations

import re

from lxml import etree

from variorum.errors import SourceError
from variorum.model import Finding
from variorum.sources.declined import Declined
from variorum.sources.text import by_lines, told

_ROOT = re.compile(rb"<(?![?!])(?:[\w.-]+:)?([\w.-]+)")
_NAMED = re.compile(rb"charset\s*=\s*[\"']?([\w.-]+)|<\?xml[^>]*encoding=[\"']([\w.-]+)", re.IGNORECASE)
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


def encoding_of(root: etree._Element) -> str:
    """The encoding that an XML file was read in."""
    return str(root.getroottree().docinfo.encoding or "utf-8").lower()


def parse_html(text: str) -> etree._Element:
    """The root of an HTML file, whatever its faults; named entities are those of HTML, and no file is opened."""
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False, remove_comments=True)
    root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    if root is None:
        raise Declined("there is no element in it")
    return root


def decoded(data: bytes) -> tuple[str, str, tuple[Finding, ...]]:
    """The text of an HTML file, its encoding, and the lines that were not in it.

    A byte order mark is believed; then the encoding that the file's head names, where all bytes are of it; else each
    line by itself is UTF-8 or cp1252, and a finding names the latter.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace"), "utf-16", ()
    named = _NAMED.search(data[:_LOOKED_AT])
    encoding = (named[1] or named[2]).decode("ascii").lower() if named else "utf-8"
    # What is named in ASCII is not in UTF-16; and what calls itself Latin-1 is cp1252, as browsers take it.
    encoding = {"iso-8859-1": "cp1252", "latin1": "cp1252", "us-ascii": "utf-8"}.get(encoding, encoding)
    try:
        if not encoding.startswith("utf-"):
            return data.decode(encoding), encoding, ()
        return data.decode("utf-8"), "utf-8", ()
    except (LookupError, UnicodeDecodeError):
        text, encoding, doubtful = by_lines(data)
        return text, encoding, (Finding("encoding", told(encoding, doubtful)),) if doubtful else ()


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
