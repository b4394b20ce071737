"""How far a result agrees with a text, laws and links made by hand.

The definitions are those usual for OCR and for alignment: character error rate is edit distance over the length of the
hand-made text; precision is the share of what was found that is right, recall the share of what is right that was
found, F1 their harmonic mean. Gold is what the JSON files of a corpus hold, as read by `json`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from variorum.model import Change, ChangeKind, Clause, Law

Gold = Mapping[str, Any]

# A law counts as found from this likeness of its text on, in per cent: a word misread here and there does not hide it,
# a sentence lost or taken from the next law does.
ENOUGH = 90.0

_PLAIN = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-"})
_BEFORE_STOP = re.compile(r" ([;:,.!?)])")
_DASH = re.compile(r" ?-+ ?")


@dataclass(frozen=True, slots=True)
class Rate:
    """How many were wanted (`gold`), how many were given (`found`), how many of these are right (`hit`)."""

    gold: int
    found: int
    hit: int

    @property
    def precision(self) -> float:
        """Share of what was found that is right; 0 where nothing was found."""
        return self.hit / max(1, self.found)

    @property
    def recall(self) -> float:
        """Share of what is right that was found; 0 where nothing was wanted."""
        return self.hit / max(1, self.gold)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return 2 * self.hit / max(1, self.gold + self.found)


# ---------------------------------------------------------------------------------------------------------------- texts


def folded(text: str) -> str:
    """The text without what no reader counts as an error: kind of quote and dash, white space, space before a stop."""
    text = " ".join(text.translate(_PLAIN).split())
    text = _BEFORE_STOP.sub(r"\1", text).replace("( ", "(")
    return _DASH.sub("-", text).strip()


def character_error_rate(text: str, gold: str) -> float:
    """Edit distance of two texts, folded, over the length of the gold one."""
    from rapidfuzz.distance import Levenshtein

    text, gold = folded(text), folded(gold)
    return Levenshtein.distance(text, gold) / max(1, len(gold))


def page_text(gold: Gold, raw: str) -> str:
    """The page as its gold has it: title, headings, numbered laws, notes and prose run together in reading order.

    Gold holds the words, not how the printer set off numbers ("3." or "3") and section headings ("Revoking." or
    "Revoking. —"). Of these ways the one that is nearest to the raw page is taken; the result scored has no part in it.
    """
    ways = ["".join(_run(gold, stop, dash)) for stop, dash in product((".", ""), ("", " —"))]
    return min(ways, key=lambda way: character_error_rate(raw, way))


def _run(gold: Gold, stop: str, dash: str) -> Iterator[str]:
    for key in ("title_line", "heading"):
        if gold.get(key):
            yield f"{gold[key]} "
    section = None
    for law in gold["laws"]:
        if law.get("section") and law["section"] != section:
            yield f"{law['section']}{dash} "
        section = law.get("section")
        if "printed" not in law or law["printed"] is not None:
            yield f"{law['n']}{stop} "
        yield f"{law['text']} "
        yield from (f"({clause['n']}) {clause['text']} " for clause in law.get("sub", ()))
    for note in gold.get("notes", ()):
        yield f"{note['text']} "
    for prose in gold.get("prose", ()):
        yield f"{prose['section']}{dash} {prose['text']} "


# ----------------------------------------------------------------------------------------------------------------- laws


def law_rate(gold: Sequence[Gold], laws: Sequence[Law], enough: float = ENOUGH) -> Rate:
    """How many laws were found, in reading order, with the right number and a text like enough to the gold's.

    `gold` are laws as {"n", "text", "sub": [{"text"}]}. Own text and clauses are compared run together, without labels.
    """
    from rapidfuzz import fuzz

    found = [(law.number, _compared((law.text, *_texts(law.clauses)))) for law in laws]
    hit = start = 0
    for law in gold:
        wanted = _compared((law["text"], *(clause["text"] for clause in law.get("sub", ()))))
        for k in range(start, len(found)):
            number, text = found[k]
            if number == str(law["n"]) and fuzz.ratio(text, wanted) >= enough:
                hit, start = hit + 1, k + 1
                break
    return Rate(len(gold), len(found), hit)


def _texts(clauses: tuple[Clause, ...]) -> Iterator[str]:
    for clause in clauses:
        yield clause.text
        yield from _texts(clause.clauses)


def _compared(parts: Iterable[str]) -> str:
    return folded(" ".join(parts)).lower()


# ---------------------------------------------------------------------------------------------------------------- links


def link_rates(gold: Gold, loci: Iterable[Mapping[str, Sequence[str]]], a: str, b: str) -> tuple[Rate, Rate]:
    """Agreement of loci with the links of two witnesses: counted by pairs of laws, and by whole groups.

    `gold` is {"links": [{"a": [law id], "b": [law id], "doubtful"}]}; a doubtful link counts neither for nor against.
    `loci` give law ids by siglum. Returns the rate of pairs (6-7 and 6-9 are two) and of groups (6 = 7 + 9 is one).
    """
    sure = [link for link in gold["links"] if not link.get("doubtful")]
    doubtful = _pairs((link["a"], link["b"]) for link in gold["links"] if link.get("doubtful"))
    groups = [(locus.get(a, ()), locus.get(b, ())) for locus in loci]
    wanted, found = _pairs((link["a"], link["b"]) for link in sure), _pairs(groups) - doubtful
    whole = {_group(link["a"], link["b"]) for link in sure}
    given = {_group(left, right) for left, right in groups if left and right and not doubtful & _pairs([(left, right)])}
    return Rate(len(wanted), len(found), len(wanted & found)), Rate(len(whole), len(given), len(whole & given))


Pair = tuple[str, str]


def _pairs(groups: Iterable[tuple[Sequence[str], Sequence[str]]]) -> set[Pair]:
    return {pair for left, right in groups for pair in product(left, right)}


def _group(left: Sequence[str], right: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(sorted(left)), tuple(sorted(right))


# ------------------------------------------------------------------------------------------------------ changes of rule


def change_rate(gold: Sequence[Gold], changes: Sequence[Change], a: str, b: str) -> Rate:
    """How many changes of rule between two witnesses were found, each at its laws and of a kind that a reader accepts.

    `gold` is [{"a": [law id], "b": [law id], "changes": [{"kind", "also", "sure"}]}]. Changes of mere term count
    nowhere; a row that is not sure counts neither for nor against, and takes in a change that no sure row explains.
    A law that one edition alone has counts only where the gold speaks of such laws.
    """
    rows = [(_places(place["a"], place["b"]), row) for place in gold for row in place["changes"]]
    rows = [(pairs, row) for pairs, row in rows if row["kind"] != ChangeKind.TERM]
    rows.sort(key=lambda row: not row[1]["sure"])  # sure rows take their pick first
    found = _of_rule(gold, changes, a, b)
    places = [_places(change.laws.get(a, ()), change.laws.get(b, ())) for change in found]
    fits = [
        [k for k, c in enumerate(found) if c.kind in {row["kind"], *row.get("also", ())} and pairs & places[k]]
        for pairs, row in rows
    ]
    taken: dict[int, int] = {}  # change -> the row that it answers
    for n in range(len(rows)):
        _match(n, fits, taken, set())
    hit = sum(rows[n][1]["sure"] for n in taken.values())
    return Rate(sum(row["sure"] for _, row in rows), len(found) - len(taken) + hit, hit)


def _match(row: int, fits: Sequence[Sequence[int]], taken: dict[int, int], tried: set[int]) -> bool:
    """Give a row a change, where need be by finding another for a row before it (Kuhn's matching)."""
    for k in fits[row]:
        if k not in tried:
            tried.add(k)
            if k not in taken or _match(taken[k], fits, taken, tried):
                taken[k] = row
                return True
    return False


def changed_rate(gold: Sequence[Gold], changes: Sequence[Change], a: str, b: str) -> Rate:
    """Of how many laws it was rightly said that the rule changed, whatever the change; `gold` as in `change_rate`.

    A law where a reader is not sure of any change counts neither for nor against, whether or not one was found.
    """
    rows = [
        (_places(place["a"], place["b"]), [r["sure"] for r in place["changes"] if r["kind"] != ChangeKind.TERM])
        for place in gold
    ]
    found = [_places(c.laws.get(a, ()), c.laws.get(b, ())) for c in _of_rule(gold, changes, a, b)]
    said = [any(pairs & other for other in found) for pairs, _ in rows]
    spoken = set[Pair]().union(*(pairs for pairs, _ in rows))
    elsewhere = {min(pairs) for pairs in found if not pairs & spoken}
    wanted = [any(sure) for _, sure in rows]
    counted = [any(sure) or not sure for _, sure in rows]
    hit = sum(w and s for w, s in zip(wanted, said, strict=True))
    return Rate(sum(wanted), sum(s and c for s, c in zip(said, counted, strict=True)) + len(elsewhere), hit)


def _places(left: Sequence[str], right: Sequence[str]) -> set[Pair]:
    """The pairs of laws of a place; a law that one edition alone has is paired with nothing."""
    return _pairs([(left or ("",), right or ("",))])


def _of_rule(gold: Sequence[Gold], changes: Sequence[Change], a: str, b: str) -> list[Change]:
    alone = any(not (place["a"] and place["b"]) for place in gold)
    both = [c for c in changes if c.kind is not ChangeKind.TERM and (c.laws.get(a) or c.laws.get(b))]
    return [c for c in both if alone or (c.laws.get(a) and c.laws.get(b))]
