"""Tables: what a scholar opens in a spreadsheet is what was printed, and nothing in it is alive."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import rows, with_units
from variorum.edition import Edition
from variorum.model import (
    Change,
    ChangeKind,
    Clause,
    Collated,
    Collation,
    Concordance,
    Correction,
    CorrectionKind,
    Fact,
    Finding,
    Imprint,
    Law,
    Locus,
    Page,
    Reading,
    Relation,
    Repair,
    Segmented,
    Source,
    State,
    Token,
    Unit,
    UnitKind,
    Witness,
    Work,
)
from variorum.tables import (
    TABLES,
    csv_bytes,
    files,
    latex_bytes,
    markdown_bytes,
    parquet_bytes,
    sheet_names,
    tables,
    workbook_bytes,
)

UNKNOWN = Imprint(
    Fact("", "unknown"), Fact("", "unknown"), Fact("", "unknown"), None, None, "unknown", "our own", "public domain"
)


def witness(siglum: str, laws: Mapping[str, str], work: str = "play") -> Witness:
    """A witness whose raw text is "1. First law." a line each, without any correction."""
    raw, blocks = "", []
    for number, text in laws.items():
        start = len(raw)
        raw += f"{number}. {text}\n"
        blocks.append(Law(number, number, number, "", text, start, len(raw) - 1, start + len(number) + 1))
    segmented = Segmented(Repair(raw, pages=(Page(1, 0, len(raw), "99"),)), tuple(blocks))
    return Witness(siglum, work, UNKNOWN, Source(raw, f"{siglum}.txt", "ab" * 32, "utf-8"), segmented)


def one_to_one(*witnesses: Witness, relation: Relation = Relation.SAME) -> Work:
    """A work in which laws of the same number stand at one locus, without variants."""
    numbers = list(dict.fromkeys(law.id for w in witnesses for law in w.laws))
    loci = tuple(
        Locus(
            f"L{k:02}",
            {w.siglum: (number,) for w in witnesses if number in [law.id for law in w.laws]},
            relation,
            False,
            1.0,
            "same number",
        )
        for k, number in enumerate(numbers, 1)
    )
    sigla = tuple(w.siglum for w in witnesses)
    collated = tuple(Collated(locus, Collation(sigla, ())) for locus in loci)
    return Work(witnesses[0].work, "A Game", sigla[0], witnesses, Concordance(sigla, loci), collated)


def specimen() -> tuple[Work, tuple[Finding, ...]]:
    """Law 1 with a misread word, split in B; law 4 moved; one substantive and one accidental variant; one change."""
    raw = "CARDS 99\n1. The dea1er must not deal.\n4. (a) Cut."
    repair = Repair(
        raw,
        (
            Correction(0, 8, "CARDS 99", "", CorrectionKind.FURNITURE, "running-head", 0.9, "stands alone", "header"),
            Correction(16, 22, "dea1er", "dealer", CorrectionKind.MISREADING, "lexicon", 0.75, "1 for l"),
        ),
        pages=(Page(1, 0, 9, "98"), Page(2, 9, len(raw), "99")),
    )
    laws = (
        Law("1", "1", "1", "", "The dealer must not deal.", 9, 37, 11),
        Law("4", "4", "4", "", "", 38, 48, 40, clauses=(Clause("a", "Cut.", 41, 48, 44),)),
    )
    a = Witness("A", "play", UNKNOWN, Source(raw, "a.txt"), Segmented(repair, laws))
    b = witness("B", {"1": "The Dealer may", "2": "not deal.", "3": "Cut."})
    split = Locus("L01", {"A": ("1",), "B": ("1", "2")}, Relation.SPLIT, False, 0.91234567, "both halves")
    moved = Locus("L02", {"A": ("4",), "B": ("3",)}, Relation.SAME, True, 1.0, "equal")
    words = [("The", "The"), ("dealer", "Dealer"), ("must", "may"), ("not", "not"), ("deal.", "deal.")]
    rows = tuple({"A": Token(x, x.lower(), " "), "B": Token(y, y.lower(), " ")} for x, y in words)
    units = (
        Unit("u1", UnitKind.CAPITAL, 1, 2, (Reading("dealer", ("A",)), Reading("Dealer", ("B",)))),
        Unit("u2", UnitKind.WORDING, 2, 3, (Reading("must", ("A",)), Reading("may", ("B",)))),
    )
    change = Change(
        "L01",
        split.laws,
        ChangeKind.MODALITY,
        "altered",
        {"A": "must not", "B": "may not"},
        "A commands where B allows.",
        0.8,
    )
    work = Work(
        "play",
        "A Game",
        "A",
        (a, b),
        Concordance(("A", "B"), (split, moved)),
        (Collated(split, Collation(("A", "B"), rows, units), (change,)), Collated(moved, Collation(("A", "B"), ()))),
    )
    findings = (
        Finding("odd-word", "Is this a word?", 16, 22, "A", ("dealer", "healer")),
        Finding("no-date", "No date is known.", siglum="B", problem=True),
        Finding("far", "A remark on the corpus."),
    )
    return work, findings


def row(frame: pd.DataFrame, **wanted: object) -> dict[str, Any]:
    """The one row of a table in which these cells stand."""
    rows = [r for r in frame.to_dict("records") if all(r[k] == v for k, v in wanted.items())]
    assert len(rows) == 1, (wanted, rows)
    return {str(k): v for k, v in rows[0].items()}


@pytest.fixture(scope="module")
def made() -> dict[str, pd.DataFrame]:
    work, findings = specimen()
    return tables([work], work.witnesses, findings)


# ----------------------------------------------------------------------------------------------------------- the tables


def test_the_concordance_shows_which_law_of_each_edition_stands_at_a_locus(made: dict[str, pd.DataFrame]) -> None:
    frame = made["concordance"]
    assert list(frame.columns) == ["work", "locus", "A", "B", "relation", "moved", "cert", "evidence"]
    assert row(frame, locus="play-L01")["B"] == "1 + 2"
    assert row(frame, locus="play-L01")["cert"] == 0.9123
    assert row(frame, locus="play-L02") == {
        "work": "play", "locus": "play-L02", "A": "4", "B": "3",
        "relation": "same", "moved": True, "cert": 1.0, "evidence": "equal",
    }  # fmt: skip


def test_laws_of_a_split_locus_stand_side_by_side_a_line_each(made: dict[str, pd.DataFrame]) -> None:
    first = row(made["synopsis"], locus="play-L01")
    assert (first["A"], first["B"]) == ("The dealer must not deal.", "The Dealer may\nnot deal.")
    assert row(made["synopsis"], locus="play-L02")["A"] == "(a) Cut."


def test_the_register_finds_law_3_and_not_31_or_32() -> None:
    texts = {"3": "The dealer plays last.", "13": "The eldest leads.", "31": "A revoke.", "32": "Honours."}
    a = witness("A", texts)
    register = tables([one_to_one(a)], [a], [])["register"]
    assert row(register, witness="A", number="3")["text"] == "The dealer plays last."
    assert list(register["law"]) == ["A-law03", "A-law13", "A-law31", "A-law32"]
    assert list(register["line"]) == [1, 2, 3, 4]


def test_every_reading_of_a_unit_has_a_row_and_the_lemma_comes_first(made: dict[str, pd.DataFrame]) -> None:
    frame = made["variants"]
    assert list(frame["unit"]) == ["play-L01-u1"] * 2 + ["play-L01-u2"] * 2
    assert list(frame["class"]) == ["accidental"] * 2 + ["substantive"] * 2
    may = row(frame, reading="may")
    assert (may["lemma"], may["witnesses"], may["before"], may["is_lemma"]) == ("must", "B", "The dealer", False)


def test_a_change_of_rule_names_laws_and_words_of_each_edition(made: dict[str, pd.DataFrame]) -> None:
    (change,) = made["changes"].to_dict("records")
    assert (change["laws"], change["A"], change["B"]) == ("A 1; B 1 + 2", "must not", "may not")
    assert change["of_rule"] is True


def test_a_correction_says_where_what_and_why(made: dict[str, pd.DataFrame]) -> None:
    word = row(made["corrections"], kind="misreading")
    assert word == {
        "witness": "A", "page": "2", "folio": "99", "line": 2, "law": "A-law01", "found": "dea1er", "reads": "dealer",
        "kind": "misreading", "role": "", "rule": "lexicon", "decided": "program", "cert": 0.75,
        "evidence": "1 for l",
        "image": "", "box": "", "start": 16, "end": 22,
    }  # fmt: skip
    head = row(made["corrections"], kind="furniture")
    assert (head["line"], head["page"], head["law"], head["role"]) == (1, "1", "", "header")


def test_a_finding_about_a_whole_witness_names_no_line(made: dict[str, pd.DataFrame]) -> None:
    assert row(made["findings"], code="no-date")["line"] == ""
    odd = row(made["findings"], code="odd-word")
    assert (odd["line"], odd["law"], odd["found"], odd["candidates"]) == (2, "A-law01", "dea1er", "dealer | healer")
    assert row(made["findings"], code="far")["witness"] == ""


def test_a_witness_is_counted_and_its_unknown_facts_are_called_unknown(made: dict[str, pd.DataFrame]) -> None:
    a = row(made["witnesses"], witness="A")
    assert (a["laws"], a["words"], a["misreadings"], a["furniture"], a["findings"]) == (2, 7, 1, 1, 1)
    assert (a["title"], a["title_status"], a["not_before"], a["base"]) == ("", "unknown", "", True)


def three() -> Work:
    """One law in three editions of 1850, 1860 and no known year: C lacks "always" and has "shew" with A."""
    texts = {
        "A": "The |dealer |must |always |shew |it",
        "B": "The |dealer |may |always |show |it",
        "C": "The |dealer |must ||shew |it",
    }
    collation = with_units(
        rows(**texts), (UnitKind.WORDING, 2, 3), (UnitKind.OMISSION, 3, 4), (UnitKind.SPELLING, 4, 5)
    )
    years = {"A": 1850, "B": 1860, "C": None}
    witnesses = [
        replace(w, imprint=replace(w.imprint, not_before=years[w.siglum], not_after=years[w.siglum]))
        for w in (witness(s, {"1": t.replace("|", "")}) for s, t in texts.items())
    ]
    work = one_to_one(*witnesses)
    return replace(work, loci=(replace(work.loci[0], collation=collation),))


def test_presence_shows_where_in_the_order_of_each_edition_a_law_stands(made: dict[str, pd.DataFrame]) -> None:
    assert row(made["presence"], locus="play-L01")["B"] == "1 + 2"
    moved = row(made["presence"], locus="play-L02")
    assert (moved["A"], moved["B"], moved["moved"], moved["witnesses"], moved["of"]) == ("2", "3", True, 2, 2)


def test_presence_names_the_first_and_last_dated_edition_of_a_law() -> None:
    work = three()
    found = row(tables([work], work.witnesses, [])["presence"], locus="play-L01")
    assert (found["first"], found["last"], found["witnesses"]) == ("A", "B", 3)


def test_a_change_names_the_earliest_dated_edition_that_has_it() -> None:
    work = three()
    c = replace(work.witnesses[2], imprint=replace(work.witnesses[2].imprint, not_before=1855))
    locus = work.loci[0].locus
    found = [
        Change("L01", locus.laws, ChangeKind.MODALITY, "altered", {"A": "must", s: words}, "It differs.", 0.8)
        for s, words in (("B", "may"), ("C", "May"), ("C", "can"))
    ]
    work = replace(work, witnesses=(*work.witnesses[:2], c), loci=(replace(work.loci[0], changes=tuple(found)),))
    frame = tables([work], work.witnesses, [])["changes"]
    assert list(frame["first"]) == ["C", "C", "C"]  # "may" is in C of 1855 and in B of 1860
    assert list(tables([three()], three().witnesses, [])["changes"]["first"]) == []


def test_similarity_is_the_share_of_words_that_stand_alike_in_one_place() -> None:
    work = three()
    frame = tables([work], work.witnesses, [])["similarity"].set_index("witness")
    assert frame.loc["A", "A"] == 1.0
    assert frame.loc["A", "B"] == frame.loc["B", "A"] == round(2 * 4 / 12, 4)  # the, dealer, always, it
    assert frame.loc["A", "C"] == round(2 * 5 / 11, 4)  # the, dealer, must, shew, it


def test_witnesses_of_different_works_have_no_similarity() -> None:
    a, b = witness("A", {"1": "Cut."}), witness("B", {"1": "Deal."}, "other")
    frame = tables([one_to_one(a), one_to_one(b)], [a, b], [])["similarity"].set_index("witness")
    assert frame.loc["A", "B"] == ""


def test_shared_variants_count_where_two_witnesses_go_together_against_a_third() -> None:
    work = three()
    frame = tables([work], work.witnesses, [])["shared_variants"]
    sense = frame[frame["class"] == "substantive"].set_index("witness")
    points = frame[frame["class"] == "accidental"].set_index("witness")
    assert list(sense.loc["A", ["A", "B", "C"]]) == [2, 1, 1]  # with C "must", with B "always"
    assert sense.loc["B", "C"] == 0
    assert (points.loc["A", "C"], points.loc["A", "B"]) == (1, 0)  # "shew"


def test_misread_letters_and_lost_words_say_nothing_of_how_editions_are_related() -> None:
    work = three()
    torn = with_units(
        work.loci[0].collation, (UnitKind.OCR, 2, 3), (UnitKind.LACUNA, 3, 4), (UnitKind.ABSENT, 4, 5), C=State.LACUNA
    )
    work = replace(work, loci=(replace(work.loci[0], collation=torn),))
    frame = tables([work], work.witnesses, [])["shared_variants"]
    assert set(frame["A"]) | set(frame["B"]) | set(frame["C"]) == {0}


def test_the_word_list_puts_the_spellings_of_a_word_together() -> None:
    work = three()
    frame = tables([work], work.witnesses, [])["words"]
    shew = frame[frame["word"] == "shew"]
    assert [tuple(r) for r in shew[["spelling", "spellings", "count", "A", "B", "C"]].to_numpy()] == [
        ("shew", 2, 2, 1, 0, 1),
        ("show", 2, 1, 0, 1, 0),
    ]
    assert row(frame, spelling="must")["spellings"] == 1


def test_a_word_is_doubtful_where_the_editor_should_look() -> None:
    raw = "1. The dea1er may call tbe king."
    corrections = [
        Correction(
            raw.index("dea1er"), raw.index("dea1er") + 6, "dea1er", "dealer", CorrectionKind.MISREADING, "r", 0.6
        ),
        Correction(raw.index("tbe"), raw.index("tbe") + 3, "tbe", "the", CorrectionKind.MISREADING, "r", 0.99),
    ]
    doubts = (
        Finding("correction-suggested", "?", raw.index("king"), raw.index("king") + 4, candidates=("ring",)),
        Finding("law-truncated", "All of it.", 0, len(raw)),
    )
    law = Law("1", "1", "1", "", "The dealer may call the king.", 0, len(raw), 2)
    segmented = Segmented(Repair(raw, tuple(corrections), doubts), (law,))
    a = Witness("A", "play", UNKNOWN, Source(raw), segmented)
    found = row(tables([one_to_one(a)], [a], [])["witnesses"], witness="A")
    assert found["doubtful"] == round(2 / 7, 4)  # "dea1er" and "king." of seven, the number with them
    assert found["corrections"] == 2


def test_every_column_of_every_table_is_explained_and_nothing_else(made: dict[str, pd.DataFrame]) -> None:
    explained = set(zip(made["columns"]["table"], made["columns"]["column"], strict=True))
    assert explained == {(name, column) for name, frame in made.items() for column in frame.columns}
    assert set(made) == set(TABLES)
    assert all(made["columns"]["meaning"].str.len() > 10)


def test_two_works_share_one_concordance_with_a_column_for_each_witness() -> None:
    a, b = witness("A", {"1": "Cut."}), witness("B", {"1": "Deal."}, "other")
    frame = tables([one_to_one(a), one_to_one(b)], [a, b], [])["concordance"]
    assert list(zip(frame["work"], frame["A"], frame["B"], strict=True)) == [("play", "1", ""), ("other", "", "1")]


def test_a_siglum_that_is_the_name_of_a_column_keeps_a_column_of_its_own() -> None:
    a = witness("work", {"1": "Cut."})
    frame = tables([one_to_one(a)], [a], [])["concordance"]
    assert (frame["work"][0], frame["witness work"][0]) == ("play", "1")


def test_an_edition_without_laws_gives_empty_tables_with_all_their_columns() -> None:
    made = tables([], [], [])
    assert all(len(frame) == 0 for name, frame in made.items() if name != "columns")
    assert list(made["concordance"].columns) == ["work", "locus", "relation", "moved", "cert", "evidence"]
    assert csv_bytes(made["concordance"]).count(b"\r\n") == 1
    assert openpyxl.load_workbook(io.BytesIO(workbook_bytes(made))).sheetnames[0] == "contents"


# ------------------------------------------------------------------------------------------------------------ the files


def readings(*texts: str) -> dict[str, pd.DataFrame]:
    """Tables of a work whose laws have these texts."""
    a = witness("A", {str(k): text for k, text in enumerate(texts, 1)})
    return tables([one_to_one(a)], [a], [])


def csv_rows(data: bytes) -> list[list[str]]:
    csv.field_size_limit(10**7)  # a law may be longer than a cell is by default
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def sheet(data: bytes, name: str) -> list[list[Any]]:
    book = openpyxl.load_workbook(io.BytesIO(data))
    return [[cell.value for cell in line] for line in book[name].iter_rows()]


def test_accents_and_signs_survive_a_double_click_on_the_csv() -> None:
    text = "Écarté — the dealer’s stake is 2½ guineas, £3."
    data = csv_bytes(readings(text)["synopsis"])
    assert data.startswith(b"\xef\xbb\xbf")
    assert csv_rows(data)[0][0] == "work"
    assert csv_rows(data)[1][3] == text


def test_words_that_look_like_no_value_stay_words() -> None:
    words = ["None", "NA", "nan", "null", "True", "007", "0005", "1-2", "1e5", "3/4", " leading"]
    made = readings(*words)
    assert [line[3] for line in csv_rows(csv_bytes(made["synopsis"]))[1:]] == words
    assert [line[3] for line in sheet(workbook_bytes(made), "synopsis")[1:]] == words
    back = pd.read_csv(io.BytesIO(csv_bytes(made["synopsis"])), dtype=str, keep_default_na=False)
    assert list(back["A"]) == words


def test_a_wanting_reading_is_told_from_the_word_none_by_its_state() -> None:
    a, b = witness("A", {"1": "None but"}), witness("B", {"1": "but"})
    work = one_to_one(a, b)
    unit = Unit("u1", UnitKind.OMISSION, 0, 1, (Reading("None", ("A",)), Reading("", ("B",), State.OMISSION)))
    collation = Collation(("A", "B"), ({"A": Token("None", "none", " "), "B": None},), (unit,))
    work = Work("play", "", "A", work.witnesses, work.concordance, (Collated(work.loci[0].locus, collation),))
    lines = csv_rows(csv_bytes(tables([work], [a, b], [])["variants"]))
    at = lines[0].index("reading"), lines[0].index("state")
    assert [tuple(line[k] for k in at) for line in lines[1:]] == [("None", "text"), ("", "omission")]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＠"])
def test_a_cell_that_looks_like_a_formula_gets_an_apostrophe_in_the_csv(start: str) -> None:
    text = f'{start}HYPERLINK("http://evil.example","click")'
    frame = pd.DataFrame({"text": [text]}, dtype=object)
    assert csv_rows(csv_bytes(frame)) == [["text"], [f"'{text}"]]
    assert csv_rows(csv_bytes(frame, raw=True)) == [["text"], [text]]


def test_a_negative_number_is_no_formula() -> None:
    assert csv_rows(csv_bytes(pd.DataFrame({"n": [-1, 2]}))) == [["n"], ["-1"], ["2"]]


def test_formulas_and_links_are_plain_text_in_the_workbook() -> None:
    texts = ['=HYPERLINK("http://evil.example","click")', "@SUM(A1)", "+44", "{=1+1}", "http://evil.example/"]
    book = openpyxl.load_workbook(io.BytesIO(workbook_bytes(readings(*texts))))
    cells = [line[3] for line in book["synopsis"].iter_rows(min_row=2)]
    assert [cell.value for cell in cells] == texts
    assert {cell.data_type for cell in cells} == {"s"}
    assert not any(cell.hyperlink for cell in cells)


def test_control_characters_do_not_stop_the_writers() -> None:
    made = readings("The dealer\f must\v shew the \x01trump \x1b[31m \ud800.")
    for text in (csv_rows(csv_bytes(made["synopsis"]))[1][3], sheet(workbook_bytes(made), "synopsis")[1][3]):
        assert text == "The dealer\ufffd must\ufffd shew the \ufffdtrump \ufffd[31m \ufffd."


def test_the_text_of_an_escape_is_not_taken_for_the_escape() -> None:
    text = "_x000D_ and _x0041_"
    found = sheet(workbook_bytes(readings(text)), "synopsis")[1][3]
    assert found == text


def test_a_law_longer_than_a_cell_is_cut_with_a_word_in_the_workbook_and_whole_in_the_csv() -> None:
    text = "𝄞 trump " * 12_000
    made = readings(text)
    found = sheet(workbook_bytes(made), "synopsis")[1][3]
    assert len(found.encode("utf-16-le")) // 2 <= 32_767
    assert found.startswith("𝄞 trump 𝄞 trump")
    assert "cut here" in found
    assert csv_rows(csv_bytes(made["synopsis"]))[1][3] == text


def test_a_text_that_looks_like_the_writers_own_markup_is_text() -> None:
    texts = ["<r>a & b</r>", "<r><t>x</t></r>", "<r></r>", "<script>alert(1)</script>", "&amp; &#65;"]
    assert [line[3] for line in sheet(workbook_bytes(readings(*texts)), "synopsis")[1:]] == texts


def rich(data: bytes, name: str, cell: str) -> list[tuple[str, bool, str | None]]:
    """The parts of a cell: text, whether it is bold, how it is underlined."""
    book = openpyxl.load_workbook(io.BytesIO(data), rich_text=True)
    parts = book[name][cell].value
    return [
        (part, False, None) if isinstance(part, str) else (part.text, bool(part.font.b), part.font.u) for part in parts
    ]


def test_the_words_that_differ_are_marked_inside_the_cells_of_the_synopsis() -> None:
    work = three()
    data = workbook_bytes(tables([work], work.witnesses, []), [work])
    assert rich(data, "synopsis", "D2") == [
        ("The dealer ", False, None),
        ("must", True, None),
        (" ", False, None),
        ("always", True, None),
        (" ", False, None),
        ("shew", False, "single"),
        (" it", False, None),
    ]
    assert sheet(data, "synopsis")[1][3:] == [
        "The dealer must always shew it",
        "The dealer may always show it",
        "The dealer must shew it",
    ]


@given(st.lists(st.text("ab<&r>/_x05F \t", min_size=1, max_size=6), min_size=2, max_size=6))
@settings(max_examples=40, deadline=None)
def test_marks_alter_no_text_whatever_it_is(words: list[str]) -> None:
    text = "".join(words)
    tokens = tuple({"A": Token(word, word), "B": Token("z", "z")} for word in words)
    units = tuple(
        Unit(f"u{k}", UnitKind.WORDING, k, k + 1, (Reading(word, ("A",)), Reading("z", ("B",))))
        for k, word in enumerate(words[:3])
    )
    a, b = witness("A", {"1": text}), witness("B", {"1": "z" * len(words)})
    work = one_to_one(a, b)
    work = replace(work, loci=(replace(work.loci[0], collation=Collation(("A", "B"), tokens, units)),))
    found = sheet(workbook_bytes(tables([work], [a, b], []), [work]), "synopsis")[1]
    assert found[3:] == [text, "z" * len(words)]


def links_of(data: bytes, name: str) -> dict[str, str]:
    """Where the cells of a sheet lead."""
    page = openpyxl.load_workbook(io.BytesIO(data))[name]
    made = {}
    for line in page.iter_rows():
        for cell in line:
            if cell.hyperlink:
                target, place = (cell.hyperlink.target or "").replace("\\", "/"), cell.hyperlink.location
                made[cell.coordinate] = f"{target}#{place}" if place else target
    return made


def test_keys_lead_to_the_row_of_a_law_and_to_the_reading_edition() -> None:
    work, findings = specimen()
    data = workbook_bytes(tables([work], work.witnesses, findings), [work], {"play": "../reading/play.html"})
    concordance = links_of(data, "concordance")
    assert concordance["D2"] == "#'register'!A4"  # B's laws 1 + 2 lead to the first of them
    assert [cell.value for cell in openpyxl.load_workbook(io.BytesIO(data))["register"][4]][:2] == ["B", "B-law01"]
    assert concordance["B2"] == "#'synopsis'!A2"
    assert links_of(data, "synopsis")["B2"] == "../reading/play.html#play-L01"
    assert links_of(data, "register")["B2"] == "../reading/play.html#A-law01"
    assert links_of(data, "variants")["C2"] == "../reading/play.html#play-L01-u1"
    assert links_of(data, "corrections")["E3"] == "#'register'!A2"
    assert links_of(data, "contents")["A2"] == "#'concordance'!A1"


def test_printed_text_leads_nowhere_even_if_it_looks_like_a_key_or_an_address() -> None:
    texts = ["play-L01", "A-law01", "http://evil.example/", "internal:Sheet1!A1", "external:c:/x.exe"]
    a = witness("A", dict(enumerate_laws(texts)))
    work = one_to_one(a)
    data = workbook_bytes(tables([work], [a], []), [work], {"play": "../reading/play.html"})
    printed = {f"D{k}" for k in range(2, 7)}
    assert not printed & set(links_of(data, "synopsis"))
    assert all(re.fullmatch(r"#'[a-z_]+'!A\d+|\.\./reading/play\.html#[\w-]+", link)
               for name in ("contents", *TABLES) for link in links_of(data, name).values())  # fmt: skip


def enumerate_laws(texts: list[str]) -> list[tuple[str, str]]:
    return [(str(k), text) for k, text in enumerate(texts, 1)]


def test_a_row_is_as_high_as_its_longest_text_and_no_higher_than_excel_allows() -> None:
    page = openpyxl.load_workbook(io.BytesIO(workbook_bytes(readings("Cut.", "word " * 100, "word " * 50_000))))[
        "synopsis"
    ]
    heights = [page.row_dimensions[k].height for k in (2, 3, 4)]
    assert heights[0] is None  # one line: the height that every row has
    assert 15 < heights[1] < heights[2] <= 409


def test_titles_become_legal_and_different_sheet_names() -> None:
    titles = [
        "Hoyle's Games [12th ed.]: Laws of Whist, Long & Short",
        "Hoyle's Games [12th ed.]: Laws of Whist, Dummy?",
        "Loo/Pam",
        "History",
        "'Quoted'",
        "LOO PAM",
        "",
        "𝄞" * 40,
    ]
    names = sheet_names(titles)
    assert len({name.casefold() for name in names}) == len(titles)
    for name in names:
        assert 1 <= len(name.encode("utf-16-le")) // 2 <= 31
        assert not set(name) & set("[]:*?/\\")
        assert name.strip("'") == name
        assert name.casefold() != "history"
    frame = pd.DataFrame({"text": ["x"]})
    book = workbook_bytes(dict.fromkeys(titles, frame))
    assert openpyxl.load_workbook(io.BytesIO(book)).sheetnames == list(sheet_names(["contents", *titles]))
    assert [line[1] or "" for line in sheet(book, "contents")[1:]] == titles


def test_the_workbook_holds_every_table_cell_by_cell(made: dict[str, pd.DataFrame]) -> None:
    data = workbook_bytes(made)
    for name, frame in made.items():
        lines = sheet(data, name)
        assert lines[0] == list(frame.columns)
        expected = [
            [("yes" if v else "no") if isinstance(v, bool) else v if v != "" else None for v in record]
            for record in frame.itertuples(index=False, name=None)
        ]
        assert lines[1:] == expected


def test_the_workbook_is_made_for_reading(made: dict[str, pd.DataFrame]) -> None:
    book = openpyxl.load_workbook(io.BytesIO(workbook_bytes(made)))
    for page in book.worksheets:
        assert page.freeze_panes[1:] == "2"  # the first row stays, and the columns that name a row
        assert page.auto_filter.ref.startswith("A1:")
        assert page["A1"].font.bold
    assert book["concordance"].freeze_panes == book["synopsis"].freeze_panes == "C2"
    laws = book["synopsis"]
    assert laws["D2"].alignment.wrap_text
    assert 20 < laws.column_dimensions["D"].width <= 61


HOSTILE = [
    "None", "NA", "nan", "null", "True", "007", "1-2", "1e5", "3/4", " leading", "trailing ", "two  spaces",
    '=HYPERLINK("x")', "+44", "-1", "@SUM(A1)", "'quoted'", '"', "''", "a|b", "a\\b", "*_`~^$#%&{}[]<b>", "--- ...",
    "Écarté — 2½ £3 ſhew", "שלום", "first\nsecond", "http://evil.example www.evil.example a@b.example", "1. One", "- x",
    "<!--",
]  # fmt: skip


def test_parquet_gives_every_cell_back_with_its_sort(made: dict[str, pd.DataFrame]) -> None:
    frame = pd.DataFrame({"text": HOSTILE, "n": range(len(HOSTILE))}).astype({"text": object})
    back = pd.read_parquet(io.BytesIO(parquet_bytes(frame)))
    assert list(back["text"]) == HOSTILE
    assert back["n"].dtype == "int64"
    for frame in made.values():
        back = pd.read_parquet(io.BytesIO(parquet_bytes(frame)))
        assert list(back.columns) == list(frame.columns)
        assert len(back) == len(frame)
    line = pd.read_parquet(io.BytesIO(parquet_bytes(made["findings"])))["line"]
    assert line.isna().tolist() == [False, True, True]


def test_markdown_shows_every_cell_as_it_stands() -> None:
    import html

    from markdown_it import MarkdownIt

    page = MarkdownIt("commonmark").enable("table").render(markdown_bytes(pd.DataFrame({"text": HOSTILE})).decode())
    cells = re.findall(r"<td>(.*?)</td>", page)
    shown = [html.unescape(cell.replace("<br>", "\n")).replace("\xa0", " ") for cell in cells]
    assert shown == HOSTILE


def test_latex_leaves_no_sign_to_be_obeyed() -> None:
    text = latex_bytes(pd.DataFrame({"text": HOSTILE})).decode()
    lines = text.split("\n")[6:-2]
    assert len(lines) == len(HOSTILE)
    body = "".join(line.removeprefix("{}").removesuffix(" \\\\") for line in lines)
    left = re.sub(r"\\(?:[{}$&#%_]|[a-z]+\{\})|\{[-\[\]]\}", "", body)
    assert not set(left) & set("\\{}$&#%_^~")


def test_further_forms_are_written_where_they_are_asked_for(made: dict[str, pd.DataFrame]) -> None:
    written = files(made, also=["parquet", "markdown", "latex"])
    assert {f"changes.{suffix}" for suffix in ("csv", "parquet", "md", "tex")} <= set(written)
    assert len(written) == 4 * len(TABLES) + 1


def by_libreoffice(folder: Path, data: bytes, name: str, *options: str) -> bytes:
    """A file opened by LibreOffice and saved as a workbook."""
    program = shutil.which("soffice")
    if program is None and os.environ.get("VARIORUM_NEEDS_PROGRAMS"):
        pytest.fail("LibreOffice should be installed and is not")
    if program is None:
        pytest.skip("LibreOffice is not installed")
    (folder / name).write_bytes(data)
    command = [program, f"-env:UserInstallation={(folder / 'settings').as_uri()}", "--headless", *options]
    command += ["--convert-to", "xlsx", "--outdir", str(folder / "out"), str(folder / name)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    (saved,) = (folder / "out").glob("*.xlsx") if (folder / "out").is_dir() else (None,)
    assert saved is not None, run.stderr
    return saved.read_bytes()


@pytest.mark.slow
def test_libreoffice_saves_the_workbook_again_cell_by_cell(tmp_path: Path, sample: Edition) -> None:
    texts = [text for text in HOSTILE if "\n" not in text] + ["<r>x</r>", "_x000D_"]
    frames = {**sample.tables, "hostile": pd.DataFrame({"text": texts}, dtype=object)}
    data = workbook_bytes(frames, sample.works, {"ecarte": "../reading/ecarte.html"})
    saved = by_libreoffice(tmp_path, data, "variorum.xlsx")
    one, other = (openpyxl.load_workbook(io.BytesIO(book)) for book in (data, saved))
    assert one.sheetnames == other.sheetnames
    cells = 0
    for name in one.sheetnames:
        for line in one[name].iter_rows():
            for cell in line:
                again = other[name][cell.coordinate]
                assert again.value == cell.value, f"{name} {cell.coordinate}"
                assert again.data_type == cell.data_type, f"{name} {cell.coordinate}"
                cells += 1
    assert cells > 10_000
    assert [line[0] for line in sheet(saved, "hostile")[1:]] == texts


@pytest.mark.slow
def test_libreoffice_leaves_the_quoted_text_of_the_csv_alone(tmp_path: Path) -> None:
    data = csv_bytes(pd.DataFrame({"text": HOSTILE}, dtype=object), raw=True)
    options = "--infilter=CSV:44,34,76,1,,0,true"  # comma, double quote, UTF-8, from line 1; quoted fields are text
    lines = sheet(by_libreoffice(tmp_path, data, "text.csv", options), "text")
    assert [line[0] for line in lines[1:]] == HOSTILE


def test_each_table_is_a_csv_file_and_a_sheet(made: dict[str, pd.DataFrame]) -> None:
    written = files(made)
    assert set(written) == {f"{name}.csv" for name in TABLES} | {"variorum.xlsx"}
    assert openpyxl.load_workbook(io.BytesIO(written["variorum.xlsx"])).sheetnames == ["contents", *TABLES]


def test_the_same_tables_give_the_same_bytes_whatever_the_hash_seed() -> None:
    code = (
        "import sys, hashlib; sys.path.insert(0, 'tests'); import test_tables as t; w, f = t.specimen();"
        "m = t.tables([w], w.witnesses, f);"
        "print(hashlib.sha256(t.workbook_bytes(m) + b''.join(map(t.csv_bytes, m.values()))).hexdigest())"
    )
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sums = {
        subprocess.run(
            [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "TZ": zone},
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    }  # fmt: skip
    assert len(sums) == 1


printed = st.text(st.characters(exclude_categories=["Cc", "Cs", "Cn"], include_characters="\n\t=+-@'\""), max_size=40)


@given(st.lists(printed, min_size=1, max_size=5))
@settings(max_examples=60, deadline=None)
def test_taking_one_apostrophe_away_gives_every_printed_text_back(texts: list[str]) -> None:
    frame = pd.DataFrame({"text": texts}, dtype=object)
    found = [line[0] for line in csv_rows(csv_bytes(frame))[1:]]
    signs = tuple("=+-@\t\r\n＝＋－＠")
    assert not any(cell.startswith(signs) for cell in found)
    back = [c[1:] if c[:1] == "'" and c.lstrip("'").startswith(signs) else c for c in found]
    assert back == texts


@given(st.lists(printed, min_size=1, max_size=5))
@settings(max_examples=40, deadline=None)
def test_the_workbook_gives_every_printed_text_back(texts: list[str]) -> None:
    data = workbook_bytes({"t": pd.DataFrame({"text": texts}, dtype=object)})
    assert [line[0] or "" for line in sheet(data, "t")[1:]] == texts


@pytest.mark.parametrize(
    "laws",
    [
        {},
        {"1": "trump " * 50_000},
        {"1": "<script>alert(1)</script>", "2": "</td></tr>", "3": "]]>", "4": "\\input{x}"},
        {"1": "שחקן \u202eהקלפים\u202c 1-2", "2": "لاعب"},
    ],
    ids=["no laws", "50,000 words", "markup", "right to left"],
)
def test_odd_editions_have_their_tables_in_every_form(laws: dict[str, str]) -> None:
    odd = Fact('Hoyle\'s "Games" <b>&amp;</b>', "stated")
    a = witness("A", laws)
    a = replace(a, imprint=replace(a.imprint, title=odd))
    work = one_to_one(a)
    made = tables([work], [a], [])
    written = files(made, [work], {"play": "../reading/play.html"}, ["parquet", "markdown", "latex"])
    rows_of = csv_rows(written["synopsis.csv"])[1:]
    assert [line[3].removeprefix("'") for line in rows_of] == list(laws.values())
    book = openpyxl.load_workbook(io.BytesIO(written["variorum.xlsx"]))
    shown = [line[3].value for line in book["synopsis"].iter_rows(min_row=2)]
    assert [text[:1000] for text in shown] == [text[:1000] for text in laws.values()]
    assert book["witnesses"]["D2"].value == odd.value
    assert list(pd.read_parquet(io.BytesIO(written["synopsis.parquet"]))["A"]) == list(laws.values())


@pytest.mark.shared
def test_the_cases_of_tables_come_out_right(shared: Path) -> None:
    cases = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((shared / "cases").glob("B*.json"))]
    cases = [case for case in cases if case["area"] == "tables"]
    assert len(cases) >= 4
    for case in cases:
        wanted = case["expected"]
        own = [
            witness(s, {str(k): text for k, (_, text) in enumerate(laws, 1)})
            for s, laws in case["input"]["witnesses"].items()
        ]
        work = one_to_one(*own)
        written = files(tables([work], own, []), [work])
        lines = csv_rows(written["synopsis.csv"]), sheet(written["variorum.xlsx"], "synopsis")
        for found in ([str(cell) for line in form for cell in line if cell is not None] for form in lines):
            assert found[0] == "work"
            assert set(wanted.get("cell_texts", [])) <= set(found), case["id"]
            assert {t for t in wanted.get("cell_texts_or_readings", []) if t != "None"} <= set(found), case["id"]
            assert not wanted.get("cell_words") or any(
                re.findall("[A-Za-z]+", cell) == wanted["cell_words"] for cell in found
            )
        if titles := case["input"].get("sheet_titles"):
            names = sheet_names(titles)
            assert len({name.casefold() for name in names}) == len(titles)
            assert all(
                1 <= len(name) <= wanted["max_len"] and not set(name) & set(wanted["forbidden"]) for name in names
            )


# ----------------------------------------------------------------------------------------------------- the whole corpus


def test_the_keys_of_the_tables_are_the_ids_of_the_tei_files(sample: Edition) -> None:
    tei = b"".join(sample.tei.values()).decode("utf-8")
    ids = set(re.findall(r'xml:id="([^"]+)"', tei))
    for table, column in (("register", "law"), ("concordance", "locus"), ("variants", "unit")):
        keys = set(sample.tables[table][column])
        assert keys
        assert keys <= ids, f"{table}: {sorted(keys - ids)[:5]}"


def test_every_law_and_every_correction_of_the_corpus_has_its_row(sample: Edition) -> None:
    laws = [(witness.siglum, law.id) for witness in sample.witnesses for law in witness.laws]
    assert len(sample.tables["register"]) == len(laws) == 52
    assert (sample.tables["register"]["locus"] != "").all()
    placed = [
        (siglum, number)
        for siglum in ("EcA", "EcB", "WhA", "SxA")
        for cell in sample.tables["concordance"][siglum]
        for number in cell.split(" + ")
        if number
    ]
    assert sorted(placed) == sorted(laws)
    corrections = sum(len(witness.repair.corrections) for witness in sample.witnesses)
    assert len(sample.tables["corrections"]) == corrections
    assert (sample.tables["corrections"]["evidence"] != "").all()


def test_the_files_of_the_corpus_hold_no_live_formula(sample: Edition) -> None:
    for name, data in files(sample.tables).items():
        if name.endswith(".csv"):
            cells = [cell for line in csv_rows(data) for cell in line]
            assert not any(cell[:1] in ("=", "+", "@", "\t", "\r") for cell in cells)
        else:
            book = openpyxl.load_workbook(io.BytesIO(data))
            assert not any(c.data_type == "f" for page in book.worksheets for line in page.iter_rows() for c in line)
