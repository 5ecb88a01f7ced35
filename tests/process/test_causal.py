"""A prefix of a recording gives a prefix of what is seen and ruled: nothing looks ahead."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.process.common.lines import event_object, ruling_object
from companion.process.common.recorded import recorded_game, recorded_sensing
from companion.process.referee.judge import Judge
from companion.process.table.offline import Reached
from companion.process.table.offline import replay as replayed
from companion.table import TableEvent
from drivers.recording import Recording, read_recording

DATA = Path(__file__).parents[1] / "data" / "recordings"


def first(recording: Recording, frames: int) -> Recording:
    loads = int(np.searchsorted(recording.load_t_us, recording.t_us[frames - 1]))
    return replace(
        recording,
        t_us=recording.t_us[:frames],
        hall=recording.hall[:frames],
        lost=recording.lost[:frames],
        load_t_us=recording.load_t_us[:loads],
        load=recording.load[:loads],
    )


def told(recording: Recording) -> list[list[dict[str, Any]]]:
    """What each sample led to, frame by frame; the end of the recording last."""
    judge = Judge(*recorded_game(recording.game))
    steps: list[list[dict[str, Any]]] = [[]]
    for item in replayed(recording, recorded_sensing(recording), judge):
        if isinstance(item, Reached):
            steps.append([])
        else:
            steps[-1].append(event_object(item) if isinstance(item, TableEvent) else ruling_object(item))
    return steps


def assert_prefixes(recording: Recording, cuts: list[int]) -> None:
    whole = told(recording)
    assert any(whole)
    for cut in cuts:
        part = first(recording, cut)
        samples = int((~part.lost).sum())
        # the last frame may carry fewer load conversions than in the whole: it is left out
        assert told(part)[: samples - 1] == whole[: samples - 1]


def test_the_first_turn_is_seen_alike_in_a_prefix() -> None:
    recording = read_recording(DATA / "nominal-snap2-a")
    assert_prefixes(first(recording, 720), [600, 665])


@pytest.mark.slow
@pytest.mark.recordings
@pytest.mark.parametrize("name", ["nominal-snap2-a", "hard-snap3-a", "nominal-chain_remove-a"])
def test_no_recording_is_read_ahead(name: str) -> None:
    recording = read_recording(Path(os.environ["COMPANION_RECORDINGS"]) / name)
    frames = len(recording.t_us)
    assert_prefixes(recording, [frames // 2, 9 * frames // 10])
