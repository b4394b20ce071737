"""How well torn text is read: clean passages torn by program, then mended by the rule for torn text alone.

    python benchmarks/torn.py FILE...             clean texts that the language was not counted from
    python benchmarks/torn.py --ocr OCR GOLD      a real torn page and its truth

The tearing is seeded: spaces within words, words run together, stray marks, and letters misread by the language's own
confusions, at three strengths. Printed: character error rates before and after, words mended and harmed, seconds a
thousand characters, and how often corrections of each certainty are right.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import time
from collections import defaultdict
from pathlib import Path

from rapidfuzz.distance import Levenshtein

from variorum import language
from variorum.model import Repair
from variorum.repair.draft import Draft
from variorum.repair.spaced import spaced, torn
from variorum.spans import Offsets, compose

STRENGTHS = {
    "slightly": (0.05, 0.005, 0.01, 0.010),
    "badly": (0.10, 0.01, 0.03, 0.030),
    "hopelessly": (0.16, 0.02, 0.05, 0.06),
}
PASSAGE = 900  # characters


def tear(text: str, strength: str, seed: int) -> str:
    """The text torn: spaces put in and lost, marks strewn, letters misread, at a rate for each character."""
    strewn, lost, marks, misread = STRENGTHS[strength]
    chance = random.Random(seed)
    table: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
    for (wrong, right), log in language.load().confusions.table.items():
        if right and wrong and " " not in wrong + right:
            table[right].append((wrong, math.exp(log)))
    out, at = [], 0
    while at < len(text):
        c = text[at]
        width = chance.choice([w for w in (1, 2) if text[at : at + w].lower() in table] or [1])
        row = table.get(text[at : at + width].lower(), [])
        if c == " " and chance.random() < lost:
            pass
        elif row and chance.random() < misread:
            out.append(chance.choices([w for w, _ in row], [p for _, p in row])[0])
            at += width - 1
        else:
            out.append(c)
        if c.isalpha() and text[at + 1 : at + 2].isalpha() and chance.random() < strewn:
            out.append(" ")
        if chance.random() < marks:
            out.append(chance.choice("··••.'~-^,"))
        at += 1
    return "".join(out)


def words(text: str) -> list[str]:
    return re.sub(r"\s+([;:,.!?)])", r"\1", " ".join(text.split())).split()


def right_words(text: str, gold: list[str]) -> set[int]:
    right: set[int] = set()
    for op in Levenshtein.opcodes(gold, words(text)):
        if op.tag == "equal":
            right.update(range(op.src_start, op.src_end))
    return right


def cer(text: str, gold: str) -> float:
    return Levenshtein.distance(" ".join(words(text)), " ".join(words(gold))) / max(1, len(" ".join(words(gold))))


def judged(raw: str, gold: str, repair: Repair) -> list[tuple[float, bool]]:
    """For each correction its certainty and whether the gold has what it reads at that place."""
    ops = Levenshtein.opcodes(raw, gold)
    found = []
    for c in repair.corrections:
        lo = _aligned(ops, c.start, end=False)
        hi = _aligned(ops, c.end, end=True)
        found.append((c.cert, gold[lo:hi].strip().lower() == c.reads.strip().lower()))
    return found


def _aligned(ops: object, at: int, *, end: bool) -> int:
    for op in ops:  # type: ignore[attr-defined]
        if op.src_start <= at <= op.src_end and (end or at < op.src_end):
            if op.tag == "equal":
                return op.dest_start + at - op.src_start
            return op.dest_end if end else op.dest_start
    return 0


def measure(name: str, pairs: list[tuple[str, str]]) -> list[tuple[float, bool]]:
    spoken = language.load()
    before = after = size = mended = harmed = wrong = 0.0
    judgements: list[tuple[float, bool]] = []
    start = time.process_time()
    for raw, gold in pairs:
        draft = Draft(Repair(raw), spoken)
        repair = compose(draft.repair, spaced(draft).corrections)
        assert Offsets(repair.corrections).to_raw(0) == 0
        gold_words = words(gold)
        was, now = right_words(raw, gold_words), right_words(repair.text, gold_words)
        before += cer(raw, gold) * len(gold)
        after += cer(repair.text, gold) * len(gold)
        size += len(gold)
        mended, harmed, wrong = mended + len(now - was), harmed + len(was - now), wrong + len(gold_words) - len(was)
        judgements += judged(raw, gold, repair)
    each = 1000 * (time.process_time() - start) / size
    share = torn(pairs[0][0], spoken)
    print(
        f"{name:<12} CER {before / size:.4f} -> {after / size:.4f}  words wrong {wrong:.0f} mended {mended:.0f} "
        f"harmed {harmed:.0f}  {each:.2f} s a thousand characters  torn {share:.2f}",
        flush=True,
    )
    return judgements


def curve(judgements: list[tuple[float, bool]]) -> None:
    bins: defaultdict[int, list[bool]] = defaultdict(list)
    for cert, right in judgements:
        bins[min(9, int(10 * cert))].append(right)
    for k, row in sorted(bins.items()):
        print(f"   certain {k / 10:.1f}-{(k + 1) / 10:.1f}: {len(row):5d} corrections, {sum(row) / len(row):.2f} right")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("texts", nargs="*", type=Path)
    parser.add_argument("--ocr", nargs=2, type=Path, action="append", default=[])
    parser.add_argument("--passages", type=int, default=2, help="passages of each text")
    options = parser.parse_args()
    judgements: list[tuple[float, bool]] = []
    for strength in STRENGTHS if options.texts else ():
        pairs = []
        for number, path in enumerate(options.texts):
            text = " ".join(path.read_text("utf-8").split())
            for k in range(options.passages):
                at = (k + 1) * len(text) // (options.passages + 2)
                gold = text[at : at + PASSAGE]
                pairs.append((tear(gold, strength, 100 * number + k), gold))
        judgements += measure(strength, pairs)
    for ocr, gold_path in options.ocr:
        judgements += measure(ocr.parent.name[:12], [(ocr.read_text("utf-8"), gold_path.read_text("utf-8"))])
    curve(judgements)


if __name__ == "__main__":
    main()
