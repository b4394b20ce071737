"""Law links and word collation against gold, with CollateX (Python) run beside.

    python benchmarks/correspondence.py                 links, tables, John, speed
    python benchmarks/correspondence.py --thresholds    how the links hang on each threshold of concord/
    python benchmarks/correspondence.py --certainty     how often links are right that are called so certain
    python benchmarks/correspondence.py --descent       loci of twelve editions made by program, each from the last
    python benchmarks/correspondence.py --tables        also print every table that is not exact

Needs the data folder ../shared and the extra `bench`. The figures are those of ../shared/measure/metrics.py.
"""

from __future__ import annotations

import importlib.util
import itertools
import json
import random
import sys
import time
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from variorum.collation import collate
from variorum.concord import clusters, concord, likeness
from variorum.concord import links as pairwise
from variorum.model import Law
from variorum.tokens import tokenise

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
Table = dict[str, list[str | None]]
Columns = Sequence[dict[str, str | None]]


def metrics() -> Any:
    spec = importlib.util.spec_from_file_location("metrics", SHARED / "measure" / "metrics.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# --------------------------------------------------------------------------------------------------------------- links


def laws(path: Path) -> list[Law]:
    data = json.loads(path.read_text("utf-8"))
    found = data["laws"] if isinstance(data, dict) else data
    return [
        Law(
            x["n"],
            x["n"],
            x["n"],
            x.get("section") or "",
            " ".join([x["text"], *(s["text"] for s in x.get("sub", []))]),
            0,
            0,
            0,
        )
        for x in found
    ]


def codes() -> Iterator[tuple[str, list[Law], list[Law], dict[str, Any]]]:
    """Pairs of codes with the links a reader made."""
    gold = ROOT / "corpus" / "gold"
    links = json.loads((gold / "ecarte-a--ecarte-b.links.json").read_text("utf-8"))
    yield "Écarté", laws(gold / "ecarte-a.json"), laws(gold / "ecarte-b.json"), links
    gold = SHARED / "rulebooks" / "gold"
    a, b = (f"pg-spalding-baseball-{year}.baseball" for year in (1889, 1895))
    links = json.loads((gold / f"{a}--{b}.links.json").read_text("utf-8"))
    yield "Spalding 1889-1895", laws(gold / f"{a}.json"), laws(gold / f"{b}.json"), links


def changed(laws: Sequence[Law], seed: int, drop: float, shuffle: bool) -> list[Law]:
    rng = random.Random(seed)
    left = [law for law in laws if rng.random() >= drop]
    return rng.sample(left, len(left)) if shuffle else left


def left_of(links: dict[str, Any], a: Sequence[Law], b: Sequence[Law]) -> dict[str, Any]:
    """The gold links among the laws that are left."""
    here, there = {law.id for law in a}, {law.id for law in b}
    cut = [{**x, "a": [i for i in x["a"] if i in here], "b": [i for i in x["b"] if i in there]} for x in links["links"]]
    return {"links": [x for x in cut if x["a"] and x["b"]]}


def links(measure: Any) -> dict[str, tuple[float, float]]:
    figures = {}
    for name, a, b, gold in codes():
        for state, drop, shuffle in (
            ("", 0.0, False),
            (", shuffled", 0.0, True),
            (", shuffled, a fifth lost", 0.2, True),
        ):
            pairs, beads = [], []
            for seed in range(5 if shuffle else 1):
                x, y = changed(a, seed, drop, shuffle), changed(b, seed + 100, drop, shuffle)
                loci = [dict(locus.laws) for locus in concord({"A": x, "B": y}).loci]
                scores = measure.link_scores(left_of(gold, x, y), loci, "A", "B")
                pairs.append(scores["pairs"]["f1"])
                beads.append(scores["beads"]["f1"])
            figures[name + state] = sum(pairs) / len(pairs), sum(beads) / len(beads)
    return figures


def thresholds(measure: Any) -> None:
    steps: dict[str, Sequence[float]] = {
        "LINK": (-0.05, 0.0, 0.05, 0.1),
        "PART": (0.3, 0.38, 0.45),
        "GAIN": (0.02, 0.05, 0.1),
        "FLOOR": (0.2, 0.3, 0.4),
        "HUB": (3, 5, 8),
        "HEADING": (0.3, 0.6, 0.9),
        "NEIGHBOUR": (0.0, 0.25, 0.5),
    }
    for name, values in steps.items():
        module = next(m for m in (clusters, likeness, pairwise) if hasattr(m, name))
        kept = getattr(module, name)
        for value in values:
            setattr(module, name, value)
            row = "  ".join(f"{pair:.3f}" for pair, _ in links(measure).values())
            print(f"{name:9} {value:5} {'*' if value == kept else ' '} {row}")
        setattr(module, name, kept)


def descent() -> None:
    """Pairs of laws that stand in one locus against those that share a matter, over all pairs of twelve editions."""
    sys.path.insert(0, str(ROOT / "tests"))
    from revisions_made import Descent, answering, laws_of

    print("words revised  laws upset   precision  recall   F1    (means of 3)")
    for share, upset in ((0.03, 0.03), (0.06, 0.05), (0.12, 0.05), (0.06, 0.1)):
        right = told = wanted = 0
        for seed in range(3):
            made = Descent(seed)
            codes = {"A": made.first}
            for before, siglum in itertools.pairwise("ABCDEFGHIJKL"):
                codes[siglum] = made.edition(codes[before], share, upset)
            loci = concord({s: laws_of(code) for s, code in codes.items()}).loci
            for a, b in itertools.combinations(codes, 2):
                here = {(p, q) for x in loci for p in x.laws.get(a, ()) for q in x.laws.get(b, ())}
                want = answering(codes[a], codes[b])
                right, told, wanted = right + len(here & want), told + len(here), wanted + len(want)
        f1 = 2 * right / (told + wanted)
        print(f"  {share:.2f}           {upset:.2f}         {right / told:.3f}      {right / wanted:.3f}    {f1:.3f}")


SIZES = (2, 3, 5, 10, 20, 80)  # laws in a window


def certainty() -> None:
    """Certainty of links against the share that is right: windows of codes with gold, and of unlike games."""
    found = [row for name, a, b, gold in codes() for row in _judged(a, b, gold, 120, seed=len(name))]
    own = ROOT / "corpus" / "gold"
    unlike = [laws(own / f"{name}.json") for name in ("ecarte-a", "whist-a", "sixtysix-a")]
    unlike += [laws(SHARED / "rulebooks" / "gold" / "pg-spalding-baseball-1889.baseball.json")]
    for n, (a, b) in enumerate(itertools.combinations(unlike, 2)):
        found += _judged(a, b, {"links": []}, 20, seed=n)
    print("certainty     links   right")
    for tenth in range(10):
        right = [is_right for cert, is_right in found if tenth <= min(cert, 0.999) * 10 < tenth + 1]
        if right:
            print(f"  {tenth / 10:.1f} to {tenth / 10 + 0.1:.1f}  {len(right):5}   {sum(right) / len(right):5.0%}")


def _judged(
    a: Sequence[Law], b: Sequence[Law], gold: dict[str, Any], times: int, seed: int
) -> Iterator[tuple[float, bool]]:
    """Loci of two laws found in windows of two codes: how certain they are called, and whether a reader linked them."""
    rng = random.Random(seed)
    pairs = {(i, j) for x in gold["links"] for i in x["a"] for j in x["b"]}
    for _ in range(times):
        left, right = (_window(code, rng.choice(SIZES), rng) for code in (a, b))
        for locus in concord({"A": left, "B": right}).loci:
            if len(locus.laws) == 2 and len(locus.laws["A"]) == len(locus.laws["B"]) == 1:
                yield locus.cert, (locus.laws["A"][0], locus.laws["B"][0]) in pairs


def _window(laws: Sequence[Law], size: int, rng: random.Random) -> Sequence[Law]:
    first = rng.randrange(max(1, len(laws) - size + 1))
    return laws[first : first + size]


# ----------------------------------------------------------------------------------------------------------- collation


def by_token(table: dict[str, list[str | None]]) -> Table:
    """A table of segments as a table of tokens, each segment's tokens set from the left."""
    rows: Table = {siglum: [] for siglum in table}
    for k in range(max(map(len, table.values()))):
        cells = {s: [t.surface for t in tokenise(table[s][k] or "")] for s in table}
        width = max(map(len, cells.values()))
        for siglum, cell in cells.items():
            rows[siglum] += [*cell, *[None] * (width - len(cell))]
    return rows


def ours(texts: dict[str, str]) -> Columns:
    return collate(texts).columns


def collatex(texts: dict[str, str]) -> Columns:
    if "Levenshtein" not in sys.modules:  # CollateX asks for a library under the GPL; rapidfuzz gives the same ratio
        from rapidfuzz.distance import Indel

        stand_in = types.ModuleType("Levenshtein")
        stand_in.ratio = Indel.normalized_similarity  # type: ignore[attr-defined]
        sys.modules["Levenshtein"] = stand_in
    import collatex as other

    witnesses = [
        {"id": s, "tokens": [{"t": t.surface, "n": t.normal} for t in tokenise(text) if t.surface]}
        for s, text in texts.items()
    ]
    table = json.loads(other.collate({"witnesses": witnesses}, segmentation=False, near_match=True, output="json"))
    lines = dict(zip(table["witnesses"], table["table"], strict=True))
    width = max(map(len, lines.values()))
    return [{s: cell[k][0]["t"] if (cell := lines[s])[k] else None for s in lines} for k in range(width)]


def tables(measure: Any, align: Callable[[dict[str, str]], Columns], show: bool) -> tuple[float, int, int]:
    """Column F1 over all tables but John, and how many come out exact."""
    hit = gold = found = exact = count = 0
    for path in sorted((SHARED / "collation").glob("*.json")):
        data = json.loads(path.read_text("utf-8"))
        if data["name"] == "john":
            continue
        expected = data["expected_table"]
        expected = by_token(expected) if data["granularity"] == "segment" else expected
        columns = align(data["witnesses"])
        score = measure.column_scores(expected, columns)
        hit, gold, found, count = hit + score["hit"], gold + score["gold"], found + score["found"], count + 1
        exact += score["hit"] == score["gold"] == score["found"]
        if show and not score["hit"] == score["gold"] == score["found"]:
            print(data["name"])
            for siglum in expected:
                print("   gold", " ".join(x or "-" for x in expected[siglum]))
                print("        ", " ".join(c[siglum] or "-" for c in columns))
    return 2 * hit / (gold + found), exact, count


def revised(words: int, seed: int) -> dict[str, str]:
    """Two witnesses of real prose, one word in ten changed, added or lost in the second."""
    source = (SHARED / "rulebooks" / "laws" / "pg-spalding-baseball-1889.baseball.txt").read_text("utf-8").split()
    rng = random.Random(seed)
    first = source[:words]
    second = [w if rng.random() > 0.07 else rng.choice(source) for w in first if rng.random() > 0.03]
    return {"A": " ".join(first), "B": " ".join(second)}


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main(arguments: Sequence[str]) -> None:
    measure = metrics()
    if "--thresholds" in arguments:
        thresholds(measure)
        return
    if "--certainty" in arguments:
        certainty()
        return
    if "--descent" in arguments:
        descent()
        return
    print("law links                                       pair F1  bead F1")
    for name, (pair, bead) in links(measure).items():
        print(f"  {name:45} {pair:.3f}    {bead:.3f}")
    john = json.loads((SHARED / "collation" / "john.json").read_text("utf-8"))
    print("collation                column F1   exact tables   John, column F1   John, s   2 x 1,000 words, s")
    thousand = revised(1000, 1)
    for name, align in (("variorum", ours), ("CollateX (Python)", collatex)):
        align({"A": "warm", "B": "up"})
        f1, exact, count = tables(measure, align, "--tables" in arguments and name == "variorum")
        start = time.perf_counter()
        score = measure.column_scores(john["expected_table"], align(john["witnesses"]))["f1"]
        took = time.perf_counter() - start
        speed = seconds(lambda align=align: align(thousand))  # type: ignore[misc]
        print(
            f"  {name:22} {f1:.3f}       {exact:2} of {count}       {score:.3f}            {took:6.2f}    {speed:6.2f}"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
