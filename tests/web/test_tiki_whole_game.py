"""Whole games of Tiki Topple in a real browser, a phone for each player, over the real referee and its journal."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.clock import SystemClock
from companion.games.tiki.tikis import TIKIS
from companion.journal import MemoryJournal
from companion.process.kinds import known_kinds
from companion.process.referee.facts import TableFacts
from companion.process.referee.owner import Owner
from companion.process.referee.referee import Referee
from tests.web.harness import LIMIT_MS
from web.serve import serve

pytestmark = pytest.mark.slow

WORDS = {
    "es": {
        "new": "Partida nueva", "start": "¡Empezar!", "name": "Nombre de un jugador", "draw": "Sortear la fila",
        "line": "Así está la fila", "enter": "Ponerla", "keep": "Guardarla", "show": "Enseñar las cartas",
        "count": "Contar los puntos", "quick": "Desde ahora, solo el final", "three": "Estos tres",
        "wins": "¡gana la partida!", "add": "Añadir", "look": "Mantén pulsado para verla",
    },
    "en": {
        "new": "New game", "start": "Start!", "name": "Name of a player", "draw": "Draw a line",
        "line": "That is the line", "enter": "Enter it", "keep": "Keep it", "show": "Show the cards",
        "count": "Count the points", "quick": "From now on only the end", "three": "These three",
        "wins": "wins the game!", "add": "Add", "look": "Hold to see it",
    },
}  # fmt: skip


@dataclass
class Running:
    """The real service without sensors. phones: by player, in the order of the seats; watcher: the big screen."""

    referee: Referee
    journal: MemoryJournal
    url: str
    browser: Browser
    contexts: list[Any]
    phones: list[Page]
    words: dict[str, str]
    game: str = ""

    def view(self) -> dict[str, Any]:
        frame = self.referee.view(self.game)
        assert frame is not None
        found: dict[str, Any] = json.loads(frame.data)
        return found

    def phone(self, name: str, lang: str, size: tuple[int, int] = (390, 844), code: bool = True) -> Page:
        context = self.browser.new_context(viewport={"width": size[0], "height": size[1]}, locale=lang)
        self.contexts.append(context)
        context.set_default_timeout(LIMIT_MS)
        if code:
            context.add_cookies([{"name": "table_code", "value": "code", "url": self.url}])
        context.add_init_script(f"localStorage.setItem('name', {json.dumps(name)})")
        page: Page = context.new_page()
        return page

    def begin(self, lang: str, names: list[str]) -> None:
        """From the list of games to the first line, all by buttons of the first phone."""
        words = self.words = WORDS[lang]
        first = self.phone(names[0], lang)
        first.goto(self.url + "/")
        first.get_by_role("button", name=words["new"]).click()
        first.get_by_role("button", name="Tiki Topple").click()
        first.wait_for_url("**/g/*")
        self.game = first.url.rsplit("/", 1)[1]
        for name in names:
            box = first.get_by_label(words["name"])
            box.fill(name)
            first.get_by_role("button", name=words["add"], exact=True).click()
            expect(first.get_by_role("list").get_by_text(name)).to_be_visible()
        first.get_by_role("button", name=words["start"]).click()
        self.phones = [first]
        for name in names[1:]:
            self.phones.append(self.phone(name, lang, (320, 460)))
            self.phones[-1].goto(f"{self.url}/g/{self.game}")

    def wait_phase(self, page: Page, *phases: str) -> None:
        wanted = json.dumps(phases)
        page.wait_for_function(f"() => {wanted}.includes(document.body.dataset.phase)")

    def line_up(self, page: Page) -> None:
        self.wait_phase(page, "line_up")
        page.get_by_role("button", name=self.words["draw"]).click()
        page.get_by_role("button", name=self.words["line"]).click()
        self.wait_phase(page, "play")

    def play_the_round(self, cards: tuple[str, ...]) -> None:
        """Each on the own phone: the first of these cards that is held and allowed, on the lowest tiki allowed."""
        while self.view()["phase"] == "play":
            view = self.view()
            page = self.phones[view["round"]["turn"]]
            held = {each["card"]: each for each in view["held"] if each["tikis"]}
            card = next(name for name in cards if name in held)
            tiki = next(name for name in reversed(view["round"]["line"]) if name in held[card]["tikis"])
            expect(page.locator("#players .on .name")).to_have_text(view["players"][view["round"]["turn"]]["name"])
            page.locator(".card-button", has_text=card.replace("_", " ").capitalize()).click()
            page.locator(f".tiki.t-{tiki}").click()
            left = sum(hand["left"] for hand in view["round"]["hands"])
            page.wait_for_function(
                "(left) => document.body.dataset.phase !== 'play' || left >"
                " [...document.querySelectorAll('.hand')].reduce((n, e) => n + (parseInt(e.innerText) || 0), 0)",
                arg=left,
            )

    def enter(self, player: int, card: list[str]) -> None:
        """A card on its player's own phone, through the sheet that opens by the phone's own name."""
        page = self.phones[player]
        page.locator("#mine").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name=self.words["enter"]).click()
        for tiki in card:
            dialog.locator(f".pick .t-{tiki}").click()
        dialog.get_by_role("button", name=self.words["keep"]).click()
        expect(dialog).to_have_count(0)

    def count_points(self, page: Page) -> None:
        page.get_by_role("button", name=self.words["show"]).click()
        page.get_by_role("button", name=self.words["count"]).click()
        self.wait_phase(page, "line_up", "places", "over")


@pytest.fixture
def running(browser: Browser, caplog: pytest.LogCaptureFixture) -> Iterator[Running]:
    clock, journal = SystemClock(), MemoryJournal()
    owner = Owner(journal, known_kinds(), clock, TableFacts(sensors=False))
    thread = threading.Thread(target=owner.run)
    thread.start()
    referee = Referee(owner, clock, lambda: "code")
    serving = serve(referee, "127.0.0.1", 0)
    made = Running(referee, journal, serving.url, browser, [], [], {})
    yield made
    for context in made.contexts:
        context.close()
    serving.close()
    owner.close()
    thread.join()
    assert [record.getMessage() for record in caplog.get_records("call") if record.levelname == "ERROR"] == []


def cards_for_a_tie(places: list[str]) -> list[list[str]]:
    """Both first players earn 9, the third nothing."""
    low = [str(tiki) for tiki in TIKIS if tiki not in places]
    return [[places[0], low[0], low[1]], [places[0], low[1], low[0]], [low[2], low[3], low[4]]]


@pytest.mark.rule("T16", "T24", "T25")
def test_three_players_follow_every_card_and_two_play_a_final(running: Running) -> None:
    running.begin("en", ["Ana", "Beto", "Carla"])
    screen = running.phone("", "es", (1280, 720), code=False)
    screen.goto(f"{running.url}/g/{running.game}")
    for number in range(3):
        running.line_up(running.phones[number])
        running.play_the_round(("toast", "up_2", "up_1", "up_3", "topple"))
        assert running.view()["round"]["end"] == "six_toasted"
        for player, card in enumerate(cards_for_a_tie(running.view()["round"]["places"])):
            running.enter(player, card)
        running.count_points(running.phones[2])
    expect(running.phones[2].locator(".player b")).to_have_text(["27", "27", "0"])
    assert running.view()["round"]["final"] == 1
    assert [hand["player"] for hand in running.view()["round"]["hands"]] == [0, 1]
    running.line_up(running.phones[0])
    running.play_the_round(("topple", "up_1", "up_2", "up_3", "toast"))
    assert running.view()["round"]["end"] == "hands_empty"
    places = running.view()["round"]["places"]
    low = [str(tiki) for tiki in TIKIS if tiki not in places]
    running.enter(0, [low[0], low[1], low[2]])
    running.enter(1, [places[0], low[0], low[1]])
    running.count_points(running.phones[1])
    for page in running.phones:
        expect(page.locator("#title")).to_have_text("Beto")
        expect(page.locator("#line")).to_have_text(running.words["wins"])
    expect(screen.locator("#title")).to_have_text("Beto")
    expect(screen.locator("#line")).to_have_text(WORDS["es"]["wins"])


@pytest.mark.rule("T17", "T18")
def test_two_players_in_spanish_follow_then_quick_with_a_restart_between(running: Running) -> None:
    running.begin("es", ["Ana", "Beto"])
    ana, beto = running.phones
    running.line_up(ana)
    running.enter(1, ["kapu", "nui", "huhu"])
    ana.locator("#mine").click()
    ana.get_by_role("dialog").get_by_role("button", name="La carta de otro").click()
    ana.get_by_role("dialog").get_by_role("button", name="Beto").click()
    ana.get_by_role("dialog").get_by_role("button", name="Soy yo").click()
    look = ana.get_by_role("dialog").get_by_role("button", name=running.words["look"])
    look.hover()
    ana.mouse.down()
    expect(ana.get_by_text("Este teléfono no tiene carta de Beto")).to_be_visible()
    ana.mouse.up()
    ana.keyboard.press("Escape")
    beto.locator("#mine").click()
    look = beto.get_by_role("dialog").get_by_role("button", name=running.words["look"])
    look.hover()
    beto.mouse.down()
    expect(beto.locator(".secret .slots")).to_contain_text("Kapu")
    beto.mouse.up()
    beto.keyboard.press("Escape")
    running.play_the_round(("toast", "up_1", "up_2", "topple", "up_3"))
    assert running.view()["round"]["end"] == "hands_empty"
    running.enter(0, ["nani", "lokahi", "eepo"])
    running.count_points(ana)
    ana.locator("#menu").click()
    ana.get_by_role("dialog").get_by_role("button", name=running.words["quick"]).click()
    for number in range(3):
        running.wait_phase(ana, "places")
        for tiki in ("Nani", "Nui", "Eepo"):
            ana.get_by_role("button", name=tiki).click()
        ana.get_by_role("button", name=running.words["three"]).click()
        running.enter(0, ["nani", "nui", ("eepo", "hookipa", "kapu")[number]])
        running.enter(1, ["kapu", "nani", ("eepo", "hookipa", "wikiwiki")[number]])
        running.count_points(beto)
    expect(beto.locator("#title")).to_have_text("Ana")
    again = Owner(running.journal, known_kinds(), SystemClock(), TableFacts(sensors=False))
    resumed = again.frames.newest(running.game)
    assert resumed is not None
    keys = ("phase", "players", "history", "winners", "rulings", "version")
    assert {key: json.loads(resumed.data)[key] for key in keys} == {key: running.view()[key] for key in keys}
    again.close()
