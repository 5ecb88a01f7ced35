"""A board at a serial port: opened for this program alone, its reset lines left as configured."""

import errno
import fcntl
import termios
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import serial

from drivers.links.link import Clock, LinkClosed, LinkLost, LinkStatus
from drivers.links.ports import candidates, denied, holders

BAUD = 500_000
_WRITE_S = 1.0
_MOST = 1 << 16  # bytes a read; a longer backlog comes with the next one


class SerialLink:
    """One opened port. Raises LinkLost where it cannot be opened.

    dtr, rts: the lines' states, set before the port is opened. Both are inactive unless asked for: on many boards
    they reset the processor or hold it in its boot loader (an Arduino Mega may be reset by the opening all the same).
    """

    status = LinkStatus()

    def __init__(self, port: Path, clock: Clock, baud: int = BAUD, *, dtr: bool = False, rts: bool = False) -> None:
        self.port = port
        self._clock = clock
        self._serial = serial.Serial()
        self._serial.port = str(port.resolve())
        self._serial.baudrate = baud
        self._serial.dtr, self._serial.rts = dtr, rts
        self._serial.exclusive = True
        self._serial.write_timeout = _WRITE_S
        self._reading, self._sending = threading.Lock(), threading.Lock()
        self._closed = False
        try:
            self._serial.open()
            self._own(True)
        except (OSError, ValueError, termios.error) as error:  # SerialException is an OSError
            self.close()
            raise self._refused(error) from error

    def read(self, timeout_s: float) -> tuple[bytes, int]:
        """Raises LinkLost ("port_lost") when it is unplugged or read by somebody else too."""
        with self._reading:
            if self._closed:
                raise LinkClosed(f"{self.port} was closed.")
            try:
                self._serial.timeout = timeout_s
                data: bytes = self._serial.read(1)
                if data:
                    data += self._serial.read(min(self._serial.in_waiting, _MOST))
            except (OSError, TypeError, termios.error) as error:  # TypeError: closed under pyserial's hands
                if self._closed:
                    raise LinkClosed(f"{self.port} was closed.") from error
                raise self._lost(error) from error
            return data, self._clock.now_us()

    def send(self, data: bytes) -> None:
        """Raises LinkLost where the port is gone or takes nothing."""
        with self._sending:
            try:
                self._serial.write(data)
            except (OSError, TypeError, termios.error) as error:
                raise LinkLost("port_lost", f"{self.port} takes no more commands ({_cause(error)}).") from error

    def close(self) -> None:
        self._closed = True
        with suppress(OSError, AttributeError, TypeError):  # not open
            self._serial.cancel_read()
        with self._reading, suppress(OSError, termios.error):
            self._own(False)
            self._serial.close()

    def _own(self, alone: bool) -> None:
        """Beside pyserial's lock, which only those see who ask: nobody else but root can open the port now."""
        if self._serial.is_open:
            with suppress(OSError):
                fcntl.ioctl(self._serial.fileno(), termios.TIOCEXCL if alone else termios.TIOCNXCL)

    def _refused(self, error: BaseException) -> LinkLost:
        number = getattr(error, "errno", None)
        if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
            return LinkLost("port_missing", f"{self.port} is not there: plug the board in, or check the cable.")
        if number in (errno.EACCES, errno.EPERM):
            return LinkLost("no_permission", denied(self.port))
        if number in (errno.EAGAIN, errno.EBUSY):
            held_by = holders(self.port)
            who = " and ".join(held_by) or "another program"
            return LinkLost("port_held", f"{self.port} is held by {who}: end it.", held_by)
        return LinkLost("port_failed", f"{self.port} cannot be opened as a serial port ({_cause(error)}).")

    def _lost(self, error: BaseException) -> LinkLost:
        if not self.port.exists():
            return LinkLost("port_lost", f"{self.port} was unplugged: plug the board in again, and it goes on.")
        held_by = holders(self.port)
        beside = f"; {' and '.join(held_by)} has it open too" if held_by else ""
        return LinkLost("port_lost", f"{self.port} was unplugged or has failed ({_cause(error)}{beside}).", held_by)


class SerialOpener:
    """Opens the port of a name, or, without one, whatever is plugged in, the next one at each try."""

    def __init__(
        self,
        clock: Clock,
        port: Path | None = None,
        baud: int = BAUD,
        *,
        dtr: bool = False,
        rts: bool = False,
        find: Callable[[], Sequence[Path]] = candidates,
    ) -> None:
        self._clock, self._port, self._baud = clock, port, baud
        self._dtr, self._rts, self._find = dtr, rts, find
        self._turn = 0

    def __call__(self) -> SerialLink:
        """Raises LinkLost."""
        return SerialLink(self._next(), self._clock, self._baud, dtr=self._dtr, rts=self._rts)

    def _next(self) -> Path:
        if self._port is not None:
            return self._port
        found = self._find()
        if not found:
            raise LinkLost("port_missing", "No board is plugged in: connect it by USB.")
        self._turn += 1
        return found[(self._turn - 1) % len(found)]


def _cause(error: BaseException) -> str:
    return str(error).split("\n")[0][:120]
