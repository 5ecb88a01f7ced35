"""The virtual table's own small page, where stones are dragged by finger. On this machine only, unless asked otherwise.

It is no part of the game's pages: whoever reaches it moves stones. Requests are untrusted: only known paths, only JSON
of our own page, only from a host that is a literal address (no name that somebody else can point here).
"""

import ipaddress
import json
import sys
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any, Final

from drivers.virtual.misbehaviour import MISBEHAVIOURS
from drivers.virtual.table import VirtualTable

_FILES: Final[Mapping[str, tuple[str, str]]] = {
    "/": ("page.html", "text/html; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
    "/en.json": ("en.json", "application/json"),
    "/es.json": ("es.json", "application/json"),
}
_LONGEST: Final = 4096
_HEADERS: Final = (
    ("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
     "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cache-Control", "no-store"),
)  # fmt: skip


class PageServer:
    """Serves from `start` to `close`. Raises OSError where the port is taken."""

    def __init__(self, table: VirtualTable, host: str = "127.0.0.1", port: int = 0) -> None:
        class Handler(_Handler):
            virtual = table

        self._server = _Server((host, port), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, name="virtual page", daemon=True)

    @property
    def address(self) -> str:
        """Where the page is."""
        host, port = self._server.server_address[:2]
        return f"http://{host!s}:{port}/"

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away in the middle is no error of ours; anything else is told as usual."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    virtual: VirtualTable
    server_version, sys_version = "virtual-table", ""
    timeout = 20

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if not _own_host(self.headers.get("Host", "")):
            self._say(403, "text/plain", b"this address is not served here\n")
        elif path in _FILES:
            name, kind = _FILES[path]
            self._say(200, kind, files("drivers.virtual").joinpath("page", name).read_bytes())
        elif path == "/table":
            place = self.virtual.world.place
            kinds = {name: {"amount": each.amount, "seconds": each.seconds} for name, each in MISBEHAVIOURS.items()}
            self._json(200, {"corners": place.corners.tolist(), "misbehaviours": kinds, "homes": self._homes()})
        elif path == "/picture":
            self._json(200, self.virtual.picture())
        else:
            self._say(404, "text/plain", b"there is no such page\n")

    def do_POST(self) -> None:
        origin, host = self.headers.get("Origin"), self.headers.get("Host", "")
        kind = self.headers.get("Content-Type", "").partition(";")[0].strip()
        if not _own_host(host) or (origin is not None and origin != f"http://{host}"):
            self._json(403, {"error": "origin"})
            return
        try:
            size = int(self.headers.get("Content-Length", "0"))
            if self.path != "/do" or kind != "application/json" or not 0 < size <= _LONGEST:
                raise ValueError("not a request of the page")
            asked = json.loads(self.rfile.read(size))
            if not isinstance(asked, dict):
                raise ValueError("not an object")
            self.virtual.do(asked)
        except (ValueError, TypeError, KeyError, RecursionError, OverflowError) as error:
            self._json(400, {"error": str(error)[:200]})
            return
        self._json(200, {})

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: a finger asks some twenty times a second."""

    def _homes(self) -> list[list[float]]:
        players = self.virtual.players
        return [players.home(player).tolist() for player in range(len(players.piles))]

    def _json(self, code: int, value: object) -> None:
        self._say(code, "application/json", json.dumps(value).encode())

    def _say(self, code: int, kind: str, body: bytes) -> None:
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in _HEADERS:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def _own_host(host: str) -> bool:
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    if name == "localhost":
        return True
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
