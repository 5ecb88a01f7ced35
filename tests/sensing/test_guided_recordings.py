"""The guided steps played over recordings of a table beside what the same recordings teach with their told times."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.process.common.learned import learned, learned_layout, recorded_layout, samples
from companion.sensing.guided.sight import sight
from companion.sensing.guided.step import Step
from companion.sensing.guided.stones import StonesStep
from companion.sensing.guided.tiles import TilesStep
from companion.sensing.learning.learned import Learned
from companion.sensing.pipeline import Sensing
from drivers.recording import Recording, read_recording
from drivers.sample import Sample

pytestmark = [pytest.mark.slow, pytest.mark.recordings]


def recording(name: str) -> Recording:
    return read_recording(Path(os.environ["COMPANION_RECORDINGS"]) / name)


def played(of: Recording, found: Learned | None, step: Step, until_s: float) -> list[float]:
    """When the step had seen one more thing, in seconds, while the recording ran beside it."""
    sensing = Sensing(learned_layout(of, found))
    took: list[float] = []
    sample: Sample
    for sample in samples(of):
        if sample.t_us > until_s * 1e6:
            break
        sensing.feed(sample)
        seen = sight(sensing)
        if seen is not None:
            step.see(seen)
            took += [sample.t_us / 1e6] * (step.shown()["done"] - len(took))
    return took


def test_stones_that_are_shown_are_learned_as_with_told_times_and_places() -> None:
    shown = recording("learn-hw2")
    step = StonesStep(recorded_layout(shown), "box", 6)
    took = played(shown, None, step, 40.0)
    beside: Any = learned([shown])
    told = json.loads((shown.folder / "guided.json").read_text("utf-8"))["steps"]
    by_number = {stone.number: stone for stone in beside.stones.stones}
    assert len(step.found()["stones"].stones) == 6
    for mine in step.found()["stones"].stones:
        at = took[mine.number - 1]  # a stone that lies there for too short a time is passed over
        theirs = next(by_number[s["stone"]] for s in told if s["t0"] < at < s["t1"] + 0.3)
        assert mine.moment == pytest.approx(theirs.moment, rel=0.02)
        assert mine.mass == pytest.approx(theirs.mass, abs=0.1)


def test_tiles_are_found_as_with_told_times() -> None:
    slid, others = recording("seams-hw3"), [recording(f"{kind}-hw3") for kind in ("calibration", "learn")]
    found: Any = learned(others)
    number = json.loads((slid.folder / "guided.json").read_text("utf-8"))["steps"][0]["stone"]
    step = TilesStep(learned_layout(slid, found), found.stones)
    step.slides(next(stone for stone in found.stones.stones if stone.number == number))
    played(slid, found, step, 60.0)
    beside: Any = learned([*others, slid], as_laid=True)
    assert float(np.abs(step.found()["laid"].shift - beside.laid.shift).max()) < 0.1
