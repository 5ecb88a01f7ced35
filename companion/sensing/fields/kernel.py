"""The optional C kernel (kernel.h, kernel_fit.h): fit and fields of the NumPy reference, with the same answers.

Which of the two works is chosen once, when a program starts (companion.compiled); without a choice it is NumPy.
Numbers go in as one block of doubles and come out as one, so that a call costs a few microseconds.
"""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Final

import numpy as np

from companion.sensing.sensors.layout import Floats

SOURCES: Final = tuple(
    Path(__file__).with_name(f"kernel{name}")
    for name in (".h", "_fit.h", "_fields.c", "_rows.c", "_bodies.c", "_equations.c", "_cholesky.c", "_fit.c")
)
"""What is built into one library; those that are no headers are given to the compiler."""
VERSION: Final = 1
"""Of the layout of the blocks; kernel.h holds the same."""

_SETTINGS: Final = 24
_HEAD: Final = 5


class KernelError(Exception):
    """A file that cannot be used as the kernel, and why."""


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """What the kernel found, for N stones of B bodies: as solver.Fit, with the stones' position,
    axis, side (N, 3) and log_moment (N,).
    """

    cost: float
    background: float
    evaluations: int
    converged: bool
    position: Floats
    axis: Floats
    side: Floats
    log_moment: Floats
    residual: Floats
    rows: Floats
    matrix: "Packed"


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """A normal matrix as the kernel gives it (kernel_fit.c): only the blocks that may be other than 0."""

    numbers: Floats
    bodies: int
    background: bool

    def whole(self) -> Floats:
        """As one matrix (7B [+ 1], the same), in the caller's order."""
        side = 7 * self.bodies + self.background
        out: Floats = np.zeros((side, side))
        order: list[slice] = []
        at = 0
        for _ in range(self.bodies):
            original, first = int(self.numbers[at]), int(self.numbers[at + 1])
            order.append(slice(7 * original, 7 * original + 7))
            at += 2
            for other in order[first:]:
                block = self.numbers[at : at + 49].reshape(7, 7)
                out[order[-1], other] = block
                out[other, order[-1]] = block.T
                at += 49
        if self.background:
            for own in order:
                out[own, -1] = out[-1, own] = self.numbers[at : at + 7]
                at += 7
            out[-1, -1] = self.numbers[at]
        return out


class Kernel:
    """The compiled functions of one file."""

    def __init__(self, path: Path) -> None:
        """Raises KernelError where the file cannot be loaded or is of another version."""
        try:
            library = ctypes.CDLL(str(path))
            version = library.companion_kernel_version()
            self._fit, self._fields = library.companion_fit, library.companion_fields
        except (OSError, AttributeError) as error:
            raise KernelError(f"{path.name} cannot be loaded ({error})") from error
        if version != VERSION:
            raise KernelError(f"{path.name} is of version {version}, not {VERSION}")
        pointer, count = ctypes.c_void_p, ctypes.c_long
        self._fit.argtypes = [pointer, pointer, pointer, count, count, count]
        self._fields.argtypes = [pointer, pointer, pointer, count, count, ctypes.c_double]

    def fields(self, columns: Floats, stones: Sequence[Floats], constant: float) -> Floats:
        """Fields (N, S) mT of N stones at sensors, columns (6, S): x, y, z and axis. stones: position, axis, side and
        shape (N, 3), log_moment (N,). Raises ValueError where the sizes are others.
        """
        count = len(stones[-1])
        block = _block(stones, 13 * count)
        columns = _columns(columns)
        out = np.empty((count, columns.shape[1]))
        self._fields(_at(columns), _at(block), _at(out), columns.shape[1], count, constant)
        return out

    def fit(
        self, columns: Floats, settings: Sequence[float], sizes: Sequence[int], numbers: Sequence[Floats]
    ) -> Solved | None:
        """One fit; None where it has no sound answer, or there is no memory.

        settings, numbers: as kernel_fit.c lists them; sizes (B,): stones of each body. Raises ValueError where there
        are more or fewer numbers than go with them.
        """
        columns = _columns(columns)
        sensors, bodies, stones = columns.shape[1], len(sizes), sum(sizes)
        head = [*settings, *[0.0] * (_SETTINGS - len(settings)), *sizes]
        block = _block([head, *numbers], _SETTINGS + 13 * stones + 11 * bodies + 2 * sensors)
        ends = list(accumulate([_HEAD, 3 * stones, 3 * stones, 3 * stones, stones, sensors, sensors]))
        out = np.empty(ends[-1] + bodies * (49 * (bodies + 1) // 2 + 10) + 1)
        if self._fit(_at(columns), _at(block), _at(out), sensors, bodies, stones):
            return None
        cost, background, evaluations, converged, used = out[:_HEAD].tolist()
        rows = int(used)
        return Solved(
            cost,
            background,
            int(evaluations),
            converged != 0.0,
            out[ends[0] : ends[1]].reshape(-1, 3),
            out[ends[1] : ends[2]].reshape(-1, 3),
            out[ends[2] : ends[3]].reshape(-1, 3),
            out[ends[3] : ends[4]],
            out[ends[4] : ends[4] + rows],
            out[ends[5] : ends[5] + rows],
            Packed(out[ends[6] :], bodies, settings[4] != 0.0),
        )


def _block(parts: Sequence[Floats | Sequence[float]], size: int) -> Floats:
    """In a row, as doubles: the kernel reads so many, whatever is there."""
    block: Floats = np.concatenate(parts, axis=None, dtype=np.float64)
    if block.size != size:
        raise ValueError(f"the kernel needs {size} numbers, {block.size} given")
    return block


def _columns(columns: Floats) -> Floats:
    """As the kernel reads them; no copy where they are so already."""
    if columns.ndim != 2 or len(columns) != 6:
        raise ValueError(f"sensors must be columns (6, S), not {columns.shape}")
    return np.ascontiguousarray(columns, dtype=np.float64)


def _at(array: Floats) -> int:
    address: int = array.ctypes.data
    return address


_used: Kernel | None = None


def use(kernel: Kernel | None) -> None:
    """From now on; None: the NumPy reference."""
    global _used
    _used = kernel


def used() -> Kernel | None:
    """The kernel that works; None where NumPy does."""
    return _used
