"""The gain of each sensor, learned from one stone that was put on known points.

Over each point the readings of the still interval are averaged. The stone's field is a sheet of dipoles
(sheet.py). The logarithm of each gain, the sheet's strengths for either pole up, what is left of each
sensor's zero, and how far from its mark and how much turned the stone lay at each point are fitted together by
Gauss-Newton steps, each with its prior: a maximum a posteriori estimate. A sensor near which the stone never came keeps
its nominal gain; a person's tenths of a millimetre, which at 12 mm make as much of the field as the gains differ, go
into the point's own unknowns and not into the gains; how exactly this person puts it is learned from the points too
(empirical Bayes, by expectation and maximisation). Rows far off weigh less (Huber 1964). The spreads are those of the
estimate's covariance, the other unknowns integrated out. The strength of the stone and all gains together cannot be
told apart: the mean of the gains stays nominal.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.sensing.baseline.reading import RawSample
from companion.sensing.fields.sheet import LEAST_PLACED, PLACED, STRENGTH, STRENGTH_SPREAD, Lain, near_fields
from companion.sensing.learning.still import UNSETTLED_MT, CalibrationRefusedError, Still, still
from companion.sensing.sensors.layout import GAIN_SPREAD, Floats, Ints, TableLayout
from companion.table.time import BoardTime

LEAST_POINTS: Final = 12
_REACH_MM: Final = 60.0
_UNDER_MM: Final = 20.0
_MODEL_PART: Final = 0.004
"""What the sheet misses near the stone, as a part of the point's strongest field: 0.0026 of it within 12 mm with the
true gains of three simulated tables, and nothing beyond, where 0.03 mT are left.
"""
_MODEL_MM: Final = 14.0
_FLOOR_MT: Final = 0.035  # of an average: noise, uneven steps of the converter, drift
_ZERO_MT: Final = 0.03  # of a sensor's zero, over the whole session
_HUBER: Final = 3.0
_LARGEST_RESIDUAL: Final = 0.05
_LARGEST_UNSEEN: Final = 0.1
_STEPS: Final = 6
_WIDE_GAIN_SPREAD: Final = 0.3
_MODEL_RESIDUAL: Final = 0.03
_MOST_RESTLESS: Final = 0.2


@dataclass(frozen=True, slots=True)
class KnownPoint:
    """The stone lay still from t0_us to t1_us of board time with its centre at x, y, z (mm, table frame).

    pole_up: 1 with the north pole up, -1 with the south pole up.
    """

    t0_us: BoardTime
    t1_us: BoardTime
    x: float
    y: float
    z: float
    pole_up: int


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """gain (S,): counts/mT. spread (S,): standard deviation of the relative gain; GAIN_SPREAD where nothing
    was learned. residual: what the fit leaves of the field within 60 mm of the points, as a part of it (both rms).
    points: how many were used.
    """

    gain: Floats
    spread: Floats
    residual: float
    points: int


def learn_gains(layout: TableLayout, samples: Iterable[RawSample], points: Sequence[KnownPoint]) -> Calibration:
    """Learn from the samples of a session that began with an empty board.

    Raises CalibrationRefusedError where the zeros cannot be learned, fewer than LEAST_POINTS points have frames,
    sensors under the stone are saturated or at fault, or the fit leaves too much; ValueError where a sample is
    of another table.
    """
    return fit_gains(layout, still(layout, samples, [(p.t0_us, p.t1_us) for p in points]), points)


def fit_gains(layout: TableLayout, seen: Still, points: Sequence[KnownPoint]) -> Calibration:
    """Learn from what was seen over each point. Raises CalibrationRefusedError as learn_gains."""
    field, valid = seen.field, seen.valid
    used = [k for k in range(len(points)) if valid[k].any()]
    if len(used) < LEAST_POINTS:
        raise CalibrationRefusedError(
            f"it has {len(used)} points with a stone at rest, {LEAST_POINTS} are needed", "few_points", n=LEAST_POINTS
        )
    restless = [k for k in used if _moved(seen.unrest[k], field[k])]
    if len(restless) > _MOST_RESTLESS * len(used):
        raise CalibrationRefusedError(
            f"the stone did not lie still on {len(restless)} of {len(used)} points", "restless_points", n=len(restless)
        )
    used = [k for k in used if k not in restless]
    place = np.array([[points[k].x, points[k].y, points[k].z] for k in used])
    pole = np.array([points[k].pole_up for k in used])
    away = np.linalg.norm(layout.position[None, :, :2] - place[:, None, :2], axis=2)
    under = away <= _UNDER_MM
    unseen = float((under & ~valid[used]).sum() / max(int(under.sum()), 1))
    if unseen > _LARGEST_UNSEEN:
        raise CalibrationRefusedError(
            f"{100 * unseen:.0f} % of the sensors under the stone are saturated or at fault",
            "unseen",
            percent=round(100 * unseen),
        )
    point, sensor = np.nonzero((away <= _REACH_MM) & valid[used])
    views = [
        _View(layout, place[k], int(pole[k]), sensor[point == k], field[used][k, sensor[point == k]])
        for k in range(len(used))
    ]
    gain, spread, residual = _fit(layout.count, views, GAIN_SPREAD)
    if residual > _MODEL_RESIDUAL or _wide(gain, spread):  # sensors of another kind, or very unlike each other
        gain, spread, residual = _fit(layout.count, views, _WIDE_GAIN_SPREAD)
    if not residual <= _LARGEST_RESIDUAL:
        raise CalibrationRefusedError(
            f"one stone on its points leaves {100 * residual:.0f} % of the field unexplained",
            "points_unexplained",
            percent=round(100 * residual),
        )
    return Calibration(layout.gain * gain, spread, residual, len(used))


def _wide(gain: Floats, spread: Floats) -> bool:
    """Whether the gains that were learned well differ by more than usual."""
    known = spread < 0.6 * GAIN_SPREAD
    return bool(known.sum() >= 10 and np.std(np.log(gain[known])) > 2.0 * GAIN_SPREAD)


def _moved(unrest: Floats, field: Floats) -> bool:
    return bool(unrest.max() > UNSETTLED_MT + 0.05 * np.abs(field).max())


class _View:
    """What the sensors near one point showed, (R,) of them."""

    def __init__(self, layout: TableLayout, place: Floats, pole: int, sensor: Ints, measured: Floats) -> None:
        """place (3,) mm as told; sensor (R,): which; measured (R,) mT by nominal gains."""
        self._layout, self._place, self._pole = layout, place, pole
        self.sensor, self.measured = sensor, measured
        self.off = np.zeros(len(PLACED))  # of the stone from where it was told to lie: mm, mm, rad
        away = np.hypot(*(layout.position[sensor, :2] - place[:2]).T)
        part = _MODEL_PART * float(np.abs(measured).max(initial=0.0)) * np.exp(-((away / _MODEL_MM) ** 2))
        self._variance = part**2 + _FLOOR_MT**2
        self.strengths = slice(0, len(STRENGTH)) if pole > 0 else slice(len(STRENGTH), 2 * len(STRENGTH))

    def near(self, strength: Floats) -> tuple[Floats, Floats]:
        """Basis (R, dipoles) of the sheet where the stone now is, and slopes (R, 3) of its field by `off`."""
        lain = Lain(self._place, self._pole, self.off)
        return near_fields(self._layout.position[self.sensor], self._layout.axis[self.sensor], lain, strength)

    def weights(self, left: Floats) -> Floats:
        """1/mT2 (R,) with `left` (R,) mT over."""
        far = np.maximum(np.abs(left) / np.sqrt(self._variance), 1e-9)
        out: Floats = np.minimum(1.0, _HUBER / far) / self._variance
        return out


def _fit(count: int, views: Sequence[_View], gain_spread: float) -> tuple[Floats, Floats, float]:
    """Relative gains (count,), their spread (count,) and the residual from what was seen of each point.

    The unknowns of one point are eliminated on the way (Schur complement), so that the system has those of the sheets,
    gains and zeros alone, in this order.
    """
    dipoles = 2 * len(STRENGTH)
    mean = np.concatenate([STRENGTH, STRENGTH, np.zeros(2 * count)])
    spread = np.repeat([STRENGTH_SPREAD, gain_spread, _ZERO_MT], [dipoles, count, count])
    value, placed = mean.copy(), PLACED.copy()
    for view in views:
        view.off[:] = 0.0
    for step in range(_STEPS + 1):
        normal, pull = np.diag(spread**-2.0), (mean - value) / spread**2
        square = whole = 0.0
        own = []
        for view in views:
            strength = value[view.strengths]
            basis, slopes = view.near(strength)
            gain = np.exp(value[dipoles + view.sensor])
            field = gain * (basis @ strength)
            left = view.measured - field - value[dipoles + count + view.sensor]
            square, whole = square + float(left @ left), whole + float(view.measured @ view.measured)
            weight = view.weights(left)
            moving = gain[:, None] * slopes
            inner = np.linalg.inv((moving.T * weight) @ moving + np.diag(placed**-2.0))
            back = moving.T @ (weight * left) - view.off / placed**2
            trust = np.diag(weight) - (weight[:, None] * moving) @ inner @ (moving.T * weight)
            at = np.concatenate(
                [np.arange(dipoles)[view.strengths], dipoles + view.sensor, dipoles + count + view.sensor]
            )
            slope = np.hstack([gain[:, None] * basis, np.diag(field), np.eye(len(field))])
            normal[np.ix_(at, at)] += slope.T @ trust @ slope
            pull[at] += slope.T @ (weight * (left - moving @ (inner @ back)))
            own.append((view, at, inner, back, (moving.T * weight) @ slope))
        if step < _STEPS:
            change = np.linalg.solve(normal, pull)
            value = value + change
            for view, at, inner, back, cross in own:
                view.off += inner @ (back - cross @ change[at])
            seen = [view.off**2 + np.diag(inner) for view, _, inner, _, _ in own]
            placed = np.clip(np.sqrt(np.mean(seen, axis=0)), LEAST_PLACED, PLACED)
    known = slice(dipoles, dipoles + count)
    return (
        np.exp(value[known]),
        np.sqrt(np.diag(np.linalg.inv(normal))[known]),
        float(np.sqrt(square / max(whole, 1e-9))),
    )
