"""Score: the figures by which a result is judged, checked on examples that can be counted by eye."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum import score
from variorum.model import Change, ChangeKind, Clause, Law


@pytest.fixture(scope="session")
def metrics(shared: Path) -> ModuleType:
    """The reference definitions beside the repository."""
    spec = importlib.util.spec_from_file_location("metrics", shared / "measure" / "metrics.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def law(number: str, text: str, *clauses: str) -> Law:
    parts = tuple(Clause("abc"[k], words, 0, 1, 0) for k, words in enumerate(clauses))
    return Law(number, number, number, "", text, 0, 1, 0, parts)


def change(kind: ChangeKind, a: str, b: str) -> Change:
    return Change("L01", {"A": (a,), "B": (b,)}, kind, "altered", {"A": "", "B": ""}, "", 1.0)


# --------------------------------------------------------------------------------------------------------------- texts


def test_one_wrong_letter_in_ten_is_an_error_rate_of_a_tenth() -> None:
    assert score.character_error_rate("the dealar", "the dealer") == pytest.approx(0.1)


def test_kinds_of_quotes_dashes_and_spaces_are_no_errors() -> None:
    assert score.character_error_rate("it ; is — “good”\n( now )", 'it; is - "good" (now)') == 0


def test_an_empty_result_has_every_letter_wrong() -> None:
    assert score.character_error_rate("", "abcd") == 1


def test_a_page_is_its_title_headings_numbers_notes_and_prose() -> None:
    gold = {
        "title_line": "A Book",
        "heading": "Laws.",
        "laws": [
            {"n": "8", "printed": None, "text": "begun before."},
            {"n": "9", "section": "Deal.", "text": "Cut:", "sub": [{"n": "a", "text": "high;"}]},
            {"n": "10", "section": "Deal.", "text": "Deal."},
        ],
        "notes": [{"text": "A note."}],
        "prose": [{"section": "Advice.", "text": "Be wise."}],
    }
    raw = "A Book Laws. begun before. Deal.— 9 Cut: (a) high; 10 Deal. A note. Advice.— Be wise."
    assert score.character_error_rate(raw, score.page_text(gold, raw)) == 0
    raw = raw.replace("9 ", "9. ").replace("10 ", "10. ").replace("—", "")
    assert score.character_error_rate(raw, score.page_text(gold, raw)) == 0


@pytest.mark.shared
@pytest.mark.parametrize(("name", "percent"), [("ecarte-a", 1.26), ("whist-a", 1.33), ("sixtysix-a", 17.8)])
def test_the_untouched_pages_have_the_error_rates_that_were_published(shared: Path, name: str, percent: float) -> None:
    raw = (shared / "seeds" / f"{name}.ocr.txt").read_text(encoding="utf-8")
    gold = json.loads((shared / "gold" / f"{name}.json").read_text(encoding="utf-8"))
    rate = 100 * score.character_error_rate(raw, score.page_text(gold, raw))
    assert rate == pytest.approx(percent, abs=0.05 if percent > 10 else 0.005)


marks = st.text("ab .,;:!?()-–—'’“\"\n", max_size=30)


@pytest.mark.shared
@given(text=marks, gold=marks)
def test_texts_are_compared_as_the_reference_does(metrics: ModuleType, text: str, gold: str) -> None:
    assert score.folded(text) == metrics.norm(text)
    assert score.character_error_rate(text, gold) == metrics.cer(text, gold)


# ---------------------------------------------------------------------------------------------------------------- laws


def test_a_law_is_found_by_its_number_and_its_text() -> None:
    gold = [{"n": "1", "text": "The dealer deals."}, {"n": "2", "text": "The eldest hand leads."}]
    found = [law("1", "The dealer deals."), law("3", "The eldest hand leads.")]
    rate = score.law_rate(gold, found)
    assert (rate.gold, rate.found, rate.hit) == (2, 2, 1)
    assert (rate.precision, rate.recall, rate.f1) == (0.5, 0.5, 0.5)


def test_clauses_are_part_of_the_text_and_a_misread_letter_does_not_hide_a_law() -> None:
    gold = [{"n": "10", "text": "There must be a fresh deal:", "sub": [{"n": "a", "text": "if cut;"}]}]
    assert score.law_rate(gold, [law("10", "Thcre must be a fresh deal:", "if cut;")]).hit == 1
    assert score.law_rate(gold, [law("10", "There must be a fresh deal:")]).hit == 0


def test_laws_out_of_order_are_not_found_twice() -> None:
    gold = [{"n": "1", "text": "One."}, {"n": "2", "text": "Two."}]
    assert score.law_rate(gold, [law("2", "Two."), law("1", "One.")]).hit == 1


def test_nothing_wanted_and_nothing_found_is_no_division_by_nought() -> None:
    rate = score.law_rate([], [])
    assert (rate.precision, rate.recall, rate.f1) == (0, 0, 0)


texts = st.sampled_from(["the dealer deals again", "the dealer deals", "a revoke", "honours are counted last"])
numbered = st.lists(st.tuples(st.sampled_from("123"), texts), max_size=6)


@pytest.mark.shared
@given(gold=numbered, found=numbered)
def test_laws_are_counted_as_the_reference_does(
    metrics: ModuleType, gold: list[tuple[str, str]], found: list[tuple[str, str]]
) -> None:
    wanted = [{"n": n, "text": text} for n, text in gold]
    mine = score.law_rate(wanted, [law(n, text) for n, text in found])
    agrees(mine, metrics.law_scores(wanted, [{"n": n, "text": text} for n, text in found]))


def agrees(mine: score.Rate, reference: dict[str, Any]) -> None:
    assert (mine.gold, mine.found, mine.hit) == (reference["gold"], reference["found"], reference["hit"])
    assert mine.f1 == pytest.approx(reference["f1"])


# --------------------------------------------------------------------------------------------------------------- links


def test_half_a_split_is_one_pair_of_two_and_no_whole_group() -> None:
    gold = {"links": [{"a": ["6"], "b": ["7", "9"]}]}
    pairs, groups = score.link_rates(gold, [{"A": ["6"], "B": ["7"]}, {"B": ["9"]}], "A", "B")
    assert (pairs.gold, pairs.found, pairs.hit) == (2, 1, 1)
    assert (groups.gold, groups.found, groups.hit) == (1, 1, 0)


def test_a_doubtful_link_counts_neither_for_nor_against() -> None:
    gold = {"links": [{"a": ["1"], "b": ["1"]}, {"a": ["2"], "b": ["2"], "doubtful": True}]}
    for loci in ([{"A": ["1"], "B": ["1"]}], [{"A": ["1"], "B": ["1"]}, {"A": ["2"], "B": ["2"]}]):
        assert [rate.f1 for rate in score.link_rates(gold, loci, "A", "B")] == [1, 1]


ids = st.sampled_from([[], ["1"], ["2"], ["3"], ["1", "2"], ["2", "3"], ["4", "1"]])
some = st.sampled_from([["1"], ["2"], ["3"], ["1", "2"], ["2", "3"], ["4", "1"]])
linked = st.lists(st.tuples(some, some, st.booleans()), max_size=5)


@pytest.mark.shared
@given(links=linked, loci=st.lists(st.tuples(ids, ids), max_size=5))
def test_links_are_counted_as_the_reference_does(
    metrics: ModuleType, links: list[tuple[list[str], list[str], bool]], loci: list[tuple[list[str], list[str]]]
) -> None:
    gold = {"links": [{"a": a, "b": b, "doubtful": doubtful} for a, b, doubtful in links]}
    given_ = [{"A": a, "B": b} for a, b in loci]
    pairs, groups = score.link_rates(gold, given_, "A", "B")
    reference = metrics.link_scores(gold, given_, "A", "B")
    agrees(pairs, reference["pairs"])
    agrees(groups, reference["beads"])


# -------------------------------------------------------------------------------------------------------------- changes


def place(a: str, b: str, *rows: dict[str, Any]) -> dict[str, Any]:
    return {"a": [a], "b": [b], "changes": [{"sure": True, **row} for row in rows]}


def test_a_change_is_right_where_its_kind_or_another_accepted_kind_is_named() -> None:
    gold = [place("1", "2", {"kind": "penalty", "also": ["procedure"]})]
    for kind, hit in ((ChangeKind.PENALTY, 1), (ChangeKind.PROCEDURE, 1), (ChangeKind.AGENT, 0)):
        rate = score.change_rate(gold, [change(kind, "1", "2")], "A", "B")
        assert (rate.gold, rate.found, rate.hit) == (1, 1, hit)


def test_a_change_at_other_laws_is_wrong() -> None:
    rate = score.change_rate([place("1", "2", {"kind": "penalty"})], [change(ChangeKind.PENALTY, "1", "1")], "A", "B")
    assert (rate.found, rate.hit) == (1, 0)


def test_one_found_change_does_not_answer_for_two() -> None:
    gold = [place("1", "1", {"kind": "penalty"}, {"kind": "penalty"})]
    assert score.change_rate(gold, [change(ChangeKind.PENALTY, "1", "1")], "A", "B").hit == 1


def test_changes_of_term_and_rows_that_are_not_sure_count_nowhere() -> None:
    gold = [place("1", "1", {"kind": "term"}, {"kind": "scope", "sure": False})]
    found = [change(ChangeKind.TERM, "1", "1"), change(ChangeKind.SCOPE, "1", "1")]
    rate = score.change_rate(gold, found, "A", "B")
    assert (rate.gold, rate.found, rate.hit) == (0, 0, 0)
