"""Grows the gate of the word repair: `python benchmarks/train_gate.py [--shared DIR]`.

Needs scikit-learn and the data folder beside the repository. Four kinds of text teach it:

- aligned pages (ght_high_dev, ght_low_dev) as they are;
- the same with most of their errors taken away, since a page with one fault in a hundred words is what many have;
- some of these torn further: spaces put into words and taken from between them, specks put into words or over a letter,
  as on letter-spaced and dirty pages, of which the aligned ones have few;
- pieces of clean books, where every proposal is wrong. The language model must not have seen them, so it is counted
  anew without them first (written to --work).

Prints recall, harm and the calibration curve by cross-validation over documents, then writes the gate's file.
"""

from __future__ import annotations

import argparse
import random
import re
import tarfile
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import numpy as np
from rapidfuzz.distance import Levenshtein

from variorum.language import load
from variorum.language.running import fold
from variorum.language.train import train
from variorum.repair.words_gate import DATA, Proposal
from variorum.repair.words_units import POINTS

ROOT = Path(__file__).parents[1]
PAGES = ("ght_high_dev", "ght_low_dev")
SPECKS = "^•*>■|~·_»<°\\.,:;'"
TORN = (0.002, 0.06)  # share of words torn, run together or specked in a torn page, drawn between these
TORN_ERRORS = (0.3, 0.04)  # share of a torn page's own errors left in
KEPT_ERRORS = (1.0, 0.35, 0.12, 0.04)  # share of the errors left in, a pass over the pages for each
SIZES = (
    (2_000,) * 8 + (6_000,) * 14 + (80_000,)
)  # characters of the pieces of a clean book, so that length teaches nothing
CLEAN = """
period/hughes-tom-brown period/hardy-casterbridge period/strutt-sports-and-pastimes period/timbs-club-life-1
period/steinmetz-gaming-table-1 period/handy-cyclopedia period/penn-maxims-angling-chess period/maine-ancient-law
period/dudeney-canterbury-puzzles period/hoffmann-modern-magic period/panton-kitchen-garret
period/franklin-autobiography
period/federalist period/hans-town-acts period/bird-chess-history rulebooks/pg-blue-book-of-chess
rulebooks/pg-boys-own-book-indoor-games rulebooks/pg-lawn-tennis-58137 rulebooks/pg-ward-base-ball
rulebooks/pg-cricket-50373 text_extra/gibbon-1 text_extra/boswell-johnson-1 text_extra/miles-pugilistica-1
text_extra/dickens-pickwick
""".split()  # noqa: SIM905 -- a table reads better

Row = tuple[str, tuple[float, ...], bool, bool]  # document, features, right, harm


def differences(ocr: str, gold: str) -> Iterator[tuple[str, str]]:
    """The texts piece by piece: (same, same) or (misread, true)."""
    misread = true = ""
    for op in Levenshtein.opcodes(ocr, gold):
        if op.tag == "equal":
            if misread or true:
                yield misread, true
                misread = true = ""
            yield ocr[op.src_start : op.src_end], gold[op.dest_start : op.dest_end]
        else:
            misread += ocr[op.src_start : op.src_end]
            true += gold[op.dest_start : op.dest_end]
    if misread or true:
        yield misread, true


def lighter(ocr: str, gold: str, kept: float, dice: random.Random) -> str:
    """The page with only a share of its errors."""
    return "".join(m if m == t or dice.random() < kept else t for m, t in differences(ocr, gold))


def torn(page: str, dice: random.Random) -> str:
    """The page with some words torn in two, run into the next, or with a speck in them or on a letter."""
    low, high = TORN
    share = low * (high / low) ** dice.random()
    pieces = re.split(r"(\s+)", page)
    for k in range(0, len(pieces), 2):
        word = pieces[k]
        if len(word) < 2 or dice.random() >= share:
            continue
        at, lot = dice.randrange(1, len(word)), dice.random()
        if lot < 0.5:
            pieces[k] = word[:at] + " " + word[at:]
        elif lot < 0.7 and k + 1 < len(pieces):
            pieces[k + 1] = ""
        else:
            pieces[k] = word[:at] + dice.choice(SPECKS) + word[at + (lot > 0.9) :]
    return "".join(pieces)


def words_of(text: str) -> str:
    return " ".join(w.strip(POINTS + "-") for w in fold(text).split())


def page_rows(name: str, ocr: str, gold: str) -> Iterator[Row]:
    """Proposals for a page, with whether each is what the gold has, and whether it harms a right word."""
    from variorum.repair.words import proposals

    ops = Levenshtein.opcodes(ocr, gold)
    starts = [op.src_start for op in ops]

    def place(at: int, end: bool) -> int:
        op = ops[max(0, bisect_right(starts, at - 1 if end else at) - 1)]
        if op.tag == "equal":
            return op.dest_start + at - op.src_start
        return op.dest_end if end else op.dest_start

    for start, end, reads, proposal in proposals(ocr, LANGUAGE):
        left, right = place(start, False), place(end, True)
        while left > 0 and not gold[left - 1].isspace() and gold[left - 1] != "—":
            left -= 1
        while right < len(gold) and not gold[right].isspace() and gold[right] != "—":
            right += 1
        true = words_of(gold[left:right])
        yield name, proposal.features, true == reads, true == words_of(ocr[start:end])


