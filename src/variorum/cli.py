"""The command line. Each command reads files, calls the stages, and shows the result; nothing is worked out here.

Results go to the output stream; problems, and progress on a terminal, to the error stream. Exit codes: 0 done; 1 could
not go on; 2 wrong use; 3 done, but some witness has problems. Stages are imported inside the commands, so that
`variorum --help` answers at once.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from variorum import __version__, report, store
from variorum.errors import ManifestError, SourceError, VariorumError

if TYPE_CHECKING:
    from pandas import DataFrame

    from variorum.edition import Edition
    from variorum.manifest import Corpus
    from variorum.model import Concordance, Law, Segmented, Source, Witness, Work
    from variorum.score import Rate

Value = TypeVar("Value")

KEPT = ".kept"  # in the folder of the build: it goes when that goes
COULD_NOT, WRONG_USE, WITH_PROBLEMS = 1, 2, 3

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="--debug, anywhere in the line, shows where in the program an error arose.",
)


class Format(StrEnum):
    """How a result is written."""

    TEXT = "text"
    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    TEI = "tei"


class Also(StrEnum):
    """A further form of the tables, beside CSV and the workbook; docx is one of the texts to print."""

    PARQUET = "parquet"
    MARKDOWN = "markdown"
    LATEX = "latex"
    DOCX = "docx"


NOT_TEI = (Format.TEXT, Format.TABLE, Format.CSV, Format.JSON)

Files = Annotated[list[str], typer.Argument(metavar="FILE...", help="Text files; - is the input stream.")]
CorpusFolder = Annotated[Path, typer.Argument(metavar="[CORPUS]", help="Folder with corpus.toml.")]
As = Annotated[Format, typer.Option("--format", "-f", help="text, table, csv, json, or tei where it makes sense.")]
Year = Annotated[int | None, typer.Option(help="Year of printing: early spelling is then left alone.")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Processes that repair witnesses side by side.")]
AsItStands = Annotated[bool, typer.Option("--no-repair", help="Take the text as it stands.")]


def _version(wanted: bool) -> None:
    if wanted:
        report.say(f"variorum {__version__}")
        raise typer.Exit


@app.callback()
def _program(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """From the raw OCR of historical rulebooks to a critical edition, law by law."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with these arguments (default: those of the process) and return the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    report.settle_streams()
    debug = "--debug" in given
    try:
        app(args=[a for a in given if a != "--debug"], prog_name="variorum")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except VariorumError as error:
        if debug:
            raise
        _complain(str(error))
    except Exception as error:
        if debug:
            raise
        _complain(f"a fault of the program, not of your files ({type(error).__name__}: {error}); --debug shows where")
    return COULD_NOT


def _complain(what: str) -> None:
    # The line of progress, if there is one, gives way.
    clear = "\r\x1b[K" if sys.stderr.isatty() else ""
    sys.stderr.write(clear)
    for line in what.split("\n"):
        report.say(f"variorum: {line}", sys.stderr)


def _end(problems: Sequence[object]) -> None:
    if problems:
        raise typer.Exit(WITH_PROBLEMS)


def _one_of(form: Format, *allowed: Format) -> None:
    if form not in allowed:
        raise typer.BadParameter(f"{form.value!r} makes no sense here; choose from {', '.join(allowed)}")


# --------------------------------------------------------------------------------------------------------- single files


@dataclass(frozen=True, slots=True)
class _Read:
    """Files that could be read, under names of their own, and what was wrong with the others."""

    sources: Mapping[str, Source]
    problems: tuple[str, ...]


