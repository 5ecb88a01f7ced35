"""From the QR to the first turn: joining, the list of games, gathering, inviting; in both languages."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from companion.journal.entry import NOTICES
from companion.views.port import Answer
from tests.web import scenes
from tests.web.harness import Opened
from tests.web.scripted import ScriptedReferee
from web.language import LANGUAGES, texts_of, translate

Open = Callable[..., Opened]

TARGETS = """() => [...document.querySelectorAll("main button, main a, main input, main select, summary")]
  .map((e) => [e.textContent, e.getBoundingClientRect()]).filter(([, r]) => r.width && (r.width < 48 || r.height < 48))
  .map(([n, r]) => [n, r.width, r.height])"""


@pytest.fixture
def table(referee: ScriptedReferee) -> ScriptedReferee:
    """Two games: one is played, one gathers."""
    played, gathering = scenes.game(6), scenes.lobby_phase(3) | {"game": "g2"}
    entries = [
        {"game": v["game"], "kind": "yikerz", "phase": v["phase"], "players": v["players"], "holds": holds}
        for v, holds in ((gathering, True), (played, False))
    ]
    referee.show(played)
    referee.show(gathering)
    referee.show_lobby({"table": "Mesa", "sensors": "held", "games": entries})
    return referee


@pytest.mark.parametrize(
    ("lang", "scheme"),
    [
        ("es", "light"),
        ("en", "dark"),
        pytest.param("es", "dark", marks=pytest.mark.slow),
        pytest.param("en", "light", marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing_and_targets_are_large(
    table: ScriptedReferee, server: Any, open_page: Open, lang: str, scheme: str
) -> None:
    page = open_page("/", "small", lang, color_scheme=scheme).page
    for path in ("/", "/join", "/g/g2", "/qr"):
        page.goto(server.url + path)
        expect(page.locator("main button, main svg").first).to_be_visible()
        if path == "/g/g2":
            page.locator("summary").click()
        assert page.locator("html").get_attribute("lang") == lang
        assert page.evaluate(TARGETS) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        found = Axe().run(page)
        assert found.violations_count == 0, (path, found.generate_report())


@pytest.mark.parametrize("path", ["/", "/join", "/g/g2", "/diagnostics"])
def test_the_first_load_is_small(table: ScriptedReferee, open_page: Open, path: str) -> None:
    table.show_glimpse({"health": None})  # what the referee shows before anybody has looked
    opened = open_page(path)
    expect(opened.page.locator("main button").first).to_be_visible()
    asked = [r for r in opened.requests if not r.url.startswith("data:")]
    assert len(asked) <= 8
    assert sum(len(r.response().body()) for r in asked if "/events" not in r.url) <= 40_000


def test_from_the_qr_to_the_game_with_one_name(table: ScriptedReferee, open_page: Open) -> None:
    page = open_page(table.join_path(), "small", "en", code=False).page
    assert table.code not in page.url
    page.get_by_label("Your name").fill("  Lucía ")
    page.get_by_role("button", name="Turn sound on").click()
    expect(page.get_by_role("button", name="Sound is on")).to_be_visible()
    page.get_by_role("button", name="Let’s play!").click()
    page.locator("a.game").first.click()
    page.get_by_role("button", name="Lucía plays too").click()
    command = table.wait_posted(1)[0]
    assert (command["game"], command["name"], command["args"], command["by"]) == (
        "g2",
        "add_player",
        {"name": "Lucía"},
        "Lucía",
    )


def test_a_name_that_the_table_writes_otherwise_is_known_again(table: ScriptedReferee, open_page: Open) -> None:
    opened = open_page("/g/g2", "phone", "en")
    page, family = opened.page, "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    page.evaluate("name => localStorage.setItem('name', name)", f"{family}\u200b Paz")
    page.reload()
    page.get_by_role("button", name="plays too").click()
    (command,) = table.wait_posted(1)
    assert command["by"] == f"{family} Paz"
    shown = scenes.lobby_phase(3) | {"game": "g2"}
    table.show({**shown, "players": [*shown["players"][:2], {**shown["players"][2], "name": command["by"]}]})
    expect(page.get_by_role("button", name="plays too")).to_have_count(0)
    page.wait_for_function("name => localStorage.getItem('name') === name", arg=command["by"])


def test_with_one_game_open_joining_leads_straight_to_it(referee: ScriptedReferee, open_page: Open) -> None:
    referee.show(scenes.game())
    entry = {"game": "g1", "kind": "yikerz", "phase": "turn", "players": [], "holds": False}
    over = entry | {"game": "g0", "phase": "game_end"}
    referee.show_lobby({"table": "Mesa", "sensors": "held", "games": [entry, over]})
    page = open_page("/join", "small", "es").page
    page.locator("#name").fill("Ana")
    page.get_by_role("button", name="¡A jugar!").click()
    page.wait_for_url("**/g/g1")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("written", ["", "   "])
def test_who_joins_without_a_name_is_asked_for_one(
    referee: ScriptedReferee, open_page: Open, lang: str, written: str
) -> None:
    referee.show_lobby({"table": "Mesa", "sensors": "free", "games": []})
    texts = texts_of(lang, "join", "setup")
    page = open_page("/join", "small", lang).page
    page.locator("#name").fill(written)
    page.get_by_role("button", name=str(texts["join_go"])).click()
    expect(page.get_by_text(str(texts["write_name"]))).to_be_visible()
    expect(page.locator("#name")).to_be_focused()
    assert Axe().run(page).violations_count == 0
    page.locator("#name").fill("Ñoña")
    page.get_by_role("button", name=str(texts["join_go"])).click()
    page.wait_for_url(lambda url: "/join" not in url)


def test_games_that_people_play_stand_above_the_demonstration_and_are_not_folded_away(
    referee: ScriptedReferee, open_page: Open
) -> None:
    entry = {"kind": "yikerz", "phase": "turn", "players": [], "holds": False}
    demo = entry | {"unattended": True}
    games = [{**demo, "game": "g9", "holds": True}, {**demo, "game": "g8"}]
    games += [{**demo, "game": "g7"}, {**entry, "game": "g6"}, {**entry, "game": "g5"}, {**demo, "game": "g4"}]
    referee.show_lobby({"table": "Mesa", "sensors": "held", "games": games})
    page = open_page("/", "small", "en").page
    order = "games => games.map((game) => game.getAttribute('href'))"
    assert page.locator("#games > a.game").evaluate_all(order) == ["/g/g6", "/g/g5", "/g/g9"]
    assert page.locator("details a.game").evaluate_all(order) == ["/g/g8", "/g/g7", "/g/g4"]
    games += [{**entry, "game": "g3"}]  # the watched one stays in the open besides
    referee.show_lobby({"table": "Mesa", "sensors": "held", "games": games})
    page.reload()
    assert page.locator("#games > a.game").evaluate_all(order) == ["/g/g6", "/g/g5", "/g/g3", "/g/g9"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_phone_that_was_told_to_watch_is_told_how_to_play(
    referee: ScriptedReferee, open_page: Open, lang: str
) -> None:
    referee.show_lobby({"table": "Mesa", "sensors": "free", "games": []})
    texts = texts_of(lang, "join", "setup")
    page = open_page("/join", "small", lang).page
    page.get_by_role("button", name=str(texts["role_watch"])).click()
    card = page.locator(".card", has_text=str(texts["watching_chosen"]))
    expect(card).to_be_visible()
    expect(page.get_by_text(str(texts["watching_home"]))).to_have_count(0)
    assert page.evaluate(TARGETS) == []
    card.get_by_role("link").click()
    page.wait_for_url("**/join")


def test_a_new_game_takes_the_sensors_when_they_are_free(referee: ScriptedReferee, open_page: Open) -> None:
    referee.show(scenes.lobby_phase(1) | {"game": "g7"})
    referee.reply = lambda command: Answer("applied", body={"game": "g7"})
    page = open_page("/", "small", "es").page
    page.get_by_role("button", name="Partida nueva").click()
    page.get_by_role("button", name="¡Yikerz!", exact=True).click()
    page.wait_for_url("**/g/g7")
    command = referee.wait_posted(1)[0]
    assert (command["game"], command["name"]) == ("", "new_game")
    assert command["args"] == {"kind": "yikerz", "settings": {}, "sensors": True}


@pytest.mark.failure("I9")
def test_players_are_named_by_id_whatever_their_row(table: ScriptedReferee, open_page: Open) -> None:
    view = scenes.lobby_phase(3) | {"game": "g2"}
    view["players"] = [view["players"][k] | {"seat": seat} for seat, k in enumerate((2, 0, 1))]
    table.show(view)
    page = open_page("/g/g2", "phone", "en").page
    page.get_by_role("button", name="Take Carla out").click()
    table.wait_posted(1)  # two presses at once may arrive in any order
    page.get_by_role("button", name="Beto: one seat earlier").click()
    sent = [(c["name"], c["player"], c["args"]) for c in table.wait_posted(2)]
    assert sent == [("remove_player", 2, {}), ("move_player", 1, {"to": 1})]


def test_a_name_is_changed_before_the_game_where_it_stands(table: ScriptedReferee, open_page: Open) -> None:
    page = open_page("/g/g2", "small", "en").page
    row = page.get_by_role("list").get_by_role("listitem").nth(1)
    row.get_by_role("button", name="Beto: another name").click()
    box = page.get_by_label("New name of Beto")
    expect(box).to_be_focused()
    box.fill("Robe")
    table.show(scenes.lobby_phase(4) | {"game": "g2"})  # news do not take it out of the hand
    expect(page.get_by_role("listitem")).to_have_count(4)
    expect(box).to_have_value("Robe")
    box.fill("Roberto")
    box.press("Enter")
    posted = table.wait_posted(1)[0]
    assert (posted["name"], posted["player"], posted["args"]) == ("rename_player", 1, {"name": "Roberto"})
    row.get_by_role("button", name="Beto: another name").click()
    box.fill("nobody")
    box.press("Escape")
    expect(box).to_have_count(0)
    page.get_by_role("button", name="Take Ana out").click()
    assert [sent["name"] for sent in table.wait_posted(2)] == ["rename_player", "remove_player"]


@pytest.mark.failure("G8")
@pytest.mark.parametrize("lang", ["es", "en"])
def test_what_was_repaired_of_the_journal_is_said_at_home(table: ScriptedReferee, open_page: Open, lang: str) -> None:
    texts = texts_of(lang, "setup", "home")
    given = {"n": 12, "games": ["g2", "g5"], "copy": "journal-damaged-1"}
    notices = [{"code": code, **given} for code in NOTICES]
    table.show_lobby({"table": "Mesa", "sensors": "held", "games": [], "notices": notices})
    page = open_page("/", "small", lang).page
    for code in NOTICES:
        words = translate(texts, f"notice_{code}", **{**given, "games": "g2, g5"})
        expect(page.get_by_text(words)).to_be_visible()


@pytest.mark.parametrize("lang", ["es", "en"])
def test_a_game_that_was_cut_off_is_told_as_that_at_home(table: ScriptedReferee, open_page: Open, lang: str) -> None:
    entry = {"kind": "yikerz", "phase": "turn", "players": [], "holds": False}
    games = [{**entry, "game": "g2", "cut_off": True}, {**entry, "game": "g1"}]
    table.show_lobby({"table": "Mesa", "sensors": "free", "games": games})
    page = open_page("/", "small", lang).page
    said = page.locator("a.game", has_text=texts_of(lang, "setup")["game_cut_off"])
    expect(said).to_have_count(1)
    expect(said).to_have_attribute("href", "/g/g2")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    ("games", "led_to"),
    [
        ([{"game": "g1", "cut_off": True}, {"game": "g2"}], "/g/g2"),
        ([{"game": "g1", "cut_off": True}], "/g/g1"),
        ([{"game": "g1"}, {"game": "g2"}], "/"),
        ([{"game": "g1", "phase": "game_end"}, {"game": "g2"}], "/g/g2"),
    ],
)
def test_who_joins_is_led_to_the_one_game_that_is_played_now(
    table: ScriptedReferee, open_page: Open, games: list[dict[str, Any]], led_to: str
) -> None:
    entry = {"kind": "yikerz", "phase": "turn", "players": [], "holds": False}
    table.show_lobby({"table": "Mesa", "sensors": "free", "games": [{**entry, **game} for game in games]})
    for game in ("g1", "g2"):
        table.show(scenes.game() | {"game": game})
    page = open_page("/join", "small", "en").page
    page.locator("#name").fill("Ana")
    page.locator("#name").press("Enter")
    page.wait_for_url(f"**{led_to}")
    assert page.evaluate("location.pathname") == led_to


@pytest.mark.failure("F5")
@pytest.mark.parametrize("phase", ["lobby", "round_end"])
def test_what_speaks_against_a_start_is_said_and_the_table_may_begin_anyway(
    referee: ScriptedReferee, open_page: Open, phase: str
) -> None:
    against = [{"code": "stones_on_board", "n": 3}, {"code": "sensors_not_ready"}]
    referee.show((scenes.lobby_phase(3) if phase == "lobby" else scenes.won()) | {"against": against})
    refused = Answer("refused", "not_ready", {"args": {"against": against}})
    referee.reply = lambda command: Answer("applied") if command["args"].get("anyway") else refused
    page = open_page("/g/g1", "small", "en").page
    page.get_by_role("button", name="Start!" if phase == "lobby" else "Next round").click()
    expect(page.get_by_text("Not yet: the table is not ready").first).to_be_visible()
    expect(page.get_by_text("3 magnets are on the board")).to_be_visible()
    expect(page.get_by_text("I cannot see the board")).to_be_visible()
    button = page.get_by_role("button", name="Begin all the same: press and hold")
    assert Axe().run(page).violations_count == 0
    button.focus()
    page.keyboard.down("Enter")
    sent = referee.wait_posted(2)
    page.keyboard.up("Enter")
    command = "start" if phase == "lobby" else "next_round"
    assert [(each["name"], each["args"]) for each in sent] == [(command, {}), (command, {"anyway": True})]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_new_game_that_is_refused_is_told_beside_the_button(
    table: ScriptedReferee, open_page: Open, lang: str
) -> None:
    table.reply = lambda command: Answer("refused", "no_sensors")
    table.show_lobby({"table": "Mesa", "sensors": "free", "games": []})
    page = open_page("/", "small", lang).page
    page.get_by_role("button", name=translate(texts_of(lang, "setup"), "new_game")).click()
    page.get_by_role("button", name="¡Yikerz!", exact=True).click()
    said = page.get_by_role("alert")
    expect(said).not_to_be_empty()
    expect(said).to_be_in_viewport(ratio=1)


def test_typing_a_name_is_not_disturbed_by_news(table: ScriptedReferee, open_page: Open) -> None:
    page = open_page("/g/g2", "phone", "en").page
    box = page.get_by_label("Name of a player")
    box.type("Ño")
    table.show(scenes.lobby_phase(4) | {"game": "g2"})
    expect(page.get_by_role("list").get_by_text("Maximiliano")).to_be_visible()
    box.type("a")
    assert box.input_value() == "Ñoa"
    box.press("Enter")
    assert table.wait_posted(1)[0]["args"] == {"name": "Ñoa"}
    expect(box).to_have_value("")


def test_rules_and_dealer_are_set_and_the_start_moves_every_phone(table: ScriptedReferee, open_page: Open) -> None:
    page, other = open_page("/g/g2", "phone", "en").page, open_page("/g/g2", "small", "es").page
    page.get_by_label("Who deals and starts").select_option("Beto")
    page.get_by_label(re.compile("^Rounds")).select_option("5")
    page.get_by_role("button", name="Start!").click()
    sent = [(c["name"], c["player"], c["args"]) for c in table.wait_posted(3)]
    assert sent == [  # one after another, as they were chosen
        ("set_dealer", 1, {}),
        ("set_setting", None, {"name": "best_of", "value": 5}),
        ("start", None, {}),
    ]
    table.show(scenes.game(3) | {"game": "g2"})
    for one in (page, other):
        expect(one.locator("#title")).to_have_text("Ana")


def test_choices_made_quickly_all_arrive_and_a_refused_one_is_not_shown_as_held(
    table: ScriptedReferee, open_page: Open
) -> None:
    page = open_page("/g/g2", "phone", "en").page
    page.evaluate(
        """() => { for (const [at, to] of [[1, 2], [2, 1], [1, 0]]) {
            const select = document.querySelectorAll("select")[at];
            select.selectedIndex = to;
            select.dispatchEvent(new Event("change"));
        } }"""
    )
    assert len(table.wait_posted(3)) == 3
    dealer = page.get_by_label("Who deals and starts")
    before = dealer.input_value()
    table.reply = lambda command: Answer("refused", "stale")
    dealer.select_option("Beto")
    table.wait_posted(4)
    expect(page.get_by_role("status").filter(has_text=re.compile("."))).to_be_visible()
    expect(dealer).to_have_value(before)


def test_names_entered_quickly_are_all_added_and_a_refused_one_stays_to_be_mended(
    table: ScriptedReferee, open_page: Open
) -> None:
    page = open_page("/g/g2", "phone", "en").page
    page.evaluate(
        """() => { const box = document.getElementById("new-name");
            for (const name of ["Carla", "Dani", "Eva"]) { box.value = name; box.form.requestSubmit(); } }"""
    )
    assert [(c["name"], c["args"]) for c in table.wait_posted(3)] == [
        ("add_player", {"name": "Carla"}), ("add_player", {"name": "Dani"}), ("add_player", {"name": "Eva"}),
    ]  # fmt: skip
    expect(page.locator("#new-name")).to_have_value("")
    table.reply = lambda command: Answer("refused", "name_taken")
    page.locator("#new-name").fill("Eva")
    page.locator("#new-name").press("Enter")
    table.wait_posted(4)
    expect(page.locator("#new-name")).to_have_value("Eva")


def test_the_language_changes_at_a_touch_and_stays(table: ScriptedReferee, open_page: Open) -> None:
    page = open_page("/", "small", "en").page
    page.get_by_role("button", name="Español").click()
    expect(page.locator("html")).to_have_attribute("lang", "es")
    page.goto(page.url + "g/g1")
    expect(page.locator("#line")).to_have_text("pon un imán")


def test_a_spectator_can_read_every_page_and_press_nothing(table: ScriptedReferee, open_page: Open) -> None:
    for path, sign in (("/", "a.game"), ("/g/g2", "ol")):
        page = open_page(path, "small", "es", code=False).page
        expect(page.locator(sign).first).to_be_visible()
        assert page.locator("main button.main, main form").count() == 0


def test_the_qr_holds_an_address_and_the_code(table: ScriptedReferee, open_page: Open, server: Any) -> None:
    page: Page = open_page("/qr", "screen", "es").page
    expect(page.locator(".qr svg")).to_be_visible()
    expect(page.locator(".address")).to_contain_text(f":{server.tcp_port}")
    assert ".local" not in page.locator(".address").inner_text()
