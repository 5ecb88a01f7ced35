"""The zeros of the sensors, learned while the board is empty, and refused where it is not (known failure
E5).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from companion.sensing.baseline.foreign import stones_lie
from companion.sensing.fields.births import LYING_MM, Births
from companion.sensing.sensors.layout import Bools, Floats, TableLayout
from companion.sensing.sensors.moments import moments, noise_of, spread_of, stuck_from_the_start, white
from companion.sensing.sensors.parts import faulty_parts
from companion.table.time import SECOND, BoardTime

LEARN_US: Final = 2 * SECOND
AGAIN_US: Final = 10 * SECOND
"""Drift takes minutes: zeros younger than that are as good as new ones."""
_STONE_SCORE: Final = 60.0
_LEAST_OFFSET_SPREAD: Final = 2.0  # counts
_UNSETTLED_COUNTS: Final = 1.5
_RESTLESS: Final = 3  # so many sensors with too much noise: something moves; fewer are at fault themselves
_SUPPORT_SCORE: Final = 16.0
"""Chi squared that the sensors round the worst one must have of a stone: the field of the smallest that lies there, up
to some mm beside the middle of the sensor."""
SUPPORT_MM: Final = 22.0
_MOST_LONE: Final = 24
PATIENCE_US: Final = 20 * SECOND
"""Without earlier zeros a stone that lies right over a sensor looks like a sensor that is off; so long people are asked
to take it away, while that sensor and no other goes on standing out and nothing moves."""
_UNKNOWN_COUNTS: Final = 16.0
_KNOWN_COUNTS: Final = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class Zero:
    """counts (S,): what the sensors read without a stone. noise (S,): standard deviation of one reading in
    counts, quantisation included. error (S,): standard deviation of counts itself, 16 where nobody knows them."""

    counts: Floats
    noise: Floats
    error: Floats

    @property
    def known(self) -> Bools:
        """Sensors (S,) whose zero was learned: only what these show is a field."""
        out: Bools = self.error < _KNOWN_COUNTS
        return out

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
    board. stuck (S,): sensors that gave one count all the time while the others did not; parts (S,): those of a
    multiplexer or select line that is at fault.
    """

    zero: Zero | None
    trouble: tuple[str, ...] = ()
    refused: bool = False
    stuck: Bools | None = None
    parts: Bools | None = None


