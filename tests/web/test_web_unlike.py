"""What the sensors see otherwise is said and drawn where people say how the stones lie; holding insists (Y21, Y22)."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from companion.views.port import Answer
from tests.web import scenes
from tests.web.harness import Opened
from tests.web.scripted import ScriptedReferee
from web.language import texts_of, translate

Open = Callable[..., Opened]

QUESTION = {"id": 7, "code": "missing", "player": 0, "choices": ["into_pile", "put_back"], "args": {"stones": [9]}}
ASKED = scenes.game(phase="miscount", questions=[QUESTION])
TOLD: dict[str, Any] = {"seen": 7, "expected": 8, "absent": [{"track": 9, "x": 5.0, "y": 5.0}], "extra": []}
UNLIKE = Answer("refused", "unlike", {"args": TOLD})
SAYS = {
    "put_back": (ASKED, "answer", {"question": 7, "choice": "put_back"}),
    "laid": (scenes.laying(), "lay", {"how": "laid"}),
}


@pytest.mark.rule("Y21", "Y22")
@pytest.mark.parametrize("lang", ["es", "en"])
@pytest.mark.parametrize("choice", SAYS)
def test_what_the_sensors_see_otherwise_is_drawn_and_the_table_may_insist(
    referee: ScriptedReferee, open_page: Open, choice: str, lang: str
) -> None:
    view, name, args = SAYS[choice]
    told = dict(TOLD)
    if choice == "laid":
        told |= {"expected": 6, "absent": [], "extra": [view["board"]["stones"][0]]}
    refused = Answer("refused", "unlike", {"args": told})
    referee.reply = lambda command: Answer("applied") if command["args"].get("insist") else refused
    referee.show(view)
    page, texts = open_page("/g/g1", "small", lang).page, texts_of(lang, "common", "live", "sheet")
    page.locator("#choices").get_by_role("button", name=texts[f"choice_{choice}"]).click()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_text(translate(texts, "unlike_seen", **told))).to_be_visible()
    expect(sheet.locator("svg .ghost")).to_have_count(1 if choice == "put_back" else 2)
    expect(sheet.locator("svg .glow")).to_have_count(0 if choice == "put_back" else 1)
    assert Axe().run(page).violations_count == 0
    button = sheet.get_by_role("button", name=texts["unlike_insist"])
    expect(button).to_be_in_viewport(ratio=1)
    button.focus()
    page.keyboard.down("Enter")
    sent = referee.wait_posted(2)
    page.keyboard.up("Enter")
    assert [(each["name"], each["args"]) for each in sent] == [(name, args), (name, {**args, "insist": True})]
    expect(sheet).to_have_count(0)


@pytest.mark.rule("Y21")
def test_the_sheet_goes_when_the_stone_is_seen_again(referee: ScriptedReferee, open_page: Open) -> None:
    referee.reply = lambda command: UNLIKE
    referee.show(ASKED)
    page = open_page("/g/g1", "small", "en").page
    page.locator("#choices").get_by_role("button", name="It is put back").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    referee.show(scenes.game())
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.rule("Y22")
@pytest.mark.parametrize("lang", ["es", "en"])
def test_what_was_insisted_on_after_an_undo_tells_why_and_is_not_doubted_by_itself(
    referee: ScriptedReferee, open_page: Open, lang: str
) -> None:
    view = scenes.game()
    newest = view["rulings"][-1]["n"]
    view["rulings"].append(scenes.ruling(newest, "laid", "Y22", None, how="laid", insisted=True, seen=7, expected=6))
    referee.show(view)
    page = open_page("/g/g1", "small", lang).page
    texts = texts_of(lang, "common", "live", "menu", "rulings", "clauses", "doubt")
    page.locator("#menu").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text(texts["rulings"]).click()
    dialog.get_by_text(texts["ruling_laid_insisted"]).click()
    expect(dialog.get_by_text(translate(texts, "seen_insisted", seen=7, expected=6))).to_be_visible()
    expect(dialog.get_by_text(texts["doubt"])).to_have_count(0)
