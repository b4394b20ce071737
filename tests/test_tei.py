"""TEI: what stands in the files, that they are valid for every validator, and that everything can be read back."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from builders import Writer, change, locus, rows, with_units, work
from variorum import tei
from variorum.apparatus import apparatus
from variorum.collation import collate
from variorum.errors import EncodingError, SourceError
from variorum.model import (
    ChangeKind,
    Clause,
    Collated,
    Collation,
    Concordance,
    Correction,
    CorrectionKind,
    Gap,
    Heading,
    Law,
    Note,
    Page,
    Prose,
    Reference,
    Relation,
    Repair,
    Segmented,
    State,
    Token,
    UnitKind,
    Witness,
    Work,
)
from variorum.tei.schematron import Complaint, Schematron

T = "{http://www.tei-c.org/ns/1.0}"
ID = "{http://www.w3.org/XML/1998/namespace}id"
HEADER = tei.Header(
    title="Three rulebooks",
    date="2026-11-30",
    publisher="Nobody",
    licence="Public domain (https://creativecommons.org/publicdomain/mark/1.0/).",
    version="0.1.0",
    choices={"suggest": "0.5", "apply": "0.9"},
)


def tree(data: bytes) -> etree._Element:
    return etree.fromstring(data)


def one(data: bytes, path: str) -> etree._Element:
    """The only element of a file at a path of TEI names."""
    found = all_of(data, path)
    assert len(found) == 1, f"{len(found)} elements at {path}"
    return found[0]


def all_of(data: bytes, path: str) -> list[etree._Element]:
    return tree(data).findall(".//" + "/".join(f"{T}{step}" for step in path.split("/")))


def inner(element: etree._Element) -> str:
    """What stands between an element's tags, without namespaces and the attributes every correction has."""
    text = etree.tostring(element, encoding="unicode", with_tail=False)
    text = re.sub(r' (?:xmlns|resp|cert|ana)="[^"]*"', "", text)
    return text[text.index(">") + 1 : text.rindex("</")] if "</" in text else ""


def comes_back(witness: Witness) -> bytes:
    """The edition file of a witness, found valid and read back without a difference."""
    data = tei.edition(witness, HEADER)
    assert tei.validate(data) == []
    assert tei.raw_text(data) == witness.repair.raw
    assert tei.running_text(data) == witness.repair.text
    return data


# ------------------------------------------------------------------------------------------- words on the page


def page_cases() -> Iterator[tuple[str, str, str]]:
    text = (Path(__file__).parent / "cases" / "tei" / "edition.txt").read_text(encoding="utf-8")
    for case in text.split("\n== ")[1:]:
        title, _, rest = case.partition("\n")
        page, _, expected = rest.partition("\n-> ")
        yield title, page, expected.rstrip("\n")


@pytest.mark.parametrize(("page", "expected"), [pytest.param(p, e, id=t) for t, p, e in page_cases()])
def test_words_on_a_page(page: str, expected: str) -> None:
    data = comes_back(Writer().prose(page).witness())
    assert inner(one(data, "body/div/p")) == expected


def test_a_correction_has_kind_certainty_and_the_component_that_answers_for_it() -> None:
    data = comes_back(Writer().prose("the {p>ack=>pack}").witness())
    corr = one(data, "corr")
    assert (corr.get("type"), corr.get("subtype"), corr.get("cert")) == ("ocr", "misreading", "0.9")
    statements = {s.get(ID): s for s in all_of(data, "respStmt")}
    assert corr.get("resp", "").removeprefix("#") in statements


def test_a_correction_of_little_certainty_is_marked_as_unclear() -> None:
    data = comes_back(Writer(cert=0.4).prose("when {rubl e=>able}, he").witness())
    assert inner(one(data, "sic")) == '<unclear reason="ocr">rubl e</unclear>'


def test_a_doubt_left_to_the_editor_is_marked_on_the_page() -> None:
    data = comes_back(Writer().prose("he can score no ;H here").doubt(";H", "game").witness())
    assert inner(one(data, "p/unclear")) == ";H"


def test_lines_keep_their_ends_and_blank_lines_begin_paragraphs() -> None:
    data = comes_back(Writer().prose("One line\nand another.\n \nA second paragraph.\n\n").witness())
    first, second = all_of(data, "body/div/p")
    assert inner(first) == "One line\n<lb/>and another.\n \n"
    assert inner(second) == "A second paragraph.\n\n"


# ------------------------------------------------------------------------------------- laws, clauses and pages


def test_a_law_has_its_number_as_printed_and_as_meant() -> None:
    data = comes_back(Writer().law("10", "{to=>10} ", "If a person leads again.", cert=0.8).witness())
    law = one(data, "div/div")
    assert (law.get("n"), law.get(ID)) == ("10", "EcA-law10")
    num = one(data, "label/num")
    assert (num.get("value"), num.get("cert")) == ("10", "0.8")
    assert inner(num).startswith("<choice><sic>to</sic>")


def test_a_law_without_a_number_has_its_certainty_on_the_div() -> None:
    data = comes_back(Writer().law("8", "", "must not draw.", gaps=[("start", "truncated")], cert=0.7).witness())
    law = one(data, "div/div")
    assert law.get("cert") == "0.7"
    assert all_of(data, "p/label") == []
    assert inner(law[0]).startswith('<gap reason="truncated"')


def test_a_law_lost_at_its_end_ends_in_a_gap_and_a_remnant_stays_to_be_read() -> None:
    writer = Writer().law("17", "17. ", "he can score no ;H", gaps=[("end", "truncated"), (";H", "illegible")])
    text = inner(one(comes_back(writer.witness()), "body/div/div/p"))
    assert '<unclear reason="illegible">;H</unclear><gap reason="illegible"' in text
    assert text.endswith('<gap reason="truncated" unit="words" extent="unknown"/>')


