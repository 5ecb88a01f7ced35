"""How a turn, a round and the game end, and who has won."""

from typing import Any

import pytest

from companion.games.cirkis import Phase, board, open_spaces, outcome, totals
from companion.games.cirkis.state import End
from companion.games.game import Refusal


def shape(shape_id: str) -> tuple[int, ...]:
    spaces: tuple[int, ...] = board().shape(shape_id).spaces
    return spaces


def give(t: Any, player: int, circles: list[int]) -> None:
    """The player fills whole circles alone: 10 points for each."""
    for n in circles:
        for spaces in (shape(f"circle-{n}")[:3], shape(f"circle-{n}")[3:]):
            t.lay(player, spaces)


def claim(t: Any, by: int, shape_id: str, segments: dict[int, int], **more: Any) -> Any:
    stated = {"shape": shape_id, "segments": {str(player): n for player, n in segments.items()}}
    return t.do("complete", by, shapes=[stated], **more)


@pytest.mark.rule("C12", "C22")
def test_the_game_ends_when_all_in_a_row_lose_their_turns_the_leader_too(table: Any, kind: Any) -> None:
    t = table(players=3)
    t.do("place", spaces=[7])  # player 0 placed the leader
    for player in (1, 2):
        assert [r.clause for r in t.do("cannot_place", player)] == ["C12", "C02"]
    rulings = t.do("cannot_place", 0)
    assert [(r.kind, r.clause) for r in rulings] == [
        ("lost_turn", "C12"),
        ("round_end", "C12"),
        ("game_end", "C15"),
    ]
    assert t.state.round.end is End.STUCK
    assert t.state.phase is Phase.OVER


@pytest.mark.rule("C12", "C22")
def test_a_placement_begins_the_count_anew(table: Any) -> None:
    t = table(players=3)
    t.do("place", spaces=[7])
    t.do("cannot_place")
    t.do("cannot_place")
    t.do("place", spaces=[8])
    t.do("cannot_place")
    t.do("cannot_place")
    assert t.state.phase is Phase.PLAY
    t.do("cannot_place")
    assert t.state.round.end is End.STUCK


@pytest.mark.rule("C12", "C24")
def test_a_lapsed_free_turn_is_not_counted(table: Any) -> None:
    t = table(players=2)
    t.lay(0, (7,), (125,))
    t.do("place", spaces=[155])
    t.do("cannot_place")  # lapses
    t.do("cannot_place")  # player 1
    assert t.state.phase is Phase.PLAY
    t.do("cannot_place")  # player 0 loses a turn now
    assert t.state.round.end is End.STUCK


@pytest.mark.rule("C13")
def test_at_forty_the_game_stops_at_the_end_of_the_turn(table: Any, kind: Any) -> None:
    t = table(players=2)
    give(t, 0, [3, 4, 5])
    t.lay(0, (2,), (15,), (17,), (20,))
    rulings = t.do("place", spaces=[32])
    assert kind(rulings, "round_end")[0].clause == "C13"
    assert t.state.round.end is End.FORTY
    assert outcome(t.state).winners == (0,)


@pytest.mark.rule("C13")
def test_the_free_turn_still_comes_after_forty(table: Any) -> None:
    t = table(players=2)
    give(t, 0, [3, 4, 5])
    t.lay(0, (40,), (71,), (102,), (133,))
    t.do("place", spaces=[7])  # the central star
    assert totals(t.state)[0] == 40
    assert t.state.phase is Phase.PLAY
    t.do("place", spaces=[8])
    assert t.state.round.end is End.FORTY


@pytest.mark.rule("C24")
def test_after_forty_a_free_turn_that_lapses_ends_the_turn(table: Any) -> None:
    t = table(players=2)
    give(t, 0, [3, 4, 5])
    t.lay(0, (40,), (71,), (102,), (133,))
    t.do("place", spaces=[7])
    t.do("cannot_place")
    assert t.state.round.end is End.FORTY


