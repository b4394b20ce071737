"""Whether a proposed reading may stand: harm before help.

The gate is a sum of small decision trees (gradient boosting after Friedman, 2001), grown by `benchmarks/train_gate.py`
on the proposals that the decoder makes for aligned pages (ght_*_dev) and for clean books that the language model had
not seen. Of the proposals that it calls 0.9 certain nine in ten should be right; `benchmarks/train_gate.py` prints
the curve.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from functools import cache
from math import exp
from pathlib import Path

DATA = Path(__file__).parent / "data" / "words_gate.npz"


@dataclass(frozen=True, slots=True)
class Proposal:
    """What speaks for and against a reading, as the gate weighs it. Logarithms are natural."""

    gain: float  # language model: reading against what stands
    cost: float  # channel cost of the reading
    odd: float  # what it costs to take the unit as it stands for a word; 0 for a known word
    lead: float  # how far the reading is ahead of the next best
    known: float  # 1 where what stands is a word
    old_count: float  # ln(1 + count) of what stands
    new_count: float
    old_here: float  # ln(1 + count) of what stands in this text, beside this place
    new_here: float
    length: float
    capital: float  # 1 where it begins with a capital amid a sentence
    upper: float  # 1 where all of it is in capitals
    name: float  # share of capitals of the reading in the language
    stopped: float  # 1 where a full stop follows
    spelled: float  # ln P of the letters that stand, per letter
    mark: float  # 1 where a mark or digit stands in it
    around: float  # share of unknown words among the neighbours
    noise: float  # ln of the text's share of unknown words
    join: float
    split: float
    drop: float
    point: float
    dirt: float  # ln of the share of words with a mark or digit in them
    bits: float  # ln of the share of words of a letter or two that are none
    seen_old: float  # how many of the two pairs with its neighbours the language has seen: as the page stands
    seen_new: float  # the same as read
    part: float  # length of the shortest part of a split or join, 0 for others
    edits: float  # letters by which the reading differs
    head: float  # 1 where it begins with the same letter
    tail: float  # 1 where it ends with the same
    longer: float  # letters by which it is longer
    again: float = 0.0  # ln(1 + how often the same reading of the same is proposed nearby)
    habit: float = 0.0  # ln(1 + how often the same letters are misread in words that are none, nearby)

    @property
    def margin(self) -> float:
        """By how much the reading beats what stands, under both models."""
        return self.gain - self.cost + self.odd

    @property
    def features(self) -> tuple[float, ...]:
        """The numbers that the trees ask for, in their order."""
        return (*astuple(self), self.margin)


class Trees:
    """Decision trees laid end to end: a node asks whether a feature is at most a threshold; a leaf's feature is -1."""

    def __init__(self, path: Path) -> None:
        import numpy as np

        with np.load(path) as data:
            self._roots: list[int] = data["root"].tolist()
            self._feature: list[int] = data["feature"].tolist()
            self._threshold: list[float] = data["threshold"].tolist()
            self._yes: list[int] = data["yes"].tolist()
            self._no: list[int] = data["no"].tolist()
            self._value: list[float] = data["value"].tolist()
            self._base = float(data["base"])

    def odds(self, features: tuple[float, ...]) -> float:
        """The logarithm of the odds that a proposal with these features is right."""
        total = self._base
        feature, threshold, yes, no = self._feature, self._threshold, self._yes, self._no
        for node in self._roots:
            while feature[node] >= 0:
                node = yes[node] if features[feature[node]] <= threshold[node] else no[node]
            total += self._value[node]
        return total


@cache
def _trees() -> Trees:
    return Trees(DATA)


def certainty(p: Proposal) -> float:
    """How certain the proposal is, 0 to 1."""
    return 1.0 / (1.0 + exp(-_trees().odds(p.features)))
