"""A stone carried over stones at rest: whether a track follows it, and whether one stays behind when it has gone.

COUNT stones lie at known poses, of moments as a set has them; sensors have errors of gain. A hand's stone comes from
beside the mats and is carried over them on several ways: in how many of the frames a track in a hand is within FOUND_MM
and NEAR_MM of it, and in how many runs an approach is told. Then the ghosts' side: no stone is carried, but a track is
left over a stone, with those near it awake and their tracks drawn off their places, while they have moved, turned or
lean: for how many frames it lives. What is gained on the one side must not be lost on the other. Prints only.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np
import pytest

from companion.sensing.baseline.memory import Memory
from companion.sensing.baseline.zero import Zero
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import DEFAULT_MOMENT, DEFAULT_SHAPE, Magnets, magnet
from companion.sensing.pipeline import Sensing
from companion.sensing.sensors.layout import Floats
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.needed import COMES_FRAMES
from companion.table import EventKind, TableEvent
from drivers.sample import LoadSample, Sample
from tests.bench.test_frame_cost import GRAM, NOISE, PERIOD_US, STONE_G, TARE, lying, row_of

COUNT, TILES = 20, 4
HEIGHTS_MM = (20.0, 30.0, 40.0, 60.0)
WAYS = ("along", "waves", "slow")
SEEDS = (1, 2)
MOMENT_SPREAD, GAIN_SPREAD = 0.15, 0.01
QUIET_FRAMES = 60
FOUND_MM, NEAR_MM = 10.0, 25.0
DISTURBED: Final = {"as they lay": (0.0, 0.0), "moved": (2.0, 0.0), "turned": (0.5, 0.15), "lean": (1.5, 0.3)}
"""mm and rad (of each axis) by which those near a ghost lie otherwise than they were known."""
GHOSTS_OVER: Final = (3, 8, 13)
GHOST_MM, NEAR_GHOST_MM, DRAWN_MM = 25.0, 50.0, 3.0
AFTER_FRAMES = 100


def ways(name: str, height: float) -> Iterator[Floats]:
    """Places (3,) mm of the hand's stone, frame by frame."""
    board = row_of(TILES)
    low, high = board.position[:, :2].min(0), board.position[:, :2].max(0)
    middle, speed = float(low[1] + high[1]) / 2.0, 0.8 if name == "slow" else 2.0
    for k in range(300):
        way = 1.0 - abs((k * speed / float(high[0] - low[0] - 80.0)) % 2.0 - 1.0)
        x = high[0] - way * (high[0] - low[0] - 80.0)
        y = middle + {"along": 15.0 * np.sin(0.05 * k), "waves": 40.0 * np.sin(0.02 * k), "slow": 5.0}[name]
        yield np.array([x, y, 3.4 + height])


