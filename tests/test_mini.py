"""A tiny corpus of two pages, with the TEI and tables that come of it: small enough to be read by eye, whole.

    python tests/test_mini.py

writes the expected files anew; read the difference before you commit it.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from variorum.edition import edit

MINI = Path(__file__).resolve().parent / "mini"
EXPECTED = MINI / "expected"
# Said by every table of any corpus, and so of no interest here.
LEFT_OUT = {"tables/columns.csv"}


def made() -> dict[str, bytes]:
    """What the tiny corpus gives: its TEI and its tables."""
    files = edit(MINI).files()
    wanted = {path for path in files if path.endswith((".xml", ".csv"))} - LEFT_OUT
    return {path: files[path] for path in sorted(wanted)}


def expected() -> dict[str, bytes]:
    paths = sorted(path for path in EXPECTED.rglob("*") if path.is_file())
    return {path.relative_to(EXPECTED).as_posix(): path.read_bytes() for path in paths}


@pytest.fixture(scope="module")
def built() -> dict[str, bytes]:
    return made()


def test_the_same_files_are_written(built: dict[str, bytes]) -> None:
    assert built.keys() == expected().keys()


@pytest.mark.parametrize("path", sorted(expected()))
def test_a_file_is_as_expected(built: dict[str, bytes], path: str) -> None:
    assert built[path].decode("utf-8-sig") == expected()[path].decode("utf-8-sig")


if __name__ == "__main__":
    shutil.rmtree(EXPECTED, ignore_errors=True)
    for name, data in made().items():
        (EXPECTED / name).parent.mkdir(parents=True, exist_ok=True)
        (EXPECTED / name).write_bytes(data)
