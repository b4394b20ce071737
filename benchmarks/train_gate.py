"""Grows the gate of the word repair: `python benchmarks/train_gate.py [--shared DIR]`.

Needs scikit-learn and the data folder beside the repository. Four kinds of text teach it:

- aligned pages (ght_high_dev, ght_low_dev) as they are;
- the same with most of their errors taken away, since a page with one fault in a hundred words is what many have;
- some of these torn further: spaces put into words and taken from between them, specks put into words or over a letter,
  as on letter-spaced and dirty pages, of which the aligned ones have few;
- some with pieces of the next column's words between their own;
- some with a habit: two to four confusions that come again and again, as one engine makes them of one print;
- pieces of clean books, where every proposal is wrong. The language model must not have seen them, so it is counted
  anew without them first (written to --work).

Prints recall, harm and the calibration curve by cross-validation over documents, then writes the gate's file.
"""

from __future__ import annotations

import argparse
import pickle
import random
import re
import tarfile
from bisect import bisect_right
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from zlib import crc32

import numpy as np
from rapidfuzz.distance import Levenshtein
from sklearn.ensemble import HistGradientBoostingClassifier

from variorum.language import load
from variorum.language.running import fold
from variorum.language.train import train
from variorum.repair.words_gate import DATA, Proposal
from variorum.repair.words_units import POINTS

ROOT = Path(__file__).parents[1]
TREES = 260
PAGES = ("ght_high_dev", "ght_low_dev")
SPECKS = "^•*>■|~·_»<°\\.,:;'"
TORN = (0.002, 0.06)  # share of words torn, run together or specked in a torn page, drawn between these
TORN_ERRORS = (0.3, 0.04)  # share of a torn page's own errors left in
BLED_ERRORS = (0.5, 0.05)
BLED = (0.002, 0.1)  # share of words before which a piece of another column stands
HABIT_ERRORS = (0.3, 0.6)  # share of its own errors left in a page that is given a habit
HABIT = (0.08, 0.5)  # share of the letters that a habit turns, drawn between these
HABIT_FLOOR = -8.0  # ln P of the least likely confusion that may be a habit
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


def habitual(page: str, dice: random.Random) -> str:
    """The page as misread by an engine that makes some few confusions again and again, or puts a letter to another."""
    table = LANGUAGE.confusions.table
    known = [p for p, log in sorted(table.items()) if log > HABIT_FLOOR and p[0].isalpha() and p[1].isalpha()]
    letters = "abcdefghijklmnopqrstuvwxyz"
    for _ in range(dice.randrange(2, 5)):
        low, high = HABIT
        share = low * (high / low) ** dice.random()
        misread, truth = dice.choice(known)
        if dice.random() < 0.3:
            truth = dice.choice(letters)
            misread = truth + dice.choice(letters) if dice.random() < 0.5 else dice.choice(letters)
        share = min(share, 0.004 * len(page) / max(1, page.count(truth)))
        page = re.sub(re.escape(truth), lambda m, w=misread, s=share: w if dice.random() < s else m.group(), page)
    return page


def bled(page: str, dice: random.Random) -> str:
    """The page with pieces of the next column's words between its own, some or in every line."""
    low, high = BLED
    share = low * (high / low) ** dice.random()
    words = page.split(" ")
    for k in range(1, len(words)):
        if dice.random() < share:
            source = dice.choice(words).strip(POINTS)
            size = dice.choice((1, 2, 2, 3))
            words[k] = (source[:size] if dice.random() < 0.5 else source[-size:]) + " " + words[k]
    return " ".join(words)


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
        left, right = place(start - int(proposal.point), False), place(end, True)
        if proposal.drop:
            yield name, proposal.features, left == right, left < right
            continue
        if not words_of(reads):
            true = gold[left:right].strip()
            yield name, proposal.features, true in ("?", "!"), any(map(str.isalnum, true))
            continue
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


