"""Answers and corrections in a real browser, sent on to the real rules: whatever a page offers, they take."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.games.fold import Fold, Folded
from companion.games.game import Advance, Command
from companion.games.yikerz.game import Yikerz
from companion.games.yikerz.names import QUESTIONS
from companion.games.yikerz.question import Question
from companion.games.yikerz.state import State
from companion.games.yikerz.stones import Mismatch
from companion.table import SECOND, EventKind, Health, Stone, TableEvent
from companion.views.context import ViewContext
from companion.views.port import Answer, Document
from companion.views.yikerz import encode
from tests.web import scenes
from tests.web.hands import keep_pressed, touch
from tests.web.harness import Opened
from tests.web.scripted import ScriptedReferee

Open = Callable[..., Opened]

TILES = tuple(scenes.LAYOUTS["big_triangle"])


class Played:
    """A game of three players by buttons; the fourth stone has been let go and its time is over."""

    def __init__(self) -> None:
        self.fold = Fold(Yikerz())
        self.folded: Folded[State] = self.fold.start({"dealer": None, "seed": 1})
        self.t_us = SECOND
        for name in ("Ana", "Beto", "Carla"):
            self.press("add_player", args={"name": name})
        self.press("start")
        for _ in range(4):
            self.press("placed")
            self.t_us += 11 * SECOND
            self.folded, _ = self.fold.apply(self.folded, Advance(self.t_us))

    def press(self, name: str, player: int | None = None, args: dict[str, Any] | None = None) -> str:
        """Press; the code of the refusal or ""."""
        self.t_us += SECOND // 10
        command = Command(f"id-{self.t_us}", name, self.t_us, 0, "Ana", player, args or {})
        self.folded, step = self.fold.apply(self.folded, command)
        return step.refusal.code if step.refusal else ""

    def see(self, kind: EventKind, *stones: int, rest: tuple[Stone, ...] = ()) -> None:
        """The sensors tell this, a second later."""
        self.t_us += SECOND
        count = len(rest) if kind is EventKind.SETTLED else max(1, len(stones))
        event = TableEvent(kind, self.t_us, stones, count, self.t_us, rest=rest)
        self.folded, _ = self.fold.apply(self.folded, event)

    def take(self, posted: dict[str, Any]) -> str:
        """Take what a page has posted; the code of the refusal or ""."""
        return self.press(posted["name"], posted["player"], posted["args"])

    def ask(self, code: str) -> None:
        """Have this question open, with what it is about."""
        state = self.folded.state
        stone = state.board[0].track
        bringer = state.players[state.next_seat].id
        about: dict[str, Any] = {"bringer": bringer, "stones": [stone], "also": [], "spent": False, "outcome": "clean"}
        if code == "missing":
            state = replace(state, missing=(stone,), board=state.board[1:])
        if code in ("fewer", "more"):
            seen = 3 if code == "fewer" else 5
            about = {"expected": 4, "seen": seen}
            state = replace(state, mismatch=Mismatch(4, seen, self.t_us, asked=True))
        question = Question(7, code, self.t_us, state.seat, QUESTIONS[code], True, about)
        self.folded = replace(self.folded, state=replace(state, questions=(question,)))

    def view(self, sensors: bool = True) -> dict[str, Any]:
        health = Health(0, "ok") if sensors else None
        context = ViewContext(
            "g1",
            "yikerz",
            sensors=sensors,
            health=health,
            tiles=TILES,
            dispute=self.folded.dispute,
            laying=self.folded.laying,
            version=self.t_us,
            server_offset_us=0,
        )
        return encode(self.folded.state, context)


def by_buttons(referee: ScriptedReferee, open_page: Open, game: Played) -> tuple[Page, Locator]:
    """The game on a small phone, without sensors; the page, and the sheet that may open over it."""
    referee.show(game.view(sensors=False))
    page = open_page("/g/g1", "small", "en").page
    return page, page.get_by_role("dialog")


ASKS_MORE = {"collapsed", "fell_off", "into_pile", "from_pile"}


def press_choice(page: Page, nth: int, choice: str, code: str) -> None:
    """Press a choice and, where a sheet asks for more, its first answer."""
    page.locator("#choices button").nth(nth).click()
    if choice in ASKS_MORE and (code, choice) != ("fewer", "fell_off"):  # how many the count has told
        page.get_by_role("dialog").locator(".side").first.click()
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.rule("Y21", "Y22", "Y23", "Y29", "Y37", "Y39")
@pytest.mark.parametrize("code", QUESTIONS)
def test_every_choice_of_a_question_is_sent_as_the_rules_want_it(
    referee: ScriptedReferee, open_page: Open, code: str
) -> None:
    first = Played()
    first.ask(code)
    referee.show(first.view())
    page = open_page("/g/g1", "small", "es").page
    for nth, choice in enumerate(QUESTIONS[code]):
        game = Played()
        game.ask(code)
        expect(page.locator("#choices button")).to_have_count(len(QUESTIONS[code]))
        expect(page.locator("#choices button").first).to_be_enabled()
        press_choice(page, nth, choice, code)
        posted = referee.wait_posted(nth + 1)[nth]
        assert (posted["name"], posted["args"]["choice"]) == ("answer", choice)
        assert game.take(posted) == "", (choice, posted)
        assert all(question.number != 7 for question in game.folded.state.questions)


@pytest.mark.rule("Y23")
@pytest.mark.parametrize("code", ["unseen", "unsure"])
def test_how_many_snapped_is_asked_before_the_answer_is_sent(
    referee: ScriptedReferee, open_page: Open, code: str
) -> None:
    game = Played()
    game.ask(code)
    referee.show(game.view())
    page = open_page("/g/g1", "small", "en").page
    page.get_by_role("button", name="They snapped").click()
    assert referee.posted == []
    page.get_by_role("dialog").get_by_text("3", exact=True).click()
    posted = referee.wait_posted(1)[0]
    assert posted["args"] == {"question": 7, "choice": "collapsed", "n": 3}
    assert game.take(posted) == ""
    assert len(game.folded.state.to_take) == 3
    expect(page.get_by_role("button", name="One fell off")).to_be_enabled()
    page.get_by_role("button", name="One fell off").click()
    page.get_by_role("dialog").get_by_text("1", exact=True).click()
    assert referee.wait_posted(2)[1]["args"] == {"question": 7, "choice": "fell_off", "n": 1}


@pytest.mark.rule("Y23")
def test_a_sheet_goes_with_its_question_which_another_phone_has_answered(
    referee: ScriptedReferee, open_page: Open
) -> None:
    game = Played()
    game.ask("unseen")
    referee.show(game.view())
    page = open_page("/g/g1", "small", "en").page
    page.get_by_role("button", name="They snapped").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    referee.show(game.view() | {"version": 90})  # news that are not about the question leave it open
    expect(dialog).to_be_visible()
    game.ask("missing")
    view = game.view()
    referee.show(view | {"questions": [{**view["questions"][0], "id": 8}]})
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Into the pile").click()  # the next question can be pressed
    expect(dialog).to_be_visible()


@pytest.mark.rule("Y37")
def test_a_missing_stone_goes_to_the_pile_that_is_named(referee: ScriptedReferee, open_page: Open) -> None:
    game = Played()
    game.ask("missing")
    other = next(player for player in game.view()["players"] if player["id"] != game.view()["turn"])
    referee.show(game.view())
    page = open_page("/g/g1", "small", "en").page
    page.get_by_role("button", name="Into the pile").click()
    page.get_by_role("dialog").get_by_text(other["name"], exact=True).click()
    assert game.take(referee.wait_posted(1)[0]) == ""
    assert game.view()["players"][other["seat"]]["pile"] == other["pile"] + 1


@pytest.mark.rule("Y10", "Y24")
@pytest.mark.parametrize(("words", "hand", "from_board"), [("one of them", "part", 2), ("still in", "apart", 3)])
def test_a_snap_by_hand_says_where_the_stone_of_the_turn_was(
    referee: ScriptedReferee, open_page: Open, words: str, hand: str, from_board: int
) -> None:
    game = Played()
    referee.show(game.view(sensors=False))
    page = open_page("/g/g1", "small", "en").page
    page.locator("#side0").click()
    page.get_by_role("dialog").get_by_text("3", exact=True).click()
    page.get_by_role("dialog").get_by_text(words).click()
    posted = referee.wait_posted(1)[0]
    assert (posted["name"], posted["args"]) == ("collapsed", {"n": 3, "hand": hand})
    assert game.take(posted) == ""
    assert len(game.folded.state.to_take) == 3
    assert game.press("removed") == ""
    assert len(game.folded.state.board) == 4 - from_board


@pytest.mark.rule("Y11", "Y24")
def test_a_fall_by_hand_cannot_be_of_the_stone_in_the_hand(referee: ScriptedReferee, open_page: Open) -> None:
    game = Played()
    referee.show(game.view(sensors=False))
    page = open_page("/g/g1", "small", "en").page
    page.locator("#side1").click()
    page.get_by_role("dialog").get_by_text("1", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("one of them")).to_have_count(0)
    dialog.get_by_text("There was none").click()
    posted = referee.wait_posted(1)[0]
    assert posted["args"] == {"n": 1, "hand": "none"}
    assert game.take(posted) == ""


@pytest.mark.rule("Y24")
def test_once_the_stone_is_let_go_nobody_is_asked_about_the_hand(referee: ScriptedReferee, open_page: Open) -> None:
    game = Played()
    game.press("placed")
    referee.show(game.view(sensors=False))
    page = open_page("/g/g1", "small", "en").page
    page.locator("#side0").click()
    page.get_by_role("dialog").get_by_text("3", exact=True).click()
    posted = referee.wait_posted(1)[0]
    assert posted["args"] == {"n": 3}
    assert game.take(posted) == ""


def open_table_sheet(page: Page) -> None:
    page.locator("#menu").click()
    page.get_by_role("dialog").get_by_text("This table").click()


def hold(page: Page, label: str) -> None:
    """Keep a button of the table's sheet pressed until it acts."""
    open_table_sheet(page)
    button = page.get_by_role("dialog").get_by_text(label)
    touch(button)
    expect(page.get_by_role("dialog")).to_be_visible()  # a short touch does nothing
    keep_pressed(button)
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_sensors_are_taken_and_let_go_from_the_menu(referee: ScriptedReferee, open_page: Open) -> None:
    referee.show(scenes.by_hand(scenes.game()))
    page = open_page("/g/g1", "small", "en").page
    hold(page, "Let the sensors look")
    assert [c["name"] for c in referee.wait_posted(1)] == ["take_sensors"]
    for mark, sensors in enumerate(("held", "lost"), start=1):
        referee.show(scenes.game() | {"sensors": sensors, "turn": mark % 2})
        expect(page.locator("#title")).to_have_text(scenes.NAMES[mark % 2])
        hold(page, "Go on without sensors")
    assert [c["name"] for c in referee.wait_posted(3)] == ["take_sensors", "release_sensors", "release_sensors"]


