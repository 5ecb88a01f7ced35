"""CirKis by hand in a real browser: corrections, undo over the end, seats, quick score, whole games, the help page."""

import json
import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from companion.games.cirkis import CirKis
from companion.games.game import Command
from tests.web.cirkis_play import drawn, in_order, places, play, put, spot, tap
from tests.web.hands import keep_pressed
from tests.web.harness import Opened
from tests.web.played import PlayedTable, played_table

Open = Callable[..., Opened]
NAMES = ("Ana", "Benito", "Carla", "Dani")
WORDS = {
    "es": {"log": "Qué ha pasado", "correct": "Corregir"},
    "en": {"log": "What happened", "correct": "Correct it"},
}


DOUBT = {
    "es": {
        "doubt": "No estamos de acuerdo",
        "decide": "Hay una duda: decidan",
        "back": "Sí, deshacerlo",
        "stands": "No, se queda así",
        "undone": "Deshecho",
    },
    "en": {
        "doubt": "We doubt this",
        "decide": "A doubt: decide",
        "back": "Yes, take it back",
        "stands": "No, it stands",
        "undone": "Taken back",
    },
}


referee = pytest.fixture(played_table)


def open_log(page: Page, row: int, lang: str) -> None:
    page.locator("#menu").click()
    page.get_by_role("dialog").get_by_text(WORDS[lang]["log"]).click()
    page.locator(".rulings .side").nth(row).click()


@pytest.mark.failure("I1", "I3", "I5")
@pytest.mark.rule("C33")
def test_any_earlier_piece_is_put_right_and_leaving_it_changes_nothing(referee: PlayedTable, open_page: Open) -> None:
    game = referee.gather("cirkis", *NAMES[:2])
    play(referee, game, 9)
    page = open_page(f"/g/{game}", "phone", "es").page
    drawn(page)
    before = referee.seen(game)
    entries = len(list(referee.journal.entries(game)))
    at, less = changeable(before)
    deed = before["deeds"][at]
    row = len(before["deeds"]) - 1 - at  # the newest stands first
    open_log(page, row, "es")
    page.get_by_role("dialog").get_by_text(WORDS["es"]["correct"]).click()
    expect(page.locator("#board .choice polygon")).to_have_count(len(deed["s"]))  # begins with what it has
    page.locator("#side").click()
    expect(page.locator("#board .choice polygon")).to_have_count(0)
    assert referee.seen(game) == before
    assert len(list(referee.journal.entries(game))) == entries
    open_log(page, row, "es")
    page.get_by_role("dialog").get_by_text(WORDS["es"]["correct"]).click()
    expect(page.locator("#board .choice polygon")).to_have_count(len(deed["s"]))
    tap(page, less)  # one space fewer
    page.locator("#main").click()
    after = referee.wait_version(game, before["version"])
    changed = {**deed, "s": [space for space in deed["s"] if space != less]}
    assert [d["s"] for d in after["deeds"]] == [
        d["s"] for d in [*before["deeds"][:at], changed, *before["deeds"][at + 1 :]]
    ]
    assert after["undo"]["name"] == "edit"
    referee.do("undo", game)
    again = referee.seen(game)
    assert again["deeds"] == before["deeds"]
    assert again["players"] == before["players"]


def changeable(view: Mapping[str, Any]) -> tuple[int, int]:
    """An earlier piece that could cover one space fewer, and that space, with all that followed still by the rules."""
    rules = CirKis()
    for at, deed in enumerate(view["deeds"][1:-2], start=1):
        for less in deed["s"]:
            state = rules.start({"players": list(NAMES[:2])})
            for number, each in enumerate(view["deeds"]):
                spaces = [space for space in each["s"] if number != at or space != less]
                step = rules.apply(state, Command("x", "place", 0, player=each["p"], args={"spaces": spaces}))
                if step.refusal is not None:
                    break
                state = step.state
            else:
                return at, less
    raise AssertionError("no piece of this game could be smaller")


