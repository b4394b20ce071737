"""Letter-spaced and torn text: words fallen apart into letters, with marks strewn among them.

    mus t n ot draw until his number is r educed     ->  must not draw until his number is reduced
    lool;:ed a't his car d                           ->  looked at his card

Where a page is torn, its spaces say little: the passage is read anew from its characters (`spaced_lattice`). Each word
that reads otherwise than it stands becomes a correction by itself. A passage whose words stand whole never comes here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from variorum.language.running import fold
from variorum.model import Correction, CorrectionKind
from variorum.repair.draft import Draft, Proposal
from variorum.repair.spaced_lattice import Lattice, Piece
from variorum.repair.spaced_search import Line

if TYPE_CHECKING:
    from variorum.language.model import Language

# The share of words in pieces from which on a stretch is torn: see `torn`. Clean books reach 0.02 in one stretch of a
# thousand, ordinary OCR 0.06 in one of a hundred. Re-measured by benchmarks/torn.py.
TORN = 0.06
# A long text that is torn throughout, as ordinary OCR never is, is read so wherever a little is torn.
TORN_THROUGHOUT, LONG = 0.03, 1000
TORN_A_LITTLE = 0.02
_WORDS = 250  # a passage is judged and read in stretches of about so many words
_FEW = 12  # fewer words than this are too few to judge
_PIECES = 7  # of one word
_USUAL = 50  # counts of a word that pieces are allowed to make up

_TOKEN = re.compile(r"\S+")
_BREAK = re.compile(r"\n\s*\n|\f")
_WORDLIKE = ("word", "as is", "number")


def spaced(draft: Draft) -> Proposal:
    """Corrections of every torn passage."""
    text = draft.text
    stretches = list(_stretches(text))
    shares = [torn(text[stretch[0][0] : stretch[-1][1]], draft.language) for stretch in stretches]
    bound = TORN
    if len(stretches) * _WORDS >= LONG and sum(shares) / len(shares) >= TORN_THROUGHOUT:
        bound = TORN_A_LITTLE
    corrections: list[Correction] = []
    for stretch, share in zip(stretches, shares, strict=True):
        if share >= bound:
            for start, end in stretch:
                corrections += _read(draft, start, end)
    return Proposal(tuple(corrections))


@lru_cache(maxsize=2)
def _lattice(language: Language) -> Lattice:
    return Lattice(language)


def _stretches(text: str) -> Iterator[list[tuple[int, int]]]:
    """Paragraphs, or parts of long ones, taken together until there are words enough to judge them by."""
    stretch: list[tuple[int, int]] = []
    words = 0
    for start, end, size in _parts(text):
        stretch.append((start, end))
        words += size
        if words >= _WORDS:
            yield stretch
            stretch, words = [], 0
    if stretch:
        yield stretch


def _parts(text: str) -> Iterator[tuple[int, int, int]]:
    """Paragraphs, long ones in parts that end with a sentence where they can, each with the number of its words."""
    start = 0
    for match in [*_BREAK.finditer(text), None]:
        end = match.start() if match else len(text)
        first, words = start, 0
        for token in _TOKEN.finditer(text, start, end):
            words += 1
            if words >= 2 * _WORDS or (words >= _WORDS and token.group()[-1] in ".;:!?"):
                yield first, token.end(), words
                first, words = token.end(), 0
        if words:
            yield first, end, words
        start = match.end() if match else end


def torn(text: str, language: Language) -> float:
    """The share of a text's words that are pieces of words: 0 for a text whose words are whole, 0 to 1."""
    found = [(m.group(), _bare(m.group())) for m in _TOKEN.finditer(text)]
    tokens = [bare for _, bare in found if bare]
    if len(tokens) < _FEW:
        return 0.0
    # A capital alone is a player ("B ought to lead") or an initial oftener than a piece.
    odd = [not (_lone_capital(token) or _is_word(bare, language)) for token, bare in found if bare]
    pieces = at = 0
    while at < len(tokens):
        size = _whole_from(tokens, odd, at, language) if odd[at] or any(odd[at + 1 : at + _PIECES]) else 0
        pieces += size
        at += size or 1
    return pieces / len(tokens)


def _bare(token: str) -> str:
    """The letters and figures of a word, with the apostrophe of a word that has one."""
    return re.sub(r"[^\w'’]|_", "", token).strip("'’").lower()


def _lone_capital(token: str) -> bool:
    letters = [c for c in token if c.isalnum()]
    return len(letters) == 1 and letters[0].isupper()


def _is_word(token: str, language: Language) -> bool:
    return token.isdigit() or (token in "aio" if len(token) == 1 else language.known(token))


