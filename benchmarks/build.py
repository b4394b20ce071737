"""How long a whole book takes from raw text to TEI and tables, where the time goes, and what a second process saves.

    python benchmarks/build.py [BOOK.txt ...]

Needs ../shared; without names the largest book there and the next one are taken. Times are the processor's, so that a
busy machine tells the same; only what two processes save is told by the clock. Memory is the peak of the process.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

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


def stages(folder: Path) -> dict[str, float]:
    """The processor's seconds for each stage of a corpus of one book."""
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
    return taken


def seconds(folder: Path, jobs: int, keep: Path | None = None) -> float:
    start = time.perf_counter()
    edit(folder, jobs=jobs, keep=keep)
    return time.perf_counter() - start


def main() -> None:
    books = [Path(name) for name in sys.argv[1:]]
    books = books or sorted(RAW.glob("*.txt"), key=lambda p: -p.stat().st_size)[:2]
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        for k, book in enumerate(books):
            size = book.stat().st_size / 1e6
            print(f"{book.name}, {size:.2f} MB")
            taken = stages(corpus(scratch / str(k), [book]))
            print("  " + ", ".join(f"{stage} {t:.1f} s" for stage, t in taken.items()))
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"  {sum(taken.values()) / size:.1f} s for 1 MB; peak {peak:.0f} MB")
        twins = []
        for k in range(2):
            twins.append(scratch / f"twin{k}.txt")
            twins[-1].write_bytes(books[-1].read_bytes())
        folder = corpus(scratch / "twins", twins)
        one, two = seconds(folder, 1), seconds(folder, 2, scratch / "keep")
        print(f"two witnesses of {books[-1].name}: 1 process {one:.1f} s, 2 processes {two:.1f} s, {one / two:.2f} x")
        print(f"  again, nothing changed: {seconds(folder, 1, scratch / 'keep'):.1f} s")


if __name__ == "__main__":
    main()
