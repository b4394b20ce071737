"""How often it is rightly said that the rule changed, and in which kind: floors on what readers found by hand."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import changes_gold as gold
import pytest

from variorum.model import ChangeKind
from variorum.score import Rate

FLOORS = tomllib.loads((Path(__file__).parent / "floors.toml").read_text(encoding="utf-8"))["changes"]
KINDS = {kind.value for kind in ChangeKind}


def held(name: str, changed: Rate, by_kind: Rate) -> None:
    """Changed or not, law by law, and change by change in an accepted kind."""
    assert changed.f1 >= FLOORS[name]["changed"], changed
    assert by_kind.f1 >= FLOORS[name]["kind"], by_kind


def test_the_changes_between_the_ecartes_are_found(root: Path) -> None:
    held("ecarte", *gold.rates(*gold.ecarte(root)))


@pytest.mark.parametrize("game", gold.GAMES)
def test_the_changes_of_small_cases_are_found_and_other_wording_is_none(root: Path, game: str) -> None:
    held(game, *gold.rates(*gold.cases(root, game)))


@pytest.mark.shared
@pytest.mark.parametrize(("name", "half"), [("spalding-tuned", gold.TUNED), ("spalding-held-out", gold.HELD_OUT)])
def test_the_changes_between_the_spaldings_are_found(shared: Path, name: str, half: int) -> None:
    held(name, *gold.rates(*gold.spalding(shared, half)))


@pytest.mark.shared
def test_the_annotation_belongs_to_these_files(shared: Path) -> None:
    assert gold.digest(shared) == FLOORS["spalding"]


@pytest.mark.shared
def test_the_annotation_judges_every_link_and_every_law_of_one_edition_alone(shared: Path) -> None:
    a, b = gold.codes(shared)
    places = gold.places()
    assert {i for place in places for i in place["a"]} == {law.id for law in a}
    assert {i for place in places for i in place["b"]} == {law.id for law in b}
    assert sum(bool(place["a"] and place["b"]) for place in places) >= 60


def rows() -> Iterator[dict[str, object]]:
    return (row for place in gold.places() for row in place["changes"])


def test_the_annotation_knows_only_kinds_and_ops_of_the_model() -> None:
    for row in rows():
        assert {row["kind"], *row["also"]} <= KINDS  # type: ignore[misc]
        assert row["op"] in ("added", "dropped", "altered")


@pytest.mark.parametrize("game", gold.GAMES)
def test_about_half_of_the_cases_of_a_game_change_no_rule(root: Path, game: str) -> None:
    expected = [lines for _, _, lines in gold.blocks(root, game)]
    assert len(expected) >= 20
    assert 0.4 <= sum(lines == ["none"] for lines in expected) / len(expected) <= 0.6
    for lines in expected:
        assert lines == ["none"] or {k for line in lines for k in line.split()[0].split("|")} <= KINDS
