"""How the tiles lie, from one stone slid flat over their seams.

While the stone crosses a seam the sensors of both tiles see it at one place, so it shows how the tiles lie to each
other. Each frame used has its own place, turn and height of the stone; the tiles share three unknowns each
(shift x, y in mm, turn in rad about the tile's middle), with a prior that they lie about as believed. Gauss-Newton,
the frames' unknowns eliminated one frame at a time (Schur complement). The scan takes most of a frame and the stone
moves meanwhile: each sensor sees it where it was when that sensor was read, by the speed between neighbouring frames.
Where the whole board lies cannot be told: shift and turn common to all tiles stay as believed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from companion.sensing.births import LYING_MM, Births
from companion.sensing.bodies import Body
from companion.sensing.dipole import FieldModel, Magnets
from companion.sensing.layout import Floats, Ints, TableLayout
from companion.sensing.lying import fit_lying
from companion.sensing.prior import FLAT_HEIGHT, Prior
from companion.sensing.reading import RawSample, Reader
from companion.sensing.still import CalibrationRefusedError, Span
from companion.sensing.stones import POPULATION, LearnedStone

SHIFT_SPREAD: Final = 2.5
"""mm: of a tile laid by hand against its place in the picture."""

TURN_SPREAD: Final = 0.02  # rad
_EVERY: Final = 3  # frames
_WINDOW_MM: Final = 55.0
_LEAST_FRAMES: Final = 12  # a seam
_LEAST_ROWS: Final = 4  # of each tile, with the stone within _NEAR_MM
_NEAR_MM: Final = 26.0
_FLOOR_MT: Final = 0.08
_MODEL_PART: Final = 0.015
_HUBER: Final = 3.0
_ROUNDS: Final = 6
_LARGEST_MISFIT: Final = 1.5
_LOW_MM: Final = 2.0  # above its resting height the stone is being lifted


@dataclass(frozen=True, slots=True)
class Slide:
    """A stone was slid over the seams of two tiles (their places in table.json) during span."""

    span: Span
    tiles: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """shift (n, 2) mm and turn (n,) rad of each tile from where it was believed, about its middle; spread (n, 3): their
    standard deviations against the other tiles; misfit: chi squared a row; frames: used.
    """

    shift: Floats
    turn: Floats
    spread: Floats
    misfit: float
    frames: int


@dataclass(slots=True, eq=False)
class _Frame:
    field: Floats
    rows: Ints
    stone: Magnets
    speed: Floats  # mm a microsecond
    t_us: int
    slide: int
    height: float


def learn_tiles(
    layout: TableLayout, samples: Iterable[RawSample], slides: Sequence[Slide], stone: LearnedStone | None
) -> Laid:
    """stone: the one that was slid, where it is known.

    Raises CalibrationRefusedError where the board did not begin empty, a seam has too few frames, the tiles do not hang
    together by the seams, or the frames do not agree; ValueError where a sample is of another table.
    """
    frames = _followed(layout, samples, slides, stone)
    count = len(layout.triangles)
    tiles = {t for s in slides for t in s.tiles}
    if not tiles or max(tiles) >= count or min(tiles) < 0:
        raise CalibrationRefusedError("it slides over tiles that the table does not have")
    for pair in sorted({s.tiles for s in slides}):
        seen = sum(slides[f.slide].tiles == pair for f in frames)
        if seen < _LEAST_FRAMES:
            raise CalibrationRefusedError(
                f"only {seen} frames show the stone over the seam of tiles {pair[0]} and {pair[1]}, "
                f"{_LEAST_FRAMES} are needed"
            )
    if len(_together(count, [s.tiles for s in slides])) > 1:
        raise CalibrationRefusedError("not every tile was joined to the others by a slide")
    return _adjusted(layout, frames)


def moved(layout: TableLayout, shift: Floats, turn: Floats) -> TableLayout:
    """The layout with its tiles (n) shifted, (n, 2) mm, and turned about their middles, (n,) rad."""
    middle = layout.triangles.mean(axis=1)
    sine, cosine = np.sin(turn), np.cos(turn)
    spin = np.stack([np.stack([cosine, -sine], -1), np.stack([sine, cosine], -1)], -2)
    tile = layout.tile
    position, axis = layout.position.copy(), layout.axis.copy()
    away = position[:, :2] - middle[tile]
    position[:, :2] = middle[tile] + np.einsum("sij,sj->si", spin[tile], away) + shift[tile]
    axis[:, :2] = np.einsum("sij,sj->si", spin[tile], axis[:, :2])
    triangles = np.einsum("nij,nkj->nki", spin, layout.triangles - middle[:, None]) + (middle + shift)[:, None]
    return replace(layout, position=position, axis=axis, triangles=triangles)


def _together(count: int, pairs: Sequence[tuple[int, int]]) -> list[set[int]]:
    groups = [{t} for t in range(count)]
    for a, b in pairs:
        joined = [g for g in groups if a in g or b in g]
        groups = [g for g in groups if g not in joined] + [set().union(*joined)]
    return groups


def _followed(
    layout: TableLayout, samples: Iterable[RawSample], slides: Sequence[Slide], stone: LearnedStone | None
) -> list[_Frame]:
    """The stone in every _EVERY-th frame of the slides, as far as it lies and both tiles see it."""
    reader, births = Reader(layout), Births(layout, LYING_MM)
    moment, spread, shape = (stone.moment, 0.05, stone.shape) if stone else POPULATION
    height, high = (stone.thickness / 2, 0.3) if stone else FLAT_HEIGHT
    out: list[_Frame] = []
    last: Body | None = None
    before: tuple[int, Floats] | None = None
    used = -1
    for number, sample in enumerate(samples):
        reading = reader.read(sample)
        if reading is None:
            continue
        slide = next((k for k, s in enumerate(slides) if s.span[0] <= reading.t_us <= s.span[1]), None)
        if slide is None:
            last = before = None
            continue
        if number % _EVERY:
            continue
        if slide != used:
            last, before, used = None, None, slide
        if last is None:
            found = births.search(reading.field, float(np.median(reader.sigma)), np.zeros((0, 3)), 0.0, most=1)
            if not found:
                continue
            last = Body((1,), found[0].magnets(moment, shape))
        weight = np.where(reading.valid, 1.0 / (_FLOOR_MT**2 + (0.05 * reading.field) ** 2), 0.0)
        sigma = np.array([20.0, 20.0, high])
        prior = Prior(np.array([*last.centre[:2], height]), sigma, 0.3, float(np.log(moment)), spread)
        last = fit_lying(layout, last, prior, reading.field, weight, 2.0).bodies[0]
        place = last.centre
        speed = np.zeros(3) if before is None else (place - before[1]) / (reading.t_us - before[0])
        if before is not None and out and out[-1].t_us == before[0]:
            out[-1].speed = 0.5 * (out[-1].speed + speed) if out[-1].speed.any() else speed
        before = (reading.t_us, place.copy())
        away = np.hypot(*(layout.position[:, :2] - place[:2]).T)
        near = [int(((layout.tile == t) & (away < _NEAR_MM) & reading.valid).sum()) for t in slides[slide].tiles]
        if min(near) < _LEAST_ROWS or abs(float(last.stones.axis[0, 2])) < 0.98:
            continue
        rows = np.flatnonzero((away < _WINDOW_MM) & reading.valid)
        out.append(_Frame(reading.field, rows, last.stones, speed, reading.t_us, slide, height))
    if not reader.ready:
        raise CalibrationRefusedError("its beginning shows no empty board at rest")
    return out


def _adjusted(layout: TableLayout, frames: list[_Frame]) -> Laid:
    count = len(layout.triangles)
    prior = np.tile([SHIFT_SPREAD, SHIFT_SPREAD, TURN_SPREAD], count) ** -2.0
    value = np.zeros(3 * count)
    chi = rows = 0.0
    normal = np.diag(prior)
    for _ in range(_ROUNDS):
        now = moved(layout, value.reshape(-1, 3)[:, :2], value.reshape(-1, 3)[:, 2])
        normal, pull = np.diag(prior), -prior * value
        chi = rows = 0.0
        for frame in frames:
            a, g, c = _reduced(now, frame)
            normal, pull, chi, rows = normal + a, pull + g, chi + c, rows + len(frame.rows)
        value = value + np.linalg.solve(normal, pull)
    misfit = chi / max(rows, 1.0)
    if not misfit <= _LARGEST_MISFIT:
        raise CalibrationRefusedError(f"the tiles' readings of the stone do not agree ({misfit:.1f} times the noise)")
    # what all tiles have in common cannot be told: take it out of the spread
    free = _free(layout)
    spread = np.sqrt(np.maximum(np.diag(free @ np.linalg.inv(normal) @ free.T), 0.0)).reshape(-1, 3)
    each = (free @ value).reshape(-1, 3)
    return Laid(each[:, :2], each[:, 2], spread, misfit, len(frames))


def _free(layout: TableLayout) -> Floats:
    """Takes from the tiles' unknowns (3n,) the shift and turn that they have in common."""
    middle = layout.triangles.mean(axis=1)
    count = len(middle)
    common = np.zeros((3 * count, 3))
    common[0::3, 0] = common[1::3, 1] = 1.0
    arms = middle - middle.mean(axis=0)
    common[0::3, 2], common[1::3, 2], common[2::3, 2] = -arms[:, 1], arms[:, 0], 1.0
    # a turn in rad weighs as much as the shift that it makes at a tile's corner
    scale = np.tile([1.0, 1.0, 60.0], count)
    basis = np.linalg.qr(common * scale[:, None])[0]
    keep = np.eye(3 * count) - basis @ basis.T
    out: Floats = keep * scale / scale[:, None]
    return out


