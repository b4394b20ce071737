"""Imports go down the floors of the house, never sideways and never up; heavy libraries have one owner."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[1] / "src" / "variorum"
FLOORS = [
    {"errors"},
    {"model"},
    {"wording", "keys", "signs"},
    {"spans", "tokens", "language", "sources", "store"},
    {"thesaurus", "kept", "rulings"},
    {"repair", "segment", "concord", "collation", "apparatus", "change", "score"},
    {"consult"},
    {"tei", "tables", "reading", "exports", "manifest"},
    {"edition"},
    {"__init__", "report", "shapes", "enrol"},
    {"cli", "__main__"},
]
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
OWNERS = {
    "lxml": {"tei", "sources"},
    "pandas": {"tables"},
    "xlsxwriter": {"tables"},
    "pyarrow": {"tables"},
    "pypdfium2": {"sources"},
    "docx": {"exports"},
    "jinja2": {"reading"},
    "markupsafe": {"reading"},
    "spacy": {"tokens"},
    "rapidfuzz": {"language", "rulings"} | FLOORS[5] | {"consult"},
    "scipy": {"concord"},
    "typer": {"cli"},
    "rich": {"cli", "report"},
    "pydantic": {"manifest"},
}
MODULES = sorted(SRC.rglob("*.py"))


def room_of(path: Path) -> str:
    parts = path.relative_to(SRC).with_suffix("").parts
    return parts[0]


def imports(path: Path) -> Iterator[str]:
    """Dotted names of what a module imports at run time, nested imports included."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: write imports in full"
            base = node.module or ""
            yield from (f"{base}.{alias.name}" if base == "variorum" else base for alias in node.names)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SRC)))
def test_imports_go_down(path: Path) -> None:
    room = room_of(path)
    assert room in FLOOR, f"{room} is no room of the house; give it a floor"
    for name in imports(path):
        if not name.startswith("variorum"):
            continue
        other = name.split(".")[1] if "." in name else "__init__"
        if other.startswith("__version"):
            continue
        assert other == room or FLOOR[other] < FLOOR[room], f"{room} must not import {other}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SRC)))
def test_heavy_libraries_have_an_owner(path: Path) -> None:
    for name in imports(path):
        owners = OWNERS.get(name.split(".")[0])
        assert owners is None or room_of(path) in owners, f"{name} belongs to {owners}"


def test_the_command_line_loads_no_heavy_library() -> None:
    heavy = ["lxml", "jinja2", "pandas", "spacy", "scipy", "numpy", "rapidfuzz", "pydantic"]
    code = f"import sys, variorum, variorum.cli; print([m for m in {heavy} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
