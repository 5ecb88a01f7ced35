"""A recorded game through the board's program on the emulated Arduino and a serial port: the plain replay's rulings."""

from pathlib import Path
from typing import Any

import pytest

from companion.clock import SystemClock
from drivers.links.emulated import EmulatedLink
from drivers.recording import read_recording
from tests.firmware.emulated_play import compared, on_the_boards_beat, told

TESTED = Path(__file__).parents[1] / "data" / "recordings"
DEMO = Path(__file__).parents[2] / "companion" / "demo"
LATE_S = 0.1


@pytest.mark.slow
def test_samples_events_and_rulings_are_those_of_the_plain_replay() -> None:
    """Every sample, every event, every ruling, in the same order."""
    found = compared(TESTED / "nominal-snap2-a")
    assert (found.samples, found.events, found.rulings) == ([], [], [])
    assert found.of_rulings > 1


@pytest.mark.slow
def test_a_whole_game_has_the_rulings_of_the_plain_replay() -> None:
    """In the same order, all but one or two within a tenth of a second.

    A part that takes long to encode costs the board a scan now and then (5 of 18,483), and the recording goes on one
    scan later from there.
    """
    recording = read_recording(DEMO / "game3-nominal")
    plain = ruled(told(on_the_boards_beat(recording)))
    board = ruled(told(recording, EmulatedLink(DEMO / "game3-nominal", SystemClock())))
    assert [what for _, what in board] == [what for _, what in plain]
    late = [(a, b) for (a, _), (b, _) in zip(plain, board, strict=True) if abs(a - b) > LATE_S]
    print(len(plain), "rulings, elsewhere in time:", late)
    assert len(plain) > 50
    assert len(late) <= 2


def ruled(all_told: list[dict[str, Any]]) -> list[tuple[float, dict[str, Any]]]:
    """The rulings: when, and what a family sees of it (a track's number and the evidence's note are sensing's own)."""
    keys = ("ruling", "clause", "player", "reason", "outcome", "piles", "count", "pile", "code")
    return [(each["t"], {k: each.get(k) for k in keys}) for each in all_told if "ruling" in each]
