"""Every read and write of the package: bytes to and from the disk, whole or not at all."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from variorum.errors import SourceError, VariorumError

CHECKSUMS = "checksums.sha256"
_ASIDE = ".new"  # in the folder written to, so that a rename is no copy
_LOCK = ".lock"


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
        raise _refused(path, error) from None


def link(path: Path, target: Path) -> None:
    """Put a symbolic link to `target` at `path`. Raises VariorumError where the disk or its system refuses."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target.resolve())
    except OSError as error:
        raise VariorumError(str(path), f"cannot be made a link ({error.strerror})", "leave --link out") from None


def write_all(folder: Path, files: Mapping[str, bytes]) -> tuple[Path, ...]:
    """Write `files` (relative POSIX path -> bytes) into `folder`, with a list of their checksums: all, or none.

    New files are first laid aside within `folder`; only when the disk has taken every one are they put in their places,
    by renaming alone, which a key pressed meanwhile does not stop. Files that a former call put there and that are no
    longer among `files` are removed, unless somebody changed them since. Returns the paths written, in order of their
    names. Raises VariorumError where the disk refuses; the former files are then as they were.
    """
    aside = folder / _ASIDE
    # A run that was killed while it renamed had laid its list aside too.
    former = {**_former(folder), **_former(folder, aside)}
    lines = [f"{_checksum(files[name])}  {name}\n" for name in sorted(files)]
    listed = {**files, CHECKSUMS: "".join(lines).encode()}
    try:
        changed = [name for name in listed if not _holds(folder / name, listed[name])]
        for name in changed:
            write(aside / name, listed[name])
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
        _put_in_place([(aside / name, folder / name) for name in changed])
    except VariorumError as error:
        raise VariorumError(str(folder), error.what, error.remedy) from None
    except OSError as error:
        raise _refused(folder, error) from None
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    for name, checksum in former.items():
        path = folder / name
        if name not in files and path.is_file() and _checksum(path.read_bytes()) == checksum:
            path.unlink()
    return tuple(folder / name for name in sorted(files))


def _holds(path: Path, data: bytes) -> bool:
    return path.is_file() and path.read_bytes() == data


def _put_in_place(moves: Sequence[tuple[Path, Path]]) -> None:
    """Rename files, each from its first path to its second. An interruption is heeded when the last one is done."""
    left, interrupted = list(moves), False
    while left:
        try:
            while left:
                source, target = left[0]
                if source.exists():
                    os.replace(source, target)
                left.pop(0)
        except KeyboardInterrupt:
            interrupted = True
    if interrupted:
        raise KeyboardInterrupt


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Have a folder to write to for oneself. Raises VariorumError, with the other's process id, where it is taken.

    The lock is the system's and ends with the process, however that ends. Where the system has none of this kind
    (Windows), two runs are not kept apart.
    """
    path = folder / _LOCK
    made = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise _refused(folder, error) from None
    try:
        _lock(handle, folder)
        yield
    finally:
        os.close(handle)
        if made:  # nothing was written: leave no trace
            _remove_if_bare(folder)


def _lock(handle: int, folder: Path) -> None:
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        other = os.read(handle, 20).decode("ascii", "replace").strip()
        what = f"another run{f' (process {other})' if other else ''} is writing there"
        raise VariorumError(str(folder), what, "wait for it, or choose another folder with --out") from None
    os.truncate(handle, 0)
    os.write(handle, str(os.getpid()).encode())


def _remove_if_bare(folder: Path) -> None:
    if [path.name for path in folder.iterdir()] == [_LOCK]:
        (folder / _LOCK).unlink()
        folder.rmdir()


def _refused(path: Path, error: OSError) -> VariorumError:
    remedy = "free some space or choose another folder with --out"
    return VariorumError(str(path), f"cannot be written ({error.strerror})", remedy)


def _checksum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _former(folder: Path, listed_in: Path | None = None) -> dict[str, str]:
    """Path -> checksum of what a former call wrote; nothing outside `folder` is ever named."""
    try:
        text = ((listed_in or folder) / CHECKSUMS).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return {}
    rows = [line.split("  ", 1) for line in text.splitlines()]
    root = folder.resolve()
    return {row[1]: row[0] for row in rows if len(row) == 2 and (folder / row[1]).resolve().is_relative_to(root)}
