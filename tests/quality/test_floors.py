"""The quality that must not sink: floors pinned beside a digest of the gold they were measured on."""

from __future__ import annotations

import hashlib
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

import variorum
from variorum import score
from variorum.edition import Edition
from variorum.model import Witness

FLOORS = tomllib.loads((Path(__file__).parent / "floors.toml").read_text(encoding="utf-8"))


def gold_of(sample: Edition, siglum: str) -> Any:
    entry = next(e for e in sample.corpus.witnesses if e.siglum == siglum)
    assert entry.gold is not None
    return json.loads(entry.gold.read_text(encoding="utf-8"))


def witness_of(sample: Edition, siglum: str) -> Witness:
    return next(w for w in sample.witnesses if w.siglum == siglum)


def test_the_floors_belong_to_this_gold(root: Path) -> None:
    digest = hashlib.sha256()
    for path in sorted((root / "corpus/gold").glob("*.json")):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    assert digest.hexdigest() == FLOORS["gold"]


@pytest.mark.parametrize(("siglum", "floor"), FLOORS["laws"].items())
def test_every_law_is_found_with_its_number_and_text(sample: Edition, siglum: str, floor: int) -> None:
    rate = score.law_rate(gold_of(sample, siglum)["laws"], witness_of(sample, siglum).laws)
    assert (rate.hit, rate.found) == (floor, floor)


@pytest.mark.parametrize("siglum", FLOORS["laws"])
def test_sections_clauses_and_notes_are_those_of_the_gold(sample: Edition, siglum: str) -> None:
    gold, laws = gold_of(sample, siglum), witness_of(sample, siglum).laws
    assert [law.section for law in laws] == [law.get("section") or "" for law in gold["laws"]]
    assert [[c.label for c in law.clauses] for law in laws] == [
        [clause["n"] for clause in law.get("sub", ())] for law in gold["laws"]
    ]
    notes = {note["after"]: note["text"] for note in gold.get("notes", ())}
    assert {law.number: law.notes[0].text for law in laws if law.notes} == notes


@pytest.mark.parametrize(("siglum", "floor"), FLOORS["cer"].items())
def test_the_repaired_page_is_as_right_as_it_was(sample: Edition, siglum: str, floor: float) -> None:
    repair = witness_of(sample, siglum).repair
    page = score.page_text(gold_of(sample, siglum), repair.raw)
    assert 100 * score.character_error_rate(repair.text, page) <= floor
    # What `clean` gives, before the laws are known, is held to the same.
    assert 100 * score.character_error_rate(variorum.clean(repair.raw).text, page) <= floor


def test_the_laws_of_the_two_ecartes_are_linked(sample: Edition) -> None:
    work = sample.works[0]
    entry = sample.corpus.works[0]
    assert entry.links is not None
    gold = json.loads(entry.links.read_text(encoding="utf-8"))
    pairs, _ = score.link_rates(gold, [locus.laws for locus in work.concordance.loci], "EcA", "EcB")
    assert pairs.f1 >= FLOORS["links"]["ecarte"]


def test_a_split_law_and_moved_laws_are_told(sample: Edition) -> None:
    loci = {locus.laws.get("EcA"): locus for locus in sample.works[0].concordance.loci}
    assert loci[("6",)].laws["EcB"] == ("7", "9")
    assert loci[("6",)].relation == "split"
    assert loci[("9",)].laws["EcB"] == ("6",)
    assert loci[("9",)].moved


@pytest.mark.shared
@pytest.mark.slow
def test_clean_books_go_through_almost_unchanged(shared: Path) -> None:
    for name in (shared / "texts/never-train.txt").read_text(encoding="utf-8").split():
        text = (shared / "texts" / name).read_text(encoding="utf-8")
        changed = [c for c in variorum.clean(text).corrections if c.kind in ("misreading", "spacing")]
        assert 1e4 * len(changed) / len(text.split()) < FLOORS["clean"]["every_book"], name
