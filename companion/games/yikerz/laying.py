"""After an undo: do the stones lie as the state has them, and what if the table keeps them as they lie (Y22).

A turn's own stone that lies there is let go anew; otherwise piles and board are set as they were before the undo.
"""

from typing import Any

from companion.games.yikerz.names import Stage
from companion.games.yikerz.state import State
from companion.table import EventKind, TableEvent


def lies(state: State) -> frozenset[int] | None:
    """Tracks on the board; stones that only a button tells of are left out. None between rounds."""
    return frozenset(stone.track for stone in state.board if stone.track >= 0) if state.running else None


def laid(state: State, event: TableEvent) -> bool:
    """The board is at rest with no hand on it, and shows as many stones as lie there by the rules."""
    at_rest = event.kind is EventKind.SETTLED and not any(stone.held for stone in event.rest)
    lying = {stone.track for stone in event.rest}.intersection(state.lying)
    return at_rest and event.count - len(lying) == len(state.board)


def carried_off(state: State, event: TableEvent) -> bool:
    """A stone that the state has in a hand has gone home (Y28)."""
    held = {hand.track for hand in state.hands}
    return event.kind in (EventKind.WITHDRAWN, EventKind.REMOVED) and bool(event.stones) and held >= {*event.stones}


def as_it_lies(state: State, was: State) -> tuple[str, dict[str, Any]]:
    """The command and its args."""
    here, there = {stone.track for stone in state.board}, {stone.track for stone in was.board}
    own = state.stage is Stage.TURN and not state.spent and len(there - here) == 1 and here <= there
    piles = [n - (own and seat == state.seat) for seat, n in enumerate(state.piles)]
    if own and piles == list(was.piles):
        return "placed", {}
    stones = [stone.track for stone in was.board]
    return "set_piles", {"piles": list(was.piles), "board": len(stones), "stones": stones}
