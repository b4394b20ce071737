"""Other programs read our TEI, for real: Saxon, teiphy, delb, CETEIcean in a browser; and none falls into a known pit.

The numbers of pitfalls are those of tei/README.md's list of what the programs that read TEI break on. A program that is
not installed is skipped with a word, unless VARIORUM_NEEDS_PROGRAMS is set, as it is in CI. CETEICEAN is the path of
CETEI.js, as the npm package CETEIcean has it in dist/.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from builders import Writer, locus, rows, with_units, work
from test_tei import HEADER, _laws_work, _one_law, all_of, one, words_of
from variorum import tei
from variorum.edition import Edition
from variorum.model import State, Unit, UnitKind, Work

T = "{http://www.tei-c.org/ns/1.0}"
ID = "{http://www.w3.org/XML/1998/namespace}id"
BRACKETS = re.compile("[()]")


def wanting(what: str) -> None:
    if os.environ.get("VARIORUM_NEEDS_PROGRAMS"):
        pytest.fail(f"{what} should be here and is not")
    pytest.skip(f"{what} is not here")


def inside(data: bytes, tag: str) -> list[etree._Element]:
    """The elements of a name within the body of a file."""
    return list(one(data, "text/body").iter(f"{T}{tag}"))


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture(scope="module")
def torn() -> Work:
    """Three witnesses; one lacks a law, one has a law alone, one has lost words with the page."""
    laws = [
        {"EcA": "The king must show it, and lose.", "EcB": "the King may show it and loses ;", "EcC": "He loses."},
        {"EcA": "No bystander may speak here.", "EcB": None, "EcC": "No bystander speaks."},
        {"EcA": None, "EcB": "A card 3 is played.", "EcC": None},
    ]
    made = _laws_work(laws, ["EcA", "EcB", "EcC"])
    table = with_units(
        rows(EcA="he |may |deal |again|.", EcB="he |must |deal |again|.", EcC="he |may |||"),
        (UnitKind.WORDING, 1, 2),
        (UnitKind.LACUNA, 2, 5),
        EcC=State.LACUNA,
    )
    both = [(c.locus, c.collation, c.changes) for c in made.loci] + [(locus("L04", EcA="9", EcB="9", EcC="9"), table)]
    return work(*both, **{w.siglum: w for w in made.witnesses})


@pytest.fixture(scope="module")
def works(sample: Edition, torn: Work) -> dict[str, Work]:
    return {"sample": sample.works[0], "torn": torn}


# -------------------------------------------------------------------------------------------------------- Saxon


@pytest.fixture(scope="module")
def stylesheet(root: Path) -> Any:
    from saxonche import PySaxonProcessor

    processor = PySaxonProcessor(license=False)
    sheet = processor.new_xslt30_processor().compile_stylesheet(stylesheet_file=str(root / "tei" / "reading-text.xsl"))

    def run(data: bytes, **parameters: str) -> str:
        sheet.clear_parameters()
        for name, value in parameters.items():
            sheet.set_parameter(name, processor.make_string_value(value))
        return str(sheet.transform_to_string(xdm_node=processor.parse_xml(xml_text=data.decode())))

    return run


def test_a_stylesheet_run_by_saxon_gives_the_page_and_the_text(sample: Edition, stylesheet: Any) -> None:
    for witness in sample.witnesses:
        data = sample.tei[f"editions/{witness.siglum}.xml"]
        assert stylesheet(data, view="raw") == witness.repair.raw
        assert stylesheet(data, view="corrected") == witness.repair.text


def test_a_stylesheet_run_by_saxon_gives_each_witness(works: dict[str, Work], stylesheet: Any) -> None:
    for made in works.values():
        data = tei.collation(made, HEADER)
        for witness in made.witnesses:
            assert stylesheet(data, witness=witness.siglum).split() == words_of(made, witness.siglum)


# ------------------------------------------------------------------------------------------------------- teiphy


def nexus(data: bytes, folder: Path) -> tuple[list[str], dict[str, list[str]]]:
    """The matrix that teiphy makes of a collation file: names of the columns, and each witness's cells."""
    from teiphy import Collation

    # Without lacunae teiphy would take lost words and laws told before for readings.
    read = Collation(etree.ElementTree(etree.fromstring(data)), missing_reading_types=["lac", "overlap"])
    path = folder / "work.nex"
    read.to_nexus(path)
    text = path.read_text(encoding="utf-8")
    symbols = re.search(r'Symbols="([^"]*)"', text)
    assert symbols
    columns = re.findall(r"^\t\t\d+ (\S+) /", text, re.MULTILINE)
    matrix = re.search(r"\tMatrix\n(.*?);", text, re.DOTALL)
    assert matrix
    lines = dict(line.split() for line in matrix[1].strip().split("\n"))
    assert set("".join(lines.values())) <= {*symbols[1].split(), "?"}
    return columns, {siglum: list(cells) for siglum, cells in lines.items()}


