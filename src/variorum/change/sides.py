"""One law in one edition, as words: what is named in them, its sentences, its conditions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from variorum.model import ChangeKind, Token
from variorum.thesaurus import FILLING, SMALL, Mention, stem, thesaurus
from variorum.tokens import figure, is_word

# A sentence with one of these argues or gives an example; it binds nobody.
ARGUMENT = frozenset(stem(w) for w in str.split("contend argue perhaps opine unfair unjust advisable"))
ARGUED = frozenset({("for", "instance"), ("for", "example"), ("this", "reason"), ("the", "reason"), ("his", "opinion")})
# Words that open a circumstance under which a law bites. "If" and "when" open nearly every law; the others limit it.
OPENERS = frozenset(str.split("if when where should while whilst whenever"))
LIMITS = frozenset(
    str.split("before after until till unless during except excepting provided providing without only save within")
)
ENDS = frozenset(str.split("end beginning commencement close conclusion"))  # "at the end of every game"
PHRASE = 20  # words of a condition that are looked at
ACTS = 3  # words that the shortest condition has: "if he revokes the adversary may"
NEGATIVE = frozenset(str.split("no none nobody neither nor never nothing"))
NEAR = 7  # words before a modal in which its negative stands: "no player under any circumstances may"
REFERENCES = frozenset(stem(w) for w in str.split("rule law article section sec clause paragraph"))
# "Before mentioned" and "as defined in rule 6" are no words of the rule itself.
MENTIONED = frozenset(
    stem(w)
    for w in str.split(
        "mentioned described stated named said specified provided defined prescribed referred designated"
    )
)
SHORTENED = frozenset(str.split("mr mrs dr esq viz etc nos art lbs oz ft yds"))
LISTED = 12  # words of a list of law numbers that are looked over for the word "rules" at its end

Span = tuple[int, int]  # words [start, end) of one side


@dataclass(frozen=True, slots=True)
class Found:
    """A change of rule: its kind, the words that show it on either side, and how certain it is."""

    kind: ChangeKind
    first: Span
    second: Span
    cert: float


class Side:
    """One witness's law as words, with what is named in them. Labels of sections are left out."""

    def __init__(self, siglum: str, tokens: Sequence[Token]) -> None:
        self.siglum = siglum
        self.tokens = tokens
        labels = _labels(tokens)
        self.at = [k for k, t in enumerate(tokens) if is_word(t) and k not in labels]
        self.words = [tokens[k].normal for k in self.at]
        self.stems = [stem(w) for w in self.words]

    def text(self, start: int, end: int) -> str:
        """Words [start, end) as printed, with the marks between them."""
        end = min(end, len(self.at))
        if start >= end:
            return ""
        inner = self.tokens[self.at[start] : self.at[end - 1] + 1]
        return " ".join("".join(t.surface + t.space for t in inner).split())

    @cached_property
    def mentions(self) -> list[Mention]:
        """Concepts named outside of argument."""
        return [m for m in thesaurus().mentions(self.words) if not self.argued(m.start)]

    def of_kind(self, kind: str, start: int = 0, end: int | None = None) -> list[Mention]:
        """Concepts of a kind that are named within words [start, end)."""
        stop = len(self.words) if end is None else end
        return [m for m in self.mentions if m.kind == kind and start <= m.start and m.end <= stop]

    @cached_property
    def keys(self) -> list[str]:
        """What each word is compared by: its concept, figure or stem; "" for one that names nothing by itself."""
        keys = [figure(w) or s for w, s in zip(self.words, self.stems, strict=True)]
        mentions = thesaurus().mentions(self.words)
        for k, word in enumerate(self.words):
            if (word in SMALL and not keys[k].isdigit()) or self.stems[k] in FILLING or self.refers(k):
                keys[k] = ""
        for m in mentions:
            named = m.kind != "modal" and m.concept not in ("before", "after")
            keys[m.start : m.end] = [m.concept if named else "", *[""] * (m.end - m.start - 1)]
        for k in range(len(keys) - 1):
            if tens_and_ones(keys[k], keys[k + 1]) and not self.marked(k + 1):
                keys[k : k + 2] = [str(int(keys[k]) + int(keys[k + 1])), ""]
        return keys

    @cached_property
    def folded(self) -> frozenset[str]:
        """Every word and every concept of the law, for asking whether it says a thing at all."""
        return frozenset(thesaurus().folded(self.words)) | frozenset(self.stems)

    @cached_property
    def sentence(self) -> list[int]:
        """The number of the sentence of each word."""
        places, numbers, n = frozenset(self.at), [], 0
        for k in range(len(self.tokens)):
            if k in places:
                numbers.append(n)
            elif _stops(self.tokens, k) and numbers and numbers[-1] == n:
                n += 1
        return numbers

    def sentence_end(self, word: int) -> int:
        """The word after the last of the sentence of `word`."""
        end = word
        while end < len(self.words) and self.sentence[end] == self.sentence[word]:
            end += 1
        return end

    def marked(self, word: int) -> bool:
        """True where a mark, or the margin, stands before the word."""
        return word == 0 or self.at[word] != self.at[word - 1] + 1

    @cached_property
    def conditional(self) -> frozenset[int]:
        """Words that stand in a condition: from the word that opens it to the next mark, or to who then may or must."""
        acting = {m.end for m in self.mentions if m.kind == "agent"}
        does = {m.start for m in self.mentions if m.kind in ("modal", "penalty")}
        found: set[int] = set()
        for k in range(len(self.words)):
            if self.opens(k):
                end = k + 1
                while end < min(len(self.words), k + PHRASE) and not self.marked(end):
                    if end > k + ACTS and end in acting & does:
                        break
                    end += 1
                found |= {*range(k, end)}
        return frozenset(found)

    def opens(self, word: int) -> bool:
        """True for a word that opens a circumstance; "should" does so at the head of a clause only."""
        at_head = self.marked(word) or self.words[word - 1] in ("and", "or", "but")
        if self.words[word : word + 2] == ["at", "the"] and {*self.words[word + 2 : word + 3]} & ENDS:
            return True
        return self.words[word] in LIMITS or (self.words[word] in OPENERS and (at_head or self.words[word] != "should"))

    def modal(self, mention: Mention) -> str:
        """What a modal word says with the negative before it: "no player may" forbids."""
        if self.words[mention.start : mention.end] == ["shall"] and self.words[mention.end : mention.end + 1] == [
            "have"
        ]:
            return ""  # "until he shall have played" commands nothing
        start = mention.start
        while start > max(0, mention.start - NEAR) and self.sentence[start - 1] == self.sentence[mention.start]:
            start -= 1
            if self.marked(start + 1) or self.words[start] in OPENERS:
                break
            if self.words[start] in NEGATIVE:
                return "must not"
        return mention.concept

    @cached_property
    def _arguments(self) -> frozenset[int]:
        found = {n for n, s in zip(self.sentence, self.stems, strict=True) if s in ARGUMENT}
        return frozenset(found | {self.sentence[k] for k, two in enumerate(pairwise(self.words)) if two in ARGUED})

    def argued(self, word: int) -> bool:
        """True for a word in a sentence that argues or gives an example."""
        return self.sentence[word] in self._arguments

    def _named_law(self, word: int) -> bool:
        """True for "rule 6" and "these rules", false for "a question of law"."""
        near = self.words[max(0, word - 2) : word + 2]
        return any(figure(w) for w in near) or not {*near}.isdisjoint(("this", "these", "said", "the"))

    def refers(self, word: int) -> bool:
        """True for a word that only names a law: "rule 6", "rules 6, 7 and 8", "the 6th and 7th rules"."""
        if self.stems[word] in MENTIONED or (self.stems[word] in REFERENCES and self._named_law(word)):
            return True
        if not figure(self.words[word]):
            return False
        for step in (-1, 1):
            for far in range(1, LISTED):
                k = word + step * far
                if not 0 <= k < len(self.words):
                    break
                if self.stems[k] in REFERENCES:
                    return True
                if not figure(self.words[k]) and self.words[k] not in ("and", "or", "to"):
                    break
        return False


