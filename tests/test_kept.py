"""Runs after the first: what has not changed is not done again, and nothing in the edition tells that it was not."""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from variorum import cli, edition, kept, store
from variorum.edition import edit
from variorum.errors import VariorumError
from variorum.model import Repair, Segmented, Source

MINI = Path(__file__).resolve().parent / "mini"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return Path(shutil.copytree(MINI, tmp_path / "corpus", ignore=shutil.ignore_patterns("expected")))


@pytest.fixture
def repaired(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the sources that were repaired, as they are."""
    names: list[str] = []
    repair = edition.repair

    def watched(source: Source, *arguments: object, **options: float) -> Repair:
        names.append(source.name)
        return repair(source, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(edition, "repair", watched)
    return names


def written(folder: Path) -> dict[str, bytes]:
    """The files of a build, without what only the next run is helped by."""
    paths = [p for p in folder.rglob("*") if p.is_file() and not p.relative_to(folder).parts[0].startswith(".")]
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in paths}


def build(corpus: Path, out: Path, *options: str) -> int:
    return cli.main(["build", str(corpus), "--out", str(out), *options])


def test_an_unchanged_witness_is_not_repaired_again(corpus: Path, tmp_path: Path, repaired: list[str]) -> None:
    assert build(corpus, tmp_path / "a") == 0
    first, everything = list(repaired), written(tmp_path / "a")
    assert len(first) == 2
    assert build(corpus, tmp_path / "a") == 0
    assert repaired == first
    assert written(tmp_path / "a") == everything
    assert build(corpus, tmp_path / "a", "--fresh") == 0
    assert repaired == first * 2
    assert written(tmp_path / "a") == everything


def test_a_changed_witness_is_repaired_and_the_result_is_that_of_a_full_run(
    corpus: Path, tmp_path: Path, repaired: list[str]
) -> None:
    build(corpus, tmp_path / "a")
    page = corpus / "MiB" / "page.txt"
    page.write_text(page.read_text("utf-8") + "\n9. The dealer shall pay all that is due.\n", encoding="utf-8")
    repaired.clear()
    build(corpus, tmp_path / "a")
    assert repaired == ["MiB/page.txt"]
    build(corpus, tmp_path / "b", "--fresh")
    assert written(tmp_path / "a") == written(tmp_path / "b")
    assert len(list((tmp_path / "a" / cli.KEPT).iterdir())) == 2  # what is of no use any more is gone


def test_other_choices_and_other_years_are_other_repairs(corpus: Path, tmp_path: Path, repaired: list[str]) -> None:
    edit(corpus, keep=tmp_path / "keep")
    manifest = corpus / "corpus.toml"
    manifest.write_text(manifest.read_text("utf-8") + "\n[choices]\napply = 0.9\n", encoding="utf-8")
    repaired.clear()
    edit(corpus, keep=tmp_path / "keep")
    assert len(repaired) == 2


def test_another_program_is_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = kept.key([b"a", b"b"])
    assert before != kept.key([b"ab"])
    monkeypatch.setattr(kept, "_program", lambda: b"another version")
    assert kept.key([b"a", b"b"]) != before


def test_a_kept_file_that_is_damaged_or_foreign_counts_as_not_there(tmp_path: Path) -> None:
    source = Source("1. A law.\n", "a.txt")
    kept.keep(tmp_path, "a", source, Segmented(Repair(source.raw)))
    assert kept.recall(tmp_path, "a") == (source, Segmented(Repair(source.raw)))
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-3])
    assert kept.recall(tmp_path, "a") is None
    for foreign in (pickle.dumps((os.system, 1)), pickle.dumps(("a", "b")), b"no pickle"):
        path.write_bytes(hashlib.sha256(foreign).digest() + foreign)
        assert kept.recall(tmp_path, "a") is None


def test_a_kept_file_runs_no_code(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[object, ...]:
            return os.mkdir, (str(tmp_path / "trapped"),)

    body = pickle.dumps((Trap(), Trap()))
    (tmp_path / "a.kept").write_bytes(hashlib.sha256(body).digest() + body)
    assert kept.recall(tmp_path, "a") is None
    assert not (tmp_path / "trapped").exists()


def test_two_workers_make_the_same_edition_and_name_the_same_problems(corpus: Path, tmp_path: Path) -> None:
    manifest = corpus / "corpus.toml"
    work = next(line for line in manifest.read_text("utf-8").splitlines() if line.startswith("work ="))
    with manifest.open("a", encoding="utf-8") as stream:
        stream.write(f'\n[[witnesses]]\nsiglum = "MiC"\n{work}\nsource = "MiC/none.txt"\n')
    assert build(corpus, tmp_path / "one") == build(corpus, tmp_path / "two", "--jobs", "2") == 3
    assert written(tmp_path / "one") == written(tmp_path / "two")
    assert edit(corpus).problems == edit(corpus, jobs=2).problems != ()


# ------------------------------------------------------------------------------------------------- what comes between


def test_two_runs_do_not_write_to_one_folder(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with store.alone(tmp_path / "out"):
        assert build(corpus, tmp_path / "out") == 1
        err = capsys.readouterr().err
        assert f"another run (process {os.getpid()}) is writing there; wait for it" in err
        assert err.count("\n") == 1
        assert written(tmp_path / "out") == {}
    assert build(corpus, tmp_path / "out") == 0


def test_a_full_disk_is_one_line_and_the_last_build_stands(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    build(corpus, out)
    before = written(out)
    page = corpus / "MiA" / "page.txt"
    page.write_text(page.read_text("utf-8") + "\n9. The dealer shall pay all that is due.\n", encoding="utf-8")
    left, fsync = [6], os.fsync

    def filling(handle: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(28, "No space left on device")
        fsync(handle)

    monkeypatch.setattr(os, "fsync", filling)
    capsys.readouterr()
    assert build(corpus, out) == 1
    err = capsys.readouterr().err
    assert err == (
        f"variorum: {out}: cannot be written (No space left on device); "
        "free some space or choose another folder with --out\n"
    )
    assert written(out) == before
    assert not (out / ".new").exists()


def test_a_folder_that_cannot_be_written_to_is_one_line(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(b"a file, and no folder")
    assert build(corpus, tmp_path / "file" / "out") == 1
    err = capsys.readouterr().err
    assert "cannot be written (Not a directory)" in err
    assert err.count("\n") == 1


def test_an_interruption_while_files_are_put_in_place_waits_until_all_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    store.write_all(out, {"a": b"1", "b": b"1"})
    replace, calls = os.replace, []

    def interrupted(source: Path | str, target: Path) -> None:
        replace(source, target)
        if target.parent == out:
            calls.append(target)
            if len(calls) == 1:
                raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        store.write_all(out, {"a": b"2", "b": b"2"})
    assert [(out / name).read_bytes() for name in "ab"] == [b"2", b"2"]


def test_an_interruption_before_that_leaves_the_last_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    store.write_all(out, {"a": b"1", "b": b"1"})
    before = written(out)

    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        store.write_all(out, {"a": b"2", "b": b"2"})
    assert written(out) == before


def test_a_list_laid_aside_by_a_killed_run_is_known_to_the_next(tmp_path: Path) -> None:
    """Killed after it put "c" in its place and before its list of checksums: "c" is ours, and goes."""
    store.write_all(tmp_path, {"a": b"1"})
    store.write(tmp_path / "c", b"1")
    store.write(tmp_path / ".new" / store.CHECKSUMS, f"{hashlib.sha256(b'1').hexdigest()}  c\n".encode())
    store.write_all(tmp_path, {"a": b"1"})
    assert not (tmp_path / "c").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("sign", ["SIGKILL", "SIGINT"])
def test_a_killed_run_leaves_the_last_build_and_the_next_one_goes_on(corpus: Path, tmp_path: Path, sign: str) -> None:
    out = tmp_path / "out"
    assert build(corpus, out) == 0
    before = written(out)
    page = corpus / "MiB" / "page.txt"
    page.write_text(page.read_text("utf-8") + "\n9. The dealer shall pay all that is due.\n" * 9, encoding="utf-8")
    lock = (out / ".lock").stat().st_mtime_ns
    command = [sys.executable, "-m", "variorum.cli", "build", str(corpus), "--out", str(out)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as running:
        while (out / ".lock").stat().st_mtime_ns == lock and running.poll() is None:
            time.sleep(0.01)
        running.send_signal(getattr(signal, sign))
        assert running.stderr is not None
        err = running.stderr.read().decode()
    assert running.returncode != 0
    assert "Traceback" not in err
    assert written(out) == before
    assert build(corpus, out) == 0
    assert build(corpus, tmp_path / "full", "--fresh") == 0
    assert written(out) == written(tmp_path / "full")


def test_a_lock_left_by_a_dead_run_holds_nobody_up(tmp_path: Path) -> None:
    (tmp_path / ".lock").write_text("999999")
    with store.alone(tmp_path):
        assert (tmp_path / ".lock").read_text() == str(os.getpid())
        with pytest.raises(VariorumError, match="another run"), store.alone(tmp_path):
            pass
