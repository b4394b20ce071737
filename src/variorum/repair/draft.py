"""What a rule of repair is given and what it gives back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from variorum.model import Correction, CorrectionKind, Finding, Page, Repair
from variorum.spans import Offsets

if TYPE_CHECKING:
    from variorum.language.model import Language

# A word, or a compound with its hyphens, as it stands within one line.
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")


class Proposal(NamedTuple):
    """What a rule proposes, in offsets of the draft's text.

    `pages` (in offsets of the raw text) and `noise` are set by the rule that finds them out.
    """

    corrections: tuple[Correction, ...] = ()
    findings: tuple[Finding, ...] = ()
    pages: tuple[Page, ...] | None = None
    noise: float | None = None


@dataclass(frozen=True)
class Draft:
    """A text as repaired so far, with what a rule may ask about it. `year` is the witness's, where it is known."""

    repair: Repair
    language: Language
    year: int | None = None

    @property
    def text(self) -> str:
        """The text with all corrections of the rules before."""
        return self.repair.text

    @cached_property
    def offsets(self) -> Offsets:
        """From the text to the raw text and back."""
        return Offsets(self.repair.corrections)

    @cached_property
    def pages(self) -> tuple[Page, ...]:
        """The pages, in offsets of the text."""
        to_text = self.offsets.to_text
        return tuple(Page(p.n, to_text(p.start), to_text(p.end, end=True), p.folio) for p in self.repair.pages)

    @cached_property
    def furniture(self) -> tuple[int, ...]:
        """The offsets of the text at which furniture was taken out, in order."""
        taken = (c.start for c in self.repair.corrections if c.kind is CorrectionKind.FURNITURE)
        return tuple(self.offsets.to_text(start) for start in taken)

    @cached_property
    def own_words(self) -> Counter[str]:
        """How often the text itself has each word or hyphened compound, in lower case, away from its line ends."""
        return count_words(self.text)


def count_words(text: str) -> Counter[str]:
    """How often a text has each word or compound, in lower case; what a line end cuts through does not count."""
    return Counter(m.group().lower() for m in _WORD.finditer(text) if text[m.end() : m.end() + 1] not in _CUTS)


_CUTS = frozenset("-¬\u00ad")


def settle(corrections: Iterable[Correction]) -> list[Correction]:
    """The corrections in order and without overlap: of two that overlap, the surer one, then the longer, stays."""
    kept: list[Correction] = []
    for c in sorted(corrections, key=lambda c: (c.start, c.end)):
        while kept and c.start < kept[-1].end:
            if _strength(c) <= _strength(kept[-1]):
                break
            kept.pop()
        else:
            kept.append(c)
    return kept


def _strength(c: Correction) -> tuple[float, int]:
    return c.cert, c.end - c.start
