"""Speed of TEI: a collation of 9,000 places of difference written, validated and read; editions; loading the schema.

    python benchmarks/tei.py

Floors (the encoding's): the small schema loads in under 0.2 s, and 9,000 apps are written and validated in under 3 s.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lxml import etree

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from builders import Writer, locus, rows, with_units, work  # noqa: E402
from variorum import sources, tei  # noqa: E402
from variorum.model import UnitKind, Work  # noqa: E402

HEADER = tei.Header("A benchmark", "2026")
SCHEMA = ROOT / "src" / "variorum" / "tei" / "data" / "variorum.rng"


def nine_thousand() -> Work:
    """72 loci of 125 places of difference each, of every common kind."""
    lines = {"EcA": "the |king |must |show |it|, |or |a ", "EcB": "the |King |may |shew |it|; |or |b "}
    table = rows(**{s: "|".join([line] * 25) for s, line in lines.items()})
    kinds = ((UnitKind.CAPITAL, 1), (UnitKind.WORDING, 2), (UnitKind.SPELLING, 3), (UnitKind.PUNCTUATION, 5))
    units = [(kind, 8 * n + k, 8 * n + k + 1) for n in range(25) for kind, k in (*kinds, (UnitKind.WORDING, 7))]
    table = with_units(table, *units)
    loci = [(locus(f"L{n:03}", EcA="1", EcB="1"), table) for n in range(72)]
    one = Writer().law("1", "1.", " x")
    return work(*loci, EcA=one.witness("EcA"), EcB=one.witness("EcB"))


def page(times: int) -> Writer:
    """A book of laws with corrections, pages and furniture."""
    writer = Writer()
    for n in range(1, times + 1):
        writer.page(str(n)).space("{header:CARDS=>} ")
        writer.law(str(n), f"{n}.", " The {p>ack=>pack} is cut by the adver{break:- =>}sary, " + "and so on, " * 60)
        writer.space("\f")
    return writer


def timed(what: str, run: Callable[[], Any]) -> Any:
    began = time.process_time()
    result = run()
    print(f"{what:<52} {time.process_time() - began:8.3f} s")
    return result


def main() -> None:
    timed("schema loaded", lambda: etree.RelaxNG(etree.parse(SCHEMA)))
    made = nine_thousand()
    tei.validate(tei.collation(work(EcA=made.witnesses[0]), HEADER))  # so that what is loaded once is loaded
    data = timed("9,000 apps written", lambda: tei.collation(made, HEADER))
    assert timed("9,000 apps validated", lambda: tei.validate(data)) == []
    timed("9,000 apps: both witnesses read back", lambda: [tei.witness_text(data, s) for s in ("EcA", "EcB")])
    witness = page(1000).witness()
    file = timed(f"edition of {len(witness.repair.raw):,} characters written", lambda: tei.edition(witness, HEADER))
    assert timed("the same validated", lambda: tei.validate(file)) == []
    timed("the same read as a witness", lambda: sources.read(file, "EcA.xml"))


if __name__ == "__main__":
    main()
