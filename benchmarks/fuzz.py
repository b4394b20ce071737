"""Every reader on damaged and made-up files: what it raises that is no refusal, what is unsound, what takes long.

    python benchmarks/fuzz.py [--minutes 10] [--seed 0] [--keep FOLDER]

Files are the specimens of the tests, damaged (bytes changed, cut, doubled, spliced, signs of formats put in; half of
them only in their numbers and words, so that they stay well-formed), and pages made up at random, with boxes of every
kind. For each it prints how many were tried, read and refused, what was raised, and the slowest. Ends with 1 where
anything was raised, unsound or slower than the limit.
"""

from __future__ import annotations

import argparse
import gzip
import io
import random
import re
import signal
import sys
import time
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from types import FrameType

from variorum.errors import SourceError
from variorum.model import Repair, Source
from variorum.repair import untouched
from variorum.sources import read

SPECIMENS = Path(__file__).resolve().parents[1] / "tests" / "specimens"
LIMIT = 5.0  # the processor's seconds for a file of a few dozen kilobytes: nothing of that size has a right to more
SIGNS = [
    *(b"<", b">", b"</span>", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"&eacute;", b"&#0;", b"&#xD800;", b"\xff\xfe"),
    *(
        b"\x00",
        b"\x0c",
        b"\xef\xbb\xbf",
        b"\r",
        b"<!DOCTYPE a [<!ENTITY b 'c'>]>",
        b"\x1f\x8b",
        b"PK\x03\x04",
        b"%PDF-",
    ),
    *(b"bbox 1 2", b"bbox -1 1e9 nan inf", b"x_wconf 1e999", b"<mets>", b"<alto>", b"<PcGts>", b"<TEI>", b"ocr_page"),
    *(b"*** START OF THE PROJECT GUTENBERG EBOOK X ***\n", b"*** END OF THE PROJECT GUTENBERG", b"_", b"=", b"\n\n"),
    *(b"[Transcriber's note: ", "\u202e\u0301\U0010ffff".encode(), b"xmlns:a='b'", b"xml:id='a'", b"\xc3\x28"),
]
Make = Callable[[random.Random], bytes]


@dataclass
class Tally:
    """What came of the files of one format."""

    tried: int = 0
    was_read: int = 0
    refused: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    size: int = 0


# -------------------------------------------------------------------------------------------------------------- damage


