"""What comes due by the passing of board time alone, and what waited for an answer."""

from companion.games.yikerz import conservation, placing, questions, turn
from companion.games.yikerz.hearing import Hearing
from companion.games.yikerz.names import Stage
from companion.games.yikerz.state import State
from companion.table import BoardTime


def turn_due(state: State) -> BoardTime | None:
    """When the turn ends by the 10 s; None while they do not run or a question holds them (Y23)."""
    if state.stage is not Stage.COUNTDOWN or any(q.holds for q in state.questions):
        return None
    return state.deadline_us


def limit_due(state: State) -> BoardTime | None:
    """When the time to let the stone go is over (Y25, speed)."""
    return None if any(q.holds for q in state.questions) else state.limit_us


def next_due(state: State) -> BoardTime | None:
    """The earliest time at which something comes due, if nothing happens before."""
    times = (turn_due(state), limit_due(state), conservation.due(state))
    return min((t for t in times if t is not None), default=None)


def run(h: Hearing, until_us: BoardTime) -> None:
    """Everything due up to until_us, in order, each judged at its own time (Y32: at 10.0 s the turn is
    over).
    """
    while True:
        first = next_due(h.state)
        if first is None or first > until_us:
            return
        h.t_us = first
        if first == conservation.due(h.state):
            if conservation.ask(h):
                placing.let_go(h, placing.own_hand(h))
        elif first == limit_due(h.state):
            turn.end(h, "time_limit")
        else:
            turn.end(h, "ten_seconds")


def released(h: Hearing) -> None:
    """A question that held the end of the turn is closed: 10 s that ran out meanwhile end now (Y23)."""
    deadline, limit_us = h.state.deadline_us, h.state.limit_us
    if questions.held(h):
        return
    if limit_us is not None:
        h.set(limit_us=max(limit_us, h.t_us))
    if deadline is not None:
        h.set(deadline_us=max(deadline, h.t_us))
        turn.pass_on(h)
    run(h, h.t_us)
