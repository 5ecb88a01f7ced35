"""Whole recorded games on perfect eyes, through the referee's own door; a game kept by hand in the same service.

The truth's events come as the table process would send them: with pictures, health and Complete every 0.1 s.
"""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from companion.games.yikerz.recorded import settings_of
from companion.process.kinds import known_kinds
from companion.table import SECOND, Complete, Picture, Stone, TableReport, from_seconds
from tests.process.room import SteppedReferee
from tests.process.service import Bench
from tests.truth import TRUTHS, fallen_taken, load, merge_slack, table_events

STEP_US = SECOND // 10


class Refereed:
    """One recorded game that follows the table, and one of Tiki Topple beside it."""

    def __init__(self, truth: Mapping[str, Any]) -> None:
        self.truth = truth
        self.bench = Bench(kinds=known_kinds())
        self.bench.owner.follow("yikerz", settings_of(truth["game"]))
        self.bench.link_up()
        self.port = SteppedReferee(self.bench)
        self.ids = 0
        body = self.post("new_game", "", {"kind": "tiki", "settings": {}}).body
        assert body is not None
        self.tiki = str(body["game"])
        for name in ("Ana", "Beto"):
            self.post("add_player", self.tiki, {"name": name})

    def post(self, name: str, game: str, args: Mapping[str, Any]) -> Any:
        self.ids += 1
        version = self.seen(game)["version"] if game else 0
        command = {"id": f"p{self.ids}", "game": game, "name": name, "version": version}
        return self.port.post({**command, "by": "test", "args": dict(args)})

    def seen(self, game: str) -> Mapping[str, Any]:
        frame = self.port.view(game)
        assert frame is not None
        view: Mapping[str, Any] = json.loads(frame.data)
        return view

    def play(self) -> list[Mapping[str, Any]]:
        """The whole game; the players' piles after each turn, as the page showed them."""
        events = list(table_events(self.truth["events"]))
        presses = fallen_taken(self.truth)
        shown: list[Mapping[str, Any]] = []
        offset_us = self.bench.offset_us
        end_us = max(event.t_us for event in events) + 15 * SECOND
        t_us, turns = self.bench.clock.now_us() - offset_us, 0
        while t_us < end_us:
            t_us += STEP_US
            if (behind := t_us + offset_us - self.bench.clock.now_us()) > 0:
                self.bench.clock.advance(behind)
            while presses and presses[0].t_us <= t_us:
                self.bench.press("removed", "g1", press_us=presses.pop(0).t_us + offset_us)  # waits for its Complete
            due: list[TableReport] = [event for event in events if event.t_us <= t_us]
            events = events[len(due) :]
            self.bench.hear(*due, Picture(t_us, (Stone(1, 0.0, 0.0),)), Complete(t_us))
            view = self.seen("g1")
            ended = [line for line in view["rulings"] if line["kind"] == "turn_end"]
            if ended and ended[-1]["n"] > turns:
                turns = ended[-1]["n"]
                shown.append(view)
        return shown


def check(name: str) -> None:
    truth = load(TRUTHS / f"{name}.json")
    game = Refereed(truth)
    shown = game.play()
    ends = [ruling for ruling in game.bench.rulings("g1") if ruling["kind"] == "turn_end"]
    assert len(ends) == len(truth["turns"]) == len(shown)
    for ruling, turn, view in zip(ends, truth["turns"], shown, strict=True):
        told = (ruling["player"], ruling["data"]["piles"], ruling["data"]["reason"], ruling["data"]["outcome"])
        assert told == (turn["player"], turn["piles"], turn["reason"], turn["outcome"])
        assert [player["pile"] for player in view["players"]] == turn["piles"]
        slack = merge_slack(truth, turn) if turn["reason"] == "ten_seconds" else 0
        assert ruling["t_us"] == from_seconds(turn["t_end"]) - slack
    view = game.seen("g1")
    assert view["winners"] == [truth["winner"]]
    # the other game was gathered, begins and is played meanwhile
    assert game.post("start", game.tiki, {}).status == "applied"
    assert [player["name"] for player in game.seen(game.tiki)["players"]] == ["Ana", "Beto"]
    listed = {each["game"]: (each["kind"], each["holds"]) for each in json.loads(game.port.lobby().data)["games"]}
    assert listed == {"g1": ("yikerz", True), game.tiki: ("tiki", False)}
    # after a power cut both are as they were; the end of the round can still be undone (I4)
    again = Bench(game.bench.journal, game.bench.clock, known_kinds())
    for each in ("g1", game.tiki):
        kept, before = again.view(each), game.seen(each)
        assert {k: kept[k] for k in ("phase", "players", "winners")} == {
            k: before[k] for k in ("phase", "players", "winners")
        }
    port = SteppedReferee(again)
    command = {"id": "undo", "game": "g1", "name": "undo", "version": again.view("g1")["version"], "by": "test"}
    assert port.post(command).status == "applied"
    assert again.view("g1")["phase"] == "countdown"


@pytest.mark.rule("Y13", "Y14", "Y17", "Y21")
@pytest.mark.failure("I4")
def test_a_whole_recorded_game_is_ruled_as_the_truth_says() -> None:
    check("game3-nominal")


@pytest.mark.slow
@pytest.mark.rule("Y13", "Y14", "Y17", "Y21")
@pytest.mark.parametrize("name", ["game2-nominal", "game2-hard", "game4-nominal", "game4-hard"])
def test_more_whole_recorded_games(name: str) -> None:
    check(name)