def _read(files: Sequence[str], at_least: int = 1) -> _Read:
    """Read files. A bad one is told on the error stream and does not stop the others, if `at_least` are left."""
    from variorum import sources
    from variorum.edition import read_source

    if len(files) < at_least:
        raise typer.BadParameter(f"needs at least {at_least} files", param_hint="FILE...")
    if files.count("-") > 1:
        raise typer.BadParameter("the input stream (-) can be read only once", param_hint="FILE...")
    good: dict[str, Source] = {}
    problems = []
    for name, file in zip(_names(files), files, strict=True):
        try:
            if file == "-":
                good[name] = sources.read(store.read_stdin(), "input stream")
            else:
                good[name] = read_source(Path(file), file)
        except VariorumError as error:
            problems.append(str(error))
    for problem in problems:
        _complain(problem)
    if len(good) < at_least:
        raise typer.Exit(COULD_NOT)
    return _Read(good, tuple(problems))


def _names(files: Sequence[str]) -> list[str]:
    """A short name for each file, without folder and suffix (a/ecarte.ocr.txt -> ecarte), all different."""
    names: list[str] = []
    for file in files:
        stem = "stdin" if file == "-" else Path(file).stem.removesuffix(".ocr") or file
        name, k = stem, 1
        while name in names:
            k += 1
            name = f"{stem}-{k}"
        names.append(name)
    return names


def _segmented(source: Source, year: int | None, no_repair: bool) -> Segmented:
    from variorum.edition import cut
    from variorum.repair import repair, untouched

    return cut(source, untouched(source) if no_repair else repair(source, year))


def _witness(siglum: str, source: Source, segmented: Segmented) -> Witness:
    """A witness of which nothing is known but its file."""
    from variorum.model import Fact, Imprint, Witness

    unknown = Fact("", "unknown")
    imprint = Imprint(unknown, unknown, unknown, None, None, "unknown", source.name, "")
    return Witness(siglum, "texts", imprint, source, segmented)


def _json(shape: object) -> None:
    from variorum import shapes

    encoding = (sys.stdout.encoding or "").lower()
    report.say(shapes.dumps(shape, ascii_only=not encoding.startswith("utf")))


def _each(shapes_of: Mapping[str, dict[str, Any]]) -> None:
    """The JSON of one file as it is; that of several as a list. Each names its file."""
    named = [{**shape, "file": name} for name, shape in shapes_of.items()]
    _json(named[0] if len(named) == 1 else named)


def _table(frame: DataFrame, form: Format, columns: Sequence[str] = ()) -> None:
    """A table on the output stream, whole as CSV; for the eye only those of the columns that say something."""
    if form is Format.TABLE:
        chosen = [c for c in columns or frame.columns if (frame[c].astype(str) != "").any()]
        report.grid(chosen, frame[chosen].itertuples(index=False, name=None))
        return
    from variorum.tables import csv_bytes

    _bytes(csv_bytes(frame))


def _bytes(data: bytes) -> None:
    """A file on the output stream: its own bytes, or safe text where the stream is a terminal."""
    sys.stdout.flush()
    out = getattr(sys.stdout, "buffer", None)
    if out is None or sys.stdout.isatty():
        report.say(data.decode("utf-8-sig").replace("\r\n", "\n").rstrip("\n"))
    else:
        out.write(data)
        out.flush()


def _tei(name: str, source: Source, segmented: Segmented) -> bytes:
    """The TEI file of a text of which nothing is known but its name."""
    from variorum import tei

    siglum = re.sub("[^A-Za-z0-9]+", "-", name).strip("-")
    siglum = siglum if siglum[:1].isalpha() else f"W{siglum}"
    header = tei.Header(title=name, version=__version__)
    return tei.checked(tei.edition(_witness(siglum, source, segmented), header), f"{siglum}.xml")


def _lines(texts: Mapping[str, Iterable[str]]) -> None:
    """Lines of text; where there are several files, each under its name."""
    for k, (name, lines) in enumerate(texts.items()):
        if len(texts) > 1:
            report.say(f"{'' if k == 0 else chr(10)}==> {name} <==")
        for line in lines:
            report.say(line)