def test_clauses_are_items_of_a_list() -> None:
    writer = Writer().law(
        "10", "10. ", "There must be a fresh deal: ", ("a", "(a) ", "if one; "), ("b", "(b) ", "if two."), " So be it."
    )
    data = comes_back(writer.witness())
    assert inner(one(data, "body/div/div/p")) == (
        '<label><num type="law" value="10">10.</num></label> There must be a fresh deal: <list type="subclauses">'
        '<item n="a" xml:id="EcA-law10-a"><label>(a)</label> if one; </item>'
        '<item n="b" xml:id="EcA-law10-b"><label>(b)</label> if two.</item></list> So be it.'
    )


def test_words_between_two_clauses_part_the_list() -> None:
    writer = Writer().law("1", "1. ", "", ("a", "a. ", "one "), "and besides ", ("b", "b. ", "two"))
    data = comes_back(writer.witness())
    assert [len(x) for x in all_of(data, "list")] == [1, 1]
    assert all_of(data, "list")[0].tail == "and besides "


def test_clauses_with_the_same_letter_have_ids_of_their_own() -> None:
    writer = Writer().law("1", "1. ", "", ("a", "a. ", "one "), ("a", "a. ", "two"), ("*", "* ", "three"))
    ids = [item.get(ID) for item in all_of(comes_back(writer.witness()), "item")]
    assert ids == ["EcA-law01-a", "EcA-law01-a-2", "EcA-law01-3"]


def test_a_cross_reference_points_at_one_law_or_at_nothing() -> None:
    writer = Writer().law("8", "8. ", "See law 10, b and the 40th.", refs={"law 10, b": "10.b", "40th": "40"})
    writer.space().law("10", "10. ", "", ("a", "(a) ", "x "), ("b", "(b) ", "y"))
    sure, unsure = all_of(comes_back(writer.witness()), "ref")
    assert sure.get("target") == "#EcA-law10-b"
    assert (unsure.get("target"), unsure.get("cert")) == (None, "low")


def test_a_count_that_restarts_gives_other_ids_and_the_same_printed_numbers() -> None:
    writer = Writer()
    for section, prefix in (("WHIST. ", ""), ("SHORT WHIST. ", "SW.")):
        writer.heading(section).law(f"{prefix}1", "1. ", "Four play. ").law(f"{prefix}2", "2. ", "The lowest deals. ")
    data = comes_back(writer.witness())
    laws = [d for d in all_of(data, "div") if d.get("type") == "law"]
    assert [d.get("n") for d in laws] == ["1", "2", "1", "2"]
    assert [d.get(ID) for d in laws] == ["EcA-law01", "EcA-law02", "EcA-lawSW-01", "EcA-lawSW-02"]
    assert one(data, "refsDecl/citeStructure").get("use") == "substring-after(@xml:id, '-law')"


def test_headings_open_sections_and_prose_stands_apart() -> None:
    writer = (
        Writer().prose("A preface. ").heading("LAWS OF WHIST. ", 1).heading("Of Dealing. ").law("1", "1. ", "Deal. ")
    )
    data = comes_back(writer.prose("And so it ends.").witness())
    kinds = [(d.get("type"), len(list(d.iterancestors(f"{T}div")))) for d in all_of(data, "div")]
    assert kinds == [("prose", 0), ("laws", 0), ("section", 1), ("law", 2), ("prose", 2)]


def test_a_page_is_known_by_its_folio_or_by_its_place() -> None:
    writer = Writer().page("98").prose("One ").page("99").prose("two ").page().prose("three ").page("98").prose("four")
    breaks = all_of(comes_back(writer.witness()), "pb")
    assert [(b.get(ID), b.get("n")) for b in breaks] == [
        ("EcA-pb98", "98"),
        ("EcA-pb99", "99"),
        ("EcA-pbi3", None),
        ("EcA-pb98-2", "98"),
    ]


def test_a_form_feed_between_pages_is_the_page_break_itself() -> None:
    data = comes_back(Writer().page().prose("One \f").page("2").prose("two \f three").witness())
    assert [b.get("rend") for b in all_of(data, "pb")] == [None, "form-feed"]
    assert [g.get("ref") for g in all_of(data, "g")] == ["#ctrl-0C"]


def test_a_note_stays_in_its_law() -> None:
    data = comes_back(
        Writer().law("3", "3. ", "He deals. * Unless he has cut.", notes=["* Unless he has cut."]).witness()
    )
    note = one(data, "p/note")
    assert (note.get("n"), inner(note)) == ("*", "* Unless he has cut.")


# --------------------------------------------------------- corrections that span the border of two parts


def test_a_correction_over_a_border_is_divided_where_its_letters_allow() -> None:
    writer = Writer()
    writer.add("")
    witness = _label_inside("{12lf=>12. If} a person", 2)
    data = comes_back(witness)
    assert inner(one(data, "label/num")) == "12"
    assert inner(one(data, "sic")) == "lf"


def test_a_border_inside_a_correction_moves_to_the_nearer_edge() -> None:
    near_start, near_end = _label_inside("{lllfthe=>2. If the} rest", 2), _label_inside("{l2lt=>1. If} rest", 3)
    assert all_of(comes_back(near_start), "p/label") == []
    assert inner(one(comes_back(near_end), "num/choice/sic")) == "l2lt"


def test_a_correction_over_two_laws_stays_whole_and_both_laws_stand() -> None:
    raw = "1. He deals2.He cuts"
    correction = Correction(9, 13, "ls2.", "l5", CorrectionKind.MISREADING, "x.y", 0.9)
    laws = (Law("1", "1", "1.", "", "", 0, 11, 2), Law("2", "2", "2.", "", "", 11, len(raw), 13))
    data = comes_back(_witness(raw, (correction,), laws))
    assert [d.get(ID) for d in all_of(data, "div/div")] == ["Wit-law01", "Wit-law02"]


