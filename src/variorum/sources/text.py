"""Plain text -> `Source`: the encoding is read from the bytes, never guessed in silence.

A byte order mark is believed; else UTF-8 is tried strictly; else each line by itself is UTF-8 or, failing that, cp1252,
and a finding names the lines. CR, CRLF and NEL become LF, a form feed ends a page, and the text is brought to NFC.
Nothing else is touched: what does not belong in a text stays in it for the repair to note.
"""

from __future__ import annotations

import codecs
import hashlib
import re
import unicodedata

from variorum.errors import SourceError
from variorum.model import Finding, Page, Source
from variorum.sources.declined import Declined
from variorum.sources.gutenberg import understood

NO_TEXT = "witness has no text"
CHECK_FILE = "check that the file is the right one and was saved completely"
# The longer mark first: that of UTF-32 LE begins with that of UTF-16 LE.
_MARKS = [
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
]
_MAGIC = [
    (b"PK\x03\x04", "it is a zip archive"),
    (b"\x1f\x8b", "it is gzip data"),
    (b"%PDF-", "it is a PDF"),
    (b"AT&TFORM", "it is a DjVu file"),
    (b"\x89PNG", "it is an image"),
    (b"\xff\xd8\xff", "it is an image"),
    (b"II*\x00", "it is an image"),
    (b"MM\x00*", "it is an image"),
]
# A transcription may begin with a word in italics: what is within a line is text, and no sign of a format.
_INLINE = rb"(?:[ibuqs]|em|su[bp]|small|big|strong|tt|sc|g|cite|span|font|br|center|page|pb|lb)[\s/>]"
_MARKUP = re.compile(rb"\s*<(?:\?xml|!DOCTYPE|(?!" + _INLINE + rb")[A-Za-z][\w:.-]*[\s/>])", re.IGNORECASE)
_LINE_END = re.compile("\r\n|[\r\x85]")
_BYTE_LINE_END = re.compile(rb"(?<=\n)|(?<=\r)(?!\n)")
# More NULs than this are not stray: text in UTF-16 has one in every second byte.
_NULS = 0.2
_LINES_NAMED = 10
_LOOKED_AT = 1000  # characters at the head of a file: white space and its first tag


def read(data: bytes, name: str = "") -> Source:
    """The text of a plain text file.

    Raises SourceError where there is no text in it, Declined where the bytes are some other format.
    """
    text, encoding, doubtful = _decode(data)
    raw = unicodedata.normalize("NFC", _LINE_END.sub("\n", text))
    if not raw.strip():
        raise SourceError(name, NO_TEXT, CHECK_FILE)
    found = _findings(raw, encoding, doubtful)
    stated = understood(raw, pages(raw), found)
    return Source(
        raw=raw,
        name=name,
        sha256=hashlib.sha256(data).hexdigest(),
        encoding=encoding,
        pages=pages(raw),
        findings=stated.repair.findings if stated else found,
        stated=stated,
    )


def pages(raw: str) -> tuple[Page, ...]:
    """The pages of a text in which a form feed ends each; a text without one is one page.

    A page without text counts, as its image does, unless it is only what follows the last form feed.
    """
    found, start = [], 0
    for n, text in enumerate(raw.split("\f"), 1):
        found.append(Page(n, start, start + len(text)))
        start += len(text) + 1
    if len(found) > 1 and not raw[found[-1].start :].strip():
        found.pop()
    return tuple(found)


def _decode(data: bytes) -> tuple[str, str, list[int]]:
    """The text, the name of its encoding, and the numbers of the lines that were not what the encoding says."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            text, encoding, doubtful = _marked(data[len(mark) :], encoding)
            if _MARKUP.match(text[:_LOOKED_AT].encode("utf-8", "replace")):
                raise Declined("it is markup (XML or HTML)")
            return text, encoding, doubtful
    for magic, what in _MAGIC:
        if data.startswith(magic):
            raise Declined(what)
    if _MARKUP.match(data):
        raise Declined("it is markup (XML or HTML)")
    if data.count(0) > _NULS * len(data):
        raise Declined("it is binary, or UTF-16 without a byte order mark")
    try:
        return data.decode("utf-8"), "utf-8", []
    except UnicodeDecodeError:
        return by_lines(data)


def _marked(data: bytes, encoding: str) -> tuple[str, str, list[int]]:
    try:
        return data.decode(encoding), encoding, []
    except UnicodeDecodeError as error:
        if encoding == "utf-8":
            return by_lines(data)
        text = data.decode(encoding, "replace")
        before = _LINE_END.sub("\n", data[: error.start].decode(encoding, "replace"))
        return text, encoding, [before.count("\n") + 1]


def by_lines(data: bytes) -> tuple[str, str, list[int]]:
    """The text of lines that are UTF-8 each, or else cp1252; what that makes; and the numbers of the latter."""
    lines, doubtful, number, utf8 = [], [], 1, False
    for line in _BYTE_LINE_END.split(data):
        try:
            text = line.decode("utf-8")
            utf8 = utf8 or not text.isascii()
        except UnicodeDecodeError:
            text = _cp1252(line)
            doubtful.append(number)
        number += _LINE_END.sub("\n", text).count("\n")
        lines.append(text)
    return "".join(lines), "utf-8 and cp1252" if utf8 else "cp1252", doubtful


def _cp1252(line: bytes) -> str:
    """Five bytes mean nothing in cp1252; they are kept as the control characters of the same number."""
    try:
        return line.decode("cp1252")
    except UnicodeDecodeError:
        return "".join(bytes([b]).decode("cp1252", "ignore") or chr(b) for b in line)


def _findings(raw: str, encoding: str, doubtful: list[int]) -> tuple[Finding, ...]:
    if not doubtful:
        return ()
    start = 0
    for _ in range(doubtful[0] - 1):
        start = raw.find("\n", start) + 1
    end = raw.find("\n", start)
    return (Finding("encoding", told(encoding, doubtful), start, len(raw) if end < 0 else end),)


def told(encoding: str, doubtful: list[int]) -> str:
    """Which lines of a file were not in the encoding that they should be, in one sentence."""
    named = ", ".join(map(str, doubtful[:_LINES_NAMED]))
    more = f" and {len(doubtful) - _LINES_NAMED} more" if len(doubtful) > _LINES_NAMED else ""
    lines = f"line {named}" if len(doubtful) == 1 else f"lines {named}{more}"
    was = "not UTF-8, read as cp1252" if "cp1252" in encoding else f"not {encoding}, read as U+FFFD"
    return f"{lines}: {was}"
