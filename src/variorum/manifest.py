"""corpus.toml: which works, which witnesses, which choices. All mistakes are told in one go, with line numbers."""

from __future__ import annotations

import difflib
import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from variorum import store
from variorum.errors import ManifestError, SourceError
from variorum.language import FACTS
from variorum.model import Fact, Imprint
from variorum.repair.doubt import APPLY, SUGGEST
from variorum.rulings import LinkRuling, Ruling, read_folder

NAME = "corpus.toml"
RULINGS = "rulings"
ID = r"^[A-Za-z][A-Za-z0-9-]*$"
YEARS = (1400, 2100)

Status = Literal["stated", "inferred", "unknown"]


@dataclass(frozen=True, slots=True)
class Choices:
    """What changes the edition: the certainty from which a correction is applied, and from which it is suggested.

    `language` is the folder of a language that `variorum learn` made, or None for the one that comes with the package;
    `language_name` is its name in the manifest with a digest of what was learned.
    """

    apply: float
    suggest: float
    language: Path | None = None
    language_name: str = ""

    def as_rows(self) -> tuple[tuple[str, str], ...]:
        """Name and value of each choice, for the TEI header."""
        language = (("language", self.language_name),) if self.language_name else ()
        return (("apply", f"{self.apply:g}"), *language, ("suggest", f"{self.suggest:g}"))


@dataclass(frozen=True, slots=True)
class WitnessEntry:
    """A witness as the manifest names it; `gold` is the path of its hand-made text, or None."""

    siglum: str
    work: str
    source: Path
    source_name: str
    imprint: Imprint
    gold: Path | None


@dataclass(frozen=True, slots=True)
class WorkEntry:
    """A work as the manifest names it; `links` and `changes` are paths of hand-made gold, or None."""

    id: str
    title: str
    base: str
    links: Path | None
    changes: Path | None


@dataclass(frozen=True, slots=True)
class Editor:
    """Who answers for the edition; `orcid` is his number there ("0000-0002-1825-0097"), or ""."""

    name: str
    orcid: str = ""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A manifest, read and checked, with the editor's rulings: on words, by siglum, and on links."""

    folder: Path
    title: str
    date: str
    publisher: str
    licence: str
    choices: Choices
    works: tuple[WorkEntry, ...]
    witnesses: tuple[WitnessEntry, ...]
    editors: tuple[Editor, ...] = ()
    rulings: Mapping[str, tuple[Ruling, ...]] = field(default_factory=dict)
    links: tuple[LinkRuling, ...] = ()


# --------------------------------------------------------------------------------------- the shape of the file


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def _fact(value: object) -> object:
    return {"stated": value} if not isinstance(value, dict) else value


class _Text(_Table):
    stated: str | None = None
    inferred: str | None = None


class _Years(_Table):
    stated: int | list[int] | None = None
    inferred: int | list[int] | None = None


_Stated = Annotated[_Text, BeforeValidator(_fact)]
_StatedYears = Annotated[_Years, BeforeValidator(_fact)]


class _Editor(_Table):
    name: str = Field(min_length=1)
    orcid: str | None = None


class _Corpus(_Table):
    title: str
    date: str
    publisher: str = ""
    licence: str = ""
    editors: list[_Editor] = []


class _Choices(_Table):
    apply: float = Field(default=APPLY, ge=0, le=1)
    suggest: float = Field(default=SUGGEST, ge=0, le=1)
    language: str | None = None


class _Work(_Table):
    id: str = Field(pattern=ID)
    title: str
    base: str
    links: str | None = None
    changes: str | None = None


class _Witness(_Table):
    siglum: str = Field(pattern=ID)
    work: str
    source: str
    gold: str | None = None
    title: _Stated = _Text()
    author: _Stated = _Text()
    publisher: _Stated = _Text()
    year: _StatedYears = _Years()
    origin: str = ""
    licence: str = ""
    remark: str = ""


class _Manifest(_Table):
    corpus: _Corpus
    choices: _Choices = _Choices()
    works: list[_Work] = Field(min_length=1)
    witnesses: list[_Witness] = Field(min_length=1)


# ------------------------------------------------------------------------------------------------------- reading


