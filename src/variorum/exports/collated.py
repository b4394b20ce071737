"""A work collated, to read and to print: the base text, law by law, with an apparatus of what the others have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from variorum.exports.witnesses import PREAMBLE, title
from variorum.model import Collated, Collation, Reading, State, Unit, Witness, Work
from variorum.signs import latex, markdown, plain

# How each state is told where there are no words, in the Latin of editors.
LONG = 6  # words from which on a lemma is given by its first and last ones

_TOLD = {State.OMISSION: "om.", State.LACUNA: "lac.", State.ABSENT: "deest"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the apparatus: the words of the text it is about ("" at a place where the text has none)."""

    key: str
    lemma: str
    before: str
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some words of the base text with the space after them, and the entry about them, or None."""

    text: str
    space: str
    entry: Entry | None = None


def stretches(collated: Collated, base: str) -> Iterator[Stretch]:
    """The text of one locus, in order, cut where the apparatus has an entry.

    The text is the base's; where the base lacks the law, that of the first witness that has it. The stretches give the
    text back: surface and space of every token stand in one of them.
    """
    collation = collated.collation
    shown = text_witness(collated, base)
    at, before = 0, ""
    for unit in _apart(collation.units):
        yield from _plain(collation, shown, at, unit.first)
        before = _surface(collation, shown, 0, unit.first).split(" ")[-1] or before
        text, space = _with_space(collation, shown, unit.first, unit.last)
        others = tuple(r for r in unit.readings if shown not in r.witnesses)
        yield Stretch(text, space, Entry(unit.id, text, before, others) if others else None)
        at = unit.last
    yield from _plain(collation, shown, at, len(collation.rows))


def text_witness(collated: Collated, base: str) -> str:
    """The witness whose words are the text of a locus."""
    here = collated.locus.laws
    return base if base in here else next(iter(s for s in collated.collation.witnesses if s in here), base)


def _apart(units: Sequence[Unit]) -> Iterator[Unit]:
    """Units that share no row; of two that do, the first."""
    at = 0
    for unit in sorted(units, key=lambda u: (u.first, u.last)):
        if unit.first >= at:
            yield unit
            at = unit.last


def _plain(collation: Collation, siglum: str, first: int, last: int) -> Iterator[Stretch]:
    text, space = _with_space(collation, siglum, first, last)
    if text:
        yield Stretch(text, space)


def _surface(collation: Collation, siglum: str, first: int, last: int) -> str:
    tokens = [t for row in collation.rows[first:last] if (t := row.get(siglum))]
    return "".join(t.surface + " " * bool(t.space) for t in tokens).rstrip(" ")


def _with_space(collation: Collation, siglum: str, first: int, last: int) -> tuple[str, str]:
    tokens = [t for row in collation.rows[first:last] if (t := row.get(siglum))]
    return _surface(collation, siglum, first, last), " " * bool(tokens and tokens[-1].space)


# ---------------------------------------------------------------------------------------------------- the three


def collated_text(work: Work) -> str:
    """A work as plain text: each law of the base text, then its apparatus, an entry a line."""
    out = [plain(work.title), "", *(f"{w.siglum}  {title(w.imprint, w.siglum)}" for w in work.witnesses), ""]
    for collated in work.loci:
        pieces = list(stretches(collated, work.base))
        out += [head(work, collated), plain("".join(s.text + s.space for s in pieces).strip())]
        out += [f"    {readings_line(s.entry)}" for s in pieces if s.entry]
        out += [f"    * {plain(change.sentence)}" for change in collated.changes]
        out += [""]
    return "\n".join(out).rstrip("\n") + "\n"


def collated_markdown(work: Work) -> str:
    """A work as Markdown: a law a section, its entries as footnotes ([^L03-u01]), changes of rule as quotations."""
    out = [f"# {markdown(work.title)}", ""]
    out += [f"- **{markdown(w.siglum)}** {markdown(title(w.imprint, w.siglum))}" for w in work.witnesses] + [""]
    for collated in work.loci:
        pieces = list(stretches(collated, work.base))
        text = "".join(markdown(s.text) + _mark(s, collated) + s.space for s in pieces).strip()
        out += [f"## {markdown(head(work, collated))}", "", text, ""]
        out += [line for c in collated.changes for line in (f"> {markdown(c.sentence)}", "")]
        notes = [f"[^{_key(s.entry, collated)}]: {markdown(readings_line(s.entry))}" for s in pieces if s.entry]
        out += [*notes, *([""] if notes else [])]
    return "\n".join(out).rstrip("\n") + "\n"


def _mark(stretch: Stretch, collated: Collated) -> str:
    return f"[^{_key(stretch.entry, collated)}]" if stretch.entry else ""


def _key(entry: Entry, collated: Collated) -> str:
    return f"{collated.locus.id}-{entry.key}"


def collated_latex(work: Work) -> str:
    """A work as a LaTeX document with the apparatus of reledmac: lines numbered, entries at the foot of the page."""
    out = [PREAMBLE + r"\usepackage{reledmac}" + "\n" + r"\Xarrangement[A]{paragraph}" + "\n" + r"\begin{document}"]
    out += [rf"\title{{{latex(work.title)}}}", r"\date{}\maketitle", r"\begin{description}"]
    out += [rf"\item[{latex(w.siglum)}] {latex(title(w.imprint, w.siglum))}" for w in work.witnesses]
    out += [r"\end{description}", "", r"\beginnumbering"]
    for collated in work.loci:
        pieces = list(stretches(collated, work.base))
        text = "".join(_edtext(s) + s.space for s in pieces).strip()
        out += ["", r"\pstart", rf"\textbf{{{latex(head(work, collated))}}} {text}", r"\pend"]
    return "\n".join([*out, "", r"\endnumbering", r"\end{document}", ""])


def _edtext(stretch: Stretch) -> str:
    if stretch.entry is None:
        return latex(stretch.text)
    lemma = latex(stretch.text) or latex(stretch.entry.before)
    said = "; ".join(rf"{_latex_reading(r)} \textit{{{latex(' '.join(r.witnesses))}}}" for r in stretch.entry.readings)
    if stretch.text:
        short = _short(stretch.text)
        named = "" if short == stretch.text else rf"\lemma{{{latex(short)}}}"
        return rf"\edtext{{{lemma}}}{{{named}\Afootnote{{{said}}}}}"
    # Words that the text lacks: the word before it is the lemma, and the entry says that they follow it.
    return rf"\edtext{{}}{{\lemma{{{lemma}}}\Afootnote{{\textit{{add.}} {said}}}}}"


def _latex_reading(reading: Reading) -> str:
    told = "" if reading.state is State.TEXT and reading.text else _TOLD.get(reading.state, "om.")
    return rf"\textit{{{told}}}" if told else latex(reading.text)


def head(work: Work, collated: Collated) -> str:
    """The numbers of a law in the editions that have it: "3 (EcB 5, 6)"."""
    shown = text_witness(collated, work.base)
    numbers = {w.siglum: _numbers(w, collated) for w in work.witnesses if w.siglum in collated.locus.laws}
    others = [f"{siglum} {n}" for siglum, n in numbers.items() if siglum != shown]
    own = numbers.get(shown, "") if shown == work.base else f"{shown} {numbers.get(shown, '')}"
    return plain(f"{own}. ({'; '.join(others)})" if others else f"{own}.")


def _numbers(witness: Witness, collated: Collated) -> str:
    numbers = {law.id: law.number or law.id for law in witness.laws}
    return ", ".join(numbers.get(i, i) for i in collated.locus.laws[witness.siglum])


def _short(lemma: str) -> str:
    """A lemma as an apparatus gives it: whole, or its first and last words."""
    words = lemma.split()
    return lemma if len(words) < LONG else f"{' '.join(words[:2])} … {' '.join(words[-2:])}"


def readings_line(entry: Entry) -> str:
    """An entry as an apparatus prints it: lemma, bracket, what the others have and who they are."""
    readings = "; ".join(f"{_reading(r)} {' '.join(r.witnesses)}" for r in entry.readings)
    return plain(f"{_short(entry.lemma)}] {readings}" if entry.lemma else f"{entry.before}] add. {readings}".lstrip())


def _reading(reading: Reading) -> str:
    return reading.text if reading.state is State.TEXT and reading.text else _TOLD.get(reading.state, "om.")
