"""Another game with the same people, offered where one has ended, in all three games."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.web.harness import Opened
from tests.web.played import PlayedTable, played_table

Open = Callable[..., Opened]
NAMES = ("Ana", "Benito", "Carla")


referee = pytest.fixture(played_table)


def cirkis_over(table: PlayedTable) -> str:
    game = table.gather("cirkis", *NAMES, pieces="assumed", ring=True)
    table.do("seats", game, order=[2, 0, 1])
    table.do("place", game, table.seen(game)["turn"], spaces=[7])
    table.do("abandon", game, what="game")
    return game


def tiki_over(table: PlayedTable) -> str:
    game = table.gather("tiki", *NAMES, mode="quick")
    for player in (0, 2):
        table.do("leave", game, player)
    return game


def yikerz_over(table: PlayedTable) -> str:
    game = table.gather("yikerz", *NAMES, best_of=3, touched="into_pile")
    for _ in range(2):
        table.do("round_result", game, winner=1, left=[3, 0, 2])
        if table.seen(game)["phase"] == "round_end":
            table.do("next_round", game)
    return game


@pytest.mark.parametrize(
    ("make", "lang", "names", "chosen"),
    [
        (cirkis_over, "es", ["Carla", "Ana", "Benito"], {"ring": True, "pieces": "assumed", "hole": "touch"}),
        (tiki_over, "en", ["Benito"], {"mode": "quick"}),
        (yikerz_over, "es", list(NAMES), {"best_of": 3, "touched": "into_pile"}),
    ],
)
def test_the_same_people_gather_again_with_the_same_choices(
    referee: PlayedTable,
    open_page: Open,
    make: Callable[[PlayedTable], str],
    lang: str,
    names: list[str],
    chosen: dict[str, object],
) -> None:
    game = make(referee)
    before = referee.seen(game)
    page = open_page(f"/g/{game}", "small", lang).page
    main = page.locator("#main")
    expect(main).to_have_text("Otra partida" if lang == "es" else "Another game")
    expect(main).to_be_enabled()
    main.click()
    expect(page.locator("#form")).to_be_visible()
    following = referee.seen(page.url.rpartition("/")[2])
    assert following["kind"] == before["kind"]
    assert following["phase"] == "lobby"
    assert [p["name"] for p in following["players"]] == names
    values = {choice["name"]: choice["value"] for choice in following["choices"]}
    assert {name: values[name] for name in chosen} == chosen
    if following["kind"] != "yikerz":
        colours = {p["name"]: p["colour"] for p in before["players"]}
        assert [p["colour"] for p in following["players"]] == [colours[name] for name in names]


@pytest.mark.failure("H13")
def test_a_second_phone_that_wants_another_game_joins_the_one_that_the_first_has_made(
    referee: PlayedTable, open_page: Open
) -> None:
    game = tiki_over(referee)
    first, second = open_page(f"/g/{game}", "small", "es").page, open_page(f"/g/{game}", "small", "es").page
    for page in (first, second):
        expect(page.locator("#main")).to_be_enabled()
    for page in (first, second):
        page.locator("#main").click()
        expect(page.locator("#form")).to_be_visible()
    assert first.url == second.url
    following = referee.seen(first.url.rpartition("/")[2])
    assert [p["name"] for p in following["players"]] == ["Benito"]


def test_a_phone_whose_game_is_deleted_or_unknown_is_told_so_once(referee: PlayedTable, open_page: Open) -> None:
    game = referee.gather("tiki", *NAMES)
    opened = open_page(f"/g/{game}", "small", "es")
    page = opened.page
    expect(page.locator("#main")).to_be_visible()
    answer = referee.post({"id": "gone-1", "game": game, "name": "delete_game", "version": 0, "args": {}})
    assert answer.status == "applied"
    gone = page.get_by_text("Esa partida ya no está")
    expect(gone).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Partida nueva")).to_be_visible()
    expect(gone).to_have_count(0)
    page.goto(page.url + "g/zzz")
    expect(gone).to_be_visible()
    assert all("404" in error for error in opened.errors)  # the browser's own words for a view that is gone
    opened.errors.clear()