def _label_inside(marked: str, label_end: int) -> Witness:
    writer = Writer()
    writer.add(marked)
    law = Law("12", "12", "12", "", "", 0, len(writer.raw), label_end)
    return _witness(writer.raw, tuple(writer.corrections), (law,))


def _witness(
    raw: str, corrections: tuple[Correction, ...] = (), blocks: tuple[Law | Heading | Prose, ...] = (), **more: object
) -> Witness:
    plain = Writer().witness("Wit")
    repair = Repair(raw, corrections, pages=more.get("pages", ()))  # type: ignore[arg-type]
    segmented = Segmented(repair, blocks)
    return Witness("Wit", "work", plain.imprint, plain.source, segmented)


# ------------------------------------------------------------------------------------------------- characters


@pytest.mark.parametrize("code", [0x00, 0x08, 0x0B, 0x0C, 0x1B, 0xFFFE, 0xFFFF, 0xD800])
def test_a_character_that_xml_cannot_hold_is_declared_and_comes_back(code: int) -> None:
    data = comes_back(_witness(f"a{chr(code)}b"))
    declared = one(data, "charDecl/char")
    assert one(data, "g").get("ref") == f"#{declared.get(ID)}"
    assert one(data, "char/mapping").text == f"U+{code:04X}"


@pytest.mark.parametrize(
    "text", ["a\rb\r\n", "\x85 \u2028", "𝕏 🂡", "\u200b\u202e", "\ufeff", "\u00ad\n", "e\u0301", "\t"]
)
def test_odd_characters_come_back(text: str) -> None:
    comes_back(_witness(text))
    comes_back(_witness(text, (Correction(0, 1, text[0], "x", CorrectionKind.BREAK, "a", 1),)))
    comes_back(_witness(text, (Correction(0, 1, text[0], "", CorrectionKind.BREAK, "a", 1),)))


def test_an_empty_witness_has_an_empty_paragraph() -> None:
    assert inner(one(comes_back(_witness("")), "body/div/p")) == ""


