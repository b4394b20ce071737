"""The one composition: a corpus goes in, an edition comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from variorum import manifest, store
from variorum.apparatus import apparatus, torn
from variorum.change import changes
from variorum.collation import collate
from variorum.concord import concord
from variorum.errors import VariorumError
from variorum.manifest import Corpus, WitnessEntry, WorkEntry
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


def edit(corpus: str | Path | Corpus, progress: Progress = lambda _: None) -> Edition:
    """Edit a corpus: a folder with corpus.toml, the path of a manifest, or a manifest already loaded.

    A witness that cannot be read is left out and named in `problems`; the others go on. `progress` is called with a
    short word on each step. Raises ManifestError or SourceError where the manifest itself cannot be used.
    """
    loaded = corpus if isinstance(corpus, Corpus) else manifest.load(corpus)
    witnesses, problems = [], []
    for entry in loaded.witnesses:
        progress(f"repairing {entry.siglum}")
        try:
            witnesses.append(witness(entry, loaded))
        except VariorumError as error:
            problems.append(f"{entry.siglum}: {error}")
    works = []
    for work in loaded.works:
        progress(f"comparing {work.id}")
        own = tuple(w for w in witnesses if w.work == work.id)
        if own:
            works.append(compare(work, own))
    return Edition(loaded, tuple(works), tuple(witnesses), tuple(_findings(works, witnesses)), tuple(problems))


def witness(entry: WitnessEntry, corpus: Corpus) -> Witness:
    """One witness, from its file to its laws. Raises SourceError where the file is missing or holds no text."""
    return understood(read_source(entry.source, entry.source_name), entry, corpus)


def understood(source: Source, entry: WitnessEntry, corpus: Corpus) -> Witness:
    """A witness whose source has been read: repaired by the choices of the corpus, and cut into laws."""
    mended = repair(source, entry.imprint.not_after, apply=corpus.choices.apply, suggest=corpus.choices.suggest)
    return Witness(entry.siglum, entry.work, entry.imprint, source, cut(source, mended))


def read_source(path: Path, name: str) -> Source:
    """A witness's source: a file of any format that we read, or a folder with a file for each page.

    Raises SourceError, naming it `name`, where it is missing, cannot be read or holds no text.
    """
    if path.is_dir():
        return read_pages(in_order(store.read_folder(path, name), name), name)
    return read(store.read(path, name), name)


def cut(source: Source, mended: Repair) -> Segmented:
    """The laws of a source: as its file states them, else as they are found in its repaired text."""
    return source.stated if source.stated and source.stated.blocks else segment(mended)


def compare(work: WorkEntry, witnesses: Sequence[Witness]) -> Work:
    """A work in all its witnesses: concordance, then each locus collated, with its apparatus and changes of rule."""
    laws = {w.siglum: w.laws for w in witnesses}
    base = work.base if work.base in laws else witnesses[0].siglum
    ordered = {base: laws[base], **laws}
    concordance = concord(ordered)
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


__all__ = ["Concordance", "Edition", "collate_locus", "compare", "edit", "laws_at", "witness"]
