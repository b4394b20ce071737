"""The edition as tables: DataFrames, CSV files, one Excel workbook. A view; nothing is worked out here.

`columns.py` is the data dictionary, `frames.py` fills the tables, `csvfile.py` and `workbook.py` write them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from variorum.tables.columns import TABLES
from variorum.tables.csvfile import csv_bytes
from variorum.tables.frames import alignment, table, tables
from variorum.tables.workbook import sheet_names, workbook_bytes

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["TABLES", "alignment", "csv_bytes", "files", "sheet_names", "table", "tables", "workbook_bytes"]

WORKBOOK = "variorum.xlsx"


def files(frames: Mapping[str, DataFrame]) -> dict[str, bytes]:
    """File name -> bytes: a CSV file for each table, and one workbook with all of them."""
    return {**{f"{name}.csv": csv_bytes(frame) for name, frame in frames.items()}, WORKBOOK: workbook_bytes(frames)}
