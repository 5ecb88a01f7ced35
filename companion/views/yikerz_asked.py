"""What a game of ¡Yikerz! asks of somebody now: stones to take, a call, a wait; and what may be pressed."""

from typing import Any

from companion.games.yikerz import questions, turn
from companion.games.yikerz.hearing import Hearing
from companion.games.yikerz.names import Said, Stage, Where, Why
from companion.games.yikerz.question import GAP
from companion.games.yikerz.state import State
from companion.views.context import ViewContext

_ORDER = (Why.PENALTY, Why.COLLAPSE, Why.FELL_OFF, Why.PLAYED, Why.EXTRA, Why.TOUCHED)


def player_id(state: State, seat: int) -> int | None:
    """The id of the player at a seat; None for the bag and for nobody."""
    return state.players[seat].id if 0 <= seat < len(state.players) else None


def remove(state: State) -> dict[str, Any] | None:
    """What somebody has to take now: stones of a collapse or fall, and with them a penalty that is due (Y40)."""
    if not state.running:
        return None
    takes = state.to_take
    penalty = state.penalty if state.penalty is not None and not state.penalty.due else None
    chosen = min(penalty.count, len(state.board)) if penalty else 0
    if not takes and not chosen:
        return None
    seat = takes[0].seat if takes or penalty is None else penalty.seat
    whys = {take.why for take in takes} | ({Why.PENALTY} if chosen else set())
    return {
        "player": player_id(state, seat),
        "why": str(next(why for why in _ORDER if why in whys)),
        "tracks": [take.track for take in takes if take.where is Where.BOARD and take.track >= 0],
        "table": sum(take.where is Where.TABLE for take in takes),
        "left": len(takes) + chosen,
        "taken": len(state.taken),
    }


def call(state: State) -> dict[str, Any] | None:
    """The call that matters now: of the player in turn if any, else the first one due."""
    seats = [state.seat, *range(len(state.calls))]
    for wanted in (Said.DUE, Said.SAID):
        for seat in seats:
            if seat < len(state.calls) and state.calls[seat].said is wanted:
                return {"player": player_id(state, seat), "state": str(wanted)}
    return None


def waits(state: State) -> str:
    """Why the next player's stone would not end the turn now, as a refusal code; "" if it would (Y14, Y17, Y30)."""
    return turn.waits_for(Hearing(state, 0)) if state.running else ""


def too_early(state: State) -> dict[str, Any] | None:
    """Who has brought a stone to the board before its time, and what has to be waited for (Y17, Y29, Y30)."""
    hand = next((hand for hand in state.hands if hand.early), None)
    if hand is None or not state.running:
        return None
    code = waits(state) if hand.seat == state.next_seat else "not_in_turn"
    return {"player": player_id(state, hand.seat), "code": code} if code else None


def differs(state: State, context: ViewContext) -> dict[str, int] | None:
    """{"seen", "expected"}: the table has said how the stones lie, and sensors that work still see another number (Y21,
    Y22); None where they agree, or cannot tell, or ask about it.

    What a hand brings is not counted, what it lifts off its place is.
    """
    working = context.health is not None and context.health.state == "ok" and not context.health.late_s
    said = state.settings.answers == "people" and (state.blind != 0 or context.insisted)
    asked = context.laying is not None or state.phase in ("unseen", "miscount")
    if asked or context.picture is None or not (said and working and state.running):
        return None
    board = {stone.track for stone in state.board}
    lie = [stone for stone in context.picture.stones if stone.track in board or not stone.held]
    apart = {*state.lying} - {*state.denied}  # of those that were there at the start the table was told
    seen = len([stone for stone in lie if stone.track not in apart])
    return None if seen == len(board) else {"seen": seen, "expected": len(board)}


def loose(state: State) -> int:
    """How many stones on the board may still collapse or fall: those that nobody has to take already (Y21)."""
    if not state.running:
        return 0
    h = Hearing(state, 0)
    gone = len(state.missing) if questions.of(h, GAP) is not None else 0  # of these it may be asked too
    return max(0, len(h.uncovered()) - len(h.some())) + gone


def in_hand(state: State) -> bool:
    """Whether the stone of this turn may still be in the hand (Y10): one more can then be part of a collapse."""
    return state.stage is Stage.TURN and not state.spent
