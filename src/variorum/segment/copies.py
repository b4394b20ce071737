"""A text that stands twice in one file: the same laws again, copied or "modernised" after the original."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from variorum.segment.outline import Count, Item

FEWEST = 2  # a count of one law is too little to be known again
COVERS = 0.8  # the share of a copy's numbers that the original has as well
# Words alike, law by law and as a share of both, from which on two counts are one text. Revised editions of one code
# share less; and a copy that names itself as one need not be as near.
ALIKE, ALIKE_NAMED = 0.9, 0.6
SEAM = 600  # characters before a copy in which it may name itself
_NAMES_ITSELF = re.compile(
    r"\b(?:AI|moderni[sz]ed|modern(?:\s+spelling|\s+reading)|transcri(?:bed|ption)|corrected\s+text|clean(?:ed)?\s+text)\b",
    re.IGNORECASE,
)


def copies(text: str, counts: Sequence[Count], hi: int) -> dict[int, int]:
    """Which of the counts up to `hi` are copies: the place of each copy, with the place of its original."""
    held = [_laws(text, count, counts[k + 1].start if k + 1 < len(counts) else hi) for k, count in enumerate(counts)]
    by_first: dict[tuple[int, ...], list[int]] = {}
    found: dict[int, int] = {}
    for k, count in enumerate(counts):
        key = (count.items[0].value, len(count.items) // 10)
        for near in ((key[0], key[1] + step) for step in (-1, 0, 1)):
            for earlier in by_first.get(near, ())[:8]:
                if k not in found and _same(text, counts[earlier], held[earlier], count, held[k]):
                    found[k] = earlier
        if k not in found:
            by_first.setdefault(key, []).append(k)
    return found


def _same(text: str, old: Count, old_laws: dict[int, Counter[str]], new: Count, laws: dict[int, Counter[str]]) -> bool:
    if len(laws) < FEWEST:
        return False
    both = [value for value in laws if value in old_laws]
    if len(both) < COVERS * len(laws) or len(both) < COVERS * len(old_laws):
        return False
    named = _NAMES_ITSELF.search(text, max(old.last, new.start - SEAM), new.start)
    needed = ALIKE_NAMED if named else ALIKE
    return sum(_alike(laws[v], old_laws[v]) >= needed for v in both) >= COVERS * len(both)


def _alike(a: Counter[str], b: Counter[str]) -> float:
    return 2 * sum((a & b).values()) / max(1, a.total() + b.total())


def _laws(text: str, count: Count, hi: int) -> dict[int, Counter[str]]:
    """The words of each law of a count; those of the last one up to the end of its paragraph."""
    return {item.value: Counter(text[item.end : end].lower().split()) for item, end in _ends(text, count, hi)}


def _ends(text: str, count: Count, hi: int) -> Iterator[tuple[Item, int]]:
    for k, item in enumerate(count.items):
        if k + 1 < len(count.items):
            yield item, count.items[k + 1].start
        else:
            end = text.find("\n\n", item.end, hi)
            yield item, hi if end < 0 else end