def _reduced(now: TableLayout, frame: _Frame) -> tuple[Floats, Floats, float]:
    """Normal matrix (3n, 3n) and pull (3n,) of one frame without the stone's unknowns, and its chi squared.

    The stone is fitted to the tiles as they now are on the way; frame.stone keeps it.
    """
    rows, count = frame.rows, len(now.triangles)
    delay = now.delay_us[rows][:, None]
    model = FieldModel((now.position[rows] - delay * frame.speed)[None], now.axis[rows][None])
    measured = frame.field[rows]
    sigma = np.hypot(_FLOOR_MT, np.hypot(_MODEL_PART, now.gain_spread[rows]) * measured)
    # what is known of a stone that slides flat: spreads, 0 for nothing
    known = np.array([0.0, 0.0, 0.2, 0.01, 0.01, 1.0, 0.1, 0.05])
    firm = np.divide(1.0, known**2, out=np.zeros(8), where=known > 0.0)
    for _ in range(3):
        fields, slopes = model.jacobian(frame.stone)
        left = measured - fields[0]
        robust = np.minimum(1.0, _HUBER / np.maximum(np.abs(left / sigma), 1e-9)) / sigma**2
        own = np.vstack([slopes[:, 0], np.ones(len(rows))])
        inner = (own * robust) @ own.T + np.diag(firm)
        axis, place = frame.stone.axis[0], frame.stone.position[0]
        up = np.sign(axis[2])
        # from where it should be: its height, and the turn that would set it upright
        off = np.array([0.0, 0.0, place[2] - frame.height, -axis[1] * up, axis[0] * up, 0.0, 0.0, 0.0])
        step = np.linalg.solve(inner, own @ (robust * left) - firm * off)
        frame.stone = frame.stone.stepped(np.clip(step[None, :7], -5.0, 5.0))
    fields, slopes = model.jacobian(frame.stone)
    left = measured - fields[0]
    robust = np.minimum(1.0, _HUBER / np.maximum(np.abs(left / sigma), 1e-9)) / sigma**2
    own = np.vstack([slopes[:, 0], np.ones(len(rows))])
    inner = (own * robust) @ own.T + np.diag(firm)
    outer = np.zeros((3 * count, len(rows)))
    tile = now.tile[rows]
    arms = now.position[rows, :2] - now.triangles.mean(axis=1)[tile]
    at = np.arange(len(rows))
    # a sensor that moves sees what it would see if the stone moved the other way
    outer[3 * tile, at], outer[3 * tile + 1, at] = -slopes[0, 0], -slopes[1, 0]
    outer[3 * tile + 2, at] = slopes[0, 0] * arms[:, 1] - slopes[1, 0] * arms[:, 0]
    cross = (outer * robust) @ own.T
    gain = cross @ np.linalg.inv(inner)
    normal = (outer * robust) @ outer.T - gain @ cross.T
    pull = outer @ (robust * left) - gain @ (own @ (robust * left))
    return normal, pull, float((left**2 * robust).sum())
