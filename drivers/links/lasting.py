"""A link that outlives its connections: opened when it can be, greeted, watched, closed and opened again.

The reader sees one stream with silences in it. After each opening bytes are held back until a whole hello has come:
what lies before it may be an old buffer or half a message, and a board that does not say who it is is not used.
"""

import logging
import threading
from collections.abc import Callable

from drivers.links.link import Clock, Link, LinkClosed, LinkLost, LinkStatus
from drivers.reconnect import Do, LinkState, Reconnect
from drivers.wire.framing import MAX_FRAME, unseal
from drivers.wire.messages import Hello, decode

_LOG = logging.getLogger(__name__)
_LONGEST_WAIT_S = 0.25


class LastingLink:
    """One table's link. open: makes a connection or raises LinkLost; it may not block for long.

    greeting: sent once after each opening, for a board that answers it with a hello at once. at_end: called by `close`,
    to end what `open` rests on.
    """

    def __init__(
        self,
        open: Callable[[], Link],
        clock: Clock,
        reconnect: Reconnect | None = None,
        greeting: bytes = b"",
        at_end: Callable[[], None] = lambda: None,
    ) -> None:
        self._at_end = at_end
        self._open = open
        self._clock = clock
        self._reconnect = reconnect or Reconnect()
        self._greeting = greeting
        self._link: Link | None = None
        self._held = b""  # of a frame that is not whole, before the hello
        self._detail = ""
        self._held_by: tuple[str, ...] = ()
        self._told: tuple[str, str] | None = None
        self._wake = threading.Condition()
        self._closed = False

    @property
    def status(self) -> LinkStatus:
        """The state of the connection, or of the way to the next one."""
        reconnect, link = self._reconnect, self._link
        under = link.status if link else LinkStatus()
        greeting = reconnect.state is LinkState.GREETING
        return LinkStatus(
            state=under.state if greeting and under.state != "live" else str(reconnect.state),
            trouble=reconnect.trouble,
            detail=self._detail if reconnect.trouble else "",
            held_by=self._held_by if reconnect.trouble else (),
            rssi_dbm=under.rssi_dbm,
            drops=reconnect.drops,
            overflows=under.overflows,
        )

    def read(self, timeout_s: float) -> tuple[bytes, int]:
        """Bytes of whichever connection there is. Raises LinkClosed after `close` only."""
        until_us = self._clock.now_us() + round(timeout_s * 1e6)
        while True:
            data = self._step(until_us)
            now_us = self._clock.now_us()
            if data or now_us >= until_us:
                return data, now_us

    def send(self, data: bytes) -> None:
        """To the board, if there is a connection; raises LinkLost if there is none."""
        link = self._link
        if link is None:
            raise LinkLost(self._reconnect.trouble or "port_missing", "There is no connection to the board now.")
        link.send(data)

    def close(self) -> None:
        with self._wake:
            self._closed = True
            link = self._link
            self._wake.notify_all()
        if link is not None:
            link.close()
        self._at_end()

    def _step(self, until_us: int) -> bytes:
        now_us = self._clock.now_us()
        if self._closed:
            self._drop()
            raise LinkClosed("The link was closed.")
        match self._reconnect.next(now_us):
            case Do.OPEN:
                self._try(now_us)
            case Do.DROP:
                self._drop()
                self._note(self._reconnect.trouble, "The board says nothing.")
            case Do.READ:
                return self._read(max(0, until_us - now_us) / 1e6)
            case Do.WAIT:
                due_us = self._reconnect.due_us
                with self._wake:
                    if not self._closed:
                        self._clock.wait(self._wake, until_us if due_us is None else min(until_us, due_us))
        return b""

    def _try(self, now_us: int) -> None:
        try:
            link = self._open()
        except LinkLost as lost:
            self._fail(lost)
            return
        with self._wake:
            self._link = link
        self._held = b""
        self._reconnect.opened(now_us)
        if self._greeting:
            self._greet(link)

    def _greet(self, link: Link) -> None:
        try:
            link.send(self._greeting)
        except LinkLost as lost:
            self._fail(lost)

    def _read(self, left_s: float) -> bytes:
        assert self._link is not None
        try:
            data, now_us = self._link.read(min(left_s, _LONGEST_WAIT_S))
        except LinkLost as lost:
            if not self._closed:
                self._fail(lost)
            return b""
        except LinkClosed:
            if self._closed:
                return b""
            raise
        if not data:
            return b""
        if self._reconnect.state is LinkState.LIVE:
            self._reconnect.heard(now_us)
            return data
        return self._from_hello(data, now_us)

    def _from_hello(self, data: bytes, now_us: int) -> bytes:
        """What of the stream follows the first whole hello, that one included; b"" before it."""
        frames = (self._held + data).split(b"\0")
        self._held = frames[-1][-(MAX_FRAME + 1) :]
        for k, frame in enumerate(frames[:-1]):
            hello = _hello(frame)
            if hello is not None:
                self._held = b""
                self._reconnect.greeted(now_us)
                self._told = None
                _LOG.info("the link to table %s is live", hello.table_id)
                return b"\0".join(frames[k:])
        return b""

    def _fail(self, lost: LinkLost) -> None:
        self._drop()
        self._reconnect.failed(self._clock.now_us(), lost.kind)
        self._note(lost.kind, str(lost), lost.held_by)

    def _note(self, kind: str, detail: str, held_by: tuple[str, ...] = ()) -> None:
        """The first failure of a kind is a warning, the same again only for the curious."""
        self._detail, self._held_by = detail, held_by
        level = logging.DEBUG if self._told == (kind, detail) else logging.WARNING
        self._told = (kind, detail)
        _LOG.log(level, "%s (%s)", detail, kind)

    def _drop(self) -> None:
        with self._wake:
            link, self._link = self._link, None
        if link is not None:
            link.close()


def _hello(frame: bytes) -> Hello | None:
    try:
        message = decode(unseal(frame))
    except ValueError:  # FrameError is one
        return None
    return message if isinstance(message, Hello) else None
