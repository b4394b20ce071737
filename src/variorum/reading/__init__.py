"""The edition for reading: one HTML file a work, an index of the corpus, and the pictures as files. A view.

Every file stands by itself: no server, no network, no other file is needed to read it. `page.py` fills the pages,
`cells.py` sets a witness's text, `likeness.py` measures, `pictures.py` draws; `data/` holds the templates, the style
and the one small script, without which everything can be read as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from variorum.model import Finding, Witness, Work
from variorum.reading.page import index, page_names, work_page
from variorum.reading.pictures import pictures

if TYPE_CHECKING:
    from variorum.manifest import Corpus

__all__ = ["files", "index", "page_names", "pictures", "work_page"]


def files(
    works: Sequence[Work], witnesses: Sequence[Witness], findings: Iterable[Finding], corpus: Corpus
) -> dict[str, bytes]:
    """The files by path: reading/WORK.html for each work, reading/index.html, pictures/NAME.svg.

    Same edition, same bytes. A text is shown as text, whatever stands in it.
    """
    doubts = tuple(findings)
    names = page_names(works)
    done = {f"reading/{names[work.id]}": work_page(work, doubts, corpus).encode() for work in works}
    done["reading/index.html"] = index(works, witnesses, doubts, corpus).encode()
    for work in works:
        done |= {f"pictures/{picture.name}.svg": picture.file().encode() for picture in pictures(work, doubts)}
    return done
