"""Which law is which: found in any order, whatever the numbers, with every law in exactly one locus."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import variorum
from revisions_made import Descent, answering, laws_of, sentences
from variorum.concord import concord, likeness
from variorum.model import Concordance, Law, Relation

CASES = sorted((Path(__file__).parent / "cases" / "concord").glob("*.txt"))


def law(number: str, text: str, section: str = "") -> Law:
    return Law(number, number, number, section, text, 0, 0, 0)


def gold(path: Path) -> list[Law]:
    data = json.loads(path.read_text("utf-8"))
    laws = data["laws"] if isinstance(data, dict) else data
    return [
        law(x["n"], " ".join([x["text"], *(s["text"] for s in x.get("sub", []))]), x.get("section") or "") for x in laws
    ]


def pairs(found: Concordance, a: str, b: str) -> set[tuple[str, str]]:
    return {(p, q) for locus in found.loci for p in locus.laws.get(a, ()) for q in locus.laws.get(b, ())}


def f1(found: set[tuple[str, str]], wanted: set[tuple[str, str]]) -> float:
    return 2 * len(found & wanted) / (len(found) + len(wanted))


@pytest.fixture(scope="module")
def ecarte(root: Path) -> tuple[dict[str, list[Law]], set[tuple[str, str]]]:
    """The gold laws of the two Écartés, and the pairs a reader linked."""
    folder = root / "corpus" / "gold"
    links = json.loads((folder / "ecarte-a--ecarte-b.links.json").read_text("utf-8"))["links"]
    wanted = {(p, q) for link in links for p in link["a"] for q in link["b"]}
    return {"A": gold(folder / "ecarte-a.json"), "B": gold(folder / "ecarte-b.json")}, wanted


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_case_written_by_hand(path: Path) -> None:
    """A case says "A 1 = B 2 + B 3" for laws that belong together and "A 4 only" for one without a fellow."""
    head, _, expected = path.read_text("utf-8").partition("---\n")
    witnesses: dict[str, list[Law]] = {}
    for line in head.splitlines():
        siglum, _, rest = line.partition(" ")
        number, colon, text = rest.partition(": ")
        if colon and siglum.isupper() and len(siglum) == 1:
            witnesses.setdefault(siglum, []).append(law(number, text))
    wanted = set()
    for line in expected.splitlines():
        wanted.add(tuple(sorted(line.removesuffix(" only").replace(" + ", " = ").split(" = "))))
    loci = concord(witnesses).loci
    assert {tuple(sorted(f"{s} {i}" for s, ids in locus.laws.items() for i in ids)) for locus in loci} == wanted
    assert all((locus.relation is Relation.ONLY) == (len(locus.laws) == 1) for locus in loci)


def test_the_two_ecartes_are_linked_as_a_reader_links_them(
    ecarte: tuple[dict[str, list[Law]], set[tuple[str, str]]],
) -> None:
    witnesses, wanted = ecarte
    assert f1(pairs(concord(witnesses), "A", "B"), wanted) >= 0.94


def test_a_law_split_in_two_and_laws_that_moved_are_flagged(
    ecarte: tuple[dict[str, list[Law]], set[tuple[str, str]]],
) -> None:
    by_law = {locus.laws["A"]: locus for locus in concord(ecarte[0]).loci if "A" in locus.laws}
    assert by_law["6",].laws["B"] == ("7", "9")
    assert by_law["6",].relation is Relation.SPLIT
    assert {number for (number,), locus in by_law.items() if locus.moved} == {"9", "10"}


def test_a_split_read_from_the_other_side_is_a_merger(
    ecarte: tuple[dict[str, list[Law]], set[tuple[str, str]]],
) -> None:
    witnesses, _ = ecarte
    found = concord({"B": witnesses["B"], "A": witnesses["A"]})
    assert [locus.relation for locus in found.loci if len(locus.laws.get("B", ())) > 1] == [Relation.MERGED]


@pytest.mark.parametrize("seed", range(5))
def test_links_hold_where_the_order_is_lost(
    seed: int, ecarte: tuple[dict[str, list[Law]], set[tuple[str, str]]]
) -> None:
    rng = random.Random(seed)
    shuffled = {s: rng.sample(laws, len(laws)) for s, laws in ecarte[0].items()}
    assert f1(pairs(concord(shuffled), "A", "B"), ecarte[1]) >= 0.94


def test_links_hold_on_laws_cut_from_raw_ocr(
    root: Path, ecarte: tuple[dict[str, list[Law]], set[tuple[str, str]]]
) -> None:
    raw = {s: next((root / "corpus" / "witnesses" / s).glob("*.txt")).read_text("utf-8") for s in ("EcA", "EcB")}
    found = concord({s: variorum.laws(text, repair=False) for s, text in raw.items()})
    assert f1(pairs(found, "EcA", "EcB"), ecarte[1]) >= 0.94


@pytest.fixture(scope="module")
def spalding(shared: Path) -> tuple[dict[str, list[Law]], set[tuple[str, str]]]:
    """The gold laws of two revised codes of seventy laws, and the pairs a reader linked."""
    folder = shared / "rulebooks" / "gold"
    a, b = (f"pg-spalding-baseball-{year}.baseball" for year in (1889, 1895))
    links = json.loads((folder / f"{a}--{b}.links.json").read_text("utf-8"))["links"]
    wanted = {(p, q) for link in links for p in link["a"] for q in link["b"]}
    return {"A": gold(folder / f"{a}.json"), "B": gold(folder / f"{b}.json")}, wanted


@pytest.mark.shared
def test_two_revised_codes_of_seventy_laws(spalding: tuple[dict[str, list[Law]], set[tuple[str, str]]]) -> None:
    assert f1(pairs(concord(spalding[0]), "A", "B"), spalding[1]) >= 0.95


@pytest.mark.shared
@pytest.mark.parametrize("seed", range(3))
def test_links_hold_where_laws_are_lost_and_order_with_them(
    seed: int, spalding: tuple[dict[str, list[Law]], set[tuple[str, str]]]
) -> None:
    """A fifth of the laws of either code is gone: a law whose fellow is lost should stay alone."""
    rng = random.Random(seed)
    fewer = {s: rng.sample(laws, round(0.8 * len(laws))) for s, laws in spalding[0].items()}
    left = {s: {x.number for x in laws} for s, laws in fewer.items()}
    wanted = {(p, q) for p, q in spalding[1] if p in left["A"] and q in left["B"]}
    assert f1(pairs(concord(fewer), "A", "B"), wanted) >= 0.9


SENTENCES = [
    "The lowest card deals.",
    "The dealer plays last, and the eldest hand leads.",
    "A revoke forfeits three tricks to the other side.",
    "If a card be exposed in dealing, a new deal may be called.",
    "Honours must be claimed before the next trump is turned.",
    "No bystander may speak during the play.",
    "He who plays with more than five cards loses a point.",
    "",
]
CODE = st.lists(st.sampled_from(SENTENCES), max_size=6).map(
    lambda texts: [law(str(k), text) for k, text in enumerate(texts, start=1)]
)


def linked(found: Concordance) -> set[frozenset[tuple[str, str]]]:
    return {frozenset((s, i) for s, ids in locus.laws.items() for i in ids) for locus in found.loci}


@given(st.dictionaries(st.sampled_from("ABCD"), CODE, max_size=4), st.randoms(use_true_random=False))
@settings(max_examples=80, deadline=None)
def test_every_law_stands_in_one_locus_whatever_the_order_of_witnesses(
    witnesses: Mapping[str, Sequence[Law]], rng: random.Random
) -> None:
    found = concord(witnesses)
    placed = [(s, i) for locus in found.loci for s, ids in locus.laws.items() for i in ids]
    assert sorted(placed) == sorted((s, x.id) for s, laws in witnesses.items() for x in laws)
    sigla = list(witnesses)
    rng.shuffle(sigla)
    assert linked(found) == linked(concord({s: witnesses[s] for s in sigla}))
    assert all(0 <= locus.cert <= 1 and locus.evidence for locus in found.loci)


@given(CODE)
@settings(max_examples=40, deadline=None)
def test_two_copies_of_a_code_are_linked_law_by_law(code: list[Law]) -> None:
    code = [x for x in code if x.text]
    found = concord({"A": code, "B": code})
    assert all(locus.laws["A"] == locus.laws["B"] for locus in found.loci)
    assert all(locus.relation is Relation.SAME and not locus.moved for locus in found.loci)


def test_loci_are_numbered_in_the_order_of_the_first_witness() -> None:
    a = [law("1", SENTENCES[0]), law("2", SENTENCES[2])]
    b = [law("1", SENTENCES[2]), law("2", SENTENCES[5]), law("3", SENTENCES[0])]
    found = concord({"A": a, "B": b})
    assert [(locus.id, dict(locus.laws)) for locus in found.loci] == [
        ("L01", {"A": ("1",), "B": ("3",)}),
        ("L02", {"A": ("2",), "B": ("1",)}),
        ("L03", {"B": ("2",)}),
    ]


def test_an_empty_witness_is_a_finding_and_stops_nothing() -> None:
    found = concord({"A": [law("1", SENTENCES[0])], "B": []})
    assert [f.siglum for f in found.findings] == ["B"]
    assert len(found.loci) == 1


def test_the_evidence_names_words_that_both_laws_have() -> None:
    found = concord({"A": [law("1", SENTENCES[2])], "B": [law("9", "Three tricks are forfeited by a revoke.")]})
    assert "'revoke'" in found.loci[0].evidence


def of(text: str) -> list[Law]:
    return [law(str(n), line) for n, line in enumerate(text.strip().split("\n"), 1)]


WHIST = """
The lowest card deals, and the dealer's partner collects the other pack.
A revoke forfeits three tricks to the other side.
Honours must be claimed before the next trump is turned.
If a card be exposed in dealing, a new deal may be called.
"""
CRICKET = """
The ball must weigh not less than five ounces and a half.
The striker is out if either of the bails be bowled off.
The umpires are the sole judges of fair and unfair play.
The wickets must be pitched opposite to each other by the umpires.
"""


def test_laws_of_games_that_have_nothing_in_common_are_no_sure_links() -> None:
    found = concord({"A": of(WHIST), "B": of(CRICKET)})
    assert all(locus.relation is Relation.ONLY or locus.cert < 0.5 for locus in found.loci)


def test_a_link_that_is_as_likely_wrong_as_right_is_told_to_the_editor(
    ecarte: tuple[dict[str, list[Law]], set[tuple[str, str]]],
) -> None:
    found = concord(ecarte[0])
    doubtful = [x for x in found.loci if x.relation is not Relation.ONLY and x.cert < 0.5]
    assert doubtful
    assert [f.code for f in found.findings] == ["link-doubtful"] * len(doubtful)
    assert all(
        f.message.startswith(f"A {' and '.join(x.laws['A'])}, B ")
        for f, x in zip(found.findings, doubtful, strict=True)
    )


def test_what_became_of_a_law_does_not_hang_on_the_order_of_the_later_witnesses() -> None:
    whole = "A revoke forfeits three tricks. The tricks may be taken from the score of the revoking side."
    parts = ["A revoke forfeits three tricks.", "The tricks may be taken from the score of the revoking side."]
    rest = of(WHIST)[2:]
    codes = {
        "A": [law("1", whole), *rest],
        "B": [law("1", parts[0]), law("2", parts[1]), *rest],
        "C": [law("1", whole), *rest],
    }
    relations = [
        {x.relation for x in concord({s: codes[s] for s in order}).loci if "1" in x.laws.get("A", ())}
        for order in ("ABC", "ACB")
    ]
    assert relations[0] == relations[1] == {Relation.SPLIT}


def test_a_moved_law_tells_which_law_it_has_passed() -> None:
    first = of(WHIST)
    second = [first[1], first[2], first[3], first[0]]
    (moved,) = [x for x in concord({"A": first, "B": second}).loci if x.moved]
    assert moved.laws["A"] == ("1",)
    assert moved.evidence.endswith("moved: before A 4 in A, after B 4 in B")


@pytest.mark.parametrize("order", ["AB", "BA"])
def test_two_laws_that_change_places_are_both_moved_and_each_names_the_other(order: str) -> None:
    laws = of(WHIST)
    codes = {"A": laws, "B": [laws[0], laws[2], laws[1], laws[3]]}
    moved = {x.laws["A"]: x.evidence for x in concord({s: codes[s] for s in order}).loci if x.moved}
    assert moved.keys() == {("2",), ("3",)}
    assert "A 3" in moved["2",].partition("moved: ")[2]
    assert "A 2" in moved["3",].partition("moved: ")[2]


def test_twelve_editions_do_not_lump_laws_that_are_unlike() -> None:
    """Made by descent: laws revised, split, merged, moved, dropped, added; one false link joins no two loci for all."""
    descent = Descent(0)
    codes = {"A": descent.first}
    for before, siglum in zip("ABCDEFGHIJK", "BCDEFGHIJKL", strict=True):
        codes[siglum] = descent.edition(codes[before])
    found = concord({s: laws_of(code) for s, code in codes.items()})
    right = told = wanted = 0
    for a, b in combinations(codes, 2):
        here, want = pairs(found, a, b), answering(codes[a], codes[b])
        right, told, wanted = right + len(here & want), told + len(here), wanted + len(want)
    assert right >= 0.8 * told
    assert right >= 0.7 * wanted


def test_links_found_by_candidates_are_those_found_by_comparing_all(monkeypatch: pytest.MonkeyPatch) -> None:
    descent = Descent(1, matters=60)
    witnesses = {"A": laws_of(descent.first), "B": laws_of(descent.edition(descent.first))}
    everything = linked(concord(witnesses))
    monkeypatch.setattr(likeness, "ALL_PAIRS", 0)
    some = linked(concord(witnesses))
    assert len(everything & some) >= 0.95 * len(everything)


def test_a_list_reprinted_under_another_heading_answers_heading_to_heading() -> None:
    texts = sentences()[:8]
    once = [law(str(n), text, "At four hands") for n, text in enumerate(texts, 1)]
    again = [law(f"R.{n}", text, "At two hands") for n, text in enumerate(texts, 1)]
    found = concord({"A": [*once, *again], "B": [*once, *again]})
    assert all(locus.laws["A"] == locus.laws["B"] for locus in found.loci)
    assert len(found.loci) == 16


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from("ABCDEF"), CODE, max_size=6), st.randoms(use_true_random=False))
@settings(max_examples=2000, deadline=None)
def test_thousands_of_codes_in_any_order(witnesses: Mapping[str, Sequence[Law]], rng: random.Random) -> None:
    sigla = list(witnesses)
    rng.shuffle(sigla)
    found, again = concord(witnesses), concord({s: witnesses[s] for s in sigla})
    assert linked(found) == linked(again)
    placed = [(s, i) for locus in found.loci for s, ids in locus.laws.items() for i in ids]
    assert sorted(placed) == sorted((s, x.id) for s, laws in witnesses.items() for x in laws)
