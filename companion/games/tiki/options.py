"""What is chosen on the set-up page. Each choice names its clause."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, TypeVar

E = TypeVar("E", bound=StrEnum)

MOST_ROUNDS = 99  # a bound on what a page may send, no rule
GOAL = 35  # T15, T26


class Mode(StrEnum):
    """T17: how a round is scored."""

    FOLLOW = "follow"
    QUICK = "quick"


class Ties(StrEnum):
    """T16: what follows a final round that is tied again."""

    REPEAT = "repeat"
    SHARE = "share"


class FinalHands(StrEnum):
    """T24: the hands of a final round."""

    SAME = "same"
    SEVEN = "seven"


PAWNS = ("red", "blue", "green", "yellow")  # only a default: any four that differ will do (T19)


@dataclass(frozen=True, slots=True)
class Options:
    """Settings in force.

    players: names (T01); a player's id is the place in this list, for good (I9). seats: ids in the order of
    the seats, clockwise (T05). first: who starts the first round (T05). colours: of each player's pawn (T19).
    rounds: T15. to_35: T15, T26. ties: T16. mode: T17, can be changed in the game. topple_bottom: T22.
    final_hands: T24.
    """

    players: tuple[str, ...]
    seats: tuple[int, ...]
    first: int
    colours: tuple[str, ...]
    rounds: int
    to_35: bool = False
    ties: Ties = Ties.REPEAT
    mode: Mode = Mode.FOLLOW
    topple_bottom: bool = True
    final_hands: FinalHands = FinalHands.SAME


def read_options(settings: Mapping[str, Any]) -> Options:
    """The options of a set-up page's JSON values, named as in `Options`; only players must be given.

    Raises ValueError, naming the setting and the clause, where one is wrong or not known.
    """
    unknown = sorted(str(name) for name in settings.keys() - {option.name for option in fields(Options)})
    if unknown:
        raise ValueError(f"{unknown[0]}: not a setting of Tiki Topple")
    players = _players(settings.get("players"))
    count = len(players)
    seats = _seats(settings.get("seats"), count)
    to_35 = _flag(settings, "to_35", False, "T15")
    if to_35 and settings.get("rounds") is not None:
        raise ValueError("rounds: leave it out when playing to 35, it does not count then (T26)")
    return Options(
        players=players,
        seats=seats,
        first=_whole(settings, "first", seats[0], 0, count - 1, "T05"),
        colours=_colours(settings.get("colours"), count),
        # T15: as many rounds as players, four with two; the option is for more of them.
        rounds=_whole(settings, "rounds", _usual_rounds(count), _usual_rounds(count), MOST_ROUNDS, "T15"),
        to_35=to_35,
        ties=_choice(settings, "ties", Ties.REPEAT, "T16"),
        mode=_choice(settings, "mode", Mode.FOLLOW, "T17"),
        topple_bottom=_flag(settings, "topple_bottom", True, "T22"),
        final_hands=_choice(settings, "final_hands", FinalHands.SAME, "T24"),
    )


def write_options(options: Options) -> dict[str, Any]:
    """JSON values that `read_options` turns into the same options."""
    return {
        "players": list(options.players),
        "seats": list(options.seats),
        "first": options.first,
        "colours": list(options.colours),
        "rounds": None if options.to_35 else options.rounds,
        "to_35": options.to_35,
        "ties": str(options.ties),
        "mode": str(options.mode),
        "topple_bottom": options.topple_bottom,
        "final_hands": str(options.final_hands),
    }


def _usual_rounds(players: int) -> int:
    return 4 if players == 2 else players


def _players(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not 2 <= len(value) <= 4:
        raise ValueError("players: the names of 2 to 4 players are needed (T01)")
    if not all(isinstance(name, str) and name for name in value):
        raise ValueError("players: every player needs a name (T01)")
    return tuple(value)


def _seats(value: Any, players: int) -> tuple[int, ...]:
    ids = tuple(range(players))
    if value is None:
        return ids
    if (
        not isinstance(value, list | tuple)
        or any(type(item) is not int for item in value)
        or sorted(value) != sorted(ids)
    ):
        raise ValueError("seats: every player's id once, clockwise, is needed (T05)")
    return tuple(value)


def _colours(value: Any, players: int) -> tuple[str, ...]:
    if value is None:
        return PAWNS[:players]
    if (
        not isinstance(value, list | tuple)
        or len(value) != players
        or not all(isinstance(colour, str) and colour for colour in value)
        or len(set(value)) != players
    ):
        raise ValueError("colours: each player needs one of their own (T19)")
    return tuple(value)


def _whole(settings: Mapping[str, Any], name: str, default: int, low: int, high: int, clause: str) -> int:
    value = settings.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{name}: a whole number from {low} to {high} is needed ({clause})")
    return value


def _flag(settings: Mapping[str, Any], name: str, default: bool, clause: str) -> bool:
    value = settings.get(name)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise ValueError(f"{name}: true or false is needed ({clause})")
    return value


def _choice(settings: Mapping[str, Any], name: str, default: E, clause: str) -> E:
    value = settings.get(name)
    if value is None:
        return default
    kinds = type(default)
    if not isinstance(value, str) or value not in [str(kind) for kind in kinds]:
        raise ValueError(f"{name}: one of {', '.join(kinds)} is needed ({clause})")
    return kinds(value)
