"""What people say of the stones is asked back where sensors that work see otherwise; they may insist (Y21, Y22)."""

import csv
import io
import json
from typing import Any

import pytest

from companion.process.kinds.yikerz import yikerz
from companion.process.referee.inbox import LinkDown
from companion.table import Complete, EventKind, Health, Picture, Stone, TableEvent
from companion.views.port import Answer
from tests.process.service import Bench, S

LIES = (Stone(0, 10.0, 20.0), Stone(1, -40.0, 5.0))


class Table(Bench):
    """A game with sensors in which both players have put a stone, 0 and 1. lay: what lay there as it was begun."""

    def __init__(self, *lay: Stone) -> None:
        super().__init__(kinds={"yikerz": yikerz()})
        self.link_up()
        self.game = self.new_game(sensors=True, players=["Ana", "Beto"], dealer=0)
        self.shows(*lay)
        self.answered("start", anyway=True)
        for track in (0, 1):
            self.tells(EventKind.APPROACH, track)
            self.tells(EventKind.RELEASED, track)
            self.tells(EventKind.SETTLED, rest=(*LIES[: track + 1], *lay))
        self.shows(*LIES, *lay)

    def now_us(self) -> int:
        return self.clock.now_us() - self.offset_us

    def shows(self, *stones: Stone, state: str = "ok") -> None:
        """A moment later the sensors see these."""
        self.pass_time(S // 10)
        health = Health(self.now_us(), state, clock_offset_us=self.offset_us)
        self.hear(Picture(self.now_us(), stones), health, Complete(self.now_us()))

    def tells(self, kind: EventKind, *stones: int, rest: tuple[Stone, ...] = ()) -> None:
        self.pass_time(S)
        count = len(rest) if kind is EventKind.SETTLED else len(stones)
        self.hear(TableEvent(kind, self.now_us(), stones, count, self.now_us(), rest=rest), Complete(self.now_us()))

    def answered(self, name: str, **args: Any) -> Answer:
        """What becomes of a press, while the sensors see what they saw."""
        press_id = f"p{next(self.numbers)}"
        self.press(name, self.game, id=press_id, **args)
        self.pass_time(S // 10)
        self.complete(self.now_us())
        answer = self.press(name, self.game, id=press_id, **args)
        assert answer is not None
        return answer

    def newest(self, kind: str) -> Any:
        return [ruling["data"] for ruling in self.rulings(self.game) if ruling["kind"] == kind][-1]

    def question(self) -> int:
        (question,) = self.view(self.game)["questions"]
        return int(question["id"])


@pytest.fixture
def lifted() -> Table:
    """Stone 1 has left the board without a ruling, and what became of it is asked."""
    table = Table()
    table.tells(EventKind.LIFTED, 0)
    table.tells(EventKind.REMOVED, 0)
    table.shows(LIES[1])
    return table


@pytest.mark.rule("Y21", "Y37")
def test_a_stone_that_is_said_to_be_back_is_asked_for_where_the_sensors_do_not_see_it(lifted: Table) -> None:
    back = {"question": lifted.question(), "choice": "put_back"}
    answer = lifted.answered("answer", **back)
    assert (answer.status, answer.code) == ("refused", "unlike")
    absent = [{"track": 0, "x": 10.0, "y": 20.0}]
    assert answer.body == {"args": {"seen": 1, "expected": 2, "absent": absent, "extra": []}}
    assert lifted.view(lifted.game)["questions"]
    assert lifted.answered("answer", **back, insist=True).status == "applied"
    told = lifted.newest("answered")
    assert (told["choice"], told["insisted"], told["seen"], told["expected"]) == ("put_back", True, 1, 2)
    assert lifted.view(lifted.game)["on_board"] == 2


@pytest.mark.rule("Y21", "Y37")
def test_a_stone_that_is_back_elsewhere_or_under_another_number_is_believed(lifted: Table) -> None:
    lifted.shows(LIES[1], Stone(9, 60.0, 60.0))
    answer = lifted.answered("answer", question=lifted.question(), choice="put_back", insist=True, unlike={"seen": 7})
    assert answer.status == "applied"
    assert "insisted" not in lifted.newest("answered")


@pytest.mark.rule("Y21", "Y23")
@pytest.mark.parametrize("state", ["stale", "starting"])
def test_sensors_that_do_not_work_speak_against_nothing(lifted: Table, state: str) -> None:
    lifted.shows(LIES[1], state=state)
    assert lifted.answered("answer", question=lifted.question(), choice="put_back").status == "applied"


@pytest.mark.rule("Y21")
def test_another_answer_to_the_question_is_believed(lifted: Table) -> None:
    assert lifted.answered("answer", question=lifted.question(), choice="into_pile").status == "applied"


@pytest.mark.rule("Y22")
def test_after_an_undo_stones_that_are_said_to_lie_so_are_asked_for_too() -> None:
    table = Table()
    assert table.answered("undo").status == "applied"
    assert table.view(table.game)["laying"] == {
        "back": 0,
        "off": 1,
        "since_us": table.view(table.game)["laying"]["since_us"],
    }
    answer = table.answered("lay", how="laid")
    assert (answer.status, answer.code) == ("refused", "unlike")
    extra = [{"track": 1, "x": -40.0, "y": 5.0}]
    assert answer.body == {"args": {"seen": 2, "expected": 1, "absent": [], "extra": extra}}
    table.shows(LIES[0], Stone(1, -40.0, 5.0, z=60.0, held=True))
    assert table.answered("lay", how="laid").status == "applied"
    assert "insisted" not in table.newest("laid")


@pytest.mark.rule("Y22")
def test_who_insists_after_an_undo_is_believed_and_the_journal_says_so() -> None:
    table = Table()
    table.answered("undo")
    assert table.answered("lay", how="laid", insist=True).status == "applied"
    told = table.newest("laid")
    assert (told["how"], told["insisted"], told["seen"], told["expected"]) == ("laid", True, 2, 1)
    assert "laying" not in table.view(table.game)


@pytest.mark.rule("Y21", "Y22")
@pytest.mark.parametrize("seen", [False, True])
def test_what_lay_there_as_the_round_was_begun_is_not_counted_when_stones_are_laid_back(seen: bool) -> None:
    other = Stone(7, 60.0, 60.0)
    table = Table(other)
    table.answered("undo")
    assert "laying" in table.view(table.game)
    table.shows(LIES[0], other)
    if seen:
        table.tells(EventKind.SETTLED, rest=(LIES[0], other))
    else:
        assert table.answered("lay", how="laid").status == "applied"
    assert table.newest("laid")["how"] == ("seen" if seen else "laid")


@pytest.mark.rule("Y21")
def test_what_the_table_has_said_is_no_stone_speaks_against_nothing() -> None:
    table, phone = Table(), Stone(8, 60.0, 60.0)
    table.shows(*LIES, phone)
    table.tells(EventKind.SETTLED, rest=(*LIES, phone))
    table.pass_time(4 * S)
    table.complete(table.now_us())
    assert table.answered("answer", question=table.question(), choice="state_is_right").status == "applied"
    table.tells(EventKind.LIFTED, 0)
    table.tells(EventKind.REMOVED, 0)
    table.shows(*LIES, phone)
    assert table.answered("answer", question=table.question(), choice="put_back").status == "applied"


@pytest.mark.rule("Y21", "Y37")
def test_what_an_earlier_table_process_saw_speaks_against_nobody(lifted: Table) -> None:
    back = {"question": lifted.question(), "choice": "put_back"}
    assert lifted.answered("answer", **back).code == "unlike"
    lifted.post(LinkDown(False, "table_gone"))
    lifted.link_up()
    lifted.pass_time(S // 10)
    health = Health(lifted.now_us(), "ok", clock_offset_us=lifted.offset_us)
    lifted.hear(health, Complete(lifted.now_us()))  # it works, and has not told yet what lies there
    assert lifted.answered("answer", **back).status == "applied"


def two_asked(table: Table) -> dict[str, int]:
    """Stone 0 is missing, and then 1 is not seen either: both are asked about. Code of a question -> its number."""
    table.shows()
    table.tells(EventKind.SETTLED)
    table.pass_time(4 * S)
    table.complete(table.now_us())
    asked = {question["code"]: question["id"] for question in table.view(table.game)["questions"]}
    assert asked.keys() == {"missing", "fewer"}
    return asked


@pytest.mark.rule("Y21", "Y37")
@pytest.mark.parametrize(
    ("code", "lies"),
    [("fewer", LIES[1:]), ("fewer", LIES), ("missing", LIES[:1]), ("missing", LIES)],
    ids=["of the count", "of the count, and the missing one too", "the missing one", "the missing one and the other"],
)
def test_an_answer_speaks_of_its_own_stones_where_others_are_asked_about_too(
    lifted: Table, code: str, lies: tuple[Stone, ...]
) -> None:
    asked = two_asked(lifted)
    lifted.shows(*lies)
    assert lifted.answered("answer", question=asked[code], choice="put_back", insist=True).status == "applied"
    assert "insisted" not in lifted.newest("answered")


@pytest.mark.rule("Y21", "Y37")
@pytest.mark.parametrize(("code", "expected"), [("fewer", 1), ("missing", 2)])
def test_who_insists_where_others_are_asked_about_too_is_told_what_the_answer_was_about(
    lifted: Table, code: str, expected: int
) -> None:
    back = {"question": two_asked(lifted)[code], "choice": "put_back"}
    answer = lifted.answered("answer", **back)
    assert (answer.status, answer.code) == ("refused", "unlike")
    assert lifted.answered("answer", **back, insist=True).status == "applied"
    told = lifted.newest("answered")
    assert (told["insisted"], told["seen"], told["expected"]) == (True, 0, expected)


@pytest.mark.rule("Y22")
def test_what_was_insisted_on_after_an_undo_is_listed_on_every_page() -> None:
    table = Table()
    table.answered("undo")
    assert table.answered("lay", how="laid", insist=True).status == "applied"
    for kind, track in ((EventKind.APPROACH, 5), (EventKind.RELEASED, 5)):
        table.tells(kind, track)
    live = table.view(table.game)["rulings"]
    found = table.owner.documents.of(table.game, "json")
    assert found is not None
    told = json.loads(found.data)["rulings"]
    for listed in ([each for each in told if each["kind"] != "countdown"], live):
        kinds = [each["kind"] for each in listed]
        assert kinds.count("laid") == 1
        at = kinds.index("laid")
        assert kinds[at + 1 :].count("placed") == 1  # the one after it
        assert kinds[-1] == "placed"
        why = listed[at]["data"]
        assert (why["insisted"], why["seen"], why["expected"]) == (True, 2, 1)
    sheet = table.owner.documents.of(table.game, "csv")
    assert sheet is not None
    assert [row["data"] for row in csv.DictReader(io.StringIO(sheet.data.decode())) if row["ruling"] == "laid"]
    table.answered("undo")
    assert "laid" in [each["kind"] for each in table.view(table.game)["rulings"]]


def listed(table: Table) -> list[list[Any]]:
    """How the board was laid back after undos, as the live page and the history list it."""
    found = table.owner.documents.of(table.game, "json")
    assert found is not None
    every = table.view(table.game)["rulings"], json.loads(found.data)["rulings"]
    return [[each["data"] for each in told if each["kind"] == "laid"] for told in every]


@pytest.mark.rule("Y22")
@pytest.mark.parametrize("how", ["laid", "as_it_lies"])
def test_what_people_said_after_an_undo_is_listed_where_the_sensors_see_it_so_too(how: str) -> None:
    table = Table()
    table.answered("undo")
    table.shows(*LIES[: 1 if how == "laid" else 2])
    assert table.answered("lay", how=how).status == "applied"
    for (told,) in listed(table):
        assert told["how"] == how
        assert "insisted" not in told


@pytest.mark.rule("Y22")
def test_what_the_sensors_alone_saw_of_it_is_in_no_list_of_what_was_said() -> None:
    table = Table()
    table.answered("undo")
    table.tells(EventKind.SETTLED, rest=LIES[:1])
    assert table.newest("laid")["how"] == "seen"
    assert listed(table) == [[], []]


@pytest.mark.rule("Y22")
def test_after_people_have_insisted_the_page_says_that_the_sensors_see_another_number_until_they_agree() -> None:
    table = Table()
    table.answered("undo")
    assert "differs" not in table.view(table.game)
    assert table.answered("lay", how="laid", insist=True).status == "applied"
    assert table.view(table.game)["differs"] == {"seen": 2, "expected": 1}
    table.shows(LIES[0])
    assert "differs" not in table.view(table.game)
    table.shows(*LIES)
    assert table.view(table.game)["differs"] == {"seen": 2, "expected": 1}
    table.shows(LIES[0])
    table.tells(EventKind.SETTLED, rest=LIES[:1])  # they agree: what comes is no matter of what was said any more
    table.shows(*LIES)
    assert "differs" not in table.view(table.game)


@pytest.mark.rule("Y21", "Y37")
def test_who_insists_that_a_stone_is_back_is_reminded_while_it_is_not_seen(lifted: Table) -> None:
    lifted.answered("answer", question=lifted.question(), choice="put_back", insist=True)
    assert lifted.view(lifted.game)["differs"] == {"seen": 1, "expected": 2}
    lifted.shows(LIES[1], state="stale")  # these tell nothing
    assert "differs" not in lifted.view(lifted.game)
    lifted.shows(LIES[1])
    assert "differs" in lifted.view(lifted.game)
    brought = Stone(5, 60.0, 60.0, z=40.0, held=True)
    for kind in (EventKind.APPROACH, EventKind.PLACED):
        lifted.tells(kind, 5)
    lifted.shows(LIES[1], brought)  # a stone that is only brought does not make up for the one that is missing
    assert lifted.view(lifted.game)["differs"] == {"seen": 1, "expected": 2}
    lifted.tells(EventKind.WITHDRAWN, 5)
    lifted.tells(EventKind.SETTLED, rest=LIES)
    lifted.shows(*LIES)
    assert "differs" not in lifted.view(lifted.game)


@pytest.mark.rule("Y21")
def test_what_the_table_has_said_is_no_stone_is_told_for_as_long_as_it_is_seen() -> None:
    table, phone = Table(), Stone(8, 60.0, 60.0)
    table.shows(*LIES, phone)
    table.tells(EventKind.SETTLED, rest=(*LIES, phone))
    table.pass_time(4 * S)
    table.complete(table.now_us())
    assert "differs" not in table.view(table.game)  # it is asked about
    table.answered("answer", question=table.question(), choice="state_is_right")
    for _ in range(2):
        assert table.view(table.game)["differs"] == {"seen": 3, "expected": 2}
        table.tells(EventKind.SETTLED, rest=(*LIES, phone))
    table.shows(*LIES)
    table.tells(EventKind.SETTLED, rest=LIES)
    assert "differs" not in table.view(table.game)


@pytest.mark.rule("Y21", "Y22")
def test_a_stone_that_was_denied_is_not_let_go_by_the_next_one_and_is_told_of_until_it_moves() -> None:
    table = Table()
    table.tells(EventKind.APPROACH, 2)
    third = Stone(2, 0.0, 60.0)
    table.tells(EventKind.PLACED, 2)
    table.tells(EventKind.RELEASED, 2)
    table.tells(EventKind.SETTLED, rest=(*LIES, third))
    table.shows(*LIES, third)
    table.answered("undo")
    assert table.answered("lay", how="laid").body["args"]["extra"] == [{"track": 2, "x": 0.0, "y": 60.0}]
    assert table.answered("lay", how="laid", insist=True).status == "applied"
    table.tells(EventKind.SETTLED, rest=(*LIES, third))
    piles = [player["pile"] for player in table.view(table.game)["players"]]
    table.tells(EventKind.APPROACH, 3)
    table.tells(EventKind.PLACED, 3)
    table.tells(EventKind.RELEASED, 3)
    lie = (*LIES, third, Stone(3, 60.0, 0.0))
    table.tells(EventKind.SETTLED, rest=lie)
    table.shows(*lie)
    view = table.view(table.game)
    assert [player["pile"] for player in view["players"]] == [piles[0] - 1, piles[1]]
    assert table.newest("placed")["stones"] == [3]
    assert (view["phase"], view["differs"]) == ("countdown", {"seen": 4, "expected": 3})
    table.tells(EventKind.LIFTED, 2)
    table.tells(EventKind.REMOVED, 2)
    lie = (*LIES, lie[3])
    table.tells(EventKind.SETTLED, rest=lie)
    table.shows(*lie)
    assert "differs" not in table.view(table.game)
