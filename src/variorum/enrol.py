"""A new corpus, and a new witness in a corpus: the manifest is added to as an editor would, comments and order kept."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from variorum import manifest, store
from variorum.edition import understood
from variorum.errors import SourceError, VariorumError
from variorum.language import FACTS
from variorum.manifest import NAME
from variorum.model import Source, Witness
from variorum.repair.doubt import APPLY, SUGGEST
from variorum.sources import read, read_pages
from variorum.sources.packed import in_order

FOLDER = "witnesses"
CONFUSIONS = "confusions.txt"
FEWEST = 50_000  # words from which a language can be told at all

_TEMPLATE = """\
# What a source states stands as a plain value: year = 1850. What an editor inferred stands as {{ inferred = ... }}:
# year = {{ inferred = [1840, 1850] }}. What nobody knows is left out, and shown as unknown.

[corpus]
title = {title}
date = "{date}" # of the edition: it stands in the TEI headers, and no clock does
publisher = ""
licence = ""

[choices]
apply = {apply:g} # a correction at least this certain is applied
suggest = {suggest:g} # one less certain, but at least this, is shown as a finding and not applied

# Put witnesses in by:  variorum add FILE... --work WORK --siglum SIGLUM --year YEAR --corpus {name}
"""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a scholar says of a new witness: `years` are one year, or the earliest and the latest; () if unknown."""

    siglum: str
    work: str
    years: tuple[int, ...] = ()
    inferred: bool = False
    title: str = ""
    work_title: str = ""


def new(folder: Path, title: str, date: str) -> Path:
    """Begin a corpus: a folder with a manifest that explains itself. Returns the manifest's path.

    Raises VariorumError where the folder has a manifest already.
    """
    path = folder / NAME
    if path.exists():
        raise VariorumError(
            str(path), "is there already", "add witnesses to it with variorum add, or name another folder"
        )
    text = _TEMPLATE.format(title=quoted(title), date=date, apply=APPLY, suggest=SUGGEST, name=folder.as_posix())
    store.write(path, text.encode())
    return path


def learn(texts: Sequence[Path], out: Path, leave_out: Sequence[Path], glossary: Path | None) -> tuple[int, int]:
    """Learn a language from folders of clean texts into a new folder. Returns how many words, and from how many texts.

    What engines misread is taken over from the language that comes with the package. Raises VariorumError where a text
    is not UTF-8, where there are too few words to learn from, or where the folder is there already.
    """
    from variorum.language import DATA
    from variorum.language.train import read_glossary, train

    if out.exists():
        raise VariorumError(str(out), "is there already", "name another folder, or move that one away")
    paths = sorted(p for folder in texts for p in folder.rglob("*.txt"))
    for path in [*paths, *leave_out, *([glossary] if glossary else [])]:
        _utf8(path)
    count = sum(len(path.read_text("utf-8").split()) for path in paths)
    if count < FEWEST:
        raise VariorumError(
            ", ".join(map(str, texts)), f"holds {count:,} words in *.txt files", f"give {FEWEST:,} words at least"
        )
    part = out.with_name(f".{out.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        train(texts, part, leave_out, read_glossary(_utf8(glossary)) if glossary else ())
        shutil.copyfile(DATA / CONFUSIONS, part / CONFUSIONS)
        part.rename(out)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    facts = json.loads((out / FACTS).read_text("utf-8"))
    return int(facts["words"]), int(facts["texts"])


def _utf8(path: Path) -> str:
    try:
        return store.read(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise VariorumError(str(path), f"byte {error.start} is not UTF-8", "save the file as UTF-8") from None


def add(corpus: Path, files: Sequence[Path], facts: Facts, link: bool = False) -> Witness:
    """Put a witness into a corpus: its files are copied (or linked) into witnesses/SIGLUM, the manifest names them.

    One file of any format that we read, a folder of pages, or several files, each a page, in natural order. Returns
    the witness as it is understood. Raises VariorumError, and leaves everything as it was, where a file cannot be read
    or the manifest would not be right.
    """
    path = manifest.find(corpus)
    home = path.parent / FOLDER / facts.siglum
    if home.exists():
        raise VariorumError(str(home), "is there already", "choose another siglum, or move that folder away")
    sources = _sources(files)
    many = len(sources) > 1 or files[0].is_dir()
    where = f"{FOLDER}/{facts.siglum}" + ("" if many else f"/{next(iter(sources)).name}")
    text = _with_witness(manifest.text_of(path), facts, where)
    loaded = manifest.parse(text, path)
    entry = next(e for e in loaded.witnesses if e.siglum == facts.siglum)
    made = understood(_read(sources, many), entry, loaded)
    for source, data in sources.items():
        if link:
            store.link(home / source.name, source)
        else:
            store.write(home / source.name, data)
    store.write(path, text.encode())
    return made


def _sources(files: Sequence[Path]) -> dict[Path, bytes]:
    """The files of a witness, those given or those in the folder given, and what is in them."""
    if len(files) == 1 and files[0].is_dir():
        return {files[0] / name: data for name, data in store.read_folder(files[0])}
    twice = [name for name, count in Counter(file.name for file in files).items() if count > 1]
    if twice:
        raise SourceError(twice[0], "is the name of two files", "give each page a name of its own")
    return {file: store.read(file) for file in files}


def _read(sources: Mapping[Path, bytes], many: bool) -> Source:
    first = next(iter(sources))
    if not many:
        return read(sources[first], str(first))
    name = f"{first} and {len(sources) - 1} more"
    return read_pages(in_order([(path.name, data) for path, data in sources.items()], name), name)


def _with_witness(text: str, facts: Facts, where: str) -> str:
    """The manifest with one more witness at its end, and with its work where that is new."""
    try:
        known = [work.get("id") for work in tomllib.loads(text).get("works", [])]
    except (tomllib.TOMLDecodeError, AttributeError) as error:
        raise VariorumError(
            NAME, f"cannot be added to ({error})", "mend it first: variorum check tells where"
        ) from None
    tables = []
    if facts.work not in known:
        work = {"id": facts.work, "title": facts.work_title or facts.work, "base": facts.siglum}
        tables.append("\n".join(["[[works]]", *_rows(work)]))
    entry = {"siglum": facts.siglum, "work": facts.work, "source": where}
    rows = ["[[witnesses]]", *_rows(entry | ({"title": facts.title} if facts.title else {}))]
    if facts.years:
        span = str(facts.years[0]) if len(facts.years) == 1 else f"[{facts.years[0]}, {facts.years[1]}]"
        rows.append(f"year = {{ inferred = {span} }}" if facts.inferred else f"year = {span}")
    return "\n\n".join([text.rstrip("\n"), *tables, "\n".join(rows)]) + "\n"


def _rows(values: Mapping[str, str]) -> list[str]:
    return [f"{key} = {quoted(value)}" for key, value in values.items()]


def quoted(text: str) -> str:
    """A text as a TOML basic string: JSON's form of it is one too, but for the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def years(text: str) -> tuple[int, ...]:
    """The years in "1850" or "1850-1860". Raises ValueError where it is neither."""
    found = re.fullmatch(r"(\d{4})(?:\s*[-–/]\s*(\d{4}))?", text.strip())
    if not found:
        raise ValueError(f"{text!r} is no year; write 1850 or 1850-1860")
    return tuple(int(year) for year in found.groups() if year)
