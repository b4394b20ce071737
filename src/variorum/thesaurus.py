"""What the old codes of games call by several names: concepts, read from plain text a scholar can add to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from variorum.errors import VariorumError
from variorum.tokens import figure, normal

_IRREGULAR = {
    "dealt": "deal", "seen": "see", "saw": "see", "made": "make", "lost": "lose", "took": "take", "taken": "take",
    "shown": "show", "shewn": "show", "shew": "show", "shews": "show", "shewed": "show", "drawn": "draw",
    "drew": "draw", "found": "find", "began": "begin", "begun": "begin", "won": "win", "laid": "lay", "held": "hold",
    "left": "leave",
    "thrown": "throw", "fallen": "fall", "fell": "fall", "known": "know", "parties": "party", "paid": "pay",
    "stood": "stand", "has": "have", "had": "have", "is": "be", "are": "be", "was": "be", "were": "be", "been": "be",
    "being": "be", "worn": "wear", "wore": "wear", "driven": "drive", "drove": "drive", "struck": "strike",
    "broken": "break", "broke": "break", "chosen": "choose", "chose": "choose", "given": "give", "gave": "give",
    "gone": "go", "went": "go", "ran": "run", "spoken": "speak", "spoke": "speak", "written": "write",
    "caught": "catch",
    "brought": "bring", "told": "tell", "sent": "send", "kept": "keep", "met": "meet", "led": "lead", "lain": "lie",
    "lying": "lie", "bound": "bind", "hung": "hang", "sought": "seek", "swung": "swing", "spun": "spin",
    "beaten": "beat",
    "feet": "foot", "men": "man", "hidden": "hide", "understood": "understand", "meant": "mean",
}  # fmt: skip
_ENDINGS = ("ing", "ed", "eth", "es", "s", "e")
# Words, and stems of words, that name nothing: two laws may share them all and have nothing in common.
SMALL = frozenset(
    str.split(
        "a an the and or nor but of to in on at by for from with as if it its is be been are was were he she they his "
        "her their him them that this these those which who whom so then than there when where has have had do does "
        "did into upon hav other own such before after until till unless during except provided should may must shall "
        "will would not no out up"
    )
)
LONGEST = 6  # words in a phrase of the thesaurus
# Stems of words that turn a phrase and say nothing by themselves, so that one wording may have them and another not.
_TURNS = (
    "said such any same also even just thereof therein thereto therefor thereupon aforesaid hereby however same case "
    "cases following follows respective respectively always never-the-less nevertheless only purpose instance manner "
    "way kind sort every each all some something anything thing put get got give given gives make made makes take "
    "takes take constitute constitutes happen happens occur occurs become becomes remain remains remaining let lets "
    "belong belongs use used come comes go goes keep keeps one ones themselves himself itself what whatever whichever "
    "between among immediately instantly forthwith now yet still time at may be able unable necessary usual "
    "usually otherwise since because while whilst next another else done doing fail fails again very most more less "
    "number both about against over under back down off away there here how once too well shall person apart "
    "either nothing afterwards could would might thereby whereby herein hereafter"
)


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A rough stem, so that the forms of a word compare equal: "dealing", "deals" and "dealt" -> "deal"."""
    word = normal(word).removesuffix("'s").rstrip("'")
    word = _IRREGULAR.get(word, word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] in "bdgmnprt":
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") and len(word) > 3 else word


FILLING = frozenset(stem(w) for w in _TURNS.split())


@dataclass(frozen=True, slots=True)
class Mention:
    """A concept named at words [start, end) of a text."""

    concept: str
    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Thesaurus:
    """Concepts by their stemmed phrases: phrase -> (concept, kind)."""

    phrases: dict[tuple[str, ...], tuple[str, str]]

    def mentions(self, words: Sequence[str]) -> list[Mention]:
        """The concepts named in a list of words (marks left out), longest phrase first, none overlapping."""
        stems = [stem(w) for w in words]
        found, at = [], 0
        while at < len(stems):
            for length in range(min(LONGEST, len(stems) - at), 0, -1):
                if known := self.phrases.get(tuple(stems[at : at + length])):
                    found.append(Mention(*known, at, at + length))
                    at += length
                    break
            else:
                at += 1
        return found

    def folded(self, words: Sequence[str]) -> list[str]:
        """The words, each phrase that names a concept replaced by it, numbers by figures, the rest by stems."""
        folded, at = [], 0
        for mention in self.mentions(words):
            folded += [figure(w) or stem(w) for w in words[at : mention.start]]
            folded.append(mention.concept)
            at = mention.end
        return folded + [figure(w) or stem(w) for w in words[at:]]


@cache
def thesaurus() -> Thesaurus:
    """The thesaurus that comes with the program."""
    return parse(files("variorum").joinpath("thesaurus.txt").read_text("utf-8").splitlines(), "thesaurus.txt")


def parse(lines: Iterable[str], where: str) -> Thesaurus:
    """Read a thesaurus; raises VariorumError with the line where a line is no concept or a phrase stands twice."""
    phrases: dict[tuple[str, ...], tuple[str, str]] = {}
    kind = ""
    for n, line in enumerate(lines, start=1):
        line = line.split("#")[0].strip()
        if heading := re.fullmatch(r"\[(\w+)\]", line):
            kind = heading[1]
        elif line:
            concept, colon, names = line.partition(":")
            if not colon or not kind:
                raise VariorumError(f"{where}, line {n}", f"{line!r} is no concept", 'write "name: phrase | phrase"')
            for name in names.split("|"):
                key = tuple(stem(word) for word in name.split())
                if phrases.get(key, (concept, kind)) != (concept, kind):
                    raise VariorumError(f"{where}, line {n}", f"{name.strip()!r} stands under {phrases[key][0]!r} too")
                phrases[key] = (concept, kind)
    return Thesaurus(phrases)
