"""The turn: whose it is, which stage it is in, how it ends (Y06, Y10, Y13, Y14, Y17, Y26, Y30)."""

from dataclasses import replace

from companion.games.yikerz import call, countdown, questions, rounds, sudden
from companion.games.yikerz.hearing import Hearing
from companion.games.yikerz.names import Outcome, Stage
from companion.games.yikerz.piles import BAG
from companion.games.yikerz.state import State
from companion.games.yikerz.stones import Take

CLAUSES = {
    "ten_seconds": "Y13",
    "next_approach": "Y14",
    "time_limit": "Y25",  # speed: the stone was not let go in time
    "out": "Y42",  # sudden death
    "left": "Y46",
}
"""Why a turn ends (names.REASONS), and by which clause."""


def own_takes(state: State) -> tuple[Take, ...]:
    """What the player in turn still has to take; nobody's stones (Y33) are cleared in that turn too."""
    return tuple(t for t in state.to_take if t.seat in (state.seat, BAG))


def waits_for(h: Hearing) -> str:
    """Why the next player's stone does not end the turn, as a refusal code; "" if it does (Y14, Y17, Y30)."""
    state = h.state
    if state.stage is Stage.PENALTY:
        return "penalty_first"
    if state.to_take:
        return "stones_to_take"
    if state.stage is not Stage.COUNTDOWN:
        return "not_let_go"
    if questions.held(h):
        return "question_open"
    if state.piles[state.seat] == 0 and state.settings.win_wait == "wait" and sudden.empty_pile_wins(h):
        return "last_stone_waits"
    return ""


def resume(h: Hearing, cause: str) -> None:
    """Put the turn into the stage that its facts ask for; called after every change.

    penalty to take -> PENALTY; own stones to take -> REMOVING; out in sudden death -> the turn ends; a stone let go or
    forfeited -> COUNTDOWN; else TURN.
    """
    if not h.state.running:
        return
    _put_stage(h, cause)
    limit(h)


def limit(h: Hearing) -> None:
    """In speed the limit for letting the stone go runs while nothing else keeps the player from it (Y25)."""
    state = h.state
    if state.stage is not Stage.TURN or state.settings.speed == "off":
        h.set(limit_us=None)
    elif state.limit_us is None:
        h.set(limit_us=h.t_us + state.settings.speed_us)


def _put_stage(h: Hearing, cause: str) -> None:
    if call.penalty_now(h):
        h.set(stage=Stage.PENALTY, deadline_us=None)
        return
    if h.state.penalty is not None and not h.state.penalty.due:
        seat = h.state.penalty.seat
        h.set(penalty=None, stage=Stage.TURN)
        h.rule("penalty_end", "Y40", seat, piles=list(h.state.piles))
        if any(hand.seat == h.state.seat and h.take(hand.track) is None for hand in h.state.hands):
            begin(h)  # the stone that waited at the board: another call may be missed by it
        if call.penalty_now(h):
            h.set(stage=Stage.PENALTY, deadline_us=None)
            return
    if own_takes(h.state):
        h.set(stage=Stage.REMOVING, deadline_us=None)
    elif sudden.out_in_turn(h):
        end(h, "out")
    elif h.state.spent:
        if h.state.stage is not Stage.COUNTDOWN or h.state.deadline_us is None:
            h.set(stage=Stage.COUNTDOWN)
            countdown.start(h, cause)
        pass_on(h)
    else:
        h.set(stage=Stage.TURN, deadline_us=None)


def pass_on(h: Hearing) -> None:
    """A next player's stone that came too early and is still at the board ends the turn now (Y30)."""
    near = [hand for hand in h.state.hands if hand.on_board or h.state.settings.near == "zone"]
    waiting = any(hand.early and hand.seat == h.state.next_seat for hand in near)
    if waiting and not waits_for(h):
        end(h, "next_approach")


def start(h: Hearing, seat: int) -> None:
    """The player's turn begins; a stone of theirs that waits at the board is this turn's (Y30)."""
    if sudden.must_deal(h, seat):
        sudden.deal_again(h, seat)
    h.set(
        seat=seat,
        coming=False,
        spent=False,
        last=None,
        outcome=Outcome.CLEAN,
        taken=(),
        takes=h.state.to_take,
        stage=Stage.TURN,
        deadline_us=None,
        limit_us=None,
        toucher=None,
        faults=tuple(f for f in h.state.faults if f.turn >= h.state.turns - 1),
        unanswered=(),
    )
    h.rule("turn_start", "Y26", seat, piles=list(h.state.piles))
    call.own_turn(h, seat)
    call.begin_due(h)
    waiting = [hand for hand in h.state.hands if hand.seat == seat]
    for hand in waiting:
        h.set_hand(replace(hand, early=False))
        h.own(hand.track, seat)
    if waiting:
        begin(h)
    resume(h, "turn")


def begin(h: Hearing, let_go: bool = False) -> None:
    """The stone of the player in turn has come to the board (Y14): the call of the one before is judged.

    let_go: it is let go already, so a penalty waits for the end of this turn (Y40). While an earlier penalty
    is being taken the stone waits, and the call of the one before is judged when it comes then.
    """
    if h.state.coming or call.penalty_now(h):
        return
    h.set(coming=True)
    call.next_starts(h, let_go)
    if call.penalty_now(h):
        h.set(stage=Stage.PENALTY, limit_us=None)


def end(h: Hearing, reason: str, **how: str) -> None:
    """The turn ends, for one of CLAUSES. An empty pile has won the round (Y17, Y45).

    It stays ended, whatever becomes of the stone that ended it (Y31).
    """
    state = h.state
    stood = reason in ("ten_seconds", "next_approach")
    won = stood and state.piles[state.seat] == 0 and sudden.empty_pile_wins(h)
    clause = "Y17" if won else CLAUSES[reason]
    data = {"won": True, **how} if won else how
    h.rule(
        "turn_end",
        clause,
        state.seat,
        reason=reason,
        outcome=str(state.outcome),
        taken=list(state.taken),
        piles=list(state.piles),
        **data,
    )
    h.set(before=state.seat, turns=state.turns + 1)
    if won and state.sudden:
        rounds.finish(h, state.seat, "Y43")
    elif not won or rounds.won(h, state.seat):
        start(h, state.next_seat)
