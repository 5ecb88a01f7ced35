"""The virtual table: believable stones, the bytes of a board, players who keep to the rules, named misbehaviours."""

import itertools
import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.clock import SystemClock
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import magnet
from companion.sensing.sensors.layout import TableLayout
from drivers.links import LastingLink, Link
from drivers.links.serial import SerialLink, SerialOpener
from drivers.reconnect import Reconnect
from drivers.sample import Sample
from drivers.virtual.cable import Cable
from drivers.virtual.misbehaviour import MISBEHAVIOURS, Misbehaving, parse
from drivers.virtual.place import Place
from drivers.virtual.sensors import Sensors
from drivers.virtual.table import VirtualTable
from drivers.virtual.world import Where, World
from drivers.wire import BoardHealth, Fault, Hello, Item, Session
from drivers.wire.framing import seal
from drivers.wire.greeting import GREETING
from drivers.wire.messages import DEFINITION, DONE_CODES, LOAD_STATES, PROTOCOL, Done, Greet, Rate, Start, Stop
from hardware.geometry import layout, table
from tests.drivers.board import TurningClock
from tests.drivers.rig import PLACE, TABLE, Rig, Wire

S = 1_000_000
PAGE = Path(__file__).parents[2] / "drivers" / "virtual" / "page"


def test_its_table_is_the_reference_table() -> None:
    assert table(layout("triangle"), "virtual") == TABLE


def test_seams_are_no_gaps_and_outside_is_outside() -> None:
    points = [[0.0, 43.301498], [0.0, 0.0], [0.0, -86.5], [0.0, -87.0], [150.0, 43.3]]
    assert PLACE.over(np.array(points)).tolist() == [True, True, True, False, False]
    assert PLACE.clear(0.0, 43.3, 20.0)
    assert not PLACE.clear(0.0, -80.0, 20.0)


def test_its_field_is_about_that_of_a_stone() -> None:
    world = World(PLACE, 1)
    world.position[0] = (12.0, -7.0, world.thickness[0] / 2)
    world.where[0], world.pole[0] = Where.BOARD, -1.0
    seen = Sensors(world).field()
    known = FieldModel.of(TableLayout.from_json(TABLE))
    want = known.fields(magnet(world.position[0], (0.0, 0.0, -1.0), float(world.moment[0])))[0]
    assert np.abs(seen - want).max() < 0.12 * np.abs(want).max()


# -- stones ------------------------------------------------------------------------------------------------------


def two(apart: float, poles: tuple[float, float], at: float = 0.0) -> World:
    """Two like stones on the board, so far apart along x; the first at x = at."""
    world = World(PLACE, 2)
    world.moment[:], world.mass[:], world.radius[:], world.thickness[:] = 0.29, 6.0, 8.0, 7.0
    world.position[:] = [[at, -20.0, 3.5], [at + apart, -20.0, 3.5]]
    world.pole[:] = poles
    world.where[:] = Where.BOARD
    world.stir()
    return world


def settle(world: World) -> float:
    """Seconds until nothing moves."""
    for k in range(1, 300):
        world.step(0.01)
        if world.still:
            return k / 100
    raise AssertionError("it never rests")


@given(st.floats(38, 170), st.sampled_from([(1.0, 1.0), (1.0, -1.0)]))
def test_far_stones_rest(apart: float, poles: tuple[float, float]) -> None:
    world = two(apart, poles, at=-80.0 if apart > 70 else 0.0)
    before = world.position.copy()
    settle(world)
    assert (world.position == before).all()
    assert world.clusters() == []


def test_unlike_poles_snap_together_in_a_moment_and_stay() -> None:
    world = two(28.0, (1.0, -1.0))
    assert 0.02 <= settle(world) <= 0.25
    assert world.clusters() == [[0, 1]]
    assert np.linalg.norm(world.position[1] - world.position[0]) == pytest.approx(16.0, abs=0.01)
    assert sorted(world.take(0)) == [0, 1]
    world.put_away([0, 1], 1)
    assert world.pile(1) == [0, 1]
    assert world.clusters() == []


def test_like_poles_push_each_other_away_without_touching() -> None:
    world = two(22.0, (1.0, 1.0))
    settle(world)
    assert world.clusters() == []
    assert np.linalg.norm(world.position[1] - world.position[0]) > 30.0


