"""With a learned set, stones in other recordings of the same table are told apart and lie where they are said to."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from companion.process.common.learned import learned, samples
from companion.process.common.recorded import recorded_sensing
from companion.table import EventKind, TableEvent
from drivers.recording import read_recording

SCENES = {"hw1": "nominal-penalty_two-a", "hw2": "nominal-four_players-a", "hw3": "nominal-several_clean-a"}


@pytest.mark.slow
@pytest.mark.recordings
@pytest.mark.parametrize("table", sorted(SCENES))
def test_stones_are_named_with_honest_probabilities(table: str) -> None:
    folder = Path(os.environ["COMPANION_RECORDINGS"])
    found = learned([read_recording(folder / f"{kind}-{table}") for kind in ("calibration", "learn")])
    recording = read_recording(folder / SCENES[table])
    truth = json.loads((recording.folder / "truth.json").read_text())["stones"]
    poses = np.load(recording.folder / "poses.npz")
    sensing = recorded_sensing(recording, found)
    sure, alike, off = [], [], []
    for sample in samples(recording):
        for report in sensing.feed(sample):
            if not isinstance(report, TableEvent) or report.kind is not EventKind.SETTLED:
                continue
            k = int(np.searchsorted(poses["t"], report.t_report_us / 1e6 - 0.1))
            places = poses["pose"][min(k, len(poses["t"]) - 1), :, :2]
            for stone in report.rest:
                away = np.hypot(*(places - [stone.x, stone.y]).T)
                true = int(away.argmin())
                assert stone.identity is not None
                alike.append(truth[stone.identity]["shape"] == truth[true]["shape"])
                off.append(float(away.min()))
                if stone.p > 0.95:
                    sure.append(stone.identity == true)
    print(
        f"{table}: {len(alike)} stones, shape right {np.mean(alike):.2f}, of {len(sure)} sure ones "
        f"{np.mean(sure or [1]):.2f} right, median {np.median(off):.2f} mm off"
    )
    assert np.mean(alike) > 0.85
    assert np.mean(sure or [1]) > 0.8
    assert np.median(off) < 0.35
