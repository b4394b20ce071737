"""Texts to print: plain, Markdown and LaTeX; what a witness prints comes through, whatever signs are in it."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import Writer, locus, rows, with_units, work
from test_tei import _laws_work
from variorum import exports
from variorum.edition import Edition
from variorum.exports.collated import stretches, text_witness
from variorum.model import Clause, Law, Note, Repair, Segmented, State, UnitKind, Witness, Work
from variorum.signs import latex, markdown, plain

FOLLOWING = re.compile(r"\\([\\`*_{}\[\]<>#+!|~&$^.):=-])")


def shown_by_markdown(text: str) -> str:
    return FOLLOWING.sub(r"\1", text)


@pytest.fixture
def witness() -> Witness:
    raw = "LAWS 1. There is 100% loss: (a) if <b>; (b) if $5. * A note. 2. He_deals."
    clauses = (Clause("a", "if <b>;", 28, 38, 31), Clause("b", "if $5.", 39, 49, 42))
    laws = (
        Law("1", "1", "1.", "", "There is 100% loss:", 5, 60, 7, clauses, (Note("A note.", 50, 59, "*", 51),)),
        Law("2", "2", "2.", "", "He_deals.", 61, len(raw), 63),
    )
    plain_one = Writer().prose("x").witness()
    return Witness("EcA", "ecarte", plain_one.imprint, plain_one.source, Segmented(Repair(raw), laws))


def test_a_witness_as_plain_text(witness: Witness) -> None:
    """PITFALLS 15: stylesheets in wide use print what was found and not what is read, so we write texts ourselves."""
    assert exports.witness_text(witness) == (
        "Rules of Écarté, [1850] (EcA)\n\n1. There is 100% loss:\n    (a) if <b>;\n    (b) if $5.\n    * A note.\n\n"
        "2. He_deals.\n"
    )


def test_a_witness_as_markdown(witness: Witness) -> None:
    text = exports.witness_markdown(witness)
    assert text.startswith("# Rules of Écarté, \\[1850\\] (EcA)\n\n**1\\.** There is 100% loss:\n\n- (a) if \\<b\\>;\n")
    assert "> \\* A note." in text
    assert text.endswith("**2\\.** He\\_deals.\n")


def test_a_witness_as_latex(witness: Witness) -> None:
    text = exports.witness_latex(witness)
    assert r"\textbf{1.} There is 100\% loss:" in text
    assert r"\item[(a)] if \textless{}b\textgreater{};" in text
    assert r"\textbf{2.} He\_deals." in text
    assert balanced(text)


@pytest.fixture
def collated() -> Work:
    laws = [
        {"EcA": "The king must show it.", "EcB": "The king may show it.", "EcC": "The king show it."},
        {"EcA": None, "EcB": "A card is played.", "EcC": None},
    ]
    return _laws_work(laws, ["EcA", "EcB", "EcC"])


def test_a_work_as_plain_text_has_an_entry_for_each_difference(collated: Work) -> None:
    text = exports.collated_text(collated)
    assert "1. (EcB 1; EcC 1)\nThe king must show it.\n    must] may EcB; om. EcC\n" in text
    assert "EcB 2.\nA card is played.\n" in text
    assert "deest EcA EcC" in text


def test_a_work_as_latex_has_the_entries_of_reledmac(collated: Work) -> None:
    text = exports.collated_latex(collated)
    assert r"The king \edtext{must}{\Afootnote{may \textit{EcB}; \textit{om.} \textit{EcC}}} show it." in text
    assert text.count(r"\pstart") == text.count(r"\pend") == 2
    assert balanced(text)


def test_a_work_as_markdown_has_each_entry_as_a_footnote(collated: Work) -> None:
    text = exports.collated_markdown(collated)
    assert "The king must[^L01-u01] show it." in text
    assert "[^L01-u01]: must\\] may EcB; om. EcC" in text
    marks = re.findall(r"(?<!\n)\[\^([\w-]+)\]", text)
    assert sorted(marks) == sorted(re.findall(r"^\[\^([\w-]+)\]:", text, re.MULTILINE))


def test_words_that_the_text_lacks_and_words_lost_with_the_page() -> None:
    table = with_units(
        rows(EcA="he |deals ||again|.", EcB="he |deals |once |again|.", EcC="he ||||"),
        (UnitKind.ADDITION, 2, 3),
        (UnitKind.LACUNA, 3, 5),
        EcC=State.LACUNA,
    )
    one = Writer().law("1", "1.", " x")
    made = work((locus("L01", EcA="1", EcB="1", EcC="1"), table), **{s: one.witness(s) for s in ("EcA", "EcB", "EcC")})
    text = exports.collated_text(made)
    assert "deals] add. once EcB" in text
    assert "again.] lac. EcC" in text
    assert r"\edtext{}{\lemma{deals}\Afootnote{\textit{add.} once" in exports.collated_latex(made)


def test_the_text_of_every_locus_is_that_of_its_witness(sample: Edition) -> None:
    for made in sample.works:
        for one in made.loci:
            siglum = text_witness(one, made.base)
            tokens = [t for row in one.collation.rows if (t := row.get(siglum))]
            text = "".join(t.surface + " " * bool(t.space) for t in tokens)
            assert "".join(s.text + s.space for s in stretches(one, made.base)).split() == text.split()


def test_every_word_of_every_witness_is_in_its_exports(sample: Edition) -> None:
    for one in sample.witnesses:
        text, marked = exports.witness_text(one), shown_by_markdown(exports.witness_markdown(one))
        for law in one.laws:
            assert " ".join(law.text.split()) in text
            assert " ".join(law.text.split()) in marked
            assert latex(law.text) in exports.witness_latex(one)


def test_the_same_edition_gives_the_same_files(sample: Edition) -> None:
    files = exports.files(sample.works, sample.witnesses)
    assert files == exports.files(sample.works, sample.witnesses)
    assert {f"texts/EcA.{suffix}" for suffix in ("txt", "md", "tex")} <= files.keys()
    assert files.items() <= sample.files().items()


# -------------------------------------------------------------------------------------------------------- Word


def paragraphs(data: bytes) -> list[tuple[str, str]]:
    docx = pytest.importorskip("docx")
    return [(p.style.name, p.text) for p in docx.Document(io.BytesIO(data)).paragraphs]


def test_a_witness_as_a_word_document(witness: Witness) -> None:
    assert paragraphs(exports.witness_docx(witness)) == [
        ("Title", "Rules of Écarté, [1850] (EcA)"),
        ("Normal", "1. There is 100% loss:"),
        ("Normal", "(a) if <b>;"),
        ("Normal", "(b) if $5."),
        ("Quote", "* A note."),
        ("Normal", "2. He_deals."),
    ]


def test_a_work_as_a_word_document_has_text_and_apparatus_of_each_law(collated: Work) -> None:
    assert [text for _, text in paragraphs(exports.collated_docx(collated))][-6:] == [
        "1. (EcB 1; EcC 1)",
        "The king must show it.",
        "must] may EcB; om. EcC",
        "EcB 2.",
        "A card is played.",
        "A card is played.] deest EcA EcC",
    ]


def test_word_documents_are_the_same_from_build_to_build(sample: Edition) -> None:
    """Every word of the witness is in it, and no clock."""
    files = exports.files(sample.works, sample.witnesses, also=["docx"])
    assert files == exports.files(sample.works, sample.witnesses, also=["docx"])
    assert {f"texts/{name}.docx" for name in ("EcA", "SxA", "ecarte")} <= files.keys()
    for one in sample.witnesses:
        text = "\n".join(text for _, text in paragraphs(files[f"texts/{one.siglum}.docx"]))
        assert all(plain(law.text) in text for law in one.laws)


@given(st.text(max_size=30))
def test_any_text_can_stand_in_a_word_document(text: str) -> None:
    one = Writer().law("1", "1.", " x").witness()
    law = Law("1", "1", "1.", "", text.strip() or "x", 0, 4, 2)
    made = Witness("EcA", "x", one.imprint, one.source, Segmented(Repair("1. x"), (law,)))
    shown = paragraphs(exports.witness_docx(made))[1][1]
    assert shown.removeprefix("1. ") == plain(law.text)


# ------------------------------------------------------------------------------------------------------- signs

LATEX_BACK = {
    r"\textbackslash{}": "\\", r"\textasciicircum{}": "^", r"\textasciitilde{}": "~", r"\textless{}": "<",
    r"\textgreater{}": ">", r"\textbar{}": "|", r"\textquotedbl{}": '"', r"\textasciigrave{}": "`", r"\{": "{",
    r"\}": "}", r"\$": "$", r"\&": "&", r"\#": "#", r"\%": "%", r"\_": "_", "{[}": "[", "{]}": "]", r"\-": "\u00ad",
    "{-}": "-", r"\textquotesingle{}": "'",
}  # fmt: skip
LATEX_TOKEN = re.compile("|".join(re.escape(t) for t in sorted(LATEX_BACK, key=len, reverse=True)))


@given(st.text(max_size=40))
def test_any_text_can_be_shown_and_read_back(text: str) -> None:
    assert LATEX_TOKEN.sub(lambda m: LATEX_BACK[m.group()], latex(text)) == plain(text)
    assert shown_by_markdown(markdown(text)) == plain(text)
    assert balanced(latex(text))


def balanced(text: str) -> bool:
    depth = 0
    for brace in re.findall(r"(?<!\\)(?:\\\\)*([{}])", text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


@pytest.mark.parametrize(
    "sign", ["# x", "- x", "1. x", "<script>", "[a](b)", "*a*", "_a_", "`a`", "| a |", "&amp;", "=="]
)
def test_no_sign_of_a_text_becomes_markup(sign: str) -> None:
    assert markdown(sign)[0] == "\\" or markdown(sign)[1] == "\\"


# --------------------------------------------------------------------------------------------------------- TeX


@pytest.mark.slow
def test_latex_can_be_set(sample: Edition, collated: Work, tmp_path: Path) -> None:
    """The sample, and a text of every sign that TeX knows, are set by pdfLaTeX with reledmac."""
    program = shutil.which("pdflatex")
    if program is None or not subprocess.run(["kpsewhich", "reledmac.sty"], capture_output=True).stdout:
        pytest.skip("pdflatex with reledmac is not here (texlive-humanities, texlive-latex-extra)")
    odd = Writer().law("1", "1.", " x").witness()
    law = Law("1", "1", "1.", "", "\\ { } $ & # % _ ^ ~ < > | \" ` [ ] - -- ' '' é ſ", 0, 4, 2)
    odd = Witness("EcA", "x", odd.imprint, odd.source, Segmented(Repair("1. x"), (law,)))
    files = {
        "work.tex": exports.collated_latex(sample.works[0]),
        "made.tex": exports.collated_latex(collated),
        "witness.tex": exports.witness_latex(sample.witnesses[0]),
        "odd.tex": exports.witness_latex(odd),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        command = [program, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", name]
        for _ in range(2):
            done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace")
            assert done.returncode == 0, done.stdout[-2000:]
        assert (tmp_path / name).with_suffix(".pdf").stat().st_size > 5000