def test_teiphy_reads_what_our_tables_say_cell_by_cell(works: dict[str, Work], tmp_path: Path) -> None:
    """PITFALLS 1, 3 and 9: every witness has one reading at every place; lost is not left out, and lack counts once."""
    for made in works.values():
        data = tei.collation(made, HEADER)
        columns, matrix = nexus(data, tmp_path)
        assert columns == [app.get(ID, "").replace("-", "_") for app in all_of(data, "app")]
        assert sorted(matrix) == sorted(w.siglum for w in made.witnesses)
        units = {f"{made.id}_{c.locus.id}_{u.id}".replace("-", "_"): u for c in made.loci for u in c.collation.units}
        joined = {a.get(ID, "").replace("-", "_") for a in all_of(data, "anchor")}
        assert set(units) <= set(columns) | joined
        told: set[tuple[str, str]] = set()  # a law that a witness lacks is told once, at the law's first place
        for k, column in enumerate(columns):
            place = column.split("_")[1]
            cells = {siglum: row[k] for siglum, row in matrix.items()}
            if column in units:
                same_as_the_unit(cells, units[column], {s for s, where in told if where == place})
            present = {s for c in made.loci if c.locus.id == place for s in c.locus.laws}
            told |= {(siglum, place) for siglum in cells if siglum not in present}


def same_as_the_unit(cells: dict[str, str], unit: Unit, told: set[str]) -> None:
    """Two witnesses have the same symbol where they have the same reading, and only there."""
    state = {s: (r.text, r.state) for r in unit.readings for s in r.witnesses}
    for siglum, cell in cells.items():
        missing = state[siglum][1] is State.LACUNA or siglum in told
        assert (cell == "?") == missing, (unit.id, siglum)
    for a, b in combinations([s for s in cells if cells[s] != "?"], 2):
        assert (cells[a] == cells[b]) == (state[a] == state[b]), (unit.id, a, b)


# --------------------------------------------------------------------------------------------------------- delb


def test_delb_reads_the_text_and_writes_the_file_again(sample: Edition, tmp_path: Path) -> None:
    """PITFALLS 14 and 21: a program that lays the file out anew keeps the text, and its order."""
    delb = pytest.importorskip("delb")
    for witness in sample.witnesses:
        data = sample.tei[f"editions/{witness.siglum}.xml"]
        path = tmp_path / f"{witness.siglum}.xml"
        path.write_bytes(data)
        document = delb.Document(path)
        again = tmp_path / "again.xml"
        document.save(again, format_options=delb.FormatOptions(align_attributes=False, indentation="  ", width=0))
        assert tei.raw_text(again.read_bytes()) == witness.repair.raw
        for unread in [*document.xpath("//body//sic"), *document.xpath("//body//fw")]:
            unread.detach()
        texts = [n.full_text for n in document.xpath("//body//*") if n.local_name in ("p", "head")]
        assert words("".join(texts)) == words(witness.repair.text)


