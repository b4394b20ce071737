"""Puts specimens of the sample edition into the encoding guide, so that it shows what is really written.

    python tei/guide.py [--check]

In README.md a comment names a file of sample/ and what to show of it, as XPath without prefixes, several parted by
" ; ": the block of XML after it is written anew with the shortest element that each of them finds. With --check nothing
is written, and a difference is told. A block without such a comment is made up: what it shows is not in the sample.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from lxml import etree

HERE = Path(__file__).resolve().parent
TEI = "http://www.tei-c.org/ns/1.0"
BLOCK = re.compile(r"<!-- (\S+\.xml) (.+?) -->\n```xml\n.*?```", re.DOTALL)


def specimen(file: str, path: str) -> str:
    """The shortest element that a path finds in a file of the sample, as it stands there."""
    root = etree.parse(HERE / "sample" / file)
    found = root.xpath(prefixed(path), namespaces={"t": TEI})
    if not found:
        sys.exit(f"{file} has no {path}; choose another specimen")
    return min(map(shown, found), key=lambda text: (len(text), text))


def prefixed(path: str) -> str:
    """A path with the prefix t: before each name of an element."""
    return re.sub(r"(?<=/)(?=[A-Za-z])|(?<=\[)(?=[a-z]+[\]/])", "t:", path)


def shown(element: etree._Element) -> str:
    """An element without declarations of namespaces, and without what only lays out the header."""
    text = etree.tostring(element, encoding="unicode", with_tail=False)
    if any(a.tag == f"{{{TEI}}}teiHeader" for a in element.iterancestors()):
        text = re.sub(r">\s+<", "><", text)
    return re.sub(r' xmlns(:\w+)?="[^"]*"', "", text)


def filled(guide: str) -> str:
    """The guide with its specimens as the sample now has them."""

    def block(match: re.Match[str]) -> str:
        lines = [specimen(match[1], path.strip()) for path in match[2].split(" ; ")]
        return f"<!-- {match[1]} {match[2]} -->\n```xml\n" + "\n".join(lines) + "\n```"

    return BLOCK.sub(block, guide)


def main() -> None:
    """Writes the guide, or checks it."""
    path = HERE / "README.md"
    guide = path.read_text(encoding="utf-8")
    new = filled(guide)
    if "--check" in sys.argv:
        if new != guide:
            sys.exit("the guide does not show what the sample has: run python tei/guide.py")
        return
    path.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
