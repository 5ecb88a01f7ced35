"""What pages post: presses for a game or the table, and what the host changes about phones."""

from flask import Blueprint, Response, abort, request

from web import guard
from web.asking import is_host, json_answer, now_s, present_code, refused_to, the_phones, the_port
from web.pressed import MalformedCommandError, clean_name, read_command

posts = Blueprint("posts", __name__)


@posts.post("/commands")
def new_command() -> Response:
    """A command to the table itself, such as new_game."""
    return _post("")


@posts.post("/g/<game>/commands")
def command(game: str) -> Response:
    """A command to a game: {"status", "code", "body", "as": the phone's name, as it is written here}.

    What is refused says so with status 200.
    """
    body = _body()
    opens = isinstance(body, dict) and body.get("name") == "open_game"  # of one that is not listed
    if the_port().view(game) is None and not opens:
        abort(404)
    return _post(game)


@posts.post("/phones")
def change_phones() -> Response:
    """{"name": text} of any phone: what it is called; {"lock": mark}, {"unlock": mark} or {"new_code": true}: the host,
    or the table's own screen.
    """
    guard.demand_same_origin_json(request)
    asked = _body()
    asked = asked if isinstance(asked, dict) else {}
    refused = refused_to(request)
    if not refused and "name" not in asked and not is_host(request):
        refused = "not_host"
    if refused:
        return json_answer({"status": "refused", "code": refused}, 429 if refused == "too_fast" else 403)
    key = guard.phone_key(request)
    if "name" in asked:
        the_phones().call(key, clean_name(asked["name"]))
        return json_answer({"status": "applied", "code": ""})
    if asked.get("new_code") is True:
        if not the_port().new_code():
            return json_answer({"status": "refused", "code": "code_not_kept"})
        the_phones().forget_others(key)
        answer = json_answer({"status": "applied", "code": ""})
        guard.keep_code(answer, present_code())
        return answer
    done = any(the_phones().lock(str(asked[name]), name == "lock") for name in ("lock", "unlock") if name in asked)
    return json_answer({"status": "applied" if done else "refused", "code": "" if done else "no_such_phone"})


def _post(game: str) -> Response:
    port = the_port()
    guard.demand_same_origin_json(request)
    refused = refused_to(request)
    if refused:
        return json_answer({"status": "refused", "code": refused}, 429 if refused == "too_fast" else 403)
    try:
        checked = read_command(_body(), game, port.now_us(), port.clock_rate())
    except MalformedCommandError as error:
        return json_answer({"status": "refused", "code": "malformed", "body": {"field": str(error)}}, 400)
    the_phones().seen(guard.phone_key(request), now_s(), checked["by"])
    answer = port.post({**checked, "phone": guard.phone_key(request)})
    return json_answer(
        {"status": answer.status, "code": answer.code, "body": dict(answer.body or {}), "as": checked["by"]}
    )


def _body() -> object:
    """The JSON value of the request, None where it is none; nested deeper than Python reads is none either."""
    try:
        return request.get_json(silent=True)
    except RecursionError:
        return None
