"""How long a whole book takes from raw text to TEI and tables, where the time goes, and what a second process saves.

    python benchmarks/build.py [BOOK.txt ...]

Needs ../shared; without names the largest book there and the next one are taken. Times are the processor's, so that a
busy machine tells the same. What two processes save is told by the processor too, as it would be on two free cores; the
clock's is beside it. Memory is the peak of the process.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from variorum import edition, manifest
from variorum.edition import Edition, compare, cut, edit, read_source
from variorum.model import Witness
from variorum.repair import repair

RAW = Path(__file__).resolve().parents[2] / "shared" / "rulebooks" / "raw"
HEAD = '[corpus]\ntitle = "Books"\ndate = "2026-12-01"\n'
BOOK = (
    '\n[[works]]\nid = "work{k}"\ntitle = "Book {k}"\nbase = "Bk{k}"\n'
    '\n[[witnesses]]\nsiglum = "Bk{k}"\nwork = "work{k}"\nsource = "{name}"\n'
)


def corpus(folder: Path, books: list[Path]) -> Path:
    """A corpus of books, each a work of its own."""
    folder.mkdir(parents=True)
    text = HEAD
    for k, book in enumerate(books):
        (folder / book.name).write_bytes(book.read_bytes())
        text += BOOK.format(k=k, name=book.name)
    (folder / "corpus.toml").write_text(text, encoding="utf-8")
    return folder


def stages(folder: Path) -> tuple[dict[str, float], float]:
    """The processor's seconds for each stage of a corpus of one book, and the most memory that it took, in MB."""
    taken: dict[str, float] = {}
    at = time.process_time()

    def done(stage: str) -> None:
        nonlocal at
        now = time.process_time()
        taken[stage] = now - at
        at = now

    loaded = manifest.load(folder)
    (entry,) = loaded.witnesses
    source = read_source(entry.source, entry.source_name)
    done("read")
    mended = repair(source)
    done("repair")
    witness = Witness(entry.siglum, entry.work, entry.imprint, source, cut(source, mended))
    done("segment")
    work = compare(loaded.works[0], [witness])
    done("compare")
    made = Edition(loaded, (work,), (witness,), tuple(edition._findings([work], [witness])), ())
    _ = made.tei
    done("TEI")
    _ = made.tables
    done("tables")
    made.files()
    done("other files")
    print(f"  {len(witness.laws)} laws, {len(mended.corrections)} corrections, {len(mended.pages)} pages")
    return taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def fresh(function: Callable[..., Any], *arguments: object) -> Any:
    """Call a function in a new process: what one remembers would else make the next look fast."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


@dataclass(frozen=True)
class Cost:
    """Seconds by the clock, and the processor's: of this process, and of those that it began."""

    clock: float
    own: float
    others: float

    def on_free_cores(self, jobs: int) -> float:
        """How long it takes where each of some processes has a core, and witnesses are of one size."""
        return self.own + self.others / jobs


def cost(folder: Path, jobs: int, keep: Path | None = None) -> Cost:
    before, clock, own = _others(), time.perf_counter(), time.process_time()
    edit(folder, jobs=jobs, keep=keep)
    return Cost(time.perf_counter() - clock, time.process_time() - own, _others() - before)


def _others() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def halves(book: Path, folder: Path) -> list[Path]:
    """Two files with the halves of a book, parted at a line end."""
    data = book.read_bytes()
    middle = data.index(b"\n", len(data) // 2) + 1
    paths = [folder / "first.txt", folder / "second.txt"]
    for path, half in zip(paths, (data[:middle], data[middle:]), strict=True):
        path.write_bytes(half)
    return paths


def main() -> None:
    books = [Path(name) for name in sys.argv[1:]]
    books = books or sorted(RAW.glob("*.txt"), key=lambda p: -p.stat().st_size)[:2]
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        for k, book in enumerate(books):
            size = book.stat().st_size / 1e6
            print(f"{book.name}, {size:.2f} MB")
            taken, peak = fresh(stages, corpus(scratch / str(k), [book]))
            print("  " + ", ".join(f"{stage} {t:.1f} s" for stage, t in taken.items()))
            print(f"  {sum(taken.values()) / size:.1f} s for 1 MB; peak {peak:.0f} MB")
        # Not one book twice: what was worked out for the first would be remembered for the second.
        folder = corpus(scratch / "halves", halves(books[-1], scratch))
        one, two = fresh(cost, folder, 1), fresh(cost, folder, 2, scratch / "keep")
        first, second = one.on_free_cores(1), two.on_free_cores(2)
        print(f"the halves of {books[-1].name} as two witnesses: 1 process {first:.1f} s, 2 processes {second:.1f} s")
        print(f"  {first / second:.2f} x on free cores; {one.clock / two.clock:.2f} x by the clock of this machine")
        again = fresh(cost, folder, 1, scratch / "keep")
        print(f"  again, nothing changed: {again.on_free_cores(1):.1f} s")


if __name__ == "__main__":
    main()
