"""Conversions of the load cell, from the board's ticks to board time."""

from collections.abc import Iterable

from drivers.sample import LoadSample
from drivers.wire.messages import LOAD_ERRORS

_FAR_US = 2_000_000  # a conversion further from its frame is a fault of the board
_HALF_TICKS = 1 << 31


def dated(loads: Iterable[tuple[int, int]], ticks: int, t_us: int) -> list[LoadSample]:
    """Conversions (ticks, value) of the frame that began at `ticks`, which is the board time t_us; ticks wrap.

    One that is dated far from its frame is left out; a value beyond 24 bits is an error's code.
    """
    out = []
    for at, value in loads:
        after = (at - ticks + _HALF_TICKS) % (2 * _HALF_TICKS) - _HALF_TICKS
        if abs(after) > _FAR_US:
            continue
        sound = -(1 << 23) <= value < 1 << 23
        out.append(
            LoadSample(t_us + after, value)
            if sound
            else LoadSample(t_us + after, None, LOAD_ERRORS.get(value, "unknown"))
        )
    return out
