"""The guided steps played over recordings of a table beside what the same recordings teach with their told times."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.process.learned import learned, learned_layout, recorded_layout, samples
from companion.sensing.guided.step import Stage, Step
from companion.sensing.guided.stones import StonesStep
from companion.sensing.guided.tiles import TilesStep
from companion.sensing.learned import Learned
from companion.sensing.pipeline import Sensing
from companion.sensing.sight import sight
from drivers.recording import Recording, read_recording
from drivers.sample import Sample

pytestmark = [pytest.mark.slow, pytest.mark.recordings]


def recording(name: str) -> Recording:
    return read_recording(Path(os.environ["COMPANION_RECORDINGS"]) / name)


def played(of: Recording, found: Learned | None, step: Step, until_s: float) -> list[str]:
    """Everything that the step complained of while the recording ran beside it."""
    sensing = Sensing(learned_layout(of, found))
    troubles = []
    sample: Sample
    for sample in samples(of):
        if sample.t_us > until_s * 1e6:
            break
        sensing.feed(sample)
        seen = sight(sensing)
        if seen is not None:
            step.see(seen)
            if step.trouble is not None:
                troubles.append(str(step.trouble["code"]))
    return troubles


def test_stones_that_are_shown_are_learned_as_with_told_times_and_places() -> None:
    shown = recording("learn-hw2")
    step = StonesStep(recorded_layout(shown), "box", 6)
    assert set(played(shown, None, step, 32.0)) <= {"magnets"}
    assert step.stage is Stage.ENOUGH
    beside: Any = learned([shown])
    for mine, theirs in zip(step.found()["stones"].stones, beside.stones.stones, strict=False):
        assert mine.number == theirs.number + 1
        assert mine.moment == pytest.approx(theirs.moment, rel=0.02)
        assert mine.mass == pytest.approx(theirs.mass, abs=0.1)


def test_tiles_are_found_as_with_told_times() -> None:
    slid = recording("seams-hw3")
    step = TilesStep(recorded_layout(slid))
    played(slid, None, step, 60.0)
    beside: Any = learned([slid], as_laid=True)
    assert float(np.abs(step.found()["laid"].shift - beside.laid.shift).max()) < 0.1
