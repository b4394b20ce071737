"""All tables as the sheets of one Excel workbook."""

from __future__ import annotations

import datetime
import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from variorum.tables.cells import text_of
from variorum.tables.columns import TABLES
from variorum.tables.links import Links, links
from variorum.tables.marks import Mark, Marks, marks

if TYPE_CHECKING:
    from pandas import DataFrame

    from variorum.model import Work

CONTENTS = "contents"
CELL_LIMIT = 32_767  # UTF-16 units in a cell; the writer would leave out a longer one without a word
ROW_LIMIT = 1_048_576
NAME_LIMIT = 31
LINK_LIMIT = 65_530  # in a sheet; the writer would leave out more without a word
WIDEST = 60  # characters; beyond it text is wrapped
VERY_WIDE = 120  # for columns with a text that would be too high for a row
PAGE_WIDE = 400  # characters of a row that can still be read on a page of paper
LINE = 15  # points
HIGHEST = 405  # points; Excel allows no row above 409
_A4 = 9
_CUT = " […] (cut here: a cell of a workbook ends; the CSV file has it whole)"
_FORBIDDEN = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
_SCALE = {"type": "2_color_scale", "min_color": "#FFFFFF", "max_color": "#8EA9DB"}
_CREATED = datetime.datetime(2000, 1, 1)  # a fixed moment, so that the same corpus gives the same bytes


class _Forms(NamedTuple):
    """The formats of a workbook's cells."""

    head: Any
    body: Any
    number: Any
    link: Any
    plain: Any  # of words inside a cell
    substantive: Any
    accidental: Any


class _Sheet(NamedTuple):
    """A table or a part of it, and the sheet it is written to."""

    name: str
    table: str
    frame: DataFrame


def workbook_bytes(
    frames: Mapping[str, DataFrame], works: Sequence[Work] = (), pages: Mapping[str, str] | None = None
) -> bytes:
    """A workbook with one sheet a table, after a sheet that lists them.

    Text is written as text, so that nothing becomes a formula, a link, a date or a number; numbers are written as
    numbers, yes and no as words. Carriage returns become line ends, other control characters U+FFFD. Keys lead to the
    row of their law, locus or witness; loci of the synopsis, laws of the register and variation units lead to the
    reading edition, where `pages` has the address of the work's page from the workbook's folder. In the synopsis the
    words in which the witnesses of `works` differ are marked. The same tables give the same bytes.
    """
    import xlsxwriter

    parts = [(title, frame) for name, whole in frames.items() for title, frame in _parts(name, whole)]
    names = sheet_names([CONTENTS, *(title for title, _ in parts)])
    sheets = [_Sheet(name, title, frame) for name, (title, frame) in zip(names[1:], parts, strict=True)]
    first = {sheet.table: sheet.name for sheet in reversed(sheets)}
    leads = links(frames, lambda table: first[table], pages or {})
    marked = marks(works)
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True}) as book:
        book.set_properties({"created": _CREATED})
        forms = _forms(book)
        _fill_contents(book.add_worksheet(names[0]), sheets, forms)
        for sheet in sheets:
            _fill_table(book.add_worksheet(sheet.name), sheet, leads, marked, forms)
    return stream.getvalue()


def _forms(book: Any) -> _Forms:
    """Marks that can be told apart without colour: bold for sense, underlined for spelling and points."""
    cell = {"valign": "top", "text_wrap": True}
    return _Forms(
        head=book.add_format({**cell, "bold": True, "bottom": 1, "bg_color": "#E7E6E6"}),
        body=book.add_format(cell),
        number=book.add_format({**cell, "align": "right", "indent": 1}),
        link=book.add_format({**cell, "underline": 1, "font_color": "#0563C1"}),
        plain=book.add_format({}),
        substantive=book.add_format({"bold": True, "font_color": "#9C0006"}),
        accidental=book.add_format({"underline": 1, "font_color": "#375623"}),
    )


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


def _fill_contents(page: Any, sheets: Sequence[_Sheet], forms: _Forms) -> None:
    """A line a sheet, and what the marks in the synopsis mean."""
    about = [TABLES[sheet.table].meaning if sheet.table in TABLES else "" for sheet in sheets]
    rows = [(s.name, s.table, len(s.frame), meaning) for s, meaning in zip(sheets, about, strict=True)]
    widths = _lay_out(page, ("sheet", "table", "rows", "meaning"), rows, 1, forms)
    for row, values in enumerate(rows, 1):
        for column, value in enumerate(values):
            _write(page, row, column, value, forms)
        page.write_url(row, 0, f"internal:'{values[0]}'!A1", forms.link, values[0])
        page.set_row(row, _height(values, widths))
    if any(sheet.table == "synopsis" for sheet in sheets):
        key: list[Any] = ["Words in the synopsis: ", forms.substantive, "bold", " where they differ in sense, "]
        key += [forms.accidental, "underlined", " where they differ in spelling, capitals or points."]
        page.write_rich_string(len(rows) + 2, 3, *key, forms.body)
        page.set_row(len(rows) + 2, 3 * LINE)


