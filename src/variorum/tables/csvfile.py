"""A table as a CSV file that opens rightly by double click."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

from variorum.tables.cells import text_of

if TYPE_CHECKING:
    from pandas import DataFrame

BOM = b"\xef\xbb\xbf"  # without it a spreadsheet takes the file for its own code page, and écarté is garbled
_LIVE = re.compile("'*[=+\\-@\t\r]")


def csv_bytes(frame: DataFrame, *, raw: bool = False) -> bytes:
    """The table as CSV (RFC 4180) in UTF-8 with a byte order mark.

    A cell of text that a spreadsheet would take for a formula, because it begins with = + - @, tab or carriage return,
    gets an apostrophe before it. So does one that has only apostrophes before such a sign: then taking one apostrophe
    away always gives the text back. `raw=True` leaves all cells as they are. Control characters become U+FFFD.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    # A lone empty cell is written as "" by the writer, so that no row is taken for a blank line.
    writer.writerow([_guarded(str(name), raw) for name in frame.columns])
    for row in frame.itertuples(index=False, name=None):
        writer.writerow([_guarded(value, raw) for value in row])
    return BOM + out.getvalue().encode("utf-8")


def _guarded(value: object, raw: bool) -> str:
    text = text_of(value)
    return f"'{text}" if isinstance(value, str) and not raw and _LIVE.match(text) else text
