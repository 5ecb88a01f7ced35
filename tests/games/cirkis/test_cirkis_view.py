"""What pages get: the drawing, the public view, the examples, and codes that have a name."""

import ast
import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.games.cirkis import Phase, State, board, open_spaces, preview, totals
from companion.games.cirkis.example import EXAMPLES
from companion.games.cirkis.names import REFUSALS, RULINGS
from companion.games.gathered import Gathered, Seated
from companion.process.kinds.cirkis import CHOICES
from companion.views.cirkis import encode, foresee
from companion.views.cirkis_drawing import UNIT, drawing
from companion.views.context import ViewContext

ROOT = Path(__file__).parents[3]
CENTRE = board().shape("star-0").spaces  # type: ignore[union-attr]
SOURCES = sorted((ROOT / "companion" / "games" / "cirkis").glob("*.py"))


def test_the_drawing_is_the_board() -> None:
    drawn = drawing()
    assert len(drawn["spaces"]) == 165
    assert len(drawn["outline"]) == 20
    assert drawn["shapes"]["star-0"] == list(board().shape("star-0").spaces)  # type: ignore[union-attr]
    assert drawn["kinds"].count("s") == 10
    assert max(map(abs, drawn["points"])) == round(5.236 * UNIT)
    for space, numbers in zip(board().spaces, drawn["spaces"], strict=True):
        for (x, y), n in zip(space.polygon(), numbers, strict=True):
            assert (drawn["points"][2 * n], -drawn["points"][2 * n + 1]) == (round(x * UNIT), round(y * UNIT))
    kept = json.loads((ROOT / "tests" / "data" / "cirkis_drawing.json").read_text())
    assert kept == drawn  # what the tests of the page modules look at
    assert len(json.dumps(drawn, separators=(",", ":"))) < 5_000


def shown(state: State, **context: Any) -> dict[str, Any]:
    names = zip(state.settings.players, state.settings.colours, strict=True)
    seated = tuple(Seated(number, name, colour) for number, (name, colour) in enumerate(names))
    return encode(Gathered(seated, inner=state), ViewContext("g1", "cirkis", **context), CHOICES)


@pytest.mark.rule("C21", "C23", "C22")
def test_the_public_view_shows_what_all_may_see(table: Any) -> None:
    t = table(pieces="assumed")
    t.do("place", spaces=[7])
    seen = shown(t.state, version=3)
    assert [player["unplayed"] for player in seen["players"]] == [19, 20, 20]
    assert seen["players"][0]["shapes"]["arrow"] == 2
    assert (seen["turn"], seen["deeds"], seen["version"]) == (1, [{"d": "piece", "n": 0, "p": 0, "s": [7]}], 3)
    assert seen["open"] == sorted(open_spaces(t.state))
    assert (seen["unable"], seen["assumed"], seen["result"], seen["end"]) == ([], True, None, None)
    assert [(p["colour"], p["shape"], p["letter"]) for p in seen["players"]][:2] == [
        ("purple", "circle", "A"),
        ("red", "square", "B"),
    ]
    t.do("abandon")
    over = shown(t.state)
    assert (over["result"], over["open"]) == ({"winners": [], "clause": "C34", "asked": []}, [])


@pytest.mark.rule("C18", "C07", "C08", "C14", "C33")
def test_every_deed_says_what_it_brought_and_why(table: Any) -> None:
    t = table()
    t.lay(1, *[(space,) for space in CENTRE[:4]])
    t.do("place", spaces=[CENTRE[4]])
    t.do("place", spaces=[155], overrule=True)
    t.state = replace(t.state, free=False)
    t.lay(0, *[(space,) for space in range(140, 154)], (20,))
    t.do("place", 1, spaces=[21], overrule=True)
    t.lay(0, (120,), (121,))
    t.turn(0)
    t.do("place", spaces=[10], overrule=True)
    deeds = shown(t.state)["deeds"]
    star, sliver, last = deeds[4], deeds[5], deeds[-1]
    assert star["points"] == [[1, 10, "C10", "star-0"], [0, 5, "C11", "star-0"]]
    assert star["shapes"] == [["star-0", [[0, 1], [1, 4]]]]
    assert star["why"][-1] == ["centre_star", "C07"]
    assert (sliver["f"], sliver["why"]) == (1, [["first_sliver", "C08"]])
    assert (last["out"], last["points"][-1]) == (1, [0, 10, "C14", ""])
    assert last["x"] == ["not_touching_leader"]


