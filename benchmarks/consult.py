"""What the other editions mend and harm: `python benchmarks/consult.py [--show]`.

Pairs of different editions of one code, at least one of them read by an OCR engine and with a text set by hand: the
laws of each are brought together, and the doubtful words of each judged by the other. Printed are the words that this
mends and harms beyond what repair did, by ../shared/measure/metrics.py; --show prints each word changed. The pair of
whist codes and the Écartés are held out: nothing was chosen by them.
"""

from __future__ import annotations

import argparse
import difflib
import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path

from variorum.concord import concord
from variorum.consult import RULE, consult
from variorum.model import Concordance, Fact, Imprint, Source, Witness
from variorum.repair import repair
from variorum.repair.doubt import APPLY
from variorum.score import page_text
from variorum.segment import segment
from variorum.sources import read

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
BALL = ("pg-spalding-baseball-1889.baseball", "pg-spalding-baseball-1895.baseball")
LEVELS = (("clean", "medium"), ("light", "heavy"))


def metrics():
    spec = importlib.util.spec_from_file_location("metrics", SHARED / "measure" / "metrics.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def witness(siglum: str, path: Path, year: int | None) -> Witness:
    source: Source = read(path.read_bytes(), path.name)
    unknown = Fact("", "unknown")
    imprint = Imprint(unknown, unknown, unknown, year, year, "unknown", "", "")
    return Witness(siglum, "work", imprint, source, segment(repair(source, year)))


def seed(name: str) -> tuple[Path, str, None]:
    folder = "EcA" if name == "ecarte-a" else "EcB" if name == "ecarte-b" else "WhA"
    path = next((ROOT / "corpus" / "witnesses" / folder).glob("*.txt"))
    gold = json.loads((ROOT / "corpus" / "gold" / f"{name}.json").read_text("utf-8"))
    return path, page_text(gold, path.read_text("utf-8")), None


def rendered(name: str, level: str, year: int) -> tuple[Path, str, int]:
    folder = SHARED / "rendered" / f"{name}__{level}"
    return folder / "ocr.txt", (folder / "gold.txt").read_text("utf-8"), year


def pairs() -> Iterator[tuple[str, tuple, tuple]]:
    for a in LEVELS[0]:
        for b in LEVELS[1]:
            yield f"Spalding 1889 {a}, 1895 {b}", rendered(BALL[0], a, 1889), rendered(BALL[1], b, 1895)
    yield "Écarté A, B (held out)", seed("ecarte-a"), seed("ecarte-b")
    for level in ("medium", "heavy"):
        whist = rendered("pg-enquire-within.whist", level, 1890)
        yield f"Whist: Enquire Within {level}, WhA (held out)", whist, seed("whist-a")


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ask.add_argument("--show", action="store_true", help="print each word changed")
    given = ask.parse_args()
    measure = metrics()
    print(
        f"{'witness':52s} {'links':>5s} {'wrong':>6s} {'mended':>6s} {'harmed':>6s} {'CER before':>10s} {'after':>7s}"
    )
    for name, one, other in pairs():
        a, b = witness("A", one[0], one[2]), witness("B", other[0], other[2])
        concordance = concord({"A": a.laws, "B": b.laws})
        for before, after, gold in zip((a, b), consult((a, b), concordance, APPLY), (one[1], other[1]), strict=True):
            told(measure, f"{name}: {before.siglum}", before, after, gold, concordance)
            if given.show:
                show(before, after)
                harmed(measure, before.repair.text, after.repair.text, gold)


def told(measure, name: str, before: Witness, after: Witness, gold: str, concordance: Concordance) -> None:
    scores = measure.repair_scores(before.repair.text, gold, after.repair.text)
    links = sum(len(locus.laws) > 1 for locus in concordance.loci)
    rates = f"{100 * scores['cer_before']:9.2f}% {100 * scores['cer_after']:6.2f}%"
    print(f"{name:52s} {links:5d} {scores['wrong_before']:6d} {scores['mended']:6d} {scores['harmed']:6d} {rates}")


def show(before: Witness, after: Witness) -> None:
    for c in after.repair.corrections:
        if c not in before.repair.corrections and c.rule == RULE:
            around = before.repair.raw[max(0, c.start - 30) : c.end + 20]
            print(f"    {c.found!r} => {c.reads!r} ({c.evidence}) in {around!r}")
    for f in after.repair.findings:
        if f not in before.repair.findings:
            print(f"    {f.code}: {f.message}")


def harmed(measure, before: str, after: str, gold: str) -> None:
    """Prints each word of the gold that was right and is wrong, with the words round it as they now stand."""
    words = measure.norm(gold).split()
    now = measure.norm(after).split()
    lost = measure._right(words, before) - measure._right(words, after)
    opcodes = difflib.SequenceMatcher(None, words, now, autojunk=False).get_opcodes()
    for at in sorted(lost):
        here = next((now[k - 2 : n + 2] for _, i, j, k, n in opcodes if i <= at < j), [])
        print(f"    HARMED {' '.join(words[at - 3 : at + 4])!r}, now {' '.join(here[:12])!r}")


if __name__ == "__main__":
    main()
