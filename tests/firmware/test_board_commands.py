"""Commands to the emulated board over its serial port, and what outlives a reset."""

from pathlib import Path

import pytest

from drivers.wire import BoardHealth, Done, Fault, Hello
from drivers.wire.messages import (
    DEFINITION,
    DONE_CODES,
    PROTOCOL,
    RESET_CAUSES,
    Command,
    Diagnose,
    Greet,
    Identify,
    Name,
    Rate,
    Start,
    Stop,
)
from tests.firmware.board import HALL, Built, Heard, counts, run

pytestmark = pytest.mark.slow


class Script:
    """Sends commands one by one, each after so many frames, and none before the answer to the one before."""

    def __init__(self, *commands: Command, after: int = 5) -> None:
        self._left = list(commands)
        self._after = after

    def __call__(self, heard: Heard) -> list[Command]:
        answered = len(heard.all(Done))
        sent = self._sent
        if self._left and answered > sent and len(heard.items) >= self._after * (sent + 1):
            self._sent += 1
            return [self._left.pop(0)]
        return []

    _sent = 0


def answers(heard: Heard) -> list[tuple[int, str]]:
    return [(d.command, DONE_CODES[d.code]) for d in heard.all(Done)]


def test_each_command_is_answered_and_the_impossible_refused(built: Built, tmp_path: Path) -> None:
    script = Script(
        Greet(PROTOCOL + 1, DEFINITION),
        Identify(1),
        Rate(0, 0),
        Rate(17, 0),
        Rate(4, 500),
        Diagnose(),
        Name("x" * 32),
        Name(""),
        Rate(2, 0),
    )
    heard = run(built, tmp_path, seconds=2.0, say=script)
    assert answers(heard) == [
        (33, "ok"),
        (33, "mismatch"),
        (38, "ok"),
        (36, "bad_value"),
        (36, "bad_value"),
        (36, "bad_value"),
        (37, "ok"),
        (39, "ok"),
        (39, "bad_value"),
        (36, "ok"),
    ]
    assert heard.all(Hello)[-1].table_id == "x" * 32
    assert heard.all(Hello)[-1].period_us == 20_000
    assert heard.session.counts.lost == 0
    assert {tuple(counts(s)) for s in heard.samples} == {tuple(HALL)}


def test_stop_ends_the_frames_and_start_brings_them_back_without_a_gap_of_numbers(built: Built, tmp_path: Path) -> None:
    script = Script(Stop(), after=10)
    quiet = run(built, tmp_path, seconds=3.0, say=script)
    assert len(quiet.samples) < 30
    assert len(quiet.all(BoardHealth)) == 2  # the board is well, and says so

    script = Script(Stop(), Start(), after=3)
    heard = run(built, tmp_path, seconds=3.0, say=script)
    assert answers(heard) == [(33, "ok"), (35, "ok"), (34, "ok")]
    assert heard.session.counts.lost == 0


def test_usb_can_be_told_to_send_parts(built: Built, tmp_path: Path) -> None:
    heard = run(built, tmp_path, seconds=2.0, say=Script(Rate(2, 5000)))
    assert heard.session.counts.parts > 50
    assert {tuple(counts(s)) for s in heard.samples} == {tuple(HALL)}


def test_the_bridge_keeps_to_its_budget_and_carries_every_sensor(built: Built, tmp_path: Path) -> None:
    heard = run(built, tmp_path, seconds=5.2, bridge=True)
    assert heard.session.counts.parts > 110
    assert heard.session.counts.lost == 0
    assert {tuple(counts(s)) for s in heard.samples} == {tuple(HALL)}
    port = heard.figures["port1"]
    print(port)
    assert port["bytes"] <= 3000 * 5.2 + 200
    assert port["most_in_second"] <= 3000 + 180  # and one part
    assert heard.all(Hello)[0].period_us == 40_000
    assert len(heard.all(BoardHealth)) == 5


@pytest.mark.failure("A10")
def test_a_brown_out_is_a_reset_with_its_cause_another_boot_and_ticks_from_zero(built: Built, tmp_path: Path) -> None:
    heard = run(built, tmp_path, "--brown-out", "1", seconds=2.5)
    boots = [h.boot for h in heard.all(Hello)]
    assert boots[-1] == boots[0] + 1
    assert [f.code for f in heard.all(Fault)] == ["rebooted"]
    assert RESET_CAUSES[heard.all(BoardHealth)[-1].reset] == "brown_out"
    assert {tuple(counts(s)) for s in heard.samples} == {tuple(HALL)}


def test_a_main_loop_that_hangs_is_started_again_within_a_second(built: Built, tmp_path: Path) -> None:
    heard = run(built, tmp_path, "--hang", "1", seconds=3.0)
    boots = [h.boot for h in heard.all(Hello)]
    assert boots[-1] == boots[0] + 1
    assert RESET_CAUSES[heard.all(BoardHealth)[-1].reset] == "watchdog"
    assert len(heard.samples) > 200
    assert {tuple(counts(s)) for s in heard.samples} == {tuple(HALL)}


def test_name_and_number_of_the_boot_outlive_the_power(built: Built, tmp_path: Path) -> None:
    kept = ("--eeprom", str(tmp_path / "eeprom"))
    first = run(built, tmp_path, *kept, seconds=0.6, say=Script(Name("mesa de Ñoño")))
    second = run(built, tmp_path, *kept, seconds=0.3)
    assert first.all(Hello)[0].table_id == "reference"
    assert second.all(Hello)[0].table_id == "mesa de Ñoño"
    assert second.all(Hello)[0].boot == first.all(Hello)[0].boot + 1
