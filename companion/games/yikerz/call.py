"""The last-piece call and its penalty (Y15, Y16, Y38-Y40)."""

from dataclasses import replace

from companion.games.yikerz import questions
from companion.games.yikerz.hearing import Hearing
from companion.games.yikerz.names import Said, Stage, Where, Why
from companion.games.yikerz.seats import Penalty
from companion.games.yikerz.stones import Take

PENALTY_STONES = 2
"""Y15: two stones from the board."""


def set_said(h: Hearing, seat: int, said: Said) -> None:
    """Note where the player's call stands; an open question about it is closed."""
    asked = h.state.calls[seat].asked
    if asked:
        questions.close(h, asked)
    calls = list(h.state.calls)
    calls[seat] = replace(calls[seat], said=said, asked=0)
    h.set(calls=tuple(calls))


def let_go(h: Hearing) -> None:
    """The player in turn has let go a stone: the call falls due (Y38), or with "before" was due until now
    (Y39).

    None is due in solitaire and sudden death.
    """
    seat = h.state.seat
    if len(h.state.playing) == 1 or h.state.sudden:
        return
    pile, said, how = h.state.piles[seat], h.state.calls[seat].said, h.state.settings.last_call
    if pile == 1 and said is not Said.SAID:
        if how == "assumed":
            set_said(h, seat, Said.SAID)
        else:
            set_said(h, seat, Said.DUE)
            h.rule("call_due", "Y38", seat, setting=how)
    elif pile == 0 and said is Said.DUE and how == "before":
        unsaid(h, seat)


def next_starts(h: Hearing, let_go: bool) -> None:
    """The stone of the player in turn has come: the call of the one before is missed if it is still due
    (Y38). let_go: the stone is let go already (Y40).
    """
    seat = h.state.before
    if seat is None or seat == h.state.seat or h.state.settings.last_call != "after":
        return
    if h.state.piles[seat] == 1 and h.state.calls[seat].said is Said.DUE:
        unsaid(h, seat, let_go)


def unsaid(h: Hearing, seat: int, let_go: bool = False) -> None:
    """No call was noted: the page asks, or the penalty falls at once (Y39, setting)."""
    if h.state.settings.unsaid == "penalty":
        missed(h, seat, let_go)
        return
    if questions.ask(h, "call", "Y39", seat, holds=False) is not None:
        set_said(h, seat, Said.SAID)
        h.rule("call_said", "Y39", seat, asked=True, how="unanswered")
        return
    calls = list(h.state.calls)
    calls[seat] = replace(calls[seat], asked=h.state.asked)
    h.set(calls=tuple(calls))


def own_turn(h: Hearing, seat: int) -> None:
    """An unanswered question about the call counts as said when that player's own next turn begins (Y39)."""
    if h.state.calls[seat].asked:
        set_said(h, seat, Said.SAID)
        h.rule("call_said", "Y39", seat, how="unanswered")


def said(h: Hearing, seat: int, how: str) -> bool:
    """The player said it. False if it has no effect (Y38: not one of the last two stones)."""
    state = h.state
    pile = state.piles[seat]
    with_the_next_to_last = pile == 2 and seat == state.seat and state.stage is Stage.TURN and not state.sudden
    if not ((pile == 1 and state.calls[seat].said is Said.DUE) or with_the_next_to_last or state.calls[seat].asked):
        return False
    set_said(h, seat, Said.SAID)
    h.rule("call_said", "Y15", seat, how=how)
    return True


def missed(h: Hearing, seat: int, let_go: bool = False) -> None:
    """Two stones of the board, the player's choice, go into the pile (Y40); all if fewer lie there.

    The player in turn waits with the next stone; one that is let go already makes the penalty follow the
    turn, and what lies there is counted then. With the call before the last stone, that stone stays and the
    two are taken in the player's own turn (Y39).
    """
    state = h.state
    own = seat == state.seat
    free = [track for track in h.uncovered() if not (own and track == state.last)]
    due = not own and (let_go or state.stage is not Stage.TURN)
    count = PENALTY_STONES if due else min(PENALTY_STONES, len(free) - len(h.some()))
    set_said(h, seat, Said.NOT_DUE)
    h.rule("call_missed", "Y39" if own else "Y40", seat, count=max(0, count))
    if count <= 0:
        return
    if own:
        for _ in range(count):
            h.set_take(Take(h.virtual(), seat, Why.PENALTY, Where.SOME))
    else:
        h.set(penalty=Penalty(seat, count, due))


def penalty_now(h: Hearing) -> bool:
    """Whether a player has to take stones for the missed call now, or what that removal made collapse
    (Y16).
    """
    penalty = h.state.penalty
    if penalty is None or penalty.due:
        return False
    free = len(h.uncovered()) - len(h.some())
    return min(penalty.count, free) > 0 or any(t.seat == penalty.seat for t in h.state.to_take)


def begin_due(h: Hearing) -> None:
    """A turn has ended: the penalty that waited for it begins (Y40)."""
    if h.state.penalty is not None:
        h.set(penalty=replace(h.state.penalty, due=False))
