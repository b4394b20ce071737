"""Titles and section headings: in lines of their own, and in the running line before a law."""

from __future__ import annotations

import re
from collections.abc import Iterator

from variorum.wording import title_words

Span = tuple[int, int]

LONGEST, MOST_WORDS = 120, 16  # a heading is no paragraph
_DASHED = re.compile(r"[.\s]*[—–-]{1,2}$")
_TITLE_WORDS = re.compile(r"\b(?:laws?|rules?|regulations|code|statutes|articles|orders)\b", re.IGNORECASE)
_OTHER_WORDS = re.compile(
    r"\b(?:advice|hints|maxims|terms|contents|index|examples|illustrations|problems|hands|puzzles|glossary|chapters"
    r"|footnotes|transcriber[’']?s|notes|errata|experiments|questions|answers|solutions|books|works|recipes|receipts)\b",
    re.IGNORECASE,
)
_RUN_IN = re.compile(r"(?<=[.!?”\"’)])\s+(?P<title>[A-Z][^.!?\n]{3,70}?)[.]?\s?(?P<dash>—|–|--)\s*(?=[A-Z“\"])")
_BLANK = re.compile(r"\n[ \t]*+(?:\n[ \t]*+)++|\f")
_FOLIO = re.compile(r"^\W*\d{1,3}\W*$|^\W*\d{1,3}\s+\D{3,}$|^\D{3,}\s\d{1,3}\W*$")


def paragraphs(text: str, lo: int, hi: int) -> Iterator[Span]:
    """The paragraphs of text[lo:hi], without the white space around them."""
    at = lo
    for match in _BLANK.finditer(text, lo, hi):
        yield from trimmed(text, at, match.start())
        at = match.end()
    yield from trimmed(text, at, hi)


def lines(text: str, lo: int, hi: int) -> Iterator[Span]:
    """The lines of text[lo:hi] that are not blank, without the white space around them."""
    at = lo
    while at < hi:
        end = text.find("\n", at, hi)
        end = hi if end < 0 else end
        yield from trimmed(text, at, end)
        at = end + 1


def trimmed(text: str, lo: int, hi: int) -> Iterator[Span]:
    """The span without white space at its ends; nothing where only that is left."""
    while lo < hi and text[lo].isspace():
        lo += 1
    while lo < hi and text[hi - 1].isspace():
        hi -= 1
    if lo < hi:
        yield lo, hi


def in_capitals(words: str) -> bool:
    """Whether words are set in capitals, one letter in eight let pass for the OCR."""
    letters = [c for c in words if c.isalpha()]
    return len(letters) > 2 and sum(c.isupper() for c in letters) >= 0.88 * len(letters)


def mostly_capitals(words: str) -> bool:
    """Whether words were set in capitals before the OCR misread some of them."""
    letters = [c for c in words if c.isalpha()]
    return sum(c.isupper() for c in letters) > 0.6 * len(letters)


def titled(words: str) -> bool:
    """Whether words look like a title: short, and in capitals or with capitals on all but the small words."""
    tokens = words.split()
    if not words or len(words) > LONGEST or len(tokens) > MOST_WORDS or words[-1] in ";:-" or _FOLIO.match(words):
        return False
    if in_capitals(words):
        return True
    if not (words[0].isupper() or words[0].isdigit() or words[0] in "_“\"'"):
        return False
    long = [w for w in re.findall(r"[^\W\d_]+", words) if len(w) > 3]
    return (
        bool(long)
        and sum(w[0].isupper() for w in long) >= 0.75 * len(long)
        and not re.search(r"[a-z][.;:] [a-z]", words)
    )


def code_title(words: str) -> bool:
    """Whether a heading names a whole code ("Laws of the Game") and not a section of one."""
    return bool(_TITLE_WORDS.search(words)) and len(words.split()) <= 12


def other_title(words: str) -> bool:
    """Whether a heading names what is numbered but no laws: advice, terms, contents, hands."""
    return bool(_OTHER_WORDS.search(words)) and not _TITLE_WORDS.search(words)