@pytest.mark.parametrize("run", [" ", "\n", " \n", "- ", "\x00", "\f"])
def test_long_runs_of_one_character_take_no_longer_than_they_are(run: str) -> None:
    raw = "a" + run * (60_000 // len(run)) + "b"
    began = time.process_time()
    comes_back(_witness(raw, (), (Law("1", "1", "", "", "", 0, len(raw), 1),)))
    assert time.process_time() - began < 5


def test_layout_added_by_another_program_does_not_touch_the_text() -> None:
    """PITFALLS 14: pretty printing breaks mixed content that is not marked with xml:space."""
    witness = Writer().heading("Laws ").law("1", "1. ", "The {p>ack=>pack}\nis cut.\n").witness()
    data = tei.edition(witness, HEADER)
    parser = etree.XMLParser(remove_blank_text=True)
    again = etree.tostring(etree.fromstring(data, parser), pretty_print=True)
    assert again != data
    assert tei.raw_text(again) == witness.repair.raw


# ----------------------------------------------------------------------------------------------------- header


def test_the_header_says_where_the_text_comes_from_and_what_was_chosen() -> None:
    data = comes_back(Writer().prose("x").witness())
    kinds = {i.get("type"): i.text for i in all_of(data, "bibl/idno")}
    assert kinds == {"siglum": "EcA", "file": "EcA.txt", "sha256": "0" * 64}
    assert "apply = 0.9; suggest = 0.5" in (one(data, "correction/p").text or "")
    assert one(data, "revisionDesc/change").get("when") == "2026-11-30"
    assert one(data, "licence").get("target") == "https://creativecommons.org/publicdomain/mark/1.0/"


def test_what_is_not_known_of_a_book_is_not_made_up() -> None:
    data = comes_back(Writer().prose("x").witness(title="", year=None))
    title, date = one(data, "bibl/title"), one(data, "bibl/date")
    assert (title.text, title.get("cert")) == ("title unknown", "unknown")
    assert (date.text, date.get("when"), date.get("cert")) == ("date unknown", None, "unknown")
    assert one(data, "bibl/publisher").get("cert") == "medium"


def test_editors_are_named_with_their_orcid() -> None:
    header = replace(HEADER, editors=[("Ada Example", "0000-0002-1825-0097"), ("No Number", "")])
    for data in (tei.edition(Writer().prose("x").witness(), header), tei.collation(_pair("A b", "A c"), header)):
        assert tei.validate(data) == []
        named = [(e.text, e.get("ref")) for e in all_of(data, "titleStmt/editor")]
        assert named == [("Ada Example", "https://orcid.org/0000-0002-1825-0097"), ("No Number", None)]


def test_what_the_codes_of_a_collation_mean_stands_in_its_header() -> None:
    data = tei.collation(_pair("A b", "A c"), HEADER)
    taxonomies = {t.get(ID): {c.get(ID) for c in t} for t in all_of(data, "classDecl/taxonomy")}
    assert {f"vc-{kind.value}" for kind in UnitKind} <= taxonomies["variant-classes"]
    assert {f"rule-{kind.value}" for kind in ChangeKind} == taxonomies["rule-changes"]
    assert all("".join(c.itertext()).strip() for t in all_of(data, "classDecl/taxonomy") for c in t)


@pytest.mark.parametrize("date", ["", "1850", "2026-11", "2026-02-30", "0000", "٢٠٢٦", "St. John's day, 1743", "\x00"])
def test_any_date_and_version_of_a_manifest_can_be_written(date: str) -> None:
    header = tei.Header("x", date, "", "\x01 free", "0.2.0.dev3+g12", {"a": "\x02<b>"})
    witness = Writer().prose("x").witness()
    assert tei.validate(tei.edition(witness, header)) == []
    assert tei.validate(tei.collation(_pair("A b", "A c"), header)) == []


# -------------------------------------------------------------------------------------------------- collation


def _pair(*texts: str | None) -> Work:
    """A work of one locus, its witnesses EcA, EcB ... with these texts; None lacks the law."""
    sigla = [f"Ec{chr(65 + k)}" for k in range(len(texts))]
    return _laws_work([dict(zip(sigla, texts, strict=True))], sigla)


def _laws_work(laws: list[dict[str, str | None]], sigla: list[str]) -> Work:
    """A work whose loci are given as texts by siglum, collated as the program does it."""
    loci = []
    for n, texts in enumerate(laws, 1):
        here = {s: t for s, t in texts.items() if t is not None}
        aligned = collate(here)
        full = tuple({s: row.get(s) for s in sigla} for row in aligned.rows)
        collation = apparatus(Collation(tuple(sigla), full), base=sigla[0])
        loci.append((locus(f"L{n:02}", **dict.fromkeys(here, str(n))), collation))
    witnesses = {}
    for siglum in sigla:
        writer = Writer()
        for n, texts in enumerate(laws, 1):
            if (text := texts.get(siglum)) is not None:
                writer.law(str(n), f"{n}. ", text.replace("{", "(")).space()
        witnesses[siglum] = writer.witness(siglum)
    return work(*loci, **witnesses)


def read_back(made: Work) -> bytes:
    """The collation file of a work, found valid, with every witness read back word for word."""
    data = tei.collation(made, HEADER)
    assert tei.validate(data) == []
    for witness in made.witnesses:
        assert tei.witness_text(data, witness.siglum).split() == words_of(made, witness.siglum)
    return data


def words_of(made: Work, siglum: str) -> list[str]:
    """The words of a witness as its rows have them, parted where it has a space."""
    laws = [[t for row in c.collation.rows if (t := row.get(siglum))] for c in made.loci]
    return " ".join("".join(t.surface + " " * bool(t.space) for t in tokens) for tokens in laws).split()


def test_every_witness_stands_once_in_every_app_and_the_lemma_is_the_base_text() -> None:
    data = read_back(_pair("If he should be the eleventh", "If he be the eleventh", "If she be the eleventh"))
    for app in all_of(data, "app"):
        assert sorted(w for r in app for w in r.get("wit", "").split()) == ["#EcA", "#EcB", "#EcC"]
        assert next(r.tag for r in app) == f"{T}lem"
        assert "#EcA" in app[0].get("wit", "")


def test_accidentals_and_substance_are_told_apart() -> None:
    data = read_back(_pair("the king must show", "the King may show"))
    assert [r.get("type") for r in all_of(data, "rdg")] == ["orthographic", "substantive"]


def test_words_lacking_at_the_end_are_an_omission_with_its_cause() -> None:
    """../shared/cases T07; PITFALLS 8: an empty reading without a cause is not shown."""
    data = read_back(_pair("Moreover the dealer shall pay the pool forthwith.", "the dealer shall pay the pool."))
    assert tei.witness_text(data, "EcA") == "Moreover the dealer shall pay the pool forthwith."
    assert tei.witness_text(data, "EcB") == "the dealer shall pay the pool."
    assert [r.get("cause") for r in all_of(data, "rdg")] == ["omission", "omission"]


def test_a_law_that_a_witness_lacks_is_one_omission_and_then_overlap() -> None:
    """../shared/cases T04; PITFALLS 9: silence is not agreement."""
    laws = [
        {"EcA": "The lowest card deals.", "EcB": "The lowest card deals.", "EcC": "The lowest card deals."},
        {"EcA": "No bystander may speak during the play.", "EcB": "No bystander shall speak during the play."},
    ]
    data = read_back(_laws_work(laws, ["EcA", "EcB", "EcC"]))
    lacking = [r for r in all_of(data, "rdg") if "#EcC" in r.get("wit", "").split()]
    assert [r.get("type") for r in lacking] == ["substantive", "overlap", "overlap"]
    assert {r.get("cause") for r in lacking} == {"omission"}
    assert not any(r.text for r in lacking)
    assert tei.witness_text(data, "EcC") == "The lowest card deals."


def test_a_witness_that_never_differs_is_listed_all_the_same() -> None:
    """../shared/cases T09; PITFALLS 1."""
    laws = [
        {"EcA": "The lowest card deals.", "EcB": "The lowest card shall deal.", "EcC": "The lowest card deals."},
        {"EcA": "Suit must be followed.", "EcB": "Suit must be followed.", "EcC": "Suit must be followed."},
    ]
    data = read_back(_laws_work(laws, ["EcA", "EcB", "EcC"]))
    assert [w.get(ID) for w in all_of(data, "listWit/witness")] == ["EcA", "EcB", "EcC"]
    assert tei.witness_text(data, "EcC") == tei.witness_text(data, "EcA")


def test_a_law_that_the_base_lacks_has_the_first_text_as_lemma() -> None:
    data = read_back(_pair(None, "A card falls.", "A card drops."))
    assert next(lem.get("wit") for lem in all_of(data, "lem")) == "#EcB #EcC"
    assert all(r.get("wit") == "#EcA" for r in all_of(data, "rdg") if not r.text)


def test_text_lost_with_the_page_is_a_lacuna_and_no_omission() -> None:
    table = with_units(rows(EcA="he |may |deal", EcB="he ||"), (UnitKind.LACUNA, 1, 3), EcB=State.LACUNA)
    data = read_back(work((locus("L01", EcA="1", EcB="1"), table), EcA=_one_law(), EcB=_one_law("EcB")))
    lost = one(data, "rdg")
    assert (lost.get("type"), lost.get("cause"), lost.text) == ("lac", None, None)


def _one_law(siglum: str = "EcA") -> Witness:
    return Writer().law("1", "1. ", "he").space().law("2", "2. ", "she").witness(siglum)


def test_an_addition_to_the_base_has_an_empty_lemma() -> None:
    data = read_back(_pair("the trump is turned", "the trump card is turned"))
    lem, rdg = one(data, "lem"), one(data, "rdg")
    assert (lem.text, lem.get("cause")) == (None, "omission")
    assert (rdg.text, rdg.get("cause")) == ("card", "addition")


def test_a_law_recast_is_one_app_of_whole_readings_that_name_their_laws() -> None:
    table = with_units(rows(EcA="If |too |many", EcB="Should |there |be"), (UnitKind.RECAST, 0, 3))
    where = locus("L01", Relation.SPLIT, EcA="1", EcB="1 2")
    data = read_back(work((where, table), EcA=_one_law(), EcB=_one_law("EcB")))
    assert one(data, "rdg").get("corresp") == "editions/EcB.xml#EcB-law01 editions/EcB.xml#EcB-law02"
    assert one(data, "rdg").text == "Should there be"


def test_a_change_of_rule_marks_the_reading_that_shows_it() -> None:
    table = with_units(
        rows(EcA="he |loses |one |point|.", EcB="He |loses |two |points|."),
        (UnitKind.CAPITAL, 0, 1),
        (UnitKind.WORDING, 2, 4),
    )
    where = locus("L01", EcA="1", EcB="1")
    changes = (change("L01", "penalty", where.laws, EcA="one point", EcB="two points"),)
    data = read_back(work((where, table, changes), EcA=_one_law(), EcB=_one_law("EcB")))
    assert [r.get("ana") for r in all_of(data, "rdg")] == [None, "#rule-penalty"]
    note = next(n for n in all_of(data, "div/note") if n.get("type") == "change")
    assert (note.get("ana"), note.get("cert")) == ("#rule-penalty", "0.75")


def test_correspondence_of_laws_is_kept_as_links_with_certainty_and_evidence() -> None:
    """PITFALLS 11 and 12: n:m and moves stand in standOff, and no prose with them."""
    table = rows(EcA="a", EcB="a")
    lone = Collation(("EcA", "EcB"), ({"EcA": Token("x", "x"), "EcB": None},))
    made = work(
        (locus("L01", moved=True, EcA="1", EcB="2"), table),
        (locus("L02", EcA="2", EcB="1"), table),
        (locus("L03", Relation.ONLY, EcA="3"), lone),
        EcA=Writer().law("1", "1", "a").law("2", "2", "b").law("3", "3", "c").witness("EcA"),
        EcB=_one_law("EcB"),
    )
    data = read_back(made)
    links = {link.get(ID): link for link in all_of(data, "link")}
    assert links["ecarte-L01-align"].get("target") == "editions/EcA.xml#EcA-law01 editions/EcB.xml#EcB-law02"
    assert links["ecarte-L01-align"].get("n") == "words in common"
    assert links["ecarte-L01-moved-EcB"].get("target") == "#ecarte-L02 #ecarte-L01"
    assert links["ecarte-L03-lacks-EcB"].get("target") == "#ecarte-L03 #EcB"
    assert all(link.get("cert") and link.get("resp") for link in links.values())
    assert "".join(one(data, "standOff").itertext()).strip() == ""


def test_apps_have_the_keys_of_the_tables() -> None:
    made = _pair("the king must show", "the King may show")
    data = tei.collation(made, HEADER)
    assert [a.get(ID) for a in all_of(data, "app")] == [f"ecarte-L01-{u.id}" for u in made.loci[0].collation.units]


def test_a_word_stays_with_its_point_where_witnesses_are_spaced_differently() -> None:
    table = with_units(rows(EcA="the |deal |; |and", EcB="the |deal|, |and"), (UnitKind.PUNCTUATION, 2, 3))
    data = read_back(work((locus("L01", EcA="1", EcB="1"), table), EcA=_one_law(), EcB=_one_law("EcB")))
    assert [r.text for r in (one(data, "lem"), one(data, "rdg"))] == ["deal ;", "deal,"]


def test_a_difference_of_spacing_alone_is_kept_and_called_so() -> None:
    table = rows(EcA="the |deal |; |and", EcB="the |deal|; |and")
    data = read_back(work((locus("L01", EcA="1", EcB="1"), table), EcA=_one_law(), EcB=_one_law("EcB")))
    assert (one(data, "app").get("type"), one(data, "app").get(ID)) == ("spacing", "ecarte-L01-s01")
    assert one(data, "rdg").get("type") == "orthographic"


def test_two_places_joined_for_a_space_keep_both_keys() -> None:
    table = with_units(rows(EcA="card|x|. ", EcB="card |y |, "), (UnitKind.WORDING, 0, 2), (UnitKind.PUNCTUATION, 2, 3))
    data = read_back(work((locus("L01", EcA="1", EcB="1"), table), EcA=_one_law(), EcB=_one_law("EcB")))
    assert one(data, "app").get(ID) == "ecarte-L01-u01"
    assert one(data, "anchor").get(ID) == "ecarte-L01-u02"


def test_a_reading_is_plain_text_whatever_it_holds() -> None:
    """PITFALLS 5, 6, 10 and 17."""
    data = read_back(_pair("a <b> & c", "a 𝕏 &amp; c"))
    assert all(len(r) == 0 for r in all_of(data, "rdg"))
    table = with_units(rows(EcA="a\x0b |b", EcB="c |b"), (UnitKind.WORDING, 0, 1))
    data = tei.collation(work((locus("L01", EcA="1"), table), EcA=_one_law(), EcB=_one_law("EcB")), HEADER)
    assert tei.validate(data) == []
    assert one(data, "lem").text == "a\N{REPLACEMENT CHARACTER}"


def test_the_same_work_gives_the_same_bytes() -> None:
    assert tei.collation(_pair("a b c", "a d c"), HEADER) == tei.collation(_pair("a b c", "a d c"), HEADER)


# ------------------------------------------------------------------------------- validity, by every validator


@pytest.fixture(scope="session")
def documents() -> dict[str, bytes]:
    """An edition file and a collation file with everything in them that we can write."""
    writer = Writer().page("98").prose("A preface\n\nof two parts. ").heading("LAWS. ", 1).heading("Of \x01 Dealing.\n")
    writer.law("1", "{l=>1}. ", "He {p>ack=>pack}s the over{break:- =>}plus; see law 2, b. ", refs={"law 2, b": "2.b"})
    writer.space("\f").page("99").space("{header:CARDS=>} {pageNum:99=>} ")
    writer.law(
        "2", "2. ", "There are: ", ("a", "(a) ", "one;\n"), ("b", "(b) ", "{spacing:tw o=>two} ;H."), "\n\nMore. "
    )
    writer.law(
        "SW.1", "", "or {print:If=>if} so. * A note.", gaps=[("start", "truncated")], notes=["* A note."], cert=0.5
    )
    first = writer.prose("The end.").doubt("end", "and").witness("EcA")
    laws = [
        {"EcA": "The king must show it, and lose.", "EcB": "the King may show it and loses ;", "EcC": "He loses."},
        {"EcA": "No bystander may speak.", "EcB": None, "EcC": "No bystander speaks."},
        {"EcA": None, "EcB": "A card 3 is played.", "EcC": None},
    ]
    return {
        "editions/EcA.xml": tei.edition(first, HEADER),
        "ecarte.xml": tei.collation(_laws_work(laws, ["EcA", "EcB", "EcC"]), HEADER),
    }


def test_the_small_schema_is_what_the_script_cuts_out_of_tei_all(root: Path) -> None:
    subprocess.run([sys.executable, str(root / "tei" / "schema" / "cut.py"), "--check"], check=True)


def test_the_small_schema_loads_in_no_time(root: Path) -> None:
    began = time.perf_counter()
    etree.RelaxNG(etree.parse(root / "tei" / "schema" / "variorum.rng"))
    assert time.perf_counter() - began < 0.2


def test_files_are_valid_for_a_second_validator(documents: dict[str, bytes], root: Path, tmp_path: Path) -> None:
    jing(root / "tei" / "schema" / "tei_all.rng", documents, tmp_path)


def jing(schema: Path, documents: dict[str, bytes], folder: Path) -> None:
    """Validates documents with jing; they have to be without a complaint."""
    program = shutil.which("jing")
    if program is None:
        pytest.skip("jing is not installed")
    paths = []
    for n, data in enumerate(documents.values()):
        paths.append(folder / f"{n}.xml")
        paths[-1].write_bytes(data)
    done = subprocess.run([program, str(schema), *map(str, paths)], capture_output=True, text=True)
    assert done.stdout == ""
    assert done.returncode == 0


@pytest.mark.slow
def test_files_are_valid_in_tei_all(documents: dict[str, bytes], root: Path) -> None:
    schema = etree.RelaxNG(etree.parse(root / "tei" / "schema" / "tei_all.rng"))
    for name, data in documents.items():
        assert schema.validate(tree(data)), f"{name}: {schema.error_log}"


@pytest.fixture(scope="session")
def profile(root: Path) -> Schematron:
    """What the programs that read our files need; PITFALLS 1, 2, 4, 7, 8, 12, 13, 18, 19, 23 and 24 are its rules."""
    return Schematron((root / "tei" / "schema" / "profile.sch").read_bytes())


def test_files_keep_the_rules_of_tei_and_of_the_programs_that_read_them(
    documents: dict[str, bytes], root: Path, profile: Schematron
) -> None:
    rules = Schematron((root / "tei" / "schema" / "tei_all.sch").read_bytes())
    for data in documents.values():
        assert rules.complaints(data) == []
        assert profile.complaints(data) == []


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda x: x.replace(b' wit="#EcA"', b"", 1), "each witness must be named exactly once"),
        (lambda x: x.replace(b"</lem>", b" </lem>", 1), "no leading, trailing or double white space"),
        (lambda x: x.replace(b' cause="omission"', b""), "empty rdg needs @cause"),
        (lambda x: x.replace(b'"#vc-wording"', b'"#vc-nothing"'), "dangling pointer"),
    ],
)
def test_the_rules_see_a_fault(
    documents: dict[str, bytes], profile: Schematron, change: Callable[[bytes], bytes], complaint: str
) -> None:
    broken = change(documents["ecarte.xml"])
    assert broken != documents["ecarte.xml"]
    assert any(complaint in said.text for said in profile.complaints(broken))
    assert all(isinstance(said, Complaint) and said.path for said in profile.complaints(broken))


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (b"<app ", b"<ap ", "line "),
        (b' wit="#EcA"', b"", "not each witness once"),
        (b"#vc-wording", b"#vc-nothing", "points to #vc-nothing"),
        (b'xml:id="EcB"', b'xml:id="EcA"', "already defined"),
        (b'xml:id="ecarte-L01"', b'xml:id="L.1"', "letters, digits and hyphens"),
        (b"</TEI>", b"", "not well-formed"),
    ],
)
def test_a_file_that_is_not_what_we_write_is_refused_with_its_line(
    documents: dict[str, bytes], old: bytes, new: bytes, complaint: str
) -> None:
    broken = documents["ecarte.xml"].replace(old, new, 1)
    problems = tei.validate(broken)
    assert any(complaint in problem and "line " in problem for problem in problems)
    with pytest.raises(EncodingError, match=r"ecarte\.xml: is not valid TEI"):
        tei.checked(broken, "ecarte.xml")


