"""XML from anywhere, read safely: nothing outside the file is opened, and nothing in it is expanded."""

from __future__ import annotations

from typing import Any

from lxml import etree

from variorum.errors import SourceError

TEI = "http://www.tei-c.org/ns/1.0"
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
_NO_DOCTYPE = "remove the DOCTYPE declaration, and write the characters that its entities stand for"


def tei(name: str) -> str:
    """The full name of a TEI element."""
    return f"{{{TEI}}}{name}"


def name(element: etree._Element) -> str:
    """An element's name without its namespace; "" for a comment or processing instruction."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def text_of(element: etree._Element) -> str:
    """All text within an element."""
    return "".join(map(str, element.itertext()))


def line_of(element: etree._Element) -> int:
    """The line of the file on which an element begins; 0 where it was made by program."""
    line = element.sourceline
    return line if isinstance(line, int) else 0


def control(pointer: str) -> str:
    """The character that `g/@ref` stands for where XML cannot hold it: "#ctrl-0C" is a form feed."""
    return chr(int(pointer.rpartition("-")[2], 16))


def parse(data: bytes, where: str = "TEI") -> etree._Element:
    """The root element of a TEI file. Nothing outside the file is read.

    Raises SourceError, with line and column, for what is not well-formed, has a document type or is not TEI.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        what = f"not well-formed XML ({error.msg})"
        remedy = "mend it there, or fetch the file again: it may not have been saved completely"
        remedy = _NO_DOCTYPE if b"<!ENTITY" in data else remedy
        raise SourceError(f"{where}, line {line}, column {column}", what, remedy) from None
    dtd: Any = root.getroottree().docinfo.internalDTD  # the stubs of lxml do not know of its entities
    if dtd is not None:
        entities = ", ".join(e.name for e in dtd.entities())
        what = "has a document type, which may name other files"
        what += f", with the entities {entities}" if entities else ""
        raise SourceError(where, what, _NO_DOCTYPE)
    if root.tag != tei("TEI"):
        what = f"the root element is {root.tag}, not TEI in the namespace {TEI}"
        raise SourceError(where, what, f'write <TEI xmlns="{TEI}"> if it is TEI P5')
    return root
