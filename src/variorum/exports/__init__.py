"""Texts to print and to send: each witness cleaned, and each work collated, as plain text, Markdown and LaTeX. A view.

A Word document of each is made where it is asked for.

`witnesses.py` sets one witness, law by law; `collated.py` sets a work: the base text with an apparatus of what the
others have. In LaTeX the apparatus is reledmac's. What a witness prints is never altered, only escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from variorum.exports.collated import collated_latex, collated_markdown, collated_text
from variorum.exports.docx import collated_docx, witness_docx
from variorum.exports.witnesses import witness_latex, witness_markdown, witness_text
from variorum.model import Witness, Work

__all__ = [
    "collated_docx",
    "collated_latex",
    "collated_markdown",
    "collated_text",
    "files",
    "witness_docx",
    "witness_latex",
    "witness_markdown",
    "witness_text",
]


DOCX = "docx"


def files(works: Sequence[Work], witnesses: Sequence[Witness], also: Iterable[str] = ()) -> dict[str, bytes]:
    """The texts by path: texts/SIGLUM.txt, .md, .tex for each witness, texts/WORK.txt, .md, .tex for each work.

    Same edition, same bytes; UTF-8, lines end in LF. With "docx" in `also`, a Word document of each beside them;
    raises VariorumError where python-docx is not installed.
    """
    done: dict[str, str] = {}
    for witness in witnesses:
        done[f"texts/{witness.siglum}.txt"] = witness_text(witness)
        done[f"texts/{witness.siglum}.md"] = witness_markdown(witness)
        done[f"texts/{witness.siglum}.tex"] = witness_latex(witness)
    for work in works:
        done[f"texts/{work.id}.txt"] = collated_text(work)
        done[f"texts/{work.id}.md"] = collated_markdown(work)
        done[f"texts/{work.id}.tex"] = collated_latex(work)
    documents = {}
    if DOCX in also:
        documents = {f"texts/{w.siglum}.docx": witness_docx(w) for w in witnesses}
        documents |= {f"texts/{work.id}.docx": collated_docx(work) for work in works}
    return {**{path: text.encode("utf-8", "replace") for path, text in done.items()}, **documents}
