"""Where one new stone would best explain what is left over: a matched filter over a grid, then a fit.

For every place and height of the grid the fields of three unit moments (along x, y, z) are kept; the best
moment for a residual is linear: with b = T W r and A = T W T' it is A^-1 b, and chi2 drops by b' A^-1 b. A
moment of a size that no stone has is brought back to the range of stones before the gain is counted; this
finds the height.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.sensing.dipole import DEFAULT_SHAPE, FieldModel, Magnets, magnet
from companion.sensing.layout import Bools, Floats, TableLayout
from companion.sensing.prior import Priors
from companion.sensing.solver import Solution, Solver

HEIGHTS: Final = (3.4, 7.0, 15.0, 30.0, 50.0)
MOMENTS: Final = (0.17, 0.48)
"""Least and greatest moment that is believed of a stone, A.m2."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """magnets: the one new stone. gain: by how much chi2 falls. solution: of the fit, None before it."""

    magnets: Magnets
    gain: float
    solution: Solution | None = None


class StoneSearch:
    """The grid of one table; built once (a few megabytes)."""

    def __init__(
        self,
        layout: TableLayout,
        pitch: float = 10.0,
        margin: float = 25.0,
        heights: tuple[float, ...] = HEIGHTS,
        moments: tuple[float, float] = MOMENTS,
        shape: tuple[float, float] = DEFAULT_SHAPE,
    ) -> None:
        """pitch mm of the grid; margin mm beside the mats; heights mm of the stone's centre."""
        self._moments = moments
        self._shape = shape
        low = layout.triangles.min(axis=(0, 1)) - margin
        high = layout.triangles.max(axis=(0, 1)) + margin
        x = np.arange(low[0], high[0] + pitch, pitch)
        y = np.arange(low[1], high[1] + pitch, pitch)
        flat = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        flat = flat[layout.beside(flat) <= margin]
        self._places = np.concatenate([np.column_stack([flat, np.full(len(flat), h)]) for h in heights])
        count = len(self._places)
        model = FieldModel.of(layout)
        self._templates = np.empty((count, 3, layout.count))
        for k in range(3):
            axis = np.zeros((count, 3))
            axis[:, k] = 1.0
            unit = Magnets(self._places, axis, np.zeros(count), np.tile(shape, (count, 1)))
            self._templates[:, k] = model.fields(unit)

    def gains(self, residual: Floats, weight: Floats) -> tuple[Floats, Floats]:
        """Fall of chi2 (G,) and moment (G, 3) A.m2 at each node, for residual (S,) mT and weight (S,)
        1/mT2.
        """
        b = self._templates @ (weight * residual)
        root = self._templates * np.sqrt(weight)
        a = root @ root.transpose(0, 2, 1)
        # Along a direction that no sensor sees the moment is held near 0.
        a[:, [0, 1, 2], [0, 1, 2]] += 1e-6 + 1e-4 * np.trace(a, axis1=1, axis2=2)[:, None]
        moment: Floats = np.asarray(np.linalg.solve(a, b[:, :, None])[:, :, 0], dtype=np.float64)
        size = np.sqrt((moment * moment).sum(axis=1)) + 1e-12
        moment *= (np.clip(size, *self._moments) / size)[:, None]
        gain = 2.0 * (moment * b).sum(axis=1) - (moment[:, None, :] @ a @ moment[:, :, None])[:, 0, 0]
        return gain, moment

    def best(self, residual: Floats, weight: Floats, most: int = 3, apart: float = 25.0) -> list[Candidate]:
        """The best nodes, greatest gain first, at most `most`, at least `apart` mm from each other; gain >
        0.
        """
        gain, moment = self.gains(residual, weight)
        out: list[Candidate] = []
        left = gain.copy()
        while len(out) < most:
            k = int(left.argmax())
            if left[k] <= 0.0:
                break
            size = float(np.linalg.norm(moment[k]))
            out.append(Candidate(magnet(self._places[k], moment[k], size, self._shape), float(gain[k])))
            away = self._places[:, :2] - self._places[k, :2]
            left[(away * away).sum(axis=1) < apart * apart] = -np.inf
        return out

    def birth(
        self,
        solver: Solver,
        field: Floats,
        valid: Bools,
        frozen: Floats | None = None,
        background: float = 0.0,
        variance: Floats | None = None,
        priors: Priors | None = None,
        most: int = 3,
    ) -> Candidate | None:
        """The best single new stone beside the frozen field, after a fit from each of the best nodes.

        gain: fall of chi2 against no new stone, over all valid rows, its prior's cost taken off. None
        without one.
        priors: of the one stone (the population's moments where None).
        """
        prior = Priors.free(1) if priors is None else priors
        target = field - background if frozen is None else field - frozen - background
        weight = solver.weights(field, valid, variance)
        before = float((weight * target * target).sum())
        best: Candidate | None = None
        for node in self.best(target, weight, most):
            found = solver.solve(
                field, valid, node.magnets, prior, frozen, background, variance, limit=25, tolerance=0.05
            )
            after = float((weight * found.residual * found.residual).sum()) + prior.cost(found.magnets)
            if best is None or before - after > best.gain:
                best = Candidate(found.magnets, before - after, found)
        return best
