"""The page that sets up the table: one thing at a time, what the sensors see, refusals in words; both languages."""

import ast
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from companion.process.table import guiding
from companion.process.table.laying import PICTURES, corners_of, laid
from companion.views.port import Answer
from tests.sensing.tables import table_json
from tests.web.harness import Opened
from tests.web.scripted import ScriptedReferee
from web.language import LANGUAGES, texts_of, translate

Open = Callable[..., Opened]
TABLE = laid(table_json(), "triangle")
FIGURES = {
    "gains": {"grade": "good", "points": 40, "percent": 1.2, "sure": 180, "n": 220},
    "load": {"grade": "fair", "n": 3, "gain": 421.9, "percent": 0.61},
    "stones": {"grade": "poor", "n": 20, "unshown": 0, "set": "Caja azul", "worst": 7, "percent": 4.4},
    "laid": {"grade": "good", "far": 1.4, "turn": 0.3, "within": 0.08, "n": 270},
}
NO_SCROLL = "document.documentElement.scrollWidth <= innerWidth"
SMALL = """() => [...document.querySelectorAll("main button, main a, main input")]
  .map((e) => [e.textContent, e.getBoundingClientRect()])
  .filter(([, r]) => r.width && r.height < 28).map(([n, r]) => [n, r.width, r.height])"""


def told(**changes: Any) -> dict[str, Any]:
    sees = {"ready": True, "empty": True, "quiet": True, "stones": 0, "grams": 0.04, "zeroed_s": 12, "faults": []}
    layout = {
        "picture": "triangle",
        "pictures": {name: corners_of(laid(TABLE, name)) for name in PICTURES},
        "corners": corners_of(TABLE),
        "names": ["A", "B", "C", "D"],
        "weighed": True,
        "scale": True,
        "can_lay": True,
        "before": [["2026-05-01T18:30:05Z", "row"]],
        "seams": 3,
    }
    whole = {"sees": sees, "step": "", "stage": "", "trouble": None, "progress": None, "result": None, "refused": None,
             "layout": layout, "held": {}, "can_keep": True, "history": []}  # fmt: skip
    return whole | {
        key: {**whole[key], **value} if key in ("sees", "layout") else value for key, value in changes.items()
    }


def view(shown: dict[str, Any] | None, holder: str | None = None) -> dict[str, Any]:
    return {"told": shown, "health": {"state": "ok"}, "holder": holder}


def grams(stage: str, **more: Any) -> dict[str, Any]:
    return told(
        step="grams",
        stage=stage,
        progress={"done": 1, "wanted": 2, "least": 2, "weights": [[50, 50.2]], "next": 200.0},
        **more,
    )