@app.command()
def clean(
    files: Files,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Write the text here; a folder for several.")] = None,
    changes: Annotated[Path | None, typer.Option(help="Write every correction, with its reason, as CSV here.")] = None,
    form: As = Format.TEXT,
    year: Year = None,
) -> None:
    """Repair texts; each correction has its reason."""
    from variorum.repair import repair

    _one_of(form, *NOT_TEI)
    _spare(files, (out, changes))
    read = _read(files)
    repairs = {name: repair(source, year) for name, source in read.sources.items()}
    if changes or form in (Format.TABLE, Format.CSV):
        from variorum import tables
        from variorum.model import Segmented

        witnesses = [_witness(name, read.sources[name], Segmented(done)) for name, done in repairs.items()]
        corrections = tables.table("corrections", witnesses=witnesses)
        if changes:
            store.write(changes, tables.csv_bytes(corrections))
    if out:
        for name, done in repairs.items():
            store.write(_target(out, name, len(repairs)), done.text.encode("utf-8", "replace"))
    elif form is Format.JSON:
        from variorum import shapes

        _each({name: shapes.clean(done) for name, done in repairs.items()})
    elif form is Format.TEXT:
        # A page's end is a form feed in the text, and a line end to the eye.
        _lines({name: [done.text.replace("\f", "\n").removesuffix("\n")] for name, done in repairs.items()})
    else:
        _table(corrections, form, ("witness", "line", "found", "reads", "kind", "cert", "rule", "evidence"))
    _end(read.problems)


def _spare(files: Sequence[str], outputs: Iterable[Path | None]) -> None:
    """Refuse to write over a raw text."""
    for out in outputs:
        for file in files:
            if out and file != "-" and out.exists() and os.path.exists(file) and os.path.samefile(out, file):
                raise SourceError(file, "would be overwritten by its own repair", "name another file to write to")


def _target(out: Path, name: str, count: int) -> Path:
    return out / f"{name}.txt" if count > 1 or out.is_dir() else out


@app.command()
def laws(files: Files, form: As = Format.TEXT, year: Year = None, no_repair: AsItStands = False) -> None:
    """Find the numbered laws of texts; TEI of one text at a time."""
    if form is Format.TEI and len(files) > 1:
        raise typer.BadParameter("takes one file as TEI; variorum build writes a whole corpus", param_hint="FILE...")
    read = _read(files)
    cut = {name: _segmented(source, year, no_repair) for name, source in read.sources.items()}
    if form is Format.JSON:
        from variorum import shapes

        _each({n: shapes.laws(s.laws, (*s.repair.findings, *s.findings)) for n, s in cut.items()})
    elif form is Format.TEXT:
        _lines({name: report.law_lines(segmented) for name, segmented in cut.items()})
    elif form is Format.TEI:
        for name, segmented in cut.items():
            _bytes(_tei(name, read.sources[name], segmented))
    else:
        from variorum.tables import table

        register = table("register", witnesses=[_witness(n, read.sources[n], s) for n, s in cut.items()])
        _table(register, form, ("witness", "law", "label", "section", "line", "words", "cert", "text"))
    _end([*read.problems, *_problems(cut)])


def _problems(cut: Mapping[str, Segmented]) -> list[str]:
    """Tell the findings that are problems, and return them."""
    problems = []
    for name, segmented in cut.items():
        for finding in (*segmented.repair.findings, *segmented.findings):
            if finding.problem:
                problems.append(f"{name}: {finding.message}")
                _complain(problems[-1])
    return problems


@app.command()
def align(files: Files, form: As = Format.TEXT, year: Year = None, no_repair: AsItStands = False) -> None:
    """Show which law answers to which."""
    from variorum.concord import concord

    _one_of(form, *NOT_TEI)
    read = _read(files, 2)
    cut = {name: _segmented(source, year, no_repair) for name, source in read.sources.items()}
    concordance = concord({name: segmented.laws for name, segmented in cut.items()})
    if form is Format.JSON:
        from variorum import shapes

        _json(shapes.align(concordance))
    elif form is Format.TEXT:
        _lines({"": report.locus_lines(concordance)})
    else:
        from variorum.tables import table

        work = _work(read, cut, concordance)
        _table(
            table("concordance", [work], work.witnesses), form, ("locus", *cut, "relation", "moved", "cert", "evidence")
        )
    _end([*read.problems, *_problems(cut)])


