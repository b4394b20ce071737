"""An editor's rulings win over every rule, find their place again in a changed file, and are never dropped unsaid."""

from __future__ import annotations

import random
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from variorum import cli
from variorum.concord import concord
from variorum.edition import Edition, edit
from variorum.errors import ManifestError
from variorum.model import Correction, CorrectionKind, Law, Repair
from variorum.repair import repair
from variorum.rulings import anchor, decide, read_links, read_places, resolve

PAGE = """The dealer gives five cards. If the deais are wr ong, the aclversary may
claim a new deal. The aclversary loses one point, if the cards are faced.
"""
LAWS = """1. The dealer shuffles the cards, and the adversary must cut them.

2. The dealer deals five cards to each player, by two and three.

3. If the dealer turns up two cards, the adversary may call a new deal.
"""


def proposed(raw: str, *readings: tuple[str, str, float]) -> Repair:
    """A text with corrections as rules would propose them: found (where it first stands), read, certainty."""
    found = [
        Correction(at, at + len(old), old, new, CorrectionKind.MISREADING, "words", cert, "because")
        for old, new, cert in readings
        for at in [raw.index(old)]
    ]
    return Repair(raw, tuple(sorted(found, key=lambda c: c.start)))


def ruled(raw: str, text: str, *readings: tuple[str, str, float]) -> Repair:
    rulings, mistakes = read_places(text)
    assert mistakes == ()
    return decide(proposed(raw, *readings), rulings)


def codes(done: Repair) -> list[str]:
    return [finding.code for finding in done.findings]


# ---------------------------------------------------------------------------------------------------------- on words


def test_a_suggestion_accepted_is_certain_and_the_editors_own() -> None:
    done = ruled(PAGE, "accept If the |deais| are\n    by Ada Example", ("deais", "deals", 0.4))
    (c,) = done.corrections
    assert (c.reads, c.cert, c.rule, c.kind) == ("deals", 1.0, "ruling: Ada Example", CorrectionKind.MISREADING)
    assert "because" in c.evidence


def test_a_correction_rejected_is_gone_and_the_page_stands() -> None:
    done = ruled(PAGE, "reject If the |deais| are", ("deais", "deals", 0.99))
    assert (done.corrections, done.text) == ((), PAGE)
    assert [(r.verdict, r.found, r.reads) for r in done.rulings] == [("reject", "deais", None)]


def test_a_reading_of_the_editors_own_goes_before_what_a_rule_proposes() -> None:
    done = ruled(PAGE, "read If the |deais| are => deals\n    note  so in law 7", ("deais", "dealt", 0.99))
    (c,) = done.corrections
    assert (c.reads, c.evidence, c.cert) == ("deals", "so in law 7", 1.0)


def test_only_an_emendation_is_the_printers_fault() -> None:
    (c,) = ruled(PAGE, "emend loses |one point|, if => two points").corrections
    assert c.kind is CorrectionKind.EMENDATION
    (c,) = ruled(PAGE, "read are |wr ong|, the => wrong").corrections
    assert c.kind is CorrectionKind.SPACING


def test_a_reading_of_nothing_takes_the_words_out() -> None:
    assert "gives cards" in ruled(PAGE, "read The dealer gives |five |cards =>").text


def test_a_ruling_may_hold_everywhere_and_a_single_place_still_be_ruled_otherwise() -> None:
    done = ruled(PAGE, "read everywhere |aclversary| => adversary\nreject The |aclversary| loses")
    assert "the adversary may" in done.text
    assert "The aclversary loses" in done.text


def test_leaving_a_word_alone_everywhere_takes_back_all_that_is_proposed_for_it() -> None:
    raw = "he shew'd it; she shew'd it"
    second = Correction(18, 24, "shew'd", "showed", CorrectionKind.MISREADING, "words", 0.9)
    first = Correction(3, 9, "shew'd", "showed", CorrectionKind.MISREADING, "words", 0.9)
    rulings, _ = read_places("reject everywhere |shew'd|")
    assert decide(Repair(raw, (first, second)), rulings).text == raw


def test_everywhere_means_whole_words() -> None:
    assert ruled("deal dealt ideal deal", "read everywhere |deal| => lead").text == "lead dealt ideal lead"


def test_a_quotation_goes_over_a_line_end_as_over_a_space() -> None:
    assert "adversary can\nclaim" in ruled(PAGE, "read the aclversary |may| claim => can\nread everywhere |aclversary|"
                                          " => adversary").text  # fmt: skip


