"""Bytes of a file -> `Source`: each format has its own reader, which says why it declines what is not its format.

Formats are told apart by what is in the file, never by its name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace

from variorum.errors import SourceError
from variorum.model import Correction, Finding, Page, Place, Repair, Segmented, Source
from variorum.sources import alto, djvu, hocr, html, packed, pagexml, pdf, tei, text
from variorum.sources.declined import Declined
from variorum.sources.xmlfile import root_name

__all__ = ["READERS", "Declined", "read", "read_pages"]

Reader = Callable[[bytes, str], Source]


_MARKUP = "TEI, hOCR, ALTO, PAGE, DjVu XML, or HTML with paragraphs"


def _gzip(data: bytes, name: str) -> Source:
    inner = read(packed.gunzip(data, name), name)
    return replace(inner, sha256=hashlib.sha256(data).hexdigest())


def _zip(data: bytes, name: str) -> Source:
    return replace(read_pages(packed.unzip(data, name), name), sha256=hashlib.sha256(data).hexdigest())


# In the order in which they are asked; the first that does not decline reads the file.
READERS: tuple[Reader, ...] = (
    _gzip,
    _zip,
    pdf.read,
    hocr.read,
    alto.read,
    pagexml.read,
    djvu.read,
    html.read,
    tei.read,
    text.read,
)


def read(data: bytes, name: str = "") -> Source:
    """The witness text in the bytes of the file called `name`, read by the first reader that knows the format.

    Raises SourceError where no reader takes it, or where it holds no text.
    """
    declined = ""
    for reader in READERS:
        try:
            return reader(data, name)
        except Declined as reason:
            declined = str(reason)
    root, remedy = root_name(data), "save the witness as a UTF-8 text file"
    if root:
        declined = f"its root element is {root}, which is not {_MARKUP}"
        remedy = f"export it as one of these, or {remedy}"
    raise SourceError(name, declined, remedy)


def read_pages(files: Sequence[tuple[str, bytes]], name: str = "") -> Source:
    """The witness text of some files, names and bytes, each of them a page or more, in the order in which they stand.

    A file without text is an empty page. Raises SourceError where none has text or one cannot be read, naming it.
    """
    joined = _Joined()
    for path, data in files:
        try:
            joined.add(read(data, f"{name}, {path}"), path)
        except SourceError as error:
            if error.what != text.NO_TEXT:
                raise
            joined.add(Source("\n", path, pages=(Page(1, 0, 1),)), path)
    digest = hashlib.sha256(b"".join(hashlib.sha256(data).digest() for _, data in files)).hexdigest()
    return joined.source(name, digest)


class _Joined:
    """Pages of several files put one after the other."""

    def __init__(self) -> None:
        self._raw: list[str] = []
        self._at = 0
        self._pages: list[Page] = []
        self._places: list[Place] = []
        self._findings: list[Finding] = []
        self._corrections: list[Correction] = []
        self._encodings: set[str] = set()

    def add(self, one: Source, path: str) -> None:
        if self._raw:
            self._raw.append("\f")
            self._at += 1
        shift = self._at
        for page in one.pages or (Page(1, 0, len(one.raw)),):
            number = len(self._pages) + 1
            self._pages.append(replace(page, n=number, start=page.start + shift, end=page.end + shift))
        self._places += [replace(p, start=p.start + shift, end=p.end + shift) for p in one.places]
        self._findings += [
            replace(f, start=f.start + shift, end=f.end + shift, message=f"{path}: {f.message}") for f in one.findings
        ]
        if one.stated and not one.stated.blocks:  # laws of a page by itself are no laws of the book
            stated = one.stated.repair.corrections
            self._corrections += [replace(c, start=c.start + shift, end=c.end + shift) for c in stated]
        self._encodings |= {one.encoding} - {""}
        self._raw.append(one.raw)
        self._at += len(one.raw)

    def source(self, name: str, digest: str) -> Source:
        raw = "".join(self._raw)
        if not raw.strip():
            raise SourceError(name, text.NO_TEXT, text.CHECK_FILE)
        encoding = " and ".join(sorted(self._encodings))
        pages, told = tuple(self._pages), tuple(self._findings)
        stated = Segmented(Repair(raw, tuple(self._corrections), told, pages)) if self._corrections else None
        return Source(raw, name, digest, encoding, pages, told, stated, tuple(self._places))
