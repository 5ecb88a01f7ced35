"""Rounds: deal, start, end, playing on for the places; the end of the game (Y02, Y03, Y17-Y19, Y25, Y26, Y46)."""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

from companion.games.yikerz import piles, questions, scores
from companion.games.yikerz.hearing import Hearing
from companion.games.yikerz.names import Stage
from companion.games.yikerz.seats import RoundResult
from companion.games.yikerz.settings import Settings
from companion.games.yikerz.state import State


def deal(state: State, seats: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """Piles by seat and the bag: equal piles among these seats, what is left over into the bag (Y02), with a handicap
    fewer; or the fixed deal of the settings.
    """
    settings = state.settings
    if settings.piles and len(settings.piles) == len(seats) == len(state.players):
        return settings.piles, settings.bag
    each, over = divmod(settings.stones, len(seats))
    dealt, bag = [0] * len(state.players), over
    for seat in seats:
        less = min(state.players[seat].handicap, max(0, each - 1))
        dealt[seat], bag = each - less, bag + less
    return tuple(dealt), bag


def drawn_dealer(settings: Settings, players: int) -> int:
    """The seat that the page draws for the first round (Y26): by the seed of the settings alone."""
    digest = sha256(f"dealer {settings.seed}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % players


def begin(h: Hearing, dealer: int) -> None:
    """Deal to all who are there; the dealer places first (Y03). The caller starts the turn."""
    h.set(places=(), sudden=False)
    lay_out(h, h.state.present, dealer)
    number = len(h.state.rounds) + 1
    rule_start(h, "round_start", "Y03", dealer, round=number)


def lay_out(h: Hearing, seats: Sequence[int], dealer: int) -> None:
    """An empty board, fresh piles for these seats, nothing pending."""
    dealt, bag = deal(h.state, seats)
    h.set(
        piles=dealt,
        bag=bag,
        board=(),
        missing=(),
        lying=(),
        denied=(),
        dealer=dealer,
        seat=dealer,
        before=None,
        turns=0,
        hands=(),
        takes=(),
        deadline_us=None,
        limit_us=None,
        rested=True,
        calls=piles.fresh_calls(len(dealt)),
        penalty=None,
        mismatch=None,
        blind=0,
        toucher=None,
        owners=(),
        faults=(),
        away=tuple(seat for seat in range(len(dealt)) if seat not in seats),
        stage=Stage.TURN,
    )
    questions.close_all(h)


def rule_start(h: Hearing, kind: str, clause: str, dealer: int, **more: Any) -> None:
    """The ruling that stones were dealt. picks: who picks a pile, in order; the dealer has the last one (Y03)."""
    state = h.state
    order = [seat for seat in scores.clockwise(state, dealer) if seat in state.playing]
    picks = [state.players[seat].id for seat in (*order, dealer)]
    dealt: dict[str, Any] = {"piles": list(state.piles), "bag": state.bag, "layout": state.layout, "picks": picks}
    h.rule(kind, clause, dealer, **dealt, **more)


def won(h: Hearing, seat: int) -> bool:
    """The player's pile is empty and stood (Y17). Whether the others play on for the places (Y25)."""
    state = h.state
    others = [other for other in state.playing if other != seat]
    if state.settings.play_on == "off" or len(state.present) < 3:
        _record(h, seat, state.piles)
        _over(h)
        return False
    if not state.places:
        _record(h, seat, state.piles)
    h.set(away=(*state.away, seat), places=(*state.places, seat))
    h.rule("finished", "Y25", seat, place=len(h.state.places), piles=list(h.state.piles))
    if len(others) > 1:
        return True
    last = replace(h.state.rounds[-1], loser=state.players[others[0]].id)
    h.set(rounds=(*h.state.rounds[:-1], last))
    _over(h)
    return False


def by_result(h: Hearing, winner: int, left: tuple[int, ...]) -> None:
    """The round by its result alone (Y24)."""
    _record(h, winner, left)
    h.set(piles=left)
    _over(h)


def abandon(h: Hearing, reason: str = "") -> None:
    """No winner, no points; the same dealer deals again (Y46). A round that was won and is played on just ends.

    reason: "table_anew" where a virtual table has begun anew, without the stones that lay there; "" from players.
    """
    if h.state.places:
        _over(h)
        return
    if not h.state.sudden:
        _record(h, None, h.state.piles)
    _clear(h)
    why: dict[str, Any] = {"reason": reason} if reason else {}
    h.rule("round_abandoned", "Y46", None, left=list(h.state.piles), **why)


def _record(h: Hearing, winner: int | None, left: Sequence[int]) -> None:
    """The result of the round, by player ids; totals follow from it (I5, I7)."""
    state = h.state
    ids = [player.id for player in state.players]
    stones = tuple((ids[seat], left[seat]) for seat in state.present)
    result = RoundResult(None if winner is None else ids[winner], stones, ids[state.dealer or 0])
    h.set(rounds=(*state.rounds, result))


def _clear(h: Hearing) -> None:
    """Nothing is played and nothing asked any more."""
    questions.close_all(h)
    h.set(stage=Stage.ROUND_END, deadline_us=None, limit_us=None, hands=(), takes=(), penalty=None, mismatch=None)


def _over(h: Hearing) -> None:
    """The round is over; so may be the game, or a tie stands that sudden death decides (Y18-Y20)."""
    _clear(h)
    state, result = h.state, h.state.rounds[-1]
    winner = next(seat for seat, player in enumerate(state.players) if player.id == result.winner)
    left = [result.left_of(player.id) for player in state.players]
    data: dict[str, Any] = {"left": left, "wins": list(state.wins), "points": list(state.points)}
    if result.loser is not None:
        data["loser"] = result.loser
    h.rule("round_end", "Y17", winner, **data)
    decide(h)


def decide(h: Hearing) -> None:
    """The end of the game, if it is one (Y18, Y19, Y41), or a tie for the win (Y20)."""
    winners = scores.leaders(h.state)
    ids = tuple(h.state.players[seat].id for seat in winners)
    if len(winners) > 1:
        h.set(tied=ids)
        h.rule("tie", "Y20", None, players=list(ids))
    elif winners:
        finish(h, winners[0], "Y19" if h.state.settings.scoring == "points" else "Y41")


def finish(h: Hearing, winner: int, clause: str) -> None:
    """The game is over."""
    _clear(h)
    winners = (h.state.players[winner].id,)
    h.set(stage=Stage.GAME_END, winners=winners, tied=(), sudden=False)
    totals: dict[str, Any] = {"wins": list(h.state.wins), "points": list(h.state.points)}
    h.rule("game_end", clause, winner, winners=list(winners), **totals)
