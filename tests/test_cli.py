"""The command line: every command, its JSON, its exit codes, and what must never reach a terminal."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import variorum.edition
from variorum import cli, report, store
from variorum.model import Finding

COMMANDS = ["build", "clean", "laws", "align", "collate", "changes", "check", "score", "explain"]

FIRST = """Laws of the Game.

1. The dealer shuffles the cards, and the adversary must cut them.
2. The dealer deals five cards to each player, by two and three.
3. If the dealer turns up two cards, the adversary may call a new deal.
4. Any one playing with six cards in his hand loses one point.
"""
SECOND = """1. The dealer shuffles the cards, and the adversary may cut them.
2. If the dealer turns up two cards, the adversary may call a new deal.
3. The dealer deals five cards to each player, by two and three.
4. Any one playing with six cards in his hand loses two points.
"""
MANIFEST = """
[corpus]
title = "Two Editions"
date = "2026-11-30"

[[works]]
id = "play"
title = "Laws of Play"
base = "Aa1"
links = "gold/links.json"

[[witnesses]]
siglum = "Aa1"
work = "play"
source = "witnesses/first.txt"
gold = "gold/first.json"
year = 1854

[[witnesses]]
siglum = "Bb2"
work = "play"
source = "witnesses/second.txt"
"""

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in this process: exit code, output, errors."""

    def call(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = cli.main([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return call


@pytest.fixture
def first(tmp_path: Path) -> Path:
    path = tmp_path / "first.ocr.txt"
    path.write_text(FIRST, encoding="utf-8")
    return path


@pytest.fixture
def second(tmp_path: Path) -> Path:
    path = tmp_path / "second.txt"
    path.write_text(SECOND, encoding="utf-8")
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A small corpus of two witnesses, with gold for one and for their links."""
    folder = tmp_path / "corpus"
    laws = [line.split(". ", 1) for line in FIRST.split("\n")[2:-1]]
    gold = {
        "witness": "first",
        "heading": "Laws of the Game.",
        "laws": [{"n": number, "text": text} for number, text in laws],
    }
    pairs = [("1", "1"), ("2", "3"), ("3", "2"), ("4", "4")]
    links = {"a": "first", "b": "Bb2", "links": [{"a": [a], "b": [b]} for a, b in pairs]}
    for name, text in {
        "corpus.toml": MANIFEST,
        "witnesses/first.txt": FIRST,
        "witnesses/second.txt": SECOND,
        "gold/first.json": json.dumps(gold),
        "gold/links.json": json.dumps(links),
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def outside(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command line as a program of its own."""
    return subprocess.run(
        [sys.executable, "-m", "variorum.cli", *arguments], capture_output=True, env={**os.environ, **environment}
    )


# ---------------------------------------------------------------------------------------------------------------- help


def test_help_names_every_command(run: Run) -> None:
    code, out, err = run("--help")
    assert (code, err) == (0, "")
    for command in COMMANDS:
        assert f"  {command} " in out
        code, own, _ = run(command, "--help")
        assert code == 0
        assert own.startswith(f"Usage: variorum {command}")


def test_the_version_is_that_of_the_package(run: Run) -> None:
    assert run("--version") == (0, f"variorum {variorum.__version__}\n", "")


def test_help_answers_within_half_a_second() -> None:
    """Measured as the processor's time, so that a busy machine does not make the test fail."""

    def seconds() -> float:
        before = os.times()
        assert outside("--help").returncode == 0
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    assert min(seconds() for _ in range(3)) < 0.5


@pytest.mark.parametrize(
    "line",
    [
        ["no-such-command"],
        ["clean"],
        ["laws", "--no-such-option", "x"],
        ["align", "only-one-file"],
        ["collate", "-", "-"],
        ["laws", "x", "--format", "no-such-format"],
        ["collate", "x", "y", "--format", "tei"],
        ["laws", "x", "y", "--format", "tei"],
        ["explain", "corpus"],
    ],
)
def test_wrong_use_ends_with_2_and_says_so(run: Run, line: list[str]) -> None:
    code, out, err = run(*line)
    assert (code, out) == (2, "")
    assert "variorum" in err
    assert "Traceback" not in err


# --------------------------------------------------------------------------------------------------------- single files


def test_clean_writes_the_text_and_leaves_the_file_alone(run: Run, first: Path) -> None:
    assert run("clean", first) == (0, FIRST, "")
    assert first.read_text(encoding="utf-8") == FIRST


def test_clean_records_every_correction_with_its_reason(run: Run, tmp_path: Path) -> None:
    raw = tmp_path / "raw.txt"
    raw.write_text("1. The dealer must give his part- ner five cards, and the adversary may cut.\n", encoding="utf-8")
    code, out, err = run("clean", raw, "-o", tmp_path / "out.txt", "--changes", tmp_path / "changes.csv")
    assert (code, out, err) == (0, "", "")
    assert "his partner five" in (tmp_path / "out.txt").read_text(encoding="utf-8")
    with (tmp_path / "changes.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["kind"] for row in rows] == ["break"]
    code, out, _ = run("clean", raw, "--format", "json")
    made = json.loads(out)
    assert set(made) >= {"text", "corrections", "findings"}
    (correction,) = made["corrections"]
    assert set(correction) >= {"start", "end", "found", "reads", "kind", "rule", "cert", "evidence"}
    assert raw.read_text(encoding="utf-8")[correction["start"] : correction["end"]] == correction["found"]


def test_clean_does_not_write_over_the_raw_text(run: Run, first: Path) -> None:
    for option in ("-o", "--changes"):
        code, _, err = run("clean", first, option, first)
        assert code == 1
        assert "overwritten" in err
    assert first.read_text(encoding="utf-8") == FIRST


def test_clean_of_several_files_writes_each_into_a_folder(run: Run, first: Path, second: Path, tmp_path: Path) -> None:
    assert run("clean", first, second, "-o", tmp_path / "out")[0] == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["first.txt", "second.txt"]


def test_laws_are_shown_as_text_and_as_json(run: Run, first: Path) -> None:
    code, out, err = run("laws", first)
    assert (code, err) == (0, "")
    assert "3. If the dealer turns up two cards, the adversary may call a new deal.\n" in out
    made = json.loads(run("laws", first, "-f", "json")[1])
    assert [law["number"] for law in made["laws"]] == ["1", "2", "3", "4"]
    keys = {"id", "number", "label", "section", "text", "clauses", "notes", "start", "end"}
    assert set(made["laws"][0]) >= keys
    assert made["findings"] == []


def test_the_json_of_several_files_is_a_list_that_names_them(run: Run, first: Path, second: Path) -> None:
    made = json.loads(run("laws", first, second, "-f", "json")[1])
    assert [(part["file"], len(part["laws"])) for part in made] == [("first", 4), ("second", 4)]


def test_a_text_without_a_law_is_named_with_the_way_out_and_is_a_problem(run: Run, tmp_path: Path, first: Path) -> None:
    novel = tmp_path / "novel.txt"
    novel.write_text("It was a dark night, and nobody thought of cards.\n", encoding="utf-8")
    code, out, err = run("laws", novel, first)
    assert code == 3
    assert "2. The dealer deals" in out
    assert err.startswith("variorum: novel: no numbered law was found; ")
    assert err.count("\n") == 1
    findings = json.loads(run("laws", novel, "-f", "json")[1])["findings"]
    assert [f["code"] for f in findings if f["problem"]] == ["no-laws"]


def test_the_input_stream_is_a_file(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "read_stdin", lambda: FIRST.encode())
    code, out, _ = run("laws", "-", "-f", "json")
    assert code == 0
    assert (json.loads(out)["file"], len(json.loads(out)["laws"])) == ("stdin", 4)


def test_align_shows_that_laws_have_changed_places(run: Run, first: Path, second: Path) -> None:
    made = json.loads(run("align", first, second, "-f", "json")[1])
    assert made["witnesses"] == ["first", "second"]
    laws = [locus["laws"] for locus in made["loci"]]
    assert {"first": ["2"], "second": ["3"]} in laws
    assert {"first": ["3"], "second": ["2"]} in laws
    assert set(made["loci"][0]) >= {"id", "laws", "relation", "moved", "cert", "evidence"}
    code, out, _ = run("align", first, second)
    assert code == 0
    assert "first 2 = second 3" in out
    rows = list(csv.DictReader(io.StringIO(run("align", first, second, "-f", "csv")[1].lstrip("\ufeff"))))
    assert ("2", "3") in [(row["first"], row["second"]) for row in rows]


def test_collate_takes_each_file_as_one_text(run: Run, tmp_path: Path) -> None:
    texts = {"A": "If the dealer must cut", "B": "If the dealer may cut", "C": "If the dealer cut"}
    files = [tmp_path / f"{siglum}.txt" for siglum in texts]
    for file, text in zip(files, texts.values(), strict=True):
        file.write_text(text, encoding="utf-8")
    made = json.loads(run("collate", *files, "-f", "json")[1])
    assert made["witnesses"] == ["A", "B", "C"]
    for siglum, text in texts.items():
        assert [c[siglum] for c in made["columns"] if c[siglum] is not None] == text.split()
        assert all(siglum in column for column in made["columns"])
    (unit,) = made["units"]
    assert {r["text"]: r["witnesses"] for r in unit["readings"]} == {"must": ["A"], "may": ["B"], "": ["C"]}
    assert "must ] may B; om. C" in run("collate", *files)[1]
    rows = list(csv.reader(io.StringIO(run("collate", *files, "-f", "csv")[1].lstrip("\ufeff"))))
    assert rows[0] == ["A", "B", "C"]
    assert ["must", "may", ""] in rows


def test_changes_of_rule_are_told_with_the_words_that_show_them(run: Run, first: Path, second: Path) -> None:
    made = json.loads(run("changes", first, second, "-f", "json")[1])
    assert made["witnesses"] == ["first", "second"]
    assert {change["kind"] for change in made["changes"]} >= {"modality"}
    keys = {"locus", "laws", "kind", "op", "readings", "sentence", "cert"}
    assert all(set(change) >= keys for change in made["changes"])
    (modality,) = [change for change in made["changes"] if change["kind"] == "modality"]
    assert "must" in modality["readings"]["first"]
    assert "may" in modality["readings"]["second"]
    assert modality["sentence"] in run("changes", first, second)[1]


@pytest.mark.parametrize("command", ["clean", "laws", "align", "changes", "collate"])
@pytest.mark.parametrize("form", ["table", "csv"])
def test_every_comparison_can_be_had_as_a_table(run: Run, first: Path, second: Path, command: str, form: str) -> None:
    code, out, err = run(command, first, second, "--format", form)
    assert code == 0
    # Whole codes are not what collate is for, and it says so.
    assert [("numbered laws" in line) for line in err.splitlines()] == [True] * (2 if command == "collate" else 0)
    assert "first" in out or command == "clean"


def test_the_laws_of_a_text_can_be_had_as_tei(run: Run, first: Path) -> None:
    code, out, err = run("laws", first, "-f", "tei")
    assert (code, err) == (0, "")
    assert out.startswith("<?xml")
    assert 'xml:id="first-law03"' in out


@pytest.mark.parametrize("command", ["clean", "laws"])
def test_a_missing_file_is_one_clear_line(run: Run, command: str, first: Path) -> None:
    code, out, err = run(command, "no/such/file.txt")
    assert (code, out) == (1, "")
    assert err.startswith("variorum: no/such/file.txt: ")
    assert err.count("\n") == 1
    code, out, err = run(command, "no/such/file.txt", first)
    assert code == 3
    assert "dealer shuffles" in out
    assert err.count("\n") == 1


def test_with_one_text_left_there_is_nothing_to_compare(run: Run, first: Path) -> None:
    assert run("align", first, "no/such/file.txt")[0] == 1


def test_an_empty_file_has_no_text_and_the_others_go_on(run: Run, tmp_path: Path, first: Path, second: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_bytes(b"\xef\xbb\xbf")
    code, out, err = run("align", empty, first, second)
    assert code == 3
    assert "first 2 = second 3" in out
    assert "empty.txt: witness has no text" in err


# --------------------------------------------------------------------------------------------------------- the terminal


@pytest.mark.parametrize("form", ["text", "table", "csv", "json"])
def test_nothing_on_a_page_steers_the_terminal(run: Run, tmp_path: Path, form: str) -> None:
    hostile = tmp_path / "hostile.txt"
    text = (
        "1. The\x00 deal\x0b is void\x1b[31m, \x9b2J and \u202eover\u202c again.\n2. The dealer \x07deals five cards.\n"
    )
    hostile.write_text(text, encoding="utf-8")
    for command in ("clean", "laws"):
        code, out, err = run(command, hostile, "--format", form)
        assert code == 0
        obeyed = "\x00\x07\x0b\x1b\x9b" + ("" if form == "csv" else "\u202e\u202c")  # CSV in a pipe is data
        assert not set(out + err) & set(obeyed)
        if form == "json":
            json.loads(out)


def test_what_a_terminal_would_obey_is_written_as_an_escape() -> None:
    assert report.shown("a\x1b[31m\u202eb\tc\n") == "a\\u001b[31m\\u202eb\tc\n"


def test_a_name_with_an_escape_in_it_is_shown_safely(run: Run) -> None:
    _, _, err = run("laws", "no\x1b[2Jfile")
    assert "\x1b" not in err


@pytest.mark.parametrize("arguments", [["clean"], ["laws"], ["laws", "-f", "json"], ["laws", "-f", "table"]])
def test_old_letters_do_not_stop_a_console_that_cannot_show_them(tmp_path: Path, arguments: list[str]) -> None:
    file = tmp_path / "old.txt"
    text = "1. If any perſon revokes — though by accident — the penalty is ⅓ of the pool.\n2. Vice versâ.\n"
    file.write_text(text, encoding="utf-8")
    narrow = {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0", "LC_ALL": "C"}
    done = outside(*arguments, str(file), **narrow)
    assert (done.returncode, done.stderr) == (0, b"")
    out = done.stdout.decode("cp1252")
    if "json" in arguments:
        assert "perſon" in json.loads(out)["laws"][0]["text"]
    else:
        assert "per\\u017fon" in out
        assert "versâ" in out


def test_a_problem_found_in_a_text_is_told_and_the_code_is_3(
    run: Run, first: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    doubt = Finding("torn", "The page is torn.", problem=True)
    real = variorum.edition.segment
    monkeypatch.setattr(variorum.edition, "segment", lambda repair: replace(real(repair), findings=(doubt,)))
    code, out, err = run("laws", first)
    assert (code, err) == (3, "variorum: first: The page is torn.\n")
    assert "2. The dealer deals" in out


@pytest.mark.shared
@pytest.mark.parametrize("command", [["clean", "-f", "json"], ["laws"], ["laws", "-f", "csv"]], ids=" ".join)
def test_no_odd_file_leads_to_a_fault(run: Run, shared: Path, command: list[str]) -> None:
    """Each file is read, or refused in one line; all together, the good ones still come through."""
    files = sorted((shared / "bad-inputs").iterdir())
    assert len(files) > 30
    code, out, err = run(*command, *files)
    assert code == 3
    assert "The deal is void" in out
    told = re.compile(
        "variorum: .*: (witness has no text|its root element is|no numbered law was found|not well-formed XML|"
        "has a document type|ends early|unpacks to more|names '../../evil|has '00000001.txt' twice)"
    )
    assert [line for line in err.splitlines() if not told.match(line)] == []
    assert not set(out + err) & set("\x00\x07\x0b\x1b")


def test_a_fault_of_ours_is_named_as_ours_without_a_traceback(
    run: Run, first: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(name: str) -> Any:
        raise ZeroDivisionError("nought")

    monkeypatch.setattr(store, "read", lambda *_: broken("x"))
    code, _, err = run("laws", first)
    assert code == 1
    assert "a fault of the program" in err
    assert "Traceback" not in err
    with pytest.raises(ZeroDivisionError):
        run("laws", first, "--debug")


# -------------------------------------------------------------------------------------------------------------- corpora


def test_build_writes_tei_and_tables_and_tells_what_was_found(run: Run, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "build"
    code, text, err = run("build", corpus, "--out", out)
    assert (code, err) == (0, "")
    written = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    assert {"tei/play.xml", "tei/editions/Aa1.xml", "tables/concordance.csv", "tables/variorum.xlsx"} <= written
    assert "Two Editions" in text
    assert "Aa1" in text
    assert f"files written to {out}" in text


def test_a_bad_witness_does_not_stop_the_build(run: Run, corpus: Path, tmp_path: Path) -> None:
    (corpus / "witnesses/second.txt").unlink()
    code, _, err = run("build", corpus, "--out", tmp_path / "build")
    assert code == 3
    assert err.startswith("variorum: Bb2: witnesses/second.txt: no such file")
    assert (tmp_path / "build/tei/editions/Aa1.xml").is_file()


def test_a_corpus_of_which_nothing_can_be_read_is_not_built(run: Run, corpus: Path, tmp_path: Path) -> None:
    for name in ("first", "second"):
        (corpus / f"witnesses/{name}.txt").write_bytes(b"")
    code, _, err = run("build", corpus, "--out", tmp_path / "build")
    assert code == 1
    assert err.count("witness has no text") == 2
    assert not (tmp_path / "build").exists()


@pytest.mark.parametrize("command", ["build", "check", "score"])
def test_all_mistakes_of_a_manifest_are_told_at_once(run: Run, corpus: Path, command: str) -> None:
    manifest = MANIFEST.replace('siglum = "Bb2"', 'siglum = "Aa1"').replace("year =", "yeer =")
    (corpus / "corpus.toml").write_text(manifest, encoding="utf-8")
    code, out, err = run(command, corpus)
    assert (code, out) == (1, "")
    assert "'Aa1' is used twice" in err
    assert "did you mean 'year'?" in err
    assert all(line.startswith("variorum: ") for line in err.splitlines())


def test_a_folder_without_a_manifest_is_one_clear_line(run: Run, tmp_path: Path) -> None:
    for command in ("build", "check", "score"):
        code, _, err = run(command, tmp_path / "nowhere")
        assert code == 1
        assert "has no corpus.toml" in err
        assert err.count("\n") == 1


def test_check_names_every_witness_and_every_problem(run: Run, corpus: Path) -> None:
    code, out, err = run("check", corpus)
    assert (code, err) == (0, "")
    assert f"Aa1: witnesses/first.txt, {len(FIRST)} characters, utf-8" in out
    (corpus / "gold/links.json").write_text("{", encoding="utf-8")
    (corpus / "witnesses/first.txt").unlink()
    code, _, err = run("check", corpus)
    assert code == 3
    assert "first.txt: no such file" in err
    assert "links.json: is not JSON" in err


def test_score_compares_with_the_gold(run: Run, corpus: Path) -> None:
    code, out, err = run("score", corpus)
    assert (code, err) == (0, "")
    made = json.loads(run("score", corpus, "-f", "json")[1])
    assert made["texts"]["Aa1"]["after"] == 0
    assert made["laws"]["Aa1 laws"]["f1"] == 1
    assert made["links"]["play links, pair by pair"]["f1"] == 1
    assert "1.000" in out


def test_score_without_gold_says_what_is_missing(run: Run, corpus: Path) -> None:
    bare = "\n".join(line for line in MANIFEST.split("\n") if not line.startswith(("gold", "links")))
    (corpus / "corpus.toml").write_text(bare, encoding="utf-8")
    code, _, err = run("score", corpus)
    assert code == 1
    assert "names no gold" in err


def test_build_writes_the_tables_in_further_forms_where_asked(run: Run, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run("build", corpus, "--out", out, "--also", "parquet", "--also", "markdown")[0] == 0
    suffixes = {path.suffix for path in (out / "tables").iterdir()}
    assert suffixes == {".csv", ".xlsx", ".parquet", ".md"}
    assert run("build", corpus, "--also", "word")[0] == 2


def test_explain_leads_from_the_page_to_the_apparatus(run: Run, corpus: Path) -> None:
    raw = FIRST.replace("the adversary must cut", "the adver- sary must cut")
    (corpus / "witnesses/first.txt").write_text(raw, encoding="utf-8")
    code, out, err = run("explain", corpus, "Aa1", "1")
    assert (code, err) == (0, "")
    order = [
        "Aa1, law 1: Laws of Play",
        "adver[-",
        "Corrections: 1",
        "break",
        "The law",
        "and the adversary must cut",
        "Locus",
        "Aa1 1 = Bb2 1",
        "must ] may Bb2",
        "Changes of rule",
        "modality",
    ]
    places = [out.index(word) for word in order]
    assert places == sorted(places)


def test_explain_is_coloured_on_a_terminal_with_colours_and_says_the_same_without(
    run: Run, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = FIRST.replace("the adversary must cut", "the adver- sary must \x1b[45mcut")
    (corpus / "witnesses/first.txt").write_text(raw, encoding="utf-8")
    plain = run("explain", corpus, "Aa1", "1")[1]
    assert "\x1b" not in plain
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = run("explain", corpus, "Aa1", "1")[1]
    assert "\x1b[1mmust\x1b[0m ] may\x1b[36m Bb2\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain
    assert "\x1b[45m" not in coloured  # the page's own escape stays a sign
    monkeypatch.setenv("NO_COLOR", "1")
    assert not re.search(r"\x1b\[[\d;]*3[0-7]", run("explain", corpus, "Aa1", "1")[1])


def test_explain_finds_law_3_by_its_whole_number(run: Run, corpus: Path) -> None:
    assert "If the dealer turns up two cards" in run("explain", corpus, "Aa1", "3")[1]
    code, _, err = run("explain", corpus, "Aa1", "31")
    assert code == 1
    assert "has no law '31'" in err
    code, _, err = run("explain", corpus, "Aa2", "3")
    assert code == 1
    assert "did you mean 'Aa1'?" in err


def test_the_functions_of_the_package_can_be_called_again() -> None:
    """A stage's module must not take the name of the function that loads it."""
    for _ in range(2):
        assert len(variorum.collate({"A": "must cut", "B": "may cut"}).units) == 1
        assert variorum.changes({"A": FIRST, "B": SECOND})


def test_collate_says_where_a_file_holds_several_laws(run: Run, tmp_path: Path) -> None:
    several = "1. The lowest card deals.\n\n2. A revoke forfeits three tricks.\n\n3. No bystander may speak.\n"
    (tmp_path / "a.txt").write_text(several, "utf-8")
    (tmp_path / "b.txt").write_text("The lowest card deals.\n", "utf-8")
    code, _, err = run("collate", tmp_path / "a.txt", tmp_path / "b.txt")
    assert code == 0
    assert err.startswith("variorum: a: holds 3 numbered laws")
    assert err.count("\n") == 1
