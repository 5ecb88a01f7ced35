"""The pages: a server-rendered shell each, in the phone's language, with what the first picture needs in it."""

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import segno
from flask import Blueprint, Request, Response, abort, current_app, make_response, redirect, render_template, request
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from companion.views import cirkis_examples, tiki_examples
from companion.views.port import RefereePort
from companion.views.record import rounds
from web import guard, language
from web.address import base_url
from web.kinds import PAGES
from web.phones import Phones, mark_of
from web.stream import envelope

pages = Blueprint("pages", __name__)

LANGUAGE_COOKIE = "lang"
_EXAMPLES: Mapping[str, Callable[[], Any]] = {"cirkis": cirkis_examples.examples, "tiki": tiki_examples.examples}


def the_port() -> RefereePort:
    """The referee behind the application that answers."""
    port: RefereePort = current_app.extensions["port"]
    return port


def _page(template: str, *parts: str, only_template: tuple[str, ...] = (), **data: Any) -> Response:
    """A page with its texts; `data` goes to the template and, as JSON, to the page's script.

    only_template: parts of the catalogue that the script has no use for.
    """
    catalogues: language.Catalogues = current_app.extensions["catalogues"]
    default = current_app.extensions["language"]
    tongue = catalogues.choose(
        request.cookies.get(LANGUAGE_COOKIE), request.headers.get("Accept-Language", ""), default
    )
    texts = catalogues.texts(tongue, "common", *only_template, *parts)
    spoken = catalogues.texts(tongue, *parts)  # what only the template says stays out of the script's texts
    may_act = guard.may_act(the_port(), request)
    languages = list(catalogues.names.items())
    shown = {key: value for key, value in data.items() if not isinstance(value, Markup)}
    boot = {"lang": tongue, "languages": languages, "texts": spoken, "may_act": may_act, **shown}

    def t(key: str, **values: object) -> str:
        return language.translate(texts, key, **values)

    page = render_template(template, t=t, lang=tongue, boot=_script_json(boot), may_act=may_act, **data)
    answer = make_response(page)
    if may_act:
        key = guard.keep_phone_key(answer, request)
        the_phones().seen(key, now_s())
    return answer


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


def is_host(asked: Request) -> bool:
    """Whether this is the phone that came first, or the table's own screen."""
    return the_phones().is_host(guard.phone_key(asked)) or asked.remote_addr in ("127.0.0.1", "::1")


def present_code() -> str:
    """The table's code, for the cookie of a phone that may have it."""
    return parse_qs(urlsplit(the_port().join_path()).query)["c"][0]


def _script_json(value: Any) -> Markup:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


def _raw(frame: bytes) -> Any:
    return json.loads(frame)


@pages.get("/")
def home() -> Response:
    """The list of games."""
    kinds = {name: page.sensors for name, page in PAGES.items()}
    return _page("home.html", "setup", "home", kinds=kinds, first=_raw(envelope(the_port(), the_port().lobby())))


@pages.get("/j")
def enter() -> BaseResponse:
    """What the QR opens: keeps the table's code and goes on to the join page, so that the code leaves the address."""
    code = request.args.get("c", "")
    if not the_phones().may_try_code(request.remote_addr or "", now_s()):
        abort(429)
    if not (code and the_port().check_code(code)):
        return redirect("/join?old=1")
    answer = make_response(redirect("/join"))
    guard.keep_code(answer, code)
    return answer


@pages.get("/join")
def join() -> Response:
    """Name, sound, language."""
    return _page(
        "join.html",
        "setup",
        "join",
        old="old" in request.args,
        has_code=guard.may_act(the_port(), request),
        first=_raw(envelope(the_port(), the_port().lobby())),
    )


@pages.get("/g/<game>")
def live(game: str) -> Response:
    """A game: where players gather before it begins, the live page from then on; of an unlisted one, its record."""
    frame = the_port().view(game)
    if frame is None:
        _told(game, "json")  # or there is none of it
        return make_response(redirect(f"/g/{quote(game, safe='')}/history"))
    first = _raw(envelope(the_port(), frame))
    if "phase" not in first["view"]:
        abort(503)  # the referee cannot show this game at present
    kind = first["view"].get("kind", "")
    page = PAGES.get(kind)
    if page is None:
        abort(404)
    if first["view"]["phase"] == "lobby":
        return _page("gather.html", *page.gather, first=first)
    return _page(f"{kind}.html", *page.live, first=first)


