"""What engines and libraries hand out: hOCR, ALTO, PAGE, DjVu XML, HTML books, PDF, gzip and zip, folders of pages."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import variorum
from variorum.edition import edit, read_source
from variorum.errors import SourceError
from variorum.model import Repair, Source
from variorum.segment import segment
from variorum.sources import read, read_pages

HOCR = """<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head><title></title></head><body>
<div class="ocr_page" title='image "page-01.png"; bbox 0 0 900 1400; ppageno 0'>
 <p class="ocr_par"><span class="ocr_line" title="bbox 10 10 400 30">
  <span class="ocrx_word" title="bbox 10 10 30 30; x_wconf 95">1.</span>
  <span class="ocrx_word" title="bbox 40 10 90 30; x_wconf 62">Tbe&nbsp;</span>
  <span class="ocrx_word" title="bbox 100 10 160 30; x_wconf 91">dealer</span></span>
 <span class="ocr_line" title="bbox 10 40 400 60"><span class="ocrx_word">plays</span>
  <span class="ocrx_word">last.</span></span></p>
 <p class="ocr_par"><span class="ocr_line"><span class="ocrx_word">2.</span>
  <span class="ocrx_word">Cut.</span></span></p>
</div>
<div class="ocr_page" title="image page-02.png"><span class="ocr_line">3. &Eacute;cart&eacute;.</span></div>
</body></html>"""
TEXT = "1. Tbe dealer\nplays last.\n\n2. Cut.\n\f3. Écarté.\n"


def test_hocr_gives_the_text_of_the_plain_file_and_the_place_of_each_word() -> None:
    source = read(HOCR.encode(), "page.hocr")
    assert source.raw == TEXT
    assert [page.image for page in source.pages] == ["page-01.png", "page-02.png"]
    tbe = source.places[1]
    assert source.raw[tbe.start : tbe.end] == "Tbe"
    assert tbe.box == (40, 10, 90, 30)
    assert tbe.confidence == 0.62
    assert all(a.end <= b.start for a, b in pairwise(source.places))


def test_hocr_in_single_characters() -> None:
    """The Internet Archive's chOCR has a box for each letter."""
    letters = "".join(f'<span class="ocrx_cinfo" title="x_bboxes 1 2 3 4">{c}</span>\n' for c in "King")
    word = f'<span class="ocrx_word" title="bbox 1 2 30 40">{letters}</span>'
    line = f'<span class="ocr_line">{word}</span>'
    page = f'<html><body><div class="ocr_page"><p class="ocr_par">{line}</p></div></body></html>'
    assert read(page.encode()).raw == "King\n"


ALTO = """<?xml version="1.0"?><alto xmlns="http://www.loc.gov/standards/alto/ns-v{version}#">
<Description><sourceImageInformation><fileName>p1.tif</fileName></sourceImageInformation></Description>
<Layout><Page><PrintSpace><TextBlock><TextLine>
<String CONTENT="The" HPOS="10" VPOS="20" WIDTH="30" HEIGHT="12" WC="0.5"/><SP/>
<String CONTENT="adver"/><HYP CONTENT="-"/>
</TextLine><TextLine><String CONTENT="sary may cut."/></TextLine></TextBlock></PrintSpace>
<TopMargin><TextBlock><TextLine><String CONTENT="LAWS"/></TextLine></TextBlock></TopMargin></Page></Layout></alto>"""


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_alto_with_its_margins_and_hyphens(version: str) -> None:
    source = read(ALTO.format(version=version).encode(), "p.xml")
    assert source.raw == "LAWS\n\nThe adver-\nsary may cut.\n"
    assert source.pages[0].image == "p1.tif"
    assert source.places[1].box == (10, 20, 40, 32)
    assert source.places[1].confidence == 0.5


