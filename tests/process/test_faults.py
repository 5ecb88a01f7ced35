"""What is wrong with a link and its board: how long it is told, and each once."""

import pytest

from companion.process.common.faults import Faults
from drivers.links.link import LinkStatus
from drivers.wire.messages import LOAD_STATES, RESET_CAUSES
from drivers.wire.messages import Health as BoardHealth

LIVE = LinkStatus()
MINUTE = 60_000_000


def board(load: str, reset: str) -> BoardHealth:
    loads, resets = ({name: value for value, name in of.items()} for of in (LOAD_STATES, RESET_CAUSES))
    return BoardHealth(0, resets[reset], 0, 0, 0, 0, 0, loads[load], 0, b"")


@pytest.mark.parametrize("code", ["rebooted", "clock_jump"])
def test_a_clock_that_began_anew_is_told_for_a_minute_after_the_last_time(code: str) -> None:
    faults = Faults()
    faults.tell(code, 0)
    faults.tell(code, 5_000_000)
    faults.at(MINUTE + 5_000_000)
    assert faults.codes(LIVE) == (code,)
    faults.at(MINUTE + 5_000_001)
    assert faults.codes(LIVE) == ()


def test_what_was_wrong_with_a_board_is_over_when_one_says_hello_and_not_before() -> None:
    faults = Faults()
    for code in ("sensor_count", "other_table", "rebooted"):
        faults.tell(code, 0)
    faults.at(MINUTE)
    assert faults.codes(LIVE) == ("sensor_count", "other_table", "rebooted")
    faults.greeted()
    assert faults.codes(LIVE) == ("rebooted",)


def test_the_supply_is_asked_every_ten_seconds() -> None:
    asked = iter([("power_low",), ()])
    faults = Faults(lambda: next(asked))
    told = []
    for now_us in (1_000_000, 10_999_999, 11_000_000):
        faults.at(now_us)
        told.append(faults.codes(LIVE))
    assert told == [("power_low",), ("power_low",), ()]


def test_a_board_that_is_well_says_nothing_and_troubles_are_named() -> None:
    faults = Faults()
    faults.board = board("ok", "power_on")
    assert faults.codes(LIVE) == ()
    faults.board = board("absent", "watchdog")
    assert faults.codes(LIVE) == ("load_absent", "board_watchdog")


def test_each_is_told_once_and_those_of_the_link_while_it_is_not_live() -> None:
    faults = Faults(lambda: ("link_gone", "power_low"))
    faults.tell("link_gone", 0)
    faults.at(0)
    assert faults.codes(LinkStatus(state="lost", trouble="gone")) == ("link_gone", "power_low")
    assert Faults().codes(LinkStatus(state="lost", trouble="gone")) == ("link_gone",)
    assert Faults().codes(LinkStatus(state="live", trouble="gone")) == ()