SHOWN = [[1, 0.254, 4.02, 0.014, True], [2, 0.385, None, 0.009, False]]
STONES = {
    "done": 2,
    "wanted": 4,
    "least": 1,
    "set": "Caja azul",
    "stones": SHOWN,
    "missing": [3, 4],
    "next": 3,
    "same": [[1, 2]],
}
POINTS = {
    "done": 2,
    "wanted": 4,
    "least": 12,
    "names": ["A0", "A3", "A6", "B0"],
    "points": [-40, -40, 0, -40, 40, -40, 0, 40],
    "did": [0, 1],
    "next": 2,
}
SEAMS = {"done": 1, "wanted": 3, "least": 3, "seams": [[0, 1, 1.0], [0, 2, 0.4], [0, 3, 0.0]], "next": 1}
CHECK = {
    "done": 2,
    "wanted": 7,
    "least": 7,
    "names": ["A", "B", "C", "D", "A/B", "A/C", "A/D"],
    "points": [20, 10, 60, -50, -60, -50, 0, 100, 40, -20, -40, -20, 0, 43],
    "did": [0, 1],
    "next": 2,
    "findings": [],
    "can_say": True,
}
FINDINGS: list[dict[str, Any]] = [
    {"code": "answers", "a": "A", "b": "B"},
    {"code": "answers", "a": "B", "b": "A"},
    {"code": "turn_left", "a": "C"},
    {"code": "turn_right", "a": "D"},
    {"code": "blind", "a": "D"},
    {"code": "blind_seam", "a": "A/B"},
    {"code": "wires", "a": "A-0", "b": "A-2", "tile": "A"},
    {"code": "lines", "a": "S0", "b": "S1", "tile": "B"},
    {"code": "inverted", "a": "A12, A13"},
    {"code": "deaf", "a": "C20"},
    {"code": "pole", "a": "B"},
    {"code": "poles", "a": "A, B", "b": "C, D"},
    {"code": "apart", "a": "A/B"},
    {"code": "elsewhere", "a": "C", "n": 31},
    {"code": "mixed", "a": "D"},
]
CHECKED = CHECK | {"done": 4, "did": [0, 1, 2, 3], "next": None, "findings": FINDINGS, "can_say": False}
SCENES: dict[str, dict[str, Any]] = {
    "check": view(told(step="check", stage="put", progress=CHECK, trouble={"code": "off_cross", "n": 40})),
    "checked": view(told(step="check", stage="enough", progress=CHECKED)),
    "menu": view(
        told(held=FIGURES, history=[{"when": "2026-05-01T18:30:05Z", "note": "page: grams", "figures": FIGURES}])
    ),
    "faults": view(told(sees={"faults": ["sensor_dead:A17", "load_absent"], "grams": None}, layout={"can_lay": False})),
    "watched": view(told(), "g3"),
    "weights": view(grams("tell")),
    "weigh": view(grams("take", trouble={"code": "weight_unlike", "told": 200, "shown": 43})),
    "magnets": view(grams("clear", trouble={"code": "magnets", "n": 2}, sees={"stones": 2, "empty": False})),
    "points": view(told(step="gains", stage="put", progress=POINTS, trouble={"code": "off_point", "n": 6})),
    "seams": view(told(step="tiles", stage="slide", progress=SEAMS)),
    "stones": view(told(step="stones", stage="put", progress=STONES)),
    "result": view(told(step="gains", stage="enough", progress=POINTS, result={"gains": FIGURES["gains"]})),
    "refused": view(told(refused={"code": "few_points", "n": 12})),
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("scene", [*SCENES])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_phone(
    referee: ScriptedReferee, open_page: Open, lang: str, scene: str
) -> None:
    referee.show_set_up(SCENES[scene])
    page = open_page("/table", "small", lang).page
    expect(page.locator("#set-up section").first).to_be_visible()
    if scene == "refused":
        expect(page.locator("#refused")).not_to_be_empty()
    assert page.evaluate(NO_SCROLL)
    assert page.evaluate(SMALL) == []
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_the_first_load_is_small(referee: ScriptedReferee, open_page: Open) -> None:
    """All that comes until the menu stands, the first view of a table that has everything among it."""
    referee.show_set_up(SCENES["menu"])
    opened = open_page("/table", "small", "es")
    expect(opened.page.locator("main button").first).to_be_visible()
    asked = [r for r in opened.requests if not r.url.startswith("data:")]
    assert len(asked) <= 8
    stream = len(json.dumps(SCENES["menu"]).encode())
    assert stream + sum(len(r.response().body()) for r in asked if "/events" not in r.url) <= 40_000


def say(lang: str, key: str, **values: object) -> str:
    told = {name: written(lang, value) if isinstance(value, float) else value for name, value in values.items()}
    return translate(texts_of(lang, "set_up", "set_up_step"), key, **told)


def written(lang: str, number: float) -> str:
    """As a phone at home in Spain or in England writes it."""
    return str(number).replace(".", ",") if lang == "es" else str(number)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_menu_says_how_well_each_part_is_known_and_a_step_begins(
    referee: ScriptedReferee, open_page: Open, lang: str
) -> None:
    referee.show_set_up(SCENES["menu"])
    page = open_page("/table", "small", lang).page
    expect(page.locator("#now")).to_contain_text(say(lang, "su_empty"))
    expect(page.locator("main")).to_contain_text(say(lang, "su_zeroed_s", n=12))
    for part, figures in FIGURES.items():
        expect(page.locator("main")).to_contain_text(say(lang, f"su_q_{part}", **figures))
    page.get_by_role("button", name=f"{say(lang, 'su_load')}: {say(lang, 'su_begin')}").click()
    sent = referee.wait_posted(1)[0]
    assert (sent["game"], sent["name"], sent["args"]) == ("", "set_up", {"do": "begin", "step": "grams"})
    referee.show_set_up(SCENES["magnets"])
    expect(page.get_by_role("alert").last).to_have_text(say(lang, "why_magnets", n=2))
    referee.show_set_up(SCENES["weights"])
    page.get_by_label(say(lang, "su_weight")).fill("abc")
    page.get_by_role("button", name=say(lang, "su_say")).click()
    expect(page.locator("#refused")).to_have_text(say(lang, "su_only_number"))
    page.get_by_label(say(lang, "su_weight")).fill("100,5 g")
    page.get_by_role("button", name=say(lang, "su_say")).click()
    assert referee.wait_posted(2)[1]["args"] == {"do": "tell", "grams": 100.5}
    referee.show_set_up(SCENES["result"])
    expect(page.locator(".what")).to_contain_text(say(lang, "su_q_gains", **FIGURES["gains"]))
    page.get_by_role("button", name=say(lang, "su_keep"), exact=True).click()
    assert referee.wait_posted(3)[2]["args"] == {"do": "keep"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_person_says_that_the_board_is_empty_where_the_zeros_are_doubted(
    referee: ScriptedReferee, open_page: Open, lang: str
) -> None:
    referee.show_set_up(view(told()))
    page = open_page("/table", "small", lang).page
    button = page.get_by_role("button", name=say(lang, "su_say_empty"))
    expect(page.locator("main")).to_contain_text(say(lang, "su_well"))
    expect(button).to_have_count(0)
    referee.show_set_up(view(told(sees={"faults": ["zeros_foreign"], "zeroed_s": None})))
    expect(
        page.locator("main .error", has_text=translate(texts_of(lang, "faults"), "fault_zeros_foreign"))
    ).to_be_visible()
    assert page.evaluate(NO_SCROLL)
    for n in (1, 2):  # the same answer to a second press is shown again
        page.mouse.wheel(0, 2000)
        expect(page.locator("#refused")).not_to_be_in_viewport()
        hold(page, say(lang, "su_say_empty"))
        sent = referee.wait_posted(n)[n - 1]
        assert sent["args"] == {"do": "empty"}
        referee.show_set_up(view(told(refused={"code": "not_empty", "of": sent["id"]}, sees={"zeroed_s": None})))
        expect(page.locator("#refused")).to_have_text(say(lang, "why_not_empty"))
        expect(page.locator("#refused")).to_be_in_viewport()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_laying_is_three_taps(referee: ScriptedReferee, open_page: Open, lang: str) -> None:
    referee.show_set_up(view(told()))
    page = open_page("/table", "small", lang).page
    page.get_by_role("button", name=f"{say(lang, 'su_lay')}: {say(lang, 'su_change')}").click()
    page.get_by_role("button", name=say(lang, "su_picture_star")).click()
    page.get_by_label(say(lang, "su_beside")).check()
    expect(page.get_by_text(say(lang, "su_beside_what"))).to_be_visible()
    assert page.evaluate(NO_SCROLL)
    assert Axe().run(page).violations_count == 0
    page.get_by_role("button", name=say(lang, "su_lie_so")).click()
    assert referee.wait_posted(1)[0]["args"] == {"do": "lay", "picture": "star", "weighed": False}
    referee.show_set_up(view(told(refused={"code": "step_first"})))
    expect(page.locator("#refused")).to_have_text(say(lang, "why_step_first"))
    expect(page.get_by_text(say(lang, "su_lay_kept"))).to_have_count(0)
    referee.show_set_up(view(told(layout={"picture": "star"})))
    expect(page.get_by_text(say(lang, "su_lay_kept"))).to_be_visible()
    expect(page.locator(".plain-list")).to_contain_text(say(lang, "su_picture_row"))
    hold(page, say(lang, "su_lay_back"))
    assert referee.wait_posted(2)[1]["args"] == {"do": "lay_back"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_was_refused_to_another_phone_is_not_said_here(
    referee: ScriptedReferee, open_page: Open, lang: str
) -> None:
    referee.show_set_up(view(told()))
    page = open_page("/table", "small", lang).page
    page.get_by_role("button", name=f"{say(lang, 'su_load')}: {say(lang, 'su_begin')}").click()
    own = referee.wait_posted(1)[0]["id"]
    theirs = view(told(refused={"code": "no_such_picture", "of": "another"}, sees={"grams": 7.0}))
    referee.show_set_up(theirs)
    expect(page.locator("#now")).to_contain_text(written(lang, 7.0) + " g")
    expect(page.locator("#refused")).to_have_text("")
    referee.show_set_up(view(told(refused={"code": "step_first", "of": own})))
    expect(page.locator("#refused")).to_have_text(say(lang, "why_step_first"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_step_that_went_with_the_table_is_said(referee: ScriptedReferee, open_page: Open, lang: str) -> None:
    referee.show_set_up(view(told()) | {"ended": "gains"})
    page = open_page("/table", "small", lang).page
    expect(page.locator("#refused")).to_have_text(say(lang, "su_ended", step=say(lang, "su_gains")))


def hold(page: Page, name: str) -> None:
    """Press a button until it counts."""
    button = page.get_by_role("button", name=name)
    button.focus()
    page.keyboard.down("Enter")
    expect(button).to_have_class(re.compile("holding"))
    expect(button).not_to_have_class(re.compile("holding"))
    page.keyboard.up("Enter")


def test_the_last_is_undone_by_holding_and_a_touch_does_nothing(referee: ScriptedReferee, open_page: Open) -> None:
    referee.show_set_up(SCENES["menu"])
    page = open_page("/table", "small", "es").page
    page.get_by_role("button", name=say("es", "su_undo")).click()
    expect(page.locator("#refused")).to_have_text(say("es", "su_hold"))
    assert referee.posted == []
    hold(page, say("es", "su_undo"))
    assert referee.wait_posted(1)[0]["args"] == {"do": "undo", "when": "2026-05-01T18:30:05Z"}  # which one


def test_a_game_that_watches_is_asked_to_let_go(referee: ScriptedReferee, open_page: Open) -> None:
    referee.show_set_up(SCENES["watched"])
    page = open_page("/table", "small", "en").page
    expect(page.get_by_role("link", name="See the game")).to_have_attribute("href", "/g/g3")
    expect(page.get_by_role("button", name="Begin")).to_have_count(0)
    referee.show({"game": "g3"})
    hold(page, say("en", "su_release"))
    sent = referee.wait_posted(1)[0]
    assert (sent["game"], sent["name"]) == ("g3", "release_sensors")
    referee.reply = lambda command: Answer("refused", "table_watched", {"args": {"game": "g4"}})
    referee.show_set_up(SCENES["menu"])
    page.get_by_role("button", name="The weight: Begin").click()
    expect(page.locator("#refused")).to_contain_text("has to let go of the sensors first")


def test_a_box_is_named_and_a_stone_is_shown_again(referee: ScriptedReferee, open_page: Open) -> None:
    referee.show_set_up(view(told()))
    page = open_page("/table", "small", "es").page
    page.get_by_role("button", name="La caja de imanes: Empezar").click()
    box = page.get_by_label("Nombre de la caja")
    box.fill("  ")
    page.get_by_role("button", name="Empezar").click()
    expect(page.locator("#refused")).to_have_text(say("es", "why_no_name"))
    expect(box).to_be_focused()
    assert referee.posted == []
    box.fill("Caja azul")
    page.get_by_label("¿Cuántos imanes?").fill("4")
    assert Axe().run(page).violations_count == 0
    page.get_by_role("button", name="Empezar").click()
    begun = {"do": "begin", "step": "stones", "set": "Caja azul", "count": 4}
    assert referee.wait_posted(1)[0]["args"] == begun
    referee.show_set_up(view(told(refused={"code": "no_name"})))
    expect(page.locator("#refused")).to_have_text(say("es", "why_no_name"))
    expect(box).to_have_value("Caja azul")
    referee.show_set_up(SCENES["stones"])
    expect(page.locator("main")).to_contain_text("Faltan: 3, 4")
    expect(page.get_by_text(say("es", "su_redo_how"))).to_be_visible()
    page.get_by_role("button", name="Imán 2: enseñarlo otra vez").click()
    assert referee.wait_posted(2)[1]["args"] == {"do": "tell", "stone": 2}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_board_with_a_weight_on_it_is_not_called_empty_and_no_grams_are_below_nothing(
    referee: ScriptedReferee, open_page: Open, lang: str
) -> None:
    referee.show_set_up(view(told(sees={"grams": -0.04})))
    page = open_page("/table", "small", lang).page
    expect(page.locator("#now span")).to_have_text([say(lang, "su_empty"), written(lang, 0.0) + " g"])
    referee.show_set_up(view(told(sees={"grams": 200.0})))
    expect(page.locator("#now span")).to_have_text([say(lang, "su_heavy"), written(lang, 200.0) + " g"])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_weight_that_is_not_known_yet_is_told_from_a_load_cell_that_is_silent(
    referee: ScriptedReferee, open_page: Open, lang: str
) -> None:
    stone = {"grams": None, "stones": 1, "empty": False}
    referee.show_set_up(view(told(sees=stone)))
    page = open_page("/table", "small", lang).page
    expect(page.locator("#now span").last).to_have_text(say(lang, "su_grams_later"))
    assert page.evaluate(NO_SCROLL)
    referee.show_set_up(view(told(sees={**stone, "faults": ["load_absent"]})))
    expect(page.locator("#now span").last).to_have_text(say(lang, "su_no_grams"))
    referee.show_set_up(view(told(sees=stone, layout={"weighed": False})))
    expect(page.locator("#now span").last).to_have_text(say(lang, "su_no_grams"))


def test_who_only_watches_sees_it_and_presses_nothing(referee: ScriptedReferee, open_page: Open) -> None:
    referee.show_set_up(SCENES["stones"])
    page = open_page("/table", "small", "en", code=False).page
    expect(page.get_by_text("Scan the table’s code to set it up.")).to_be_visible()
    expect(page.get_by_role("button", name="Leave it")).to_have_count(0)


def test_a_silent_table_and_a_lost_board_are_said(referee: ScriptedReferee, open_page: Open) -> None:
    page = open_page("/table", "small", "en").page
    expect(page.locator("#set-up")).to_contain_text("Asking the table")
    referee.show_set_up({"told": told(), "health": {"state": "lost"}, "holder": None})
    page.reload()
    expect(page.locator("#set-up")).to_contain_text("The board does not answer")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("state", "words"), [("starting", "su_silent"), ("lost", "su_lost")])
def test_nothing_is_said_of_a_board_that_was_never_heard_and_nothing_begun_with_it(
    referee: ScriptedReferee, open_page: Open, state: str, words: str, lang: str
) -> None:
    never = told(sees={"ready": False, "empty": False, "quiet": False, "grams": None, "zeroed_s": None})
    referee.show_set_up({"told": never, "health": {"state": state}, "holder": None})
    page = open_page("/table", "small", lang).page
    shown = page.locator("#set-up")
    expect(shown).to_contain_text(say(lang, words))
    for invented in ("su_starting", "su_no_grams", "su_well"):
        expect(shown).not_to_contain_text(say(lang, invented))
    begin = page.get_by_role("button", name=say(lang, "su_begin"))
    expect(begin).to_have_count(0)
    referee.show_set_up(view(told()))
    expect(shown).to_contain_text(say(lang, "su_well"))
    expect(begin).to_have_count(5)


CODE_AT = {"RefusedError": 0, "trouble": 0, "LayingError": 0, "CalibrationRefusedError": 1, "StoredError": 1}


def given() -> dict[str, set[str]]:
    """The codes that the steps and their makers give, with the names of their values, read from their source."""
    codes: dict[str, set[str]] = {"stored_damaged": set(), "not_learned": set(), "not_kept": set()}
    folder = Path(guiding.__file__).parents[2]
    for path in (*(folder / "sensing").rglob("*.py"), *(folder / "process").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                place = {
                    "RefusedError": 0,
                    "trouble": 0,
                    "LayingError": 0,
                    "CalibrationRefusedError": 1,
                    "StoredError": 1,
                }.get(node.func.id)
                if place is not None and len(node.args) > place and isinstance(node.args[place], ast.Constant):
                    code = str(node.args[place].value)  # type: ignore[attr-defined]
                    codes.setdefault(code, set()).update(str(value.arg) for value in node.keywords)
    return codes


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_code_of_a_step_has_words_and_no_words_are_for_none(lang: str) -> None:
    texts = texts_of(lang, "set_up_step")
    assert {key.removeprefix("why_") for key in texts if key.startswith("why_")} == set(given())
    assert len(given()) > 30
    for code, values in given().items():
        text = texts[f"why_{code}"]
        assert set(re.findall(r"{(\w+)}", str(text))) <= values, code


def findings_given() -> set[str]:
    """Every code of a finding that the check makes, by the sources."""
    folder = Path(guiding.__file__).parents[2] / "sensing"
    text = "".join(
        (folder / name).read_text("utf-8") for name in ("guided/check.py", "guided/odd.py", "sensors/wiring.py")
    )
    made = re.findall(r'"code": "(\w+)"', text) + re.findall(r'Crossed\("(\w+)"', text)
    return {*made, *re.findall(r'\("(inverted|deaf)"', text), *re.findall(r'"(turn_\w+)"', text)}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_finding_of_the_check_has_words_that_name_where_and_no_words_are_for_none(lang: str) -> None:
    texts = texts_of(lang, "set_up_step")
    codes = {str(found["code"]) for found in FINDINGS}
    assert codes == findings_given() == {key.removeprefix("check_") for key in texts if key.startswith("check_")}
    for found in FINDINGS:
        said = say(lang, f"check_{found['code']}", **{k: v for k, v in found.items() if k != "code"})
        wanted = ("tile", "a", "b") if found["code"] == "lines" else ("a", "b") if "b" in found else ("a",)
        assert all(str(found[key]) in said for key in wanted)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_check_shows_where_the_magnet_goes_and_what_is_wrong(
    referee: ScriptedReferee, open_page: Open, lang: str
) -> None:
    referee.show_set_up(SCENES["menu"])
    page = open_page("/table", "small", lang).page
    first = page.locator("#set-up section.card h2").nth(2)
    expect(first).to_have_text(say(lang, "su_check"))  # before all that is learned
    page.get_by_role("button", name=f"{say(lang, 'su_check')}: {say(lang, 'su_begin')}").click()
    referee.show_set_up(SCENES["check"])
    expect(page.locator(".what")).to_have_text(say(lang, "su_check_tile", k="C"))
    expect(page.locator(".cross.next")).to_have_count(1)
    expect(page.locator(".cross.did")).to_have_count(2)
    page.get_by_role("button", name=say(lang, "su_check_put"), exact=True).click()
    referee.show_set_up(SCENES["checked"])
    expect(page.locator(".what")).to_have_text(say(lang, "su_check_bad"))
    for found in FINDINGS:
        values = {k: v for k, v in found.items() if k != "code"}
        expect(page.get_by_text(say(lang, f"check_{found['code']}", **values), exact=True)).to_be_visible()
    expect(page.get_by_role("button", name=say(lang, "su_check_put"), exact=True)).to_have_count(0)
    page.get_by_role("button", name=say(lang, "su_check_again")).click()
    assert [sent["args"] for sent in referee.wait_posted(3)] == [
        {"do": "begin", "step": "check"},
        {"do": "tell", "put": True},
        {"do": "tell", "again": True},
    ]
