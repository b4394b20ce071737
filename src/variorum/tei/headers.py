"""teiHeader of both kinds of file: imprint, responsibilities, declarations of the choices in force, taxonomies."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from lxml import etree

from variorum.keys import slug
from variorum.model import ChangeKind, Correction, CorrectionKind, Fact, Imprint, Ruled, UnitKind, Witness, Work
from variorum.rulings.ruling import RULE as RULING
from variorum.tei.xml import REPLACEMENT, XML_ID, control_id, sub

TOOL = "variorum"
# What takes characters off the page and puts none in their place.
TAKES_OUT = (CorrectionKind.BREAK, CorrectionKind.FURNITURE)

_DATE = re.compile(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")
_URL = re.compile(r"https?://[!-~]*[A-Za-z0-9/]")
_VERSION = re.compile(r"[0-9]+[a-z]*[0-9]*(\.[0-9]+[a-z]*[0-9]*){0,3}")
_STATUS_CERT = {"stated": "high", "inferred": "medium", "unknown": "unknown"}

_KINDS: Mapping[UnitKind, str] = {
    UnitKind.PUNCTUATION: "points only",
    UnitKind.CAPITAL: "capitals only",
    UnitKind.SPELLING: "spelling of the same word",
    UnitKind.ABBREVIATION: "a word shortened in one text",
    UnitKind.DIVISION: "words written together, apart or with a hyphen",
    UnitKind.NUMBER: "a figure against a number word, or a number of reference",
    UnitKind.OCR: "a difference that the machine's reading is likely to have made",
    UnitKind.WORDING: "other words",
    UnitKind.ADDITION: "words that the base text lacks",
    UnitKind.OMISSION: "words of the base text that are lacking",
    UnitKind.TRANSPOSITION: "the same words elsewhere",
    UnitKind.LACUNA: "text lost with the page",
    UnitKind.ABSENT: "a whole law that is not in this edition",
    UnitKind.RECAST: "a law rewritten: set side by side whole, not word by word",
}
_CHANGES: Mapping[ChangeKind, str] = {
    ChangeKind.QUANTITY: "a figure, measure, score or limit",
    ChangeKind.MODALITY: "what is allowed, commanded or forbidden",
    ChangeKind.AGENT: "who acts, decides or suffers",
    ChangeKind.PENALTY: "the consequence or the remedy",
    ChangeKind.CONDITION: "under what circumstances the law bites",
    ChangeKind.SCOPE: "a whole further case, card, player or place",
    ChangeKind.PROCEDURE: "manner, order, what is called or how it is scored",
    ChangeKind.DEFINITION: "what a term means",
    ChangeKind.TERM: "a name only; no change of rule",
}


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says about itself beside what its witness or work says.

    `title` is that of the whole edition, `date` the manifest's (YYYY, YYYY-MM or YYYY-MM-DD; nothing here reads a
    clock), `licence` free words with or without an address, `choices` what the manifest chose, by name, `version` the
    version of this program, `editors` the names of those who answer for the edition, each with an ORCID or "".
    """

    title: str
    date: str = ""
    publisher: str = ""
    licence: str = ""
    version: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    editors: Sequence[tuple[str, str]] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "choices", MappingProxyType(dict(self.choices)))


# --------------------------------------------------------------------------------------------------- both kinds


def rule_family(rule: str) -> str:
    """The component a rule belongs to: its name up to the first point, stroke or colon."""
    return re.split(r"[./:]", rule, maxsplit=1)[0]


def rule_id(rule: str) -> str:
    """The xml:id of the respStmt that a rule's corrections point at."""
    return f"rule-{slug(rule) or 'unnamed'}"


def reason_ids(corrections: Iterable[Correction]) -> dict[str, str]:
    """The xml:id of each reason for taking something off the page: lb and fw can hold no words of their own."""
    ids: dict[str, str] = {}
    for reason in sorted({words(c.evidence) for c in corrections if c.kind in TAKES_OUT} - {""}):
        key, n = f"why-{slug(reason) or 'unnamed'}", 2
        while key in ids.values():
            key, n = f"why-{slug(reason) or 'unnamed'}-{n}", n + 1
        ids[reason] = key
    return ids


