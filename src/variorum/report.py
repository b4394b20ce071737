"""What the terminal shows: plain words and small tables. Nothing from a page ever steers the terminal."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, TextIO

from variorum.model import (
    Change,
    Clause,
    Collated,
    Collation,
    Concordance,
    Correction,
    CorrectionKind,
    Finding,
    Law,
    Locus,
    Reading,
    Relation,
    Ruled,
    Segmented,
    State,
    Unit,
    UnitKind,
    Witness,
    Work,
)

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from variorum.edition import Edition
    from variorum.score import Rate

# Escapes, other controls and bidi controls would move the cursor, colour the screen or turn the line about.
_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_PADDED = re.compile(r"(?: |\x1b\[[\d;]*m)+$")  # spaces at a line's end, coloured or not
_PIPE_WIDTH = 100
_CODES_SHOWN = 12
_SHORT = 14  # characters up to which a cell is not worth a second line
WANTING: Mapping[State, str] = {State.OMISSION: "om.", State.LACUNA: "lac.", State.ABSENT: "abs."}


# -------------------------------------------------------------------------------------------------------------- writing


def shown(text: str) -> str:
    r"""The text with what a terminal would obey written as \u001b and the like; tab and line end are kept."""
    return _OBEYED.sub(lambda m: f"\\u{ord(m[0]):04x}", text)


def say(text: str, stream: TextIO | None = None) -> None:
    """Write a line, made safe, to the output stream or the one given."""
    (stream or sys.stdout).write(shown(text) + "\n")


def settle_streams() -> None:
    """Let output go on where the terminal's encoding has no sign for a character: it is shown as an escape."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="backslashreplace")


def progress() -> Callable[[str], None]:
    """A function that shows one step after another in one line of the error stream, if that is a terminal."""
    if not sys.stderr.isatty():
        return lambda _: None

    def step(what: str) -> None:
        sys.stderr.write(f"\r\x1b[K{shown(what)}")
        sys.stderr.flush()

    return step


def grid(
    names: Sequence[str], rows: Iterable[Sequence[object]], styles: Mapping[str, str] = MappingProxyType({})
) -> None:
    """A table on the output stream; cells are wrapped to the width of the terminal. `styles` colours whole columns."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    cells = [[shown(_cell(value)) for value in row] for row in rows]
    plain = not (sys.stdout.encoding or "").lower().startswith("utf")
    table = Table(box=box.ASCII2 if plain else box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    out = console()
    widths = [max(map(len, column)) for column in zip(names, *cells, strict=True)]
    room = sum(width + 3 for width in widths if width <= _SHORT) < out.width - 2 * _SHORT
    for name, width in zip(names, widths, strict=True):
        table.add_column(shown(name), overflow="fold", no_wrap=room and width <= _SHORT, style=styles.get(name))
    for row in cells:
        table.add_row(*map(Text, row))
    with out.capture() as capture:
        out.print(table)
    for line in capture.get().split("\n")[:-1]:
        sys.stdout.write(_PADDED.sub(lambda m: m[0].replace(" ", ""), line) + "\n")


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def console() -> Console:
    """The output stream as rich sees it: colour only on a terminal, no marks read in texts."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else _PIPE_WIDTH
    return Console(file=sys.stdout, width=width, markup=False, highlight=False, emoji=False)


# --------------------------------------------------------------------------------------------------------------- values


def law_lines(segmented: Segmented) -> Iterator[str]:
    """The laws of a text, each on a line after its number, under their headings; doubts follow after a "?"."""
    section = ""
    for law in segmented.laws:
        if law.section != section and law.section:
            yield f"{law.section}"
        section = law.section
        yield f"{law.number}. {law.text}".rstrip()
        yield from _clause_lines(law.clauses, "    ")
        yield from (f"    Note: {note.text}" for note in law.notes)
        doubts = (f for f in segmented.findings if f.end and law.start <= f.start < law.end)
        yield from (f"    ? {finding.message}" for finding in doubts)


