"""What sensing sees while a recording is replayed, gathered for pictures and for the diagnostics page."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from companion.process.common.learned import samples
from companion.sensing.fields.uncertainty import place_covariance
from companion.sensing.pipeline import Sensing
from companion.sensing.sensors.layout import Bools, Floats, TableLayout
from companion.table import BoardTime
from drivers.recording import Recording

Place = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """One frame: field, residual (S,) mT, valid (S,), and of each stone its track, place and covariance (2, 2) mm2."""

    t_us: BoardTime
    field: Floats
    residual: Floats
    valid: Bools
    tracks: tuple[tuple[int, Place, Floats], ...]


@dataclass(slots=True, eq=False)
class Seen:
    """paths: places of each track; weight (g), residual (rms mT) and frames lost so far, each with its board time."""

    layout: TableLayout
    moment: Moment | None = None
    paths: dict[int, list[Place]] = field(default_factory=dict)
    weight: list[tuple[BoardTime, float]] = field(default_factory=list)
    residual: list[tuple[BoardTime, float]] = field(default_factory=list)
    lost: list[tuple[BoardTime, int]] = field(default_factory=list)


def see(recording: Recording, sensing: Sensing, at: BoardTime, reach: Callable[[int], None]) -> Seen:
    """Replay; the moment is the last frame up to `at`. reach: told the board time that was reached."""
    seen, lost = Seen(sensing.layout), 0
    for sample in samples(recording):
        sensing.feed(sample)
        lost += sample.lost
        seen.lost.append((sample.t_us, lost))
        reach(sample.t_us)
        if sensing.weight.last_us is not None:
            seen.weight.append((sample.t_us, sensing.weight.last_g))
        tracker = sensing.tracker
        if tracker is None:
            continue
        seen.residual.append((sample.t_us, float(np.sqrt(np.mean(tracker.residual**2)))))
        for m in tracker.movers:
            for track, place in zip(m.body.tracks, m.body.stones.position, strict=True):
                seen.paths.setdefault(track, []).append((float(place[0]), float(place[1])))
        if at - 1_000_000 < sample.t_us <= at:
            seen.moment = moment(sensing, sample.t_us)
    return seen


def moment(sensing: Sensing, t_us: BoardTime) -> Moment | None:
    """The newest frame as sensing sees it; None before the zeros are known."""
    tracker, reading = sensing.tracker, sensing.reading
    if tracker is None or reading is None:
        return None
    tracks = []
    for m in tracker.movers:
        spread = place_covariance(sensing.layout, m.body, tracker.weight)
        for track, place in zip(m.body.tracks, m.body.stones.position, strict=True):
            tracks.append((track, (float(place[0]), float(place[1])), spread))
    return Moment(t_us, reading.field, tracker.residual, reading.valid, tuple(tracks))


def ellipse(covariance: Floats) -> tuple[float, float, float]:
    """Width, height (mm) and angle (degrees) of the ellipse of two standard deviations of a covariance (2, 2)."""
    size, axes = np.linalg.eigh(covariance)
    width, height = (4.0 * np.sqrt(np.maximum(size, 0.0))).tolist()
    return width, height, float(np.degrees(np.arctan2(axes[1, 0], axes[0, 0])))
