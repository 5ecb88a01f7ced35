"""The one geometry gives the recordings' table.json, value for value, and a channel for every sensor."""

import json
import os
from pathlib import Path

import pytest

from drivers.wire.messages import MAX_SENSORS
from hardware import geometry
from hardware.geometry import Pose

ROOT = Path(__file__).parents[2]
TABLES = {
    "triangle": ROOT / "tests/data/recordings/nominal-snap2-a/table.json",
    "row": ROOT / "companion/demo/game3-nominal/table.json",
}


@pytest.mark.parametrize("name", TABLES)
def test_a_preset_is_the_recordings_table(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    recorded = json.loads(TABLES[name].read_text())
    assert geometry.main(["--layout", name, "--table-id", recorded["table_id"]]) == 0
    assert json.loads(capsys.readouterr().out) == recorded


def test_poses_given_one_by_one_make_the_same_table(capsys: pytest.CaptureFixture[str]) -> None:
    recorded = json.loads(TABLES["row"].read_text())
    poses = " ".join(f"{t['x']},{t['y']},{t['rot']}" for t in recorded["tiles"])
    geometry.main(["--poses", poses, "--table-id", "hw2"])
    assert json.loads(capsys.readouterr().out) == recorded


@pytest.mark.slow
@pytest.mark.recordings
def test_every_recordings_table_is_made() -> None:
    paths = sorted(Path(os.environ["COMPANION_RECORDINGS"]).glob("*/table.json"))
    assert paths
    for path in paths:
        recorded = json.loads(path.read_text())
        poses = [Pose(t["x"], t["y"], t["rot"]) for t in recorded["tiles"]]
        assert geometry.table(poses, recorded["table_id"]) == recorded, path


def test_sensors_lie_inside_their_tile_a_pitch_apart() -> None:
    places = geometry.sensors()
    assert len(places) == 55
    nearest = [
        min((x - u) ** 2 + (y - v) ** 2 for j, (u, v, _) in enumerate(places) if j != k) ** 0.5
        for k, (x, y, _) in enumerate(places)
    ]
    assert all(abs(d - 15.0) < 1e-9 for d in nearest)
    low = -150 / 3**0.5 / 2
    assert all(y > low and y < 3**0.5 * (75 - abs(x)) + low for x, y, _ in places)
    assert abs(sum(x for x, _, _ in places)) < 1e-9
    assert abs(sum(y for _, y, _ in places)) < 1e-9


def test_the_channel_map_has_each_address_once_and_each_sensor_once() -> None:
    channels = geometry.channels()
    assert [(c.multiplexer, c.address) for c in channels] == [(m, a) for m in range(16) for a in range(16)]
    assert [c.sensor for c in channels if c.sensor is not None] == list(range(220))
    assert len({c.name for c in channels if c.sensor is not None}) == 220
    spare = [c.name for c in channels if c.sensor is None]
    assert len(spare) == 36
    for name in ("half_rail", "ground", "temperature", "tile_type"):
        assert {f"{tile}_{name}" for tile in "ABCD"} <= set(spare)


def test_wrong_poses_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        geometry.main(["--poses", "1,2"])
    assert ended.value.code == 2
    assert "x,y,rot" in capsys.readouterr().err


@pytest.mark.parametrize("tiles", [0, 10, 11])
def test_a_number_of_tiles_that_the_wire_cannot_carry_is_refused(
    tiles: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        geometry.main(["--poses", " ".join(f"{200 * k},0,0" for k in range(tiles))])
    assert ended.value.code == 2
    said = capsys.readouterr()
    assert f"{tiles} tiles were given: a table has 1 to 9" in said.err
    assert said.out == ""


def test_the_most_tiles_are_what_a_frame_carries() -> None:
    assert MAX_SENSORS // len(geometry.sensors()) == geometry.MOST_TILES
    most = geometry.table([Pose(200.0 * k, 0.0, 0.0) for k in range(geometry.MOST_TILES)], "large")
    assert len({tile["id"] for tile in most["tiles"]}) == geometry.MOST_TILES
