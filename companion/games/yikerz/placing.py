"""The stone of the turn comes, touches, is let go; and stones that come out of turn (Y06, Y09, Y14,
Y28-Y30).
"""

from dataclasses import replace

from companion.games.yikerz import call, piles, removal, turn
from companion.games.yikerz.hearing import Hearing
from companion.games.yikerz.names import Stage, Where, Why
from companion.games.yikerz.stones import Hand, Take


def comes(h: Hearing, track: int, is_let_go: bool = False) -> None:
    """A stone in a hand comes into the zone. is_let_go: it was seen only now that the hand has left it."""
    state = h.state
    take, owner = h.take(track), h.owner(track)
    if h.lies(track):
        h.set_lifted(track, True)
    elif take is not None:
        h.set_hand(Hand(track, take.seat, h.t_us, sure=True))
        removal.fetched(h, take)
    elif state.stage is Stage.COUNTDOWN and owner in (None, state.next_seat):
        next_comes(h, track, is_let_go, touched=is_let_go)
    elif owner not in (None, state.seat, state.next_seat):
        out_of_turn(h, track, owner)
    elif state.stage is Stage.TURN and owner != state.next_seat:
        own_comes(h, track, is_let_go)
    elif state.stage is Stage.PENALTY and owner != state.next_seat:
        h.set_hand(Hand(track, state.seat, h.t_us, sure=owner is not None))
        h.rule("wait", "Y40", state.seat, code="penalty_first", stones=[track])
    elif owner == state.seat:
        h.set_hand(Hand(track, state.seat, h.t_us, sure=True))
    else:
        early(h, track)


def own_comes(h: Hearing, track: int, is_let_go: bool) -> None:
    """The stone of the player in turn, unless theirs lies there already with no hand sensed on it (Y30)."""
    seat = h.state.seat
    mine = [hand for hand in h.state.hands if hand.seat == seat and hand.track != track]
    resting = [hand for hand in mine if hand.on_board and hand.at_rest]
    if resting and h.owner(track) is None:
        let_go(h, resting[0].track)
        comes(h, track, is_let_go)
    elif mine and h.owner(track) is None:
        early(h, track)
    else:
        h.set_hand(Hand(track, seat, h.t_us, sure=h.owner(track) is not None))
        h.own(track, seat)
        turn.begin(h, is_let_go)


def next_comes(h: Hearing, track: int, is_let_go: bool, touched: bool) -> None:
    """In the 10 s the next player's stone ends the turn (Y14), if nothing makes it wait (Y17, Y30).

    Where only a touch counts as near (Y14, setting), one that hovers is no move yet.
    """
    if h.state.settings.near == "touch" and not touched:
        h.set_hand(Hand(track, h.state.next_seat, h.t_us, sure=h.owner(track) is not None))
        return
    if turn.waits_for(h):
        early(h, track)
        return
    turn.end(h, "next_approach")
    if h.state.running:
        h.set_hand(Hand(track, h.state.seat, h.t_us))
        h.own(track, h.state.seat)
        turn.begin(h, is_let_go)


def _hovered(h: Hearing, hand: Hand, is_let_go: bool) -> Hand:
    """The hand, after the next player's stone that only hovered has touched the board (Y14, setting)."""
    state = h.state
    if state.settings.near == "touch" and hand.seat == state.next_seat != state.seat and not hand.early:
        if state.stage is Stage.COUNTDOWN:
            next_comes(h, hand.track, is_let_go, touched=True)
        elif state.stage is not Stage.PENALTY:
            early(h, hand.track)
    return h.hand(hand.track) or hand


def early(h: Hearing, track: int) -> None:
    """The next player's stone comes though the turn cannot end yet: the page asks to wait (Y17, Y30)."""
    seat, code = h.state.next_seat, turn.waits_for(h)
    known = h.owner(track) is not None
    h.set_hand(Hand(track, seat, h.t_us, sure=known, early=True))
    h.rule("wait", "Y17" if code == "last_stone_waits" else "Y30", seat, code=code, stones=[track])


def out_of_turn(h: Hearing, track: int, owner: int | None) -> None:
    """A stone of a player who is neither in turn nor next changes no turn (Y29)."""
    seat = h.state.seat if owner is None else owner
    h.set_hand(Hand(track, seat, h.t_us, sure=True))
    h.rule("not_in_turn", "Y29", seat, turn=h.state.players[h.state.seat].id, stones=[track])


