"""The Flask application: pages, views, the stream, commands. It opens no hardware and starts no thread."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from flask import Blueprint, Flask, Response, abort, current_app, redirect, request
from werkzeug.exceptions import HTTPException, NotFound
from werkzeug.wrappers import Response as BaseResponse

from companion.views.cirkis_drawing import drawing
from companion.views.port import RefereePort
from web import guard, language, modules, pages
from web.kinds import PAGES
from web.pages import the_port
from web.phones import Phones
from web.pressed import MalformedCommandError, read_command
from web.stream import GameViews, Glimpses, Slots, clock_of, envelope, stream_response

STREAM_CAP = 40
BIGGEST_BODY = 16 * 1024
LONGEST_ASKED = 2048
HELP = tuple(f"{kind}-help" for kind in PAGES)
PAGE_MODULES = (
    *("home", "join", "gather", "tv", "phones", "sound-page", "history", "record", "diagnostics"),
    *HELP,
    *PAGES,
)
LATER_MODULES = ("second", "cirkis-play", "cirkis-sheets", "tiki-second", "tiki-sheets")
"""Joined too, and imported by a page once it is live."""
_PLAIN = ("forms.css", "plain.css")
PAGE_STYLES = {
    "plain": _PLAIN,
    "yikerz": ("live.css", "board.css", "yikerz.css"),
    "cirkis": ("live.css", "cirkis-board.css", "cirkis.css"),
    "tiki": ("live.css", "tikis.css", "tiki.css"),
    "tv": ("board.css", "tv.css"),
    "diagnostics": (*_PLAIN, "diagnostics.css"),
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

api = Blueprint("api", __name__)


def create_app(
    port: RefereePort,
    names: Iterable[str] = (),
    slots: Slots | None = None,
    tongue: str = "es",
    catalogues: language.Catalogues = language.CATALOGUES,
) -> Flask:
    """The web side of one referee.

    names: host names beside our own under which the pages may be asked for. tongue: for phones that state no language.
    """
    app = Flask(__name__)
    app.config.update(MAX_CONTENT_LENGTH=BIGGEST_BODY, SEND_FILE_MAX_AGE_DEFAULT=0)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.extensions["port"] = port
    app.extensions["language"] = tongue
    app.extensions["catalogues"] = catalogues
    app.extensions["phones"] = Phones()
    app.extensions["slots"] = slots or Slots(STREAM_CAP)
    app.extensions["modules"] = {name: modules.join(f"{name}.js") for name in PAGE_MODULES} | {
        name: modules.join(f"{name}.js", exporting=True) for name in LATER_MODULES
    }
    first = {name: modules.join_styles("base.css", *sheets) for name, sheets in PAGE_STYLES.items()}
    later = {name: modules.join_styles(*sheets) for name, sheets in LATER_STYLES.items()}
    app.extensions["styles"] = first | later
    guard.install(app, guard.our_names(names))
    app.register_blueprint(api)
    app.register_blueprint(pages.pages)
    app.register_error_handler(HTTPException, _refuse)
    return app


def _json(value: Mapping[str, Any] | bytes, status: int = 200) -> Response:
    body = value if isinstance(value, bytes) else json.dumps(value, separators=(",", ":")).encode()
    return Response(body, status, mimetype="application/json")


def _kept(body: bytes, mimetype: str) -> BaseResponse:
    """A body that changes only with the program: the phone keeps it and asks whether it still holds."""
    answer = Response(body, mimetype=mimetype)
    answer.set_etag(hashlib.sha256(body).hexdigest()[:16])
    answer.headers["Cache-Control"] = "no-cache"
    return answer.make_conditional(request)


def _refuse(error: HTTPException) -> BaseResponse:
    """Errors as codes for scripts; a person who follows an old link is taken to the list of games."""
    wants_page = request.method == "GET" and "text/html" in request.headers.get("Accept", "")
    if isinstance(error, NotFound) and wants_page and request.path != "/":
        return redirect("/?gone" if request.path.startswith("/g/") else "/")
    return _json({"status": "refused", "code": f"http_{error.code}"}, error.code or 500)


@api.get("/clock")
def clock() -> Response:
    """The server clock, for the page's offset."""
    return _json(clock_of(the_port()))


@api.get("/lobby")
def lobby() -> Response:
    """The list of games with the clock."""
    return _json(envelope(the_port(), the_port().lobby()))


@api.get("/g/<game>/view")
def view(game: str) -> Response:
    """The newest view of a game with the clock: for the first picture, after a sleep, and when the house is full."""
    frame = the_port().view(game)
    if frame is None:
        abort(404)
    return _json(envelope(the_port(), frame))


@api.get("/g/<game>/mine/<int:player>")
def mine(game: str, player: int) -> Response:
    """What only the phone that asks may see about a player: its secret card, or null. Never kept anywhere (T18)."""
    if the_port().view(game) is None:
        abort(404)
    answer = _json(the_port().private_view(game, player, guard.phone_key(request)))
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Vary"] = "Cookie"
    return answer


