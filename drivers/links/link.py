"""What every link to a board is: bytes with the time they came, one way; bytes out, the other."""

import threading
from typing import Protocol


class LinkClosed(Exception):  # noqa: N818  (a state, not only an error: a recording ends that way)
    """No more bytes will come. Says why in one sentence."""


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
