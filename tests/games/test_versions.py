"""A game goes on under the version of the rules of its last entry: one of each older version, as that ruled it.

Games of 1 to 3 go on under 4.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from companion.games.fold import COMMANDS as OF_THE_FOLD
from companion.games.fold import Fold
from companion.games.game import Command
from companion.games.text import GameText, read_game, ruling_text
from companion.games.yikerz.game import Yikerz
from companion.games.yikerz.versions import NEWEST, OLDEST
from companion.journal import MemoryJournal, NewEntry
from companion.process.common.body import to_body
from companion.process.kinds.yikerz import yikerz
from tests.process.service import Bench, S

FOLDER = Path(__file__).parents[1] / "data" / "rules"
VERSIONS = range(OLDEST, NEWEST)


def game_of(rules: int) -> GameText:
    game = read_game((FOLDER / f"{rules}.txt").read_text(encoding="utf-8"))
    assert game.rules == str(rules)
    return game


def ruled(game: GameText, rules: int) -> Iterator[list[str]]:
    """What a version rules on the entries of a game, as text."""
    fold = Fold(Yikerz(rules))
    folded = fold.start(game.settings)
    for entry, _ in game.entries:
        folded, step = fold.apply(folded, entry)
        assert step.refusal is None
        yield texts([asdict(ruling) for ruling in step.rulings])


def texts(rulings: Sequence[Mapping[str, Any]]) -> list[str]:
    return [ruling_text(json.loads(json.dumps(ruling))) for ruling in rulings]


@pytest.mark.parametrize("rules", VERSIONS)
def test_a_game_is_ruled_as_it_was_by_its_own_version_and_otherwise_by_the_next(rules: int) -> None:
    game = game_of(rules)
    then = [texts(rulings) for _, rulings in game.entries]
    assert list(ruled(game, rules)) == then
    assert list(ruled(game, rules + 1)) != then


@pytest.mark.parametrize("rules", VERSIONS)
def test_a_running_game_of_an_older_version_goes_on_under_it(rules: int) -> None:
    game = game_of(rules)
    journal = MemoryJournal()
    body = {"id": "new", "kind": "yikerz", "settings": dict(game.settings), "sensors": False, "by": ""}
    entries = [NewEntry("g1", "created", str(rules), 0, body)]
    for entry, rulings in game.entries:
        kind, body = to_body(entry)
        entries.append(NewEntry("g1", kind, str(rules), entry.t_us, body, rulings))
    journal.append(entries)
    bench = Bench(journal, kinds={"yikerz": yikerz()})
    view = bench.view("g1")
    assert view["notice"] == ""
    assert view["players"][1]["pile"] == json.loads(json.dumps(list(_piles(game))[-1]))[1]
    bench.press("undo", "g1", view["version"])
    bench.pass_time(S)
    rows = [row.new for row in journal.entries("g1")]
    assert len(rows) == len(entries) + 1
    assert {row.rules for row in rows} == {str(rules)}
    told = bench.owner.documents.of("g1", "entries")
    assert told is not None
    names = [each["name"] for each in json.loads(told.data)["entries"]]
    assert names == [e.name for e, _ in game.entries if isinstance(e, Command) and e.name not in OF_THE_FOLD]
    again = Bench(journal, kinds={"yikerz": yikerz()})
    assert again.view("g1")["rulings"] == bench.view("g1")["rulings"]


def _piles(game: GameText) -> Iterator[Sequence[int]]:
    for _, rulings in game.entries:
        yield from (ruling["data"]["piles"] for ruling in rulings if "piles" in ruling["data"])