def test_a_bar_of_the_page_is_quoted_with_a_backslash() -> None:
    assert ruled("the d|aler => deals", r"read the |d\|aler| \=> deals => dealer").text == "the dealer => deals"


def test_accepting_where_nothing_is_suggested_is_a_doubt_for_the_editor() -> None:
    done = ruled(PAGE, "accept If the |deais| are")
    assert codes(done) == ["ruling-doubtful"]
    assert "line 1" in done.findings[0].message


def test_accepting_a_reading_by_name_holds_though_no_rule_proposes_it_any_more() -> None:
    assert "the deals are" in ruled(PAGE, "accept If the |deais| are => deals").text


@pytest.mark.parametrize(
    ("ruling", "code"),
    [
        ("read If the |cuts| are => cut", "ruling-lost"),
        ("read quite another matter altogether |deais| of something else => deals", "ruling-lost"),
        ("read |cards| => card", "ruling-doubtful"),
    ],
)
def test_a_ruling_without_its_place_is_told_and_not_carried_out(ruling: str, code: str) -> None:
    done = ruled(PAGE, ruling)
    assert (done.text, codes(done)) == (PAGE, [code])


def test_rulings_at_odds_are_told_with_both_lines_and_neither_is_carried_out() -> None:
    done = ruled(PAGE, "read If the |deais| are => deals\n\nreject the |deais| are wr")
    assert (done.text, codes(done)) == (PAGE, ["ruling-conflict"])
    assert "lines 1 and 3" in done.findings[0].message
    assert done.findings[0].problem


def test_a_ruling_on_a_part_of_a_correction_says_what_it_takes_back() -> None:
    done = ruled(PAGE, "read the deais are |wr| ong => w", ("wr ong, the aclversary", "wrong, the adversary", 0.9))
    assert "w ong, the aclversary" in done.text
    assert "takes back" in done.findings[0].message


def test_a_ruling_is_carried_out_whatever_the_program_thinks_of_the_page() -> None:
    rulings, _ = read_places("read deals |five| cards => six\nreject everywhere |dealer|")
    done = repair(LAWS, rulings=rulings)
    assert "deals six cards" in done.text
    assert done.raw == LAWS


# ----------------------------------------------------------------------------------------------------- changed files

WORDS = "the dealer gives five cards to his adversary and turns up one for trump when all are dealt"


def _text(seed: int, length: int = 120) -> list[str]:
    chance = random.Random(seed)
    return [chance.choice(WORDS.split()) for _ in range(length)]


@settings(max_examples=150)
@given(
    st.integers(0, 10_000),
    st.lists(st.tuples(st.integers(0, 119), st.sampled_from(["drop", "add", "twist", "break"])), max_size=25),
)
def test_a_ruling_survives_changes_of_the_file_elsewhere(seed: int, edits: list[tuple[int, str]]) -> None:
    words = _text(seed)
    words[60] = "deais"
    quoted = f"read {' '.join(words[56:60])} |deais| {' '.join(words[61:65])} => deals"
    for at, how in edits:
        if not 54 <= at <= 66:
            words[at] = {"drop": "", "add": words[at] + " more", "twist": words[at][::-1], "break": words[at] + "\n"}[
                how
            ]
    raw = " ".join(words)
    assert ruled(raw, quoted).text == raw.replace("deais", "deals")


@settings(max_examples=150)
@given(st.integers(0, 10_000), st.integers(56, 64), st.sampled_from(["", "xq", "the the"]))
def test_a_ruling_survives_a_changed_word_in_its_own_quotation(seed: int, at: int, other: str) -> None:
    words = _text(seed)
    words[60] = "deais"
    quoted = f"read {' '.join(words[56:60])} |deais| {' '.join(words[61:65])} => deals"
    if at != 60:
        words[at] = other
    raw = " ".join(words)
    done = ruled(raw, quoted)
    assert done.text == raw.replace("deais", "deals")


@settings(max_examples=100)
@given(st.integers(0, 10_000))
def test_between_two_places_alike_no_ruling_guesses(seed: int) -> None:
    words = _text(seed, 20)
    before, after = " ".join(words[:3]), " ".join(words[3:6])
    raw = f"{before} deais {after}. Again: {before} deais {after}."
    done = ruled(raw, f"read {before} |deais| {after} => deals")
    assert (done.text, codes(done)) == (raw, ["ruling-doubtful"])


