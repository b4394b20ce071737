"""What readers found by hand: changes of rule in two pairs of codes, and in small cases of several games.

`spalding-changes.csv` annotates ../shared/rulebooks/gold/pg-spalding-* by ids and kinds only, one change a row, in the
form of the Écarté gold: "also" are the kinds that a careful reader may choose instead; a row that is not sure counts
neither for nor against. Laws of an odd number are there to tune on, those of an even number are held out.
The annotation is one reader's, made before the program was run on the pair.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import variorum
from variorum.concord import concord
from variorum.edition import collate_locus
from variorum.model import Change, ChangeKind, Law, Locus, Relation
from variorum.score import Rate, change_rate, changed_rate

HERE = Path(__file__).parent
GAMES = ("whist", "euchre", "lawn", "cricket", "piquet", "golf")  # the first three to tune on, the others held out
TUNED, HELD_OUT = 1, 0  # remainder of a law's number by two
NAMES = tuple(f"pg-spalding-baseball-{year}.baseball" for year in (1889, 1895))
Places = list[dict[str, Any]]
Gold = tuple[Places, list[Change]]


def rates(places: Places, found: Sequence[Change], a: str = "A", b: str = "B") -> tuple[Rate, Rate]:
    """Whether the rule changed, law by law; and which changes, kind by kind."""
    return changed_rate(places, found, a, b), change_rate(places, found, a, b)


def told_right(places: Places, found: Sequence[Change]) -> Iterator[tuple[Change, bool]]:
    """Each change found, and whether a reader says so too; what only rows that are not sure explain is left out."""
    alone = any(not (place["a"] and place["b"]) for place in places)
    for change in found:
        if change.kind is ChangeKind.TERM or not (alone or len(change.laws) == 2):
            continue
        here = [p for p in places if p["a"] == [*change.laws.get("A", ())] and p["b"] == [*change.laws.get("B", ())]]
        rows = [row for place in here for row in place["changes"] if change.kind in (row["kind"], *row["also"])]
        if not rows or any(row["sure"] for row in rows):
            yield change, bool(rows)


# ------------------------------------------------------------------------------------------------------------ Spalding


def digest(shared: Path) -> str:
    """Of the annotated files: the two codes and their links."""
    paths = [shared / "rulebooks" / "gold" / f"{name}.json" for name in (*NAMES, f"{'--'.join(NAMES)}.links")]
    total = hashlib.sha256()
    for path in paths:
        total.update(path.read_bytes())
    return total.hexdigest()


def codes(shared: Path) -> tuple[tuple[Law, ...], ...]:
    read = (json.loads((shared / "rulebooks" / "gold" / f"{name}.json").read_text("utf-8")) for name in NAMES)
    return tuple(
        tuple(Law(x["n"], x["n"], f"{x['n']}.", x["section"] or "", x["text"], 0, 0, 0) for x in one) for one in read
    )


def numbered(law: Law, n: int) -> Law:
    return replace(law, id=str(n), number=str(n))


def places() -> Places:
    """The annotation, place by place."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    with (HERE / "spalding-changes.csv").open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            changes = found.setdefault((row["a"], row["b"]), [])
            if row["kind"] != "none":
                changes.append({**row, "also": row["also"].split(), "sure": row["sure"] == "yes"})
    return [{"a": a.split(), "b": b.split(), "changes": changes} for (a, b), changes in found.items()]


def _half(a: Sequence[str], b: Sequence[str]) -> int:
    return int((*a, *b)[0]) % 2


def spalding(shared: Path, half: int, own_links: bool = False) -> Gold:
    """One half of the annotation, and the changes found there; `own_links`: laws paired by the program itself."""
    laws = dict(zip("AB", codes(shared), strict=True))
    own = [place for place in places() if _half(place["a"], place["b"]) == half]
    if own_links:
        loci = list(concord(laws).loci)
    else:
        loci = [
            Locus(str(n), {s: tuple(p[s.lower()]) for s in "AB" if p[s.lower()]}, Relation.REVISED, False, 1.0, "")
            for n, p in enumerate(places(), 1)
        ]
    here = [x for x in loci if _half(x.laws.get("A", ()), x.laws.get("B", ())) == half]
    return own, [c for locus in here for c in collate_locus(locus, laws, "A").changes]


# -------------------------------------------------------------------------------------------------- Écarté, small cases


def ecarte(root: Path) -> Gold:
    """The two Écartés of the corpus, from raw OCR to changes; witnesses are called A and B."""
    raw = {s: next((root / "corpus" / "witnesses" / f"Ec{s}").glob("*.txt")).read_text("utf-8") for s in "AB"}
    own = json.loads((root / "corpus" / "gold" / "ecarte-a--ecarte-b.changes.json").read_text("utf-8"))
    for place in own:
        place["changes"] = [{"also": [], **row} for row in place["changes"]]
    return own, list(variorum.changes({s: variorum.laws(variorum.clean(text)) for s, text in raw.items()}))


def cases(root: Path, game: str) -> Gold:
    """Pairs of laws of a game in our own words, each with the changes that a reader sees."""
    places_: Places = []
    found: list[Change] = []
    for n, (_, texts, expected) in enumerate(blocks(root, game), 1):
        rows = [dict(zip(("kind", "op"), line.split(), strict=True)) for line in expected if line != "none"]
        changes = [{"kind": r["kind"].split("|")[0], "also": r["kind"].split("|")[1:], "sure": True} for r in rows]
        places_.append({"a": [str(n)], "b": [str(n)], "changes": changes})
        laws = {s: (Law(str(n), str(n), f"{n}.", "", text, 0, 0, 0),) for s, text in texts.items()}
        locus = Locus(f"L{n}", dict.fromkeys(texts, (str(n),)), Relation.REVISED, False, 1.0, "")
        found += collate_locus(locus, laws, "A").changes
    return places_, found


def blocks(root: Path, game: str) -> Iterator[tuple[str, dict[str, str], list[str]]]:
    """Title, law by edition, and expected changes of each case."""
    path = root / "tests" / "cases" / "changes" / "games" / f"{game}.txt"
    lines = [line for line in path.read_text("utf-8").split("\n") if not line.startswith("#")]
    for block in "\n".join(lines).strip().split("\n\n"):
        title, *rest = block.split("\n")
        yield title, dict(line.split(": ", 1) for line in rest[:2]), rest[2:]
