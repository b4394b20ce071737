"""All tables as the sheets of one Excel workbook."""

from __future__ import annotations

import datetime
import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from variorum.tables.cells import text_of
from variorum.tables.columns import TABLES

if TYPE_CHECKING:
    from pandas import DataFrame

CONTENTS = "contents"
CELL_LIMIT = 32_767  # UTF-16 units in a cell; the writer would leave out a longer one without a word
ROW_LIMIT = 1_048_576
NAME_LIMIT = 31
WIDEST = 60  # characters; beyond it text is wrapped
_CUT = " […] (cut here: a cell of a workbook ends; the CSV file has it whole)"
_FORBIDDEN = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
_CREATED = datetime.datetime(2000, 1, 1)  # a fixed moment, so that the same corpus gives the same bytes


def workbook_bytes(frames: Mapping[str, DataFrame]) -> bytes:
    """A workbook with one sheet a table, after a sheet that lists them.

    Text is written as text, so that nothing becomes a formula, a link, a date or a number; numbers are written as
    numbers, yes and no as words. Carriage returns become line ends, other control characters U+FFFD. The same tables
    give the same bytes.
    """
    import xlsxwriter

    parts = [(title, frame) for name, whole in frames.items() for title, frame in _parts(name, whole)]
    names = sheet_names([CONTENTS, *(title for title, _ in parts)])
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True}) as book:
        book.set_properties({"created": _CREATED})
        head = book.add_format({"bold": True, "bottom": 1, "valign": "top", "text_wrap": True})
        body = book.add_format({"valign": "top", "text_wrap": True})
        contents = (
            (name, title, len(frame), TABLES[title].meaning if title in TABLES else "")
            for name, (title, frame) in zip(names[1:], parts, strict=True)
        )
        _fill(book.add_worksheet(names[0]), ("sheet", "table", "rows", "meaning"), contents, head, body)
        for name, (_, frame) in zip(names[1:], parts, strict=True):
            rows = frame.itertuples(index=False, name=None)
            _fill(book.add_worksheet(name), [str(c) for c in frame.columns], rows, head, body)
    return stream.getvalue()


def sheet_names(titles: Iterable[str]) -> tuple[str, ...]:
    """A legal name for each title: 1 to 31 characters, none of []:*?/\\, no apostrophe at the ends, all different."""
    names: list[str] = []
    taken = {"history"}  # kept by Excel for itself
    for title in titles:
        stem = " ".join(_FORBIDDEN.sub(" ", text_of(title)).split()).strip("' ") or "sheet"
        name, k = _short(stem, NAME_LIMIT), 1
        while name.casefold() in taken:
            k += 1
            name = _short(stem, NAME_LIMIT - len(f" ({k})")) + f" ({k})"
        taken.add(name.casefold())
        names.append(name)
    return tuple(names)


def _short(text: str, limit: int) -> str:
    """The text cut to `limit` UTF-16 units, as Excel counts, without an apostrophe or space at its end."""
    return text.encode("utf-16-le")[: 2 * limit].decode("utf-16-le", "ignore").rstrip("' ")


def _parts(name: str, frame: DataFrame) -> Iterator[tuple[str, DataFrame]]:
    """The table, in pieces where a sheet has too few rows for it."""
    size = ROW_LIMIT - 1
    for k in range(0, max(1, len(frame)), size):
        yield name, frame.iloc[k : k + size]


def _fill(sheet: Any, names: Iterable[str], rows: Iterable[tuple[Any, ...]], head: Any, body: Any) -> None:
    names = list(names)
    widths = [len(name) + 4 for name in names]  # room for the filter's button
    for column, name in enumerate(names):
        sheet.write_string(0, column, _cell(name), head)
    last = 0
    for last, row in enumerate(rows, 1):
        for column, value in enumerate(row):
            widths[column] = max(widths[column], _write(sheet, last, column, value, body))
    for column, width in enumerate(widths):
        sheet.set_column(column, column, min(width + 1, WIDEST))
    sheet.freeze_panes(1, 0)
    if names:
        sheet.autofilter(0, 0, last, len(names) - 1)


def _write(sheet: Any, row: int, column: int, value: object, form: Any) -> int:
    """Write one cell; returns the length of its longest line."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        sheet.write_number(row, column, value, form)
        return len(f"{value}")
    text = _cell(value)
    if text:
        sheet.write_string(row, column, text, form)
    else:
        sheet.write_blank(row, column, None, form)
    return max(map(len, text.split("\n")))


def _cell(value: object) -> str:
    text = text_of(str(value).replace("\r\n", "\n").replace("\r", "\n") if isinstance(value, str) else value)
    if len(text) > CELL_LIMIT // 2 and len(text.encode("utf-16-le")) > 2 * CELL_LIMIT:
        text = _short(text, CELL_LIMIT - len(_CUT)) + _CUT
    return text