@settings(max_examples=150)
@given(st.data())
def test_rulings_in_any_order_come_to_the_same_and_can_all_be_undone(data: st.DataObject) -> None:
    raw = " ".join(_text(data.draw(st.integers(0, 10_000)), 40))
    words = raw.split()
    lines = []
    for _ in range(data.draw(st.integers(0, 6))):
        a = data.draw(st.integers(1, len(words) - 3))
        quoted = f"{' '.join(words[max(0, a - 4) : a])} |{words[a]}| {' '.join(words[a + 1 : a + 5])}"
        verdict = data.draw(
            st.sampled_from(["accept", "reject", "read", "emend", "read everywhere", "reject everywhere"])
        )
        quoted = f"|{words[a]}|" if "everywhere" in verdict else quoted
        lines.append(f"{verdict} {quoted}" + (" => ruled" if verdict.startswith(("read", "emend")) else ""))
    rules = data.draw(st.lists(st.sampled_from(range(len(words))), unique=True, max_size=8))
    starts = [sum(len(w) + 1 for w in words[:k]) for k in sorted(rules)]
    base = Repair(
        raw,
        tuple(
            Correction(at, at + len(words[k]), words[k], "rule", CorrectionKind.MISREADING, "words", 0.5)
            for at, k in zip(starts, sorted(rules), strict=True)
        ),
    )
    done = decide(base, read_places("\n".join(lines))[0])
    other = decide(base, read_places("\n".join(data.draw(st.permutations(lines))))[0])
    assert done.corrections == other.corrections
    assert sorted(codes(done)) == sorted(codes(other))
    undone, at = "", 0
    for c in done.corrections:
        undone += done.raw[at : c.start] + c.found
        at = c.end
    assert undone + done.raw[at:] == raw


def test_a_place_found_by_likeness_is_not_taken_for_an_exact_one() -> None:
    (ruling,) = read_places("read If only the |deais| are wrong => deals")[0]
    assert not anchor(PAGE, ruling).exact
    assert anchor(PAGE, ruling).spans == ((PAGE.index("deais"), PAGE.index("deais") + 5),)


# ------------------------------------------------------------------------------------------------------------ mistakes


def test_every_mistake_of_a_file_is_told_with_its_line() -> None:
    text = """    by Nobody
acept the |deais|
read the deais => deals
read the |deais|
reject the |deais| => deals
read the |deals| => deals
read the || => deals
read |a| => b
    nte why
    by Ada
    by Eve
"""
    rulings, mistakes = read_places(text)
    assert [line for line, _ in mistakes] == [1, 2, 3, 4, 5, 6, 7, 9, 11]
    said = dict(mistakes)
    assert "did you mean 'accept'?" in said[2]
    assert "bars" in said[3]
    assert "no reading" in said[4]
    assert "did you mean 'note'?" in said[9]
    assert [ruling.by for ruling in rulings] == ["Ada"]


def test_two_rulings_on_the_same_words_that_do_not_agree_are_a_mistake() -> None:
    _, mistakes = read_places("read the |deais| are => deals\nreject the |deais| are\nread the |deais| are => deals")
    assert [line for line, _ in mistakes] == [2]
    assert "line 1" in mistakes[0][1]


def test_mistakes_in_rulings_on_links_are_told_with_their_lines() -> None:
    text = """link A 6 "If" = B 7
link A 6 "If" = A 7 "If"
link A 6 "If"
bind A 6 "If" = B 7 "So"
never A 1 "a, b = c" = B 2 "d", 3 "e"
link A 1 "a, b = c" = B 3 "e"
"""
    rulings, mistakes = read_links(text)
    assert [line for line, _ in mistakes] == [1, 2, 3, 4, 6]
    assert [name.law for name in rulings[0].b] == ["2", "3"]
    assert rulings[0].a[0].opens == "a, b = c"


# ------------------------------------------------------------------------------------------------------------ on links


def laws(*texts: str) -> tuple[Law, ...]:
    """Laws numbered from 1."""
    made = []
    for k, text in enumerate(texts, 1):
        at = 1000 * k
        made.append(Law(str(k), str(k), str(k), "", text, at, at + len(text) + 3, at + 2))
    return tuple(made)


A = laws(
    "The dealer shuffles the cards, and the adversary must cut them.",
    "The dealer deals five cards to each player, by two and three.",
    "If the dealer turns up two cards, the adversary may call a new deal.",
)
B = laws(
    "The dealer shall shuffle the cards, and his adversary cut them.",
    "Should the dealer turn up two cards, a new deal may be called by the adversary.",
    "The dealer deals five cards to each player, by two and three.",
    "Whoever plays out of turn takes back his card.",
)


