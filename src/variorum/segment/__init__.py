"""From a repaired text to its laws, clauses, notes, headings and prose.

Numbers are read as a sequence, not as patterns: `styles` and `sight` find where each kind of number may stand,
`sequence` reads the candidates together, `outline` says which counts make laws, `body` takes a law apart, `references`
finds what it refers to, and `cut` cuts the text and keeps every offset in the raw page.
"""

from __future__ import annotations

from variorum.model import Repair, Segmented
from variorum.segment.cut import cut
from variorum.segment.styles import STYLES

__all__ = ["STYLES", "segment"]


def segment(repair: Repair) -> Segmented:
    """Cut a repair (or a raw text that was not repaired: a Repair without corrections) into laws, headings and prose.

    In: a Repair. Out: a Segmented, whose offsets are code points of `repair.raw`, and whose `repair` holds, beside the
    corrections it came with, those of misread law numbers. Doubts about numbers, torn ends and cross-references are
    findings. A text without laws has no law block and no error. Raises nothing of its own.
    """
    return cut(repair)
