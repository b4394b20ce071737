"""The five promises of the house, on real pages and on random input."""

from __future__ import annotations

import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import variorum
from variorum import tei
from variorum.edition import Edition
from variorum.model import Repair
from variorum.tokens import tokenise

# Text as OCR gives it: words, numbers, capitals, stray marks, spaces within words, line and page ends, odd characters.
PIECES = [
    *("the ", "deal ", "d eal ", "tbe ", "1. ", "2. ", "n ", "(a) ", "(b) ", "CARDS 99 CARDS ", "ad-\n", "versary. "),
    *("\n", "\n\n", "\f", "PLAYING. — ", "· ", "~", "Ã©", "\x00", "\u200b", "\u00ad", "écarté ", "ſhew ", "𝔴hist "),
    *("<b> ", "= "),
]
OCR = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


# ------------------------------------------------------------------------------------------- 1. nothing is lost


@given(st.one_of(st.text(max_size=200), OCR))
def test_tokens_give_back_the_text(text: str) -> None:
    assert "".join(t.surface + t.space for t in tokenise(text)) == text


def test_every_law_stands_in_one_locus(sample: Edition) -> None:
    for work in sample.works:
        for witness in work.witnesses:
            placed = [i for locus in work.concordance.loci for i in locus.laws.get(witness.siglum, ())]
            assert sorted(placed) == sorted(law.id for law in witness.laws)


def test_every_token_stands_in_one_column(sample: Edition) -> None:
    for work in sample.works:
        laws = {w.siglum: {law.id: law for law in w.laws} for w in work.witnesses}
        for collated in work.loci:
            for siglum in collated.collation.witnesses:
                ids = collated.locus.laws.get(siglum, ())
                text = " ".join(laws[siglum][i].whole for i in ids)
                tokens = [row[siglum] for row in collated.collation.rows]
                assert "".join(t.surface + t.space for t in tokens if t) == text


# -------------------------------------------------------------------------- 2. every correction can be undone


def test_the_page_comes_back_from_model_and_tei(sample: Edition, root: Path) -> None:
    for witness in sample.witnesses:
        entry = next(e for e in sample.corpus.witnesses if e.siglum == witness.siglum)
        page = unicodedata.normalize("NFC", entry.source.read_bytes().decode("utf-8"))
        assert witness.repair.raw == page
        assert tei.raw_text(sample.tei[f"editions/{witness.siglum}.xml"]) == page


@given(OCR)
@settings(max_examples=60)
def test_any_text_can_be_repaired_and_the_repair_undone(text: str) -> None:
    repair = variorum.clean(text)
    undone, at = [], 0
    for c in repair.corrections:
        undone += [repair.raw[at : c.start], c.found]
        at = c.end
    assert "".join(undone) + repair.raw[at:] == repair.raw
    assert repair.raw == unicodedata.normalize("NFC", text)


# ------------------------------------------------------------- 3. every witness can be read back out of the TEI


def test_every_witness_can_be_read_back_word_for_word(sample: Edition) -> None:
    for work in sample.works:
        for witness in work.witnesses:
            ids = [i for collated in work.loci for i in collated.locus.laws.get(witness.siglum, ())]
            laws = {law.id: law for law in witness.laws}
            words = " ".join(laws[i].whole for i in ids).split()
            assert tei.witness_text(sample.tei[f"{work.id}.xml"], witness.siglum).split() == words


# -------------------------------------------------------------------------- 4. what is right passes untouched


@pytest.mark.parametrize(
    "text",
    [
        "He was obliged to shew his hand, and might chuse any one of them.",
        "If the pack contain a faced card, the adversary may, at his option, call a new deal.",
        "At écarté the dealer, if he hold the king, marks it; the talon is not to be looked at.",
        "The overplus is put upon the stock, and a misdeal loses the deal; vice versâ in piquet.",
        "It was publick talk to-day that twenty-five tricks had been scor'd without a renounce.",
        "Messrs. Hoyle & Jones, of St. James's-street, sell the laws, price 2s. 6d.",
    ],
)
def test_period_spelling_and_a_games_own_words_are_not_errors(text: str) -> None:
    assert variorum.clean(text).corrections == ()


def test_a_clean_witness_goes_through_unchanged(sample: Edition) -> None:
    clean = next(w for w in sample.witnesses if w.siglum == "EcB")
    assert clean.repair.corrections == ()


# --------------------------------------------------------------------------------- 5. same corpus, same bytes


def test_the_same_corpus_gives_the_same_bytes_everywhere(root: Path, tmp_path: Path) -> None:
    code = "import sys, variorum; variorum.edit(sys.argv[1]).write(sys.argv[2])"
    surroundings = [
        {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "UTC"},
        {"PYTHONHASHSEED": "2", "LC_ALL": "C.UTF-8", "TZ": "Pacific/Auckland"},
    ]
    builds = []
    for k, surrounding in enumerate(surroundings):
        out = tmp_path / str(k)
        command = [sys.executable, "-c", code, str(root / "corpus"), str(out)]
        subprocess.run(command, check=True, env={**os.environ, **surrounding})
        builds.append({p.relative_to(out): p.read_bytes() for p in sorted(out.rglob("*")) if p.is_file()})
    assert builds[0]
    assert builds[0] == builds[1]


def test_the_order_of_the_manifest_is_the_only_order(sample: Edition) -> None:
    assert [w.siglum for w in sample.witnesses] == [e.siglum for e in sample.corpus.witnesses]
    assert isinstance(sample.witnesses[0].repair, Repair)