def test_nine_thousand_apps_are_written_and_validated_in_seconds() -> None:
    lines = {"EcA": "the |king |must |show |it|, |or |a ", "EcB": "the |King |may |shew |it|; |or |b "}
    table = rows(**{s: "|".join([line] * 25) for s, line in lines.items()})
    kinds = ((UnitKind.CAPITAL, 1), (UnitKind.WORDING, 2), (UnitKind.SPELLING, 3), (UnitKind.PUNCTUATION, 5))
    units = [(kind, 8 * n + k, 8 * n + k + 1) for n in range(25) for kind, k in (*kinds, (UnitKind.WORDING, 7))]
    table = with_units(table, *units)
    loci = [(locus(f"L{n:03}", EcA="1", EcB="1"), table) for n in range(72)]
    made = work(*loci, EcA=_one_law(), EcB=_one_law("EcB"))
    began = time.process_time()
    data = tei.collation(made, HEADER)
    assert tei.validate(data) == []
    assert len(all_of(data, "app")) == 9000
    assert time.process_time() - began < 3


# ------------------------------------------------------------------------------------------------- the guide


def specimens(root: Path) -> list[str]:
    """The pieces of XML that the encoding guide shows."""
    guide = (root / "tei" / "README.md").read_text(encoding="utf-8")
    return re.findall(r"```xml\n(.*?)```", guide, re.DOTALL)


