"""What some seconds of counts of an empty board say of each sensor: mean, noise, and whether it is a part's or a
stone's."""

from typing import Final

import numpy as np

from companion.sensing.sensors.layout import Bools, Floats

_QUANTISATION: Final = 1.0 / 12.0  # variance of rounding to whole counts
_STUCK_EVIDENCE: Final = 5.0
"""Log of the chance that a usual sensor gives one count for so long. Who is wrongly suspected loses nothing: it counts
again with its first other count."""


def noise_of(variance: Floats, number: Floats) -> tuple[Floats, Floats]:
    """Noise of one reading and error of the mean, in counts, from the variance of `number` rounded readings.

    Rounding has a variance of 1/12 and, where the noise s before it is too small to dither, leaves an error
    of the mean of up to exp(-2 pi^2 s^2) / pi (Widrow and Kollar, Quantization Noise, 2008).
    """
    before = np.maximum(variance - _QUANTISATION, 0.0)
    bias = np.exp(-2.0 * np.pi**2 * before) / np.pi / np.sqrt(2.0)
    noise = np.sqrt(np.maximum(variance, _QUANTISATION))
    return noise, np.sqrt(noise**2 / np.maximum(number, 1.0) + bias**2)


def stuck_from_the_start(variance: Floats, number: Floats, known: Bools) -> Bools:
    """Sensors (S,) that gave one count only, where the noise of the others makes that unlikely: one that has been
    stuck from the start, anywhere in its range, looks like a stone.
    """
    none = np.zeros(len(variance), dtype=np.bool_)
    constant = known & (variance == 0.0)
    if not known.any() or constant.sum() > 0.2 * known.sum():
        return none  # sensors without noise
    # The quietest of those that do change: how often one whose mean is in the middle of a count shows another.
    seldom = min(float(np.percentile(variance[known & ~constant], 5.0)), 0.5)
    out: Bools = constant & (number * -np.log1p(-seldom) > _STUCK_EVIDENCE)
    return out


def white(frames: Floats, good: Bools, variance: Floats) -> Bools:
    """Sensors (S,) whose unrest is from one frame to the next: a part's noise; what a hand moves is smooth."""
    both = good[1:] & good[:-1]
    step = np.where(both, np.diff(frames, axis=0), 0.0)
    out: Bools = (step**2).sum(axis=0) / np.maximum(both.sum(axis=0), 1) > variance
    return out


def moments(frames: Floats, good: Bools) -> tuple[Floats, Floats, Floats]:
    """Mean and variance of counts (T, S), and of how many, each (S,), where good (T, S)."""
    number = good.sum(axis=0).astype(np.float64)
    divisor = np.maximum(number, 1.0)
    mean = np.where(good, frames, 0.0).sum(axis=0) / divisor
    variance = np.where(good, (frames - mean) ** 2, 0.0).sum(axis=0) / divisor
    return mean, variance, number


def spread_of(values: Floats) -> float:
    """Standard deviation from the median absolute deviation."""
    if len(values) == 0:
        return 0.0
    return float(1.4826 * np.median(np.abs(values - np.median(values))))
