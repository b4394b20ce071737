"""What the documents say is so."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import variorum
from variorum.edition import Edition

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "corpus/README.md", "tei/README.md"]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", read("README.md"), re.DOTALL)
    assert found
    return found[1]


@pytest.mark.parametrize("mark", ["build", "test"])
def test_the_readme_has_one_line_to_build_and_one_to_test(mark: str) -> None:
    found = re.findall(rf"<!-- {mark} -->\n```sh\n(.*?)```", read("README.md"), re.DOTALL)
    assert len(found) == 1
    assert len(found[0].strip().split("\n")) == 1
    assert found[0].startswith("python3 -m venv .venv && ")


def test_every_command_in_the_readme_exists() -> None:
    run = [sys.executable, "-c", "from variorum.cli import main; main()", "--help"]
    known = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    for command in re.findall(r"^    variorum (\w+)", read("README.md"), re.MULTILINE):
        assert re.search(rf"^ +{command}\b", known, re.MULTILINE), command


def test_the_python_example_of_the_readme_runs(capsys: pytest.CaptureFixture[str], sample: Edition) -> None:
    code = block("python").replace('variorum.edit("corpus")', "sample")
    exec(compile(code, "README.md", "exec"), {"variorum": variorum, "sample": sample})
    assert "tbe → the" in capsys.readouterr().out


def test_what_the_readme_says_is_mended_is_mended(sample: Edition) -> None:
    said = re.findall(r'"([^"]+)" is \*([^*]+)\*', read("README.md"))
    assert said
    for witness in sample.witnesses:
        for found, reads in list(said):
            if found in witness.repair.raw and reads in witness.repair.text:
                said.remove((found, reads))
    assert not said


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)", read(name)):
        if "://" not in target:
            assert ((ROOT / name).parent / target).exists(), target


def test_every_room_of_the_floor_plan_stands() -> None:
    plan = read("CONTRIBUTING.md").split("| floor |")[1].split("\n\n")[0]
    for room in re.findall(r"`([\w/]+(?:\.py)?)`", plan):
        assert (ROOT / "src/variorum" / room).exists(), room
