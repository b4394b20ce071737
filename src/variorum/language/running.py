"""Running text as the language model reads it: folded words, numbers and stops."""

from __future__ import annotations

import re
from collections.abc import Iterator

NUMBER = "<n>"
STOP = "<s>"
UNKNOWN = "<unk>"

_PIECE = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*(?:-[^\W\d_]+(?:['’][^\W\d_]+)*)*|\d+|[.;:!?]|\n")
_STOPS = frozenset(".;:!?\n")
_FOLD = str.maketrans(
    {"’": "'", "ſ": "s", "ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
)


def fold(word: str) -> str:
    """The word as it is counted: lower case, long s and ligatures resolved, a straight apostrophe."""
    return word.translate(_FOLD).lower()


def pieces(text: str) -> Iterator[str]:
    """Words as printed (a hyphened compound is one), NUMBER for a row of digits, STOP for a stop or a line's end."""
    for match in _PIECE.finditer(text):
        piece = match.group()
        if piece in _STOPS:
            yield STOP
        elif piece[0].isdecimal():
            yield NUMBER
        else:
            yield piece
