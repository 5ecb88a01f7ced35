"""The real BleakScanner and BleakClient against a virtual peripheral: dropped, late, truncated, absent, busy."""

import ast
import asyncio
import inspect
import itertools
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import bleak
import pytest
from bleak.exc import BleakBluetoothNotAvailableReason, BleakDBusError, BleakError
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.clock import SystemClock
from drivers.links import LastingLink, LinkClosed, LinkLost
from drivers.links import ble as ble_module
from drivers.links.ble import UART_SERVICE, BleLink, BleOpener
from drivers.links.ble_errors import ADVICE, kind_of, said
from drivers.links.radio import Radio
from drivers.reconnect import Reconnect
from drivers.sample import Sample
from drivers.trouble import TROUBLES, Trouble
from drivers.wire import Gap, Item, Session
from tests.drivers.board import SENSORS, frame, hello
from tests.drivers.bumble_backend import ADDRESS, Bridge, air_and_bridge, unavailable

CLOCK = SystemClock()
ROOT = Path(__file__).parents[2]
Reason = BleakBluetoothNotAvailableReason


class Room:
    """A radio, its air and a bridge in it, and links that are closed in the end."""

    def __init__(self) -> None:
        self.radio = Radio()
        self.links: list[BleLink | LastingLink] = []

        self.air, self.bridge = self.radio.start(air_and_bridge()).result()

    def link(self, address: str = "") -> BleLink:
        link = BleLink(self.radio, CLOCK, address, self.air.backend)
        self.links.append(link)
        return link

    def lasting(self) -> LastingLink:
        opener = BleOpener(CLOCK, "", self.air.backend, self.radio)
        link = LastingLink(opener, CLOCK, Reconnect(60_000_000), b"who")
        self.links.append(link)
        return link

    def notify(self, data: bytes, size: int = 20) -> None:
        self.radio.start(self.bridge.notify(data, size)).result()

    def drop(self) -> None:
        self.radio.start(self.bridge.drop()).result()

    def close(self) -> None:
        for link in self.links:
            link.close()
        self.radio.close()