def load(folder: str | Path) -> Corpus:
    """Read and check FOLDER/corpus.toml (or the manifest file itself), and the rulings beside it.

    Raises ManifestError with every mistake found; sources are not opened here, so that one bad witness does not stop
    the others.
    """
    path = find(folder)
    wrong: ManifestError | None = None
    corpus: Corpus | None = None
    try:
        corpus = parse(text_of(path), path)
    except ManifestError as error:
        wrong = error
    sigla = [entry.siglum for entry in corpus.witnesses] if corpus else None
    # Unsigned rulings are the editor's where there is one and no other.
    editor = corpus.editors[0].name if corpus and len(corpus.editors) == 1 else ""
    ruled = read_folder(path.parent / RULINGS, sigla, editor)
    if ruled.problems:
        raise ManifestError("", (*(str(wrong).split("\n") if wrong else ()), *ruled.problems))
    if corpus is None:
        raise wrong or ManifestError(str(path), ())
    return replace(corpus, rulings=ruled.words, links=ruled.links)


def _near(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, 1, 0.5)
    return f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(known)}"


def find(folder: str | Path) -> Path:
    """The path of a corpus folder's manifest. Raises SourceError where there is none."""
    path = Path(folder)
    path = path / NAME if path.is_dir() or not path.suffix else path
    if not path.is_file():
        raise SourceError(str(folder), f"has no {NAME}", "name a corpus folder, or begin one with variorum new")
    return path


