"""The reading edition: what stands in its files, that no text can act on a page, and the same bytes each time."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import Writer, change, locus, rows, with_units, work
from variorum.keys import Keys
from variorum.model import (
    Collated,
    Concordance,
    Finding,
    Law,
    Relation,
    Repair,
    Segmented,
    UnitKind,
    Witness,
    Work,
    law_key,
    locus_key,
)
from variorum.reading import files, page_names
from variorum.reading.cells import html, law_html, laws_at, seen
from variorum.reading.likeness import Branch, Likeness, tree
from variorum.reading.page import embedded, moon
from variorum.reading.pictures import pictures

if TYPE_CHECKING:
    from variorum.edition import Edition

CORPUS = SimpleNamespace(
    title="Laws of games",
    date="2026-01-01",
    publisher="Nobody",
    licence="public domain",
    choices=SimpleNamespace(as_rows=lambda: (("apply", "0.5"),)),
)
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)> & \"'\u2028\u202e\x00 <!-- ]]> {{ 7*7 }}"
VOID = {"meta", "input", "br", "img", "path", "rect"}


class Reader(HTMLParser):
    """What a browser makes of a page, as far as these tests need it: elements with their attributes and words."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.ids: Counter[str] = Counter()
        self.links: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: dict[str, str] = {}
        self._open: list[tuple[str, str | None]] = []
        self.feed(page)
        assert not self._open, f"never closed: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = dict(attrs)
        self.elements.append((tag, own))
        if own.get("id"):
            self.ids[own["id"] or ""] += 1
        if tag == "a":
            self.links.append(own.get("href") or "")
        if tag not in VOID:
            self._open.append((tag, own.get("id")))

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        last, _ = self._open.pop()
        assert last == tag, f"</{tag}> closes <{last}>"

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        for _, key in self._open:
            if key:
                self.words[key] = self.words.get(key, "") + data


def witness(siglum: str, *texts: str, year: int | None = 1850, title: str = "Rules") -> Witness:
    """A witness whose laws are these texts, numbered from 1."""
    raw, laws = "", []
    for n, text in enumerate(texts, 1):
        start = len(raw)
        raw += f"{n}. {text}\n"
        own = " ".join(text.split())
        laws.append(Law(str(n), str(n), f"{n}.", "", own, start, len(raw) - 1, start + 2))
    blank = Writer().prose("x").witness(siglum, title, year)
    source = replace(blank.source, raw=raw)
    return replace(blank, source=source, segmented=Segmented(Repair(raw), tuple(laws)))


def compared(*witnesses: Witness) -> Work:
    """The work of witnesses whose laws of one number stand at one locus."""
    from variorum.apparatus import apparatus
    from variorum.collation import collate

    base, loci = witnesses[0].siglum, []
    numbers = sorted({law.id for w in witnesses for law in w.laws}, key=int)
    for n, number in enumerate(numbers, 1):
        here = {w.siglum: law for w in witnesses for law in w.laws if law.id == number}
        place = locus(f"L{n:02}", Relation.REVISED if len(here) > 1 else Relation.ONLY, **dict.fromkeys(here, number))
        aligned = collate({s: law.whole for s, law in here.items()})
        full = tuple({w.siglum: row.get(w.siglum) for w in witnesses} for row in aligned.rows)
        collation = replace(aligned, witnesses=tuple(w.siglum for w in witnesses), rows=full)
        loci.append(Collated(place, apparatus(collation, place, base)))
    concordance = Concordance(tuple(w.siglum for w in witnesses), tuple(c.locus for c in loci))
    return Work("ecarte", "Laws of Écarté", base, witnesses, concordance, tuple(loci))


def pages(value: Work, *findings: Finding) -> dict[str, str]:
    return {name: data.decode() for name, data in files([value], value.witnesses, findings, CORPUS).items()}


def page(value: Work, *findings: Finding) -> str:
    return pages(value, *findings)["reading/ecarte.html"]


# --------------------------------------------------------------------------------------------------- the sample corpus


