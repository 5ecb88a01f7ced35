"""Games over Bluetooth at 3 kB/s: the firmware's core chooses what to send, the real bleak carries it, all is ruled."""

import os
import threading
from collections import deque
from pathlib import Path

import pytest

from companion.games.game import Ruling
from companion.process.common.recorded import recorded_game, recorded_sensing
from companion.process.referee.judge import Judge
from companion.process.table.feed import Feed
from drivers.links import LinkClosed, LinkStatus, ReplayLink
from drivers.links.ble import BleLink
from drivers.links.radio import Radio
from drivers.recording import Recording, read_recording
from firmware import build
from tests.drivers.bumble_backend import air_and_bridge
from tests.drivers.thin import BUDGET, thin_stream, zero_us
from tests.drivers.thin_play import NEAR_S, apart_s, ruled, since, thin_ruled, told, true_ends_s
from tests.firmware.core import Core

HOVER_S = 0.5  # of the plain replay's end of a turn or of the truth's, where a hand hovers at the zone's edge
BURST = BUDGET * 6 // 100 + 100  # bytes: one part, and what is kept for hello and health
DATA = Path(__file__).parents[1] / "data" / "recordings"
DEMO = Path(__file__).parents[2] / "companion" / "demo"


class GivenClock:
    """Shows what it is told; who waits by it looks again soon."""

    def __init__(self) -> None:
        self.us = 0

    def now_us(self) -> int:
        return self.us

    def wait(self, condition: threading.Condition, until_us: int | None) -> None:
        condition.wait(0.05)


class Counted:
    """A link that counts the bytes that came through it."""

    def __init__(self, link: BleLink) -> None:
        self.link, self.came = link, 0

    @property
    def status(self) -> LinkStatus:
        return self.link.status

    def read(self, timeout_s: float) -> tuple[bytes, int]:
        data, now_us = self.link.read(timeout_s)
        self.came += len(data)
        return data, now_us

    def send(self, data: bytes) -> None:
        self.link.send(data)

    def close(self) -> None:
        self.link.close()


def by_radio(recording: Recording, core: Core) -> tuple[list[Ruling], int]:
    """The rulings, dated as in the plain replay, and the bytes that were carried: in no second more than the budget and
    one burst."""
    radio, clock = Radio(), GivenClock()

    air, bridge = radio.start(air_and_bridge()).result()
    link = Counted(BleLink(radio, clock, backend=air.backend))
    game, settings = recorded_game(recording.game)
    feed, judge = Feed(link, recorded_sensing(recording), sensors=recording.sensors), Judge(game, settings)
    rulings: list[Ruling] = []
    try:
        while link.status.state != "live":
            link.read(0.0)
        sent, second = 0, deque[tuple[int, int]]()
        for at_us, data in thin_stream(recording, core):
            clock.us = at_us
            sent += len(data)
            second.append((at_us, len(data)))
            while second[0][0] <= at_us - 1_000_000:
                second.popleft()
            assert sum(size for _, size in second) <= BUDGET + BURST
            radio.start(bridge.notify(data)).result()
            while link.came < sent:
                for report in feed.step(1.0):
                    rulings += judge.take(report)
        link.close()
        with pytest.raises(LinkClosed):
            link.read(0.0)
        for report in feed.reports():
            rulings += judge.take(report)
    finally:
        link.close()
        radio.close()
    assert feed.session.counts.lost == 0
    return since(rulings, zero_us(recording, core)), sent


def of(found: list[Ruling], *kinds: str) -> list[Ruling]:
    return [ruling for ruling in found if ruling.kind in kinds]


