"""Editions revised by program, with what became of each word and each law known: for tests and benchmarks.

The words come from the gold of the sample corpus. `revised_words` writes one law anew as a reviser, a printer or a
reading machine would; `Descent` hands a code down from edition to edition.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

from variorum.model import Law
from variorum.tokens import is_word, tokenise

ROOT = Path(__file__).resolve().parents[1]
Pairs = list[tuple[int, int]]  # positions of the old text and of the new that belong together
Revised = tuple[list[str], Pairs]

NUMBERS = str.split("zero one two three four five six seven eight nine ten eleven twelve")
SPELLINGS = (("our", "or"), ("ise", "ize"), ("ck", "que"), ("ll", "l"), ("y", "ie"), ("show", "shew"), ("en", "in"))
MISREADINGS = (("rn", "m"), ("e", "c"), ("h", "b"), ("s", "f"), ("li", "h"), ("u", "n"), ("t", "l"), ("o", "0"))
ENDINGS = ("s", "ed", "ing", "er", "eth")
SMALL = str.split("the a of in and to that be shall any such")


def sentences() -> list[str]:
    """The laws of the sample corpus as a careful reader has them."""
    texts = []
    for path in sorted((ROOT / "corpus" / "gold").glob("*-?.json")):
        data = json.loads(path.read_text("utf-8"))
        laws = data.get("laws", ()) if isinstance(data, dict) else data
        for law in laws:
            texts.append(" ".join([law["text"], *(clause["text"] for clause in law.get("sub", ()))]))
    return texts


def words_of(text: str) -> list[str]:
    return [token.surface for token in tokenise(text) if token.surface]


# --------------------------------------------------------------------------------------------------- one word rewritten


def spelled(word: str, rng: random.Random) -> str:
    found = [(a, b) for a, b in (*SPELLINGS, *(p[::-1] for p in SPELLINGS)) if a in word.lower()[1:]]
    if len(word) < 4 or not found:
        return word
    old, new = rng.choice(found)
    return word[0] + word[1:].replace(old, new, 1)


def misread(word: str, rng: random.Random) -> str:
    found = [(a, b) for a, b in (*MISREADINGS, *(p[::-1] for p in MISREADINGS)) if a in word]
    if len(word) < 4 or not found:
        return word
    old, new = rng.choice(found)
    at = rng.choice([k for k in range(len(word)) if word.startswith(old, k)])
    return word[:at] + new + word[at + len(old) :]


def inflected(word: str, rng: random.Random) -> str:
    if len(word) < 4 or not word.isalpha():
        return word
    ending = next((e for e in ("ing", "ed", "s") if word.endswith(e)), "")
    bare = word.removesuffix(ending)
    return bare if ending and len(bare) > 3 else word + rng.choice(ENDINGS)


def figured(word: str, rng: random.Random) -> str:
    if word.lower() in NUMBERS:
        return str(NUMBERS.index(word.lower()))
    return NUMBERS[int(word)] if word.isdecimal() and int(word) < len(NUMBERS) else word


def another(word: str, rng: random.Random) -> str:
    return rng.choice(_vocabulary()) if is_word(tokenise(word)[0]) else rng.choice(",;:.")


def _vocabulary() -> list[str]:
    if not _VOCABULARY:
        _VOCABULARY.extend(sorted({w for text in sentences() for w in words_of(text) if len(w) > 4 and w.isalpha()}))
    return _VOCABULARY


_VOCABULARY: list[str] = []

# ---------------------------------------------------------------------------------------------------- one law rewritten


def word_by_word(change: Callable[[str, random.Random], str]) -> Callable[[list[str], random.Random, float], Revised]:
    def revise(words: list[str], rng: random.Random, share: float) -> Revised:
        new = [change(w, rng) if rng.random() < share else w for w in words]
        return new, [(k, k) for k in range(len(words))]

    return revise


def with_gaps(words: list[str], rng: random.Random, share: float) -> Revised:
    """Marks, articles, single words and phrases lost."""
    new: list[str] = []
    pairs: Pairs = []
    k = 0
    while k < len(words):
        if rng.random() < share / 2:
            k += rng.choice((1, 1, 1, 2, 4, 9))
            continue
        pairs.append((k, len(new)))
        new.append(words[k])
        k += 1
    return new, pairs


def with_additions(words: list[str], rng: random.Random, share: float) -> Revised:
    """Marks, articles, single words and phrases added."""
    new: list[str] = []
    pairs: Pairs = []
    for k, word in enumerate(words):
        if rng.random() < share / 2:
            sort = rng.random()
            count = rng.choice((1, 2, 5)) if sort < 0.4 else 1
            source = [","] if sort > 0.8 else SMALL if sort > 0.4 else _vocabulary()
            new += [rng.choice(source) for _ in range(count)]
        pairs.append((k, len(new)))
        new.append(word)
    return new, pairs


def divided(words: list[str], rng: random.Random, share: float) -> Revised:
    """Long words divided, with a hyphen or as two words; the second half belongs to no word of the old text."""
    new: list[str] = []
    pairs: Pairs = []
    for k, word in enumerate(words):
        pairs.append((k, len(new)))
        if len(word) > 6 and word.isalpha() and rng.random() < share:
            at = len(word) // 2
            new += [f"{word[:at]}-{word[at:]}"] if rng.random() < 0.5 else [word[:at], word[at:]]
        else:
            new.append(word)
    return new, pairs


KINDS: dict[str, Callable[[list[str], random.Random, float], Revised]] = {
    "spelling": word_by_word(spelled),
    "misreading": word_by_word(misread),
    "inflection": word_by_word(inflected),
    "figures": word_by_word(figured),
    "other words": word_by_word(another),
    "division": divided,
    "lost": with_gaps,
    "added": with_additions,
}


def revised_words(words: Sequence[str], kinds: Sequence[str], rng: random.Random, share: float) -> Revised:
    """The words after each kind of revision in turn, and which old word stands where."""
    new = list(words)
    pairs = [(k, k) for k in range(len(new))]
    for kind in kinds:
        new, step = KINDS[kind](new, rng, share)
        after = dict(step)
        pairs = [(k, after[at]) for k, at in pairs if at in after]
    return new, pairs


# ------------------------------------------------------------------------------------------------------- whole editions

Code = list[tuple[frozenset[int], str]]  # each law: which matters it holds, and its words


class Descent:
    """A code handed down from edition to edition: laws revised, split, merged, moved, dropped and added.

    Every sentence belongs to one matter, for good; two laws answer to each other where they share a matter.
    """

    def __init__(self, seed: int, matters: int = 24) -> None:
        self.rng = random.Random(seed)
        self._unused = self.rng.sample(sentences(), len(sentences()))
        self._matters = 0
        self.first: Code = [self._new() for _ in range(matters)]

    def _new(self) -> tuple[frozenset[int], str]:
        self._matters += 1
        if self._unused:
            return frozenset([self._matters]), self._unused.pop()
        return frozenset([self._matters]), " ".join(
            self.rng.choices([*_vocabulary(), *SMALL], k=self.rng.randint(15, 50))
        )

    def edition(self, parent: Code, share: float = 0.06, upset: float = 0.05) -> Code:
        """The next edition: a share of the words revised; each upset befalls about so many of the laws."""
        code: Code = []
        for matters, text in parent:
            if self.rng.random() < upset / 2:
                continue
            words, _ = revised_words(words_of(text), ("spelling", "other words", "lost", "added"), self.rng, share)
            halves = len(words) // 2
            if self.rng.random() < upset and halves > 12:
                code += [(matters, " ".join(words[:halves])), (matters, " ".join(words[halves:]))]
            elif code and self.rng.random() < upset / 2 and len(words) < 60:
                other, before = code.pop()
                code.append((other | matters, f"{before} {' '.join(words)}"))
            else:
                code.append((matters, " ".join(words)))
            if self.rng.random() < upset:
                code.append(self._new())
        for _ in range(round(upset * len(code))):
            code.insert(self.rng.randrange(len(code)), code.pop(self.rng.randrange(len(code))))
        return code


def laws_of(code: Code) -> list[Law]:
    return [Law(str(n), str(n), f"{n}.", "", text, 0, 0, 0) for n, (_, text) in enumerate(code, 1)]


def answering(a: Code, b: Code) -> set[tuple[str, str]]:
    """The pairs of law ids of two editions that share a matter."""
    return {(str(i), str(j)) for i, (x, _) in enumerate(a, 1) for j, (y, _) in enumerate(b, 1) if x & y}
