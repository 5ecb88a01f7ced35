"""Samples as the arrays of a recording (drivers/recording.py)."""

from collections.abc import Iterable
from typing import Final

import numpy as np

from drivers.recording import LOAD_READ_ERROR, Array
from drivers.sample import LoadSample, Sample

_MOST_LOST: Final = 1000
"""Rows of lost frames that a gap leaves in a recording; a longer one shows in the times."""


def arrays_of(samples: Iterable[Sample], period_us: int) -> dict[str, Array]:
    """The arrays of recording.npz: a row for each frame, of one that never arrived zeros.

    samples: in rising time, all of one table; period_us: between two frames. Raises ValueError where there is none.
    """
    times, lost = list[int](), list[bool]()
    halls, loads = bytearray(), dict[int, int]()
    for sample in samples:
        if times:
            gap = _gap(times[-1], sample.t_us, sample.lost, period_us)
            times += gap
            lost += [True] * len(gap)
            halls += bytes(len(sample.hall) * len(gap))
        times.append(sample.t_us)
        lost.append(False)
        halls += sample.counts
        for load in sample.load:
            if not loads or load.t_us > next(reversed(loads)):
                loads[load.t_us] = load_value(load)
    if not times:
        raise ValueError("no samples")
    return {
        "t_us": np.array(times, dtype=np.uint64),
        "hall": np.frombuffer(halls, dtype="<u2").reshape(len(times), -1),
        "lost": np.array(lost, dtype=bool),
        "load_t_us": np.array(list(loads), dtype=np.uint64),
        "load": np.array(list(loads.values()), dtype=np.int32),
    }


def load_value(load: LoadSample) -> int:
    """A conversion as a recording has it."""
    return LOAD_READ_ERROR if load.counts is None else load.counts


def _gap(before_us: int, t_us: int, lost: int, period_us: int) -> list[int]:
    """Times of frames that were lost between two: all of them evenly, or the first of very many."""
    rows = min(lost, _MOST_LOST)
    step = (t_us - before_us) / (rows + 1) if rows == lost else period_us
    gap = [before_us + round(k * step) for k in range(1, rows + 1)]
    return [t for t in gap if before_us < t < t_us]
