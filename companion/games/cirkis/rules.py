"""The game of CirKis: docs/rules/cirkis.md as a pure fold of commands."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.games.cirkis import placing, quick
from companion.games.cirkis.codec import state_from_json, state_to_json
from companion.games.cirkis.outcome import next_starter
from companion.games.cirkis.pieces import set_to_json
from companion.games.cirkis.settings import is_order, read_pieces, read_settings
from companion.games.cirkis.state import End, Left, Phase, Round, State
from companion.games.cirkis.turns import begin_round, end_game, end_round, turn_ends
from companion.games.game import Command, Entry, Refusal, Ruling, Step


def leave(state: State, command: Command) -> Step[State]:
    """A player leaves (C34): the pieces stay and count, the seat is passed over, one left ends it."""
    player = command.player
    if player is None or player not in state.active():
        return Step(state, refusal=Refusal("not_playing", "C34"))
    gone = replace(state, left=(*state.left, player))
    rulings: tuple[Ruling, ...] = (Ruling(command.t_us, "left", "C34", player),)
    if state.phase is Phase.BETWEEN:
        return end_game(gone, command.t_us, rulings) if len(gone.active()) == 1 else Step(gone, rulings)
    gone = gone.with_deed(Left(player))
    if len(gone.active()) == 1:
        return end_round(gone, End.ALONE, command.t_us, rulings)
    if state.turn == player or set(gone.active()) <= set(gone.lost):
        return turn_ends(gone, command.t_us, rulings)
    return Step(gone, rulings)


def reseat(state: State, command: Command) -> Step[State]:
    """A new order of the seats, going left (C21). args: order, all player ids.

    Points go with ids and do not move.
    """
    order = command.args.get("order")
    if not is_order(order, tuple(range(len(state.settings.players)))):
        return Step(state, refusal=Refusal("bad_args"))
    after = replace(state, seats=tuple(order))  # type: ignore[arg-type]  # is_order has seen a list of ids
    return Step(after, (Ruling(command.t_us, "reseated", "C21", data={"order": list(after.seats)}),))


def correct_set(state: State, command: Command) -> Step[State]:
    """Another set of pieces from now on, for all (C20). args: pieces, as in the settings; null: the set is not known.

    Which shapes are used up is worked out anew from the placements.
    """
    try:
        pieces = read_pieces(command.args.get("pieces"))
    except ValueError:
        return Step(state, refusal=Refusal("wrong_set", "C20"))
    after = replace(state, settings=replace(state.settings, pieces=pieces))
    shown = None if pieces is None else set_to_json(pieces)
    return Step(after, (Ruling(command.t_us, "set_corrected", "C20", data={"pieces": shown}),))


def abandon(state: State, command: Command) -> Step[State]:
    """The round or the game is given up and gives no points (C34).

    args: what, "game" (default) or "round".
    """
    what = command.args.get("what", "game")
    if what not in ("game", "round"):
        return Step(state, refusal=Refusal("bad_args"))
    if what == "round" and state.settings.play_to == "hundred":
        if state.phase is not Phase.PLAY:
            return Step(state, refusal=Refusal("not_now", "C34"))
        return end_round(state, End.ABANDONED, command.t_us, ())
    given_up = replace(state, abandoned=True)
    if state.phase is Phase.PLAY:
        return end_round(given_up, End.ABANDONED, command.t_us, ())
    return end_game(given_up, command.t_us, ())


def next_round(state: State, command: Command) -> Step[State]:
    """The board is cleared and the next round begins (C30)."""
    return begin_round(state, next_starter(state), command.t_us)


_Handler = Callable[[State, Command], Step[State]]
_PLAYED_OR_BETWEEN = frozenset({Phase.PLAY, Phase.BETWEEN})
_NOT_OVER = frozenset({Phase.PLAY, Phase.BETWEEN, Phase.TIE})

COMMANDS: Mapping[str, tuple[_Handler, frozenset[Phase], str]] = {
    "place": (placing.place, frozenset({Phase.PLAY}), "map"),
    "cannot_place": (placing.cannot_place, frozenset({Phase.PLAY}), "map"),
    "complete": (quick.complete, frozenset({Phase.PLAY}), "quick"),
    "turn_over": (quick.turn_over, frozenset({Phase.PLAY}), "quick"),
    "stuck": (quick.stuck, frozenset({Phase.PLAY}), "quick"),
    "unplayed": (quick.tell_unplayed, frozenset({Phase.TIE}), "quick"),
    "leave": (leave, _PLAYED_OR_BETWEEN, ""),
    "seats": (reseat, _NOT_OVER, ""),
    "next_round": (next_round, frozenset({Phase.BETWEEN}), ""),
    "pieces": (correct_set, _NOT_OVER, "map"),
    "abandon": (abandon, _NOT_OVER, ""),
}
"""Every command: what it does, the phases that take it, the mode it belongs to ("" for both)."""


class CirKis:
    """The rules of docs/rules/cirkis.md as `companion.games.gathering.Rules[State]`."""

    name = "cirkis"
    version = "1"

    def start(self, settings: Mapping[str, Any]) -> State:
        """The empty board, every peg at 0, the youngest in turn (C01, C02).

        Raises ValueError, naming the setting.
        """
        chosen = read_settings(settings)
        return State(
            settings=chosen,
            seats=chosen.seats,
            rounds=(Round(chosen.first),),
            turn=chosen.first if chosen.mode == "map" else None,
        )

    def apply(self, state: State, entry: Entry) -> Step[State]:
        """The next state. Table events and the passing of time change nothing."""
        if not isinstance(entry, Command):
            return Step(state)
        if entry.name not in COMMANDS:
            return Step(state, refusal=Refusal("unknown_command"))
        handler, phases, mode = COMMANDS[entry.name]
        if mode and mode != state.settings.mode:
            return Step(state, refusal=Refusal("other_mode", "C19"))
        if state.phase is Phase.OVER:
            return Step(state, refusal=Refusal("game_over"))
        if state.phase not in phases:
            return Step(state, refusal=Refusal("not_now"))
        return handler(state, entry)

    def to_json(self, state: State) -> dict[str, Any]:
        """A JSON object that `from_json` takes."""
        return state_to_json(state)

    def from_json(self, obj: Mapping[str, Any]) -> State:
        """The state of such an object. Raises ValueError where it is malformed."""
        return state_from_json(obj)