def rows_of_page(path: Path) -> list[Row]:
    """The proposals for an aligned page as it is and in each of its worse and better states."""
    ocr, gold = path.read_text("utf-8"), path.with_name(path.name.replace(".ocr.", ".gt.")).read_text("utf-8")
    name = f"{path.parent.name}/{path.name.split('.')[0]}"
    dice = random.Random(name)
    rows: list[Row] = []
    for kept in KEPT_ERRORS:
        rows += page_rows(name, lighter(ocr, gold, kept, dice), gold)
    for kept in TORN_ERRORS:
        rows += page_rows(name, torn(lighter(ocr, gold, kept, dice), dice), gold)
    for kept in BLED_ERRORS:
        rows += page_rows(name, bled(lighter(ocr, gold, kept, dice), dice), gold)
    for kept in HABIT_ERRORS:
        rows += page_rows(name, habitual(lighter(ocr, gold, kept, dice), dice), gold)
    return rows


def rows_of_book(path: Path) -> list[Row]:
    return list(clean_rows(path.stem, path.read_text("utf-8"), random.Random(path.stem)))


def gather(texts: Path, pages: Path, data: Path, jobs: int) -> list[Row]:
    """The proposals for all pages and books, read by so many processes at once."""
    aligned = [p for folder in PAGES for p in sorted((pages / folder).glob("*.ocr.txt"))]
    books = [texts / f"{book}.txt" for book in CLEAN]
    with ProcessPoolExecutor(jobs, initializer=start, initargs=(data,)) as pool:
        parts = [*pool.map(rows_of_page, aligned, chunksize=8), *pool.map(rows_of_book, books)]
    return [row for part in parts for row in part]


def start(data: Path) -> None:
    global LANGUAGE
    LANGUAGE = load(data)


def new() -> HistGradientBoostingClassifier:
    return HistGradientBoostingClassifier(
        max_iter=TREES,
        learning_rate=0.06,
        max_leaf_nodes=24,
        min_samples_leaf=30,
        l2_regularization=5.0,
        early_stopping=False,
        random_state=0,
    )


def grow(rows: list[Row]) -> HistGradientBoostingClassifier:
    """Prints the cross-validated curve, and returns the gate grown on all rows."""
    from sklearn.model_selection import GroupKFold

    x = np.array([r[1] for r in rows], dtype=np.float32)
    right, harm = np.array([r[2] for r in rows]), np.array([r[3] for r in rows])
    groups = np.array([crc32(r[0].encode()) for r in rows])
    clean = np.array([not r[0].startswith("ght") for r in rows])
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


def save(model: HistGradientBoostingClassifier, path: Path) -> None:
    """The trees end to end, as the gate reads them."""
    columns: dict[str, list[float]] = {k: [] for k in ("root", "feature", "threshold", "yes", "no", "value")}
    for (tree,) in model._predictors:
        offset = len(columns["feature"])
        columns["root"].append(offset)
        for node in tree.nodes:
            leaf = bool(node["is_leaf"])
            columns["feature"].append(-1 if leaf else int(node["feature_idx"]))
            columns["threshold"].append(0.0 if leaf else float(node["num_threshold"]))
            columns["yes"].append(0 if leaf else offset + int(node["left"]))
            columns["no"].append(0 if leaf else offset + int(node["right"]))
            columns["value"].append(float(node["value"]) if leaf else 0.0)
    types = {"threshold": np.float32, "value": np.float32, "feature": np.int8}
    arrays = {name: np.array(column, dtype=types.get(name, np.int32)) for name, column in columns.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, base=np.float64(model._baseline_prediction.item()), **arrays)


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    ask.add_argument(
        "--work", type=Path, required=True, help="a folder for the unpacked texts and the smaller language"
    )
    ask.add_argument("-o", "--out", type=Path, default=DATA)
    ask.add_argument("--jobs", type=int, default=2)
    ask.add_argument("--rows", type=Path, help="keep the proposals here, or take them from here where it exists")
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
    if given.rows and given.rows.exists():
        rows = pickle.loads(given.rows.read_bytes())
    else:
        rows = gather(texts, given.shared / "ocr", data, given.jobs)
        if given.rows:
            given.rows.write_bytes(pickle.dumps(rows))
    print(f"{len(rows)} proposals, features: {', '.join(Proposal.__dataclass_fields__)}, margin")
    save(grow(rows), given.out)


if __name__ == "__main__":
    main()