def _work(read: _Read, cut: Mapping[str, Segmented], concordance: Concordance) -> Work:
    from variorum.model import Work

    witnesses = tuple(_witness(name, read.sources[name], segmented) for name, segmented in cut.items())
    return Work("texts", "", witnesses[0].siglum, witnesses, concordance, ())


@app.command()
def collate(files: Files, form: As = Format.TEXT) -> None:
    """Compare texts word by word, each file as one law."""
    from variorum.apparatus import apparatus
    from variorum.collation import collate as align_words

    _one_of(form, *NOT_TEI)
    read = _read(files, 2)
    for name, source in read.sources.items():
        if (held := len(_segmented(source, None, True).laws)) > 1:
            _complain(
                f"{name}: holds {held} numbered laws, and is compared as if it were one, numbers and all: "
                "to compare law by law, use variorum changes, or variorum build with a corpus"
            )
    texts = {name: source.raw for name, source in read.sources.items()}
    collation = apparatus(align_words(texts), None, next(iter(texts)))
    if form is Format.JSON:
        from variorum import shapes

        _json(shapes.collate(collation))
    elif form is Format.TEXT:
        _lines({"": report.unit_lines(collation)})
    else:
        from variorum.tables import alignment

        _table(alignment(collation), form)
    _end(read.problems)


@app.command()
def changes(files: Files, form: As = Format.TEXT, year: Year = None, no_repair: AsItStands = False) -> None:
    """Show where the rule itself changed between texts."""
    from variorum.concord import concord
    from variorum.edition import collate_locus

    _one_of(form, *NOT_TEI)
    read = _read(files, 2)
    cut = {name: _segmented(source, year, no_repair) for name, source in read.sources.items()}
    own = {name: segmented.laws for name, segmented in cut.items()}
    concordance = concord(own)
    loci = tuple(collate_locus(locus, own, next(iter(own))) for locus in concordance.loci)
    found = [change for locus in loci for change in locus.changes]
    if form is Format.JSON:
        from variorum import shapes

        _json(shapes.changes(list(own), found))
    elif form is Format.TEXT:
        _lines({"": report.change_lines(found)})
    else:
        from variorum.tables import table

        work = replace(_work(read, cut, concordance), loci=loci)
        _table(table("changes", [work], work.witnesses), form, ("laws", "kind", "op", *cut, "sentence", "cert"))
    _end([*read.problems, *_problems(cut)])


# -------------------------------------------------------------------------------------------------------------- corpora


@app.command()
def new(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to make.")],
    title: Annotated[str, typer.Option(help="Title of the edition.")] = "",
    date: Annotated[str, typer.Option(help="Date of the edition, as 2026-12-01; default: today.")] = "",
) -> None:
    """Begin a corpus: a folder with a manifest that explains itself."""
    from datetime import date as calendar

    from variorum import enrol

    path = enrol.new(folder, title or folder.resolve().name, date or calendar.today().isoformat())
    report.say(f"{path} written; put witnesses in: variorum add FILE... --corpus {folder} --work WORK --siglum SIGLUM")


@app.command()
def learn(
    texts: Annotated[list[Path], typer.Argument(metavar="FOLDER...", help="Folders of clean texts, *.txt in UTF-8.")],
    out: Annotated[Path, typer.Option(help="Folder for the language; name it in corpus.toml: [choices] language.")],
    leave_out: Annotated[list[Path], typer.Option(help="A text not to learn from; may be given again.")] = [],  # noqa: B006
    glossary: Annotated[Path | None, typer.Option(help="Further words; # starts a remark.")] = None,
) -> None:
    """Learn a language or a period from texts, for pages that are not in the English of 1750 to 1920."""
    from variorum import enrol

    words, count = enrol.learn(texts, out, leave_out, glossary)
    report.say(f"{out} written: {words:,} words from {count} texts")


