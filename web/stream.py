"""Server-sent events: one stream a page, the latest view wins, a beat each second, and a limit on how many.

The limit lies below the server's thread pool, so that a full house never shuts out a button (H12): beyond it the
answer is 503 with Retry-After, and the page asks for the view once a second instead.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Condition
from typing import Protocol

from flask import Response

from companion.views.port import Frame, RefereePort

BEAT_S = 1.0  # shorter than the 2 s within which a page must tell that the link is lost
_NAP_S = 0.25  # how long a stream sleeps at a time, hence how soon it notices a stop


class Slots:
    """Counts the open streams. `stopping` is set when the server closes: streams then end by themselves."""

    def __init__(self, cap: int) -> None:
        self.cap = cap
        self.stopping = False
        self._used = 0
        self._changed = Condition()

    @property
    def used(self) -> int:
        return self._used

    def take(self) -> Callable[[], None] | None:
        """Take a slot; returns what gives it back (once, however often called), None if all are taken."""
        with self._changed:
            if self._used >= self.cap or self.stopping:
                return None
            self._used += 1
        given_back = False

        def release() -> None:
            nonlocal given_back
            with self._changed:
                if not given_back:
                    given_back = True
                    self._used -= 1
                    self._changed.notify_all()

        return release

    def wait_empty(self, timeout_s: float) -> bool:
        """Wait until no stream is open; False after the timeout."""
        with self._changed:
            return self._changed.wait_for(lambda: self._used == 0, timeout_s)


def clock_of(port: RefereePort) -> dict[str, float]:
    """A sample of the server clock: s (microseconds) and rate (server seconds per real second)."""
    return {"s": port.now_us(), "rate": port.clock_rate()}


def envelope(port: RefereePort, frame: Frame) -> bytes:
    """A view with the clock, as JSON: {"s", "rate", "seq", "view"}."""
    head = json.dumps({**clock_of(port), "seq": frame.seq}, separators=(",", ":")).encode()
    return head[:-1] + b',"view":' + frame.data + b"}"


class Source(Protocol):
    """Where a stream's views come from."""

    def newest(self) -> Frame | None: ...

    def wait(self, after: int, timeout_s: float) -> Frame | None: ...


@dataclass(frozen=True)
class GameViews:
    """The views of a game."""

    port: RefereePort
    game: str

    def newest(self) -> Frame | None:
        return self.port.view(self.game)

    def wait(self, after: int, timeout_s: float) -> Frame | None:
        return self.port.wait(self.game, after, timeout_s)


@dataclass(frozen=True)
class Glimpses:
    """The sensors, which the table tells of while this stream is read."""

    port: RefereePort

    def newest(self) -> Frame | None:
        return self.port.glimpse()

    def wait(self, after: int, timeout_s: float) -> Frame | None:
        return self.port.wait_glimpse(after, timeout_s)


@dataclass(frozen=True)
class SetUps:
    """The setting up of the table, of which it tells while this stream is read. acts: whether its reader may act."""

    port: RefereePort
    acts: Callable[[], bool]

    def newest(self) -> Frame | None:
        return self.port.set_up(self.acts())

    def wait(self, after: int, timeout_s: float) -> Frame | None:
        return self.port.wait_set_up(after, timeout_s, self.acts())


def events(port: RefereePort, source: Source, slots: Slots, after: int) -> Iterator[bytes]:
    """The stream's body: a beat or a view at once, then each newer view, and a beat when nothing has changed.

    after: number of the view that the reader has. One that is not the present one's is taken as none: after a restart
    of the referee numbers may begin anew.
    """
    seq, quiet = after, BEAT_S
    yield b"retry: 600000\n\n"  # the page reopens by itself, after it has asked for the view
    frame = source.newest()
    while not slots.stopping:
        if frame is not None and frame.seq != seq:
            seq, quiet = frame.seq, 0.0
            yield b"data: " + envelope(port, frame) + b"\n\n"
        elif quiet >= BEAT_S:
            quiet = 0.0
            yield b"event: beat\ndata: " + json.dumps(clock_of(port)).encode() + b"\n\n"
        frame = source.wait(seq, _NAP_S)
        if frame is None and source.newest() is None:
            return  # there is no such view any more, and nothing to wait for
        quiet += _NAP_S


def stream_response(port: RefereePort, source: Source, slots: Slots, after: int) -> Response:
    """A stream of views, or 503 when all slots are taken."""
    release = slots.take()
    if release is None:
        return Response(status=503, headers={"Retry-After": "10"})
    answer = Response(events(port, source, slots, after), mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    answer.call_on_close(release)  # runs also where the reader left before the first line, unlike a `finally` above
    return answer