@pytest.mark.slow
@pytest.mark.failure("D11")
@pytest.mark.parametrize("name", ["snap2_removed-a", "snap2-a", "near_place-a", "off_edge-a", "hover_withdraw-a"])
def test_over_a_thin_radio_the_piles_are_the_same_and_nothing_is_invented(
    name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    recording = read_recording(DATA / f"nominal-{name}")
    core = Core(build.host(tmp_path_factory.mktemp("core")))
    rulings, sent = by_radio(recording, core)
    assert sent <= BUDGET * recording.duration_us / 1e6 + BURST
    whole = ruled(recording, ReplayLink(recording))
    ends, whole_ends = of(rulings, "turn_end"), of(whole, "turn_end")
    shape = [(end.player, list(end.data["piles"])) for end in ends]
    assert shape == [(end.player, list(end.data["piles"])) for end in whole_ends]
    asked = of(rulings, "question")
    assert asked or [end.data["outcome"] for end in ends] == [end.data["outcome"] for end in whole_ends]
    for kind in ("collapse", "fell_off"):
        found, wanted = len(of(rulings, kind)), len(of(whole, kind))
        assert found == wanted or (found < wanted and asked)
    apart = apart_s(ends, whole_ends, true_ends_s(DATA / f"nominal-{name}"))
    assert all(each <= HOVER_S for each in apart)
    print(f"{name}: {sent / recording.duration_us * 1e6:.0f} B/s, ends apart by {apart} s, {len(asked)} questions")


@pytest.mark.slow
@pytest.mark.failure("D11")
def test_a_whole_game_over_a_thin_radio_has_the_same_piles_and_outcomes(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    recording = read_recording(DEMO / "game3-nominal")
    rulings, sent = by_radio(recording, Core(build.host(tmp_path_factory.mktemp("core"))))
    assert sent <= BUDGET * recording.duration_us / 1e6 + BURST
    whole = ruled(recording, ReplayLink(recording))
    ends, whole_ends = of(rulings, "turn_end"), of(whole, "turn_end")

    assert [told(end) for end in ends] == [told(end) for end in whole_ends]
    apart = sorted(apart_s(ends, whole_ends, true_ends_s(DEMO / "game3-nominal")))
    asked, collapses = len(of(rulings, "question")), len(of(rulings, "collapse"))
    print(f"{len(ends)} ends apart by {apart} s, {collapses} collapses, {asked} questions")
    assert apart[16] <= NEAR_S  # of eighteen
    assert apart[17] <= 0.7  # 0.6 s after the plain replay's, 1.2 s before the truth's: by a hand that hovers high
    assert 0 <= collapses - len(of(whole, "collapse")) <= 1  # of a chain of six stones one may be told by itself
    assert asked <= 2


@pytest.mark.slow
@pytest.mark.recordings
@pytest.mark.failure("D11")
@pytest.mark.parametrize(
    ("name", "hovers"),
    [
        ("game4-nominal", 1),
        ("nominal-chain_remove-a", 1),
        ("hard-chain_remove-a", 0),
        ("nominal-snap3-a", 0),
        ("hard-snap3-a", 0),
        ("hard-topple-a", 0),
    ],
)
def test_recordings_over_a_thin_link_have_the_same_piles(
    name: str, hovers: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """hovers: so many ends of turns are told by hands that hover at the zone's edge."""
    folder = Path(os.environ["COMPANION_RECORDINGS"]) / name
    recording = read_recording(folder)
    core = Core(build.host(tmp_path_factory.mktemp("core")))
    rulings = thin_ruled(recording, core)
    whole = ruled(recording, ReplayLink(recording))
    ends, whole_ends = of(rulings, "turn_end"), of(whole, "turn_end")
    assert [told(end) for end in ends] == [told(end) for end in whole_ends]
    for kind in ("collapse", "fell_off"):
        assert len(of(rulings, kind)) == len(of(whole, kind))
    assert len(of(rulings, "question")) <= len(of(whole, "question"))
    apart = sorted(apart_s(ends, whole_ends, true_ends_s(folder)))
    print(f"{name}: {len(ends)} ends apart by {[round(each, 2) for each in apart]} s")
    assert sum(each > NEAR_S for each in apart) <= hovers
    assert apart[-1] <= HOVER_S
