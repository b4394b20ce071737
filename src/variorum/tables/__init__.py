"""The edition as tables: DataFrames, CSV files, one Excel workbook. A view; nothing is worked out here.

`columns.py` is the data dictionary; `frames.py` and `counts.py` fill the tables; `csvfile.py`, `workbook.py` (with
`links.py` and `marks.py`), `parquet.py` and `typeset.py` write them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from variorum.tables.columns import TABLES
from variorum.tables.csvfile import csv_bytes
from variorum.tables.frames import alignment, table, tables
from variorum.tables.parquet import parquet_bytes
from variorum.tables.typeset import latex_bytes, markdown_bytes
from variorum.tables.workbook import sheet_names, workbook_bytes

if TYPE_CHECKING:
    from pandas import DataFrame

    from variorum.model import Work

__all__ = [
    "FORMS",
    "TABLES",
    "alignment",
    "csv_bytes",
    "files",
    "latex_bytes",
    "markdown_bytes",
    "parquet_bytes",
    "sheet_names",
    "table",
    "tables",
    "workbook_bytes",
]

WORKBOOK = "variorum.xlsx"

FORMS: Mapping[str, tuple[str, Callable[[DataFrame], bytes]]] = MappingProxyType(
    {"parquet": ("parquet", parquet_bytes), "markdown": ("md", markdown_bytes), "latex": ("tex", latex_bytes)}
)
"""What tables are written as where it is asked for: suffix and writer by name."""


def files(
    frames: Mapping[str, DataFrame],
    works: Sequence[Work] = (),
    pages: Mapping[str, str] | None = None,
    also: Iterable[str] = (),
) -> dict[str, bytes]:
    """File name -> bytes: a CSV file for each table, and one workbook with all of them.

    `works` are what the tables were made from, so that the workbook can mark the words that differ; `pages` has the
    addresses of the reading editions by work, from the folder of the tables. `also` names further forms, keys of
    FORMS: one file a table and form; what is a form of something else is left to others.
    """
    made = {f"{name}.csv": csv_bytes(frame) for name, frame in frames.items()}
    for form in (f for f in also if f in FORMS):
        suffix, write = FORMS[form]
        made |= {f"{name}.{suffix}": write(frame) for name, frame in frames.items()}
    return {**made, WORKBOOK: workbook_bytes(frames, works, pages)}
