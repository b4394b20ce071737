"""All TEI files of a corpus, by path, each checked before it is handed on."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from variorum.model import Witness, Work
from variorum.tei.collations import collation
from variorum.tei.editions import edition
from variorum.tei.headers import TOOL, Header
from variorum.tei.schema import checked

if TYPE_CHECKING:
    from variorum.manifest import Corpus


def files(works: Iterable[Work], witnesses: Iterable[Witness], corpus: Corpus) -> dict[str, bytes]:
    """The TEI files by path: editions/SIGLUM.xml for each witness, WORK.xml for the collation of each work.

    Raises EncodingError where a file would not be valid.
    """
    header = Header(
        title=corpus.title,
        date=corpus.date,
        publisher=corpus.publisher,
        licence=corpus.licence,
        version=_version(),
        editors=[(editor.name, editor.orcid) for editor in corpus.editors],
        choices=dict(corpus.choices.as_rows()),
    )
    done = {f"editions/{w.siglum}.xml": edition(w, header) for w in witnesses}
    done |= {f"{work.id}.xml": collation(work, header) for work in works}
    return {path: checked(data, path) for path, data in done.items()}


def _version() -> str:
    try:
        return version(TOOL)
    except PackageNotFoundError:  # run from a folder that was never installed
        return "0"
