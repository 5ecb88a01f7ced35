"""What people say of the stones is asked back where sensors that work see otherwise; they may insist (Y21, Y22)."""

import csv
import io
import json
from typing import Any

import pytest

from companion.process.referee.inbox import LinkDown
from companion.table import Complete, EventKind, Health, Stone
from tests.process.said import LIES, Table, with_a_phone, with_one_lifted
from tests.process.service import S


@pytest.fixture
def lifted() -> Table:
    return with_one_lifted()


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
    table, phone = with_a_phone()
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
