"""Bytes of one file -> `Source`: each format has its own reader, which says why it declines what is not its format."""

from __future__ import annotations

from collections.abc import Callable

from variorum.errors import SourceError
from variorum.model import Source
from variorum.sources import tei, text
from variorum.sources.declined import Declined

Reader = Callable[[bytes, str], Source]

# In the order in which they are asked; the first that does not decline reads the file.
READERS: list[tuple[str, Reader]] = [
    ("TEI", tei.read),
    ("plain text", text.read),
]


def read(data: bytes, name: str = "") -> Source:
    """The witness text in the bytes of the file called `name`, read by the first reader that knows the format.

    Raises SourceError where no reader takes it (with each one's reason) or where it holds no text.
    """
    reasons = []
    for label, reader in READERS:
        try:
            return reader(data, name)
        except Declined as declined:
            reasons.append(f"not {label}: {declined}")
    raise SourceError(name, "; ".join(reasons), "save the witness as a UTF-8 text file")