@pytest.mark.rule("Y08")
def test_a_stone_pushed_over_the_edge_falls_to_the_table() -> None:
    edge = float(PLACE.corners[..., 0].max())
    world = two(20.0, (1.0, 1.0))
    low = float(PLACE.corners[..., 1].min())
    world.position[:, 1] = low + 12.0
    world.position[:, 0] = [edge - 55.0, edge - 35.0]
    world.where[0] = Where.HAND
    assert PLACE.over(world.position[:, :2]).all()
    for _ in range(300):
        world.step(0.01)
    assert world.fell == [1]
    assert world.where[1] == Where.TABLE
    assert world.position[1, 2] == pytest.approx(3.5 - PLACE.below)
    assert not PLACE.over(world.position[1:, :2]).any()


def test_a_standing_stone_is_tipped_by_a_flat_one_that_is_near_and_not_by_one_that_is_far() -> None:
    """The field of the flat one, K m / r^3, turns it; half its thickness times its weight keeps it: 35 mm for these."""
    for apart, falls in ((26.0, True), (33.0, True), (37.0, False), (60.0, False)):
        world = two(apart, (1.0, 1.0))
        world.tilt[1], world.turn[1] = 1.0, np.pi / 2  # beside the flat one, so that it is not pulled
        world.mass[:] = 5.0
        world.position[1, 2] = world.rest_height(1)
        settle(world)
        assert (world.tilt[1] == 0.0) == falls, apart
        assert world.position[1, 2] == pytest.approx(3.5 if falls else 8.0)
        if falls:
            assert world.pole[1] == -1.0  # the other's field goes down there


def test_the_field_of_a_standing_stone_is_about_that_of_a_stone() -> None:
    world = World(PLACE, 1)
    world.tilt[0], world.turn[0] = 1.0, 0.7
    world.position[0] = (12.0, -7.0, world.rest_height(0))
    world.where[0] = Where.BOARD
    known = FieldModel.of(TableLayout.from_json(TABLE))
    want = known.fields(magnet(world.position[0], tuple(world.axis[0]), float(world.moment[0])))[0]
    assert np.abs(Sensors(world).field() - want).max() < 0.12 * np.abs(want).max()


def test_players_stand_some_stones_on_their_edge_and_they_stay() -> None:
    rig = Rig(seed=2, accidents=0.0, uprights=1.0)
    world = rig.table.world
    rig.run(40.0, play=True)
    board = world.on_board()
    assert len(board) >= 3
    assert (world.tilt[board] == 1.0).any()
    assert not world.clusters()


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_stones_are_never_lost_and_always_come_to_rest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    world = World(PLACE, 12, seed)
    for stone in range(12):
        world.position[stone] = (*rng.uniform(-70, 70, 2), world.thickness[stone] / 2)
        world.pole[stone], world.tilt[stone] = rng.choice([-1, 1]), rng.choice([0.0, 1.0])
        world.release([stone])
        settle(world)
    assert np.isfinite(world.position).all()
    on_board = world.on_board()
    assert len(on_board) + int((world.where == Where.TABLE).sum()) == 12


def test_a_table_that_is_started_again_has_the_same_sensors_and_stones_and_waits_for_the_round() -> None:
    """Zeros that were learned of it before are good ones: other sensors would be taken for faults."""
    first, again = Rig(seed=3), Rig(seed=3, starts=1)
    before, since = ([*of(Hello, items), *of(Sample, items)] for items in (first.run(2.0), again.run(2.0)))
    assert before[0].boot != since[0].boot
    means = [
        np.mean([np.frombuffer(each.hall, "<u2").astype(int) for each in told if isinstance(each, Sample)], axis=0)
        for told in (before, since)
    ]
    assert np.abs(means[0] - means[1]).max() < 0.5  # of spreads of 2 counts
    assert np.array_equal(first.table.world.moment, again.table.world.moment)
    again.run(20.0, play=True)
    assert again.said == []
    again.table.players.go_on = True
    again.run(10.0, play=True)
    assert [what for what, _ in again.said][:1] == ["placed"]


