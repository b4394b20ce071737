"""Texts to print and to send: each witness cleaned, and each work collated, as plain text, Markdown and LaTeX. A view.

`witnesses.py` sets one witness, law by law; `collated.py` sets a work: the base text with an apparatus of what the
others have. In LaTeX the apparatus is reledmac's. What a witness prints is never altered, only escaped.
"""

from __future__ import annotations

from collections.abc import Iterable

from variorum.exports.collated import collated_latex, collated_markdown, collated_text
from variorum.exports.witnesses import witness_latex, witness_markdown, witness_text
from variorum.model import Witness, Work

__all__ = [
    "collated_latex",
    "collated_markdown",
    "collated_text",
    "files",
    "witness_latex",
    "witness_markdown",
    "witness_text",
]


def files(works: Iterable[Work], witnesses: Iterable[Witness]) -> dict[str, bytes]:
    """The texts by path: texts/SIGLUM.txt, .md, .tex for each witness, texts/WORK.txt, .md, .tex for each work.

    Same edition, same bytes; UTF-8, lines end in LF.
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
    return {path: text.encode("utf-8", "replace") for path, text in done.items()}
