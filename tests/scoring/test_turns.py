"""Turns count as right by player and piles, in order and near their time."""

from typing import Any

from companion.scoring.turns import Turns, turns

TRUTH: dict[str, Any] = {
    "turns": [
        {"player": 0, "t_end": 10.0, "piles": [9, 10]},
        {"player": 1, "t_end": 20.0, "piles": [9, 9]},
        {"player": 0, "t_end": 30.0, "piles": [8, 9], "won": True},
        {"player": 1, "t_end": None, "piles": [8, 9]},
    ]
}


def ended(t: float, player: int, piles: list[int], **more: Any) -> dict[str, Any]:
    return {"t": t, "ruling": "turn_end", "player": player, "piles": piles, **more}


RIGHT = [ended(10.2, 0, [9, 10]), ended(20.0, 1, [9, 9]), ended(29.5, 0, [8, 9])]
WON = {"t": 30.0, "ruling": "round_end", "winner": 0}


def test_all_right() -> None:
    assert turns(TRUTH, [*RIGHT, WON]) == Turns(3, 3, 3, True, 0)


def test_without_the_winner_the_game_is_not_whole() -> None:
    assert turns(TRUTH, RIGHT) == Turns(3, 3, 3, False, 0)


def test_wrong_piles_player_or_time_are_not_right_and_do_not_spoil_the_next() -> None:
    wrong = [ended(10.2, 0, [8, 10]), ended(20.0, 0, [9, 9]), ended(29.5, 0, [8, 9])]
    assert turns(TRUTH, [*wrong, WON]) == Turns(3, 3, 1, False, 0)
    late = [ended(14.0, 0, [9, 10]), *RIGHT[1:]]
    assert turns(TRUTH, [*late, WON]).right == 2


def test_a_turn_too_many_is_seen_and_questions_are_counted() -> None:
    more = [RIGHT[0], ended(15.0, 1, [9, 10], asked=True), *RIGHT[1:], WON]
    assert turns(TRUTH, more) == Turns(3, 4, 3, False, 1)


def test_no_ruling_is_right_twice() -> None:
    twice = {"turns": [TRUTH["turns"][0], TRUTH["turns"][0]]}
    assert turns(twice, RIGHT[:1]).right == 1
