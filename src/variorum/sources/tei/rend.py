"""Characters taken away at a line end, as the space-separated words of lb/@rend, and back."""

from __future__ import annotations

FORM_FEED = "form-feed"

_NAMES = {
    "-": "hyphen",
    " ": "space",
    "\n": "newline",
    "\t": "tab",
    "\r": "return",
    "\f": FORM_FEED,
    "\u00ad": "shy",
    "\u00ac": "not-sign",
    "\u2010": "true-hyphen",
    "\u2011": "hard-hyphen",
    "\u2013": "en-dash",
    "\u2014": "em-dash",
    "=": "equals",
    "~": "tilde",
    ".": "point",
    ",": "comma",
    "'": "apostrophe",
}
_CHARACTERS = {word: character for character, word in _NAMES.items()}


def tokens(text: str) -> str:
    """The words for some characters, or "" where one of them is a letter or figure and should stay to be read."""
    if any(character.isalnum() for character in text):
        return ""
    return " ".join(_NAMES.get(character, f"U+{ord(character):04X}") for character in text)


def characters(rend: str) -> str:
    """The characters that some words stand for. Raises ValueError for a word that is none of ours."""
    return "".join(_character(word) for word in rend.split())


def _character(word: str) -> str:
    if word in _CHARACTERS:
        return _CHARACTERS[word]
    if word.startswith("U+"):
        return chr(int(word[2:], 16))
    raise ValueError(f"{word!r} names no character")
