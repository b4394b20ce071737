"""A new corpus, and witnesses put into it: what an editor wrote in the manifest stays, and nothing is half done."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum import cli, enrol, manifest
from variorum.edition import edit
from variorum.enrol import Facts
from variorum.errors import VariorumError

LAWS = "1. The lowest card deals.\n2. The dealer plays last.\n3. A revoke loses three tricks.\n"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "scans" / "whist 1850.txt"
    path.parent.mkdir()
    path.write_text(LAWS, encoding="utf-8")
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    enrol.new(tmp_path / "corpus", "Whist", "2026-12-01")
    return tmp_path / "corpus"


def test_a_new_corpus_with_a_witness_can_be_built(corpus: Path, page: Path) -> None:
    made = enrol.add(corpus, [page], Facts("WhA", "whist", (1850,), work_title="Laws of Whist"))
    assert [law.number for law in made.laws] == ["1", "2", "3"]
    edition = edit(corpus)
    assert edition.problems == ()
    assert [(w.title, w.base) for w in edition.works] == [("Laws of Whist", "WhA")]
    assert edition.witnesses[0].imprint.not_before == edition.witnesses[0].imprint.not_after == 1850
    assert edition.witnesses[0].laws == made.laws


def test_comments_and_order_of_the_manifest_stay(corpus: Path, page: Path) -> None:
    enrol.add(corpus, [page], Facts("WhA", "whist"))
    path = corpus / "corpus.toml"
    path.write_text(path.read_text("utf-8").replace('siglum = "WhA"', 'siglum = "WhA" # mine'), encoding="utf-8")
    before = path.read_text("utf-8")
    enrol.add(corpus, [page], Facts("WhB", "whist", (1840, 1850), inferred=True, title='A "Hoyle" of\n1850'))
    after = path.read_text("utf-8")
    assert after.startswith(before)
    added = tomllib.loads(after)["witnesses"][1]
    assert added["year"] == {"inferred": [1840, 1850]}
    assert added["title"] == 'A "Hoyle" of\n1850'


def test_several_pages_and_a_folder_are_one_witness(corpus: Path, tmp_path: Path) -> None:
    pages = []
    for n, law in enumerate(LAWS.splitlines(), 9):
        pages.append(tmp_path / f"p{n}.txt")
        pages[-1].write_text(law, encoding="utf-8")
    made = enrol.add(corpus, pages[::-1], Facts("WhA", "whist"))
    assert [law.number for law in made.laws] == ["1", "2", "3"]
    folder = enrol.add(corpus, [corpus / "witnesses" / "WhA"], Facts("WhB", "whist"))
    assert [law.text for law in folder.laws] == [law.text for law in made.laws]
    assert len(edit(corpus).witnesses) == 2


def test_files_may_be_linked_to(corpus: Path, page: Path) -> None:
    enrol.add(corpus, [page], Facts("WhA", "whist"), link=True)
    linked = corpus / "witnesses" / "WhA" / page.name
    assert linked.is_symlink()
    assert edit(corpus).problems == ()


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (Facts("Wh A", "whist"), "use letters, digits and hyphens"),
        (Facts("WhA", "whist"), "is there already"),
        (Facts("WhAB", "whist"), "is part of"),
        (Facts("WhB", "the whist"), "use letters, digits and hyphens"),
        (Facts("WhB", "whist", (3000,)), "is not between"),
    ],
)
def test_what_would_not_be_right_is_refused_and_nothing_is_touched(
    corpus: Path, page: Path, facts: Facts, said: str
) -> None:
    enrol.add(corpus, [page], Facts("WhA", "whist"))
    before = {p: p.read_bytes() for p in corpus.rglob("*") if p.is_file()}
    with pytest.raises(VariorumError, match=said):
        enrol.add(corpus, [page], facts)
    assert before == {p: p.read_bytes() for p in corpus.rglob("*") if p.is_file()}


def test_a_file_without_text_is_not_put_in(corpus: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_bytes(b"")
    with pytest.raises(VariorumError, match="witness has no text"):
        enrol.add(corpus, [empty], Facts("WhA", "whist"))
    assert not (corpus / "witnesses").exists()


def test_a_corpus_is_not_begun_twice(corpus: Path) -> None:
    with pytest.raises(VariorumError, match="is there already"):
        enrol.new(corpus, "Again", "2026-12-01")


@given(st.text(max_size=30))
def test_any_title_can_stand_in_a_manifest(title: str) -> None:
    title = title.encode("utf-8", "replace").decode()
    assert tomllib.loads(f"title = {enrol.quoted(title)}")["title"] == title


def test_the_commands_say_what_was_understood(tmp_path: Path, page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "mine"
    assert cli.main(["new", str(folder), "--title", "Mine", "--date", "2026-12-01"]) == 0
    assert manifest.text_of(folder / "corpus.toml").count('title = "Mine"') == 1
    assert cli.main(["check", str(folder)]) == 1
    assert "witnesses is missing; put one in with variorum add" in capsys.readouterr().err
    command = ["add", str(page), "--corpus", str(folder), "--work", "whist", "--siglum", "WhA"]
    assert cli.main([*command, "--year", "1850-60"]) == 2
    assert "write 1850 or 1850-1860" in capsys.readouterr().err
    assert cli.main([*command, "--year", "1850"]) == 0
    said = capsys.readouterr().out
    assert "16 words on 1 page" in said
    assert "laws 1 to 3 (3)" in said
    assert cli.main(["check", str(folder)]) == 0
