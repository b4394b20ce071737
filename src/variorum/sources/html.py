"""HTML -> `Source`: the books of Project Gutenberg, Wikisource exports and the like.

Paragraphs, headings and list items are parted by empty lines; numbers of pages that such books carry in the text
(class `pagenum`) begin a page and are its folio. What a browser would not show as text is left out.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator

from lxml import etree

from variorum.errors import SourceError
from variorum.model import Page, Source
from variorum.sources.declined import Declined
from variorum.sources.gutenberg import understood
from variorum.sources.text import CHECK_FILE, NO_TEXT
from variorum.sources.xmlfile import decoded, local, parse_html, root_name

_BLOCKS = frozenset(
    str.split(
        "p div h1 h2 h3 h4 h5 h6 li ul ol dl dt dd pre blockquote table tr section article center hr body figure "
        "figcaption address"
    )
)
_PARAGRAPHS = ("p", "h1", "h2", "h3", "li", "pre", "br", "td", "dd")
_UNSEEN = frozenset(
    ["script", "style", "head", "title", "noscript", "template", "nav", "svg", "math", "form", "button"]
)
_UNSEEN_CLASSES = frozenset(
    ["ws-noexport", "noprint", "mw-editsection", "toc-hidden", "printfooter", "catlinks", "mw-jump-link"]
)
_PAGE_NUMBER = frozenset(["pagenum", "pageno", "page-number", "pagenumber", "x-ebookmaker-pageno"])
_SPACE = re.compile(r"[ \t\r\n\xa0]+")
_FOLIO = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)
_BLOCK_END, _LINE_END, _PAGE_START = "\n\n", "\n", "\f"


def read(data: bytes, name: str = "") -> Source:
    """The text of an HTML book. Raises SourceError where there is none in it, Declined where it is no such file."""
    if root_name(data).lower() != "html":
        raise Declined("it is no HTML")
    text, encoding, findings = decoded(data)
    root = parse_html(text)
    if not any(local(e) in _PARAGRAPHS for e in root.iter()):
        raise Declined("it is HTML without paragraphs")
    made = _Text()
    for piece, folio in _pieces(root):
        made.add(piece, folio)
    if not made.raw.strip():
        raise SourceError(name, NO_TEXT, CHECK_FILE)
    raw, pages = made.raw, made.pages
    stated = understood(raw, pages, findings)
    told = stated.repair.findings if stated else findings
    return Source(raw, name, hashlib.sha256(data).hexdigest(), encoding, pages, told, stated)


class _Text:
    """Text put together as a browser shows it: white space is one space, and blocks are parted by an empty line."""

    def __init__(self) -> None:
        self._done: list[str] = []
        self._length = 0
        self._owed = ""  # what parts the next word from the last: nothing, a space, a line end or an empty line
        self._starts: list[tuple[int, str]] = [(0, "")]

    @property
    def raw(self) -> str:
        return "".join(self._done) + "\n"

    @property
    def pages(self) -> tuple[Page, ...]:
        ends = [start for start, _ in self._starts[1:]] + [len(self.raw)]
        found = [(start, end, folio) for (start, folio), end in zip(self._starts, ends, strict=True) if start < end]
        return tuple(Page(n, start, end, folio) for n, (start, end, folio) in enumerate(found, 1))

    def add(self, piece: str, folio: str = "") -> None:
        """A stretch of text, the end of a block or line, or the beginning of a page with its folio."""
        if piece == _PAGE_START:
            self._page(folio)
        elif piece in (_BLOCK_END, _LINE_END):
            self._owe(piece)
        else:
            for k, word in enumerate(_SPACE.split(unicodedata.normalize("NFC", piece.replace("\f", " ")))):
                if k:
                    self._owe(" ")
                if word:
                    self._write(self._owed + word)
                    self._owed = ""

    def _owe(self, space: str) -> None:
        self._owed = max(self._owed, space, key=("", " ", _LINE_END, _BLOCK_END).index) if self._length else ""

    def _write(self, text: str) -> None:
        self._done.append(text)
        self._length += len(text)

    def _page(self, folio: str) -> None:
        self._write(self._owed)  # the space before a page stays on the page before
        self._owed = ""
        self._starts.append((self._length, folio))


def _pieces(element: etree._Element) -> Iterator[tuple[str, str]]:
    """What an element shows, in order: text, ends of blocks and lines, beginnings of pages with their folios."""
    kind = local(element)
    classes = set(str(element.get("class", "")).lower().split())
    if not kind or kind in _UNSEEN or classes & _UNSEEN_CLASSES:
        return
    if classes & _PAGE_NUMBER:
        shown = "".join(map(str, element.itertext()))
        found = _FOLIO.search(shown) or _FOLIO.search(str(element.get("data-page-number") or element.get("id") or ""))
        yield _PAGE_START, found.group() if found else ""
        return
    if kind in _BLOCKS:
        yield _BLOCK_END, ""
    elif kind == "br":
        yield _LINE_END, ""
    if element.text:
        yield str(element.text), ""
    for child in element:
        yield from _pieces(child)
        if child.tail:
            yield str(child.tail), ""
    if kind in _BLOCKS:
        yield _BLOCK_END, ""
