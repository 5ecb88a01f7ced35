"""The one module that reads a clock.

Everything else is handed a `Clock`. Its time is the server clock: integer microseconds of the monotonic clock,
scaled in a fast replay. Wall time is a label for people and enters no decision (failure G1: the first correction
of the wall clock after boot must not make timers fire).
"""

import threading
import time
from typing import Protocol

MICRO = 1_000_000


class Clock(Protocol):
    """Time that is read and waited for in one place, so that tests can turn it by hand."""

    def now_us(self) -> int:
        """The server clock, microseconds; never runs backwards."""
        ...

    def rate(self) -> float:
        """Seconds of this clock in a second of real time."""
        ...

    def wait(self, condition: threading.Condition, until_us: int | None) -> None:
        """Wait, with `condition` held, until it is notified or this clock shows until_us (None: for ever)."""
        ...

    def label(self) -> str:
        """The wall time as text for people ("2026-05-01T18:30:05Z"); never compared, never computed with."""
        ...


class SystemClock:
    """The machine's monotonic clock, `speed` times as fast since `origin_ns`.

    The monotonic clock is one for all processes of the machine: a child process that is given the same
    origin and speed shows the same time. Raises ValueError where speed is not above 0.
    """

    def __init__(self, speed: float = 1.0, origin_ns: int | None = None) -> None:
        if not 0 < speed < float("inf"):
            raise ValueError(f"speed must be above 0, not {speed}")
        self.speed = speed
        self.origin_ns = time.monotonic_ns() if origin_ns is None else origin_ns

    def now_us(self) -> int:
        return round((self.origin_ns + (time.monotonic_ns() - self.origin_ns) * self.speed) / 1000)

    def rate(self) -> float:
        return self.speed

    def wait(self, condition: threading.Condition, until_us: int | None) -> None:
        if until_us is None:
            condition.wait()
            return
        left_s = (until_us - self.now_us()) / MICRO / self.speed
        if left_s > 0:
            condition.wait(left_s)

    def label(self) -> str:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


class HandClock:
    """A clock that a test turns by hand. `wall` is the label, free to jump about."""

    def __init__(self, now_us: int = 0, wall: str = "2000-01-01T00:00:00Z") -> None:
        self._now_us = now_us
        self._waiting: list[tuple[threading.Condition, threading.Event]] = []
        self._lock = threading.Lock()
        self.wall = wall

    def now_us(self) -> int:
        return self._now_us

    def rate(self) -> float:
        return 1.0

    def wait(self, condition: threading.Condition, until_us: int | None) -> None:
        waiter = (condition, threading.Event())
        with self._lock:
            self._waiting.append(waiter)
        if until_us is None or self._now_us < until_us:
            condition.wait()
        with self._lock:
            self._waiting.remove(waiter)
        waiter[1].set()

    def label(self) -> str:
        return self.wall

    def waiting(self, condition: threading.Condition | None = None) -> int:
        """How many threads wait on a condition, or on any, by this clock."""
        with self._lock:
            return sum(condition in (None, held) for held, _ in self._waiting)

    def advance(self, by_us: int) -> None:
        """Turn the clock forward and wake everybody who waits by it; returns when all have woken."""
        if by_us < 0:
            raise ValueError("a monotonic clock does not run backwards")
        self._now_us += by_us
        with self._lock:
            waiting = list(self._waiting)
        for condition, _ in waiting:
            with condition:
                condition.notify_all()
        for _, woken in waiting:
            woken.wait()


def pause(clock: Clock, us: int) -> None:
    """Let `us` microseconds of this clock pass."""
    condition = threading.Condition()
    until_us = clock.now_us() + us
    with condition:
        while clock.now_us() < until_us:
            clock.wait(condition, until_us)
