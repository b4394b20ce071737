"""TEI read as a witness: our own edition files whole, files of other makes as far as they are understood."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from builders import Writer
from test_tei import HEADER, witnesses
from variorum import tei
from variorum.edition import Edition, cut, edit
from variorum.errors import SourceError
from variorum.model import Correction, CorrectionKind, Law, Segmented, Source, Witness
from variorum.repair import repair
from variorum.sources import read

# A failing example is shown as it was found: making it smaller takes minutes.
FAST = (Phase.explicit, Phase.generate)


def written(witness: Witness) -> bytes:
    return tei.edition(witness, HEADER)


def stated(data: bytes) -> Segmented:
    source = read(data, "EcA.xml")
    assert source.stated is not None
    return source.stated


def again(witness: Witness, read_back: Segmented) -> Witness:
    """The witness as it was read, to be written once more."""
    source = Source(read_back.repair.raw, witness.source.name, witness.source.sha256, "utf-8")
    return replace(witness, source=source, segmented=read_back)


# ------------------------------------------------------------------------------------------------ our own files


def test_the_sample_editions_come_back_as_they_went(sample: Edition) -> None:
    for witness in sample.witnesses:
        back = stated(sample.tei[f"editions/{witness.siglum}.xml"])
        assert back.repair.raw == witness.repair.raw
        assert back.repair.text == witness.repair.text
        assert back.repair.pages == witness.repair.pages
        assert back.blocks == witness.segmented.blocks
        assert list(back.repair.corrections) == joined(witness.repair.corrections)


def joined(corrections: tuple[Correction, ...]) -> list[Correction]:
    """Corrections as a file holds them: those of one kind that touch share a choice, with the lowest certainty."""
    done: list[Correction] = []
    for c in corrections:
        c = replace(c, cert=round(c.cert, 3))
        shares = c.kind not in (CorrectionKind.BREAK, CorrectionKind.FURNITURE)
        if done and shares and done[-1].kind is c.kind and done[-1].end == c.start:
            last = done.pop()
            why = "; ".join(dict.fromkeys([last.evidence, c.evidence]))
            found, reads = last.found + c.found, last.reads + c.reads
            c = replace(
                last, end=c.end, found=found, reads=reads, cert=min(last.cert, c.cert), evidence=why.strip("; ")
            )
        done.append(c)
    return done


def test_a_small_edition_comes_back_to_the_last_detail() -> None:
    writer = Writer().page("98").prose("A preface.").space("\n\n").heading("LAWS OF WHIST.", 1).space("\n")
    writer.heading("Of Dealing.").space(" ").law(
        "1", "{l=>1}.", " He {p>ack=>pack}s the over{break:- =>}plus; see law 2, b.", refs={"law 2, b": "2.b"}, cert=0.9
    )
    writer.space("\f").page("99").space("{header:CARDS=>} {pageNum:99=>} ")
    writer.law("2", "2.", " There are:", " ", ("a", "(a)", " one;"), "\n", ("b", "(b)", " {spacing:tw o=>two} or so."))
    writer.space("\n").law("SW.1", "1.", " It is lost: torn ;H", gaps=[(";H", "illegible"), ("end", "truncated")])
    witness = writer.witness()
    back = stated(written(witness))
    assert back.repair.corrections == witness.repair.corrections
    assert [(p.start, p.folio) for p in back.repair.pages] == [(p.start, p.folio) for p in witness.repair.pages]
    texts = {law.id: (law.text, tuple(c.text for c in law.clauses)) for law in back.laws}
    assert texts == {
        "1": ("He packs the overplus; see law 2, b.", ()),
        "2": ("There are:", ("one;", "two or so.")),
        "SW.1": ("It is lost: torn", ()),
    }

    def without_words(blocks: Segmented) -> list[object]:
        return [replace(b, text="") if not isinstance(b, Law) else bare(b) for b in blocks.blocks]

    assert without_words(back) == without_words(witness.segmented)


def bare(law: Law) -> Law:
    """A law without what the builder of the tests leaves empty."""
    clauses = tuple(replace(c, text="") for c in law.clauses)
    gaps = tuple(sorted(law.gaps, key=lambda g: (g.start, g.end)))
    return replace(law, text="", section="", label="", clauses=clauses, gaps=gaps)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], phases=FAST)
@given(witness=witnesses())
def test_any_witness_is_read_back_with_its_page_and_its_text(witness: Witness) -> None:
    """Whatever the blocks: the page and the corrected text are the same, now and after another round."""
    assume(witness.repair.raw.strip())
    once = stated(written(witness))
    twice = stated(written(again(witness, once)))
    for back in (once, twice):
        assert back.repair.raw == witness.repair.raw
        assert back.repair.text == witness.repair.text
    assert {law.id for law in once.laws} <= {law.id for law in witness.laws}


@pytest.mark.parametrize("image", ["0099.png", "scans/page 9 & a.tif", "é 100%.jpg", "#9.png"])
def test_a_page_comes_back_with_the_name_of_its_image(image: str) -> None:
    writer = Writer().page("99", image).law("1", "1.", " He deals.").space("\f").page("100").prose("The end.")
    data = written(writer.witness())
    assert tei.validate(data) == []
    assert [page.image for page in stated(data).repair.pages] == [image, ""]


@pytest.mark.parametrize("pointer", ["../../etc/passwd", "http://example.org/a.png", "#surface1", "%2e%2e/a.png", "/a"])
def test_an_image_outside_the_corpus_is_not_named(pointer: str) -> None:
    source = foreign(f'<pb n="1" facs="{pointer}"/><p>1. He deals.</p>')
    assert [page.image for page in source.pages] == [""]
    assert [p.image for p in foreign('<pb n="1" facs="a%20b.png c.png"/><p>x</p>').pages] == ["a b.png"]


def test_an_edited_file_is_taken_at_its_word() -> None:
    """Neither repair nor segmentation does the editor's work again."""
    witness = Writer().law("1", "1.", " Tbe {p>ack=>pack} is cut.").space("\n").law("2", "2.", " He deals.").witness()
    source = read(written(witness), "EcA.xml")
    mended = repair(source)
    assert mended.text == "1. Tbe pack is cut.\n2. He deals."
    assert cut(source, mended).laws == source.stated.laws if source.stated else False


