"""Is a file the TEI that we mean to write? Asked before every write; nothing invalid reaches the disk."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from lxml import etree

from variorum.errors import EncodingError, SourceError
from variorum.tei.xml import XML_ID, name, parse, tei

POINTERS = ("resp", "ana", "corresp", "target", "who", "wit", "ref")
# What stylesheets, browsers and the matrices of phylogenetic programs all take for a name.
_ID = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
# A file that is wrong in one way is often wrong so a thousand times.
_MOST = 20


def validate(data: bytes, ours: bool = True) -> list[str]:
    """What is wrong with a TEI file, each with its line; an empty list if nothing.

    Checked are the content models and datatypes (a RELAX NG schema cut from tei_all; with `ours` false, for the files
    of others, tei_all itself), that every xml:id is well formed and given once, that every pointer into the file leads
    somewhere, and that every app names every witness once.
    """
    try:
        root = parse(data)
    except SourceError as error:
        return [str(error)]
    return [*_content(root, _schema() if ours else _tei_all()), *_ids_and_pointers(root), *_apps(root)][:_MOST]


def checked(data: bytes, where: str) -> bytes:
    """The same bytes, if they are valid. Raises EncodingError, naming the file `where`, if they are not."""
    if problems := validate(data):
        raise EncodingError(where, f"is not valid TEI: {'; '.join(problems)}", "please report this: it is our fault")
    return data


@cache
def _schema() -> etree.RelaxNG:
    return etree.RelaxNG(etree.fromstring((files("variorum.tei") / "data" / "variorum.rng").read_bytes()))


@cache
def _tei_all() -> etree.RelaxNG:
    packed = (files("variorum.tei") / "data" / "tei_all.rng.gz").read_bytes()
    return etree.RelaxNG(etree.fromstring(gzip.decompress(packed)))


def _content(root: etree._Element, schema: etree.RelaxNG) -> list[str]:
    if schema.validate(root):
        return []
    return [f"line {entry.line}: {entry.message}" for entry in schema.error_log]


def _ids_and_pointers(root: etree._Element) -> Iterator[str]:
    ids: set[str] = set()  # the parser has refused an xml:id given twice
    pointers: list[tuple[etree._Element, str, str]] = []
    for element in root.iter(etree.Element):
        for key, value in ((str(k), str(v)) for k, v in element.attrib.items()):
            if key == XML_ID:
                ids.add(value)
                if not _ID.fullmatch(value):
                    yield f"line {element.sourceline}: the xml:id {value!r} is not letters, digits and hyphens"
            elif key in POINTERS:
                pointers += [(element, key, word[1:]) for word in value.split() if word.startswith("#")]
    for element, key, target in pointers:
        if target not in ids:
            yield f"line {element.sourceline}: @{key} of {name(element)} points to #{target}, which is not in the file"


def _apps(root: etree._Element) -> Iterator[str]:
    witnesses = sorted(f"#{w.get(XML_ID)}" for w in root.iter(tei("witness")))
    for app in root.iter(tei("app")):
        named = sorted(word for reading in app for word in reading.get("wit", "").split())
        if named != witnesses:
            yield f"line {app.sourceline}: app {app.get(XML_ID)} names {' '.join(named)}, not each witness once"
