"""What is wrong with a table, named from some seconds of raw counts: tiles, multiplexers, select lines, sensors,
supply, load cell, link.

Each finding is a code with the part's name; companion.cli.diagnose has the words. Larger parts are looked at first, and
what they explain is not told again sensor by sensor. The board may be empty or not, and nobody need hold still: what is
looked for is not made by stones.
"""

from typing import Final

import numpy as np

from companion.sensing.baseline.reading import RawSample
from companion.sensing.sensors.fault import SensorWatch
from companion.sensing.sensors.layout import Bools, Floats, TableLayout
from companion.sensing.sensors.load import BOTTOM, TOP, LoadCell
from companion.sensing.sensors.parts import Finding, faulty_parts

_LEAST_FRAMES: Final = 100
_RAIL_PART: Final = 0.06  # of full scale, all zeros off by so much
_RIPPLE_COUNTS: Final = 1.5
_MOST_LOST: Final = 0.05
_LEAST_CONVERSIONS: Final = 40
_FLOATING_COUNTS: Final = 200_000.0


class Diagnosis:
    """Takes samples, then names what is wrong."""

    def __init__(self, layout: TableLayout) -> None:
        self._layout = layout
        self._counts: list[Floats] = []
        self._load: list[tuple[int, int | None]] = []
        self._errors = 0
        self._cell = LoadCell(layout.load_gain, layout.load_offset)
        self._watch = SensorWatch(layout)
        self._lost = 0

    @property
    def frames(self) -> int:
        """How many were taken."""
        return len(self._counts)

    def add(self, sample: RawSample) -> None:
        """One sample. Raises ValueError where it is not of this table."""
        if len(sample.hall) != 2 * self._layout.count:
            raise ValueError(f"the board has {len(sample.hall) // 2} sensors, table.json {self._layout.count}")
        counts = np.frombuffer(sample.hall, dtype="<u2") / sample.unit
        self._counts.append(counts)
        self._lost += sample.lost
        self._cell.update(sample.t_us, sample.load)
        for conversion in sample.load:
            bad = conversion.counts is None or bool(conversion.error)
            self._errors += bad
            self._load.append((conversion.t_us, None if bad else conversion.counts))

    def findings(self) -> tuple[Finding, ...]:
        """What is wrong, the largest parts first; empty where nothing is."""
        if self.frames < _LEAST_FRAMES:
            return (Finding("no_samples", figure=float(self.frames)),)
        frames = np.array(self._counts)
        out, known = faulty_parts(self._layout, frames)
        out += self._supply(frames, known)
        out += self._sensors(frames, known)
        out += self._weight()
        lost = self._lost / (self._lost + self.frames)
        if lost > _MOST_LOST:
            out.append(Finding("frames_lost", figure=lost))
        return tuple(out)

    def _supply(self, frames: Floats, known: Bools) -> list[Finding]:
        layout = self._layout
        left = ~known
        if left.sum() < 10:
            return []
        off = float(np.median(frames[:, left].mean(axis=0) - layout.offset[left])) / layout.full_scale
        if abs(off) > _RAIL_PART:
            return [Finding("rail_off", figure=off)]
        common = np.median(frames[:, left] - frames[:, left].mean(axis=0), axis=1)
        ripple = float(np.std(np.diff(common))) / np.sqrt(2.0)
        return [Finding("rail_noisy", figure=ripple)] if ripple > _RIPPLE_COUNTS else []

    def _sensors(self, frames: Floats, known: Bools) -> list[Finding]:
        layout, out = self._layout, list[Finding]()
        # from one frame to the next a slow hand changes little: the noise of each sensor itself
        step = np.diff(frames, axis=0)
        noise = np.sqrt(np.maximum(np.median(step**2, axis=0) / 0.455 / 2.0, 1.0 / 12.0))
        noise = np.maximum(noise, step.std(axis=0) / 2.0**0.5 * 0.3)
        self._watch.noise_known(np.full(layout.count, float(np.median(noise))))
        for row in frames:
            self._watch.update(row)
        told = {fault.partition(":")[2]: fault.partition(":")[0] for fault in self._watch.faults(parts=known)}
        typical = float(np.median(step.std(axis=0)))
        moving = np.ptp(frames, axis=0) > 0.0
        lively = float(moving.mean()) > 0.9  # where hardly any sensor stands still, one that does is stuck
        for k, name in enumerate(layout.names):
            near = layout.neighbours[k]
            restless = float(step[:, k].std())
            if known[k]:
                continue
            if name not in told and lively and not moving[k]:
                out.append(Finding("sensor_stuck", name))
            elif name in told:
                out.append(Finding(told[name], name))
            elif restless > 6.0 * typical + 2.0 and restless > 4.0 * float(np.median(step[:, near].std(axis=0))):
                out.append(Finding("sensor_noisy", name, restless))
        return out

    def _weight(self) -> list[Finding]:
        if not self._layout.load_gain:
            return []
        values = np.array([c for _, c in self._load if c is not None], dtype=np.float64)
        if len(self._load) < _LEAST_CONVERSIONS:
            return [Finding("load_absent", figure=float(len(self._load)))]
        if len(values) < 0.5 * len(self._load):
            return [Finding("load_errors", figure=self._errors / len(self._load))]
        if len(np.unique(values)) == 1:
            end = values[0] >= TOP or values[0] <= BOTTOM
            return [Finding("load_wiring" if end else "load_constant", figure=float(values[0]))]
        if float(np.median(np.abs(np.diff(values)))) > _FLOATING_COUNTS:
            return [Finding("load_floating")]
        ends = float(((values >= TOP) | (values <= BOTTOM)).mean())
        if ends > 0.5:
            return [Finding("load_saturated", figure=ends)]
        return [Finding(code) for code in self._cell.faults if code in ("load_spikes", "load_gain")]
