"""What `gallery` shows of the games that are kept by hand, of games that were played, of phones and of the sensors."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from playwright.sync_api import Page

from companion.journal import MemoryJournal
from companion.views.port import Document
from tests.process.test_documents import played
from tests.web import scenes
from tests.web.cirkis_play import play, tap
from tests.web.played import PlayedTable
from tests.web.scripted import ScriptedReferee
from tests.web.test_tiki_page import list_entries
from tests.web.test_web_diagnostics import glimpse
from tests.web.test_web_set_up import SCENES
from tests.web.tiki_scenes import TikiGame, every_phase

EVERY, TALL, FLAT = ("small", "phone", "flat", "screen"), ("small", "phone"), ("flat", "screen")
NAMES = ("Ana", "Benito", "Carla", "Maximiliano")


class Shot(NamedTuple):
    """One picture to be taken: its name, path and sizes; what is pressed before; the whole height of the page."""

    name: str
    path: str
    sizes: tuple[str, ...]
    press: Callable[[Page], Any] | None = None
    whole: bool = False


def _menu(page: Page, *further: str) -> None:
    """Open the menu, then press what carries each of these selectors in the dialog."""
    page.locator("#menu").click()
    for selector in further:
        page.get_by_role("dialog").locator(selector).first.click()


def tiki_shots(referee: ScriptedReferee) -> Iterator[Shot]:
    """Tiki Topple in each phase, followed and quick, the secret cards, the sheets of its menu."""
    referee.show(TikiGame().view() | {"game": "g1"})
    yield Shot("tiki-gather", "/g/g1", TALL, whole=True)
    for name, view in every_phase().items():
        referee.show(view)
        yield Shot(f"tiki-{name.replace(' ', '-')}", "/g/g1", EVERY)
        if name in ("play", "revealed", "over"):
            yield Shot(f"tiki-tv-{name}", "/g/g1/tv", ("screen",))
    quick = TikiGame(mode="quick").started()
    referee.show(quick.view())
    yield Shot("tiki-quick", "/g/g1", EVERY)
    game = TikiGame().scored().lined_up().first_turns().entered(2)
    referee.show(game.view())
    list_entries(referee, game)
    yield Shot("tiki-mine", "/g/g1", TALL, lambda page: page.locator("#mine").click())
    yield Shot("tiki-card", "/g/g1", TALL, lambda page: page.locator(".card-button").nth(1).click())
    yield Shot("tiki-menu", "/g/g1", EVERY, _menu)
    for n in range(6):
        yield Shot(f"tiki-menu-{n}", "/g/g1", TALL, lambda page, n=n: _menu(page, f".panel-body > button >> nth={n}"))
    yield Shot("tiki-players", "/g/g1", TALL, lambda page: page.locator("#players").click())


def cirkis_shots(table: PlayedTable) -> Iterator[Shot]:
    """CirKis from its first piece to the end, quick too, and the sheets of its menu."""
    waiting = str((table.do("new_game", kind="cirkis", settings={}).body or {})["game"])
    table.do("add_player", waiting, name="Ana")
    yield Shot("cirkis-gather", f"/g/{waiting}", TALL, whole=True)
    game = table.gather("cirkis", *NAMES, play_to="hundred", ring=True)
    path = f"/g/{game}"
    yield Shot("cirkis-first", path, EVERY)
    yield Shot("cirkis-chosen", path, EVERY, lambda page: tap(page, 7))
    yield Shot("cirkis-refused", path, EVERY, lambda page: tap(page, 100))
    play(table, game, 24)
    yield Shot("cirkis-play", path, EVERY)
    yield Shot("cirkis-near", path, TALL, lambda page: page.locator("#in").click(click_count=2))
    yield Shot("cirkis-tv-play", path + "/tv", ("screen",))
    yield Shot("cirkis-menu", path, EVERY, _menu)
    for n in range(6):
        yield Shot(f"cirkis-menu-{n}", path, TALL, lambda page, n=n: _menu(page, f".panel-body > button >> nth={n}"))
    yield Shot("cirkis-players", path, TALL, lambda page: page.locator("#players").click())
    play(table, game, 300)
    yield Shot("cirkis-between", path, EVERY)
    table.do("abandon", game, what="game")
    yield Shot("cirkis-over", path, EVERY)
    yield Shot("cirkis-tv-over", path + "/tv", ("screen",))
    quick = table.gather("cirkis", *NAMES[:2], mode="quick")
    yield Shot("cirkis-quick", f"/g/{quick}", EVERY)
    yield Shot("cirkis-quick-add", f"/g/{quick}", TALL, lambda page: page.locator("#main").click())
    yield Shot("cirkis-help", "/help/cirkis", TALL, whole=True)


def told_shots(referee: ScriptedReferee) -> Iterator[Shot]:
    """Games that were played, one game as it was ruled, the phones at the table, what the sensors see."""
    bench, game = played(MemoryJournal())
    for of, names in {game: ("text", "csv", "json"), "": ("history", "statistics")}.items():
        for name in names:
            document = bench.owner.documents.of(of, name)
            assert document is not None
            referee.documents[of, name] = document
    referee.show(scenes.game() | {"game": game})
    yield Shot("history", "/history", EVERY, whole=True)
    yield Shot("record", f"/g/{game}/history", TALL, lambda page: page.locator("summary").first.click(), whole=True)
    referee.documents["", "history"] = Document("application/json", "history.json", b'{"games": []}')
    yield Shot("history-empty", "/history", TALL, whole=True)
    yield Shot("phones", "/phones", EVERY, whole=True)
    referee.show_glimpse(glimpse())
    yield Shot("sensors", "/diagnostics", EVERY, whole=True)


def set_up_shots(referee: ScriptedReferee) -> Iterator[Shot]:
    """The set-up page: its menu, every step, refusals and results."""
    for name, view in SCENES.items():
        referee.show_set_up(view)
        yield Shot(f"table-{name}", "/table", TALL, whole=name in ("menu", "faults"))
    referee.show_set_up(SCENES["menu"])
    change = "section button.side >> nth=0"
    yield Shot(
        "table-lay",
        "/table",
        TALL,
        lambda page: (page.locator(change).click(), page.locator(".picks button").nth(2).click()),
    )
