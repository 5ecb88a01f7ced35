"""Piles and board as the table says they lie (Y21, Y22, Y24), also against the sensors."""

from collections.abc import Mapping
from typing import Any

from companion.games.yikerz import conservation, piles, questions, turn
from companion.games.yikerz.arguments import by_seat
from companion.games.yikerz.hearing import Hearing, Refused
from companion.games.yikerz.stones import BoardStone
from companion.games.yikerz.versions import DENIED

_SETTLED_BY_IT = ("missing", "fewer", "more", "unsure", "unseen", "whose")


def set_piles(h: Hearing, args: Mapping[str, Any]) -> None:
    """Set piles and board; they must add up with the bag (Y21). What was to be taken is settled by it.

    stones: tracks that are known to lie on the board; without it the newest of those that lay there.
    A pile may be empty only while its last stone stands for the 10 s (Y45).
    """
    wanted, board, state = by_seat(h, args.get("piles")), args.get("board"), h.state
    if type(board) is not int or board < 0:
        raise Refused("bad_args")
    if sum(wanted) + board + state.bag != state.settings.stones:
        raise Refused("not_conserved", "Y21")
    may_be_empty = state.seat if state.last is not None and board else None
    if any(wanted[seat] for seat in state.away):
        raise Refused("not_conserved", "Y21")
    if any(n == 0 and seat != may_be_empty and seat not in state.away for seat, n in enumerate(wanted)):
        raise Refused("not_conserved", "Y45")
    known = args.get("stones", [s.track for s in state.board][-board:] if board else [])
    if not isinstance(known, list | tuple) or not all(type(track) is int for track in known):
        raise Refused("bad_args")
    if len({*known}) != len(known) or len(known) > board:
        raise Refused("bad_args")
    kept = tuple(BoardStone(track) for track in known)
    fresh = tuple(BoardStone(h.virtual()) for _ in range(board - len(kept)))
    last = state.last if any(s.track == state.last for s in kept) else None
    more = [n - m for n, m in zip(wanted, state.piles, strict=True)]
    for seat, number in enumerate(more):
        piles.add(h, seat, number)
    h.set(board=(*fresh, *kept), missing=(), takes=(), hands=(), last=last, faults=())
    for track in known:
        h.own(track, None)
    for question in h.state.questions:
        if question.code in _SETTLED_BY_IT:
            questions.close(h, question.number)
    conservation.over(h)
    h.rule("corrected", "Y21", None, piles=list(wanted), board=board)
    turn.resume(h, "taken")


def laid(h: Hearing, args: Mapping[str, Any]) -> None:
    """After an undo the stones lie as they must, people say, though the sensors see more there (Y22).

    What they see beside (unlike, of companion/games/yikerz/unlike.py) is then in nobody's hand and no stone of the
    round until one moves it, as what lay there at the start: else it would be let go when the next one comes (Y30).
    """
    unlike, state = args.get("unlike"), h.state
    extra = unlike.get("extra") if isinstance(unlike, Mapping) and args.get("insist") is True else None
    seen = [each.get("track") for each in extra if isinstance(each, Mapping)] if isinstance(extra, list | tuple) else []
    denied = {track for track in seen if type(track) is int and not h.lies(track) and h.take(track) is None}
    if not denied or state.rules < DENIED:
        return
    hands = tuple(hand for hand in state.hands if hand.track not in denied and not hand.on_board)
    h.set(hands=hands, lying=tuple(sorted({*state.lying, *denied})), denied=tuple(sorted({*state.denied, *denied})))
