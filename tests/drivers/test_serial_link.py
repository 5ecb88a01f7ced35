"""The real pyserial on pseudo-terminals: joined anywhere, unplugged, plugged in under another name, held, silent."""

import errno
import inspect
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from companion.clock import SystemClock
from drivers.links import LastingLink, LinkClosed, LinkLost
from drivers.links.ports import candidates, denied, holders
from drivers.links.serial import SerialLink, SerialOpener
from drivers.reconnect import Reconnect
from drivers.sample import Sample
from drivers.wire import Fault, Item, Session
from tests.drivers.board import BOOT_TEXT, SENSORS, PtyBoard, frame, hello

CLOCK = SystemClock()


@pytest.fixture
def board(tmp_path: Path) -> Iterator[PtyBoard]:
    made = PtyBoard(tmp_path)
    yield made
    made.unplug()


def read_until(link: SerialLink | LastingLink, session: Session, enough: int) -> list[Item]:
    """Items until so many samples have come."""
    items: list[Item] = []
    while sum(isinstance(item, Sample) for item in items) < enough:
        data, now_us = link.read(1.0)
        items += session.feed(data, now_us)
    return items


def samples(items: list[Item]) -> list[int]:
    return [int.from_bytes(item.hall[:2], "little") for item in items if isinstance(item, Sample)]


@pytest.mark.failure("A12", "A13")
def test_frames_come_through_boot_text_and_half_a_message(board: PtyBoard) -> None:
    link, session = SerialLink(board.name, CLOCK), Session(SENSORS)
    board.write(frame(0)[7:] + BOOT_TEXT + b"\0" + frame(1) + frame(2)[:9] + BOOT_TEXT + b"\0" + frame(3))
    assert samples(read_until(link, session, 2)) == [1, 3]
    assert session.counts.lost == 1
    assert "POWERON_RESET" in session.stray_text
    link.close()


def test_what_is_sent_reaches_the_board(board: PtyBoard) -> None:
    link = SerialLink(board.name, CLOCK)
    link.send(b"\x01\x02")
    assert board.read() == b"\x01\x02"
    link.close()


@pytest.mark.failure("A1")
def test_an_unplugged_board_is_a_lost_link_and_no_crash(board: PtyBoard) -> None:
    link = SerialLink(board.name, CLOCK)
    board.unplug()
    with pytest.raises(LinkLost, match="unplugged") as lost:
        link.read(1.0)
    assert lost.value.kind == "port_lost"
    assert str(lost.value) == f"{board.name} was unplugged: plug the board in again, and it goes on."
    link.close()


