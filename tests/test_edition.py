"""A corpus goes in, an edition comes out; one bad witness never stops the others."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import variorum
from variorum.edition import Edition, edit
from variorum.errors import ManifestError


@pytest.fixture
def corpus(root: Path, tmp_path: Path) -> Path:
    """A copy of the sample corpus to spoil."""
    return Path(shutil.copytree(root / "corpus", tmp_path / "corpus"))


def test_the_sample_corpus_has_three_works_and_fifty_two_laws(sample: Edition) -> None:
    assert [work.id for work in sample.works] == ["ecarte", "whist", "sixtysix"]
    assert sum(len(w.laws) for w in sample.witnesses) == 52
    assert sample.problems == ()


def test_a_missing_witness_is_named_and_the_others_go_on(corpus: Path) -> None:
    (corpus / "witnesses/WhA/whist-a.ocr.txt").unlink()
    edition = edit(corpus)
    assert [w.siglum for w in edition.witnesses] == ["EcA", "EcB", "SxA"]
    assert len(edition.problems) == 1
    assert edition.problems[0].startswith("WhA: witnesses/WhA/whist-a.ocr.txt: no such file")


def test_an_empty_witness_is_named_and_the_others_go_on(corpus: Path) -> None:
    (corpus / "witnesses/EcB/ecarte-b.txt").write_bytes(b"\xef\xbb\xbf \n")
    edition = edit(corpus)
    assert [w.siglum for w in edition.witnesses] == ["EcA", "WhA", "SxA"]
    assert "no text" in edition.problems[0]
    assert [work.id for work in edition.works] == ["ecarte", "whist", "sixtysix"]


def test_a_work_whose_base_is_missing_takes_its_next_witness(corpus: Path) -> None:
    (corpus / "witnesses/EcA/ecarte-a.ocr.txt").unlink()
    assert edit(corpus).works[0].base == "EcB"


def test_a_mistake_in_the_manifest_stops_the_work(corpus: Path) -> None:
    path = corpus / "corpus.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("publisher", "publishr", 1), encoding="utf-8")
    with pytest.raises(ManifestError, match="did you mean 'publisher'"):
        variorum.edit(corpus)


def test_a_stricter_threshold_turns_corrections_into_findings(corpus: Path) -> None:
    path = corpus / "corpus.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"apply = [\d.]+", "apply = 1.0", text), encoding="utf-8")
    strict = edit(corpus).witnesses[0]
    assert all(c.cert == 1.0 for c in strict.repair.corrections if c.rule != "law number")
    assert any(f.code == "correction-suggested" and f.candidates for f in strict.repair.findings)


def test_the_files_of_an_edition(sample: Edition) -> None:
    files = sample.files()
    assert {"tei/editions/EcA.xml", "tei/editions/SxA.xml", "tei/ecarte.xml", "tables/variorum.xlsx"} <= set(files)
    assert "tables/concordance.csv" in files


def test_a_build_is_written_whole(sample: Edition, tmp_path: Path) -> None:
    paths = sample.write(tmp_path / "build")
    assert all(p.is_file() for p in paths)
    assert len(paths) == len(sample.files())


@pytest.mark.shared
def test_the_witnesses_are_the_seeds_as_they_came(root: Path, shared: Path) -> None:
    seeds = {p.name: p.read_bytes() for p in (shared / "seeds").iterdir()}
    ours = {p.name: p.read_bytes() for p in (root / "corpus/witnesses").rglob("*.txt")}
    assert ours == seeds
