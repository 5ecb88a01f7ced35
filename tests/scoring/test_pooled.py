"""The pooled tables say what the scorer says, with numbers and bounds; the scorer is the recordings' own."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.scoring import pooled, scorer
from companion.scoring.figures import figures
from companion.scoring.naming import Named, named
from companion.scoring.turns import turns

SCORER = Path(scorer.__file__)


@pytest.mark.slow
@pytest.mark.recordings
def test_the_scorer_is_the_recordings_own_byte_for_byte() -> None:
    theirs = Path(os.environ["COMPANION_RECORDINGS"]) / "score.py"
    assert SCORER.read_bytes() == theirs.read_bytes()


def test_the_scorer_passes_its_own_test() -> None:
    done = subprocess.run([sys.executable, str(SCORER), "--self-test"], capture_output=True, text=True, check=True)
    assert "passed" in done.stdout


@pytest.mark.parametrize(
    ("right", "of", "bound"), [(0, 5, 0.0), (10, 10, 0.05 ** (1 / 10)), (59, 59, 0.05 ** (1 / 59)), (9, 10, 0.6058)]
)
def test_the_bound_is_clopper_and_pearsons(right: int, of: int, bound: float) -> None:
    assert pooled.lower_bound(right, of) == pytest.approx(bound, abs=1e-4)


@pytest.mark.parametrize(
    ("folder", "scene", "group"),
    [
        ("nominal-snap2-a", "snap2", ("nominal", "snap2")),
        ("game3-nominal", "game", ("nominal", "game")),
        ("hard-layout_row-a", None, ("hard", "hard")),
        ("kitchen", None, ("other", "kitchen")),
    ],
)
def test_severity_and_scene(folder: str, scene: str | None, group: tuple[str, str]) -> None:
    assert pooled.group_of(folder, {"scenario": scene} if scene else {}) == group


def scored(name: str, seen: list[dict[str, Any]]) -> pooled.Scored:
    truth = {
        "scenario": "snap2",
        "events": [
            {"t": 1.0, "event": "placed", "ids": [1], "count": 1, "x": 0.0, "y": 0.0},
            {"t": 2.0, "event": "collapse", "ids": [1, 2], "count": 2, "x": 0.0, "y": 0.0},
        ],
        "turns": [{"player": 0, "t_end": 9.0, "piles": [1]}],
    }
    severity, scene = pooled.group_of(name, truth)
    rulings = [{"t": 9.0, "ruling": "turn_end", "player": 0, "piles": [1], "asked": True}]
    speed = 2.5 if name == "nominal-snap2-a" else 9.0
    return pooled.Scored(name, severity, scene, scorer.score(truth, seen), turns(truth, rulings), speed, alone=9.5)


def test_the_report_pools_by_severity_and_scene() -> None:
    found = [{"t": 1.1, "event": "placed", "count": 1, "x": 3.0, "y": 4.0}, {"t": 2.0, "event": "collapse", "count": 2}]
    text = pooled.report([scored("nominal-snap2-a", found), scored("nominal-snap2-b", []), scored("hard-snap2-a", [])])
    lines = text.splitlines()
    assert "nominal: 2 recordings" in lines
    assert "hard: 1 recordings" in lines
    collapse = [line for line in lines if line.startswith("  collapse")]
    assert collapse == [
        "  collapse  recall 0/1 = 0.000 (over 0.000)",
        "  collapse  recall 1/2 = 0.500 (over 0.025); precision 1/1 = 1.000 (over 0.050)",
    ]
    assert "turns: 2/2 = 1.000 (over 0.224) ruled right (player, piles), 2 ruled" in text
    scene = next(line for line in lines if line.startswith("nominal snap2"))
    assert "1/2 (0) 100%" in scene
    assert scene.split()[-2:] == ["2/2", "2"]
    assert lines[-1] == (
        "Slowest replay: 2.50 times real time as it went (nominal-snap2-a), 9.50 by processor time (nominal-snap2-a)"
    )


def test_the_json_has_each_recording_and_the_pools() -> None:
    obj = pooled.as_json([scored("nominal-snap2-a", []), scored("hard-snap2-a", [])])
    assert set(obj["pooled"]) == {"nominal", "hard"}
    assert obj["pooled"]["hard"]["placed"]["truth"] == 1
    assert obj["recordings"]["nominal-snap2-a"]["turns"] == {
        "truth": 1,
        "ruled": 1,
        "right": 1,
        "whole": True,
        "asked": 1,
    }


def test_the_table_has_a_row_for_each_severity_without_and_with_calibration() -> None:
    found = [{"t": 1.1, "event": "placed", "count": 1, "x": 3.0, "y": 4.0}, {"t": 2.0, "event": "collapse", "count": 2}]
    plain = [scored("nominal-snap2-a", []), scored("nominal-snap2-b", found)]
    calibrated = replace(scored("nominal-snap2-a", found), calibrated=True, named=Named(4, 3, 2.8, 1, 1))
    rows = [[c.strip() for c in line.strip("|").split("|")] for line in figures([*plain, calibrated]).splitlines()]
    assert [len(row) for row in rows] == [16] * 4
    assert rows[2][:3] == ["nominal scenes", "no", "2"]
    assert rows[3][:3] == ["nominal scenes", "yes", "1"]
    at = rows[0].index("collapse")
    assert (rows[2][at], rows[3][at]) == ("1/2 (1) > 0.03", "1/1 (1) > 0.05")
    assert rows[2][rows[0].index("removed")] == "- (0)"
    assert rows[3][-2:] == ["1/1 (1) > 0.05", "1"]
    named_at = rows[0].index("named; mean p; of those with p > 0.9")
    assert (rows[2][named_at], rows[3][named_at]) == ("-", "3/4; 0.70; 1/1")
    obj = pooled.as_json([*plain, calibrated])
    assert set(obj["pooled"]) == {"nominal", "nominal calibrated"}
    assert "nominal-snap2-a calibrated" in obj["recordings"]


class Lying:
    """Stones 4, 5 and 6 at rest, as scorer.Poses tells it."""

    xy = np.array([[[0.0, 0.0]] * 4 + [[10.0, 0.0], [40.0, 0.0], [90.0, 9.0]]])

    def resting(self, t: float) -> tuple[int, Any]:
        return 0, np.array([4, 5, 6])


def test_a_name_is_right_where_that_stone_lies_and_stones_without_a_name_do_not_count() -> None:
    stones = [
        {"x": 10.2, "y": 0.0, "id": 4, "p": 0.95},
        {"x": 41.0, "y": 0.0, "id": 4, "p": 0.4},
        {"x": 90.0, "y": 9.0, "id": None, "p": 0.0},
        {"x": -70.0, "y": 0.0, "id": 6, "p": 0.9},  # nothing lies there
    ]
    seen = [{"t": 1.0, "event": "settled", "stones": stones}, {"t": 2.0, "event": "placed"}]
    assert named(seen, Lying()) == Named(2, 1, pytest.approx(1.35), 1, 1)  # type: ignore[arg-type]
    assert named(seen, None) == Named()
