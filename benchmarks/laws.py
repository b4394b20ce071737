"""How many laws are found with the right number and the right text: raw pages in, and repaired pages in.

    python benchmarks/laws.py [--no-repair] [NAME...]
    python benchmarks/laws.py --books       (whole books: the gold's laws found, and how many laws in all)
    python benchmarks/laws.py --novels      (books without laws: how many are found, which should be none)

Reads ../shared beside the repository; a law counts by `law_scores` of ../shared/measure/metrics.py (same number, texts
alike to 90 per cent). "numbers" leaves the text out. NAME picks the texts whose name contains it.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from variorum.model import Clause, Law, Repair
from variorum.segment import segment

SHARED = Path(__file__).resolve().parents[1].parent / "shared"

# Novels, essays and treatises among ../shared/texts/period that print no code; the others do, or may.
NOVELS = (
    "austen-emma",
    "bagehot-lombard-street",
    "blackstone-1",
    "darwin-golf-courses",
    "dickens-american-notes",
    "dudeney-canterbury-puzzles",
    "edge-paul-morphy",
    "federalist",
    "ford-archery",
    "franklin-autobiography",
    "hardy-casterbridge",
    "hart-davis-angling",
    "holmes-common-law",
    "hughes-tom-brown",
    "hutchinson-fifty-years-golf",
    "james-portrait-1",
    "johnson-rambler-1",
    "laws-of-etiquette",
    "leslie-behaviour",
    "maine-ancient-law",
    "mathewson-pitching",
    "panton-kitchen-garret",
    "rogers-law-of-the-road",
    "rowntree-betting-gambling",
    "scanlan-clergymans-law",
    "steinmetz-gaming-table-1",
    "young-chess-generalship",
)

Gold = list[dict[str, Any]]


def metrics() -> ModuleType:
    spec = importlib.util.spec_from_file_location("metrics", SHARED / "measure" / "metrics.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def texts() -> Iterator[tuple[str, str, str, Gold]]:
    """Group, name, text and gold laws of everything that has gold."""
    for path in sorted((SHARED / "seeds").glob("*.txt")):
        yield (
            "seeds",
            path.stem,
            path.read_text(encoding="utf-8"),
            gold(SHARED / "gold" / f"{path.name.split('.')[0]}.json"),
        )
    for path in sorted((SHARED / "rulebooks" / "laws").glob("*.txt")):
        yield (
            "rulebooks",
            path.stem,
            path.read_text(encoding="utf-8"),
            gold(SHARED / "rulebooks" / "gold" / f"{path.stem}.json"),
        )
    for folder in sorted(p for p in (SHARED / "rendered").iterdir() if p.is_dir()):
        level = folder.name.rsplit("__", 1)[1]
        yield (
            f"rendered {level}",
            folder.name,
            (folder / "ocr.txt").read_text(encoding="utf-8"),
            gold(folder / "gold.json"),
        )


def books() -> Iterator[tuple[str, str, Gold]]:
    """Name, text and gold laws of the books that have gold for one of their codes, given whole."""
    for path in sorted((SHARED / "rulebooks" / "gold").glob("*.json")):
        book = SHARED / "rulebooks" / "raw" / f"{path.stem.split('.')[0]}.txt"
        if book.is_file() and not path.stem.endswith(".links"):
            yield path.stem, book.read_text(encoding="utf-8"), gold(path)


def without_laws() -> Iterator[tuple[str, str]]:
    """Name and text of novels and essays that have no laws, whatever numbers they have."""
    for name in NOVELS:
        yield name, (SHARED / "texts" / "period" / f"{name}.txt").read_text(encoding="utf-8")


def gold(path: Path) -> Gold:
    """The laws of a gold file; where a law's text holds its clauses' words as well, the text ends before them."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return [plain(law) for law in (data if isinstance(data, list) else data["laws"])]