def tens_and_ones(tens: str, ones: str) -> bool:
    """True for the figures of one number in two words: "twenty four"."""
    both = tens.isdigit() and ones.isdigit()
    return both and 0 < int(ones) < 10 < int(tens) < 100 and int(tens) % 10 == 0


def _stops(tokens: Sequence[Token], k: int) -> bool:
    """True for a mark that ends a sentence, and for a label that opens the next; "five cards: provided" goes on."""
    if tokens[k].normal == "." and k and tokens[k - 1].normal in SHORTENED:
        return False
    return tokens[k].normal in (".", ";", "?", "!") or tokens[k].normal in _LABELS


_LABELS = frozenset(("sec", "section", "§"))


def _labels(tokens: Sequence[Token]) -> frozenset[int]:
    """Places of the words of "SEC. 2." and "Section 2." where they open a sentence."""
    found: set[int] = set()
    for k, token in enumerate(tokens):
        if token.normal not in _LABELS or (token.surface[:1].islower()):
            continue
        n = k + 1 + (k + 1 < len(tokens) and tokens[k + 1].normal == ".")
        opens = k == 0 or not is_word(tokens[k - 1]) or tokens[k - 1].normal in ("is", "be", "are", "contain")
        if opens and n + 1 < len(tokens) and figure(tokens[n].normal.upper()) and tokens[n + 1].normal == ".":
            found |= {k, n}
    return frozenset(found)
