"""What a stone is, learned while it lies flat and alone on a known place.

Fitted to the mean field of each showing: place, height, axis, long side, moment, and two of the three constants of the
shape (centre weight and elongation; the half-length only shifts weight between them and stays as it is). All have
priors: the place as told, the population's height, moment and shape, and an axis nearly upright. The height of the
centre is half the thickness. Rows that stay far off weigh less (Huber 1964). The mass is the step of the load cell.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from companion.sensing.baseline.reading import RawSample
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.lying import STARTS
from companion.sensing.fields.magnets import DEFAULT_MOMENT, DEFAULT_SHAPE, Magnets, magnet
from companion.sensing.fields.stones import LearnedStone, StoneSet
from companion.sensing.learning.still import UNSETTLED_MT, CalibrationRefusedError, Still, still
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.table.time import SECOND, BoardTime

_PLACE_SPREAD: Final = 0.3  # mm, of where a person puts a stone
_HEIGHT: Final = (3.45, 0.35)  # mm, of the centre of a flat stone
_TILT_SPREAD: Final = 0.02  # rad
_MOMENT_SPREAD: Final = 0.3
_SHAPE_SPREAD: Final = (0.5, 1.5)
_BACKGROUND_SPREAD: Final = 0.05  # mT
_FLOOR_MT: Final = 0.04  # drift of the zeros, uneven steps of the converter
_MODEL_PART: Final = 0.006
_HUBER: Final = 4.0
_REACH_MM: Final = 62.0
_STEPS: Final = 12
_FAINT_MT: Final = 2.0
_LARGEST_RESIDUAL: Final = 0.05
_UNDER_MM: Final = 20.0
_LARGEST_UNSEEN: Final = 0.2
_HEAVIEST_G: Final = 100.0
_BEFORE_US: Final = 3 * SECOND


@dataclass(frozen=True, slots=True)
class Showing:
    """Stone `number` lay flat from t0_us to t1_us at x, y (mm, table frame). pole_up: 1 or -1."""

    number: int
    t0_us: BoardTime
    t1_us: BoardTime
    x: float
    y: float
    pole_up: int


def learn_stones(
    layout: TableLayout, samples: Iterable[RawSample], shown: Sequence[Showing], name: str, gain_spread: Floats
) -> StoneSet:
    """Learn each stone shown. gain_spread (S,): standard deviation of the relative gains of the layout.

    Raises CalibrationRefusedError, naming the stone and the reason; ValueError where a sample is of another table.
    """
    if not shown:
        raise CalibrationRefusedError("no stone was shown")
    if len({s.number for s in shown}) != len(shown):
        raise CalibrationRefusedError("a stone was shown twice")
    seen = still(layout, samples, [(s.t0_us, s.t1_us) for s in shown], _BEFORE_US)
    stones = [fit_stone(layout, seen, k, each, gain_spread) for k, each in enumerate(shown)]
    return StoneSet(name, tuple(sorted(stones, key=lambda s: s.number)))


def fit_stone(layout: TableLayout, seen: Still, k: int, shown: Showing, gain_spread: Floats) -> LearnedStone:
    """One stone from what was seen in span k. Raises CalibrationRefusedError as learn_stones."""
    away = np.hypot(*(layout.position[:, :2] - [shown.x, shown.y]).T)
    stone = f"stone {shown.number}"
    if not seen.valid[k].any():
        raise CalibrationRefusedError(f"there are too few frames of {stone}", "few_frames")
    under = away < _UNDER_MM
    if not under.any():
        raise CalibrationRefusedError(f"{stone} was not shown on a tile", "not_on_tile")
    if float((under & ~seen.valid[k]).sum() / under.sum()) > _LARGEST_UNSEEN:
        raise CalibrationRefusedError(f"sensors under {stone} are saturated or at fault", "unseen_stone")
    rows = np.flatnonzero((away < _REACH_MM) & seen.valid[k])
    field = seen.field[k, rows]
    if float(np.abs(field).max()) < _FAINT_MT:
        raise CalibrationRefusedError(f"there was nothing at the place of {stone}", "nothing_there")
    if float(seen.unrest[k, rows].max()) > UNSETTLED_MT + 0.05 * float(np.abs(field).max()):
        raise CalibrationRefusedError(f"{stone} did not lie still", "restless_stone")
    sigma = np.hypot(_FLOOR_MT, np.hypot(gain_spread[rows], _MODEL_PART) * field)
    problem = _Problem(FieldModel.of(layout, rows), field, sigma, shown)
    fits = [problem.solve(np.pi * turn / STARTS) for turn in range(STARTS)]
    stones, _, spread, left = min(fits, key=lambda fitted: fitted[1])
    residual = float(np.sqrt(np.square(left).mean() / np.square(field).mean()))
    if not residual <= _LARGEST_RESIDUAL:
        raise CalibrationRefusedError(
            f"{100 * residual:.0f} % of the field of {stone} is no stone's at the place told",
            "no_stone",
            percent=round(100 * residual),
        )
    mass = float(seen.grams[k] - seen.empty[k])
    half, centre, elongation = stones.shape[0].tolist()
    return LearnedStone(
        shown.number,
        float(stones.moment[0]),
        spread,
        (half, centre, abs(elongation)),
        2.0 * float(stones.position[0, 2]),
        mass if 0.2 < mass < _HEAVIEST_G else None,
        residual,
    )


class _Problem:
    """Gauss-Newton over the seven unknowns of the pose, centre weight, elongation and a background."""

    def __init__(self, model: FieldModel, field: Floats, sigma: Floats, shown: Showing) -> None:
        self._model, self._field, self._sigma, self._shown = model, field, sigma, shown
        self._up = np.array([0.0, 0.0, float(shown.pole_up)])

    def solve(self, angle: float) -> tuple[Magnets, float, float, Floats]:
        """From a turn of the long side: the stone, its cost, the spread of its log moment and what is left (R,) mT."""
        side = (np.cos(angle), np.sin(angle), 0.0)
        place = (self._shown.x, self._shown.y, _HEIGHT[0])
        now = magnet(place, self._up, DEFAULT_MOMENT, DEFAULT_SHAPE, side)
        background, damping = 0.0, 1e-3
        cost, normal, pull = self._point(now, background)
        for _ in range(_STEPS):
            damped = normal + damping * np.diag(np.diag(normal))
            step: Floats = np.clip(np.asarray(np.linalg.solve(damped, pull), dtype=np.float64), -1.0, 1.0)
            trial = now.stepped(step[None, :7])
            trial = replace(trial, shape=trial.shape + np.array([[0.0, step[7], step[8]]]))
            found = self._point(trial, background + step[9])
            if found[0] < cost:
                now, background, damping = trial, background + float(step[9]), damping * 0.1
                cost, normal, pull = found
            else:
                damping *= 10.0
        spread = float(np.sqrt(np.linalg.inv(normal)[6, 6]))
        return now, cost, spread, self._field - background - self._model.fields(now)[0]

    def _point(self, stone: Magnets, background: float) -> tuple[float, Floats, Floats]:
        fields, slopes = self._model.jacobian(stone)
        jacobian = np.empty((10, len(self._field)))
        jacobian[:7] = slopes[:, 0]
        for row, change in ((7, np.array([[0.0, 0.02, 0.0]])), (8, np.array([[0.0, 0.0, 0.02]]))):
            more, less = (replace(stone, shape=stone.shape + sign * change) for sign in (1.0, -1.0))
            jacobian[row] = (self._model.fields(more)[0] - self._model.fields(less)[0]) / 0.04
        jacobian[9] = 1.0
        left = (self._field - background - fields[0]) / self._sigma
        far = np.abs(left) > _HUBER
        weight = np.where(far, _HUBER / np.maximum(np.abs(left), 1e-9), 1.0)
        cost = float(np.where(far, 2.0 * _HUBER * np.abs(left) - _HUBER**2, left**2).sum())
        scaled = jacobian / self._sigma
        normal = (scaled * weight) @ scaled.T
        pull = scaled @ (weight * left)
        # a tilt from upright, as the turn that would bring the axis back
        tilt = np.cross(stone.axis[0], self._up)
        at, shape = stone.position[0], stone.shape[0]
        off = np.array(
            [
                at[0] - self._shown.x,
                at[1] - self._shown.y,
                at[2] - _HEIGHT[0],
                -tilt[0],
                -tilt[1],
                0.0,
                float(stone.log_moment[0]) - np.log(DEFAULT_MOMENT),
                shape[1] - DEFAULT_SHAPE[1],
                shape[2] - DEFAULT_SHAPE[2],
                background,
            ]
        )
        spread = np.array(
            [
                _PLACE_SPREAD,
                _PLACE_SPREAD,
                _HEIGHT[1],
                _TILT_SPREAD,
                _TILT_SPREAD,
                1.0,
                _MOMENT_SPREAD,
                *_SHAPE_SPREAD,
                _BACKGROUND_SPREAD,
            ]
        )
        normal += np.diag(spread**-2.0)
        pull -= off / spread**2
        return cost + float(np.square(off / spread).sum()), normal, pull
