"""A language as counted: its words, how they follow one another, how their letters do."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from variorum.language.confusions import Confusions
from variorum.language.running import STOP, fold

STEP = 0.08  # one step of a quantised natural logarithm; 255 steps reach e^-20
COMMON = 20  # counts from which a word is common enough to be what any letters were misread for
ACCENTED = 0.03  # share of words with accents from which they belong to the language
LETTERS = 29  # a word's edge, a-z, apostrophe or hyphen, any other
_ROMAN = re.compile(r"m{0,4}(cm|cd|d?c{0,4})(xc|xl|l?x{0,4})(ix|iv|v?i{0,4})j?")
_TAILS = frozenset({"ll", "ve", "re", "em", "t", "m", "s"})
_PLAIN = "abcdefghijklmnopqrstuvwxyz"
_PLACE = {c: i + 1 for i, c in enumerate(_PLAIN)} | {"'": 27, "-": 27}


def _thirds(length: int) -> tuple[tuple[int, int], ...]:
    one, two = length // 3, length - length // 3
    return (0, one), (one, two), (two, length)


def letter(c: str) -> int:
    """The place of a letter in the table of letter triples."""
    return _PLACE.get(c, 28)


def hash_three(a: Any, b: Any, c: Any) -> Any:
    """A 40-bit hash of three word numbers; works on integers and on arrays of 64-bit integers alike."""
    x = (a * 0x9E3779B1 + b * 0x85EBCA6B + c * 0xC2B2AE35) & 0xFFFFFFFFFFFF
    x = x ^ (x >> 17)
    x = (x * 0x2C1B3C6D) & 0xFFFFFFFFFFFF
    return (x ^ (x >> 19)) & 0xFFFFFFFFFF


class Language:
    """Words with counts, a model of word triples, and the confusions of OCR, read from a folder that `train` wrote.

    The arrays are memory-mapped. Words are folded (`running.fold`): lower case, long s as s, straight apostrophe.
    """

    def __init__(self, folder: Path) -> None:
        import numpy as np

        self.words: list[str] = (folder / "words.txt").read_text("utf-8").split("\n")
        self.index: dict[str, int] = dict(zip(self.words, range(len(self.words)), strict=True))
        views: dict[str, memoryview] = {}
        for path in sorted(folder.glob("*.npy")):
            views[path.stem] = memoryview(np.load(path, mmap_mode="r"))
        self._views = views
        self._count, self._capital = views["count"], views["capital"]
        self._single, self._back = views["single"], views["back"]
        self._row, self._pair = views["row"], views["pair"]
        self._pair_log, self._pair_back = views["pair_log"], views["pair_back"]
        self._triple, self._check, self._triple_log = views["triple"], views["check"], views["triple_log"]
        self._letters = views["letters"]
        self._inner = len(self._back)
        self.confusions = Confusions.read(folder / "confusions.txt")
        self._known: dict[str, bool] = {}

    # ------------------------------------------------------------------------------------------------------ words

    def number(self, word: str) -> int:
        """The word's number in the model: 0 unknown; rows of digits and stops have their own."""
        if word[:1].isdecimal():
            return 2
        return self.index.get(fold(word), 0)

    def count(self, word: str) -> int:
        """How often the texts have the word, folded; 0 for one they have not."""
        n = self.index.get(fold(word), 0)
        return int(self._count[n]) if n > 2 else 0

    def counted(self, folded: str) -> int:
        """The same for a word of the lexicon, folded already."""
        return int(self._count[self.index[folded]])

    def alike(self, misread: str, apart: int) -> list[str]:
        """The common words that may differ from a folded string in so many letters, 1 or 2; some differ in more.

        Of the three parts of a word one at least stands unaltered in whatever two faults made of it, at most two places
        off (the filter of Wu and Manber, 1992).
        """
        found: set[str] = set()
        for length in range(max(2, len(misread) - apart), len(misread) + apart + 1):
            for part, (first, last) in enumerate(_thirds(length)):
                for at in range(max(0, first - apart), first + apart + 1):
                    found.update(self._by_part.get((length, part, misread[at : at + last - first]), ()))
        return sorted(found)

    @cached_property
    def _by_part(self) -> dict[tuple[int, int, str], list[str]]:
        """The common words by length, place and letters of each third of them."""
        grouped: dict[tuple[int, int, str], list[str]] = {}
        for word, count in zip(self.words[3:], self._count[3:], strict=True):
            if count >= COMMON and len(word) > 1:
                for part, (first, last) in enumerate(_thirds(len(word))):
                    grouped.setdefault((len(word), part, word[first:last]), []).append(word)
        return grouped

    def capitalised(self, word: str) -> float:
        """The share of the word's occurrences that begin with a capital, 0 to 1; near 1 for names; 0 if unknown."""
        n = self.index.get(fold(word), 0)
        return float(self._capital[n]) / 255 if n > 2 else 0.0

    def known(self, word: str) -> bool:
        """True for a word of the language: also a possessive, a hyphened compound of words, digits, a roman number."""
        if word not in self._known:
            if len(self._known) > 1 << 18:
                self._known.clear()
            self._known[word] = self._is_known(word)
        return self._known[word]

    def _is_known(self, word: str) -> bool:
        folded = fold(word)
        if self.index.get(folded, 0) > 2 or folded.isdecimal():
            return True
        if folded.endswith(("'s", "s'")) and self.known(folded[:-2] if folded.endswith("'s") else folded[:-1]):
            return True
        if "'" in folded and self._contracted(folded):
            return True
        if "-" in folded:
            parts = folded.split("-")
            return all(parts) and all(self.known(p) for p in parts)
        return bool(folded) and word[:1].isupper() and len(word) > 1 and bool(_ROMAN.fullmatch(folded))

    def _contracted(self, folded: str) -> bool:
        """True for a known word with 'll, 've, 're, 'em ..., and for a participle in 'd ("oblig'd", "walk'd")."""
        stem, _, tail = folded.rpartition("'")
        if tail in _TAILS:
            return self.index.get(stem, 0) > 2
        return tail in ("d", "st") and any(self.index.get(stem + e, 0) > 2 for e in ("e", "ed", "", "d"))

    @cached_property
    def accented(self) -> bool:
        """True for a language with accents or other letters than English has."""
        return sum(not w.isascii() for w in self.words) > ACCENTED * len(self.words)

    # -------------------------------------------------------------------------------------------------- prefixes

    @cached_property
    def sorted_words(self) -> list[str]:
        """All words of the lexicon in order."""
        return sorted(self.words[3:])

    def completions(self, prefix: str) -> Sequence[str]:
        """The words that begin with a folded prefix, in order."""
        lo = bisect_left(self.sorted_words, prefix)
        hi = bisect_left(self.sorted_words, prefix + "\U0010ffff")
        return self.sorted_words[lo:hi]

    @cached_property
    def next_letters(self) -> dict[str, str]:
        """For every beginning of a word ("" and whole words among them) the letters it may go on with, in order."""
        grown: dict[str, str] = {"": ""}
        for word in self.sorted_words:
            shorter, last = word, ""
            while shorter not in grown:
                grown[shorter] = last
                shorter, last = shorter[:-1], shorter[-1]
            grown[shorter] += last
        return grown

    @cached_property
    def prefixes(self) -> frozenset[str]:
        """Every beginning of every word, "" and the whole words among them."""
        return frozenset(self.next_letters)

    def has_prefix(self, prefix: str) -> bool:
        """True where some word of the lexicon begins so (folded)."""
        return prefix in self.next_letters

    # ------------------------------------------------------------------------------------------------------ model

    def logp(self, word: str, before1: str = STOP, before2: str = STOP) -> float:
        """ln P(word | before2 before1): `before1` stands right before the word; STOP for a stop or the start."""
        return self.logp_numbers(self.number(word), self.number(before1), self.number(before2))

    def logp_numbers(self, c: int, b: int, a: int) -> float:
        """ln P(c | a b) of word numbers (`number`), b the nearer; backs off from three to two to one."""
        if b >= self._inner:
            b = 0
        if c >= self._inner:
            return -STEP * (self._single[c] + self._back[b])
        lo, hi = self._row[b], self._row[b + 1]
        at = bisect_left(self._pair, c, lo, hi)
        steps = self._pair_log[at] if at < hi and self._pair[at] == c else self._single[c] + self._back[b]
        if a >= self._inner:
            a = 0
        lo, hi = self._row[a], self._row[a + 1]
        context = bisect_left(self._pair, b, lo, hi)
        if context < hi and self._pair[context] == b:
            key = hash_three(a, b, c)
            found = bisect_left(self._triple, key >> 8)
            # 32 bits to search by, 8 to make sure: one chance triple in a million look-ups.
            if found < len(self._triple) and self._triple[found] == key >> 8 and self._check[found] == key & 0xFF:
                steps = self._triple_log[found]
            else:
                steps += self._pair_back[context]
        return -STEP * steps

    def seen(self, b: int, c: int) -> bool:
        """True where the texts have word number c after b three times or more."""
        if b >= self._inner:
            return False
        lo, hi = self._row[b], self._row[b + 1]
        at = bisect_left(self._pair, c, lo, hi)
        return at < hi and self._pair[at] == c

    def spelled(self, word: str) -> float:
        """ln P of the word's letters, each after the two before it: low for what does not look like a word."""
        steps, a, b = 0, 0, 0
        for c in fold(word):
            k = _PLACE.get(c, 28)
            steps += self._letters[(a * LETTERS + b) * LETTERS + k]
            a, b = b, k
        return -STEP * (steps + self._letters[(a * LETTERS + b) * LETTERS])
