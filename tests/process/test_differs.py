"""While the sensors see another number of stones than people have insisted on, the page says so (Y21, Y22)."""

import pytest

from companion.table import EventKind, Stone
from tests.process.said import LIES, Table, with_a_phone, with_one_lifted


@pytest.fixture
def lifted() -> Table:
    return with_one_lifted()


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
    table, phone = with_a_phone()
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
