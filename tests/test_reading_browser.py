"""The reading edition in a browser: from disk, with the network off, with and without the script, by keyboard.

Needs Debian's Chromium (or CHROMIUM, the path of another) and, for the check of accessibility, axe-core: AXE_CORE is
the path of its axe.min.js. Skipped with a word where they are missing, unless VARIORUM_NEEDS_PROGRAMS is set.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from variorum.edition import Edition

# Without the switches for background work Chromium looks for its maker's hosts at every start.
SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}


def wanting(what: str) -> None:
    if os.environ.get("VARIORUM_NEEDS_PROGRAMS"):
        pytest.fail(f"{what} should be here and is not")
    pytest.skip(f"{what} is not here")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        wanting("playwright")
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not program:
        wanting("Chromium (apt-get install chromium)")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=SWITCHES)
        yield started
        started.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, sample: Edition) -> Path:
    """The reading edition of the sample corpus and of five editions of a made one, on disk."""
    from reading_made import five_editions

    folder = tmp_path_factory.mktemp("edition")
    for name, data in {**five_editions(), **sample.reading}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder / "reading"


class Opened:
    """A page opened from disk, with all it asked for and complained of."""

    def __init__(self, browser: Browser, path: Path, place: str = "", **options: Any) -> None:
        self.context = browser.new_context(offline=True, **{"viewport": DESK, **options})
        self.page: Page = self.context.new_page()
        self.asked: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.address = path.as_uri()
        self.page.goto(self.address + place, wait_until="load")

    def __enter__(self) -> Page:
        return self.page

    def __exit__(self, *_: object) -> None:
        asked = {url.split("#")[0] for url in self.asked}
        self.context.close()
        assert self.complaints == []
        assert all(url.startswith("file:") and url.endswith(".html") for url in asked), f"asked for {asked}"


def visible(page: Page, selector: str) -> list[str]:
    """The words of what is to be seen; laws far from the screen are not laid out until one goes there."""
    page.locator(selector).first.scroll_into_view_if_needed()
    return [" ".join((e.text_content() or "").split()) for e in page.locator(selector).all() if e.is_visible()]


@pytest.mark.parametrize("name", ["index.html", "ecarte.html", "whist.html", "sixtysix.html", "made.html"])
@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_a_page_opens_from_disk_and_asks_for_nothing_else(
    browser: Browser, folder: Path, name: str, script: bool
) -> None:
    with Opened(browser, folder / name, java_script_enabled=script) as page:
        assert page.locator("h1").is_visible()
        assert page.locator("main").count() == 1


def test_without_the_script_every_text_apparatus_and_raw_page_can_be_read(browser: Browser, folder: Path) -> None:
    with Opened(browser, folder / "made.html", java_script_enabled=False) as page:
        assert not page.locator("#tools").is_visible()
        first = page.locator(".locus").first
        assert len(visible(page, ".locus:first-of-type .wit")) == 5
        assert first.locator(".u").first.is_visible()
        first.locator("details summary").first.click()
        assert first.locator(".page").first.is_visible()


@pytest.mark.parametrize("view", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("name", ["index.html", "ecarte.html", "made.html"])
def test_no_page_is_wider_than_the_screen(browser: Browser, folder: Path, name: str, view: dict[str, int]) -> None:
    with Opened(browser, folder / name, viewport=view) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= view["width"]


def test_two_to_six_editions_stand_side_by_side(browser: Browser, folder: Path) -> None:
    with Opened(browser, folder / "made.html") as page:
        columns = ".locus:first-of-type .wit"
        assert [text.split()[0] for text in visible(page, columns)] == ["Ed01", "Ed02", "Ed03"]
        tops = {e.bounding_box()["y"] for e in page.locator(columns).all() if e.is_visible()}  # type: ignore[index]
        assert len(tops) == 1
        page.locator("#tools summary").first.click()
        page.locator("#wit").get_by_label("Ed02").uncheck()
        assert [text.split()[0] for text in visible(page, columns)] == ["Ed01", "Ed03"]
        assert page.locator("#wit").get_by_label("Ed01").is_disabled()
        page.locator("#wit").get_by_label("Ed05").check()
        assert page.url.endswith("#;witnesses=Ed01,Ed03,Ed05")


def test_the_base_is_the_lemma_and_stands_in_the_address(browser: Browser, folder: Path) -> None:
    with Opened(browser, folder / "made.html") as page:
        page.select_option("#base", label="Ed02")
        assert "base=Ed02" in page.url
        first = page.locator(".locus").first
        assert first.locator(".u:not(.off)").count()
        for entry in first.locator(".u:not(.off)").all():
            lemma = entry.locator(".r").first
            assert "lem" in (lemma.get_attribute("class") or "").split()
            assert "Ed02" in (lemma.locator("i").text_content() or "")
        assert "Ed02" in page.locator("#grid_base").inner_text()
        address = page.url
    with Opened(browser, folder / "made.html", "#" + address.split("#")[1]) as page:
        assert page.input_value("#base") == "1"


def test_a_place_pointed_at_is_lit_in_all_editions_and_the_apparatus(browser: Browser, folder: Path) -> None:
    with Opened(browser, folder / "made.html") as page:
        page.locator(".locus").first.scroll_into_view_if_needed()
        place = next(e for e in page.locator(".locus .v:not(.off)").all() if e.is_visible() and e.inner_text())
        number = place.get_attribute("data-u")
        place.hover()
        lit = page.locator(".lit")
        assert {e.get_attribute("data-u") for e in lit.all()} == {number}
        assert len([e for e in lit.all() if e.is_visible() and "v" in (e.get_attribute("class") or "").split()]) == 3
        assert page.locator(".u.lit").count() == 1


def test_all_can_be_done_by_keyboard(browser: Browser, folder: Path) -> None:
    with Opened(browser, folder / "made.html") as page:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "laws"
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == "base"
        page.locator(".locus .u:not(.off) a").first.focus()
        first = page.locator(".u.lit").get_attribute("id")
        page.keyboard.press("ArrowDown")
        second = page.locator(".u.lit").get_attribute("id")
        assert first != second
        page.keyboard.press("Escape")
        assert page.locator(".lit").count() == 0
        page.locator("#tools summary").first.focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.name") == "w"
        page.keyboard.press("Escape")
        assert not page.locator("#wit").is_visible()
        assert page.evaluate("document.activeElement.tagName") == "SUMMARY"


def test_filters_take_a_kind_of_variant_out_of_sight(browser: Browser, folder: Path) -> None:
    with Opened(browser, folder / "ecarte.html") as page:
        assert page.locator(".u.a:visible").count()
        page.locator("#tools summary").nth(1).click()
        page.click("#sub")
        assert not page.locator(".u.a:visible").count()
        assert page.locator(".u.b:visible").count()
        assert "without=punctuation" in page.url
        page.click("#all")
        assert page.locator(".u.a:visible").count()
        page.check("#rule")
        shown = [e for e in page.locator(".locus").all() if e.is_visible()]
        assert shown
        assert all(e.get_attribute("data-rule") != "0" for e in shown)


def test_search_finds_words_whatever_their_accents(browser: Browser, folder: Path) -> None:
    with Opened(browser, folder / "ecarte.html") as page:
        page.fill("#find", "TALON")
        page.wait_for_selector("#said:has-text('laws')")
        found = [e for e in page.locator(".locus").all() if e.is_visible()]
        assert 0 < len(found) < page.locator(".locus").count()
        assert all("talon" in e.locator(".texts").inner_text().lower() for e in found)
        assert "find=TALON" in page.url
        page.fill("#find", "")
        page.wait_for_selector("#said:empty", state="attached")
        assert page.locator(".locus.off").count() == 0
        assert not page.locator("#where").is_visible()


def test_search_says_which_edition_was_first_and_leads_to_its_law(browser: Browser, folder: Path) -> None:
    """Which edition first has these words? Answered over all editions, those that are not shown too."""
    with Opened(browser, folder / "made.html") as page:
        laws = page.evaluate(
            "[...document.querySelectorAll('.law')].map((l) => [l.id, l.textContent.replace(/\\s+/g, ' ')])"
        )
        first = next(id for id, _ in laws if id.startswith("Ed04"))
        words = " ".join(dict(laws)[first].split()[3:8])
        having = {id.split("-")[0] for id, text in laws if words in text}
        page.fill("#find", words)
        page.wait_for_selector("#where:visible")
        said = page.locator("#where").inner_text()
        assert f"“{words}” stands first in {min(having)}, {1800 + 7 * int(min(having)[2:])}." in said
        assert {line.split()[0] for line in said.splitlines() if "· " in line} == having
        page.locator(f"#where a[href='#{first}']").click()
        assert page.locator(f"#{first}").is_visible()
        assert "Ed04" in page.url
        page.fill("#find", "no such words")
        page.wait_for_selector("#where:has-text('No edition has')")


def test_of_undated_editions_none_is_called_the_first(browser: Browser, folder: Path) -> None:
    with Opened(browser, folder / "ecarte.html", "#;find=new deal") as page:
        assert "“new deal” stands in EcA, EcB; which was first is not known." in page.locator("#where").inner_text()


def test_a_link_into_an_edition_that_is_not_shown_brings_it_in(browser: Browser, folder: Path) -> None:
    with Opened(browser, folder / "made.html") as page:
        link = page.locator(".grid td.w4 a").first
        law = (link.get_attribute("href") or "")[1:]
        assert not page.locator(f"#{law}").is_visible()
        link.click()
        assert page.locator(f"#{law}").is_visible()
        assert "witnesses=Ed01,Ed02,Ed03,Ed05" in page.url


def test_citation_apparatus_and_permalink_are_copied(browser: Browser, folder: Path) -> None:
    with Opened(browser, folder / "ecarte.html", permissions=["clipboard-read", "clipboard-write"]) as page:
        law = page.locator("#ecarte-L06")
        copied = {}
        for name in ("Cite", "Apparatus entry", "Permalink"):
            law.get_by_role("button", name=name).click()
            page.wait_for_selector(f"#said:has-text('{name} copied')")
            copied[name] = page.evaluate("navigator.clipboard.readText()")
        assert copied["Permalink"] == page.url.split("#")[0] + "#ecarte-L06"
        assert copied["Cite"].startswith("Laws of Écarté: EcA (")
        assert copied["Cite"].endswith("ecarte-L06")
        lines = copied["Apparatus entry"].splitlines()
        assert lines[0] == "ecarte-L06"
        assert all("] " in line and " : " in line for line in lines[1:])


def test_an_address_leads_to_the_place_and_lights_it(browser: Browser, folder: Path) -> None:
    with Opened(browser, folder / "ecarte.html", "#ecarte-L10-u01") as page:
        page.wait_for_selector("#ecarte-L10-u01.lit")
        page.wait_for_timeout(200)
        word = next(e for e in page.locator("#ecarte-L10 .v.lit").all() if e.is_visible())
        box = word.bounding_box()
        assert box is not None
        assert 0 <= box["y"] <= DESK["height"]


def test_dark_mode_turns_ink_and_paper(browser: Browser, folder: Path) -> None:
    light = {}
    for scheme in ("light", "dark"):
        with Opened(browser, folder / "ecarte.html", color_scheme=scheme) as page:
            colour = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
            light[scheme] = sum(int(n) for n in colour[4:-1].split(","))
    assert light["dark"] < 150 < 600 < light["light"]


def test_in_print_the_tools_are_gone_and_nothing_is_cut_off(browser: Browser, folder: Path) -> None:
    with Opened(browser, folder / "made.html") as page:
        page.fill("#find", "dealer")
        page.wait_for_selector("#where:visible")
        page.emulate_media(media="print")
        for gone in ("#tools", "#where", "nav", ".copy", "#witnesses details"):
            assert not page.locator(gone).first.is_visible()
        scrolled = "[...document.querySelectorAll('main, .scroll, .changes')].filter((e) => e.offsetParent)"
        clipped = f"{scrolled}.filter((e) => getComputedStyle(e).overflowY === 'auto').length"
        assert page.evaluate(clipped) == 0


def test_a_script_in_a_text_does_nothing(browser: Browser, folder: Path) -> None:
    with Opened(browser, folder / "hostile.html") as page:
        assert page.evaluate("window.harmed") is None
        assert "<script>window.harmed = 1</script>" in page.locator(".law").first.inner_text()
        assert page.title().startswith('"Hoyle" <b>')


@pytest.mark.parametrize(
    ("name", "scheme"),
    [("index.html", "light"), ("ecarte.html", "light"), ("ecarte.html", "dark"), ("made.html", "dark")],
)
def test_axe_has_no_serious_complaint(browser: Browser, folder: Path, name: str, scheme: str) -> None:
    axe = os.environ.get("AXE_CORE")
    if not axe or not Path(axe).is_file():
        wanting("axe-core (npm install axe-core; AXE_CORE=.../axe.min.js)")
    with Opened(browser, folder / name, color_scheme=scheme, bypass_csp=True) as page:
        page.evaluate(Path(axe or "").read_text(encoding="utf-8"))
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    serious = [v for v in found["violations"] if v["impact"] in ("serious", "critical")]
    assert [(v["id"], v["nodes"][0]["html"][:200]) for v in serious] == []


@pytest.mark.slow
def test_twelve_editions_of_a_hundred_laws_can_be_used_at_once(browser: Browser, tmp_path: Path) -> None:
    from reading_made import reading_of

    done = reading_of(editions=12, laws=100)
    path = tmp_path / "made.html"
    path.write_bytes(done["reading/made.html"])
    assert path.stat().st_size < 6_000_000
    with Opened(browser, path) as page:
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        took = []
        for _ in range(3):
            page.reload(wait_until="load")
            spent = {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}
            took.append(spent["TaskDuration"])
        # Time that the page itself took, not that for which it waited for a busy machine.
        assert min(took) < 1.0
        assert page.locator("#tools").is_visible()


def test_a_word_on_which_all_agree_is_lit_in_all(browser: Browser, folder: Path) -> None:
    with Opened(browser, folder / "made.html") as page:
        law = page.locator(".locus").first
        law.scroll_into_view_if_needed()
        page.wait_for_timeout(200)
        box = law.locator(".wit.w0 .law p:not(.sec)").first.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 40, box["y"] + 12)
        page.wait_for_timeout(200)
        lit = page.evaluate("[...(CSS.highlights.get('word') || [])].map((range) => range.toString())")
        assert len(lit) == 3
        assert len(set(lit)) == 1


def test_the_grid_follows_the_base(browser: Browser, folder: Path) -> None:
    """Likeness goes both ways: what Ed03 shows against Ed01 is what Ed01 shows against Ed03."""

    def figures(page: Page, siglum: int) -> list[str]:
        cells = page.locator(f".grid tbody td.w{siglum}").all()
        return [
            " ".join((cell.locator("i").text_content() or "").split()) if cell.locator("i").count() else "–"
            for cell in cells
        ]

    with Opened(browser, folder / "made.html") as page:
        before = figures(page, 2)
        page.select_option("#base", label="Ed03")
        after, own = figures(page, 0), figures(page, 2)
        both = [(x, y) for x, y in zip(before, after, strict=True) if x not in ("", "–") and y not in ("", "–")]
        assert both
        assert all(x == y for x, y in both)
        assert {figure for figure in own if figure != "–"} == {"● 100"}
        assert page.locator(".grid th.isbase").inner_text().startswith("Ed03")
