"""The bodies of one frame that are solved: those near each other at once, the fields of all others taken off."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.solver import fit
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.sensing.tracks.groups import fields, groups
from companion.sensing.tracks.movers import Mover


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """A body as a frame shows it, its field (S,) mT, and chi squared a row."""

    body: Body
    kept: Floats
    misfit: float = 1.0


class Together:
    """Solves the bodies of one table; prior and floor: what is known of each before the frame."""

    def __init__(
        self,
        layout: TableLayout,
        model: FieldModel,
        prior: Callable[[Mover], Prior],
        floor: Callable[[Mover], float],
    ) -> None:
        self._layout, self._model, self._prior, self._floor = layout, model, prior, floor

    def solve(
        self, loose: Sequence[Mover], active: Sequence[Mover], clean: Floats, weight: Floats
    ) -> dict[Mover, Solved]:
        """Those of the active that are loose; clean (S,) mT: what all the active show, with weight (S,) 1/mT2."""
        out = dict[Mover, Solved]()
        for group in groups(loose):
            target = over([m for m in active if m not in group], {}, clean)
            found = fit(
                self._layout,
                [m.body.shifted(m.ahead - m.body.centre) for m in group],
                [self._prior(m) for m in group],
                target,
                weight,
                floors=[self._floor(m) for m in group],
            )
            misfit = found.cost / max(1, len(found.rows))
            for m, body, kept in zip(group, found.bodies, fields(self._model, found.bodies), strict=True):
                out[m] = Solved(body, kept, misfit)
        return out


def over(active: Sequence[Mover], found: dict[Mover, Solved], clean: Floats) -> Floats:
    """What is left over of clean, (S,) mT, beside bodies as they were found, or else as they were."""
    left = clean.copy()
    for m in active:
        left -= found[m].kept if m in found else m.kept
    return left
