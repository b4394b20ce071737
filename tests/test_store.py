"""Files are replaced whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from variorum import store
from variorum.errors import SourceError, VariorumError


def test_a_missing_file_is_named_with_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"witnesses/a\.txt: no such file; check the name"):
        store.read(tmp_path / "a.txt", "witnesses/a.txt")


def test_a_folder_is_not_read_as_a_file(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="is a folder"):
        store.read(tmp_path)


def test_a_failed_write_leaves_the_old_file_and_no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.xml"
    store.write(path, b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(VariorumError, match="No space left on device"):
        store.write(path, b"new")
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.xml"]


def test_what_a_former_build_wrote_and_this_one_does_not_is_removed(tmp_path: Path) -> None:
    store.write_all(tmp_path, {"tei/a.xml": b"a", "tei/b.xml": b"b"})
    store.write_all(tmp_path, {"tei/a.xml": b"a"})
    assert not (tmp_path / "tei/b.xml").exists()


def test_a_file_that_somebody_changed_since_is_never_removed(tmp_path: Path) -> None:
    store.write_all(tmp_path, {"a.xml": b"a", "b.xml": b"b"})
    (tmp_path / "b.xml").write_bytes(b"my own notes")
    store.write_all(tmp_path, {"a.xml": b"a"})
    assert (tmp_path / "b.xml").read_bytes() == b"my own notes"


def test_a_list_of_checksums_cannot_make_us_remove_files_elsewhere(tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_bytes(b"x")
    out = tmp_path / "build"
    store.write_all(out, {"a": b"a"})
    checksum = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
    (out / store.CHECKSUMS).write_text(f"{checksum}  ../outside.txt\n")
    store.write_all(out, {"a": b"a"})
    assert outside.exists()
