"""The server: waitress in this process, threads above the number of streams, and a stop of its own."""

import contextlib
import errno
import logging
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from threading import Thread
from typing import Any

from waitress.server import TcpWSGIServer, create_server

from companion.views.port import RefereePort
from web.app import STREAM_CAP, create_app
from web.stream import Slots

SPARE_THREADS = 8
_DEAD_PEER_MS = 15_000
_STOP_S = 3.0
_QUIET = logging.getLogger("web.ending")
_QUIET.setLevel(logging.ERROR)


class ServeError(RuntimeError):
    """The pages cannot be served as asked; the text is one sentence that says what to do."""


@dataclass
class Serving:
    """A running server. url: its address; close() ends streams and threads, and may be called again."""

    url: str
    tcp_port: int
    slots: Slots
    _server: TcpWSGIServer
    _thread: Thread

    def close(self) -> None:
        """Stop within about 3 s: streams end by themselves, what still runs then is cut off."""
        self.slots.stopping = True
        self.slots.wait_empty(_STOP_S)
        dispatcher = self._server.task_dispatcher
        dispatcher.logger = dispatcher.queue_logger = _QUIET  # that what comes now is not answered is no news
        dispatcher.shutdown(timeout=_STOP_S)  # answers under way end while the loop runs
        if self._thread.is_alive():
            with contextlib.suppress(OSError):  # the loop may have woken by itself, cut, and closed the trigger
                self._server.trigger.pull_trigger(self._cut)
            self._thread.join(_STOP_S)

    def _cut(self) -> None:
        """In the server's own loop, which ends when its map is empty."""
        sockets: dict[int, Any] = self._server._map
        for each in list(sockets.values()):
            if each is not self._server:
                with contextlib.suppress(OSError):
                    each.close()
        self._server.close()


def serve(
    port: RefereePort,
    host: str = "0.0.0.0",
    tcp_port: int = 8080,
    names: Iterable[str] = (),
    stream_cap: int = STREAM_CAP,
    threads: int | None = None,
    tongue: str = "es",
) -> Serving:
    """Serve the pages of a referee until close(). host: a literal address; tcp_port 0: any free one.
    tongue: the language of a phone that states none.

    Raises ServeError where the settings would let streams shut out the buttons, or the address cannot be had.
    """
    threads = stream_cap + SPARE_THREADS if threads is None else threads
    if stream_cap < 1 or threads < stream_cap + SPARE_THREADS:
        raise ServeError(
            f"{threads} threads cannot serve {stream_cap} streams and the buttons: "
            f"give at least {max(stream_cap, 1) + SPARE_THREADS} threads, or fewer streams."
        )
    slots = Slots(stream_cap)
    app = create_app(port, names, slots, tongue)
    try:
        server = create_server(
            app,
            host=host,
            port=tcp_port,
            threads=threads,
            connection_limit=200,
            channel_timeout=60,
            outbuf_high_watermark=32 * 1024,  # a slow reader holds its own stream back and then gets the latest
            ident=None,
            clear_untrusted_proxy_headers=True,
        )
    except OSError as error:
        used = error.errno in (errno.EADDRINUSE, errno.EACCES)
        other = (
            "stop what uses it, or choose another port with --port" if used else "give one of this machine with --host"
        )
        raise ServeError(f"cannot listen on {host} port {tcp_port} ({error.strerror}): {other}.") from error
    # A phone that fell asleep neither reads nor closes: without this its stream would hold a slot for many minutes.
    server.adj.socket_options = [
        *server.adj.socket_options,
        (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _DEAD_PEER_MS),
    ]
    thread = Thread(target=server.run, name="web", daemon=True)
    thread.start()
    actual = int(server.effective_port)
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    return Serving(f"http://{shown}:{actual}", actual, slots, server, thread)
