"""Who may read and who may act: Host, Origin, the table's code, and the headers of every answer.

Reading is open to the room. Acting needs the table's code, which the QR carries and a cookie keeps. A page from
elsewhere can neither read (Host must be ours: DNS rebinding) nor act (same-origin JSON only: cross-site requests).
"""

import ipaddress
import secrets
import socket
from collections.abc import Iterable

from flask import Flask, Request, Response, abort, request

from companion.views.port import RefereePort

CODE_COOKIE = "table_code"
PHONE_COOKIE = "phone"
_YEAR = 365 * 24 * 3600
_LONGEST_KEY = 64

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def our_names(extra: Iterable[str] = ()) -> frozenset[str]:
    """The names under which this machine is asked for: localhost, its own, its own with .local, and the given ones."""
    own = socket.gethostname().lower()
    return frozenset({"localhost", own, f"{own.split('.')[0]}.local", *(name.lower() for name in extra)})


def host_is_ours(host: str, names: frozenset[str]) -> bool:
    """Whether a Host header holds a literal address or one of our names; a port may follow."""
    name = host.lower()
    if name.startswith("["):
        name, bracket, port = name[1:].partition("]")
        if not bracket or (port and not (port[0] == ":" and port[1:].isdigit())):
            return False
    else:
        name, colon, port = name.partition(":")
        if colon and not port.isdigit():
            return False
    if name.rstrip(".") in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def may_act(port: RefereePort, asked: Request) -> bool:
    """Whether the request carries the table's present code; rotating the code shuts out the old ones at once."""
    code = asked.cookies.get(CODE_COOKIE, "")
    return bool(code) and port.check_code(code)


def keep_code(answer: Response, code: str) -> None:
    """Keep the table's code on the phone: not readable by scripts, not sent along from other sites."""
    answer.set_cookie(CODE_COOKIE, code, max_age=_YEAR, httponly=True, samesite="Lax", path="/")


def phone_key(asked: Request) -> str:
    """The key of the phone that asks, "" where it has none (companion/process/referee/phone.py)."""
    return asked.cookies.get(PHONE_COOKIE, "")[:_LONGEST_KEY]


def new_phone_key() -> str:
    """For a phone that has none."""
    return secrets.token_urlsafe(16)


def keep_phone_key(answer: Response, asked: Request, key: str) -> None:
    """Give a phone that has none this key: no script can read it, and it is sent to this table only."""
    if not phone_key(asked):
        answer.set_cookie(PHONE_COOKIE, key, max_age=_YEAR, httponly=True, samesite="Lax", path="/")


def demand_same_origin_json(asked: Request) -> None:
    """Abort a POST that is not JSON from our own page: 415 for another type, 403 for another origin."""
    if asked.mimetype != "application/json":
        abort(415)
    origin = asked.headers.get("Origin")
    if origin is not None and origin != asked.host_url.rstrip("/"):
        abort(403)
    if asked.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        abort(403)


def install(app: Flask, names: frozenset[str]) -> None:
    """Refuse foreign hosts (421) before anything else, and put the headers on every answer."""

    @app.before_request
    def refuse_foreign_hosts() -> None:
        if not host_is_ours(request.headers.get("Host", ""), names):
            abort(421)

    @app.after_request
    def add_headers(answer: Response) -> Response:
        for name, value in _HEADERS.items():
            answer.headers[name] = value
        answer.headers.setdefault("Cache-Control", "no-store")
        return answer
