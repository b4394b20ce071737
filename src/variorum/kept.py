"""Witnesses kept from a former run, so that one that has not changed is not repaired again.

A witness is kept under a key made of all that its text depends on: the bytes of its source, the choices, its year, and
the program with its data. What is kept is never code: only nouns of the model are read back, and whatever else a file
holds, it counts as not there.
"""

from __future__ import annotations

import hashlib
import io
import pickle
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from variorum import model, store
from variorum.errors import VariorumError
from variorum.model import Segmented, Source

_LIBRARIES = ("lxml", "numpy", "pypdfium2", "rapidfuzz")
_DIGEST = hashlib.sha256().digest_size
_SUFFIX = ".kept"


def key(parts: Iterable[bytes]) -> str:
    """A name for what comes of these parts in this order, taken with this program."""
    digest = hashlib.sha256(_program())
    for part in parts:
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()


@cache
def _program() -> bytes:
    """A digest of the package's own code and data, and of the versions of what it reads and compares with."""
    home = Path(__file__).parent
    digest = hashlib.sha256(f"{sys.version_info[:3]} {[_version(name) for name in _LIBRARIES]}".encode())
    for path in sorted(p for p in home.rglob("*") if p.is_file() and "__pycache__" not in p.parts):
        digest.update(path.relative_to(home).as_posix().encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.digest()


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""


def recall(folder: Path, name: str) -> tuple[Source, Segmented] | None:
    """What was kept under a name, or None where there is nothing, or nothing whole."""
    try:
        data = (folder / f"{name}{_SUFFIX}").read_bytes()
    except OSError:
        return None
    body = data[_DIGEST:]
    if hashlib.sha256(body).digest() != data[:_DIGEST]:
        return None
    try:
        source, segmented = _Nouns(io.BytesIO(body)).load()
    except (pickle.UnpicklingError, AttributeError, EOFError, IndexError, KeyError, TypeError, ValueError):
        return None
    return (source, segmented) if isinstance(source, Source) and isinstance(segmented, Segmented) else None


def keep(folder: Path, name: str, source: Source, segmented: Segmented) -> None:
    """Keep a witness's text under a name. Where the disk has no room for it, it is simply not kept."""
    body = pickle.dumps((source, segmented), protocol=5)
    try:
        store.write(folder / f"{name}{_SUFFIX}", hashlib.sha256(body).digest() + body)
    except VariorumError:
        return


def forget(folder: Path, names: Iterable[str]) -> None:
    """Take away all that is kept in a folder, but for these names."""
    still = {f"{name}{_SUFFIX}" for name in names}
    for path in folder.glob(f"*{_SUFFIX}"):
        if path.name not in still:
            path.unlink(missing_ok=True)


class _Nouns(pickle.Unpickler):
    """Reads nouns of the model and plain values; a file that names anything else is refused."""

    def find_class(self, module: str, name: str) -> type:
        noun = getattr(model, name, None) if module == model.__name__ else None
        if not isinstance(noun, type) or noun.__module__ != model.__name__:
            raise pickle.UnpicklingError(f"{module}.{name} is no noun of the model")
        return noun
