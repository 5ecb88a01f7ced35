"""Properties of the pages that no other test holds: joining, digits, other places of one phone, two games at once.

Loads and requests, tap targets, contrast, what fits without scrolling: test_web_live_page.py. Clock: js/clock.test.mjs.
Loss and return: js/live.test.mjs, test_web_server.py. Presses: js/commands.test.mjs, test_web_answers.py. The bench of
the timed ones: tests/bench.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.views.port import Document
from tests.web import scenes
from tests.web.harness import Opened
from tests.web.scripted import ScriptedReferee

Open = Callable[..., Opened]


def test_from_the_qr_to_the_live_page_it_is_one_name_one_tap_and_few_requests(
    referee: ScriptedReferee, open_page: Open
) -> None:
    referee.show(scenes.game(4))
    entry = {"game": "g1", "kind": "yikerz", "phase": "turn", "players": [], "holds": False}
    referee.show_lobby({"table": "Mesa", "sensors": "held", "games": [entry]})
    opened = open_page(referee.join_path(), "small", "es", code=False)
    page = opened.page
    page.locator("#name").fill("Ana")
    page.locator("button.main").click()
    page.wait_for_url("**/g/g1")
    expect(page.locator(".stone")).to_have_count(7)
    asked = [r for r in opened.requests if not r.url.startswith("data:") and not r.url.endswith("/clock")]
    live = ("/js/second.js", "/calls.json", "/yikerz-second.css")
    assert (
        len([r for r in asked if not r.url.endswith(live)]) <= 12
    )  # two redirects, two pages, their parts, the stream


@pytest.mark.parametrize(("size", "left_s"), [("small", 9.6), ("small", 5), ("phone", 9.6), ("phone", 5)])
def test_the_countdown_is_large_and_covers_nothing(
    referee: ScriptedReferee, open_page: Open, size: str, left_s: float
) -> None:
    referee.show(scenes.settling(referee.clock_us, left_s, 6))
    page = open_page("/g/g1", size, "es").page
    expect(page.locator("#digits")).not_to_be_empty()
    digits, board = page.locator("#digits").bounding_box(), page.locator("#board").bounding_box()
    assert digits is not None
    assert board is not None
    font = page.locator("#digits").evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    assert max(digits["width"], font) >= 0.4 * page.evaluate("innerWidth")
    beside = digits["x"] + digits["width"] <= board["x"] + 1
    above = digits["y"] + digits["height"] <= board["y"] + 1
    assert beside or above
    assert board["width"] >= 130
    assert board["height"] >= 130


@pytest.mark.parametrize("lang", ["es", "en"])
@pytest.mark.parametrize("size", [(320, 460), (360, 640), (375, 667), (390, 700), (412, 800)])
def test_the_digits_are_not_cut_on_any_phone(
    referee: ScriptedReferee, open_page: Open, size: tuple[int, int], lang: str
) -> None:
    referee.show(scenes.game(6))
    page = open_page("/g/g1", "small", lang).page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for left_s, shown in ((9.6, "10"), (4.5, "5"), (0, "0")):
        referee.show(scenes.settling(referee.clock_us, left_s, 6))
        expect(page.locator("#digits")).to_have_text(shown)
        digits, strip = page.locator("#digits").bounding_box(), page.locator("#clock").bounding_box()
        assert digits is not None
        assert strip is not None
        assert digits["y"] >= strip["y"], shown
        assert digits["y"] + digits["height"] <= strip["y"] + strip["height"], shown
        assert digits["x"] >= strip["x"], shown
        assert digits["x"] + digits["width"] <= strip["x"] + strip["width"], shown


@pytest.mark.failure("H5", "H6", "H8")
def test_a_phone_on_plain_http_misses_nothing_but_what_it_cannot_have(
    referee: ScriptedReferee, open_page: Open
) -> None:
    referee.show(scenes.game())
    opened = open_page("/g/g1", "small", "en")
    page = opened.page
    page.add_init_script(
        "for (const name of ['wakeLock', 'vibrate', 'serviceWorker', 'clipboard']) "
        "Object.defineProperty(Navigator.prototype, name, { value: undefined });"
        "for (const name of ['AudioContext', 'webkitAudioContext', 'speechSynthesis'])"
        "Object.defineProperty(window, name, { value: undefined });"
        "localStorage.setItem('sound', 'on');"
    )
    page.reload()
    page.locator("#menu").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("This phone").click()
    expect(dialog.get_by_text("set the phone to lock later")).to_be_visible()
    expect(dialog.get_by_text("Say it aloud")).to_have_count(0)  # what the phone cannot do is not offered
    page.keyboard.press("Escape")
    hurt = scenes.removing()
    referee.show(hurt)
    expect(page.locator("#call")).to_have_class("fault")  # the word and the flash stand in for what it cannot do
    expect(page.locator("body")).to_have_attribute("data-call", "fault")


def test_this_phone_may_be_left_handed_still_and_without_reading(referee: ScriptedReferee, open_page: Open) -> None:
    referee.show(scenes.by_hand(scenes.game()))
    page = open_page("/g/g1", "small", "en").page
    page.locator("#menu").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("This phone").click()
    before = page.locator("#undo").bounding_box()
    for label in ("Buttons for the left hand", "No movement", "Pictures instead of reading"):
        dialog.get_by_role("switch", name=label).click()
        expect(dialog.get_by_role("switch", name=label)).to_have_attribute("aria-checked", "true")
    page.reload()
    after = page.locator("#undo").bounding_box()
    page.wait_for_function("() => getComputedStyle(document.getElementById('main'), '::before').content.includes('✋')")
    after = page.locator("#undo").bounding_box()
    assert before is not None
    assert after is not None
    assert after["x"] > before["x"] + 100


@pytest.mark.failure("F6")
@pytest.mark.rule("Y17", "Y29", "Y30")
@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("last_stone_waits", "the last magnet has its 10 seconds"),
        ("stones_to_take", "magnets have to be taken back first"),
        ("not_let_go", "still in the hand"),
        ("not_in_turn", "not in turn"),
    ],
)
def test_who_comes_too_early_is_told_what_to_wait_for(
    referee: ScriptedReferee, open_page: Open, code: str, says: str
) -> None:
    referee.show(scenes.game() | {"early": {"player": 1, "code": code}})
    page = open_page("/g/g1", "small", "en").page
    expect(page.locator("#strip")).to_contain_text(says)
    referee.show(scenes.game())
    expect(page.locator("#strip")).not_to_contain_text(says)


def test_show_me_plays_what_was_kept_on_the_board(referee: ScriptedReferee, open_page: Open) -> None:
    view: dict[str, Any] = scenes.game()
    view["rulings"].append(scenes.ruling(4, "collapse", "Y10", 0, count=2, p=0.97, evidence={"gap_mm": 0.4}))
    referee.show(view)
    page = open_page("/g/g1", "small", "en").page
    page.locator("#menu").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("What happened").click()
    dialog.locator(".rulings .side").first.click()
    expect(dialog).to_contain_text("Distance between them: 0.4 mm")
    expect(dialog).to_contain_text("Sure: 97 %")
    dialog.get_by_text("Show me, slowly").click()
    expect(page.locator("#strip")).to_contain_text("Nothing was kept")
    frames = [{"ms": -5000, "stones": scenes.stones(2, "big_triangle")}]
    clip: dict[str, Any] = {"t_us": 0, "from_ms": -5000, "to_ms": 3000, "frames": frames}
    referee.documents["g1", "clip/4"] = Document("application/json", "clip.json", json.dumps(clip).encode())
    page.locator("#menu").click()
    dialog.get_by_text("What happened").click()
    dialog.locator(".rulings .side").first.click()
    dialog.get_by_text("Show me, slowly").click()
    expect(page.locator(".stone")).to_have_count(2)
    expect(page.locator("#strip")).to_have_text("Slowly: 3 s before it")
    whole = page.locator("#board").get_attribute("viewBox")
    page.locator("#board").dispatch_event("pointerdown")  # enough of it
    expect(page.locator(".stone")).to_have_count(7)
    clip["frames"] = [{"ms": ms, "stones": [{"track": 3, "x": 20 + ms / 50, "y": 4}]} for ms in range(-2500, 500, 100)]
    text = json.dumps(clip | {"stones": [3], "from_ms": 0}).encode()
    referee.documents["g1", "clip/4"] = Document("application/json", "clip.json", text)
    page.locator("#menu").click()
    dialog.get_by_text("What happened").click()
    dialog.locator(".rulings .side").first.click()
    dialog.get_by_text("Show me, slowly").click()
    expect(page.locator("#board .halo")).to_have_count(1)  # it has happened
    expect(page.locator("#strip")).to_contain_text("That was it: Snap!")
    expect(page.locator("#board")).not_to_have_attribute("viewBox", whole or "")  # from near
    expect(page.locator("body")).to_have_attribute("data-clip", "yes")
    page.locator("#board").dispatch_event("pointerdown")
    expect(page.locator("#board")).to_have_attribute("viewBox", whole or "")
