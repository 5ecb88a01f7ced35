"""A recording whose parts over a thin link stay the same, to the byte, while its whole frames do not.

Where nothing moves but what is faint, the scans that a part is the mean of come in another order, each sensor's by
itself. Whole frames have other noise so, of the same size; no part says which of the two it was. So far apart as their
replays are, no filling in between parts can be near both.
"""

from dataclasses import replace

import numpy as np

from drivers.recording import Recording
from tests.drivers.thin import EVERY

FIRST = 6
"""Scans until a part has gone, of more than EVERY."""
QUIET = 2.0
"""Counts from one mean to the next, of no sensor more: noise alone makes that of hardly one, and a stone that comes by
hand 60 mm high changes less."""


def reordered(recording: Recording, seed: int) -> Recording:
    heard = np.flatnonzero(~recording.lost)[FIRST:]
    heard = heard[: len(heard) // EVERY * EVERY]
    scans = recording.hall[heard].reshape(-1, EVERY, recording.hall.shape[1])
    change = np.abs(np.diff(scans.mean(axis=1), axis=0)).max(axis=1)
    quiet = (np.append(change, np.inf) < QUIET) & (np.append(np.inf, change) < QUIET)
    other = np.random.default_rng(seed).permuted(scans, axis=1)
    hall = recording.hall.copy()
    hall[heard] = np.where(quiet[:, None, None], other, scans).reshape(len(heard), -1)
    return replace(recording, hall=hall)
