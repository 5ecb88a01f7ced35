"""The load cell: counts to grams, without the values that a disturbed HX711 makes up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from companion.table.time import SECOND, BoardTime

TOP: Final = 0x7FFFFF
BOTTOM: Final = -0x800000
_SUSPECT_COUNTS: Final = 2000.0
"""A value of a disturbed clock is only suspected where it is this far from the one before (5 g and more)."""
_ABSENT_US: Final = SECOND
_SATURATED_RUN: Final = 8
_SPIKE_RATE: Final = 0.02
_RATIOS: Final = (0.25, 0.5, 2.0, 4.0)
_RATIO_ERROR: Final = 0.003
_GAIN_RUN: Final = 3
_BAD_RUN: Final = 80  # conversions; so long without a single weight something is wrong with its chip
_WILD_COUNTS: Final = 200_000.0  # from one conversion to the next: half a kilogram
_WILD_MEMORY, _WILD_PART = 0.05, 0.4
_GAIN_PATIENCE: Final = 800  # conversions; after that the new level is taken as it is


class RawLoad(Protocol):
    """What drivers.sample.LoadSample offers."""

    @property
    def t_us(self) -> int: ...
    @property
    def counts(self) -> int | None: ...
    @property
    def error(self) -> str: ...


@dataclass(frozen=True, slots=True)
class LoadReading:
    """One weighing: board time of the conversion and grams above the nominal offset (not tared)."""

    t_us: BoardTime
    grams: float


class LoadCell:
    """Turns conversions to grams and keeps away what is no weight.

    A late clock edge shifts ones into the result (bogde/HX711#83): single values of the kind 2^n - 1, or 0,
    far from both neighbours. Such a value waits for the next one and is believed only if that agrees and, as
    any weight with its noise, is not of the kind. The
    ends of the range are never a weight. A pulse too many or too few switches the amplifier to another gain
    (bogde/HX711#75): the whole count, offset included, jumps to a half, a quarter or twice as much and stays there;
    such values are no weight until the count is as before.
    """

    def __init__(self, gain: float, offset: float) -> None:
        """gain: counts/g, 0 without a load cell; offset: counts."""
        self._gain = gain
        self._offset = offset
        self._last: int | None = None
        self._waiting: tuple[BoardTime, int] | None = None
        self._ends = 0
        self._seen_t: BoardTime | None = None
        self._now: BoardTime = 0
        self._spikes = 0.0
        self._bad = 0  # conversions since the last weight
        self._raw: int | None = None
        self._wild = 0.0
        self._ratio: float | None = None
        self._switched = 0
        self.rejected = 0

    @property
    def faults(self) -> tuple[str, ...]:
        """load_absent (no conversion for a second), load_random (no weight jumps so), load_saturated (stays at an end),
        load_gain (the amplifier has switched its gain), load_faulty (nothing but errors), load_spikes (> 2 % made up).
        """
        if self._gain == 0.0:
            return ()
        out: list[str] = []
        if self._seen_t is not None and self._now - self._seen_t > _ABSENT_US:
            out.append("load_absent")
        if self._wild > _WILD_PART:
            out.append("load_random")
        elif self._ends >= _SATURATED_RUN:
            out.append("load_saturated")
        elif self._switched >= _GAIN_RUN:
            out.append("load_gain")
        elif self._bad >= _BAD_RUN:
            out.append("load_faulty")
        elif self._spikes > _SPIKE_RATE:
            out.append("load_spikes")
        return tuple(out)

    def update(self, t_us: BoardTime, samples: Sequence[RawLoad]) -> tuple[LoadReading, ...]:
        """The weighings among the conversions that came with the frame at t_us, in order."""
        self._now = t_us
        if self._seen_t is not None and t_us - self._seen_t > _ABSENT_US and samples:
            self._last, self._ratio, self._switched = None, None, 0  # who knows what was put on meanwhile
        if self._seen_t is None:
            self._seen_t = t_us
        if self._gain == 0.0:
            return ()
        out: list[LoadReading] = []
        for sample in samples:
            self._seen_t = t_us
            self._one(sample, out)
        return tuple(out)

    def _one(self, sample: RawLoad, out: list[LoadReading]) -> None:
        counts = sample.counts
        if counts is None or sample.error or counts >= TOP or counts <= BOTTOM:
            self._ends += counts is not None and not sample.error
            self._reject()
            return
        self._ends = 0
        if self._raw is not None:
            self._wild += _WILD_MEMORY * ((abs(counts - self._raw) > _WILD_COUNTS) - self._wild)
        self._raw = counts
        if self._wild > _WILD_PART:
            self.rejected += 1
            self._waiting = None
            return
        if self._at_other_gain(counts):
            self._switched += 1
            self.rejected += 1
            return
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            if abs(counts - waiting[1]) < _SUSPECT_COUNTS and not is_shifted(counts):
                self._pass(*waiting, out)
            else:
                self._reject()
        far = self._last is not None and abs(counts - self._last) > _SUSPECT_COUNTS
        if far and is_shifted(counts):
            self._waiting = (sample.t_us, counts)
            return
        self._pass(sample.t_us, counts, out)

    def _at_other_gain(self, counts: int) -> bool:
        """Whether the amplifier's gain is another one than before; the first such value decides which."""
        if self._last is None or abs(self._last) < 2.0 * _SUSPECT_COUNTS:
            return False
        off = abs(counts - (self._ratio or 1.0) * self._last)
        if (
            self._ratio is not None
            and self._switched < _GAIN_RUN
            and off > _RATIO_ERROR * abs(self._ratio * self._last)
        ):
            self._ratio, self._switched = None, 0  # what was put on swings; an amplifier does not
            return False
        if self._ratio is None:
            for ratio in _RATIOS:
                if abs(counts - ratio * self._last) < _RATIO_ERROR * abs(ratio * self._last):
                    self._ratio = ratio
                    return True
            return False
        back = abs(counts - self._last) <= abs(counts - self._ratio * self._last)
        if back or self._switched >= _GAIN_PATIENCE:
            self._ratio, self._switched = None, 0
            return False
        return True

    def _pass(self, t_us: BoardTime, counts: int, out: list[LoadReading]) -> None:
        self._last, self._bad = counts, 0
        self._spikes *= 0.995
        out.append(LoadReading(t_us, (counts - self._offset) / self._gain))

    def _reject(self) -> None:
        self.rejected += 1
        self._bad += 1
        self._spikes = self._spikes * 0.995 + 0.005


def is_shifted(counts: int) -> bool:
    """Whether a value is of the kind that a shifted read gives: 2^n - 1 (0 too), also as a negative
    number.
    """
    bits = counts & 0xFFFFFF
    return bits & (bits + 1) == 0
