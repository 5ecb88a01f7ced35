"""The page of Tiki Topple in a real browser, its presses taken by the real rules."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from companion.games.game import Command
from companion.views.port import Answer, Document
from tests.web.hands import keep_pressed
from tests.web.harness import Opened
from tests.web.scripted import ScriptedReferee
from tests.web.test_web_live_page import BUDGET_BYTES, BUDGET_REQUESTS
from tests.web.tiki_scenes import LINE, TikiGame, every_phase

Open = Callable[..., Opened]
SLOW = pytest.mark.slow

OUTSIDE = """() => [...document.querySelectorAll("#page button, #page a, #page p, #page strong, #players > span")]
  .filter((e) => getComputedStyle(e).visibility !== "hidden")
  .map((e) => [e.id || e.className, e.getBoundingClientRect(), e])
  .filter(([, r, e]) => r.width && (r.left < 0 || r.top < 0 || r.right > innerWidth || r.bottom > innerHeight
    || (e.tagName === "BUTTON" && e.scrollHeight > e.clientHeight + 2)))
  .map(([name, r]) => [name, r.left, r.top, r.right, r.bottom])"""
TARGETS = """() => [...document.querySelectorAll("button, a, select")]
  .map((e) => [e.id || e.className, e.getBoundingClientRect()])
  .filter(([, r]) => r.width).map(([n, r]) => [n, r.width, r.height, r.left, r.top, r.right, r.bottom])"""
AFTER_LIVE = ("/js/tiki-second.js", "/css/tiki-second.css", "_second.json")
"""What a page asks for once it is live."""


def too_small_or_close(page: Page) -> list[Any]:
    """Targets under 48 x 48 px, the primary one under 64 high, and pairs nearer than 5 px."""
    boxes = page.evaluate(TARGETS)
    bad = [box for box in boxes if box[1] < 48 or box[2] < (64 if box[0] == "main" else 48)]
    for k, (name, _, _, left, top, right, bottom) in enumerate(boxes):
        for other, _, _, left2, top2, right2, bottom2 in boxes[k + 1 :]:
            if max(left2 - right, left - right2, top2 - bottom, top - bottom2) < 4.9:
                bad.append([name, other])
    return bad


def entries(game: TikiGame) -> list[dict[str, Any]]:
    """As the referee lists them."""
    out = []
    for item in game.kind.readable(game.folded.commands):
        assert isinstance(item.entry, Command)
        args = dict(item.entry.args)
        out.append({"entry": item.number, "name": item.entry.name, "player": item.entry.player, "by": "", "args": args})
    return out


def list_entries(referee: ScriptedReferee, game: TikiGame) -> None:
    listed = json.dumps({"entries": entries(game)}).encode()
    referee.documents["g1", "entries"] = Document("application/json", "entries.json", listed)


@pytest.mark.parametrize("lang", ["es", "en"])
def test_every_phase_fits_a_small_phone_without_scrolling(referee: ScriptedReferee, open_page: Open, lang: str) -> None:
    for name, view in every_phase().items():
        referee.show(view)
        page = open_page("/g/g1", "small", lang).page
        expect(page.locator("#players .player")).to_have_count(4)
        shown = {"revealed": 4, "over": 4}.get(name, 0)
        expect(page.locator(".rows .shown")).to_have_count(shown)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), name
        assert page.evaluate(OUTSIDE) == [], name
        assert too_small_or_close(page) == [], name


@pytest.mark.parametrize(
    ("size", "lang", "scheme"),
    [
        ("small", "es", "light"),
        pytest.param("screen", "en", "dark", marks=SLOW),
        pytest.param("phone", "en", "light", marks=SLOW),
        pytest.param("small", "es", "dark", marks=SLOW),
    ],
)
def test_axe_finds_nothing_in_any_phase(
    referee: ScriptedReferee, open_page: Open, size: str, lang: str, scheme: str
) -> None:
    phases = every_phase()
    referee.show(phases["play"])
    page = open_page("/g/g1", size, lang, color_scheme=scheme, reduced_motion="reduce").page
    page.locator(".card-button").nth(1).click()
    for name, view in phases.items():
        referee.show(view)
        page.wait_for_function(f"() => document.body.dataset.phase === '{view['phase']}'")
        found = Axe().run(page)
        assert found.violations_count == 0, (name, found.generate_report())
    page.evaluate("document.body.dataset.fresh = 'no'")  # greyed, as what is old, it is still to be read
    assert Axe().run(page).violations_count == 0


@pytest.mark.parametrize("lang", ["es", pytest.param("en", marks=SLOW)])
def test_axe_finds_nothing_in_the_sheets(referee: ScriptedReferee, open_page: Open, lang: str) -> None:
    game = TikiGame().scored().lined_up().first_turns().entered(2)
    referee.show(game.view())
    list_entries(referee, game)
    page = open_page("/g/g1", "small", lang, reduced_motion="reduce").page
    dialog = page.get_by_role("dialog")
    page.locator("#menu").click()
    expect(dialog).to_be_visible()
    for at in range(page.locator(".panel-body > button").count()):
        label = page.locator(".panel-body > button").nth(at).inner_text()
        if at < 5 or "seat" in label or "sitio" in label:
            page.locator(".panel-body > button").nth(at).click()
            expect(dialog).to_be_visible()
        page.wait_for_function("() => getComputedStyle(document.querySelector('.veil')).position === 'fixed'")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), label
        found = Axe().run(page)
        assert found.violations_count == 0, (label, found.generate_report())
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        page.locator("#menu").click()
        expect(dialog).to_be_visible()


@pytest.mark.parametrize(
    ("lang", "tip", "there", "lacking"),
    [
        ("es", "Cartas secretas: toca la tuya", "✓ puesta", "ponerla"),
        ("en", "Secret cards: tap yours", "✓ in", "enter it"),
    ],
)
def test_whose_secret_card_is_lacking_at_the_end_of_a_round_stands_there_in_words(
    open_page: Open, referee: ScriptedReferee, lang: str, tip: str, there: str, lacking: str
) -> None:
    referee.show(every_phase()["ended"])
    page = open_page("/g/g1", "small", lang).page
    expect(page.locator(".enter small")).to_have_text([there] * 3 + [lacking])
    expect(page.locator("#cards .tip")).to_have_text(tip)
    over = "document.querySelector('.enter').getBoundingClientRect().bottom"
    assert page.evaluate(f"{over} <= document.getElementById('points').getBoundingClientRect().top")


def test_the_first_load_is_small(referee: ScriptedReferee, server: Any, open_page: Open) -> None:
    game = TikiGame().scored()
    for _ in range(2):  # the last of four rounds: as much history as there is
        game.scored_again()
    referee.show(game.lined_up().first_turns().view())
    opened = open_page("/g/g1", "small", "es")
    expect(opened.page.locator(".tiki")).to_have_count(9)
    wire = [request for request in opened.requests if not request.url.startswith("data:")]
    assert all(request.url.startswith(server.url) for request in wire)
    wire = [request for request in wire if not request.url.endswith(AFTER_LIVE)]
    assert len(wire) <= BUDGET_REQUESTS, [request.url for request in wire]
    sizes = {r.url: len(r.response().body()) for r in wire if "/events" not in r.url}
    assert sum(sizes.values()) + 80 <= BUDGET_BYTES, sizes


class Followed:
    """A page whose presses the rules take; what they answer is shown."""

    def __init__(self, referee: ScriptedReferee, game: TikiGame) -> None:
        self.referee, self.game, self.seen = referee, game, 0
        referee.show(game.view())

    def taken(self) -> dict[str, Any]:
        """The next press of the page, which the rules must accept."""
        self.seen += 1
        posted = self.referee.wait_posted(self.seen)[self.seen - 1]
        assert self.game.take(posted) == "", posted
        self.referee.show(self.game.view())
        return posted


@pytest.mark.rule("T03", "T17")
def test_the_line_is_tapped_in_from_the_top_and_groups_stay_together(referee: ScriptedReferee, open_page: Open) -> None:
    followed = Followed(referee, TikiGame(3).started())
    page = open_page("/g/g1", "small", "en").page
    page.get_by_role("button", name="Lokahi").click()
    page.get_by_role("button", name="Nani").click(force=True)
    expect(page.locator("#strip")).to_have_text("The three of a group stay together (T03)")
    for name in ("Nui", "Akamai", "Kapu", "Eepo", "Hookipa", "Huhu", "Nani"):
        page.get_by_role("button", name=name).click()
    page.get_by_role("button", name="9: Wikiwiki").or_(page.get_by_role("button", name="Wikiwiki", exact=True)).click()
    page.get_by_role("button", name="That is the line").click()
    order = ["lokahi", "nui", "akamai", "kapu", "eepo", "hookipa", "huhu", "nani", "wikiwiki"]
    assert followed.taken()["args"] == {"line": order}
    expect(page.get_by_role("button", name="1: Lokahi")).to_be_visible()


@pytest.mark.rule("T03")
def test_a_line_can_be_drawn_and_is_one_by_the_rules(referee: ScriptedReferee, open_page: Open) -> None:
    followed = Followed(referee, TikiGame(2).started())
    page = open_page("/g/g1", "small", "es").page
    page.get_by_role("button", name="Sortear la fila").click()
    page.get_by_role("button", name="Así está la fila").click()
    assert sorted(followed.taken()["args"]["line"]) == sorted(LINE)


@pytest.mark.rule("T06", "T07", "T10", "T19")
def test_first_the_card_then_the_tiki_and_what_may_not_be_is_explained(
    referee: ScriptedReferee, open_page: Open
) -> None:
    followed = Followed(referee, TikiGame(2).started().lined_up())
    page = open_page("/g/g1", "small", "en").page
    strip = page.locator("#strip")
    page.get_by_role("button", name="5: Lokahi").click()
    expect(strip).to_have_text("First the card, then the tiki")
    page.get_by_role("button", name="Toast, 2 left").click(force=True)
    expect(strip).to_have_text("No Toast on your first turn of a round (T10)")
    page.get_by_role("button", name="Up 3, 1 left").click()
    page.get_by_role("button", name="2: Wikiwiki").click(force=True)
    expect(strip).to_have_text("Exactly that many places, not fewer (T07)")
    assert referee.posted == []
    page.get_by_role("button", name="5: Lokahi").click()
    posted = followed.taken()
    assert (posted["name"], posted["player"], posted["args"]) == ("play", 0, {"card": "up_3", "tiki": "lokahi"})
    expect(page.get_by_role("button", name="2: Lokahi")).to_be_visible()
    expect(page.locator("#title")).to_have_text("Beto")
    expect(strip).to_have_text("Ana: Up 3, Lokahi 5 → 2 · T07")
    page.locator("#players").click()
    expect(page.get_by_role("dialog").get_by_text("Up 3")).to_be_visible()


@pytest.mark.rule("T12", "T20", "T28")
def test_cards_are_shown_together_with_what_they_earn_and_can_be_put_right(
    referee: ScriptedReferee, open_page: Open
) -> None:
    game = TikiGame(2, mode="quick").started()
    followed = Followed(referee, game)
    page = open_page("/g/g1", "small", "en").page
    for name in ("Nani", "Nui", "Eepo"):
        page.get_by_role("button", name=name).click()
    page.get_by_role("button", name="These three").click()
    assert followed.taken()["args"] == {"places": ["nani", "nui", "eepo"]}
    game.entered(1)
    referee.show(game.view())
    page.get_by_role("button", name="Show the cards").click()
    followed.taken()
    expect(page.locator(".shown .sum")).to_have_text(["16", "?"])
    expect(page.locator("#hint")).to_have_text("Tap a row to enter the missing card")
    page.locator(".shown").nth(1).click()
    dialog = page.get_by_role("dialog")
    for name in ("Kapu", "Nani", "Nui"):
        dialog.get_by_role("button", name=name).click()
    dialog.get_by_role("button", name="Keep it").click()
    assert followed.taken()["args"] == {"tikis": ["kapu", "nani", "nui"]}
    expect(page.locator(".shown .sum")).to_have_text(["16", "7"])
    page.get_by_role("button", name="Count the points").click()
    assert followed.taken()["name"] == "score"
    expect(page.locator(".player b")).to_have_text(["16", "7"])
    expect(page.locator("#title")).to_have_text("Round 2 of 4")


@pytest.mark.rule("T18")
def test_a_card_is_seen_only_while_the_button_is_held(referee: ScriptedReferee, open_page: Open) -> None:
    game = TikiGame(2).started().lined_up()
    followed = Followed(referee, game)
    page = open_page("/g/g1", "small", "en").page
    page.locator("#mine").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Beto").click()
    expect(dialog.get_by_text("Only Beto should look now")).to_be_visible()
    dialog.get_by_role("button", name="It is me").click()
    dialog.get_by_role("button", name="Enter it").click()
    for name in ("Hookipa", "Lokahi", "Nani"):
        dialog.get_by_role("button", name=name).click()
    dialog.get_by_role("button", name="Keep it").click()
    posted = followed.taken()
    assert (posted["name"], posted["player"], posted["args"]) == ("secret", 1, {"tikis": ["hookipa", "lokahi", "nani"]})
    referee.privates["g1", 1, posted["phone"]] = {"tikis": posted["args"]["tikis"], "expected": True}
    expect(dialog).to_have_count(0)
    page.locator("#mine").click()
    dialog.get_by_role("button", name="Beto").click()
    dialog.get_by_role("button", name="It is me").click()
    look = dialog.get_by_role("button", name="Hold to see it")
    expect(dialog.locator(".slots")).to_have_count(0)
    look.hover()
    page.mouse.down()
    expect(dialog.locator(".slots")).to_contain_text("Hookipa")
    page.mouse.up()
    expect(dialog.locator(".slots")).to_have_count(0)


@pytest.mark.rule("T27")
def test_the_line_is_set_by_hand_as_it_lies(referee: ScriptedReferee, open_page: Open) -> None:
    followed = Followed(referee, TikiGame(2).started().lined_up())
    page = open_page("/g/g1", "phone", "en").page
    page.locator("#menu").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Set the line as on the table").click()
    dialog.get_by_role("button", name="Kapu: one place up").click()
    dialog.get_by_role("button", name="Hookipa: out of the line").click()
    dialog.get_by_role("group", name="Ana has played").get_by_role("button", name="Toast").click()
    dialog.get_by_label("Whose turn").select_option("Beto")
    dialog.get_by_role("button", name="It lies like this").click()
    posted = followed.taken()
    assert posted["args"]["line"] == [*LINE[:7], "kapu"]
    assert (posted["args"]["turn"], posted["args"]["hands"][0]) == (1, {"player": 0, "played": ["toast"]})
    expect(page.locator(".tiki")).to_have_count(8)


@pytest.mark.failure("I1", "I3")
@pytest.mark.rule("T28")
def test_an_earlier_round_is_put_right_from_what_is_stored_and_cancelling_changes_nothing(
    referee: ScriptedReferee, open_page: Open
) -> None:
    game = TikiGame(2, mode="quick").started()
    for first in ("nani", "wikiwiki"):
        assert game.press("places", places=[first, "nui", "eepo"]) == ""
        game.entered(2)
        assert (game.press("reveal"), game.press("score")) == ("", "")
    followed = Followed(referee, game)
    list_entries(referee, game)
    before = [p["total"] for p in game.view()["players"]]
    page = open_page("/g/g1", "phone", "en").page
    dialog = page.get_by_role("dialog")

    def open_first() -> None:
        page.locator("#menu").click()
        dialog.get_by_role("button", name="Correct something earlier").click()
        dialog.get_by_role("button", name="On top: Nani, Nui, Eepo").click()
        expect(dialog.locator(".pick .chosen .place")).to_have_text(["1", "2", "3"])

    open_first()
    dialog.get_by_role("button", name="Eepo").click()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert referee.posted == []
    open_first()
    expect(dialog.get_by_role("button", name="It was like this")).to_be_disabled()
    dialog.get_by_role("button", name="Nani").click()
    for name in ("Kapu", "Nui", "Nani"):
        dialog.get_by_role("button", name=name).click()
    dialog.get_by_role("button", name="It was like this").click()
    posted = followed.taken()
    number = next(entry["entry"] for entry in entries(game) if entry["name"] == "places")
    assert (posted["name"], posted["args"]) == ("edit", {"entry": number, "args": {"places": ["kapu", "nui", "nani"]}})
    expect(page.locator("#call")).to_have_text("Corrected")
    after = [p["total"] for p in game.view()["players"]]
    assert before != after
    expect(page.locator(".player b")).to_have_text([str(total) for total in after])


@pytest.mark.failure("I4")
@pytest.mark.rule("T29")
def test_the_end_of_the_game_can_be_undone_from_its_page(referee: ScriptedReferee, open_page: Open) -> None:
    game = TikiGame(2).started()
    assert game.press("leave", 0) == ""
    followed = Followed(referee, game)
    page = open_page("/g/g1", "small", "en").page
    expect(page.locator("#title")).to_have_text("Beto")
    keep_pressed(page.locator("#undo"))
    assert followed.taken()["name"] == "undo"
    expect(page.get_by_role("button", name="Draw a line")).to_be_visible()
    expect(page.locator("#call")).to_have_text("Undone")


@pytest.mark.failure("I9")
@pytest.mark.rule("T05")
def test_seats_change_and_points_stay_with_their_players(referee: ScriptedReferee, open_page: Open) -> None:
    followed = Followed(referee, TikiGame(3).scored())
    before = {p["name"]: p["total"] for p in followed.game.view()["players"]}
    page = open_page("/g/g1", "phone", "en").page
    page.locator("#menu").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Change seats").click()
    dialog.get_by_role("button", name="Carla: one seat earlier").click()
    referee.show(followed.game.view() | {"version": 99})  # news while a list is being put in order
    dialog.get_by_role("button", name="Carla: one seat earlier").click()
    dialog.get_by_role("button", name="These are the seats").click()
    assert followed.taken()["args"] == {"order": [2, 0, 1]}
    after = followed.game.view()["players"]
    assert [p["name"] for p in after] == ["Carla", "Ana", "Beto"]
    assert {p["name"]: p["total"] for p in after} == before


@pytest.mark.rule("Y22")
def test_a_ruling_is_doubted_and_another_player_agrees(referee: ScriptedReferee, open_page: Open) -> None:
    followed = Followed(referee, TikiGame(3).started().lined_up())
    page = open_page("/g/g1", "small", "en").page
    page.locator("#menu").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("What happened and why").click()
    dialog.get_by_text("The line is set").click()
    dialog.get_by_text("We doubt this").click()
    assert followed.taken()["name"] == "dispute"
    page.get_by_role("button", name="A doubt: decide").click()
    expect(dialog.get_by_role("heading")).to_have_text("“The line is set”: do you all want it taken back?")
    assert Axe().run(page).violations_count == 0
    dialog.get_by_text("Yes, take it back").click()
    dialog.get_by_text("Beto").click()
    posted = followed.taken()
    assert (posted["name"], posted["player"]) == ("confirm", 1)
    expect(page.get_by_role("button", name="That is the line")).to_be_visible()


def test_a_spectator_sees_the_game_and_can_press_nothing(referee: ScriptedReferee, open_page: Open) -> None:
    referee.show(TikiGame(2).started().lined_up().view())
    page = open_page("/g/g1", "small", "es", code=False).page
    expect(page.locator(".watching")).to_be_visible()
    page.get_by_role("button", name="5: Lokahi").click()
    expect(page.locator("#undo, #mine, .card-button, #main")).to_have_count(0)
    assert referee.posted == []


@pytest.mark.parametrize("lang", ["es", pytest.param("en", marks=SLOW)])
def test_the_big_screen_can_be_read_from_afar_and_has_nothing_to_press(
    referee: ScriptedReferee, open_page: Open, lang: str
) -> None:
    game = TikiGame().scored().lined_up().first_turns()
    referee.show(game.view())
    page = open_page("/g/g1/tv", "screen", lang, reduced_motion="reduce").page
    expect(page.locator(".qr svg")).to_be_visible()
    page.wait_for_function("() => parseFloat(getComputedStyle(document.querySelector('#title')).fontSize) > 40")
    names = page.locator(".tiki-name").evaluate_all("(all) => all.map((e) => parseFloat(getComputedStyle(e).fontSize))")
    assert min(names) >= 25
    assert page.locator("#undo, #mine, .card-button, #main").count() == 0
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    game.play("up_2", "kapu")
    referee.show(game.view())
    expect(page.locator("#title")).to_have_text("Carla")


@pytest.mark.parametrize("lang", ["es", pytest.param("en", marks=SLOW)])
def test_gathering_seats_colours_and_choices(referee: ScriptedReferee, open_page: Open, lang: str) -> None:
    followed = Followed(referee, TikiGame(3))
    page = open_page("/g/g1", "small", lang).page
    page.locator("summary").click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.locator("li button.icon").first.click()  # Ana's colour: Beto, who has the next one, gets hers
    assert (followed.taken()["name"], followed.game.state.players[0].colour) == ("set_colour", "blue")
    page.locator("select").nth(0).select_option("Carla")
    assert followed.taken()["player"] == 2
    page.locator("select").nth(1).select_option("quick")
    assert followed.taken()["args"] == {"name": "mode", "value": "quick"}
    page.locator("details select").nth(1).select_option("false")
    assert followed.taken()["args"] == {"name": "topple_bottom", "value": False}
    page.locator("button.main").click()
    assert followed.taken()["name"] == "start"
    expect(page.locator(".tip")).to_be_visible()
    assert followed.game.view()["round"]["starter"] == 2


@pytest.mark.failure("I1")
@pytest.mark.rule("T28")
def test_what_is_not_taken_leaves_its_sheet_open_with_the_reason(referee: ScriptedReferee, open_page: Open) -> None:
    game = TikiGame(2, mode="quick").started()
    assert game.press("places", places=["nani", "nui", "eepo"]) == ""
    referee.show(game.view())
    list_entries(referee, game)
    referee.reply = lambda command: Answer("refused", "stale")
    page = open_page("/g/g1", "small", "es").page
    dialog = page.get_by_role("dialog")
    page.locator("#menu").click()
    dialog.get_by_role("button", name="Corregir algo anterior").click()
    dialog.locator(".rulings .side").first.click()
    for name in ("Nani", "Kapu", "Nui", "Eepo"):  # taken off, and three chosen anew
        dialog.get_by_role("button", name=name).click()
    dialog.get_by_role("button", name="Fue así").click()
    expect(dialog.get_by_role("status")).to_have_text("La partida ha cambiado. Miren otra vez")
    expect(dialog.locator(".pick .chosen")).to_have_count(3)
    assert referee.wait_posted(1)[0]["version"] == game.view()["version"]


ROOM = """() => {
  const title = document.getElementById("title"), style = getComputedStyle(title);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = style.font;
  const of = pen.measureText(title.textContent);
  const leading = (parseFloat(style.lineHeight) - of.fontBoundingBoxAscent - of.fontBoundingBoxDescent) / 2;
  return parseFloat(style.paddingTop) + leading + of.fontBoundingBoxAscent - of.actualBoundingBoxAscent;
}"""
"""How much of the head's title stays free over its tallest letter, pixels; what is below nothing is cut off."""


def test_the_tilde_over_a_name_is_not_cut_off(referee: ScriptedReferee, open_page: Open) -> None:
    view = TikiGame(3).started().lined_up().view()
    view["players"] = [{**player, "name": "Ñoña"} for player in view["players"]]
    referee.show(view)
    page = open_page("/g/g1", "small", "es").page
    expect(page.locator("#title")).to_have_text("Ñoña")
    assert page.evaluate(ROOM) >= 0
