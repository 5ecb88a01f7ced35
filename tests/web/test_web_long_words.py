"""Long names and words where there is little room: nothing is cut without a word, nothing runs into its edge."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.games.naming import NAME_LENGTH
from tests.web import scenes
from tests.web.harness import Opened
from tests.web.scripted import ScriptedReferee
from tests.web.tiki_scenes import TikiGame
from web.language import texts_of, translate

Open = Callable[..., Opened]
LONG = "Maximiliano Alejandro de la Cruz"

CUT = "e => e.scrollWidth > e.clientWidth"
AIR = """e => {
  const box = e.parentElement.getBoundingClientRect(), range = document.createRange();
  range.selectNodeContents(e);
  const text = range.getBoundingClientRect();
  return Math.min(text.left - box.left, box.right - text.right);
}"""
"""Pixels between a button's edge and its words."""


def narrow(page: Page) -> Page:
    page.set_viewport_size({"width": 360, "height": 640})
    return page


@pytest.mark.parametrize("lang", ["es", "en"])
def test_a_name_is_kept_as_long_as_a_game_takes_it_and_a_longer_one_is_told(
    referee: ScriptedReferee, open_page: Open, lang: str
) -> None:
    referee.show_lobby({"table": "Mesa", "sensors": "free", "games": []})
    page = narrow(open_page("/join", "small", lang).page)
    page.locator("#name").fill("x" * (NAME_LENGTH + 1))
    page.locator("button.main").click()
    expect(page.locator("#missing")).to_have_text(translate(texts_of(lang, "join"), "long_name", n=NAME_LENGTH))
    assert str(NAME_LENGTH) in str(texts_of(lang, "shell")["refused_name_too_long"])
    page.locator("#name").fill(LONG)
    page.locator("button.main").click()
    page.wait_for_url(lambda url: "/join" not in url)
    assert LONG in page.evaluate("JSON.stringify(localStorage)")


@pytest.mark.parametrize("lang", ["es", "en"])
@pytest.mark.parametrize("kind", ["yikerz", "tiki"])
def test_the_undo_button_has_air_around_its_word(
    referee: ScriptedReferee, open_page: Open, kind: str, lang: str
) -> None:
    referee.show(TikiGame(3).started().lined_up().view() if kind == "tiki" else scenes.game())
    page = narrow(open_page("/g/g1", "small", lang).page)
    expect(page.locator("#undo small")).to_be_visible()
    assert page.locator("#undo small").evaluate(AIR) >= 5


@pytest.mark.parametrize("lang", ["es", "en"])
def test_what_was_played_stands_whole_beside_a_long_name(referee: ScriptedReferee, open_page: Open, lang: str) -> None:
    game = TikiGame(2).started().lined_up()
    assert game.press("play", 0, card="topple", tiki="hookipa") == ""
    view = game.view()
    view["players"][0]["name"] = LONG
    referee.show(view)
    page = narrow(open_page("/g/g1", "small", lang).page)
    strip = page.locator("#strip")
    expect(strip).to_contain_text("Hookipa")
    expect(strip).to_contain_text("Maximil…")
    assert not strip.evaluate(CUT)


@pytest.mark.parametrize("lang", ["es", "en"])
def test_what_stands_under_a_players_name_is_not_said_by_that_player(lang: str) -> None:
    live = texts_of(lang, "live")
    for phase in ("unseen", "question", "miscount"):
        said = f" {live[f'line_{phase}']}"
        assert not any(word in said for word in (" I ", " my ", " he podido", " necesito")), said