def words(text: str) -> str:
    """Plain words as an attribute of space-separated tokens can hold them."""
    return " ".join("".join(c if _known(c) else REPLACEMENT for c in word) for word in text.split())


def _known(character: str) -> bool:
    """True for what every validator takes for a visible character, however old its tables of Unicode are."""
    return unicodedata.category(character)[0] not in "CZ" and unicodedata.ucd_3_2_0.category(character)[0] not in "CZ"


def cert(value: float) -> str:
    """A certainty as it is written: at most three places, no needless noughts."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _when(date: str) -> str:
    """A date as @when takes it, or "" for one that no calendar has."""
    if not _DATE.fullmatch(date):
        return ""
    try:
        datetime.date.fromisoformat(date + "-01-01"[len(date) - 4 :])
    except ValueError:
        return ""
    return date


def _file_desc(header: etree._Element, title: str, own: Header, rules: Iterable[str]) -> etree._Element:
    file_desc = sub(header, "fileDesc")
    statement = sub(file_desc, "titleStmt")
    sub(statement, "title", text=title)
    for editor, orcid in own.editors:
        sub(statement, "editor", {"ref": f"https://orcid.org/{orcid}" if orcid else ""}, editor)
    _responsible(statement, TOOL, "repair of OCR, segmentation, alignment, collation and encoding by program", TOOL)
    by_id: dict[str, list[str]] = {}
    for rule in sorted(set(rules)):
        by_id.setdefault(rule_id(rule), []).append(rule)
    for key, same in sorted(by_id.items()):
        if rule_family(same[0]) == RULING:
            who = same[0].partition(":")[2].strip() or "the editor"
            _responsible(statement, key, "rulings on single places", who, "person", same[0])
        else:
            _responsible(statement, key, "repair by one rule", f"{TOOL}: {same[0]}", n=same[0])
    publication = sub(file_desc, "publicationStmt")
    sub(publication, "publisher", text=own.publisher or "unpublished")
    sub(publication, "date", {"when": _when(own.date)}, own.date or "undated")
    if own.licence:
        url = _URL.search(own.licence)
        available = sub(publication, "availability")
        sub(available, "licence", {"target": url.group() if url else ""}, own.licence)
    return file_desc


def _responsible(parent: etree._Element, key: str, what: str, who: str, kind: str = "software", n: str = "") -> None:
    statement = sub(parent, "respStmt", {"n": n})
    statement.set(XML_ID, key)
    sub(statement, "resp", text=what)
    sub(statement, "name", {"type": kind}, who)


def _application(parent: etree._Element, own: Header) -> None:
    version = _VERSION.match(own.version)
    info = sub(parent, "appInfo")
    application = sub(info, "application", {"ident": TOOL, "version": version.group() if version else "0"})
    sub(application, "label", text=f"{TOOL} {own.version}".strip())


def _declare(parent: etree._Element, tag: str, text: str, attributes: Mapping[str, str] | None = None) -> None:
    sub(sub(parent, tag, attributes), "p", text=text)


def _choices(own: Header) -> str:
    return "; ".join(f"{name} = {value}" for name, value in sorted(own.choices.items())) or "the program's defaults"


def _closing(header: etree._Element, own: Header) -> None:
    sub(sub(sub(header, "profileDesc"), "langUsage"), "language", {"ident": "en"}, "English")
    change = sub(sub(header, "revisionDesc"), "change", {"when": _when(own.date), "who": f"#{TOOL}"})
    change.text = f"Written by {TOOL} {own.version}".strip() + "."


def _fact(parent: etree._Element, tag: str, fact: Fact) -> None:
    sub(parent, tag, {"cert": _STATUS_CERT[fact.status]}, fact.value or f"{tag} unknown")


def _span(imprint: Imprint) -> tuple[dict[str, str], str]:
    """Attributes and words for the date of a witness."""
    first, last = imprint.not_before, imprint.not_after
    certain = {"cert": _STATUS_CERT[imprint.date_status]}
    if first is None and last is None:
        return certain, "date unknown"
    if first == last:
        return {"when": f"{first:04d}", **certain}, f"{first}" if imprint.date_status == "stated" else f"[{first}]"
    low = {"notBefore": f"{first:04d}"} if first is not None else {}
    high = {"notAfter": f"{last:04d}"} if last is not None else {}
    words = f"{'' if first is None else first}–{'' if last is None else last}"
    return {**low, **high, **certain}, words if imprint.date_status == "stated" else f"[{words}]"


# ------------------------------------------------------------------------------------------------ edition file


def edition_header(
    root: etree._Element,
    witness: Witness,
    own: Header,
    controls: Sequence[str],
    reasons: Mapping[str, str],
    cite: str,
) -> None:
    """Adds the header of a witness's file.

    `controls` are the characters to declare, `reasons` the words for what is taken off the page, with their ids, `cite`
    is the XPath of what a law is cited by.
    """
    header = sub(root, "teiHeader")
    title = witness.imprint.title.value or "Untitled witness"
    rules = {c.rule for c in witness.repair.corrections}
    file_desc = _file_desc(header, f"{title} ({witness.siglum}): {own.title}", own, rules)
    _bibl(sub(sub(file_desc, "sourceDesc"), "bibl"), witness)
    encoding = sub(header, "encodingDesc")
    _application(encoding, own)
    _edition_declarations(sub(encoding, "editorialDecl"), own, _ruled(witness.repair.rulings))
    references = sub(encoding, "refsDecl")
    law = {"unit": "law", "match": "//div[@type='law']", "use": cite, "delim": "law:"}
    laws = sub(references, "citeStructure", law)
    sub(laws, "citeStructure", {"unit": "clause", "match": ".//item", "use": "@n", "delim": "."})
    if reasons:
        _categories(sub(encoding, "classDecl"), "reasons", {key: reason for reason, key in reasons.items()})
    if controls:
        _characters(sub(encoding, "charDecl"), controls)
    _closing(header, own)


def _bibl(bibl: etree._Element, witness: Witness) -> None:
    imprint, source = witness.imprint, witness.source
    _fact(bibl, "title", imprint.title)
    _fact(bibl, "author", imprint.author)
    _fact(bibl, "publisher", imprint.publisher)
    attributes, words = _span(imprint)
    sub(bibl, "date", attributes, words)
    sub(bibl, "idno", {"type": "siglum"}, witness.siglum)
    for kind, value in (("file", source.name), ("sha256", source.sha256)):
        if value:
            sub(bibl, "idno", {"type": kind}, value)
    notes = (
        ("provenance", imprint.origin),
        ("licence", imprint.licence),
        ("remark", imprint.remark),
        ("encoding", source.encoding),
    )
    for kind, value in notes:
        if value:
            sub(bibl, "note", {"type": kind}, value)


def _ruled(rulings: Sequence[Ruled]) -> str:
    """A sentence on the rulings in force, "" where there are none."""
    if not rulings:
        return ""
    kept = [words(ruling.found) for ruling in rulings if ruling.reads is None]
    stands = f", by which the page stands as printed at {', '.join(map(repr, kept))}" if kept else ""
    return f" Places decided by an editor's ruling, which goes before every rule: {len(rulings)}{stands}."


def _edition_declarations(parent: etree._Element, own: Header, ruled: str) -> None:
    correction = (
        "Nothing of the raw text is lost: each correction is a choice of sic, the characters as found, and "
        "corr, what is read instead. corr/@type is ocr (the machine misread) or print (the printer erred, by "
        "an editor's ruling only); @subtype is the kind of correction, @resp the component that proposed it, "
        "@cert its certainty from 0 to 1, @evidence its reason in plain words. Corrections that touch share a "
        "choice, with the lowest certainty. What is on the page and not in the text is fw, in its place. A "
        f"reading that stays in doubt stands in unclear. Choices in force: {_choices(own)}."
        f"{ruled}"
    )
    _declare(parent, "correction", correction, {"method": "markup"})
    _declare(parent, "normalization", "None: spelling, capitals and points are those of the page.")
    hyphenation = (
        "A word carried over a line end is joined by lb with break=no; its @rend names the characters taken "
        "away, one after the other. Hyphens within a line are kept."
    )
    _declare(parent, "hyphenation", hyphenation, {"eol": "none"})
    segmentation = (
        "One div of type law for each numbered law, its printed number in label/num; lettered parts are items "
        "of a list of type subclauses. Where a correction spans the border of two parts, the border is set at "
        "the correction's nearer edge. A new line of the file is lb after the line end itself; a blank line "
        "begins a new p."
    )
    _declare(parent, "segmentation", segmentation)


def _characters(parent: etree._Element, controls: Sequence[str]) -> None:
    for character in controls:
        declared = sub(parent, "char")
        declared.set(XML_ID, control_id(character))
        sub(declared, "desc", text=f"a character that XML cannot hold ({unicodedata.category(character)})")
        sub(declared, "mapping", {"type": "codepoint"}, f"U+{ord(character):04X}")


# ---------------------------------------------------------------------------------------------- collation file


def collation_header(root: etree._Element, work: Work, own: Header) -> None:
    """Adds the header of a work's collation: the list of witnesses, the declarations and the two taxonomies."""
    header = sub(root, "teiHeader")
    file_desc = _file_desc(header, f"{work.title}: a collation ({own.title})", own, ())
    witnesses = sub(sub(file_desc, "sourceDesc"), "listWit")
    for witness in work.witnesses:
        _witness(witnesses, witness)
    encoding = sub(header, "encodingDesc")
    _application(encoding, own)
    sub(encoding, "variantEncoding", {"method": "parallel-segmentation", "location": "internal"})
    _collation_declarations(sub(encoding, "editorialDecl"), work, own)
    classes = sub(encoding, "classDecl")
    kinds = {k.value: v for k, v in _KINDS.items()} | {"spacing": "spaces about the points only"}
    _taxonomy(classes, "variant-classes", "vc", kinds)
    _taxonomy(classes, "rule-changes", "rule", {k.value: v for k, v in _CHANGES.items()})
    _closing(header, own)


