"""The cable of the virtual table: a pseudo-terminal under a name that lasts, and what happens to bytes on the way."""

import errno
import os
import pty
import random
import select
import tty
from contextlib import suppress
from pathlib import Path

from drivers.virtual.board import BOOT_TEXT
from drivers.virtual.misbehaviour import Misbehaving

_MOST_HELD = 1 << 20  # bytes of a stall
_MOST_WAITING = 1 << 19


class Cable:
    """name: a link to the host's end, made anew whenever that has another name.

    Raises OSError where it cannot be, and FileExistsError where something of another kind has that name.
    """

    def __init__(self, name: Path) -> None:
        self.name = name
        self._master = -1
        self._port = ""
        self._waiting = bytearray()
        if os.path.lexists(name) and not self._end().startswith("/dev/"):
            raise FileExistsError(errno.EEXIST, "this is there already, and no cable's end", str(name))
        self.plug()

    @property
    def plugged(self) -> bool:
        """Whether there is a host's end."""
        return self._master >= 0

    @property
    def connected(self) -> bool:
        """Whether a program has the host's end open."""
        if self._master < 0:
            return False
        poll = select.poll()
        poll.register(self._master, 0)
        return not any(event & select.POLLHUP for _, event in poll.poll(0))

    def plug(self) -> None:
        """A new pseudo-terminal; the old one is gone after it, so that the name is another one."""
        master, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        port = os.ttyname(slave)
        os.close(slave)
        self.unplug()
        self._master, self._port = master, port
        part = self.name.with_name(f".{self.name.name}.{os.getpid()}")
        part.unlink(missing_ok=True)
        part.symlink_to(port)
        part.replace(self.name)

    def unplug(self) -> None:
        """Nothing is there any more."""
        if self._master >= 0:
            os.close(self._master)
            self._master = -1
            self._waiting.clear()
            if self._end() == self._port:  # else the name is somebody else's by now
                self.name.unlink(missing_ok=True)

    def _end(self) -> str:
        """What the name links to; "" where it is no link."""
        return os.readlink(self.name) if self.name.is_symlink() else ""

    def write(self, data: bytes) -> None:
        """What the host does not take at once waits, some seconds of it; without a host it is lost.

        A busy machine reads late, and a kernel's terminal holds a tenth of a second; a real board's USB holds more.
        """
        if not self.connected or len(self._waiting) + len(data) > _MOST_WAITING:
            self._waiting.clear()
            return
        self._waiting += data
        with suppress(OSError):
            del self._waiting[: os.write(self._master, self._waiting)]

    def read(self) -> bytes:
        """What the host has sent."""
        if self._master >= 0:
            with suppress(OSError):  # nothing there, or nobody at the other end
                return os.read(self._master, 4096)
        return b""


class Way:
    """Messages become bytes, with what misbehaves on the way."""

    def __init__(self, faults: Misbehaving, seed: int = 0) -> None:
        self._faults = faults
        self._random = random.Random(seed)
        self._held = bytearray()

    def __call__(self, messages: list[bytes], now_us: int) -> bytes:
        faults = self._faults
        out = bytearray()
        for message in messages:
            if self._happens("drop", now_us):
                continue
            if self._happens("bad_crc", now_us):
                at = self._random.randrange(len(message) - 1)
                message = message[:at] + bytes([message[at] % 255 + 1]) + message[at + 1 :]
            if self._happens("half_frame", now_us):
                message = message[: self._random.randrange(1, len(message))]
            if faults.on("boot_text", now_us):
                out += BOOT_TEXT[: self._random.randrange(len(BOOT_TEXT))]
            out += message
        if faults.on("silent", now_us):
            return b""
        if faults.on("stall", now_us):
            self._held = (self._held + out)[-_MOST_HELD:]
            return b""
        burst, self._held = bytes(self._held + out), bytearray()
        return burst

    def _happens(self, name: str, now_us: int) -> bool:
        amount = self._faults.amount(name, now_us)
        return amount > 0 and self._random.random() * 100.0 < amount
