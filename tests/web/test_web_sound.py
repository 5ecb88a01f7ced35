"""The page of the table's own sound."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from companion.sound.voice import FAULTS, MODES
from tests.web.harness import Opened
from tests.web.scripted import ScriptedReferee
from web.language import texts_of

Open = Callable[..., Opened]


def lobby(**sound: Any) -> dict[str, Any]:
    shown = {"mode": "words", "volume": 70, "faults": ["sound_no_speech"], **sound}
    return {"table": "Mesa", "sensors": "none", "games": [], "sound": shown}


@pytest.mark.parametrize("lang", ["es", "en"])
def test_what_the_box_says_is_chosen_and_what_is_missing_is_named(
    referee: ScriptedReferee, open_page: Open, lang: str
) -> None:
    referee.show_lobby(lobby())
    texts = texts_of(lang, "sound")
    page = open_page("/sound", "small", lang).page
    expect(page.get_by_text(str(texts["sound_no_speech"]))).to_be_visible()
    expect(page.get_by_label(str(texts["sound_volume"]))).to_have_value("75")  # the nearest of those offered
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert Axe().run(page).violations_count == 0
    page.get_by_label(str(texts["sound_mode"])).select_option("tones")
    sent = referee.wait_posted(1)[0]
    assert (sent["game"], sent["name"]) == ("", "set_sound")
    assert sent["args"] == {"mode": "tones", "volume": 70, "tongue": lang}
    referee.show_lobby(lobby(mode="off", faults=[]))
    expect(page.get_by_label(str(texts["sound_volume"]))).to_have_count(0)


def test_who_watches_reads_it_only(referee: ScriptedReferee, open_page: Open) -> None:
    referee.show_lobby(lobby())
    page = open_page("/sound", "small", "en", code=False).page
    expect(page.get_by_label("The box makes")).to_be_disabled()
    expect(page.get_by_role("button", name="Let me hear it")).to_have_count(0)


def test_everything_has_words() -> None:
    for lang in ("es", "en"):
        texts = texts_of(lang, "sound")
        assert {f"sound_{mode}" for mode in MODES} | set(FAULTS) <= set(texts)
