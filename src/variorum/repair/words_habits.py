"""What one engine does to one print: the confusions that a page shows by itself, and its long s."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import log

from variorum.language.running import fold

SEEN = 3  # a fault seen less often on a page is no habit
STRENGTH = 300  # occurrences of a letter after which the page's own figure weighs as much as none at all
LONGEST = 3


def habits(faults: Iterable[tuple[str, str]], text: str) -> dict[tuple[str, str], float]:
    """ln P(misread | truth) of the faults (misread, truth) that a text shows again and again."""
    counted = Counter(faults)
    folded = fold(text)
    learned = {}
    for (misread, truth), n in sorted(counted.items()):
        if n >= SEEN and max(len(misread), len(truth)) <= LONGEST:
            stood = folded.count(truth) if truth else len(folded)
            learned[misread, truth] = log(n / (n + stood + STRENGTH))
    return learned


def with_long_s(core: str, reads: str) -> str:
    """The reading with the long s that print of this kind has wherever the letter was misread: all but the last.

    "alfo" read "also" -> "alſo". What the engine read as a plain s is left as it stands.
    """
    from rapidfuzz.distance import Levenshtein

    letters = list(reads)
    for op in Levenshtein.opcodes(core, fold(reads)):
        if op.tag in ("replace", "insert"):
            for at in range(op.dest_start, op.dest_end):
                if letters[at] == "s" and reads[at + 1 : at + 2].isalpha():
                    letters[at] = "ſ"
    return "".join(letters)