class Table:
    """A table of stones whose poses are known from the start."""

    def __init__(self, seed: int) -> None:
        self.layout, self.rng = row_of(TILES), np.random.default_rng(seed)
        self.stones = []
        for s in lying(self.layout, self.rng, COUNT):
            moment = DEFAULT_MOMENT * float(np.exp(self.rng.normal(0.0, MOMENT_SPREAD)))
            self.stones.append(magnet(s.position[0], s.axis[0], moment, DEFAULT_SHAPE, s.side[0]))
        self.gain = self.layout.gain * (1.0 + self.rng.normal(0.0, GAIN_SPREAD, self.layout.count))
        self.model = FieldModel.of(self.layout)
        count = self.layout.count
        zero = Zero(np.full(count, 512.0), np.full(count, NOISE), np.full(count, 0.05))
        bodies = tuple(Body((k,), s) for k, s in enumerate(self.stones, 1))
        self.sensing = Sensing(self.layout, None, Memory(self.layout.table_id, 0, zero, bodies, STONE_G * COUNT), 1000)
        self.told = self.n = 0
        for _ in range(QUIET_FRAMES):
            self.frame(None)

    def frame(self, hand: Magnets | None) -> None:
        """Show what lies there, and what a hand has."""
        shown = [*self.stones, *([] if hand is None else [hand])]
        field = self.model.fields(shown[0].joined(*shown[1:])).sum(axis=0)
        counts = np.rint(512.0 + self.gain * field + self.rng.normal(0.0, NOISE, self.layout.count))
        grams = STONE_G * COUNT + self.rng.normal(0.0, 0.05)
        load = (LoadSample(self.n * PERIOD_US, TARE + round(GRAM * grams)),)
        hall = np.clip(counts, 0, 1023).astype("<u2").tobytes()
        reports = self.sensing.feed(Sample(self.n * PERIOD_US, self.n, hall, load=load))
        self.told += sum(isinstance(r, TableEvent) and r.kind is EventKind.APPROACH for r in reports)
        self.n += 1

    def carried(self) -> list[Mover]:
        """The tracks that seem to be in a hand."""
        tracker = self.sensing.tracker
        return [] if tracker is None else [m for m in tracker.movers if m.carried]

    def plant(self, over: int, mm: float, rad: float) -> None:
        """A ghost over a stone, as one is left behind: those near it are awake, their tracks drawn off, and they lie
        otherwise than they were known.
        """
        tracker, place = self.sensing.tracker, self.stones[over].position[0] + [0.0, 0.0, GHOST_MM]
        assert tracker is not None
        t_us = self.n * PERIOD_US
        for m in tracker.movers:
            if float(np.linalg.norm(m.body.centre - place)) > NEAR_GHOST_MM:
                continue
            k = m.body.tracks[0] - 1
            lies = self.rng.normal(size=3) * [mm, mm, 0.1], self.rng.normal(0.0, rad, 3), [0.0]
            self.stones[k] = Body((k,), self.stones[k]).moved(np.concatenate(lies)).stones
            drawn = self.rng.normal(size=3) * [DRAWN_MM, DRAWN_MM, 0.5], self.rng.normal(0.0, 0.1, 3), [0.0]
            m.body = m.body.moved(np.concatenate(drawn))
            m.kept, m.awake, m.evidence = self.model.fields(m.body.stones).sum(0), True, 300.0
            m.anchor, m.still_us = m.smooth.copy(), t_us
        ghost = Mover(Body((999,), hand_at(place)), Phase.HAND, t_us, born_at=place, told=True, held=True)
        ghost.smooth, ghost.frames, ghost.kept = place, COMES_FRAMES, self.model.fields(ghost.body.stones).sum(0)
        tracker.movers.append(ghost)


def hand_at(place: Floats) -> Magnets:
    return magnet(tuple(place), (0.2, 0.1, 1.0), DEFAULT_MOMENT, DEFAULT_SHAPE)


def followed(seed: int, way: str, height: float) -> tuple[float, float, bool]:
    """Shares of the frames with a track at the carried stone and near it; whether its approach was told."""
    table, off = Table(seed), list[float]()
    for place in ways(way, height):
        table.frame(hand_at(place))
        off.append(min((float(np.linalg.norm(m.body.centre - place)) for m in table.carried()), default=np.inf))
    at, near = (float(np.mean(np.array(off) < mm)) for mm in (FOUND_MM, NEAR_MM))
    return at, near, table.told > 0


def ghosts(seed: int, change: tuple[float, float]) -> list[int]:
    """For how many frames a track in a hand lives on over each of some stones, where no stone is."""
    out = []
    for over in GHOSTS_OVER:
        table = Table(seed)
        table.plant(over, *change)
        lived = 0
        for _ in range(AFTER_FRAMES):
            table.frame(None)
            lived += bool(table.carried())
        out.append(lived)
    return out


@pytest.mark.bench
def test_what_hovers_over_stones(capsys: pytest.CaptureFixture[str]) -> None:
    runs = [(seed, way) for seed in SEEDS for way in WAYS]
    lines = [f"over {COUNT} stones: share of frames with a track within {FOUND_MM:.0f} and {NEAR_MM:.0f} mm; told"]
    for height in HEIGHTS_MM:
        at, near, told = zip(*(followed(*run, height) for run in runs), strict=True)
        lines.append(f"{height:4.0f} mm {np.mean(at):6.2f} {np.mean(near):6.2f} {sum(told):4d} of {len(runs)}")
    lines.append(f"a ghost {GHOST_MM:.0f} mm over a stone whose neighbours changed: frames of {AFTER_FRAMES} it lives")
    for name, change in DISTURBED.items():
        lines.append(f"{name:12s} {[ghosts(seed, change) for seed in SEEDS]}")
    with capsys.disabled():
        print("\n" + "\n".join(lines))
