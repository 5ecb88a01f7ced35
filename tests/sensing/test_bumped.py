"""A tile that lies elsewhere than it is believed to is told by stones at its seams, and no more when it lies right."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import Magnets, magnet
from companion.sensing.fields.seam_look import at_seam, look
from companion.sensing.learning.seams import moved
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.sensing.tracks.bumped import LEAST_LOOKS, Bumped
from companion.sensing.tracks.movers import Phase
from companion.sensing.tracks.tracker import Tracker

DATA = Path(__file__).parent.parent / "data" / "recordings"
LAYOUT = TableLayout.from_json(json.loads((DATA / "nominal-snap2-a" / "table.json").read_text()))
VALID = np.ones(LAYOUT.count, dtype=np.bool_)
SIGMA = 0.07


def seam(tile: int, along: float, off: float = 6.0) -> tuple[float, float]:
    """A place by the edge that a tile shares with A, which lies in the middle; along: mm from the edge's middle."""
    middle, other = LAYOUT.triangles[0].mean(axis=0), LAYOUT.triangles[tile].mean(axis=0)
    way = (other - middle) / np.hypot(*(other - middle))
    at = (middle + other) / 2.0 + along * np.array([-way[1], way[0]]) + off * way
    return float(at[0]), float(at[1])


def pushed(tile: int, x: float, y: float, degrees: float = 0.0) -> TableLayout:
    """The table with one tile moved."""
    shift, turn = np.zeros((4, 2)), np.zeros(4)
    shift[tile], turn[tile] = (x, y), np.deg2rad(degrees)
    return moved(LAYOUT, shift, turn)


def stone(place: tuple[float, float], rng: np.random.Generator) -> Magnets:
    """One that lies flat, of a shape that is not the usual one."""
    shape = (2.0, 2.3 + rng.normal(0.0, 0.2), 2.4 + rng.normal(0.0, 0.6))
    side = np.array([*rng.normal(0.0, 1.0, 2), 0.0])
    up = rng.choice([-1.0, 1.0])
    return magnet((*place, 3.4 + rng.normal(0.0, 0.3)), (0.0, 0.0, up), 0.29, shape, side)


class Table:
    """Stones put down one after another, seen by sensors whose gains are not quite those that are believed."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.gain = 1.0 + self.rng.normal(0.0, 0.03, LAYOUT.count)
        self.tracker = Tracker(LAYOUT, np.full(LAYOUT.count, SIGMA))
        self.t = 2_000_000

    @property
    def faults(self) -> tuple[str, ...]:
        return self.tracker.bumped.faults

    def show(self, field: Floats) -> None:
        self.t += 10_000
        seen = self.gain * field + self.rng.normal(0.0, SIGMA, LAYOUT.count)
        self.tracker.step(self.t, seen, VALID)

    def put(self, lies: TableLayout, places: Sequence[tuple[float, float]]) -> "Table":
        """Each stone comes down, rests for 0.8 s and is taken away; the tiles lie as `lies` says."""
        model = FieldModel.of(lies)
        for place in places:
            there = stone(place, self.rng)
            for up in [*np.linspace(90.0, 0.0, 60), *[0.0] * 80]:
                high = there.position + np.array([[0.0, 0.0, float(up)]])
                raised = Magnets(high, there.axis, there.log_moment, there.shape, there.side)
                self.show(model.fields(raised)[0])
                if up == 0.0:
                    for m in self.tracker.movers:
                        m.phase = Phase.BOARD
            for m in list(self.tracker.movers):
                self.tracker.drop(m)
            for _ in range(40):
                self.show(np.zeros(LAYOUT.count))
        return self


@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_told_of_tiles_that_lie_right(seed: int) -> None:
    places = [seam(k, along) for along in (-30.0, 0.0, 30.0) for k in (1, 2, 3)]
    assert Table(seed).put(LAYOUT, places).faults == ()


@pytest.mark.parametrize(("x", "y", "degrees"), [(4.0, 0.0, 0.0), (0.0, -4.0, 0.0), (0.0, 3.0, 2.0)])
def test_a_pushed_tile_is_told_and_no_more_when_it_is_back(x: float, y: float, degrees: float) -> None:
    table = Table(4).put(pushed(0, x, y, degrees), [seam(k, 0.0) for k in (1, 2, 3)])
    assert table.faults == ("tile_moved:A",)  # stones at three seams: only the tile that all have in common
    table.put(LAYOUT, [seam(k, along) for along in (-25.0, 25.0) for k in (1, 2, 3)])
    assert table.faults == ()


def test_stones_at_one_seam_name_both_its_tiles() -> None:
    table = Table(5).put(pushed(2, 3.0, 3.0), [seam(2, along) for along in (-30.0, 0.0, 30.0)])
    assert table.faults == ("tile_moved:A/C",)


def looked(bumped: Bumped, lies: TableLayout, places: Sequence[tuple[float, float]], seed: int = 6) -> Bumped:
    rng = np.random.default_rng(seed)
    for place in places:
        there = stone(place, rng)
        field = FieldModel.of(lies).fields(there)[0]
        bumped.add(look(LAYOUT, there, field, 0.1**2 + (0.05 * field) ** 2, VALID))
    return bumped


def test_one_stone_is_no_proof_nor_is_it_twice() -> None:
    lies, place = pushed(0, 0.0, 5.0), seam(2, 0.0)
    assert LEAST_LOOKS == 2
    assert looked(Bumped(LAYOUT), lies, [place]).faults == ()
    assert looked(Bumped(LAYOUT), lies, [place, place]).faults == ()
    assert looked(Bumped(LAYOUT), lies, [place, seam(2, 30.0)]).faults != ()


def test_the_looks_add_up_to_the_move() -> None:
    lies = pushed(0, 0.8, -0.5, 0.3)
    rng, normal, pull = np.random.default_rng(7), np.zeros((3, 3)), np.zeros(3)
    for place in [seam(k, along) for along in (-40.0, -10.0, 30.0) for k in (1, 2, 3)]:
        there = stone(place, rng)
        field = FieldModel.of(lies).fields(there)[0]
        each = look(LAYOUT, there, field, 0.1**2 + (0.02 * field) ** 2, VALID)
        normal, pull = normal + each.normal[:3, :3], pull + each.pull[:3]
    move = np.linalg.solve(normal, pull)
    assert np.abs(move[:2] - [0.8, -0.5]).max() < 0.3
    assert abs(np.rad2deg(move[2]) - 0.3) < 0.2


def test_a_stone_amid_a_tile_tells_nothing() -> None:
    middle = LAYOUT.triangles[1].mean(axis=0)
    assert not at_seam(LAYOUT, middle)
    assert at_seam(LAYOUT, np.array(seam(1, 0.0)))
    there = stone((float(middle[0]), float(middle[1])), np.random.default_rng(8))
    field = FieldModel.of(LAYOUT).fields(there)[0]
    assert look(LAYOUT, there, field, np.full(LAYOUT.count, 0.01), VALID).information < 0.1
