"""The end of a turn, of a round and of the game."""

from dataclasses import replace

from companion.games.cirkis.account import goal_reached, round_points, totals
from companion.games.cirkis.outcome import game_over, outcome
from companion.games.cirkis.state import End, Phase, Round, State
from companion.games.game import Ruling, Step
from companion.table import BoardTime

_CLAUSE = {
    End.FORTY: "C13",
    End.OUT: "C14",
    End.STUCK: "C12",
    End.HUNDRED: "C30",
    End.ALONE: "C34",
    End.ABANDONED: "C34",
}


def turn_ends(state: State, t_us: BoardTime, rulings: tuple[Ruling, ...]) -> Step[State]:
    """What follows a turn: the stop (C13, C26, C30), nobody able (C12), or the next player.

    rulings: those made so far, to which the new ones are added.
    """
    state = replace(state, free=False)
    if end := goal_reached(state):
        return end_round(state, end, t_us, rulings)
    if set(state.active()) <= set(state.lost):
        return end_round(state, End.STUCK, t_us, rulings)
    if state.settings.mode == "quick" or state.turn is None:
        return Step(replace(state, turn=None), rulings)
    following = state.after(state.turn)  # C02
    return Step(replace(state, turn=following), (*rulings, Ruling(t_us, "turn_start", "C02", following)))


def begin_round(state: State, starter: int, t_us: BoardTime) -> Step[State]:
    """A new round: pegs, board and pieces start anew (C30)."""
    fresh = replace(
        state,
        rounds=(*state.rounds, Round(starter)),
        turn=starter if state.settings.mode == "map" else None,
        phase=Phase.PLAY,
        lost=(),
        unplayed=(),
    )
    return Step(fresh, (Ruling(t_us, "round_start", "C30", starter, {"round": len(fresh.rounds)}),))


def end_round(state: State, end: End, t_us: BoardTime, rulings: tuple[Ruling, ...]) -> Step[State]:
    """The round is over; the game too, or the next round is waited for."""
    state = replace(state.with_round(replace(state.round, end=end)), turn=None, free=False, lost=())
    points = sorted(round_points(state, state.round).items())
    data = {"end": end.value, "points": [list(pair) for pair in points]}
    rulings = (*rulings, Ruling(t_us, "round_end", _CLAUSE[end], data=data))
    if state.abandoned or game_over(state):
        return end_game(state, t_us, rulings)
    return Step(replace(state, phase=Phase.BETWEEN), rulings)


def end_game(state: State, t_us: BoardTime, rulings: tuple[Ruling, ...]) -> Step[State]:
    """The result, or first the question that decides a tie in quick mode (C15, C19)."""
    result = outcome(state)
    if result.asked:
        question = Ruling(t_us, "question", "C15", data={"ask": "unplayed", "players": list(result.asked)}, asked=True)
        return Step(replace(state, phase=Phase.TIE), (*rulings, question))
    data = {"winners": list(result.winners), "points": [list(pair) for pair in sorted(totals(state).items())]}
    return Step(replace(state, phase=Phase.OVER), (*rulings, Ruling(t_us, "game_end", result.clause, data=data)))
