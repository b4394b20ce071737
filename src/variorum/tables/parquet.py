"""A table as a Parquet file, for programs that read many."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from variorum.errors import VariorumError
from variorum.tables.cells import text_of

if TYPE_CHECKING:
    from pandas import DataFrame, Series


def parquet_bytes(frame: DataFrame) -> bytes:
    """The table as Parquet: text as text, with "" where a cell is empty; numbers with a null there.

    Control characters are kept, lone surrogates become U+FFFD. Raises VariorumError where pyarrow is not installed.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise VariorumError("parquet", "pyarrow is not installed", "pip install 'variorum[parquet]'") from None
    columns = {str(name): _values(frame[name]) for name in frame.columns}
    stream = io.BytesIO()
    pq.write_table(pa.table({name: pa.array(values) for name, values in columns.items()}), stream)
    return stream.getvalue()


def _values(column: Series) -> list[object]:
    """The cells of a column as values of one sort: its numbers and nulls, or else its text."""
    values: list[object] = column.tolist()
    given = [value for value in values if not isinstance(value, str) or value]
    if given and not any(isinstance(value, str) for value in given):
        return [None if value == "" else value for value in values]
    return [v.encode("utf-8", "replace").decode() if isinstance(v, str) else text_of(v) for v in values]
