"""The pages of one game: before it begins, while it is played, on the big screen, its rules, and what came of it."""

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from flask import Blueprint, Response, abort, make_response, redirect

from companion.views import cirkis_examples, tiki_examples
from companion.views.record import rounds
from web import language
from web.asking import document_of, may_show_code, the_port
from web.invitation import code_picture
from web.kinds import PAGES
from web.page import first_of, page_answer, the_catalogues

game_pages = Blueprint("game_pages", __name__)

_EXAMPLES: Mapping[str, Callable[[], Any]] = {"cirkis": cirkis_examples.examples, "tiki": tiki_examples.examples}


@game_pages.get("/g/<game>")
def live(game: str) -> Response:
    """A game: where players gather before it begins, the live page from then on; of an unlisted one, its record."""
    frame = the_port().view(game)
    if frame is None:
        document_of(game, "json")  # or there is none of it
        return make_response(redirect(f"/g/{quote(game, safe='')}/history"))
    first = first_of(frame)
    if "phase" not in first["view"]:
        abort(503)  # the referee cannot show this game at present
    kind = first["view"].get("kind", "")
    page = PAGES.get(kind)
    if page is None:
        abort(404)
    if first["view"]["phase"] == "lobby":
        return page_answer("gather.html", *page.gather, first=first)
    return page_answer(f"{kind}.html", *page.live, first=first)


@game_pages.get("/g/<game>/tv")
def big_screen(game: str) -> Response:
    """A game to be read at 3 m, with the code to join where it may be shown; nothing to press."""
    frame = the_port().view(game)
    if frame is None:
        abort(404)
    first = first_of(frame)
    kind, phase = first["view"].get("kind", ""), first["view"].get("phase")
    page = PAGES.get(kind)
    if phase is None or page is None or not page.big:
        abort(404)
    picture = code_picture() if may_show_code() else ""
    if kind == "yikerz":
        return page_answer("tv.html", *page.big, first=first, picture=picture)
    if phase == "lobby":
        return page_answer("gather.html", *page.gather, first=first)
    return page_answer(f"{kind}.html", *page.big, first=first, picture=picture, big=True)


@game_pages.get("/help/<kind>")
def how_to_play(kind: str) -> Response:
    """How a game is played: in short, the sheet's examples drawn by the page (C18, C32, T13), every clause."""
    page = PAGES.get(kind)
    if page is None:
        abort(404)
    catalogues = the_catalogues()
    told = catalogues.part(language.WHOLE[0], page.help[0])
    return page_answer(
        "help.html",
        *page.help,
        only_template=(page.clauses,),
        kind=kind,
        aims=[key for key in told if key.startswith("aim_") and key != "aim_title"],
        uses=[key for key in told if key.startswith("page_") and key != "page_title"],
        clauses=list(catalogues.part(language.WHOLE[0], page.clauses)),
        examples=_EXAMPLES.get(kind, list)(),
    )


@game_pages.get("/history")
def history() -> Response:
    """Every game that was played here, and what people like to know of all of them."""
    listed = json.loads(the_port().lobby().data)["games"]
    played = {g["game"] for g in listed if g["phase"] not in ("lobby", "game_end") and not g.get("cut_off")}
    return page_answer(
        "history.html",
        "setup",
        "history",
        games=[game | {"now": game["game"] in played} for game in document_of("", "history")["games"]],
        together=document_of("", "statistics")["statistics"],
    )


@game_pages.get("/g/<game>/history")
def record(game: str) -> Response:
    """One game as it was ruled: rounds, figures, every ruling with its clause, to be downloaded or deleted."""
    told = document_of(game, "json")
    told.pop("entries")
    told.pop("settings")
    told["rounds"] = rounds(told.pop("rulings"))
    page = PAGES.get(str(told["kind"]))
    if page is None:
        abort(404)
    return page_answer("record.html", "setup", *page.record, "history", told=told)


@game_pages.get("/g/<game>/download/<name>")
def download(game: str, name: str) -> Response:
    """A game as text, json or csv, to be kept; csv-comma: for spreadsheets with a decimal comma (the page knows)."""
    document = the_port().document(game, name) if name in ("text", "json", "csv", "csv-comma") else None
    if document is None:
        abort(404)
    answer = Response(document.data, mimetype=document.type)
    answer.headers["Content-Disposition"] = f'attachment; filename="{document.name}"'
    return answer


@game_pages.get("/g/<game>/clip/<int:number>")
def clip(game: str, number: int) -> Response:
    """What was seen around a ruling, as pictures with their times; null where nothing is kept."""
    document = the_port().document(game, f"clip/{number}")
    return Response(document.data if document else b"null", mimetype="application/json")
