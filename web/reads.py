"""What pages read while they are open: views, streams, the clock; nothing here changes anything."""

import json

from flask import Blueprint, Response, abort, current_app, request

from web import guard
from web.asking import acting, json_answer, the_port
from web.stream import GameViews, Glimpses, SetUps, Slots, clock_of, envelope, stream_response

LONGEST_ASKED = 2048
reads = Blueprint("reads", __name__)


@reads.get("/clock")
def clock() -> Response:
    """The server clock, for the page's offset."""
    return json_answer(clock_of(the_port()))


@reads.get("/lobby")
def lobby() -> Response:
    """The list of games with the clock."""
    return json_answer(envelope(the_port(), the_port().lobby()))


@reads.get("/g/<game>/view")
def view(game: str) -> Response:
    """The newest view of a game with the clock: for the first picture, after a sleep, and when the house is full."""
    frame = the_port().view(game)
    if frame is None:
        abort(404)
    return json_answer(envelope(the_port(), frame))


@reads.get("/g/<game>/mine/<int:player>")
def mine(game: str, player: int) -> Response:
    """What only the phone that asks may see about a player: its secret card, or null. Never kept anywhere (T18)."""
    if the_port().view(game) is None:
        abort(404)
    answer = json_answer(the_port().private_view(game, player, guard.phone_key(request)))
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Vary"] = "Cookie"
    return answer


@reads.get("/g/<game>/entries")
def entries(game: str) -> Response:
    """The commands that count, for putting one right."""
    told = the_port().document(game, "entries")
    if told is None:
        abort(404)
    return json_answer(told.data)


@reads.get("/g/<game>/foresee")
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
    return json_answer(the_port().foresee(game, asked))


@reads.get("/g/<game>/events")
def events(game: str) -> Response:
    """The stream of a game's views."""
    if the_port().view(game) is None:
        abort(404)
    slots: Slots = current_app.extensions["slots"]
    return stream_response(the_port(), GameViews(the_port(), game), slots, request.args.get("after", -1, type=int))


@reads.get("/diagnostics/view")
def glimpse() -> Response:
    """The sensors as they were seen last, with the clock; without "view" where nobody has looked yet."""
    frame = the_port().glimpse()
    return json_answer(clock_of(the_port()) | {"seq": -1} if frame is None else envelope(the_port(), frame))


@reads.get("/diagnostics/events")
def glimpses() -> Response:
    """The stream of the sensors, for the diagnostics page while it is seen."""
    slots: Slots = current_app.extensions["slots"]
    return stream_response(the_port(), Glimpses(the_port()), slots, request.args.get("after", -1, type=int))


@reads.get("/table/view")
def set_up() -> Response:
    """How the setting up of the table stands, with the clock."""
    frame = the_port().set_up(acting(request)())
    return json_answer(clock_of(the_port()) | {"seq": -1} if frame is None else envelope(the_port(), frame))


@reads.get("/table/events")
def set_ups() -> Response:
    """The stream of the same, for its page while it is seen."""
    slots: Slots = current_app.extensions["slots"]
    return stream_response(
        the_port(), SetUps(the_port(), acting(request)), slots, request.args.get("after", -1, type=int)
    )
