"""What a phone is, said when it joins; and a page that is loaded anew at any moment."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.web.cirkis_play import drawn, tap
from tests.web.harness import Opened
from tests.web.played import PlayedTable, played_table

Open = Callable[..., Opened]


referee = pytest.fixture(played_table)


ROLES = {
    "es": {"table": "es de toda la mesa", "watch": "solo mira", "screen": "es la pantalla grande"},
    "en": {"table": "is for the whole table", "watch": "only watches", "screen": "is the big screen"},
}
KINDS = ("yikerz", pytest.param("cirkis", marks=pytest.mark.slow), pytest.param("tiki", marks=pytest.mark.slow))


def joined(open_page: Open, role: str, lang: str) -> Page:
    page = open_page("/join", "small", lang).page
    page.get_by_role("button", name=ROLES[lang][role]).click()
    return page


@pytest.mark.parametrize("lang", ["es", "en"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_phone_that_only_watches_has_nothing_to_press_until_it_joins_as_a_player(
    referee: PlayedTable, open_page: Open, kind: str, lang: str
) -> None:
    game = referee.gather(kind, "Ana", "Beto")
    page = joined(open_page, "watch", lang)
    expect(page.locator("#title")).not_to_be_empty()
    expect(page.locator("#main, #undo, .card-button").locator("visible=true")).to_have_count(0)
    page.goto(page.url.replace(f"/g/{game}", "/join"))
    assert Axe().run(page).violations_count == 0
    page.locator("#name").fill("Ana")
    page.locator("#name").press("Enter")
    page.wait_for_url(f"**/g/{game}")
    expect(page.locator("#undo")).to_be_visible()


@pytest.mark.parametrize("role", ["player", "watch"])
def test_a_demonstration_asks_as_soon_as_somebody_joins_as_a_player(
    referee: PlayedTable, open_page: Open, role: str
) -> None:
    game = referee.gather("yikerz", "Ana", "Beto", answers="nobody")
    before = referee.seen(game)["version"]
    page = open_page("/join", "small", "en").page
    if role == "player":
        page.locator("#name").fill("Zoë")
        page.locator("#name").press("Enter")
    else:
        page.get_by_role("button", name=ROLES["en"]["watch"]).click()
    page.wait_for_url(f"**/g/{game}")
    if role == "player":
        expect(page.locator("#strip")).to_contain_text("from now on you are asked")
        assert "unasked" not in referee.wait_version(game, before)
    else:
        expect(page.locator("#strip")).to_contain_text("nobody is asked")
        assert referee.seen(game)["unasked"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_phone_is_the_whole_tables_or_the_big_screen(referee: PlayedTable, open_page: Open, kind: str) -> None:
    game = referee.gather(kind, "Ana", "Beto")
    page = joined(open_page, "table", "en")
    page.wait_for_url(f"**/g/{game}")
    expect(page.locator("#undo")).to_be_visible()
    assert page.evaluate("localStorage.getItem('name')") == ""
    screen = joined(open_page, "screen", "es")
    screen.wait_for_url(f"**/g/{game}/tv")
    expect(screen.locator("#title")).not_to_be_empty()


def pressed(table: PlayedTable, game: str) -> list[str]:
    """What was pressed, as the journal keeps it."""
    return [e.new.kind for e in table.journal.entries(game) if e.new.kind in ("command", "undo")]


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_loaded_anew_while_its_press_travels_shows_what_is_so_and_nothing_counts_twice(
    referee: PlayedTable, open_page: Open, kind: str
) -> None:
    game = referee.gather(kind, "Ana", "Beto")
    page = open_page(f"/g/{game}", "phone", "es").page
    main = page.locator("#main")
    expect(page.locator("#undo")).to_be_enabled()
    if kind == "tiki":
        page.locator("#cards .side").first.click()
    elif kind == "cirkis":
        drawn(page)
        tap(page, 7)
    expect(main).to_be_enabled()
    before = len(pressed(referee, game))
    main.evaluate("(button) => { button.click(); window.location.reload(); }")
    expect(page.locator("#undo")).to_be_enabled()
    page.expose_function("phaseNow", lambda: referee.seen(game)["phase"])
    page.wait_for_function("async () => document.body.dataset.phase === await phaseNow()")
    assert len(pressed(referee, game)) <= before + 1
    if kind == "cirkis":  # the piece lies on the board, or it does not and may be put again
        page.expose_function("deedsNow", lambda: len(referee.seen(game)["deeds"]))
        page.wait_for_function(
            "async () => document.querySelectorAll('#board .letters text').length === await deedsNow()"
        )
    expect(page.locator("#strip")).not_to_have_class("bad")