def touches(h: Hearing, track: int) -> None:
    """A stone in a hand touches the board; it is not let go yet (Y28)."""
    take = h.take(track)
    if h.lies(track):
        h.set_lifted(track, False)
        return
    if take is not None and take.where is Where.TABLE:
        _back_on_board(h, take)
        return
    if h.hand(track) is None:
        comes(h, track)
    hand = h.hand(track)
    if hand is None:
        return
    hand = _hovered(h, hand, is_let_go=False)
    if not h.state.running:
        return  # the turn that it ended has won the round (Y17, setting)
    h.set_hand(replace(hand, on_board=True, at_rest=False))
    if hand.early or h.state.stage is Stage.PENALTY:
        removal.overtaken(h)


def _back_on_board(h: Hearing, take: Take) -> None:
    """A fallen stone lies on the board again, still to be taken."""
    h.drop_hand(take.track)
    if piles.lay(h, take.seat, take.track):
        h.set_take(replace(take, where=Where.BOARD, presumed=False))
        turn.resume(h, "taken")


def let_go(h: Hearing, track: int) -> None:
    """The hand has left a stone in the zone (Y09)."""
    take = h.take(track)
    if take is not None:
        _let_go_to_take(h, take)
        return
    if h.lies(track):
        for stone in h.state.board:
            h.set_lifted(stone.track, False)
        return
    if h.hand(track) is None:
        comes(h, track, is_let_go=True)
    hand = h.hand(track)
    if hand is None:
        return
    hand = _hovered(h, hand, is_let_go=True)
    if not h.state.running:
        return
    if (hand.early or h.state.stage is Stage.PENALTY) and removal.overtaken(h):
        hand = h.hand(track) or hand
    state = h.state
    if state.stage is Stage.TURN and not state.spent and (hand.seat == state.seat or not hand.sure):
        play(h, track)
    else:
        extra(h, hand)


def _let_go_to_take(h: Hearing, take: Take) -> None:
    """A stone that has to be taken is let go in the zone: on the board, or put down beside it."""
    for stone in h.state.board:
        h.set_lifted(stone.track, False)
    h.drop_hand(take.track)
    if take.where is Where.HAND:
        if piles.lay(h, take.seat, take.track):
            h.set_take(replace(take, where=Where.BOARD))
        else:
            h.drop_take(take.track)
            turn.resume(h, "taken")
    elif take.where is Where.TABLE:
        removal.finish_all(h, [take], "seen")


def play(h: Hearing, track: int) -> None:
    """The player in turn has let go the stone of this turn: the 10 s begin (Y09, Y13)."""
    seat = h.state.seat
    h.drop_hand(track)
    turn.begin(h, let_go=True)
    if not piles.lay(h, seat, track):
        return
    h.set(last=track, spent=True)
    h.rule("placed", "Y09", seat, stones=[track], pile=h.state.piles[seat], piles=list(h.state.piles))
    call.let_go(h)
    turn.resume(h, "let_go")


def extra(h: Hearing, hand: Hand) -> None:
    """A stone let go though none was to be played goes back to its pile (Y10, Y28, Y29)."""
    h.drop_hand(hand.track)
    if piles.lay(h, hand.seat, hand.track):
        h.set_take(Take(hand.track, hand.seat, Why.EXTRA, Where.BOARD))
        clause = "Y28" if hand.seat == h.state.seat else "Y29"
        h.rule("extra_stone", clause, hand.seat, stones=[hand.track], piles=list(h.state.piles))
    turn.resume(h, "taken")


def in_hand(h: Hearing) -> list[Hand]:
    """The stones that the player in turn has in the hand at the board, the likeliest of this turn first."""
    mine = [hand for hand in h.state.hands if hand.seat == h.state.seat and h.take(hand.track) is None]
    return sorted(mine, key=lambda hand: (not hand.on_board, hand.track))


def own_hand(h: Hearing) -> int:
    """The track of the stone of this turn: one that is sensed, or a new one that only people tell of (Y24)."""
    mine = in_hand(h)
    if mine:
        return mine[0].track
    track = h.virtual()
    h.set_hand(Hand(track, h.state.seat, h.t_us, sure=True))
    return track
