"""Figures of games of Tiki Topple, told from the rulings that count (I7)."""

from dataclasses import asdict
from typing import Any

import pytest

from companion.games.tiki.statistics import FULL_CARD, of_game, together


def told(table: Any) -> list[dict[str, Any]]:
    """Rulings of everything that a table was sent, as the journal holds them."""
    return [{**asdict(ruling), "data": dict(ruling.data)} for ruling in table.rulings]


@pytest.fixture
def game(at_table: Any) -> Any:
    table = at_table(players=2, mode="quick")
    table.rulings = []
    for places, mine, theirs in (
        ("nani nui eepo", "nani nui eepo", "kapu huhu lokahi"),
        ("nani nui eepo", "kapu nui huhu", "nani huhu lokahi"),
        ("kapu nui eepo", "nani wikiwiki huhu", "huhu akamai hookipa"),
        ("kapu nui eepo", "wikiwiki nui huhu", "huhu lokahi hookipa"),
    ):
        table.quick_round(places, {0: mine, 1: theirs})
        table.rulings += table.step.rulings
    return table


@pytest.mark.failure("I7")
@pytest.mark.rule("T12", "T16")
def test_figures_are_those_of_the_rounds(game: Any) -> None:
    figures = of_game(told(game), {0: "Ana", 1: "Beto"})
    assert {key: figures["Ana"][key] for key in ("rounds", "points", "best_round", "full_cards", "empty")} == {
        "rounds": 4,
        "points": game.totals[0],
        "best_round": FULL_CARD,
        "full_cards": 1,
        "empty": 1,
    }
    assert (figures["Ana"]["games_won"], figures["Beto"]["games_won"], figures["Beto"]["points"]) == (1, 0, 9)


@pytest.mark.rule("T06")
def test_cards_played_are_counted_where_the_line_is_followed(at_table: Any) -> None:
    table = at_table(players=2)
    rulings = []
    table.line_up()
    for card, tiki in (("up_1", "kapu"), ("up_1", "kapu"), ("toast", None), ("up_2", "nui")):
        table.play(card, tiki) if tiki else table.play(card)
        rulings += table.step.rulings
    table.rulings = rulings
    figures = of_game(told(table), {0: "Ana", 1: "Beto"})
    assert [(one["plays"], one["toasts"]) for one in figures.values()] == [(2, 1), (2, 0)]


def test_games_are_put_together_by_names(game: Any) -> None:
    once = of_game(told(game), {0: "Ana", 1: "Beto"})
    twice = together([once, once, of_game([], {0: "Carla"})])
    assert list(twice) == ["Ana", "Beto", "Carla"]
    assert (twice["Ana"]["points"], twice["Ana"]["best_round"]) == (2 * once["Ana"]["points"], FULL_CARD)
    assert (twice["Carla"]["games"], twice["Carla"]["rounds"]) == (1, 0)
