"""Is what lies in a folder good TEI? Files of ours by our own narrow schema, files of others by tei_all.

Beside each file for itself, pointers from file to file are followed, each law of an edition has to be taken up in a
collation, and the ids of a former build are looked for: what somebody may have cited should still be there.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from lxml import etree

from variorum.errors import SourceError, VariorumError
from variorum.sources.tei.own import is_own
from variorum.tei.schema import POINTERS, validate
from variorum.tei.xml import XML_ID, name, parse, tei

_MOST = 20
# Elements that are cited, and so must keep their ids from build to build.
_CITED = ("div", "item", "app", "pb", "witness", "anchor")


def check_files(
    files: Mapping[str, bytes], former: Mapping[str, bytes] | None = None, schema: bytes | None = None
) -> list[str]:
    """What is wrong with TEI files, each complaint with file, line and the way out; an empty list if nothing.

    `files` are by relative path, `former` those of an earlier build whose ids should still be there, `schema` a
    RELAX NG schema (a project's own, perhaps) that every file is held against as well. Raises VariorumError where the
    schema itself cannot be used.
    """
    relax = _relax(schema) if schema else None
    roots: dict[str, etree._Element] = {}
    problems: list[str] = []
    for path, data in files.items():
        try:
            roots[path] = parse(data, path)
        except SourceError as error:
            problems.append(str(error))
            continue
        problems += _one(path, data, roots[path], relax)
    if len(files) > 1:  # of a file by itself nobody can say what lies beside it
        for path, root in roots.items():
            problems += _across(path, root, roots)
        problems += _left_out(roots)
    return problems + list(_gone(roots, former or {}))


def _relax(schema: bytes) -> etree.RelaxNG:
    try:
        return etree.RelaxNG(etree.fromstring(schema))
    except (etree.XMLSyntaxError, etree.RelaxNGParseError) as error:
        raise VariorumError("the schema", f"is no RELAX NG in XML ({error})", "name an .rng file") from None


def _one(path: str, data: bytes, root: etree._Element, relax: etree.RelaxNG | None) -> Iterator[str]:
    remedy = "write it anew with variorum build, or mend it by hand" if is_own(root) else "mend it in that line"
    said = validate(data, ours=is_own(root))
    if relax is not None and not relax.validate(root):
        said += [f"line {entry.line}: {entry.message}" for entry in relax.error_log][:_MOST]
    for complaint in dict.fromkeys(said):
        yield f"{path}, {complaint}; {remedy}"
    if root.find(f"{tei('text')}/{tei('body')}") is None:
        yield f"{path}, line {root.sourceline}: there is no text/body; put the text into one"


def _across(path: str, root: etree._Element, roots: Mapping[str, etree._Element]) -> Iterator[str]:
    """Pointers into other files of the folder that lead nowhere."""
    known: dict[str, set[str]] = {}
    missing: set[str] = set()
    for element in root.iter(etree.Element):
        for pointer in (word for key in POINTERS for word in str(element.get(key, "")).split()):
            target, _, key = pointer.partition("#")
            if not target or ":" in target:
                continue
            where = posixpath.normpath(str(PurePosixPath(path).parent / target))
            line = f"{path}, line {element.sourceline}: {name(element)} points to {pointer}"
            if where not in roots and where not in missing:
                missing.add(where)
                yield f"{line}, and there is no such file here; check the folder as a whole, or take the pointer out"
            if where in missing:
                continue
            if where not in known:
                known[where] = _ids(roots[where])
            if key and key not in known[where]:
                yield f"{line}, and {where} has no such id; build both files from the same corpus"


def _left_out(roots: Mapping[str, etree._Element]) -> Iterator[str]:
    """Laws of an edition that no collation has, where a collation names that edition as its witness."""
    collated = {
        posixpath.normpath(str(PurePosixPath(path).parent / str(witness.get("corresp"))))
        for path, root in roots.items()
        for witness in root.iter(tei("witness"))
        if witness.get("corresp")
    }
    taken_up = {
        (posixpath.normpath(str(PurePosixPath(path).parent / target)), key)
        for path, root in roots.items()
        for division in root.iter(tei("div"))
        for target, _, key in (word.partition("#") for word in str(division.get("corresp", "")).split())
        if target
    }
    for path, root in roots.items():
        for law in root.iter(tei("div")) if path in collated and is_own(root) else ():
            if law.get("type") == "law" and (path, str(law.get(XML_ID))) not in taken_up:
                what = f"{path}, line {law.sourceline}: law {law.get(XML_ID)} stands in no collation"
                yield f"{what}; build edition and collation from the same corpus"


def _ids(root: etree._Element) -> set[str]:
    return {str(e.get(XML_ID)) for e in root.iter(etree.Element) if e.get(XML_ID)}


def _gone(roots: Mapping[str, etree._Element], former: Mapping[str, bytes]) -> Iterator[str]:
    """Ids of a former build that are there no more."""
    for path, data in former.items():
        try:
            old = parse(data, path)
        except SourceError as error:
            yield f"former build: {error}"
            continue
        if path not in roots:
            yield f"{path} is there no more; who has cited it will look for it"
            continue
        now = _ids(roots[path])
        for element in old.iter(*map(tei, _CITED)):
            key = str(element.get(XML_ID, ""))
            if key and key not in now:
                what = f"{path}: the {name(element)} {key} (line {element.sourceline} of the former build) is gone"
                yield f"{what}; say so in the changelog, or restore what it stood for"
