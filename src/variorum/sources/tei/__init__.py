"""TEI -> `Source`: our own edition files, with all that they say, and the plain TEI of others.

What a file says of its corrections and of its laws goes along as `Source.stated`; an editor's work is not done again by
a program. Nothing outside the file is read: a document type is refused, an XInclude is not followed.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from variorum.errors import SourceError
from variorum.model import Segmented, Source
from variorum.sources.declined import Declined

if TYPE_CHECKING:
    from lxml import etree

# Byte order mark, XML declaration, comments, processing instructions and document type, then the first start tag.
_PROLOG = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s+|<\?[^>]*\?>|<!--(?:[^-]|-(?!->))*-->|<!DOCTYPE[^\[>]*(?:\[[^\]]*\]\s*)?>)*+"
    rb"<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)"
)
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_ROOTS = {"TEI", "TEI.2", "teiCorpus"}


def read(data: bytes, name: str = "") -> Source:
    """The text of a TEI file.

    Raises Declined where the file is not TEI, SourceError, with line and remedy, where it is and cannot be read.
    """
    root_name = _root_name(data)
    if root_name == "TEI.2":
        raise SourceError(name, "is TEI P4 (root TEI.2)", "convert it to P5, with p4top5.xsl of the TEI Stylesheets")
    if root_name == "teiCorpus":
        raise SourceError(name, "holds several texts (root teiCorpus)", "save each TEI element as a file of its own")
    from variorum.sources.tei.foreign import read_foreign
    from variorum.sources.tei.own import is_collation, is_own, read_own
    from variorum.sources.tei.xmlin import parse

    root = parse(data, name)
    if is_collation(root):
        raise SourceError(
            name, "is a collation of several witnesses, not a witness", "name an edition file (editions/SIGLUM.xml)"
        )
    stated = read_own(root) if is_own(root) else None
    if stated is None:
        stated = read_foreign(root)
    return _source(data, name, stated, root)


def _root_name(data: bytes) -> str:
    head = data.decode("utf-16", "replace").encode() if data.startswith(_UTF16) else data
    match = _PROLOG.match(head)
    if match is None:
        raise Declined("it does not begin as XML does")
    root = match[1].decode("ascii", "replace")
    if root not in _ROOTS:
        raise Declined(f"the root element is {root}")
    return root


def _source(data: bytes, name: str, stated: Segmented, root: etree._Element) -> Source:
    raw = stated.repair.raw
    if not raw.strip():
        reasons = "".join(f"; {f.message}" for f in stated.repair.findings)
        raise SourceError(
            name, f"witness has no text{reasons}", "check that the file is the right one and was saved completely"
        )
    return Source(
        raw=raw,
        name=name,
        sha256=hashlib.sha256(data).hexdigest(),
        encoding=(root.getroottree().docinfo.encoding or "utf-8").lower(),
        pages=stated.repair.pages,
        findings=stated.repair.findings,
        stated=stated,
    )
