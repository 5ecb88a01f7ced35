"""Sudden death among those who are tied: whoever causes a collapse is out, the last one left wins (Y20, Y42, Y43)."""

from companion.games.yikerz import rounds, scores
from companion.games.yikerz.hearing import Hearing
from companion.games.yikerz.piles import BAG


def begin(h: Hearing) -> int:
    """All stones are dealt among the tied; returns the seat that starts, the first of them clockwise from the last
    round's winner.
    """
    state = h.state
    ids = [player.id for player in state.players]
    winner = ids.index(next(r.winner for r in reversed(state.rounds) if r.winner is not None))
    tied = [seat for seat in (*scores.clockwise(state, winner), winner) if ids[seat] in state.tied]
    h.set(sudden=True, places=())
    rounds.lay_out(h, tied, tied[0])
    rounds.rule_start(h, "sudden_death", "Y42", tied[0])
    return tied[0]


def out(h: Hearing, seat: int) -> None:
    """This player has caused a collapse: the pile goes into the bag, and so does what is being taken (Y42)."""
    state = h.state
    if not state.sudden or seat == BAG or seat not in state.playing:
        return
    h.empty_pile(seat)
    h.set(away=(*state.away, seat))
    left = [state.players[other].id for other in h.state.playing]
    h.rule("out", "Y42", seat, left=left, piles=list(h.state.piles))
    if len(left) == 1:
        rounds.finish(h, h.state.playing[0], "Y20")


def out_in_turn(h: Hearing) -> bool:
    """Whether the player in turn is out: the turn ends when all is taken, without the 10 s (Y42)."""
    return h.state.sudden and h.state.seat in h.state.away


def must_deal(h: Hearing, seat: int) -> bool:
    """Whether this player has to place and has no stone (Y43)."""
    return h.state.sudden and h.state.piles[seat] == 0 and h.state.settings.sudden_empty == "deal"


def deal_again(h: Hearing, seat: int) -> None:
    """The board is cleared, the stones are dealt again among those left, and that player starts (Y43)."""
    rounds.lay_out(h, h.state.playing, seat)
    rounds.rule_start(h, "dealt_again", "Y43", seat)


def empty_pile_wins(h: Hearing) -> bool:
    """Whether an emptied pile that stood wins: not in sudden death (Y43), but by its setting."""
    return not h.state.sudden or h.state.settings.sudden_empty == "wins"
