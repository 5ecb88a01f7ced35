"""A recording as a link: the frames that a board would send, at a pace or as fast as they are read."""

import threading
from collections.abc import Iterator

import numpy as np

from drivers.links.link import Clock, LinkClosed, LinkStatus
from drivers.recording import LOAD_READ_ERROR, Recording
from drivers.wire.framing import seal
from drivers.wire.messages import DEFINITION, LOAD_ERRORS, MAX_LOADS, PROTOCOL, Frame, Hello

MOST = 25
"""Frames a read: what a cable's buffer would hold. A reader that is behind must not be given more and more at once: it
would say nothing for longer and longer.
"""

_BOOT = 1
_HELLO_EVERY_US = 1_000_000
_READ_ERROR = next(value for value, code in LOAD_ERRORS.items() if code == "read_error")
_WRAP = 1 << 32


class ReplayLink:
    """Plays a recording.

    Frames marked lost are not sent; a frame is there one period after its start, when its scan has ended;
    load conversions travel with the first sent frame whose scan ends after them.

    clock: gives the pace; None plays as fast as it is read, one frame a read, and times are then microseconds
    after the first frame.
    speed: board seconds per second of the clock (leave it at 1 with a clock that is itself scaled).
    """

    status = LinkStatus()

    def __init__(self, recording: Recording, clock: Clock | None = None, speed: float = 1.0) -> None:
        if not 0 < speed < float("inf"):
            raise ValueError(f"speed must be above 0, not {speed}")
        self._clock = clock
        self._speed = speed
        self._frames = wire_frames(recording)
        self._next: tuple[int, bytes] | None = next(self._frames, None)
        self._start_us = clock.now_us() if clock else 0
        self._wake = threading.Condition()
        self._closed = False

    def read(self, timeout_s: float) -> tuple[bytes, int]:
        """The frames that are due, at most MOST of them, and when the last of them came. Raises LinkClosed at the
        recording's end.
        """
        now = self._pace(self._clock, timeout_s) if self._clock else None
        if self._closed:
            raise LinkClosed("The replay was closed.")
        if self._next is None:
            raise LinkClosed("The recording has ended.")
        if now is None:
            due_us, data = self._next
            self._next = next(self._frames, None)
            return data, due_us
        out, count, came = bytearray(), 0, now
        while self._next is not None and self._due(self._next[0]) <= now and count < MOST:
            came = self._due(self._next[0])
            out += self._next[1]
            self._next = next(self._frames, None)
            count += 1
        return bytes(out), came if count == MOST else now

    def send(self, data: bytes) -> None:
        """A recording does not listen. Raises LinkClosed after close."""
        if self._closed:
            raise LinkClosed("The replay was closed.")

    def close(self) -> None:
        with self._wake:
            self._closed = True
            self._wake.notify_all()

    def _pace(self, clock: Clock, timeout_s: float) -> int:
        """Wait for the next frame, at most timeout_s by the clock; the time then."""
        now = clock.now_us()
        until = now + round(timeout_s * 1e6)
        if self._next is not None:
            until = min(until, self._due(self._next[0]))
        with self._wake:
            while now < until and not self._closed:
                clock.wait(self._wake, until)
                now = clock.now_us()
        return now

    def _due(self, board_us: int) -> int:
        return self._start_us + round(board_us / self._speed)


def wire_frames(recording: Recording, boot: int = _BOOT) -> Iterator[tuple[int, bytes]]:
    """Each frame as (microseconds after the first frame when it is sent, bytes); and a hello once a second."""
    first = int(recording.t_us[0])
    period = recording.period_us
    hello = seal(Hello(PROTOCOL, DEFINITION, boot, recording.sensors, period, recording.table_id).encode())
    scan_end = recording.t_us + round(float(recording.table.get("scan_fraction", 1.0)) * period)
    # index of the first conversion that a frame does not carry yet
    upto = np.searchsorted(recording.load_t_us, scan_end, side="right")
    hall = recording.hall.astype("<u2")
    greeted_us, sent = -_HELLO_EVERY_US, 0
    for k, lost in enumerate(recording.lost):
        if lost:
            continue
        t_us = int(recording.t_us[k])
        loads = [
            (int(t) % _WRAP, _READ_ERROR if value == LOAD_READ_ERROR else int(value))
            for t, value in zip(
                recording.load_t_us[sent : upto[k]], recording.load[sent : upto[k]].tolist(), strict=True
            )
        ]
        sent = int(upto[k])
        # conversions beyond what a frame carries (after a long loss) are lost as on a board: the oldest go
        frame = Frame(boot, k & 0xFFFF, t_us % _WRAP, tuple(loads[-MAX_LOADS:]), hall[k].tobytes())
        data = seal(frame.encode())
        if t_us - first - greeted_us >= _HELLO_EVERY_US:
            greeted_us = t_us - first
            data = hello + data
        yield t_us - first + period, data
