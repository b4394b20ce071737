"""Notebooks: each runs from its first cell to its last, is kept without output, and says the same in both its forms."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jupytext
import pytest

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_there_is_a_notebook_to_run() -> None:
    assert NOTEBOOKS
    assert [path.stem for path in NOTEBOOKS] == sorted(path.stem for path in FOLDER.glob("*.py"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_output(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert code
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_both_forms_of_a_notebook_say_the_same(path: Path) -> None:
    forms = [jupytext.read(path), jupytext.read(path.with_suffix(".py"))]
    one, other = ([(cell.cell_type, cell.source) for cell in form.cells] for form in forms)
    assert one == other, f"run: jupytext --sync notebooks/{path.name}"


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_its_first_cell_to_its_last(path: Path) -> None:
    command = [sys.executable, "-m", "pytest", "--nbmake", "-q", "-p", "no:cacheprovider", "-o", "addopts=", str(path)]
    run = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
    assert "1 passed" in run.stdout
