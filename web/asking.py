"""What an answer needs of the application that gives it: the referee, the phones, whether the asking one may act."""

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from flask import Request, Response, abort, current_app, request

from companion.views.port import RefereePort
from web import guard
from web.phones import Phones


def the_port() -> RefereePort:
    """The referee behind the application that answers."""
    port: RefereePort = current_app.extensions["port"]
    return port


def the_phones() -> Phones:
    """The phones of the application that answers."""
    phones: Phones = current_app.extensions["phones"]
    return phones


def now_s() -> float:
    """Real seconds of the server clock."""
    return the_port().now_us() / 1_000_000 / the_port().clock_rate()


def refused_to(asked: Request) -> str:
    """Why this phone may not act now, as a code, or ""."""
    key = guard.phone_key(asked)
    if not guard.may_act(the_port(), asked):
        return "no_code"
    if the_phones().is_locked(key):
        return "phone_locked"
    return "" if the_phones().may_press(key or asked.remote_addr or "", now_s()) else "too_fast"


def acting(asked: Request) -> Callable[[], bool]:
    """Says whether the phone that asks may act, also later: a stream outlives its request, and the code may change."""
    port, phones = the_port(), the_phones()
    code, key = asked.cookies.get(guard.CODE_COOKIE, ""), guard.phone_key(asked)
    return lambda: bool(code) and port.check_code(code) and not phones.is_locked(key)


def is_host(asked: Request) -> bool:
    """Whether this is the phone that came first, or the table's own screen."""
    return the_phones().is_host(guard.phone_key(asked)) or asked.remote_addr in ("127.0.0.1", "::1")


def may_show_code() -> bool:
    """A phone that has the code, or the table's own screen."""
    return guard.may_act(the_port(), request) or request.remote_addr in ("127.0.0.1", "::1")


def present_code() -> str:
    """The table's code, for the cookie of a phone that may have it."""
    return parse_qs(urlsplit(the_port().join_path()).query)["c"][0]


def document_of(game: str, name: str) -> dict[str, Any]:
    """A document of a game that is JSON; 404 where there is none of it."""
    document = the_port().document(game, name)
    if document is None:
        abort(404)
    told: dict[str, Any] = json.loads(document.data)
    return told


def json_answer(value: Mapping[str, Any] | bytes, status: int = 200) -> Response:
    """JSON of a value, or of bytes that are JSON already."""
    body = value if isinstance(value, bytes) else json.dumps(value, separators=(",", ":")).encode()
    return Response(body, status, mimetype="application/json")
