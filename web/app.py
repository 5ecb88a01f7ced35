"""The Flask application: pages, views, the stream, commands. It opens no hardware and starts no thread."""

from collections.abc import Iterable

from flask import Flask, redirect, request
from werkzeug.exceptions import HTTPException, NotFound
from werkzeug.wrappers import Response as BaseResponse

from companion.views.port import RefereePort
from web import guard, language
from web.asking import json_answer
from web.assets import assets, joined_scripts, joined_styles
from web.game_pages import game_pages
from web.pages import pages
from web.phones import Phones
from web.posts import posts
from web.reads import reads
from web.stream import Slots

STREAM_CAP = 40
BIGGEST_BODY = 16 * 1024


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
    app.extensions["modules"], app.extensions["styles"] = joined_scripts(), joined_styles()
    guard.install(app, guard.our_names(names))
    for part in (reads, posts, assets, pages, game_pages):
        app.register_blueprint(part)
    app.register_error_handler(HTTPException, _refuse)
    return app


def _refuse(error: HTTPException) -> BaseResponse:
    """Errors as codes for scripts; a person who follows an old link is taken to the list of games."""
    wants_page = request.method == "GET" and "text/html" in request.headers.get("Accept", "")
    if isinstance(error, NotFound) and wants_page and request.path != "/":
        return redirect("/?gone" if request.path.startswith("/g/") else "/")
    return json_answer({"status": "refused", "code": f"http_{error.code}"}, error.code or 500)
