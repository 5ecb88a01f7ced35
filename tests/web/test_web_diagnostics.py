"""The page of the sensors: drawn from glimpses that are asked for only while it is open."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.process.referee import codes
from companion.process.referee.facts import TableFacts
from companion.settings import Settings
from drivers.trouble import TROUBLES
from tests.web.harness import Opened
from tests.web.scripted import ScriptedReferee
from web import language
from web.app import create_app
from web.language import texts_of
from web.serve import Serving

PLACES = [(15.0 * i, 13.0 * j) for j in range(4) for i in range(5)]


def health(**changes: Any) -> dict[str, Any]:
    return {
        "state": "ok",
        "link": "live",
        "faults": [],
        "lag_ms": 12,
        "frame_rate": 100,
        "damaged": 4,
        "drops": 1,
        "rssi_dbm": None,
    } | changes


def glimpse(t_us: int = 5_000_000, **changes: Any) -> dict[str, Any]:
    return {
        "t_us": t_us,
        "places": [v for place in PLACES for v in place],
        "corners": [-10, -10, 90, -10, 40, 76],
        "field": [round(12.0 / (1 + k), 2) * (-1) ** k for k in range(len(PLACES))],
        "residual": [0.05] * len(PLACES),
        "trusted": "1" * (len(PLACES) - 1) + "0",
        "stones": [
            {"track": 1, "x": 20.0, "y": 20.0, "width": 0.6, "height": 0.3, "angle": 30, "stone": 7, "p": 0.82},
            {"track": 2, "x": 50.0, "y": 10.0, "width": 0.4, "height": 0.4, "angle": 0, "stone": -1, "p": 0},
        ],
        "weight_g": 7.4,
        "lost": 3,
        "health": health(faults=["sensor_dead:A17"]),
        "zeroed_us": None,
    } | changes


def test_nothing_is_asked_of_the_table_before_somebody_looks(referee: ScriptedReferee) -> None:
    client = create_app(referee).test_client()
    assert client.get("/diagnostics").status_code == 200
    assert referee.looked == 0
    assert client.get("/diagnostics/view").json["seq"] == -1
    assert referee.looked == 1
    referee.show_glimpse(glimpse())
    assert client.get("/diagnostics/view").json["view"]["weight_g"] == 7.4


@pytest.mark.parametrize(
    ("name", "lang", "title"),
    [
        (TableFacts().name, "es", "Sensores: Mesa"),
        (TableFacts().name, "en", "Sensors: Table"),
        ("Table", "es", "Sensores: Table"),
    ],
)
def test_a_table_that_nobody_has_named_is_called_so_in_the_readers_language(
    referee: ScriptedReferee, name: str, lang: str, title: str
) -> None:
    referee.show_lobby({"table": name, "sensors": "free", "games": []})
    client = create_app(referee).test_client()
    page = client.get("/diagnostics", headers={"Accept-Language": lang}).get_data(as_text=True)
    assert f"<h1>{title}</h1>" in page
    assert Settings().name == TableFacts().name


def test_the_stream_carries_glimpses(referee: ScriptedReferee) -> None:
    referee.show_glimpse(glimpse())
    answer = create_app(referee).test_client().get("/diagnostics/events?after=-1")
    lines = iter(answer.response)
    assert next(lines).startswith(b"retry:")
    told = next(lines)
    assert json.loads(told.removeprefix(b"data: "))["view"]["lost"] == 3
    answer.close()


DARKEST = """id => {
  const canvas = document.getElementById(id), style = getComputedStyle(canvas).backgroundColor;
  const light = (rgb) => Math.max(...rgb.match(/\\d+/g).slice(0, 3).map(Number));
  return [light(style), light(getComputedStyle(document.body).color)];
}"""
"""How light a canvas and the page's ink are, 0 to 255."""
BLACK = """() => {
  const canvas = document.getElementById("map");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return data.filter((_, k) => k % 4 === 3 && data[k] > 250 && data[k - 1] + data[k - 2] + data[k - 3] < 130).length;
}"""
"""How many of the map's points are drawn nearly black."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_maps_are_dark_where_the_phone_is(
    referee: ScriptedReferee, open_page: Callable[..., Opened], scheme: str
) -> None:
    referee.show_lobby({"table": "Mesa", "sensors": "free", "games": []})
    referee.show_glimpse(glimpse())
    page = open_page("/diagnostics", "phone", "es", color_scheme=scheme).page
    expect(page.locator("#stones")).to_contain_text("82 %")
    for canvas in ("map", "weight", "lost"):
        ground, ink = page.evaluate(DARKEST, canvas)
        assert (ground < 80) is (scheme == "dark"), canvas
        assert abs(ground - ink) > 100
    row = page.evaluate(BLACK)
    assert (row > 0) is (scheme == "light")  # numbers, ellipses and what is not trusted are in the ink of the page


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ["Sensor A17 is dead", "20.0 mm, ±0.15 mm; magnet 7 of the set (82 %)", "3 frames lost", "Not zeroed"]),
        ("es", ["El sensor A17 está muerto", "imán 7 de la caja (82 %)", "3 imágenes perdidas", "sin poner a cero"]),
    ],
)  # fmt: skip
def test_the_page_says_how_the_sensors_are(
    referee: ScriptedReferee, open_page: Callable[..., Opened], lang: str, words: list[str]
) -> None:
    referee.show_lobby({"table": "Mesa", "sensors": "free", "games": []})
    referee.show_glimpse(glimpse())
    opened = open_page("/diagnostics", "phone", lang)
    expect(opened.page.locator("h1")).to_contain_text("Mesa")
    for text in (*words, "7,4 g" if lang == "es" else "7.4 g"):
        expect(opened.page.locator("main")).to_contain_text(text)
    referee.show_glimpse(glimpse(127_000_000, health=health(), weight_g=None, stones=[], zeroed_us=2_000_000))
    quiet = {
        "en": ["All sensors are well", "No load cell answers", "2 min ago"],
        "es": ["bien", "Ninguna célula", "hace 2 min"],
    }[lang]
    for text in quiet:
        expect(opened.page.locator("main")).to_contain_text(text)
    opened.page.click("#show-residual")
    expect(opened.page.locator("#show-residual")).to_have_attribute("aria-pressed", "true")


SHOWN = "e => [getComputedStyle(e).filter, Number(getComputedStyle(e).opacity)]"


@pytest.mark.parametrize(
    ("lang", "words", "link"),
    [("en", "No connection to the table", "Board: connected"), ("es", "Sin conexión con la mesa", "Placa: conectada")],
)
def test_what_was_shown_before_the_service_ended_is_not_shown_as_live(
    referee: ScriptedReferee, server: Serving, open_page: Callable[..., Opened], lang: str, words: str, link: str
) -> None:
    referee.show_lobby({"table": "Mesa", "sensors": "free", "games": []})
    referee.show_glimpse(glimpse())
    opened = open_page("/diagnostics", "phone", lang)
    page = opened.page
    expect(page.locator("#stones")).to_contain_text("82 %")
    parts = ("#map", "#health", ".card:has(#stones)", ".card:has(#weight)", ".card:has(#lost)")
    for part in parts:
        assert page.locator(part).evaluate(SHOWN) == ["none", 1]
    expect(page.get_by_text(link)).to_be_visible()
    server.close()
    expect(page.locator("#state")).to_contain_text(words)
    expect(page.get_by_text(link)).to_be_hidden()
    for part in parts:
        how, opacity = page.locator(part).evaluate(SHOWN)
        assert "grayscale" in how
        assert opacity < 0.8
    opened.errors.clear()  # that nobody answers is an error to the browser


def test_a_map_is_old_once_the_sensors_say_nothing(referee: ScriptedReferee, open_page: Callable[..., Opened]) -> None:
    referee.show_lobby({"table": "Mesa", "sensors": "free", "games": []})
    referee.show_glimpse(glimpse())
    page = open_page("/diagnostics", "phone", "en").page
    expect(page.locator("#stones")).to_contain_text("82 %")
    referee.show_glimpse({"health": health(state="lost", link="waiting"), "sound": []})
    expect(page.locator("#map")).to_have_css("filter", "grayscale(1)")
    expect(page.locator("#health")).to_have_css("filter", "none")  # it says what is the matter
    referee.show_glimpse(glimpse(6_000_000))
    expect(page.locator("#map")).to_have_css("filter", "none")


@pytest.mark.failure("G4")
@pytest.mark.parametrize(
    ("lang", "quiet", "late"),
    [("en", "Nothing has come", "20 s behind"), ("es", "no llega nada", "atrasada respecto a la mesa (20 s)")],
)
def test_a_board_that_says_nothing_for_a_moment_is_told_from_a_computer_that_is_behind(
    referee: ScriptedReferee, open_page: Callable[..., Opened], lang: str, quiet: str, late: str
) -> None:
    referee.show_lobby({"table": "Mesa", "sensors": "free", "games": []})
    referee.show_glimpse({"health": health(state="stale", frame_rate=0.0), "sound": []})
    faults = open_page("/diagnostics", "phone", lang).page.locator("#faults")
    expect(faults).to_contain_text(quiet)
    referee.show_glimpse({"health": health(state="stale", frame_rate=100.0, lag_ms=20_400.0), "sound": []})
    expect(faults).to_contain_text(late)
    expect(faults).not_to_contain_text(quiet)


@pytest.mark.failure("A7")
@pytest.mark.parametrize(
    ("lang", "words"),
    [
        (
            "en",
            [
                "Board: waiting for the next try",
                "Its port is open in: minicom (812), cat (9)",
                "Another program uses the board's port. Close the Arduino IDE's serial monitor",
                "-71 dBm",
                "rst:0x1 <b>(POWERON)</b>",
                "sudo apt install alsa-utils",
            ],
        ),
        (
            "es",
            [
                "Placa: esperando",
                "Su puerto lo tiene abierto: minicom (812), cat (9)",
                "Otro programa está usando el puerto de la placa. Cierren el monitor serie",
                "-71 dBm",
                "rst:0x1 <b>(POWERON)</b>",
                "sudo apt install alsa-utils",
            ],
        ),
    ],
)
def test_a_board_that_is_not_heard_is_named_with_what_to_do(
    referee: ScriptedReferee, open_page: Callable[..., Opened], lang: str, words: list[str]
) -> None:
    referee.show_lobby({"table": "Mesa", "sensors": "free", "games": []})
    lost = health(state="lost", link="waiting", faults=["link_port_held"], rssi_dbm=-71)
    lost["held_by"] = ["minicom (812)", "cat (9)"]
    lost["board_text"] = "rst:0x1 <b>(POWERON)</b>"
    referee.show_glimpse({"health": lost, "sound": ["sound_no_player"]})
    main = open_page("/diagnostics", "phone", lang).page.locator("main")
    for text in words:
        expect(main).to_contain_text(text)
    expect(main).not_to_contain_text("All sensors are well")


@pytest.mark.parametrize(("lang", "sentence"), [("en", "tap to read"), ("es", "toquen para leerlo")])
def test_the_words_of_a_boot_loader_stand_behind_a_sentence(
    referee: ScriptedReferee, open_page: Callable[..., Opened], lang: str, sentence: str
) -> None:
    referee.show_lobby({"table": "Mesa", "sensors": "free", "games": []})
    said = "rst:0x1 <b>(POWERON)</b>"
    referee.show_glimpse({"health": health() | {"board_text": said}, "sound": []})
    page = open_page("/diagnostics", "small", lang).page
    summary = page.locator("#said summary")
    expect(summary).to_contain_text(sentence)
    expect(page.locator("#said-text")).to_be_hidden()
    summary.click()
    expect(page.locator("#said-text")).to_have_text(said)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    referee.show_glimpse({"health": health(), "sound": []})
    expect(page.locator("#said")).to_be_hidden()


@pytest.mark.parametrize(("lang", "words"), [("en", "No room to save"), ("es", "No queda sitio para guardar")])
def test_a_full_disk_is_told_beside_the_sensors(
    referee: ScriptedReferee, open_page: Callable[..., Opened], lang: str, words: str
) -> None:
    referee.show_lobby({"table": "Mesa", "sensors": "free", "games": []})
    referee.show_glimpse({"health": health(), "sound": [], "notice": "journal_full"})
    notice = open_page("/diagnostics", "small", lang).page.locator("#notice")
    expect(notice).to_contain_text(words)
    referee.show_glimpse({"health": health(), "sound": [], "notice": ""})
    expect(notice).to_be_empty()


@pytest.mark.failure("A7")
@pytest.mark.parametrize(
    ("lang", "absent", "advice", "asking", "looking"),
    [
        (
            "en",
            "This computer has no Bluetooth",
            "Or use the USB cable",
            "Asking",
            "looking for the board by Bluetooth",
        ),
        ("es", "no tiene Bluetooth", "O usen el cable USB", "Preguntando", "buscando la mesa por Bluetooth"),
    ],
)
def test_a_board_that_was_never_heard_is_not_waited_for_without_a_word(
    referee: ScriptedReferee, open_page: Callable[..., Opened], lang: str, absent: str, advice: str, asking: str,
    looking: str,
) -> None:  # fmt: skip
    referee.show_lobby({"table": "Mesa", "sensors": "free", "games": []})
    referee.show_glimpse({"health": None, "sound": []})
    main = open_page("/diagnostics", "phone", lang).page.locator("main")
    expect(main).to_contain_text(asking)
    referee.show_glimpse({"health": health(state="starting", link="scanning"), "sound": []})
    expect(main).to_contain_text(looking)
    expect(main).not_to_contain_text(asking)
    referee.show_glimpse({"health": health(state="lost", link="waiting", faults=["link_adapter_absent"]), "sound": []})
    for text in (absent, advice):
        expect(main).to_contain_text(text)
    expect(main).not_to_contain_text(asking)


@pytest.mark.parametrize("tongue", language.LANGUAGES)
def test_every_fault_of_the_table_has_words(tongue: str) -> None:
    texts = texts_of(tongue, "diagnostics", "link")
    wanted = {*codes.FAULTS, *(f"link_{kind}" for kind in TROUBLES)}
    assert {code for code in wanted if f"fault_{code}" not in texts and code not in texts} == set()


def test_a_stream_of_what_is_no_more_ends(referee: ScriptedReferee) -> None:
    answer = create_app(referee).test_client().get("/diagnostics/events?after=-1")
    assert len(list(answer.response)) == 2  # retry, beat


@pytest.mark.parametrize("sensors", ["free", "none"])
def test_home_leads_there_where_the_table_has_sensors(
    referee: ScriptedReferee, open_page: Callable[..., Opened], sensors: str
) -> None:
    referee.show_lobby({"table": "La mesa del salón", "sensors": sensors, "games": []})
    page = open_page("/", "small", "es").page
    expect(page.get_by_role("link", name="Partidas jugadas")).to_be_visible()
    link = page.get_by_role("link", name="Sensores: La mesa del salón")
    if sensors == "none":
        expect(link).to_have_count(0)
        return
    referee.show_lobby({"table": TableFacts().name, "sensors": sensors, "games": []})
    expect(page.get_by_role("link", name="Sensores: Mesa")).to_be_visible()
    referee.show_lobby({"table": "Table", "sensors": sensors, "games": []})
    expect(page.get_by_role("link", name="Sensores: Table")).to_be_visible()  # named so by somebody
    referee.show_lobby({"table": "La mesa del salón", "sensors": sensors, "games": []})
    expect(link).to_be_visible()
    link.click()
    expect(page.get_by_role("heading", name="Sensores: La mesa del salón")).to_be_visible()
