"""Whole corpora as TEI: made at random and read back without a difference; and the cases that users have reported."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import pytest
from lxml import etree

from builders import Writer, locus
from test_tei import all_of
from test_tei_reading import bare, joined, stated
from variorum import tei
from variorum.edition import collate_locus, edit
from variorum.model import Concordance, Law, Relation, Witness, Work
from variorum.tei.xml import legal

ID = "{http://www.w3.org/XML/1998/namespace}id"
FACTS = SimpleNamespace(
    title="Made at random",
    date="2026",
    publisher="",
    licence="",
    editors=(),
    choices=SimpleNamespace(as_rows=lambda: (("apply", "0.5"),)),
)

PLAIN = """
    the dealer must may shall not card cards trump hand adversary king one two loses point ſhew écarté vice
    versâ 𝕏 🂡 <b> </p> &amp; ]]> <!-- é — “deal” (faced) ;
"""
WORDS = [*PLAIN.split(), "\u200b", "\u202e", "\ufffe", "a\x00b", "\x1b[31m", "\x08x"]
MARKS = [
    *("{p>ack=>pack}", "{tbe=>the}", "adver{break:- =>}sary", "over{break:-\n=>}plus", "{spacing:mus t=>must}"),
    *("{header:CARDS =>}{pageNum:99 =>}he", "{\x1bhe=>he}", "{<i>=>i}", "car{c=>}d", "{encoding:Ã©=>é}"),
]


def some(dice: random.Random, least: int, most: int) -> str:
    """Some words as they stand on a page, with corrections among them."""
    return " ".join(dice.choice(MARKS if dice.random() < 0.15 else WORDS) for _ in range(dice.randint(least, most)))


def changed(dice: random.Random, text: str) -> str:
    """The same law in another edition: words left out, put in, changed, moved."""
    words = text.split(" ")
    for _ in range(dice.randint(0, 3)):
        at = dice.randrange(len(words))
        match dice.choice(["omit", "add", "change", "move"]):
            case "omit" if len(words) > 2:
                del words[at]
            case "add":
                words.insert(at, dice.choice(WORDS))
            case "change":
                words[at] = dice.choice(WORDS)
            case _:
                words.insert(dice.randrange(len(words)), words.pop(at))
    return " ".join(words)


def a_witness(dice: random.Random, siglum: str, texts: dict[str, str]) -> Witness:
    """A witness of some of the laws, in its own order, with pages, headings, clauses and lost ends."""
    writer = Writer(cert=dice.choice([0.4, 0.75, 0.9]))
    if dice.random() < 0.5:
        writer.page(dice.choice(["98", "", "xiv"])).prose(f"A {some(dice, 1, 5)}").space("\n\n")
    if dice.random() < 0.5:
        writer.heading("LAWS OF THE GAME.", 1).space("\n")
    order = list(texts)
    if dice.random() < 0.3:
        dice.shuffle(order)
    for number in order:
        clauses: list[tuple[str, str, str] | str] = []
        for k in range(dice.choice([0, 0, 0, 2])):
            label = "ab"[k]
            clauses += [" ", (label, f"({label})", f" {some(dice, 1, 4)}")]
        gaps = [("end", "truncated")] if dice.random() < 0.1 else []
        writer.law(number, f"{number}.", f" {texts[number]}", *clauses, gaps=gaps, cert=dice.choice([1.0, 0.9]))
        if dice.random() < 0.2 and writer.pages:
            writer.space("\f").page(dice.choice(["99", ""]))
        else:
            writer.space(dice.choice(["\n", " ", "\n\n"]))
    return writer.witness(siglum)


def comes_back(witness: Witness) -> Witness:
    """The witness as read from its edition file: the same in all that it holds, with the words of its laws."""
    back = stated(tei.edition(witness, tei.Header("x")))
    assert back.repair.raw == witness.repair.raw
    assert back.repair.text == witness.repair.text
    assert list(back.repair.corrections) == joined(witness.repair.corrections)
    assert [(p.start, p.folio) for p in back.repair.pages if witness.repair.pages] == [
        (p.start, p.folio) for p in witness.repair.pages
    ]
    assert [bare(b) if isinstance(b, Law) else replace(b, text="") for b in back.blocks] == [
        bare(b) if isinstance(b, Law) else b for b in witness.segmented.blocks
    ]
    return replace(witness, segmented=back)


def a_work(dice: random.Random, witnesses: list[Witness]) -> Work:
    laws = {w.siglum: w.laws for w in witnesses}
    numbers = sorted({law.id for own in laws.values() for law in own}, key=int)
    loci = []
    for number in numbers:
        here = {s: number for s, own in laws.items() if any(law.id == number for law in own)}
        relation = dice.choice([Relation.SAME, Relation.REVISED, Relation.RECAST]) if len(here) > 1 else Relation.ONLY
        loci.append(collate_locus(locus(f"L{int(number):02}", relation, **here), laws, witnesses[0].siglum))
    concordance = Concordance(tuple(laws), tuple(c.locus for c in loci))
    return Work("work", "Laws <of> all & sundry", witnesses[0].siglum, tuple(witnesses), concordance, tuple(loci))


def a_corpus_comes_back(seed: int) -> None:
    """A corpus made at random is written, found valid, read back and rebuilt without a difference."""
    dice = random.Random(seed)
    first = {str(n): some(dice, 3, 12) for n in range(1, dice.randint(2, 5))}
    witnesses = []
    for siglum in ("EcA", "EcB", "EcC")[: dice.randint(1, 3)]:
        own = {n: changed(dice, text) if witnesses else text for n, text in first.items()}
        kept = {n: text for n, text in own.items() if not witnesses or dice.random() < 0.85}
        witnesses.append(comes_back(a_witness(dice, siglum, kept or own)))
    made = a_work(dice, witnesses)
    files = tei.files([made], witnesses, FACTS)
    for witness in witnesses:
        again = stated(files[f"editions/{witness.siglum}.xml"])
        assert again.blocks == witness.segmented.blocks
        assert again.repair.corrections == witness.repair.corrections
        rebuilt = tei.edition(replace(witness, segmented=again), tei.Header("x"))
        assert rebuilt == tei.edition(witness, tei.Header("x"))
        laws = {law.id: law for law in witness.laws}
        words = [legal(laws[i].whole) for c in made.loci for i in c.locus.laws.get(witness.siglum, ())]
        assert tei.witness_text(files["work.xml"], witness.siglum).split() == " ".join(words).split()
    assert tei.check_files(files, former=files) == []


@pytest.mark.parametrize("part", range(2))
def test_corpora_made_at_random_come_back(part: int) -> None:
    for seed in range(part * 20, part * 20 + 20):
        a_corpus_comes_back(seed)


@pytest.mark.slow
def test_a_thousand_corpora_made_at_random_come_back() -> None:
    for seed in range(1000):
        try:
            a_corpus_comes_back(seed)
        except BaseException as error:
            error.add_note(f"corpus {seed}")
            raise


# --------------------------------------------------------------------------------------- cases that users reported


def corpus_of(folder: Path, sections: list[dict[str, Any]]) -> Path:
    """A corpus of a reported case: each witness a hand-made TEI list of its laws, section by section."""
    sigla = sorted({siglum for section in sections for siglum in section["witnesses"]})
    entries = ""
    for siglum in sigla:
        body = ""
        for section in sections:
            laws = "".join(
                f'<div type="law" n={quoteattr(n)}><p>{escape(text)}</p></div>'
                for n, text in section["witnesses"].get(siglum, [])
            )
            body += f"<div><head>{escape(section['game'])}</head>{laws}</div>"
        text = f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><text><body>{body}</body></text></TEI>'
        (folder / f"{siglum}.xml").write_text(text, encoding="utf-8")
        entries += f'[[witnesses]]\nsiglum = "{siglum}"\nwork = "w"\nsource = "{siglum}.xml"\n'
    head = f'[corpus]\ntitle = "T"\ndate = "2026"\n[[works]]\nid = "w"\ntitle = "W"\nbase = "{sigla[0]}"\n'
    (folder / "corpus.toml").write_text(head + entries, encoding="utf-8")
    return folder


@pytest.mark.shared
@pytest.mark.parametrize("case", ["T03", "T04", "T07", "T09"])
def test_a_reported_case_comes_out_right(shared: Path, tmp_path: Path, case: str) -> None:
    """../shared/cases T*: ids written twice, silence taken for agreement, empty readings lost, witnesses not listed."""
    told = json.loads((shared / "cases" / f"{case}.json").read_text(encoding="utf-8"))
    given, expected = told["input"], told["expected"]
    sections = given.get("sections") or [{"game": "Laws", "witnesses": given["witnesses"]}]
    edition = edit(corpus_of(tmp_path, sections))
    assert edition.problems == ()
    collation = edition.tei["w.xml"]
    for data in edition.tei.values():
        keys = [e.get(ID) for e in etree.fromstring(data).iter(etree.Element) if e.get(ID)]
        assert len(set(keys)) == len(keys)
    for siglum, text in expected.get("witness_text", {}).items():
        assert " ".join(tei.witness_text(collation, siglum).split()) == text
    if numbers := expected.get("numbers_in_order"):
        for path, data in edition.tei.items():
            if path.startswith("editions/"):
                assert [d.get("n") for d in all_of(data, "div") if d.get("type") == "law"] == numbers
    if "places_of_variation" in expected:
        assert len(all_of(collation, "app")) == expected["places_of_variation"]
    if "witness_elements" in expected:
        assert len(all_of(collation, "listWit/witness")) == expected["witness_elements"]
    if case == "T04":
        lacking = [r for r in all_of(collation, "rdg") if "#C" in r.get("wit", "").split()]
        assert lacking
        assert not any(r.text for r in lacking)
