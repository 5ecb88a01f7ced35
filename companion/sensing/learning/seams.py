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

from companion.sensing.baseline.reading import RawSample, Reader
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.stones import LearnedStone
from companion.sensing.learning.sliding import EVERY, FLOOR_MT, Follower, SlideFrame
from companion.sensing.learning.still import CalibrationRefusedError, Span
from companion.sensing.sensors.layout import Floats, TableLayout

SHIFT_SPREAD: Final = 2.5
"""mm: of a tile laid by hand against its place in the picture."""

TURN_SPREAD: Final = 0.02  # rad
LEAST_FRAMES: Final = 12
"""Of each seam."""
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


def learn_tiles(
    layout: TableLayout, samples: Iterable[RawSample], slides: Sequence[Slide], stone: LearnedStone | None
) -> Laid:
    """stone: the one that was slid, where it is known.

    Raises CalibrationRefusedError where the board did not begin empty, a seam has too few frames, the tiles do not hang
    together by the seams, or the frames do not agree; ValueError where a sample is of another table.
    """
    return fit_tiles(layout, _followed(layout, samples, slides, stone), sorted({s.tiles for s in slides}))


def fit_tiles(layout: TableLayout, frames: Sequence[SlideFrame], seams: Sequence[tuple[int, int]]) -> Laid:
    """From frames of a stone over these seams (pairs of tiles). Raises CalibrationRefusedError as learn_tiles."""
    count = len(layout.triangles)
    tiles = {t for pair in seams for t in pair}
    if not tiles or max(tiles) >= count or min(tiles) < 0:
        raise CalibrationRefusedError("it slides over tiles that the table does not have", "no_seams")
    for pair in seams:
        seen = sum(f.tiles == pair for f in frames)
        if seen < LEAST_FRAMES:
            raise CalibrationRefusedError(
                f"only {seen} frames show the stone over the seam of tiles {pair[0]} and {pair[1]}, "
                f"{LEAST_FRAMES} are needed",
                "few_slides",
            )
    if len(_together(count, seams)) > 1:
        raise CalibrationRefusedError("not every tile was joined to the others by a slide", "tiles_apart")
    return _adjusted(layout, [f for f in frames if f.tiles in seams])


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
) -> list[SlideFrame]:
    """The stone in every EVERY-th frame of the slides, as far as it lies and both tiles see it."""
    reader, follower = Reader(layout), Follower(layout, stone)
    used = None
    for number, sample in enumerate(samples):
        reading = reader.read(sample)
        if reading is None:
            continue
        slide = next((s for s in slides if s.span[0] <= reading.t_us <= s.span[1]), None)
        if slide is not used:
            follower.lift()
            used = slide
        if slide is not None and number % EVERY == 0:
            follower.add(reading, reader.sigma, slide.tiles)
    if not reader.ready:
        raise CalibrationRefusedError("its beginning shows no empty board at rest", "no_zero")
    return follower.frames


def _adjusted(layout: TableLayout, frames: Sequence[SlideFrame]) -> Laid:
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
        raise CalibrationRefusedError(
            f"the tiles' readings of the stone do not agree ({misfit:.1f} times the noise)", "tiles_disagree"
        )
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


def _reduced(now: TableLayout, frame: SlideFrame) -> tuple[Floats, Floats, float]:
    """Normal matrix (3n, 3n) and pull (3n,) of one frame without the stone's unknowns, and its chi squared.

    The stone is fitted to the tiles as they now are on the way; frame.stone keeps it.
    """
    rows, count = frame.rows, len(now.triangles)
    delay = now.delay_us[rows][:, None]
    model = FieldModel((now.position[rows] - delay * frame.speed)[None], now.axis[rows][None])
    measured = frame.field[rows]
    sigma = np.hypot(FLOOR_MT, np.hypot(_MODEL_PART, now.gain_spread[rows]) * measured)
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
