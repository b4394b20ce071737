"""Furniture at the edges of pages: running heads, folios, catchwords and signatures.

    revoke must imme-            revoke must imme-
    14                       ->
    <page break>                 <page break>
    THE GAME OF WHIST.
    diately declare it           diately declare it

No sign decides alone. A line at a page's edge is furniture where enough speaks for it: its number goes up with the
pages, its words stand in the same place on other pages (compared fuzzily, for heads are misread like all else), it is
set in capitals, and the text runs on past it. A title above the first page's text has none of these and stays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from variorum.model import Correction, CorrectionKind, FurnitureRole, Page
from variorum.repair.draft import Draft, Proposal

_LINE = re.compile(r"[^\n]*\S[^\n]*")
_TOKEN = re.compile(r"\S+")
_SIGNATURE = re.compile(r"\*?[A-Z](?:[a-z]|[A-Z]{1,2})?[ .]{0,3}(?:\d{1,2}|[ivx]{1,4})?\.?")
# What OCR makes of figures.
_FIGURES = str.maketrans("lIi|!][JOoQDSsZzBgGbqATtH", "1111111100005522896694777")
_NEAR = 12  # pages on either side among which a head or a run of numbers is looked for
# rapidfuzz ratio of the letters of two heads: those of one book agree so far though both be misread, body lines hardly.
_ALIKE = 70
_SOMEWHAT_ALIKE = 55  # the same where one of the two is badly misread; body lines reach it too, so it counts for less
_ENOUGH = 3.0  # weight at which a line is a running head; see _head_weight
_CHAPTER = re.compile(r"(?:chap|sect?|part|book|rule|law|art|canto|letter|no)\w*\.?\s+(?:\d|[ivxlc]+\b)", re.IGNORECASE)


@dataclass(frozen=True)
class Line:
    """A line with text: [start, end) of the text, without its line end."""

    start: int
    end: int
    text: str
    blank_before: bool
    blank_after: bool

    @property
    def capitals(self) -> bool:
        """Whether it is set in capitals."""
        return _capitals(self.text)


@dataclass(frozen=True)
class _Folio:
    """A number at the start or end of a line: [start, end) within the line, and its value."""

    start: int
    end: int
    value: int


def edges(draft: Draft) -> Proposal:
    """Running heads, folios, catchwords and signatures, of a text whose page breaks are kept."""
    if len(draft.pages) < 2:
        return Proposal()
    sheets = [lines_of(draft.text, page) for page in draft.pages]
    numbers = _numbers(sheets)
    taken: list[Correction] = []
    folios: list[str] = []
    heads = [_heads(draft, sheets, k, numbers[k]) for k in range(len(sheets))]
    for k, lines in enumerate(sheets):
        notes = [c for line in heads[k] for c in _split(draft.text, line, numbers[k], "header")]
        body = [line for line in lines if line not in heads[k]]
        following = _first_body(sheets, heads, k + 1)
        notes += _foot(draft.text, body, following, numbers[k])
        taken += notes
        folios.append(_printed(notes, numbers[k]))
    pages = tuple(
        replace(page, folio=folio or page.folio) for page, folio in zip(draft.repair.pages, folios, strict=True)
    )
    return Proposal(tuple(sorted(taken, key=lambda c: c.start)), (), pages)


def lines_of(text: str, page: Page) -> list[Line]:
    """The lines of a page that have text."""
    found = []
    for match in _LINE.finditer(text, page.start, page.end):
        end = match.end()
        before, after = text[max(0, match.start() - 2) : max(0, match.start() - 1)], text[end + 1 : end + 2]
        found.append(
            Line(
                match.start(),
                end,
                match.group(),
                before in "\n\f" or match.start() == page.start,
                after in "\n\f" or end >= page.end,
            )
        )
    return found


# ------------------------------------------------------------------------------------------------------------- folios


def edge_numbers(line: Line) -> list[_Folio]:
    """The numbers with which a line begins or ends, read as OCR may have misread them."""
    tokens = list(_TOKEN.finditer(line.text))
    found = []
    for match in {m.start(): m for m in (tokens[0], tokens[-1])}.values():
        value = _value(match.group())
        if value is not None:
            found.append(_Folio(match.start(), match.end(), value))
    if len(tokens) == 3 and not _letters(line.text):  # [ 103 ] and - 14 -
        middle = _value(tokens[1].group())
        if middle is not None:
            found.append(_Folio(0, len(line.text), middle))
    return found


def _value(token: str) -> int | None:
    core = token.strip("[](){}|.,:;*'’‘“”\"-—–~_")
    if not 0 < len(core) <= 4 or not any(c in "0123456789" for c in core):
        return None
    figures = core.translate(_FIGURES)
    return int(figures) if figures.isascii() and figures.isdigit() else None


def _numbers(sheets: list[list[Line]]) -> list[int | None]:
    """The number that each page ought to bear: that with which its own or near pages' edge numbers run on."""
    shifts = [
        sorted({f.value - n for line in _outer(rows) for f in edge_numbers(line) if bare(line, f)})
        for n, rows in enumerate(sheets)
    ]
    found: list[int | None] = []
    for n in range(len(sheets)):
        near = Counter(shift for row in shifts[max(0, n - _NEAR) : n + _NEAR + 1] for shift in row)
        best = max(near, key=lambda shift: (near[shift], -abs(shift)), default=None)
        found.append(n + best if best is not None and near[best] > 1 else None)
    return found


