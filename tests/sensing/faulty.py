"""Faults of parts, by name: what each does to a recording's counts, and what a table should say of it.

A fault changes what sensors and load cell gave, never what happened. Amounts are what such parts do: see each one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from companion.sensing.sensors.load import TOP
from companion.sensing.sensors.multiplexers import MULTIPLEXERS, multiplexers

Array: TypeAlias = npt.NDArray[Any]

NOISY_COUNTS = 12.0
KINDS = ("low", "stuck", "held", "noisy", "off", "flicker", "drift", "half")
GAP_EVERY_S = 40.0
_BEGIN, _UNTIL = 0.35, 0.65  # of a recording: when a fault in the middle begins, and when one that passes has passed


@dataclass(slots=True)
class Raw:
    """One recording: counts (T, S) before rounding, load (L,) at load_t (L,) seconds, t (T,) seconds; field (T, S) mT
    without any fault, offset and gain (S,) of each sensor, position (S, 3) mm; lost (T,): frames that never arrived.
    sensors: those that are at fault; codes: of the load cell's; since: seconds.
    """

    rng: np.random.Generator
    counts: Array
    load: Array
    load_t: Array
    t: Array
    field: Array
    offset: Array
    gain: Array
    load_gain: float
    lost: Array
    position: Array
    sensors: set[int] = field(default_factory=set)
    codes: set[str] = field(default_factory=set)
    since: float = 0.0

    def some(self, number: int) -> list[int]:
        """So many sensors at random."""
        return [int(k) for k in self.rng.choice(self.counts.shape[1], number, replace=False)]

    def under(self, number: int) -> list[int]:
        """The sensors that have most under a stone when the fault begins."""
        at = np.searchsorted(self.t, self.begin)
        return [int(k) for k in np.argsort(-np.abs(np.median(self.field[at : at + 50], axis=0)))[:number]]

    def mux(self) -> list[int]:
        """The sensors of one multiplexer."""
        tile, number = int(self.rng.integers(self.counts.shape[1] // sum(MULTIPLEXERS))), int(self.rng.integers(4))
        first = tile * sum(MULTIPLEXERS) + sum(MULTIPLEXERS[:number])
        return list(range(first, first + MULTIPLEXERS[number]))

    def busy(self) -> list[int]:
        """The sensors of the multiplexer where most comes and goes from the middle on."""
        later = np.ptp(self.field[self.t >= self.begin][::10], axis=0)
        count = self.counts.shape[1] // sum(MULTIPLEXERS) * len(MULTIPLEXERS)
        bounds = np.cumsum([0, *MULTIPLEXERS * (count // len(MULTIPLEXERS))])
        most = int(np.argmax([later[a:b].sum() for a, b in pairwise(bounds)]))
        return list(range(bounds[most], bounds[most + 1]))

    @property
    def begin(self) -> float:
        return float(self.t[-1]) * _BEGIN

    @property
    def until(self) -> float:
        return float(self.t[-1]) * _UNTIL

    def middle(self) -> Array:
        """Frames (T,) from the middle on."""
        self.since = self.begin
        return self.t >= self.begin


Fault: TypeAlias = Callable[[Raw], None]


def break_one(raw: Raw, k: int, kind: str, on: Array | slice = slice(None)) -> None:
    """low, high: an open or shorted pin; stuck: its output hangs; noisy: a bad joint; off: damaged by a fall."""
    column = raw.counts[:, k]
    shape = column[on].shape
    if kind == "low":
        column[on] = 0.0
    elif kind == "high":
        column[on] = 1023.0
    elif kind == "stuck":
        column[on] = float(raw.rng.integers(300, 700))
    elif kind == "held":  # at what it showed last
        column[on] = np.rint(column[on][0])
    elif kind == "noisy":
        column[on] += raw.rng.normal(0.0, NOISY_COUNTS, shape)
    elif kind == "off":
        column[on] += float(raw.rng.choice([-1, 1]) * raw.rng.uniform(20.0, 120.0))
    elif kind == "half":
        column[on] -= 0.5 * (raw.gain[k] * raw.field[:, k])[on]
    elif kind == "drift":  # 0.1 count a second: a moist joint, a part that warms by itself
        column[on] += 0.1 * (raw.t[on] - raw.t[on][0]) * raw.rng.choice([-1.0, 1.0])
    elif kind == "flicker":  # bursts of half a second each some seconds
        bursts = raw.rng.random(int(2 * raw.t[-1]) + 1)[(2 * raw.t).astype(int)] > 0.85
        column[on] += bursts[on] * raw.rng.normal(0.0, NOISY_COUNTS, shape)
    else:
        raise ValueError(kind)
    raw.sensors.add(k)


def _mixed(number: int, kinds: Sequence[str] = ("low", "high", "stuck", "noisy")) -> Fault:
    def fault(raw: Raw) -> None:
        for n, k in enumerate(raw.some(number)):
            break_one(raw, k, kinds[(n + int(raw.rng.integers(4)) * (number < 4)) % len(kinds)])

    return fault


def _begins(kind: str, under: bool, number: int = 3) -> Fault:
    def fault(raw: Raw) -> None:
        on = raw.middle()
        for k in raw.under(number) if under else raw.some(number):
            break_one(raw, k, kind, on)

    return fault


def _mux(how: str, middle: bool = False, busy: bool = False) -> Fault:
    def fault(raw: Raw) -> None:
        on, at = raw.middle() if middle else slice(None), raw.busy() if busy else raw.mux()
        value = float(raw.rng.integers(480, 540))
        for k in at:
            raw.sensors.add(k)
            # low: no power; stuck: its output hangs at a value; same: its address lines hang, all show one sensor
            raw.counts[on, k] = {"low": 0.0, "stuck": value}.get(how, raw.counts[on, at[3]])
            if how == "same":
                raw.counts[on, k] += raw.rng.normal(0.0, 0.25, raw.counts[on, k].shape)
        if how == "same":
            raw.sensors.discard(at[3])

    return fault


def _load(how: str, code: str) -> Fault:
    def fault(raw: Raw) -> None:
        middle, begin, until = raw.load_t >= raw.begin, raw.begin, raw.until
        passing, load = middle & (raw.load_t < until), raw.load.astype(float)
        good = raw.load != TOP
        raw.since = begin
        keep = np.ones(len(load), dtype=bool)
        if how == "none":
            keep[:], raw.since = False, 0.0
        elif how == "dies":
            keep = ~middle
        elif how == "pauses":
            keep = ~passing
        elif how == "end":
            load[middle] = TOP
        elif how == "same":
            load[middle] = load[np.flatnonzero(middle)[0]]
        elif how == "random":
            load[middle] = raw.rng.integers(-(2**23), 2**23, int(middle.sum()))
        elif how == "noise":  # 1.5 g: a loose screw, a fan
            load[good] += raw.rng.normal(0.0, 1.5 * raw.load_gain, int(good.sum()))
            raw.since = 0.0
        elif how == "creep":
            load[good] += 0.04 * raw.load_gain * raw.load_t[good]
        elif how == "sinks":
            load[good] -= 0.04 * raw.load_gain * raw.load_t[good]
        elif how == "spikes":
            hit = raw.rng.random(len(load)) < 0.05
            load[hit], raw.since = 2.0 ** raw.rng.integers(12, 24, int(hit.sum())) - 1.0, 0.0
        elif how == "half":
            load[passing & good] *= 0.5
        elif how == "double":
            load[passing & good] *= 2.0
        elif how == "jump":  # the plate is knocked off its place, or a wire is touched: another offset
            load[middle & good] += 40.0 * raw.load_gain
        elif how == "drop":
            load[middle & good] -= 40.0 * raw.load_gain
        elif how == "flat":  # its wires are off: the amplifier gives what it gives
            load[:], raw.since = load[np.flatnonzero(good)[0]], 0.0
        elif how == "sign":  # its two signal wires are exchanged
            load[good], raw.since = 2.0 * np.median(load[good][:80]) - load[good], 0.0
        elif how == "clips":  # the plate touches the table under it: no more than 25 g get to the cell
            load[good] = np.minimum(load[good], np.median(load[good][:80]) + 25.0 * raw.load_gain)
            raw.since = 0.0
        elif how == "loose":  # a wire that makes contact again and again: each second by chance 10 to 40 g more or less
            away = raw.rng.choice([-1.0, 0.0, 0.0, 1.0], int(raw.load_t[-1]) + 1) * raw.rng.uniform(10.0, 40.0)
            load[middle & good] += (away[raw.load_t.astype(int)] * raw.load_gain)[middle & good]
        raw.load, raw.load_t = np.rint(load[keep]).astype(raw.load.dtype), raw.load_t[keep]
        raw.codes |= {code} if code else set()

    return fault


def _gaps(raw: Raw) -> None:
    """A radio at the end of its reach: each fifth frame is lost, and 5 s of them now and then."""
    raw.lost |= raw.rng.random(len(raw.lost)) < 0.2
    raw.codes.add("messages_lost")
    for begin in raw.rng.uniform(5.0, float(raw.t[-1]) - 10.0, int(raw.t[-1] / GAP_EVERY_S)):
        raw.lost |= (raw.t >= begin) & (raw.t < begin + 5.0)


def _warms(raw: Raw) -> None:
    """The sun comes out: within a minute every sensor gives up to 5 % less, each as much as it likes."""
    on = raw.middle()
    part = np.clip((raw.t[on] - raw.begin) / 60.0, 0.0, 1.0)
    raw.counts[on] -= part[:, None] * (raw.rng.uniform(0.0, 0.05, raw.counts.shape[1]) * raw.gain * raw.field[on])


def _phone(raw: Raw) -> None:
    """Someone lays a phone beside the board, and takes it away again: its magnets (0.3 A.m2 in all)."""
    angle, far = raw.rng.uniform(0.0, 2.0 * np.pi), float(np.hypot(*raw.position[:, :2].T).max()) + 40.0
    at = np.array([far * np.cos(angle), far * np.sin(angle), -15.0])
    by = raw.position - at
    away = np.sqrt((by**2).sum(axis=1))
    up = 1e5 * 0.3 * (3.0 * by[:, 2] ** 2 / away**2 - 1.0) / away**3  # a dipole's field in mT, of A.m2 and mm
    on = (raw.t >= raw.begin) & (raw.t < raw.until)
    # It takes a second to be laid there.
    part = np.clip(np.minimum(raw.t[on] - raw.begin, raw.until - raw.t[on]), 0.0, 1.0)
    raw.counts[on] += part[:, None] * (up * raw.gain)


def _more_noise(raw: Raw) -> None:
    """Twice what a nominal table has."""
    raw.counts += raw.rng.normal(0.0, 0.5, raw.counts.shape)


def _exchanged(middle: bool = False) -> Fault:
    """The cables of two tiles are plugged in each other's place; in the middle: where both are touched in a game."""

    def fault(raw: Raw) -> None:
        size = sum(MULTIPLEXERS)
        one, other = (int(tile) * size for tile in raw.rng.choice(raw.counts.shape[1] // size, 2, replace=False))
        on = raw.middle() if middle else np.ones(len(raw.t), dtype=bool)
        swapped = np.arange(raw.counts.shape[1])
        swapped[one : one + size], swapped[other : other + size] = (
            np.arange(other, other + size),
            np.arange(one, one + size),
        )
        raw.counts[on] = raw.counts[np.ix_(on, swapped)]
        raw.codes |= set() if middle else {"tiles_exchanged"}

    return fault


def _blink(every_s: float) -> Fault:
    """A multiplexer whose power comes and goes for single frames, from the middle on."""

    def fault(raw: Raw) -> None:
        on, at = raw.middle(), raw.busy()
        hit = on & (raw.rng.random(len(raw.t)) < 0.01 / every_s)
        raw.counts[np.ix_(hit, at)] = 0.0
        raw.sensors |= set(at)

    return fault


def _all(*each: Fault) -> Fault:
    def fault(raw: Raw) -> None:
        for one in each:
            one(raw)

    return fault


FAULTS: dict[str, Fault] = {
    "bad1": _mixed(1),
    "bad2": _mixed(2),
    "bad8": _mixed(8),
    "bad16": _mixed(16),
    "off3": _mixed(3, ("off",)),
    "flicker3": _mixed(3, ("flicker",)),
    "drift3": _mixed(3, ("drift",)),
    "half3": _mixed(3, ("half",)),
    "mux_low": _mux("low"),
    "mux_stuck": _mux("stuck"),
    "mux_same": _mux("same"),
    "mid_mux_low": _mux("low", middle=True),
    "mid_mux_stuck": _mux("stuck", middle=True),
    "mid_mux_same": _mux("same", middle=True),
    **{
        f"mid_{k}": _begins(k, under=False)
        for k in ("low", "stuck", "held", "noisy", "off", "flicker", "drift", "half")
    },
    **{
        f"under_{k}": _begins(k, under=True, number=1)
        for k in ("low", "stuck", "held", "noisy", "off", "drift", "half")
    },
    "load_none": _load("none", "load_absent"),
    "load_dies": _load("dies", "load_absent"),
    "load_pauses": _load("pauses", "load_absent"),
    "load_end": _load("end", "load_faulty"),
    "load_same": _load("same", "load_constant"),
    "load_random": _load("random", "load_random"),
    "load_noise": _load("noise", ""),
    "load_creep": _load("creep", ""),
    "load_sinks": _load("sinks", ""),
    "load_spikes": _load("spikes", "load_spikes"),
    "load_half": _load("half", "load_gain"),
    "load_double": _load("double", "load_gain"),
    "load_jump": _load("jump", ""),
    "load_drop": _load("drop", ""),
    "load_flat": _load("flat", "load_constant"),
    "load_sign": _load("sign", ""),
    "load_clips": _load("clips", "load_constant"),
    "load_loose": _load("loose", ""),
    "bad8_noise": _all(_more_noise, _mixed(8)),
    "mid_two_mux": _all(_mux("low", middle=True), _mux("low", middle=True)),
    "mid_two_mux_stuck": _all(_mux("stuck", middle=True), _mux("stuck", middle=True)),
    "gaps_stuck3": _all(_begins("stuck", under=False), _gaps),
    "warms": _warms,
    "phone_spikes": _all(_phone, _load("spikes", "load_spikes")),
    "mid_mux_no_load": _all(_mux("low", middle=True), _load("dies", "load_absent")),
    "exchanged": _exchanged(),
    "mid_exchanged": _exchanged(middle=True),
    "blinks": _blink(0.5),
    "busy_mux": _mux("low", middle=True, busy=True),
    "busy_mux_same": _mux("same", middle=True, busy=True),
    "busy_mux_stuck": _mux("stuck", middle=True, busy=True),
    "busy_mux_no_load": _all(_mux("low", middle=True, busy=True), _load("dies", "load_absent")),
}


@dataclass(slots=True)
class Named:
    """What was told of the faults. found: sensors and codes that should be told, and how many s after they began (None:
    never); wrong: codes of parts that are sound.
    """

    found: dict[str, float | None]
    wrong: list[str]


def named(
    should: dict[str, float], names: Sequence[str], told: Sequence[tuple[float, Sequence[str]]], excused: set[str]
) -> Named:
    """Beside the health that was told: (seconds, codes), in order. should: sensors and codes, and since when, s;
    excused: sensors that may be told or not.
    """
    first: dict[str, float] = {}
    for t, codes in told:
        for code in codes:
            first.setdefault(code, t)
    found: dict[str, float | None] = dict.fromkeys(sorted(should))
    wrong = []
    for code, t in sorted(first.items()):
        kind, _, where = code.partition(":")
        parts = [where] if kind.startswith("sensor_") else [kind]
        if kind == "multiplexer_missing":
            tile = np.array([k for k, name in enumerate(names) if name.rstrip("0123456789") == where[:-2]])
            parts = [names[k] for k in multiplexers(tile)[int(where[-1])]]
        right = [p for p in parts if p in should and t >= should[p]]
        for part in right:
            before = found[part]
            found[part] = round(t - should[part], 1) if before is None else min(before, round(t - should[part], 1))
        if not right and not excused & set(parts):
            wrong.append(code)
    return Named(found, wrong)