@pytest.mark.rule("Y46")
def test_a_round_is_given_up_only_by_holding(referee: ScriptedReferee, open_page: Open) -> None:
    referee.show(scenes.by_hand(scenes.game()))
    page = open_page("/g/g1", "small", "en").page
    open_table_sheet(page)
    touch(page.get_by_role("dialog").get_by_text("Give up this round"))
    expect(page.get_by_role("dialog")).to_be_visible()
    assert referee.posted == []
    page.keyboard.press("Escape")
    hold(page, "Give up this round")
    assert [c["name"] for c in referee.wait_posted(1)] == ["abandon_round"]


def test_sensors_that_another_game_has_are_not_offered(referee: ScriptedReferee, open_page: Open) -> None:
    referee.show_lobby({"table": "Mesa", "sensors": "held", "games": []})
    referee.show(scenes.by_hand(scenes.game()))
    page = open_page("/g/g1", "small", "en").page
    with page.expect_response("**/lobby"):
        open_table_sheet(page)
    expect(page.get_by_role("dialog").get_by_text("Give up this round")).to_be_visible()
    expect(page.get_by_role("dialog").get_by_text("sensors")).to_have_count(0)


@pytest.mark.rule("Y22")
@pytest.mark.parametrize(("answer", "board"), [("Yes, take it back", 3), ("No, it stands", 4)])
def test_a_ruling_is_doubted_and_the_table_decides(
    referee: ScriptedReferee, open_page: Open, answer: str, board: int
) -> None:
    game = Played()

    def judged(command: Any) -> Answer:
        code = game.take(command)
        referee.show(game.view())
        return Answer("refused", code) if code else Answer("applied")

    referee.reply = judged
    last = next(ruling for ruling in reversed(game.view()["rulings"]) if ruling["kind"] == "placed")
    referee.show(game.view())
    page, other = open_page("/g/g1", "small", "en").page, open_page("/g/g1", "small", "en").page
    page.locator("#menu").click()
    page.get_by_role("dialog").get_by_text("What happened").click()
    page.get_by_role("dialog").get_by_text("has placed one").first.click()
    page.get_by_role("dialog").get_by_text("We doubt this").click()
    assert referee.wait_posted(1)[0]["args"] == {"ruling": last["n"]}
    expect(other.locator("#hint")).to_contain_text("has placed one")
    other.get_by_role("button", name=answer).click()
    other.get_by_role("dialog").locator(".wide").first.click()
    expect(other.locator("#choices")).to_be_hidden()
    expect(page.locator("#choices")).to_be_hidden()
    assert game.folded.dispute is None
    assert len(game.folded.state.board) == board