def plain(law: dict[str, Any]) -> dict[str, Any]:
    text, parts = law.get("text_nomarks") or law["text"], law.get("sub", [])
    at = text.find(parts[0]["text"]) if parts else -1
    if at >= 0:  # the label of the first clause goes with it
        text = text[:at].rstrip()
        label = max(text.rfind(word) for word in ("SEC", "("))
        text = text[:label] if label >= 0 else text
    return {"n": law["n"], "text": text, "sub": parts}


def found(law: Law) -> dict[str, Any]:
    return {"n": law.number, "text": " ".join([law.text, *run(law.clauses)])}


def run(clauses: tuple[Clause, ...]) -> Iterator[str]:
    for clause in clauses:
        yield clause.text
        yield from run(clause.clauses)


def repairer() -> Callable[[str], Repair] | None:
    try:
        from variorum.repair import repair
    except ImportError:
        return None
    return repair


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--no-repair", action="store_true", help="raw pages only")
    options.add_argument("--books", action="store_true", help="whole books instead of their law sections")
    options.add_argument("--novels", action="store_true", help="books without laws")
    options.add_argument("names", nargs="*", help="parts of the names of texts")
    chosen = options.parse_args()
    if not SHARED.is_dir():
        print("the data folder ../shared is not here", file=sys.stderr)
        return 1
    if chosen.books or chosen.novels:
        return whole_books(chosen.names) if chosen.books else novels(chosen.names)
    return sections(chosen.names, raw_only=chosen.no_repair)


def whole_books(names: list[str]) -> int:
    scores = metrics().law_scores
    print(f"{'':50} {'gold':>5} {'state':>9} {'found':>5} {'right':>5} {'share':>6} {'s/MB':>13}")
    for name, text, laws in books():
        if not names or any(part in name for part in names):
            got, pace = timed(Repair(text))
            row = scores(laws, got)
            print(line(name, "raw", row["gold"], row["found"], row["hit"], row["recall"], f"{pace:13.1f}"))
    return 0


def novels(names: list[str]) -> int:
    for name, text in without_laws():
        if not names or any(part in name for part in names):
            got, pace = timed(Repair(text))
            print(f"{name:50} {len(got):5} laws {pace:5.1f} s/MB")
    return 0


def timed(page: Repair) -> tuple[Gold, float]:
    """The laws found, and the seconds it took per million characters."""
    begun = time.process_time()
    got = [found(law) for law in segment(page).laws]
    return got, (time.process_time() - begun) / max(1, len(page.raw)) * 1e6


def sections(names: list[str], *, raw_only: bool) -> int:
    scores = metrics().law_scores
    repair = None if raw_only else repairer()
    totals: dict[tuple[str, str], list[int]] = {}
    print(f"{'':50} {'gold':>5} {'state':>9} {'found':>5} {'right':>5} {'F1':>6} {'numbers':>7} {'s/MB':>5}")
    for group, name, text, laws in texts():
        if names and not any(part in name for part in names):
            continue
        states = [("raw", Repair(text))] + ([("repaired", repair(text))] if repair else [])
        for state, page in states:
            got, pace = timed(page)
            row, numbers = scores(laws, got), scores(laws, got, 0)
            add(totals, (group, state), row)
            print(
                line(name, state, row["gold"], row["found"], row["hit"], row["f1"], f"{numbers['f1']:7.3f} {pace:5.1f}")
            )
    print()
    for (group, state), (n, f, hit) in totals.items():
        print(line(group, state, n, f, hit, 2 * hit / max(1, n + f)))
    return 0


def add(totals: dict[tuple[str, str], list[int]], key: tuple[str, str], row: dict[str, Any]) -> None:
    old = totals.setdefault(key, [0, 0, 0])
    totals[key] = [a + b for a, b in zip(old, (row["gold"], row["found"], row["hit"]), strict=True)]


def line(name: str, state: str, n: int, f: int, hit: int, f1: float, rest: str = "") -> str:
    return f"{name[:50]:50} {n:5} {state:>9} {f:5} {hit:5} {f1:6.3f} {rest}".rstrip()


if __name__ == "__main__":
    sys.exit(main())
