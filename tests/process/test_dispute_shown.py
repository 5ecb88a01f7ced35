"""A doubted ruling is part of what pages are told until the table has decided (Y22)."""

from typing import Any

import pytest

from companion.games.game import Command
from companion.games.yikerz.hearing import LOG_LINES
from companion.process.kinds.yikerz import yikerz
from companion.process.referee.play import Play
from companion.table import SECOND


@pytest.mark.rule("Y22")
@pytest.mark.parametrize(("decision", "board"), [("confirm", 6), ("reject", 5)])
def test_a_doubt_is_shown_until_it_is_decided(decision: str, board: int) -> None:
    play = Play("g1", "yikerz", yikerz(), {"seed": 1})

    def press(command: str, player: int | None = None, **args: Any) -> None:
        at = play.reached_us + SECOND
        play.offer(Command(f"{command}-{at}", command, at, play.version, "Ana", player, args))
        play.complete(at)

    for name in ("Ana", "Beto", "Carla"):
        press("add_player", name=name)
    press("set_dealer", 0)
    press("start")
    press("placed")
    view = play.view()
    placed = next(ruling["n"] for ruling in view["rulings"] if ruling["kind"] == "placed")
    assert view["dispute"] is None
    press("dispute", 1, ruling=placed)
    assert play.view()["dispute"] == {"ruling": placed, "player": 1, "by": "Ana", "since_us": None}
    for _ in range(LOG_LINES):  # more than the state keeps
        press("touched", 2)
    shown = play.view()["rulings"][0]
    assert (shown["n"], shown["kind"], shown["player"]) == (placed, "placed", 0)
    for _ in range(LOG_LINES):
        press("undo")
    press(decision, table=True)
    view = play.view()
    assert view["dispute"] is None
    assert view["players"][0]["pile"] == board
