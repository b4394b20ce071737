"""Changes of rule against what readers found by hand: did the rule change here, and in which kind.

    python benchmarks/changes.py               Écarté, Spalding (half to tune on, half held out), small cases by game
    python benchmarks/changes.py --kinds       also, kind by kind, how many were wanted, found and right
    python benchmarks/changes.py --certainty   how often changes are right that are called so certain
    python benchmarks/changes.py --speed       seconds for a pair of codes of a hundred laws

Spalding needs the data folder ../shared. By its links means that laws are paired as the reader paired them; from end to
end, as the program pairs them itself. The errors of the held-out half are never printed.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import variorum
from variorum.concord import concord
from variorum.edition import collate_locus
from variorum.model import Change, ChangeKind

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "quality"))

import changes_gold as gold  # noqa: E402  the readers' annotations stand with the tests

Row = tuple[str, list[dict[str, object]], list[Change]]


def judged() -> list[Row]:
    """Each set of data by name, with what a reader found and what the program finds."""
    rows: list[Row] = [("Écarté", *gold.ecarte(ROOT))]
    shared = ROOT.parent / "shared"
    if shared.is_dir():
        for name, half in (("tuned on", gold.TUNED), ("held out", gold.HELD_OUT)):
            rows.append((f"Spalding, {name}, by its links", *gold.spalding(shared, half)))
            rows.append((f"Spalding, {name}, end to end", *gold.spalding(shared, half, own_links=True)))
    rows += [(f"cases: {game}", *gold.cases(ROOT, game)) for game in gold.GAMES]
    return rows


def kinds(name: str, wanted: Sequence[dict[str, object]], found: Sequence[Change]) -> None:
    of_gold = Counter(str(r["kind"]) for place in wanted for r in place["changes"] if r["sure"])  # type: ignore[attr-defined]
    print(f"    {name}")
    for kind in ChangeKind:
        if kind is not ChangeKind.TERM:
            print(f"      {kind:11} gold {of_gold[kind]:3}  found {sum(c.kind is kind for c in found):3}")


def certainty(rows: Sequence[Row]) -> None:
    right: dict[int, list[bool]] = {}
    for _, wanted, found in rows:
        for change, is_right in gold.told_right(wanted, found):
            right.setdefault(min(9, int(change.cert * 10 + 1e-9)), []).append(is_right)
    print("certainty     changes  right")
    for tenth, all_ in sorted(right.items()):
        print(f"  {tenth / 10:.1f} to {tenth / 10 + 0.1:.1f}  {len(all_):5}   {sum(all_) / len(all_):5.0%}")


def speed() -> None:
    a, b = gold.codes(ROOT.parent / "shared")
    hundred = {"A": (*a, *a)[:100], "B": (*b, *b)[:100]}
    hundred = {s: tuple(gold.numbered(law, n) for n, law in enumerate(laws, 1)) for s, laws in hundred.items()}
    variorum.changes({s: laws[:2] for s, laws in hundred.items()})  # what is loaded on first use
    start = time.perf_counter()
    loci = concord(hundred).loci
    linked = time.perf_counter()
    found = [change for locus in loci for change in collate_locus(locus, hundred, "A").changes]
    done = time.perf_counter()
    print(f"two codes of 100 laws: links {linked - start:.2f} s; collation and changes {done - linked:.2f} s")
    print(f"{len(found)} changes")


def main(arguments: Sequence[str]) -> None:
    if "--speed" in arguments:
        speed()
        return
    rows = judged()
    if "--certainty" in arguments:
        certainty([row for row in rows if "end to end" not in row[0]])
        return
    print("                                          changed or not          by kind")
    print("                                          F1    prec  recall      F1    prec  recall")
    for name, wanted, found in rows:
        one, two = gold.rates(wanted, found)
        print(
            f"  {name:39} {one.f1:.3f} {one.precision:.3f} {one.recall:.3f}"
            f"       {two.f1:.3f} {two.precision:.3f} {two.recall:.3f}"
        )
    if "--kinds" in arguments:
        for row in rows:
            if "end to end" not in row[0] and "held out" not in row[0]:
                kinds(*row)


if __name__ == "__main__":
    main(sys.argv[1:])
