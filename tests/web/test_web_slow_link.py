"""A slow or broken link between a phone and the table: one press is enough, and none is lost."""

from collections.abc import Callable

import pytest
from playwright.sync_api import APIResponse, Route, expect

from companion.games.tiki.tikis import TIKIS
from tests.web.harness import Opened
from tests.web.played import PlayedTable, played_table

Open = Callable[..., Opened]


referee = pytest.fixture(played_table)


@pytest.mark.parametrize(
    ("kind", "module"),
    [
        ("cirkis", "cirkis-sheets.js"),
        ("tiki", "tiki-sheets.js"),
        ("cirkis", "cirkis-play.js"),
        ("tiki", "tiki-second.js"),
    ],
)
def test_a_sheet_opens_by_one_press_where_what_draws_it_comes_at_the_second_try(
    referee: PlayedTable, open_page: Open, kind: str, module: str
) -> None:
    game = referee.gather(kind, "Ana", "Beto")
    opened = open_page("/")
    page = opened.page
    asked: list[str] = []

    def fail_once(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.fulfill(status=503)
        else:
            route.continue_()

    page.route(f"**/{module}", fail_once)
    page.goto(page.url.rstrip("/") + f"/g/{game}")
    if module.endswith("-sheets.js"):
        expect(page.locator("#undo")).to_be_enabled()
    page.locator("#menu").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert len(asked) == 2
    assert all("503" in error for error in opened.errors)
    opened.errors.clear()


@pytest.mark.rule("T12")
def test_the_next_player_presses_on_the_same_phone_before_the_answer_to_the_last_press_is_here(
    referee: PlayedTable, open_page: Open
) -> None:
    game = referee.gather("tiki", "Ana", "Beto")
    referee.do("line_up", game, line=[str(tiki) for tiki in TIKIS])
    page = open_page(f"/g/{game}").page
    expect(page.locator("#undo")).to_be_enabled()
    held: list[tuple[Route, APIResponse]] = []
    page.route("**/commands", lambda route: held.append((route, route.fetch())))
    for turn in range(2):
        page.locator(".card-button:not(.off)").first.click()
        page.locator(".tiki.may").last.click()
        expect(page.locator(".card-button.chosen")).to_have_count(0)
        assert len(held) == turn + 1
    for route, answer in held:
        route.fulfill(response=answer)


@pytest.mark.parametrize("kind", ["cirkis", "tiki"])
def test_a_lost_link_is_told_in_the_sheet_that_covers_the_page(
    referee: PlayedTable, open_page: Open, kind: str
) -> None:
    game = referee.gather(kind, "Ana", "Beto")
    opened = open_page(f"/g/{game}")
    page = opened.page
    expect(page.locator("#undo")).to_be_enabled()
    page.locator("#menu").click()
    lost = page.get_by_role("dialog").get_by_text("Sin conexión con la mesa")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(lost).to_be_hidden()
    page.route("**/view", lambda route: route.fulfill(status=503))
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # a page shown again asks anew
    expect(lost).to_be_visible()
    page.unroute("**/view")
    expect(lost).to_be_hidden()
    opened.errors.clear()
