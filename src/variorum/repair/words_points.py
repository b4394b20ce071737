"""Small faults beside the words: a capital I for a small one, a stop read as a hyphen, specks beside and between words.

"to go on- 5. If"        -> "to go on. 5. If"
"a revoke Is claimed"    -> "a revoke is claimed"
"[see Law 4j, and"       -> "[see Law 4], and"
"a card is,, or ^ the"   -> "a card is, or the"
"the first 'of the deal" -> "the first of the deal"
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from variorum.language.running import STOP
from variorum.model import Correction, CorrectionKind
from variorum.repair.words_units import Unit

if TYPE_CHECKING:
    from variorum.language.model import Language

# Words in i that hold a sentence together: no printer's capital, mid-sentence, between small words.
_SMALL = {"If": "if", "Is": "is", "In": "in", "It": "it", "Its": "its", "Into": "into"}
_HYPHEN = re.compile(r"(?<=[a-z])-(?= \d{1,3}\. [A-Z])")
_DOUBLED = re.compile(r"(?<![.,])([.,])\1(?=\s|\Z)")
_ALONE = re.compile(r"(?<=[a-z,.]) [*•■~^|_<>°](?= [A-Za-z])")
_QUOTE = re.compile(r"(?<=[a-z] )['‘](?=([a-z]{2,}) )")
_LONE = re.compile(r"(?<![^\W\d_])['‘’]|['‘’](?![^\W\d_])")
_VERSE = frozenset(str.split("And But By For From Nor Of On Or So That The Then To When Where Which With"))
_BRACKET = re.compile(r"(?<=\d)j(?=[ ,.;:])")
LOST_STOP = 3.0  # ln of the odds against a lost stop, twenty to one, from which the capital must be the fault
BRACKET_REACH = 60  # characters in which a bracket should close
CAPITAL_CERT, HYPHEN_CERT, BRACKET_CERT = 0.85, 0.85, 0.8
CAPITAL_CERT_CLEAN = 0.35  # where nothing else is misread: "the word It"
COMMON = 100
VERSE = 0.03  # share of small words with a capital amid a sentence from which the lines of verse are run together
SPECK_CERT, SPECK_CERT_CLEAN = 0.85, 0.35
QUOTE_REACH = 250  # characters in which a mark of quotation should have its fellow


def point_corrections(text: str, around: Sequence[Unit], language: Language, misread: bool) -> Iterator[Correction]:
    """The corrections of this file's faults, not in order; `misread` where the text shows other faults of OCR."""
    plain = misread and not _verse(around)
    yield from _small_words(text, around, language, CAPITAL_CERT if plain else CAPITAL_CERT_CLEAN)
    yield from _specks(text, language, SPECK_CERT if misread else SPECK_CERT_CLEAN)
    for match in _HYPHEN.finditer(text):
        yield _note(match, ".", "stop read as hyphen", HYPHEN_CERT, "a number with its stop and a capital follow")
    for match in _BRACKET.finditer(text):
        before = text[max(0, match.start() - BRACKET_REACH) : match.start()]
        if before.rfind("[") > before.rfind("]"):
            yield _note(match, "]", "bracket read as letter", BRACKET_CERT, "a bracket stands open before it")


def _verse(around: Sequence[Unit]) -> bool:
    """True where small words have capitals amid sentences, as where lines of verse are run together."""
    inside = [u.core for u in around if not u.stop and not u.lead and u.gap == " "]
    capitals = sum(core in _VERSE for core in inside)
    return capitals > VERSE * (capitals + sum(core.capitalize() in _VERSE for core in inside if core.islower()))


def _specks(text: str, language: Language, cert: float) -> Iterator[Correction]:
    """A point set twice, a mark that stands alone, a mark of quotation without its fellow before a small word."""
    for match in _DOUBLED.finditer(text):
        yield _note(match, match[1], "point doubled", cert, "no print sets this point twice")
    for match in _ALONE.finditer(text):
        yield _note(match, "", "stray mark", cert, "a mark between words that is none")
    for match in _QUOTE.finditer(text):
        ahead = text[match.end() : match.end() + QUOTE_REACH]
        behind = text[max(0, match.start() - QUOTE_REACH) : match.start()]
        if language.count(match[1]) >= COMMON and not _LONE.search(ahead) and not _LONE.search(behind):
            yield _note(match, "", "stray mark", cert, "a mark of quotation that is never closed")


def _note(match: re.Match[str], reads: str, rule: str, cert: float, evidence: str) -> Correction:
    return Correction(match.start(), match.end(), match.group(), reads, CorrectionKind.MISREADING, rule, cert, evidence)


def _opens(text: str, pair: Sequence[Unit]) -> bool:
    """True where the second unit opens a sentence: it may be a misread number, and the capital behind it right."""
    if len(pair) < 2:
        return True
    between = text[pair[0].end : pair[1].start]
    return "\n\n" in between or not {".", "!", "?"}.isdisjoint(between)


def _goes_on(language: Language, earlier: str, before: str, core: str) -> float:
    """How much likelier it is, as a logarithm, that the sentence goes on than that a stop was lost here."""
    on = language.logp(core, before, earlier)
    return on - language.logp(STOP, before, earlier) - language.logp(core, STOP, before)


def _small_words(text: str, around: Sequence[Unit], language: Language, cert: float) -> Iterator[Correction]:
    for k, (before, unit, after) in enumerate(zip(around, around[1:], around[2:], strict=False)):
        if unit.core not in _SMALL or unit.stop or unit.lead or unit.trail or _opens(text, around[k - 1 : k + 1]):
            continue
        if not (_small(before, language) and _small(after, language)):
            continue
        # After a comma or on a new line it may be speech or verse.
        if before.trail or unit.gap != " " or after.gap not in (" ", "\n"):
            continue
        if _goes_on(language, around[k - 1].core, before.core, unit.core) > LOST_STOP:
            yield Correction(
                unit.start,
                unit.end,
                unit.core,
                _SMALL[unit.core],
                CorrectionKind.MISREADING,
                "capital amid a sentence",
                cert,
                f"'{before.core}' and '{after.core}' stand round it and no stop",
            )


def _small(unit: Unit, language: Language) -> bool:
    core = unit.core
    plain = core.islower() and core.isalpha() and not unit.lead
    return plain and (len(core) > 1 or core == "a") and language.known(core)