def _clause_lines(clauses: Iterable[Clause], indent: str) -> Iterator[str]:
    for clause in clauses:
        yield f"{indent}({clause.label}) {clause.text}"
        yield from _clause_lines(clause.clauses, indent + "    ")


def side(laws: Mapping[str, Sequence[str]]) -> str:
    """Which laws stand together: "A 6 = B 7 + 9"."""
    return " = ".join(f"{siglum} {' + '.join(ids)}" for siglum, ids in laws.items())


def locus_lines(concordance: Concordance) -> Iterator[str]:
    """The loci of a concordance, each on a line."""
    for locus in concordance.loci:
        yield f"{locus.id}  {_locus(locus)}"


def _locus(locus: Locus) -> str:
    moved = ", moved" if locus.moved else ""
    return f"{side(locus.laws)}  ({locus.relation.value}{moved}; {locus.cert:.2f}: {locus.evidence})"


def unit_lines(collation: Collation) -> Iterator[str]:
    """The apparatus of a collation, each variation unit on a line: lemma ] reading witnesses; reading witnesses."""
    if not collation.units:
        yield "no differences"
    for unit in collation.units:
        yield _unit(unit)


def _unit(unit: Unit) -> str:
    return "".join(text for text, _ in _unit_parts(unit))


def _unit_parts(unit: Unit) -> Iterator[tuple[str, str]]:
    """A unit as pieces of text with their styles: the lemma, the other readings with their witnesses, the kind."""
    lemma, *others = unit.readings
    yield f"{unit.id}  ", "dim"
    yield _reading(lemma), "bold"
    yield " ] ", ""
    for k, other in enumerate(others):
        yield "; " if k else "", ""
        yield _reading(other), "" if other.state is State.TEXT else "italic"
        yield f" {' '.join(other.witnesses)}", "cyan"
    # The grade is always in words as well: colour alone says nothing to some readers, and nothing in a file.
    grade, style = ("accidental", "dim") if unit.accidental else ("substantive", "magenta")
    yield f"  ({unit.kind.value}, {grade})", style


def _reading(reading: Reading) -> str:
    return WANTING.get(reading.state) or reading.text


def change_lines(changes: Iterable[Change]) -> Iterator[str]:
    """Changes of rule: a sentence on a line, then the words that show it."""
    none = True
    for change in changes:
        none = False
        yield f"{change.locus}  {side(change.laws)}  {change.kind.value} {change.op} ({change.cert:.2f})"
        yield f"    {change.sentence}"
        yield from (f"    {siglum}: {words or WANTING[State.OMISSION]}" for siglum, words in change.readings.items())
    if none:
        yield "no changes of rule"


# -------------------------------------------------------------------------------------------------------------- reports


def edition(value: Edition) -> None:
    """What was found, repaired and doubted in a corpus."""
    say(value.corpus.title)
    say("")
    grid(
        ["witness", "work", "laws", "words", "noise", "corrections", "furniture", "doubts"],
        [_witness(witness, value.findings) for witness in value.witnesses],
    )
    say("")
    grid(
        [
            "work",
            "loci",
            "of which",
            "variants",
            "of sense",
            "changes of rule",
        ],
        [_work(work) for work in value.works],
    )
    if value.findings:
        say("")
        say("Doubts for the editor:")
        counts = Counter(finding.code for finding in value.findings).most_common()
        for code, count in counts[:_CODES_SHOWN]:
            say(f"  {count:5}  {code}")
        if len(counts) > _CODES_SHOWN:
            say(f"  and {len(counts) - _CODES_SHOWN} other kinds")


def _witness(witness: Witness, findings: Iterable[Finding]) -> list[object]:
    kinds = Counter(correction.kind for correction in witness.repair.corrections)
    furniture = kinds.pop(CorrectionKind.FURNITURE, 0)
    doubts = sum(finding.siglum == witness.siglum for finding in findings)
    words = sum(len(law.whole.split()) for law in witness.laws)
    noise = f"{100 * witness.repair.noise:.1f} %"
    laws = len(witness.laws)
    return [witness.siglum, witness.work, laws, words, noise, sum(kinds.values()), furniture, doubts]


