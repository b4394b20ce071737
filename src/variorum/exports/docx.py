"""A witness or a collated work as a Word document (OOXML), for those who go on writing in a word processor."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from variorum.errors import VariorumError
from variorum.exports.collated import head, readings_line, stretches
from variorum.exports.witnesses import clauses_by_depth, number, title, words
from variorum.model import Clause, Heading, Note, Prose, Witness, Work
from variorum.signs import plain

if TYPE_CHECKING:
    from docx.document import Document

# A clock would make each build another file; no document of ours was made on this day.
_DAY = datetime(2000, 1, 1)


def witness_docx(witness: Witness) -> bytes:
    """A witness as a Word document: headings as headings, numbers in bold, clauses indented, notes as quotations.

    Raises VariorumError where python-docx is not installed.
    """
    document = _new(title(witness.imprint, witness.siglum))
    for block in witness.segmented.blocks:
        if isinstance(block, Heading):
            document.add_heading(plain(block.text), level=min(block.level, 8))
        elif isinstance(block, Prose):
            document.add_paragraph(plain(block.text))
        else:
            paragraph = document.add_paragraph()
            paragraph.add_run(plain(number(block))).bold = True
            paragraph.add_run(f" {words(block, plain)}")
            _clauses(document, block.clauses)
            _notes(document, block.notes)
    return _bytes(document)


def _clauses(document: Document, clauses: Sequence[Clause]) -> None:
    from docx.shared import Cm

    for depth, clause in clauses_by_depth(clauses):
        paragraph = document.add_paragraph(f"({plain(clause.label)}) {plain(clause.text)}")
        paragraph.paragraph_format.left_indent = Cm(0.8 * depth)


def _notes(document: Document, notes: Iterable[Note]) -> None:
    for note in notes:
        document.add_paragraph(f"{plain(note.mark)} {plain(note.text)}".strip(), style="Quote")


def collated_docx(work: Work) -> bytes:
    """A work as a Word document: the base text law by law, the apparatus under each, changes of rule as quotations.

    Raises VariorumError where python-docx is not installed.
    """
    document = _new(plain(work.title))
    for witness in work.witnesses:
        document.add_paragraph(
            plain(f"{witness.siglum}  {title(witness.imprint, witness.siglum)}"), style="List Bullet"
        )
    for collated in work.loci:
        pieces = list(stretches(collated, work.base))
        document.add_heading(head(work, collated), level=2)
        document.add_paragraph(plain("".join(s.text + s.space for s in pieces).strip()))
        if entries := "  |  ".join(readings_line(s.entry) for s in pieces if s.entry):
            document.add_paragraph(style="Body Text").add_run(entries).italic = True
        for change in collated.changes:
            document.add_paragraph(plain(change.sentence), style="Quote")
    return _bytes(document)


def _new(named: str) -> Document:
    try:
        import docx
    except ImportError:
        raise VariorumError(
            "docx", "needs python-docx, which is not installed", "pip install 'variorum[docx]', or leave docx out"
        ) from None
    document = docx.Document()
    facts = document.core_properties
    facts.title, facts.author, facts.comments = plain(named)[:255], "", ""
    facts.created = facts.modified = _DAY
    document.add_heading(plain(named), level=0)
    return document


def _bytes(document: Document) -> bytes:
    """The document as a file in which no clock has left a mark: the same edition gives the same bytes."""
    made, done = io.BytesIO(), io.BytesIO()
    document.save(made)
    with zipfile.ZipFile(made) as packed, zipfile.ZipFile(done, "w", zipfile.ZIP_DEFLATED) as anew:
        for entry in packed.infolist():
            anew.writestr(
                zipfile.ZipInfo(entry.filename, _DAY.timetuple()[:6]), packed.read(entry), zipfile.ZIP_DEFLATED
            )
    return done.getvalue()
