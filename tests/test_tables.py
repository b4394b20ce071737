"""Tables: what a scholar opens in a spreadsheet is what was printed, and nothing in it is alive."""

from __future__ import annotations

import csv
import io
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import openpyxl
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
from variorum.tables import TABLES, csv_bytes, files, sheet_names, tables, workbook_bytes

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
    first = row(made["laws"], locus="play-L01")
    assert (first["A"], first["B"]) == ("The dealer must not deal.", "The Dealer may\nnot deal.")
    assert row(made["laws"], locus="play-L02")["A"] == "(a) Cut."


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
        "kind": "misreading", "role": "", "rule": "lexicon", "cert": 0.75, "evidence": "1 for l",
        "start": 16, "end": 22,
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
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def sheet(data: bytes, name: str) -> list[list[Any]]:
    book = openpyxl.load_workbook(io.BytesIO(data))
    return [[cell.value for cell in line] for line in book[name].iter_rows()]


def test_accents_and_signs_survive_a_double_click_on_the_csv() -> None:
    text = "Écarté — the dealer’s stake is 2½ guineas, £3."
    data = csv_bytes(readings(text)["laws"])
    assert data.startswith(b"\xef\xbb\xbf")
    assert csv_rows(data)[0][0] == "work"
    assert csv_rows(data)[1][3] == text


def test_words_that_look_like_no_value_stay_words() -> None:
    words = ["None", "NA", "nan", "null", "True", "007", "0005", "1-2", "1e5", "3/4", " leading"]
    made = readings(*words)
    assert [line[3] for line in csv_rows(csv_bytes(made["laws"]))[1:]] == words
    assert [line[3] for line in sheet(workbook_bytes(made), "laws")[1:]] == words
    back = pd.read_csv(io.BytesIO(csv_bytes(made["laws"])), dtype=str, keep_default_na=False)
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


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
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
    cells = [line[3] for line in book["laws"].iter_rows(min_row=2)]
    assert [cell.value for cell in cells] == texts
    assert {cell.data_type for cell in cells} == {"s"}
    assert not any(cell.hyperlink for cell in cells)


def test_control_characters_do_not_stop_the_writers() -> None:
    made = readings("The dealer\f must\v shew the \x01trump \x1b[31m \ud800.")
    for text in (csv_rows(csv_bytes(made["laws"]))[1][3], sheet(workbook_bytes(made), "laws")[1][3]):
        assert text == "The dealer\ufffd must\ufffd shew the \ufffdtrump \ufffd[31m \ufffd."


def test_the_text_of_an_escape_is_not_taken_for_the_escape() -> None:
    text = "_x000D_ and _x0041_"
    found = sheet(workbook_bytes(readings(text)), "laws")[1][3]
    assert found == text


def test_a_law_longer_than_a_cell_is_cut_with_a_word_in_the_workbook_and_whole_in_the_csv() -> None:
    text = "𝄞 trump " * 12_000
    made = readings(text)
    found = sheet(workbook_bytes(made), "laws")[1][3]
    assert len(found.encode("utf-16-le")) // 2 <= 32_767
    assert found.startswith("𝄞 trump 𝄞 trump")
    assert "cut here" in found
    assert csv_rows(csv_bytes(made["laws"]))[1][3] == text


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
        assert page.freeze_panes == "A2"
        assert page.auto_filter.ref.startswith("A1:")
        assert page["A1"].font.bold
    laws = book["laws"]
    assert laws["D2"].alignment.wrap_text
    assert 20 < laws.column_dimensions["D"].width <= 61


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
    assert not any(cell and cell[0] in "=+-@\t\r" for cell in found)
    back = [c[1:] if c[:1] == "'" and c.lstrip("'")[:1] in tuple("=+-@\t\r") else c for c in found]
    assert back == texts


@given(st.lists(printed, min_size=1, max_size=5))
@settings(max_examples=40, deadline=None)
def test_the_workbook_gives_every_printed_text_back(texts: list[str]) -> None:
    data = workbook_bytes({"t": pd.DataFrame({"text": texts}, dtype=object)})
    assert [line[0] or "" for line in sheet(data, "t")[1:]] == texts


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
