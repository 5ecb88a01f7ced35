"""Whole games in real browsers, from the QR to the standings: by buttons on one phone and on four, in three engines,
and a recorded game seen by perfect eyes."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from companion.table import from_seconds
from tests.truth import TRUTHS, load, merge_slack
from tests.web.engines import any_engine, axe_violations, chromium
from tests.web.real_table import RealTable, real_table
from tests.web.whole_game import KEEP_PILES, enter, gather, join, play, standings

pytestmark = pytest.mark.slow

NAMES = ("Ana", "Beto", "Carla", "Maximiliano", "Ñico", "Zoë")


@pytest.fixture
def table() -> Iterator[RealTable]:
    with real_table(speed=25) as table:
        yield table


def rulings(table: RealTable, game: str = "g1") -> list[dict[str, object]]:
    document = table.referee.document(game, "json")
    assert document is not None
    told: list[dict[str, object]] = json.loads(document.data)["rulings"]
    return told


@pytest.mark.rule("Y24")
@pytest.mark.parametrize("name", ["chromium", "firefox", "webkit"])
def test_a_whole_game_by_buttons_on_one_phone(table: RealTable, browser: Browser, tmp_path: Path, name: str) -> None:
    url = table.serving.url
    with any_engine(name, browser, tmp_path) as phone:
        join(phone, url, "Ana")
        assert axe_violations(phone) == []
        gather([phone], url, NAMES)
        assert axe_violations(phone) == []
        winner = play([phone])
        assert winner in NAMES
        standings(phone, winner)
        assert axe_violations(phone) == []
    kinds = [each["kind"] for each in rulings(table)]
    assert (kinds.count("collapse"), kinds[-1]) == (1, "game_end")


@pytest.mark.rule("Y24")
def test_a_whole_game_on_four_phones_at_once(table: RealTable, browser: Browser) -> None:
    with ExitStack() as stack:
        phones = [stack.enter_context(chromium(browser)) for _ in range(4)]
        for phone, name in zip(phones, NAMES, strict=False):
            join(phone, table.serving.url, name)
        gather(phones, table.serving.url, NAMES[:4])
        winner = play(phones)
        standings(phones[3], winner)
    assert rulings(table)[-1]["kind"] == "game_end"


def test_all_three_kinds_of_game_at_once_in_one_service(browser: Browser) -> None:
    """Each is gathered, begun and pressed on a phone of its own; none is in another's way, and all are listed."""
    kinds = ("yikerz", "tiki", "cirkis")
    with real_table(speed=1) as table, ExitStack() as stack:
        phones = {kind: stack.enter_context(chromium(browser)) for kind in kinds}
        games: dict[str, str] = {}
        for kind, phone in phones.items():
            answer = table.press("", "new_game", {"kind": kind, "settings": {}, "sensors": False})
            assert answer.body is not None
            games[kind] = str(answer.body["game"])
            for name in NAMES[:3]:
                assert table.press(games[kind], "add_player", {"name": name}).status != "refused"
            join(phone, table.serving.url, kind)
            phone.goto(f"{table.serving.url}/g/{games[kind]}")
            phone.wait("document.querySelectorAll('ol.plain-list li').length === 3")

        def phase(kind: str) -> str:
            frame = table.referee.view(games[kind])
            assert frame is not None
            return str(json.loads(frame.data)["phase"])

        begun = {"yikerz": "turn", "tiki": "line_up", "cirkis": "play"}
        for number, kind in enumerate(kinds):
            phones[kind].click("#form > button.main")
            phones[kind].wait(f"document.body.dataset.phase === {begun[kind]!r}")
            assert [phase(other) for other in kinds[number + 1 :]] == ["lobby"] * (2 - number)
        phones["yikerz"].click("#main")
        phones["yikerz"].wait("document.body.dataset.phase === 'countdown'")
        assert table.press(games["cirkis"], "cannot_place", {}).status != "malformed"
        assert (phase("tiki"), phase("cirkis")) == ("line_up", "play")  # the ten seconds are ¡Yikerz!'s alone
        assert table.press(games["tiki"], "delete_game", {}).status == "applied"
        phones["tiki"].wait("document.querySelectorAll('a.game').length === 2")  # its phone is at the list of games
        assert phase("yikerz") == "countdown"
        told = json.loads(table.referee.lobby().data)["games"]
        assert {(each["kind"], each["game"]) for each in told} == {(k, games[k]) for k in ("yikerz", "cirkis")}


@pytest.mark.failure("F5")
@pytest.mark.rule("Y10", "Y11", "Y13", "Y14", "Y17")
def test_a_recorded_game_from_the_lobby_to_the_standings(browser: Browser) -> None:
    truth = load(TRUTHS / "game3-nominal.json")
    names = truth["game"]["players"]
    with real_table(speed=12, sensors=True) as table, chromium(browser) as phone:
        table.link_up()
        with table.quiet():
            settings = {"last_call": "assumed", "best_of": 1}
            created = table.press("", "new_game", {"kind": "yikerz", "sensors": True, "settings": settings})
            assert created.body == {"game": "g1"}
            join(phone, table.serving.url, "P1")
            phone.goto(table.serving.url + "/g/g1")
            enter(phone, names, first=0)
            phone.js(KEEP_PILES)
        zero = table.play(truth)
        phone.wait("document.body.dataset.phase.endsWith('_end')")
        winner = names[truth["winner"]]
        assert phone.js("document.getElementById('title').textContent") == winner
        standings(phone, winner)
        shown = phone.js("window.piles")
        ends = [each for each in rulings(table) if each["kind"] == "turn_end"]
    assert len(ends) == len(truth["turns"])
    for end, turn in zip(ends, truth["turns"], strict=True):
        data = end["data"]
        assert isinstance(data, dict)
        assert (end["player"], data["piles"], data["reason"]) == (turn["player"], turn["piles"], turn["reason"])
        slack = merge_slack(truth, turn) if turn["reason"] == "ten_seconds" else 0
        assert end["t_us"] == zero + from_seconds(turn["t_end"]) - slack
    assert shown[-1] == truth["turns"][-1]["piles"]
    assert all(turn["piles"] in shown for turn in truth["turns"])