def undone_collapse() -> Played:
    """Two stones snapped and were taken, and the table has undone that: by the rules they lie on the board again."""
    game = Played()
    game.see(EventKind.APPROACH, 1)
    game.see(EventKind.RELEASED, 1)
    game.t_us += 11 * SECOND
    game.see(EventKind.APPROACH, 2)
    game.see(EventKind.RELEASED, 2)
    game.see(EventKind.SETTLED, rest=(Stone(1, -40.0, 5.0, pole_up=1), Stone(2, 30.0, 10.0, pole_up=-1)))
    game.see(EventKind.COLLAPSE, 1, 2)
    collapse = game.folded.state.ruled
    game.see(EventKind.REMOVED, 1)
    game.see(EventKind.REMOVED, 2)
    while any(collapse in done.numbers for done in game.folded.done):
        assert game.press("undo") == ""
    return game


@pytest.mark.rule("Y22")
@pytest.mark.parametrize(("answer", "board"), [("It lies so now", 2), ("It stays as it lies", 0)])
def test_after_an_undo_the_board_shows_what_to_put_back(
    referee: ScriptedReferee, open_page: Open, answer: str, board: int
) -> None:
    game = undone_collapse()
    before = len(game.folded.state.board)
    referee.show(game.view())
    page = open_page("/g/g1", "small", "en").page
    expect(page.locator("#hint")).to_have_text("Undone. Lay the magnets as drawn: 2 back")
    expect(page.locator("#board .ghost")).to_have_count(2)
    digits = page.locator("#digits").text_content()
    page.get_by_role("button", name=answer).click()
    posted = referee.wait_posted(1)[0]
    assert (posted["name"], digits) == ("lay", "8")  # of the ten seconds, as when the stones snapped: the clock stands
    assert game.take(posted) == ""
    assert len(game.folded.state.board) == before - 2 + board
    referee.show(game.view())
    expect(page.locator("#board .ghost")).to_have_count(0)
    expect(page.locator("#choices")).to_be_hidden()


