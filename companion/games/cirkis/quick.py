"""Quick mode (C19): the players say which shape is complete, who has how many segments and who completed it.

What only the table knows is asked: whether the turn has ended once somebody has reached the goal, whether
somebody went out, whether nobody can place any more, and the unplayed pieces at a tie.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.games.cirkis.account import goal_reached
from companion.games.cirkis.board import RING, board
from companion.games.cirkis.outcome import outcome
from companion.games.cirkis.pieces import SET_SIZE
from companion.games.cirkis.rulings import score_rulings
from companion.games.cirkis.scoring import judge
from companion.games.cirkis.state import Claim, End, State, Stated
from companion.games.cirkis.turns import end_game, end_round, turn_ends
from companion.games.game import Command, Refusal, Ruling, Step

MOST_SHAPES = 2  # C28: no piece of up to three spaces lies in more


def complete(state: State, command: Command) -> Step[State]:
    """One placement of command.player.

    args: shapes, a list of {"shape": id, "segments": {player: number}} (at most two, C28); out, true where it
    was the last piece (C14); overrule, true to let more than two shapes stand (C33).
    """
    shapes, out, overrule = (command.args.get(k, d) for k, d in (("shapes", ()), ("out", False), ("overrule", False)))
    if not isinstance(shapes, list | tuple) or not isinstance(out, bool) or not isinstance(overrule, bool):
        return Step(state, refusal=Refusal("bad_args"))
    player = command.player
    if player is None or player not in state.active():
        return Step(state, refusal=Refusal("not_playing", "C34"))
    if state.turn is not None and player != state.turn:
        return Step(state, refusal=Refusal("turn_not_over", "C13"))
    if not shapes and not out:
        return Step(state, refusal=Refusal("nothing_complete", "C19"))
    stated: list[Stated] = []
    for given in shapes:
        read = _read_stated(state, given, player, stated)
        if isinstance(read, Refusal):
            return Step(state, refusal=read)
        stated.append(read)
    rulings: tuple[Ruling, ...] = ()
    if len(stated) > MOST_SHAPES:
        if not overrule:
            return Step(state, refusal=Refusal("too_many_shapes", "C28"))
        rulings = (Ruling(command.t_us, "overruled", "C33", player, {"codes": ["too_many_shapes"]}),)
    after = replace(state.with_deed(Claim(player, tuple(stated), out)), turn=None)
    done = [judge(shape.shape, dict(shape.segments), player) for shape in stated]
    rulings += score_rulings(done, player if out else None, command.t_us)
    if out:  # C25: at once
        return end_round(after, End.OUT, command.t_us, rulings)
    if goal_reached(after):  # C13: the stop waits for the end of this turn, free turns included
        question = Ruling(command.t_us, "question", "C13", player, {"ask": "turn_over"}, asked=True)
        return Step(replace(after, turn=player), (*rulings, question))
    return Step(after, rulings)


def turn_over(state: State, command: Command) -> Step[State]:
    """The turn in which the goal was reached has ended."""
    if state.turn is None:
        return Step(state, refusal=Refusal("no_stop_due", "C13"))
    return turn_ends(state, command.t_us, ())


def stuck(state: State, command: Command) -> Step[State]:
    """All players have lost their turns in a row (C12)."""
    if state.turn is not None:
        return Step(state, refusal=Refusal("turn_not_over", "C13"))
    return end_round(state, End.STUCK, command.t_us, ())


def tell_unplayed(state: State, command: Command) -> Step[State]:
    """The pieces that tied players still have (C15). args: pieces, {player: number} of those asked."""
    told = _by_player(state, command.args.get("pieces"))
    if told is None or tuple(sorted(told)) != tuple(sorted(outcome(state).asked)):
        return Step(state, refusal=Refusal("bad_args"))
    if any(not 1 <= n <= SET_SIZE for n in told.values()):
        return Step(state, refusal=Refusal("wrong_number", "C15"))  # who has none went out
    return end_game(replace(state, unplayed=tuple(sorted(told.items()))), command.t_us, ())


def completed_before(state: State) -> frozenset[str]:
    """The shapes already told complete in this round: none scores twice (C28)."""
    return frozenset(s.shape for deed in state.deeds if isinstance(deed, Claim) for s in deed.shapes)


def _read_stated(state: State, given: Any, player: int, same_piece: list[Stated]) -> Stated | Refusal:
    """One shape as stated, or what is wrong with it."""
    if not isinstance(given, Mapping) or not isinstance(given.get("shape"), str):
        return Refusal("bad_args")
    shape = board().shape(given["shape"])
    segments = _by_player(state, given.get("segments"))
    if segments is None:
        return Refusal("bad_args")
    if shape is None:
        return Refusal("no_such_shape", "C28")
    if shape.id == RING and not state.settings.ring:
        return Refusal("ring_not_played", "C16")
    if shape.id in completed_before(state) or any(shape.id == other.shape for other in same_piece):
        return Refusal("already_complete", "C28")
    if sum(segments.values()) != len(shape.spaces):
        return Refusal("wrong_segments", "C28")
    if player not in segments:  # who fills the last space has a segment
        return Refusal("not_completed_by", "C28")
    return Stated(shape.id, tuple(sorted(segments.items())))


def _by_player(state: State, value: Any) -> dict[int, int] | None:
    """Numbers by player id from a JSON object (its keys are text); zeros are left out.

    None if it is not one.
    """
    if not isinstance(value, Mapping):
        return None
    ids = {str(player): player for player in range(len(state.settings.players))}
    if any(str(key) not in ids or type(n) is not int or n < 0 for key, n in value.items()):
        return None
    return {ids[str(key)]: n for key, n in value.items() if n}
