"""The files of rulings: plain lines, every mistake told with its line.

    # a remark
    accept  be given |^ny| card
    reject  and _vice |versa_|
    read    the |deais| are => deals
        by    Ada Example
        note  so in all other editions
    emend everywhere |lhe| => the

A line begins with the verdict; what it is about stands between bars, with the words round it. What is indented belongs
to the ruling above it. A backslash takes the sign after it for itself: \\| is a bar of the page.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from variorum.rulings.links import LawName, LinkRuling
from variorum.rulings.ruling import Ruling, Verdict

Mistakes = tuple[tuple[int, str], ...]
"""Line and complaint of each mistake of a file, in order."""

SIGNS = re.compile(r"\\(.)|(\||=>)|(\\$)", re.DOTALL)
_SIGLUM = r"[A-Za-z][A-Za-z0-9-]*"
_LAW = re.compile(rf"\s*(?:(?P<siglum>{_SIGLUM})\s+)?(?P<law>[A-Za-z0-9.-]+)\s*(?:\"(?P<opens>[^\"]*)\")?\s*")
_EVERYWHERE = re.compile(r"\s*everywhere(?=[\s|])")
_LINKS = ("link", "never")
FORM = "write it as: read words before |the words| words after => reading"
LINK_FORM = 'write it as: link A 6 "If the dealer" = B 7 "Should the", 9 "When a"'


@dataclass(frozen=True, slots=True)
class _Block:
    """A ruling as it stands: its first word, the rest of its line, and what is indented under it."""

    line: int
    head: str
    body: str
    by: str
    note: str


class _WrongError(Exception):
    """A mistake in one ruling; `args` are its words."""


def read_places(text: str, editor: str = "") -> tuple[tuple[Ruling, ...], Mistakes]:
    """The rulings on a witness's words, and the mistakes of the file. `editor` is who ruled where a ruling is unsigned.

    Two rulings that quote the same words in the same context and do not say the same are a mistake too.
    """
    mistakes: list[tuple[int, str]] = []
    rulings: list[Ruling] = []
    for block in _blocks(text, mistakes):
        try:
            rulings.append(_place(block, editor))
        except _WrongError as wrong:
            mistakes.append((block.line, str(wrong)))
    mistakes += _at_odds(rulings)
    return tuple(rulings), tuple(sorted(mistakes))


def read_links(text: str, editor: str = "") -> tuple[tuple[LinkRuling, ...], Mistakes]:
    """The rulings on links, and the mistakes of the file. `editor` is who ruled where a ruling is unsigned."""
    mistakes: list[tuple[int, str]] = []
    rulings: list[LinkRuling] = []
    for block in _blocks(text, mistakes):
        try:
            rulings.append(_link(block, editor))
        except _WrongError as wrong:
            mistakes.append((block.line, str(wrong)))
    mistakes += _links_at_odds(rulings)
    return tuple(rulings), tuple(sorted(mistakes))


# -------------------------------------------------------------------------------------------------------------- lines


def _blocks(text: str, mistakes: list[tuple[int, str]]) -> Iterator[_Block]:
    lines = unicodedata.normalize("NFC", text.removeprefix("\ufeff")).splitlines()
    open_block: _Block | None = None
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        word, _, rest = line.strip().partition(" ")
        if not line[0].isspace():
            if open_block:
                yield open_block
            open_block = _Block(number, word, rest, "", "")
        elif open_block is None:
            mistakes.append((number, "is indented, and no ruling stands above it"))
        elif word == "by" and not open_block.by:
            open_block = _Block(open_block.line, open_block.head, open_block.body, rest.strip(), open_block.note)
        elif word == "note":
            note = " ".join(filter(None, (open_block.note, rest.strip())))
            open_block = _Block(open_block.line, open_block.head, open_block.body, open_block.by, note)
        else:
            mistakes.append((number, _unknown(word, ("by", "note"), "under a ruling stands")))
    if open_block:
        yield open_block


def _unknown(word: str, known: Sequence[str], what: str) -> str:
    near = difflib.get_close_matches(word, known, 1, 0.5)
    if word in known:
        return f"{word!r} stands there twice"
    return f"{word!r} is not understood" + (f"; did you mean {near[0]!r}?" if near else f"; {what} {', '.join(known)}")


# ----------------------------------------------------------------------------------------------------------- on words


def _place(block: _Block, editor: str) -> Ruling:
    known = [verdict.value for verdict in Verdict]
    if block.head not in known:
        raise _WrongError(_unknown(block.head, known, "a ruling begins with"))
    verdict = Verdict(block.head)
    everywhere = bool(_EVERYWHERE.match(block.body))
    body = _EVERYWHERE.sub("", block.body)
    before, found, after, reads = _quoted(body)
    if not found.strip():
        raise _WrongError(f"quotes no words between its bars; {FORM}")
    if verdict is Verdict.REJECT and reads is not None:
        raise _WrongError("rejects a reading, and so gives none: leave out what follows the arrow, or write read")
    if verdict in (Verdict.READ, Verdict.EMEND) and reads is None:
        raise _WrongError(f"says no reading; {FORM}")
    if reads == found:
        raise _WrongError(f"reads {reads!r} for itself; to leave it as it stands, write reject")
    return Ruling(verdict, before, found, after, reads, everywhere, block.by or editor, block.note, block.line)


def _quoted(body: str) -> tuple[str, str, str, str | None]:
    """Before, found, after and reading of what follows the verdict; white space made single spaces."""
    parts = [""]
    signs: list[str] = []
    at = 0
    for match in SIGNS.finditer(body):
        parts[-1] += body[at : match.start()]
        at = match.end()
        if match[2] == "|" or (match[2] and signs[:2] == ["|", "|"]):
            signs.append(match[2])
            parts.append("")
        else:
            parts[-1] += match[1] or match[0]
    parts[-1] += body[at:]
    parts = [re.sub(r"\s+", " ", part) for part in parts]
    if signs == ["|", "|"]:
        return parts[0].lstrip(), parts[1], parts[2].rstrip(), None
    if signs == ["|", "|", "=>"]:
        return parts[0].lstrip(), parts[1], parts[2].rstrip(), parts[3].strip()
    raise _WrongError(f"needs two bars round the words that are meant; {FORM} (a bar of the page is \\|)")


def _at_odds(rulings: Sequence[Ruling]) -> Iterator[tuple[int, str]]:
    first: dict[tuple[str, str, str, bool], Ruling] = {}
    for ruling in rulings:
        other = first.setdefault((ruling.before, ruling.found, ruling.after, ruling.everywhere), ruling)
        if other.outcome != ruling.outcome:
            yield ruling.line, f"rules on the same words as line {other.line}, and not alike; take one of them out"


# ------------------------------------------------------------------------------------------------------------ on links


def _link(block: _Block, editor: str) -> LinkRuling:
    if block.head not in _LINKS:
        raise _WrongError(_unknown(block.head, _LINKS, "a ruling on links begins with"))
    sides = _sides(block.body)
    if len(sides) != 2:
        raise _WrongError(f"needs the laws of two witnesses, with = between them; {LINK_FORM}")
    a, b = (_laws(side) for side in sides)
    if a[0].siglum == b[0].siglum:
        raise _WrongError(f"links laws of one witness, {a[0].siglum}; {LINK_FORM}")
    return LinkRuling(block.head == "link", a, b, block.by or editor, block.note, block.line)


def _sides(body: str, sign: str = "=") -> list[str]:
    """A text cut at a sign that stands outside of quotation marks."""
    pieces = re.split(r"(\"[^\"]*\")", body.replace("“", '"').replace("”", '"'))
    mark = "\0"
    return "".join(p if p.startswith('"') else p.replace(sign, mark) for p in pieces).split(mark)


def _laws(side: str) -> tuple[LawName, ...]:
    siglum, laws = "", []
    for text in _sides(side, ","):
        match = _LAW.fullmatch(text)
        if not match:
            raise _WrongError(f"{text.strip()!r} names no law; {LINK_FORM}")
        named = match["siglum"] or siglum
        if not named or (siglum and named != siglum):
            raise _WrongError(f"{text.strip()!r} does not name its witness; {LINK_FORM}")
        siglum = named
        if not (match["opens"] or "").strip():
            raise _WrongError(
                f"{siglum} {match['law']} needs its first words in quotation marks, so that a law with a new "
                f"number is noticed; {LINK_FORM}"
            )
        laws.append(LawName(siglum, match["law"], match["opens"].strip()))
    return tuple(laws)


def _links_at_odds(rulings: Sequence[LinkRuling]) -> Iterator[tuple[int, str]]:
    first: dict[frozenset[tuple[str, str]], LinkRuling] = {}
    for ruling in rulings:
        for pair in ruling.pairs:
            other = first.setdefault(frozenset(pair), ruling)
            if other.same is not ruling.same:
                yield ruling.line, f"rules on the same laws as line {other.line}, and not alike; take one of them out"
                break
