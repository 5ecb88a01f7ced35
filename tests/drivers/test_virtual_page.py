"""The virtual table's page: a finger drags a stone, both languages, and requests of others are refused."""

import http.client
import json
import socket
import struct
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Route

from companion.clock import SystemClock
from drivers.virtual.server import PageServer
from drivers.virtual.table import VirtualTable
from drivers.virtual.world import Where
from tests.drivers.rig import PLACE, Wire


@dataclass
class Served:
    """A running virtual table with its page."""

    table: VirtualTable
    server: PageServer

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, dict[str, str], bytes]:
        host, port = self.server.address.removeprefix("http://").rstrip("/").split(":")
        connection = http.client.HTTPConnection(host, int(port), timeout=30)
        connection.request(method, path, body or None, headers)
        answer = connection.getresponse()
        found = answer.status, dict(answer.getheaders()), answer.read()
        connection.close()
        return found

    def picture(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.ask("GET", "/picture")[2])
        return value


@pytest.fixture
def served() -> Iterator[Served]:
    table = VirtualTable(PLACE, Wire(), SystemClock())  # type: ignore[arg-type]
    table.playing = False
    server = PageServer(table)
    thread = threading.Thread(target=table.run)
    server.start()
    thread.start()
    yield Served(table, server)
    server.close()
    table.close()
    thread.join()


JSON = {"Content-Type": "application/json"}


def test_a_browser_that_goes_away_in_the_middle_leaves_no_traceback(
    served: Served, capfd: pytest.CaptureFixture[str]
) -> None:
    host, port = served.server.address.removeprefix("http://").rstrip("/").split(":")
    with socket.create_connection((host, int(port)), timeout=30) as link:
        link.sendall(b"GET /page.js HTTP/1.1\r\nHost: 127")
        link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # cut, not closed
    assert served.ask("GET", "/")[0] == 200  # the one before has a thread by then
    for thread in threading.enumerate():
        if "process_request" in thread.name:
            thread.join()
    assert capfd.readouterr().err == ""


def test_it_shows_the_table_and_does_what_is_asked(served: Served) -> None:
    assert len(served.picture()["stones"]) == 20
    shown = json.loads(served.ask("GET", "/table")[2])
    assert len(shown["corners"]) == 4
    assert "link_cut" in shown["misbehaviours"]
    code, _, _ = served.ask("POST", "/do", json.dumps({"do": "misbehave", "name": "drop"}).encode(), **JSON)
    assert code == 200
    while served.picture()["misbehaving"] != ["drop"]:
        pass
    assert served.ask("POST", "/do", b'{"do": "behave"}', **JSON)[0] == 200


@pytest.mark.parametrize("path", ["/", "/page.js", "/page.css", "/en.json", "/es.json"])
def test_its_files_are_served_and_nothing_may_come_from_elsewhere(served: Served, path: str) -> None:
    code, headers, body = served.ask("GET", path)
    assert code == 200
    assert len(body) > 100
    assert headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'")
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "code"),
    [
        ("GET", "/", b"", {"Host": "evil.example"}, 403),
        ("GET", "/../table.py", b"", {}, 404),
        ("GET", "/do", b"", {}, 404),
        ("POST", "/do", b'{"do": "behave"}', {**JSON, "Origin": "http://evil.example"}, 403),
        ("POST", "/do", b'{"do": "behave"}', {**JSON, "Host": "evil.example"}, 403),
        ("POST", "/do", b'{"do": "behave"}', {"Content-Type": "text/plain"}, 400),
        ("POST", "/do", b'{"do": "dance"}', JSON, 400),
        ("POST", "/do", b"[1]", JSON, 400),
        ("POST", "/do", b"{", JSON, 400),
        ("POST", "/do", b'{"do": "grab", "stone": 1e999}', JSON, 400),
        ("POST", "/do", b" " * 5000, JSON, 400),
        ("POST", "/elsewhere", b"{}", JSON, 400),
    ],
)
def test_what_is_not_the_pages_own_is_refused(
    served: Served, method: str, path: str, body: bytes, headers: dict[str, str], code: int
) -> None:
    assert served.ask(method, path, body, **headers)[0] == code
    assert served.picture()["misbehaving"] == []


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_finger_drags_a_stone_onto_the_board(served: Served, browser: Browser, language: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale=language)
    page, errors = context.new_page(), list[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(served.server.address)
    page.get_by_text("Montones: 10 · 10" if language == "es" else "Piles: 10 · 10").wait_for()
    stone = page.locator("[data-stone='4'] .touch").bounding_box()
    board = page.locator("#board").bounding_box()
    assert stone
    assert board
    page.mouse.move(stone["x"] + stone["width"] / 2, stone["y"] + stone["height"] / 2)
    page.mouse.down()
    page.mouse.move(board["x"] + board["width"] / 2, board["y"] + board["height"] / 2, steps=4)
    page.mouse.up()
    page.get_by_text("En el tablero: 1" if language == "es" else "On the board: 1").wait_for()
    assert Axe().run(page).violations_count == 0
    context.close()
    assert errors == []
    assert sum(stone["where"] == Where.BOARD for stone in served.picture()["stones"]) == 1


def test_a_pile_of_everything_lies_whole_in_the_picture(served: Served, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()

    def one_pile(route: Route) -> None:
        picture = served.picture()
        for stone in picture["stones"]:
            stone |= {"owner": owner, "where": Where.PILE}
        route.fulfill(json=picture | {"piles": [20 if owner == k else 0 for k in range(2)]})

    page.route("**/picture", one_pile)
    for owner in range(2):
        page.goto(served.server.address)
        page.get_by_text("20 · 0" if owner == 0 else "0 · 20").wait_for()
        board = page.locator("#board").bounding_box()
        assert board
        for shape in page.locator("[data-stone] ellipse").all():
            box = shape.bounding_box()
            assert box
            assert box["y"] >= board["y"]
            assert box["y"] + box["height"] <= board["y"] + board["height"]
            assert box["x"] >= board["x"]
            assert box["x"] + box["width"] <= board["x"] + board["width"]
    context.close()