def before(text: str, lo: int, at: int) -> list[Span]:
    """The headings that stand immediately before `at`, in reading order; nothing before `lo` is looked at."""
    lo = max(lo, at - 6 * LONGEST)
    end = at
    while end > lo and text[end - 1].isspace():
        end -= 1
    if end == lo:
        return []
    run_in = _dashed(text, lo, end) or _capitals(text, lo, end)
    if run_in:
        return [run_in]
    if "\n" not in text[end:at]:
        return []
    return _set_off(text, lo, end)


def _sentence_start(text: str, lo: int, at: int) -> int:
    """Where the sentence begins that reaches to `at`: after a full stop and white space, a blank line, or at `lo`."""
    k = at
    while k > lo:
        if text[k - 1].isspace():
            j = k - 1
            while j > lo and text[j - 1].isspace():
                j -= 1
            if j == lo or text[j - 1] in '.!?”"’)*' or "\n" in text[j:k]:
                return k
        k -= 1
    return k


def _dashed(text: str, lo: int, end: int) -> Span | None:
    """A run-in heading with its dash: "Of Calling Honours. —"."""
    match = _DASHED.search(text, max(lo, end - 8), end)
    if match is None or match.start() <= lo or ("-" in match.group() and text[match.start()] == "-"):
        return None
    start = _sentence_start(text, max(lo, match.start() - LONGEST), match.start())
    words = text[start : match.start()]
    if not words or not words[0].isupper() or len(words.split()) > MOST_WORDS or start < end - LONGEST:
        return None
    return start, end


def _capitals(text: str, lo: int, end: int) -> Span | None:
    """Words in capitals run in at the end of a line: "PLAYING AND DRAWING."."""
    start, k = end, end
    while k > lo:
        word_end = k
        while k > lo and not text[k - 1].isspace():
            k -= 1
        word = text[k:word_end]
        if any(c.islower() for c in word) or any(c.isdigit() for c in word):
            break
        start = k
        while k > lo and text[k - 1].isspace():
            k -= 1
        if k > lo and text[k - 1] in ".!?;:)”" and not text[k:start].count("\n"):
            break
    words = text[start:end]
    if sum(c.isupper() for c in words) < 5 or len(words) > LONGEST or "\n" in words:
        return None
    set_off = start == lo or "\n" in text[max(lo, start - 2) : start] or _ends_sentence(text, lo, start)
    # Where the OCR has lost the stop before it, two long words in capitals are enough.
    if not set_off and (words[-1] != "." or sum(len(w) > 3 for w in words.split()) < 2):
        return None
    return start, end


def _ends_sentence(text: str, lo: int, at: int) -> bool:
    return text[max(lo, at - 6) : at].rstrip()[-1:] in tuple('.!?”"’)*')


def _set_off(text: str, lo: int, end: int) -> list[Span]:
    """Headings in paragraphs or lines of their own."""
    found: list[Span] = []
    for start, stop in reversed(list(paragraphs(text, lo, end))):
        if lo and "\n" not in text[lo:start] and text[lo - 1] != "\n":  # the words that follow the number before
            found += _last_lines(text, start, stop)
            break
        if titled(" ".join(text[start:stop].split())):
            found.append((start, stop))
            continue
        if not found:
            found += _last_lines(text, start, stop)
        break
    return found[::-1]


def _last_lines(text: str, lo: int, hi: int) -> Iterator[Span]:
    """The last lines of a paragraph that are headings in capitals, from below."""
    for start, stop in reversed(list(lines(text, lo, hi))):
        if start == lo or not in_capitals(text[start:stop]) or not titled(text[start:stop]):
            return
        yield start, stop


def run_in(text: str, lo: int, hi: int) -> Span | None:
    """The first run-in heading in text[lo:hi] that no number follows: "How to discover a revoke. — A strict ..."."""
    match = _RUN_IN.search(text, lo, hi)
    if match is None or len(match["title"].split()) > MOST_WORDS:
        return None
    return match.start("title"), match.end("dash")


def words_of(text: str, span: Span) -> str:
    """A heading's words: white space collapsed, its dash and marks of italics left out."""
    return title_words(text[span[0] : span[1]])
