"""Every read and write of the package: bytes to and from the disk, whole or not at all."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from variorum.errors import SourceError, VariorumError

CHECKSUMS = "checksums.sha256"


def read(path: Path, name: str = "") -> bytes:
    """The bytes of a file. Raises SourceError, naming it `name`, where it is missing or cannot be read."""
    name = name or str(path)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise SourceError(name, "no such file", "check the name, or take it out of the list") from None
    except IsADirectoryError:
        raise SourceError(name, "is a folder, not a file", "name a file in it") from None
    except OSError as error:
        raise SourceError(name, f"cannot be read ({error.strerror})", "check its permissions") from None


def read_folder(folder: Path, name: str = "") -> list[tuple[str, bytes]]:
    """The files right in a folder, names and bytes, in order of their names; hidden ones are left out.

    Raises SourceError, naming the folder `name`, where it holds none.
    """
    paths = sorted(p for p in folder.iterdir() if p.is_file() and not p.name.startswith("."))
    if not paths:
        raise SourceError(name or str(folder), "is a folder without files", "put the pages into it, a file each")
    return [(path.name, read(path, f"{name or folder}/{path.name}")) for path in paths]


def read_all(folder: Path, suffix: str) -> dict[str, bytes]:
    """The files below a folder whose names end in `suffix`, by relative POSIX path, in order of their names."""
    paths = sorted(p for p in folder.rglob(f"*{suffix}") if p.is_file())
    return {p.relative_to(folder).as_posix(): read(p) for p in paths}


def read_stdin() -> bytes:
    """All bytes of the standard input."""
    return sys.stdin.buffer.read()


def write(path: Path, data: bytes) -> None:
    """Put `data` at `path` in one step: a reader sees the old file or the new one, never a part.

    Raises VariorumError where the disk refuses; the old file is then still there.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise VariorumError(
            str(path), f"cannot be written ({error.strerror})", "free some space or choose another folder with --out"
        ) from None


def link(path: Path, target: Path) -> None:
    """Put a symbolic link to `target` at `path`. Raises VariorumError where the disk or its system refuses."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target.resolve())
    except OSError as error:
        raise VariorumError(str(path), f"cannot be made a link ({error.strerror})", "leave --link out") from None


def write_all(folder: Path, files: Mapping[str, bytes]) -> tuple[Path, ...]:
    """Write `files` (relative POSIX path -> bytes) into `folder`, with a list of their checksums.

    Files that a former call put there and that are no longer among `files` are removed, unless somebody changed them
    since. Returns the paths written, in order of their names.
    """
    former = _former(folder)
    paths = []
    for name in sorted(files):
        path = folder / name
        if not path.is_file() or path.read_bytes() != files[name]:
            write(path, files[name])
        paths.append(path)
    for name, checksum in former.items():
        path = folder / name
        if name not in files and path.is_file() and _checksum(path.read_bytes()) == checksum:
            path.unlink()
    lines = [f"{_checksum(files[name])}  {name}\n" for name in sorted(files)]
    write(folder / CHECKSUMS, "".join(lines).encode())
    return tuple(paths)


def _checksum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _former(folder: Path) -> dict[str, str]:
    """Path -> checksum of what a former call wrote; nothing outside `folder` is ever named."""
    try:
        text = (folder / CHECKSUMS).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return {}
    rows = [line.split("  ", 1) for line in text.splitlines()]
    root = folder.resolve()
    return {row[1]: row[0] for row in rows if len(row) == 2 and (folder / row[1]).resolve().is_relative_to(root)}
