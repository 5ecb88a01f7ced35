"""A dispute with all that the product is: a recording is refereed by the table process and shown on two phones.

Its snap is ruled, doubted on one phone and taken back on the other; the board is guided, and the game goes on.
"""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.process.referee.service import Service
from tests.process.shown import until
from tests.web.engines import chromium
from tests.web.recorded import serving
from tests.web.scripted import CODE

pytestmark = pytest.mark.slow

RECORDING = Path(__file__).parent.parent / "data" / "recordings" / "nominal-snap2_removed-a"


def press_in_sheet(page: Page, *labels: str) -> None:
    """Open the menu and press these, one sheet after the other."""
    page.locator("#menu").click()
    for label in labels:
        page.get_by_role("dialog").get_by_text(label).first.click()


@pytest.mark.rule("Y10", "Y22")
def test_a_ruled_snap_is_doubted_taken_back_and_the_board_guided_until_the_game_goes_on(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(RECORDING, 1.0, tmp_path) as (service, url):
        service.follow_recording(json.loads((RECORDING / "game.json").read_text("utf-8")))
        service.start()
        doubted_and_taken_back(service, url, browser)


def doubted_and_taken_back(service: Service, url: str, browser: Browser) -> None:
    until(service, lambda view: "collapse" in [ruling["kind"] for ruling in view["rulings"]])
    taken = until(service, lambda view: view["sensors"] == "none" and not view["remove"])  # the recording is over
    assert [player["pile"] for player in taken["players"]] == [9, 11]
    with chromium(browser, "en") as one, chromium(browser, "en") as two:
        for phone in (one, two):
            phone.goto(f"{url}/j?c={CODE}")
            phone.goto(f"{url}/g/g1")
        press_in_sheet(one.page, "What happened", "Snap!", "We doubt this")
        expect(two.page.locator("#hint")).to_contain_text("Snap!")
        two.page.get_by_role("button", name="Yes, take it back").click()
        two.page.get_by_role("dialog").locator(".wide").first.click()
        for phone in (one, two):  # one stone lay there before the snap; the other was in the hand
            expect(phone.page.locator("#hint")).to_have_text("Undone. Lay the magnets as drawn: 1 back")
            expect(phone.page.locator("#board .ghost")).to_have_count(1)
            expect(phone.page.locator("#title")).to_have_text("P2")
        guided = until(service, lambda view: bool(view.get("laying")))
        assert [player["pile"] for player in guided["players"]] == [9, 10]
        two.page.get_by_role("button", name="It lies so now").click()
        until(service, lambda view: not view.get("laying") and view["on_board"] == 1)
        main = one.page.locator("#main")
        expect(main).to_have_text("Placed, hand away")
        expect(main).to_be_enabled()
        main.click()
        on = until(service, lambda view: [player["pile"] for player in view["players"]] == [9, 9])
        assert ("placed", 1) in [(ruling["kind"], ruling["player"]) for ruling in on["rulings"][-2:]]
