"""Words and marks: nothing is lost, and what is compared is not what is printed."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum.tokens import PIECE, figure, is_word, normal, skeleton, tokenise


def surfaces(text: str) -> list[str]:
    return [t.surface for t in tokenise(text)]


@given(st.text(max_size=300))
def test_surfaces_and_spaces_give_the_text_back(text: str) -> None:
    assert "".join(t.surface + t.space for t in tokenise(text)) == text


@given(st.text(alphabet="ab.,'’-—– \n\t\u2003(1", max_size=200))
def test_marks_and_spaces_of_all_sorts_give_the_text_back(text: str) -> None:
    assert "".join(t.surface + t.space for t in tokenise(text)) == text


@given(st.text(max_size=60))
def test_only_the_margin_has_no_surface(text: str) -> None:
    tokens = tokenise(text)
    assert all(t.surface and not t.surface[0].isspace() for t in tokens[1:])
    assert not tokens or bool(tokens[0].surface) != text[0].isspace()


@given(st.text(max_size=60))
def test_every_token_compares_as_something(text: str) -> None:
    assert all(t.normal for t in tokenise(text) if t.surface)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("If, however; void.", ["If", ",", "however", ";", "void", "."]),
        ("dog,—cat", ["dog", ",", "—", "cat"]),
        ("the 4thly.—Hands", ["the", "4thly", ".", "—", "Hands"]),
        ("an adversary’s turn-up", ["an", "adversary’s", "turn-up"]),
        ("he cannot and can't", ["he", "cannot", "and", "can't"]),
        ("1,000 yards, 5.50 or 1/2", ["1,000", "yards", ",", "5.50", "or", "1/2"]),
        ("void.unless", ["void", ".", "unless"]),
        ("“faced” (a) &c.", ["“", "faced", "”", "(", "a", ")", "&c", "."]),
        ("'tis _King_ over- plus", ["'tis", "_", "King", "_", "over", "-", "plus"]),
        ("εϲτι¯ ϊουδαιουϲʼ", ["εϲτι¯", "ϊουδαιουϲʼ"]),
        ("bête", ["bête"]),
    ],
)
def test_words_and_marks_stand_apart(text: str, expected: list[str]) -> None:
    assert surfaces(text) == expected


def test_white_space_before_the_first_word_is_kept_in_a_token_without_surface() -> None:
    first, second = tokenise("\n  If")
    assert (first.surface, first.space) == ("", "\n  ")
    assert second.surface == "If"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("ſuit", "suit"),
        ("Card", "card"),
        ("ﬁve", "five"),
        ("dealer’s", "dealer's"),
        ("—", "--"),
        ("“", '"'),
        ("æ", "ae"),
    ],
)
def test_signs_of_one_word_compare_equal(left: str, right: str) -> None:
    assert normal(left) == normal(right)


def test_spelling_and_accents_are_kept_in_the_normal_form() -> None:
    assert normal("shew") != normal("show")
    assert normal("écarté") != normal("ecarte")
    assert normal("écarté") == normal("e\u0301carte\u0301")
    assert skeleton(normal("Écarté")) == "ecarte"


@pytest.mark.parametrize(
    ("word", "value"),
    [("five", "5"), ("5", "5"), ("sixth", "6th"), ("6th", "6th"), ("twenty-one", "21"), ("VI", "6"), ("1,000", "1000")],
)
def test_number_words_and_figures_have_one_value(word: str, value: str) -> None:
    assert figure(word) == value


@pytest.mark.parametrize("word", ["I", "card", "to", "", "4²", "IIX", "9" * 5000])
def test_what_is_no_number_has_no_value(word: str) -> None:
    assert figure(word) == ""


def test_a_mark_is_no_word() -> None:
    assert [is_word(t) for t in tokenise("a, (5)")] == [True, False, False, True, False]


@pytest.mark.parametrize(
    "text", ["x" * 300_000, "." * 300_000, ". " * 60_000, "a.b," * 30_000, "'a" * 60_000, "-" * 50_000]
)
def test_odd_input_takes_linear_time(text: str) -> None:
    tokenise("warm")
    start = time.perf_counter()
    tokens = tokenise(text)
    assert time.perf_counter() - start < 5
    assert "".join(t.surface + t.space for t in tokens) == text


def test_a_long_text_is_cut_at_white_space_only() -> None:
    text = "card " * PIECE
    assert set(surfaces(text)) == {"card"}
