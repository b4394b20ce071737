"""Cuts variorum.rng, the schema of just what Variorum writes, out of tei_all.rng.

    python tei/schema/cut.py [--check]

Every element and attribute named below keeps the content model and the datatype that tei_all gives it; all else is
taken out, and what can then no longer occur is taken out with it. A file valid here is therefore valid in tei_all. The
result is written beside this script and into the package, and so is tei_all.rng itself, packed, by which the package
checks the TEI of others; with --check nothing is written, and a difference is told.
"""

from __future__ import annotations

import copy
import gzip
import sys
from functools import cache
from pathlib import Path

from lxml import etree

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[1] / "src" / "variorum" / "tei" / "data"
RNG = "{http://relaxng.org/ns/structure/1.0}"

EVERYWHERE = "xml:id"
KEEP = {
    # header
    "TEI": "xml:lang",
    "teiHeader fileDesc titleStmt publicationStmt availability sourceDesc": "",
    "encodingDesc appInfo editorialDecl segmentation interpretation": "",
    "resp classDecl taxonomy category catDesc refsDecl charDecl char desc profileDesc": "",
    "langUsage revisionDesc listWit bibl": "",
    "respStmt": "n",
    "title author publisher": "cert",
    "editor": "ref",
    "name idno": "type",
    "date origDate": "when notBefore notAfter cert",
    "licence": "target",
    "witness": "n corresp",
    "abbr": "type",
    "application": "ident version",
    "variantEncoding": "method location",
    "correction normalization": "method",
    "hyphenation": "eol",
    "citeStructure": "unit match use delim",
    "mapping": "type",
    "language": "ident",
    "change": "when who",
    # correspondence
    "standOff": "",
    "linkGrp": "type",
    "link": "type subtype n cert resp corresp target",
    # text
    "text body": "",
    "div": "type n cert resp corresp ana",
    "head p": "xml:space",
    "label": "",
    "num": "type value n cert resp",
    "list": "type",
    "item": "n",
    "note": "type subtype n ana cert resp",
    "ref": "type target cert resp",
    "gap": "reason unit extent resp",
    "unclear": "reason resp cert",
    "choice sic": "",
    "corr": "type subtype resp cert evidence",
    "lb": "break rend ana resp cert",
    "pb": "n facs rend",
    "anchor": "",
    "fw": "type ana resp cert",
    "g": "ref",
    # apparatus
    "app": "type ana",
    "lem rdg": "wit type cause ana corresp",
}
ATTRIBUTES = {
    element: {*EVERYWHERE.split(), *attributes.split()}
    for elements, attributes in KEEP.items()
    for element in elements.split()
}

Pattern = etree._Element | None  # None: cannot occur


class Cutter:
    """Expands the definitions of tei_all into one definition for each element that is kept."""

    def __init__(self, full: etree._Element) -> None:
        self._defines = {d.get("name"): d for d in full.iter(f"{RNG}define")}

    def grammar(self) -> etree._Element:
        """The whole schema."""
        grammar = etree.Element(f"{RNG}grammar", nsmap={None: RNG[1:-1]}, ns="http://www.tei-c.org/ns/1.0")
        grammar.set("datatypeLibrary", "http://www.w3.org/2001/XMLSchema-datatypes")
        etree.SubElement(etree.SubElement(grammar, f"{RNG}start"), f"{RNG}ref", name="TEI")
        for name in sorted(ATTRIBUTES):
            grammar.append(self._element(name))
        return grammar

    def _element(self, name: str) -> etree._Element:
        source = self._defines[name].find(f"{RNG}element")
        define = etree.Element(f"{RNG}define", name=name)
        element = etree.SubElement(define, f"{RNG}element", name=name)
        parts = self._parts(source, ATTRIBUTES[name])
        if any(part is None for part in parts):
            sys.exit(f"{name} needs an element or attribute that is not kept")
        element.extend(_without_empty(parts) or [etree.Element(f"{RNG}empty")])
        return define

    def _parts(self, parent: etree._Element, attributes: set[str]) -> list[Pattern]:
        patterns = [child for child in parent if isinstance(child.tag, str) and child.tag.startswith(RNG)]
        return [self._pattern(child, attributes) for child in patterns]

    def _pattern(self, source: etree._Element, attributes: set[str]) -> Pattern:
        kind = source.tag.removeprefix(RNG)
        if kind == "ref":
            return self._ref(source.get("name"), attributes)
        if kind == "attribute":
            return _plain(source) if source.get("name") in attributes else None
        if kind in ("text", "empty", "data", "value", "list"):
            return _plain(source)
        if kind == "notAllowed":
            return None
        parts = self._parts(source, attributes)
        if kind == "choice":
            return _choice([part for part in parts if part is not None])
        if any(part is None for part in parts):
            return etree.Element(f"{RNG}empty") if kind in ("optional", "zeroOrMore") else None
        return _wrap(kind, _without_empty(parts))

    def _ref(self, name: str, attributes: set[str]) -> Pattern:
        define = self._defines[name]
        if define.find(f"{RNG}element") is not None:
            return etree.Element(f"{RNG}ref", name=name) if name in ATTRIBUTES else None
        parts = self._parts(define, attributes)
        return None if any(part is None for part in parts) else _wrap("group", _without_empty(parts))


