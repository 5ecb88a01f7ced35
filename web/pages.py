"""The pages of the table: its games, joining, inviting, phones, sound, sensors."""

import json

from flask import Blueprint, Response, abort, make_response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from companion.views.naming import NAME_LENGTH
from web import guard
from web.asking import is_host, may_show_code, now_s, the_phones, the_port
from web.invitation import code_picture, join_address
from web.kinds import PAGES
from web.page import first_of, page_answer
from web.phones import mark_of

pages = Blueprint("pages", __name__)


@pages.get("/")
def home() -> Response:
    """The list of games."""
    kinds = {name: page.sensors for name, page in PAGES.items()}
    return page_answer("home.html", "setup", "home", kinds=kinds, first=first_of(the_port().lobby()))


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
    return page_answer(
        "join.html",
        "setup",
        "join",
        old="old" in request.args,
        has_code=guard.may_act(the_port(), request),
        name_length=NAME_LENGTH,
        first=first_of(the_port().lobby()),
    )


@pages.get("/qr")
def invite() -> Response:
    """The code to show to others: only to who has it, or on the table's own screen."""
    if not may_show_code():
        return page_answer("invite.html", "setup", picture="", address="")
    return page_answer("invite.html", "setup", picture=code_picture(), address=join_address())


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
    return page_answer("phones.html", "setup", "phones", phones=listed, host=is_host(request))


@pages.get("/sound")
def sound() -> Response:
    """What the table's own speaker says."""
    return page_answer("sound.html", "sound", first=first_of(the_port().lobby()))


@pages.get("/diagnostics")
def diagnostics() -> Response:
    """The sensors: field, residual, health, tracks, weight, losses."""
    return page_answer("diagnostics.html", "diagnostics", "link", table=json.loads(the_port().lobby().data)["table"])


@pages.get("/table")
def set_up() -> Response:
    """The table is set up, one thing at a time: how the tiles lie, weights, gains, seams, the box of stones."""
    return page_answer("set-up.html", "set_up")