def test_the_sample_has_a_page_for_each_work_an_index_and_pictures(sample: Edition) -> None:
    names = set(sample.reading)
    assert {"reading/index.html", "reading/ecarte.html", "reading/whist.html", "reading/sixtysix.html"} <= names
    drawn = {"likeness", "tree", "laws", "timeline"}
    assert {f"pictures/ecarte-{name}.svg" for name in drawn} <= names
    assert {f"pictures/{w.siglum}-corrections.svg" for w in sample.witnesses} <= names
    assert names <= set(sample.files())


def test_ids_of_the_page_are_the_keys_of_tei_and_tables_each_given_once(sample: Edition) -> None:
    tables = sample.tables
    for value in sample.works:
        reader = Reader(sample.reading[f"reading/{value.id}.html"].decode())
        assert [key for key, times in reader.ids.items() if times > 1] == []
        ids = set(reader.ids)
        of_work = {name: tables[name][tables[name]["work"] == value.id] for name in ("concordance", "variants")}
        assert set(of_work["concordance"]["locus"]) <= ids
        assert set(of_work["variants"]["unit"]) <= ids
        register = tables["register"]
        assert set(register[register["witness"].isin([w.siglum for w in value.witnesses])]["law"]) <= ids
        tei = sample.tei[f"{value.id}.xml"].decode()
        keys = {key for key in ids if re.fullmatch(rf"{value.id}-L\d+(-c\d+)?", key)}
        assert keys
        assert keys <= set(re.findall(r'xml:id="([^"]+)"', tei))


def test_a_clause_has_the_id_that_it_has_in_tei(sample: Edition) -> None:
    """And that place is found again by an address: Keys is one for both."""
    for siglum, own in ((w.siglum, w) for w in sample.witnesses):
        keys = re.findall(r'<item [^>]*xml:id="([^"]+)"', sample.tei[f"editions/{siglum}.xml"].decode())
        shown = Reader(sample.reading[f"reading/{own.work}.html"].decode()).ids
        assert set(keys) == {k for k in shown if re.fullmatch(rf"{siglum}-law\w*-.+", k)}
    assert any("<item" in data.decode() for data in sample.tei.values())


def test_every_link_leads_somewhere(sample: Edition) -> None:
    readers = {name: Reader(data.decode()) for name, data in sample.reading.items() if name.endswith(".html")}
    for name, reader in readers.items():
        for link in reader.links:
            target, _, place = link.partition("#")
            other = readers[f"reading/{target}"] if target else reader
            assert not place or place in other.ids, f"{name}: {link} leads nowhere"


def test_the_text_of_every_law_stands_in_the_page_word_for_word(sample: Edition) -> None:
    for value in sample.works:
        for collated in value.loci:
            for own in value.witnesses:
                laws = laws_at(collated, own)
                if not laws:
                    continue
                reader = Reader(str(law_html(collated, own, Keys(own, ()))))
                for law in laws:
                    shown = reader.words[law_key(own.siglum, law.id)]
                    assert _squeezed(law.whole) in _squeezed(shown)


def test_the_whole_raw_text_of_every_witness_stands_in_the_page(sample: Edition) -> None:
    for value in sample.works:
        reader = Reader(sample.reading[f"reading/{value.id}.html"].decode())
        shown = _squeezed("".join(reader.words["laws"] + reader.words["witnesses"]))
        for own in value.witnesses:
            raw, at = own.repair.raw, 0
            for law in own.laws:
                assert _squeezed(raw[at : law.start]) in shown
                assert _squeezed(raw[law.start : law.end]) in shown
                at = law.end
            assert _squeezed(raw[at:]) in shown


def _squeezed(text: str) -> str:
    return "".join(text.split())


def test_no_file_asks_for_anything_from_elsewhere(sample: Edition) -> None:
    for name, data in sample.reading.items():
        text = data.decode()
        if name.endswith(".svg"):
            text = text.replace('xmlns="http://www.w3.org/2000/svg"', "", 1)
        else:
            reader = Reader(text)
            (policy,) = [own["content"] for _, own in reader.elements if "http-equiv" in own]
            assert policy.startswith("default-src 'none';")
            for tag, own in reader.elements:
                assert tag not in {"link", "img", "iframe", "object", "embed", "base", "video", "audio"}
                assert not own.keys() & {"src", "srcset", "data", "action", "poster", "background", "ping"}
            assert not [link for link in reader.links if re.match(r"\w+:|//", link)]
        assert not re.search(r"url\(|@import|\bimport\(|\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon", text), name


