"""A language or a period of one's own, learned from texts."""

from __future__ import annotations

import random

import pytest

from variorum.enrol import learn
from variorum.errors import VariorumError
from variorum.language import FACTS, load
from variorum.repair import repair

COURT = """
le joueur qui donne les cartes doit les faire couper par son adversaire
celui qui a la main joue le premier et peut proposer
si le donneur retourne le roi il marque un point
on donne cinq cartes à chaque joueur par deux et par trois
le joueur qui fait trois levées marque un point
l'écarté se joue à deux avec un jeu de trente-deux cartes
""".strip().splitlines()


@pytest.fixture(scope="module")
def french(tmp_path_factory):
    folder = tmp_path_factory.mktemp("french")
    dice = random.Random(1)
    (folder / "texts").mkdir()
    text = "\n".join(dice.choice(COURT).capitalize() + "." for _ in range(6_000))
    (folder / "texts" / "regles.txt").write_text(text, "utf-8")
    learn([folder / "texts"], folder / "langue", [], None)
    return folder / "langue"


def test_a_language_is_learned_from_a_folder_of_texts(french):
    language = load(french)
    assert language.known("joueur")
    assert language.known("levées")
    assert not language.known("player")
    assert language.logp("joueur", "le") > language.logp("cartes", "le")


def test_the_same_texts_give_the_same_language(french, tmp_path):
    learn([french.parent / "texts"], tmp_path / "again", [], None)
    assert (tmp_path / "again" / FACTS).read_bytes() == (french / FACTS).read_bytes()


def test_a_page_is_mended_in_the_language_it_is_in(french):
    page = "Le joueur qui donne les cartes doit les faire couper par son adversaire. Si le donneur retourne le roi, il \
marque un point. Celui qui a la main joue le prernier et peut proposer. On donne cinq cartcs à chaque joueur."
    mended = repair(page, spoken=load(french))
    assert {(c.found, c.reads) for c in mended.corrections} == {("prernier", "premier"), ("cartcs", "cartes")}
    assert repair(page).text == page


def test_too_few_words_and_a_folder_that_is_there_are_said(french, tmp_path):
    (tmp_path / "one.txt").write_text("too few", "utf-8")
    with pytest.raises(VariorumError, match="50,000 words at least"):
        learn([tmp_path], tmp_path / "out", [], None)
    with pytest.raises(VariorumError, match="is there already"):
        learn([french.parent / "texts"], french, [], None)
    assert not (tmp_path / "out").exists()