def stands_alone(line: Line) -> bool:
    """Whether a line is nothing but a number."""
    return not _letters(line.text)


def bare(line: Line, folio: _Folio) -> bool:
    """Whether the number stands alone or beside a few words, not at an edge of a line of running text."""
    rest = line.text[: folio.start] + line.text[folio.end :]
    return not _is_label(line, folio) and (_capitals(rest) or len(rest.split()) <= 5)


def _outer(lines: list[Line]) -> list[Line]:
    return lines[:2] + lines[2:][-2:]


def _folio(line: Line, number: int | None) -> _Folio | None:
    """The place of the page's number in a line, also where one of its figures was misread."""
    if number is None:
        return None
    for found in edge_numbers(line):
        if found.value == number:
            return found
    tokens = list(_TOKEN.finditer(line.text))
    for match in (tokens[0], tokens[-1]):
        core = "".join(c for c in match.group() if c.isalnum()).translate(_FIGURES)
        if _near_number(core, str(number)):
            return _Folio(match.start(), match.end(), number)
    return None


def _near_number(core: str, number: str) -> bool:
    from rapidfuzz.distance import Levenshtein

    figures = sum(c.isdigit() for c in core)
    return bool(figures) and len(core) <= 4 and len(number) > 1 and Levenshtein.distance(core, number) <= 1


def _printed(notes: list[Correction], number: int | None) -> str:
    return str(number) if number is not None and any(c.role == "pageNum" for c in notes) else ""


# -------------------------------------------------------------------------------------------------------------- heads


def _heads(draft: Draft, sheets: list[list[Line]], k: int, number: int | None) -> list[Line]:
    """The lines at the top of page k that are its running head."""
    lines = sheets[k]
    for depth in range(min(2, len(lines) - 1), 0, -1):
        weight = _head_weight(draft, sheets, k, depth, number)
        if weight >= _ENOUGH + (depth - 1):
            return lines[:depth]
    return []


def _head_weight(draft: Draft, sheets: list[list[Line]], k: int, depth: int, number: int | None) -> float:
    """What speaks for the line number `depth` of page k being a running head, less what speaks against it."""
    lines = sheets[k]
    line = lines[depth - 1]
    folio = _folio(line, number)
    rest = line.text if folio is None else line.text[: folio.start] + line.text[folio.end :]
    weight = 0.0
    if folio is not None:
        weight += 0.5 if _is_label(line, folio) else 3.0 if _exact(line, folio) else 2.0
    weight += _likeness(sheets, k, rest)
    weight += 1.0 if _capitals(rest) else -1.0 if _ordinary(draft, rest) else 0.0
    weight += 0.5 if line.blank_after else 0.0
    if k and _runs_on(draft, sheets, k, depth):
        weight += 1.5
    if folio is None and (k == 0 or _CHAPTER.match(rest)):
        weight -= 4.0
    return weight


def _is_label(line: Line, folio: _Folio) -> bool:
    """Whether the number is more likely that of a law: "12. If a player"."""
    return folio.start == 0 and line.text[: folio.end].endswith((".", ")")) and not _capitals(line.text)


def _exact(line: Line, folio: _Folio) -> bool:
    return _value(line.text[folio.start : folio.end]) == folio.value


def _likeness(sheets: list[list[Line]], k: int, rest: str) -> float:
    """3 where nearly the same words stand at the top of a near page, less where they are only somewhat like."""
    from rapidfuzz import fuzz

    key = _letters(rest)
    if len(key) < 4:
        return 0.0
    near = (j for j in range(max(0, k - _NEAR), min(len(sheets), k + _NEAR + 1)) if j != k)
    best = max((fuzz.ratio(key, _letters(line.text)) for j in near for line in sheets[j][:2]), default=0.0)
    return 3.0 if best >= _ALIKE else 1.5 if best >= _SOMEWHAT_ALIKE and rest.count(" ") < 8 else 0.0