PAGE = """<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Page imageFilename="p1.jpg">
<ReadingOrder><OrderedGroup id="g"><RegionRefIndexed index="1" regionRef="b"/>
<RegionRefIndexed index="0" regionRef="a"/></OrderedGroup></ReadingOrder>
<TextRegion id="b"><TextLine id="l2"><TextEquiv><Unicode>second column</Unicode></TextEquiv></TextLine></TextRegion>
<TextRegion id="a"><TextLine id="l1">
 <Word id="w"><Coords points="5,6 50,6 50,20 5,20"/><TextEquiv conf="0.7"><Unicode>First</Unicode></TextEquiv></Word>
 <TextEquiv><Unicode>{line}</Unicode></TextEquiv></TextLine></TextRegion></Page></PcGts>"""


def test_page_in_the_reading_order_that_it_states() -> None:
    source = read(PAGE.format(line="First").encode(), "p.xml")
    assert source.raw == "First\n\nsecond column\n"
    assert source.places[0].box == (5, 6, 50, 20)
    assert source.places[0].confidence == 0.7


def test_a_line_of_page_that_somebody_mended_counts_before_its_words() -> None:
    assert read(PAGE.format(line="Fourth law").encode()).raw == "Fourth law\n\nsecond column\n"


DJVU = """<?xml version="1.0" ?><!DOCTYPE DjVuXML PUBLIC "-//W3C//DTD XHTML 1.1//EN" "pubtext/DjVuXML-s.dtd">
<DjVuXML><BODY>
<OBJECT><PARAM name="PAGE" value="whist_0001.djvu"/><HIDDENTEXT><PAGECOLUMN><REGION><PARAGRAPH>
<LINE><WORD coords="10,40,60,20,38" x-confidence="80">1.</WORD> <WORD coords="70,40,99,20">Deal.</WORD></LINE>
</PARAGRAPH></REGION></PAGECOLUMN></HIDDENTEXT></OBJECT>
<OBJECT><HIDDENTEXT/></OBJECT></BODY></DjVuXML>"""


def test_djvu_xml_with_an_empty_page() -> None:
    source = read(DJVU.encode(), "whist_djvu.xml")
    assert source.raw == "1. Deal.\n\f"
    assert [page.image for page in source.pages] == ["whist_0001.djvu", ""]
    assert source.places[0].box == (10, 20, 60, 40)
    assert source.places[0].confidence == 0.8


BOOK = """<html><head><title>Whist</title><style>p {}</style></head><body><h2>LAWS&nbsp;OF WHIST</h2>
<p>1. The <i>lowest</i> card<span class="pagenum"><a id="Page_12">[Pg 12]</a></span> deals.</p>
<p>2. A revoke,<br/>if proved.</p><ul><li>a</li><li>b</li></ul><script>no()</script></body></html>"""


def test_a_book_in_html_with_the_numbers_of_its_pages() -> None:
    source = read(BOOK.encode(), "whist.html")
    assert source.raw == "LAWS OF WHIST\n\n1. The lowest card deals.\n\n2. A revoke,\nif proved.\n\na\n\nb\n"
    assert [(page.n, page.folio) for page in source.pages] == [(1, ""), (2, "12")]
    assert source.raw[source.pages[1].start :].startswith(" deals.")


# ------------------------------------------------------------------------------------------------------------- packed


