"""A proposal of the decoder as a note on the text: its span, the reading in the case of the page, and the reason."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import exp, log

from variorum.language.confusions import blocks
from variorum.language.running import fold
from variorum.model import Correction, CorrectionKind
from variorum.repair.words_candidates import is_mark
from variorum.repair.words_gate import Proposal
from variorum.repair.words_habits import with_long_s
from variorum.repair.words_lattice import Option
from variorum.repair.words_options import CAPITAL_INSIDE
from variorum.repair.words_passage import Passage
from variorum.repair.words_units import Unit

_SURNAME = re.compile(r"^(Mc|O['’]|D['’])([a-z])")  # with a capital inside
SOME_CAPITAL = 0.3  # share of capitals below which a misread capital amid a sentence was none
ALWAYS_CAPITAL = 0.95  # share of capitals from which a word is a name or a title
RULE_NAMES = {
    "word": "dictionary in context",
    "join": "broken word",
    "split": "joined words",
    "drop": "stray mark",
    "point": "point read as letter",
}


class Notes:
    """Writes the notes on a passage."""

    def __init__(self, passage: Passage) -> None:
        self.passage = passage

    def correction(self, option: Option, cert: float, p: Proposal) -> Correction | None:
        """The proposal as a note on the text."""
        span = self.passage.units[option.first : option.last]
        start, end = span[0].start, span[-1].end
        reads = ""
        if option.kind == "drop":
            start, end = self.dropped(option.first)
        elif option.kind == "point":
            start, reads = start - len(span[0].gap), option.words[0]
        else:
            reads = self.cased("".join(u.core for u in span), option.words, span[0])
            reads = self.pointed(option, span[0], reads)
        found = self.passage.text[start:end]
        if reads == found:
            return None
        spacing = option.kind in ("join", "split")
        rule = RULE_NAMES[option.kind]
        if option.kind == "word" and p.mark:
            rule = "stray mark"
        return Correction(
            start=start,
            end=end,
            found=found,
            reads=reads,
            kind=CorrectionKind.SPACING if spacing else CorrectionKind.MISREADING,
            rule=rule,
            cert=round(cert, 3),
            evidence=self.evidence(found, reads, p),
        )

    def pointed(self, option: Option, unit: Unit, reads: str) -> str:
        """The two words of a split with the point that stood between them ("promises,and": promises, and)."""
        if option.kind != "split" or not is_mark(unit.core[len(option.words[0])]):
            return reads
        point = unit.core[len(option.words[0])]
        return reads.replace(" ", f"{point} ", 1) if point in ",;:.!?" else reads

    def dropped(self, k: int) -> tuple[int, int]:
        """A mark's span with the points that cling to it and one space."""
        unit = self.passage.units[k]
        start, end = unit.start - len(unit.lead), unit.end + len(unit.trail)
        if self.passage.text[end : end + 1] == " ":
            return start, end + 1
        return start, end

    def evidence(self, found: str, reads: str, p: Proposal) -> str:
        """The reason in a few words: how much likelier the reading is, and which letters were misread for which."""
        said = "a word elsewhere" if p.known else "no known word"
        faults = [f"{_shown(m)} for {_shown(t)}" for m, t in blocks(fold(found), fold(reads))]
        shown = ", ".join(faults) or "its capitals"
        if not reads:
            return f"no word, {_times(p.margin)} likelier a speck or a piece of something else"
        if not reads[0].isalnum():
            return f"'{reads}' ends the sentence, {_times(p.margin)} likelier than '{found.strip()}' as a word"
        return f"'{reads}' is {_times(p.margin)} likelier here than '{found}' ({said}): {shown}"

    def cased(self, core: str, words: Sequence[str], unit: Unit) -> str:
        """The reading in the case of what stands there."""
        reads = " ".join("I" if w == "i" else w for w in words)
        if self.passage.long_s and not core.isupper():
            reads = with_long_s(fold(core), reads)
        if "’" in core:
            reads = reads.replace("'", "’")
        seam = CAPITAL_INSIDE.fullmatch(core)
        if seam and " " in reads:
            return f"{core[: seam.end(1)]} {core[seam.start(2) :]}"
        letters = [c for c in core if c.isalpha()]
        if len(letters) > 1 and all(c.isupper() for c in letters):
            return reads.upper()
        if self.capital(core, words, unit):
            reads = reads[:1].upper() + reads[1:]
            reads = _SURNAME.sub(lambda m: m[1] + m[2].upper(), reads) if any(map(str.isupper, core[1:])) else reads
        return reads

    def capital(self, core: str, words: Sequence[str], unit: Unit) -> bool:
        """Whether the reading begins with a capital: as what stands there, or as the word does if that is misread."""
        first = words[0][:1]
        share = self.passage.language.capitalised(words[0])
        if fold(core[:1]) == first:
            return core[0].isupper()
        # A stop stands before a word that begins with a mark, a figure or an l for an I: its capital was misread.
        lost = unit.stop and (not core[:1].isalpha() or (core[0] == "l" and first == "i"))
        if lost or share > ALWAYS_CAPITAL:
            return True
        return core[:1].isupper() and (unit.stop or share > SOME_CAPITAL or self.passage.long_s)


def _times(margin: float) -> str:
    """A likelihood ratio, given as its logarithm, in words."""
    if margin > log(1e6):
        return "over a million times"
    return f"{exp(margin):,.0f} times" if margin > log(2) else "hardly"


def _shown(letters: str) -> str:
    return "a space" if letters.isspace() else letters.replace(" ", "_") or "nothing"
