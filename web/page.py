"""A server-rendered page, in the phone's language, with what the first picture needs in it."""

import json
from typing import Any

from flask import Response, current_app, make_response, render_template, request
from markupsafe import Markup

from companion.views.port import Frame
from web import guard, language
from web.asking import now_s, the_phones, the_port
from web.stream import envelope

LANGUAGE_COOKIE = "lang"


def the_catalogues() -> language.Catalogues:
    """The texts of the application that answers."""
    catalogues: language.Catalogues = current_app.extensions["catalogues"]
    return catalogues


def reader_language() -> str:
    """The language of the phone that asks."""
    cookie, accept = request.cookies.get(LANGUAGE_COOKIE), request.headers.get("Accept-Language", "")
    return the_catalogues().choose(cookie, accept, current_app.extensions["language"])


def page_answer(template: str, *parts: str, only_template: tuple[str, ...] = (), **data: Any) -> Response:
    """A page with its texts; `data` goes to the template and, as JSON, to the page's script.

    only_template: parts of the catalogue that the script has no use for.
    """
    catalogues, tongue = the_catalogues(), reader_language()
    texts = catalogues.texts(tongue, "common", *only_template, *parts)
    spoken = catalogues.texts(tongue, *parts)  # what only the template says stays out of the script's texts
    may_act = guard.may_act(the_port(), request)
    languages = list(catalogues.names.items())
    shown = {key: value for key, value in data.items() if not isinstance(value, Markup)}
    key, phone = guard.phone_key(request), None
    if may_act:
        key = key or guard.new_phone_key()
        phone = the_phones().seen(key, now_s())
    # What this phone is listed as; its page says what it is called where that differs.
    known = {"named": phone.name} if phone and not phone.locked else {}
    boot = {"lang": tongue, "languages": languages, "texts": spoken, "may_act": may_act, **known, **shown}

    def t(key: str, **values: object) -> str:
        return language.translate(texts, key, **values)

    text = render_template(template, t=t, lang=tongue, boot=script_json(boot), may_act=may_act, **data)
    answer = make_response(text)
    if may_act:
        guard.keep_phone_key(answer, request, key)
    return answer


def first_of(frame: Frame) -> Any:
    """A view with the clock, as the page begins with it."""
    return json.loads(envelope(the_port(), frame))


def script_json(value: Any) -> Markup:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))
