"""What people like to know of a game of CirKis, told from the rulings that count; nothing is stored (I7).

Works on one game and on the whole history: figures of several games add up by the names of the players.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from companion.games.cirkis.scoring import MOST, OUT

_BEST = frozenset({"best_piece", "best_game"})
"""Figures of which the largest counts when games are put together; the others add up."""


@dataclass(slots=True)
class Figures:
    """Of one player. pieces: placed on the map; completed: shapes filled; most: shapes of which the player had the
    most; bonuses: for completing without the most; best_piece: most points from one piece, whoever placed it. points
    are those of the rounds that have ended.
    """

    points: int = 0
    pieces: int = 0
    completed: int = 0
    most: int = 0
    bonuses: int = 0
    free_turns: int = 0
    lost_turns: int = 0
    went_out: int = 0
    best_piece: int = 0
    best_game: int = 0
    games_won: int = 0
    games: int = 0


_COUNTED = {"placed": "pieces", "completed": "completed", "free_turn": "free_turns", "lost_turn": "lost_turns"}


def of_game(rulings: Sequence[Mapping[str, Any]], players: Mapping[int, str]) -> dict[str, dict[str, Any]]:
    """Name of each player -> figures. rulings: those that count (companion/games/effective.py), in order."""
    figures = {player: Figures(games=1) for player in players}
    by_piece: Counter[tuple[int, int]] = Counter()
    totals: Counter[int] = Counter()
    for ruling in rulings:
        kind, player, data = ruling["kind"], ruling.get("player"), ruling.get("data", {})
        if kind == "round_end":  # what was really added: an abandoned round gives none (C34)
            totals.update(dict(data.get("points", ())))
        if kind == "game_end":
            for id_, n in data.get("points", ()):  # none at all where the game was given up (C34)
                figures[id_].points = n
            for winner in data.get("winners", ()):
                figures[winner].games_won += 1
        mine = figures.get(player) if player is not None else None
        if mine is None or player is None:
            continue
        if kind in _COUNTED:
            setattr(mine, _COUNTED[kind], getattr(mine, _COUNTED[kind]) + 1)
        elif kind in ("points", "went_out"):
            points = int(data.get("points", OUT))
            mine.went_out += kind == "went_out"
            mine.most += kind == "points" and points >= MOST
            mine.bonuses += kind == "points" and points < MOST
            by_piece[ruling["t_us"], player] += points
            mine.best_piece = max(mine.best_piece, by_piece[ruling["t_us"], player])
    for player, mine in figures.items():
        if not any(ruling["kind"] == "game_end" for ruling in rulings):
            mine.points = totals[player]
        mine.best_game = mine.points
    return {name: asdict(figures[player]) for player, name in players.items()}


def together(games: Iterable[Mapping[str, Mapping[str, Any]]]) -> dict[str, dict[str, Any]]:
    """The figures of many games by the names of the players, in the order in which they first played."""
    out: dict[str, dict[str, Any]] = {}
    for game in games:
        for name, figures in game.items():
            sum_up = out.setdefault(name, asdict(Figures()))
            for key, value in figures.items():
                sum_up[key] = max(sum_up[key], value) if key in _BEST else sum_up[key] + value
    return out