def test_the_guide_shows_what_the_sample_has(root: Path) -> None:
    subprocess.run([sys.executable, str(root / "tei" / "guide.py"), "--check"], check=True)


def test_the_guide_shows_nothing_that_the_schema_does_not_know(root: Path) -> None:
    keep = runpy.run_path(str(root / "tei" / "schema" / "cut.py"))["ATTRIBUTES"]
    assert specimens(root)
    for specimen in specimens(root):
        for element in etree.fromstring(f"<guide>{specimen}</guide>").iter():
            if element.tag != "guide":
                names = {key.replace("{http://www.w3.org/XML/1998/namespace}", "xml:") for key in element.attrib}
                assert names <= keep[element.tag], f"{element.tag} in {specimen}"


def test_the_guide_shows_every_element_that_we_write_in_a_text(root: Path, documents: dict[str, bytes]) -> None:
    shown = set(re.findall(r"<(\w+)", "".join(specimens(root))))
    parts = [part for data in documents.values() for part in tree(data) if part.tag != f"{T}teiHeader"]
    written = {etree.QName(element).localname for part in parts for element in part.iter()}
    assert written - shown == {"text", "body", "standOff"}


# ------------------------------------------------------------------------------------------- files of others


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not well-formed"),
        (b"<TEI", "line 1"),
        (b"<html/>", "root element is html"),
        (b"<TEI/>", "not TEI in the namespace"),
        (
            b'<!DOCTYPE TEI SYSTEM "http://example.org/x.dtd"><TEI xmlns="http://www.tei-c.org/ns/1.0"/>',
            "document type",
        ),
        (
            b'<!DOCTYPE TEI [<!ENTITY x SYSTEM "file:///etc/hostname">]><TEI xmlns="http://www.tei-c.org/ns/1.0">&x;</TEI>',
            "document type",
        ),
        (b'<TEI xmlns="http://www.tei-c.org/ns/1.0"/>', "no text/body"),
        (b'<TEI xmlns="http://www.tei-c.org/ns/1.0">' + b"<p>" * 5000, "not well-formed"),
    ],
)
def test_what_is_not_our_tei_is_refused_in_one_line(data: bytes, said: str) -> None:
    with pytest.raises(SourceError, match=said) as caught:
        tei.raw_text(data)
    assert "\n" not in str(caught.value)


