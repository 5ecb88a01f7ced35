"""A board at the other end of a pseudo-terminal, and clocks that a test turns: for the tests of the links."""

import os
import pty
import struct
import threading
import tty
from pathlib import Path

from drivers.wire.framing import seal
from drivers.wire.messages import DEFINITION, PROTOCOL, Frame, Hello

SENSORS = 6
PERIOD = 10_000
BOOT_TEXT = b"ets Jun  8 2016 00:22:57\r\nrst:0x1 (POWERON_RESET),boot:0x13\r\n"


def hello(boot: int = 1, table_id: str = "t") -> bytes:
    return seal(Hello(PROTOCOL, DEFINITION, boot, SENSORS, PERIOD, table_id).encode())


def frame(k: int, boot: int = 1) -> bytes:
    """The k-th frame after the boot; its first count tells which it is."""
    hall = struct.pack(f"<{SENSORS}H", k % 1024, *[512] * (SENSORS - 1))
    return seal(Frame(boot & 0xFF, k & 0xFFFF, k * PERIOD, (), hall).encode())


class TurningClock:
    """Jumps to the time that is waited for."""

    def __init__(self, now_us: int = 0) -> None:
        self._now_us = now_us

    def now_us(self) -> int:
        return self._now_us

    def wait(self, condition: threading.Condition, until_us: int | None) -> None:
        assert until_us is not None
        self._now_us = max(self._now_us, until_us)

    def advance(self, us: int) -> None:
        self._now_us += us


class PtyBoard:
    """A board's end of a pseudo-terminal in raw mode; `name` is a link to the host's end that can be moved."""

    def __init__(self, folder: Path, name: str = "board") -> None:
        self.name = folder / name
        self.master = -1
        self.plug()

    def plug(self) -> None:
        """A new pseudo-terminal under the same name."""
        self.master, slave = pty.openpty()
        tty.setraw(slave)
        self.port = Path(os.ttyname(slave))
        os.close(slave)
        self.name.unlink(missing_ok=True)
        self.name.symlink_to(self.port)

    def unplug(self) -> None:
        self.name.unlink(missing_ok=True)
        if self.master >= 0:
            os.close(self.master)
        self.master = -1

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self.master, data) :]

    def read(self) -> bytes:
        return os.read(self.master, 4096)
