"""The table of repair: `python benchmarks/repair.py [--limit CHARACTERS] [--peers] [--words] [--show]`.

Every figure is defined by measure/metrics.py of the data folder beside the repository. --limit takes that many
characters of each set (whole documents), so that a look takes a minute; 0 takes all. --peers runs the spell checkers
that are installed on the same text; --words measures the word repair alone; --show lists the words harmed and the
changes in clean books. Every third document of a set has a line of its own: its figures are no ground for tuning.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rapidfuzz.distance import Levenshtein

from variorum.repair import repair
from variorum.repair.doubt import APPLY
from variorum.score import page_text

ROOT = Path(__file__).parents[1]
SETS = (
    "ght_high_test",
    "ght_low_test",
    "hipe_icdar2017_train_en",
    "hipe_icdar2017_dev_en",
    "hipe_overproof_combined_dev_en",
    "bln600_train",
    "icdar2017_eng_monograph_dev",
)
SEEDS = ("ecarte-a", "whist-a", "sixtysix-a")
ROUND = 30  # characters round a correction in which it is held against the gold
Mend = Callable[[str], str]


@dataclass
class Sum:
    """Pooled counts of a set."""

    before: float = 0.0
    after: float = 0.0
    size: int = 0
    mended: int = 0
    harmed: int = 0
    wrong: int = 0
    right: int = 0
    characters: int = 0
    seconds: float = 0.0

    def line(self, name: str) -> str:
        return (
            f"{name:38s} {100 * self.before / max(1, self.size):6.2f} {100 * self.after / max(1, self.size):6.2f} "
            f"{100 * (self.after / max(1e-9, self.before) - 1):+7.1f} {self.mended:6d}/{self.wrong:<6d} "
            f"{self.harmed:5d} {1e4 * self.harmed / max(1, self.right):7.1f} "
            f"{self.characters / max(1e-9, self.seconds):9.0f}"
        )


HEAD = f"{'set':38s} {'CER':>6s} {'after':>6s} {'rel. %':>7s} {'mended':>13s} {'harm':>5s} {'/10k':>7s} {'char/s':>9s}"


def documents(folder: Path, limit: int) -> Iterator[tuple[str, str]]:
    """Pairs of OCR and gold with line-end hyphens joined on both sides, as the data's README says."""
    total = 0
    for path in sorted(folder.glob("*.ocr.txt")):
        gold = path.with_name(path.name.replace(".ocr.", ".gt.")).read_text("utf-8")
        yield tuple(re.sub(r"[-¬]\n|¬ ?", "", text) for text in (path.read_text("utf-8"), gold))
        total += len(gold)
        if limit and total > limit:
            return


def measure(metrics, pairs: Iterator[tuple[str, str]], mend: Mend, harmed: list[str]) -> tuple[Sum, Sum]:
    """Sums over all documents and over every third, which nothing was tuned on."""
    whole, held = Sum(), Sum()
    for number, (ocr, gold) in enumerate(pairs):
        begun = time.perf_counter()
        out = mend(ocr)
        spent = time.perf_counter() - begun
        scores = metrics.repair_scores(ocr, gold, out)
        size = len(metrics.norm(gold))
        for total in (whole, held) if number % 3 == 2 else (whole,):
            total.before += scores["cer_before"] * size
            total.after += scores["cer_after"] * size
            total.size += size
            total.mended += scores["mended"]
            total.harmed += scores["harmed"]
            total.wrong += scores["wrong_before"]
            total.right += scores["words"] - scores["wrong_before"]
            total.characters += len(ocr)
            total.seconds += spent
        if scores["harmed"]:
            words = metrics.norm(gold).split()
            harmed += [words[k] for k in sorted(metrics._right(words, ocr) - metrics._right(words, out))]
    return whole, held


def verdicts(ocr: str, gold: str) -> Iterator[tuple[float, str, str, str, int]]:
    """Each proposed correction of a page: its certainty, rule, what stands, what is read, and letters mended by it."""
    ops = Levenshtein.opcodes(ocr, gold)
    starts = [op.src_start for op in ops]

    def place(at: int) -> int:
        op = ops[max(0, bisect_right(starts, at) - 1)]
        return op.dest_start + min(at - op.src_start, op.dest_end - op.dest_start)

    for c in repair(ocr, apply=0.2, suggest=0.2).corrections:
        low, high = max(0, c.start - ROUND), min(len(ocr), c.end + ROUND)
        true = gold[place(low) : place(high)]
        mended = ocr[low : c.start] + c.reads + ocr[c.end : high]
        gain = Levenshtein.distance(ocr[low:high], true) - Levenshtein.distance(mended, true)
        yield c.cert, c.rule, c.found, c.reads, gain


def curve(shared: Path, limit: int, apply: float) -> None:
    """Prints what share of the corrections is right at each certainty, and the harm by rule."""
    print("\ncertainty given   corrections   mend   harm   neither")
    found = [v for name in SETS for ocr, gold in documents(shared / "ocr" / name, limit) for v in verdicts(ocr, gold)]
    for low in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        here = [gain for cert, _, _, _, gain in found if low <= cert < low + 0.1 or (low == 0.9 and cert >= 1)]
        shares = [sum(map(sign, here)) / max(1, len(here)) for sign in (lambda g: g > 0, lambda g: g < 0)]
        print(f"{low:.1f}-{low + 0.1:.1f} {len(here):19d} {shares[0]:8.3f} {shares[1]:6.3f} {1 - sum(shares):8.3f}")
    print("\nrule                       made   harm   of them")
    for rule in sorted({v[1] for v in found}):
        made = [v for v in found if v[1] == rule and v[0] >= apply]
        harm = [f"{before.strip()}>{after}" for _, _, before, after, gain in made if gain < 0]
        print(f"{rule:24s} {len(made):6d} {len(harm):6d}   {', '.join(harm[:12])}")


