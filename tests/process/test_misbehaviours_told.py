"""Each way in which the virtual table can misbehave is told to the pages: as a state, or as a fault that has words.

From the bytes to `Health`, time driven by hand. What the pages say of each code: tests/web/test_web_diagnostics.py.
"""

from collections.abc import Iterator

import pytest

from companion.process.table.feed import Feed
from companion.sensing.pipeline import Sensing
from companion.sensing.sensors.layout import TableLayout
from companion.table import Health
from drivers.virtual.misbehaviour import MISBEHAVIOURS
from tests.drivers.handed import Handed
from tests.drivers.rig import PLACE, TABLE, Rig

TOLD: dict[str, tuple[set[str], set[str]]] = {
    # states, faults that are told within ten seconds of it
    "silent": ({"stale"}, set()),
    "drop": (set(), {"messages_lost"}),
    "bad_crc": (set(), {"messages_damaged"}),
    "half_frame": (set(), {"messages_damaged"}),
    "boot_text": ({"stale"}, {"messages_damaged"}),
    "stall": ({"stale"}, set()),
    "link_cut": ({"stale"}, set()),
    "reboot": ({"stale"}, {"rebooted"}),
    "undervoltage": ({"stale"}, {"rebooted", "board_brown_out"}),
    "no_hello": (set(), set()),  # a board that was heard before is known: see tests/drivers/test_reconnect.py
    "sensor_dead": (set(), {"sensor_dead:A30"}),
    "sensor_stuck": (set(), {"sensor_stuck:A30"}),
    "sensor_noisy": (set(), {"sensor_noisy:A30"}),
    "multiplexer_lost": (set(), {"multiplexer_missing:B-1"}),
    "load_absent": (set(), {"load_absent"}),
    "load_spikes": (set(), {"load_spikes"}),
    "load_saturated": (set(), {"load_saturated"}),
    "load_constant": (set(), {"load_constant"}),
    "load_random": (set(), {"load_random"}),
    "load_half": (set(), {"load_gain"}),
}
ELSEWHERE = {"renumber", "crosstalk"}  # a cable's name (test_virtual_table.py), shown by stones (below)
# told besides: of what is lost; of what is doubted for a while after it
ALSO = {"boot_text": {"load_absent"}, "load_saturated": {"load_spikes"}}
BEGUN_S, LASTS_S, AFTER_S = 5.0, 10.0, 4.0


class Heard:
    """A virtual table on whose empty board nothing happens; health: all that was told, with when."""

    def __init__(self) -> None:
        self.rig, self.link = Rig(seed=1), Handed()
        self.feed = Feed(self.link, Sensing(TableLayout.from_json(TABLE)), sensors=220)
        self.health: list[tuple[float, Health]] = []

    def run(self, seconds: float, play: bool = False) -> Iterator[None]:
        rig = self.rig
        for _ in range(round(seconds * 100)):
            rig.table.step(play)
            rig.now_us = rig.table._now_us = rig.now_us + PLACE.period_us
            self.link.data, self.link.now_us, rig.wire.out = rig.wire.out, rig.now_us, b""
            told = [report for report in self.feed.step() if isinstance(report, Health)]
            self.health += [(rig.now_us / 1e6, each) for each in told]
            yield


def test_each_has_its_line() -> None:
    assert TOLD.keys() | ELSEWHERE == MISBEHAVIOURS.keys()


@pytest.mark.failure("A12", "B1", "B5", "B6", "B7", "B9", "B10", "D11", "G4")
@pytest.mark.parametrize("name", TOLD)
def test_a_misbehaviour_is_told_while_it_lasts(name: str) -> None:
    heard = Heard()
    list(heard.run(BEGUN_S))
    assert heard.health[-1][1].faults == ()
    heard.rig.table.faults.start(name, heard.rig.now_us, seconds=LASTS_S)
    list(heard.run(LASTS_S + AFTER_S))
    during = [each for t, each in heard.health if t > BEGUN_S]
    states, faults = TOLD[name]
    assert {each.state for each in during} - {"ok"} == states
    assert {each.frame_rate for each in during if each.state == "stale"} <= {0.0}
    told = {fault for each in during for fault in each.faults}
    assert faults <= told <= faults | ALSO.get(name, set())
    assert during[-1].state == "ok"


@pytest.mark.slow
def test_crosstalk_is_told_by_five_stones_and_then_no_tile_is_said_to_have_moved() -> None:
    heard = Heard()
    list(heard.run(4.0))
    heard.rig.table.faults.start("crosstalk", heard.rig.now_us)
    list(heard.run(90.0, play=True))
    told = [{fault.partition(":")[0] for fault in each.faults} for _, each in heard.health]
    begun = next(k for k, codes in enumerate(told) if "crosstalk" in codes)
    assert len(told) - begun > 20  # there is something after it
    assert not any("tile_moved" in codes for codes in told[begun:])