@pytest.mark.failure("A1", "A3")
def test_ready_without_data_is_a_lost_link(board: PtyBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    link = SerialLink(board.name, CLOCK)

    def steal(self: serial.Serial, size: int = 1) -> bytes:
        raise serial.SerialException(
            "device reports readiness to read but returned no data (device disconnected or multiple access on port?)"
        )

    monkeypatch.setattr(serial.Serial, "read", steal)
    with subprocess.Popen([sys.executable, "-c", "import sys; f = open(sys.argv[1]); sys.stdin.read()", board.port],
                          stdin=subprocess.PIPE) as other:  # fmt: skip
        while not holders(board.port):
            pass
        with pytest.raises(LinkLost, match=rf"\({other.pid}\) has it open too"):
            link.read(0.05)
        other.communicate(b"")
    link.close()


@pytest.mark.failure("A4")
def test_a_board_plugged_in_again_under_another_name_goes_on(board: PtyBoard) -> None:
    link = LastingLink(SerialOpener(CLOCK, board.name), CLOCK)
    session = Session(SENSORS)
    first_port = board.port
    link.read(0.0)
    board.write(hello() + frame(1))
    assert samples(read_until(link, session, 1)) == [1]
    keep, board.master = board.master, -1  # the old one is only gone after the new one is there
    board.plug()
    os.close(keep)
    while link.status.state == "live":
        link.read(0.05)
    writer = threading.Thread(target=lambda: board.write(hello() + frame(50)))
    while link.status.state != "greeting":
        link.read(0.05)
    writer.start()
    assert samples(read_until(link, session, 1)) == [50]
    assert board.port != first_port
    assert session.counts.lost == 48
    assert link.status.drops == 1
    writer.join()
    link.close()


@pytest.mark.failure("A10")
def test_a_board_that_opening_has_reset_is_a_fault_and_not_a_silent_going_on(board: PtyBoard) -> None:
    link, session = SerialLink(board.name, CLOCK), Session(SENSORS)
    board.write(hello(boot=7) + frame(900, boot=7))
    read_until(link, session, 1)
    board.write(BOOT_TEXT + b"\0" + hello(boot=8) + frame(0, boot=8))
    items = read_until(link, session, 1)
    assert [item.code for item in items if isinstance(item, Fault)] == ["rebooted"]
    link.close()


@pytest.mark.failure("A7")
def test_a_held_port_is_named_with_its_holder_and_free_when_that_one_dies(board: PtyBoard) -> None:
    program = (
        "import fcntl, sys; f = open(sys.argv[1], 'rb+', buffering=0); fcntl.flock(f, fcntl.LOCK_EX); "
        "print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, board.port], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout
        other.stdout.readline()
        with pytest.raises(LinkLost, match=rf"is held by \S+ \({other.pid}\): end it") as lost:
            SerialLink(board.name, CLOCK)
        assert lost.value.kind == "port_held"
        assert [who.split()[-1] for who in lost.value.held_by] == [f"({other.pid})"]
        other.kill()
    SerialLink(board.name, CLOCK).close()
    SerialLink(board.name, CLOCK).close()  # and so it is after our own use


@pytest.mark.failure("A3")
def test_a_second_opener_is_refused_while_the_port_is_in_use(board: PtyBoard) -> None:
    link = SerialLink(board.name, CLOCK)
    with pytest.raises(LinkLost) as lost:
        SerialLink(board.name, CLOCK)
    assert lost.value.kind == "port_held"
    link.close()


@pytest.mark.failure("A3")
def test_stolen_bytes_are_counted_gaps_and_never_guessed(board: PtyBoard) -> None:
    link, session = SerialLink(board.name, CLOCK), Session(SENSORS)
    board.write(frame(0) + bytes(b for k, b in enumerate(frame(1) + frame(2)) if k % 2) + b"\0" + frame(3))
    assert samples(read_until(link, session, 2)) == [0, 3]
    assert session.counts.lost == 2
    link.close()


@pytest.mark.failure("A11")
@pytest.mark.parametrize(("dtr", "rts"), [(False, False), (True, False)])
def test_the_reset_lines_are_set_before_the_port_is_opened(
    board: PtyBoard, monkeypatch: pytest.MonkeyPatch, dtr: bool, rts: bool
) -> None:
    seen = []
    opened = serial.Serial.open

    def watch(self: serial.Serial) -> None:
        seen.append((self.is_open, self.dtr, self.rts))
        opened(self)

    monkeypatch.setattr(serial.Serial, "open", watch)
    SerialLink(board.name, CLOCK, dtr=dtr, rts=rts).close()
    assert seen == [(False, dtr, rts)]


def test_close_wakes_a_waiting_read(board: PtyBoard) -> None:
    link = SerialLink(board.name, CLOCK)
    ended: list[str] = []

    def wait() -> None:
        try:
            while True:
                link.read(100)
        except LinkClosed as closed:
            ended.append(str(closed))

    thread = threading.Thread(target=wait)
    thread.start()
    link.close()
    link.close()
    thread.join()
    assert ended == [f"{board.name} was closed."]


def test_what_is_no_port_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for name, kind in (("none", "port_missing"), ("file", "port_failed")):
        with pytest.raises(LinkLost) as lost:
            SerialLink(tmp_path / name, CLOCK)
        assert lost.value.kind == kind
    with pytest.raises(LinkLost, match="No board is plugged in"):
        SerialOpener(CLOCK, find=lambda: [])()


def test_without_a_name_every_board_has_its_turn(tmp_path: Path) -> None:
    boards = [PtyBoard(tmp_path, name) for name in ("a", "b")]
    open = SerialOpener(CLOCK, find=lambda: [board.name for board in boards])
    link = LastingLink(open, CLOCK, Reconnect(hello_us=20_000))
    boards[1].write(hello(table_id="ours") + frame(1))
    session = Session(SENSORS)
    while session.counts.frames == 0:
        data, now_us = link.read(0.05)
        session.feed(data, now_us)
        if link.status.state == "greeting" and link.status.trouble:
            boards[1].write(hello(table_id="ours") + frame(1))
    link.close()
    for board in boards:
        board.unplug()


@pytest.mark.failure("A4")
def test_names_that_last_come_first_and_are_resolved_anew(tmp_path: Path) -> None:
    for name in ("ttyUSB0", "ttyUSB1", "ttyACM0", "ttyS0"):
        (tmp_path / name).write_text("")
    assert [p.name for p in candidates(tmp_path)] == ["ttyACM0", "ttyUSB0", "ttyUSB1"]
    by_id = tmp_path / "serial" / "by-id"
    by_id.mkdir(parents=True)
    board = by_id / "usb-Arduino_Mega-if00"
    board.symlink_to(tmp_path / "ttyUSB0")
    assert candidates(tmp_path) == [board]
    board.unlink()
    board.symlink_to(tmp_path / "ttyUSB1")
    assert candidates(tmp_path) == [board]
    board.unlink()
    board.symlink_to(tmp_path / "gone")
    assert [p.name for p in candidates(tmp_path)] == ["ttyACM0", "ttyUSB0", "ttyUSB1"]


def test_denied_says_which_group_gives_the_right(tmp_path: Path) -> None:
    port = tmp_path / "port"
    port.write_text("")
    port.chmod(0o660)
    assert "usermod -aG" in denied(port)
    port.chmod(0o600)
    assert "only its owner" in denied(port)


@pytest.mark.failure("A1", "A11")
def test_what_the_link_rests_on_in_pyserial_is_so() -> None:
    """A canary: when pyserial changes it, this says so first."""
    port = serial.Serial()
    port.dtr, port.rts, port.exclusive, port.write_timeout, port.timeout = False, True, True, 1.0, 0.1
    assert (port.is_open, port.dtr, port.rts) == (False, False, True)  # kept for the opening, which sets them
    assert issubclass(serial.SerialException, OSError)  # its errno tells a missing port from a held or a forbidden one
    assert issubclass(serial.SerialTimeoutException, serial.SerialException)
    port.port = "/dev/there-is-no-such-port"
    with pytest.raises(serial.SerialException) as missing:
        port.open()
    assert missing.value.errno == errno.ENOENT
    assert callable(port.cancel_read)
    assert "device reports readiness to read but returned no data" in inspect.getsource(serial.Serial.read)