@pytest.mark.rule("Y22")
@pytest.mark.parametrize("lang", ["es", pytest.param("en", marks=pytest.mark.slow)])
def test_what_happened_is_doubted_and_another_player_agrees_that_it_is_taken_back(
    referee: PlayedTable, open_page: Open, lang: str
) -> None:
    said = DOUBT[lang]
    game = referee.gather("cirkis", *NAMES[:3])
    play(referee, game, 4)
    page = open_page(f"/g/{game}", "small", lang).page
    drawn(page)
    dialog = page.get_by_role("dialog")
    open_log(page, 1, lang)
    doubted = referee.seen(game)["deeds"][-2]
    dialog.get_by_text(said["doubt"]).click()
    main = page.locator("#main")
    expect(main).to_have_text(said["decide"])
    assert referee.seen(game)["dispute"]["ruling"] == doubted["r"]
    main.click()
    heading = dialog.get_by_role("heading")
    expect(heading).to_contain_text(f"{NAMES[doubted['p']]}: ")
    assert Axe().run(page).violations_count == 0
    dialog.get_by_text(said["stands"]).click()
    dialog.get_by_text(NAMES[1]).click()
    expect(main).not_to_have_text(said["decide"])
    assert len(referee.seen(game)["deeds"]) == 4
    open_log(page, 1, lang)
    dialog.get_by_text(said["doubt"]).click()
    expect(main).to_have_text(said["decide"])
    main.click()
    dialog.get_by_text(said["back"]).click()
    dialog.get_by_text(NAMES[0]).click()
    expect(page.locator("#call")).to_have_text(said["undone"])
    assert len(referee.seen(game)["deeds"]) == 2


@pytest.mark.failure("I9")
def test_a_phone_stays_its_players_when_the_seats_are_changed(referee: PlayedTable, open_page: Open) -> None:
    """It keeps the player's id: the board turns to the new seat, and the sheet still says that it is Benito's."""
    game = referee.gather("cirkis", *NAMES)
    page = open_page(f"/g/{game}", "phone", "en").page
    drawn(page)
    before = spot(page, 0)
    page.locator("#players").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Benito").click()
    dialog.get_by_text("Turn the board").click()
    expect(dialog).to_have_count(0)
    assert spot(page, 0) != before
    referee.do("seats", game, order=[1, 0, 2, 3])  # Benito sits where the board is not turned
    expect(page.locator("#players .player").first).to_contain_text("Benito")
    assert spot(page, 0) == pytest.approx(before, abs=0.5)
    page.locator("#players").click()
    dialog.get_by_text("Benito").click()
    expect(dialog.get_by_text("Not my seat")).to_be_visible()
    page.reload()
    drawn(page)
    assert spot(page, 0) == pytest.approx(before, abs=0.5)
    page.locator("#players").click()
    dialog.get_by_text("Ana").click()
    expect(dialog.get_by_text("Turn the board")).to_be_visible()


@pytest.mark.failure("I4")
@pytest.mark.rule("C14", "C34")
def test_the_press_that_ended_the_game_is_undone_and_the_end_stays_in_reach(
    referee: PlayedTable, open_page: Open
) -> None:
    game = referee.gather("cirkis", *NAMES[:2])
    play(referee, game, 300, seed=5)
    assert referee.seen(game)["phase"] == "over"
    page = open_page(f"/g/{game}", "small", "en").page
    drawn(page)
    expect(page.locator("#main")).to_have_text("Another game")
    page.locator("#side").click()
    expect(page.get_by_role("dialog")).to_contain_text("What happened")
    page.keyboard.press("Escape")
    keep_pressed(page.locator("#undo"))
    expect(page.locator("body")).to_have_attribute("data-phase", "play")
    expect(page.locator("#call")).to_have_text("Taken back")
    assert referee.seen(game)["result"] is None


@pytest.mark.failure("I4", "I7")
def test_the_figures_of_a_game_are_those_of_its_page(referee: PlayedTable, server: Any, open_page: Open) -> None:
    game = referee.gather("cirkis", *NAMES[:3])
    play(referee, game, 300, seed=4)
    players = referee.seen(game)["players"]
    page = open_page(f"/g/{game}", "phone", "en").page
    drawn(page)
    page.locator("#menu").click()
    page.get_by_role("dialog").get_by_text("The whole history").click()
    row = page.locator("tbody tr", has=page.get_by_text("points", exact=True))
    expect(row.locator("td")).to_have_text([str(p["total"]) for p in sorted(players, key=lambda p: p["id"])])
    page.get_by_text("Every decision").click()
    expect(page.locator("details li", has_text="completed the").first).to_be_visible()
    assert Axe().run(page).violations_count == 0
    kept = page.request.get(f"{server.url}/g/{game}/download/json").json()
    assert {name: each["points"] for name, each in kept["statistics"].items()} == {
        p["name"]: p["total"] for p in players
    }
    page.goto(server.url + "/history")
    expect(page.get_by_text("CirKis").first).to_be_visible()