def test_a_file_into_which_somebody_put_more_is_read_as_anybodys() -> None:
    data = written(Writer().law("1", "1.", " The {p>ack=>pack} is cut.").witness())
    mixed = data.replace(b"is cut", b"<hi>is</hi> cut<figure><figDesc>a hand</figDesc></figure>")
    source = read(mixed, "EcA.xml")
    assert source.raw == "1. The p>ack is cut."
    assert [law.text for law in cut(source, repair(source)).laws] == ["The pack is cut."]
    assert any("figure is left out" in f.message and "2 words" in f.message for f in source.findings)


def test_a_collation_is_no_witness(sample: Edition) -> None:
    with pytest.raises(SourceError, match=r"collation of several witnesses.*name an edition file"):
        read(sample.tei["ecarte.xml"], "ecarte.xml")


@pytest.mark.shared
def test_the_examples_of_the_encoding_give_their_laws(shared: Path) -> None:
    for path in sorted((shared / "tei" / "examples" / "editions").iterdir()):
        source = read(path.read_bytes(), path.name)
        laws = cut(source, repair(source)).laws
        encoded = re.findall(rb'<div type="law" n="(\w+)"', path.read_bytes())
        assert [law.number for law in laws] == [n.decode() for n in encoded]
        assert all(law.text or law.clauses for law in laws)


# ------------------------------------------------------------------------------------------------ files of others


def foreign(body: str, front: str = "") -> Source:
    text = f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/>{front}<text><body>{body}</body></text></TEI>'
    return read(text.encode(), "other.xml")


def laws_of(source: Source) -> dict[str, str]:
    return {law.id: law.text for law in cut(source, repair(source)).laws}


