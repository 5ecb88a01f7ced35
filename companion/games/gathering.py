"""A game that is kept by hand, from the first name to the last point: gathering, the same for all, then its own rules.

The rules (CirKis, Tiki Topple) know players by the place in a list and are told all settings at their start. This makes
a `Game` of them: players come and go, change seats and colours and choose house rules until somebody presses start.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

from companion.games.game import Command, Entry, Refusal, Ruling, Step
from companion.games.gathered import Gathered, Seated, from_json, to_json
from companion.games.naming import NameRefusedError, tidy_name
from companion.table import BoardTime

S = TypeVar("S")

COMMANDS = (
    "add_player",  # name
    "rename_player",  # player; name: at any time
    "remove_player",  # player
    "move_player",  # player; to: seat
    "set_colour",  # player; colour: who had it gets the other one
    "set_first",  # player, or none: the first seat
    "set_setting",  # name, value
    "start",
)
"""Commands of the gathering with what they need; all but rename_player come before the start."""

RULINGS: dict[str, str] = {"begun": "players, seats, first and settings that were in force at the start"}

REFUSALS = (
    *("name_empty", "name_too_long", "name_taken", "no_such_player", "too_many_players", "not_enough_players"),
    *("bad_setting", "bad_args", "not_begun"),
)


class Rules(Protocol[S]):
    """Pure rules. `start` wants players (names), first (id) and colours beside the settings."""

    name: str
    version: str

    def start(self, settings: Mapping[str, Any]) -> S: ...
    def apply(self, state: S, entry: Entry) -> Step[S]: ...
    def to_json(self, state: S) -> dict[str, Any]: ...
    def from_json(self, obj: Mapping[str, Any]) -> S: ...


@dataclass(frozen=True)
class Choices:
    """What can be chosen before the start.

    clause: the one that says how many play. colours: in the order in which they are given out. values: settings by
    name, the default first. settings: chosen values -> the rules' settings.
    """

    clause: str
    fewest: int
    most: int
    colours: tuple[str, ...]
    values: Mapping[str, tuple[Any, ...]]
    settings: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict

    def of(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """Every setting with the value that is in force."""
        return {name: chosen.get(name, values[0]) for name, values in self.values.items()}


class _RefusedError(Exception):
    def __init__(self, code: str, clause: str = "") -> None:
        super().__init__(code)
        self.refusal = Refusal(code, clause)


class Gathering(Generic[S]):
    """`Game[Gathered[S]]` of pure rules. Time plays no part."""

    def __init__(self, rules: Rules[S], choices: Choices) -> None:
        self.rules, self.choices = rules, choices
        self.name, self.version = rules.name, rules.version

    def start(self, settings: Mapping[str, Any]) -> Gathered[S]:
        """Nobody there yet. settings: some of the choices by name. Raises ValueError, naming a wrong one."""
        for name, value in settings.items():
            self._check(name, value)
        return Gathered(chosen=dict(settings))

    def apply(self, state: Gathered[S], entry: Entry) -> Step[Gathered[S]]:
        """The next state. Table events and the passing of time change nothing."""
        if not isinstance(entry, Command):
            return Step(state)
        try:
            if entry.name == "rename_player":
                return Step(self._rename(state, entry))
            if state.inner is None:
                return self._gather(state, entry)
        except _RefusedError as refused:
            return Step(state, refusal=refused.refusal)
        step = self.rules.apply(state.inner, entry)
        if step.refusal is not None:
            return Step(state, refusal=step.refusal)
        return self._ruled(replace(state, inner=step.state), step.rulings)

    def _gather(self, state: Gathered[S], command: Command) -> Step[Gathered[S]]:
        if command.name == "start":
            return self._begin(state, command)
        gather = {
            "add_player": self._add,
            "remove_player": self._remove,
            "move_player": self._move,
            "set_colour": self._colour,
            "set_first": self._first,
            "set_setting": self._set,
        }.get(command.name)
        if gather is None:
            raise _RefusedError("not_begun")
        return Step(gather(state, command))

    def _add(self, state: Gathered[S], command: Command) -> Gathered[S]:
        if len(state.players) >= self.choices.most:
            raise _RefusedError("too_many_players", self.choices.clause)
        name = _name(command, [player.name for player in state.players])
        colour = next(c for c in self.choices.colours if c not in [player.colour for player in state.players])
        added = Seated(state.next_id, name, colour)
        return replace(state, players=(*state.players, added), next_id=state.next_id + 1)

    def _rename(self, state: Gathered[S], command: Command) -> Gathered[S]:
        seat = _seat(state, command.player)
        name = _name(command, [player.name for at, player in enumerate(state.players) if at != seat])
        return _with(state, seat, replace(state.players[seat], name=name))

    def _remove(self, state: Gathered[S], command: Command) -> Gathered[S]:
        gone = state.players[_seat(state, command.player)]
        rest = tuple(player for player in state.players if player != gone)
        return replace(state, players=rest, first=None if state.first == gone.id else state.first)

    def _move(self, state: Gathered[S], command: Command) -> Gathered[S]:
        seat, to = _seat(state, command.player), command.args.get("to")
        if type(to) is not int or not 0 <= to < len(state.players):
            raise _RefusedError("bad_args")
        players = list(state.players)
        players.insert(to, players.pop(seat))
        return replace(state, players=tuple(players))

    def _colour(self, state: Gathered[S], command: Command) -> Gathered[S]:
        seat, colour = _seat(state, command.player), command.args.get("colour")
        if colour not in self.choices.colours:
            raise _RefusedError("bad_args")
        before = state.players[seat].colour
        for at, other in enumerate(state.players):
            if other.colour == colour:
                state = _with(state, at, replace(other, colour=before))
        return _with(state, seat, replace(state.players[seat], colour=colour))

    def _first(self, state: Gathered[S], command: Command) -> Gathered[S]:
        if command.player is not None:
            _seat(state, command.player)
        return replace(state, first=command.player)

    def _set(self, state: Gathered[S], command: Command) -> Gathered[S]:
        name, value = command.args.get("name"), command.args.get("value")
        try:
            self._check(name, value)
        except ValueError as error:
            raise _RefusedError("bad_setting") from error
        return replace(state, chosen={**state.chosen, str(name): value})

    def _begin(self, state: Gathered[S], command: Command) -> Step[Gathered[S]]:
        """From now on a player's id is the seat at the start."""
        if len(state.players) < self.choices.fewest:
            raise _RefusedError("not_enough_players", self.choices.clause)
        first = 0 if state.first is None else _seat(state, state.first)
        settings = {
            **self.choices.settings(self.choices.of(state.chosen)),
            "players": [player.name for player in state.players],
            "first": first,
            "colours": [player.colour for player in state.players],
        }
        try:
            inner = self.rules.start(settings)
        except ValueError as error:
            raise _RefusedError("bad_setting") from error
        seated = tuple(replace(player, id=seat) for seat, player in enumerate(state.players))
        begun = replace(state, players=seated, next_id=len(seated), first=first, inner=inner)
        return self._ruled(begun, (Ruling(command.t_us, "begun", self.choices.clause, first, settings),))

    def _check(self, name: Any, value: Any) -> None:
        """Raises ValueError where a setting or its value is not one; 1 is not true."""
        values = self.choices.values.get(name, ()) if isinstance(name, str) else ()
        if not any(type(value) is type(known) and value == known for known in values):
            raise ValueError(f"{name}: not a setting of {self.name}, or not a value of it")

    @staticmethod
    def _ruled(state: Gathered[S], rulings: tuple[Ruling, ...]) -> Step[Gathered[S]]:
        after = replace(state, log=state.with_rulings(rulings), ruled=state.ruled + len(rulings))
        return Step(after, rulings)

    def next_due(self, state: Gathered[S]) -> BoardTime | None:
        """Never: the passing of time changes nothing."""
        return None

    def ruled(self, state: Gathered[S]) -> int:
        return state.ruled

    def number_on(self, state: Gathered[S], ruled: int) -> Gathered[S]:
        return replace(state, ruled=ruled)

    def shift(self, state: Gathered[S], by_us: BoardTime, earliest_us: BoardTime = 0) -> Gathered[S]:
        """The same state: no deadline is in it."""
        return state

    def to_json(self, state: Gathered[S]) -> dict[str, Any]:
        return to_json(state, None if state.inner is None else self.rules.to_json(state.inner))

    def from_json(self, obj: Mapping[str, Any]) -> Gathered[S]:
        """Raises ValueError where it is none."""
        inner = obj.get("inner")
        return from_json(obj, None if inner is None else self.rules.from_json(inner))


def _seat(state: Gathered[S], player: int | None) -> int:
    for seat, known in enumerate(state.players):
        if known.id == player:
            return seat
    raise _RefusedError("no_such_player")


def _name(command: Command, taken: list[str]) -> str:
    try:
        return tidy_name(command.args.get("name"), taken)
    except NameRefusedError as error:
        raise _RefusedError(error.code) from error


def _with(state: Gathered[S], seat: int, player: Seated) -> Gathered[S]:
    return replace(state, players=(*state.players[:seat], player, *state.players[seat + 1 :]))
