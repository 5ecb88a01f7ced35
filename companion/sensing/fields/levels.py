"""The normal equations of many bodies, level by level, so that their cost grows with the number of bodies alone.

Bodies of which no row says anything about both do not meet in the normal matrix. Counted from one end of the board in
steps of such meetings (the level sets of Cuthill and McKee, 1969) each level meets only the one before and the one
after: the matrix is block tridiagonal and is solved by block elimination, with the same answer as whole.
"""

from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.sensing.fields.dipole import UNKNOWNS
from companion.sensing.sensors.layout import Bools, Floats

LEAST_BODIES: Final = 12
LEAST_LEVELS: Final = 3
SMALL: Final = 4
"""Levels of so few bodies are put together with the next one."""


class Levels:
    """How B bodies fall into levels. near (B, U): which rows say something about which body; centres (B, 3) mm."""

    def __init__(self, levels: list[npt.NDArray[np.int64]], near: Bools) -> None:
        self._levels = levels
        self._size = UNKNOWNS * len(near)
        rows = [near[level].any(axis=0) for level in levels]
        self._own = [np.flatnonzero(r) for r in rows]
        self._common = [np.flatnonzero(a & b) for a, b in pairwise(rows)]
        self._at = [(UNKNOWNS * level[:, None] + np.arange(UNKNOWNS)).ravel() for level in levels]

    @classmethod
    def of(cls, near: Bools, centres: Floats) -> "Levels | None":
        """None where there are too few bodies or all of them meet, so that nothing is gained."""
        if len(near) < LEAST_BODIES:
            return None
        counted = near.astype(np.float32)
        meets = counted @ counted.T > 0.0
        spread = centres[:, :2] - centres[:, :2].mean(axis=0)
        along = spread @ np.linalg.eigh(spread.T @ spread)[1][:, 1]
        left = np.ones(len(near), dtype=bool)
        found: list[npt.NDArray[np.int64]] = []
        while left.any():
            front = np.zeros(len(near), dtype=bool)
            if found:
                front = left & meets[found[-1]].any(axis=0)
            if not front.any():  # the next group that meets none of those before
                front[np.flatnonzero(left)[int(along[left].argmin())]] = True
            left &= ~front
            found.append(np.flatnonzero(front))
        merged: list[npt.NDArray[np.int64]] = []
        for each in found:
            if merged and len(merged[-1]) < SMALL:
                merged[-1] = np.concatenate([merged[-1], each])
            else:
                merged.append(each)
        return cls(merged, near) if len(merged) >= LEAST_LEVELS else None

    def square(self, slopes: Floats, stiff: Floats) -> "Blocks":
        """The normal matrix of slopes (B, 7, U), each body's 0 where nothing is near, with stiff (7B,) on its
        diagonal.
        """
        own, beside = [], []
        for level, rows, at in zip(self._levels, self._own, self._at, strict=True):
            j = slopes[level][:, :, rows].reshape(len(at), -1)
            block = j @ j.T
            block.flat[:: len(at) + 1] += stiff[at]
            own.append(block)
        for k, rows in enumerate(self._common):
            first = slopes[self._levels[k]][:, :, rows].reshape(len(self._at[k]), -1)
            second = slopes[self._levels[k + 1]][:, :, rows].reshape(len(self._at[k + 1]), -1)
            beside.append(first @ second.T)
        return Blocks(self._at, own, beside)


class Blocks:
    """A block tridiagonal matrix: own blocks on the diagonal, `beside` above it."""

    def __init__(self, at: list[npt.NDArray[np.int64]], own: list[Floats], beside: list[Floats]) -> None:
        self._at, self._own, self._beside = at, own, beside

    def solve(self, damping: float, pull: Floats) -> Floats:
        """The step that (this + damping x its diagonal) takes to pull (7B,)."""
        turned: list[tuple[Floats, Floats]] = []
        below: Floats | None = None
        for k, (at, own) in enumerate(zip(self._at, self._own, strict=True)):
            block, right = own.copy(), pull[at]
            block.flat[:: len(at) + 1] *= 1.0 + damping
            if below is not None:
                before, rest = turned[-1]
                block -= below.T @ before
                right = right - below.T @ rest
            if k == len(self._beside):
                out = np.empty(len(pull))
                out[at] = last = np.linalg.solve(block, right)
                break
            below = self._beside[k]
            found: Floats = np.asarray(np.linalg.solve(block, np.column_stack([below, right])), dtype=np.float64)
            turned.append((found[:, :-1], found[:, -1]))
        for at, (ahead, rest) in zip(reversed(self._at[:-1]), reversed(turned), strict=True):
            out[at] = last = rest - ahead @ last
        return out

    def whole(self) -> Floats:
        """As one matrix (7B, 7B)."""
        size = sum(len(at) for at in self._at)
        out: Floats = np.zeros((size, size))
        for at, own in zip(self._at, self._own, strict=True):
            out[np.ix_(at, at)] = own
        for first, second, block in zip(self._at[:-1], self._at[1:], self._beside, strict=True):
            out[np.ix_(first, second)] = block
            out[np.ix_(second, first)] = block.T
        return out
