"""The language room: words, the model of their order, and the confusions of OCR."""

from __future__ import annotations

import math
import subprocess
import sys
import time
from pathlib import Path

import pytest

from variorum.language import load
from variorum.language.confusions import Confusions, blocks, learn
from variorum.language.model import Language, hash_three
from variorum.language.running import NUMBER, STOP, fold, pieces
from variorum.language.train import gather, train


@pytest.fixture(scope="module")
def language() -> Language:
    return load()


def test_folding_resolves_long_s_ligatures_and_curly_apostrophes():
    assert fold("Poſſeſs") == "possess"
    assert fold("ﬁrſt") == "first"
    assert fold("Dealer’s") == "dealer's"


def test_running_text_is_words_numbers_and_stops():
    assert list(pieces("To-day, 13 tricks.\nWon")) == ["To-day", NUMBER, "tricks", STOP, STOP, "Won"]


@pytest.mark.parametrize(
    "word", ["trump", "écarté", "shew", "chuse", "publick", "overplus", "to-day", "misdeal", "tenace"]
)
def test_words_of_the_period_and_of_games_are_known(language, word):
    assert language.known(word)


@pytest.mark.parametrize("word", ["Dealer's", "dealer’s", "card-player", "1811", "XLIX", "oblig'd", "they'll", "TRUMP"])
def test_forms_of_known_words_are_known(language, word):
    assert language.known(word)


@pytest.mark.parametrize("word", ["tbe", "cornpany", "dazger", "p>ack", "", "-"])
def test_what_ocr_makes_of_words_is_not_known(language, word):
    assert not language.known(word)


def test_counts_are_of_the_folded_word_and_nought_for_an_unknown_one(language):
    assert language.count("The") == language.count("the") > 100_000
    assert language.count("tbe") == 0
    assert language.count(NUMBER) == language.count(STOP) == 0


def test_names_stand_mostly_with_a_capital(language):
    assert language.capitalised("London") > 0.9
    assert language.capitalised("table") < 0.2
    assert language.capitalised("qqqq") == 0.0


def test_the_right_word_is_likelier_in_its_place(language):
    assert language.logp("partner", "his", "oblige") > language.logp("partner", "bis", "oblige") + 3
    assert language.logp("call", "may", "adversary") > language.logp("rail", "may", "adversary") + 3


def test_probabilities_after_a_context_add_up_to_about_one(language):
    for before in (("the", "of"), ("deal", "new"), ("zzzz", "the"), (STOP, STOP)):
        a, b = language.number(before[1]), language.number(before[0])
        total = sum(math.exp(language.logp_numbers(c, b, a)) for c in range(len(language.words)))
        assert 0.8 < total < 1.2  # logarithms are kept in steps of 0.08


def test_completions_and_prefixes_agree(language):
    assert "overplus" in language.completions("overpl")
    assert language.has_prefix("overpl")
    assert not language.has_prefix("qzx")
    assert list(language.completions("qzx")) == []
    assert set(language.next_letters["overpl"]) >= {"u"}


def test_letters_that_make_no_word_are_less_likely(language):
    assert language.spelled("station") > language.spelled("stxtqon") + 5


def test_familiar_confusions_cost_less_than_strange_ones(language):
    channel = language.confusions.channel
    assert channel("his", "his") == 0.0
    assert channel("bis", "his") > channel("kis", "his")
    assert channel("cornpany", "company") > channel("cokkpany", "company")
    assert channel("tlie", "the") > channel("tqqe", "the")


def test_a_long_shared_beginning_does_not_change_the_cost_of_a_confusion(language):
    channel = language.confusions.channel
    assert channel("inconvenieut", "inconvenient") == pytest.approx(channel("ieut", "ient"))


def test_differences_are_found_as_runs():
    assert list(blocks("the cornpany", "the company")) == [("rn", "m")]
    assert list(blocks("same", "same")) == []


def test_a_confusion_seen_often_is_learned_and_a_rare_one_is_not():
    pairs = [("tbe man and his tbree friends walked", "the man and his three friends walked")] * 5
    pairs += [("a queer word here and there it stood", "a queen word here and there it stood")]
    table = Confusions(learn(pairs)).table
    assert ("b", "h") in table
    assert ("r", "n") not in table
    assert all(-20 < log < 0 for log in table.values())


def test_a_language_counted_from_a_folder_reads_back_and_is_the_same_twice(tmp_path):
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "a.txt").write_text("The dealer deals the cards. The dealer wins the game.\n" * 40, "utf-8")
    (texts / "b.txt").write_text("Every player may call the cards in his turn, or pass.\n" * 40, "utf-8")
    for out in ("one", "two"):
        train([texts], tmp_path / out, glossary=["talon"])
    names = sorted(p.name for p in (tmp_path / "one").iterdir())
    assert all((tmp_path / "one" / n).read_bytes() == (tmp_path / "two" / n).read_bytes() for n in names)
    small = Language(tmp_path / "one")
    assert small.count("dealer") == 80
    assert small.known("talon")
    assert small.logp("deals", "dealer", "the") > small.logp("game", "dealer", "the")


def test_a_text_left_out_takes_its_reprint_with_it(tmp_path):
    words = [f"word{chr(97 + i % 26)}{chr(97 + i // 26 % 26)}" for i in range(4000)]
    (tmp_path / "book.txt").write_text(" ".join(words), "utf-8")
    (tmp_path / "reprint.txt").write_text("A new title page. " + " ".join(words), "utf-8")
    (tmp_path / "other.txt").write_text("Nothing of it is in here. " * 50, "utf-8")
    kept = gather([tmp_path], [tmp_path / "book.txt"])
    assert [path.name for path, _ in kept] == ["other.txt"]


def test_word_triples_hash_the_same_as_numbers_and_as_arrays():
    import numpy as np

    rows = np.array([[1, 2, 3], [65534, 65534, 65534], [0, 70, 4000]])
    assert hash_three(*rows.T).tolist() == [hash_three(*map(int, row)) for row in rows]


def test_loading_takes_little_time_and_little_room():
    begun = time.perf_counter()
    Language(Path(sys.modules["variorum.language"].__file__).parent / "data")
    assert time.perf_counter() - begun < 1.5  # 0.15 s on an idle core
    data = Path(sys.modules["variorum.language"].__file__).parent / "data"
    assert sum(p.stat().st_size for p in data.iterdir()) < 8_000_000


def test_importing_the_room_loads_no_numpy():
    code = "import sys, variorum.language; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