def _fill_table(page: Any, sheet: _Sheet, leads: Links, marked: Marks, forms: _Forms) -> None:
    names = [str(column) for column in sheet.frame.columns]
    rows = list(sheet.frame.itertuples(index=False, name=None))
    keys = TABLES[sheet.table].keys if sheet.table in TABLES else 0
    widths = _lay_out(page, names, rows, keys, forms)
    linked = 0
    for row, values in enumerate(rows, 1):
        record = dict(zip(names, values, strict=True))
        locus = str(record.get("locus", ""))
        for column, (name, value) in enumerate(record.items()):
            address = leads.of(sheet.table, name, value, record) if linked < LINK_LIMIT else ""
            here = marked.get((locus, name), ()) if sheet.table == "synopsis" else ()
            if address:
                page.write_url(row, column, address, forms.link, _cell(value))
                linked += 1
            elif here:
                _write_marked(page, row, column, str(value), here, forms)
            else:
                _write(page, row, column, value, forms)
        page.set_row(row, _height(values, widths))
    if sheet.table == "similarity" and rows:
        page.conditional_format(1, 2, len(rows), len(names) - 1, _SCALE)


def _lay_out(
    page: Any, names: Sequence[str], rows: Sequence[Sequence[object]], keys: int, forms: _Forms
) -> Sequence[int]:
    """Head, widths, filters; the head and the `keys` first columns stay, on paper too. Returns the widths."""
    widths = []
    for column, name in enumerate(names):
        _write(page, 0, column, name, forms, forms.head)
        cells = [_cell(row[column]) for row in rows]
        longest = max((len(line) for cell in cells for line in cell.split("\n")), default=0)
        room = WIDEST if max(map(len, cells), default=0) < WIDEST * HIGHEST // LINE else VERY_WIDE
        widths.append(min(max(longest + 1, len(name) + 4) + 1, room))  # 4: the filter's button
        page.set_column(column, column, widths[-1])
    page.freeze_panes(1, keys)
    if names:
        page.autofilter(0, 0, len(rows), len(names) - 1)
    page.set_landscape()
    page.set_paper(_A4)
    if sum(widths) <= PAGE_WIDE:
        page.fit_to_pages(1, 0)
    elif keys:
        page.repeat_columns(0, keys - 1)
    page.repeat_rows(0)
    page.set_footer("&L&A&R&P / &N")
    return widths


def _height(values: Sequence[object], widths: Sequence[int]) -> int:
    """The height of a row in points. Not every program finds it for itself, and then lines are written over lines."""
    lines = 1
    for value, width in zip(values, widths, strict=True):
        text = _cell(value) if isinstance(value, str) else ""
        if len(text) >= width or "\n" in text:
            lines = max(lines, sum(1 + len(line) // (width - 2) for line in text.split("\n")))
    return min(lines * LINE, HIGHEST)


def _write(page: Any, row: int, column: int, value: object, forms: _Forms, form: Any = None) -> None:
    form = form or forms.body
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        page.write_number(row, column, value, forms.number)
        return
    text = _cell(value)
    if not text:
        page.write_blank(row, column, None, form)
    elif text.startswith("<r>") and text.endswith("</r>"):
        # The writer takes such a text for markup of its own, and the workbook would not open; not so one in parts.
        page.write_rich_string(row, column, text[:1], forms.plain, text[1:], form)
    else:
        page.write_string(row, column, text, form)


def _write_marked(page: Any, row: int, column: int, value: str, marked: Sequence[Mark], forms: _Forms) -> None:
    """Write a cell with some of its words marked; without marks where they cannot fit, as in a cell cut short."""
    text = _cell(value)
    parts: list[Any] = []
    at = 0
    for start, end, substantive in marked:
        parts += [text[at:start]] if at < start else []
        parts += [forms.substantive if substantive else forms.accidental, text[start:end]]
        at = end
    parts += [text[at:]] if at < len(text) else []
    # The writer wants two parts at least; and where one mark is over all of it, nothing stands out.
    if len(text) != len(value) or at > len(text) or len(parts) == 2:
        _write(page, row, column, value, forms)
    else:
        page.write_rich_string(row, column, *parts, forms.body)


def _cell(value: object) -> str:
    text = text_of(str(value).replace("\r\n", "\n").replace("\r", "\n") if isinstance(value, str) else value)
    if len(text) > CELL_LIMIT // 2 and len(text.encode("utf-16-le")) > 2 * CELL_LIMIT:
        text = _short(text, CELL_LIMIT - len(_CUT)) + _CUT
    return text
