"""Parts that serve many sensors, found by their sensors' counts: tiles, multiplexers, select lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.sensing.sensors.layout import Bools, Floats, Ints, TableLayout
from companion.sensing.sensors.multiplexers import SAME_IN_THE_MEAN, between, multiplexers

_SELECT_LINES: Final = 4
_ALIKE_COUNTS: Final = 0.7  # between the means of two readings of one and the same sensor
_LEAST_PAIRS: Final = 4
_ALIKE_PART: Final = 0.85
_LEAST_SPREAD: Final = 1.5
"""Counts from one sensor's zero to another's; where all are alike, alike says nothing."""


@dataclass(frozen=True, slots=True)
class Finding:
    """code: what is wrong; where: the part's name, "" for the whole table; figure: how much, if it is an amount."""

    code: str
    where: str = ""
    figure: float = 0.0


def faulty_parts(layout: TableLayout, frames: Floats) -> tuple[list[Finding], Bools]:
    """Tiles, multiplexers and select lines in some seconds of counts (T, S), whatever lies on the board; and which
    sensors (S,) they explain.
    """
    out = list[Finding]()
    known = np.zeros(layout.count, dtype=np.bool_)
    mean = frames.mean(axis=0)
    if float(np.std(mean)) < _LEAST_SPREAD:
        return out, known
    gone = _gone(frames, layout.full_scale)
    lines: list[tuple[str, int, Ints]] = []
    for tile in range(len(layout.triangles)):
        at = np.flatnonzero(layout.tile == tile)
        name = layout.names[at[0]].removesuffix("0")
        if gone[at].mean() > 0.9:
            out.append(Finding("tile_missing", name))
            known[at] = True
            continue
        parts = multiplexers(at)
        alike = between(mean[at], np.searchsorted(at, [on[0] for on in parts])) < SAME_IN_THE_MEAN
        for number, on in enumerate(parts):
            where = f"{name}-{number}"  # as on the template
            if gone[on].mean() > 0.9 or alike[number]:  # its enable or its output is not connected
                out.append(Finding("multiplexer_missing", where))
                known[on] = True
                continue
            lines += [(where, bit, on) for bit in range(_SELECT_LINES) if _stuck_line(mean[on], bit)]
    total = sum(len(multiplexers(np.flatnonzero(layout.tile == t))) for t in range(len(layout.triangles)))
    for bit in range(_SELECT_LINES):
        hurt = [(where, on) for where, stuck, on in lines if stuck == bit]
        for _, on in hurt:
            known[on] = True
        if len(hurt) > 0.7 * total:
            out.append(Finding("select_stuck", f"S{bit}"))
        else:
            out += [Finding("select_stuck", f"S{bit}:{where}") for where, _ in hurt]
    return out, known


def _gone(frames: Floats, full_scale: int) -> Bools:
    """Sensors (S,) at an end of the range, or at one value without any noise, throughout."""
    middle = np.median(frames, axis=0)
    out: Bools = (middle <= 2.0) | (middle >= full_scale - 2.0)
    return out


def _stuck_line(mean: Floats, bit: int) -> bool:
    """Whether addresses that differ in one bit read the same sensor."""
    pairs: Sequence[tuple[int, int]] = [
        (a, a ^ (1 << bit)) for a in range(len(mean)) if not a & (1 << bit) and a ^ (1 << bit) < len(mean)
    ]
    if len(pairs) < _LEAST_PAIRS:
        return False
    apart = np.array([abs(float(mean[a] - mean[b])) for a, b in pairs])
    return bool((apart < _ALIKE_COUNTS).mean() >= _ALIKE_PART)