@pytest.mark.rule("Y22")
def test_from_one_phone_the_whole_table_agrees_by_holding(referee: ScriptedReferee, open_page: Open) -> None:
    referee.show(scenes.game(dispute={"ruling": 2, "player": 1, "by": "Beto", "since_us": None}))
    page = open_page("/g/g1", "small", "en").page
    page.get_by_role("button", name="Yes, take it back").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".wide")).to_have_text(["AAna"])  # who proposed it does not confirm it
    keep_pressed(dialog.locator(".hold"))
    expect(dialog).to_have_count(0)
    posted = referee.wait_posted(1)[0]
    assert (posted["name"], posted["player"], posted["args"]) == ("confirm", None, {"table": True})


@pytest.mark.failure("I3")
@pytest.mark.rule("Y21", "Y24")
def test_correcting_begins_with_what_is_stored_and_closing_changes_nothing(
    referee: ScriptedReferee, open_page: Open
) -> None:
    game = Played()
    page, dialog = by_buttons(referee, open_page, game)

    def open_piles() -> None:
        open_table_sheet(page)
        dialog.get_by_text("Correct the piles").click()

    open_piles()
    stored = [str(p["pile"]) for p in game.view()["players"]] + ["4"]
    expect(dialog.locator(".count")).to_have_text(stored)
    dialog.get_by_label("Beto: one more").click()
    expect(dialog.get_by_role("status")).to_have_text("1 magnet too many")
    expect(dialog.locator(".hold")).to_have_count(0)  # what does not add up cannot be sent
    page.keyboard.press("Escape")
    assert referee.posted == []
    open_piles()
    expect(dialog.locator(".count")).to_have_text(stored)
    dialog.get_by_label("Beto: one more").click()
    dialog.get_by_label("On the board: one less").click()
    keep_pressed(dialog.locator(".hold"))
    expect(dialog).to_have_count(0)
    before = game.folded.state.piles
    assert game.take(referee.wait_posted(1)[0]) == ""
    after = game.folded.state.piles
    assert [n - m for n, m in zip(after, before, strict=True)] == [0, 1, 0]


