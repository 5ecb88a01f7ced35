"""Two tiles whose cables are exchanged are told by the stones that come over the board, and the table rules no more."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import magnet
from companion.sensing.fields.stones import POPULATION
from companion.sensing.pipeline import Sensing
from companion.sensing.sensors.layout import Bools, Floats, TableLayout
from companion.sensing.tracks.cable_look import GOOD, CableLook, orders, sensors
from companion.sensing.tracks.cables import LEAST_LOOKS, Cables
from companion.table import Complete, EventKind, Health, TableEvent, TableReport
from drivers.sample import Sample

DATA = Path(__file__).parent.parent / "data" / "recordings"
LAYOUT = TableLayout.from_json(json.loads((DATA / "nominal-snap2-a" / "table.json").read_text()))
SIGMA = np.full(LAYOUT.count, 0.07)
MODEL = FieldModel.of(LAYOUT)
SWAPS = orders(LAYOUT)[1:]


def seam(a: int, b: int) -> tuple[float, float]:
    """The middle between two tiles."""
    x, y = (LAYOUT.triangles[a].mean(axis=0) + LAYOUT.triangles[b].mean(axis=0)) / 2.0
    return float(x), float(y)


def beside(tile: int) -> list[int]:
    """The tiles whose middles are nearest, as far as they touch it."""
    middles = LAYOUT.triangles.mean(axis=1)
    away = np.hypot(*(middles - middles[tile]).T)
    return [int(k) for k in np.flatnonzero((away > 0.0) & (away < 1.2 * away[away > 0.0].min()))]


class Board:
    """Stones that are put down one after another and stay, seen through plugs in some order."""

    def __init__(self, plugged: Sequence[int], seed: int, valid: Bools | None = None) -> None:
        self.rng = np.random.default_rng(seed)
        self.plugs = sensors(LAYOUT, tuple(plugged))
        self.gain = 1.0 + self.rng.normal(0.0, 0.03, LAYOUT.count)
        self.valid = np.ones(LAYOUT.count, dtype=np.bool_) if valid is None else valid
        self.cables = Cables(LAYOUT, SIGMA, POPULATION)
        self.lies: Floats = np.zeros(LAYOUT.count)

    def show(self, field: Floats) -> None:
        seen = (self.gain * field)[self.plugs] + self.rng.normal(0.0, SIGMA)
        self.cables.see(seen, self.valid)

    def put(self, *places: tuple[float, float]) -> tuple[str, ...]:
        for _ in range(60):
            self.show(self.lies)
        for place in places:
            up = self.rng.choice([-1.0, 1.0])
            for high in [*np.linspace(70.0, 0.0, 40), *[0.0] * 120]:
                stone = magnet((*place, 3.4 + float(high)), (0.0, 0.0, up), 0.29)
                self.show(self.lies + MODEL.fields(stone)[0])
            self.lies = self.lies + MODEL.fields(stone)[0]
        return self.cables.faults


def pair(order: Sequence[int]) -> list[int]:
    return [k for k, other in enumerate(order) if k != other]


def name(order: Sequence[int]) -> str:
    return "tiles_exchanged:" + "/".join("ABCD"[k] for k in pair(order))


EVERYWHERE = [seam(a, b) for a in range(4) for b in beside(a) if a < b]


@pytest.mark.parametrize("order", SWAPS, ids=name)
def test_exchanged_cables_are_told(order: tuple[int, ...]) -> None:
    assert name(order) in Board(order, 1).put(*EVERYWHERE)


@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_told_of_cables_that_are_right(seed: int) -> None:
    board = Board(range(4), seed)
    assert board.put(*EVERYWHERE, *(((x + 20.0, y + 9.0)) for x, y in EVERYWHERE)) == ()


def test_nor_where_a_multiplexer_is_lost_and_sensors_are_stuck() -> None:
    valid = np.ones(LAYOUT.count, dtype=np.bool_)
    valid[14:28] = False
    assert Board(range(4), 4, valid).put(*EVERYWHERE) == ()


def test_one_place_is_no_proof() -> None:
    order = SWAPS[0]
    a, b = pair(order)
    assert LEAST_LOOKS == 2
    there = seam(a, b) if b in beside(a) else seam(a, beside(a)[0])
    assert Board(order, 5).put(there) == ()


def test_one_stone_explains_a_reading_in_the_right_order_alone() -> None:
    look = CableLook(LAYOUT, SIGMA, POPULATION)
    field = MODEL.fields(magnet((*EVERYWHERE[0], 3.4), (0.0, 0.0, 1.0), 0.29))[0]
    valid = np.ones(LAYOUT.count, dtype=np.bool_)
    right, place = look.misfit(field, valid, tuple(range(4)))
    assert right < GOOD
    assert np.hypot(*(place[:2] - EVERYWHERE[0])) < 3.0
    crossed = [look.misfit(field, valid, order)[0] for order in SWAPS]
    assert sum(misfit > GOOD for misfit in crossed) == 4  # not by the mirror of the seam, nor by two that see nothing


def test_only_tiles_with_as_many_sensors_exchange() -> None:
    keep = np.arange(LAYOUT.count) != LAYOUT.count - 1
    fewer = replace(LAYOUT, gain=LAYOUT.gain[keep], tile=LAYOUT.tile[keep])
    assert all(order[3] == 3 for order in orders(fewer))
    assert len(orders(fewer)) == 4


class Live:
    """The same board's counts, through all of sensing."""

    def __init__(self, plugged: Sequence[int]) -> None:
        self.rng = np.random.default_rng(6)
        self.plugs = sensors(LAYOUT, tuple(plugged))
        self.sensing = Sensing(LAYOUT)
        self.t, self.frame = 0, 0
        self.lies: Floats = np.zeros(LAYOUT.count)

    def show(self, field: Floats, frames: int = 1) -> list[TableReport]:
        out: list[TableReport] = []
        for _ in range(frames):
            self.t, self.frame = self.t + 10_000, self.frame + 1
            counts = LAYOUT.offset + LAYOUT.gain * field[self.plugs] + self.rng.normal(0.0, 0.4, LAYOUT.count)
            out += self.sensing.feed(Sample(self.t, self.frame, np.rint(counts).astype("<u2").tobytes()))
        return out

    def put(self, *places: tuple[float, float]) -> list[TableReport]:
        out: list[TableReport] = []
        for place in places:
            for high in [*np.linspace(70.0, 0.0, 40), *[0.0] * 120]:
                field = self.lies + MODEL.fields(magnet((*place, 3.4 + float(high)), (0.0, 0.0, 1.0), 0.29))[0]
                out += self.show(field)
            self.lies = field
        return out


def test_nothing_is_told_or_promised_until_a_person_has_put_it_right() -> None:
    order = SWAPS[0]
    table = Live(order)
    table.show(table.lies, 300)
    table.put(*EVERYWHERE)
    assert name(order) in table.sensing.faults
    stood = table.put(EVERYWHERE[0])
    assert {type(each) for each in stood} == {Health}
    table.plugs = sensors(LAYOUT, tuple(range(4)))
    table.lies = np.zeros(LAYOUT.count)
    table.show(table.lies, 100)
    assert table.sensing.say_empty()
    after = table.show(table.lies, 500)
    assert [e.kind for e in after if isinstance(e, TableEvent)] == [EventKind.UNSEEN]
    assert any(isinstance(each, Complete) for each in after)
    assert not [fault for fault in table.sensing.faults if fault.startswith("tiles_exchanged")]
