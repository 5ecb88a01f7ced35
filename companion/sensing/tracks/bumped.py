"""Whether a tile lies elsewhere than it is believed to: it was pushed, or laid otherwise than its picture.

Nothing else shows it: one tile's sensors fit a stone as well wherever that tile lies. Each stone that comes to rest
near a seam is looked at once (seam_look.py). For each tile the newest looks together give by how much
chi squared falls if that tile alone has moved. A tile is told when that is far beyond what errors of gains and shapes
make, and no longer when later looks fit better with it where it is believed. Nothing is ever moved here: that is for a
person.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from companion.sensing.fields.lying import MISFIT
from companion.sensing.fields.seam_look import LEAST_INFORMATION, Look, at_seam, look
from companion.sensing.sensors.layout import Bools, Floats, TableLayout
from companion.sensing.tracks.movers import Mover

MOST_LOOKS: Final = 8
LEAST_LOOKS: Final = 2
"""One stone may be broken, or lie on a coin."""

EVIDENCE: Final = 16.0
"""Of chi squared, for three unknowns."""

FITS_AGAIN: Final = 9.0
"""Of chi squared, by which later looks fit better without the move."""

_IN_PLACE: Final = 6.0  # of chi squared: a look that gains more by a move speaks for one
_AS_GOOD: Final = 6.0  # two tiles that explain it nearly as well: stones at the seam between them show which two only
_MOVED: Final = np.array([3.0, 3.0, 0.03])  # how far a tile is bumped: mm, mm, rad
_SAME_MM: Final = 8.0  # so near the same sensors see it, with the same errors: no other witness
_FLAT: Final = 0.95
_ALONE_MM, _CLUSTER_MM = 22.0, 60.0  # to the next stone, to what sticks together
_AGAIN_MM: Final = 3.0
_FLOOR_MT: Final = 0.08


class Bumped:
    """Of one table. `faults` changes only when a stone comes to rest."""

    def __init__(self, layout: TableLayout) -> None:
        self._layout = layout
        first = [int(np.flatnonzero(layout.tile == n)[0]) for n in range(len(layout.triangles))]
        self._names = [layout.names[k].removesuffix("0") for k in first]
        self._looks: list[Look] = []
        self._told: tuple[int, ...] = ()
        self._which = 0  # of the told ones that which explains it best, and by what move (3n,)
        self._move = np.zeros(3 * len(self._names))
        self._against = 0.0  # chi squared by which the looks since then fit better without the move

    @property
    def faults(self) -> tuple[str, ...]:
        """The code tile_moved with the tile's name; "A/B" where it is one of the two."""
        return ("tile_moved:" + "/".join(self._names[k] for k in self._told),) if self._told else ()

    def lain(self, m: Mover, others: Sequence[Mover], measured: Floats, variance: Floats, valid: Bools) -> None:
        """A body has come to rest, with the pose that was fitted; m.rested: where it had rested before.

        measured (S,) mT: what it alone gives; variance (S,) mT2: of that, without the errors of its own model.
        """
        if not self._tells(m, others):
            return
        spread = (self._layout.gain_spread**2 + MISFIT**2) * (measured**2 + sum(o.kept**2 for o in others))
        self.add(look(self._layout, m.body.stones, measured, _FLOOR_MT**2 + variance + spread, valid))

    def _tells(self, m: Mover, others: Sequence[Mover]) -> bool:
        """Whether this is a stone that lies flat and alone at a seam, and was not looked at there before."""
        if not m.single or m.body.up < _FLAT:
            return False
        at = m.body.centre
        if m.rested is not None and float(np.linalg.norm(m.rested - at)) <= _AGAIN_MM:
            return False
        place = at[:2]
        for o in others:
            least = _ALONE_MM if o.single else _CLUSTER_MM
            if float(np.hypot(*(o.body.centre[:2] - place))) < least:
                return False
        return float(self._layout.beside(place)) <= 0.0 and at_seam(self._layout, place)

    def add(self, new: Look) -> None:
        """One look more."""
        if new.information < LEAST_INFORMATION:
            return
        kept = [k for k in self._looks if float(np.hypot(*(k.place - new.place))) > _SAME_MM]
        self._looks = [*kept, new][-MOST_LOOKS:]
        if self._told and self._fits_again(new):
            self._told, self._against, self._looks = (), 0.0, [new]
            return
        self._judge()

    def _fits_again(self, new: Look) -> bool:
        """Whether the looks since the tile was told, this one included, fit with all tiles where they are believed."""
        _, gains = self._alone(new.normal, new.pull)
        if gains[self._which] > _IN_PLACE:
            self._against = 0.0
            return False
        gain = float(2.0 * new.pull @ self._move - self._move @ new.normal @ self._move)
        self._against = max(0.0, self._against - gain)
        return self._against > FITS_AGAIN

    def _alone(self, normal: Floats, pull: Floats) -> tuple[Floats, Floats]:
        """For each tile (n, 3) by how much it has moved if it alone has, and (n,) by how much chi squared falls."""
        moves = np.zeros((len(self._names), 3))
        for k in range(len(moves)):
            at = slice(3 * k, 3 * k + 3)
            moves[k] = np.linalg.solve(normal[at, at] + np.diag(_MOVED**-2), pull[at])
        return moves, (moves * pull.reshape(-1, 3)).sum(axis=1)

    def _judge(self) -> None:
        """Of the newest looks, however many of them, those that speak most for a move."""
        best = EVIDENCE
        normal, pull = np.zeros_like(self._looks[-1].normal), np.zeros_like(self._looks[-1].pull)
        for number, each in enumerate(reversed(self._looks), 1):
            normal, pull = normal + each.normal, pull + each.pull
            if number < LEAST_LOOKS:
                continue
            moves, gains = self._alone(normal, pull)
            if gains.max() <= best:
                continue
            best, self._which = float(gains.max()), int(gains.argmax())
            self._told = tuple(int(k) for k in np.flatnonzero(gains > best - _AS_GOOD))
            self._move = np.zeros_like(pull)
            self._move[3 * self._which : 3 * self._which + 3] = moves[self._which]