def test_a_print_encoded_line_by_line() -> None:
    """As the DTA base format does it: lb and pb in place, furniture as fw, hyphens as printed."""
    source = foreign(
        '<pb n="12" facs="#f0012"/><fw type="header" place="top">Of Whiſt.</fw>\n'
        "<head>Laws of Whist.</head>\n"
        "<p>1. The dealer ſhuf-<lb/>\nfles the cards, and his adver-<lb/>\nſary cuts them<lb/>\nbefore the deal.</p>\n"
        "<p>2. He who <choice><sic>deels</sic><corr>deals</corr></choice> out of his<lb/>\n"
        'turn muſt be ſtopped<fw type="catch" place="bottom">before</fw><pb n="13"/>before the turn-up.</p>'
    )
    assert source.raw == (
        "Of Whiſt.\n\nLaws of Whist.\n\n1. The dealer ſhuf-\nfles the cards, and his adver-\nſary cuts them\n"
        "before the deal.\n\n2. He who deels out of his\nturn muſt be ſtopped\nbefore\nbefore the turn-up."
    )
    assert [(p.n, p.folio) for p in source.pages] == [(1, "12"), (2, "13")]
    assert laws_of(source) == {
        "1": "The dealer ſhuffles the cards, and his adverſary cuts them before the deal.",
        "2": "He who deals out of his turn muſt be ſtopped before the turn-up.",
    }
    kinds = {c.found: c.kind for c in repair(source).corrections}
    assert kinds["deels"] is CorrectionKind.EMENDATION
    assert kinds["Of Whiſt."] is CorrectionKind.FURNITURE


def test_a_transcription_without_lines() -> None:
    """As EEBO-TCP does it: div1 and div2, glyphs, gaps with a description, notes in the margin."""
    source = foreign(
        '<div1 type="game"><head>The Lawes of <hi>Gleek</hi></head>'
        '<div2 type="part"><p>1. THe dealer ſhall giue four cards to euery one, and lay the '
        '<g ref="char:EOLhyphen"/>reſt downe.<note place="margin">The ſtock.</note></p><p>'
        '2. He that renounceth loſeth the <gap reason="illegible" resp="#PDCC" extent="1 word"><desc>〈◊〉</desc></gap>'
        " and the game.</p></div2></div1>"
    )
    assert "four cards to euery one" in source.raw
    assert "loſeth the 〈◊〉 and the game." in source.raw
    assert "\n\nThe ſtock." in source.raw
    assert any(f.code == "tei-gap" for f in source.findings)
    assert list(laws_of(source)) == ["1", "2"]


@pytest.mark.parametrize(
    "body",
    [
        '<div type="law" n="1"><p>Four play.</p></div><div type="law" n="2"><p>The lowest deals.</p></div>',
        '<list><item n="1">Four play.</item><item n="2">The lowest deals.</item></list>',
        '<list rend="numbered"><item>Four play.</item><item>The lowest deals.</item></list>',
        "<list><label>1.</label><item>Four play.</item><label>II.</label><item>The lowest deals.</item></list>",
        '<div><p type="rule" n="1">Four play.</p><p type="rule" n="2">The lowest deals.</p></div>',
        '<div type="law"><head>Law 1.</head><p>Four play.</p></div><div type="law"><p>2. The lowest deals.</p></div>',
    ],
)
def test_a_hand_made_list_of_laws(body: str) -> None:
    assert laws_of(foreign(body)) == {"1": "Four play.", "2": "The lowest deals."}


def test_clauses_notes_and_references_of_a_hand_made_law() -> None:
    source = foreign(
        '<div type="law" n="1" xml:id="r1"><p>There is a fresh deal:<note n="*">* Or a misdeal.</note></p>'
        "<list><label>a.</label><item>if a card is faced;</item>"
        "<label>b.</label><item>if one is lost.</item></list></div>"
        '<div type="law" n="2"><p>See <ref target="#r1">the law above</ref>, or <gap/> it.</p></div>'
    )
    first, second = cut(source, repair(source)).laws
    assert first.text == "There is a fresh deal:"
    assert [(c.label, c.text) for c in first.clauses] == [("a", "if a card is faced;"), ("b", "if one is lost.")]
    assert [(n.mark, n.text) for n in first.notes] == [("*", "Or a misdeal.")]
    (reference,) = second.references
    assert (reference.target, source.raw[reference.start : reference.end]) == ("1", "the law above")
    assert [g.reason for g in second.gaps] == ["illegible"]


