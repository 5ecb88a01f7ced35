"""What pages get: the drawing, the public view, the examples, and codes that have a name."""

import ast
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from companion.games.cirkis import Phase, board, open_spaces, preview, totals
from companion.games.cirkis.example import EXAMPLES
from companion.games.cirkis.names import REFUSALS, RULINGS
from companion.games.cirkis.view import drawing, public

ROOT = Path(__file__).parents[3]
SOURCES = sorted((ROOT / "companion" / "games" / "cirkis").glob("*.py"))


def test_the_drawing_is_the_board() -> None:
    drawn = drawing()
    assert len(drawn["spaces"]) == 165
    assert len(drawn["outline"]) == 10
    assert drawn["shapes"]["star-0"] == list(board().shape("star-0").spaces)  # type: ignore[union-attr]
    assert drawn["spaces"][7]["shapes"] == ["star-0"]
    assert max(abs(v) for space in drawn["spaces"] for corner in space["polygon"] for v in corner) < 5.24
    assert len(json.dumps(drawn, separators=(",", ":"))) < 30_000


@pytest.mark.rule("C21", "C23")
def test_the_public_view_shows_what_all_may_see(table: Any) -> None:
    t = table(pieces="assumed")
    t.do("place", spaces=[7])
    seen = public(t.state)
    assert [player["unplayed"] for player in seen["players"]] == [19, 20, 20]
    assert seen["players"][0]["shapes"]["arrow"] == 2
    assert (seen["turn"], seen["leader"], seen["owners"]) == (1, [7], {"7": 0})
    assert seen["open"] == sorted(open_spaces(t.state))
    assert seen["unable"] == []
    assert seen["settings"]["assumed"]
    assert seen["result"] is None
    t.do("abandon")
    assert public(t.state)["result"] == {"winners": [], "clause": "C34", "asked": []}


@pytest.mark.failure("I5", "I7")
def test_points_in_the_view_are_those_of_the_deeds(table: Any) -> None:
    t = table(play_to="hundred", ring=True)
    t.play(random.Random(4), moves=900, extras=True)
    assert t.state.phase is Phase.OVER
    seen = public(t.state)
    json.dumps(seen)
    summed = dict.fromkeys(range(3), 0)
    for played in seen["rounds"]:
        for deed in played["deeds"]:
            for award in deed.get("points", []):
                summed[award["player"]] += 0 if played["end"] == "abandoned" else award["points"]
    assert summed == totals(t.state) == {p["player"]: p["total"] for p in seen["players"]}


def example(name: str) -> Any:
    return next(example for example in EXAMPLES if example.name == name)


@pytest.mark.rule("C18")
def test_the_example_of_two_shapes() -> None:
    shown = example("two_shapes")
    seen = preview(shown.state(), shown.spaces)
    assert seen.legal
    points = {(award.player, award.points, award.shape.split("-")[0]) for award in seen.awards()}
    assert points == {(1, 10, "star"), (1, 5, "circle"), (2, 10, "circle")}


@pytest.mark.rule("C32")
def test_the_examples_of_touching() -> None:
    for name in ("touching", "point_only", "slivers"):
        shown = example(name)
        leader = shown.lies[-1][1]
        assert preview(shown.state(), shown.spaces).legal
        by_side = not board().adjoining(leader).isdisjoint(shown.spaces)
        assert by_side is (name == "touching")
        assert open_spaces(shown.state()) == board().touching(leader) - {s for _, lies in shown.lies for s in lies}


def codes(call: str, place: int) -> set[str]:
    """The texts written as that argument in calls of a name, everywhere in the game's source."""
    found = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == call
            if named and len(node.args) > place and isinstance(node.args[place], ast.Constant):
                found.add(node.args[place].value)
    return found


def test_every_code_has_a_name_for_the_catalogues(table: Any) -> None:
    assert codes("Ruling", 1) == set(RULINGS)
    every = codes("Refusal", 0) | codes("Problem", 0)
    # codes that come out of functions: why an outline fits no piece, and the turn in a placement
    for path in SOURCES:
        every |= set(re.findall(r'faults\.append\("(\w+)"\)', path.read_text()))
    assert every == set(REFUSALS)


def test_every_clause_is_in_the_code_and_in_a_test() -> None:
    rules = re.findall(r"^\| (C\d\d) \|", (ROOT / "docs" / "rules" / "cirkis.md").read_text(), re.MULTILINE)
    assert rules == [f"C{n:02}" for n in range(1, 35)]
    code = " ".join(path.read_text() for path in SOURCES)
    marks = " ".join(
        mark
        for path in Path(__file__).parent.glob("test_*.py")
        for mark in re.findall(r"mark\.rule\((.*?)\)", path.read_text())
    )
    assert [rule for rule in rules if not re.search(rf"\b{rule}\b", code)] == []
    assert [rule for rule in rules if f'"{rule}"' not in marks] == []
