"""How each game is played: the same kind of page for all three, the sheets' examples drawn by the page itself."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from companion.games.cirkis.example import EXAMPLES
from companion.games.tiki.example import CARDS
from tests.web import scenes
from tests.web.harness import Opened
from tests.web.scripted import ScriptedReferee
from tests.web.test_web_live_page import BUDGET_BYTES, BUDGET_REQUESTS
from web.kinds import PAGES
from web.language import catalogue

Open = Callable[..., Opened]
TITLES = {
    ("yikerz", "es"): "Cómo se juega a ¡Yikerz!",
    ("yikerz", "en"): "How to play ¡Yikerz!",
    ("cirkis", "es"): "Cómo se juega a CirKis",
    ("cirkis", "en"): "How to play CirKis",
    ("tiki", "es"): "Cómo se juega a Tiki Topple",
    ("tiki", "en"): "How to play Tiki Topple",
}


def check_examples(page: Page, kind: str) -> None:
    sections = page.locator("#examples section")
    if kind == "cirkis":
        expect(page.locator("svg.example")).to_have_count(len(EXAMPLES))
        expect(sections.first.locator(".gain b")).to_have_text(["+10", "+5", "+10"])
        expect(sections.first.locator(".choice polygon")).to_have_count(2)
    elif kind == "tiki":
        expect(page.locator(".shown .sum")).to_have_text([str(points) for _, points in CARDS.values()])
        expect(page.locator(".shown svg")).to_have_count(12)
    else:
        expect(sections).to_have_count(7)
        expect(page.locator(".help-picture")).to_have_count(7)


@pytest.mark.rule("C18", "C32", "T13")
@pytest.mark.parametrize("lang", ["es", "en"])
@pytest.mark.parametrize("kind", PAGES)
def test_the_help_page_draws_and_tells_the_sheets_examples(open_page: Open, kind: str, lang: str) -> None:
    opened = open_page(f"/help/{kind}", "small", lang)
    page = opened.page
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLES[kind, lang])
    check_examples(page, kind)
    expect(page.locator("dt")).to_have_count(len(catalogue(lang, PAGES[kind].clauses)))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("summary").click()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    wire = [r for r in opened.requests if not r.url.startswith("data:")]
    assert len(wire) <= BUDGET_REQUESTS
    assert sum(len(r.response().body()) for r in wire) <= BUDGET_BYTES


@pytest.mark.parametrize("lang", ["es", "en"])
def test_it_is_reached_from_the_list_of_games_and_leads_back_to_where_it_was_opened(
    referee: ScriptedReferee, open_page: Open, lang: str
) -> None:
    page = open_page("/", "small", lang).page
    for kind in PAGES:
        page.locator(f'a[href="/help/{kind}"]').click()
        expect(page.get_by_role("heading", level=1)).to_have_text(TITLES[kind, lang])
        page.locator("#home").click()
        expect(page.locator(f'a[href="/help/{kind}"]')).to_be_visible()
    referee.show(scenes.game(2))
    page.goto(page.url + "g/g1")
    page.locator("#menu").click()
    page.get_by_role("dialog").locator('a[href="/help/yikerz"]').click()
    check_examples(page, "yikerz")
    page.locator("#home").click()
    expect(page.locator("#menu")).to_be_visible()


def test_a_game_that_there_is_none_of_has_no_help(open_page: Open) -> None:
    page = open_page("/help/chess").page
    expect(page.locator("#games")).to_be_visible()
