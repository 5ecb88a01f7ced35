"""A collapse that was ruled and was none: a touch that parts again by itself is none (head of the rules), and what the
sensors took for one is not even a touch (Y10, Y22). Its stones lie as they lay before; nobody has to take them.
"""

from collections.abc import Collection
from typing import Any

from companion.games.yikerz import piles, questions, turn
from companion.games.yikerz.hearing import Hearing
from companion.games.yikerz.names import Outcome, Stage, Why


def take_back(h: Hearing, stones: Collection[int], lie: Collection[int], **seen: Any) -> None:
    """The collapse of these stones was none; lie: those of them that are seen lying on the board.

    The turn is what it would be without it: its stone may still be let go, or the rest of the 10 s runs on (what of
    them has passed has passed). A stone that counts as taken, though it lies there, is on the board again (Y21); a turn
    that has passed meanwhile stays passed (Y31). In sudden death, where a collapse puts out at once (Y42), the table
    decides (Y22). seen: for the ruling.
    """
    state = h.state
    takes = [take for take in state.takes if take.track in stones and take.why is Why.COLLAPSE]
    counted = [t for t in lie if not h.lies(t) and h.take(t) is None and h.hand(t) is None and h.owner(t) is not None]
    if state.sudden or not (takes or counted):
        return
    seat = takes[0].seat if takes else h.owner(counted[0])
    for take in takes:
        h.drop_take(take.track)
    for track in counted:
        owner = h.owner(track)
        # A pile keeps a stone for a turn that still needs one (Y45): then the count of the board is asked about (Y21).
        kept = 0 if owner == h.state.seat and h.state.spent else 1
        if owner is not None and h.state.piles[owner] > kept:
            piles.lay(h, owner, track)
    _unblamed(h, stones, seat)
    h.rule("taken_back", "Y22", seat, stones=sorted(stones), piles=list(h.state.piles), **seen)
    turn.resume(h, "taken_back")


def _unblamed(h: Hearing, stones: Collection[int], seat: int | None) -> None:
    """The turn as it would be, unless there is something else that its player has taken or has to take."""
    asked = questions.find(h, "whose")
    if asked is not None and set(asked.args["stones"]) <= set(stones):
        questions.close(h, asked.number)
    state = h.state
    taken = tuple(t for t in state.taken if t not in stones)
    h.set(taken=taken)
    if seat != state.seat or state.stage is Stage.PENALTY or taken or turn.own_takes(h.state):
        return
    if state.outcome is Outcome.COLLAPSE:
        h.set(outcome=Outcome.CLEAN)
    h.set(spent=state.last is not None)
    if state.last is not None and state.broken_off_us is not None:
        h.set(stage=Stage.COUNTDOWN, deadline_us=max(state.broken_off_us, h.t_us))
