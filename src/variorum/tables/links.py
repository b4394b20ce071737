"""Which cells of the workbook lead where: to the row of a law, a locus or a witness, or to the reading edition.

Only keys of our own making lead anywhere. What was printed never does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from variorum.model import law_key

if TYPE_CHECKING:
    from pandas import DataFrame

_KEY_OF = {"register": "law", "synopsis": "locus", "witnesses": "witness"}
"""The sheets in which each key of that column has a row of its own."""
_PAGE_KEY_OF = {"register": "law", "synopsis": "locus", "variants": "unit"}
"""The column of each sheet whose keys are places of the reading edition."""
_SAFE = re.compile(r"[A-Za-z][A-Za-z0-9._-]*")  # what the manifest allows of an id, and our keys are made of


class Links(NamedTuple):
    """Where the keys lead: `rows` has the sheet's name and row of each key by table, `pages` the reading editions.

    `pages` maps the id of a work to the address of its page from the workbook's folder ("../reading/ecarte.html").
    """

    rows: Mapping[str, Mapping[str, tuple[str, int]]]
    pages: Mapping[str, str]
    work_of: Mapping[str, str]

    def of(self, table: str, column: str, value: object, record: Mapping[str, object]) -> str:
        """The address of a cell as the writer of workbooks takes it, or "" where it leads nowhere."""
        if not value or not isinstance(value, str):
            return ""
        if column == _PAGE_KEY_OF.get(table):
            return self._page(str(record.get("locus", "")), value)
        if column == _KEY_OF.get(table):
            return ""
        if table == "concordance" and column not in ("locus", "work"):
            return self._row("register", law_key(column.removeprefix("witness "), value.split(" + ")[0]))
        for name, key in _KEY_OF.items():
            if column == key:
                return self._row(name, value)
        return ""

    def _row(self, table: str, key: str) -> str:
        if key not in self.rows.get(table, {}):
            return ""
        sheet, row = self.rows[table][key]
        return f"internal:'{sheet}'!A{row + 1}"

    def _page(self, locus: str, key: str) -> str:
        page = self.pages.get(self.work_of.get(locus, ""), "")
        return f"external:{page}#{key}" if page and _SAFE.fullmatch(key) else ""


def links(frames: Mapping[str, DataFrame], sheet_of: Callable[[str], str], pages: Mapping[str, str]) -> Links:
    """The links of a workbook with these tables; `sheet_of` gives the name of a table's sheet."""
    rows: dict[str, dict[str, tuple[str, int]]] = {}
    for table, key in _KEY_OF.items():
        if table in frames:
            column: list[Any] = list(frames[table][key])
            # The last of equal keys is written first, so that the first one stays.
            rows[table] = {column[k]: (sheet_of(table), k + 1) for k in range(len(column) - 1, -1, -1)}
    synopsis = frames.get("synopsis")
    work_of = {} if synopsis is None else dict(zip(synopsis["locus"], synopsis["work"], strict=True))
    return Links(rows, pages, work_of)