@app.command()
def add(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="A file, a folder of pages, or several pages.")
    ],
    work: Annotated[str, typer.Option(help="Id of the work; a new one is made.")],
    siglum: Annotated[str, typer.Option(help="Short name of the witness: letters, digits, hyphens.")],
    year: Annotated[str, typer.Option(help="Year of printing, as 1850 or 1840-1850.")] = "",
    inferred: Annotated[bool, typer.Option("--inferred", help="The year is not stated in the print.")] = False,
    title: Annotated[str, typer.Option(help="Title of the print.")] = "",
    work_title: Annotated[str, typer.Option(help="Title of a new work.")] = "",
    corpus: Annotated[Path, typer.Option(help="Folder with corpus.toml.")] = Path("corpus"),
    link: Annotated[bool, typer.Option("--link", help="Link to the files instead of copying them.")] = False,
) -> None:
    """Put a witness into a corpus, and say what was understood of it."""
    from variorum import enrol

    try:
        years = enrol.years(year) if year else ()
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--year") from None
    facts = enrol.Facts(siglum, work, years, inferred, title, work_title)
    witness = enrol.add(corpus, files, facts, link)
    for line in report.understood(witness):
        report.say(line)
    _end([finding for finding in witness.segmented.findings if finding.problem])


@app.command()
def build(
    corpus: CorpusFolder = Path("corpus"),
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder to write to.")] = Path("build"),
    also: Annotated[
        list[Also] | None, typer.Option(help="Write the tables (docx: the texts) in this form too; may be repeated.")
    ] = None,
    jobs: Jobs = 1,
    fresh: Annotated[bool, typer.Option("--fresh", help="Repair every witness anew, changed or not.")] = False,
) -> None:
    """Build TEI, tables and reading edition of a corpus; witnesses that have not changed are not repaired again."""
    with store.alone(out):
        edition = _edit(corpus, jobs, None if fresh else out / KEPT)
        paths = edition.write(out, also or ())
    report.edition(edition)
    report.say("")
    report.say(f"{len(paths)} files written to {out}")
    _end(_tell(edition))


def _edit(corpus: Path | Corpus, jobs: int = 1, keep: Path | None = None) -> Edition:
    from variorum.edition import edit

    step = report.progress()
    edition = edit(corpus, step, jobs=jobs, keep=keep)
    step("")
    if not edition.witnesses:
        _tell(edition)
        raise SourceError(str(edition.corpus.folder), "no witness could be read", "mend the problems named above")
    return edition


def _tell(edition: Edition) -> list[str]:
    """Tell the problems of an edition on the error stream, and return them."""
    named = [f"{f.siglum}: {f.message}" if f.siglum else f.message for f in edition.findings if f.problem]
    problems = [*edition.problems, *named]
    for problem in problems:
        _complain(problem)
    return problems


@app.command()
def check(
    corpus: Annotated[
        Path, typer.Argument(metavar="[CORPUS]", help="Folder with corpus.toml; or TEI: a file or a folder of files.")
    ] = Path("corpus"),
    former: Annotated[Path | None, typer.Option(help="TEI: an earlier build whose ids should still be there.")] = None,
    schema: Annotated[Path | None, typer.Option(help="TEI: a further RELAX NG schema, such as tei_all.rng.")] = None,
    schematron: Annotated[
        Path | None, typer.Option(help="TEI: Schematron rules, such as tei/schema/profile.sch.")
    ] = None,
) -> None:
    """Check manifest, sources, rulings and gold without building; or TEI files."""
    from variorum import manifest

    if _holds_tei(corpus):
        _check_tei(corpus, former, schema, schematron)
        return
    loaded: Corpus | None = None
    wrong: tuple[str, ...] = ()
    try:
        loaded = manifest.load(corpus)
    except ManifestError as error:
        wrong = tuple(str(error).split("\n"))
    problems = [*wrong, *_check_sources(corpus, loaded), *(_check_gold(loaded) if loaded else ())]
    for problem in problems:
        _complain(problem)
    if wrong:
        raise typer.Exit(COULD_NOT)
    _end(problems)


