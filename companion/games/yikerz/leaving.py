"""Players who leave, and who join between rounds (Y46)."""

from dataclasses import replace

from companion.games.yikerz import questions, rounds, turn
from companion.games.yikerz.hearing import Hearing
from companion.games.yikerz.names import Said, Stage
from companion.games.yikerz.piles import BAG
from companion.games.yikerz.state import State


def leave(h: Hearing, seat: int) -> None:
    """The pile goes to the bag, turns close up; wins and totals stay shown but cannot win."""
    state, was_in_turn = h.state, h.state.running and h.state.seat == seat
    players = list(state.players)
    players[seat] = replace(players[seat], gone=True)
    gone = players[seat].id
    dealer = None if state.settings.dealer == gone else state.settings.dealer
    tied = tuple(player for player in state.tied if player != gone)
    h.set(players=tuple(players), settings=replace(state.settings, dealer=dealer), tied=tied)
    h.empty_pile(seat)
    h.rule("left", "Y46", seat, piles=list(h.state.piles))
    if not state.running:
        if state.tied and len(tied) == 1:
            rounds.finish(h, _seat(h.state, tied[0]), "Y20")
        return
    _let_go_of(h, seat, gone)
    playing = h.state.playing
    if len(playing) > 1:
        if was_in_turn:
            turn.end(h, "left")
        else:
            turn.resume(h, "taken")
    elif h.state.sudden and playing:
        rounds.finish(h, playing[0], "Y20")
    else:
        rounds.abandon(h)


def _let_go_of(h: Hearing, seat: int, player: int) -> None:
    """What this player held, had to take, or was asked about, is nobody's now."""
    state = h.state
    calls = list(state.calls)
    calls[seat] = replace(calls[seat], said=Said.NOT_DUE)
    h.set(
        away=(*state.away, *(() if seat in state.away else (seat,))),
        takes=tuple(replace(take, seat=BAG) if take.seat == seat else take for take in state.takes),
        hands=tuple(hand for hand in state.hands if hand.seat != seat),
        penalty=None if state.penalty is not None and state.penalty.seat == seat else state.penalty,
        toucher=None if state.toucher == seat else state.toucher,
        calls=tuple(calls),
    )
    for question in h.state.questions:
        if question.seat == seat or question.args.get("bringer") == player:
            questions.close(h, question.number)


def start_points(state: State) -> int:
    """What one who joins now begins with: in scoring B the highest total of the others, or 0 by setting."""
    later = state.stage is not Stage.LOBBY and state.settings.scoring == "points"
    if not later or state.settings.join_points == "zero":
        return 0
    return max((state.points[seat] for seat in state.present), default=0)


def _seat(state: State, player: int) -> int:
    return next(seat for seat, known in enumerate(state.players) if known.id == player)