def linked(text: str, *witnesses: tuple[str, Sequence[Law]]) -> dict[str, set[tuple[str, ...]]]:
    """The law ids of each locus, by its first law, under the rulings of a text."""
    rulings, mistakes = read_links(text)
    assert mistakes == ()
    by = dict(witnesses or (("A", A), ("B", B)))
    ruled, findings = resolve(rulings, by)
    found = {" ".join(f"{s}{i}" for s, ids in locus.laws.items() for i in ids) for locus in concord(by, ruled).loci}
    return {"loci": {tuple(f.split()) for f in found}, "findings": {(f.code,) for f in findings}}


def test_links_are_found_without_rulings() -> None:
    assert linked("")["loci"] == {("A1", "B1"), ("A2", "B3"), ("A3", "B2"), ("B4",)}


def test_laws_ruled_to_be_one_stand_in_one_locus() -> None:
    done = linked('link A 3 "If the dealer turns" = B 2 "Should the dealer", 4 "Whoever plays"')
    assert done["loci"] == {("A1", "B1"), ("A2", "B3"), ("A3", "B2", "B4")}


def test_a_law_ruled_to_be_another_is_not_linked_by_its_likeness() -> None:
    assert ("A2", "B4") in linked('link A 2 "The dealer deals" = B 4 "Whoever plays"')["loci"]


def test_laws_ruled_apart_are_apart_though_they_be_word_for_word_the_same() -> None:
    assert {("A2",), ("B3",)} <= linked('never A 2 "The dealer deals" = B 3 "The dealer deals"')["loci"]


def test_laws_ruled_apart_do_not_meet_through_a_third_witness() -> None:
    done = linked('never A 2 "The dealer deals" = B 3 "The dealer deals"', ("A", A), ("B", B), ("C", A))
    assert not any({"A2", "B3"} <= set(locus) for locus in done["loci"])


def test_a_law_with_a_new_number_is_followed_and_told() -> None:
    done = linked('never A 2 "The dealer deals" = B 2 "The dealer deals five"')
    assert {("A2",), ("B3",)} <= done["loci"]
    assert done["findings"] == {("ruling-doubtful",)}


def test_a_ruling_on_a_law_that_is_gone_is_told() -> None:
    done = linked('link A 3 "If the dealer" = B 2 "Nobody may look at"')
    assert done["findings"] == {("ruling-lost",)}
    assert ("A3", "B2") in done["loci"]


def test_an_opening_holds_though_a_letter_of_it_has_been_mended() -> None:
    assert linked('never A 2 "The deaier deals" = B 3 "The dealer deals"')["findings"] == set()


def test_a_ruled_link_says_so_and_is_certain() -> None:
    ruled, _ = resolve(
        read_links('link A 2 "The dealer deals" = B 4 "Whoever"\n    by Ada Example')[0], {"A": A, "B": B}
    )
    (locus,) = (locus for locus in concord({"A": A, "B": B}, ruled).loci if locus.laws.get("A") == ("2",))
    assert locus.cert == 1
    assert "ruling of Ada Example" in locus.evidence


# ------------------------------------------------------------------------------------------------------------- editions

MANIFEST = """[corpus]
title = "Laws"
date = "2026-12-03"
editors = [{ name = "Ada Example" }]

[[works]]
id = "game"
title = "Laws of a game"
base = "A"

[[witnesses]]
siglum = "A"
work = "game"
source = "a.txt"

[[witnesses]]
siglum = "B"
work = "game"
source = "b.txt"
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of two witnesses, with rulings on the first and on a link."""
    folder = tmp_path / "corpus"
    (folder / "rulings").mkdir(parents=True)
    (folder / "corpus.toml").write_text(MANIFEST, encoding="utf-8")
    for name, own in (("a", A), ("b", B)):
        text = "\n\n".join(f"{law.number}. {law.text}" for law in own) + "\n"
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    words = "read deals |five| cards => six\n    note  by the errata\nreject everywhere |adversary|\n"
    (folder / "rulings/A.txt").write_text(words, encoding="utf-8")
    (folder / "rulings/links.txt").write_text('never A 2 "The dealer deals" = B 3 "The dealer deals"\n', "utf-8")
    return folder


