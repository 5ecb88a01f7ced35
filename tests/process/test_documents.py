"""A game as text, JSON and CSV, its entries and figures; the history; games deleted, and old ones opened again."""

import csv
import io
import json
import re
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.clock import HandClock
from companion.games.fold import Fold
from companion.games.text import read_game
from companion.games.yikerz.game import Yikerz
from companion.journal import Journal, MemoryJournal, open_journal
from companion.process.kinds.kind import GameKind
from companion.process.kinds.yikerz import yikerz
from companion.process.referee import resume
from companion.process.referee.documents import Documents
from companion.views.port import Answer
from tests.process.service import Bench, S

KINDS = {"yikerz": yikerz()}


def press(bench: Bench, name: str, game: str, **args: Any) -> Answer:
    """Press, wait until it is judged; the answer, which a repeat of the same id gets again (H13)."""
    press_id = f"p{next(bench.numbers)}"
    bench.press(name, game, 99, id=press_id, **args)
    bench.pass_time(S // 5)
    answer = bench.press(name, game, 99, id=press_id, **args)
    assert answer is not None
    return answer


def played(journal: Journal, kinds: Mapping[str, GameKind] = KINDS) -> tuple[Bench, str]:
    """A short game by buttons: one turn, a collapse, an undo, the round by its result."""
    bench = Bench(journal, kinds=kinds)
    game = bench.new_game(players=["=Ana", "Beto"], begin="at_once", dealer=0, best_of=1, stones=8)
    for name, wait_s in (("placed", 15), ("placed", 1), ("undo", 1), ("placed", 2)):
        assert press(bench, name, game).status == "applied"
        bench.pass_time(wait_s * S)
    assert press(bench, "round_result", game, winner=1, left=[2, 0]).status == "applied"
    return bench, game


def document(bench: Bench, game: str, name: str) -> str:
    found = bench.owner.documents.of(game, name)
    assert found is not None
    return found.data.decode()


@pytest.mark.parametrize("where", ["memory", "disk"])
def test_the_text_of_a_game_folds_to_the_game_as_it_was(where: str, tmp_path: Path) -> None:
    bench, game = played(open_journal(tmp_path) if where == "disk" else MemoryJournal())
    told = read_game(document(bench, game, "text"))
    fold = Fold(Yikerz())
    folded = fold.start(told.settings)
    for entry, rulings in told.entries:
        folded, step = fold.apply(folded, entry)
        assert [ruling.kind for ruling in step.rulings] == [ruling["kind"] for ruling in rulings]
    view = bench.view(game)
    assert [player.name for player in folded.state.players] == ["=Ana", "Beto"]
    assert (folded.state.phase, list(folded.state.wins)) == (view["phase"], [p["wins"] for p in view["players"]])


def test_the_csv_has_a_line_for_each_ruling_that_counts() -> None:
    bench, game = played(MemoryJournal())
    rows = list(csv.DictReader(io.StringIO(document(bench, game, "csv"))))
    kinds = [row["ruling"] for row in rows]
    assert kinds.count("placed") == 2  # the undone one is not among them
    assert "undone" not in kinds
    assert kinds[-1] == "game_end"
    assert {row["name"] for row in rows if row["player"] == "0"} == {"'=Ana"}  # no formula of a spreadsheet
    assert json.loads(rows[-1]["data"])["winners"] == [1]


def test_the_json_is_the_whole_game() -> None:
    bench, game = played(MemoryJournal())
    whole = json.loads(document(bench, game, "json"))
    assert [entry["kind"] for entry in whole["entries"]].count("undo") == 1
    assert whole["winners"] == [1]
    assert whole["ended"] is True
    assert whole["settings"]["players"] == ["=Ana", "Beto"]
    assert whole["statistics"]["Beto"]["games_won"] == 1
    assert whole["players"] == [{"id": 0, "name": "=Ana"}, {"id": 1, "name": "Beto"}]


@pytest.mark.failure("I1", "I3")
def test_the_entries_are_told_with_the_numbers_that_an_edit_names() -> None:
    bench, game = played(MemoryJournal())
    entries = json.loads(document(bench, game, "entries"))["entries"]
    assert [entry["name"] for entry in entries] == ["placed", "placed", "round_result"]
    last = entries[-1]
    before = document(bench, game, "json")
    answer = press(bench, "edit", game, entry=last["entry"], args=last["args"])
    assert (answer.status, answer.code) == ("refused", "nothing_changed")
    assert document(bench, game, "json") == before
    answer = press(bench, "edit", game, entry=last["entry"], args={"winner": 0, "left": [0, 3]})
    bench.pass_time(S)
    assert [player["wins"] for player in bench.view(game)["players"]] == [1, 0]
    assert json.loads(document(bench, game, "json"))["winners"] == [0]


def test_the_history_and_the_figures_of_all_games() -> None:
    bench, _ = played(MemoryJournal())
    other = bench.new_game(players=["Beto", "Cleo"], begin="at_once")
    games = json.loads(document(bench, "", "history"))["games"]
    assert [(game["game"], game["ended"]) for game in games] == [(other, False), ("g1", True)]
    figures = json.loads(document(bench, "", "statistics"))["statistics"]["yikerz"]
    assert figures["Beto"]["games"] == 2
    assert list(figures) == ["=Ana", "Beto", "Cleo"]
    press(bench, "round_result", other, winner=0, left=[0, 1])
    assert json.loads(document(bench, "", "history"))["games"][0]["game"] == other


def test_what_a_demonstration_plays_is_in_nobodys_figures() -> None:
    """The virtual table's players have names that people have too."""
    bench, _ = played(MemoryJournal())
    before = document(bench, "", "statistics")
    shown = bench.new_game(players=["Beto", "Cleo"], begin="at_once", answers="nobody")
    assert press(bench, "placed", shown).status == "applied"
    games = json.loads(document(bench, "", "history"))["games"]
    assert [(game["game"], game.get("unattended", False)) for game in games] == [(shown, True), ("g1", False)]
    assert document(bench, "", "statistics") == before


def test_a_game_that_never_began_is_no_history() -> None:
    bench, first = played(MemoryJournal())

    def told() -> list[str]:
        return [game["game"] for game in json.loads(document(bench, "", "history"))["games"]]

    waiting = bench.new_game(players=["Beto", "Cleo"])
    assert told() == [first]
    assert press(bench, "start", waiting).status == "applied"
    assert told() == [waiting, first]
    press(bench, "undo", waiting)
    assert told() == [first]


@pytest.mark.parametrize(("name", "sign"), [("csv", ","), ("csv-comma", ";")])
def test_the_csv_opens_in_a_spreadsheet_with_every_sign_and_no_formula(name: str, sign: str) -> None:
    bench = Bench(MemoryJournal(), kinds=KINDS)
    names = ["=cmd|' /C calc'!A0", "+Ñandú", "-2", "@SUM(1)", "\uff1d1+1", 'Zoë, "la" 1ª']
    game = bench.new_game(players=names, begin="at_once", dealer=0)
    for _ in names:
        assert press(bench, "placed", game).status == "applied"
        bench.pass_time(11 * S)
    found = bench.owner.documents.of(game, name)
    assert found is not None
    assert found.data.startswith(b"\xef\xbb\xbf")
    told = found.data.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(told), delimiter=sign))
    assert list(dict.fromkeys(row["name"] for row in rows if row["name"])) == ["'" + n for n in names[:5]] + names[5:]
    fraction = "," if sign == ";" else "."
    assert all(re.fullmatch(rf"\d+\{fraction}\d+", row["seconds"]) for row in rows)
    for row in csv.reader(io.StringIO(told), delimiter=sign):
        assert len(row) == 8
        assert not [cell for cell in row if cell[:1] in ("=", "+", "-", "@", "\t", "\r", "\uff1d")]