@pytest.fixture
def room() -> Iterator[Room]:
    made = Room()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses between tries and outer limits of a test, not of an evening."""
    for kind in TROUBLES:
        monkeypatch.setitem(TROUBLES, kind, Trouble(1000, 2000))


def until(link: BleLink | LastingLink, true: Callable[[], bool]) -> bytes:
    """Read until something is so."""
    out = b""
    while not true():
        out += link.read(0.02)[0]
    return out


def lost(link: BleLink) -> LinkLost:
    """What a link ends with."""
    with pytest.raises(LinkLost) as found:
        until(link, lambda: False)
    return found.value


@pytest.mark.parametrize("address", ["", ADDRESS, ADDRESS.lower()])
def test_it_is_found_connected_and_read_and_its_commands_arrive(room: Room, address: str) -> None:
    link = room.link(address)
    stages = set()
    while link.status.state != "live":
        stages.add(link.status.state)
        link.read(0.001)
    assert stages <= {"scanning", "connecting", "discovering"}
    assert link.status.rssi_dbm is not None
    room.notify(hello() + frame(1))
    assert link.read(1.0)[0]
    link.send(bytes(range(100)))
    while len(room.bridge.heard) < 100:
        link.read(0.01)
    assert bytes(room.bridge.heard) == bytes(range(100))


@pytest.mark.failure("D10")
@pytest.mark.parametrize("size", [1, 7, 20, 244])
def test_fragments_of_any_size_give_the_same_frames(room: Room, size: int) -> None:
    link, session = room.link(), Session(SENSORS)
    until(link, lambda: link.status.state == "live")
    room.notify(hello() + b"".join(frame(k) for k in range(5)), size)
    times: list[int] = []
    while len(times) < 5:
        data, now_us = link.read(1.0)
        times += [item.t_us for item in session.feed(data, now_us) if isinstance(item, Sample)]
    assert times == [0, 10_000, 20_000, 30_000, 40_000]


@pytest.mark.failure("D10")
def test_truncated_notifications_are_damage_and_never_a_frame(room: Room) -> None:
    link, session = room.link(), Session(SENSORS)
    until(link, lambda: link.status.state == "live")
    room.bridge.truncated = 20
    room.notify(b"\0" + b"".join(frame(k) for k in range(20)) + b"\0", 24)
    room.bridge.truncated = None
    room.notify(b"\0" + frame(30))
    seen: list[Sample] = []
    while not seen or seen[-1].sequence != 30:
        data, now_us = link.read(1.0)
        seen += [item for item in session.feed(data, now_us) if isinstance(item, Sample)]
    assert session.counts.bad_crc + session.counts.bad_cobs > 0
    assert all(int.from_bytes(sample.hall[:2], "little") == sample.sequence for sample in seen)


@settings(max_examples=200)
@given(st.lists(st.tuples(st.integers(1, 512), st.booleans()), min_size=5, max_size=60), st.integers(0, 10**6))
@pytest.mark.failure("D11")
def test_lost_notifications_are_gaps_and_nothing_false(pieces: list[tuple[int, bool]], first: int) -> None:
    stream = b"".join(frame(k) for k in range(200))
    session, at, items = Session(SENSORS), 0, list[Item]()
    for size, kept in itertools.cycle(pieces):
        if at >= len(stream):
            break
        if kept or at == 0:
            items += session.feed(stream[at : at + size], first + at)
        at += size
    seen = [item for item in items if isinstance(item, Sample)]
    assert all(int.from_bytes(sample.hall[:2], "little") == sample.sequence for sample in seen)
    assert sum(item.lost for item in items if isinstance(item, Gap)) == session.counts.lost
    if seen:
        assert session.counts.lost == seen[-1].sequence - seen[0].sequence + 1 - len(seen)


@pytest.mark.failure("D3", "D6")
def test_after_a_drop_it_comes_back_by_itself(room: Room) -> None:
    room.bridge.on_write = lambda data: None
    link, session = room.lasting(), Session(SENSORS)
    for connection in range(3):
        until(link, lambda n=connection: len(room.bridge.connections) > n and link.status.state == "greeting")
        while link.status.state != "live":
            room.notify(hello() + frame(100 * connection + 1))
            data, now_us = link.read(0.05)
            session.feed(data, now_us)
        room.drop()
        until(link, lambda: link.status.state != "live")
        assert link.status.trouble == "radio_lost"
    assert link.status.drops == 3
    assert room.air.together == 1


@pytest.mark.failure("D3")
def test_services_that_cannot_be_read_three_times_are_no_error_of_the_user(room: Room) -> None:
    room.air.connect_failures = [BleakError("failed to discover services, device disconnected")] * 3
    link = room.lasting()
    seen = set()
    while link.status.state != "live":
        seen.add(link.status.trouble)
        room.notify(hello())
        link.read(0.02)
    assert "services_failed" in seen
    assert room.air.connects == 4


@pytest.mark.failure("D3")
def test_a_board_that_leaves_before_its_services_are_known(room: Room) -> None:
    room.air.late_s = 0.2
    link = room.link()
    until(link, lambda: bool(room.bridge.connections))
    room.drop()
    assert lost(link).kind in ("services_failed", "radio_lost")


@pytest.mark.failure("D4")
def test_a_connect_that_never_ends_is_given_up_and_the_next_one_may_go(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ble_module, "CONNECT_S", 0.05)
    room.air.deaf = True
    assert lost(room.link()).kind == "connect_timeout"
    room.air.deaf = False
    monkeypatch.setattr(ble_module, "CONNECT_S", 25.0)
    link = room.link()
    until(link, lambda: link.status.state == "live")


def test_a_board_that_is_not_there_is_not_found(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ble_module, "SCAN_S", 0.05)
    failure = lost(room.link("C0:00:00:00:00:99"))
    assert failure.kind == "not_found"
    assert "C0:00:00:00:00:99" in str(failure)


def test_another_device_is_no_table(room: Room) -> None:
    async def other() -> None:
        await Bridge(room.air, "C0:11:22:33:44:77", service="6e400009-b5a3-f393-e0a9-e50e24dcca9e").open()

    room.radio.start(other()).result()
    assert lost(room.link("C0:11:22:33:44:77")).kind == "no_uart_service"


@pytest.mark.failure("D1", "D5")
@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (unavailable(Reason.POWERED_OFF), "adapter_off"),
        (unavailable(Reason.NO_BLUETOOTH), "adapter_absent"),
        (BleakDBusError("org.bluez.Error.InProgress", []), "adapter_busy"),
        (BleakError("No powered Bluetooth adapters found."), "adapter_off"),
        (FileNotFoundError("no message bus"), "adapter_absent"),
    ],
)
def test_an_adapter_that_is_absent_or_busy_is_waited_for(room: Room, error: Exception, kind: str) -> None:
    room.air.scan_failures = [error] * 3
    link, seen = room.lasting(), set()
    while link.status.state != "live":
        seen.add(link.status.trouble)
        room.notify(hello())
        link.read(0.02)
    assert kind in seen
    assert room.air.scans == 4


@pytest.mark.failure("D1")
def test_two_links_never_scan_or_connect_at_the_same_time(room: Room) -> None:
    async def another() -> None:
        await Bridge(room.air, "C0:11:22:33:44:77").open()

    room.radio.start(another()).result()
    links = [room.link(address) for address in (ADDRESS, "C0:11:22:33:44:77")]
    for link in links:
        while link.status.state != "live":
            link.read(0.02)
    assert (room.air.connects, room.air.together) == (2, 1)


@pytest.mark.failure("D7")
def test_our_own_leaving_is_no_failure_and_starts_nothing(room: Room) -> None:
    link = room.lasting()
    while link.status.state != "live":
        room.notify(hello())
        link.read(0.02)
    link.close()
    with pytest.raises(LinkClosed):
        link.read(0.1)
    room.radio.start(asyncio.sleep(0)).result()
    assert (room.air.scans, link.status.drops) == (1, 0)


def test_a_reader_that_is_too_slow_loses_counted_pieces(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ble_module, "_QUEUED", 4)
    link = room.link()
    until(link, lambda: link.status.state == "live")
    room.notify(bytes(200))
    while link.status.overflows < 6:
        room.radio.start(asyncio.sleep(0.01)).result()
    assert link.read(1.0)[0] == bytes(80)
    assert link.status.overflows == 6


def test_the_opener_closes_its_radio() -> None:
    before = threading.active_count()
    opener = BleOpener(CLOCK)
    assert threading.active_count() == before + 1
    opener.close()
    assert threading.active_count() == before


@pytest.mark.failure("D12")
def test_there_is_one_event_loop_in_the_whole_program() -> None:
    makers = {"run", "new_event_loop", "Runner", "run_until_complete", "get_event_loop"}
    found = []
    for package in ("companion", "drivers", "web"):
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if (
                    isinstance(node, ast.Attribute)
                    and node.attr in makers
                    and isinstance(node.value, ast.Name)
                    and node.value.id in ("asyncio", "loop")
                ):
                    found.append(f"{path.relative_to(ROOT)}: asyncio.{node.attr}")
    assert found == ["drivers/links/radio.py: asyncio.run"]


@pytest.mark.failure("D1", "D3", "D5", "D12")
@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (BleakDBusError("org.bluez.Error.NotReady", ["Resource Not Ready"]), "adapter_off"),
        (BleakDBusError("org.freedesktop.DBus.Error.ServiceUnknown", []), "adapter_absent"),
        (BleakDBusError("org.freedesktop.DBus.Error.AccessDenied", []), "adapter_denied"),
        (BleakDBusError("org.freedesktop.DBus.Error.UnknownObject", []), "not_found"),
        (BleakDBusError("org.bluez.Error.Failed", ["le-connection-abort-by-local"]), "connect_failed"),
        (BleakError("failed to discover services, device disconnected"), "services_failed"),
        (BleakError("Device with address C0 was not found."), "not_found"),
        (BleakError("Not connected"), "radio_lost"),
        (TimeoutError(), "connect_timeout"),
        (BleakError("something new"), "radio_failed"),
        (RuntimeError("something newer"), "radio_failed"),
    ],
)
def test_every_failure_has_its_kind(error: Exception, kind: str) -> None:
    assert kind_of(error) == kind
    assert kind in TROUBLES


@pytest.mark.failure("D1", "D3", "D5", "D12")
def test_the_terminal_says_of_every_failure_what_pages_say_and_the_cause_in_brackets() -> None:
    words = json.loads((ROOT / "web" / "locale" / "en" / "link.json").read_text("utf-8"))
    assert ADVICE.keys() == set(list(TROUBLES)[list(TROUBLES).index("adapter_absent") :])
    assert {kind: f"{words[f'link_{kind}']} {words[f'advice_{kind}']}" for kind in ADVICE} == ADVICE
    no_bus = FileNotFoundError(2, "No such file or directory")
    told = said(kind_of(no_bus), no_bus)
    assert told.startswith("This computer has no Bluetooth")
    assert told.endswith("([Errno 2] No such file or directory)")
    assert said("connect_timeout", TimeoutError()).endswith("(TimeoutError)")


def test_a_link_without_an_adapter_tells_it_plainly(room: Room) -> None:
    room.air.scan_failures = [FileNotFoundError(2, "No such file or directory")]
    ended = lost(room.link())
    assert (ended.kind, str(ended)[:30]) == ("adapter_absent", "This computer has no Bluetooth")


def test_what_the_tests_assume_of_bleak_is_so() -> None:
    """A canary: when bleak changes what the link and the backend of these tests rest on, this says so first."""
    scanner = inspect.signature(bleak.BleakScanner.__init__).parameters
    assert list(scanner)[1:3] == ["detection_callback", "service_uuids"]
    client = inspect.signature(bleak.BleakClient.__init__).parameters
    assert {"disconnected_callback", "timeout", "backend"} <= client.keys()
    assert "backend" in scanner
    for method in ("connect", "disconnect", "start_notify", "write_gatt_char"):
        assert inspect.iscoroutinefunction(getattr(bleak.BleakClient, method)), method
    assert {"response"} <= inspect.signature(bleak.BleakClient.write_gatt_char).parameters.keys()
    assert list(inspect.signature(bleak.BleakClient.start_notify).parameters)[1:3] == ["char_specifier", "callback"]
    assert hasattr(bleak.backends.characteristic.BleakGATTCharacteristic, "max_write_without_response_size")
    assert {"service_uuids", "rssi"} <= set(bleak.backends.scanner.AdvertisementData._fields)
    assert issubclass(BleakDBusError, BleakError)
    assert {reason.name for reason in Reason} >= {"NO_BLUETOOTH", "POWERED_OFF", "DENIED_BY_USER", "DENIED_BY_SYSTEM"}
    assert bleak.uuids.normalize_uuid_str(UART_SERVICE) == UART_SERVICE
