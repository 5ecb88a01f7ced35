"""The live page in a real browser: what it shows, what it sends, how much it loads, whether all fits."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from companion.views.port import Answer
from tests.web import scenes
from tests.web.hands import touch
from tests.web.harness import Opened
from tests.web.scripted import ScriptedReferee
from web.language import texts_of, translate

Open = Callable[..., Opened]

BUDGET_BYTES = 40_000
BUDGET_REQUESTS = 8
AFTER_LIVE = ("/js/second.js", "/calls.json", "/yikerz-second.css")
"""What a page asks for once the stream has said that it is live: three requests more."""


MARKS = itertools.cycle(range(1, 10))  # piles of one digit, as six players have


def states(now_us: int, players: int) -> dict[str, dict[str, Any]]:
    """Every state in which something can be pressed or read."""
    due = {"call": {"player": 0, "state": "due"}}
    hurt = {"sensors": "lost", "health": {"state": "lost", "faults": ["link_lost"]}}
    return {
        "turn": scenes.game(players),
        "countdown": scenes.settling(now_us, 9.6, players),
        "removing": scenes.removing(players),
        "question": scenes.asking(players),
        "three_choices": scenes.unsure(players),
        "doubted": scenes.game(players, dispute={"ruling": 2, "player": 1, "by": "Beto", "since_us": None}),
        "laying": scenes.laying(players),
        "due": scenes.game(players, on_board=18) | due,
        "by_hand": scenes.by_hand(scenes.game(players) | due),
        "by_hand_removing": scenes.by_hand(scenes.removing(players)),
        "lost": scenes.settling(now_us, 5, players) | hurt,
        "left": scenes.by_hand(scenes.settling(now_us, 9.6, players) | {"unwatched": True}),
        "differs": scenes.game(players, differs={"seen": 17, "expected": 18})
        | {"health": {"state": "ok", "faults": ["multiplexer_missing:A1"]}},
        "round_end": scenes.won(players),
    }


def shown_version(page: Page, version: int) -> None:
    """Wait until the page has drawn a view whose players carry this many stones (a mark of the version)."""
    expect(page.locator("#players .player b").first).to_have_text(str(version))


CLIPPED = """() => {
  const bad = [];
  const seen = [...document.querySelectorAll("header *, #stage, #strip, #players, #players *, #actions *, #digits")];
  for (const e of seen) {
    const r = e.getBoundingClientRect();
    if (!r.width || e.className === "unseen") continue;
    const name = e.id || e.className || e.tagName;
    const outside = r.left < -0.5 || r.top < -0.5 || r.right > innerWidth + 0.5 || r.bottom > innerHeight + 0.5;
    if (outside) bad.push(["outside", name]);
    const cut = !["name", "title", "line", "digits"].includes(e.id || e.className);
    const wide = /BUTTON|P|SPAN|B|STRONG/.test(e.tagName) && e.clientWidth && e.scrollWidth > e.clientWidth + 1;
    const high = /BUTTON|P/.test(e.tagName) && e.scrollHeight > e.clientHeight + 1;
    if (cut && (wide || high)) bad.push(["cut", name, e.textContent]);
  }
  if (document.documentElement.scrollHeight > innerHeight) bad.push(["scrolls"]);
  return bad;
}"""

TARGETS = """() => [...document.querySelectorAll("button, a, input, select")]
  .map((e) => [e.id || e.className, e.getBoundingClientRect()])
  .filter(([, r]) => r.width).map(([n, r]) => [n, r.width, r.height, r.left, r.top, r.right, r.bottom])"""


def too_small_or_close(page: Page) -> list[Any]:
    """Targets under 48 x 48, primary ones under 64 high, the call under 88; pairs nearer than 6 px."""
    boxes = page.evaluate(TARGETS)
    low = {"main": 64, "last": 88}
    bad = [box for box in boxes if box[1] < 48 or box[2] < low.get(box[0], 48)]
    for k, (name, _, _, left, top, right, bottom) in enumerate(boxes):
        for other, _, _, left2, top2, right2, bottom2 in boxes[k + 1 :]:
            gap = max(left2 - right, left - right2, top2 - bottom, top - bottom2)
            if gap < 5.9:
                bad.append([name, other, gap])
    return bad


@pytest.mark.parametrize("lang", ["es", "en"])
@pytest.mark.parametrize("players", [2, 6])
def test_everything_fits_a_small_phone_without_scrolling(
    referee: ScriptedReferee, open_page: Open, lang: str, players: int
) -> None:
    views = states(referee.clock_us, players)
    referee.show(views["turn"])
    page = open_page("/g/g1", "small", lang).page
    for mark, (name, view) in zip(MARKS, views.items(), strict=False):
        view["players"][0]["pile"] = mark
        referee.show(view)
        shown_version(page, mark)
        if choices := {"question": 2, "three_choices": 3, "doubted": 2, "laying": 2}.get(name):
            expect(page.locator("#choices button")).to_have_count(choices)
        if name == "left":
            expect(page.locator("#strip")).to_have_text(str(texts_of(lang, "sheet")["unwatched"]))
        if name == "differs":
            texts = texts_of(lang, "sheet")
            both = f"{texts['faults_part']} · {translate(texts, 'differs', seen=17, expected=18)}"
            expect(page.locator("#strip")).to_have_text(both)
        assert page.evaluate(CLIPPED) == [], name
        assert too_small_or_close(page) == [], name


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("size", "lang", "scheme"),
    [
        ("small", "es", "light"),
        ("screen", "en", "dark"),
        pytest.param("phone", "en", "light", marks=SLOW),
        pytest.param("small", "es", "dark", marks=SLOW),
        pytest.param("screen", "es", "light", marks=SLOW),
    ],
)
def test_axe_finds_nothing_in_any_state(
    referee: ScriptedReferee, open_page: Open, size: str, lang: str, scheme: str
) -> None:
    views = states(referee.clock_us, 6)
    referee.show(views["turn"])
    page = open_page("/g/g1", size, lang, color_scheme=scheme).page
    for mark, (name, view) in zip(MARKS, views.items(), strict=False):
        view["players"][0]["pile"] = mark
        referee.show(view)
        shown_version(page, mark)
        found = Axe().run(page)
        assert found.violations_count == 0, (name, found.generate_report())


@pytest.mark.parametrize("lang", ["es", pytest.param("en", marks=SLOW)])
def test_axe_finds_nothing_in_the_sheets(referee: ScriptedReferee, open_page: Open, lang: str) -> None:
    referee.show(scenes.by_hand(scenes.game(6)))
    page = open_page("/g/g1", "small", lang).page
    for sheet in SHEETS:
        check_sheet(page, sheet)


SHEETS: dict[str, tuple[str, ...]] = {
    "menu": ("#menu",),
    "rulings": ("#menu", ".side >> nth=0"),
    "why": ("#menu", ".side >> nth=0", ".rulings .side >> nth=0"),
    "standings": ("#menu", ".side >> nth=1"),
    "phone": ("#menu", "button.side >> nth=2"),
    "table": ("#menu", "button.side >> nth=3"),
    "piles": ("#menu", "button.side >> nth=3", ".side:not(.hold) >> nth=0"),
    "result": ("#menu", "button.side >> nth=3", ".side:not(.hold) >> nth=1", ".wide >> nth=0"),
    "players": ("#players",),
    "player": ("#players", ".wide >> nth=0"),
    "count": ("#side0",),
    "hand": ("#side0", ".numbers .side >> nth=0"),
}
"""Each sheet, and what is pressed to come to it."""


def open_sheet(page: Page, sheet: str) -> Any:
    """Open a sheet and wait until it is drawn and styled."""
    first, *more = SHEETS[sheet]
    page.locator(first).click()
    dialog = page.get_by_role("dialog")
    for step, selector in enumerate(more):
        title = dialog.locator("#sheet-title").inner_text()
        dialog.locator(selector).click()
        if (sheet, step) not in (("result", 2), ("hand", 0)):  # these go on in the same sheet, or ask once more
            expect(dialog.locator("#sheet-title")).not_to_have_text(title)  # the next one may still be on its way
    page.wait_for_function(
        "() => { const v = document.querySelector('.veil'); return v && getComputedStyle(v).position === 'fixed' }"
    )
    return dialog


def check_sheet(page: Page, sheet: str) -> None:
    """Open a sheet, look at it with axe, close it by key."""
    dialog = open_sheet(page, sheet)
    if sheet == "hand":
        expect(dialog.locator(".side")).to_have_count(3)
    if sheet == "why":
        expect(dialog.locator(".clause")).to_contain_text("Y26")
    assert [box for box in page.evaluate(TARGETS) if box[1] < 48 or box[2] < 48] == [], sheet
    found = Axe().run(page)
    assert found.violations_count == 0, (sheet, found.generate_report())
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_the_first_load_is_small_and_nothing_comes_from_elsewhere(
    referee: ScriptedReferee, server: Any, open_page: Open
) -> None:
    view = scenes.game(6, on_board=14)
    view["rulings"] = [scenes.ruling(n, "turn_end", "Y13", n % 6, reason="ten_seconds") for n in range(20, 30)]
    referee.show(view)
    opened = open_page("/g/g1", "small", "es")
    page = opened.page
    page.wait_for_function("() => document.getElementById('board').querySelectorAll('.stone').length === 14")
    before_live = [r for r in opened.requests if not r.url.endswith(("/clock", *AFTER_LIVE))]
    assert all(r.url.startswith((server.url, "data:")) for r in opened.requests)
    wire = [r for r in before_live if not r.url.startswith("data:")]
    assert len(wire) + 1 <= BUDGET_REQUESTS, [r.url for r in wire]
    sizes = {r.url: len(r.response().body()) for r in wire if "/events" not in r.url}
    first_beat = 80  # the view came with the page, so the stream begins with a beat
    assert sum(sizes.values()) + first_beat <= BUDGET_BYTES, sizes


def luminance(rgb: list[int]) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: str, other: str) -> float:
    """Contrast of two css colours as the browser computes them."""
    import re

    a, b = (luminance([int(float(x)) for x in re.findall(r"[\d.]+", colour)[:3]]) for colour in (one, other))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_clock_turn_and_call_stand_out_seven_to_one(referee: ScriptedReferee, open_page: Open, scheme: str) -> None:
    referee.show(scenes.settling(referee.clock_us))
    page = open_page("/g/g1", color_scheme=scheme).page
    expect(page.locator("#digits")).to_have_text("8")
    css = "(e, p) => getComputedStyle(e)[p]"
    digits = page.locator("#digits")
    assert contrast(digits.evaluate(css, "color"), digits.evaluate(css, "webkitTextStrokeColor")) >= 7
    for part in ("#title", "#line"):
        ink = page.locator(part).evaluate(css, "color")
        assert contrast(ink, page.locator("#turn").evaluate(css, "backgroundColor")) >= 7
    call = page.locator("#call")
    for number, (kind, look) in enumerate(
        (("collapse", "fault"), ("call_said", "said"), ("round_end", "win")), start=10
    ):
        view = scenes.settling(referee.clock_us)
        view["rulings"].append(scenes.ruling(number, kind, "Y10", 0))
        referee.show(view)
        expect(call).to_have_class(look)
        expect(call).to_be_visible()
        assert contrast(call.evaluate(css, "color"), call.evaluate(css, "backgroundColor")) >= 7


def test_the_countdown_is_deadline_minus_server_time_and_stale_data_shows_none(
    referee: ScriptedReferee, open_page: Open
) -> None:
    referee.show(scenes.settling(referee.clock_us, 7.5))
    page = open_page("/g/g1").page
    digits = page.locator("#digits")
    expect(digits).to_have_text("8")
    referee.show(scenes.settling(referee.clock_us, 2.5))
    expect(digits).to_have_text("3")
    referee.show(scenes.settling(referee.clock_us, -0.1))
    expect(digits).to_have_text("0")
    expect(page.locator("#checking")).not_to_be_empty()
    referee.show(scenes.unsure(deadline_us=referee.clock_us - 100_000))  # it waits for people, and checks nothing
    expect(digits).to_have_text("")
    expect(page.locator("#checking")).to_be_empty()
    lost = {"sensors": "lost", "health": {"state": "lost", "faults": []}}
    referee.show(scenes.settling(referee.clock_us, 6) | lost)
    expect(digits).to_have_text("–")
    expect(page.locator("#strip.bad")).to_be_visible()
    referee.show(scenes.settling(referee.clock_us, 6))
    expect(digits).to_have_text("6")
    expect(page.locator("#strip")).not_to_have_class("bad")  # it may say how well the clock is known


def test_a_press_is_sent_once_with_version_time_and_player(referee: ScriptedReferee, open_page: Open) -> None:
    referee.show(scenes.by_hand(scenes.game(3)))
    page = open_page("/g/g1").page
    expect(page.locator("#main")).to_be_enabled()
    page.locator("#main").dblclick()
    posted = referee.wait_posted(1)
    expect(page.locator("#main")).to_be_enabled()
    first = posted[0]
    assert (first["name"], first["version"], first["player"], first["game"]) == ("placed", 7, 0, "g1")
    assert abs(first["press_us"] - referee.clock_us) < 30_000_000
    assert len(first["id"]) == 32
    page.locator("#side0").click()
    page.get_by_role("dialog").get_by_text("3", exact=True).click()
    page.get_by_role("dialog").locator(".side").last.click()
    collapsed = [c for c in referee.wait_posted(2) if c["name"] == "collapsed"]
    assert collapsed[0]["args"] == {"n": 3, "hand": "none"}


def test_undo_needs_a_second_of_holding(referee: ScriptedReferee, open_page: Open) -> None:
    referee.show(scenes.game())
    page = open_page("/g/g1", "phone", "en").page
    undo = page.locator("#undo")
    touch(undo)
    expect(page.locator("#strip")).to_contain_text("press and hold")
    assert referee.posted == []
    undo.hover()
    page.mouse.down()
    expect(undo).not_to_have_class("holding")  # it lets go by itself when the second is over
    page.mouse.up()
    assert [c["name"] for c in referee.wait_posted(1)] == ["undo"]


def test_a_question_is_answered_by_its_number(referee: ScriptedReferee, open_page: Open) -> None:
    referee.show(scenes.asking())
    page = open_page("/g/g1", "small", "es").page
    expect(page.locator("#hint")).to_contain_text("Beto")
    page.locator("#choices button").nth(1).click()
    assert referee.wait_posted(1)[0]["args"] == {"question": 5, "choice": "not_said"}


def test_a_refusal_is_told_in_the_phones_language(referee: ScriptedReferee, open_page: Open) -> None:
    referee.reply = lambda command: Answer("refused", "call_no_effect")
    referee.show(scenes.game())
    page = open_page("/g/g1", "small", "es").page
    page.locator("#last").click()
    expect(page.locator("#strip")).to_contain_text("Aún no")


def test_a_spectator_sees_everything_and_cannot_press(referee: ScriptedReferee, open_page: Open) -> None:
    referee.show(scenes.by_hand(scenes.game()))
    page = open_page("/g/g1", "small", "es", code=False).page
    expect(page.locator(".watching")).to_be_visible()
    expect(page.locator("#actions button")).to_have_count(0)
    referee.show(scenes.by_hand(scenes.game()) | {"turn": 1})
    expect(page.locator("#title")).to_have_text("Beto")


def test_the_board_turns_to_my_seat(referee: ScriptedReferee, open_page: Open) -> None:
    referee.show(scenes.game(2, layout="row"))
    page = open_page("/g/g1", "phone", "en").page
    first_stone = page.locator(".stone").first
    before = first_stone.get_attribute("transform")
    page.locator("#players").click()
    page.get_by_role("dialog").get_by_text("Beto").click()
    page.get_by_role("dialog").locator(".side").first.click()
    expect(first_stone).not_to_have_attribute("transform", before or "")
    x, y = (float(n) for n in (before or "")[10:-1].split())
    expect(first_stone).to_have_attribute("transform", f"translate({-x:g} {-y:g})")


def test_a_lost_server_is_told_and_found_again(referee: ScriptedReferee, server: Any, open_page: Open) -> None:
    from web.serve import serve

    referee.show(scenes.settling(referee.clock_us, 6))
    opened = open_page("/g/g1", "small", "en")
    page = opened.page
    expect(page.locator("#digits")).to_have_text("6")
    server.close()
    expect(page.locator("#strip.bad")).to_be_visible()
    expect(page.locator("#digits")).to_have_text("–")
    again = serve(referee, "127.0.0.1", server.tcp_port)
    try:
        expect(page.locator("#digits")).to_have_text("6")
        expect(page.locator("#strip")).not_to_have_class("bad")
    finally:
        page.context.close()
        again.close()
    opened.errors.clear()  # the browser's own words about the refused connection


def test_names_are_text_in_the_page(referee: ScriptedReferee, open_page: Open) -> None:
    view = scenes.game()
    view["players"][0]["name"] = "<img src=x onerror=document.title='owned'>"
    referee.show(view)
    page = open_page("/g/g1").page
    expect(page.locator("#title")).to_contain_text("<img")
    page.locator("#players").click()
    expect(page.get_by_role("dialog")).to_contain_text("<img")
    assert page.locator("img").count() == 0
    assert page.title() != "owned"


def test_a_press_that_waits_for_its_time_is_told_when_it_is_judged(referee: ScriptedReferee, open_page: Open) -> None:
    referee.reply = lambda command: Answer("received")
    referee.show(scenes.by_hand(scenes.game()))
    page = open_page("/g/g1", "small", "en").page
    page.locator("#main").click()
    expect(page.locator("#strip")).to_contain_text("Got it")
    identity = referee.wait_posted(1)[0]["id"]
    decided = {"answers": {identity: {"status": "refused", "code": "stone_in_play"}}}
    referee.show(scenes.by_hand(scenes.game()) | decided)
    expect(page.locator("#strip")).to_contain_text("One magnet")


def test_an_undo_is_shown_to_all_and_what_follows_is_called_anew(referee: ScriptedReferee, open_page: Open) -> None:
    view = scenes.game()
    view["rulings"].append(scenes.ruling(4, "collapse", "Y10", 0, count=2))
    referee.show(view)
    page = open_page("/g/g1", "small", "en").page
    expect(page.locator("#title")).to_have_text("Ana")
    undone = scenes.game() | {"undone": 1}
    undone["rulings"].append(scenes.ruling(5, "turn_end", "Y13", 0, reason="ten_seconds"))
    referee.show(undone)
    expect(page.locator("#call")).to_have_text("Taken back")
    undone["rulings"].append(scenes.ruling(6, "collapse", "Y10", 0, count=2))
    referee.show(undone)
    expect(page.locator("#call")).to_contain_text("Snap!")


@pytest.mark.failure("I9")
def test_a_phone_stays_its_players_when_the_seats_are_others(referee: ScriptedReferee, open_page: Open) -> None:
    """The board turns to where that player sits now."""
    view = scenes.game(3)
    referee.show(view)
    page = open_page("/g/g1", "phone", "en").page
    lowest = """() => [...document.querySelectorAll(".seats .token")].sort((a, b) =>
      b.getBoundingClientRect().top - a.getBoundingClientRect().top)[0].textContent"""
    page.locator("#players").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Beto").click()
    dialog.get_by_text("Turn the board").click()
    expect(dialog).to_have_count(0)
    page.wait_for_function(f"({lowest})() === 'B'")
    ana, beto, carla = view["players"]
    order = [carla, ana, beto]
    referee.show(view | {"players": [p | {"seat": seat} for seat, p in enumerate(order)]})
    expect(page.locator("#players .player").first).to_contain_text("Carla")
    page.wait_for_function(f"({lowest})() === 'B'")
