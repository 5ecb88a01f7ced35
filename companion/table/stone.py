"""One stone as the sensors see it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stone:
    """A tracked stone, on the board or in a hand over it.

    track: number of the track; the same stone keeps it from the hand to the board and away again.
    x, y: mm in the table frame; z: mm of the stone's centre above the mats' top.
    upright: stands on edge (its moment lies level); pole_up: +1 north up, -1 south up, 0 when upright.
    turn: degrees of the long axis (or of the level moment when upright), counter-clockwise from +x.
    held: in a hand or otherwise not at rest on the board.
    identity: number of the learned stone, None when not known; p: probability of identity (0..1).
    """

    track: int
    x: float
    y: float
    z: float = 0.0
    upright: bool = False
    pole_up: int = 0
    turn: float = 0.0
    held: bool = False
    identity: int | None = None
    p: float = 0.0