def test_a_witness_that_is_not_listed_is_refused_with_those_that_are(documents: dict[str, bytes]) -> None:
    with pytest.raises(SourceError, match="EcA, EcB, EcC"):
        tei.witness_text(documents["ecarte.xml"], "Ec")


def test_a_word_of_rend_that_we_do_not_know_is_refused(documents: dict[str, bytes]) -> None:
    broken = documents["editions/EcA.xml"].replace(b'rend="hyphen space"', b'rend="hyphen blob"')
    with pytest.raises(SourceError, match="'blob' names no character"):
        tei.raw_text(broken)


def test_comments_of_another_hand_do_not_break_the_text(documents: dict[str, bytes]) -> None:
    data = documents["editions/EcA.xml"]
    noted = data.replace(b"</choice>", b"</choice><!-- sic? -->").replace(b"<body>", b"<body><?oxygen x?>")
    assert tei.raw_text(noted) == tei.raw_text(data)


# ---------------------------------------------------------------------------------------------- random input

PIECES = [
    *("the ", "deal ", "1. ", "(a) ", "CARDS ", "- ", "-\n", "\n", "\n\n", " ", "\f", "\r", "\x00", "\x1b", "\ufffe"),
    *("<b>", "&amp;", "]]>", "écarté", "𝕏", "\u00ad", "\u2028", "\x85", '"', "'", "a", "9"),
]
TEXT = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
READS = st.one_of(st.just(""), st.sampled_from(["pack", "-", " ", "de", "\n\n", "\x0b", "𝕏"]), st.text(max_size=3))


def spans(draw: st.DrawFn, start: int, end: int, most: int) -> list[tuple[int, int]]:
    """Up to `most` spans in order within [start, end), none empty."""
    cuts = sorted(draw(st.sets(st.integers(start, end), max_size=2 * most)))
    return [(a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=False) if a < b]


@st.composite
def corrections(draw: st.DrawFn, raw: str) -> tuple[Correction, ...]:
    done = []
    for start, end in spans(draw, 0, len(raw), 6):
        kind = draw(st.sampled_from(CorrectionKind))
        role = draw(st.sampled_from(["header", "pageNum", "catch", "sig"])) if kind is CorrectionKind.FURNITURE else ""
        found = raw[start:end]
        shaped = st.sampled_from([found[:1], found[1:], found[:1] + found[2:], found[:1] + "x" + found[1:]])
        reads = draw(st.one_of(READS, shaped))
        if reads != found:
            cert = draw(st.floats(0, 1))
            rule = draw(st.sampled_from(["breaks.hyphen", "words", "ruling:someone", "é.x", ""]))
            done.append(Correction(start, end, found, reads, kind, rule, cert, draw(TEXT), role))  # type: ignore[arg-type]
    return tuple(done)


