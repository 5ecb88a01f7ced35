"""A recorded game through the board's program on the emulated Arduino and a serial port: the plain replay's rulings."""

import json
import os
from dataclasses import replace as changed
from pathlib import Path

import numpy as np
import pytest

from companion.clock import SystemClock
from companion.games.game import Ruling
from companion.process.judge import Judge
from companion.process.lines import ruling_object
from companion.process.offline import replay
from companion.process.recorded import recorded_game, recorded_sensing
from drivers.links.emulated import EmulatedLink
from drivers.links.link import Link, LinkClosed
from drivers.links.replay import ReplayLink
from drivers.recording import Recording, read_recording
from drivers.sample import Sample
from drivers.wire import Session

RECORDINGS = Path(__file__).parents[1] / "data" / "recordings"
NEAR_S = 0.05  # conversions are dated when the board reads them, and those of lost frames are lost


def on_the_boards_beat(recording: Recording) -> Recording:
    """The recording with its frames exactly 10 ms apart, as the emulated board's crystal has them."""
    beat = recording.t_us[0] + np.arange(len(recording.t_us), dtype=np.uint64) * np.uint64(10_000)
    loads = np.interp(recording.load_t_us.astype(float), recording.t_us.astype(float), beat.astype(float))
    return changed(recording, t_us=beat, load_t_us=loads.round().astype(np.uint64))


def rulings(recording: Recording, link: Link | None = None) -> list[dict[str, object]]:
    game, settings = recorded_game(recording.game)
    told = replay(recording, recorded_sensing(recording), Judge(game, settings), link=link)
    return [json.loads(json.dumps(ruling_object(t))) for t in told if isinstance(t, Ruling)]


def samples(link: Link, sensors: int) -> list[Sample]:
    session, out = Session(sensors), []
    try:
        while True:
            data, now_us = link.read(1.0)
            out += [item for item in session.feed(data, now_us) if isinstance(item, Sample)]
    except LinkClosed:
        return out
    finally:
        link.close()


def same_samples(folder: Path) -> None:
    recording = on_the_boards_beat(read_recording(folder))
    wanted = samples(ReplayLink(recording), recording.sensors)
    got = samples(EmulatedLink(folder, SystemClock()), recording.sensors)
    assert [s.lost for s in got] == [s.lost for s in wanted]
    assert all(a.hall == b.hall and abs(a.t_us - b.t_us) <= 20 for a, b in zip(got, wanted, strict=True))
    weighed = {load.counts for s in got for load in s.load}
    assert len(weighed) > 50
    assert weighed <= {load.counts for s in wanted for load in s.load}


@pytest.mark.slow
def test_every_sample_is_that_of_the_recording() -> None:
    same_samples(RECORDINGS / "nominal-snap2-a")


@pytest.mark.slow
@pytest.mark.recordings
def test_every_sample_of_a_whole_game_is_that_of_the_recording() -> None:
    same_samples(Path(os.environ["COMPANION_RECORDINGS"]) / "game3-nominal")


def same_rulings(folder: Path) -> None:
    recording = read_recording(folder)
    wanted = rulings(on_the_boards_beat(recording))
    link = EmulatedLink(folder, SystemClock())
    try:
        got = rulings(recording, link)
    finally:
        link.close()
    assert wanted

    def shape(listed: list[dict[str, object]]) -> list[dict[str, object]]:
        return [{k: v for k, v in r.items() if k not in ("t", "deadline", "evidence", "p")} for r in listed]

    assert shape(got) == shape(wanted)
    for a, b in zip(got, wanted, strict=True):
        assert abs(float(str(a["t"])) - float(str(b["t"]))) <= NEAR_S


@pytest.mark.slow
def test_the_rulings_are_those_of_the_plain_replay() -> None:
    same_rulings(RECORDINGS / "nominal-snap2-a")
