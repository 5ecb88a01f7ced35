"""Calibration recordings: gains nearer to the true ones, used by sensing, and a sentence for what cannot be used."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.process.learned import CalibrationError, learned, learned_gains, recorded_layout
from companion.process.recorded import recorded_sensing
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
    assert rms(error) < 0.8 * rms(nominal)
    assert sure.sum() > 60
    assert rms(error[sure]) < 0.5 * rms(nominal[sure])


@pytest.mark.slow
@pytest.mark.recordings
def test_sensing_works_with_the_learned_gains_where_the_tiles_lie_otherwise() -> None:
    folder = Path(os.environ["COMPANION_RECORDINGS"])
    calibration = [read_recording(folder / name) for name in ("calibration-hw2", "learn-hw2", "seams-hw2")]
    game = read_recording(folder / "game3-nominal")
    sensing = recorded_sensing(game, calibration)
    truth = json.loads((folder / "learn-hw2" / "truth.json").read_text())["stones"]
    found = learned(calibration)
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
    assert np.array_equal(recorded_sensing(game, calibration[1:]).layout.gain, recorded_layout(game).gain)
    with pytest.raises(CalibrationError, match=r"both have a calibration\.json: give the newer one alone"):
        recorded_sensing(game, [calibration[0], calibration[0]])


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
