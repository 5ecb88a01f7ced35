"""The gain of each sensor, learned from one stone that was put on known points.

Over each point the readings of the still interval are averaged. The stone is taken as a sheet of upright
dipoles at the height of its centre and two level ones in its middle, other ones for either pole up: near by, a
real stone is not round and its axis not quite upright, and three dipoles in a row leave as much of its field as
the gains differ. The strength of each dipole and the logarithm of each gain are fitted together by Gauss-Newton
steps, each with a prior, so that a sensor near which the stone never came keeps its nominal gain. Rows far off
weigh less (Huber 1964). The strength of the stone and all gains together cannot be told apart: the mean of the
gains stays nominal. The stone must be turned the same way at all points.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.sensing.dipole import DEFAULT_MOMENT, FIELD_CONSTANT
from companion.sensing.layout import GAIN_SPREAD, Floats, Ints, TableLayout
from companion.sensing.reading import RawSample
from companion.sensing.still import UNSETTLED_MT, CalibrationRefusedError, Still, still
from companion.table.time import BoardTime

LEAST_POINTS: Final = 12
_SHEET: Final = [(x, y, 0, 0, 0, 1) for x in range(-9, 10, 3) for y in range(-9, 10, 3) if x * x + y * y < 85]
_DIPOLES: Final = np.array([*_SHEET, (0, 0, 0, 1, 0, 0), (0, 0, 0, 0, 1, 0)], dtype=np.float64)  # place in mm, axis
_STRENGTH: Final = DEFAULT_MOMENT / len(_SHEET) * _DIPOLES[:, 5]
_STRENGTH_SPREAD: Final = 0.1  # A.m2 of one dipole
_REACH_MM: Final = 60.0
_UNDER_MM: Final = 20.0
_MODEL_PART: Final = 0.005  # what the sheet and the place miss, as a part of the point's strongest field
_FLOOR_MT: Final = 0.05  # of an average: uneven steps of the converter, drift
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
    basis = _sheet_fields(layout, place[point], pole[point], sensor)
    rows = field[used][point, sensor]
    gain, spread, residual = _fit(layout.count, basis, point, sensor, rows, GAIN_SPREAD)
    if residual > _MODEL_RESIDUAL or _wide(gain, spread):  # sensors of another kind, or very unlike each other
        gain, spread, residual = _fit(layout.count, basis, point, sensor, rows, _WIDE_GAIN_SPREAD)
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


def _sheet_fields(layout: TableLayout, place: Floats, pole: Ints, sensor: Ints) -> Floats:
    """Field of each dipole at 1 A.m2 for each of R rows, (R, 2 x dipoles) mT: first those with the north pole up.

    place (R, 3) mm of the stone, pole (R,) 1 or -1, sensor (R,).
    """
    d = (layout.position[sensor] - place)[:, None, :] - _DIPOLES[:, :3]
    axis = layout.axis[sensor]
    moment = _DIPOLES[:, 3:] * pole[:, None, None]
    square = (d * d).sum(axis=2)
    along = np.einsum("rk,rdk->rd", axis, d) * (moment * d).sum(axis=2)
    field = FIELD_CONSTANT * (3.0 * along / square**2.5 - np.einsum("rk,rdk->rd", axis, moment) / square**1.5)
    return np.hstack([np.where(pole[:, None] > 0, field, 0.0), np.where(pole[:, None] > 0, 0.0, field)])


def _fit(
    count: int, basis: Floats, point: Ints, sensor: Ints, measured: Floats, gain_spread: float
) -> tuple[Floats, Floats, float]:
    """Relative gains (count,), their spread (count,) and the residual from R rows of measured field."""
    dipoles = basis.shape[1]
    prior = np.concatenate([np.full(dipoles, _STRENGTH_SPREAD**-2.0), np.full(count, gain_spread**-2.0)])
    mean = np.concatenate([np.tile(_STRENGTH, 2), np.zeros(count)])
    strongest = np.zeros(int(point.max()) + 1)
    np.maximum.at(strongest, point, np.abs(measured))
    sigma = np.hypot(_MODEL_PART * strongest[point], _FLOOR_MT)
    rows = np.arange(len(point))
    jacobian = np.zeros((len(point), dipoles + count))
    value = mean.copy()
    for _ in range(_STEPS):
        gain = np.exp(value[dipoles:])[sensor]
        predicted = gain * (basis @ value[:dipoles])
        jacobian[:, :dipoles] = gain[:, None] * basis
        jacobian[rows, dipoles + sensor] = predicted
        left = measured - predicted
        weight = np.minimum(1.0, _HUBER / np.maximum(np.abs(left / sigma), 1e-9)) / sigma**2
        precision = jacobian.T @ (weight[:, None] * jacobian) + np.diag(prior)
        value = value + np.linalg.solve(precision, jacobian.T @ (weight * left) - prior * (value - mean))
    gain = np.exp(value[dipoles:])
    left = measured - gain[sensor] * (basis @ value[:dipoles])
    residual = float(np.sqrt((left**2).sum() / max(float((measured**2).sum()), 1e-9)))
    return gain, np.sqrt(np.diag(np.linalg.inv(precision)))[dipoles:], residual
