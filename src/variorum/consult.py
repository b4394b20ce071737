"""What the other editions say of a doubtful word.

Where a law is linked to a law of another edition, the two are set side by side, and a word that repair doubts is held
against what the other has in its place: a suggestion that the other bears out becomes a correction, a word that is none
is read as the other's where it is a likely misreading of it, and a correction of little certainty is made more certain.
A word that nobody doubted is left alone, whatever the other editions read: there it is a true variant. No correction is
taken back because another edition has the word of the page: two pages are often misread alike (heen for been).

To consult the witnesses before one conjectures is old: recensio before emendatio. For repeated passages in OCR see Xu
and Smith, "Retrieving and combining repeated passages to improve OCR" (2017).

    A: "claim a new dcal"       B: "claim a fresh deal"     -> "deal"
    A: "loses one point"        B: "loses two points"       -> left alone
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from variorum import language
from variorum.collation import collate
from variorum.language.running import fold
from variorum.model import Concordance, Correction, CorrectionKind, Finding, Law, Repair, Segmented, Token, Witness
from variorum.repair.words_variants import same_inflected, same_spelled
from variorum.segment import segment
from variorum.spans import Offsets, compose
from variorum.tokens import is_word, skeleton, tokenise

if TYPE_CHECKING:
    from variorum.language.model import Language

RULE = "consult"
# How certain a reading is that another edition bears out, by how many of the words beside it agree as well: set below
# the shares that were right, 0.99 and 0.95, since all were of one pair of codes. What is mended and harmed is measured
# again by `python benchmarks/consult.py`.
BORNE_OUT = {2: 0.95, 1: 0.9}
WEAK = 0.9  # a correction less certain than this is held against the other editions too
FAR = 0.35  # share of its letters in which a misread word may differ from what it is read as
PER_LETTER = 3.0  # and further, where OCR is known to make the one of the other: natural logarithms, a letter
SHORT = 4  # letters; for a shorter reading the words on both sides must agree: any small word may stand for any
LEAST = 3  # letters of a word that is none and may still be a misread one
_BEFORE = ("re", "un", "in", "im", "dis", "mis", "non", "over", "out", "fore", "pre", "under", "counter", "de", "en")
_EDGES = re.compile(r"^[^\w]+|[^\w]+$")
OFTEN = 2  # a form that the witness has so often is a word of its own


class _Span(NamedTuple):
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Doubt:
    """A doubtful place of the raw text: what is read there now, and what was thought of; () for a word that is none."""

    span: _Span
    reads: str
    candidates: tuple[str, ...]
    correction: Correction | None = None


@dataclass(frozen=True, slots=True)
class _Passage:
    """A law's stretch of repaired text in tokens, with the span of each in that text."""

    tokens: tuple[Token, ...]
    spans: tuple[_Span, ...]
    text: str


@dataclass(frozen=True, slots=True)
class _Says:
    """What another edition has at a doubtful place: its words, as they stand, and how many neighbours agree (1, 2)."""

    where: str
    readings: tuple[str, ...]
    agree: int
    worse: bool  # it is worse read than the witness in question


def consult(
    witnesses: Sequence[Witness], concordance: Concordance, apply: float, spoken: Language | None = None
) -> tuple[Witness, ...]:
    """The witnesses of a work, their doubtful words judged by the laws that `concordance` links with theirs.

    A correction made so is of the rule "consult" and says which law of which witness reads so; one less certain than
    `apply` stays a suggestion. `spoken` is the language that says what is a word, where it is not the one that comes
    with the package. What an editor has ruled, and what a file states of itself, is left alone. The laws keep their
    ids; nothing is raised.
    """
    if len(witnesses) < 2:
        return tuple(witnesses)
    laws = {w.siglum: {law.id: law for law in w.laws} for w in witnesses}
    words = {w.siglum: Counter(t.normal for law in w.laws for t in tokenise(law.whole)) for w in witnesses}
    linked: dict[str, dict[str, list[tuple[str, Law]]]] = {w.siglum: {} for w in witnesses}
    for locus in concordance.loci:
        for siglum, ids in locus.laws.items():
            others = [(s, laws[s][i]) for s in sorted(locus.laws) if s != siglum for i in locus.laws[s]]
            for law_id in ids:
                linked[siglum].setdefault(law_id, []).extend(others)
    noise = {w.siglum: w.repair.noise for w in witnesses}
    spoken = spoken or language.load()
    return tuple(_Consulted(w, linked[w.siglum], words, noise, spoken).witness(apply) for w in witnesses)


