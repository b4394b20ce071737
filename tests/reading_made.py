"""Reading editions made for the tests in the browser."""

from __future__ import annotations

import importlib.util
import tempfile
from pathlib import Path
from types import ModuleType

from variorum.edition import edit

ROOT = Path(__file__).resolve().parents[1]


def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmark_reading", ROOT / "benchmarks" / "reading.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def reading_of(editions: int, laws: int) -> dict[str, bytes]:
    """The reading edition of a corpus made by program."""
    with tempfile.TemporaryDirectory() as folder:
        return edit(maker().write_corpus(Path(folder), editions, laws)).reading


def five_editions() -> dict[str, bytes]:
    """Five editions of twelve laws, and a work whose texts and titles are full of markup."""
    return {**hostile(), **reading_of(5, 12)}


def hostile() -> dict[str, bytes]:
    manifest = """
[corpus]
title = '"Hoyle" <b>bold</b>'
date = "2026-01-01"

[[works]]
id = "hostile"
title = '"Hoyle" <b>bold</b> </title><script>window.harmed = 1</script>'
base = "Ha"
"""
    text = """
1. The dealer <script>window.harmed = 1</script> may deal <img src=x onerror="window.harmed = 1"> again at once.

2. A player who ${window.harmed = 1} plays {{ 7 * 7 }} out of turn shall lose <b>one</b> point &amp; no more.
"""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for siglum, own in (("Ha", text), ("Hb", text.replace("may", "must").replace("one", "שלום"))):
            (folder / f"{siglum}.txt").write_text(own, encoding="utf-8")
            manifest += f'\n[[witnesses]]\nsiglum = "{siglum}"\nwork = "hostile"\nsource = "{siglum}.txt"\n'
            manifest += 'title = \'<img src=x onerror="window.harmed = 1"> "quoted"\'\n'
        (folder / "corpus.toml").write_text(manifest, encoding="utf-8")
        return edit(folder).reading