@pytest.mark.parametrize(("game", "name"), [("g1", "no_such"), ("g7", "json"), ("", "json"), ("g1", "history")])
def test_a_document_that_is_none(game: str, name: str) -> None:
    bench, _ = played(MemoryJournal())
    assert bench.owner.documents.of(game, name) is None


def test_a_deleted_game_is_shown_to_nobody_and_its_number_is_not_given_again(tmp_path: Path) -> None:
    bench, game = played(open_journal(tmp_path))
    answer = press(bench, "delete_game", game)
    assert answer.status == "applied"
    assert bench.owner.frames.newest(game) is None
    assert json.loads(bench.owner.frames.newest("").data)["games"] == []  # type: ignore[union-attr]
    assert bench.owner.documents.of(game, "json") is None
    assert json.loads(document(bench, "", "history"))["games"] == []
    assert press(bench, "open_game", game).code == "no_such_game"
    again = Bench(open_journal(tmp_path), HandClock(5000 * S), KINDS)
    assert again.owner.frames.newest(game) is None
    assert again.new_game() == "g2"
    assert len(list(again.journal.entries(game))) > 5  # nothing was lost


def test_a_game_that_holds_the_sensors_gives_them_up_when_it_is_deleted() -> None:
    bench = Bench()
    bench.link_up()
    game = bench.new_game(sensors=True)
    press(bench, "delete_game", game)
    assert bench.new_game(sensors=True) == "g2"