# ---------------------------------------------------------------------------------------------------- CETEIcean


SHOW = """xml => {
  const shown = new CETEI().makeHTML5(xml);
  document.body.replaceChildren(shown);
  const say = e => (e.textContent || '');
  const all = q => [...document.querySelectorAll(q)];
  const kept = (e, drop) => {
    const copy = e.cloneNode(true);
    copy.querySelectorAll(drop).forEach(d => d.remove());
    return say(copy);
  };
  const leads = a => !!document.getElementById(a.getAttribute('href').slice(1));
  return {
    paragraphs: all('tei-body tei-p, tei-body tei-head').map(e => kept(e, 'tei-sic, tei-fw, [hidden]')),
    links: all('tei-ref a').map(a => [a.getAttribute('href'), leads(a)]),
    targets: all('tei-ref[target]').map(e => e.getAttribute('target')),
    pages: all('tei-pb').map(e => e.id),
    readings: all('tei-lem, tei-rdg').map(e => [e.id, say(e), e.getAttribute('wit')]),
    standOff: all('tei-standOff').map(say).join('').trim(),
  };
}"""


@pytest.fixture(scope="module")
def shown() -> Iterator[Any]:
    """A page of a browser in which CETEIcean shows a file and tells what it sees."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        wanting("playwright")
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    script = os.environ.get("CETEICEAN", "")
    if not program:
        wanting("Chromium (apt-get install chromium)")
    if not os.path.isfile(script):
        wanting("CETEIcean (npm pack CETEIcean; CETEICEAN=.../dist/CETEI.js)")
    with sync_playwright() as playwright:
        switches = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
        browser = playwright.chromium.launch(executable_path=program, args=switches)
        page = browser.new_page()
        page.set_content("<!DOCTYPE html><html><body></body></html>")
        page.add_script_tag(content=Path(script).read_text(encoding="utf-8"))
        yield lambda data: page.evaluate(SHOW, data.decode())
        browser.close()


def test_a_browser_shows_text_pages_and_links_of_an_edition(shown: Any, sample: Edition) -> None:
    """PITFALLS 12: one target in a reference makes one link, and it leads to a law of the page."""
    links = 0
    for witness in sample.witnesses:
        data = sample.tei[f"editions/{witness.siglum}.xml"]
        seen = shown(data)
        # CETEIcean sets a note in brackets of its own.
        assert BRACKETS.sub("", words("".join(seen["paragraphs"]))) == BRACKETS.sub("", words(witness.repair.text))
        assert seen["pages"] == [pb.get(ID) for pb in all_of(data, "pb")]
        assert [href for href, _ in seen["links"]] == seen["targets"]
        assert all(found for _, found in seen["links"])
        links += len(seen["links"])
    assert links


def test_a_browser_shows_every_reading_and_no_prose_of_ours(shown: Any, works: dict[str, Work]) -> None:
    """PITFALLS 12: text in standOff would be shown."""
    for made in works.values():
        data = tei.collation(made, HEADER)
        seen = shown(data)
        expected = [[r.get(ID), r.text or "", r.get("wit")] for a in all_of(data, "app") for r in a]
        assert seen["readings"] == expected
        assert seen["standOff"] == ""


# ----------------------------------------------------------------------------------------------------- pitfalls


@pytest.fixture(scope="module")
def collations(works: dict[str, Work], sample: Edition) -> list[bytes]:
    return [tei.collation(w, HEADER) for w in works.values()] + [sample.tei[f"{w.id}.xml"] for w in sample.works]


@pytest.fixture(scope="module")
def editions(sample: Edition) -> list[bytes]:
    writer = (
        Writer()
        .page("1")
        .law("1", "{l=>1}.", " The over{break:-\n=>}plus {p>ack=>pack}", " ", ("a", "(a)", " it;\x0b"))
    )
    made = tei.edition(writer.space("\f").page("2").prose("{header:CARDS=>}").witness(), HEADER)
    return [made, *(data for path, data in sample.tei.items() if path.startswith("editions/"))]


def test_no_app_in_another_and_no_group_of_readings(collations: list[bytes]) -> None:
    """PITFALLS 2, 5, 6 and 10: //app takes nested ones too; rdgGrp hides its readings; children of one are lost."""
    for data in collations:
        assert not any(list(app.iter(f"{T}app"))[1:] for app in all_of(data, "app"))
        assert all_of(data, "rdgGrp") == []
        for reading in (r for app in all_of(data, "app") for r in app):
            assert len(reading) == 0
            assert reading.get("wit")
            assert (reading.text or "") == words(reading.text or "")