def test_the_same_edition_gives_the_same_bytes_under_another_hash_seed(sample: Edition, root: Path) -> None:
    code = (
        "import hashlib, variorum; e = variorum.edit('tests/mini');"
        "print([(n, hashlib.sha256(d).hexdigest()) for n, d in sorted(e.reading.items())])"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": "C.UTF-8"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    }
    assert len(runs) == 1


# ----------------------------------------------------------------------------------------------------- one small work


@pytest.fixture(scope="module")
def small() -> Work:
    a = witness("EcA", "If the dealer show a card, he may deal again.", "The king counts one point.", year=1850)
    b = witness("EcB", "If the dealer shew a card, he must deal again.", year=1840, title='"Hoyle" <revised>')
    return compared(a, b)


def test_editions_stand_by_year_and_the_base_is_named(small: Work) -> None:
    reader = Reader(page(small))
    texts = [own for tag, own in reader.elements if tag == "div" and (own.get("class") or "").startswith("wit ")]
    assert [own["class"] for own in texts] == ["wit w0", "wit w1", "wit w0 none", "wit w1"]
    assert "EcB 1840 · law 1" in " ".join(reader.words["ecarte-L01"].split())
    assert "Base witness: EcA." in page(small)


def test_a_place_of_difference_is_marked_in_every_text_and_in_the_apparatus(small: Work) -> None:
    text = page(small)
    unit = next(u for u in small.loci[0].collation.units if u.readings[0].text == "may")
    n = small.loci[0].collation.units.index(unit) + 1
    assert len(re.findall(rf'<span class="v k\d+" data-u="{n}">(?:may|must)</span>', text)) == 2
    entry = Reader(text).words[f"ecarte-L01-{unit.id}"]
    assert " ".join(entry.split()) == f"{n} may EcA must EcB wording"


def test_the_grid_says_in_signs_how_like_a_law_is(small: Work) -> None:
    cells = [re.sub("<[^>]*>", "", cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", page(small))]
    at = cells.index("L01")
    assert cells[at : at + 8] == ["L01", "≈", "1 ◑ 80", "1 ● 100", "L02", "◇", "–", "2 ● 100"]


@pytest.mark.parametrize(
    ("share", "sign"), [(1.0, "●"), (0.99, "◕"), (0.7, "◑"), (0.5, "◔"), (0.3, "○"), (0.0, "○"), (None, "")]
)
def test_the_moon_wanes_with_the_likeness(share: float | None, sign: str) -> None:
    assert moon(share) == sign


def test_filters_count_each_kind_of_variant(small: Work) -> None:
    counts = Counter(unit.kind.value for c in small.loci for unit in c.collation.units)
    found = dict(re.findall(r'data-kind="(\w+)" checked> \w+ <small>(\d+)</small>', page(small)))
    assert {kind: int(n) for kind, n in found.items()} == counts


def test_changes_of_rule_stand_apart_from_changes_of_term(small: Work) -> None:
    laws = {"EcA": ("1",), "EcB": ("1",)}
    both = tuple(change("L01", kind, laws, EcA="may", EcB="must") for kind in ("modality", "term"))
    value = replace(small, loci=(replace(small.loci[0], changes=both), *small.loci[1:]))
    reader = Reader(page(value))
    assert "modality, altered" in reader.words["ecarte-L01-c01"]
    assert "(of term only)" in reader.words["ecarte-L01-c02"]
    assert "1 change of rule" in " ".join(page(value).split())
    assert "Changes of term only: 1" in reader.words["changes"]


def test_the_raw_page_stands_beside_the_text_with_each_correction_and_its_reason() -> None:
    marked = Writer().law("1", "1.", " The {dcaler=>dealer} may {break:be- gin=>begin}.").doubt("may", "nay")
    own = marked.witness("EcA")
    value = work((locus("L01", EcA="1"), with_units(rows(EcA="The |dealer |may |begin|."))), EcA=own)
    text = page(value, replace(own.segmented.findings[0], siglum="EcA"))
    assert '1. The <span class="s">dcaler</span> may <span class="s">be- gin</span>.' in text
    assert "<del>dcaler</del> → <ins>dealer</ins> <i>misreading, 90 %: by hand</i>" in text
    assert "Raw OCR: 2 corrections, 1 doubt" in text
    assert "Doubt at “may”: It may be otherwise. Thought of: nay." in text


def test_words_a_witness_lacks_have_an_empty_place_that_can_be_lit() -> None:
    a, b = witness("EcA", "He may not deal."), witness("EcB", "He may deal.")
    value = work(
        (
            locus("L01", EcA="1", EcB="1"),
            with_units(rows(EcA="He |may |not |deal|.", EcB="He |may ||deal|."), (UnitKind.OMISSION, 2, 3)),
        ),
        EcA=a,
        EcB=b,
    )
    assert str(law_html(value.loci[0], b, Keys(b, ()))).count('data-u="1"></span>') == 1


def test_a_clause_has_a_paragraph_of_its_own() -> None:
    marked = Writer().law("1", "1.", " He loses ", ("a", "(a)", " a card; "), ("b", "(b)", " a trick."))
    own = marked.witness("EcA")
    law = own.laws[0]
    told = replace(
        law,
        text="He loses",
        clauses=tuple(replace(c, text=t) for c, t in zip(law.clauses, ("a card;", "a trick."), strict=True)),
    )
    own = replace(own, segmented=replace(own.segmented, blocks=(told,)))
    value = work(
        (locus("L01", EcA="1"), rows(EcA="He |loses |(|a|) |a |card|; |(|b|) |a |trick|.")),
        EcA=own,
    )
    shown = str(law_html(value.loci[0], own, Keys(own, ())))
    assert re.findall(r"<p[^>]*>([^<]*)</p>", shown) == ["He loses ", "(a) a card; ", "(b) a trick."]
    assert shown.count('class="d1"') == 2


# ------------------------------------------------------------------------------------------------------------ bad input


def test_markup_and_scripts_in_a_text_are_shown_as_text() -> None:
    a = witness("EcA", f"He may {HOSTILE} deal.", title=HOSTILE)
    b = witness("EcB", "He may deal <b>twice</b>.")
    value = replace(compared(a, b), title=HOSTILE)
    doubt = Finding("doubtful-word", HOSTILE, 3, 8, "EcA", (HOSTILE,))
    for name, text in pages(value, doubt).items():
        if not name.endswith(".html"):
            continue
        reader = Reader(text)
        assert [tag for tag, _ in reader.elements].count("script") == (2 if "ecarte" in name else 0)
        assert not any(tag in {"img", "b"} and "onerror" in own for tag, own in reader.elements)
        assert not set(seen(HOSTILE)) & set("\u2028\u202e\x00")
        assert not re.search("[\x00\u2028\u202e]", text)
        assert "49" not in reader.words.get("witnesses", "")
    text = page(value, doubt)
    assert html(HOSTILE) in text
    assert "<b>twice" not in text


def test_pictures_with_markup_in_their_words_are_still_xml() -> None:
    from lxml import etree

    a, b = witness("EcA", "One."), witness("EcB", "One.")
    value = replace(compared(a, b), title=HOSTILE)
    for picture in pictures(value):
        root = etree.fromstring(picture.file().encode())
        assert root.tag == "{http://www.w3.org/2000/svg}svg"


def test_the_data_of_the_script_come_back_and_cannot_end_it() -> None:
    text = str(embedded({"title": HOSTILE}))
    assert not re.search("[<>&\u2028\u2029\x00]", text)
    assert json.loads(text) == {"title": HOSTILE}


@given(st.text(alphabet=st.characters(), max_size=60))
def test_any_text_is_shown_as_itself(text: str) -> None:
    """Whatever stands in a text, a browser shows those characters, or names one that it would obey."""
    page = str(html(text))
    page.encode()
    reader = Reader(f'<p id="p">{page}</p>')
    assert reader.words.get("p", "") == seen(text)
    assert [tag for tag, _ in reader.elements] == ["p"]


def test_one_witness_has_a_page_without_comparisons() -> None:
    value = compared(witness("EcA", "He may deal."))
    done = pages(value)
    assert not [name for name in done if name.startswith("pictures/ecarte")]
    assert "1 edition, 1 locus" in " ".join(done["reading/ecarte.html"].split())
    Reader(done["reading/ecarte.html"])


def test_a_work_without_laws_shows_its_text() -> None:
    a = Writer().heading("ON CARDS").prose("Nothing is numbered here.").witness("EcA")
    told = tuple(replace(b, text=a.repair.raw[b.start : b.end]) for b in a.segmented.blocks)
    a = replace(a, segmented=replace(a.segmented, blocks=told))
    value = Work("ecarte", "Of cards", "EcA", (a, witness("EcB")), Concordance(("EcA", "EcB"), ()), ())
    reader = Reader(page(value))
    assert "No numbered laws were found" in reader.words["laws"]
    assert "Nothing is numbered here." in reader.words["witnesses"]


def test_of_a_book_round_its_laws_only_the_beginning_is_given() -> None:
    book = "A word or two. " * 20_000
    a = Writer().prose(book).witness("EcA")
    a = replace(a, segmented=replace(a.segmented, blocks=(replace(a.segmented.blocks[0], text=book),)))
    value = Work("ecarte", "Of cards", "EcA", (a,), Concordance(("EcA",), ()), ())
    text = page(value)
    assert len(text) < len(book)
    assert "tei/editions/EcA.xml" in text


def test_a_work_called_index_does_not_take_the_place_of_the_index() -> None:
    value = replace(compared(witness("EcA", "One.")), id="index")
    assert page_names([value, replace(value, id="index-work")]) == {
        "index": "index-work.html",
        "index-work": "index-work-work.html",
    }


def test_text_from_right_to_left_says_so_by_itself() -> None:
    value = compared(witness("EcA", "שלום לכם"), witness("EcB", "שלום"))
    assert '<div class="law" id="EcA-law01" dir="auto">' in str(
        law_html(value.loci[0], value.witnesses[0], Keys(value.witnesses[0], ()))
    )
    assert "<bdi>" in page(value)


@pytest.mark.slow
def test_a_law_of_fifty_thousand_words_is_laid_out_whole() -> None:
    long = " ".join(f"word{n}" for n in range(50_000))
    own = witness("EcA", long)
    value = work((locus("L01", EcA="1"), rows(EcA="|".join(f"word{n} " for n in range(50_000)))), EcA=own)
    assert len(page(value)) < 6_000_000


# ------------------------------------------------------------------------------------------------ likeness and pictures


def test_likeness_is_the_share_of_equal_words() -> None:
    value = compared(witness("EcA", "The king counts one."), witness("EcB", "The King counts two."))
    assert Likeness(value).at("L01", "EcA", "EcB") == pytest.approx(0.75)
    assert Likeness(value).at("L01", "EcB", "EcA") == pytest.approx(0.75)
    assert Likeness(value).whole("EcA", "EcA") == 1


def test_likeness_is_that_of_the_table(sample: Edition) -> None:
    table = sample.tables["similarity"].query("work == 'ecarte'").set_index("witness")
    likeness = Likeness(next(w for w in sample.works if w.id == "ecarte"))
    assert likeness.whole("EcA", "EcB") == pytest.approx(float(table.loc["EcA", "EcB"]), abs=1e-4)


def test_the_tree_joins_the_nearest_first() -> None:
    value = compared(
        witness("A1", "one two three four five six"),
        witness("B1", "one seven eight nine ten eleven"),
        witness("A2", "one two three four five sixty"),
    )
    root = tree(Likeness(value))
    assert root is not None
    assert {frozenset(part.sigla) for part in root.parts} == {frozenset({"A1", "A2"}), frozenset({"B1"})}
    assert root.depth == 0


def test_the_tree_gives_distances_back_where_a_tree_can_have_them() -> None:
    """A source of two copies stands where they part; a late copy with few changes stays by its source."""
    far = {"A": {"B": 0.02, "C": 0.10, "D": 0.12}, "B": {"C": 0.10, "D": 0.12}, "C": {"D": 0.02}}
    made = SimpleNamespace(
        sigla=("A", "B", "C", "D"),
        whole=lambda a, b: 1.0 if a == b else 1 - (far.get(a, {}).get(b) or far.get(b, {}).get(a) or 0.0),
    )
    root = tree(made)  # type: ignore[arg-type]
    assert root is not None
    ways = dict(depths(root))
    assert {frozenset(part.sigla) for part in root.parts} == {frozenset("AB"), frozenset("CD")}
    assert between(root, "A", "D") == pytest.approx(0.12)
    assert between(root, "A", "B") == pytest.approx(0.02)
    assert between(root, "C", "D") == pytest.approx(0.02)
    assert ways["C"] == pytest.approx(0.04)
    assert ways["D"] == pytest.approx(0.06)


def depths(branch: Branch) -> Iterator[tuple[str, float]]:
    if not branch.parts:
        yield branch.sigla[0], branch.depth
    for part in branch.parts:
        yield from depths(part)


def between(root: Branch, a: str, b: str) -> float:
    """The length of the way from one witness to another along the lines of a tree."""
    meeting = root
    while inner := next((part for part in meeting.parts if {a, b} <= set(part.sigla)), None):
        meeting = inner
    own = dict(depths(meeting))
    return own[a] + own[b] - 2 * meeting.depth


@given(st.lists(st.floats(0, 1), min_size=21, max_size=21), st.integers(1, 7))
def test_any_distances_give_a_tree_with_every_witness_once(shares: list[float], count: int) -> None:
    pairs = dict(zip(combinations(range(7), 2), shares, strict=True))
    sigla = tuple(f"W{k}" for k in range(count))
    made = SimpleNamespace(
        sigla=sigla, whole=lambda a, b: 1.0 if a == b else pairs[min(int(a[1]), int(b[1])), max(int(a[1]), int(b[1]))]
    )
    root = tree(made)  # type: ignore[arg-type]
    assert root is not None
    assert sorted(root.sigla) == list(sigla)
    assert sorted(s for s, _ in depths(root)) == list(sigla)
    assert all(depth >= 0 for _, depth in depths(root))


def test_bands_tell_moved_and_parted_laws_by_more_than_colour() -> None:
    """A law moved where it changed sides with one that stood still; one that is marked for other editions did not."""
    a, b = witness("EcA", "One two.", "Three.", "Four."), witness("EcB", "Three.", "One.", "Two.", "Four.")
    value = work(
        (locus("L01", Relation.SPLIT, EcA="1", EcB="2 3"), rows(EcA="One |two.", EcB="One. |Two.")),
        (locus("L02", Relation.SAME, moved=True, EcA="2", EcB="1"), rows(EcA="Three.", EcB="Three.")),
        (locus("L03", Relation.SAME, moved=True, EcA="3", EcB="4"), rows(EcA="Four.", EcB="Four.")),
        EcA=a,
        EcB=b,
    )
    drawn = next(p for p in pictures(value) if p.name == "ecarte-laws").file()
    moved = re.search(r'class="l-accent"[^>]* stroke-dasharray="5 2"[^>]* d="([^"]*)"', drawn)
    assert moved
    assert moved[1].count("M") == 1
    parted = re.search(r'class="l-blue"[^>]* d="([^"]*)"', drawn)
    assert parted
    assert parted[1].count("M") == 2


def test_the_picture_of_a_witness_counts_its_corrections() -> None:
    own = Writer().law("1", "1.", " The {dcaler=>dealer} may {tako=>take} it.").witness("EcA")
    value = work((locus("L01", EcA="1"), rows(EcA="The |dealer |may |take |it|.")), EcA=own)
    assert "Misread 2" in pictures(value)[-1].about


def test_pictures_and_keys_name_the_same_loci(small: Work) -> None:
    drawn = next(p for p in pictures(small) if p.name.endswith("timeline")).file()
    for collated in small.loci:
        assert f">{collated.locus.id}<" in drawn
        assert locus_key("ecarte", collated.locus.id) in page(small)
