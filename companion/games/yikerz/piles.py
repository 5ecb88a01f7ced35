"""Stones go from pile to board and back; their number never changes (Y21).

board + piles + bag + missing = all stones, after every entry. A stone in a hand is in its pile, a fallen
one in the pile of the player who has to take it.
"""

from dataclasses import replace

from companion.games.yikerz.hearing import Hearing
from companion.games.yikerz.names import Said
from companion.games.yikerz.seats import Call
from companion.games.yikerz.stones import BoardStone

BAG = -1
"""The seat of stones that are nobody's (Y33, setting)."""


def add(h: Hearing, seat: int, number: int) -> None:
    """Put stones into a pile (BAG, or a player who is out: the bag), negative: out of it. The call starts anew with
    two stones (Y38).
    """
    if seat == BAG or seat in h.state.away:
        h.set(bag=h.state.bag + number)
        return
    piles = list(h.state.piles)
    piles[seat] += number
    h.set(piles=tuple(piles))
    if piles[seat] >= 2 and number > 0:
        calls = list(h.state.calls)
        calls[seat] = replace(calls[seat], said=Said.NOT_DUE)
        h.set(calls=tuple(calls))


def lay(h: Hearing, seat: int, track: int) -> bool:
    """A stone of the pile is let go on the board; False (and a ruling) if the pile has none: then the
    sensors err.
    """
    if (h.state.bag if seat == BAG or seat in h.state.away else h.state.piles[seat]) < 1:
        h.rule("unsure", "Y21", seat, code="no_stone_left", stones=[track])
        return False
    add(h, seat, -1)
    h.set(board=(*h.state.board, BoardStone(track)))
    h.own(track, None)
    return True


def lift_off(h: Hearing, track: int) -> None:
    """A stone is no longer on the board; the caller says where it is now."""
    h.set(board=tuple(s for s in h.state.board if s.track != track))
    if h.state.last == track:
        h.set(last=None)


def pick_up(h: Hearing, seat: int, track: int) -> None:
    """A stone of the board goes into a pile."""
    lift_off(h, track)
    add(h, seat, 1)
    h.own(track, seat)


def fresh_calls(players: int) -> tuple[Call, ...]:
    """Nobody has a call due (Y38)."""
    return (Call(),) * players
