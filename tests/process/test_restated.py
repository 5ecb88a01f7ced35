"""What is said of a part of the game as a whole counts only against the part that it was read from."""

import json

import pytest

from companion.process.kinds import known_kinds
from companion.process.referee.answers import Ticket
from tests.process.service import Bench
from tests.process.test_owner import GRACE

KINDS = known_kinds()


def begun(kind: str, *names: str) -> tuple[Bench, str]:
    bench = Bench(kinds={kind: KINDS[kind]})
    game = bench.new_game()
    for name in names:
        bench.post(Ticket(name, game, "add_player", bench.clock.now_us(), args={"name": name}))
        bench.pass_time(GRACE)
    bench.press("start", game)
    bench.pass_time(GRACE)
    return bench, game


def answered(bench: Bench, game: str, command: str, version: int, **args: object) -> str:
    """What became of a press against this version: the code of the refusal or ""."""
    bench.press(command, game, version, id=f"{command}-{args}-{version}", **args)
    bench.pass_time(GRACE)
    return str(bench.view(game)["answers"][f"{command}-{args}-{version}"]["code"])


@pytest.mark.failure("H13")
@pytest.mark.rule("Y21", "Y24")
@pytest.mark.parametrize("command", ["set_piles", "round_result"])
def test_piles_read_before_another_phone_moved_are_stale(command: str) -> None:
    bench, game = begun("yikerz", "Ana", "Beto")
    view = bench.view(game)
    ids, piles = [p["id"] for p in view["players"]], [p["pile"] for p in view["players"]]
    said = {
        "set_piles": {"piles": [piles[0] - 1, piles[1] + 1], "board": 0},
        "round_result": {"winner": ids[0], "left": [0, piles[1]]},
    }[command]
    assert answered(bench, game, "placed", view["version"]) == ""
    moved = bench.view(game)
    assert answered(bench, game, command, view["version"], **said) == "stale"
    assert [p["pile"] for p in bench.view(game)["players"]] == [p["pile"] for p in moved["players"]]
    if command == "set_piles":
        piles = [p["pile"] for p in moved["players"]]
        said = {"piles": [piles[0] - 1, piles[1] + 1], "board": 1}
    assert answered(bench, game, command, bench.view(game)["version"], **said) == ""
    again = Bench(bench.journal, bench.clock, kinds={"yikerz": KINDS["yikerz"]})
    assert again.view(game)["notice"] == ""  # folded again as it was
    assert [p["pile"] for p in again.view(game)["players"]] == [p["pile"] for p in bench.view(game)["players"]]


@pytest.mark.rule("Y22")
@pytest.mark.failure("H13")
def test_of_two_edits_of_one_entry_the_second_is_told_of_the_first() -> None:
    bench, game = begun("yikerz", "Ana", "Beto")
    view = bench.view(game)
    left = [0, 2]
    assert answered(bench, game, "round_result", view["version"], winner=view["players"][0]["id"], left=left) == ""
    seen = bench.view(game)["version"]
    listed = bench.owner.documents.of(game, "entries")
    assert listed is not None
    number = next(e for e in json.loads(listed.data)["entries"] if e["name"] == "round_result")["entry"]
    winner = view["players"][0]["id"]
    for n, code in ((3, ""), (4, "stale")):
        args = {"winner": winner, "left": [0, n]}
        assert answered(bench, game, "edit", seen, entry=number, args=args) == code


@pytest.mark.rule("C20", "C21")
def test_seats_and_pieces_set_from_what_they_were_before_are_stale() -> None:
    bench, game = begun("cirkis", "Ana", "Beto", "Carla")
    view = bench.view(game)
    ids = [p["id"] for p in view["players"]]
    assert answered(bench, game, "seats", view["version"], order=ids[::-1]) == ""
    assert answered(bench, game, "seats", view["version"], order=[ids[1], ids[0], ids[2]]) == "stale"
    assert answered(bench, game, "pieces", view["version"], pieces="assumed") == ""
    assert answered(bench, game, "pieces", view["version"], pieces=None) == "stale"
    assert answered(bench, game, "pieces", bench.view(game)["version"], pieces=None) == ""