def test_players_wait_until_a_host_has_spoken_and_then_for_some_seconds_of_empty_board() -> None:
    """Bytes before that may be lost, and with them what the zeros are learned from."""

    class Spoken(Wire):
        frames = 0

        def write(self, data: bytes) -> None:
            self.frames += 1
            if self.frames == 2000:
                self.heard = GREETING

    wire, placed = Spoken(), []

    def said(what: str, **more: Any) -> None:
        placed.append((what, wire.frames))
        table.close()

    table = VirtualTable(PLACE, wire, TurningClock(), seed=3, said=said)  # type: ignore[arg-type]
    table.run()
    assert [what for what, _ in placed] == ["placed"]
    assert placed[0][1] > 2000 + 600


# -- the board ---------------------------------------------------------------------------------------------------


def of(kind: type, items: list[Item]) -> list[Any]:
    return [item for item in items if isinstance(item, kind)]


def test_it_sends_what_a_board_sends() -> None:
    rig = Rig()
    items = rig.run(3.0)
    assert isinstance(items[0], Hello)
    assert (items[0].sensors, items[0].period_us, items[0].table_id) == (220, 10_000, "virtual")
    samples = of(Sample, items)
    assert [sample.t_us for sample in samples] == [k * 10_000 for k in range(300)]
    counts = np.frombuffer(samples[-1].hall, "<u2").astype(int)
    assert np.abs(counts - 512).max() < 15  # the board is empty
    loads = [load.t_us for sample in samples for load in sample.load]
    assert np.diff(loads).tolist() == [12_500] * (len(loads) - 1)
    assert len(loads) == 240
    assert [health.load for health in of(BoardHealth, items)] == [1, 1, 1]
    assert rig.session.counts.lost == 0


def test_it_answers_commands() -> None:
    rig = Rig()
    rig.run(0.1)
    rig.wire.heard = b"half of something" + GREETING
    assert [done.code for done in of(Done, rig.run(0.02))] == [0]
    rig.wire.heard = seal(Greet(PROTOCOL, DEFINITION ^ 1).encode()) + seal(Rate(0, 0).encode())
    assert [DONE_CODES[done.code] for done in of(Done, rig.run(0.02))] == ["mismatch", "bad_value"]
    rig.wire.heard = seal(Stop().encode())
    rig.run(0.02)
    assert of(Sample, rig.run(0.5)) == []
    rig.wire.heard = seal(Start().encode()) + seal(Rate(4, 0).encode())
    samples = of(Sample, rig.run(1.0))
    assert len(samples) in (25, 26)


# -- misbehaviours -----------------------------------------------------------------------------------------------


def misbehave(name: str, amount: float | None = None, seconds: float | None = None, listen: float = 3.0) -> Any:
    rig = Rig()
    rig.run(1.0)
    rig.table.do({"do": "misbehave", "name": name, "amount": amount, "seconds": seconds})
    return rig, rig.run(listen)


@pytest.mark.failure("D11")
def test_drop_loses_messages_and_they_are_counted() -> None:
    rig, items = misbehave("drop", 40.0)
    assert 60 < rig.session.counts.lost < 180
    assert sum(sample.lost for sample in of(Sample, items)) == rig.session.counts.lost


@pytest.mark.failure("A12", "A13")
@pytest.mark.parametrize("name", ["bad_crc", "half_frame", "boot_text"])
def test_damaged_messages_are_never_taken_for_whole_ones(name: str) -> None:
    rig, items = misbehave(name, 50.0 if MISBEHAVIOURS[name].amount else None, 1.0)
    counts = rig.session.counts
    assert counts.bad_cobs + counts.bad_crc + counts.bad_size > 20
    halls = [np.frombuffer(sample.hall, "<u2").astype(int) for sample in of(Sample, items)]
    assert all(np.abs(hall - 512).max() < 15 for hall in halls)
    assert 150 < len(halls) < 290
    assert counts.lost == 300 - len(halls)


@pytest.mark.failure("G4")
def test_a_stall_of_five_seconds_ends_in_a_burst_with_nothing_lost() -> None:
    rig, items = misbehave("stall", listen=6.0)
    samples = of(Sample, items)
    assert rig.session.counts.lost == 0
    assert [b.t_us - a.t_us for a, b in itertools.pairwise(samples)] == [10_000] * 599
    assert max(sample.arrived_us - sample.t_us for sample in samples) > 4_900_000