class _Consulted:
    """One witness on its way through the other editions."""

    def __init__(
        self,
        witness: Witness,
        linked: Mapping[str, Sequence[tuple[str, Law]]],
        words: Mapping[str, Counter[str]],
        noise: Mapping[str, float],
        spoken: Language,
    ) -> None:
        self.given, self.linked, self.language = witness, linked, spoken
        self.worse = {siglum for siglum in noise if noise[siglum] > noise[witness.siglum]}
        self.repair = witness.repair
        self.offsets = Offsets(self.repair.corrections)
        self.own = words[witness.siglum]
        self.elsewhere = {word for siglum, own in words.items() if siglum != witness.siglum for word in own}

    def witness(self, apply: float) -> Witness:
        """The witness with what the others bear out."""
        source = self.given.source
        if source.stated and source.stated.blocks:
            return self.given
        verdicts = [verdict for law in self.given.laws if self.linked.get(law.id) for verdict in self.law(law)]
        if not verdicts:
            return self.given
        cut = _cut(self.repair, verdicts, apply)
        same = [(law.id, law.label) for law in cut.laws] == [(law.id, law.label) for law in self.given.laws]
        return replace(self.given, segmented=cut) if same else self.given

    def law(self, law: Law) -> Iterator[Correction]:
        """The verdicts on one law, in terms of the raw text."""
        passage = self.passage(law)
        doubts = sorted(self.doubts(law, passage), key=lambda d: d.span)
        if not doubts:
            return
        rows = [(s, other, _rows(passage.text, other.whole)) for s, other in self.linked[law.id]]
        taken = -1
        for doubt in doubts:
            if doubt.span.start < taken:
                continue
            inside = self.inside(doubt, passage)
            said = [
                says
                for siglum, other, pairs in rows
                if (says := _says(f"{siglum}, law {other.id}", pairs, inside, siglum in self.worse))
            ]
            verdict = self.judged(doubt, said)
            if verdict:
                yield verdict
                taken = doubt.span.end

    # ----------------------------------------------------------------------------------------------------- doubts

    def passage(self, law: Law) -> _Passage:
        start, end = self.offsets.to_text(law.label_end), self.offsets.to_text(law.end, end=True)
        text = self.repair.text[start:end]
        tokens, spans, at = [], [], start
        for token in tokenise(text):
            if token.surface:
                tokens.append(token)
                spans.append(_Span(at, at + len(token.surface)))
            at += len(token.surface) + len(token.space)
        return _Passage(tuple(tokens), tuple(spans), text)

    def doubts(self, law: Law, passage: _Passage) -> Iterator[_Doubt]:
        """What repair doubts in a law, and the words of it that are none."""
        ruled = [_Span(r.start, r.end) for r in self.repair.rulings]
        within = _Span(law.label_end, law.end)
        for finding in self.repair.findings:
            span = _Span(finding.start, finding.end)
            if finding.code == "correction-suggested" and _inside(span, within) and not _meets(span, ruled):
                yield _Doubt(span, self.repair.raw[span.start : span.end], finding.candidates)
        for c in self.repair.corrections:
            span = _Span(c.start, c.end)
            if _inside(span, within) and c.cert < WEAK and _of_words(c) and not _meets(span, ruled):
                yield _Doubt(span, c.found, (c.reads,), c)
        for token, place in zip(passage.tokens, passage.spans, strict=True):
            span = _Span(self.offsets.to_raw(place.start), self.offsets.to_raw(place.end, end=True))
            if self.odd(token) and not _meets(span, ruled):
                yield _Doubt(span, token.surface, ())

    def odd(self, token: Token) -> bool:
        """True for what is no word, here or in any other edition, and may be a misread one."""
        word = token.surface
        core = _EDGES.sub("", word)  # a mark before or after a word may be a quotation mark: no matter for the others
        if sum(map(str.isalpha, core)) < LEAST or self.language.known(core):
            return False
        if word[0].isupper() and word.isalpha():  # a name, as the printer of this edition spells it
            return False
        return token.normal not in self.elsewhere and self.own[token.normal] < OFTEN

    # -------------------------------------------------------------------------------------------------- judgement

    def inside(self, doubt: _Doubt, passage: _Passage) -> range:
        """The tokens of the passage that a doubt is about."""
        start, end = self.offsets.to_text(doubt.span.start), self.offsets.to_text(doubt.span.end, end=True)
        held = [k for k, span in enumerate(passage.spans) if span.start < end and start < span.end]
        return range(held[0], held[-1] + 1) if held else range(0)

    def judged(self, doubt: _Doubt, said: Sequence[_Says]) -> Correction | None:
        """What the other editions make of a doubt, or None where they leave it as it is."""
        now = _words(doubt.reads)
        if any(now == _words(r) for says in said for r in says.readings):
            return None  # another edition has the very words of the page
        found = [(reading, says) for says in said for reading in says.readings if self.borne_out(doubt, reading, says)]
        readings = {_words(reading) for reading, _ in found}
        if len(readings) != 1:
            return None
        reading, says = max(found, key=lambda f: f[1].agree)
        where = " and ".join(dict.fromkeys(says.where for _, says in found))
        reads = next((c for c in doubt.candidates if _words(c) == _words(reading)), None)
        reads = _cased(doubt.reads, reading) if reads is None else reads
        cert, evidence = BORNE_OUT[says.agree], f"so reads {where}"
        if doubt.correction is not None:
            c = doubt.correction
            both = "; ".join(filter(None, (c.evidence, evidence)))
            return replace(c, cert=max(c.cert, cert), evidence=both) if reads == c.reads else None
        found_there = self.repair.raw[doubt.span.start : doubt.span.end]
        if found_there == reads:
            return None
        spaces_only = "".join(found_there.split()) == "".join(reads.split())
        kind = CorrectionKind.SPACING if spaces_only else CorrectionKind.MISREADING
        return Correction(*doubt.span, found_there, reads, kind, RULE, cert, evidence)

    def borne_out(self, doubt: _Doubt, reading: str, says: _Says) -> bool:
        """True where what another edition has is what the doubtful word may be."""
        if len(skeleton(reading)) < SHORT and (says.agree < 2 or says.worse):
            return False
        if doubt.candidates:
            return any(_words(reading) == _words(c) for c in doubt.candidates)
        return self.misread(doubt.reads, reading)

    def misread(self, word: str, reading: str) -> bool:
        """True where a word that is none is a likely misreading of another edition's, and no spelling of the same."""
        from rapidfuzz.distance import Levenshtein

        one, other = fold(word), fold(reading)
        if not all(map(self.language.known, reading.split())) or skeleton(one) == skeleton(other):
            return False
        if " " in other:  # two words run together, and hardly misread beside
            return Levenshtein.distance(one, other.replace(" ", "")) <= 1
        if one.endswith("s") != other.endswith("s"):  # one and several are not the same rule
            return False
        if one.isalpha() and (same_spelled(one, other) or same_inflected(one, other) or _derived(one, other)):
            return False
        near = Levenshtein.normalized_distance(one, other) <= FAR
        return near or self.language.confusions.channel(one, other) >= -PER_LETTER * len(one)


