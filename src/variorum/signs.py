"""Signs that mean something to Markdown or LaTeX, made to mean themselves."""

from __future__ import annotations

import re

# What no text file should hold: control characters but tab and line end, and what is no character at all.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#+!|~&$^])")
_LIST = re.compile(r"^(\s*)(\d+)([.)])|^(\s*)([-=:])", re.MULTILINE)
_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "[": "{[}",
    "]": "{]}",
    "\u00ad": r"\-",
    "-": "{-}",
    "'": r"\textquotesingle{}",  # a plain ' would be printed curly
}
_LATEX_SIGN = re.compile("|".join(re.escape(sign) for sign in _LATEX))


def plain(text: str) -> str:
    """The text with every character that a text file should not hold replaced by U+FFFD."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def markdown(text: str) -> str:
    """The text as Markdown that shows it: no sign in it makes a heading, a list, a link, emphasis or a tag."""
    escaped = _MARKDOWN.sub(r"\\\1", plain(text))
    return _LIST.sub(lambda m: f"{m[1]}{m[2]}\\{m[3]}" if m[2] else f"{m[4]}\\{m[5]}", escaped)


def latex(text: str) -> str:
    """The text as LaTeX that prints it: no sign in it is a command, and no two of them make one ligature."""
    return _LATEX_SIGN.sub(lambda m: _LATEX[m.group()], plain(text))