@api.get("/g/<game>/entries")
def entries(game: str) -> Response:
    """The commands that count, for putting one right."""
    told = the_port().document(game, "entries")
    if told is None:
        abort(404)
    return _json(told.data)


@api.get("/g/<game>/foresee")
def foresee(game: str) -> Response:
    """What a command would do now (?asked= with its name, player and args), or null; a read."""
    if the_port().view(game) is None:
        abort(404)
    text = request.args.get("asked", "")
    try:
        asked = json.loads(text) if len(text) <= LONGEST_ASKED else None
    except (ValueError, RecursionError):
        asked = None
    if not isinstance(asked, dict):
        abort(400)
    return _json(the_port().foresee(game, asked))


@api.get("/cirkis-board.json")
def cirkis_board() -> BaseResponse:
    """The CirKis board to be drawn; it never changes."""
    return _kept(json.dumps(drawing(), separators=(",", ":")).encode(), "application/json")


@api.get("/g/<game>/events")
def events(game: str) -> Response:
    """The stream of a game's views."""
    if the_port().view(game) is None:
        abort(404)
    slots: Slots = current_app.extensions["slots"]
    return stream_response(the_port(), GameViews(the_port(), game), slots, request.args.get("after", -1, type=int))


@api.get("/diagnostics/view")
def glimpse() -> Response:
    """The sensors as they were seen last, with the clock; without "view" where nobody has looked yet."""
    frame = the_port().glimpse()
    return _json(clock_of(the_port()) | {"seq": -1} if frame is None else envelope(the_port(), frame))


@api.get("/diagnostics/events")
def glimpses() -> Response:
    """The stream of the sensors, for the diagnostics page while it is seen."""
    slots: Slots = current_app.extensions["slots"]
    return stream_response(the_port(), Glimpses(the_port()), slots, request.args.get("after", -1, type=int))


@api.post("/commands")
def new_command() -> Response:
    """A command to the table itself, such as new_game."""
    return _post("")


@api.post("/g/<game>/commands")
def command(game: str) -> Response:
    """A command to a game: {"status", "code", "body", "as": the phone's name, as it is written here}.

    What is refused says so with status 200.
    """
    body = _body()
    opens = isinstance(body, dict) and body.get("name") == "open_game"  # of one that is not listed
    if the_port().view(game) is None and not opens:
        abort(404)
    return _post(game)


def _post(game: str) -> Response:
    port = the_port()
    guard.demand_same_origin_json(request)
    refused = pages.refused_to(request)
    if refused:
        return _json({"status": "refused", "code": refused}, 429 if refused == "too_fast" else 403)
    try:
        checked = read_command(_body(), game, port.now_us(), port.clock_rate())
    except MalformedCommandError as error:
        return _json({"status": "refused", "code": "malformed", "body": {"field": str(error)}}, 400)
    pages.the_phones().seen(guard.phone_key(request), pages.now_s(), checked["by"])
    answer = port.post({**checked, "phone": guard.phone_key(request)})
    return _json({"status": answer.status, "code": answer.code, "body": dict(answer.body or {}), "as": checked["by"]})


@api.post("/phones")
def change_phones() -> Response:
    """{"lock": mark}, {"unlock": mark} or {"new_code": true}: the host, or the table's own screen."""
    guard.demand_same_origin_json(request)
    refused = pages.refused_to(request)
    if not refused and not pages.is_host(request):
        refused = "not_host"
    if refused:
        return _json({"status": "refused", "code": refused}, 429 if refused == "too_fast" else 403)
    asked = _body()
    asked = asked if isinstance(asked, dict) else {}
    key = guard.phone_key(request)
    if asked.get("new_code") is True:
        if not the_port().new_code():
            return _json({"status": "refused", "code": "code_not_kept"})
        pages.the_phones().forget_others(key)
        answer = _json({"status": "applied", "code": ""})
        guard.keep_code(answer, pages.present_code())
        return answer
    done = any(
        pages.the_phones().lock(str(asked[name]), name == "lock") for name in ("lock", "unlock") if name in asked
    )
    return _json({"status": "applied" if done else "refused", "code": "" if done else "no_such_phone"})


def _body() -> object:
    """The JSON value of the request, None where it is none; nested deeper than Python reads is none either."""
    try:
        return request.get_json(silent=True)
    except RecursionError:
        return None


@api.get("/locale/<tongue>/<part>.json")
def locale(tongue: str, part: str) -> BaseResponse:
    """One part of a catalogue."""
    try:
        texts = current_app.extensions["catalogues"].part(tongue, part)
    except KeyError:
        abort(404)
    return _kept(json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode(), "application/json")


@api.get("/js/<name>.js")
def script(name: str) -> BaseResponse:
    """A page's modules, joined."""
    joined: Mapping[str, str] = current_app.extensions["modules"]
    if name not in joined:
        abort(404)
    return _kept(joined[name].encode(), "text/javascript")


@api.get("/css/<name>.css")
def style(name: str) -> BaseResponse:
    """A page's styles, joined."""
    styles: Mapping[str, str] = current_app.extensions["styles"]
    if name not in styles:
        abort(404)
    return _kept(styles[name].encode(), "text/css")
