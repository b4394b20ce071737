"""Words as a reader would quote them: white space collapsed, the marks of a transcriber's italics dropped."""

from __future__ import annotations

import re

_ITALICS = re.compile(r"(?<![^\W_])_+|_+(?![^\W_])")
_DASH = re.compile(r"\s*(?:[—–]|--|-)$")


def plain_words(words: str) -> str:
    """Words with white space collapsed and the underscores of a Gutenberg text's italics dropped."""
    return _ITALICS.sub("", " ".join(words.split()))


def title_words(words: str) -> str:
    """A heading's words: plain, and without the dash that parts it from the text it runs into."""
    return plain_words(_DASH.sub("", " ".join(words.split())))
