"""Spellings that are no faults: the period's, the author's, a speaker's. One is never read as the other."""

from __future__ import annotations

import re
from functools import lru_cache

# Each pair of forms was printed side by side for centuries. Applied to both words, in this order.
_SAME = (
    (re.compile(r"our(?=$|s|ed|ing|able|ite)"), "or"),
    (re.compile(r"is(?=e$|es$|ed$|ing$|ation)"), "iz"),
    (re.compile(r"ck$|que$"), "c"),
    (re.compile(r"re$"), "er"),
    (re.compile(r"ae|oe|æ|œ"), "e"),
    (re.compile(r"ph"), "f"),
    (re.compile(r"dg(?=e)"), "g"),
    (re.compile(r"(?<=[^aeiou])er(?=ed$|ing$|eth$)"), "r"),
    (re.compile(r"xion(?=s?$)"), "ction"),
    (re.compile(r"^en|^em|^im"), "in"),
    (re.compile(r"^un"), "in"),
    (re.compile(r"ei|ie|y|ey"), "i"),
    (re.compile(r"[sc](?=e)"), "s"),
    (re.compile(r"ew"), "ow"),
    (re.compile(r"'?d$|ed$|t$"), "d"),
    (re.compile(r"(.)\1"), r"\1"),
    (re.compile(r"-"), ""),
    (re.compile(r"e(?=$|s$|d$|r$|ment|ing|able)"), ""),
)
# A right form is never read as another form of itself, for the subjunctive's and the plural's sake.
_ENDINGS = ("s", "es", "d", "ed", "n", "en", "ing", "r", "er", "th", "eth", "st", "est", "ly", "t", "y")
_EARLY = (
    (re.compile(r"vv"), "w"),
    (re.compile(r"^v(?=[^aeiou])"), "u"),
    (re.compile(r"(?<=[a-z])u(?=[aeiouy])"), "v"),
    (re.compile(r"^i(?=[aeou])"), "j"),
    (re.compile(r"(?<=..)e$"), ""),
    (re.compile(r"ie$"), "y"),
    (re.compile(r"y(?=[a-z])"), "i"),
)


@lru_cache(maxsize=1 << 14)
def _folded(word: str) -> str:
    for pattern, form in _SAME:
        word = pattern.sub(form, word)
    return word


def same_spelled(one: str, other: str) -> bool:
    """True where two folded words differ only as spellings of their time do: colour and color, shew and show."""
    return _folded(one) == _folded(other)


def same_inflected(one: str, other: str) -> bool:
    """True where one word is the other with an ending."""
    short, long = sorted((one, other), key=len)
    return long[: len(short)] == short and long[len(short) :] in _ENDINGS


def elided(core: str, other: str, before: str, after: str) -> bool:
    """True where an apostrophe stands for the letters that the other word has more ('ead, nothin')."""
    return (after[:1] in ("'", "’") and other.startswith(core)) or (before[-1:] in ("'", "’") and other.endswith(core))


def early_forms(word: str) -> set[str]:
    """What a word in 16th- or 17th-century spelling may be in a later one: vpon, haue, iustice, goe, hym."""
    forms = {word}
    for pattern, form in _EARLY:
        forms |= {pattern.sub(form, w) for w in forms}
    forms.discard(word)
    return forms
