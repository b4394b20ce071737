"""The one composition: a corpus goes in, an edition comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from variorum import kept, manifest, store
from variorum.apparatus import apparatus, torn
from variorum.change import changes
from variorum.collation import collate
from variorum.concord import concord
from variorum.consult import consult
from variorum.errors import VariorumError
from variorum.language import load as load_language
from variorum.manifest import Choices, Corpus, WitnessEntry, WorkEntry
from variorum.model import (
    Collated,
    Collation,
    Concordance,
    Finding,
    Law,
    Locus,
    Repair,
    Segmented,
    Source,
    Witness,
    Work,
)
from variorum.repair import repair
from variorum.repair.doubt import APPLY, SUGGEST
from variorum.rulings import LinkRuling, Ruling, doubts, overruled, resolve, unheeded
from variorum.segment import segment
from variorum.sources import read, read_pages
from variorum.sources.packed import in_order

if TYPE_CHECKING:
    from pandas import DataFrame

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Edition:
    """A corpus edited: its works, each with witnesses, concordance and collated loci.

    `witnesses` holds every witness that could be read, `problems` one line for each that could not, `findings` what the
    editor should look at.
    """

    corpus: Corpus
    works: tuple[Work, ...]
    witnesses: tuple[Witness, ...]
    findings: tuple[Finding, ...]
    problems: tuple[str, ...]

    @cached_property
    def tables(self) -> dict[str, DataFrame]:
        """The comparison tables by name; see their data dictionary, `tables["columns"]`."""
        from variorum.tables import tables

        return tables(self.works, self.witnesses, self.findings)

    @cached_property
    def tei(self) -> dict[str, bytes]:
        """The TEI files by path: editions/SIGLUM.xml for each witness, WORK.xml for each collation. All are valid."""
        from variorum.tei import files

        return files(self.works, self.witnesses, self.corpus)

    @cached_property
    def reading(self) -> dict[str, bytes]:
        """The reading edition by path: reading/WORK.html, reading/index.html and pictures/NAME.svg."""
        from variorum.reading import files

        return files(self.works, self.witnesses, self.findings, self.corpus)

    def files(self, also: Iterable[str] = ()) -> dict[str, bytes]:
        """All files of the edition by relative path: TEI, tables as CSV and one workbook, reading edition, pictures,
        and texts to print (plain, Markdown, LaTeX).

        `also` names further forms: of the tables "parquet", "markdown", "latex"; of the texts "docx".
        """
        from variorum import exports
        from variorum.reading import page_names
        from variorum.tables import files

        also = tuple(also)
        pages = {work: f"../reading/{name}" for work, name in page_names(self.works).items()}
        return {
            **self.reading,
            **exports.files(self.works, self.witnesses, also),
            **{f"tei/{name}": data for name, data in self.tei.items()},
            **{f"tables/{name}": data for name, data in files(self.tables, self.works, pages, also).items()},
        }

    def write(self, out: str | Path = "build", also: Iterable[str] = ()) -> tuple[Path, ...]:
        """Write all files into the folder `out`, or none where any of them is not valid. Returns the paths.

        `also` names further forms, as in `files`.
        """
        return store.write_all(Path(out), self.files(also))


def edit(
    corpus: str | Path | Corpus, progress: Progress = lambda _: None, *, jobs: int = 1, keep: Path | None = None
) -> Edition:
    """Edit a corpus: a folder with corpus.toml, the path of a manifest, or a manifest already loaded.

    A witness that cannot be read is left out and named in `problems`; the others go on. `progress` is called with a
    short word on each step. `jobs` is the number of processes that read and repair witnesses side by side; `keep` a
    folder where repaired witnesses are kept for the next run. Neither changes the edition. Raises ManifestError or
    SourceError where the manifest itself cannot be used.
    """
    loaded = corpus if isinstance(corpus, Corpus) else manifest.load(corpus)
    witnesses, problems, names = [], [], []
    for entry, made in zip(loaded.witnesses, _made(loaded, progress, jobs, keep), strict=True):
        if isinstance(made, str):
            problems.append(f"{entry.siglum}: {made}")
        else:
            name, source, segmented = made
            names.append(name)
            witnesses.append(Witness(entry.siglum, entry.work, entry.imprint, source, segmented))
    if keep:
        kept.forget(keep, names)
    works = []
    for work in loaded.works:
        progress(f"comparing {work.id}")
        own = tuple(w for w in witnesses if w.work == work.id)
        if own:
            works.append(compare(work, own, loaded.links, loaded.choices))
    consulted = {w.siglum: w for work in works for w in work.witnesses}
    witnesses = [consulted[w.siglum] for w in witnesses]
    return Edition(loaded, tuple(works), tuple(witnesses), tuple(_findings(works, witnesses)), tuple(problems))


_Made = tuple[str, Source, Segmented] | str


def _made(corpus: Corpus, progress: Progress, jobs: int, keep: Path | None) -> Iterator[_Made]:
    """For each witness, in the order of the manifest: the name it is kept under and its text; or what is wrong."""
    tasks = [(entry, corpus.choices, corpus.rulings.get(entry.siglum, ()), keep) for entry in corpus.witnesses]
    told = [f"repairing {e.siglum} ({k} of {len(tasks)})" for k, e in enumerate(corpus.witnesses, 1)]
    jobs = min(jobs, len(tasks))
    if jobs < 2:
        for task, what in zip(tasks, told, strict=True):
            progress(what)
            yield _make(*task)
        return
    # New processes and not copies of this one: what this one has loaded, threads and all, cannot get in their way.
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))
    try:
        for future, what in zip([pool.submit(_make, *task) for task in tasks], told, strict=True):
            progress(what)
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _make(entry: WitnessEntry, choices: Choices, rulings: Sequence[Ruling], keep: Path | None) -> _Made:
    try:
        files = _files(entry.source, entry.source_name)
        names = [name for name, _ in files]
        said = repr((entry.source_name, entry.imprint.not_after, choices.as_rows(), names, rulings))
        name = kept.key([said.encode(), *(data for _, data in files)]) if keep else ""
        if keep and (found := kept.recall(keep, name)):
            return name, *found
        source = _source(entry.source, files, entry.source_name)
        segmented = _cut(source, entry, choices, rulings)
    except VariorumError as error:
        return str(error)
    if keep:
        kept.keep(keep, name, source, segmented)
    return name, source, segmented


def understood(source: Source, entry: WitnessEntry, corpus: Corpus) -> Witness:
    """A witness whose source has been read: repaired by the choices of the corpus, and cut into laws."""
    rulings = corpus.rulings.get(entry.siglum, ())
    return Witness(entry.siglum, entry.work, entry.imprint, source, _cut(source, entry, corpus.choices, rulings))


def _cut(source: Source, entry: WitnessEntry, choices: Choices, rulings: Sequence[Ruling]) -> Segmented:
    if source.stated and source.stated.blocks:
        return replace(source.stated, findings=(*source.stated.findings, *unheeded(rulings)))
    year, apply, suggest = entry.imprint.not_after, choices.apply, choices.suggest
    spoken = load_language(choices.language)
    return cut(source, repair(source, year, apply=apply, suggest=suggest, rulings=rulings, spoken=spoken))


def ruling_doubts(source: Source, rulings: Sequence[Ruling]) -> tuple[Finding, ...]:
    """The rulings on a source that cannot be carried out, a finding each."""
    return unheeded(rulings) if source.stated and source.stated.blocks else doubts(source.raw, rulings)


def read_source(path: Path, name: str) -> Source:
    """A witness's source: a file of any format that we read, or a folder with a file for each page.

    Raises SourceError, naming it `name`, where it is missing, cannot be read or holds no text.
    """
    return _source(path, _files(path, name), name)


def _files(path: Path, name: str) -> list[tuple[str, bytes]]:
    return store.read_folder(path, name) if path.is_dir() else [("", store.read(path, name))]


def _source(path: Path, files: list[tuple[str, bytes]], name: str) -> Source:
    return read_pages(in_order(files, name), name) if path.is_dir() else read(files[0][1], name)


def cut(source: Source, mended: Repair) -> Segmented:
    """The laws of a source: as its file states them, else as they are found in its repaired text."""
    return source.stated if source.stated and source.stated.blocks else segment(mended)


def compare(
    work: WorkEntry,
    witnesses: Sequence[Witness],
    rulings: Sequence[LinkRuling] = (),
    choices: Choices = Choices(APPLY, SUGGEST),  # noqa: B008 - it is frozen
) -> Work:
    """A work in all its witnesses: concordance, doubtful words judged by the other editions, then each locus collated,
    with its apparatus and changes of rule.

    `rulings` say which laws the editor holds to be one, or never one, whatever their likeness; `choices` are those of
    the corpus.
    """
    laws = {w.siglum: w.laws for w in witnesses}
    base = work.base if work.base in laws else witnesses[0].siglum
    ordered = {base: laws[base], **laws}
    ruled, findings = resolve(rulings, laws)
    concordance = concord(ordered, ruled)
    concordance = replace(concordance, findings=(*findings, *concordance.findings))
    consulted = consult(witnesses, concordance, choices.apply, load_language(choices.language))
    witnesses = [replace(w, segmented=overruled(w.segmented)) for w in consulted]
    ordered |= {w.siglum: w.laws for w in witnesses}
    loci = tuple(collate_locus(locus, ordered, base) for locus in concordance.loci)
    return Work(work.id, work.title, base, tuple(witnesses), concordance, loci)


def collate_locus(locus: Locus, laws: Mapping[str, Sequence[Law]], base: str | None) -> Collated:
    """The words of one locus aligned across all witnesses; `laws` are all laws of each witness."""
    here = laws_at(locus, laws)
    texts = {siglum: " ".join(law.whole for law in here.get(siglum, ())) for siglum in laws}
    present = {siglum: text for siglum, text in texts.items() if siglum in here}
    collation = apparatus(
        _with_absent(collate(present), tuple(laws)),
        locus,
        base,
        torn={siglum: torn(own) for siglum, own in here.items()},
    )
    return Collated(locus, collation, changes(locus, here, collation))


def laws_at(locus: Locus, laws: Mapping[str, Sequence[Law]]) -> dict[str, tuple[Law, ...]]:
    """The laws that stand at a locus, by witness."""
    by_id = {siglum: {law.id: law for law in own} for siglum, own in laws.items()}
    return {siglum: tuple(by_id[siglum][i] for i in ids) for siglum, ids in locus.laws.items()}


def _with_absent(collation: Collation, witnesses: tuple[str, ...]) -> Collation:
    rows = tuple({siglum: row.get(siglum) for siglum in witnesses} for row in collation.rows)
    return Collation(witnesses, rows)


def _findings(works: Sequence[Work], witnesses: Sequence[Witness]) -> Iterator[Finding]:
    for w in witnesses:
        for finding in (*w.repair.findings, *w.segmented.findings):
            yield replace(finding, siglum=w.siglum)
    for work in works:
        yield from work.concordance.findings


__all__ = ["Concordance", "Edition", "collate_locus", "compare", "edit", "laws_at"]
