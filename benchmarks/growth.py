"""How time and memory grow: words collated, laws brought together, each in a process of its own.

    python benchmarks/growth.py                 both
    python benchmarks/growth.py collation       1,000 to 20,000 words, 2, 4 and 6 witnesses
    python benchmarks/growth.py concordance     500 to 5,000 laws, 2 and 4 witnesses

The texts are made from words of the program's own lexicon, a few of them frequent as in prose; each witness revises the
one before it. Memory is the peak of the whole process, libraries and lexicon included.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.resources import files
from itertools import accumulate
from math import log2

from variorum.collation import collate
from variorum.concord import concord
from variorum.model import Law

SIZES = {"collation": (1000, 2000, 5000, 10_000, 20_000), "concordance": (500, 1000, 2000, 5000)}
WITNESSES = {"collation": (2, 4, 6), "concordance": (2, 4)}
SIGLA = "ABCDEF"
SMALL = str.split("the of and to a in that be or is by it shall if not his any he")


def lexicon() -> list[str]:
    rows = files("variorum").joinpath("language", "data", "words.txt").read_text("utf-8").split()
    return random.Random(1).sample(sorted({w for w in rows if w.isalpha() and len(w) > 3}), 6000)


class Prose:
    """Words as prose has them: half of them small, the rest ever rarer."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.words = [*lexicon(), *SMALL]
        rare = [1 / (k + 20) for k in range(len(self.words) - len(SMALL))]
        self.weights = list(accumulate([*rare, *[sum(rare) / len(SMALL)] * len(SMALL)]))

    def some(self, count: int) -> list[str]:
        return self.rng.choices(self.words, cum_weights=self.weights, k=count)

    def revised(self, words: Sequence[str]) -> list[str]:
        """One word in ten changed, added or lost."""
        new: list[str] = []
        for word in words:
            fate = self.rng.random()
            if fate > 0.02:
                new += self.some(1) if fate < 0.06 else [word]
            if fate > 0.98:
                new += self.some(1)
        return new


def texts(words: int, witnesses: int) -> dict[str, str]:
    prose = Prose(3)
    text = prose.some(words)
    found = {}
    for siglum in SIGLA[:witnesses]:
        found[siglum] = " ".join(text)
        text = prose.revised(text)
    return found


def codes(laws: int, witnesses: int) -> dict[str, list[Law]]:
    """Codes of so many laws: each edition revises every law, drops some, adds some, and carries a stretch elsewhere."""
    prose = Prose(5)
    code = [prose.some(prose.rng.randint(12, 60)) for _ in range(laws)]
    found = {}
    for siglum in SIGLA[:witnesses]:
        found[siglum] = [Law(str(n), str(n), f"{n}.", "", " ".join(x), 0, 0, 0) for n, x in enumerate(code, 1)]
        code = [prose.revised(x) for x in code if prose.rng.random() > 0.02]
        code += [prose.some(prose.rng.randint(12, 60)) for _ in range(laws - len(code))]
        at = prose.rng.randrange(len(code) * 3 // 4)
        stretch = code[at : at + len(code) // 20]
        del code[at : at + len(stretch)]
        code += stretch
    return found


def measure(sort: str, size: int, witnesses: int) -> None:
    if sort == "collation":
        collate({"A": "warm", "B": "up"})
        made = texts(size, witnesses)
        start = time.process_time()
        collate(made)
    else:
        concord(codes(3, 2))
        laws = codes(size, witnesses)
        start = time.process_time()
        concord(laws)
    took = time.process_time() - start  # of the processor: other work on the machine has no say in it
    print(took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main(arguments: Sequence[str]) -> None:
    if len(arguments) == 3:
        measure(arguments[0], int(arguments[1]), int(arguments[2]))
        return
    for sort in arguments or SIZES:
        unit = "words" if sort == "collation" else "laws"
        print(f"{sort:12} {unit:>6}  witnesses   seconds   growth when doubled   MB")
        for witnesses in WITNESSES[sort]:
            before = None
            for size in SIZES[sort]:
                command = [sys.executable, __file__, sort, str(size), str(witnesses)]
                out = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
                took, memory = map(float, out)
                growth = f"{(took / before[1]) ** (1 / _doublings(before[0], size)):.2f} x" if before else ""
                print(f"{'':12} {size:6}  {witnesses:9}   {took:7.2f}   {growth:>19}   {memory:3.0f}", flush=True)
                before = size, took


def _doublings(small: int, large: int) -> float:
    return log2(large / small)


if __name__ == "__main__":
    main(sys.argv[1:])
