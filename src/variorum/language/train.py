"""Counts a language from a folder of texts: `python -m variorum.language.train FOLDER... -o DATA [--leave-out FILE]`.

Only counts are kept, never a sentence of the texts: the words seen twice or more, and how often two and three of them
stand together, smoothed after Kneser and Ney (1995) in the interpolated form of Chen and Goodman (1999). Same texts,
same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from variorum.language import FACTS
from variorum.language.model import STEP, hash_three
from variorum.language.running import NUMBER, STOP, UNKNOWN, fold, pieces

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

INNER = 65_535  # words that take part in pairs and triples: what 16 bits can number
PAIR_FLOOR = 3  # pairs and triples seen less often go into the back-off; chosen for size, the effect on repair is flat
TRIPLE_FLOOR = 4
SHARED_FLOOR = 0.1  # a text that shares this much of its eight-word runs with one left out is left out too


def _runs(text: str) -> set[int]:
    """A sample of the text's eight-word runs, as numbers."""
    words = [fold(p) for p in pieces(text) if p not in (STOP, NUMBER)]
    sums = (crc32(" ".join(words[i : i + 8]).encode()) for i in range(0, max(0, len(words) - 8)))
    return {n for n in sums if n % 16 == 0}


def gather(folders: Sequence[Path], leave_out: Sequence[Path]) -> list[tuple[Path, str]]:
    """The texts to count (path and content), in order of name, without those left out and those that repeat them."""
    barred = {p.resolve() for p in leave_out}
    held: set[int] = set()
    for path in sorted(barred):
        held |= _runs(path.read_text("utf-8"))
    texts, seen = [], set()
    for path in sorted(p for folder in folders for p in folder.rglob("*.txt")):
        text = path.read_text("utf-8")
        if path.resolve() in barred or text in seen:
            continue
        runs = _runs(text)
        if len(runs & held) > SHARED_FLOOR * max(1, len(runs)):
            print(f"left out, repeats a held-out text: {path.name}", file=sys.stderr)
            continue
        seen.add(text)
        texts.append((path, text))
    return texts


class Counted:
    """The words of the texts: their counts, the share of them with a capital, and the texts as rows of word numbers."""

    def __init__(self, texts: Iterable[str], extra: Iterable[str] = ()) -> None:
        import numpy as np

        forms: Counter[str] = Counter()
        rows = [list(pieces(text)) for text in texts]
        for row in rows:
            forms.update(row)
        counts: Counter[str] = Counter()
        capitals: Counter[str] = Counter()
        for form, n in forms.items():
            counts[fold(form)] += n
            capitals[fold(form)] += n if form[0].isupper() else 0
        kept = [w for w, n in counts.items() if n >= 2 and w not in (NUMBER, STOP)]
        for word in extra:
            if word not in counts or counts[word] < 2:
                kept.append(word)
                counts[word] = max(2, counts[word])
        kept = sorted(set(kept), key=lambda w: (-counts[w], w))
        self.words = [UNKNOWN, STOP, NUMBER, *kept]
        self.counts = [max(1, sum(n for w, n in counts.items() if n < 2)), counts[STOP], counts[NUMBER]]
        self.counts += [counts[w] for w in kept]
        self.capitals = [0, 0, 0] + [capitals[w] for w in kept]
        number = {w: i for i, w in enumerate(self.words)}
        of_form = {f: number.get(fold(f), 0) for f in forms} | {NUMBER: 2, STOP: 1}
        stream: list[int] = [1, 1]
        for row in rows:
            stream += [of_form[p] for p in row]
            stream += [1, 1]
        self.stream = np.asarray(stream, dtype=np.int64)


def _group(keys: Numbers, floor: int) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
    """Unique keys, their counts, and whether each is kept."""
    import numpy as np

    unique, counts = np.unique(keys, return_counts=True)
    return unique, counts.astype(np.int64), counts >= floor


def _discount(counts: Numbers) -> float:
    once, twice = int((counts == 1).sum()), int((counts == 2).sum())
    return once / (once + 2 * twice) if once and twice else 0.75


def _quantise(logs: NDArray[np.float64]) -> NDArray[np.uint8]:
    import numpy as np

    return np.asarray(np.clip(np.rint(-logs / STEP), 0, 255), dtype=np.uint8)