def zipped(*members: tuple[str, str | bytes]) -> bytes:
    done = io.BytesIO()
    with zipfile.ZipFile(done, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members:
            archive.writestr(name, text)
    return done.getvalue()


METS = """<mets xmlns="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink"><fileSec><fileGrp>
<file ID="T1"><FLocat xlink:href="b.txt"/></file><file ID="T2"><FLocat xlink:href="a.txt"/></file></fileGrp></fileSec>
<structMap TYPE="physical"><div><div><fptr FILEID="T1"/></div><div><fptr FILEID="T2"/></div></div></structMap></mets>"""


def test_a_zip_of_pages_in_the_order_of_their_numbers() -> None:
    source = read(zipped(("x/10.txt", "3. c"), ("x/2.txt", "2. b"), ("x/1.txt", "1. a"), ("x/3.txt", "  ")), "x.zip")
    assert source.raw.split("\f") == ["1. a", "2. b", "\n", "3. c"]
    assert len(source.pages) == 4


def test_a_zip_of_pages_in_the_order_that_its_mets_file_states() -> None:
    source = read(zipped(("a.txt", "2. b"), ("b.txt", "1. a"), ("book.mets.xml", METS)), "book.zip")
    assert source.raw == "1. a\f2. b"


def test_divisions_of_a_mets_file_stand_in_the_order_of_their_numbers() -> None:
    turned = METS.replace('TYPE="physical"', 'TYPE="PHYSICAL"').replace("<div><fptr", '<div ORDER="2"><fptr', 1)
    turned = turned.replace("</div><div><fptr", '</div><div ORDER="1"><fptr')
    source = read(zipped(("a.txt", "2. b"), ("b.txt", "1. a"), ("book.mets.xml", turned)), "book.zip")
    assert source.raw == "2. b\f1. a"


def test_an_image_is_named_without_the_folders_of_the_machine_that_read_it() -> None:
    for path in ("/home/me/scans/p1.tif", "C:\\scans\\p1.tif", "p1.tif"):
        source = read(ALTO.format(version="4").replace("p1.tif", path).encode(), "p.xml")
        assert (source.pages[0].image, source.findings) == ("p1.tif", ())
    source = read(ALTO.format(version="4").replace("p1.tif", "../p1.tif").encode(), "p.xml")
    assert source.pages[0].image == ""
    assert [finding.code for finding in source.findings] == ["image-outside"]


def test_of_pages_that_come_twice_those_with_coordinates_are_read() -> None:
    source = read(zipped(("1.txt", "no"), ("1.html", HOCR)), "book.zip")
    assert source.raw == TEXT
    assert source.places


def test_a_folder_of_pages_is_a_witness(tmp_path: Path) -> None:
    for name, text in {"p10.txt": "3. Cut.", "p9.txt": "2. Deal.", "p1.hocr": HOCR, ".DS_Store": "x"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "p1.hocr").unlink()
    assert read_source(tmp_path, "pages").raw == "2. Deal.\f3. Cut."


def test_a_corpus_may_name_a_folder_a_zip_and_a_hocr_file(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    for n, law in enumerate(("1. The lowest card deals.", "2. The dealer plays last."), 1):
        (tmp_path / "a" / f"{n}.txt").write_text(law, encoding="utf-8")
    (tmp_path / "b.zip").write_bytes(zipped(("1.txt", "1. The lowest card deals."), ("2.txt", "2. The dealer leads.")))
    (tmp_path / "c.hocr.gz").write_bytes(gzip.compress(HOCR.encode()))
    witnesses = "".join(
        f'[[witnesses]]\nsiglum = "Wh{s}"\nwork = "whist"\nsource = "{source}"\n'
        for s, source in (("A", "a"), ("B", "b.zip"), ("C", "c.hocr.gz"))
    )
    (tmp_path / "corpus.toml").write_text(
        '[corpus]\ntitle = "Whist"\ndate = "2026-12-01"\n[[works]]\nid = "whist"\ntitle = "Laws"\nbase = "WhA"\n'
        + witnesses,
        encoding="utf-8",
    )
    made = edit(tmp_path)
    assert made.problems == ()
    assert [len(w.laws) for w in made.witnesses] == [2, 2, 3]
    rows = made.tables["corrections"].set_index("found")
    assert list(rows.loc["Tbe", ["reads", "image", "box"]]) == ["The", "page-01.png", "40 10 90 30"]


def test_gzip_is_read_as_what_is_in_it() -> None:
    assert read(gzip.compress(HOCR.encode()), "x.gz").raw == TEXT


# ---------------------------------------------------------------------------------------------------------------- PDF


def a_pdf(pages: Sequence[Sequence[str]]) -> bytes:
    canvas = pytest.importorskip("reportlab.pdfgen.canvas")
    done = io.BytesIO()
    paper = canvas.Canvas(done)
    for lines in pages:
        for k, line in enumerate(lines):
            paper.drawString(72, 700 - 20 * k, line)
        paper.showPage()
    paper.save()
    return done.getvalue()


def test_the_text_layer_of_a_pdf() -> None:
    pytest.importorskip("pypdfium2")
    source = read(a_pdf([["1. The lowest card", "deals."], [], ["2. A revoke loses."]]), "x.pdf")
    pages = [" ".join(page.split()) for page in source.raw.split("\f")]
    assert pages == ["1. The lowest card deals.", "", "2. A revoke loses."]
    assert [f.code for f in source.findings] == ["page-without-text"]


def test_a_pdf_of_pictures_says_what_it_lacks() -> None:
    pytest.importorskip("pypdfium2")
    with pytest.raises(SourceError, match=r"no text layer; let an OCR engine read it"):
        read(a_pdf([[], []]), "x.pdf")
    with pytest.raises(SourceError, match=r"damaged or locked PDF"):
        read(b"%PDF-1.7 not really", "x.pdf")


# ----------------------------------------------------------------------------------------------------- bad and hostile


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("18_truncated.xml", r"line \d+"),
        ("25_wrong_root.xml", "its root element is html, which is not TEI"),
        ("27_zip_slip.zip", r"'../../evil\.txt', which leads out of the archive"),
        ("28_zip_bomb.zip", "unpacks to more than a book can be"),
        ("29_zip_dupes.zip", r"'00000001\.txt' twice"),
        ("30_truncated.gz", "ends early"),
    ],
)
def test_a_hostile_or_broken_file_is_refused_in_one_line(shared: Path, file: str, said: str) -> None:
    with pytest.raises(SourceError, match=said) as caught:
        read((shared / "bad-inputs" / file).read_bytes(), file)
    assert "\n" not in str(caught.value)
    assert "; " in str(caught.value)