def text_of(path: Path) -> str:
    """The text of a manifest. Raises ManifestError where it is no UTF-8."""
    try:
        return store.read(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ManifestError(str(path), (f"byte {error.start} is not UTF-8; save the file as UTF-8",)) from None


def parse(text: str, path: Path) -> Corpus:
    """The corpus that the text of a manifest at `path` describes. Raises ManifestError with every mistake found."""
    name = str(path)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ManifestError(name, (f"not TOML: {error}",)) from None
    lines = _Lines(text)
    try:
        manifest = _Manifest.model_validate(data)
    except ValidationError as error:
        said = [_explain(dict(e), lines) for e in error.errors()]
        raise ManifestError(name, _in_order(said + _contradictions(data, lines))) from None
    problems = [*_contradictions(data, lines), *_language_problems(path.parent, manifest, lines)]
    if problems:
        raise ManifestError(name, _in_order(problems))
    return _corpus(path.parent, manifest)


def sources_named(folder: str | Path) -> tuple[tuple[str, Path, str], ...]:
    """Siglum, path and name of each source that a manifest names, be it otherwise right or wrong."""
    path = find(folder)
    try:
        data = tomllib.loads(text_of(path))
    except (tomllib.TOMLDecodeError, ManifestError):
        return ()
    rows = [row for row in _rows(data, "witnesses") if isinstance(row.get("source"), str)]
    within = [row for row in rows if not _strays_out(row["source"])]
    return tuple((str(row.get("siglum", "")), path.parent / row["source"], row["source"]) for row in within)


def _corpus(folder: Path, manifest: _Manifest) -> Corpus:
    return Corpus(
        folder=folder,
        title=manifest.corpus.title,
        date=manifest.corpus.date,
        publisher=manifest.corpus.publisher,
        licence=manifest.corpus.licence,
        editors=tuple(Editor(e.name, e.orcid or "") for e in manifest.corpus.editors),
        choices=_chosen(folder, manifest.choices),
        works=tuple(
            WorkEntry(w.id, w.title, w.base, _path(folder, w.links), _path(folder, w.changes)) for w in manifest.works
        ),
        witnesses=tuple(
            WitnessEntry(w.siglum, w.work, folder / w.source, w.source, _imprint(w), _path(folder, w.gold))
            for w in manifest.witnesses
        ),
    )


def _chosen(folder: Path, choices: _Choices) -> Choices:
    if choices.language is None:
        return Choices(choices.apply, choices.suggest)
    language = folder / choices.language
    facts = hashlib.sha256(store.read(language / FACTS)).hexdigest()[:12]
    return Choices(choices.apply, choices.suggest, language, f"{choices.language} ({facts})")


def _language_problems(folder: Path, manifest: _Manifest, lines: _Lines) -> list[Problem]:
    name = manifest.choices.language
    if name is None or (folder / name / FACTS).is_file():
        return []
    return [
        (
            lines.of("choices", 0, "language"),
            f"language in choices: {name!r} holds no language; make one: variorum learn TEXTS --out {name}",
        )
    ]


def _path(folder: Path, name: str | None) -> Path | None:
    return None if name is None else folder / name


def _imprint(entry: _Witness) -> Imprint:
    years = entry.year.stated if entry.year.stated is not None else entry.year.inferred
    span: list[int | None] = [years] if isinstance(years, int) else [*years] if years else [None]
    status: Status = "stated" if entry.year.stated is not None else "unknown" if years is None else "inferred"
    return Imprint(
        title=_as_fact(entry.title),
        author=_as_fact(entry.author),
        publisher=_as_fact(entry.publisher),
        not_before=span[0],
        not_after=span[-1],
        date_status=status,
        origin=entry.origin,
        licence=entry.licence,
        remark=entry.remark,
    )


def _as_fact(value: _Text) -> Fact:
    if value.stated is not None:
        return Fact(value.stated, "stated")
    return Fact(value.inferred, "inferred") if value.inferred is not None else Fact("", "unknown")


# ------------------------------------------------------------------------------------------------------ mistakes


class _Lines:
    """Where a key or table of the manifest stands: tomllib does not tell."""

    _HEADER = re.compile(r"^\s*\[{1,2}\s*([A-Za-z0-9_-]+)\s*\]")
    _KEY = re.compile(r"^\s*\"?([A-Za-z0-9_-]+)\"?\s*[=.]")

    def __init__(self, text: str) -> None:
        self._at: dict[tuple[str, int, str], int] = {}
        counts: dict[str, int] = {}
        table, open_string = "", False
        for number, line in enumerate(text.split("\n"), 1):
            if not open_string:
                if header := self._HEADER.match(line):
                    table = header[1]
                    counts[table] = counts.get(table, -1) + 1
                    self._at[table, counts[table], ""] = number
                elif key := self._KEY.match(line):
                    self._at.setdefault((table, counts.get(table, 0), key[1]), number)
            open_string ^= bool((line.count('"""') + line.count("'''")) % 2)

    def of(self, table: str, index: int = 0, key: str = "") -> int:
        """The line of a key, or of its table where the key is missing, or 0."""
        return (
            self._at.get((table, index, key)) or self._at.get((table, index, ""), 0) or self._at.get(("", 0, table), 0)
        )


Problem = tuple[int, str]


def _in_order(problems: list[Problem]) -> tuple[str, ...]:
    return tuple(f"line {line}: {what}" if line else what for line, what in sorted(set(problems)))


def _explain(error: dict[str, Any], lines: _Lines) -> Problem:
    loc = [part for part in error["loc"] if part not in ("list[int]", "int")]
    table = str(loc[0])
    index = loc[1] if len(loc) > 1 and isinstance(loc[1], int) else 0
    keys = [str(part) for part in loc[1:] if not isinstance(part, int)]
    line = lines.of(table, index, keys[0] if keys else "")
    what = ".".join([table, *keys]) if not keys else f"{' of '.join(reversed(keys))!s} in {table}"
    return line, f"{_complaint(error, table, keys, what)}"


def _complaint(error: dict[str, Any], table: str, keys: list[str], what: str) -> str:
    kind = error["type"]
    if kind == "extra_forbidden":
        return f"unknown key {keys[-1] if keys else table!r}" + _did_you_mean(table, keys)
    if kind == "missing":
        return f"{what} is missing" + ("" if keys or table == "corpus" else "; put one in with variorum add")
    if kind == "string_pattern_mismatch":
        return f"{what} is {error['input']!r}; use letters, digits and hyphens, a letter first"
    return f"{what}: {error['msg'][0].lower()}{error['msg'][1:]}, not {error['input']!r}"


_TABLES: dict[str, type[_Table]] = {"corpus": _Corpus, "choices": _Choices, "works": _Work, "witnesses": _Witness}


def _did_you_mean(table: str, keys: list[str]) -> str:
    shape: type[BaseModel] | None = _TABLES.get(table) if keys else _Manifest
    if len(keys) > 1:
        nested: dict[str, type[_Table]] = {"year": _Years, "editors": _Editor}
        shape = nested.get(keys[0], _Text)
    known = list(shape.model_fields) if shape else list(_TABLES)
    near = difflib.get_close_matches(keys[-1] if keys else table, known, 1, 0.5)
    return f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(known)}"


def _contradictions(data: dict[str, Any], lines: _Lines) -> list[Problem]:
    """Mistakes that the shape alone does not show: names used twice or unknown, paths out of the folder, odd years."""
    works, witnesses = _rows(data, "works"), _rows(data, "witnesses")
    return [
        *_twice(works, "works", "id", lines),
        *_twice(witnesses, "witnesses", "siglum", lines),
        *_sigla(witnesses, lines),
        *_strays(works, witnesses, lines),
        *_paths(works, "works", ("links", "changes"), lines),
        *_paths(witnesses, "witnesses", ("source", "gold"), lines),
        *_years(witnesses, lines),
        *_orcids(data.get("corpus"), lines),
    ]


