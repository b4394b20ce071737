"""One witness cleaned, to read and to print: headings, laws with their numbers, clauses and notes, prose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from variorum.model import Clause, Gap, Heading, Imprint, Law, Prose, Witness
from variorum.signs import latex, markdown, plain

Sign = Callable[[str], str]

PREAMBLE = r"""% lualatex and xelatex print every letter; pdflatex prints the number of one that it does not know.
\documentclass[11pt]{article}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[T1]{fontenc}
  \usepackage[utf8]{inputenc}
  \usepackage{textcomp}
  \makeatletter
  \def\UTFviii@undefined@err#1{[U+#1]}
  \makeatother
\else
  \usepackage{fontspec}
\fi
\setlength{\parindent}{0pt}
\setlength{\parskip}{0.6em}
"""


def witness_text(witness: Witness) -> str:
    """A witness as plain text: a law a paragraph, its number before it, clauses in lines of their own."""
    parts = [title(witness.imprint, witness.siglum), ""]
    for block in witness.segmented.blocks:
        if isinstance(block, Heading):
            parts += ["", plain(block.text), ""]
        elif isinstance(block, Prose):
            parts += [plain(block.text), ""]
        else:
            parts += [_joined(number(block), words(block, plain))]
            parts += [f"{'    ' * depth}({c.label}) {plain(c.text)}" for depth, c in clauses_by_depth(block.clauses)]
            parts += [f"    {_joined(plain(n.mark), plain(n.text))}" for n in block.notes]
            parts += [""]
    return _lines(parts)


def witness_markdown(witness: Witness) -> str:
    """A witness as Markdown: sections as headings, law numbers in bold, clauses as lists, notes as quotations."""
    parts = [f"# {markdown(title(witness.imprint, witness.siglum))}", ""]
    for block in witness.segmented.blocks:
        if isinstance(block, Heading):
            parts += [f"{'#' * min(block.level + 1, 6)} {markdown(block.text)}", ""]
        elif isinstance(block, Prose):
            parts += [markdown(block.text), ""]
        else:
            parts += [_joined(f"**{markdown(number(block))}**", words(block, markdown)), ""]
            for depth, c in clauses_by_depth(block.clauses):
                parts += [f"{'    ' * (depth - 1)}- ({markdown(c.label)}) {markdown(c.text)}"]
            parts += [""] * bool(block.clauses)
            for n in block.notes:
                parts += [f"> {_joined(markdown(n.mark), markdown(n.text))}", ""]
    return _lines(parts)


def witness_latex(witness: Witness) -> str:
    """A witness as a LaTeX document."""
    parts = [PREAMBLE + r"\begin{document}", rf"\title{{{latex(title(witness.imprint, witness.siglum))}}}"]
    parts += [r"\date{}\maketitle", ""]
    for block in witness.segmented.blocks:
        if isinstance(block, Heading):
            command = "section" if block.level <= 1 else "subsection"
            parts += [rf"\{command}*{{{latex(block.text)}}}", ""]
        elif isinstance(block, Prose):
            parts += [latex(block.text), ""]
        else:
            parts += [_joined(rf"\textbf{{{latex(number(block))}}}", words(block, latex)), ""]
            parts += _latex_clauses(block.clauses)
            parts += [rf"{{\small {_joined(latex(n.mark), latex(n.text))}\par}}" for n in block.notes]
            parts += [""] * bool(block.notes)
    return _lines([*parts, r"\end{document}"])


def title(imprint: Imprint, siglum: str) -> str:
    """What a witness is called at the head of its text; what was inferred stands in brackets, as in a catalogue."""
    named = imprint.title.value or "Untitled witness"
    bare = imprint.title.status == "stated" or not imprint.title.value or "[" in named
    named = named if bare else f"[{named}]"
    first, last = imprint.not_before, imprint.not_after
    if first is None and last is None:
        return f"{named} ({siglum})"
    years = str(first) if first == last else f"{first or ''}–{last or ''}"
    return f"{named}, {years if imprint.date_status == 'stated' else f'[{years}]'} ({siglum})"


def number(law: Law) -> str:
    """A law's true number with a full stop; its id where it has none."""
    return f"{law.number or law.id}."


def words(law: Law, sign: Sign) -> str:
    """A law's own words, with what is lost told in brackets."""
    at_start = any(g.start == g.end == law.start for g in law.gaps)
    others = sum(1 for g in law.gaps if not _opens(g, law))
    return " ".join(
        part for part in (sign("[…]") if at_start else "", sign(law.text), sign("[…]") if others else "") if part
    )


def _opens(gap: Gap, law: Law) -> bool:
    return gap.start == gap.end == law.start


def _joined(first: str, second: str) -> str:
    return " ".join(filter(None, (first, second)))


def clauses_by_depth(clauses: Sequence[Clause], depth: int = 1) -> Iterator[tuple[int, Clause]]:
    """Clauses and those within them in reading order, each with its depth from 1."""
    for clause in clauses:
        yield depth, clause
        yield from clauses_by_depth(clause.clauses, depth + 1)


def _latex_clauses(clauses: Sequence[Clause]) -> list[str]:
    if not clauses:
        return []
    out = [r"\begin{itemize}"]
    for clause in clauses:
        out += [rf"\item[({latex(clause.label)})] {latex(clause.text)}", *_latex_clauses(clause.clauses)]
    return [*out, r"\end{itemize}"]


def _lines(parts: Sequence[str]) -> str:
    """Lines, never more than one of them empty in a row."""
    kept = [p for k, p in enumerate(parts) if p or (k and parts[k - 1])]
    return "\n".join(kept).strip("\n") + "\n"
