"""How a reader says that a file is not of its format."""

from __future__ import annotations


class Declined(Exception):  # noqa: N818 - not an error: the next reader is asked
    """Raised by a reader for bytes that are not of its format, with the reason in a few plain words."""
