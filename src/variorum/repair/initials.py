r"""The first letter of a sentence, parted from its word: a large or ornamental one, or one the OCR stood off.

    W hen a card is led    ->  When a card is led
    T\nHE person who cuts  ->  THE person who cuts
    A player may pass      ->  as it is: A and I are words

The letter goes to its word where the rest alone is none, or where the whole is far likelier in its place. A letter that
stands for a player elsewhere in the text ("B leads") goes only to a rest that is no word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from variorum.language.running import fold
from variorum.model import Correction, CorrectionKind
from variorum.repair.draft import Draft, Proposal

_PARTED = re.compile(
    r"(?:\A|\n|(?:(?<![ .(][A-Z])\.|[;:!?])['\"’”)]?[ \n])['\"‘“(]?"
    r"(?P<letter>[A-Z])(?P<gap>[ \t]|\n{1,2})(?P<rest>[^\W\d_]+)(?=[ \n,;]+['\"‘“(]?(?P<next>[^\W\d_]+))"
)
_ALONE = re.compile(r"(?<![^\W_])([A-Z])(?![^\W_])")
_WORDS = frozenset("AIO")  # letters that are words
_COMMON = 100  # a rest, or a whole, seen as often as this in the language is a word that a sentence begins with
_AHEAD = 7.0  # ln of how much likelier the whole must be than letter and rest, the space's own price paid
_RARE = -12.0  # ln P of a capital that stands for a player or an initial
_CERT, _WEIGHED = 0.95, 0.85


def initials(draft: Draft) -> Proposal:
    """Parted first letters joined to their words."""
    return Proposal(tuple(_joined(draft)))


def _joined(draft: Draft) -> Iterator[Correction]:
    matches = list(_PARTED.finditer(draft.text))
    parted = {m.start("letter") for m in matches}
    alone = {m.group(1) for m in _ALONE.finditer(draft.text) if m.start() not in parted} if matches else set()
    for match in matches:
        letter, rest = match["letter"], match["rest"]
        cert = _certainty(draft, letter, rest, match["next"], letter in alone)
        if cert and _shaped(rest, match["next"]):
            start, end = match.start("gap"), match.end("gap")
            yield Correction(
                start,
                end,
                match["gap"],
                "",
                CorrectionKind.SPACING,
                "initials",
                cert,
                f"{letter + rest} is a word, and its first letter stands off",
            )


def _shaped(rest: str, following: str) -> bool:
    """In lower case, or a first word in capitals before one that is not a single capital: no initials of a name."""
    return rest.islower() or (rest.isupper() and (len(following) > 1 or following.islower()))


def _certainty(draft: Draft, letter: str, rest: str, following: str, elsewhere: bool) -> float:
    """How sure it is that letter and rest are one word; 0 where they may be two."""
    language = draft.language
    whole = fold(letter + rest)
    if language.count(whole) < _COMMON or (len(rest) == 1 and rest.isupper() and following[0].isupper()):
        return 0.0
    single = len(rest) == 1 and fold(rest) not in ("a", "i", "o")
    if single or language.count(rest) < _COMMON:
        return _CERT
    if letter in _WORDS or elsewhere:
        return 0.0
    joined = language.logp(whole) + language.logp(fold(following), whole)
    apart = _RARE + language.logp(fold(rest), fold(letter)) + language.logp(fold(following), fold(rest), fold(letter))
    return _WEIGHED if joined - apart > _AHEAD else 0.0