def clauses(draw: st.DrawFn, start: int, end: int, depth: int = 0) -> tuple[Clause, ...]:
    made = []
    for a, b in spans(draw, start, end, 3):
        label_end = draw(st.integers(a, b))
        inside = clauses(draw, label_end, b, depth + 1) if depth < 2 else ()
        made.append(Clause(draw(st.sampled_from(["a", "b", "i", "*", "", "\x00"])), "", a, b, label_end, inside))
    return tuple(made)


def a_law(draw: st.DrawFn, key: str, start: int, end: int) -> Law:
    label_end = draw(st.integers(start, end))
    references = [
        Reference(a, b, draw(st.sampled_from(["1", "2.a", "", "x"])), 0.5) for a, b in spans(draw, start, end, 2)
    ]
    gaps = [Gap(a, b, "illegible") for a, b in spans(draw, start, end, 1)]
    ends = draw(st.sampled_from([(), (Gap(start, start, "truncated"),), (Gap(end, end, "truncated"),)]))
    return Law(
        key,
        draw(st.sampled_from(["1", "12", "99999999999999999999", "IV", ""])),
        "",
        "",
        "",
        start,
        end,
        label_end,
        clauses(draw, label_end, end),
        tuple(Note("", a, b, draw(st.sampled_from(["*", ""]))) for a, b in spans(draw, start, end, 2)),
        (*gaps, *ends),
        tuple(references),
        draw(st.sampled_from([1.0, 0.6])),
    )


@st.composite
def witnesses(draw: st.DrawFn) -> Witness:
    """Any witness the model allows, and many that no stage would make."""
    raw = draw(TEXT)
    blocks: list[Law | Heading | Prose] = []
    for n, (start, end) in enumerate(spans(draw, 0, len(raw), 5), 1):
        kind = draw(st.sampled_from(["law", "law", "heading", "prose"]))
        if kind == "law":
            blocks.append(a_law(draw, draw(st.sampled_from([str(n), f"SW.{n}"])), start, end))
        elif kind == "heading":
            blocks.append(Heading("", start, end, draw(st.integers(0, 4))))
        else:
            blocks.append(Prose("", start, end))
    starts = sorted({0, *draw(st.sets(st.integers(0, len(raw)), max_size=3))})
    pages = tuple(
        Page(n, start, end, draw(st.sampled_from(["", "98", "xiv", "*"])))
        for n, (start, end) in enumerate(zip(starts, [*starts[1:], len(raw)], strict=True), 1)
    )
    return _witness(raw, draw(corrections(raw)), tuple(blocks), pages=pages)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(witness=witnesses())
def test_any_witness_can_be_written_and_comes_back(profile: Schematron, witness: Witness) -> None:
    data = comes_back(witness)
    assert [c for c in profile.complaints(data) if c.role == "error"] == []


CELLS = ["", "the", "deal", ";", ".", "<b>", "&", "𝕏", "a b", "écarté", "(", "—"]


@st.composite
def works(draw: st.DrawFn) -> Work:
    """Any work: random tables of words and spaces, random units over them, loci anywhere, witnesses lacking."""
    sigla = ["EcA", "EcB", "EcC"][: draw(st.integers(1, 3))]
    loci = []
    for n in range(draw(st.integers(0, 3))):
        here = draw(st.lists(st.sampled_from(sigla), min_size=1, unique=True))
        table = _table(draw, sigla, here)
        if draw(st.booleans()):
            table = apparatus(table, base=draw(st.sampled_from([None, *sigla])))
        else:
            kinds = st.sampled_from(UnitKind)
            table = with_units(table, *((draw(kinds), a, b) for a, b in spans(draw, 0, len(table.rows), 3)))
        laws = {s: "1" for s in sigla if s in here}
        place = locus(f"L{n + 1:02}", draw(st.sampled_from(Relation)), draw(st.booleans()), **laws)
        shown = {s: draw(st.sampled_from(CELLS)) for s in here}
        loci.append(Collated(place, table, (change(place.id, "quantity", place.laws, **shown),)))
    concordance = Concordance(tuple(sigla), tuple(c.locus for c in loci))
    return Work("ecarte", "Laws\x00", sigla[-1], tuple(map(_one_law, sigla)), concordance, tuple(loci))


def _table(draw: st.DrawFn, sigla: list[str], here: list[str]) -> Collation:
    made = []
    for _ in range(draw(st.integers(0, 7))):
        shared = draw(st.one_of(st.none(), st.sampled_from(CELLS)))
        row = {}
        for s in sigla:
            cell = "" if s not in here else draw(st.sampled_from(CELLS)) if shared is None else shared
            row[s] = Token(cell, cell.lower(), draw(st.sampled_from(["", " ", "  "]))) if cell else None
        made.append(row)
    return Collation(tuple(sigla), tuple(made))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(made=works())
def test_any_work_can_be_written_and_every_witness_read_back(profile: Schematron, made: Work) -> None:
    data = read_back(made)
    assert [c for c in profile.complaints(data) if c.role == "error"] == []


def test_random_files_are_valid_for_a_second_validator(root: Path, tmp_path: Path) -> None:
    made: dict[str, bytes] = {}

    @settings(max_examples=40, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
    @given(witnesses(), works())
    def gather(witness: Witness, work: Work) -> None:
        made[f"e{len(made)}"] = tei.edition(witness, HEADER)
        made[f"c{len(made)}"] = tei.collation(work, HEADER)

    gather()
    jing(root / "tei" / "schema" / "tei_all.rng", made, tmp_path)


@pytest.mark.shared
def test_the_examples_of_the_encoding_are_read_as_ours_are(shared: Path) -> None:
    editions = shared / "tei" / "examples" / "editions"
    raw = (shared / "seeds" / "ecarte-a.ocr.txt").read_text(encoding="utf-8")
    text = tei.raw_text((editions / "E000.xml").read_bytes())
    laws = unicodedata.normalize("NFC", raw)
    for sentence in ("the deal is void, unless it should be the eleventh or trump>card.", "over- plus cards"):
        assert sentence in text
        assert sentence in laws
