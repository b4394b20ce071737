"""How many laws are found with the right number and the right text: raw pages in, and repaired pages in.

    python benchmarks/laws.py [--no-repair] [NAME...]

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
    options.add_argument("names", nargs="*", help="parts of the names of texts")
    chosen = options.parse_args()
    if not SHARED.is_dir():
        print("the data folder ../shared is not here", file=sys.stderr)
        return 1
    scores = metrics().law_scores
    repair = None if chosen.no_repair else repairer()
    totals: dict[tuple[str, str], list[int]] = {}
    print(f"{'':50} {'gold':>5} {'state':>9} {'found':>5} {'right':>5} {'F1':>6} {'numbers':>7} {'s/MB':>5}")
    for group, name, text, laws in texts():
        if chosen.names and not any(part in name for part in chosen.names):
            continue
        states = [("raw", Repair(text))] + ([("repaired", repair(text))] if repair else [])
        for state, page in states:
            begun = time.process_time()
            got = [found(law) for law in segment(page).laws]
            pace = (time.process_time() - begun) / len(text) * 1e6
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
