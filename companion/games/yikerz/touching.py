"""A stone that was touched, or two hands: reported by people (Y06, Y07, Y09, Y37)."""

from companion.games.yikerz import turn
from companion.games.yikerz.hearing import Hearing
from companion.games.yikerz.names import Where, Why
from companion.games.yikerz.stones import Take


def touched(h: Hearing, seat: int, what: str) -> None:
    """Noted, and the stone is laid back; or (setting) it goes to the pile of the one who touched it.

    What collapses or falls then, until the board is at rest or the turn ends, is that one's.
    """
    free = len(h.uncovered()) - len(h.some())
    taken = what == "stone" and h.state.settings.touched == "into_pile" and free > 0
    if taken:
        h.set_take(Take(h.virtual(), seat, Why.TOUCHED, Where.SOME))
    h.set(toucher=seat, rested=False)
    h.rule("touched", "Y06" if what == "hands" else "Y37", seat, what=what, how="into_pile" if taken else "noted")
    turn.resume(h, "taken")