def _letters(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalpha())


def _capitals(text: str) -> bool:
    letters = [c for c in text if c.isalpha()]
    return len(letters) > 3 and sum(c.isupper() for c in letters) >= 0.5 * len(letters)


def _ordinary(draft: Draft, text: str) -> bool:
    """Whether the line reads like one of running text: several words, most of them known and in lower case."""
    words = re.findall(r"[^\W\d_]+", text)
    plain = sum(w.islower() and draft.language.known(w) for w in words)
    return len(words) >= 4 and plain >= 0.6 * len(words)


def _runs_on(draft: Draft, sheets: list[list[Line]], k: int, depth: int) -> bool:
    """Whether the text after the line takes up in lower case what the page before left unfinished."""
    after = sheets[k][depth].text.lstrip("'‘’“\"") if depth < len(sheets[k]) else ""
    return after[:1].islower()


def _first_body(sheets: list[list[Line]], heads: list[list[Line]], k: int) -> str:
    """The first line of running text of page k, "" where there is none."""
    if k >= len(sheets):
        return ""
    return next((line.text for line in sheets[k] if line not in heads[k]), "")


# --------------------------------------------------------------------------------------------------------------- feet


def _foot(text: str, body: list[Line], following: str, number: int | None) -> Iterator[Correction]:
    """The folio, signature and catchword below the text, from the last line up."""
    for line in reversed(body[1:][-3:]):
        notes = list(_foot_line(text, line, following, number))
        if not notes:
            break
        yield from notes


def _foot_line(text: str, line: Line, following: str, number: int | None) -> Iterator[Correction]:
    catch = _catchword(line, following)
    rest = line.text[: catch if catch is not None else len(line.text)]
    folio = _folio(replace(line, text=rest), number) if rest.strip() else None
    if rest.strip() and not (
        (folio is not None and not _letters(rest[: folio.start] + rest[folio.end :]))
        or _SIGNATURE.fullmatch(rest.strip())
    ):
        return
    if rest.strip():
        role: FurnitureRole = "pageNum" if folio is not None else "sig"
        if catch is None and role == "sig" and not line.blank_after:
            return
        end = line.start + len(rest) if catch is not None else _past_line(text, line)
        yield _note(text, line.start, end, role, 0.9 if folio is not None else 0.7)
    if catch is not None:
        yield _note(text, line.start + catch, _past_line(text, line), "catch", 0.9)


def _catchword(line: Line, following: str) -> int | None:
    """Where in the line the first word of the next page begins, if the line ends with it."""
    from rapidfuzz import fuzz

    tokens = list(_TOKEN.finditer(line.text))
    if not following or len(tokens) > 4:
        return None
    nxt = re.sub(r"\s", "", following)
    for match in reversed(tokens[-3:]):
        word = re.sub(r"\s", "", line.text[match.start() :])
        head = nxt[: len(word)]
        if word == head or (len(word) > 3 and fuzz.ratio(word.lower(), head.lower()) >= 80):
            return match.start()
    return None


# -------------------------------------------------------------------------------------------------------------- notes


def _split(text: str, line: Line, number: int | None, role: FurnitureRole) -> Iterator[Correction]:
    """The notes of a head line: one for its number, one for its words."""
    folio = _folio(line, number)
    end = _past_line(text, line)
    if folio is None:
        yield _note(text, line.start, end, role, 0.9)
        return
    first, last = line.start + folio.start, line.start + folio.end
    if not line.text[folio.end :].strip():
        last = end
    elif not line.text[: folio.start].strip():
        first = line.start
        last += len(line.text[folio.end :]) - len(line.text[folio.end :].lstrip())
    if first > line.start:
        yield _note(text, line.start, first, role, 0.92)
    yield _note(text, first, last, "pageNum", 0.95)
    if last < end:
        yield _note(text, last, end, role, 0.92)


def _past_line(text: str, line: Line) -> int:
    """The end of a line with its line end, so that no empty line is left where it stood."""
    return line.end + (text[line.end : line.end + 1] == "\n")


def _note(text: str, start: int, end: int, role: FurnitureRole, cert: float) -> Correction:
    what = {"header": "running head", "pageNum": "page number", "catch": "catchword", "sig": "signature"}[role]
    return Correction(
        start,
        end,
        text[start:end],
        "",
        CorrectionKind.FURNITURE,
        f"edges.{role}",
        cert,
        f"{what} at the edge of a page",
        role,
    )