@pytest.mark.failure("A10")
@pytest.mark.parametrize("name", ["reboot", "undervoltage"])
def test_a_reboot_is_a_new_boot_id_and_ticks_from_nought(name: str) -> None:
    _, items = misbehave(name)
    assert [fault.code for fault in of(Fault, items)] == ["rebooted"]
    assert len({hello.boot for hello in of(Hello, items)}) == 1
    times = [sample.t_us for sample in of(Sample, items)]
    assert times[0] >= 2_490_000
    cause = of(BoardHealth, items)[-1].reset
    assert cause == (1 if name == "reboot" else 2)


def test_the_cable_can_be_cut_and_the_port_renumbered() -> None:
    rig, items = misbehave("link_cut", None, 2.0, 3.0)
    assert rig.session.counts.lost == 200
    assert len(of(Sample, items)) == 100
    rig, _ = misbehave("renumber", listen=0.1)
    assert rig.wire.plugs == 1
    rig, items = misbehave("silent", None, 1.0)
    assert rig.session.counts.lost == 100
    _, items = misbehave("no_hello", None, 10.0)
    assert of(Hello, items) == []


@pytest.mark.parametrize(
    ("name", "state"),
    [
        pytest.param("load_absent", "absent", marks=pytest.mark.failure("B9")),
        pytest.param("load_saturated", "saturated", marks=pytest.mark.failure("B6")),
        pytest.param("load_constant", "constant", marks=pytest.mark.failure("B7")),
        pytest.param("load_random", "random", marks=pytest.mark.failure("B10")),
        pytest.param("load_spikes", "ok", marks=pytest.mark.failure("B1")),
        pytest.param("load_half", "ok", marks=pytest.mark.failure("B5")),
    ],
)
def test_the_load_cell_can_fail(name: str, state: str) -> None:
    rig, items = misbehave(name, 50.0 if name == "load_spikes" else None, 30.0)
    values = [load.counts for sample in of(Sample, items) for load in sample.load]
    expected = {
        "load_absent": not values,
        "load_saturated": set(values) == {0x7FFFFF},
        "load_constant": len(set(values)) == 1,
        "load_random": len(values) > 200 and max(values, default=0) - min(values, default=0) > 1 << 22,
        "load_spikes": sum(v & (v + 1) == 0 for v in values) > 60,
        "load_half": all(abs(v - 42_000) < 500 for v in values),
    }
    assert expected[name]
    assert LOAD_STATES[of(BoardHealth, items)[-1].load] == state
    rig.table.do({"do": "behave"})
    assert [LOAD_STATES[health.load] for health in of(BoardHealth, rig.run(2.0))][-1] == "ok"


@pytest.mark.parametrize(
    ("name", "low", "high"), [("sensor_dead", 0, 0), ("sensor_stuck", 500, 524), ("sensor_noisy", 200, 800)]
)
def test_a_sensor_can_fail(name: str, low: int, high: int) -> None:
    _, items = misbehave(name, 17.0, 30.0)
    counts = np.array([np.frombuffer(sample.hall, "<u2") for sample in of(Sample, items)]).astype(int)
    assert low <= counts[:, 17].min()
    assert counts[:, 17].max() <= high
    assert (len(set(counts[:, 17].tolist())) == 1) == (name != "sensor_noisy")
    assert np.abs(np.delete(counts, 17, axis=1) - 512).max() < 15


@pytest.mark.failure("B1")
@pytest.mark.parametrize(("number", "first", "last"), [(5, 69, 82), (15, 207, 219)])
def test_a_multiplexer_can_be_lost(number: int, first: int, last: int) -> None:
    _, items = misbehave("multiplexer_lost", float(number), 30.0)
    counts = np.array([np.frombuffer(sample.hall, "<u2") for sample in of(Sample, items)]).astype(int)
    assert np.flatnonzero((counts == 0).all(axis=0)).tolist() == list(range(first, last + 1))
    assert np.abs(np.delete(counts, range(first, last + 1), axis=1) - 512).max() < 15