# -------------------------------------------------------------------------------------------------------- side by side

_Row = tuple[Token | None, Token | None]


def _rows(text: str, other: str) -> list[_Row]:
    """The tokens of two texts, those that answer to each other side by side."""
    return [(row["a"], row["b"]) for row in collate({"a": text, "b": other}).rows]


def _says(where: str, rows: Sequence[_Row], tokens: range, worse: bool) -> _Says | None:
    """What stands beside some tokens, with and without the words of the other text that stand beside nothing there."""
    if not tokens:
        return None
    at = [k for k, (own, _) in enumerate(rows) if own is not None]
    first, last = at[tokens.start], at[tokens.stop - 1] + 1
    left = first
    while left and rows[left - 1][0] is None:
        left -= 1
    right = last
    while right < len(rows) and rows[right][0] is None:
        right += 1
    agree = _agrees(reversed(rows[:left])) + _agrees(rows[right:])
    readings = dict.fromkeys(_run(rows[a:b]) for a in (first, left) for b in (last, right))
    readings.pop("", None)
    return _Says(where, tuple(readings), agree, worse) if readings and agree else None


def _agrees(rows: Iterable[_Row]) -> bool:
    """True where the next word of both texts is the same."""
    for own, other in rows:
        if (own and is_word(own)) or (other and is_word(other)):
            return bool(own and other and own.normal == other.normal)
    return False


