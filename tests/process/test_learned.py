"""Calibration recordings: gains nearer to the true ones, used by sensing, and a sentence for what cannot be used."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.process.common.guided import CalibrationError
from companion.process.common.learned import learned, learned_gains, recorded_layout
from companion.process.common.recorded import recorded_sensing
from drivers.recording import read_recording

DATA = Path(__file__).parents[1] / "data" / "recordings"
SNAP = DATA / "nominal-snap2-a"


def rms(relative: Any) -> float:
    return float(np.sqrt(np.mean(np.square(relative))))


@pytest.mark.slow
@pytest.mark.recordings
@pytest.mark.parametrize("table", ["hw1", "hw2", "hw3"])
def test_learned_gains_are_nearer_to_the_true_ones(table: str) -> None:
    folder = Path(os.environ["COMPANION_RECORDINGS"]) / f"calibration-{table}"
    recording = read_recording(folder)
    true = np.array(json.loads((folder / "truth.json").read_text())["sensor_actual"]["gain"])
    found = learned_gains(recording)
    nominal, error = recorded_layout(recording).gain / true - 1.0, found.gain / true - 1.0
    sure = found.spread < 0.02
    print(
        f"{table}: rms error of the gain: nominal {100 * rms(nominal):.2f} %, learned {100 * rms(error):.2f} %; "
        f"of the {sure.sum()} sensors with a spread below 2 %: {100 * rms(nominal[sure]):.2f} % and "
        f"{100 * rms(error[sure]):.2f} %; residual {100 * found.residual:.1f} %"
    )
    assert rms(error) < 0.7 * rms(nominal)
    assert rms(error) < 1.2 * rms(found.spread)  # what the points tell is used, and no more is claimed
    assert sure.sum() > 100
    assert rms(error[sure]) < 0.5 * rms(nominal[sure])


@pytest.mark.slow
@pytest.mark.recordings
def test_sensing_works_with_the_learned_gains_where_the_tiles_lie_otherwise() -> None:
    folder = Path(os.environ["COMPANION_RECORDINGS"])
    calibration = [read_recording(folder / name) for name in ("calibration-hw2", "learn-hw2", "seams-hw2")]
    game = read_recording(folder / "game3-nominal")
    found = learned(calibration)
    sensing = recorded_sensing(game, found)
    truth = json.loads((folder / "learn-hw2" / "truth.json").read_text())["stones"]
    assert found is not None
    assert found.stones is not None
    assert found.load is not None
    for stone, true in zip(found.stones.stones, truth, strict=True):
        assert stone.number == true["id"]
        assert abs(stone.moment / true["moment"] - 1.0) < 0.06
        assert abs((stone.mass or 0.0) - true["mass_g"]) < 0.15
        assert abs(stone.thickness - true["thick_mm"]) < 1.0
    assert np.array_equal(sensing.layout.gain, learned_gains(calibration[0]).gain)
    assert np.array_equal(sensing.layout.position, recorded_layout(game).position)
    assert np.array_equal(recorded_sensing(game, learned(calibration[1:])).layout.gain, recorded_layout(game).gain)
    with pytest.raises(CalibrationError, match=r"both have a calibration\.json: give the newer one alone"):
        learned([calibration[0], calibration[0]])


POINT = {"t0": 3.0, "t1": 3.5, "x": 0.0, "y": 0.0, "z_centre_above_mat": 3.2, "pole_up": 1}


@pytest.mark.parametrize(
    ("points", "why"),
    [
        ("{", r"does not say where the stone lay .*: copy the recording again"),
        ("[]", r"does not say where the stone lay"),
        ("{}", r"does not say where the stone lay \(no 'points'\)"),
        (json.dumps({"points": [POINT | {"pole_up": 0}]}), "a point needs pole_up 1 or -1"),
        (json.dumps({"points": [POINT | {"t1": 2.0}]}), "t0 before t1"),
        (json.dumps({"points": [POINT | {"x": float("nan")}]}), "x is nan"),
        (json.dumps({"points": [POINT]}), "does not calibrate this table, it has 1 points .* record it again or leave"),
    ],
)
def test_points_that_are_none_are_a_sentence(points: str, why: str, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(SNAP, tmp_path / "calibration"))
    (folder / "calibration.json").write_text(points)
    with pytest.raises(CalibrationError, match=why):
        learned([read_recording(folder)])


@pytest.mark.slow
@pytest.mark.recordings
@pytest.mark.parametrize("table", ["hw1", "hw2", "hw3"])
def test_a_stone_slid_over_the_seams_shows_how_the_tiles_lie(table: str) -> None:
    folder = Path(os.environ["COMPANION_RECORDINGS"])
    recordings = [read_recording(folder / f"{kind}-{table}") for kind in ("calibration", "learn", "seams")]
    found = learned(recordings, as_laid=True)
    assert found is not None
    assert found.laid is not None
    true = json.loads((folder / f"seams-{table}" / "truth.json").read_text())["true_tiles"]
    believed = recordings[2].table["tiles"]
    want = corners(np.array([[t["x"], t["y"], t["rot"]] for t in true]))
    was = np.array([[t["x"], t["y"], t["rot"]] for t in believed])
    now = was + np.column_stack([found.laid.shift, np.degrees(found.laid.turn)])
    before, after = off(corners(was), want), off(corners(now), want)
    print(f"{table}: tiles off by {before[0]:.2f} mm, {before[1]:.2f} degrees; then {after[0]:.2f} mm, {after[1]:.2f}")
    assert after[0] < 0.6 * before[0]


def corners(poses: Any) -> Any:
    """(n, 3, 2) mm."""
    angle = np.radians(poses[:, 2:] + np.array([90.0, 210.0, 330.0]))
    return poses[:, None, :2] + 150.0 / np.sqrt(3.0) * np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def off(have: Any, want: Any) -> tuple[float, float]:
    """Mean distance of the tiles' middles (mm) and mean turn (degrees) after the best common shift and turn."""
    a, b = have.reshape(-1, 2), want.reshape(-1, 2)
    u, _, v = np.linalg.svd((a - a.mean(0)).T @ (b - b.mean(0)))
    spin = (u @ v).T
    fitted = ((a - a.mean(0)) @ spin.T + b.mean(0)).reshape(-1, 3, 2)
    apart = np.linalg.norm(fitted.mean(1) - want.mean(1), axis=1).mean()
    arms = [x[:, 0] - x.mean(1) for x in (fitted, want)]
    turn = np.arctan2(arms[0][:, 1], arms[0][:, 0]) - np.arctan2(arms[1][:, 1], arms[1][:, 0])
    return float(apart), float(np.degrees(np.abs((turn + np.pi) % (2 * np.pi) - np.pi)).mean())
