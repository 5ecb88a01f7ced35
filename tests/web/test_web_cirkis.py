"""CirKis in a real browser on the real rules: the map, what it says, what it sends, and the properties of all pages."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from companion.games.cirkis.example import EXAMPLES
from tests.web.cirkis_play import drawn, play, put, spot, tap
from tests.web.hands import keep_pressed, touch
from tests.web.harness import Opened
from tests.web.played import PlayedTable, played_table
from tests.web.test_web_live_page import BUDGET_BYTES, BUDGET_REQUESTS, TARGETS
from web.app import create_app

Open = Callable[..., Opened]
NAMES = ("Ana", "Benito", "Carla", "Dani")


referee = pytest.fixture(played_table)


CLIPPED = """() => {
  const bad = [];
  const seen = "header *, #stage, #zoom *, #players, #players .player, #players b, #say, #actions *";
  for (const e of document.querySelectorAll(seen)) {
    const r = e.getBoundingClientRect();
    if (!r.width || e.className === "unseen") continue;
    const name = e.id || e.className || e.tagName;
    const beside = r.left < -0.5 || r.right > innerWidth + 0.5;
    if (beside || r.top < -0.5 || r.bottom > innerHeight + 0.5) bad.push(["outside", name]);
    if (["title", "line"].includes(e.id)) continue;
    const wide = /BUTTON|B|STRONG/.test(e.tagName) && e.clientWidth && e.scrollWidth > e.clientWidth + 1;
    const high = e.tagName === "BUTTON" && e.scrollHeight > e.clientHeight + 1;
    if (wide || high) bad.push(["cut", name, e.textContent]);
  }
  if (document.documentElement.scrollHeight > innerHeight) bad.push(["scrolls"]);
  return bad;
}"""


def states(table: PlayedTable, page: Page, url: str) -> Iterator[str]:
    """The page in every state in which something can be pressed or read; the names of the states."""
    game = table.gather("cirkis", *NAMES, play_to="hundred", pieces="assumed", ring=True)
    page.goto(f"{url}/g/{game}")
    drawn(page)
    yield "first"
    first = [7]
    tap(page, first[0])
    expect(page.locator("#main")).to_be_enabled()
    yield "chosen"
    page.locator("#main").click()
    expect(page.locator("#players .on")).to_contain_text("Benito")
    tap(page, 100)
    expect(page.locator("#say.stop")).to_be_visible()
    yield "against the rules"
    page.locator("#side").click()
    table.do("pieces", game, pieces=None)
    play(table, game, 200)
    expect(page.locator("body")).to_have_attribute("data-phase", "between")
    yield "between"
    table.do("abandon", game, what="game")
    expect(page.locator("body")).to_have_attribute("data-phase", "over")
    yield "over"
    game = table.gather("cirkis", *NAMES[:2], mode="quick")
    page.goto(f"{url}/g/{game}")
    drawn(page)
    yield "quick"
    for n in range(4):
        table.do("complete", game, 0, shapes=[{"shape": f"circle-{n}", "segments": {"0": 5}}])
    expect(page.locator("#title")).to_have_text("Ana")
    yield "quick at 40"


@pytest.mark.parametrize("lang", ["es", "en"])
def test_everything_fits_a_small_phone_without_scrolling(
    referee: PlayedTable, server: Any, open_page: Open, lang: str
) -> None:
    page = open_page("/", "small", lang).page
    for name in states(referee, page, server.url):
        assert page.evaluate(CLIPPED) == [], name
        small = [box for box in page.evaluate(TARGETS) if box[1] < 48 or box[2] < 48]
        assert small == [], name


@pytest.mark.parametrize(
    ("size", "lang", "scheme"),
    [
        ("small", "es", "light"),
        pytest.param("screen", "en", "dark", marks=pytest.mark.slow),
        pytest.param("phone", "en", "light", marks=pytest.mark.slow),
        pytest.param("small", "es", "dark", marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing_in_any_state(
    referee: PlayedTable, server: Any, open_page: Open, size: str, lang: str, scheme: str
) -> None:
    page = open_page("/", size, lang, color_scheme=scheme).page
    for name in states(referee, page, server.url):
        found = Axe().run(page)
        assert found.violations_count == 0, (name, found.generate_report())


def test_the_first_load_is_small_and_nothing_comes_from_elsewhere(
    referee: PlayedTable, server: Any, open_page: Open
) -> None:
    game = referee.gather("cirkis", *NAMES)
    play(referee, game, 20)
    opened = open_page(f"/g/{game}", "small", "es")
    drawn(opened.page)
    expect(opened.page.locator("#main")).to_be_visible()
    assert all(r.url.startswith((server.url, "data:")) for r in opened.requests)
    wire = [r for r in opened.requests if not r.url.startswith("data:")]
    assert len(wire) <= BUDGET_REQUESTS, [r.url for r in wire]
    behind = ("/events", "cirkis-play", "cirkis_play", "cirkis-second")  # live first; what is pressed comes behind it
    sizes = {r.url: len(r.response().body()) for r in wire if not any(part in r.url for part in behind)}
    assert len(sizes) == 4  # page, styles, script, board
    assert sum(sizes.values()) + 80 <= BUDGET_BYTES, sizes


@pytest.mark.rule("C03", "C05", "C19", "C33")
def test_a_piece_is_tapped_seen_and_put(referee: PlayedTable, open_page: Open) -> None:
    game = referee.gather("cirkis", *NAMES[:2])
    page = open_page(f"/g/{game}", "phone", "en").page
    drawn(page)
    tap(page, 155)
    expect(page.locator("#say")).to_contain_text("The first piece goes in the middle (C03)")
    assert referee.seen(game)["deeds"] == []
    put(page, referee.seen(game), [7])
    expect(page.locator("#title")).to_have_text("Benito")
    expect(page.locator("#board .leader path")).to_have_count(2)
    tap(page, 7)
    expect(page.locator("#strip")).to_contain_text("A piece of Ana lies there")
    assert page.evaluate(CLIPPED) == []  # the note moves nothing away
    tap(page, 160)
    expect(page.locator("#say")).to_contain_text("It does not touch the leader (C05)")
    main = page.locator("#main")
    expect(main).to_have_text("The table allows it")
    touch(main)  # too short: nothing happens
    expect(page.locator("#strip")).to_have_text("Press and hold")
    assert len(referee.seen(game)["deeds"]) == 1
    version = referee.seen(game)["version"]
    keep_pressed(main)
    deed = referee.wait_version(game, version)["deeds"][1]
    assert (deed["s"], deed["x"]) == ([160], ["not_touching_leader"])


@pytest.mark.rule("C10", "C11", "C18")
def test_the_page_says_what_a_piece_would_bring_before_it_is_put(referee: PlayedTable, open_page: Open) -> None:
    """The sheet's example, laid out by the table's word."""
    game = referee.gather("cirkis", "Purple", "Red", "Green")
    for player, spaces in next(example for example in EXAMPLES if example.name == "two_shapes").lies:
        referee.do("place", game, player, spaces=list(spaces), overrule=True)
    for spare in (120, 121):  # Green and Purple, elsewhere: now it is Red's turn
        referee.do("place", game, referee.seen(game)["turn"], spaces=[spare], overrule=True)
    assert referee.seen(game)["turn"] == 1
    page = open_page(f"/g/{game}", "phone", "en").page
    drawn(page)
    for space in (15, 16):
        tap(page, space)
    expect(page.locator("#say")).to_contain_text("C05")  # away from the leader: the table may allow it
    asked = {"name": "place", "player": 1, "args": {"spaces": [15, 16]}}
    told = json.loads(referee.foresee(game, asked))
    gained = {(r["player"], r["data"]["points"]) for r in told["rulings"] if r["kind"] == "points"}
    assert gained == {(1, 10), (1, 5), (2, 10)}
    assert not any("points" in deed for deed in referee.seen(game)["deeds"])  # nothing is decided yet


def test_a_finger_brings_the_board_near_first_and_then_means_one_space(referee: PlayedTable, open_page: Open) -> None:
    game = referee.gather("cirkis", *NAMES[:2])
    page = open_page(f"/g/{game}", "small", "es", has_touch=True).page
    drawn(page)
    page.touchscreen.tap(*spot(page, 7))
    expect(page.locator("#out")).to_be_enabled()
    expect(page.locator("#board .choice polygon")).to_have_count(0)
    sizes = page.evaluate(
        """() => [...document.querySelectorAll("#board .spaces polygon:not(.s)")]
          .map((e) => e.getBoundingClientRect()).map((r) => Math.min(r.width, r.height))"""
    )
    assert min(sizes) >= 44
    page.touchscreen.tap(*spot(page, 7))
    expect(page.locator("#board .choice polygon")).to_have_count(1)
    page.locator("#in").tap()  # further in slivers are as wide as a thumb too
    page.locator("#in").tap()
    page.locator("#in").tap()
    slim = page.evaluate(
        "Math.min(...[...document.querySelectorAll('#board .s')].map((e) => e.getBoundingClientRect().width))"
    )
    assert slim >= 44
    page.locator("#out").tap()
    expect(page.locator("#out")).to_be_disabled()
    before = page.locator("#board").get_attribute("viewBox")
    page.mouse.move(*spot(page, 7))
    page.mouse.wheel(0, -300)
    expect(page.locator("#board")).not_to_have_attribute("viewBox", before or "")


def test_the_board_is_played_by_keys_alone_and_told_to_a_screen_reader(referee: PlayedTable, open_page: Open) -> None:
    game = referee.gather("cirkis", *NAMES[:2])
    page = open_page(f"/g/{game}", "phone", "en").page
    drawn(page)
    page.locator("#board").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#where")).to_contain_text("empty")
    page.keyboard.press("Enter")
    expect(page.locator("#board .choice polygon")).to_have_count(1)
    expect(page.locator("#main")).to_be_enabled()
    page.locator("#main").press("Enter")
    expect(page.locator("#title")).to_have_text("Benito")


def test_the_board_turns_to_my_seat(referee: PlayedTable, open_page: Open) -> None:
    game = referee.gather("cirkis", *NAMES[:2])
    referee.do("place", game, 0, spaces=[7])
    page = open_page(f"/g/{game}", "phone", "en").page
    drawn(page)
    before = spot(page, 0)
    page.locator("#players").click()
    page.get_by_role("dialog").get_by_text("Benito").click()
    page.get_by_role("dialog").get_by_text("Turn the board").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    after = spot(page, 0)
    middle = page.evaluate(
        "(() => { const r = board.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()"
    )
    for axis in (0, 1):  # half a turn, for the seat opposite
        assert abs((before[axis] + after[axis]) / 2 - middle[axis]) < 1
    tap(page, 24)
    expect(page.locator("#board .choice polygon")).to_have_count(1)


def test_what_would_happen_is_a_read_that_takes_nothing_odd(referee: PlayedTable) -> None:
    game = referee.gather("cirkis", *NAMES[:2])
    client = create_app(referee).test_client()
    before = referee.seen(game)
    entries = len(list(referee.journal.entries(game)))
    asked = {"name": "place", "player": 0, "args": {"spaces": [7]}}
    told = client.get(f"/g/{game}/foresee", query_string={"asked": json.dumps(asked)})
    assert told.status_code == 200
    assert [ruling["kind"] for ruling in told.json["rulings"]] == ["placed", "turn_start"]
    assert told.headers["Cache-Control"] == "no-store"
    for odd in ("", "[", "[]", "3", '"x"', "[" * 2000, json.dumps({**asked, "more": "x" * 3000})):
        assert client.get(f"/g/{game}/foresee", query_string={"asked": odd}).status_code == 400, odd[:20]
    for other in ({}, {"name": "abandon", "player": 0, "args": {}}, {"name": "start", "player": None, "args": {}}):
        assert client.get(f"/g/{game}/foresee", query_string={"asked": json.dumps(other)}).json is None
    assert client.get("/g/g99/foresee", query_string={"asked": "{}"}).status_code == 404
    assert referee.seen(game) == before
    assert len(list(referee.journal.entries(game))) == entries
    tiki = referee.gather("tiki", *NAMES[:2])
    assert (
        client.get(f"/g/{tiki}/foresee", query_string={"asked": json.dumps(asked)}).json is None
    )  # T18: nothing is tried


def test_the_board_is_kept_by_the_phone(referee: PlayedTable) -> None:
    client = create_app(referee).test_client()
    first = client.get("/cirkis-board.json")
    assert len(first.get_data()) < 5000
    assert client.get("/cirkis-board.json", headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