@pytest.mark.failure("I9")
@pytest.mark.rule("C21")
def test_other_seats_move_no_points_and_a_piece_is_the_players_not_the_rows(
    referee: PlayedTable, open_page: Open
) -> None:
    game = referee.gather("cirkis", *NAMES[:3])
    play(referee, game, 24)
    points = {p["id"]: p["total"] for p in referee.seen(game)["players"]}
    assert any(points.values())
    page = open_page(f"/g/{game}", "phone", "en").page
    drawn(page)
    (space,) = next(covered for covered in places(referee.seen(game)) if len(covered) == 1)
    tap(page, space)
    turn = referee.seen(game)["turn"]
    order = [p["id"] for p in referee.seen(game)["players"]]
    referee.do("seats", game, order=order[::-1])  # somebody changes the seats while a space is chosen here
    expect(page.locator("#players .name").first).to_have_text(NAMES[order[-1]])
    assert {p["id"]: p["total"] for p in referee.seen(game)["players"]} == points
    expect(page.locator("#board .choice polygon")).to_have_count(1)
    version = referee.seen(game)["version"]
    expect(page.locator("#main")).to_be_enabled()
    page.locator("#main").click()
    assert referee.wait_version(game, version)["deeds"][-1]["p"] == turn


@pytest.mark.rule("C19", "C28")
def test_quick_score_in_the_browser(referee: PlayedTable, open_page: Open) -> None:
    game = referee.gather("cirkis", *NAMES[:3], mode="quick")
    page = open_page(f"/g/{game}", "small", "es").page
    drawn(page)
    dialog = page.get_by_role("dialog")
    tap(page, 7)
    dialog.locator(".choose .side").nth(1).click()
    plus = dialog.locator(".stepper").nth(0).locator("button").nth(1)
    for _ in range(3):
        plus.click()
    expect(dialog.locator(".main")).to_be_disabled()  # three of five
    other = dialog.locator(".stepper").nth(1).locator("button").nth(1)
    other.click()
    other.click()
    expect(plus).to_be_disabled()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    dialog.locator(".main").click()
    expect(dialog).to_have_count(0)
    expect(page.locator("#players .player b")).to_have_text(["10", "5", "0"])
    tap(page, 7)  # it has been told
    expect(dialog).to_have_count(0)
    page.locator("#main").click()  # somebody's last piece
    dialog.locator(".choose .side").nth(2).click()
    dialog.locator(".check input").check()
    dialog.locator(".main").click()
    expect(page.locator("body")).to_have_attribute("data-phase", "tie")
    assert [p["total"] for p in referee.seen(game)["players"]] == [10, 5, 10]
    page.locator("#main").click()
    dialog.locator(".main").click()
    expect(page.locator("#title")).to_have_text("Ana")


@pytest.mark.rule("C20", "C23")
def test_the_set_is_marked_as_assumed_corrected_and_says_where_a_piece_fits(
    referee: PlayedTable, open_page: Open
) -> None:
    game = referee.gather("cirkis", *NAMES[:2], pieces="assumed")
    referee.do("place", game, 0, spaces=[7])
    page = open_page(f"/g/{game}", "phone", "en").page
    drawn(page)
    keep_pressed(page.locator("#side"))
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("One seems to fit")
    dialog.get_by_text("Show it on the board").click()
    expect(page.locator("#main")).to_be_enabled()
    page.locator("#menu").click()
    dialog.get_by_text("The set of 20").click()
    expect(dialog.locator(".assumed")).to_be_visible()
    fewer = dialog.locator(".stepper").nth(0).locator("button").nth(0)
    fewer.click()
    expect(dialog.locator(".main")).to_be_disabled()
    dialog.locator(".stepper").nth(1).locator("button").nth(1).click()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    dialog.locator(".main").click()
    expect(dialog).to_have_count(0)
    seen = referee.seen(game)
    assert [(piece["name"], piece["count"]) for piece in seen["set"][:2]] == [("big_slice", 1), ("small_slice", 4)]
    assert not seen["assumed"]


