"""What OCR makes of letters: a table of confusions of one to three characters, learned from aligned pairs.

`python -m variorum.language.confusions FOLDER... -o FILE` learns it from folders of `X.ocr.txt` beside `X.gt.txt`,
line by line.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from variorum.language.running import fold

LONGEST = 3  # characters on either side of a confusion
SEEN_FLOOR = 3  # a confusion seen less often is chance
LOST = -11.0  # ln P of a confusion never seen: one letter for another, or one lost or added
NOISY_LINE = 0.12  # a pair of lines that differs more than this is misaligned, or another text
LIKELIEST = -4.0  # no confusion is held likelier than this: above it stands what one corpus did to its own letters
LOST_LIKELIEST = -8.0  # the same for letters that were lost: most such pairs are two wordings, not a misreading
LIGATURES = frozenset({"fi", "fl", "ff", "ffi", "ffl", "ae", "oe"})  # the only letters lost together


class Confusions:
    """ln P(misread | truth) for folded strings of up to three characters; ("" , "e") is an e that was lost."""

    def __init__(self, table: Mapping[tuple[str, str], float]) -> None:
        self.table = dict(table)

    @classmethod
    def read(cls, path: Path) -> Confusions:
        """The table from a text file: misread, truth and logarithm on a line, parted by tabs."""
        table = {}
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            misread, truth, log = line.split("\t")
            table[misread, truth] = float(log)
        return cls(table)

    def likelier(self, learned: Mapping[tuple[str, str], float]) -> Confusions:
        """The same with some confusions held likelier, as one page or engine shows them."""
        return Confusions({**self.table, **{p: max(log, self.table.get(p, log)) for p, log in learned.items()}})

    def channel(self, misread: str, truth: str) -> float:
        """ln P(misread | truth): 0 where they are the same; a longer pair is the best sum of small confusions."""
        if misread == truth:
            return 0.0
        if (misread, truth) in self.table:
            return self.table[misread, truth]
        # What both begin and end with is not misread, but for the letters that a confusion may reach over.
        ahead = max(0, _alike(misread, truth) - LONGEST + 1)
        misread, truth = misread[ahead:], truth[ahead:]
        behind = max(0, _alike(misread[::-1], truth[::-1]) - LONGEST + 1)
        return self._best(misread[: len(misread) - behind], truth[: len(truth) - behind])

    def _best(self, misread: str, truth: str) -> float:
        """Dynamic programming over both strings, pieces of up to three characters a side."""
        rows, width = len(misread) + 1, len(truth) + 1
        table = self.table
        best = [[-math.inf] * width for _ in range(rows)]
        best[0][0] = 0.0
        for i in range(rows):
            for j in range(width):
                here = best[i][j]
                if here == -math.inf:
                    continue
                for m in range(min(LONGEST, rows - 1 - i) + 1):
                    for n in range(min(LONGEST, width - 1 - j) + 1):
                        cost = _step(table, misread[i : i + m], truth[j : j + n])
                        if here + cost > best[i + m][j + n]:
                            best[i + m][j + n] = here + cost
        return best[-1][-1]

    @cached_property
    def by_misread(self) -> dict[str, list[tuple[str, float]]]:
        """For each misread string what it may stand for, likeliest first."""
        grouped: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
        for (misread, truth), log in self.table.items():
            grouped[misread].append((truth, log))
        return {m: sorted(row, key=lambda r: (-r[1], r[0])) for m, row in sorted(grouped.items())}


def _alike(one: str, other: str) -> int:
    """How many characters two strings begin with in common."""
    at = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        at += 1
    return at


def _step(table: Mapping[tuple[str, str], float], misread: str, truth: str) -> float:
    if misread == truth:
        return 0.0 if len(misread) == 1 else -math.inf
    seen = table.get((misread, truth))
    if seen is not None:
        return seen
    return LOST if len(misread) <= 1 and len(truth) <= 1 else -math.inf


# --------------------------------------------------------------------------------------------------------- learning


def blocks(ocr: str, truth: str) -> Iterator[tuple[str, str]]:
    """The runs of difference of two aligned lines, each as (misread, truth)."""
    from rapidfuzz.distance import Levenshtein

    pending: tuple[int, int, int, int] | None = None
    for op in [*Levenshtein.opcodes(ocr, truth), None]:
        if op and op.tag != "equal":
            first = pending or (op.src_start, 0, op.dest_start, 0)
            pending = (first[0], op.src_end, first[2], op.dest_end)
        elif pending:
            if not _whole_word(ocr, pending[0], pending[1]):
                yield ocr[pending[0] : pending[1]], truth[pending[2] : pending[3]]
            pending = None


def _whole_word(line: str, start: int, end: int) -> bool:
    """True for two letters or more between spaces: another word, not a misread one."""
    return end - start > 1 and line[start - 1 : start] in ("", " ") and line[end : end + 1] in ("", " ")


def _plausible(misread: str, truth: str) -> bool:
    return bool(misread) or len(truth) < 2 or truth in LIGATURES


def _held(misread: str, log: float) -> float:
    return min(log, LIKELIEST if misread else LOST_LIKELIEST)


def learn(pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], float]:
    """The table of confusions from pairs of lines (as read, as printed)."""
    seen: Counter[tuple[str, str]] = Counter()
    stood: Counter[str] = Counter()
    for ocr, truth in pairs:
        ocr, truth = " ".join(fold(ocr).split()), " ".join(fold(truth).split())
        found = list(blocks(ocr, truth))
        if sum(max(len(m), len(t)) for m, t in found) > NOISY_LINE * len(truth):
            continue
        seen.update((m, t) for m, t in found if len(m) <= LONGEST and len(t) <= LONGEST)
        for n in range(LONGEST + 1):
            stood.update(truth[i : i + n] for i in range(len(truth) - n + 1))
    kept = {p: n for p, n in seen.items() if n >= SEEN_FLOOR and _plausible(*p)}
    return {p: _held(p[0], math.log(n / stood[p[1]])) for p, n in sorted(kept.items())}


def read_pairs(folders: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Lines of X.ocr.txt beside those of X.gt.txt."""
    for path in sorted(p for folder in folders for p in folder.glob("*.ocr.txt")):
        ocr = path.read_text("utf-8").splitlines()
        truth = path.with_name(path.name.replace(".ocr.", ".gt.")).read_text("utf-8").splitlines()
        if len(ocr) == len(truth):
            yield from zip(ocr, truth, strict=True)


def _main() -> None:
    ask = argparse.ArgumentParser(description="Learn a table of OCR confusions from aligned lines.")
    ask.add_argument("folders", nargs="+", type=Path)
    ask.add_argument("-o", "--out", required=True, type=Path)
    given = ask.parse_args()
    table = learn(read_pairs(given.folders))
    lines = [f"{m}\t{t}\t{log:.2f}" for (m, t), log in table.items() if not set(m + t) & set("\t\n")]
    given.out.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    _main()