@pytest.mark.rule("C26")
def test_a_piece_can_give_forty_to_another_player(table: Any) -> None:
    t = table(players=3)
    give(t, 1, [3, 4, 5])
    t.lay(1, (2,), (15,), (17,), (20,))
    t.do("place", 0, spaces=[32])
    assert totals(t.state) == {0: 5, 1: 40, 2: 0}
    assert t.state.round.end is End.FORTY
    assert outcome(t.state).winners == (1,)


@pytest.mark.rule("C25", "C13")
def test_going_out_with_forty_ends_by_going_out(table: Any) -> None:
    t = table(players=2)
    give(t, 0, [3, 4, 5])
    t.lay(0, (2,), (15,), (17,), (20,), *[(n,) for n in (0, 3, 8, 9, 11, 12, 14, 18, 21)])
    t.do("place", spaces=[32], overrule=True)
    assert totals(t.state)[0] == 50
    assert t.state.round.end is End.OUT


@pytest.mark.rule("C15")
def test_the_highest_score_wins(table: Any) -> None:
    t = table(players=3)
    give(t, 1, [3])
    give(t, 2, [4, 5])
    t.do("leave", 0)
    t.do("cannot_place")
    t.do("cannot_place")
    assert outcome(t.state).points == ((0, 0), (1, 10), (2, 20))
    assert outcome(t.state).winners == (2,)


@pytest.mark.rule("C15")
def test_a_tie_goes_to_who_has_more_unplayed_pieces_then_is_shared(table: Any) -> None:
    for extra, winners in (((), (1, 2)), (((0,),), (2,))):
        t = table(players=3)
        give(t, 1, [3])
        give(t, 2, [4])
        t.lay(1, *extra)
        for _ in range(3):
            t.do("cannot_place")
        assert outcome(t.state).winners == winners
        assert outcome(t.state).clause == "C15"


@pytest.mark.rule("C27")
@pytest.mark.parametrize(("forty", "winners"), [("highest", (1,)), ("first", (0,))])
def test_several_with_forty_at_the_stop(table: Any, forty: str, winners: tuple[int, ...]) -> None:
    t = table(players=2, mode="quick", forty=forty)
    for n in range(3):
        claim(t, 0, f"circle-{n}", {0: 5})
        claim(t, 1, f"circle-{n + 3}", {1: 5})
    claim(t, 0, "star-0", {0: 5})  # 0 has 40 first
    claim(t, 0, "star-1", {1: 4, 0: 1})  # on the free turn: 1 has 40, 0 has 45
    claim(t, 0, "circle-6", {1: 4, 0: 1})  # 1 has 50, 0 has 50
    claim(t, 0, "circle-7", {1: 4, 0: 1})  # 1 has 60, 0 has 55
    t.do("turn_over")
    assert totals(t.state) == {0: 55, 1: 60}
    assert (outcome(t.state).winners, outcome(t.state).clause) == (winners, "C27")


@pytest.mark.rule("C27")
def test_forty_first_by_one_piece_goes_to_the_higher(table: Any) -> None:
    t = table(players=3, mode="quick", forty="first")
    for n in range(3):
        for player in range(3):
            claim(t, player, f"circle-{3 * player + n}", {player: 5})
    both = [{"shape": "star-0", "segments": {"0": 5}}, {"shape": "circle-9", "segments": {"1": 4, "0": 1}}]
    t.do("complete", 0, shapes=both)  # 45 and 40
    for n in (1, 2):
        claim(t, 0, f"star-{n}", {2: 4, 0: 1})  # then, on the free turns, 50 for player 2 and 10 more for player 0
    t.do("turn_over")
    assert totals(t.state) == {0: 55, 1: 40, 2: 50}
    assert outcome(t.state).winners == (0,)
    t = table(players=3, mode="quick", forty="first")
    for n in range(3):
        for player in range(3):
            claim(t, player, f"circle-{3 * player + n}", {player: 5})
    both = [
        {"shape": "star-0", "segments": {"1": 4, "0": 1}},
        {"shape": "circle-9", "segments": {"1": 4, "0": 1}},
    ]
    t.do("complete", 0, shapes=both)  # 50 for player 1, and 40 for player 0 from two bonuses
    claim(t, 0, "star-1", {2: 4, 0: 1})
    claim(t, 0, "star-2", {2: 4, 0: 1})
    claim(t, 0, "star-3", {2: 4, 0: 1})
    t.do("turn_over")
    assert totals(t.state) == {0: 55, 1: 50, 2: 60}
    assert outcome(t.state).winners == (0,)


