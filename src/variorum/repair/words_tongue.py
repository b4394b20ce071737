"""Which passages are in the language that the lexicon knows: in any other the words are left as they are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from variorum.language.running import fold
from variorum.model import Finding

if TYPE_CHECKING:
    from variorum.language.model import Language
    from variorum.repair.words_units import Unit

SMALLEST = 120  # the commonest words of a language, which stand in every sentence of it
REACH = 20  # words to either side that show the language of a word
# Below this share of small words a passage is in another language, or a list: English prose has 0.35 to 0.55 of them,
# torn and misread 0.15 at least; French, Latin and German have 0.04 at most.
FEWEST = 0.08
NOISY = 0.02
PASSAGE = 40  # words in a row that are worth a finding


def strange(units: Sequence[Unit], language: Language, noise: float) -> list[bool]:
    """For each unit whether the words round it are those of another language, or of a list of names and things.

    On a noisy page (`noise` is the share of its characters misread) only the whole can tell: there a list has faults
    that are worth mending.
    """
    small = frozenset(w for w in language.words[3 : 3 + SMALLEST] if len(w) > 1)
    sums = [0, *accumulate(fold(u.core) in small for u in units)]
    last = len(units)
    if noise > NOISY or last <= REACH:  # half of that, lest misread small words make it another language
        return [last > REACH and 2 * sums[last] < FEWEST * last] * last
    found = []
    for k in range(last):
        low, high = max(0, k - REACH), min(last, k + REACH + 1)
        if high - low < min(last, 2 * REACH + 1):  # at an end the window keeps its width
            low, high = max(0, high - 2 * REACH - 1), min(last, low + 2 * REACH + 1)
        found.append(high - low > REACH and sums[high] - sums[low] < FEWEST * (high - low))
    return found


def said(units: Sequence[Unit], left: Sequence[bool]) -> tuple[Finding, ...]:
    """A finding at the longest passage that was left as it is, if it is a passage and not a line."""
    count = sum(left)
    start = end = at = 0
    for k, strange_here in enumerate([*left, False]):
        if not strange_here:
            if k - at > end - start:
                start, end = at, k
            at = k + 1
    if end - start < PASSAGE:
        return ()
    opening = " ".join(u.core for u in units[start : start + 5])
    message = (
        f"{count} words are in no English sentence, and were left as they are; the longest passage: '{opening} ...'"
    )
    return (Finding("other-language", message, units[start].start, units[end - 1].end),)