@pytest.mark.failure("E1")
def test_crosstalk_mixes_a_sensor_with_the_one_before() -> None:
    rig = Rig()
    rig.table.world.position[0] = (*PLACE.sensors[40, :2], 3.5)
    rig.table.world.release([0])
    clean = np.mean([np.frombuffer(s.hall, "<u2") for s in of(Sample, rig.run(1.0))], axis=0)
    rig.table.do({"do": "misbehave", "name": "crosstalk", "amount": 10.0, "seconds": 30.0})
    mixed = np.mean([np.frombuffer(s.hall, "<u2") for s in of(Sample, rig.run(1.0))], axis=0)
    assert mixed[1:] - clean[1:] == pytest.approx(0.1 * (clean[:-1] - clean[1:]), abs=0.6)


def test_what_makes_no_sense_is_refused() -> None:
    table = Rig().table
    for asked in (
        {"do": "dance"},
        {},
        {"do": "misbehave", "name": "dance"},
        {"do": "misbehave", "name": "multiplexer_lost", "amount": 16},
        {"do": "misbehave", "name": "drop", "amount": 101},
        {"do": "misbehave", "name": "drop", "seconds": -1},
        {"do": "misbehave", "name": "drop", "amount": float("nan")},
        {"do": "move", "x": 1e9, "y": 0},
        {"do": "move", "x": "here", "y": 0},
        {"do": "grab", "stone": -1},
        {"do": "grab", "stone": None},
    ):
        with pytest.raises((ValueError, TypeError, KeyError)):
            table.do(asked)
    assert parse("drop=20,60") == ("drop", 20.0, 60.0)
    assert parse("stall") == ("stall", None, None)


def test_a_misbehaviour_ends_by_itself() -> None:
    faults = Misbehaving()
    faults.start("silent", 0, seconds=2.0)
    assert faults.names(2 * S - 1) == ["silent"]
    assert faults.names(2 * S) == []


@pytest.mark.parametrize("language", ["en", "es"])
def test_its_page_has_words_for_everything(language: str) -> None:
    texts = json.loads((PAGE / f"{language}.json").read_text("utf-8"))
    other = json.loads((PAGE / f"{'es' if language == 'en' else 'en'}.json").read_text("utf-8"))
    assert texts.keys() == other.keys()
    assert {f"fault_{name}" for name in MISBEHAVIOURS} == {key for key in texts if key.startswith("fault_")}


# -- hands -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 6])
def test_players_take_turns_and_keep_the_stones_together(players: int) -> None:
    rig = Rig(players=players, seed=3, accidents=0.6)
    rig.run(70.0, play=True)
    placed = [more for what, more in rig.said if what == "placed"]
    assert len(placed) > 4
    seats = [more["player"] for more in placed]
    assert all(b == (a + 1) % players for a, b in itertools.pairwise(seats))
    assert {more["mishap"] for more in placed} > {""}


def test_a_finger_drags_a_stone_to_the_board_and_back() -> None:
    rig = Rig()
    world = rig.table.world
    rig.table.do({"do": "grab", "stone": 5})
    rig.table.do({"do": "move", "x": 10, "y": 5})
    rig.run(2.0)
    assert world.where[5] == Where.HAND
    assert not rig.table.playing
    assert [more for what, more in rig.said if what == "players"] == [{"playing": False}]
    rig.table.do({"do": "drop"})
    rig.run(2.0)
    assert world.where[5] == Where.BOARD
    assert world.position[5] == pytest.approx([10, 5, world.thickness[5] / 2])
    pole = world.pole[5]
    rig.table.do({"do": "stand", "stone": 5})
    rig.run(0.1)
    assert (world.tilt[5], world.position[5, 2]) == (1.0, world.radius[5])
    rig.table.do({"do": "stand", "stone": 5})
    rig.table.do({"do": "flip", "stone": 5})
    rig.table.do({"do": "grab", "stone": 5})
    rig.table.do({"do": "move", "x": 0, "y": 250})
    rig.table.do({"do": "drop"})
    rig.run(3.0)
    assert (world.where[5], world.owner[5], world.pole[5]) == (Where.PILE, 1, -pole)
    rig.table.do({"do": "play", "on": True})
    rig.run(0.1)
    assert rig.table.playing
    assert [more for what, more in rig.said if what == "players"] == [{"playing": False}, {"playing": True}]