def _check_sources(folder: Path, corpus: Corpus | None) -> Iterator[str]:
    """What is wrong with the sources and the rulings on them; where the manifest is right, the good ones are named."""
    from variorum import manifest
    from variorum.edition import read_source, ruling_doubts

    for siglum, path, name in manifest.sources_named(folder):
        try:
            source = read_source(path, name)
        except VariorumError as error:
            yield f"{siglum}: {error}"
            continue
        doubts = "".join(f"; {finding.message}" for finding in source.findings)
        if corpus is None:
            continue
        rulings = corpus.rulings.get(siglum, ())
        ruled = f", {len(rulings)} ruling{'s' * (len(rulings) > 1)}" if rulings else ""
        report.say(f"{siglum}: {name}, {len(source.raw)} characters, {source.encoding}{ruled}{doubts}")
        yield from (f"{siglum}: {finding.message}" for finding in ruling_doubts(source, rulings))


def _check_gold(corpus: Corpus) -> Iterator[str]:
    for path in [*(e.gold for e in corpus.witnesses), *(p for w in corpus.works for p in (w.links, w.changes))]:
        try:
            if path:
                _gold(path)
        except VariorumError as error:
            yield str(error)


def _holds_tei(path: Path) -> bool:
    """True for an XML file, and for a folder that holds some and is no corpus."""
    if path.is_dir():
        return not (path / "corpus.toml").exists() and any(path.rglob("*.xml"))
    return path.suffix == ".xml"


def _check_tei(path: Path, former: Path | None, schema: Path | None, rules: Path | None) -> None:
    from variorum import tei

    def files(where: Path) -> dict[str, bytes]:
        return store.read_all(where, ".xml") if where.is_dir() else {where.name: store.read(where, str(where))}

    read = files(path)
    problems = tei.check_files(read, files(former) if former else None, store.read(schema) if schema else None)
    if rules:
        from variorum.tei.schematron import complaints

        problems += complaints(store.read(rules), read)
    for problem in problems:
        _complain(problem)
    report.say(f"{len(read)} TEI files checked, {len(problems) or 'no'} problems")
    _end(problems)


def _gold(path: Path) -> Any:
    import json

    data = store.read(path)
    try:
        return json.loads(data)
    except ValueError as error:
        raise SourceError(str(path), f"is not JSON ({error})", "mend it or take it out of the manifest") from None


@app.command()
def score(corpus: CorpusFolder = Path("corpus"), form: As = Format.TABLE) -> None:
    """Compare the result, without any ruling, with the gold of the corpus."""
    from variorum import manifest

    _one_of(form, Format.TABLE, Format.JSON)
    # What the editor has ruled is no merit of the program.
    edition = _edit(replace(manifest.load(corpus), rulings={}, links=()))
    texts, laws_, links = _scores(edition)
    if not texts and not links:
        raise SourceError(str(corpus), "names no gold", "give witnesses a gold file, or works a file of links")
    if form is Format.JSON:
        _json({"texts": texts, "laws": _rates(laws_), "links": _rates(links)})
    else:
        report.grid(
            ["witness", "errors before", "errors after"],
            [[name, *(f"{100 * rate:.2f} %" for rate in pair.values())] for name, pair in texts.items()],
        )
        report.say("")
        report.rates([*laws_.items(), *links.items()])
    _end(_tell(edition))