@pytest.mark.failure("H13")
@pytest.mark.rule("Y21", "Y24")
@pytest.mark.parametrize("sheet", ["Correct the piles", "Enter how the round ended"])
def test_a_correction_begins_anew_where_another_phone_has_moved_meanwhile(
    referee: ScriptedReferee, open_page: Open, sheet: str
) -> None:
    game = Played()
    page, dialog = by_buttons(referee, open_page, game)
    open_table_sheet(page)
    dialog.get_by_text(sheet).click()
    if sheet == "Enter how the round ended":
        dialog.get_by_text("Carla").click()
    dialog.get_by_label("Ana: one less").click()
    if sheet == "Correct the piles":
        dialog.get_by_label("Beto: one more").click()
    expect(dialog.locator(".hold")).to_have_count(1)
    assert game.press("placed") == ""  # on another phone
    moved = game.view(sensors=False) | {"version": 77}
    referee.show(moved)
    expect(dialog.get_by_text("The game has moved on")).to_be_visible()
    expect(dialog.locator(".hold")).to_have_count(0)
    if sheet == "Enter how the round ended":
        dialog.get_by_text("Carla").click()
    else:
        piles = [str(p["pile"]) for p in moved["players"]]
        expect(dialog.locator(".count")).to_have_text([*piles, "5"])
        dialog.get_by_label("Ana: one less").click()
        dialog.get_by_label("Beto: one more").click()
    keep_pressed(dialog.locator(".hold"))
    expect(dialog).to_have_count(0)
    posted = referee.wait_posted(1)[0]
    assert posted["version"] == 77  # the view whose numbers were changed
    assert game.take(posted) == ""


@pytest.mark.rule("Y24")
def test_a_round_is_entered_by_its_result(referee: ScriptedReferee, open_page: Open) -> None:
    game = Played()
    page, dialog = by_buttons(referee, open_page, game)
    open_table_sheet(page)
    dialog.get_by_text("Enter how the round ended").click()
    dialog.get_by_text("Carla").click()
    dialog.get_by_label("Ana: one less").click()
    keep_pressed(dialog.locator(".hold"))
    expect(dialog).to_have_count(0)
    posted = referee.wait_posted(1)[0]
    ana, beto = game.folded.state.piles[:2]
    assert posted["args"] == {"winner": 2, "left": [ana - 1, beto, 0]}
    assert game.take(posted) == ""
    assert game.folded.state.rounds[-1].winner == 2


def list_entries(referee: ScriptedReferee, game: Played) -> None:
    """What the service tells of the commands that count."""
    commands = [(item.number, item.entry) for item in game.folded.commands if isinstance(item.entry, Command)]
    told = [{"entry": n, "name": c.name, "player": c.player, "by": c.by, "args": dict(c.args)} for n, c in commands]
    text = json.dumps({"entries": told}).encode()
    referee.documents["g1", "entries"] = Document("application/json", "entries.json", text)


@pytest.mark.rule("Y22")
def test_the_pictures_of_a_ruling_are_kept_for_good(referee: ScriptedReferee, open_page: Open) -> None:
    game = Played()
    assert game.press("collapsed", args={"n": 2}) == ""
    ruling = next(each["n"] for each in game.view()["rulings"] if each["kind"] == "collapse")
    referee.show(game.view())
    page = open_page("/g/g1", "small", "en").page
    dialog = page.get_by_role("dialog")
    page.locator("#menu").click()
    dialog.get_by_text("What happened").click()
    dialog.get_by_text("Snap").first.click()
    dialog.get_by_text("Keep these pictures").click()
    posted = referee.wait_posted(1)[0]
    assert (posted["name"], posted["args"]) == ("pin_clip", {"ruling": ruling})


