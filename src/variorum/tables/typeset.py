"""A table for a text that is to be printed: Markdown and LaTeX, in which every cell is shown as it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from variorum.signs import latex
from variorum.tables.cells import text_of

if TYPE_CHECKING:
    from pandas import DataFrame

# What Markdown reads as more than itself in a cell: marks of its own, signs that Pandoc sets otherwise (quotes, two
# hyphens, three points), and what GitHub would make a link of.
_MARKED = re.compile(r"""([\\`*_{}\[\]|~^$"'@]|(?<=-)-|(?<=\.)\.|:(?=//)|(?<=[Ww]{3})\.)""")
_ENTITY = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\t": "&#9;"}


def markdown_bytes(frame: DataFrame) -> bytes:
    """The table in Markdown, as GitHub and Pandoc (pipe_tables) read it. A line end in a cell is <br>."""
    names = [_markdown(name) for name in frame.columns]
    lines = [_line(names), _line(["---"] * len(names))]
    lines += [_line([_markdown(value) for value in row]) for row in frame.itertuples(index=False, name=None)]
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown(value: object) -> str:
    text = "".join(_ENTITY.get(sign, sign) for sign in text_of(value).replace("\r\n", "\n").replace("\r", "\n"))
    text = _MARKED.sub(r"\\\1", text)
    # Spaces at the ends and in rows would be lost.
    text = re.sub(r"(?<=\s) |^ | $", "&nbsp;", text)
    return text.replace("\n", "<br>")


def latex_bytes(frame: DataFrame) -> bytes:
    r"""The table as a longtable that runs over pages, heads repeated; for \input in a text in UTF-8.

    The text that takes it in loads the packages longtable, booktabs, array and textcomp.
    """
    return "\n".join([*_latex(frame), ""]).encode("utf-8", "replace")


def _latex(frame: DataFrame) -> Iterator[str]:
    count = max(1, len(frame.columns))
    width = f"{0.98 / count:.4f}"
    column = rf">{{\raggedright\arraybackslash}}p{{\dimexpr {width}\linewidth-2\tabcolsep}}"
    head = " & ".join(rf"\textbf{{{_tex(name)}}}" for name in frame.columns)
    yield r"% \usepackage{longtable,booktabs,array,textcomp}"
    yield rf"\begin{{longtable}}{{*{{{count}}}{{{column}}}}}"
    yield rf"\toprule {head} \\ \midrule"
    yield r"\endhead"
    yield r"\bottomrule"
    yield r"\endfoot"
    for row in frame.itertuples(index=False, name=None):
        # Braces first: a cell that begins with [ or * would be taken for an option of the line end before it.
        yield rf"{{}}{' & '.join(map(_tex, row))} \\"
    yield r"\end{longtable}"


def _tex(value: object) -> str:
    return latex(text_of(value).replace("\r", "").replace("\t", " ")).replace("\n", r"\newline{}")