def test_an_edition_says_who_decided(corpus: Path) -> None:
    edition = edit(corpus)
    row = edition.tables["corrections"].set_index("found").loc["five"]
    assert (row["reads"], row["decided"], row["cert"], row["law"]) == ("six", "Ada Example", 1.0, "A-law02")
    verdicts = edition.tables["rulings"]
    assert sorted(verdicts["verdict"]) == ["read", "reject", "reject"]
    tei = edition.tei["editions/A.xml"].decode()
    assert 'resp="#rule-ruling-Ada-Example"' in tei
    assert '<name type="person">Ada Example</name>' in tei
    assert "decided by an editor's ruling" in tei
    assert "ruling" not in edition.tei["editions/B.xml"].decode().replace("an editor's ruling only", "")
    assert not any(
        {"A", "B"} <= locus.laws.keys() for locus in edition.works[0].concordance.loci if "2" in locus.laws.get("A", ())
    )


def test_a_witness_kept_from_a_former_run_is_made_anew_when_its_rulings_change(corpus: Path, tmp_path: Path) -> None:
    keep = tmp_path / "kept"
    assert "six" in edit(corpus, keep=keep).witnesses[0].repair.text
    assert edit(corpus, keep=keep).witnesses[0].repair.rulings  # from what was kept
    (corpus / "rulings/A.txt").write_text("read deals |five| cards => seven\n", encoding="utf-8")
    assert "seven" in edit(corpus, keep=keep).witnesses[0].repair.text


def test_check_tells_mistakes_of_manifest_sources_and_rulings_at_once(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["check", str(corpus)]) == 0
    (corpus / "rulings/A.txt").write_text("\nacept |five|\nread deals |five| => six\n", encoding="utf-8")
    (corpus / "rulings/C.txt").write_text("reject |five|\n", encoding="utf-8")
    (corpus / "b.txt").unlink()
    capsys.readouterr()
    assert cli.main(["check", str(corpus)]) == 1
    said = capsys.readouterr().err
    assert "A.txt: line 2: 'acept' is not understood" in said
    assert "C.txt: holds the rulings of no witness" in said
    assert "B: b.txt: no such file" in said
    (corpus / "corpus.toml").write_text(MANIFEST.replace("date", "dat"), encoding="utf-8")
    assert cli.main(["check", str(corpus)]) == 1
    said = capsys.readouterr().err
    assert "corpus.toml: line 3: unknown key 'dat'" in said
    assert "line 2: 'acept'" in said
    assert "B: b.txt: no such file" in said


def test_check_tells_rulings_that_have_lost_their_place(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (corpus / "rulings/A.txt").write_text("read deals |fifty| cards => six\n", encoding="utf-8")
    assert cli.main(["check", str(corpus)]) == 3
    assert "the ruling in line 1" in capsys.readouterr().err


def test_a_mistake_in_a_ruling_stops_the_build(corpus: Path) -> None:
    (corpus / "rulings/A.txt").write_text("read five => six\n", encoding="utf-8")
    with pytest.raises(ManifestError, match=r"A\.txt: line 1"):
        edit(corpus)


def test_explain_shows_the_rulings_on_a_law(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", str(corpus), "A", "2"]) == 0
    assert "read |five| => six  (Ada Example, line 1: by the errata)" in capsys.readouterr().out


def test_a_file_that_states_its_own_laws_heeds_no_ruling_and_says_so(corpus: Path) -> None:
    own = edit(corpus).tei["editions/B.xml"]
    (corpus / "b.xml").write_bytes(own)
    (corpus / "corpus.toml").write_text(MANIFEST.replace("b.txt", "b.xml"), encoding="utf-8")
    (corpus / "rulings/B.txt").write_text("read deals |five| cards => six\n", encoding="utf-8")
    found = [f for f in edit(corpus).findings if f.code == "ruling-doubtful"]
    assert [f.siglum for f in found] == ["B"]


def test_rulings_of_the_sample_corpus_have_their_places(sample: Edition) -> None:
    assert sample.corpus.rulings
    assert not [f for f in sample.findings if f.code.startswith("ruling-")]
    assert sum(len(w.repair.rulings) for w in sample.witnesses) == sum(map(len, sample.corpus.rulings.values()))


def test_the_raw_text_of_a_ruled_witness_comes_back_from_its_tei(corpus: Path, tmp_path: Path) -> None:
    from variorum.edition import read_source

    path = tmp_path / "A.xml"
    path.write_bytes(edit(corpus).tei["editions/A.xml"])
    source = read_source(path, "A.xml")
    assert source.stated is not None
    assert source.stated.repair.raw == (corpus / "a.txt").read_text(encoding="utf-8")
    assert [c.rule for c in source.stated.repair.corrections if c.reads == "six"] == ["ruling: Ada Example"]


def test_a_corpus_without_rulings_is_as_it_was(corpus: Path) -> None:
    shutil.rmtree(corpus / "rulings")
    assert edit(corpus).tables["rulings"].empty