def test_counts_that_begin_again_have_ids_of_their_own() -> None:
    laws = '<div type="law" n="1"><p>Deal.</p></div><div type="law" n="2"><p>Cut.</p></div>'
    source = foreign(f"<div><head>Whist</head>{laws}</div><div><head>Piquet</head>{laws}</div>")
    assert list(laws_of(source)) == ["1", "2", "2.1", "2.2"]


def test_what_is_printed_stands_and_what_is_regularised_is_told() -> None:
    """Period spelling passes untouched, even where the file offers another."""
    choices = (
        "<choice><orig>shew</orig><reg>show</reg></choice> the <choice><abbr>wch</abbr><expan>which</expan></choice>"
    )
    source = foreign(f"<p>He must {choices} card.</p>")
    assert source.raw == "He must shew the wch card."
    assert {f.code for f in source.findings} == {"tei-left-out"}
    assert {"reg", "expan"} <= {word for f in source.findings for word in f.message.split()}


def test_a_word_that_the_file_joins_over_a_line_is_joined() -> None:
    source = foreign('<p>the adver-<lb break="no"/>sary and the part<lb break="no"/>ner</p>')
    assert source.raw == "the adver-\nsary and the part\nner"
    assert source.stated is not None
    assert source.stated.repair.text == "the adversary and the partner"


def test_what_is_not_understood_is_left_out_with_its_place_and_length() -> None:
    source = foreign(
        "<p>The deal is void.</p>\n<figure><head>A fine plate</head></figure>\n"
        '<p>A <formula>x = 2</formula>card.</p><x:note xmlns:x="http://example.org/mine">my own</x:note>',
        front="<facsimile><surface/></facsimile>",
    )
    assert source.raw == "The deal is void.\n\nA card."
    told = " ".join(f.message for f in source.findings)
    assert "figure is left out (line 2, with 3 words)" in told
    assert "formula is left out" in told
    assert "facsimile is left out" in told
    assert "note of http://example.org/mine is left out (line 3, with 2 words)" in told


def test_an_xinclude_is_not_followed_and_told() -> None:
    include = '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd" parse="text"/>'
    source = foreign(f"<p>The deal is void.</p>{include}")
    assert source.raw == "The deal is void."
    assert any("XInclude (not followed)" in f.message for f in source.findings)