def damaged(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    """A file after one to six mishaps, all of them or none such that markup stays well-formed; sometimes packed."""
    mishaps = chance.choice((MISHAPS, (_numbers, _words)))
    for _ in range(chance.randint(1, 6)):
        data = chance.choice(mishaps)(data, others, chance)
    data = data[:400_000]
    return gzip.compress(data, mtime=0) if chance.random() < 0.05 else data


def _changed(data: bytes, _: list[bytes], chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        if changed:
            changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _cut(data: bytes, _: list[bytes], chance: random.Random) -> bytes:
    a, b = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    return data[:a] + data[b:] if chance.random() < 0.5 else data[:b]


def _doubled(data: bytes, _: list[bytes], chance: random.Random) -> bytes:
    a = chance.randrange(len(data) + 1)
    b = min(len(data), a + chance.randint(1, 2000))
    return data[:b] + data[a:b] * chance.choice((1, 1, 2, 50)) + data[b:]


def _signed(data: bytes, _: list[bytes], chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(SIGNS) * chance.choice((1, 1, 1, 3, 300)) + data[at:]


def _spliced(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    other = chance.choice(others)
    return data[: chance.randrange(len(data) + 1)] + other[chance.randrange(len(other) + 1) :]


def _numbers(data: bytes, _: list[bytes], chance: random.Random) -> bytes:
    """Another number in the place of one that stands there: a box turned over, a page without an end."""
    places = [k for k in range(len(data)) if data[k : k + 1].isdigit()][:5000]
    if not places:
        return data
    at = chance.choice(places)
    return data[:at] + chance.choice((b"-1", b"0", b"99999999999999999999", b"nan", b"1e400", b"")) + data[at + 1 :]


def _words(data: bytes, _: list[bytes], chance: random.Random) -> bytes:
    """A word left out or put in the place of all of its kind."""
    found = re.findall(rb"\b[A-Za-z]{2,12}\b", data[:200_000])
    return data.replace(chance.choice(found), chance.choice((b"", b"ab", *found[:50]))) if found else data


MISHAPS = (_changed, _cut, _doubled, _signed, _spliced, _numbers)


# ------------------------------------------------------------------------------------------------------------- made up


def _edges(chance: random.Random) -> tuple[float, float, float, float]:
    if chance.random() < 0.05:
        return tuple(chance.choice((-5, 0, 10**7, 0.5, float("nan"))) for _ in range(4))  # type: ignore[return-value]
    left, top = chance.randrange(0, 2000, 7), chance.randrange(0, 3000, 11)
    return left, top, left + chance.randrange(1, 400), top + chance.randrange(1, 60)


def _word(chance: random.Random) -> str:
    return chance.choice(
        ("the", "dealer", "1.", "12.", "IV.", "W", "", "—", "&amp;", "A", "(b)", "\u202eab", "e\u0301", "x" * 50)
    )


def _page(chance: random.Random) -> list[list[list[tuple[str, tuple[float, float, float, float]]]]]:
    """Blocks of lines of words: in columns, in rows, or anyhow."""
    tidy = chance.random() < 0.7
    blocks = []
    for _ in range(chance.choice((0, 1, 2, 5, 20, 120))):
        left, top, *_rest = _edges(chance)
        lines = []
        for n in range(chance.choice((0, 1, 3, 12))):
            line, at = [], left
            for _ in range(chance.choice((0, 1, 4, 9))):
                word = _word(chance)
                wide = 12 * len(word) + 1
                line.append((word, (at, top + 30 * n, at + wide, top + 30 * n + 22) if tidy else _edges(chance)))
                at += wide + chance.choice((8, 8, 8, 70))
            lines.append(line)
        blocks.append(lines)
    return blocks


SURE = (0, 90, 101)


def hocr(chance: random.Random) -> bytes:
    blocks = "".join(
        "<p class='ocr_par'>"
        + "".join(
            "<span class='ocr_line'>"
            + " ".join(
                f"<span class='ocrx_word' title='bbox {' '.join(map(str, b))};x_wconf {chance.choice(SURE)}'>{w}</span>"
                for w, b in line
            )
            + "</span>"
            for line in block
        )
        + "</p>"
        for block in _page(chance)
    )
    return f"<html><body><div class='ocr_page' title='image \"a.png\"'>{blocks}</div></body></html>".encode()


def alto(chance: random.Random) -> bytes:
    blocks = "".join(
        "<TextBlock>"
        + "".join(
            "<TextLine>"
            + "".join(
                f'<String CONTENT="{w}" HPOS="{b[0]}" VPOS="{b[1]}" WIDTH="{b[2] - b[0]}" HEIGHT="{b[3] - b[1]}"/>'
                for w, b in line
            )
            + chance.choice(("", "<HYP/>"))
            + "</TextLine>"
            for line in block
        )
        + "</TextBlock>"
        for block in _page(chance)
    )
    space = chance.choice(("PrintSpace", "LeftMargin", "ComposedBlock"))
    return f'<alto xmlns="a"><Layout><Page><{space}>{blocks}</{space}></Page></Layout></alto>'.encode()


def page(chance: random.Random) -> bytes:
    regions, names = "", []
    for k, block in enumerate(_page(chance)):
        names.append(f"r{k}")
        lines = ""
        for line in block:
            left, top, right, bottom = line[0][1] if line else _edges(chance)
            points = f"{left},{top} {right},{top} {right},{bottom}"
            text = " ".join(w for w, _ in line)
            lines += f'<TextLine><Coords points="{points}"/><TextEquiv><Unicode>{text}</Unicode></TextEquiv></TextLine>'
        regions += f'<TextRegion id="r{k}">{lines}</TextRegion>'
    chance.shuffle(names)
    stated = "".join(f'<RegionRefIndexed index="{k}" regionRef="{n}"/>' for k, n in enumerate(names))
    order = f"<ReadingOrder><OrderedGroup>{stated}</OrderedGroup></ReadingOrder>" if chance.random() < 0.5 else ""
    return f"<PcGts><Page>{order}{regions}</Page></PcGts>".encode()


def djvu(chance: random.Random) -> bytes:
    blocks = "".join(
        "<PARAGRAPH>"
        + "".join(
            "<LINE>" + "".join(f'<WORD coords="{b[0]},{b[3]},{b[2]},{b[1]}">{w}</WORD>' for w, b in line) + "</LINE>"
            for line in block
        )
        + "</PARAGRAPH>"
        for block in _page(chance)
    )
    return f"<DjVuXML><BODY><OBJECT>{blocks}</OBJECT></BODY></DjVuXML>".encode()


def html(chance: random.Random) -> bytes:
    names = [
        "p",
        "div",
        "i",
        "li",
        "table",
        "td",
        "br",
        "pre",
        "h2",
        "span class='pagenum'",
        "script",
        "svg",
        "html",
        "b",
    ]
    parts = []
    for _ in range(chance.choice((3, 30, 300))):
        name = chance.choice(names)
        parts.append(chance.choice((f"<{name}>", f"</{name.split()[0]}>", _word(chance), " ", "\n")))
    return ("<html><body><p>" + "".join(parts)).encode()


def nested(chance: random.Random) -> bytes:
    root, name = chance.choice(
        (("html", "div"), ("TEI", "div"), ("alto", "Layout"), ("PcGts", "TextRegion"), ("DjVuXML", "a"))
    )
    depth = chance.choice((50, 240, 2000, 20000))
    return f"<{root}>{f'<{name}>' * depth}1. Deal.{f'</{name}>' * depth}</{root}>".encode()


def packed(chance: random.Random) -> bytes:
    done = io.BytesIO()
    with zipfile.ZipFile(done, "w", zipfile.ZIP_DEFLATED) as archive:
        for k in range(chance.choice((1, 3, 12))):
            name = chance.choice((f"{k}.txt", f"a/{k}.html", f"{k}.xml", f"../{k}.txt", "a.mets.xml", f"\u202e{k}.txt"))
            archive.writestr(name, chance.choice((hocr, alto, page, html))(chance))
    return done.getvalue()


MADE: dict[str, Make] = {
    "hOCR, made up": hocr,
    "ALTO, made up": alto,
    "PAGE, made up": page,
    "DjVu XML, made up": djvu,
    "HTML, made up": html,
    "deep nesting": nested,
    "zip, made up": packed,
}


# ---------------------------------------------------------------------------------------------------------------- runs


def sound(source: Source) -> None:
    """Raises AssertionError where pages or words do not lie in the text in order, or the text is not as promised."""
    assert source.raw.strip(), "no text"
    assert "\r" not in source.raw or source.stated, "a carriage return"
    for spans in (source.pages, source.places):
        assert all(a.end <= b.start for a, b in pairwise(spans)), "spans overlap"
        assert all(0 <= x.start <= x.end <= len(source.raw) for x in spans), "a span leaves the text"
    assert all(f.end <= len(source.raw) for f in source.findings), "a finding leaves the text"
    assert isinstance(untouched(source), Repair)


def attempt(data: bytes, tally: Tally) -> str:
    """Read one file. Returns the name of what went wrong, "" where nothing did."""
    tally.tried += 1
    start = time.process_time()
    wrong = ""
    try:
        signal.setitimer(signal.ITIMER_PROF, 4 * LIMIT)
        sound(read(data, "x"))
        tally.was_read += 1
    except SourceError as refused:
        tally.refused += 1
        if not (refused.what and refused.remedy):
            wrong = "a refusal without a way out"
    except TimeoutError:
        wrong = "no end"
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        wrong = f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    taken = time.process_time() - start
    if taken > tally.slowest:
        tally.slowest, tally.size = taken, len(data)
    if taken > LIMIT and not wrong:
        wrong = f"more than {LIMIT:g} s"
    if wrong:
        tally.wrong[wrong] += 1
    return wrong


def _too_long(_: int, __: FrameType | None) -> None:
    raise TimeoutError


def specimens() -> dict[str, bytes]:
    found = {p.name: p.read_bytes() for p in sorted(SPECIMENS.iterdir()) if p.is_file() and p.suffix != ".py"}
    return {
        name.removesuffix(".gz"): gzip.decompress(data) if name.endswith(".gz") else data
        for name, data in found.items()
    }


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--minutes", type=float, default=10.0)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--keep", type=Path)
    chosen = options.parse_args()
    signal.signal(signal.SIGPROF, _too_long)
    chance = random.Random(chosen.seed)
    seeds = specimens()
    others = list(seeds.values())
    tallies = {name: Tally() for name in (*seeds, *MADE)}
    end = time.monotonic() + 60 * chosen.minutes
    while time.monotonic() < end:
        for name, tally in tallies.items():
            data = MADE[name](chance) if name in MADE else damaged(seeds[name], others, chance)
            wrong = attempt(data, tally)
            if wrong and tally.wrong[wrong] == 1:
                print(f"{name}: {wrong} ({len(data):,} bytes)", flush=True)
                if chosen.keep:
                    chosen.keep.mkdir(parents=True, exist_ok=True)
                    (chosen.keep / f"{name.replace(' ', '-')}-{sum(tally.wrong.values())}").write_bytes(data)
    print(f"{'':34} {'tried':>7} {'read':>7} {'refused':>7} {'wrong':>5}  slowest")
    for name, t in tallies.items():
        row = f"{name:34} {t.tried:7} {t.was_read:7} {t.refused:7} {sum(t.wrong.values()):5}"
        print(f"{row}  {t.slowest:.2f} s ({t.size:,} bytes)")
    tried, wrong = sum(t.tried for t in tallies.values()), sum(sum(t.wrong.values()) for t in tallies.values())
    print(f"{tried:,} files, {wrong} wrong, slowest {max(t.slowest for t in tallies.values()):.2f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