def changes(before: str, after: str) -> list[tuple[str, str]]:
    """What became of a clean text, on white-space words."""
    a, b = before.split(), after.split()
    return [
        (" ".join(a[op.src_start : op.src_end]), " ".join(b[op.dest_start : op.dest_end]))
        for op in Levenshtein.opcodes(a, b)
        if op.tag != "equal"
    ]


def ours(words_only: bool, apply: float | None) -> Mend:
    if not words_only:
        return lambda text: repair(text).text if apply is None else repair(text, apply=apply).text
    from variorum.language import load
    from variorum.repair.words import correct_words
    from variorum.repair.words_noise import estimate_noise

    language = load()

    def mend(text: str) -> str:
        pieces, at = [], 0
        for c in correct_words(text, language, estimate_noise(text, language))[0]:
            if c.cert >= (0.75 if apply is None else apply):
                pieces += [text[at : c.start], c.reads]
                at = c.end
        return "".join([*pieces, text[at:]])

    return mend


def peers() -> Iterator[tuple[str, Mend]]:
    """The spell checkers that are installed, each used as its own documentation shows."""
    try:
        from importlib.resources import files

        from symspellpy import SymSpell

        speller = SymSpell()
        speller.load_dictionary(str(files("symspellpy") / "frequency_dictionary_en_82_765.txt"), 0, 1)

        def compound(text: str) -> str:
            lines = text.split("\n")
            return "\n".join(
                speller.lookup_compound(line, 2, transfer_casing=True)[0].term if line.strip() else line
                for line in lines
            )

        yield "symspellpy lookup_compound", compound
    except ImportError:
        print("symspellpy is not installed", file=sys.stderr)
    try:
        from spellchecker import SpellChecker

        checker = SpellChecker(distance=1)
        remembered: dict[str, str] = {}

        def one(match: re.Match[str]) -> str:
            word = match.group()
            if word not in remembered:
                remembered[word] = word if word.lower() in checker else checker.correction(word.lower()) or word
            return remembered[word]

        yield "pyspellchecker", lambda text: re.sub(r"[^\W\d_]+", one, text)
    except ImportError:
        print("pyspellchecker is not installed", file=sys.stderr)


def table(shared: Path, mend: Mend, limit: int, show: bool) -> None:
    """Prints the whole table for one way of mending."""
    sys.path.insert(0, str(shared / "measure"))
    import metrics

    print("seed                         CER   after")
    for seed in SEEDS:
        raw = (shared / "seeds" / f"{seed}.ocr.txt").read_text("utf-8")
        gold = page_text(json.loads((shared / "gold" / f"{seed}.json").read_text("utf-8")), raw)
        print(f"{seed:24s} {100 * metrics.cer(raw, gold):7.2f} {100 * metrics.cer(mend(raw), gold):7.2f}")
    print(f"\n{HEAD}")
    harmed: list[str] = []
    pool = Sum()
    for name in SETS:
        whole, held = measure(metrics, documents(shared / "ocr" / name, limit), mend, harmed)
        print(whole.line(name))
        print(held.line("   every third document"))
        pool.harmed, pool.mended, pool.right = (
            pool.harmed + whole.harmed,
            pool.mended + whole.mended,
            pool.right + whole.right,
        )
    print(f"pooled: harmed per 10,000 {1e4 * pool.harmed / max(1, pool.right):.1f}, ", end="")
    print(f"mended : harmed {pool.mended / max(1, pool.harmed):.0f} : 1")
    if show:
        print("harmed:", ", ".join(harmed))
    print("\nclean book                                     changed  /10k    char/s")
    for book in (shared / "texts" / "never-train.txt").read_text("utf-8").split():
        text = (shared / "texts" / book).read_text("utf-8")
        text = text[: 3 * limit] if limit else text
        begun = time.perf_counter()
        found = changes(text, mend(text))
        spent = time.perf_counter() - begun
        count = sum(max(len(a.split()), len(b.split())) for a, b in found)
        print(f"{book:46s} {count:6d} {1e4 * count / max(1, len(text.split())):7.2f} {len(text) / spent:9.0f}")
        if show:
            for a, b in found:
                print(f"      {a!r} -> {b!r}")


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    ask.add_argument("--limit", type=int, default=60_000)
    ask.add_argument("--apply", type=float, default=None, help="certainty from which a correction is made")
    ask.add_argument("--peers", action="store_true")
    ask.add_argument("--words", action="store_true")
    ask.add_argument("--show", action="store_true")
    given = ask.parse_args()
    table(given.shared, ours(given.words, given.apply), given.limit, given.show)
    curve(given.shared, given.limit, APPLY if given.apply is None else given.apply)
    for name, mend in peers() if given.peers else ():
        print(f"\n=== {name}")
        table(given.shared, mend, given.limit, given.show)


if __name__ == "__main__":
    main()
