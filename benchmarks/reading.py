"""How long a corpus of 12 editions x 100 laws takes to build, and how big its reading edition is.

    python benchmarks/reading.py [--editions N] [--laws N] [--seed N] [--keep FOLDER]

The corpus is made by program: a code of laws in our own words, from which each edition is derived from an earlier one
with changed spelling, points, wording and order, laws dropped, added and cut in two, and misread letters. The same seed
gives the same corpus. Prints the seconds of each step, the size of each HTML file and, where there is
Chromium, how soon the page stands there.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

PERSONS = [
    "dealer", "eldest hand", "younger hand", "adversary", "partner", "pone", "player", "challenger", "leader",
    "cutter", "banker", "third hand",
]  # fmt: skip
THINGS = [
    "stock", "trump", "talon", "discard", "crib", "trick", "lead", "pool", "stake", "score", "pack", "counter",
    "king", "knave", "sequence", "quart", "tierce", "widow", "revoke", "honour", "marriage", "misdeal", "faced card",
    "exposed card", "turned card", "bottom card", "fifth card", "odd trick", "previous hand", "second packet",
    "scoring board", "lowest club", "led suit", "spare cards", "last packet", "opening lead",
]  # fmt: skip
WHEN = [
    "before the {a} has been seen", "when the {a} lies upon the table", "after the {a} has been called aloud",
    "while the {a} is yet in dispute", "should the {a} be found among the {b}", "if the {a} prove imperfect",
    "unless the {a} has been quitted", "in case the {a} and the {b} are mingled together",
    "where the {a} was looked at by a bystander", "as soon as the {a} is gathered up",
]  # fmt: skip
DUTY = [
    "must restore the {a} to its owner", "may demand that the {a} be shown", "forfeits one point for the {a}",
    "cannot afterwards touch the {a}", "is at liberty to take back the {a}", "shall place the {a} face upwards",
    "loses all claim to the {a}", "has the choice of the {a} or the {b}", "is bound to declare the {a} in due order",
    "should count the {a} ahead of the {b}", "may require a new deal on account of the {a}",
]  # fmt: skip
SPELLED = {"honour": "honor", "should": "shou'd", "show": "shew", "forfeits": "forfeiteth", "afterwards": "afterward"}
OTHERWISE = {
    "must": "shall", "may": "can", "aloud": "openly", "one point": "two points", "demand": "require",
    "found": "discovered", "adversary": "opponent", "stock": "heap", "is bound": "is obliged", "before": "until",
    "imperfect": "defective",
}  # fmt: skip
MISREAD = (("e", "c"), ("rn", "m"), ("h", "b"), ("li", "h"), ("t", "f"), ("n", "u"))

Law = tuple[str, ...]  # its sentences


def sentence(rng: random.Random) -> str:
    a, b, c, d = rng.sample(THINGS, 4)
    when = rng.choice(WHEN).format(a=a, b=b)
    return f"The {rng.choice(PERSONS)}, {when}, {rng.choice(DUTY).format(a=c, b=d)}."


def code(rng: random.Random, laws: int) -> list[Law]:
    return [tuple(sentence(rng) for _ in range(rng.randint(2, 4))) for _ in range(laws)]


def revised(rng: random.Random, law: Law) -> Law:
    """The law as a later printer has it."""
    out = []
    for text in law:
        for old, new in (*SPELLED.items(), *OTHERWISE.items()):
            if rng.random() < 0.12:
                text = re.sub(rf"\b{old}\b", new, text)
        if rng.random() < 0.15:
            text = text.replace(",", ";", 1)
        if rng.random() < 0.06:
            text = text.replace(".", f", and the {rng.choice(PERSONS)} may not object.")
        out.append(text)
    return tuple(out)


def derived(rng: random.Random, earlier: list[Law]) -> list[Law]:
    """A later edition: laws revised, dropped, added, cut in two, moved."""
    laws = [revised(rng, law) for law in earlier if rng.random() > 0.02]
    for _ in range(2):
        laws.insert(rng.randrange(len(laws)), (sentence(rng), sentence(rng)))
        laws.insert(rng.randrange(len(laws)), laws.pop(rng.randrange(len(laws))))
    k = rng.randrange(len(laws))
    if len(laws[k]) > 2:
        laws[k : k + 1] = [laws[k][:2], laws[k][2:]]
    return laws


def misread(rng: random.Random, text: str, noise: float) -> Iterator[str]:
    for word in text.split(" "):
        old, new = rng.choice(MISREAD)
        yield word.replace(old, new, 1) if rng.random() < noise * 20 else word


def page(rng: random.Random, laws: list[Law], noise: float) -> str:
    numbered = (f"{n}. " + " ".join(law) for n, law in enumerate(laws, 1))
    return "LAWS OF THE GAME.\n\n" + "\n\n".join(" ".join(misread(rng, law, noise)) for law in numbered) + "\n"


def write_corpus(folder: Path, editions: int = 12, laws: int = 100, seed: int = 1) -> Path:
    """Write the corpus of `editions` witnesses of one work into a folder, which is returned."""
    rng = random.Random(seed)
    manifest = [
        '[corpus]\ntitle = "A corpus made by program"\ndate = "2026-01-01"\n',
        '[[works]]\nid = "made"\ntitle = "Laws of a game made by program"\nbase = "Ed01"\n',
    ]
    printed: list[list[Law]] = []
    for n in range(1, editions + 1):
        text = derived(rng, rng.choice(printed[-3:])) if printed else code(rng, laws)
        printed.append(text)
        path = folder / "witnesses" / f"Ed{n:02}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page(rng, text, rng.choice((0.0, 0.001, 0.004))), encoding="utf-8")
        manifest.append(
            f'[[witnesses]]\nsiglum = "Ed{n:02}"\nwork = "made"\nsource = "witnesses/{path.name}"\n'
            f'title = "Laws of the Game, edition {n}"\nyear = {1800 + 7 * n}\norigin = "made by program"\n'
        )
    (folder / "corpus.toml").write_text("\n".join(manifest), encoding="utf-8")
    return folder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--editions", type=int, default=12)
    parser.add_argument("--laws", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="leave corpus and edition in this folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        write_corpus(folder / "corpus", options.editions, options.laws, options.seed)
        measure(folder)


def measure(folder: Path) -> None:
    from variorum import store
    from variorum.edition import edit

    start = last = time.perf_counter()

    def done(step: str) -> None:
        nonlocal last
        now = time.perf_counter()
        print(f"{step:24} {now - last:7.2f} s", flush=True)
        last = now

    edition = edit(folder / "corpus")
    done("edit")
    tables = edition.tables
    done("tables as frames")
    _ = edition.tei
    done("TEI, validated")
    reading = edition.reading
    done("reading edition")
    files = edition.files()
    done("tables as files")
    store.write_all(folder / "build", files)
    done("written")
    print(f"{'all':24} {last - start:7.2f} s")
    print(f"{len(tables['register'])} laws, {len(tables['concordance'])} loci, {len(tables['variants'])} readings")
    for name in sorted(name for name in reading if name.endswith(".html")):
        print(f"{name:24} {len(reading[name]) / 1e6:7.2f} MB")
    print(f"{'pictures':24} {sum(len(d) for n, d in reading.items() if n.endswith('.svg')) / 1e6:7.2f} MB")
    opened(folder / "build" / "reading" / "made.html")


def opened(page: Path, times: int = 5) -> None:
    """The median seconds, of some openings in Chromium, to the first words on the screen and to all tools in place."""
    program = shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        program = None
    if not program:
        print("not opened: needs Chromium and playwright")
        return
    ask = (
        "(() => { const all = performance.getEntriesByType('navigation')[0];"
        " return [performance.getEntriesByName('first-contentful-paint')[0].startTime, all.loadEventEnd]; })()"
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        spent = []
        for _ in range(times):
            tab = browser.new_page()
            tab.goto(page.as_uri(), wait_until="load")
            tab.wait_for_timeout(300)
            spent.append(tab.evaluate(ask))
            tab.close()
        browser.close()
    for name, column in zip(("first words on screen", "all of the page"), zip(*spent, strict=True), strict=True):
        print(f"{name:24} {statistics.median(column) / 1000:7.2f} s")


if __name__ == "__main__":
    main()