def test_the_big_screen_shows_the_game_and_the_code_and_has_nothing_to_press(
    referee: PlayedTable, open_page: Open
) -> None:
    game = referee.gather("cirkis", *NAMES)
    play(referee, game, 12)
    page = open_page(f"/g/{game}/tv", "screen", "es").page
    drawn(page)
    expect(page.locator(".qr svg")).to_be_visible()
    expect(page.locator("#actions button")).to_have_count(0)
    expect(page.locator("#zoom")).to_be_hidden()
    size = page.locator("#players b").first.evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)")
    assert size > 0.07 * 720  # to be read at 3 m
    tap(page, places(referee.seen(game))[0][0])
    expect(page.locator("#board .choice polygon")).to_have_count(0)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "size"), [("es", "small"), ("en", "phone")])
def test_a_whole_game_by_taps_alone(referee: PlayedTable, server: Any, open_page: Open, lang: str, size: str) -> None:
    """From the list of games to the end of the game and the next one; the pages of two phones agree with the rules."""
    opened = open_page("/", size, lang)
    page = opened.page
    page.locator("main .main").first.click()
    page.get_by_role("button", name="CirKis").click()
    for name in NAMES[:2]:
        page.locator("#new-name").fill(name)
        page.locator("form button").click()
        expect(page.locator("#form").get_by_text(name, exact=True).first).to_be_visible()
    page.locator("button.main").click()
    drawn(page)
    game = page.url.rpartition("/")[2]
    other = open_page(f"/g/{game}", "phone", "en" if lang == "es" else "es").page
    rng = random.Random(f"taps {lang}")
    model, rules = CirKis().start({"players": list(NAMES[:2])}), CirKis()
    for _ in range(100):
        view = referee.seen(game)
        if view["phase"] != "play":
            break
        can = places(view)
        if can:
            spaces = in_order(max((rng.choice(can) for _ in range(5)), key=len))
            command = Command("x", "place", 0, player=view["turn"], args={"spaces": spaces})
            put(page, view, spaces)
        else:
            command = Command("x", "cannot_place", 0, player=view["turn"], args={})
            page.locator("#main").click()
        step = rules.apply(model, command)
        assert step.refusal is None
        model = step.state
        referee.wait_version(game, view["version"])
    assert referee.seen(game)["phase"] == model.phase == "over"
    totals = [str(p["total"]) for p in referee.seen(game)["players"]]
    for each in (page, other):
        expect(each.locator("body")).to_have_attribute("data-phase", "over")
        expect(each.locator("#players .player b")).to_have_text(totals)
    page.locator("#main").click()  # another game with the same people
    expect(page.locator("#form").get_by_text(NAMES[1], exact=True).first).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["es", "en"])
def test_a_whole_game_to_a_hundred_with_its_sheets(
    referee: PlayedTable, server: Any, open_page: Open, lang: str
) -> None:
    game = referee.gather("cirkis", *NAMES, play_to="hundred", ring=True, hole="side", next_starter="lowest")
    page = open_page(f"/g/{game}", "small", lang).page
    drawn(page)
    for played in range(1, 30):
        play(referee, game, 300, seed=played)
        view = referee.seen(game)
        if view["phase"] == "over":
            break
        expect(page.locator("#title")).to_contain_text(str(played))
        page.locator("#side").click()
        expect(page.locator(".rulings li")).to_have_count(len(view["deeds"]) + len(view["rounds"]))
        page.keyboard.press("Escape")
        page.locator("#main").click()
        referee.wait_version(game, view["version"])
    view = referee.seen(game)
    assert view["phase"] == "over"
    assert max(p["total"] for p in view["players"]) >= 100
    expect(page.locator("#players .player b")).to_have_text([str(p["total"]) for p in view["players"]])
    assert json.dumps(view).count("C30") >= 1