def _work(work: Work) -> list[object]:
    relations = Counter(locus.relation for locus in work.concordance.loci)
    moved = sum(locus.moved for locus in work.concordance.loci)
    kinds = [f"{relations[relation]} {relation.value}" for relation in Relation if relations[relation]]
    # A law that an edition lacks altogether is told by its locus; it is no variant of any words.
    units = [u for collated in work.loci for u in collated.collation.units if u.kind is not UnitKind.ABSENT]
    return [
        work.id,
        len(work.concordance.loci),
        ", ".join([*kinds, f"{moved} moved"] if moved else kinds),
        len(units),
        sum(not unit.accidental for unit in units),
        sum(len(collated.changes) for collated in work.loci),
    ]


def rates(named: Iterable[tuple[str, Rate]]) -> None:
    """Figures of agreement with gold."""
    grid(
        ["", "gold", "found", "right", "precision", "recall", "F1"],
        [
            [name, rate.gold, rate.found, rate.hit, *(f"{x:.3f}" for x in (rate.precision, rate.recall, rate.f1))]
            for name, rate in named
        ],
    )


def understood(witness: Witness) -> Iterator[str]:
    """What was understood of one witness: pages, words, noise, corrections, its codes of laws, and the doubts."""
    repair = witness.repair
    yield f"{witness.siglum}: {witness.source.name}, {witness.source.encoding}"
    words, pages = f"{len(repair.text.split()):,} words", len(repair.pages)
    yield f"  {words} on {pages} page{'s' * (pages != 1)}, about {repair.noise:.1%} of the characters misread"
    yield f"  {len(repair.corrections):,} corrections, each with its reason in the tables of the edition"
    for section, numbers in _codes(witness.laws):
        span = numbers[0] if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
        yield f"  laws {span} ({len(numbers)})" + (f": {shown(section)}" if section else "")
    if not witness.laws:
        yield "  no numbered law was found"
    counts = Counter(finding.code for finding in (*repair.findings, *witness.segmented.findings))
    for code, count in sorted(counts.items()):
        yield f"  {count} × {code}"


def _codes(laws: Iterable[Law]) -> Iterator[tuple[str, list[str]]]:
    """The laws in runs: a new one where the count starts again. Each with the heading over its first law."""
    run: list[str] = []
    section, prefix = "", None
    for law in laws:
        own = law.id.removesuffix(law.number) if law.number else law.id
        if run and own != prefix:
            yield section, run
            run = []
        if not run:
            section, prefix = law.section, own
        run.append(law.number or law.id)
    if run:
        yield section, run


def explain(work: Work, witness: Witness, law: Law) -> None:
    """One law from page to apparatus."""
    out = console()
    own = [c for c in witness.repair.corrections if law.start <= c.start < law.end]
    _head(f"{witness.siglum}, law {law.id}: {work.title}")
    if law.section:
        say(f"under the heading {law.section!r}")
    if law.cert < 1:
        say(f"its number, {law.number}, is certain to {law.cert:.2f}; the page has {law.label or 'none'!r}")
    _head(f"On the page ({_where(witness, law.start)})")
    out.print(_marked(witness, law, own), soft_wrap=not sys.stdout.isatty())
    _head(f"Corrections: {len(own)}")
    if own:
        grid(
            ["found", "reads", "kind", "certainty", "rule and reason", "line", "span"],
            [_correction(witness, correction) for correction in own],
            _STYLES,
        )
    _explain_rulings([r for r in witness.repair.rulings if law.start <= r.start < law.end])
    _head("The law")
    _show([(f"{law.number}. ", "bold"), (law.text, "")] if law.text else [(f"{law.number}.", "bold")])
    for line in _clause_lines(law.clauses, "    "):
        say(line)
    for note in law.notes:
        say(f"    Note: {note.text}")
    for gap in law.gaps:
        say(f"    Text lost here: {gap.reason}")
    for collated in work.loci:
        if law.id in collated.locus.laws.get(witness.siglum, ()):
            _explain_locus(work, collated)


