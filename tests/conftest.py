"""What all tests share: where the data beside the repository lies."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from variorum.edition import Edition

ROOT = Path(__file__).resolve().parents[1]

# The same random examples on every run: a red test must be red for everybody.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The data folder beside the repository; tests that need it are skipped where it is missing."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        if os.environ.get("VARIORUM_NEEDS_SHARED"):
            pytest.fail("the data folder ../shared should be here and is not")
        pytest.skip("the data folder ../shared is not here")
    return folder


@pytest.fixture(scope="session")
def sample() -> Edition:
    """The sample corpus, edited once for all tests."""
    from variorum.edition import edit

    return edit(ROOT / "corpus")
