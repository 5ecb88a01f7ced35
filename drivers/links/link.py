"""What every link to a board is: bytes with the time they came, one way; bytes out, the other."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class LinkClosed(Exception):  # noqa: N818  (a state, not only an error: a recording ends that way)
    """No more bytes will come. Says why in one sentence."""


class LinkLost(LinkClosed):
    """A connection failed or ended by itself; another one may be tried.

    kind: one of drivers.trouble.TROUBLES. The message is one sentence for the log, with names and numbers.
    held_by: other processes that have the port open, "name (number)".
    """

    def __init__(self, kind: str, detail: str, held_by: Sequence[str] = ()) -> None:
        super().__init__(detail)
        self.kind = kind
        self.held_by = tuple(held_by)


@dataclass(frozen=True, slots=True)
class LinkStatus:
    """How a link is.

    state: "live", or one of drivers.reconnect.LinkState and drivers.links.ble.Stage on the way there. trouble: kind
    of the last failure, "" while live; detail: its sentence; held_by: processes that had the port open then. rssi_dbm:
    strength of the radio signal where known. drops: connections lost since the start. overflows: hand-overs that had
    no room, each a gap in the stream.
    """

    state: str = "live"
    trouble: str = ""
    detail: str = ""
    held_by: tuple[str, ...] = ()
    rssi_dbm: int | None = None
    drops: int = 0
    overflows: int = 0


class Clock(Protocol):
    """Monotonic time, real, scaled or driven by hand (the part of companion.clock.Clock that a link needs)."""

    def now_us(self) -> int:
        """Microseconds, never falling."""
        ...

    def wait(self, condition: threading.Condition, until_us: int | None) -> None:
        """Wait, with condition held, until it is notified or the clock shows until_us."""
        ...


class Link(Protocol):
    """One connection. `read` is called by one thread; `send` and `close` by any."""

    @property
    def status(self) -> LinkStatus:
        """How it is, for people; from any thread."""
        ...

    def read(self, timeout_s: float) -> tuple[bytes, int]:
        """The bytes that came, empty after timeout_s without any, and the monotonic time in microseconds.

        Raises LinkClosed where no more will come: unplugged, closed, or the recording's end.
        """
        ...

    def send(self, data: bytes) -> None:
        """Hand bytes to the board; thread-safe, returns at once. Raises LinkClosed."""
        ...

    def close(self) -> None:
        """End it; a waiting read raises LinkClosed. More than once is allowed."""
        ...
