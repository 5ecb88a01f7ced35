"""Another game with the same people, offered where one has ended, in all three games."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.web.harness import Opened
from tests.web.played import PlayedTable

Open = Callable[..., Opened]
NAMES = ("Ana", "Benito", "Carla")


@pytest.fixture
def referee() -> Iterator[PlayedTable]:
    """The pages' referee is the real one."""
    table = PlayedTable()
    yield table
    table.close()


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
