"""What a phone keeps, because it changes only with the program: joined scripts and styles, texts, the CirKis board."""

import hashlib
import json
from collections.abc import Mapping

from flask import Blueprint, Response, abort, current_app, request
from werkzeug.wrappers import Response as BaseResponse

from companion.views.cirkis_drawing import drawing
from web import modules
from web.kinds import PAGES

assets = Blueprint("assets", __name__)

HELP = tuple(f"{kind}-help" for kind in PAGES)
PAGE_MODULES = (
    *("home", "join", "gather", "tv", "phones", "sound-page", "history", "record", "diagnostics", "set-up"),
    *HELP,
    *PAGES,
)
LATER_MODULES = ("second", "cirkis-play", "cirkis-sheets", "tiki-second", "tiki-sheets", "set-up-step")
"""Joined too, and imported by a page once it is live."""
_PLAIN = ("forms.css", "plain.css")
PAGE_STYLES = {
    "plain": _PLAIN,
    "yikerz": ("live.css", "board.css", "yikerz.css"),
    "cirkis": ("live.css", "cirkis-board.css", "cirkis.css"),
    "tiki": ("live.css", "tikis.css", "tiki.css"),
    "tv": ("board.css", "tv.css"),
    "diagnostics": (*_PLAIN, "diagnostics.css"),
    "set-up": (*_PLAIN, "set-up.css"),
    "yikerz-help": (*_PLAIN, "board.css", "help.css"),
    "cirkis-help": (*_PLAIN, "cirkis-board.css", "help.css"),
    "tiki-help": (*_PLAIN, "tikis.css", "tiki-cards.css", "help.css"),
}
"""By page, what is joined behind base.css."""
_SHEETS = ("forms.css", "sheets.css")
LATER_STYLES = {
    "yikerz-second": ("table-second.css", "calls.css"),
    "cirkis-second": ("table-second.css", "cirkis-play.css"),
    "tiki-second": ("table-second.css", "tiki-second.css", "tiki-cards.css"),
    "yikerz-sheets": _SHEETS,
    "cirkis-sheets": (*_SHEETS, "cirkis-sheets.css"),
    "tiki-sheets": (*_SHEETS, "tiki-sheets.css"),
    **{name: (f"{name}.css",) for name in ("pictures", "wide", "cirkis-wide", "tiki-wide")},
}
"""What a page asks for when it is live, when a sheet opens, or when its screen or its user wants it."""


def joined_scripts() -> Mapping[str, str]:
    """By name, the modules of each page in one, and of what it imports later."""
    pages = {name: modules.join(f"{name}.js") for name in PAGE_MODULES}
    return pages | {name: modules.join(f"{name}.js", exporting=True) for name in LATER_MODULES}


def joined_styles() -> Mapping[str, str]:
    """By name, the styles of each page in one, and what it asks for later."""
    first = {name: modules.join_styles("base.css", *sheets) for name, sheets in PAGE_STYLES.items()}
    return first | {name: modules.join_styles(*sheets) for name, sheets in LATER_STYLES.items()}


def _kept(body: bytes, mimetype: str) -> BaseResponse:
    """A body that changes only with the program: the phone keeps it and asks whether it still holds."""
    answer = Response(body, mimetype=mimetype)
    answer.set_etag(hashlib.sha256(body).hexdigest()[:16])
    answer.headers["Cache-Control"] = "no-cache"
    return answer.make_conditional(request)


@assets.get("/cirkis-board.json")
def cirkis_board() -> BaseResponse:
    """The CirKis board to be drawn; it never changes."""
    return _kept(json.dumps(drawing(), separators=(",", ":")).encode(), "application/json")


@assets.get("/locale/<tongue>/<part>.json")
def locale(tongue: str, part: str) -> BaseResponse:
    """One part of a catalogue."""
    try:
        texts = current_app.extensions["catalogues"].part(tongue, part)
    except KeyError:
        abort(404)
    return _kept(json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode(), "application/json")


@assets.get("/js/<name>.js")
def script(name: str) -> BaseResponse:
    """A page's modules, joined."""
    return _joined("modules", name, "text/javascript")


@assets.get("/css/<name>.css")
def style(name: str) -> BaseResponse:
    """A page's styles, joined."""
    return _joined("styles", name, "text/css")


def _joined(extension: str, name: str, kind: str) -> BaseResponse:
    """One of the files that the app keeps joined; kind: its media type."""
    joined: Mapping[str, str] = current_app.extensions[extension]
    if name not in joined:
        abort(404)
    return _kept(joined[name].encode(), kind)