def _whole_from(tokens: list[str], odd: list[bool], at: int, language: Language) -> int:
    """How many tokens from one on make up a word together, some of them none by themselves; 0 where they do not."""
    whole, size = tokens[at], 0
    for n in range(at + 1, min(at + _PIECES, len(tokens))):
        whole += tokens[n]
        if len(whole) > 3 and any(odd[at : n + 1]) and language.count(whole) >= _USUAL:
            size = n + 1 - at
    return size


# -------------------------------------------------------------------------------------------------------- corrections


@dataclass
class _Group:
    """Pieces of a line that are corrected together: [start, end) of the text, and what is read there."""

    start: int
    end: int
    reads: str
    pieces: list[Piece]


def _read(draft: Draft, start: int, end: int) -> Iterator[Correction]:
    """The corrections of one part, read as a whole."""
    text = draft.text
    line = Line.of(text, start, end)
    text_end = len(text.rstrip())
    pieces = _lattice(draft.language).read(line, last=end >= text_end)
    for group in _groups(text, line, pieces):
        found = text[group.start : group.end]
        ruin = group.end >= text_end and group.pieces[-1].kind == "as is"  # torn off with the page: left as it is
        if found != group.reads and not ruin:
            cert = min(_certainty(p) for p in group.pieces)
            kind = CorrectionKind.SPACING if _letters(found) == _letters(group.reads) else CorrectionKind.MISREADING
            yield Correction(group.start, group.end, found, group.reads, kind, "spaced", cert, _evidence(found, group))


def _groups(text: str, line: Line, pieces: list[Piece]) -> Iterator[_Group]:
    """Words with the dirt that touches them, and together those that have lost the space between them."""
    group: _Group | None = None
    for piece in pieces:
        start, end = line.offsets[piece.start], line.offsets[piece.end - 1] + 1
        reads = _reading(text[start:end], piece)
        if group is not None and text[group.end : start] == "":
            lost = piece.kind in _WORDLIKE and any(p.kind in _WORDLIKE for p in group.pieces)
            lost = lost and not _mark_between(group.pieces)
            if lost or piece.kind == "dirt" or all(p.kind == "dirt" for p in group.pieces):
                group = _Group(group.start, end, group.reads + " " * lost + reads, [*group.pieces, piece])
                continue
        if group is not None:
            yield _alone(text, group)
        group = _Group(start, end, reads, [piece])
    if group is not None:
        yield _alone(text, group)


def _mark_between(pieces: list[Piece]) -> bool:
    kept = [p for p in pieces if p.kind != "dirt"]
    return bool(kept) and kept[-1].kind == "mark"


def _alone(text: str, group: _Group) -> _Group:
    """Dirt that stands by itself takes the space after it along."""
    if not group.reads and text[group.end : group.end + 1] == " ":
        group.end += 1
    return group


def _reading(printed: str, piece: Piece) -> str:
    """What is read for a piece, with the capitals of the page where they can be believed."""
    if piece.kind == "dirt":
        return ""
    squeezed = "".join(printed.split())
    if piece.kind != "word" or fold(squeezed) == piece.word:
        return squeezed
    letters = [c for c in squeezed if c.isalpha()]
    if len(letters) > 1 and all(c.isupper() for c in letters):
        return piece.word.upper()
    same = squeezed[0].lower() == piece.word[0]
    if (same and squeezed[0].isupper()) or (not same and piece.opens) or piece.word == "i":
        return piece.word[0].upper() + piece.word[1:]
    return piece.word


def _certainty(piece: Piece) -> float:
    """How likely a piece is read rightly: a logistic of its margin over the next best reading and of its cost a letter.

    The weights are set by hand; `benchmarks/torn.py` prints how often each certainty is right on texts torn by program.
    """
    if piece.kind != "word":
        return 0.9
    size = max(1, piece.end - piece.start)
    weight = 1.5 + 0.35 * min(piece.margin, 12.0) - 1.2 * piece.cost / size
    return round(1.0 / (1.0 + math.exp(-weight)), 2)


def _letters(text: str) -> str:
    return "".join(c for c in text if c.isalnum())


def _evidence(found: str, group: _Group) -> str:
    what = []
    if any(c.isspace() for c in found.strip()) or " " in group.reads:
        what.append("spaces lost or strewn in")
    if any(p.kind == "dirt" for p in group.pieces):
        what.append("stray marks")
    if _letters(found) != _letters(group.reads):
        what.append("letters misread")
    return f"torn text: {', '.join(what) or 'marks within the word'}; the words around speak for it"
