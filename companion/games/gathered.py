"""The state of a game that people gather for: seats, choices and, once begun, the state of its rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from companion.games.game import Ruling
from companion.games.logline import LogLine
from companion.games.record import from_plain, to_plain

S = TypeVar("S")

LOG_LINES = 40
"""Rulings that the state keeps for the page; the journal keeps all."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A player. colour: of the pieces or the pawn."""

    id: int
    name: str
    colour: str


@dataclass(frozen=True, slots=True)
class Gathered(Generic[S]):
    """players: in the order of the seats, clockwise; once begun, a player's id is the place in this list.

    first: id of who begins, None: the first seat. chosen: settings by name, those changed from their default.
    inner: the state of the rules, None before the start. ruled: rulings made so far. log: the last of them.
    """

    players: tuple[Seated, ...] = ()
    next_id: int = 0
    first: int | None = None
    chosen: Mapping[str, Any] = field(default_factory=dict)
    inner: S | None = None
    ruled: int = 0
    log: tuple[LogLine, ...] = ()

    def with_rulings(self, rulings: tuple[Ruling, ...]) -> tuple[LogLine, ...]:
        """The log with these added, numbered on."""
        lines = tuple(
            LogLine(self.ruled + n, r.t_us, r.kind, r.clause, r.player, r.data, r.asked)
            for n, r in enumerate(rulings, start=1)
        )
        return (*self.log, *lines)[-LOG_LINES:]


def to_json(state: Gathered[Any], inner: Mapping[str, Any] | None) -> dict[str, Any]:
    """JSON values; inner: those of the rules' state."""
    return {
        "players": to_plain(state.players),
        "next_id": state.next_id,
        "first": state.first,
        "chosen": dict(state.chosen),
        "inner": inner,
        "ruled": state.ruled,
        "log": to_plain(state.log),
    }


def from_json(obj: Mapping[str, Any], inner: S | None) -> Gathered[S]:
    """The state of an object made by `to_json`, given the rules' state. Raises ValueError where it is not one."""
    try:
        return Gathered(
            players=tuple(from_plain(Seated, player) for player in obj["players"]),
            next_id=obj["next_id"],
            first=obj["first"],
            chosen=dict(obj["chosen"]),
            inner=inner,
            ruled=obj["ruled"],
            log=tuple(from_plain(LogLine, line) for line in obj["log"]),
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"malformed state of a gathered game: {error!r}") from error
