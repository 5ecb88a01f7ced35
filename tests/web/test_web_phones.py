"""Who acts at the table: the host locks phones and makes a new code; nobody presses faster than people do."""

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from tests.web import scenes
from tests.web.harness import Opened
from tests.web.scripted import ScriptedReferee
from web.app import create_app
from web.phones import BURST, WRONG_CODES, Phones, mark_of

PRESS = {"id": "press-00000001", "name": "placed", "version": 1}


@pytest.fixture
def table(referee: ScriptedReferee) -> Callable[[str], FlaskClient]:
    """table(address) -> the client of a phone that has scanned the code."""
    referee.show(scenes.game())
    app = create_app(referee)

    def phone(address: str) -> FlaskClient:
        client = app.test_client()
        client.environ_base["REMOTE_ADDR"] = address
        client.get(referee.join_path())
        client.get("/")
        return client

    return phone


def post(client: FlaskClient, path: str, body: dict[str, Any]) -> tuple[int, str]:
    answer = client.post(path, json=body)
    return answer.status_code, answer.json["code"]


def press(client: FlaskClient, number: int) -> tuple[int, str]:
    return post(client, "/g/g1/commands", {**PRESS, "id": f"press-{number:08d}"})


def mark(client: FlaskClient) -> str:
    cookie = client.get_cookie("phone")
    assert cookie is not None
    return mark_of(cookie.value)


def test_the_host_locks_a_phone_and_lets_it_in_again(table: Callable[[str], FlaskClient]) -> None:
    host, other = table("10.0.0.1"), table("10.0.0.2")
    assert press(other, 1) == (200, "")
    assert post(other, "/phones", {"lock": mark(host)}) == (403, "not_host")
    assert post(host, "/phones", {"lock": mark(host)}) == (200, "no_such_phone")  # nobody locks the host
    assert post(host, "/phones", {"lock": mark(other)}) == (200, "")
    assert press(other, 2) == (403, "phone_locked")
    assert other.get("/g/g1/view").status_code == 200  # reading stays open to the room
    assert post(host, "/phones", {"unlock": mark(other)}) == (200, "")
    assert press(other, 3) == (200, "")


def test_the_table_is_told_of_looks_whether_the_phone_may_act(
    table: Callable[[str], FlaskClient], referee: ScriptedReferee
) -> None:
    """One that only watches keeps no step open."""
    referee.show_set_up({"told": None, "health": None, "holder": None})
    host, other = table("10.0.0.1"), table("10.0.0.2")
    watcher = create_app(referee).test_client()

    def looks(client: FlaskClient) -> list[bool]:
        referee.set_up_looks.clear()
        assert client.get("/table/view").status_code == 200
        return referee.set_up_looks.copy()

    assert (looks(host), looks(other), looks(watcher)) == ([True], [True], [False])
    post(host, "/phones", {"lock": mark(other)})
    assert looks(other) == [False]
    post(host, "/phones", {"unlock": mark(other)})
    referee.set_up_looks.clear()
    stream = other.get("/table/events?after=-1")
    lines = iter(stream.response)
    next(lines)
    next(lines)
    assert set(referee.set_up_looks) == {True}
    post(host, "/phones", {"new_code": True})  # while the stream is open
    referee.set_up_looks.clear()
    referee.show_set_up({"told": {}, "health": None, "holder": None})
    next(lines)
    assert set(referee.set_up_looks) == {False}
    stream.close()


def test_a_new_code_shuts_every_other_phone_out_at_once(
    table: Callable[[str], FlaskClient], referee: ScriptedReferee
) -> None:
    host, other, late = table("10.0.0.1"), table("10.0.0.2"), table("10.0.0.3")
    old = referee.join_path()
    assert post(host, "/phones", {"new_code": True}) == (200, "")
    assert press(host, 1) == (200, "")
    assert press(other, 2) == (403, "no_code")
    assert late.get(old).location == "/join?old=1"
    late.get(referee.join_path())
    assert press(late, 3) == (200, "")


def test_a_phone_that_presses_too_fast_is_told_and_may_press_on_later(
    table: Callable[[str], FlaskClient], referee: ScriptedReferee
) -> None:
    fast, other = table("10.0.0.1"), table("10.0.0.2")
    answers = [press(fast, number) for number in range(BURST + 3)]
    assert answers == [(200, "")] * BURST + [(429, "too_fast")] * 3
    assert press(other, 90) == (200, "")
    referee.clock_us += 1_000_000
    assert press(fast, 91) == (200, "")
    assert len(referee.posted) == BURST + 2


def test_codes_cannot_be_tried_one_after_the_other(referee: ScriptedReferee) -> None:
    client = create_app(referee).test_client()
    tried = [client.get(f"/j?c=wrong{n}").status_code for n in range(WRONG_CODES + 2)]
    assert tried == [302] * WRONG_CODES + [429] * 2
    referee.clock_us += 10_000_000
    assert client.get(referee.join_path()).location == "/join"


def test_what_is_kept_of_phones_is_bounded() -> None:
    phones = Phones()
    for number in range(1000):
        phones.seen(f"key{number}", float(number))
        phones.may_press(f"key{number}", float(number))
    assert len(phones.listed()) == 64
    assert phones.is_host("key0")


def test_the_page_of_phones_locks_by_its_name(
    referee: ScriptedReferee, server: Any, open_page: Callable[..., Opened]
) -> None:
    referee.show(scenes.game())
    opened = open_page("/g/g1", "small", "en")
    second = open_page("/g/g1", "small", "es")
    other = second.page
    other.evaluate("localStorage.setItem('name', 'Beto')")
    other.reload()
    other.locator("#last").click()
    referee.wait_posted(1)
    page = opened.page
    page.goto(server.url + "/phones")
    page.get_by_role("button", name="Lock Beto").click()
    expect(page.get_by_role("button", name="Let Beto in again")).to_be_visible()
    other.locator("#last").click()
    expect(other.locator("#strip")).to_contain_text("bloqueado")
    second.errors.clear()  # the browser's own words about the refusal


def test_a_phone_is_listed_by_the_name_with_which_it_joined(
    referee: ScriptedReferee, open_page: Callable[..., Opened]
) -> None:
    """Nobody has pressed anything in a game; and the table keeps phones in memory only."""
    referee.show_lobby({"table": "Mesa", "sensors": "free", "games": []})
    page = open_page("/join", "small", "en").page
    page.locator("#name").fill("Zoë")
    with page.expect_response("**/phones"):
        page.locator("#name").press("Enter")
        page.wait_for_url(lambda url: "/join" not in url)
    page.goto(page.url + "phones")
    expect(page.locator("#phones li")).to_contain_text("Zoë")
    page.goto(page.url.replace("phones", "join"))
    with page.expect_response("**/phones"):
        page.get_by_role("button", name="is for the whole table").click()
        page.wait_for_url(lambda url: "/join" not in url)
    page.goto(page.url + "phones")
    expect(page.locator("#phones li")).to_contain_text("A phone without a name")
