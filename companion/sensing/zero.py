"""The zeros of the sensors, learned while the board is empty, and refused where it is not (known failure
E5).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import erf
from typing import Any, Final

import numpy as np

from companion.sensing.births import LYING_MM, Births
from companion.sensing.layout import Bools, Floats, TableLayout
from companion.table.time import SECOND, BoardTime

LEARN_US: Final = 2 * SECOND
AGAIN_US: Final = 10 * SECOND
"""Drift takes minutes: zeros younger than that are as good as new ones."""
_QUANTISATION: Final = 1.0 / 12.0  # variance of rounding to whole counts
_STONE_SCORE: Final = 60.0
_LEAST_OFFSET_SPREAD: Final = 2.0  # counts
_UNSETTLED_COUNTS: Final = 1.5
_STUCK_EVIDENCE: Final = 20.0  # log of the chance that a sound sensor gives one count for so long
_RESTLESS: Final = 3  # so many sensors with too much noise: something moves; fewer are at fault themselves


@dataclass(frozen=True, slots=True, eq=False)
class Zero:
    """counts (S,): what the sensors read without a stone. noise (S,): standard deviation of one reading in
    counts, quantisation included. error (S,): standard deviation of counts itself."""

    counts: Floats
    noise: Floats
    error: Floats

    def to_json(self) -> dict[str, Any]:
        """JSON values, for the state on disk."""
        return {"counts": self.counts.tolist(), "noise": self.noise.tolist(), "error": self.error.tolist()}

    @classmethod
    def from_json(cls, obj: Mapping[str, Any]) -> "Zero":
        """Raises ValueError where a field is missing or not a list of as many finite numbers as the
        others.
        """
        try:
            parts = [np.array(obj[key], dtype=np.float64) for key in ("counts", "noise", "error")]
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError("malformed zero: counts, noise and error must be lists of numbers") from error
        if any(p.ndim != 1 or p.shape != parts[0].shape or not np.isfinite(p).all() for p in parts):
            raise ValueError("malformed zero: counts, noise and error must be equally long and finite")
        return cls(*parts)


@dataclass(frozen=True, slots=True)
class ZeroResult:
    """zero: None where none could be learned. trouble: fault codes. refused: something magnetic lies on the
    board.
    """

    zero: Zero | None
    trouble: tuple[str, ...] = ()
    refused: bool = False


class ZeroLearner:
    """Takes frames of an empty board and gives a zero after LEARN_US; goes on trying where it must refuse."""

    def __init__(self, layout: TableLayout, last_good: Zero | None = None) -> None:
        """last_good: an earlier zero of the same table; against it even a far stone shows."""
        self._layout = layout
        self._last_good = last_good
        self._since: BoardTime | None = None
        self._counts: list[Floats] = []
        self._valid: list[Bools] = []
        self._births: Births | None = None
        self._learn_us = LEARN_US - round(SECOND / 2.0 / layout.frame_rate)
        """Half a frame less: whether a frame comes just before or just after the beat must not matter."""

    def again(self, last_good: Zero) -> None:
        """Begin anew, beside zeros that are known."""
        self._last_good, self._since = last_good, None
        self._counts.clear()
        self._valid.clear()

    def add(self, t_us: BoardTime, counts: Floats, valid: Bools) -> ZeroResult | None:
        """One frame; None while there are not enough."""
        if self._since is None:
            self._since = t_us
        self._counts.append(counts)
        self._valid.append(valid)
        if t_us - self._since < self._learn_us or len(self._counts) < 20:
            return None
        result = self._judge()
        if result.zero is None:
            half = len(self._counts) // 2
            del self._counts[:half], self._valid[:half]
            self._since = t_us - LEARN_US // 2
        return result

    def _judge(self) -> ZeroResult:
        frames = np.array(self._counts)
        good = np.array(self._valid)
        half = len(frames) // 2
        first, _, _ = _moments(frames[:half], good[:half])
        second, _, _ = _moments(frames[half:], good[half:])
        mean, variance, number = _moments(frames, good)
        known = (number >= half) & ~_stuck(variance, number)
        usual = self._layout.offset if self._last_good is None else self._last_good.counts
        mean = np.where(known, mean, usual)
        noise, error = noise_of(variance, number)
        zero = Zero(mean, noise, error)
        stone = self._stone(zero, known)
        if stone is not None:
            return ZeroResult(None, (f"zero_refused:{stone}",), refused=True)
        moved = np.abs(first - second) - 4.0 * np.sqrt(variance * 4.0 / np.maximum(number, 1.0))
        typical = float(np.median(variance[known])) if known.any() else 0.0
        restless = known & (variance > 4.0 * typical + _UNSETTLED_COUNTS)
        if bool((known & (moved > _UNSETTLED_COUNTS)).any()) or int(restless.sum()) >= _RESTLESS:
            return ZeroResult(None, ("zero_unsettled",))
        return ZeroResult(zero)

    def _stone(self, zero: Zero, known: Bools) -> str | None:
        """The sensor nearest to a stone that lies there, None without one."""
        layout = self._layout
        away = zero.counts - layout.offset
        spread = np.full(layout.count, max(_spread(away[known]), _LEAST_OFFSET_SPREAD))
        if self._last_good is not None:
            away = zero.counts - self._last_good.counts
            spread = np.hypot(np.full(layout.count, max(_spread(away[known]), 0.3)), self._last_good.error)
        noise = spread / layout.gain
        usual = float(np.median(noise))
        damp = np.where(known, np.minimum(1.0, usual / noise), 0.0)
        if self._births is None:
            self._births = Births(layout, LYING_MM)
        found = self._births.search(damp * away / layout.gain, usual, np.zeros((0, 3)), 0.0, most=1)
        if not found or found[0].score < _STONE_SCORE:
            return None
        here = found[0].place[:2]
        near = np.hypot(*(layout.position[:, :2] - here).T)
        return layout.names[int(near.argmin())]


def noise_of(variance: Floats, number: Floats) -> tuple[Floats, Floats]:
    """Noise of one reading and error of the mean, in counts, from the variance of `number` rounded readings.

    Rounding has a variance of 1/12 and, where the noise s before it is too small to dither, leaves an error
    of the mean of up to exp(-2 pi^2 s^2) / pi (Widrow and Kollar, Quantization Noise, 2008).
    """
    before = np.maximum(variance - _QUANTISATION, 0.0)
    bias = np.exp(-2.0 * np.pi**2 * before) / np.pi / np.sqrt(2.0)
    noise = np.sqrt(np.maximum(variance, _QUANTISATION))
    return noise, np.sqrt(noise**2 / np.maximum(number, 1.0) + bias**2)


def _stuck(variance: Floats, number: Floats) -> Bools:
    """Sensors (S,) that gave one count only, where the noise of the others makes that impossible: one that has been
    stuck from the start, anywhere in its range, looks like a stone.
    """
    before = float(np.sqrt(max(float(np.median(variance)) - _QUANTISATION, 0.0)))
    stay = erf(0.5 / np.sqrt(2.0) / max(before, 1e-3))  # the chance to round to the same count, at best
    out: Bools = (variance == 0.0) & (number * -np.log(min(stay, 1.0 - 1e-9)) > _STUCK_EVIDENCE)
    return out


def _moments(frames: Floats, good: Bools) -> tuple[Floats, Floats, Floats]:
    number = good.sum(axis=0).astype(np.float64)
    divisor = np.maximum(number, 1.0)
    mean = np.where(good, frames, 0.0).sum(axis=0) / divisor
    variance = np.where(good, (frames - mean) ** 2, 0.0).sum(axis=0) / divisor
    return mean, variance, number


def _spread(values: Floats) -> float:
    """Standard deviation from the median absolute deviation."""
    if len(values) == 0:
        return 0.0
    return float(1.4826 * np.median(np.abs(values - np.median(values))))
