"""A recording whose parts over a thin link stay the same, to the byte, while its whole frames do not.

The scans that a part is the mean of come in another order, sensor by sensor, where a sensor changes by less than the
noise of a scan or two. Whole frames have other noise so, of the same size; no part says which of the two it was. So far
apart as their replays are, no filling in between parts can be near both.
"""

from dataclasses import replace

import numpy as np

from drivers.recording import Recording
from tests.drivers.thin import EVERY

FIRST = 6
"""Scans until a part has gone, of more than EVERY."""
QUIET = 2.0
"""Counts from one mean to the next."""


def reordered(recording: Recording, seed: int) -> Recording:
    heard = np.flatnonzero(~recording.lost)[FIRST:]
    heard = heard[: len(heard) // EVERY * EVERY]
    scans = recording.hall[heard].reshape(-1, EVERY, recording.hall.shape[1])
    change = np.abs(np.diff(scans.mean(axis=1), axis=0))
    edge = np.zeros((1, change.shape[1]))
    quiet = (np.concatenate([edge, change]) < QUIET) & (np.concatenate([change, edge]) < QUIET)
    other = np.random.default_rng(seed).permuted(scans, axis=1)
    hall = recording.hall.copy()
    hall[heard] = np.where(quiet[:, None, :], other, scans).reshape(len(heard), -1)
    return replace(recording, hall=hall)
