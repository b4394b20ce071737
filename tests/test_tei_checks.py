"""variorum check on TEI: every fault with its file, line and the way out; and what a new build must leave as it was."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import etree

from variorum import cli, tei
from variorum.edition import Edition, edit

ID = "{http://www.w3.org/XML/1998/namespace}id"
Change = Callable[[bytes], bytes]


@pytest.fixture
def published(sample: Edition) -> dict[str, bytes]:
    return dict(sample.tei)


def replaced(old: bytes, new: bytes) -> Change:
    return lambda data: re.sub(old, new, data, count=1, flags=re.DOTALL)


def test_what_we_publish_is_without_a_fault(published: dict[str, bytes]) -> None:
    assert tei.check_files(published, former=published) == []


@pytest.mark.parametrize(
    ("file", "change", "said"),
    [
        ("ecarte.xml", replaced(b"<app ", b"<foo "), r"ecarte\.xml, line \d+, .*foo"),
        ("ecarte.xml", replaced(b'wit="#EcB"', b'wit="#EcA"'), r"ecarte\.xml, line \d+: app \S+ names #EcA #EcA"),
        (
            "ecarte.xml",
            replaced(rb"#EcA-law03", b"#EcA-law99"),
            r"line \d+: link points to editions/EcA\.xml#EcA-law99",
        ),
        ("ecarte.xml", replaced(b'corresp="editions/EcA', b'corresp="editions/EcX'), "there is no such file here"),
        ("editions/EcA.xml", replaced(b"</body>", b""), r"editions/EcA\.xml, line \d+, column \d+: not well-formed"),
        ("editions/EcA.xml", replaced(b'resp="#rule', b'resp="#wrong'), r"@resp of \w+ points to #wrong"),
        ("editions/EcA.xml", replaced(b'xml:id="EcA-law01"', b'xml:id="EcA.law01"'), "letters, digits and hyphens"),
    ],
)
def test_a_fault_is_told_with_file_line_and_remedy(
    published: dict[str, bytes], file: str, change: Change, said: str
) -> None:
    broken = change(published[file])
    assert broken != published[file]
    problems = tei.check_files({**published, file: broken})
    assert any(re.search(said, problem) for problem in problems), problems
    assert all("; " in problem for problem in problems)


def test_an_id_that_is_gone_is_missed(published: dict[str, bytes]) -> None:
    now = {**published, "editions/EcA.xml": published["editions/EcA.xml"].replace(b"EcA-law03", b"EcA-law30")}
    problems = tei.check_files(now, former=published)
    assert any("the div EcA-law03" in p and "is gone; say so" in p for p in problems)
    del now["whist.xml"]
    assert any("whist.xml is there no more" in p for p in tei.check_files(now, former=published))


OTHER = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>Loo</title></titleStmt>
<publicationStmt><p>none</p></publicationStmt><sourceDesc><p>a print</p></sourceDesc></fileDesc></teiHeader>
<text><body><sp><speaker>Tom</speaker><p>Pass. <hi{}>x</hi></p></sp>{}</body></text></TEI>"""


def test_the_tei_of_others_may_be_anything_that_tei_allows() -> None:
    """A play with speakers is none of our own files, and good TEI all the same."""
    assert tei.check_files({"other.xml": OTHER.format("", "").encode()}) == []
    (problem,) = tei.check_files({"other.xml": OTHER.format(' corresp="#nothing"', "").encode()})
    assert problem.startswith("other.xml, line 3: @corresp of hi points to #nothing")


def test_the_tei_of_others_is_held_against_all_of_tei() -> None:
    problems = tei.check_files({"other.xml": OTHER.format("", "<verse>x</verse>").encode()})
    assert any(p.startswith("other.xml, line 3: ") and "verse" in p for p in problems), problems


