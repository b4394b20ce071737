"""Characters that no printer set: text decoded wrongly once before, control and invisible characters.

    vice versÃ¢     ->  vice versâ
    the part·ner    ->  the partner      (· standing for a zero-width space)
    The<NUL> deal   ->  The deal

Mojibake is undone only where the characters are UTF-8 read as cp1252 beyond doubt: they must give back whole UTF-8
sequences, and those must be signs that stand in books in the Latin script.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from variorum.model import Correction, CorrectionKind, Finding
from variorum.repair.draft import Draft, Proposal

_FOREIGN = re.compile(r"[^\x00-\x7f]{2,}")
_BOOKISH = frozenset("ŒœŠšŸŽžſƒ‐‑‒–—―‘’‚“”„†‡•…‰′″‹›€™ﬀﬁﬂﬃﬄﬅﬆ¼½¾⅓⅔") | {chr(c) for c in range(0xA0, 0x100)}
_LEAD_LENGTH = {**dict.fromkeys(range(0xC2, 0xE0), 2), **dict.fromkeys(range(0xE0, 0xF0), 3)}
_ROUNDS = 3  # text can have been decoded wrongly more than once

_STRANGE = re.compile(
    r"\x1b\[[0-9;]{0,16}[A-Za-z]"  # a terminal's colour code
    r"|\r\n?|[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]"
    r"|[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
    r"|\u00ad(?![ \t]*[\n\f])"
)
_LOST_POUND = re.compile("\ufffd(?=\\d)")
_JOINERS = "\u200c\u200d\u200e\u200f"  # part of the spelling in other scripts than Latin


def encoding(draft: Draft) -> Proposal:
    """Mojibake, control characters, zero-width characters and soft hyphens within a line."""
    text = draft.text
    corrections = [*_mojibake(text), *_strange(text), *_pounds(text)]
    corrections.sort(key=lambda c: c.start)
    return Proposal(tuple(corrections), tuple(_findings(corrections)))


def _mojibake(text: str) -> Iterator[Correction]:
    for match in _FOREIGN.finditer(text):
        units = [(1, c) for c in match.group()]
        for _ in range(_ROUNDS):
            units = _undone(units)
        start = match.start()
        for size, sign in units:
            if size > 1:
                found = text[start : start + size]
                yield _correction(start, found, sign, "mojibake", 0.98, "UTF-8 that was read as cp1252")
            start += size


def _undone(units: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Characters, each with the number of characters of the page it stands for, with one wrong decoding undone."""
    done, at = [], 0
    while at < len(units):
        length = _LEAD_LENGTH.get(_byte(units[at][1]), 1)
        sign = _sign("".join(c for _, c in units[at : at + length])) if length > 1 else ""
        if sign:
            done.append((sum(size for size, _ in units[at : at + length]), sign))
        else:
            done.append(units[at])
        at += length if sign else 1
    return done


def _sign(mangled: str) -> str:
    """The sign whose UTF-8 bytes cp1252 shows as these characters; "" where it is none that stands in books."""
    try:
        sign = bytes(_byte(c) for c in mangled).decode("utf-8")
    except ValueError:
        return ""
    return sign if sign in _BOOKISH else ""


def _byte(c: str) -> int:
    """The byte that cp1252 shows as this character; the five that it lacks stand for themselves; else -1."""
    try:
        return c.encode("cp1252")[0]
    except UnicodeEncodeError:
        return ord(c) if ord(c) < 0xA0 else -1


def _strange(text: str) -> Iterator[Correction]:
    for match in _STRANGE.finditer(text):
        found, start, end = match.group(), match.start(), match.end()
        before, after = text[start - 1 : start], text[end : end + 1]
        if found in _JOINERS and (_other_script(before) or _other_script(after)):
            continue
        if found[0] in "\r\x85":
            yield _correction(start, found, "\n", "line-end", 1.0, "a line end of another system")
        elif found == "\x0b" or "\x1c" <= found <= "\x1f":
            reads = " " if before.isalnum() and after.isalnum() else ""
            yield _correction(start, found, reads, "control", 0.9, f"control character {_name(found)}, a kind of space")
        elif found[0] == "\x1b" or found > "\xa0":
            kind = "soft hyphen" if found == "\u00ad" else "invisible character"
            rule = "control" if found[0] == "\x1b" else "invisible"
            yield _correction(start, found, "", rule, 0.98, f"{kind} {_name(found)}")
        else:
            reads = "\ufffd" if before.isalpha() and after.isalpha() else ""
            yield _correction(start, found, reads, "control", 0.8, f"control character {_name(found)}")


def _pounds(text: str) -> Iterator[Correction]:
    """The sign of the pound where only the mark of a lost character stands before a sum."""
    for match in _LOST_POUND.finditer(text):
        yield _correction(match.start(), "\ufffd", "£", "pound", 0.9, "a lost character before a sum of money")


def _other_script(c: str) -> bool:
    return c > "\u0370" and c.isalpha()


def _name(found: str) -> str:
    return f"U+{ord(found[0]):04X}"


def _correction(start: int, found: str, reads: str, rule: str, cert: float, evidence: str) -> Correction:
    return Correction(
        start, start + len(found), found, reads, CorrectionKind.ENCODING, f"encoding.{rule}", cert, evidence
    )


def _findings(corrections: list[Correction]) -> Iterator[Finding]:
    """One finding a kind of fault, at its first place."""
    plain = {"mojibake": "signs decoded wrongly", "control": "control characters", "invisible": "invisible characters"}
    for rule, what in plain.items():
        places = [c for c in corrections if c.rule == f"encoding.{rule}"]
        if places:
            first = places[0]
            yield Finding(f"encoding-{rule}", f"{what}: {len(places)}", first.start, first.end)
