"""Pages -> `Repair`: what the machine misread, found rule by rule; nothing is rewritten.

Each rule sees the text as the rules before it read it, and proposes corrections; this stage settles overlaps, puts them
in terms of the raw text, and keeps the doubtful ones as suggestions.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from variorum import language
from variorum.model import Page, Repair, Source
from variorum.repair.breaks import breaks
from variorum.repair.doubt import APPLY, SUGGEST, doubt
from variorum.repair.draft import Draft, Proposal, settle
from variorum.repair.edges import edges
from variorum.repair.encoding import encoding
from variorum.repair.heads import heads
from variorum.repair.initials import initials
from variorum.repair.pagebreaks import pagebreaks
from variorum.repair.spaced import spaced
from variorum.repair.words import correct_words
from variorum.repair.words_noise import estimate_noise
from variorum.rulings import Ruling, decide
from variorum.spans import Offsets, compose

if TYPE_CHECKING:
    from variorum.language.model import Language

__all__ = ["RULES", "repair", "untouched"]

Rule = Callable[[Draft], Proposal]


def noise(draft: Draft) -> Proposal:
    """How badly the page was read: what the rules after it go by. It proposes nothing."""
    return Proposal(noise=estimate_noise(draft.text, draft.language))


def words(draft: Draft) -> Proposal:
    """Misread words, lost and added spaces, stray marks, on a page whose words stand more or less whole."""
    found, left = correct_words(draft.text, draft.language, draft.repair.noise, draft.year)
    return Proposal(found, left)


# The order matters: what is not text goes first, then words are made whole, then they are read.
RULES: list[tuple[str, Rule]] = [
    ("encoding", encoding),
    ("pagebreaks", pagebreaks),
    ("edges", edges),
    ("heads", heads),
    ("breaks", breaks),
    ("initials", initials),
    ("noise", noise),
    ("spaced", spaced),
    ("words", words),
]


def repair(
    source: Source | str,
    year: int | None = None,
    *,
    apply: float = APPLY,
    suggest: float = SUGGEST,
    rulings: Iterable[Ruling] = (),
    spoken: Language | None = None,
) -> Repair:
    """The corrections proposed for a witness's text.

    `source` is what `variorum.sources.read` gave, or a text; `year` is the witness's year, where it is known: early
    spelling is then left alone. Corrections less certain than `apply` are not made; those of at least `suggest` become
    findings. An editor's `rulings` go before all that the rules propose. `spoken` is the language of the text, the one
    that comes with the package where it is not given. The raw text of a `str` is its NFC form. Never
    raises for what a text may hold.
    """
    current = untouched(source)
    if isinstance(source, Source) and source.stated and source.stated.blocks:
        return current  # an edited text with its laws: the editor's work is not done again
    spoken = spoken or language.load()
    for _, rule in RULES:
        draft = Draft(current, spoken, year)
        current = _with(draft, rule(draft))
    return doubt(decide(current, rulings), apply, suggest)


def untouched(source: Source | str) -> Repair:
    """A text as it stands, with no correction but those that its file states."""
    if isinstance(source, str):
        from variorum.sources.text import pages

        raw = unicodedata.normalize("NFC", source)
        return Repair(raw, pages=pages(raw))
    if source.stated:
        return source.stated.repair
    return Repair(source.raw, findings=source.findings, pages=source.pages or (Page(1, 0, len(source.raw)),))


def _with(draft: Draft, proposal: Proposal) -> Repair:
    """The draft's repair with what a rule proposes, in offsets of the raw text."""
    offsets = Offsets(draft.repair.corrections)
    findings = tuple(
        replace(f, start=offsets.to_raw(f.start), end=offsets.to_raw(f.end, end=True)) for f in proposal.findings
    )
    done = compose(draft.repair, settle(proposal.corrections))
    pages = draft.repair.pages if proposal.pages is None else proposal.pages
    noise = draft.repair.noise if proposal.noise is None else proposal.noise
    return replace(done, findings=draft.repair.findings + findings, pages=pages, noise=noise)
