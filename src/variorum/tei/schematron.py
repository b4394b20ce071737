"""Runs ISO Schematron rules (query binding XSLT 2) over documents, by a stylesheet made of the rules and run in Saxon.

Only what the rules we run make use of is understood: ns, let, pattern, rule, assert, report, value-of, name and role;
in a pattern the first rule that matches a node is the one that counts, as the standard says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import quoteattr

from lxml import etree

from variorum.errors import SourceError, VariorumError
from variorum.sources.tei.xmlin import text_of
from variorum.tei.xml import parse

SCH = "{http://purl.oclc.org/dsdl/schematron}"
XSL = "http://www.w3.org/1999/XSL/Transform"


@dataclass(frozen=True)
class Complaint:
    """What a rule says of a node."""

    role: str
    path: str
    text: str


class Schematron:
    """A file of rules, compiled once and run over any number of documents."""

    def __init__(self, rules: bytes) -> None:
        try:
            from saxonche import PySaxonProcessor
        except ImportError:
            raise VariorumError(
                "Schematron", "needs saxonche", "pip install saxonche, or leave the rules out"
            ) from None
        self._processor: Any = PySaxonProcessor(license=False)
        try:
            sheet = stylesheet(etree.fromstring(rules))
        except etree.XMLSyntaxError as error:
            raise VariorumError("Schematron", f"the rules are no XML ({error.msg})", "name an .sch file") from None
        self._sheet = self._processor.new_xslt30_processor().compile_stylesheet(stylesheet_text=sheet)

    def complaints(self, data: bytes) -> list[Complaint]:
        """All complaints about a document, warnings among them."""
        document = self._processor.parse_xml(xml_text=data.decode("utf-8"))
        said = etree.fromstring(self._sheet.transform_to_string(xdm_node=document).encode())
        return [Complaint(str(c.get("role")), str(c.get("path")), " ".join(text_of(c).split())) for c in said]


def complaints(rules: bytes, files: Mapping[str, bytes]) -> list[str]:
    """What rules say of TEI files by path, each complaint with its line; warnings are left out."""
    schematron = Schematron(rules)
    said = []
    for path, data in files.items():
        try:
            tree = parse(data, path).getroottree()
        except SourceError:
            continue  # told by whoever asked whether it is TEI at all
        for complaint in schematron.complaints(data):
            if complaint.role == "error":
                said.append(f"{path}, line {_line(tree, complaint.path)}: {complaint.text}; mend it there")
    return said


def _line(tree: etree._ElementTree, path: str) -> int:
    """The line of the node at a path as Saxon writes it: /Q{namespace}TEI[1]/Q{namespace}text[1]/@type."""
    steps = re.findall(r"/Q\{[^}]*\}([\w.-]+)\[(\d+)\]", path)
    found = tree.xpath("/" + "/".join(f"*[local-name() = '{name}'][{n}]" for name, n in steps) if steps else "/*")
    first = found[0] if isinstance(found, list) and found else None
    line = first.sourceline if isinstance(first, etree._Element) else 0
    return line if isinstance(line, int) else 0


def stylesheet(schema: etree._Element) -> str:
    """The XSLT 3 stylesheet that makes one `complaint` element of each rule broken."""
    spaces = {n.get("prefix"): n.get("uri") for n in schema.iter(f"{SCH}ns")} | {"xsl": XSL}
    names = " ".join(f"xmlns:{prefix}={quoteattr(str(uri))}" for prefix, uri in spaces.items())
    patterns = schema.findall(f"{SCH}pattern")
    runs = "".join(f'<xsl:apply-templates select="/" mode="m{n}"/>' for n in range(len(patterns)))
    parts = [
        f'<xsl:stylesheet version="3.0" {names}>',
        *map(_variable, schema.findall(f"{SCH}let")),
        f'<xsl:template match="/"><complaints>{runs}</complaints></xsl:template>',
        *(_pattern(pattern, f"m{n}") for n, pattern in enumerate(patterns)),
        "</xsl:stylesheet>",
    ]
    return "\n".join(parts)


def _pattern(pattern: etree._Element, mode: str) -> str:
    onward = f'<xsl:apply-templates select="@* | node()" mode="{mode}"/>'
    rules = pattern.findall(f"{SCH}rule")
    parts = [f'<xsl:mode name="{mode}" on-no-match="shallow-skip"/>', *map(_variable, pattern.findall(f"{SCH}let"))]
    for n, rule in enumerate(rules):
        match = quoteattr(str(rule.get("context")))
        parts.append(f'<xsl:template match={match} mode="{mode}" priority="{len(rules) - n}">')
        parts += map(_variable, rule.findall(f"{SCH}let"))
        parts += [_check(check, rule) for check in rule.iterchildren(f"{SCH}assert", f"{SCH}report")]
        parts.append(f"{onward}</xsl:template>")
    return "\n".join(parts)


def _check(check: etree._Element, rule: etree._Element) -> str:
    test = str(check.get("test"))
    wrong = f"not({test})" if check.tag == f"{SCH}assert" else test
    role = check.get("role") or rule.get("role") or "error"
    said = f'<complaint role={quoteattr(role)} path="{{path(.)}}">{_message(check)}</complaint>'
    return f"<xsl:if test={quoteattr(wrong)}>{said}</xsl:if>"


def _message(element: etree._Element) -> str:
    pieces = [_literal(element.text)]
    for child in element:
        if child.tag == f"{SCH}value-of":
            pieces.append(f'<xsl:value-of select={quoteattr(str(child.get("select")))} separator=" "/>')
        elif child.tag == f"{SCH}name":
            named = f"name({child.get('path') or '.'})"
            pieces.append(f"<xsl:value-of select={quoteattr(named)}/>")
        elif isinstance(child.tag, str):
            pieces.append(_message(child))
        pieces.append(_literal(child.tail))
    return "".join(pieces)


def _literal(text: str | None) -> str:
    escaped = (text or "").replace("&", "&amp;").replace("<", "&lt;")
    return f"<xsl:text>{escaped}</xsl:text>" if escaped.strip() else " " if escaped else ""


def _variable(let: etree._Element) -> str:
    return f"<xsl:variable name={quoteattr(str(let.get('name')))} select={quoteattr(str(let.get('value')))}/>"
