"""What people like to know of a game of ¡Yikerz!, told from the rulings that count; nothing is stored (I7).

Works on one game and on the whole history: figures of several games add up by the names of the players.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from companion.games.figures import put_together
from companion.table import to_seconds

_BEST = frozenset({"longest_turn_s", "longest_streak", "biggest_collapse"})
"""Figures of which the largest counts when games are put together; the others add up."""


@dataclass(slots=True)
class Figures:
    """Of one player. placed: stones let go on the board; stayed: of these in turns that ended clean. streak: clean
    turns in a row. taken: stones that came back by collapses and falls. times: seconds.
    """

    turns: int = 0
    placed: int = 0
    stayed: int = 0
    collapses: int = 0
    biggest_collapse: int = 0
    falls: int = 0
    taken: int = 0
    calls_missed: int = 0
    longest_streak: int = 0
    longest_turn_s: float = 0.0
    time_s: float = 0.0
    rounds_won: int = 0
    games_won: int = 0
    games: int = 0


@dataclass(slots=True)
class _Running:
    """What is known while the rulings of a game are gone through. none: numbers of collapses and falls that were none;
    taken: of each stone taken, by whom and in which ruling. brought: numbers of those that people gave to the one who
    had brought a stone out of turn, and who that is (Y29).
    """

    figures: dict[int, Figures]
    began_us: int | None = None
    streaks: dict[int, int] = field(default_factory=dict)
    none: set[int] = field(default_factory=set)
    taken: dict[int, tuple[int, int]] = field(default_factory=dict)
    brought: dict[int, int] = field(default_factory=dict)


def of_game(rulings: Iterable[Mapping[str, Any]], players: Mapping[int, str]) -> dict[str, dict[str, Any]]:
    """Name of each player -> figures. rulings: those that count (companion/games/effective.py), in order."""
    run = _Running({player: Figures(games=1) for player in players})
    counted = list(rulings)
    for ruling in counted:
        if ruling["kind"] == "taken_back":
            run.none.update(ruling["data"].get("rulings", ()))  # rules 4 named none
    run.brought = _brought(counted)
    for ruling in counted:
        _take(run, ruling)
    return {name: asdict(run.figures[player]) for player, name in players.items()}


def _brought(rulings: Iterable[Mapping[str, Any]]) -> dict[int, int]:
    """Number of each collapse and fall that is the bringer's by an answer -> the bringer (Y29, Y32).

    It stands with all stones that the question was about when it was answered, and is of that turn.
    """
    found, faults = dict[int, int](), list[Mapping[str, Any]]()
    asked = dict[int, Mapping[str, Any]]()  # by number: a question asked again is about more
    for ruling in rulings:
        kind, data = ruling["kind"], ruling.get("data", {})
        if kind in ("turn_start", "round_start", "sudden_death"):
            faults.clear()
        elif kind in ("collapse", "grew", "fell_off"):
            faults.append(ruling)
        elif kind == "question" and data["code"] == "whose":
            asked[data.get("question", 0)] = ruling
        elif kind == "answered" and data["choice"] == "brought" and data["question"] in asked:
            about = asked[data["question"]]
            stones, bringer = set(about["data"]["stones"]), about["data"]["bringer"]
            for fault in faults:
                own = fault["data"]["stones" if fault["kind"] == "fell_off" else "new"]
                if fault["player"] == about["player"] and stones >= set(own):
                    found[fault["number"]] = bringer
    return found


def together(games: Iterable[Mapping[str, Mapping[str, Any]]]) -> dict[str, dict[str, Any]]:
    """The figures of many games by the names of the players, in the order in which they first played."""
    return put_together(games, asdict(Figures()), _BEST)


def winners(rulings: Sequence[Mapping[str, Any]]) -> list[int]:
    """The players who have won the game, by id; none while it goes on."""
    ended = [ruling for ruling in rulings if ruling["kind"] == "game_end"]
    return list(ended[-1]["data"]["winners"]) if ended else []


def _take(run: _Running, ruling: Mapping[str, Any]) -> None:
    kind, data = ruling["kind"], ruling.get("data", {})
    player = run.brought.get(ruling.get("number", 0), ruling.get("player"))
    figures = run.figures.get(player) if player is not None else None
    if kind in ("turn_start", "round_start", "sudden_death"):
        run.began_us = ruling["t_us"]
        if kind == "round_start":
            run.streaks.clear()
    if kind == "taken_back":
        _not_taken(run, data)
    if figures is None or player is None or ruling.get("number") in run.none:
        return
    if kind == "placed":
        figures.placed += 1
    elif kind == "collapse":
        figures.collapses += 1
        figures.biggest_collapse = max(figures.biggest_collapse, int(data.get("count", 0)))
    elif kind == "grew":
        figures.biggest_collapse = max(figures.biggest_collapse, int(data.get("count", 0)))
    elif kind == "fell_off":
        figures.falls += int(data.get("count", 1))
    elif kind == "taken":
        if data.get("how") == "answer":
            _not_taken_by(run, data.get("stones", ()))
        figures.taken += len(data.get("stones", ()))
        run.taken |= {track: (player, ruling.get("number", 0)) for track in data.get("stones", ())}
    elif kind == "call_missed":
        figures.calls_missed += 1
    elif kind == "round_end":
        figures.rounds_won += 1
    elif kind == "game_end":
        figures.games_won += 1
    elif kind == "turn_end":
        _turn_end(run, ruling, player, figures)


def _not_taken(run: _Running, data: Mapping[str, Any]) -> None:
    """Stones that were taken for a collapse which was none."""
    for track in data.get("new", ()):
        player, number = run.taken.pop(track, (None, 0))
        if player is not None and number > min(data.get("rulings", ()), default=number):
            run.figures[player].taken -= 1


def _not_taken_by(run: _Running, stones: Iterable[int]) -> None:
    """Stones that were told as taken by one who did not have to take them (Y29)."""
    for track in stones:
        player, _ = run.taken.pop(track, (None, 0))
        if player is not None:
            run.figures[player].taken -= 1


def _turn_end(run: _Running, ruling: Mapping[str, Any], player: int, figures: Figures) -> None:
    clean = ruling["data"].get("outcome") == "clean"
    figures.turns += 1
    figures.stayed += clean
    run.streaks[player] = run.streaks.get(player, 0) + 1 if clean else 0
    figures.longest_streak = max(figures.longest_streak, run.streaks[player])
    if run.began_us is not None:
        lasted = to_seconds(max(0, ruling["t_us"] - run.began_us))
        figures.longest_turn_s = max(figures.longest_turn_s, lasted)
        figures.time_s = round(figures.time_s + lasted, 6)
