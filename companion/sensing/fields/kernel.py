"""The optional C kernel (kernel.h, kernel_fit.h): fit and fields of the NumPy reference, with the same answers.

Which of the two works is chosen once, when a program starts (companion.compiled); without a choice it is NumPy.
Numbers go in as one block of doubles and come out as one, so that a call costs a few microseconds.
"""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

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
_TABLES: Final = 8  # so many sets of sensors are remembered


class KernelError(Exception):
    """A file that cannot be used as the kernel, and why."""


class Solved(NamedTuple):
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
        self._known: dict[int, tuple[Floats, Floats, int]] = {}  # by id: sensors as given, as C takes them, and where

    def fields(self, columns: Floats, stones: Sequence[Floats], constant: float) -> Floats:
        """Fields (N, S) mT of N stones at sensors, columns (6, S): x, y, z and axis. stones: position, axis, side and
        shape (N, 3), log_moment (N,). Raises ValueError where the sizes are others.
        """
        count = len(stones[-1])
        block = _block(stones, 13 * count)
        at, sensors = self._sensors(columns)
        out = np.empty((count, sensors))
        if out.size:
            self._fields(at, _at(block), _at(out), sensors, count, constant)
        return out

    def fit(
        self,
        columns: Floats,
        settings: Sequence[float],
        sizes: Sequence[int],
        numbers: Sequence[Floats | Sequence[float]],
    ) -> Solved | None:
        """One fit; None where it has no sound answer, or there is no memory.

        settings, numbers: as kernel_fit.c lists them; sizes (B,): stones of each body. Raises ValueError where there
        are more or fewer numbers than go with them.
        """
        at, sensors = self._sensors(columns)
        bodies, stones = len(sizes), sum(sizes)
        head = [*settings, *[0.0] * (_SETTINGS - len(settings)), *sizes]
        block = _block([head, *numbers], _SETTINGS + 13 * stones + 11 * bodies + 2 * sensors)
        moments = _HEAD + 9 * stones
        residual = moments + stones
        rows = residual + sensors
        out = np.empty(rows + sensors + bodies * (49 * (bodies + 1) // 2 + 10) + 1)
        if self._fit(at, _at(block), _at(out), sensors, bodies, stones):
            return None
        cost, background, evaluations, converged, used = out[:_HEAD].tolist()
        position, axis, side = out[_HEAD:moments].reshape(3, -1, 3)
        return Solved(
            cost,
            background,
            int(evaluations),
            converged != 0.0,
            position,
            axis,
            side,
            out[moments:residual],
            out[residual : residual + int(used)],
            out[rows : rows + int(used)],
            Packed(out[rows + sensors :], bodies, settings[4] != 0.0),
        )

    def _sensors(self, columns: Floats) -> tuple[int, int]:
        """Where C finds sensors, columns (6, S), and how many; a table's are the same in every call."""
        known = self._known.get(id(columns))
        if known is None:
            if columns.ndim != 2 or len(columns) != 6:
                raise ValueError(f"sensors must be columns (6, S), not {columns.shape}")
            taken = np.ascontiguousarray(columns, dtype=np.float64)
            if len(self._known) >= _TABLES:
                self._known = {}
            known = self._known[id(columns)] = columns, taken, taken.ctypes.data
        return known[2], known[1].shape[1]


def _block(parts: Sequence[Floats | Sequence[float]], size: int) -> Floats:
    """In a row, as doubles: the kernel reads so many, whatever is there."""
    block: Floats = np.concatenate(parts, axis=None, dtype=np.float64)
    if block.size != size:
        raise ValueError(f"the kernel needs {size} numbers, {block.size} given")
    return block


def _at(array: Floats) -> int:
    """Of one that is not empty; numpy's own takes three times longer."""
    return ctypes.addressof(ctypes.c_char.from_buffer(array.data))


_used: Kernel | None = None


def use(kernel: Kernel | None) -> None:
    """From now on; None: the NumPy reference."""
    global _used
    _used = kernel


def used() -> Kernel | None:
    """The kernel that works; None where NumPy does."""
    return _used
