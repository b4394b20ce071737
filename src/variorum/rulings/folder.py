"""The folder of rulings: a file for each witness, and one for the links."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from variorum import store
from variorum.rulings.links import LinkRuling
from variorum.rulings.reading import Mistakes, read_links, read_places
from variorum.rulings.ruling import Ruling

LINKS, SUFFIX = "links", ".txt"


@dataclass(slots=True)
class Folder:
    """All rulings of a folder, on words by siglum and on links, and every mistake with its file and line."""

    words: dict[str, tuple[Ruling, ...]] = field(default_factory=dict)
    links: tuple[LinkRuling, ...] = ()
    problems: tuple[str, ...] = ()


def read_folder(folder: Path, sigla: Sequence[str] | None, editor: str) -> Folder:
    """The rulings of a folder, which need not be there.

    Every file must be `SIGLUM.txt` or `links.txt`, so that no ruling is passed over; only a README and hidden files
    are. `sigla` are those of the witnesses, None where they are unknown; `editor` is who ruled where a ruling is
    unsigned.
    """
    found = Folder()
    files = sorted(p for p in folder.iterdir() if p.is_file()) if folder.is_dir() else []
    for path in (p for p in files if not p.name.startswith((".", "README"))):
        mistakes = _read(path, sigla, editor, found)
        told = [f"{path}: line {line}: {what}" if line else f"{path}: {what}" for line, what in sorted(set(mistakes))]
        found.problems += tuple(told)
    return found


def _read(path: Path, sigla: Sequence[str] | None, editor: str, found: Folder) -> Mistakes:
    """Adds the rulings of one file to those found, and returns its mistakes."""
    if path.suffix != SUFFIX or (path.stem != LINKS and sigla is not None and path.stem not in sigla):
        names = [f"{name}{SUFFIX}" for name in (*(sigla or ()), LINKS)]
        near = difflib.get_close_matches(path.stem + SUFFIX, names, 1, 0.5)
        return ((0, f"holds the rulings of no witness; name it {near[0] if near else ' or '.join(names)}"),)
    try:
        text = store.read(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return ((0, f"byte {error.start} is not UTF-8; save the file as UTF-8"),)
    if path.stem != LINKS:
        found.words[path.stem], mistakes = read_places(text, editor)
        return mistakes
    found.links, mistakes = read_links(text, editor)
    named = [(ruling.line, side[0].siglum) for ruling in found.links for side in (ruling.a, ruling.b)]
    strange = [(line, siglum) for line, siglum in named if sigla is not None and siglum not in sigla]
    return (*mistakes, *((line, f"no witness has the siglum {siglum!r}") for line, siglum in strange))