@pytest.mark.failure("I4")
def test_a_game_that_is_no_longer_listed_is_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first, game = played(MemoryJournal())
    then = first.view(game)
    first.new_game(players=["X", "Y"], begin="at_once")
    monkeypatch.setattr(resume, "LISTED", 1)
    bench = Bench(first.journal, HandClock(9000 * S), KINDS)
    assert bench.owner.frames.newest(game) is None
    answer = press(bench, "open_game", game)
    assert answer.status == "applied"
    now = bench.view(game)
    assert (now["phase"], now["winners"], now["players"]) == (then["phase"], then["winners"], then["players"])
    assert press(bench, "undo", game).status == "applied"  # the end of it can be undone, a day later too
    bench.pass_time(S)
    assert bench.view(game)["phase"] == "countdown"


def test_a_game_of_rules_that_are_not_known_is_told_by_its_rulings() -> None:
    bench, game = played(MemoryJournal())

    class Otherwise(Yikerz):
        def apply(self, state: Any, entry: Any) -> Any:
            raise RuntimeError("other rules")

    kinds = {"yikerz": replace(yikerz(), game=Otherwise())}
    whole = Documents(bench.journal, kinds).of(game, "json")
    assert whole is not None
    told = json.loads(whole.data)
    assert told["winners"] == [1]
    assert [player["name"] for player in told["players"]] == ["=Ana", "Beto"]
    assert told["rulings"] == json.loads(document(bench, game, "json"))["rulings"]


@pytest.mark.rule("T18")
def test_a_secret_card_is_in_no_document() -> None:
    kind = replace(KINDS["yikerz"], secrets=frozenset({"set_piles"}))
    bench = Bench(kinds={"yikerz": kind})
    game = bench.new_game(players=["A", "B"], begin="at_once", stones=20, dealer=0)
    press(bench, "set_piles", game, piles=[13, 7], board=0)
    bench.pass_time(S)
    entry = json.loads(document(bench, game, "entries"))["entries"][0]
    assert entry["args"] == {}
    press(bench, "edit", game, entry=entry["entry"], args={"piles": [7, 13], "board": 0, "secret": 987654})
    bench.pass_time(S)
    for name in ("text", "json", "csv", "entries"):
        assert "987654" not in document(bench, game, name)
        assert '"board":0' not in document(bench, game, name).replace(" ", "").split('"rulings"')[0]


def test_documents_are_read_by_many_threads_while_the_owner_writes(tmp_path: Path) -> None:
    bench, game = played(open_journal(tmp_path))
    found: list[int] = []
    readers = [
        threading.Thread(target=lambda: found.append(len(bench.owner.documents.of(game, "json").data)))  # type: ignore[union-attr]
        for _ in range(8)
    ]
    for reader in readers:
        reader.start()
        press(bench, "undo", game)
        bench.pass_time(S)
    for reader in readers:
        reader.join(60)
    assert len(found) == 8
