"""From raw counts to readings: mT at the sensors that can be trusted, grams of the load cell.

    reader = Reader(layout)
    for sample in samples:
        reading = reader.read(sample)          # None until the zeros are known
        ...
        reader.follow(residual, quiet)         # once per frame that is at rest: slow drift of the zeros

Every session begins with an empty board for some seconds; from them zero and noise of each sensor are
learned.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from companion.sensing.fault import SensorWatch
from companion.sensing.layout import Bools, Floats, TableLayout
from companion.sensing.load import LoadCell, LoadReading, RawLoad
from companion.sensing.zero import Zero, ZeroLearner
from companion.table.time import BoardTime


class RawSample(Protocol):
    """What drivers.sample.Sample offers; sensing does not import drivers."""

    @property
    def t_us(self) -> int: ...
    @property
    def sequence(self) -> int: ...
    @property
    def hall(self) -> bytes: ...
    @property
    def fresh(self) -> bytes | None: ...
    @property
    def load(self) -> Sequence[RawLoad]: ...
    @property
    def lost(self) -> int: ...


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One frame in physical units.

    t_us: board time of the frame's start (sensor k was read layout.delay_us[k] later). field (S,): mT along
    each sensor's axis above its zero. valid (S,): false where the sensor is saturated, at fault or not
    measured yet; field is 0 there. load: weighings since the reading before. lost: frames missing just
    before this one.
    """

    t_us: BoardTime
    sequence: int
    field: Floats
    valid: Bools
    load: tuple[LoadReading, ...] = ()
    lost: int = 0


class Reader:
    """Makes readings of one session's samples, in their order."""

    def __init__(self, layout: TableLayout, zero: Zero | None = None, drift_s: float = 20.0) -> None:
        """zero: the last good one of this table, used where a new one is refused. drift_s: time constant of
        `follow`.

        Raises ValueError where the zero is not for as many sensors.
        """
        if zero is not None and len(zero.counts) != layout.count:
            raise ValueError(f"the zero is for {len(zero.counts)} sensors, the table has {layout.count}")
        self._layout = layout
        self._last_good = zero
        self._zero: Zero | None = None
        self._learner = ZeroLearner(layout, zero)
        self._watch = SensorWatch(layout)
        self._load = LoadCell(layout.load_gain, layout.load_offset)
        self._drift_s = drift_s
        self._drift = np.zeros(layout.count)
        self._last_t: BoardTime | None = None
        self._step_s = 0.0
        self._trouble: tuple[str, ...] = ()

    @property
    def ready(self) -> bool:
        """Whether zeros are known, so that readings come."""
        return self._zero is not None

    @property
    def zero(self) -> Zero | None:
        """The zeros in use, drift included; None before they are known. Keep it for the next session."""
        if self._zero is None:
            return None
        return Zero(self._zero.counts + self._drift, self._zero.noise, self._zero.error)

    @property
    def sigma(self) -> Floats:
        """Standard deviation (S,) of one reading in mT: noise, quantisation, error of the zero. Needs
        `ready`.
        """
        if self._zero is None:
            raise ValueError("the zeros are not known yet; wait until the reader is ready")
        return np.hypot(self._zero.noise, self._zero.error) / np.abs(self._layout.gain)

    @property
    def faults(self) -> tuple[str, ...]:
        """Codes of what is wrong now: sensor_dead:A17, sensor_stuck:..., sensor_noisy:..., zero_unsettled,
        zero_refused:A17 (something magnetic lies there), load_absent, load_saturated, load_spikes."""
        return (*self._trouble, *self._watch.faults, *self._load.faults)

    def read(self, sample: RawSample) -> Reading | None:
        """The reading of a sample; None while zeros are being learned (load samples of that time are
        dropped).

        Raises ValueError where the sample has another number of sensors or fresh marks than the table.
        """
        count = self._layout.count
        if len(sample.hall) != 2 * count or (sample.fresh is not None and len(sample.fresh) != count):
            raise ValueError(f"a sample with {len(sample.hall) // 2} sensors came, the table has {count}")
        counts = np.frombuffer(sample.hall, dtype="<u2").astype(np.float64)
        fresh = None if sample.fresh is None else np.frombuffer(sample.fresh, dtype=np.uint8) != 0
        self._step_s = 0.0 if self._last_t is None else min(max(sample.t_us - self._last_t, 0) * 1e-6, 0.1)
        self._last_t = sample.t_us
        valid = self._watch.update(counts, fresh)
        load = self._load.update(sample.t_us, sample.load)
        if self._zero is None:
            self._learn(sample.t_us, counts, valid)
            return None
        field = np.where(valid, (counts - self._zero.counts - self._drift) / self._layout.gain, 0.0)
        return Reading(sample.t_us, sample.sequence, field, valid, load, sample.lost)

    def follow(self, residual: Floats, quiet: Bools) -> None:
        """Let the zeros follow slowly: residual (S,) mT, what the newest reading shows above everything
        modelled; quiet (S,): where nothing moves nearby. On an empty board the residual is the reading's
        field itself."""
        part = self._step_s / self._drift_s
        self._drift += np.where(quiet, part * residual * self._layout.gain, 0.0)

    def _learn(self, t_us: BoardTime, counts: Floats, valid: Bools) -> None:
        found = self._learner.add(t_us, counts, valid)
        if found is None:
            return
        self._trouble = found.trouble
        self._zero = found.zero
        if found.zero is None and self._last_good is not None and found.refused:
            self._zero = self._last_good
        if self._zero is not None:
            self._watch.noise_known(self._zero.noise)