def test_a_doubt_about_a_witness_is_no_reading(collations: list[bytes]) -> None:
    """PITFALLS 3: an ambiguous witness would be a witDetail; ours are never ambiguous."""
    for data in collations:
        assert all_of(data, "witDetail") == []
        assert not any(r.get("cert") for app in all_of(data, "app") for r in app)


def test_sigla_that_are_part_of_one_another_are_refused(tmp_path: Path) -> None:
    """PITFALLS 4: one program looks for a siglum anywhere in @wit."""
    from variorum import manifest
    from variorum.errors import ManifestError

    witness = '[[witnesses]]\nsiglum = "{}"\nwork = "w"\nsource = "a.txt"\n'
    head = '[corpus]\ntitle = "T"\ndate = "2026"\n[[works]]\nid = "w"\ntitle = "W"\nbase = "W1"\n'
    (tmp_path / "corpus.toml").write_text(head + witness.format("W1") + witness.format("W12"))
    with pytest.raises(ManifestError, match="is part of 'W12'"):
        manifest.load(tmp_path)


def test_no_reading_stands_twice_in_one_app(collations: list[bytes]) -> None:
    """PITFALLS 7: the same words, parted by white space alone, would be two readings."""
    for data in collations:
        for app in all_of(data, "app"):
            kinds = [(r.text or "", r.get("type") if not r.text else "") for r in app]
            assert len(set(kinds)) == len(kinds), app.get(ID)


def test_an_omission_is_an_empty_reading_with_its_cause(collations: list[bytes]) -> None:
    """PITFALLS 8."""
    for data in collations:
        for reading in (r for app in all_of(data, "app") for r in app if not r.text):
            assert reading.get("cause") == "omission" or reading.get("type") == "lac"


def test_a_law_recast_is_one_app_outside_of_which_nothing_stands() -> None:
    """PITFALLS 11: a reading of several paragraphs would be read as empty."""
    table = with_units(rows(EcA="If |too |many", EcB="Should |there |be"), (UnitKind.RECAST, 0, 3))
    data = tei.collation(work((locus("L01", EcA="1", EcB="1 2"), table), EcA=_one_law(), EcB=_one_law("EcB")), HEADER)
    assert [r.text for r in one(data, "app")] == ["If too many", "Should there be"]


def test_spaces_between_elements_are_kept(editions: list[bytes], collations: list[bytes]) -> None:
    """PITFALLS 13 and 14: spaces between two elements are lost where xml:space does not keep them."""
    for data in (*editions, *collations):
        for paragraph in inside(data, "p"):
            assert paragraph.get("{http://www.w3.org/XML/1998/namespace}space") == "preserve"


def test_a_list_has_no_look(editions: list[bytes]) -> None:
    """PITFALLS 16: a stylesheet in wide use adds bullets, commas and an "and" to a list that is set inline."""
    lists = [x for data in editions for x in all_of(data, "list")]
    assert lists
    assert all(x.get("rend") is None for x in lists)


