"""The big screen: read at 3 m, nothing to press, the code only where it may be shown."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.web import scenes
from tests.web.harness import Opened
from tests.web.scripted import ScriptedReferee
from web.app import create_app

Open = Callable[..., Opened]

INSIDE = """() => [...document.querySelectorAll("#turn, #stage, #clock, #digits, #players, .player, .invite")]
  .map((e) => [e.id || e.className, e.getBoundingClientRect()])
  .filter(([, r]) => r.width && (r.left < -1 || r.top < -1 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1))
  .map(([n]) => n)"""


@pytest.mark.parametrize("lang", ["es", pytest.param("en", marks=pytest.mark.slow)])
def test_it_can_be_read_at_three_metres_and_has_no_controls(
    referee: ScriptedReferee, open_page: Open, lang: str
) -> None:
    referee.show(scenes.settling(referee.clock_us, 9.6, 6))
    page = open_page("/g/g1/tv", "screen", lang).page
    expect(page.locator("#digits")).to_have_text("10")
    size = page.locator("#digits").evaluate("e => parseFloat(getComputedStyle(e).fontSize) / innerHeight")
    assert size >= 0.4
    for part, least in {"#title": 0.08, "#line": 0.05, ".player b": 0.06, ".name": 0.03}.items():
        assert page.locator(part).first.evaluate("e => parseFloat(getComputedStyle(e).fontSize) / innerHeight") >= least
    assert page.locator("button, a, input").count() == 0
    assert page.evaluate(INSIDE) == []
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert Axe().run(page).violations_count == 0
    view = scenes.removing(6)
    referee.show(view)
    expect(page.locator("#pips .done")).to_have_count(1)
    expect(page.locator("#call")).to_be_visible()


def test_it_gathers_with_a_large_code_and_follows_into_the_game(referee: ScriptedReferee, open_page: Open) -> None:
    referee.show(scenes.lobby_phase(3))
    page = open_page("/g/g1/tv", "screen", "es").page
    expect(page.locator(".player")).to_have_count(3)
    box = page.locator(".qr").bounding_box()
    assert box is not None
    assert box["height"] >= 0.5 * 720
    referee.show(scenes.game(3))
    expect(page.locator("#title")).to_have_text("Ana")
    expect(page.locator(".stone")).to_have_count(7)


@pytest.mark.rule("Y15")
def test_a_call_that_is_due_stands_there_until_it_is_said(referee: ScriptedReferee, open_page: Open) -> None:
    referee.show(scenes.game(2, on_board=18) | {"call": {"player": 1, "state": "due"}})
    page = open_page("/g/g1/tv", "screen", "en").page
    expect(page.locator("#strip")).to_have_text("Beto: say “Last Yiker!”")
    referee.show(scenes.game(2, on_board=18) | {"call": {"player": 1, "state": "said"}})
    expect(page.locator("#strip")).to_be_hidden()


def test_the_code_is_not_shown_to_who_does_not_have_it(referee: ScriptedReferee) -> None:
    referee.show(scenes.game())
    client = create_app(referee).test_client()
    assert "<svg" in client.get("/g/g1/tv").get_data(True).split("<aside")[1]  # the screen at the table
    client.environ_base["REMOTE_ADDR"] = "10.0.0.9"
    assert "<aside" not in client.get("/g/g1/tv").get_data(True)
    assert client.get("/g/none/tv").status_code == 404


@pytest.mark.rule("Y22")
@pytest.mark.parametrize("lang", ["es", "en"])
def test_it_says_what_everybody_is_waited_for(referee: ScriptedReferee, open_page: Open, lang: str) -> None:
    said = {
        "es": ("Acomoden los imanes como se ve: 2 al tablero, 1 fuera", "Hay una duda", "Hay una pregunta"),
        "en": ("Lay the magnets as shown: 2 on the board, 1 off it", "A ruling is doubted", "A question"),
    }[lang]
    differs = {"es": "ven 5 imanes; cuentan 6", "en": "see 5 magnets; 6 count"}[lang]
    doubted = scenes.game(3, dispute={"ruling": 2, "player": 1, "by": "Beto", "since_us": None})
    views = (scenes.laying(3), doubted, scenes.asking(3), scenes.game(3, differs={"seen": 5, "expected": 6}))
    referee.show(scenes.game(3))
    page = open_page("/g/g1/tv", "screen", lang).page
    strip = page.locator("#strip")
    for view, words in zip(views, (*said, differs), strict=True):
        referee.show(view)
        expect(strip).to_contain_text(words)
    referee.show(scenes.laying(3))
    expect(page.locator("#board .ghost")).to_have_count(len([s for s in views[0]["board"]["stones"] if s.get("ghost")]))
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    referee.show(scenes.game(3))
    expect(strip).to_be_hidden()


SEATS_COVERED = """() => [...document.querySelectorAll("#board .token")].filter((seat) => {
  const a = seat.getBoundingClientRect();
  return [...document.querySelectorAll("#pips i")].some((pip) => {
    const b = pip.getBoundingClientRect();
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  });
}).length"""
ROWS = "pips => new Set(pips.map(pip => Math.round(pip.getBoundingClientRect().top))).size"
WIDE = "pips => Math.min(...pips.map(pip => pip.getBoundingClientRect().width))"


@pytest.mark.parametrize(
    ("path", "width", "height", "least"),
    [("/g/g1/tv", 1280, 720, 36), ("/g/g1", 1280, 720, 24), ("/g/g1", 360, 740, 20)],
)
def test_the_stones_to_take_stand_in_a_row_and_cover_no_player(
    referee: ScriptedReferee, open_page: Open, path: str, width: int, height: int, least: int
) -> None:
    take = {"player": 0, "why": "collapse", "tracks": [3, 6], "table": 0, "left": 9, "taken": 2}
    referee.show(scenes.removing(4, remove=take))
    page = open_page(path, "screen", "en").page
    page.set_viewport_size({"width": width, "height": height})
    expect(page.locator("#pips i")).to_have_count(11)
    expect(page.locator("#board .token")).to_have_count(4)
    assert page.locator("#pips i").evaluate_all(ROWS) == 1
    assert page.locator("#pips i").evaluate_all(WIDE) >= least
    assert page.evaluate(SEATS_COVERED) == 0
    assert page.evaluate(INSIDE) == []