def estimate(stream: Numbers, size: int, counts: Sequence[int]) -> dict[str, NDArray[np.generic]]:
    """Arrays of the model (see `Language`): logarithms for single words, pairs and triples, and back-off weights."""
    import numpy as np

    inner = np.where(stream < min(INNER, size), stream, 0)
    pairs, pair_n, pair_keep = _group(inner[:-1] * INNER + inner[1:], PAIR_FLOOR)
    triples, triple_n, triple_keep = _group((inner[:-2] * INNER + inner[1:-1]) * INNER + inner[2:], TRIPLE_FLOOR)
    triple_keep &= np.isin(triples // INNER, pairs[pair_keep])  # a triple hangs on its pair
    # Lowest order: how many different words a word follows (Kneser-Ney); rare words by plain count.
    follows = np.bincount(pairs % INNER, minlength=size).astype(np.float64)
    plain = np.asarray(counts, dtype=np.float64)
    scale = follows[:INNER].sum() / plain[:INNER].sum()
    single = np.where(np.arange(size) < INNER, np.maximum(follows[:size], 0.5), plain * scale)
    log_single = np.log(single / single.sum())
    # Pairs: continuation counts too.
    behind = np.bincount(np.searchsorted(pairs, triples % (INNER * INNER)), minlength=len(pairs)).astype(np.float64)
    behind = np.maximum(behind, 1.0)
    cut2 = _discount(pair_n)
    left = pairs // INNER
    kept_mass = np.where(pair_keep, np.maximum(behind - cut2, 0.0), 0.0)
    total = np.bincount(left, weights=behind, minlength=INNER)
    mass = np.bincount(left, weights=kept_mass, minlength=INNER)
    low = np.exp(log_single)[pairs % INNER]
    back = np.where(total > 0, (total - mass) / np.maximum(total, 1e-9), 1.0)
    prob2 = kept_mass / total[left] + back[left] * low
    # Triples by plain counts, over the pairs' probabilities.
    context = np.searchsorted(pairs, triples // INNER)
    tail = np.searchsorted(pairs, triples % (INNER * INNER))
    cut3 = _discount(triple_n)
    total3 = np.bincount(context, weights=triple_n, minlength=len(pairs))
    kept3 = np.where(triple_keep, triple_n - cut3, 0.0)
    mass3 = np.bincount(context, weights=kept3, minlength=len(pairs))
    back3 = np.where(total3 > 0, (total3 - mass3) / np.maximum(total3, 1e-9), 1.0)
    tail_prob = np.where(pair_keep[tail], prob2[tail], back[left[tail]] * np.exp(log_single)[triples % INNER])
    prob3 = kept3 / total3[context] + back3[context] * tail_prob
    rows = left[pair_keep]
    keys = triples[triple_keep]
    hashes = hash_three(keys // INNER // INNER, keys // INNER % INNER, keys % INNER)
    order = np.argsort(hashes, kind="stable")
    return {
        "single": _quantise(log_single),
        "back": _quantise(np.log(np.clip(back, 1e-9, 1.0))),
        "row": np.searchsorted(rows, np.arange(INNER + 1)).astype(np.uint32),
        "pair": (pairs[pair_keep] % INNER).astype(np.uint16),
        "pair_log": _quantise(np.log(prob2[pair_keep])),
        "pair_back": _quantise(np.log(np.clip(back3[pair_keep], 1e-9, 1.0))),
        "triple": (hashes[order] >> 8).astype(np.uint32),
        "check": (hashes[order] & 0xFF).astype(np.uint8),
        "triple_log": _quantise(np.log(prob3[triple_keep]))[order],
    }


def spelling(words: Sequence[str], counts: Sequence[int]) -> dict[str, NDArray[np.generic]]:
    """How letters follow one another in words: log-probability of each letter after the two before it."""
    import numpy as np

    from variorum.language.model import LETTERS, letter

    table = np.full((LETTERS, LETTERS, LETTERS), 0.05)
    for word, n in zip(words, counts, strict=True):
        if word[0] == "<":
            continue
        weight = 1.0 + np.log(n)
        row = [0, 0, *(letter(c) for c in word), 0]
        for a, b, c in zip(row, row[1:], row[2:], strict=False):
            table[a, b, c] += weight
    lower = table.sum(axis=0)
    lower /= lower.sum(axis=1, keepdims=True)
    mixed = (table + 5.0 * lower[None]) / (table.sum(axis=2, keepdims=True) + 5.0)
    return {"letters": _quantise(np.log(mixed)).reshape(-1)}


def train(folders: Sequence[Path], out: Path, leave_out: Sequence[Path] = (), glossary: Sequence[str] = ()) -> None:
    """Counts the texts of the folders and writes the data files that `Language` reads to `out`."""
    import numpy as np

    texts = gather(folders, leave_out)
    counted = Counted((text for _, text in texts), glossary)
    arrays: dict[str, NDArray[np.generic]] = {
        "count": np.asarray(counted.counts, dtype=np.uint32),
        "capital": np.rint(255 * np.asarray(counted.capitals) / np.maximum(1, counted.counts)).astype(np.uint8),
    }
    arrays |= estimate(counted.stream, len(counted.words), counted.counts)
    arrays |= spelling(counted.words, counted.counts)
    out.mkdir(parents=True, exist_ok=True)
    (out / "words.txt").write_text("\n".join(counted.words), "utf-8")
    for name, array in arrays.items():
        np.save(out / f"{name}.npy", array)
    digest = hashlib.sha256()
    for path in sorted(out.iterdir()):
        if path.suffix in (".npy", ".txt"):
            digest.update(path.read_bytes())
    facts = {
        "tokens": len(counted.stream),
        "words": len(counted.words),
        "texts": len(texts),
        "leave_out": sorted(p.name for p in leave_out),
        "digest": digest.hexdigest(),
    }
    (out / FACTS).write_text(json.dumps(facts, indent=1) + "\n", "utf-8")


def read_glossary(text: str) -> list[str]:
    """The words of a glossary: white space parts them, # starts a remark."""
    return [w for line in text.splitlines() for w in fold(line.split("#")[0]).split()]


def _main() -> None:
    ask = argparse.ArgumentParser(description="Count a language from folders of plain-text files.")
    ask.add_argument("folders", nargs="+", type=Path)
    ask.add_argument("-o", "--out", required=True, type=Path)
    ask.add_argument("--leave-out", type=Path, help="a file that names texts not to learn from, one a line")
    ask.add_argument("--glossary", type=Path, help="further words, one a line; # starts a remark")
    given = ask.parse_args()
    held: list[Path] = []
    if given.leave_out:
        base = given.leave_out.parent
        held = [base / line.strip() for line in given.leave_out.read_text("utf-8").splitlines() if line.strip()]
    words = read_glossary(given.glossary.read_text("utf-8")) if given.glossary else []
    train(given.folders, given.out, held, words)


if __name__ == "__main__":
    _main()