def _run(rows: Sequence[_Row]) -> str:
    return " ".join(other.surface for _, other in rows if other and is_word(other))


def _words(text: str) -> tuple[str, ...]:
    return tuple(t.normal for t in tokenise(text) if is_word(t))


def _cased(found: str, reading: str) -> str:
    """The other edition's words with a capital where the page has one; as the other has it where the letter is lost."""
    first = found[:1]
    if fold(first) != fold(reading[:1]) and not first.isupper():
        return reading
    return (reading[:1].upper() if first.isupper() else reading[:1].lower()) + reading[1:]


def _of_words(c: Correction) -> bool:
    return c.kind in (CorrectionKind.MISREADING, CorrectionKind.SPACING) and bool(c.reads.strip())


def _derived(one: str, other: str) -> bool:
    """True where one word is the other with a syllable before it: retouch and touch."""
    return any(one == before + other or other == before + one for before in _BEFORE)


def _inside(span: _Span, other: _Span) -> bool:
    return other.start <= span.start and span.end <= other.end


def _meets(span: _Span, others: Iterable[_Span]) -> bool:
    return any(span.start < other.end and other.start < span.end for other in others)


# -------------------------------------------------------------------------------------------------------- carrying out


def _cut(repair: Repair, verdicts: Sequence[Correction], apply: float) -> Segmented:
    """The laws anew, from the repair with these corrections, some of which it has already and with less certainty."""
    judged = {(c.start, c.end, c.reads): c for c in verdicts}
    # The numbers of laws are read when the text is cut into laws, as they were before.
    kept = [c for c in repair.corrections if c.rule != "law number"]
    base = replace(repair, corrections=tuple(judged.pop((c.start, c.end, c.reads), c) for c in kept))
    made = sorted((c for c in judged.values() if c.cert >= apply), key=lambda c: c.start)
    findings = [f for f in repair.findings if not any(_answers(f, c) for c in judged.values())]
    findings += [_suggested(c) for c in judged.values() if c.cert < apply]
    offsets = Offsets(base.corrections)
    edited = compose(base, [_in_text(c, base, offsets) for c in made])
    return segment(replace(edited, findings=tuple(findings)))


def _answers(finding: Finding, edit: Correction) -> bool:
    return finding.code == "correction-suggested" and finding.start < edit.end and edit.start < finding.end


def _suggested(e: Correction) -> Finding:
    message = f"{e.found.strip()!r} may be {e.reads!r} ({e.rule}, certainty {e.cert:.2f}): {e.evidence}"
    return Finding("correction-suggested", message, e.start, e.end, candidates=(e.reads,))


def _in_text(e: Correction, base: Repair, offsets: Offsets) -> Correction:
    start, end = offsets.to_text(e.start), offsets.to_text(e.end, end=True)
    return replace(e, start=start, end=end, found=base.text[start:end])