def test_an_accent_in_an_element_of_its_own_does_not_break_the_page() -> None:
    source = foreign("<p>E<hi>\u0301</hi>carté <choice><sic>x</sic><corr>y</corr></choice></p>")
    assert source.raw == "Écarté x"
    assert any(f.code == "tei-accent-apart" for f in source.findings)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            b'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><p>1. The deal i',
            r"line 1, column \d+: not well-formed",
        ),
        (b"<TEI.2><text/></TEI.2>", "TEI P4.*convert it to P5"),
        (b'<teiCorpus xmlns="http://www.tei-c.org/ns/1.0"/>', "several texts.*save each"),
        (b"<TEI><text/></TEI>", "not TEI in the namespace.*write <TEI xmlns="),
        (b"<html><body/></html>", "its root element is html, which is not TEI.*save the witness"),
        (b'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body/></text></TEI>', "witness has no text"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_way_out(data: bytes, said: str) -> None:
    with pytest.raises(SourceError, match=said) as refused:
        read(data, "x.xml")
    assert refused.value.remedy
    assert "\n" not in str(refused.value)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("18_truncated.xml", r"line 1, column \d+"),
        ("19_xxe_general.xml", "entities x; remove the DOCTYPE"),
        ("20_xxe_parameter.xml", "remove the DOCTYPE"),
        ("21_billion_laughs.xml", "remove the DOCTYPE"),
        ("22_internal_entity_ok.xml", "entities eacute; remove the DOCTYPE"),
        ("23_xinclude.xml", r"XInclude \(not followed\)"),
        ("24_deep.xml", "its root element is a, which is not TEI"),
        ("25_wrong_root.xml", "its root element is html, which is not TEI"),
    ],
)
def test_hostile_files_touch_nothing(shared: Path, file: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """design/bad-inputs.md, 16 to 20: refused with line and remedy; no file and no network is touched."""
    import builtins
    import socket

    data = (shared / "bad-inputs" / file).read_bytes()
    read(written(Writer().prose("x").witness()), "warm.xml")  # so that everything is loaded

    def touched(*_: object, **__: object) -> None:
        raise AssertionError("something outside the file was opened")

    monkeypatch.setattr(builtins, "open", touched)
    monkeypatch.setattr(socket, "socket", touched)
    with pytest.raises(SourceError, match=said) as refused:
        read(data, file)
    monkeypatch.undo()
    assert refused.value.remedy


TAGS = [
    "p",
    "hi",
    "div",
    "list",
    "item",
    "label",
    "note",
    "choice",
    "sic",
    "corr",
    "fw",
    "lb",
    "pb",
    "gap",
    "g",
    "x",
    "head",
]

MARKS = ["", ' n="1"', ' type="law"', ' n="2" type="law"', ' break="no"', ' type="pageNum"']


@st.composite
def soup(draw: st.DrawFn, depth: int = 3) -> str:
    """Elements of TEI in any order, one inside the other."""
    pieces = []
    for _ in range(draw(st.integers(0, 4))):
        tag = draw(st.sampled_from(TAGS))
        marks = draw(st.sampled_from(MARKS))
        inside = draw(soup(depth - 1)) if depth else ""
        text = draw(st.sampled_from(["", "1. ", "the deal", "a-", " ", "\n", "e\u0301", "\u0301", "𝕏", "(a) "]))
        pieces.append(f"<{tag}{marks}>{inside}</{tag}>{text}")
    return "".join(pieces)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow], phases=FAST)
@given(soup())
def test_any_tei_is_read_or_refused(body: str) -> None:
    try:
        source = foreign(body)
    except SourceError as refused:
        if "no text" not in refused.what:
            raise
        return
    assert source.stated is not None
    assert source.raw == source.stated.repair.raw
    for page in source.pages:
        assert 0 <= page.start <= page.end <= len(source.raw)


def test_a_book_of_a_megabyte_is_read_in_linear_time() -> None:
    import time

    page = '<pb n="1"/><p>1. The dealer ſhuf-<lb/>fles the <choice><sic>crads</sic><corr>cards</corr></choice>.</p>'

    def seconds(times: int) -> float:
        began = time.process_time()
        foreign(page * times)
        return time.process_time() - began

    seconds(100)
    assert seconds(10_000) < 4 * seconds(4_000) + 0.2


def test_a_corpus_can_be_built_from_editions(sample: Edition, tmp_path: Path) -> None:
    """What was edited once gives the same laws, the same collation and the same words when it comes in again as TEI."""
    head = '[corpus]\ntitle = "T"\ndate = "2026"\n[[works]]\nid = "ecarte"\ntitle = "W"\nbase = "EcA"\n'
    for siglum in ("EcA", "EcB"):
        (tmp_path / f"{siglum}.xml").write_bytes(sample.tei[f"editions/{siglum}.xml"])
        head += f'[[witnesses]]\nsiglum = "{siglum}"\nwork = "ecarte"\nsource = "{siglum}.xml"\n'
    (tmp_path / "corpus.toml").write_text(head, encoding="utf-8")
    again = edit(tmp_path)
    assert again.problems == ()
    (work,) = again.works
    before = next(w for w in sample.works if w.id == "ecarte")
    assert work.loci == before.loci
    assert [w.laws for w in work.witnesses] == [w.laws for w in before.witnesses]