def _plain(source: etree._Element) -> etree._Element:
    """A pattern without its documentation."""
    result = etree.Element(source.tag, dict(source.attrib))
    result.text = (source.text or "").strip() or None
    result.extend(_plain(child) for child in source if isinstance(child.tag, str) and child.tag.startswith(RNG))
    return result


def _without_empty(parts: list[Pattern]) -> list[etree._Element]:
    return [part for part in parts if part is not None and part.tag != f"{RNG}empty"]


def _wrap(kind: str, parts: list[etree._Element]) -> etree._Element:
    if not parts:
        return etree.Element(f"{RNG}empty")
    if kind in ("group", "interleave") and len(parts) == 1:
        return parts[0]
    result = etree.Element(f"{RNG}{kind}")
    result.extend(parts)
    return result


def _choice(parts: list[etree._Element]) -> Pattern:
    """A choice, its own choices run into it, each alternative once."""
    flat = [inner for part in parts for inner in (list(part) if part.tag == f"{RNG}choice" else [part])]
    distinct = {etree.tostring(part): part for part in flat}
    if not distinct:
        return None
    if len(distinct) == 1:
        return next(iter(distinct.values()))
    return _wrap("choice", list(distinct.values()))


@cache
def cut() -> bytes:
    """The small schema as bytes."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True)
    full = etree.parse(HERE / "tei_all.rng", parser).getroot()
    grammar = copy.deepcopy(Cutter(full).grammar())
    grammar.insert(
        0,
        etree.Comment(
            " Cut by tei/schema/cut.py out of tei_all.rng, TEI P5 4.12.0; see LICENCE.md. Not edited by hand. "
        ),
    )
    etree.indent(grammar, " ")
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + etree.tostring(grammar, encoding="UTF-8") + b"\n"


def results() -> dict[Path, bytes]:
    """What is made, by the path where it belongs."""
    packed = gzip.compress((HERE / "tei_all.rng").read_bytes(), 9, mtime=0)
    return {HERE / "variorum.rng": cut(), DATA / "variorum.rng": cut(), DATA / "tei_all.rng.gz": packed}


def _plain_bytes(data: bytes) -> bytes:
    """Bytes unpacked: what two versions of zlib pack differently is the same all the same."""
    return gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data


def main() -> None:
    """Writes the schemas, or with --check says whether they are up to date."""
    for path, data in results().items():
        if "--check" not in sys.argv[1:]:
            path.write_bytes(data)
        elif not path.is_file() or _plain_bytes(path.read_bytes()) != _plain_bytes(data):
            sys.exit(f"{path} is not what tei/schema/cut.py makes of tei_all.rng; run it again")


if __name__ == "__main__":
    main()