def test_characters_that_xml_cannot_hold_are_mapped(editions: list[bytes]) -> None:
    """PITFALLS 17."""
    assert [g.get("ref") for g in inside(editions[0], "g")] == ["#ctrl-0B"]
    assert inside(editions[0], "pb")[1].get("rend") == "form-feed"


def test_every_id_is_a_name_for_every_program(editions: list[bytes], collations: list[bytes]) -> None:
    """PITFALLS 18: a dot breaks a style sheet's selector, a colon or a first figure the parser."""
    for data in (*editions, *collations):
        for element in etree.fromstring(data).iter(etree.Element):
            if key := element.get(ID):
                assert re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*", key)


def test_a_hyphen_at_a_line_end_is_named_and_not_in_the_text(editions: list[bytes]) -> None:
    """PITFALLS 19."""
    breaks = [lb for data in editions for lb in inside(data, "lb") if lb.get("break") == "no"]
    assert breaks
    assert all(lb.get("rend") for lb in breaks)
    assert "over-" not in "".join("".join(p.itertext()) for p in inside(editions[0], "p"))


def test_the_schema_for_every_write_is_a_small_one(root: Path) -> None:
    """PITFALLS 20: the whole of tei_all takes seconds to load."""
    small, whole = (root / "tei" / "schema" / name for name in ("variorum.rng", "tei_all.rng"))
    assert small.stat().st_size < whole.stat().st_size / 10


def test_a_witness_is_described(collations: list[bytes]) -> None:
    """PITFALLS 22."""
    for data in collations:
        for witness in all_of(data, "listWit/witness"):
            assert {"title", "origDate"} <= {etree.QName(child).localname for child in witness}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b'wit="#EcA"', b'wit="EcA"', "not each witness once"),
        (b'wit="#EcA"', b'wit="#EcX"', "points to #EcX"),
        (rb"<app( xml[^>]*)>.*?</app>", rb"<app\1/>", "not each witness once"),
        (rb"(<app xml[^>]*>)(<lem.*?</lem>)<rdg.*?</app>", rb"\1\2</app>", "not each witness once"),
    ],
)
def test_faults_that_tei_allows_are_found(torn: Work, old: bytes, new: bytes, said: str) -> None:
    """PITFALLS 23: a witness without #, a pointer to nothing, an empty app, an app with a lemma alone."""
    data = tei.collation(torn, HEADER)
    broken = re.sub(old, new, data, count=1, flags=re.DOTALL)
    assert broken != data
    assert any(said in problem for problem in tei.validate(broken))


def test_no_sic_without_its_correction(editions: list[bytes]) -> None:
    """PITFALLS 24."""
    for data in editions:
        for sic in inside(data, "sic"):
            parent = sic.getparent()
            assert parent is not None
            assert [etree.QName(child).localname for child in parent] == ["sic", "corr"]


def test_more_witnesses_than_a_viewer_loads_at_once_are_all_there() -> None:
    """PITFALLS 25: one viewer loads five at first; the file names all of them in each app."""
    sigla = [f"E{n:02}" for n in range(8)]
    made = _laws_work([{s: f"He may deal {n % 3} cards." for n, s in enumerate(sigla)}], sigla)
    data = tei.collation(made, HEADER)
    assert len(all_of(data, "listWit/witness")) == 8
    assert [len(" ".join(r.get("wit", "") for r in app).split()) for app in all_of(data, "app")] == [8]


def test_every_pitfall_is_named_by_a_test() -> None:
    named: set[int] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for said in re.findall(r"PITFALLS ([0-9, and]+)", path.read_text(encoding="utf-8")):
            named |= {int(n) for n in re.findall(r"\d+", said)}
    assert set(range(1, 26)) <= named


def test_a_common_parser_reads_the_files(editions: list[bytes]) -> None:
    """The parser of Python's own library, which knows nothing of TEI."""
    for data in editions:
        assert json.dumps(ElementTree.fromstring(data).attrib)