@pytest.mark.shared
def test_what_is_wrong_in_a_property_is_dropped_and_the_word_kept(shared: Path) -> None:
    source = read((shared / "bad-inputs" / "26_bad_bbox.hocr.html").read_bytes(), "x.hocr")
    assert source.raw == "w\n"
    assert [(p.box, p.confidence) for p in source.places] == [(None, None)]
    assert source.pages[0].image == ""
    assert [f.code for f in source.findings] == ["image-outside"]


@pytest.mark.shared
def test_a_wrong_ending_does_not_matter(shared: Path) -> None:
    assert read((shared / "bad-inputs" / "31_not_gzip.gz").read_bytes(), "x.gz").raw == "plain text, wrong extension"


def test_a_gzip_bomb_is_not_unpacked() -> None:
    with pytest.raises(SourceError, match="unpacks to more"):
        read(gzip.compress(b"a" * 70_000_000), "x.gz")


def test_a_file_packed_twice_is_refused_before_it_is_unpacked_twice() -> None:
    once = gzip.compress(b"1. The dealer deals.")
    for data in (gzip.compress(once), zipped(("1.txt", once)), gzip.compress(zipped(("1.txt", "1. a")))):
        with pytest.raises(SourceError, match="is packed once more within"):
            read(data, "x")
    endless = once
    for _ in range(1500):
        endless = gzip.compress(endless)
    with pytest.raises(SourceError, match="is packed once more within"):
        read(endless, "x")


def test_a_zip_with_a_file_without_a_name_is_refused() -> None:
    archive = bytearray(zipped(("a", "1. The dealer deals.")))
    record = archive.index(b"PK\x01\x02")
    archive[record + 28 : record + 30] = b"\0\0"  # the length of the name
    archive[record + 30 : record + 32] = b"\1\0"  # its letter now belongs to what comes after
    with pytest.raises(SourceError):
        read(bytes(archive), "x.zip")


def test_html_without_a_named_encoding_is_utf_8_or_cp1252_line_by_line_and_the_lines_are_told() -> None:
    page = "<html><body><p>1. Écarté.</p>\n".encode() + "<p>2. Écarté.</p></body></html>".encode("cp1252")
    source = read(page, "x.html")
    assert source.raw == "1. Écarté.\n\n2. Écarté.\n"
    assert source.encoding == "utf-8 and cp1252"
    assert [(f.code, f.message) for f in source.findings] == [("encoding", "line 2: not UTF-8, read as cp1252")]


