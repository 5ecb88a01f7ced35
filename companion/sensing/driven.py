"""A stone that is driven over the edge by another, which a hand brings down beside it.

The hand's stone comes to within a stone's width of where the other lay, and its field is as strong: the track stays
with it, and what is left over is the stone that has fallen beside the mats. No hand has a stone there, so the stone is
followed there, and the hand's gets a track of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.sensing.births import Candidate
from companion.sensing.bodies import Body, align
from companion.sensing.dipole import FieldModel
from companion.sensing.fallen import table_prior
from companion.sensing.layout import TableLayout
from companion.sensing.movers import Mover, Phase
from companion.sensing.prior import Prior
from companion.sensing.solver import fit
from companion.sensing.stones import Population
from companion.sensing.strangers import AVERAGE, Left

MISFITS: Final = 6.0
"""Chi squared a row: one stone is followed where two are."""
STAYS_MM: Final = 30.0
"""So far the track is at most from where its stone lay."""
FALLS_MM, HELD_MM = 20.0, 12.0
"""Of where the search finds the one, and of where the track is."""
FLIES_MM: Final = 70.0
"""So far from there the stone can have come to lie, measured level."""
SUNK_MM, OUT_MM = -3.0, 3.0
"""Lower than the mats and beside them: no stone is carried there."""


def driven(movers: Sequence[Mover]) -> Mover | None:
    """The stone whose track may have stayed with another's, which explains badly what is there."""
    some = [m for m in movers if _misfits(m)]
    return max(some, key=_gone, default=None)


def _misfits(m: Mover) -> bool:
    if not m.single or m.phase not in (Phase.BOARD, Phase.LIFTED) or not m.awake or m.held or m.rested is None:
        return False
    return m.misfit > MISFITS and _gone(m) < STAYS_MM


def _gone(m: Mover) -> float:
    """mm from where it lay."""
    assert m.rested is not None
    return float(np.linalg.norm(m.body.centre - m.rested))


@dataclass(frozen=True, slots=True, eq=False)
class Parted:
    """Where the two are, and the evidence a frame that they are two."""

    hand: Body
    fallen: Body
    gain: float


def part(layout: TableLayout, m: Mover, c: Candidate, population: Population, left: Left) -> Parted | None:
    """Whether m's stone lies on the table at c, and a hand's stone where m's track is."""
    assert m.rested is not None
    shown = left.mean + m.kept
    moment, spread, _ = population
    lies = table_prior(layout, m, c.place, FALLS_MM)
    turn = align(m.body.axis, c.moment / np.linalg.norm(c.moment))
    begun = m.body.moved(np.concatenate([lies.centre - m.body.centre, turn, [0.0]]))
    held = Prior(m.body.centre, np.full(3, HELD_MM), 1.0, float(np.log(moment)), spread)
    floors = [2.0, 2.0 - layout.table_below]
    hand, fallen = fit(layout, [m.body, begun], [held, lies], shown, left.trust, limit=12, floors=floors).bodies
    model = FieldModel.of(layout)
    over = shown - sum((model.fields(b.stones).sum(0) for b in (hand, fallen)), np.zeros(layout.count))
    gain = float(left.trust @ (left.mean**2 - over**2)) / AVERAGE
    at = fallen.centre
    under = float(at[2]) < SUNK_MM and float(layout.beside(at[:2])) > OUT_MM
    near = float(np.linalg.norm((at - m.rested)[:2])) < FLIES_MM
    return Parted(hand, fallen, gain) if under and near else None