@pages.get("/g/<game>/tv")
def big_screen(game: str) -> Response:
    """A game to be read at 3 m, with the code to join where it may be shown; nothing to press."""
    frame = the_port().view(game)
    if frame is None:
        abort(404)
    first = _raw(envelope(the_port(), frame))
    kind, phase = first["view"].get("kind", ""), first["view"].get("phase")
    page = PAGES.get(kind)
    if phase is None or page is None or not page.big:
        abort(404)
    picture = _code_picture() if _may_show_code() else ""
    if kind == "yikerz":
        return _page("tv.html", *page.big, first=first, picture=picture)
    if phase == "lobby":
        return _page("gather.html", *page.gather, first=first)
    return _page(f"{kind}.html", *page.big, first=first, picture=picture, big=True)


@pages.get("/help/<kind>")
def how_to_play(kind: str) -> Response:
    """How a game is played: in short, the sheet's examples drawn by the page (C18, C32, T13), every clause."""
    page = PAGES.get(kind)
    if page is None:
        abort(404)
    catalogues: language.Catalogues = current_app.extensions["catalogues"]
    told = catalogues.part(language.WHOLE[0], page.help[0])
    return _page(
        "help.html",
        *page.help,
        only_template=(page.clauses,),
        kind=kind,
        aims=[key for key in told if key.startswith("aim_") and key != "aim_title"],
        uses=[key for key in told if key.startswith("page_") and key != "page_title"],
        clauses=list(catalogues.part(language.WHOLE[0], page.clauses)),
        examples=_EXAMPLES.get(kind, list)(),
    )


@pages.get("/qr")
def invite() -> Response:
    """The code to show to others: only to who has it, or on the table's own screen."""
    if not _may_show_code():
        return _page("invite.html", "setup", picture="", address="")
    return _page("invite.html", "setup", picture=_code_picture(), address=_join_address())


@pages.get("/history")
def history() -> Response:
    """Every game that was played here, and what people like to know of all of them."""
    return _page(
        "history.html",
        "setup",
        "history",
        games=_told("", "history")["games"],
        together=_told("", "statistics")["statistics"],
    )


@pages.get("/g/<game>/history")
def record(game: str) -> Response:
    """One game as it was ruled: rounds, figures, every ruling with its clause, to be downloaded or deleted."""
    told = _told(game, "json")
    told.pop("entries")
    told.pop("settings")
    told["rounds"] = rounds(told.pop("rulings"))
    page = PAGES.get(str(told["kind"]))
    if page is None:
        abort(404)
    return _page("record.html", "setup", *page.record, "history", told=told)


@pages.get("/g/<game>/download/<name>")
def download(game: str, name: str) -> Response:
    """A game as text, json or csv, to be kept."""
    document = the_port().document(game, name) if name in ("text", "json", "csv") else None
    if document is None:
        abort(404)
    answer = Response(document.data, mimetype=document.type)
    answer.headers["Content-Disposition"] = f'attachment; filename="{document.name}"'
    return answer


@pages.get("/g/<game>/clip/<int:number>")
def clip(game: str, number: int) -> Response:
    """What was seen around a ruling, as pictures with their times; null where nothing is kept."""
    document = the_port().document(game, f"clip/{number}")
    return Response(document.data if document else b"null", mimetype="application/json")


def _told(game: str, name: str) -> dict[str, Any]:
    document = the_port().document(game, name)
    if document is None:
        abort(404)
    told: dict[str, Any] = json.loads(document.data)
    return told


@pages.get("/phones")
def phones() -> Response:
    """The phones that act here: the host may lock one, let it in again, or make a new code."""
    own = mark_of(guard.phone_key(request))
    listed = (
        [
            {
                "mark": p.mark,
                "name": p.name,
                "ago": round(now_s() - p.seen_s),
                "locked": p.locked,
                "own": p.mark == own,
                "host": p.mark == the_phones().host,
            }
            for p in the_phones().listed()
        ]
        if guard.may_act(the_port(), request)
        else []
    )
    return _page("phones.html", "setup", "phones", phones=listed, host=is_host(request))


@pages.get("/sound")
def sound() -> Response:
    """What the table's own speaker says."""
    return _page("sound.html", "sound", first=_raw(envelope(the_port(), the_port().lobby())))


@pages.get("/diagnostics")
def diagnostics() -> Response:
    """The sensors: field, residual, health, tracks, weight, losses."""
    return _page("diagnostics.html", "diagnostics", "link", table=_raw(the_port().lobby().data)["table"])


def _may_show_code() -> bool:
    """A phone that has the code, or the table's own screen."""
    return guard.may_act(the_port(), request) or request.remote_addr in ("127.0.0.1", "::1")


def _join_address() -> str:
    """What the QR says: the address with the table's code, to be typed where a phone cannot scan."""
    return base_url(request.host) + the_port().join_path()


def _code_picture() -> Markup:
    """The QR of the join address as an SVG."""
    code = segno.make(_join_address(), error="m")
    return Markup(code.svg_inline(scale=1, border=3, omitsize=True, dark="#000", light="#fff"))
