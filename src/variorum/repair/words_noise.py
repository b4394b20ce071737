"""How noisy a text is, judged by its own words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from variorum.language.model import Language

# A clean book has about this share of words that the lexicon lacks: dialect, coined words.
CLEAN_SHARE = 0.006
ALIKE = 150  # words of a clean text mixed in, so that one odd word in a line is no noise
PER_WORD = 2.6  # unknown words come of misread characters: characters misread per 1 = unknown share / this


def oddness(cores: Iterable[str], language: Language, alike: int = ALIKE) -> float:
    """The share of lower-case words of three letters or more that the lexicon lacks, pulled towards a clean text's.

    `alike` is how many words of a clean text are mixed in.
    """
    all_words, odd = 0, 0
    for core in cores:
        if len(core) > 2 and core[0].islower():
            all_words += 1
            odd += not language.known(core)
    return (odd + CLEAN_SHARE * alike) / (all_words + alike)


def noise_of(share: float) -> float:
    """The share of misread characters that goes with a share of unknown words."""
    return max(0.0, share - CLEAN_SHARE) / PER_WORD


def estimate_noise(text: str, language: Language) -> float:
    """The estimated share of misread characters of a text, 0 to 1, from the share of its words that are none."""
    from variorum.repair.words_units import units

    return noise_of(oddness((u.core for u in units(text)), language))
