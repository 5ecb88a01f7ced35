"""The socket pair between the table process and the referee: table reports as JSON lines; the other way that somebody
looks at the sensors, and a person's orders while the table is set up.

The writer never blocks sensing: what the reader does not take at once waits in a bounded backlog; pictures, which
only draw, are dropped first. The reader trusts no byte: what is not a report is counted and refused.
"""

import contextlib
import json
import select
import socket
from collections import deque
from collections.abc import Mapping
from typing import Any

from companion.table import Glimpse, Picture, TableReport
from companion.table.codec import from_json, to_json

LONGEST_LINE = 64 * 1024
_LOOK = b"look\n"
_LONGEST_ORDER = 16 * 1024
_PATIENCE_S = 0.25
_DROP_PICTURES_AT = 64 * 1024
_FULL_AT = 4 * 1024 * 1024


class ChannelError(Exception):
    """The other end is gone, or has taken nothing for so long that the backlog is full."""


def pair() -> tuple[socket.socket, socket.socket]:
    """The table's end and the referee's end."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)


class ChannelWriter:
    """The table's end. dropped: pictures that were left out because the reader was behind; looked: the other end says
    that somebody looks at the sensors; orders: what a person wants, oldest first, for the caller to take out.
    """

    def __init__(self, end: socket.socket) -> None:
        end.setblocking(False)
        self._end = end
        self._backlog: deque[bytes] = deque()
        self._waiting = 0
        self.dropped = 0
        self.looked = False
        self.orders: list[Mapping[str, Any]] = []
        self._heard = bytearray()

    def send(self, report: TableReport) -> None:
        """Send or queue a report. Raises ChannelError."""
        if isinstance(report, Picture | Glimpse) and self._waiting > _DROP_PICTURES_AT:
            self.dropped += 1
        else:
            line = json.dumps(to_json(report), separators=(",", ":"), allow_nan=False).encode() + b"\n"
            self._backlog.append(line)
            self._waiting += len(line)
        self._flush()
        if self._waiting > _FULL_AT:
            raise ChannelError("the referee process takes no reports")

    def ended(self) -> bool:
        """Whether the other end is gone (asks the socket, without waiting). Sends what still waits."""
        try:
            self._flush()
            readable, _, _ = select.select([self._end], [], [], 0)
            heard = self._end.recv(_LONGEST_ORDER) if readable else None
            self._hear(heard or b"")
            return heard == b""
        except (ChannelError, OSError):
            return True

    def finish(self, timeout_s: float) -> None:
        """Send what waits, then close; what the reader has not taken by the timeout is given up."""
        self._end.settimeout(timeout_s)
        try:
            self._end.sendall(b"".join(self._backlog))
        except OSError:
            pass
        finally:
            self._end.close()

    def _hear(self, data: bytes) -> None:
        """Whole lines are taken; one that is too long or no order is passed over."""
        self._heard += data
        *lines, rest = self._heard.split(b"\n")
        self._heard = rest if len(rest) <= _LONGEST_ORDER else bytearray()
        for line in lines:
            if line == _LOOK.rstrip():
                self.looked = True
                continue
            with contextlib.suppress(ValueError, RecursionError):
                order = json.loads(line)
                if isinstance(order, dict):
                    self.orders.append(order)

    def _flush(self) -> None:
        try:
            while self._backlog:
                line = self._backlog[0]
                sent = self._end.send(line)
                self._waiting -= sent
                if sent < len(line):
                    self._backlog[0] = line[sent:]
                    return
                self._backlog.popleft()
        except BlockingIOError:
            return
        except OSError as error:
            raise ChannelError(f"the referee process is gone ({error})") from error


class ChannelReader:
    """The referee's end. refused: lines that were no reports, oversized ones included."""

    def __init__(self, end: socket.socket) -> None:
        end.settimeout(_PATIENCE_S)
        self._end = end
        self._part = bytearray()
        self._skipping = False
        self.refused = 0

    def read(self) -> list[TableReport] | None:
        """Wait a moment for bytes and give the reports that are whole now; None when the other end is gone."""
        try:
            data = self._end.recv(LONGEST_LINE)
        except TimeoutError:
            return []
        except OSError:
            return None
        return self.feed(data) if data else None

    def feed(self, data: bytes) -> list[TableReport]:
        """The reports that these bytes complete. Never raises for what the bytes are."""
        reports: list[TableReport] = []
        *ends, rest = data.split(b"\n")
        for end in ends:
            line = bytes(self._part) + end
            self._part.clear()
            if self._skipping:
                self._skipping = False
            elif len(line) > LONGEST_LINE:
                self.refused += 1
            else:
                self._take(line, reports)
        if not self._skipping:
            self._part += rest
            if len(self._part) > LONGEST_LINE:
                self._part.clear()
                self._skipping = True
                self.refused += 1
        return reports

    def ask(self) -> None:
        """Tell the table process that somebody looks at the sensors; from any thread, lost where it takes nothing."""
        with contextlib.suppress(OSError):
            self._end.send(_LOOK, socket.MSG_DONTWAIT)

    def order(self, order: Mapping[str, Any]) -> bool:
        """Hand a person's order to the table process; from any thread. False where it takes nothing."""
        line = json.dumps(order, separators=(",", ":")).encode() + b"\n"
        try:
            return len(line) <= _LONGEST_ORDER and self._end.send(line, socket.MSG_DONTWAIT) == len(line)
        except OSError:
            return False

    def close(self) -> None:
        """Wake a waiting `read` and close."""
        with contextlib.suppress(OSError):
            self._end.shutdown(socket.SHUT_RDWR)
        self._end.close()

    def _take(self, line: bytes, reports: list[TableReport]) -> None:
        try:
            obj = json.loads(line)
            if not isinstance(obj, dict):
                raise ValueError("not a JSON object")
            reports.append(from_json(obj))
        except (ValueError, TypeError, RecursionError):
            self.refused += 1