def clean_rows(name: str, text: str, dice: random.Random) -> Iterator[Row]:
    """Proposals for pieces of a clean book: all wrong."""
    from variorum.repair.words import proposals

    for size in SIZES:
        at = dice.randrange(max(1, len(text) - size))
        piece = text[at : at + size]
        piece = piece[piece.find(" ") + 1 : piece.rfind(" ")]
        for _, _, _, proposal in proposals(piece, LANGUAGE):
            yield name, proposal.features, False, True


def gather(texts: Path, pages: Path) -> list[Row]:
    rows: list[Row] = []
    dice = random.Random(7)
    for folder in PAGES:
        for number, path in enumerate(sorted((pages / folder).glob("*.ocr.txt"))):
            ocr, gold = path.read_text("utf-8"), path.with_name(path.name.replace(".ocr.", ".gt.")).read_text("utf-8")
            for kept in KEPT_ERRORS:
                rows += page_rows(f"{folder}/{number // 10}", lighter(ocr, gold, kept, dice), gold)
            for kept in TORN_ERRORS:
                rows += page_rows(f"{folder}/{number // 10}", torn(lighter(ocr, gold, kept, dice), dice), gold)
    for book in CLEAN:
        rows += clean_rows(book, (texts / f"{book}.txt").read_text("utf-8"), dice)
    return rows


def grow(rows: list[Row]) -> object:
    """Prints the cross-validated curve, and returns the gate grown on all rows."""
    from sklearn.ensemble import GradientBoostingClassifier
    from sklearn.model_selection import GroupKFold

    x = np.array([r[1] for r in rows], dtype=np.float32)
    right, harm = np.array([r[2] for r in rows]), np.array([r[3] for r in rows])
    groups = np.array([crc32(r[0].encode()) for r in rows])
    clean = np.array([not r[0].startswith("ght") for r in rows])

    def new() -> GradientBoostingClassifier:
        return GradientBoostingClassifier(
            n_estimators=160, max_depth=4, learning_rate=0.1, min_samples_leaf=25, subsample=0.7, random_state=0
        )

    held = np.zeros(len(right))
    for ins, out in GroupKFold(4).split(x, right, groups):
        held[out] = new().fit(x[ins], right[ins]).predict_proba(x[out])[:, 1]
    print("certain  recall  right of those  harmed on pages  in clean books")
    for at in (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95):
        k = held >= at
        print(
            f"{at:7.2f} {right[k].sum() / right.sum():7.3f} {right[k].mean():15.3f} "
            f"{(k & harm & ~right & ~clean).sum():16d} {(k & clean).sum():15d}"
        )
    print("\ncertainty given -> share right")
    for low in np.arange(0.2, 1.0, 0.1):
        k = (held >= low) & (held < low + 0.1)
        print(f"{low:.1f}-{low + 0.1:.1f}: {held[k].mean():.3f} -> {right[k].mean():.3f} ({k.sum()})")
    return new().fit(x, right)


def save(model: object, path: Path) -> None:
    """The trees end to end, as the gate reads them."""
    columns: dict[str, list[float]] = {k: [] for k in ("root", "feature", "threshold", "yes", "no", "value")}
    for (estimator,) in model.estimators_:
        tree, offset = estimator.tree_, len(columns["feature"])
        columns["root"].append(offset)
        for n in range(tree.node_count):
            leaf = tree.children_left[n] < 0
            columns["feature"].append(-1 if leaf else tree.feature[n])
            columns["threshold"].append(0.0 if leaf else tree.threshold[n])
            columns["yes"].append(0 if leaf else offset + tree.children_left[n])
            columns["no"].append(0 if leaf else offset + tree.children_right[n])
            columns["value"].append(tree.value[n].ravel()[0] * model.learning_rate)
    share = model.init_.class_prior_[1]
    types = {"threshold": np.float32, "value": np.float32, "feature": np.int8}
    arrays = {name: np.array(column, dtype=types.get(name, np.int32)) for name, column in columns.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, base=np.float64(np.log(share / (1 - share))), **arrays)


def main() -> None:
    global LANGUAGE
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    ask.add_argument(
        "--work", type=Path, required=True, help="a folder for the unpacked texts and the smaller language"
    )
    ask.add_argument("-o", "--out", type=Path, default=DATA)
    given = ask.parse_args()
    texts = given.work / "texts"
    if not texts.exists():
        with tarfile.open(given.shared / "texts" / "more-prose.tar.xz") as archive:
            archive.extractall(texts, filter="data")
        for folder in ("period", "rulebooks"):
            (texts / folder).symlink_to(given.shared / "texts" / folder)
    data = given.work / "language"
    if not data.exists():
        never = [given.shared / "texts" / n for n in (given.shared / "texts" / "never-train.txt").read_text().split()]
        folders = [texts / f for f in ("period", "rulebooks", "text_extra")]
        train(folders, data, [*never, *(texts / f"{book}.txt" for book in CLEAN)])
        confusions = ROOT / "src" / "variorum" / "language" / "data" / "confusions.txt"
        (data / "confusions.txt").write_bytes(confusions.read_bytes())
    LANGUAGE = load(data)
    rows = gather(texts, given.shared / "ocr")
    print(f"{len(rows)} proposals, features: {', '.join(Proposal.__dataclass_fields__)}, margin")
    save(grow(rows), given.out)


if __name__ == "__main__":
    main()
