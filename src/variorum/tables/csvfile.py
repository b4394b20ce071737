"""A table as a CSV file that opens rightly by double click."""

from __future__ import annotations

import csv
import io
import math
import re
from typing import TYPE_CHECKING

from variorum.tables.cells import text_of

if TYPE_CHECKING:
    from pandas import DataFrame

BOM = b"\xef\xbb\xbf"  # without it a spreadsheet takes the file for its own code page, and écarté is garbled
# Some spreadsheets, set to an East Asian language, take the wide forms of the signs for the signs.
_LIVE = re.compile("'*[=+\\-@\t\r\n＝＋－＠]")


def csv_bytes(frame: DataFrame, *, raw: bool = False) -> bytes:
    """The table as CSV (RFC 4180) in UTF-8 with a byte order mark: text in quotes, numbers without.

    A cell of text that a spreadsheet would take for a formula, because it begins with = + - @ (or their wide forms),
    tab or a line end, gets an apostrophe before it. So does one that has only apostrophes before such a sign: then
    taking one apostrophe away always gives the text back. `raw=True` leaves all cells as they are. Control characters
    become U+FFFD.
    """
    out = io.StringIO(newline="")
    # Text is quoted, so that a program can be told to leave it alone: 007 is then no 7, and 1-2 no day of the year.
    writer = csv.writer(out, lineterminator="\r\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow([_guarded(str(name), raw) for name in frame.columns])
    for row in frame.itertuples(index=False, name=None):
        writer.writerow([_cell(value, raw) for value in row])
    return BOM + out.getvalue().encode("utf-8")


def _cell(value: object, raw: bool) -> object:
    number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    return value if number else _guarded(value, raw)


def _guarded(value: object, raw: bool) -> str:
    text = text_of(value)
    return f"'{text}" if isinstance(value, str) and not raw and _LIVE.match(text) else text
