"""The order of reading: by where blocks stand on the page, in any format that says so."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum.model import Source
from variorum.sources import read
from variorum.sources.order import Area, by_position

Placed = tuple[str, int, int]  # a line of text, and where it begins

LETTER, LINE = 10, 20  # pixels of a letter and of a line


def words_of(text: str, left: int, top: int) -> str:
    """The words of a line as hOCR, each as wide as its letters; two spaces and more are white on the page."""
    found, at = [], left
    for part in text.split(" "):
        if part:
            box = f"bbox {at} {top} {at + LETTER * len(part)} {top + LINE}"
            found.append(f'<span class="ocrx_word" title="{box}; x_wconf 90">{escape(part)}</span>')
        at += LETTER * (len(part) + 1)
    return " ".join(found)


def page_of(*blocks: Iterable[Placed]) -> Source:
    """A page with blocks of lines, in the order in which an engine found them."""
    paragraphs = "".join(
        '<p class="ocr_par">' + "".join(f'<span class="ocr_line">{words_of(*line)}</span>' for line in block) + "</p>"
        for block in blocks
    )
    return read(f'<html><body><div class="ocr_page">{paragraphs}</div></body></html>'.encode(), "page")


def block(text: str, left: int, top: int) -> list[Placed]:
    return [(row.strip(), left, top + 30 * k) for k, row in enumerate(text.strip().split("\n"))]


def codes(source: Source) -> list[str]:
    return [finding.code for finding in source.findings]


LEFT = "one two three four five\nsix seven eight nine ten\nand eleven and twelve too"
RIGHT = "then thirteen and more so\nfourteen and fifteen also\nsixteen closes the column"


def joined(*texts: str) -> str:
    return "\n\n".join(texts) + "\n"


def test_two_columns_are_read_one_after_the_other_whatever_the_engine_says() -> None:
    head = block("THE LAWS OF WHIST, AS PLAYED BY ALL THE CLUBS", 80, 0)
    blocks = [block(RIGHT, 400, 60), head, block(LEFT, 0, 60)]
    assert page_of(*blocks).raw == joined(head[0][0], LEFT, RIGHT)


def test_a_heading_across_both_columns_ends_them() -> None:
    heading = block("OF DEALING, AND OF ALL THAT BELONGS TO IT, AT LENGTH", 60, 200)
    blocks = [block(LEFT, 0, 60), block(RIGHT, 400, 60), block(RIGHT, 400, 260), block(LEFT, 0, 260), heading]
    assert page_of(*blocks).raw == joined(LEFT, RIGHT, heading[0][0], LEFT, RIGHT)


def test_paragraphs_of_two_columns_are_not_read_across_even_where_they_begin_at_one_height() -> None:
    blocks = [block(LEFT, 0, 0), block(RIGHT, 400, 0), block(LEFT, 0, 160), block(RIGHT, 400, 160)]
    assert page_of(*blocks).raw == joined(LEFT, LEFT, RIGHT, RIGHT)


def test_notes_in_the_margin_follow_the_text_and_are_told() -> None:
    notes = [block("Of cuts", 0, 0), block("Of deals", 0, 160)]
    source = page_of(*notes, block(LEFT, 200, 0), block(RIGHT, 200, 160))
    assert source.raw == joined(LEFT, RIGHT, "Of cuts", "Of deals")
    assert codes(source) == ["marginal-notes"]
    assert source.stated
    assert source.stated.repair.text == joined(LEFT, RIGHT)
    assert {c.rule for c in source.stated.repair.corrections} == {"layout.margin"}


def test_one_block_in_the_margin_of_one_page_may_be_a_blot_and_stays() -> None:
    source = page_of(block("Of cuts", 0, 0), block(LEFT, 200, 0), block(RIGHT, 200, 160))
    assert source.raw == joined(LEFT, RIGHT, "Of cuts")
    assert codes(source) == ["marginal-notes"]
    assert source.stated is None


def test_a_footnote_stands_below_its_column() -> None:
    blocks = [block("* A note.", 0, 200), block(LEFT, 0, 0), block(RIGHT, 400, 0)]
    assert page_of(*blocks).raw == joined(LEFT, "* A note.", RIGHT)


def test_numbers_hung_out_go_to_the_head_of_their_laws() -> None:
    hung = [("1.", 0, 0), ("2.", 0, 160)]
    source = page_of(hung, block(LEFT, 60, 0), block(RIGHT, 60, 160))
    assert source.raw == joined(f"1. {LEFT}", f"2. {RIGHT}")


def test_a_large_first_letter_goes_to_the_head_of_its_line() -> None:
    letter = (
        '<p class="ocr_par"><span class="ocr_line"><span class="ocrx_word" title="bbox 0 0 50 80">W</span></span></p>'
    )
    text = "".join(f'<span class="ocr_line">{words_of(*line)}</span>' for line in block("HEN a card\nis led,", 60, 0))
    page = f'<html><body><div class="ocr_page"><p class="ocr_par">{text}</p>{letter}</div></body></html>'
    assert read(page.encode()).raw == "W HEN a card\nis led,\n"


def test_a_page_on_its_side_is_read_as_its_lines_run() -> None:
    def turned(left: int, top: int, right: int, bottom: int) -> str:
        return f"bbox {2000 - bottom} {left} {2000 - top} {right}"  # a quarter of a circle with the clock

    def paragraph(rows: list[Placed]) -> str:
        lines = ""
        for text, left, top in rows:
            words, at = "", left
            for word in text.split():
                title = turned(at, top, at + LETTER * len(word), top + LINE)
                words += f'<span class="ocrx_word" title="{title}">{word}</span> '
                at += LETTER * (len(word) + 1)
            lines += f'<span class="ocr_line">{words}</span>'
        return f'<p class="ocr_par">{lines}</p>'

    body = paragraph(block(RIGHT, 400, 0)) + paragraph(block(LEFT, 0, 0))
    source = read(f'<html><body><div class="ocr_page">{body}</div></body></html>'.encode())
    assert source.raw == joined(LEFT, RIGHT)
    assert codes(source) == ["page-turned"]


def test_columns_are_read_from_right_to_left_where_the_words_run_so() -> None:
    def paragraph(rows: list[Placed]) -> str:
        lines = ""
        for text, left, top in rows:
            boxes = [f"bbox {left + 300 - 60 * k} {top} {left + 340 - 60 * k} {top + LINE}" for k in range(6)]
            words = (
                f'<span class="ocrx_word" title="{b}">{w}</span> ' for b, w in zip(boxes, text.split(), strict=False)
            )
            lines += f'<span class="ocr_line">{"".join(words)}</span>'
        return f'<p class="ocr_par">{lines}</p>'

    body = paragraph(block(RIGHT, 0, 0)) + paragraph(block(LEFT, 500, 0))
    source = read(f'<html><body><div class="ocr_page">{body}</div></body></html>'.encode())
    assert source.raw == joined(LEFT, RIGHT)


# --------------------------------------------------------------------------------------------------------- read across

PROSE = [
    ("the dealer gives five cards", "a player who looks at them"),
    ("to each, and turns the next", "before it is his turn loses"),
    ("one up, and this is trumps:", "a point, and if he do it a "),
    ("should there be none to turn", "second time he loses them  "),
    ("the deal is lost, and cannot", "all; nor may anybody speak "),
    ("be claimed by any one of the", "of it, or show that he saw."),
    ("two, whatever may be said of", "the cards that lie there in"),
    ("it, and by whom it was said.", "a heap are dead, and rest. "),
]


def test_lines_read_across_two_columns_are_cut_in_two_and_told() -> None:
    rows = [(f"{a}     {b}", 0, 30 * k) for k, (a, b) in enumerate(PROSE)]
    source = page_of(rows)
    assert source.raw.split() == " ".join([a for a, _ in PROSE] + [b for _, b in PROSE]).split()
    assert codes(source) == ["columns-parted"]
    assert "8 lines" in source.findings[0].message


def test_what_may_be_a_table_is_left_and_told() -> None:
    ragged = ["the ace of trumps     counts as four points to him", "the king of it        and three points to each"]
    ragged += ["the queen and any     counts but two in the end", "and the knave of      one point and no more"] * 3
    source = page_of([(row, 0, 30 * k) for k, row in enumerate(ragged)])
    assert source.raw.split() == " ".join(ragged).split()
    assert codes(source) == ["columns-doubtful"]


def test_a_table_of_contents_is_no_page_in_columns() -> None:
    rows = [(f"{'Of ' + a[:k]:40}{k + 10}", 0, 30 * k) for k, (a, _) in enumerate(PROSE * 2, 4)]
    source = page_of(rows)
    assert source.raw.split() == " ".join(text for text, _, _ in rows).split()
    assert codes(source) == []


def test_notes_read_into_the_lines_beside_them_are_parted_from_the_text() -> None:
    body = [a + " " + b for a, b in PROSE]
    noted = {1: "Of dealing", 2: "and cards", 5: "Of claims"}
    rows = [(f"{row}     {noted.get(k, '')}".rstrip(), 0, 30 * k) for k, row in enumerate(body)]
    source = page_of(rows)
    assert source.raw.split() == " ".join([*body, *noted.values()]).split()
    assert codes(source) == ["columns-parted", "marginal-notes"]


def test_law_numbers_before_their_text_are_no_margin() -> None:
    rows = [(f"{k + 1 if k % 3 == 0 else '':6}{a} {b}", 0, 30 * k) for k, (a, b) in enumerate(PROSE)]
    source = page_of(rows)
    assert source.raw.split() == " ".join(text for text, _, _ in rows).split()
    assert codes(source) == []


# ------------------------------------------------------------------------------------------------------ declared orders

REGION = (
    '<TextRegion id="{0}"><TextLine id="l{0}"><Coords points="0,{1} 400,{1} 400,{2} 0,{2}"/>'
    "<TextEquiv><Unicode>{3}</Unicode></TextEquiv></TextLine></TextRegion>"
)


def page_xml(order: str, placed: dict[str, int]) -> Source:
    references = "".join(f'<RegionRefIndexed index="{k}" regionRef="{r}"/>' for k, r in enumerate(order))
    stated = f'<ReadingOrder><OrderedGroup id="g">{references}</OrderedGroup></ReadingOrder>' if order else ""
    regions = "".join(REGION.format(r, top, top + 20, f"text {r}") for r, top in placed.items())
    name = "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"
    return read(f'<PcGts xmlns="{name}"><Page imageFilename="p.png">{stated}{regions}</Page></PcGts>'.encode(), "p.xml")


def test_an_order_that_a_page_file_states_is_kept() -> None:
    source = page_xml("acbd", {"a": 0, "b": 100, "c": 200, "d": 300})
    assert source.raw.split("\n\n") == ["text a", "text c", "text b", "text d\n"]
    assert source.findings == ()


def test_an_order_that_runs_up_the_page_is_not_believed() -> None:
    source = page_xml("dcba", {"a": 0, "b": 100, "c": 200, "d": 300})
    assert source.raw.split("\n\n") == ["text a", "text b", "text c", "text d\n"]
    assert codes(source) == ["reading-order"]


@pytest.mark.parametrize("order", ["", "ab"])
def test_without_an_order_for_all_regions_the_place_of_their_lines_decides(order: str) -> None:
    source = page_xml(order, {"d": 300, "b": 100, "a": 0, "c": 200})
    assert source.raw.split("\n\n") == ["text a", "text b", "text c", "text d\n"]


AREAS = st.builds(
    lambda left, top, width, height: (left, top, left + width, top + height),
    *(st.integers(0, 500), st.integers(0, 500), st.integers(1, 300), st.integers(1, 100)),
)


@given(st.lists(AREAS, max_size=30))
def test_every_block_is_read_once_and_none_is_lost(boxes: list[tuple[int, int, int, int]]) -> None:
    areas = [Area(k, *box, 20) for k, box in enumerate(boxes)]
    order, notes = by_position(areas)
    assert sorted(order) == list(range(len(boxes)))
    assert set(notes) <= set(order)
