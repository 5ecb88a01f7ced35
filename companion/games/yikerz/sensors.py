"""Table events in each stage: the transition table of ¡Yikerz!, and what each event means.

Outside a running round no event changes anything: an emptied table is never by itself a new game or a win.
"""

from collections.abc import Callable, Container
from dataclasses import fields, replace
from typing import Any, TypeAlias

from companion.games.yikerz import (
    collapse,
    conservation,
    countdown,
    placing,
    questions,
    removal,
    taken_back,
    turn,
)
from companion.games.yikerz.hearing import Hearing
from companion.games.yikerz.names import Stage
from companion.games.yikerz.question import MISCOUNT
from companion.games.yikerz.versions import OF_NO_ROUND
from companion.table import EventKind, TableEvent

Meaning: TypeAlias = Callable[[Hearing, TableEvent], None]


def judge(h: Hearing, event: TableEvent) -> None:
    """Judge one event by the table below; afterwards fallen stones may count as taken (Y35)."""
    meaning = TRANSITIONS[event.kind].get(h.state.stage)
    if meaning is None:
        return
    fetched = event.kind is EventKind.LIFTED and any(map(h.fallen, event.stones))
    if event.kind in DISTURBING and not fetched:
        conservation.disturbed(h)
    lying = h.state.lying
    snaps = event.kind in (EventKind.COLLAPSE, EventKind.REFUTED) and h.state.rules >= OF_NO_ROUND
    if lying and not snaps and event.kind not in (EventKind.SETTLED, EventKind.TOPPLED):
        h.set(lying=_others(lying, event.stones), denied=_others(h.state.denied, event.stones))
    if lying and event.kind is EventKind.FELL_OFF:  # no stone of this round: none of it stands for that one
        event = _without(event, lying)
        if event.count < 1:
            return
    missing = h.state.missing
    if event.kind in ON_THE_BOARD:
        conservation.seen_again(h, event.stones)
    elif missing and event.kind is not EventKind.SETTLED:
        event = _without(event, missing)
    meaning(h, event)
    removal.presume(h)


def _without(event: TableEvent, tracks: Container[int]) -> TableEvent:
    """The same of the other stones only."""
    others = _others(event.stones, tracks)
    return replace(event, stones=others, count=event.count - len(event.stones) + len(others))


def _others(tracks: tuple[int, ...], without: Container[int]) -> tuple[int, ...]:
    return tuple(track for track in tracks if track not in without)


def came(h: Hearing, event: TableEvent) -> None:
    """Y06, Y14, Y17, Y29, Y30: which of these decides the stage (placing.comes)."""
    for track in event.stones:
        placing.comes(h, track)


def touched(h: Hearing, event: TableEvent) -> None:
    """Y28: it may still be lifted, put elsewhere or exchanged."""
    for track in event.stones:
        placing.touches(h, track)


def let_go(h: Hearing, event: TableEvent) -> None:
    """Y09: the turn's stone starts the 10 s; any other goes back."""
    for track in event.stones:
        placing.let_go(h, track)


def snapped(h: Hearing, event: TableEvent) -> None:
    """Y10, Y12: in the 10 s, while removing, or with the stone still in the hand."""
    collapse.collapse(h, event.stones, event.count, event.grown, chain=event.chain, p=event.p, **_why(event))


def refuted(h: Hearing, event: TableEvent) -> None:
    """Y10, Y22: what was ruled a collapse was none."""
    taken_back.take_back(h, event.stones, [stone.track for stone in event.rest], **_why(event))


def _why(event: TableEvent) -> dict[str, Any]:
    """What sensing has to show for it (Y22): a few numbers, and the name of the clip; less than 2 kB."""
    if event.evidence is None:
        return {}
    known = {each.name: getattr(event.evidence, each.name) for each in fields(event.evidence)}
    return {"evidence": {name: value for name, value in known.items() if value not in (None, "")}}


def fell(h: Hearing, event: TableEvent) -> None:
    """Y08, Y11: off the board is what touches the table; what overhangs or slides is still on it.

    In the 10 s nobody may lift a stone (Y07, Y09): where one that was lifted falls, the next player's stone has come
    unseen and pulled it up. People see whose it is; where nobody answers that is the best reading.
    """
    lifted = any(stone.lifted and stone.track in event.stones for stone in h.state.board)
    if lifted and h.state.settings.answers == "nobody" and not turn.waits_for(h):
        turn.end(h, "next_approach")
        turn.begin(h)
    collapse.fall(h, event.stones, event.count, p=event.p, **_why(event))


def lifted(h: Hearing, event: TableEvent) -> None:
    """Y07, Y28: alone it decides nothing; leaving the zone does. A fallen one was not taken before (Y35)."""
    for track in event.stones:
        if h.fallen(track):
            placing.comes(h, track)
            continue
        hand = h.hand(track)
        if hand is not None:
            h.set_hand(replace(hand, on_board=False, at_rest=False))
        h.set_lifted(track, True)


