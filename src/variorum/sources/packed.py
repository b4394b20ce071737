"""Packed files -> `Source`: gzip, and zip archives of pages as HathiTrust and others hand them out.

Nothing is written to the disk, names in an archive are never taken for paths, and no more is unpacked than a book can
be. Pages stand in the order of the METS file where the archive has one, else in that of the numbers in their names.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence

from lxml import etree

from variorum.errors import SourceError
from variorum.sources.declined import Declined
from variorum.sources.layout import inside
from variorum.sources.sheets import number
from variorum.sources.xmlfile import local, parse, root_name

MOST = 64_000_000  # bytes that a file may have when it is unpacked: forty times the longest rulebook
_PAGE_SUFFIXES = ("txt", "xml", "html", "htm", "hocr")
_LENGTH, _LEAST_RATIO = 1_000_000, 200  # a member that is packed closer than so is no text

# What zipfile raises on damaged archives; a RuntimeError asks for a password, an IndexError comes of an empty name.
_DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError, IndexError)

Pages = Sequence[tuple[str, bytes]]


def gunzip(data: bytes, name: str) -> bytes:
    """The bytes in gzip data. Raises SourceError where they end early or are too many, Declined where it is no gzip."""
    if not data.startswith(b"\x1f\x8b"):
        raise Declined("it is no gzip data")
    unpacker = zlib.decompressobj(wbits=31)
    try:
        unpacked = unpacker.decompress(data, MOST)
    except zlib.error as error:
        raise SourceError(name, f"is damaged gzip data ({error})", "fetch the file again") from None
    if unpacker.unconsumed_tail:
        raise _too_much(name)
    _packed_once(unpacked, name)
    if not unpacker.eof:
        what = f"ends early, after {len(unpacked):,} bytes of its text"
        raise SourceError(name, what, "fetch the file again: it was not saved completely")
    return unpacked


def unzip(data: bytes, name: str) -> list[tuple[str, bytes]]:
    """The pages in a zip archive, names and bytes, in their order.

    Raises SourceError where the archive is damaged, unsafe or has no pages, Declined where it is no zip archive.
    """
    if not data.startswith(b"PK\x03\x04"):
        raise Declined("it is no zip archive")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [m for m in archive.infolist() if not m.is_dir() and not _hidden(m.filename)]
            _safe(members, name)
            read = {m.filename: archive.read(m) for m in members if _suffix(m.filename) in _PAGE_SUFFIXES}
    except _DAMAGED as error:
        raise SourceError(name, f"is a damaged or locked zip archive ({error})", "fetch the file again") from None
    for path, inner in read.items():
        _packed_once(inner, f"{name}, {path}")
    return in_order(list(read.items()), name)


def in_order(files: Pages, name: str) -> list[tuple[str, bytes]]:
    """The pages among some files: those of one kind, in the order of a METS file, else of the numbers in their names.

    Raises SourceError where there is none.
    """
    described = {path: data for path, data in files if root_name(data) == "mets"}
    pages = {path: data for path, data in files if path not in described}
    # A book that comes both as plain text and with coordinates has more to say in the latter.
    kinds = Counter(_suffix(path) for path in pages)
    if not kinds:
        raise SourceError(name, "has no pages of text in it", "put .txt, hOCR, ALTO or PAGE files into it")
    kind = max(kinds, key=lambda suffix: (kinds[suffix], suffix != "txt", suffix))
    order: dict[str, int] = {}
    for path, data in described.items():
        order = _mets_order(data, path) or order
    paths = [path for path in pages if _suffix(path) == kind]
    paths.sort(key=lambda path: (order.get(_base(path), len(order)), natural(path)))
    return [(path, pages[path]) for path in paths]


def natural(path: str) -> tuple[tuple[int, int, str], ...]:
    """A key by which page 2 comes before page 10."""
    parts = re.findall(r"\d+|\D+", path)
    return tuple((0, int(p), "") if p.isascii() and p.isdigit() else (1, 0, p) for p in parts)


def _safe(members: Sequence[zipfile.ZipInfo], name: str) -> None:
    """Refuse an archive that would be a danger to another program: nothing in it is then believed."""
    for member in members:
        if not inside(member.filename):
            what = f"names {member.filename!r}, which leads out of the archive"
            raise SourceError(name, what, "unpack it by a program that you trust, and name the folder")
        if member.file_size > _LENGTH and member.file_size > _LEAST_RATIO * max(1, member.compress_size):
            raise _too_much(f"{name}, {member.filename}")
    twice = [path for path, n in Counter(m.filename for m in members).items() if n > 1]
    if twice:
        raise SourceError(name, f"has {twice[0]!r} twice", "unpack it, take one of them out, and name the folder")
    if sum(m.file_size for m in members) > MOST:
        raise _too_much(name)


def _packed_once(inner: bytes, name: str) -> None:
    """Refuse what is packed again within: the limit would hold for each layer by itself, and layers have no end."""
    if inner.startswith((b"\x1f\x8b", b"PK\x03\x04")):
        raise SourceError(
            name, "is packed once more within", "unpack it by a program that you trust, and name the file"
        )


def _too_much(name: str) -> SourceError:
    return SourceError(name, f"unpacks to more than a book can be ({MOST // 1_000_000} MB)", "check what it is")


def _hidden(path: str) -> bool:
    return path.startswith("__MACOSX/") or _base(path).startswith(".")


def _base(path: str) -> str:
    return path.rpartition("/")[2]


def _suffix(path: str) -> str:
    return path.rpartition(".")[2].lower()


def _mets_order(data: bytes, name: str) -> dict[str, int]:
    """File name -> its place in the physical order that a METS file states."""
    root = parse(data, name, ("mets",))
    named = {str(f.get("ID")): _base(_href(f)) for f in root.iter() if local(f) == "file"}
    order: dict[str, int] = {}
    for structure in (s for s in root.iter() if local(s) == "structMap"):
        if str(structure.get("TYPE", "physical")).lower() == "physical":
            for pointer in _pointers(structure):
                if path := named.get(str(pointer.get("FILEID"))):
                    order.setdefault(path, len(order))
    return order


def _pointers(division: etree._Element) -> Iterator[etree._Element]:
    """The pointers to files below a division, in the order that the divisions state, else in that of the file."""
    stack = [division]
    while stack:
        current = stack.pop()
        if local(current) == "fptr":
            yield current
        # `sorted` keeps those without a number behind the others and in their order; the stack turns all around.
        stack += reversed(sorted(current, key=_stated_place))


def _stated_place(division: etree._Element) -> float:
    value = number(division.get("ORDER")) if local(division) == "div" else None
    return value if value is not None else float("inf")


def _href(file: etree._Element) -> str:
    places = [p for p in file.iter() if local(p) == "FLocat"]
    return next((str(v) for p in places for k, v in p.attrib.items() if str(k).endswith("href")), "")