def _witness(parent: etree._Element, witness: Witness) -> None:
    corresp = {"n": witness.siglum, "corresp": f"editions/{witness.siglum}.xml"}
    described = sub(parent, "witness", corresp)
    described.set(XML_ID, witness.siglum)
    sub(described, "abbr", {"type": "siglum"}, witness.siglum).tail = " "
    _fact(described, "title", witness.imprint.title)
    described[-1].tail = ", "
    attributes, words = _span(witness.imprint)
    sub(described, "origDate", attributes, words)


def _collation_declarations(parent: etree._Element, work: Work, own: Header) -> None:
    normalization = (
        "Readings are the corrected text of the edition files. Runs of white space are one space, and no "
        "reading begins or ends with one. A witness's text is the running text with, in each app, the lem or "
        "rdg whose @wit names it, with runs of white space made one space. Text outside app is common to all. "
        "Where witnesses are spaced differently about a point, the app takes in the words about the space; an "
        "app of type spacing differs in nothing else, and stands in no table. A character that XML cannot "
        "hold is U+FFFD here."
    )
    _declare(parent, "normalization", normalization, {"method": "silent"})
    interpretation = (
        f"The base text is {work.base}; its reading is lem, or, where it lacks the law, that of the first "
        "witness that has it. Every app is positive and complete: each witness is named once; none is nested. "
        "app/@type is the class of variant; rdg/@type is substantive, orthographic, number, lac (lost with "
        "the page) or overlap. A witness that lacks a whole law has one empty substantive reading of cause "
        "omission, then overlap; an app of type absent has text common to those that have the law. linkGrp "
        "of type law-alignment holds which laws of which editions correspond, law-omitted a law and a witness "
        "that lacks it, law-transposed two laws of which the first stands before the second in the witness of "
        f"link/@corresp, unlike the base. link/@n is the evidence. Choices in force: {_choices(own)}."
    )
    _declare(parent, "interpretation", interpretation)


def _taxonomy(parent: etree._Element, key: str, prefix: str, meanings: Mapping[str, str]) -> None:
    _categories(parent, key, {f"{prefix}-{value}": meaning for value, meaning in meanings.items()})


def _categories(parent: etree._Element, key: str, meanings: Mapping[str, str]) -> None:
    taxonomy = sub(parent, "taxonomy")
    taxonomy.set(XML_ID, key)
    for own, meaning in meanings.items():
        category = sub(taxonomy, "category")
        category.set(XML_ID, own)
        sub(category, "catDesc", text=meaning)
