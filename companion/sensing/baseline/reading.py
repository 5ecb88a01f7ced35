"""From raw counts to readings: mT at the sensors that can be trusted, grams of the load cell.

    reader = Reader(layout)
    for sample in samples:
        reading = reader.read(sample)          # None until the zeros are known
        ...
        shift = reader.empty(surely)           # once a reading: learns the zeros again while the board is empty

Every session begins with an empty board for some seconds; from them zero and noise of each sensor are
learned.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from companion.sensing.baseline.zero import AGAIN_US, Zero, ZeroLearner, ZeroResult, filled_variance
from companion.sensing.sensors.fault import SensorWatch
from companion.sensing.sensors.layout import Bools, Floats, TableLayout
from companion.sensing.sensors.load import LoadCell, LoadReading, RawLoad
from companion.table.time import BoardTime

SHOWN: Final = 40
"""Frames over which a mean is taken: a sensor's noise is then a tenth of a count."""


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
    @property
    def unit(self) -> int: ...
    @property
    def scans(self) -> int: ...
    @property
    def step(self) -> int: ...


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One frame in physical units.

    t_us: board time of the frame's start (sensor k was read layout.delay_us[k] later). field (S,): mT along
    each sensor's axis above its zero. valid (S,): false where the sensor is saturated, at fault or not
    measured yet; field is 0 there. load: weighings since the reading before. lost: frames missing just
    before this one. doubt (S,): mT^2 of variance besides the noise where the frame was filled in, else None. measured:
    some of it was, it is not only filled in.
    """

    t_us: BoardTime
    sequence: int
    field: Floats
    valid: Bools
    load: tuple[LoadReading, ...] = ()
    lost: int = 0
    doubt: Floats | None = None
    measured: bool = True


class Reader:
    """Makes readings of one session's samples, in their order."""

    def __init__(self, layout: TableLayout, zero: Zero | None = None, at_once: bool = False) -> None:
        """zero: the last good one of this table, used where a new one is refused; at_once: from the first sample on,
        until `relearn`.

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
        self._newest: tuple[BoardTime, Floats, Bools] | None = None
        self._shown: deque[tuple[Floats, Bools]] = deque(maxlen=SHOWN)
        self._zeroed_us: BoardTime | None = None
        self._trouble: tuple[str, ...] = ()
        self._parts: Bools | None = None  # sensors of a part that is at fault
        if zero is not None and at_once:
            self._zero = zero
            self._watch.noise_known(zero.noise, zero.counts)

    def relearn(self, believed: bool = False, foreign: bool = False) -> None:
        """The board is empty: zeros are learned before the next reading, beside the last good ones.

        believed: its weight says so, or a person does, and the last good ones are of no use; foreign: they are another
        board's.
        """
        self._zero = None
        if believed:
            self._last_good = None
            self._learner.again(None, True, foreign)

    def stones_lie(self, foreign: bool) -> bool:
        """Whether what the newest frames show, above the table's nominal zeros, is clearly a field of stones; True also
        before there are any. foreign: the zeros in use are another board's.
        """
        if not self._shown:
            return True
        known: Bools = np.asarray(np.array([valid for _, valid in self._shown]).all(axis=0))
        if self._parts is not None:
            known = known & ~self._parts
        return self._learner.stones_lie(np.mean([counts for counts, _ in self._shown], axis=0), known, foreign)

    @property
    def ready(self) -> bool:
        """Whether zeros are known, so that readings come."""
        return self._zero is not None

    @property
    def zero(self) -> Zero | None:
        """The zeros in use; None before they are known. Keep it for the next session."""
        return self._zero

    @property
    def zeroed_us(self) -> BoardTime | None:
        """When the zeros in use were learned; None while there are none, or only an earlier session's."""
        return self._zeroed_us

    @property
    def sigma(self) -> Floats:
        """Standard deviation (S,) of one reading in mT: noise, quantisation, error of the zero where it is known. Needs
        `ready`.
        """
        if self._zero is None:
            raise ValueError("the zeros are not known yet; wait until the reader is ready")
        error = np.where(self._zero.known, self._zero.error, 0.0)
        return np.hypot(self._zero.noise, error) / np.abs(self._layout.gain)

    @property
    def faults(self) -> tuple[str, ...]:
        """Codes of what is wrong now: sensor_dead:A17, sensor_stuck:..., sensor_noisy:..., sensor_off:... (its zero is
        not known), multiplexer_missing:A-1, tile_missing:A, select_stuck:S1, zero_unsettled, zero_refused:A17
        (something magnetic lies there), load_absent, load_saturated, load_spikes."""
        off = None if self._zero is None else ~self._zero.known
        return (*self._trouble, *self._watch.faults(off, self._parts), *self._load.faults)

    def read(self, sample: RawSample, doubt: Floats | None = None) -> Reading | None:
        """The reading of a sample; None while zeros are being learned (load samples of that time are
        dropped). doubt (S,): counts by which a frame that was filled in may be wrong (rms), besides the noise.

        Raises ValueError where the sample has another number of sensors or fresh marks than the table.
        """
        count = self._layout.count
        if len(sample.hall) != 2 * count or (sample.fresh is not None and len(sample.fresh) != count):
            raise ValueError(f"a sample with {len(sample.hall) // 2} sensors came, the table has {count}")
        counts = np.frombuffer(sample.hall, dtype="<u2").astype(np.float64) / sample.unit
        self._learner.alike = filled_variance(sample.scans)
        fresh = None if sample.fresh is None else np.frombuffer(sample.fresh, dtype=np.uint8) != 0
        valid = self._watch.update(counts, fresh)
        self._shown.append((counts, valid))
        load = self._load.update(sample.t_us, sample.load)
        if self._zero is None:
            self._learn(sample.t_us, counts, valid)
            return None
        self._newest = (sample.t_us, counts, valid)
        valid = valid & self._zero.known
        field = np.where(valid, (counts - self._zero.counts) / self._layout.gain, 0.0)
        wrong = None if doubt is None else (doubt / self._layout.gain) ** 2
        measured = fresh is None or bool(fresh.any())
        return Reading(sample.t_us, sample.sequence, field, valid, load, sample.lost, wrong, measured)

    def empty(self, surely: bool) -> Floats | None:
        """Whether the board is surely empty and quiet at the newest reading; while it is, the zeros are learned
        again: LEARN_US of it, then not before AGAIN_US. What moves in that time, or has the field of a stone, is
        refused without a word.

        Returns the shift (S,) of the zeros in mT at the moment when they change (readings from the next on are lower
        by it), None otherwise. The noise stays what it was.
        """
        if self._zero is None or self._newest is None:
            return None
        t_us, counts, valid = self._newest
        soon = self._zeroed_us is not None and t_us - self._zeroed_us < AGAIN_US
        if not surely or soon:
            self._learner.again(self._zero)
            return None
        found = self._learner.add(t_us, counts, valid)
        if found is None or found.zero is None:
            return None
        shift = np.where(self._zero.known, (found.zero.counts - self._zero.counts) / self._layout.gain, 0.0)
        self._zero = Zero(found.zero.counts, self._zero.noise, found.zero.error)
        self._zeroed_us = t_us
        self._told(found)
        return shift

    def _learn(self, t_us: BoardTime, counts: Floats, valid: Bools) -> None:
        found = self._learner.add(t_us, counts, valid)
        if found is None:
            return
        self._told(found)
        self._zero = found.zero
        if found.zero is None and self._last_good is not None and found.refused:
            self._zero = self._last_good
        if found.zero is not None:
            self._zeroed_us = t_us
        if self._zero is not None:
            self._learner.again(self._zero)
            self._watch.noise_known(self._zero.noise, self._zero.counts)
        if found.stuck is not None:
            self._watch.suspect(found.stuck)

    def _told(self, found: ZeroResult) -> None:
        self._trouble, self._parts = found.trouble, found.parts
