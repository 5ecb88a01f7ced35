"""What each round of a game brought, told from its rulings."""

from typing import Any

import pytest

from companion.views.record import rounds


def end(player: int | None = None, **data: Any) -> dict[str, Any]:
    return {"kind": "round_end", "player": player, "data": data}


def points(player: int, earned: int, **data: Any) -> dict[str, Any]:
    return {"kind": "points", "player": player, "data": {"points": earned, **data}}


@pytest.mark.failure("I4")
def test_a_round_of_yikerz_tells_who_won_and_what_was_left() -> None:
    assert rounds([end(1, left=[3, 0], wins=[0, 1], points=[0, 3])]) == [{"player": 1, "left": [3, 0], "points": []}]


@pytest.mark.failure("I4")
def test_points_come_with_the_end_of_a_round_or_behind_it() -> None:
    cirkis = [points(0, 10, shape="star-1"), end(end="out", points=[[0, 15], [1, 5]]), end(end="stuck", points=[])]
    assert [each["points"] for each in rounds(cirkis)] == [[[0, 15], [1, 5]], []]
    tiki = [end(places=[]), points(0, 9, total=9), points(1, 2, total=2), end(places=[]), points(1, 16, total=18)]
    assert [each["points"] for each in rounds(tiki)] == [[[0, 9], [1, 2]], [[1, 16]]]
    assert rounds([points(0, 9, total=9)]) == []