def _orcids(corpus: object, lines: _Lines) -> Iterator[Problem]:
    """Numbers that no ORCID can be: its last sign checks the others (ISO 7064, MOD 11-2)."""
    editors = corpus.get("editors") if isinstance(corpus, dict) else None
    for editor in editors if isinstance(editors, list) else ():
        orcid = editor.get("orcid") if isinstance(editor, dict) else None
        if isinstance(orcid, str) and not _is_orcid(orcid):
            what = f"orcid {orcid!r} is none; write it as 0000-0002-1825-0097, without the address"
            yield lines.of("corpus", 0, "editors"), what


def _is_orcid(orcid: str) -> bool:
    if not re.fullmatch(r"[0-9]{4}(-[0-9]{4}){2}-[0-9]{3}[0-9X]", orcid):
        return False
    total = 0
    for figure in orcid.replace("-", "")[:-1]:
        total = (total + int(figure)) * 2
    return orcid[-1] == "0123456789X"[(12 - total % 11) % 11]


def _rows(data: dict[str, Any], table: str) -> list[dict[str, Any]]:
    rows = data.get(table)
    return [row if isinstance(row, dict) else {} for row in rows] if isinstance(rows, list) else []


def _twice(rows: list[dict[str, Any]], table: str, key: str, lines: _Lines) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for k, row in enumerate(rows):
        name = str(row.get(key, "")).casefold()
        if name and name in first:
            before = lines.of(table, first[name], key)
            yield (
                lines.of(table, k, key),
                f"{key} {row[key]!r} is used twice (first in line {before}); give each its own",
            )
        first.setdefault(name, k)


def _sigla(rows: list[dict[str, Any]], lines: _Lines) -> Iterator[Problem]:
    """Sigla of one length: a reader of TEI in wide use takes a siglum that is part of another for the other."""
    sigla = [str(row.get("siglum", "")) for row in rows]
    for k, siglum in enumerate(sigla):
        longer = [s for s in sigla if siglum and siglum != s and siglum in s]
        if longer:
            what = f"siglum {siglum!r} is part of {longer[0]!r}; give all sigla the same length"
            yield lines.of("witnesses", k, "siglum"), what


def _strays(works: list[dict[str, Any]], witnesses: list[dict[str, Any]], lines: _Lines) -> Iterator[Problem]:
    ids = [str(w.get("id", "")) for w in works]
    for k, row in enumerate(witnesses):
        if isinstance(row.get("work"), str) and row["work"] not in ids:
            yield lines.of("witnesses", k, "work"), f"no work has the id {row['work']!r}{_near(row['work'], ids)}"
    for k, row in enumerate(works):
        own = [w.get("siglum") for w in witnesses if w.get("work") == row.get("id")]
        if not own:
            yield lines.of("works", k, "id"), f"work {row.get('id')!r} has no witness"
        elif isinstance(row.get("base"), str) and row["base"] not in own:
            what = (
                f"base {row['base']!r} is no witness of {row.get('id')!r}; its witnesses are {', '.join(map(str, own))}"
            )
            yield lines.of("works", k, "base"), what


def _paths(rows: list[dict[str, Any]], table: str, keys: tuple[str, ...], lines: _Lines) -> Iterator[Problem]:
    for k, row in enumerate(rows):
        for key in keys:
            name = row.get(key)
            if isinstance(name, str) and _strays_out(name):
                what = f"{key} {name!r} leads out of the corpus folder; put the file inside it and name it from there"
                yield lines.of(table, k, key), what


def _strays_out(name: str) -> bool:
    return Path(name).is_absolute() or ".." in Path(name).parts or "\\" in name


def _years(rows: list[dict[str, Any]], lines: _Lines) -> Iterator[Problem]:
    for k, row in enumerate(rows):
        value = row.get("year")
        for year in value.values() if isinstance(value, dict) else [value]:
            span = year if isinstance(year, list) else [year]
            numbers = [y for y in span if isinstance(y, int)]
            if any(not YEARS[0] <= y <= YEARS[1] for y in numbers):
                what = f"year {year} is not between {YEARS[0]} and {YEARS[1]}"
            elif isinstance(year, list) and (len(numbers) != 2 or numbers[0] > numbers[1]):
                what = f"year {year} is no range; write [earliest, latest]"
            else:
                continue
            yield lines.of("witnesses", k, "year"), what