@pytest.mark.rule("C27")
def test_the_default_is_the_highest(table: Any) -> None:
    assert table().state.settings.forty == "highest"


@pytest.mark.rule("C17", "C30")
def test_rounds_are_played_until_somebody_has_a_hundred(table: Any, kind: Any) -> None:
    t = table(players=2, mode="quick", play_to="hundred")
    for round_number in range(1, 4):
        for n in range(4):
            claim(t, 0, f"circle-{n}", {0: 5})
        rulings = t.do("turn_over")
        assert totals(t.state)[0] == 40 * round_number
        if round_number < 3:
            assert t.state.phase is Phase.BETWEEN
            assert not kind(rulings, "game_end")
            assert kind(t.do("next_round"), "round_start")[0].clause == "C30"
            assert t.state.deeds == ()
    assert t.state.phase is Phase.OVER
    assert (outcome(t.state).winners, outcome(t.state).clause) == ((0,), "C30")


@pytest.mark.rule("C30", "C14")
def test_the_ten_for_going_out_is_added_to_the_total(table: Any) -> None:
    t = table(players=2, mode="quick", play_to="hundred")
    t.do("complete", 1, shapes=[], out=True)
    assert totals(t.state) == {0: 0, 1: 10}
    assert t.state.phase is Phase.BETWEEN


@pytest.mark.rule("C30")
@pytest.mark.parametrize(("hundred_at", "phase"), [("round", Phase.PLAY), ("turn", Phase.OVER)])
def test_when_the_hundred_is_looked_at(table: Any, hundred_at: str, phase: Phase) -> None:
    t = table(players=2, mode="quick", play_to="hundred", hundred_at=hundred_at)
    for _ in range(2):
        for n in range(4):
            claim(t, 0, f"circle-{n}", {0: 5})
        t.do("turn_over")
        t.do("next_round")
    claim(t, 0, "circle-0", {0: 5})
    claim(t, 0, "circle-1", {0: 5})
    assert totals(t.state)[0] == 100
    if hundred_at == "turn":
        t.do("turn_over")
        assert t.state.round.end is End.HUNDRED
    else:
        assert t.refused("turn_over") == Refusal("no_stop_due", "C13")
    assert t.state.phase is phase


@pytest.mark.rule("C30", "C15")
def test_a_tie_at_a_hundred_is_broken_by_the_pieces_of_the_last_round(table: Any) -> None:
    t = table(players=2, play_to="hundred")
    for _ in range(2):
        give(t, 0, [0, 1, 2, 3])
        give(t, 1, [4, 5, 6, 7])
        t.do("cannot_place", t.state.turn)
        t.do("next_round")
    give(t, 0, [0, 1])
    t.lay(0, (155,))
    give(t, 1, [4, 5])
    t.do("cannot_place")
    t.do("cannot_place")
    assert totals(t.state) == {0: 100, 1: 100}
    assert outcome(t.state).winners == (1,)  # 5 pieces played against 4


@pytest.mark.rule("C30")
@pytest.mark.parametrize(
    ("next_starter", "starters"), [("left", [1, 2, 0]), ("youngest", [1, 1, 1]), ("lowest", [1, 2, 2])]
)
def test_who_starts_the_next_round(table: Any, next_starter: str, starters: list[int]) -> None:
    t = table(players=3, first=1, play_to="hundred", next_starter=next_starter)
    seen = [t.state.turn]
    for _ in range(2):
        give(t, 1, [0])
        give(t, 0, [1])
        for _ in range(3):
            t.do("cannot_place")
        t.do("next_round")
        seen.append(t.state.turn)
    assert seen == starters