@pytest.mark.failure("I1", "I3", "I5")
@pytest.mark.rule("Y22")
def test_an_old_entry_is_put_right_and_all_totals_follow(referee: ScriptedReferee, open_page: Open) -> None:
    game = Played()
    for winner, left in ((2, [3, 4, 0]), (0, [0, 2, 5])):
        assert game.press("round_result", args={"winner": winner, "left": left}) == ""
        assert game.press("next_round") == ""
    assert game.folded.state.wins == (1, 0, 1)
    list_entries(referee, game)
    page, dialog = by_buttons(referee, open_page, game)

    def open_entry() -> None:
        open_table_sheet(page)
        dialog.get_by_text("Put right something earlier").click()
        dialog.get_by_text("Carla: won the round").click()

    open_entry()
    expect(dialog.locator(".count")).to_have_text(["3", "4"])  # it begins with what is stored
    expect(dialog.get_by_text("That is right")).to_have_count(0)
    dialog.get_by_label("Ana: one more").click()
    page.keyboard.press("Escape")
    assert referee.posted == []  # closing changes nothing
    open_entry()
    expect(dialog.locator(".count")).to_have_text(["3", "4"])
    dialog.get_by_role("button", name="Beto", exact=False).first.click()
    expect(dialog.locator(".count")).to_have_text(["3", "1"])
    keep_pressed(dialog.get_by_text("That is right"))
    expect(dialog).to_have_count(0)
    posted = referee.wait_posted(1)[0]
    assert posted["args"]["args"] == {"winner": 1, "left": [3, 0, 1]}
    assert game.take(posted) == ""
    assert game.folded.state.wins == (1, 1, 0)


@pytest.mark.failure("I1")
@pytest.mark.rule("Y22")
def test_an_edit_that_no_longer_fits_keeps_its_sheet_and_says_what_else_can_be_done(
    referee: ScriptedReferee, open_page: Open
) -> None:
    game = Played()
    assert game.press("collapsed", args={"n": 2}) == ""
    list_entries(referee, game)
    referee.show(game.view(sensors=False))
    referee.reply = lambda command: Answer("refused", "edit_breaks", {"args": {"entry": 9, "why": "too_many"}})
    page = open_page("/g/g1", "small", "es").page
    dialog = page.get_by_role("dialog")
    page.locator("#menu").click()
    dialog.get_by_text("Esta mesa").click()
    dialog.get_by_text("Corregir algo de antes").click()
    dialog.get_by_text("pegados, 2").click()
    dialog.get_by_label("Cuántos: uno más").click()
    keep_pressed(dialog.get_by_text("Está bien así"))
    expect(dialog.get_by_role("status")).to_contain_text("ya no encajaría")
    expect(dialog.locator(".count")).to_have_text("3")  # the choice is still there
    expect(dialog.get_by_text("Apuntar cómo acabó la ronda")).to_be_visible()
    dialog.get_by_text("Corregir los montones").click()
    expect(page.locator("#sheet-title")).to_have_text("Corregir los montones")


@pytest.mark.failure("I5")
@pytest.mark.rule("Y22")
def test_what_did_not_happen_is_struck_out(referee: ScriptedReferee, open_page: Open) -> None:
    game = Played()
    list_entries(referee, game)
    page, dialog = by_buttons(referee, open_page, game)
    open_table_sheet(page)
    dialog.get_by_text("Put right something earlier").click()
    dialog.get_by_text("placed one").first.click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    keep_pressed(dialog.get_by_text("It did not happen"))
    expect(dialog).to_have_count(0)
    posted = referee.wait_posted(1)[0]
    assert posted["args"]["drop"] is True
    assert game.take(posted) == ""
    assert len(game.folded.state.board) == 3


