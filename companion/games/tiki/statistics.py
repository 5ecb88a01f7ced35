"""What people like to know of games of Tiki Topple, told from the rulings that count; nothing is stored (I7)."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from companion.games.figures import put_together

FULL_CARD = 16
"""T12: 9, 5 and 2: all three tikis of a card earned."""

_BEST = frozenset({"best_round"})
"""Figures of which the largest counts when games are put together; the others add up."""


@dataclass(slots=True)
class Figures:
    """Of one player. rounds, points: those of the game, finals apart. empty: rounds without a point. plays: cards
    played where the line was followed; toasts: of these.
    """

    rounds: int = 0
    points: int = 0
    best_round: int = 0
    full_cards: int = 0
    empty: int = 0
    finals: int = 0
    plays: int = 0
    toasts: int = 0
    games_won: int = 0
    games: int = 0


def of_game(rulings: Iterable[Mapping[str, Any]], players: Mapping[int, str]) -> dict[str, dict[str, Any]]:
    """Name of each player -> figures. rulings: those that count (companion/games/effective.py), in order."""
    figures = {player: Figures(games=1) for player in players}
    for ruling in rulings:
        data = ruling.get("data", {})
        for winner in data.get("winners", ()) if ruling["kind"] == "game_end" else ():
            figures[winner].games_won += 1
        one = figures.get(ruling.get("player", -1))
        if one is None:
            continue
        if ruling["kind"] == "points" and data["final"]:
            one.finals += 1
        elif ruling["kind"] == "points":
            one.rounds += 1
            one.points += data["points"]
            one.best_round = max(one.best_round, data["points"])
            one.full_cards += data["points"] == FULL_CARD
            one.empty += data["points"] == 0
        elif ruling["kind"] == "played":
            one.plays += 1
            one.toasts += data["card"] == "toast"
    return {name: asdict(figures[player]) for player, name in players.items()}


def together(games: Iterable[Mapping[str, Mapping[str, Any]]]) -> dict[str, dict[str, Any]]:
    """The figures of many games by the names of the players, in the order in which they first played."""
    return put_together(games, asdict(Figures()), _BEST)