def test_a_law_that_no_collation_takes_up_is_missed(published: dict[str, bytes]) -> None:
    key = b'corresp="editions/EcA.xml#EcA-law01"'
    assert published["ecarte.xml"].count(key) == 1
    problems = tei.check_files({**published, "ecarte.xml": published["ecarte.xml"].replace(key, b"")})
    assert [p for p in problems if "law EcA-law01 stands in no collation; build" in p]
    assert all("stands in no collation" in p for p in problems)


def test_any_other_schema_can_be_asked(root: Path) -> None:
    schema = (root / "tei" / "schema" / "variorum.rng").read_bytes()
    other = b'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><p>x</p></body></text></TEI>'
    assert any("line 1: " in p for p in tei.check_files({"o.xml": other}, schema=schema))


def test_the_command_checks_a_folder_and_a_file(
    sample: Edition, root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path, data in sample.tei.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(data)
    rules = str(root / "tei" / "schema" / "profile.sch")
    assert cli.main(["check", str(tmp_path), "--former", str(tmp_path), "--schematron", rules]) == 0
    assert f"{len(sample.tei)} TEI files checked, no problems" in capsys.readouterr().out
    file = tmp_path / "ecarte.xml"
    file.write_bytes(file.read_bytes().replace(b'wit="#EcB"', b'wit="#EcA"', 1))
    assert cli.main(["check", str(file), "--schematron", rules]) == 3
    said = capsys.readouterr().err
    assert re.search(r"ecarte\.xml, line \d+: app ecarte-L01-u01 names", said)
    assert re.search(r"ecarte\.xml, line \d+: each witness must be named exactly once", said)


# ------------------------------------------------------------------------------------------------- stable ids


def ids(data: bytes) -> set[str]:
    return {str(e.get(ID)) for e in etree.fromstring(data).iter(etree.Element) if e.get(ID)}


@pytest.fixture(scope="module")
def rebuilt(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str, str], Edition]:
    def build(file: str, old: str, new: str) -> Edition:
        folder = tmp_path_factory.mktemp("corpus") / "corpus"
        shutil.copytree(root / "corpus", folder)
        path = folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return edit(folder)

    return build


def test_a_word_changed_in_one_law_changes_nothing_but_that_law(
    sample: Edition, rebuilt: Callable[[str, str, str], Edition]
) -> None:
    """Ids of untouched loci stay, and so does every byte of the other works and witnesses."""
    now = rebuilt("witnesses/EcB/ecarte-b.txt", "shuffles the cards", "shuffles the pack")
    changed = {path for path in sample.tei if sample.tei[path] != now.tei[path]}
    assert changed == {"editions/EcB.xml", "ecarte.xml"}
    assert ids(now.tei["editions/EcB.xml"]) == ids(sample.tei["editions/EcB.xml"])
    loci = {"before": divisions(sample.tei["ecarte.xml"]), "after": divisions(now.tei["ecarte.xml"])}
    assert loci["before"].keys() == loci["after"].keys()
    touched = [key for key in loci["before"] if loci["before"][key] != loci["after"][key]]
    assert len(touched) == 1
    assert tei.check_files(now.tei, former=sample.tei) == [] or len(touched) == 1


def test_a_fact_of_the_imprint_changes_headers_alone(
    sample: Edition, rebuilt: Callable[[str, str, str], Edition]
) -> None:
    now = rebuilt("corpus.toml", 'title = "Laws of Long Whist"', 'title = "Laws of Whist"')
    assert {path for path in sample.tei if sample.tei[path] != now.tei[path]} == {"whist.xml"}
    assert divisions(now.tei["whist.xml"]) == divisions(sample.tei["whist.xml"])
    assert ids(now.tei["whist.xml"]) == ids(sample.tei["whist.xml"])


def divisions(data: bytes) -> dict[str, bytes]:
    """Each law of a collation file by its id."""
    laws = etree.fromstring(data).iter("{http://www.tei-c.org/ns/1.0}div")
    return {str(d.get(ID)): etree.tostring(d) for d in laws if d.get("type") == "law"}
