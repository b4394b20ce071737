"""Numbers are read as a sequence, and every law keeps its place on the page."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from variorum.model import Clause, Correction, CorrectionKind, Heading, Law, Repair, Segmented
from variorum.segment import STYLES, segment

CASES = Path(__file__).parent / "cases" / "segment"


# ------------------------------------------------------------------------------------------------ cases in plain text


@dataclass
class Case:
    title: str
    text: str
    laws: list[list[str]] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    corrections: list[tuple[str, str]] = field(default_factory=list)
    references: list[tuple[str, str]] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)


def read_cases() -> list[Case]:
    cases = []
    for path in sorted(CASES.glob("*.txt")):
        for chunk in re.split(r"^===\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE):
            title, text, table = re.split(r"^---\n", chunk, flags=re.MULTILINE)
            cases.append(read_table(Case(f"{path.stem}: {title.strip()}", text.rstrip("\n")), table))
    return cases


def read_table(case: Case, table: str) -> Case:
    for line in filter(str.strip, table.splitlines()):
        sign, rest = line[0], line[1:].strip()
        if sign == "*":
            case.findings.append(rest)
        elif sign in "!>":
            left, right = rest.split("->")
            (case.corrections if sign == "!" else case.references).append((left.strip(), right.strip()))
        elif sign == "#":
            case.headings.append(rest)
        else:
            case.laws.append([*(cell.strip() for cell in line.split("|")), "", "", "", ""][:5])
    return case


ALL_CASES = read_cases()


def labels(clauses: tuple[Clause, ...]) -> str:
    return " ".join(c.label + (f"({labels(c.clauses)})" if c.clauses else "") for c in clauses)


@pytest.mark.parametrize("case", ALL_CASES, ids=[c.title for c in ALL_CASES])
def test_a_case_is_cut_as_its_table_says(case: Case) -> None:
    made = segment(Repair(case.text))
    assert [law.number for law in made.laws] == [row[0] for row in case.laws]
    for law, (_, starts, ends, section, clauses) in zip(made.laws, case.laws, strict=True):
        assert law.whole.startswith(starts)
        assert law.whole.endswith(ends)
        assert section in ("", law.section or "-")
        assert clauses in ("", labels(law.clauses) or "-")
    assert set(case.findings) <= {f.code for f in made.findings}
    assert set(case.corrections) <= {(c.found, c.reads) for c in made.repair.corrections}
    assert set(case.references) <= {(case.text[r.start : r.end], r.target) for law in made.laws for r in law.references}
    assert set(case.headings) <= {b.text for b in made.blocks if isinstance(b, Heading)}


def test_every_case_file_has_cases() -> None:
    assert len(ALL_CASES) > 30
    assert len({c.title for c in ALL_CASES}) == len(ALL_CASES)


def test_the_cases_use_most_styles_of_numbering() -> None:
    found = {style.name for case in ALL_CASES for style in STYLES if style.pattern.search(case.text)}
    assert found >= {"keyed", "arabic", "roman", "roman lower", "paren", "paren roman", "paren letter", "spelled"}


# --------------------------------------------------------------------------------------------------- what is promised


def check_promises(made: Segmented) -> None:
    raw = made.repair.raw
    outside = list(raw)
    for block in made.blocks:
        outside[block.start : block.end] = " " * (block.end - block.start)
    for c in made.repair.corrections:
        if not c.reads.strip():  # furniture and what else is taken out of the text
            outside[c.start : c.end] = " " * (c.end - c.start)
    assert not "".join(outside).split(), "something on the page stands in no block"
    for law in made.laws:
        check_law(law, raw)


def check_law(law: Law, raw: str) -> None:
    assert law.start <= law.label_end <= law.end
    assert raw[law.start : law.label_end].strip() == law.label
    assert re.fullmatch(r"[A-Za-z0-9]+(\.[A-Za-z0-9]+)*", law.id)
    assert 0 <= law.cert <= 1
    for part in (*law.clauses, *law.notes, *law.gaps, *law.references):
        assert 0 <= part.start <= part.end <= len(raw)


@pytest.mark.parametrize("case", ALL_CASES, ids=[c.title for c in ALL_CASES])
def test_nothing_on_the_page_is_lost(case: Case) -> None:
    check_promises(segment(Repair(case.text)))


WORDS = "1 2 3 4 5 6 7 10 11 12 1. 2. 3. 4. 5. l. I. II. III. IV. (a) (b) (i) (ii) (1) (2) to n § Law RULE SEC. * [ ]"
PIECES = st.sampled_from(
    [
        *WORDS.split(),
        "The dealer",
        "If a card",
        "shall lose.",
        "a point.",
        "THE DEAL.",
        "see law 2",
        "\n",
        "\n\n",
        "\x0c",
        "—",
        "_so_",
        ";H",
    ]
)


@settings(max_examples=200)
@given(st.lists(PIECES, max_size=60).map(" ".join))
def test_any_text_is_cut_without_loss(text: str) -> None:
    check_promises(segment(Repair(text)))


@settings(max_examples=100)
@given(st.text(max_size=200))
def test_any_characters_are_cut_without_loss(text: str) -> None:
    check_promises(segment(Repair(text)))


@settings(max_examples=100)
@given(st.lists(PIECES, min_size=1, max_size=40).map(" ".join), st.data())
def test_offsets_are_of_the_raw_page_under_any_corrections(raw: str, data: st.DataObject) -> None:
    corrections, at = [], 0
    while at < len(raw) and len(corrections) < 5:
        start = data.draw(st.integers(at, len(raw) - 1))
        end = data.draw(st.integers(start + 1, min(len(raw), start + 6)))
        reads = data.draw(st.sampled_from(["", "x", " ", "card", "12.", "\n\n"]))
        if raw[start:end] != reads:
            corrections.append(Correction(start, end, raw[start:end], reads, CorrectionKind.MISREADING, "test", 0.9))
        at = end
    check_promises(segment(Repair(raw, tuple(corrections))))


def corrected(raw: str, found: str, reads: str, kind: CorrectionKind) -> Iterator[Correction]:
    start = raw.index(found)
    role = "header" if kind is CorrectionKind.FURNITURE else ""
    yield Correction(start, start + len(found), found, reads, kind, "test", 0.9, role=role)


def test_a_repaired_page_keeps_its_raw_offsets() -> None:
    raw = "1. The dea1er deals. CARDS 99 CARDS 2. The adver- sary cuts."
    corrections = (
        *corrected(raw, "dea1er", "dealer", CorrectionKind.MISREADING),
        *corrected(raw, "CARDS 99 CARDS ", "", CorrectionKind.FURNITURE),
        *corrected(raw, "- ", "", CorrectionKind.BREAK),
    )
    first, second = segment(Repair(raw, corrections)).laws
    assert first.text == "The dealer deals."
    assert second.text == "The adversary cuts."
    assert raw[first.start : first.end] == "1. The dea1er deals."
    assert raw[second.start : second.end] == "2. The adver- sary cuts."


def test_a_misread_number_is_corrected_with_its_reason() -> None:
    made = segment(
        Repair("n If a card is led it must be followed. 12 The partner loses a point. 13 Mistakes may be mended.")
    )
    (correction,) = made.repair.corrections
    assert (correction.found, correction.reads, correction.rule) == ("n", "11", "law number")
    assert correction.evidence == "stands before 12"
    law = made.laws[0]
    assert (law.label, law.number) == ("n", "11")
    assert law.cert < 1


def test_two_parts_have_ids_of_their_own() -> None:
    text = "1. The game is eleven a side.\n2. The toss is for choice.\n\nSINGLE WICKET.\n\n1. Two play.\n2. Hits count."
    assert [law.id for law in segment(Repair(text)).laws] == ["1", "2", "SW.1", "SW.2"]


def test_the_same_text_gives_the_same_laws() -> None:
    text = "1. A card. 2. A trick. 3. A game."
    assert segment(Repair(text)) == segment(Repair(text))


def test_a_marked_note_has_its_mark() -> None:
    text = "22 No revoke can be claimed. 23 Whoever speaks loses a point. *•' This law does not affect talk."
    (note,) = segment(Repair(text)).laws[-1].notes
    assert note.mark == "*•'"
    assert note.text == "This law does not affect talk."
    assert text[note.start : note.mark_end] == "*•'"


def test_a_law_begun_before_the_page_has_a_gap_at_its_start() -> None:
    text = "must not draw until his turn. 9. If a card is exposed it is dealt again. 10. There is no penalty."
    law = segment(Repair(text)).laws[0]
    assert (law.number, law.label) == ("8", "")
    assert [(g.start, g.end, g.reason) for g in law.gaps] == [(0, 0, "truncated")]


def test_a_torn_end_keeps_its_remnant_out_of_the_text() -> None:
    text = "16. He may choose. 17. If there is a close, he can score no ;H"
    law = segment(Repair(text)).laws[-1]
    assert law.text.endswith("score no")
    assert [text[g.start : g.end] for g in law.gaps] == [";H"]


COPIED = (
    "1. The cards must be cut by both players before the deal.\n\n"
    "2. He who docs not show the king loses the point that he might have had.\n\n"
    "3. A player may discard as often as his adversary accepts.\n\n"
)


@pytest.mark.parametrize(
    "copy",
    [
        COPIED,
        "AI-modernized reading of the original text\n\n" + COPIED.replace("docs", "does").replace("must", "shall"),
    ],
    ids=["word for word", "modernised"],
)
def test_a_second_copy_of_a_text_is_reported_and_gives_no_laws(copy: str) -> None:
    made = segment(Repair(COPIED + copy))
    assert [law.id for law in made.laws] == ["1", "2", "3"]
    (finding,) = [f for f in made.findings if f.code == "text-repeated"]
    assert made.repair.raw[finding.start : finding.end] == copy[copy.index("1. ") :].strip()


def test_a_revised_code_is_no_copy() -> None:
    revised = COPIED.replace("the point that he might have had", "the game").replace("as often", "twice, if as often")
    made = segment(Repair(COPIED + "LAWS OF ANOTHER CLUB\n\n" + revised))
    assert [law.number for law in made.laws] == ["1", "2", "3", "1", "2", "3"]
    assert not made.findings


def test_the_notice_and_licence_of_a_library_are_reported() -> None:
    text = (
        "The eBook.\n\n*** START OF THE PROJECT GUTENBERG EBOOK ***\n\n"
        "1. The lowest card deals.\n2. The dealer plays last.\n\n"
        "*** END OF THE PROJECT GUTENBERG EBOOK ***\n\nSection 1. Terms\n1.A. Whoever keeps it agrees.\n"
    )
    made = segment(Repair(text))
    assert [law.number for law in made.laws] == ["1", "2"]
    notices = [text[f.start : f.end] for f in made.findings if f.code == "library-notice"]
    assert ["Terms" in notice for notice in notices] == [False, True]


def test_a_text_without_laws_is_told_with_a_way_out() -> None:
    (finding,) = segment(Repair("It was a dark night, and nobody thought of cards.")).findings
    assert finding.code == "no-laws"
    assert "with its number at the start of a line" in finding.message


def test_numbers_read_across_columns_are_uncertain() -> None:
    lines = [f"{n}. The game is played by two {n + 11}. If the striker errs\nhe loses a point." for n in range(1, 6)]
    made = segment(Repair("\n".join(lines)))
    assert {f.code for f in made.findings} >= {"columns-read-across"}
    assert max(law.cert for law in made.laws) <= 0.5


def test_a_number_borne_out_by_no_neighbour_is_less_certain() -> None:
    text = "1. A card is led.\n2. A trick is won.\nXlll. A game is lost.\nto If a card falls it is dead."
    odd = segment(Repair(text)).laws[2:]
    assert [law.number for law in odd] == ["13", "10"]
    assert all(law.cert < 0.8 for law in odd)


def test_two_notes_in_one_paragraph_keep_their_marks() -> None:
    text = "1. The ball.*\n\n2. The bat is wood.†\n\n* By law of 1884. † Formerly of ash.\n\n3. The wickets are two."
    notes = [note for law in segment(Repair(text)).laws for note in law.notes]
    assert [(note.mark, note.text) for note in notes] == [("*", "By law of 1884."), ("†", "Formerly of ash.")]


def test_thousands_of_laws_are_counted_on_and_years_begin_no_count() -> None:
    begun = time.process_time()
    made = segment(Repair("\n".join(f"{n}. A card may be played." for n in range(1, 3001))))
    assert [law.number for law in made.laws] == [str(n) for n in range(1, 3001)]
    assert time.process_time() - begun < 10
    assert not segment(Repair("\n\n".join(f"{n}. The club met at Leeds. It was wet." for n in range(1880, 1890)))).laws


def test_odd_words_are_a_law_and_not_a_torn_end() -> None:
    laws = segment(Repair("1. A card.\n2. A trick.\n3. -plus cards\n4. +44")).laws
    assert [law.text for law in laws] == ["A card.", "A trick.", "-plus cards", "+44"]


# ------------------------------------------------------------------------------------------------------ size and time


@pytest.mark.parametrize(
    "text",
    [
        "1. " + "a " * 60_000,
        "1. " + ". " * 60_000,
        "i v x l c d m " * 10_000,
        "(" * 60_000,
        "- " * 60_000,
        "CAPITALS " * 15_000,
        "1. A card.\n" * 2000,
        "\n".join(f"{n}. A card may be played." for n in range(1, 900)) * 5,
        "9" * 100_000,
        "[" * 1000 + "\n\n" * 20_000,
        "*** START OF TH" * 5000,
    ],
    ids=["words", "dots", "romans", "brackets", "dashes", "capitals", "ones", "laws", "digits", "blank", "start"],
)
def test_odd_lines_take_no_more_time_than_others(text: str) -> None:
    begun = time.process_time()
    check_promises(segment(Repair(text)))
    assert time.process_time() - begun < 5


# --------------------------------------------------------------------------------------------------- the project's data


SEEDS = {
    "ecarte-a": "ecarte-a.ocr.txt",
    "ecarte-b": "ecarte-b.txt",
    "whist-a": "whist-a.ocr.txt",
    "sixtysix-a": "sixtysix-a.ocr.txt",
}


@pytest.mark.shared
@pytest.mark.parametrize("name", SEEDS)
def test_every_law_of_the_seeds_is_found_on_the_raw_page(name: str, shared: Path) -> None:
    gold = json.loads((shared / "gold" / f"{name}.json").read_text(encoding="utf-8"))
    made = segment(Repair((shared / "seeds" / SEEDS[name]).read_text(encoding="utf-8")))
    assert [law.number for law in made.laws] == [law["n"] for law in gold["laws"]]
    assert [labels(law.clauses) for law in made.laws] == [
        " ".join(part["n"] for part in law.get("sub", ())) for law in gold["laws"]
    ]
    if name != "sixtysix-a":  # its headings are as noisy as its words
        assert [law.section for law in made.laws] == [law.get("section") or "" for law in gold["laws"]]
    assert [law.number for law in made.laws if law.notes] == [note["after"] for note in gold.get("notes", ())]
    check_promises(made)


@pytest.mark.shared
def test_the_small_cases_are_all_right(shared: Path) -> None:
    for path in sorted((shared / "cases").glob("S*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        made = segment(Repair(case["input"]["text"]))
        expected = case["expected"]["laws"]
        assert len(made.laws) == len(expected), path.name
        for law, wanted in zip(made.laws, expected, strict=True):
            assert law.number in wanted.get("number_one_of", [wanted.get("number")]), path.name
            assert law.whole.startswith(wanted["starts"]), path.name
            assert law.whole.endswith(wanted["ends"]), path.name
            assert [c.label for c in law.clauses] == wanted.get("sub_labels", [c.label for c in law.clauses]), path.name


@pytest.mark.shared
@pytest.mark.parametrize("book", ["austen-emma", "hardy-casterbridge", "james-portrait-1", "darwin-golf-courses"])
def test_a_novel_has_no_laws(book: str, shared: Path) -> None:
    text = (shared / "texts" / "period" / f"{book}.txt").read_text(encoding="utf-8")[:300_000]
    assert not segment(Repair(text)).laws


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize(
    "book",
    [
        "holmes-common-law",
        "blackstone-1",
        "federalist",
        "johnson-rambler-1",
        "dickens-american-notes",
        "scanlan-clergymans-law",
        "rowntree-betting-gambling",
        "dudeney-canterbury-puzzles",
        "steinmetz-gaming-table-1",
    ],
)
def test_footnotes_and_heads_of_a_discourse_are_no_laws(book: str, shared: Path) -> None:
    assert not segment(Repair((shared / "texts" / "period" / f"{book}.txt").read_text(encoding="utf-8"))).laws


def beginning(text: str) -> str:
    """The first four words of a law, without the number of a clause: the gold leaves "SEC. 1." in the text."""
    return " ".join(re.sub(r"SEC(?:TION|\.) \w+\.|\(\w+\)", " ", text).split()[:4])


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize(
    ("book", "code", "most"),
    [
        ("pg-enquire-within", "whist", 500),
        ("pg-spalding-baseball-1889", "baseball", 90),
        ("pg-spalding-baseball-1895", "baseball", 75),
    ],
)
def test_the_laws_of_a_code_are_found_in_its_whole_book(book: str, code: str, most: int, shared: Path) -> None:
    gold = json.loads((shared / "rulebooks" / "gold" / f"{book}.{code}.json").read_text(encoding="utf-8"))
    made = segment(Repair((shared / "rulebooks" / "raw" / f"{book}.txt").read_text(encoding="utf-8")))
    starts = {(law.number, beginning(law.whole)) for law in made.laws}
    laws = gold["laws"] if isinstance(gold, dict) else gold
    found = sum((str(law["n"]), beginning(law["text"])) in starts for law in laws)
    assert found >= 0.95 * len(laws)
    assert len(made.laws) <= most  # a yearbook's tables and rosters are no laws