# -- on a real pseudo-terminal -----------------------------------------------------------------------------------


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[Cable]:
    made = Cable(tmp_path / "table")
    yield made
    made.unplug()


def listen(link: Link, session: Session, until: int) -> list[Item]:
    items: list[Item] = []
    while sum(isinstance(item, Sample) for item in items) < until:
        data, now_us = link.read(1.0)
        items += session.feed(data, now_us)
    return items


def test_the_serial_link_reads_it_and_greets_it(cable: Cable) -> None:
    clock = SystemClock()
    assert not cable.connected
    table = VirtualTable(PLACE, cable, clock)
    link = LastingLink(SerialOpener(clock, cable.name), clock, Reconnect(), GREETING)
    link.read(0.0)
    assert cable.connected
    session = Session(220)
    for _ in range(5):
        table.step(False)
        table._now_us += PLACE.period_us
    listen(link, session, 4)
    assert link.status.state == "live"
    link.close()
    assert not cable.connected
    cable.write(b"lost")  # nobody is there


@pytest.mark.failure("A4")
def test_a_renumbered_port_keeps_its_lasting_name(cable: Cable) -> None:
    first = cable.name.resolve()
    link = SerialLink(cable.name, SystemClock())
    cable.plug()
    assert cable.name.resolve() != first
    link.close()
    SerialLink(cable.name, SystemClock()).close()


def test_a_host_that_does_not_read_holds_nothing_up_and_one_that_reads_late_gets_all(cable: Cable) -> None:
    link = SerialLink(cable.name, SystemClock())
    for _ in range(30):
        cable.write(bytes(10_000))
    came = 0
    while came < 300_000:
        came += len(link.read(0.01)[0])
        cable.write(b"")
    for _ in range(200):
        cable.write(bytes(10_000))
    link.close()


def test_ticks_wrap_where_those_of_a_board_do() -> None:
    rig = Rig()
    rig.run(0.05)
    struct.pack("<I", rig.table._board._ticks(2**32 + 5))
    assert rig.table._board._ticks(2**32 + 5) == 5


def test_a_weight_stands_on_the_board_beside_the_stones() -> None:
    rig = Rig()
    rig.run(0.5)
    sensors = rig.table._sensors
    rig.table.do({"do": "weigh", "grams": 200})
    rig.run(0.5)
    shown = (sensors.load(0.0125) - PLACE.load_offset) / PLACE.load_gain
    assert shown == pytest.approx(200.0, abs=0.5)
    assert rig.table.picture()["laid_g"] == 200.0
    with pytest.raises(ValueError, match="too heavy"):
        rig.table.do({"do": "weigh", "grams": 1e6})


def test_tiles_laid_anew_are_empty_and_their_sensors_see_what_comes_there() -> None:
    rig = Rig()
    rig.table.do({"do": "grab", "stone": 0})
    rig.table.do({"do": "move", "x": 0.0, "y": 0.0})
    rig.run(1.0)
    rig.table.do({"do": "drop"})
    rig.run(1.0)
    world = rig.table.world
    assert world.on_board() == [0]
    star = Place.of(table(layout("star"), "virtual"))
    rig.table.lay(star)
    rig.run(0.1)
    assert (world.on_board(), world.place) == ([], star)
    assert not rig.table._sensors.field().any()
    middle = star.corners[1].mean(axis=0)
    world.where[0], world.position[0] = Where.BOARD, (*middle, world.rest_height(0))
    strongest = int(np.abs(rig.table._sensors.field()).argmax())
    assert float(np.hypot(*(star.sensors[strongest, :2] - middle))) < 10.0


def test_what_a_stopped_player_still_holds_can_be_taken_from_the_hand() -> None:
    rig = Rig()
    while not (rig.table.world.where == Where.HAND).any():
        rig.run(0.1, play=True)
    stone = int(np.flatnonzero(rig.table.world.where == Where.HAND)[0])
    rig.table.do({"do": "grab", "stone": stone})
    rig.table.do({"do": "move", "x": 0.0, "y": -250.0})
    rig.run(1.5)
    rig.table.do({"do": "drop"})
    rig.run(1.0)
    assert rig.table.world.where[stone] == Where.PILE