@pytest.mark.rule("C34")
def test_who_leaves_is_passed_over_and_left_out_of_the_count(table: Any, kind: Any) -> None:
    t = table(players=3)
    t.do("place", 0, spaces=[7])
    t.do("place", 1, spaces=[8])
    assert kind(t.do("leave", 2), "turn_start")[0].player == 0  # it was their turn
    t.do("place", 0, spaces=[24])
    assert t.state.turn == 1
    assert t.refused("place", 2, spaces=[5]) == Refusal("not_playing", "C34")
    assert t.refused("leave", 2) == Refusal("not_playing", "C34")
    t.do("cannot_place", 1)
    t.do("cannot_place", 0)
    assert t.state.round.end is End.STUCK  # two of two


@pytest.mark.rule("C34")
def test_the_pieces_of_who_left_still_score_but_cannot_win(table: Any) -> None:
    t = table(players=3)
    t.lay(2, (2,), (15,), (17,), (20,))
    t.do("leave", 2)
    t.do("place", 0, spaces=[32])
    assert totals(t.state) == {0: 5, 1: 0, 2: 10}
    t.do("cannot_place")
    t.do("cannot_place")
    assert outcome(t.state).winners == (0,)


@pytest.mark.rule("C34")
def test_with_one_player_left_the_game_ends(table: Any) -> None:
    t = table(players=2, play_to="hundred")
    give(t, 0, [3])
    rulings = t.do("leave", 0)
    assert [(r.kind, r.clause) for r in rulings] == [
        ("left", "C34"),
        ("round_end", "C34"),
        ("game_end", "C34"),
    ]
    assert t.state.phase is Phase.OVER
    assert outcome(t.state).winners == (1,)
    assert totals(t.state) == {0: 10, 1: 0}


@pytest.mark.rule("C34")
def test_when_the_last_who_could_place_leaves_the_round_is_stuck(table: Any) -> None:
    t = table(players=3)
    t.do("place", 0, spaces=[7])
    t.do("cannot_place", 1)
    t.do("cannot_place", 2)
    t.do("leave", 0)
    assert t.state.round.end is End.STUCK


@pytest.mark.rule("C34")
def test_leaving_between_rounds(table: Any) -> None:
    t = table(players=3, play_to="hundred", first=1)
    t.do("abandon", what="round")
    t.do("leave", 2)
    t.do("next_round")
    assert t.state.turn == 0
    t.do("abandon", what="round")
    t.do("leave", 1)
    assert t.state.phase is Phase.OVER
    assert outcome(t.state).winners == (0,)


@pytest.mark.rule("C34")
def test_an_abandoned_round_or_game_gives_no_points(table: Any) -> None:
    t = table(players=2, play_to="hundred")
    give(t, 0, [3, 4])
    t.do("abandon", what="round")
    assert t.state.phase is Phase.BETWEEN
    assert totals(t.state) == {0: 0, 1: 0}
    assert t.refused("abandon", what="round").code == "not_now"
    t.do("next_round")
    give(t, 0, [3, 4])
    rulings = t.do("abandon")
    assert [(r.kind, r.clause) for r in rulings] == [("round_end", "C34"), ("game_end", "C34")]
    assert totals(t.state) == {0: 0, 1: 0}
    assert outcome(t.state).winners == ()


@pytest.mark.rule("C21")
def test_a_new_order_of_the_seats_moves_no_points(table: Any) -> None:
    t = table(players=3)
    give(t, 1, [3])
    before = totals(t.state)
    t.do("seats", order=[0, 2, 1])
    assert totals(t.state) == before
    t.do("place", spaces=[int(min(open_spaces(t.state)))])
    assert t.state.turn == 2
    for order in ([0, 1], [0, 1, 1], [0, 1, 3], "012", None, [0.0, 1, 2]):
        assert t.refused("seats", order=order) == Refusal("bad_args")


def test_nothing_is_taken_out_of_its_time(table: Any) -> None:
    t = table(players=2)
    assert t.refused("next_round").code == "not_now"
    assert t.refused("unknown").code == "unknown_command"
    assert t.refused("turn_over") == Refusal("other_mode", "C19")
    t.do("abandon")
    for name in ("place", "cannot_place", "leave", "seats", "abandon", "next_round"):
        assert t.refused(name, 0).code == "game_over"