@pytest.mark.parametrize("name", ["iso-8859-1", "windows-1252"])
def test_html_is_read_in_the_encoding_that_its_head_names(name: str) -> None:
    page = f"<html><head><meta charset='{name}'></head><p>1. “Écarté”</p></html>".encode("cp1252")
    source = read(page)
    assert (source.raw, source.findings) == ("1. “Écarté”\n", ())


def test_markup_in_utf_16_is_not_taken_for_plain_text() -> None:
    assert read(HOCR.encode("utf-16")).raw == TEXT
    with pytest.raises(SourceError, match="its root element is svg"):
        read("<svg>1. Deal.</svg>".encode("utf-16"))


def test_the_encoding_of_an_xml_file_is_told() -> None:
    alto = ALTO.format(version="4").replace('?xml version="1.0"', '?xml version="1.0" encoding="{0}"')
    assert read(alto.format("ISO-8859-1").encode("latin-1")).encoding == "iso-8859-1"


def test_entities_of_an_xml_file_are_refused() -> None:
    bomb = b'<!DOCTYPE alto [<!ENTITY a "aaaa">]><alto><Layout>&a;</Layout></alto>'
    with pytest.raises(SourceError, match="entit"):
        read(bomb, "x.xml")


def test_a_file_in_a_zip_that_cannot_be_read_is_named() -> None:
    with pytest.raises(SourceError, match=r"book\.zip, 2\.xml"):
        read(zipped(("1.xml", ALTO.format(version="4")), ("2.xml", "<alto><Layout>")), "book.zip")


def test_pages_without_any_text_are_no_witness() -> None:
    with pytest.raises(SourceError, match="no text"):
        read_pages([("1.txt", b" "), ("2.txt", b"")], "folder")


SPECIMENS = [HOCR.encode(), ALTO.format(version="4").encode(), PAGE.format(line="x").encode(), DJVU.encode()]
SPECIMENS += [BOOK.encode(), zipped(("1.txt", "1. a"), ("2.txt", "2. b")), gzip.compress(b"1. a\n2. b")]


@given(st.sampled_from(SPECIMENS), st.lists(st.tuples(st.integers(0, 3000), st.binary(max_size=6)), max_size=6))
def test_a_damaged_file_is_read_or_refused(specimen: bytes, damage: list[tuple[int, bytes]]) -> None:
    data = bytearray(specimen)
    for at, what in damage:
        data[at : at + len(what)] = what
    try:
        source = read(bytes(data), "x")
    except SourceError:
        return
    sound(source)


def sound(source: Source) -> None:
    """Pages and words lie in the text, in order, and none overlaps another."""
    assert source.raw.strip()
    for spans in (source.pages, source.places):
        assert all(a.end <= b.start for a, b in pairwise(spans))
        assert all(0 <= x.start <= x.end <= len(source.raw) for x in spans)
    Repair(source.raw, pages=source.pages)


# ------------------------------------------------------------------------------------------------------- real engines


@pytest.mark.shared
def test_text_hocr_and_alto_of_the_same_pages_give_the_same_laws(shared: Path) -> None:
    """Pages typeset, degraded and read by Tesseract."""
    folder = shared / "rendered" / "pg-enquire-within.whist__medium"
    sources = [read((folder / f"ocr.{suffix}").read_bytes(), suffix) for suffix in ("txt", "hocr", "alto.xml")]
    assert len({tuple(sorted(s.raw.split())) for s in sources}) == 1  # the order is by position where that is known
    assert len({len(s.pages) for s in sources}) == 1
    laws = [[(law.number, law.whole.split()) for law in segment(Repair(s.raw, pages=s.pages)).laws] for s in sources]
    assert laws[1] == laws[2]
    assert [number for number, _ in laws[0]] == [number for number, _ in laws[1]]
    assert len(laws[0]) > 15
    assert all(
        sources[1].raw[p.start : p.end].strip() and p.box and p.confidence is not None for p in sources[1].places
    )


def test_the_package_takes_what_a_reader_gives() -> None:
    assert [law.number for law in variorum.laws(read(HOCR.encode()).raw)] == ["1", "2", "3"]