def left(h: Hearing, event: TableEvent) -> None:
    """Y10, Y28, Y35, Y37, Y40: taken, withdrawn, a penalty stone, or without a ruling."""
    removal.left_zone(h, event.stones, event.count)


def rests(h: Hearing, event: TableEvent) -> None:
    """Y21, Y30, Y35: the board at rest is counted, and shows what no hand is on."""
    h.set(rested=True, toucher=None)
    held = {stone.track for stone in event.rest if stone.held}
    resting = frozenset(stone.track for stone in event.rest if not stone.held)
    gone = (
        {*h.state.denied}.difference(stone.track for stone in event.rest) if len(event.rest) == event.count else set()
    )
    if gone:  # the board shows what people said
        h.set(lying=_others(h.state.lying, gone), denied=_others(h.state.denied, gone))
    count = event.count - len(resting.intersection(h.state.lying))
    for stone in h.state.board:
        h.set_lifted(stone.track, stone.track in held)
    for hand in h.state.hands:
        if hand.on_board and hand.track in resting:
            h.set_hand(replace(hand, at_rest=True))
    if h.state.hands:
        return
    if h.state.to_take:
        removal.gone_at_rest(h, count, resting)
    elif h.state.penalty is None:
        conservation.counted(h, count, resting)


def toppled(h: Hearing, event: TableEvent) -> None:
    """Y27: tipped over without touching another is no collapse and no fault."""


def unsure(h: Hearing, event: TableEvent) -> None:
    """Y22: something that cannot be told is asked about, never guessed."""
    until = event.until_us if event.until_us is not None else event.t_us
    numbers: dict[str, Any] = {"stones": list(event.stones), "count": event.count, "p": event.p}
    numbers["lasted_us"] = max(0, until - event.t_us)
    if event.new_stones:  # they may stick together
        numbers["new"] = list(event.new_stones)
    h.rule("unsure", "Y22", h.state.seat, **numbers, **_why(event))
    if questions.of(h, MISCOUNT | {"unseen"}) is not None:
        return  # of a gap that is asked about already: one question for it
    questions.ask(h, "unsure", "Y22", h.state.seat, holds=True, choices=questions.OF_A_GAP, **numbers)


def unseen(h: Hearing, event: TableEvent) -> None:
    """Y23: the rest of the 10 s runs on from the end of the gap."""
    countdown.gap(h, max(event.t_us, event.until_us or event.t_us))
    turn.resume(h, "gap")


def _running(meaning: Meaning) -> dict[Stage, Meaning]:
    stages = (Stage.TURN, Stage.COUNTDOWN, Stage.REMOVING, Stage.PENALTY)
    return dict.fromkeys(stages, meaning)


TRANSITIONS: dict[EventKind, dict[Stage, Meaning]] = {
    # TURN                  COUNTDOWN               REMOVING              PENALTY
    # own stone comes       turn passes (Y14)       wait (Y30)            wait (Y40)
    EventKind.APPROACH: _running(came),
    # exchange (Y28)        stone gone home         taken (Y13)           penalty stone (Y40)
    EventKind.WITHDRAWN: _running(left),
    EventKind.REMOVED: _running(left),
    # touch (Y28)           as approach             as approach           as approach
    EventKind.PLACED: _running(touched),
    # -> COUNTDOWN (Y09)    goes back (Y28, Y29)    collapsed one drops   goes back
    EventKind.RELEASED: _running(let_go),
    # -> REMOVING (Y10)     -> REMOVING (Y13)       more to take (Y12)    the penalised player's (Y16)
    EventKind.COLLAPSE: _running(snapped),
    # its 10 s run on, or there is a stone to place (Y22)
    EventKind.REFUTED: _running(refuted),
    # -> REMOVING (Y11)     -> REMOVING (Y13)       more to take (Y12)    the penalised player's (Y16)
    EventKind.FELL_OFF: _running(fell),
    EventKind.LIFTED: _running(lifted),
    EventKind.TOPPLED: _running(toppled),
    # count (Y21)           count (Y21)             fallen: taken (Y35)   -
    EventKind.SETTLED: _running(rests),
    # asked (Y22); the end of the turn waits
    EventKind.UNSURE: _running(unsure),
    # the 10 s run on from the end of the gap (Y23), asked
    EventKind.UNSEEN: _running(unseen),
}
"""Kind of event -> stage -> what it means. A stage that is not there ignores the event."""

DISTURBING = frozenset(
    {
        EventKind.PLACED,
        EventKind.RELEASED,
        EventKind.COLLAPSE,
        EventKind.REFUTED,
        EventKind.LIFTED,
        EventKind.REMOVED,
        EventKind.TOPPLED,
    }
)
"""Kinds after which the board is not at rest until the next settled. A fall alone leaves the rest at rest."""

ON_THE_BOARD = frozenset({EventKind.PLACED, EventKind.RELEASED, EventKind.COLLAPSE, EventKind.FELL_OFF})
"""Kinds that show a missing stone on the board again (Y37)."""
