"""Tiki Topple as a game: each command to the next state and its rulings. Sensors and time play no part."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from companion.games.game import Command, Entry, Step
from companion.games.tiki import reveal, sitting, turn
from companion.games.tiki.codec import state_from_json, state_to_json
from companion.games.tiki.options import read_options
from companion.games.tiki.refusal import RefusedError
from companion.games.tiki.round import Round
from companion.games.tiki.ruling import Said
from companion.games.tiki.state import State, beginning
from companion.games.tiki.view import SECRET

Rule: TypeAlias = Callable[[State, Round, Command], tuple[State, Said]]


def _no_passing(state: State, current: Round, command: Command) -> tuple[State, Said]:
    """T21: a player can always play, so there is no passing."""
    raise RefusedError("no_passing")


COMMANDS: Mapping[str, Rule] = MappingProxyType(
    {
        "line_up": turn.line_up,
        "play": turn.play,
        "pass": _no_passing,
        "set_line": turn.set_line,
        "places": turn.tell_places,
        SECRET: reveal.enter_card,
        "reveal": reveal.reveal,
        "score": reveal.score,
        "seats": sitting.seats,
        "leave": sitting.leave,
        "abandon": sitting.abandon,
        "mode": sitting.change_mode,
    }
)
"""Every command, by name; its arguments are in the docstring of its rule."""


class TikiTopple:
    """The rules of docs/rules/tiki.md as `companion.games.gathering.Rules[State]`."""

    name = "tiki"
    version = "1"

    def start(self, settings: Mapping[str, Any]) -> State:
        """The first round, before its line is set. Raises ValueError, naming the setting that is wrong."""
        return beginning(read_options(settings))

    def apply(self, state: State, entry: Entry) -> Step[State]:
        """The next state. Table events and the passing of time change nothing."""
        if not isinstance(entry, Command):
            return Step(state)
        try:
            rule = COMMANDS.get(entry.name)
            if rule is None:
                raise RefusedError("unknown_command")
            if state.current is None:
                raise RefusedError("game_over")
            after, rulings = rule(state, state.current, entry)
        except RefusedError as refused:
            return Step(state, refusal=refused.refusal)
        return Step(after, rulings)

    def to_json(self, state: State) -> dict[str, Any]:
        return state_to_json(state)

    def from_json(self, obj: Mapping[str, Any]) -> State:
        return state_from_json(obj)
