"""CirKis in three engines: the board is drawn, a piece is put, the page and its sheets have nothing that axe finds."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from companion.games.cirkis import board
from tests.web.engines import any_engine, axe_violations
from tests.web.played import PlayedTable, played_table
from web.serve import Serving

pytestmark = pytest.mark.slow

KITE = min(space.number for space in board().spaces if space.ring)


referee = pytest.fixture(played_table)


@pytest.mark.rule("C03", "C19")
@pytest.mark.parametrize("name", ["chromium", "firefox", "webkit"])
def test_a_piece_is_put_in_every_engine(
    referee: PlayedTable, server: Serving, browser: Browser, tmp_path: Path, name: str
) -> None:
    game = referee.gather("cirkis", "Ana", "Beto")
    with any_engine(name, browser, tmp_path) as phone:
        phone.goto(server.url + referee.join_path())
        phone.wait("document.getElementById('name')")
        phone.goto(f"{server.url}/g/{game}")
        phone.wait("document.querySelectorAll('#board .spaces polygon').length === 165")
        phone.wait("document.getElementById('main').offsetWidth")
        assert axe_violations(phone) == []
        phone.click(f"#board .spaces polygon:nth-of-type({KITE + 1})")
        phone.wait("!document.getElementById('main').disabled")
        phone.click("#main")
        phone.wait("document.getElementById('title').textContent === 'Beto'")
        phone.wait("document.querySelectorAll('#board .leader path').length === 2")
        assert referee.seen(game)["deeds"][0]["s"] == [KITE]
        phone.click("#menu")
        phone.wait("document.querySelectorAll('.panel .side').length > 5")
        phone.js("document.querySelector('.panel .side').click()")
        phone.wait("document.querySelector('.rulings .side')")
        phone.wait("getComputedStyle(document.querySelector('.veil')).position === 'fixed'")
        assert axe_violations(phone) == []
        phone.goto(server.url + "/help/cirkis")
        phone.wait("document.querySelectorAll('svg.example .choice polygon').length >= 4")
        assert axe_violations(phone) == []
