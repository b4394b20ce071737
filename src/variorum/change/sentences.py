"""A change in one plain sentence."""

from __future__ import annotations

from variorum.model import ChangeKind

SHOWN = 40  # words of a reading that a sentence quotes

_DIFFERS = {
    ChangeKind.QUANTITY: "The figure differs",
    ChangeKind.MODALITY: "What may or must be done differs",
    ChangeKind.AGENT: "Who it is differs",
    ChangeKind.PENALTY: "The consequence differs",
    ChangeKind.CONDITION: "The condition differs",
    ChangeKind.SCOPE: "What the law covers differs",
    ChangeKind.PROCEDURE: "The manner differs",
    ChangeKind.DEFINITION: "The meaning differs",
    ChangeKind.TERM: "Only the name differs",
}
_LACKS = {
    ChangeKind.QUANTITY: "{has} gives a figure that {lacks} does not give",
    ChangeKind.MODALITY: "{has} lays down what {lacks} leaves open",
    ChangeKind.AGENT: "{has} says who it is, and {lacks} does not",
    ChangeKind.PENALTY: "{has} names a consequence that {lacks} does not name",
    ChangeKind.CONDITION: "{has} makes a condition that {lacks} does not make",
    ChangeKind.SCOPE: "{has} covers what {lacks} does not cover",
    ChangeKind.PROCEDURE: "{has} says how it is done, and {lacks} does not",
    ChangeKind.DEFINITION: "{has} says what is meant, and {lacks} does not",
    ChangeKind.TERM: "{has} has a name that {lacks} lacks",
}


def sentence(a: str, b: str, kind: ChangeKind, first: str, second: str) -> str:
    """In what editions `a` and `b` differ, with the words that show it ("" where one lacks them)."""
    if first and second:
        return f"{_DIFFERS[kind]}: {a} has “{_brief(first)}”, {b} has “{_brief(second)}”."
    has, lacks, words = (a, b, first) if first else (b, a, second)
    return f"{_LACKS[kind].format(has=has, lacks=lacks)}: “{_brief(words)}”."


def whole_law(has: str, lacks: str, words: str) -> str:
    """That a law as a whole is in one edition only; `words` are its first."""
    return f"{has} has a law that {lacks} has nowhere: “{words} …”."


def _brief(words: str) -> str:
    said = words.split()
    return words if len(said) <= SHOWN else f"{' '.join(said[:SHOWN])} …"
