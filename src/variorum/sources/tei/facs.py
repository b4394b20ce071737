"""The image of a page as pb/@facs names it: a pointer, in which a file name is written with its odd signs escaped."""

from __future__ import annotations

from urllib.parse import quote, unquote

from variorum.sources.layout import inside


def facs(image: str) -> str:
    """The pointer to an image, or "": "page 9.png" -> "page%209.png"."""
    return quote(image, errors="surrogatepass")


def image(pointer: str) -> str:
    """The file name that a pointer names first; "" where it leads into the document, out of the corpus or nowhere."""
    first = next(iter(pointer.split()), "")
    named = unquote(first, errors="replace")
    return named if not first.startswith("#") and inside(named) else ""
