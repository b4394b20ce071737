"""All mistakes of a manifest are told in one go, each with its line and the way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from variorum import manifest
from variorum.errors import ManifestError, SourceError
from variorum.model import Fact

GOOD = """
[corpus]
title = "Laws"
date = "2026-11-30"

[[works]]
id = "ecarte"
title = "Laws of Écarté"
base = "EcA"

[[witnesses]]
siglum = "EcA"
work = "ecarte"
source = "EcA.txt"
title = { inferred = "Cards" }
year = { inferred = [1830, 1870] }
"""


def mistakes(folder: Path, text: str) -> list[str]:
    (folder / "corpus.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ManifestError) as caught:
        manifest.load(folder)
    return [str(problem) for problem in caught.value.problems]


def test_a_good_manifest_is_read(tmp_path: Path) -> None:
    (tmp_path / "corpus.toml").write_text(GOOD, encoding="utf-8")
    corpus = manifest.load(tmp_path)
    imprint = corpus.witnesses[0].imprint
    assert imprint.title == Fact("Cards", "inferred")
    assert (imprint.not_before, imprint.not_after, imprint.date_status) == (1830, 1870, "inferred")
    assert imprint.author == Fact("", "unknown")


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    (tmp_path / "corpus.toml").write_text("\ufeff" + GOOD, encoding="utf-8")
    assert manifest.load(tmp_path).title == "Laws"


def test_the_manifest_may_be_named_itself(tmp_path: Path) -> None:
    (tmp_path / "corpus.toml").write_text(GOOD, encoding="utf-8")
    assert manifest.load(tmp_path / "corpus.toml").folder == tmp_path


def test_a_folder_without_a_manifest_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"has no corpus\.toml"):
        manifest.load(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('title = "Laws"', 'titel = "Laws"', "line 3: unknown key 'titel'; did you mean 'title'?"),
        ('date = "2026-11-30"', "date = 5", "line 4: date in corpus: input should be a valid string, not 5"),
        ('base = "EcA"', 'base = "EcB"', "line 9: base 'EcB' is no witness of 'ecarte'; its witnesses are EcA"),
        ('work = "ecarte"', 'work = "ecart"', "line 13: no work has the id 'ecart'; did you mean 'ecarte'?"),
        ('"EcA.txt"', '"../EcA.txt"', "line 14: source '../EcA.txt' leads out of the corpus folder"),
        ('"EcA.txt"', '"/etc/passwd"', "line 14: source '/etc/passwd' leads out of the corpus folder"),
        ("inferred = [1830, 1870]", "inferred = [1870, 1830]", "line 16: year [1870, 1830] is no range"),
        ("inferred = [1830, 1870]", "inferred = 18", "line 16: year 18 is not between"),
        ("inferred = [1830, 1870]", "infered = 1830", "line 16: unknown key 'infered'; did you mean 'inferred'?"),
        ('siglum = "EcA"', 'siglum = "Ec A"', "line 12: siglum in witnesses is 'Ec A'; use letters"),
        ("[[works]]", "[[work]]", "unknown key 'work'; did you mean 'works'?"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_the_way_out(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert any(said in problem for problem in mistakes(tmp_path, GOOD.replace(old, new, 1)))


def test_a_siglum_used_twice_is_told_with_both_lines(tmp_path: Path) -> None:
    again = GOOD + '[[witnesses]]\nsiglum = "EcA"\nwork = "ecarte"\nsource = "b.txt"\n'
    assert mistakes(tmp_path, again) == ["line 18: siglum 'EcA' is used twice (first in line 12); give each its own"]


def test_a_siglum_that_is_part_of_another_is_told(tmp_path: Path) -> None:
    again = GOOD + '[[witnesses]]\nsiglum = "EcA2"\nwork = "ecarte"\nsource = "b.txt"\n'
    assert mistakes(tmp_path, again) == ["line 12: siglum 'EcA' is part of 'EcA2'; give all sigla the same length"]


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    bad = GOOD.replace("title", "titel").replace('"EcA.txt"', '"../x"')
    assert len(mistakes(tmp_path, bad)) >= 4


def test_what_is_not_toml_is_told_with_its_place(tmp_path: Path) -> None:
    assert "line 2" in mistakes(tmp_path, '[corpus]\ntitle = "open\n')[0]


@pytest.mark.shared
@pytest.mark.parametrize("name", ["32_manifest_traversal.toml", "33_manifest_bom.toml"])
def test_odd_manifests_are_refused_with_reasons(shared: Path, name: str) -> None:
    with pytest.raises(ManifestError):
        manifest.load(shared / "bad-inputs" / name)


def test_editors_and_their_orcid_are_read_and_a_wrong_number_is_told(tmp_path: Path) -> None:
    good = GOOD.replace(
        'date = "2026-11-30"\n', 'date = "2026-11-30"\neditors = [{ name = "Ada", orcid = "@" }, { name = "B" }]\n'
    )
    (tmp_path / "corpus.toml").write_text(good.replace("@", "0000-0002-1825-0097"), encoding="utf-8")
    assert [(e.name, e.orcid) for e in manifest.load(tmp_path).editors] == [("Ada", "0000-0002-1825-0097"), ("B", "")]
    for wrong in ("0000-0002-1825-0098", "https://orcid.org/0000-0002-1825-0097", ""):
        (problem,) = mistakes(tmp_path, good.replace("@", wrong))
        assert problem.startswith("line 5: orcid")
    (problem,) = mistakes(tmp_path, good.replace("orcid", "orchid"))
    assert "did you mean 'orcid'" in problem
