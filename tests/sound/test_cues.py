"""Which rulings are heard, and in which words."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.cli.run import spoken
from companion.games.yikerz.names import RULINGS
from companion.sound.cues import CALLED, Cue, cue_of

CALLS_JS = Path(__file__).parents[2] / "web" / "static" / "calls.js"
NAMES = {4: "Ana", 7: "Beto"}


def ruling(kind: str, player: int | None = 4, **data: Any) -> dict[str, Any]:
    return {"kind": kind, "player": player, "data": data}


def heard(*rulings: Mapping[str, Any], tongue: str = "en") -> Cue | None:
    return cue_of(rulings, NAMES, spoken(tongue))


def test_the_box_calls_what_the_pages_call() -> None:
    listed = re.search(r"const CALLS = \{(.*?)\};", CALLS_JS.read_text("utf-8"), re.DOTALL)
    assert listed is not None
    assert dict(re.findall(r'(\w+): "(\w+)"', listed[1])) == CALLED
    assert set(CALLED) <= set(RULINGS)


@pytest.mark.rule("Y10")
def test_a_collapse_is_said_with_the_name_of_who_takes_it() -> None:
    assert heard(ruling("collapse", count=3)) == Cue("fault", "Snap! Ana takes them")
    into_bag = heard(ruling("collapse", None, to="bag", count=2))
    assert into_bag == Cue("fault", "Snap! Into the bag")
    spanish = heard(ruling("collapse"), tongue="es")
    assert spanish is not None
    assert "Ana" in spanish.text


@pytest.mark.rule("Y13")
def test_the_end_of_the_ten_seconds_is_a_tone_without_words() -> None:
    assert heard(ruling("turn_end", reason="ten_seconds")) == Cue("turn")
    assert heard(ruling("turn_end", reason="next_approach")) is None


def test_of_one_moment_the_gravest_is_heard() -> None:
    moment = [ruling("turn_end", reason="ten_seconds"), ruling("round_end", 7), ruling("game_end", 7)]
    assert heard(*moment) == Cue("win", "The game is over!")
    assert heard(ruling("fell_off", 7), ruling("call_due")) == Cue("fault", "Fell off! Beto takes it")
    assert heard(ruling("placed"), ruling("countdown")) is None


@pytest.mark.rule("Y17")
def test_why_to_wait_is_said() -> None:
    assert heard(ruling("wait", code="last_stone_waits")) == Cue("said", "Wait! The last one has its 10 seconds")


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_every_call_has_words(tongue: str) -> None:
    for kind in CALLED:
        cue = heard(ruling(kind, count=2), tongue=tongue)
        assert cue is not None
        assert cue.text
        assert "{" not in cue.text
