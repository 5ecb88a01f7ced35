"""A recorded game through the board's program on the emulated Arduino and a serial port: the plain replay's rulings."""

from pathlib import Path

import pytest

from tests.firmware.emulated_play import compared

TESTED = Path(__file__).parents[1] / "data" / "recordings"
DEMO = Path(__file__).parents[2] / "companion" / "demo"


@pytest.mark.slow
@pytest.mark.parametrize("folder", [TESTED / "nominal-snap2-a", DEMO / "game3-nominal"], ids=lambda folder: folder.name)
def test_samples_events_and_rulings_are_those_of_the_plain_replay(folder: Path) -> None:
    """The whole game: every sample, every event, every ruling, in the same order."""
    found = compared(folder)
    assert (found.samples, found.events, found.rulings) == ([], [], [])
    assert found.of_rulings > 1