@pytest.mark.failure("I5", "I7")
@pytest.mark.parametrize("seed", [4, 5])
def test_points_in_the_view_are_those_of_the_deeds(table: Any, seed: int) -> None:
    t = table(play_to="hundred", ring=True)
    rng = random.Random(seed)
    while t.state.phase is not Phase.OVER:
        t.play(rng, moves=1, extras=True)
        seen = shown(t.state)
        json.dumps(seen)
        summed = dict.fromkeys(range(3), 0)
        for played in seen["rounds"]:
            for player, points in played["points"]:
                summed[player] += points
        for deed in seen["deeds"] if seen["end"] != "abandoned" else []:
            for player, points, _, _ in deed.get("points", []):
                summed[player] += points
        assert summed == totals(t.state) == {p["id"]: p["total"] for p in seen["players"]}


@pytest.mark.rule("C19", "C33")
def test_what_a_command_would_do_is_what_it_does(table: Any) -> None:
    t = table(players=4, ring=True)
    rng = random.Random(11)
    for _ in range(60):
        if t.state.phase is not Phase.PLAY:
            break
        before = t.state
        asked = {"name": "place", "player": t.state.turn, "args": {"spaces": list(rng.choice(t.places() or [[0]]))}}
        foreseen = foresee(t.state, asked)
        assert foreseen is not None
        assert t.state == before
        if foreseen["problems"]:
            break
        rulings = t.do(asked["name"], asked["player"], **asked["args"])
        assert [(r["kind"], r["player"], r["data"]) for r in foreseen["rulings"]] == [
            (r.kind, r.player, dict(r.data)) for r in rulings
        ]


@pytest.mark.rule("C33", "C20", "C23")
def test_what_stands_against_a_placement_is_foreseen_with_what_it_would_do(table: Any) -> None:
    t = table(pieces="assumed")
    first = foresee(t.state, {"name": "place", "player": 0, "args": {"spaces": [155]}})
    assert first is not None
    assert first["problems"] == [{"code": "not_in_centre", "clause": "C03", "overrule": True}]
    assert [r["kind"] for r in first["rulings"]] == ["placed", "overruled", "free_turn"]
    t.do("place", spaces=[7])
    held = foresee(t.state, {"name": "place", "player": 1, "args": {"spaces": [7]}})
    assert held == {"problems": [{"code": "not_empty", "clause": "C04", "overrule": False}], "rulings": []}
    stuck = foresee(t.state, {"name": "cannot_place", "player": 1, "args": {}})
    assert stuck is not None
    assert stuck["problems"] == [{"code": "can_place", "clause": "C23", "overrule": True}]
    assert t.do("place", 1, spaces=stuck["fits"])


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"name": "abandon", "player": None, "args": {}},
        {"name": "place", "player": "0", "args": {}},
        {"name": "place", "player": 0, "args": []},
        {"name": ["place"], "player": 0, "args": {}},
    ],
)
def test_only_plays_are_foreseen(table: Any, asked: dict[str, Any]) -> None:
    assert foresee(table().state, asked) is None


def test_malformed_plays_are_foreseen_as_refused(table: Any) -> None:
    for args in ({}, {"spaces": 3}, {"spaces": [True]}, {"spaces": ["7"]}, {"spaces": [7], "overrule": 2}):
        foreseen = foresee(table().state, {"name": "place", "player": 0, "args": args})
        assert foreseen is not None
        assert foreseen["problems"] or args.get("overrule") == 2
    quick = foresee(table(mode="quick").state, {"name": "complete", "player": 0, "args": {"shapes": [{}]}})
    assert quick is not None
    assert [p["code"] for p in quick["problems"]] == ["bad_args"]


def example(name: str) -> Any:
    return next(example for example in EXAMPLES if example.name == name)


@pytest.mark.rule("C18")
def test_the_example_of_two_shapes() -> None:
    two = example("two_shapes")
    seen = preview(two.state(), two.spaces)
    assert seen.legal
    points = {(award.player, award.points, award.shape.split("-")[0]) for award in seen.awards()}
    assert points == {(1, 10, "star"), (1, 5, "circle"), (2, 10, "circle")}


@pytest.mark.rule("C32")
def test_the_examples_of_touching() -> None:
    for name in ("touching", "point_only", "slivers"):
        one = example(name)
        leader = one.lies[-1][1]
        assert preview(one.state(), one.spaces).legal
        by_side = not board().adjoining(leader).isdisjoint(one.spaces)
        assert by_side is (name == "touching")
        assert open_spaces(one.state()) == board().touching(leader) - {s for _, lies in one.lies for s in lies}


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