def _explain_rulings(rulings: Sequence[Ruled]) -> None:
    """Each ruling in a line: "accept |^ny| => any  (Ada Example, line 3: so in the other code)"."""
    if rulings:
        _head(f"Rulings: {len(rulings)}")
    for ruled in rulings:
        reads = "" if ruled.reads is None else f" => {ruled.reads}"
        who = ", ".join(filter(None, (ruled.by, f"line {ruled.line}")))
        say(f"    {ruled.verdict} |{ruled.found}|{reads}  ({who}{f': {ruled.note}' if ruled.note else ''})")


_STYLES = MappingProxyType({"found": "red", "reads": "green", "certainty": "yellow", "span": "dim"})


def _head(text: str) -> None:
    _show([(text, "bold")])


def _show(parts: Iterable[tuple[str, str]]) -> None:
    """A line of pieces in their styles, where the output stream is a terminal with colours; else the bare line."""
    from rich.text import Text

    console().print(Text.assemble(*((shown(text), style) for text, style in parts)), soft_wrap=True)


def _where(witness: Witness, at: int) -> str:
    line = 1 + witness.repair.raw.count("\n", 0, at)
    page = next((page for page in witness.repair.pages if page.start <= at < page.end), None)
    if page is None:
        return f"line {line}"
    return f"page {page.n}{f', printed {page.folio}' if page.folio else ''}, line {line}"


def _marked(witness: Witness, law: Law, corrections: Iterable[Correction]) -> Text:
    """The raw span of a law with its corrected places marked: by colour on a terminal, and by brackets everywhere."""
    from rich.text import Text

    raw, at, text = witness.repair.raw, law.start, Text()
    for correction in corrections:
        text.append(shown(raw[at : correction.start]))
        text.append(f"[{shown(correction.found)}", style="red")
        text.append(f"|{shown(correction.reads)}]", style="green")
        at = correction.end
    text.append(shown(raw[at : law.end]))
    return text


def _correction(witness: Witness, correction: Correction) -> list[object]:
    reason = f"{correction.rule}: {correction.evidence}" if correction.evidence else correction.rule
    line = 1 + witness.repair.raw.count("\n", 0, correction.start)
    before, after = _beside(witness.repair.raw, correction)
    found, reads = (f"{before}{text}{after}" for text in (correction.found, correction.reads))
    span = f"{correction.start}-{correction.end}"
    return [found, reads, correction.kind.value, correction.cert, reason, line, span]


def _beside(raw: str, correction: Correction) -> tuple[str, str]:
    """The letters that stand right before and after a correction: "over", "plus" of over- plus."""
    if correction.kind is CorrectionKind.FURNITURE:
        return "", ""
    start, end = correction.start, correction.end
    while start and correction.start - start < _SHORT and raw[start - 1].isalnum():
        start -= 1
    while end < len(raw) and end - correction.end < _SHORT and raw[end].isalnum():
        end += 1
    return raw[start : correction.start], raw[correction.end : end]


def _explain_locus(work: Work, collated: Collated) -> None:
    _head(f"Locus {collated.locus.id}")
    say(_locus(collated.locus))
    titles = {witness.siglum: witness.imprint.title for witness in work.witnesses}
    for siglum in collated.locus.laws:
        title = titles[siglum]
        known = f"{title.value}, {title.status}" if title.value else "title unknown"
        _show([(f"    {siglum}", "cyan"), (f": {known}", "")])
    _head(f"Variation units: {len(collated.collation.units)}")
    for unit in collated.collation.units:
        _show(_unit_parts(unit))
    _head(f"Changes of rule: {len(collated.changes)}")
    for line in change_lines(collated.changes) if collated.changes else ():
        _show([(line, "" if line.startswith(" ") else "yellow")])
