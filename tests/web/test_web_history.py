"""Games that were played: the list, one game with its rounds and rulings, saving, and deleting by holding."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from companion.journal import MemoryJournal
from companion.process.referee.documents import Documents
from companion.views.port import Document
from tests.process.test_documents import KINDS, played
from tests.web import scenes
from tests.web.hands import keep_pressed, touch
from tests.web.harness import Opened
from tests.web.scripted import ScriptedReferee
from web.app import create_app
from web.language import texts_of

Open = Callable[..., Opened]


@pytest.fixture
def told(referee: ScriptedReferee) -> str:
    """A game that was really played is told of; its id."""
    journal = MemoryJournal()
    bench, game = played(journal)
    documents: Documents = bench.owner.documents
    names = {game: ("text", "csv", "csv-comma", "json"), "": ("history", "statistics")}
    for of, each in ((of, each) for of, several in names.items() for each in several):
        document = documents.of(of, each)
        assert document is not None
        referee.documents[of, each] = document
    assert KINDS
    return game


@pytest.mark.failure("I4")
@pytest.mark.parametrize("lang", ["es", pytest.param("en", marks=pytest.mark.slow)])
def test_history_and_record_are_clean_and_small(
    referee: ScriptedReferee, told: str, server: Any, open_page: Open, lang: str
) -> None:
    opened = open_page("/history", "small", lang)
    page = opened.page
    expect(page.locator("a.game")).to_have_count(1)
    expect(page.locator("table").first).to_be_visible()
    assert Axe().run(page).violations_count == 0
    before = len(opened.requests)
    page.locator("a.game").click()
    expect(page.locator("table")).to_be_visible()
    asked = [r for r in opened.requests[before:] if not r.url.startswith("data:")]
    assert len(asked) <= 4
    fetched = [answer for r in asked if (answer := r.response()).status == 200]  # else it had been kept
    assert sum(len(answer.body()) for answer in fetched) <= 40_000
    page.locator("summary").first.click()
    expect(page.locator("details details summary").first).to_be_visible()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_game_is_saved_in_three_forms(referee: ScriptedReferee, told: str) -> None:
    client = create_app(referee).test_client()
    for name, kind in (("text", "text/plain"), ("csv", "text/csv"), ("json", "application/json")):
        answer = client.get(f"/g/{told}/download/{name}")
        assert answer.status_code == 200
        assert answer.mimetype == kind
        assert answer.headers["Content-Disposition"].startswith("attachment")
    assert json.loads(client.get(f"/g/{told}/download/json").data)["game"] == told
    for wrong in (f"/g/{told}/download/entries", "/g/none/download/text", "/g/none/history"):
        assert client.get(wrong).status_code == 404


@pytest.mark.parametrize(
    ("home", "name", "sign"), [("es-ES", "csv-comma", ";"), ("es-MX", "csv", ","), ("en-GB", "csv", ",")]
)
def test_a_table_is_saved_as_the_spreadsheets_where_the_phone_is_at_home_expect_it(
    referee: ScriptedReferee, told: str, open_page: Open, home: str, name: str, sign: str
) -> None:
    page = open_page(f"/g/{told}/history", "small", home).page
    expect(page.locator(f'a[href="/g/{told}/download/{name}"]')).to_be_visible()
    expect(page.locator('a[href*="/download/csv"]')).to_have_count(1)
    answer = create_app(referee).test_client().get(f"/g/{told}/download/{name}")
    head, first = answer.data.decode("utf-8-sig").splitlines()[:2]
    assert head.split(sign)[:2] == ["number", "seconds"]
    assert first.split(sign)[1].replace(",", ".") == str(float(first.split(sign)[1].replace(",", ".")))


@pytest.mark.parametrize(
    ("phase", "more", "words"),
    [("turn", {}, "played_now"), ("turn", {"cut_off": True}, "not_ended"), ("lobby", {}, "not_ended")],
)
def test_a_game_that_is_being_played_is_told_as_that(
    referee: ScriptedReferee, told: str, open_page: Open, phase: str, more: dict[str, Any], words: str
) -> None:
    history = json.loads(referee.documents["", "history"].data)["games"]
    listed = {"game": told, "kind": history[0]["kind"], "phase": phase, "players": [], "holds": False, **more}
    referee.documents["", "history"] = Document(
        "application/json", "h", json.dumps({"games": [{**history[0], "ended": False, "winners": []}]}).encode()
    )
    referee.show_lobby({"table": "", "sensors": "free", "games": [listed]})
    card = open_page("/history", "small", "es").page.locator("a.game")
    expect(card).to_contain_text(texts_of("es", "history")[words])


def test_a_demonstration_is_named_one_in_the_list(open_page: Open, referee: ScriptedReferee, told: str) -> None:
    games = json.loads(referee.documents["", "history"].data)["games"]
    games[0]["unattended"] = True
    referee.documents["", "history"] = Document("application/json", "h", json.dumps({"games": games}).encode())
    card = open_page("/history", "small", "es").page.locator("a.game").first
    expect(card).to_contain_text(str(texts_of("es", "history")["unattended"]))


def test_the_address_of_a_game_that_is_no_longer_listed_leads_to_its_record(
    referee: ScriptedReferee, told: str
) -> None:
    client = create_app(referee).test_client()
    assert referee.view(told) is None
    answer = client.get(f"/g/{told}")
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/g/{told}/history")
    assert client.get("/g/none").status_code == 404


def test_a_game_is_deleted_only_by_holding(referee: ScriptedReferee, told: str, open_page: Open) -> None:
    referee.show(scenes.game() | {"game": told})
    page = open_page(f"/g/{told}/history", "small", "en").page
    remove = page.locator(".hold")
    touch(remove)
    assert referee.posted == []
    keep_pressed(remove)
    posted = referee.wait_posted(1)[0]
    assert (posted["game"], posted["name"]) == (told, "delete_game")
    page.wait_for_url("**/history")


def test_old_and_finished_games_do_not_bury_those_that_are_played(referee: ScriptedReferee, open_page: Open) -> None:
    entry = {"kind": "yikerz", "players": [], "holds": False}
    phases = ["turn", "lobby", "game_end", "turn", "turn", "game_end", "countdown"]
    games = [{**entry, "game": f"g{9 - n}", "phase": phase} for n, phase in enumerate(phases)]
    referee.show_lobby({"table": "Mesa", "sensors": "free", "games": games})
    page = open_page("/", "small", "en").page
    expect(page.locator("#games > a.game")).to_have_count(3)
    expect(page.locator("summary")).to_have_text(["Older games (2)", "Finished (2)"])
    page.locator("summary").nth(1).click()
    expect(page.locator("details[open] a.game")).to_have_count(2)


@pytest.mark.parametrize("phase", ["turn", "game_end"])
def test_the_game_that_the_sensors_watch_stands_first_in_the_open(
    referee: ScriptedReferee, open_page: Open, phase: str
) -> None:
    games = [
        {"game": f"g{n}", "kind": "yikerz", "players": [], "holds": False, "phase": "turn"} for n in range(9, 5, -1)
    ]
    games.append({"game": "g1", "kind": "yikerz", "players": [], "holds": True, "phase": phase})
    referee.show_lobby({"table": "Mesa", "sensors": "held", "games": games})
    page = open_page("/", "small", "es").page
    expect(page.locator("#games > a.game")).to_have_count(3)
    expect(page.locator("#games > a.game").first).to_have_attribute("href", "/g/g1")
    expect(page.locator("summary")).to_have_text(["Anteriores (2)"])
