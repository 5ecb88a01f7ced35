"""What is held up on its way gives the same rulings; and the program that cuts recordings says what is wrong."""

from pathlib import Path
from typing import Any

import pytest

from drivers.recording import read_recording
from tests.process.cut_recordings import Cut, after, cuts, judged, played_with

DATA = Path(__file__).parents[1] / "data" / "recordings"
TRUTH = {
    "duration": 60.0,
    "events": [{"t": 50.0, "event": "settled"}],
    "turns": [
        {"player": 0, "t_end": 10.0, "t_clock": 2.0, "piles": [9, 10]},
        {"player": 1, "t_end": 25.0, "t_clock": 15.0, "piles": [9, 9]},
    ],
}
CUT = Cut("cut", "random", 12.0, 1.0, 1)


def end(t: float, player: int, piles: list[int]) -> dict[str, Any]:
    return {"t": t, "ruling": "turn_end", "player": player, "piles": piles}


PLAIN = [end(10.0, 0, [9, 10]), end(25.1, 1, [9, 9])]
ASKED = {"t": 13.0, "ruling": "question", "asked": True}


@pytest.mark.failure("D10")
def test_a_burst_after_a_stall_gives_the_same_rulings() -> None:
    """The snap at 10.5 s and what was ruled of it came five seconds late, all at once."""
    stalls = [Cut("stall", "collapse", start_s, 5.0, 1) for start_s in (8.0, 10.4)]
    plain, found = played_with(DATA / "nominal-snap2-a", stalls)
    assert "collapse" in [ruling["ruling"] for ruling in plain]
    assert found == [plain, plain]


@pytest.mark.parametrize(
    ("rulings", "wrong", "asked"),
    [
        (PLAIN, "", 0),
        ([PLAIN[0], end(25.1, 1, [9, 10])], "25.10 s", 0),
        ([PLAIN[0], end(19.0, 1, [9, 9])], "19.00 s", 0),
        ([PLAIN[0]], "goes on", 0),
        ([PLAIN[0], ASKED, end(25.1, 1, [9, 10])], "", 1),
    ],
)
def test_a_wrong_end_of_a_turn_is_told_unless_it_was_asked_about(
    rulings: list[dict[str, Any]], wrong: str, asked: int
) -> None:
    verdict = judged(TRUTH, PLAIN, CUT, rulings)
    assert (wrong in verdict.wrong, bool(verdict.wrong), verdict.asked) == (True, bool(wrong), asked)


def test_what_goes_wrong_without_a_cut_is_not_blamed_on_it() -> None:
    assert judged(TRUTH, [end(10.0, 0, [10, 9])], CUT, [end(10.0, 0, [10, 9])]).wrong == ""


def test_what_comes_after_the_recording_is_not_waited_for() -> None:
    assert judged(TRUTH | {"duration": 30.0}, PLAIN, CUT, [PLAIN[0]]).wrong == ""
    assert judged(TRUTH, PLAIN, Cut("cut", "random", 9.0, 60.0, 1), []).wrong == ""


def test_a_board_that_starts_again_after_the_recording_is_heard_no_more() -> None:
    assert list(after(read_recording(DATA / "nominal-snap2-a"), Cut("reboot", "random", 5.0, 600.0, 1))) == []


def test_a_seed_tries_the_same_again() -> None:
    kinds = ("random", "turn_end", "limit")
    modes = ("cut", "drop", "reboot", "stall")
    assert list(cuts(TRUTH, 3, modes, kinds)) == list(cuts(TRUTH, 3, modes, kinds))
    assert len(list(cuts(TRUTH, 3, modes, kinds))) == len(kinds)
