"""The choices of a CirKis game (each *Setting* and *Option* of its rules), checked at the start."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.cirkis.pieces import ASSUMED_SET, PieceShape, read_set, set_to_json

COLOURS = ("purple", "red", "green", "yellow")

CHOICES: dict[str, tuple[str, ...]] = {
    "mode": ("map", "quick"),  # C19
    "hole": ("touch", "side"),  # C06
    "play_to": ("game", "hundred"),  # C17
    "forty": ("highest", "first"),  # C27
    "hundred_at": ("round", "turn"),  # C30
    "next_starter": ("left", "youngest", "lowest"),  # C30
}
"""Settings with a fixed list of values, the default first."""


@dataclass(frozen=True, slots=True)
class Settings:
    """players: names; a player's id is the place in this list, for good. first: id of the youngest (C02).

    seats: ids in the order of the seats, going left (C21). colours: of each player's pieces (C01). pieces:
    the set of each player (C20), None where the players' word counts; assumed: it is the set as shipped.
    """

    players: tuple[str, ...]
    seats: tuple[int, ...]
    first: int
    colours: tuple[str, ...]
    mode: str = "map"
    hole: str = "touch"
    ring: bool = False
    play_to: str = "game"
    forty: str = "highest"
    hundred_at: str = "round"
    next_starter: str = "left"
    pieces: tuple[PieceShape, ...] | None = None

    @property
    def assumed(self) -> bool:
        return self.pieces == ASSUMED_SET

    def to_json(self) -> dict[str, Any]:
        """A JSON object that `read_settings` takes."""
        return {
            "players": list(self.players),
            "seats": list(self.seats),
            "first": self.first,
            "colours": list(self.colours),
            "ring": self.ring,
            "pieces": None if self.pieces is None else set_to_json(self.pieces),
            **{name: getattr(self, name) for name in CHOICES},
        }


def read_settings(given: Mapping[str, Any]) -> Settings:
    """The settings of a JSON object: players (2 to 4 names, C01), and any of the others.

    pieces: null (default), "assumed" or a list of pieces. Raises ValueError, naming the setting.
    """
    for name in given:
        if name not in {"players", "seats", "first", "colours", "ring", "pieces", *CHOICES}:
            raise ValueError(f"{name}: not a setting of CirKis")
    players = given.get("players")
    if not isinstance(players, list | tuple) or not 2 <= len(players) <= 4:
        raise ValueError("players: CirKis is for 2 to 4 players")  # C01
    if any(not isinstance(name, str) or not name for name in players):
        raise ValueError("players: every player needs a name")
    ids = tuple(range(len(players)))
    seats = given.get("seats", ids)
    if not is_order(seats, ids):
        raise ValueError("seats: name every player once, in the order of the seats")
    first = given.get("first", seats[0])
    if type(first) is not int or first not in ids:
        raise ValueError("first: no such player")
    ring = given.get("ring", False)
    if not isinstance(ring, bool):
        raise ValueError("ring: not true or false")
    chosen = {name: given.get(name, values[0]) for name, values in CHOICES.items()}
    for name, value in chosen.items():
        if value not in CHOICES[name]:
            raise ValueError(f"{name}: not one of {', '.join(CHOICES[name])}")
    return Settings(
        players=tuple(players),
        seats=tuple(seats),
        first=first,
        colours=_colours(given.get("colours", COLOURS[: len(players)]), len(players)),
        ring=ring,
        pieces=read_pieces(given.get("pieces")),
        **chosen,
    )


def is_order(value: Any, ids: tuple[int, ...]) -> bool:
    """Whether a JSON value names each of the ids once."""
    return isinstance(value, list | tuple) and all(type(i) is int for i in value) and sorted(value) == sorted(ids)


def _colours(value: Any, players: int) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or len(value) != players or any(c not in COLOURS for c in value):
        raise ValueError(f"colours: one of {', '.join(COLOURS)} for each player")
    if len(set(value)) != players:
        raise ValueError("colours: two players have one colour")
    return tuple(value)


def read_pieces(value: Any) -> tuple[PieceShape, ...] | None:
    """The set of pieces of a JSON value: null, "assumed" or a list (C20). Raises ValueError, saying what is wrong."""
    if value is None:
        return None
    if value == "assumed":
        return ASSUMED_SET
    try:
        return read_set(value)
    except ValueError as error:
        raise ValueError(f"pieces: {error}") from error
