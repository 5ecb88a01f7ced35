"""Tiki Topple in three engines: a whole game by presses on one phone, and nothing that axe finds on the way."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.web.engines import Engine, any_engine, axe_violations
from tests.web.played import PlayedTable, played_table
from web.serve import Serving

pytestmark = pytest.mark.slow

CARDS = (["nani", "nui", "eepo"], ["huhu", "kapu", "lokahi"])


referee = pytest.fixture(played_table)


def wait_phase(phone: Engine, phase: str) -> None:
    phone.wait(f"document.body.dataset.phase === '{phase}'")


def play_the_round(referee: PlayedTable, phone: Engine, game: str) -> None:
    """Card by card: the last one that may be played, on the lowest tiki that it may move."""
    while (view := referee.seen(game))["phase"] == "play":
        held = [each for each in view["held"] if each["tikis"]][-1]
        tiki = next(name for name in reversed(view["round"]["line"]) if name in held["tikis"])
        left = sum(hand["left"] for hand in view["round"]["hands"])
        at = [each["card"] for each in view["held"]].index(held["card"]) + 1
        phone.wait(
            "[...document.querySelectorAll('.hand')].reduce((n, e) => n + (parseInt(e.innerText) || 0), 0)"
            f" === {left} && !document.querySelector('.card-button.chosen')"
        )
        phone.click(f".card-button:nth-of-type({at})")
        phone.wait("document.querySelector('.card-button.chosen')")
        phone.click(f".tiki.t-{tiki}")
        referee.wait_version(game, view["version"])


def enter_card(phone: Engine, card: list[str], nth: int) -> None:
    """By the button of a player, on the phone that is everybody's."""
    phone.click(f".enter:nth-of-type({nth})")
    phone.wait("document.querySelector('.panel .main')")
    if not phone.js("document.querySelector('.panel .pick')"):
        phone.click(".panel .main")  # it is me
        phone.wait("document.querySelector('.panel .main')")
    if not phone.js("document.querySelector('.panel .pick')"):
        phone.click(".panel .main")  # enter it
        phone.wait("document.querySelector('.panel .pick')")
    for tiki in card:
        phone.click(f".pick .t-{tiki}")
    phone.click(".panel .main")
    phone.wait("!document.querySelector('.panel')")


@pytest.mark.rule("T07", "T11", "T12", "T15", "T17", "T18", "T28")
@pytest.mark.parametrize("name", ["chromium", "firefox", "webkit"])
def test_a_whole_game_in_every_engine(
    referee: PlayedTable, server: Serving, browser: Browser, tmp_path: Path, name: str
) -> None:
    game = referee.gather("tiki", "Ana", "Beto")
    with any_engine(name, browser, tmp_path) as phone:
        phone.goto(server.url + referee.join_path())
        phone.wait("document.getElementById('name')")
        phone.goto(f"{server.url}/g/{game}")
        wait_phase(phone, "line_up")
        phone.wait("!document.getElementById('undo').disabled")
        assert axe_violations(phone) == []
        phone.click("#cards .side")  # draw a line
        phone.wait("!document.getElementById('main').disabled")
        phone.click("#main")
        wait_phase(phone, "play")
        assert axe_violations(phone) == []
        play_the_round(referee, phone, game)
        wait_phase(phone, "ended")
        for nth, card in enumerate(CARDS, start=1):
            enter_card(phone, card, nth)
        phone.click("#main")  # show them
        wait_phase(phone, "revealed")
        assert axe_violations(phone) == []
        phone.click("#main")  # count
        wait_phase(phone, "line_up")
        referee.do("mode", game, mode="quick")
        while referee.seen(game)["phase"] != "over":
            wait_phase(phone, "places")
            number = referee.seen(game)["round"]["number"]
            for tiki in ("nani", "nui", "eepo") if number % 2 else ("eepo", "nani", "lokahi"):
                phone.click(f".tiki.t-{tiki}")
            phone.wait("!document.getElementById('main').disabled")
            phone.click("#main")
            wait_phase(phone, "ended")
            for player, card in enumerate(CARDS):
                referee.do("secret", game, player, tikis=card)
            phone.click("#main")
            wait_phase(phone, "revealed")
            version = referee.seen(game)["version"]
            phone.click("#main")
            referee.wait_version(game, version)
        wait_phase(phone, "over")
        totals = [p["total"] for p in referee.seen(game)["players"]]
        phone.wait("document.querySelectorAll('.rows .sum').length === 2")
        shown = phone.js("[...document.querySelectorAll('.rows .sum')].map((e) => Number(e.innerText))")
        assert sorted(shown) == sorted(totals)
        assert axe_violations(phone) == []
        phone.click("#menu")
        phone.wait("document.querySelectorAll('.panel .side').length > 5")
        phone.wait("getComputedStyle(document.querySelector('.veil')).position === 'fixed'")
        assert axe_violations(phone) == []
        phone.goto(f"{server.url}/help/tiki")
        phone.wait("document.querySelectorAll('.shown .sum').length === 4")
        assert axe_violations(phone) == []