@pytest.mark.rule("Y02")
def test_between_rounds_a_player_is_renamed_and_given_a_handicap(referee: ScriptedReferee, open_page: Open) -> None:
    game = Played()
    assert game.press("round_result", args={"winner": 2, "left": [3, 4, 0]}) == ""
    page, dialog = by_buttons(referee, open_page, game)
    page.locator("#players").click()
    dialog.get_by_text("Beto").click()
    more = dialog.get_by_label("Magnets fewer at each deal: one more")
    more.evaluate("(button) => { button.click(); button.click(); }")  # the second while the first travels
    for posted in referee.wait_posted(2):
        assert game.take(posted) == ""
    expect(dialog.locator(".count")).to_have_text("2")
    dialog.get_by_label("Magnets fewer at each deal: one less").click()
    assert game.take(referee.wait_posted(3)[2]) == ""
    referee.show(game.view(sensors=False))
    expect(dialog.locator(".count")).to_have_text("1")
    dialog.get_by_label("Name of a player").fill("Bea")
    dialog.get_by_role("button", name="Call them so").click()
    assert game.take(referee.wait_posted(4)[3]) == ""
    assert [(p.name, p.handicap) for p in game.folded.state.players][1] == ("Bea", 1)


@pytest.mark.rule("Y46")
def test_players_join_between_rounds_and_leave_by_holding(referee: ScriptedReferee, open_page: Open) -> None:
    game = Played()
    assert game.press("round_result", args={"winner": 2, "left": [3, 4, 0]}) == ""
    page, dialog = by_buttons(referee, open_page, game)
    page.locator("#players").click()
    dialog.get_by_label("Name of a player").fill("Dani")
    dialog.get_by_role("button", name="Joins in").click()
    posted = referee.wait_posted(1)[0]
    assert (posted["name"], posted["args"]) == ("add_player", {"name": "Dani"})
    expect(dialog).to_have_count(0)
    page.locator("#players").click()
    dialog.locator(".wide").nth(1).click()
    touch(dialog.get_by_text("Leaves the game"))
    expect(dialog).to_be_visible()  # a short touch does nothing
    keep_pressed(dialog.locator(".hold"))
    expect(dialog).to_have_count(0)
    posted = referee.wait_posted(2)[1]
    assert (posted["name"], posted["player"]) == ("remove_player", 1)
    assert game.take(posted) == ""
    assert game.view()["players"][1]["gone"] is True


@pytest.mark.rule("Y06", "Y37")
@pytest.mark.parametrize(("label", "what"), [("Touched a magnet", "stone"), ("Used two hands", "hands")])
def test_a_touch_is_reported_for_whoever_it_was(
    referee: ScriptedReferee, open_page: Open, label: str, what: str
) -> None:
    game = Played()
    referee.show(game.view(sensors=False))
    page = open_page("/g/g1", "small", "en").page
    page.locator("#players").click()
    page.get_by_role("dialog").locator(".wide").nth(2).click()
    page.get_by_role("dialog").get_by_text(label).click()
    posted = referee.wait_posted(1)[0]
    assert (posted["name"], posted["player"], posted["args"]) == ("touched", 2, {"what": what})
    assert game.take(posted) == ""


@pytest.mark.rule("Y21", "Y22")
@pytest.mark.failure("I1", "I3")
def test_piles_that_were_set_wrong_are_put_right_and_add_up(referee: ScriptedReferee, open_page: Open) -> None:
    game = Played()
    assert game.press("placed") == ""
    piles = list(game.folded.state.piles)
    board = len(game.folded.state.board)
    wrong = {"piles": [piles[0] - 2, *piles[1:-1], piles[-1] + 2], "board": board}
    assert game.press("set_piles", args=wrong) == ""
    list_entries(referee, game)
    page, dialog = by_buttons(referee, open_page, game)
    open_table_sheet(page)
    dialog.get_by_text("Put right something earlier").click()
    dialog.locator(".rulings button").first.click()
    expect(dialog.locator(".count")).to_have_text([str(n) for n in (piles[0] - 2, *piles[1:-1], piles[-1] + 2, board)])
    expect(dialog.get_by_text("That is right")).to_have_count(0)
    dialog.get_by_label("Ana: one more").click()
    expect(dialog.get_by_text("That is right")).to_have_count(0)  # one too many now
    dialog.get_by_label("Carla: one less").click()
    keep_pressed(dialog.get_by_text("That is right"))
    expect(dialog).to_have_count(0)
    posted = referee.wait_posted(1)[0]
    right = [piles[0] - 1, *piles[1:-1], piles[-1] + 1]
    assert posted["args"]["args"] == {"piles": right, "board": board}
    assert game.take(posted) == ""
    assert list(game.folded.state.piles) == right