def _scores(edition: Edition) -> tuple[dict[str, dict[str, float]], dict[str, Rate], dict[str, Rate]]:
    """Character error rates before and after repair, rates of laws, rates of links, each by a name."""
    from variorum import score as scoring

    texts: dict[str, dict[str, float]] = {}
    laws_: dict[str, Rate] = {}
    links: dict[str, Rate] = {}
    gold_of = {entry.siglum: _gold(entry.gold) for entry in edition.corpus.witnesses if entry.gold}
    for witness in edition.witnesses:
        if gold := gold_of.get(witness.siglum):
            page = scoring.page_text(gold, witness.source.raw)
            texts[witness.siglum] = {
                "before": scoring.character_error_rate(witness.source.raw, page),
                "after": scoring.character_error_rate(witness.repair.text, page),
            }
            laws_[f"{witness.siglum} laws"] = scoring.law_rate(gold["laws"], witness.laws)
    for entry, work in _with_gold(edition):
        sigla = {gold["witness"]: siglum for siglum, gold in gold_of.items()}
        if entry.links:
            gold = _gold(entry.links)
            a, b = (sigla.get(gold[side], gold[side]) for side in ("a", "b"))
            pairs, groups = scoring.link_rates(gold, [locus.laws for locus in work.concordance.loci], a, b)
            links |= {f"{work.id} links, pair by pair": pairs, f"{work.id} links, whole groups": groups}
            if entry.changes:
                found = [change for collated in work.loci for change in collated.changes]
                links[f"{work.id} changes of rule"] = scoring.change_rate(_gold(entry.changes), found, a, b)
    return texts, laws_, links


def _with_gold(edition: Edition) -> Iterator[tuple[Any, Work]]:
    works = {work.id: work for work in edition.works}
    for entry in edition.corpus.works:
        if entry.id in works:
            yield entry, works[entry.id]


def _rates(named: Mapping[str, Rate]) -> dict[str, dict[str, float]]:
    return {
        name: {
            "gold": rate.gold,
            "found": rate.found,
            "hit": rate.hit,
            "precision": rate.precision,
            "recall": rate.recall,
            "f1": rate.f1,
        }
        for name, rate in named.items()
    }


@app.command()
def explain(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="Folder with corpus.toml.")],
    siglum: Annotated[str, typer.Argument(metavar="SIGLUM", help="Witness.")],
    law: Annotated[str, typer.Argument(metavar="LAW", help="Number of the law (or SW.3 where a count restarts).")],
) -> None:
    """Show one law from page to apparatus."""
    from variorum import manifest

    loaded = manifest.load(corpus)
    entry = _pick(siglum, {entry.siglum: entry for entry in loaded.witnesses}, "witness", str(corpus))
    own = tuple(e for e in loaded.witnesses if e.work == entry.work)
    edition = _edit(replace(loaded, witnesses=own, works=tuple(w for w in loaded.works if w.id == entry.work)))
    witness = _pick(siglum, {w.siglum: w for w in edition.witnesses}, "readable witness", str(corpus))
    report.explain(edition.works[0], witness, _law(witness, law))
    _end(_tell(edition))


def _law(witness: Witness, name: str) -> Law:
    """The law with this id, or else the only one with this number."""
    by_id = {law.id: law for law in witness.laws}
    numbered = [law for law in witness.laws if law.number == name]
    if name not in by_id and len(numbered) == 1:
        return numbered[0]
    if name not in by_id and numbered:
        which = ", ".join(law.id for law in numbered)
        raise VariorumError(witness.siglum, f"has several laws {name}", f"choose from {which}")
    return _pick(name, by_id, "law", witness.siglum)


def _pick(name: str, known: Mapping[str, Value], what: str, where: str) -> Value:
    """The value of that name. Raises VariorumError that names what there is."""
    if name in known:
        return known[name]
    near = get_close_matches(name, known, 1, 0.5)
    remedy = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known) or 'none'}"
    raise VariorumError(where, f"has no {what} {name!r}", remedy)


if __name__ == "__main__":
    sys.exit(main())
