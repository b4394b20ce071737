"""What period English looks like: words with counts, a model of word triples, and the confusions of OCR.

language = load()                         # cached; memory-mapped package data
language.count("trump")                   # how often counted, folded; 0 unknown
language.known("Talon's")                 # capitals, possessives, compounds, numbers
language.logp("partner", "his", "oblige") # ln P(word | before1, before2)
language.completions("overpl")            # words that begin so
language.has_prefix("overpl")
language.confusions.channel("bis", "his") # ln P(misread | truth)
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from variorum.language.model import Language

__all__ = ["DATA", "FACTS", "load"]

DATA = Path(__file__).parent / "data"

FACTS = "facts.json"  # what a language was counted from; it stands in every language's folder


@cache
def load(folder: Path | None = None) -> Language:
    """The language that ships with the package, or one that `variorum.language.train` wrote to a folder."""
    from variorum.language.model import Language

    return Language(folder or DATA)