class ZeroLearner:
    """Takes frames of an empty board and gives a zero after LEARN_US; goes on trying where it must refuse."""

    def __init__(self, layout: TableLayout, last_good: Zero | None = None) -> None:
        """last_good: an earlier zero of the same table; against it even a far stone shows."""
        self._layout = layout
        self._last_good = last_good
        self.alike = 1.0  # a frame's noise in that of a scan, squared: less where it is filled in between means
        self._since: BoardTime | None = None
        self._believed = self._foreign = False
        self._lone_since: dict[int, BoardTime] = {}  # sensors that stand out alone, since which verdict in a row
        self._counts: list[Floats] = []
        self._valid: list[Bools] = []
        self._births: Births | None = None
        self._learn_us = LEARN_US - round(SECOND / 2.0 / layout.frame_rate)
        """Half a frame less: whether a frame comes just before or just after the beat must not matter."""

    def again(self, last_good: Zero | None, believed: bool = False, foreign: bool = False) -> None:
        """Begin anew, beside zeros that are known. believed: the board is empty, by its weight or a person's word:
        sensors that are off are no reason against it, a field that is clearly one of stones is; foreign: earlier zeros
        are another board's (companion.sensing.baseline.foreign).
        """
        self._last_good, self._since, self._believed, self._foreign = last_good, None, believed, foreign
        self._lone_since.clear()
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
        result = self._judge(t_us)
        if result.zero is None:
            half = len(self._counts) // 2
            del self._counts[:half], self._valid[:half]
            self._since = t_us - LEARN_US // 2
        return result

    def _judge(self, t_us: BoardTime) -> ZeroResult:
        frames = np.array(self._counts)
        good = np.array(self._valid)
        half = len(frames) // 2
        first, _, _ = moments(frames[:half], good[:half])
        second, _, _ = moments(frames[half:], good[half:])
        mean, variance, number = moments(frames, good)
        measured = number >= half
        found, parts = faulty_parts(self._layout, frames)
        codes = tuple(f"{f.code}:{f.where.replace(':', ' ')}" for f in found)
        stuck = measured & stuck_from_the_start(variance, number, measured)
        moved = np.abs(first - second) - 4.0 * np.sqrt(variance * 4.0 / np.maximum(number, 1.0))
        trusted = measured & ~parts
        typical = float(np.median(variance[trusted])) if trusted.any() else 0.0
        loud = (variance > 4.0 * typical + _UNSETTLED_COUNTS) & ~white(frames, good, variance)
        unsettled = trusted & ~stuck & ((moved > _UNSETTLED_COUNTS) | loud)
        trusted &= ~(moved > _UNSETTLED_COUNTS)

        usual = self._layout.offset if self._last_good is None else self._last_good.counts
        noise, error = noise_of(variance / self.alike, number)
        noise = np.where(measured, noise, float(np.median(noise[trusted])) if trusted.any() else 1.0)
        before = _UNKNOWN_COUNTS if self._last_good is None else self._last_good.error
        mean, error = np.where(measured, mean, usual), np.where(measured, error, before)
        off = measured & ~trusted
        restless = int(unsettled.sum()) >= _RESTLESS
        stone, lone = self._stone(Zero(mean, noise, error), trusted & ~stuck, t_us)
        if restless:
            self._lone_since.clear()
        if self._believed and (stone is not None or lone.any()):
            lone[:] = False
            stone = stone if self.stones_lie(mean, trusted & ~stuck, self._foreign) else None
        off |= lone | (stuck & self._odd(mean, trusted & ~stuck))
        if stone is not None:
            return ZeroResult(None, (f"zero_refused:{stone}", *codes), refused=True)
        if restless:
            return ZeroResult(None, ("zero_unsettled", *codes))
        zero = Zero(np.where(off, usual, mean), noise, np.where(off, _UNKNOWN_COUNTS, error))
        return ZeroResult(zero, codes, stuck=stuck, parts=parts)

    def stones_lie(self, mean: Floats, known: Bools, foreign: bool) -> bool:
        """Whether counts (S,) of an allegedly empty board are clearly those of one with stones; known (S,)."""
        away = mean - self._layout.offset
        spread = max(spread_of(away[known]), _LEAST_OFFSET_SPREAD)
        gain = self._layout.gain
        return stones_lie(self._layout, spread / np.abs(gain), away / gain, known, foreign)

    def _away(self, mean: Floats, known: Bools) -> tuple[Floats, Floats]:
        """By how much zeros (S,) differ from what they should be, and the spread (S,) of that; counts."""
        away = mean - self._layout.offset
        spread = np.full(len(mean), max(spread_of(away[known]), _LEAST_OFFSET_SPREAD))
        if self._last_good is None:
            return away, spread
        since, before = mean - self._last_good.counts, self._last_good.known
        drift = np.hypot(max(spread_of(since[known & before]), 0.3), self._last_good.error)
        return np.where(before, since, away), np.where(before, drift, spread)

    def _odd(self, mean: Floats, known: Bools) -> Bools:
        away, spread = self._away(mean, known)
        out: Bools = np.abs(away) > 5.0 * spread
        return out

    def _stone(self, zero: Zero, known: Bools, t_us: BoardTime) -> tuple[str | None, Bools]:
        """The sensor nearest to a stone that lies there or may, None without one; and the sensors (S,) that stand out
        with nothing at all at their neighbours: no stone's field is so narrow.
        """
        before, self._lone_since = self._lone_since, {}
        asked: str | None = None
        layout = self._layout
        away, spread = self._away(zero.counts, known)
        noise = spread / layout.gain
        usual = float(np.median(np.abs(noise)))
        lone = np.zeros(layout.count, dtype=np.bool_)
        if self._births is None:
            self._births = Births(layout, LYING_MM)
        field = np.where(known, np.minimum(1.0, usual / np.abs(noise)) * away / layout.gain, 0.0)
        for _ in range(_MOST_LONE):
            found = self._births.search(field, usual, np.zeros((0, 3)), 0.0, most=1)
            if not found or found[0].score < _STONE_SCORE:
                return asked, lone
            near = np.hypot(*(layout.position[:, :2] - found[0].place[:2]).T)
            here = np.flatnonzero(near < SUPPORT_MM)
            worst = int(here[np.abs(field[here]).argmax()]) if len(here) else int(near.argmin())
            name = layout.names[int(near.argmin())]
            if self._supported(field, worst, usual):
                self._lone_since.clear()
                return name, lone
            self._lone_since[worst] = before.get(worst, t_us)
            if self._last_good is None and t_us - self._lone_since[worst] < PATIENCE_US:
                asked = asked or name
            lone[worst], field[worst] = True, 0.0
        return name, lone

    def _supported(self, field: Floats, worst: int, noise: float) -> bool:
        """Whether the sensors round the worst one show a stone without it."""
        assert self._births is not None
        at = self._layout.position[:, :2]
        rest = np.where(np.hypot(*(at - at[worst]).T) < 2.0 * SUPPORT_MM, field, 0.0)
        rest[worst] = 0.0
        found = self._births.search(rest, noise, np.zeros((0, 3)), 0.0, most=1)
        return bool(found) and found[0].score > _SUPPORT_SCORE


@lru_cache(maxsize=8)
def filled_variance(scans: int) -> float:
    """Of a frame that lies on the straight line between means of so many scans, in the mean over the line: the variance
    in that of a scan."""
    part = np.arange(scans) / scans
    return float(np.mean((1.0 - part) ** 2 + part**2)) / scans
