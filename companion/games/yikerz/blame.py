"""Whose it is what collapsed or fell, and when people say it (Y10, Y12, Y16, Y29, Y32, Y33, Y36, Y37, Y44)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.games.yikerz import faults, piles, questions, turn
from companion.games.yikerz.hearing import Hearing
from companion.games.yikerz.names import Outcome, Stage, Where, Why
from companion.games.yikerz.piles import BAG
from companion.games.yikerz.state import State
from companion.games.yikerz.versions import BRINGERS


def blamed(h: Hearing, tracks: Iterable[int]) -> int:
    """The seat that has to take what collapsed or fell (BAG: nobody).

    A chain belongs to where it began (Y12, Y32); in a penalty it is the penalised player's (Y16); after a stone was
    touched, of the one who touched it (Y37); with a
    stone brought out of turn in the cluster it is the bringer's (Y29, setting); before the first stone of
    a turn it is the player's in turn or nobody's (Y33, setting); else the player's in turn (Y10, Y36).
    """
    state, cluster = h.state, set(tracks)
    chain = [t.seat for t in state.to_take if t.track in cluster]
    if chain:
        return chain[0]
    if state.stage is Stage.PENALTY and state.penalty is not None:
        return state.penalty.seat
    if state.toucher is not None:
        return state.toucher
    brought = [hand.seat for hand in state.hands if hand.track in cluster and hand.seat != state.seat]
    if brought and state.settings.brought == "bringer":
        return brought[0]
    waiting = state.stage in (Stage.TURN, Stage.REMOVING) and not state.coming and not state.spent
    at_the_board = any(h.take(hand.track) is None for hand in state.hands)
    if waiting and not at_the_board and state.settings.early == "bag":
        return BAG
    return state.seat


def clause(h: Hearing, seat: int, own: str) -> str:
    """The clause by which the stones are this seat's; own: of the player in turn."""
    if h.state.stage is Stage.PENALTY:
        return "Y16"
    if seat == BAG:
        return "Y33"
    if seat == h.state.toucher:
        return "Y37"
    return own if seat == h.state.seat else "Y29"


def ask_whose(
    h: Hearing, before: State, seat: int, tracks: Sequence[int], also: Sequence[int] = (), puts_out: bool = False
) -> bool:
    """Whether it is asked: with a stone out of turn at the board that is not part of it, people say whose it is (Y29,
    Y32): also when that stone has just collapsed in another cluster.

    before: the state that is right again, as to spent and outcome, if it is the bringer's. also: stones that
    go back only because it is the player's in turn. What is still being asked about is asked with it. puts_out: in
    sudden death whoever it is will be out (Y42).
    """
    state = h.state
    takers = {take.track: take.seat for take in state.takes}
    out_of_turn = [
        hand for hand in state.hands if hand.seat != state.seat and takers.get(hand.track, hand.seat) == hand.seat
    ]
    if seat != state.seat or not out_of_turn or state.settings.brought != "bringer":
        return False
    bringer = state.players[out_of_turn[0].seat].id
    args: dict[str, Any] = {"also": list(also), "spent": before.spent, "outcome": str(before.outcome)}
    if state.sudden and puts_out:
        args["puts_out"] = True
    open_one = questions.find(h, "whose", seat)
    if open_one is not None and open_one.args["bringer"] == bringer:
        args |= {name: open_one.args[name] for name in ("spent", "outcome", "puts_out") if name in open_one.args}
        args["also"] = questions.widened(open_one.args, "also", also)
        tracks = questions.widened(open_one.args, "stones", tracks)
    return questions.ask(h, "whose", "Y32", seat, holds=True, bringer=bringer, stones=list(tracks), **args) is None


def reassign(h: Hearing, bringer: int, asked: Mapping[str, Any]) -> list[int]:
    """It was the bringer's after all (Y29): the bringer takes the stones, the turn goes on as before. Those of them
    that were told as taken by the player in turn (Y35).

    asked: the args of the question. The stone being played stays, so a last one still wins (Y44).
    """
    seat, own, told = h.state.seat, {*asked["stones"], *asked["also"]}, list[int]()
    for track in asked["stones"]:
        take = h.take(track)
        if take is None or take.seat != seat:
            continue
        own.discard(track)
        if take.where is Where.TABLE:
            piles.add(h, seat, -1)
            piles.add(h, bringer, 1)
        anew = h.state.rules >= BRINGERS
        h.set_take(replace(take, seat=bringer, told=take.told and anew))
        told += [track] if take.told and anew else []
        h.own(track, bringer if take.where is Where.TABLE else h.owner(track))
        h.set(taken=tuple(t for t in h.state.taken if t != track))
    for track in asked["also"]:
        take = h.take(track)
        if take is not None and take.why is Why.PLAYED:
            h.drop_take(track)
    faults.brought(h, asked["stones"])
    if not turn.own_takes(h.state):
        h.set(spent=asked["spent"])
        if not own & set(h.state.taken):
            h.set(outcome=Outcome(asked["outcome"]))
    return told
