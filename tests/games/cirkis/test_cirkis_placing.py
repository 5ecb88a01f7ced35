"""Where a piece may go, whose turn it is, and what the table may overrule."""

from typing import Any

import pytest

from companion.games.cirkis import board, leader, open_spaces, owners, preview, totals, unplayed
from companion.games.game import Refusal


@pytest.mark.rule("C01")
def test_everybody_begins_with_twenty_pieces_of_one_colour_and_no_points(table: Any) -> None:
    state = table(players=4).state
    assert [unplayed(state, player) for player in range(4)] == [20] * 4
    assert totals(state) == {0: 0, 1: 0, 2: 0, 3: 0}
    assert len(set(state.settings.colours)) == 4
    assert owners(state) == {}


@pytest.mark.rule("C01")
@pytest.mark.parametrize("players", [[], ["Ana"], ["A", "B", "C", "D", "E"], "AB", None, ["Ana", ""], ["Ana", 3]])
def test_two_to_four_players(table: Any, players: Any) -> None:
    with pytest.raises(ValueError, match="players"):
        table().game.start({"players": players})


@pytest.mark.rule("C02", "C21")
def test_the_youngest_starts_and_play_goes_left_round_the_seats(table: Any) -> None:
    t = table(players=4, first=2, seats=[0, 2, 1, 3])
    turns = []
    for space in (7, 8, 5, 11, 147):
        turns.append(t.state.turn)
        rulings = t.do("place", spaces=[space])
        assert (rulings[-1].kind, rulings[-1].clause, rulings[-1].player) == (
            "turn_start",
            "C02",
            t.state.turn,
        )
    assert turns == [2, 1, 3, 0, 2]


@pytest.mark.rule("C02", "C33")
def test_out_of_turn_is_refused_unless_the_table_overrules(table: Any, kind: Any) -> None:
    t = table()
    assert t.refused("place", 1, spaces=[7]) == Refusal("not_your_turn", "C02")
    rulings = t.do("place", 1, spaces=[7], overrule=True)
    assert kind(rulings, "overruled")[0].clause == "C33"
    assert t.state.turn == 2  # play goes on to the left of who placed


@pytest.mark.rule("C03")
def test_the_first_piece_lies_partly_in_ring_or_star(table: Any) -> None:
    t = table()
    assert open_spaces(t.state) == board().centre()
    assert t.refused("place", spaces=[0]) == Refusal("not_in_centre", "C03")
    assert t.refused("place", spaces=[5, 6]) == Refusal("not_in_centre", "C03")
    assert preview(t.state, [5, 8]).legal  # 5 lies outside, 8 in the ring
    assert preview(t.state, [7]).legal
    rulings = t.do("place", spaces=[5, 8])
    assert (rulings[0].kind, rulings[0].clause, rulings[0].data["spaces"]) == ("placed", "C03", [5, 8])


@pytest.mark.rule("C04")
@pytest.mark.parametrize(
    ("spaces", "code"),
    [
        ([7, 8, 5, 6], "too_many_spaces"),
        ([7, 71], "not_adjoining"),  # they touch at the tip only
        ([7, 40, 71], "three_of_star"),
        ([155, 125], "sliver_alone"),
        ([155, 156], "sliver_alone"),
        ([], "not_spaces"),
        ([7, 7], "not_spaces"),
        ([165], "not_spaces"),
        ([-1], "not_spaces"),
    ],
)
def test_a_piece_is_played_only_where_it_fits(table: Any, spaces: list[int], code: str) -> None:
    t = table()
    assert code in [problem.code for problem in preview(t.state, spaces).problems]
    assert t.refused("place", spaces=spaces).clause in ("C03", "C04")


@pytest.mark.rule("C04")
def test_two_arms_of_a_star_and_a_whole_slice_of_a_circle_are_pieces(table: Any) -> None:
    t = table()
    assert preview(t.state, [7, 40]).legal
    t.lay(0, (9,))
    assert preview(t.state, [1, 4, 10]).legal


@pytest.mark.rule("C04")
def test_covered_spaces_stay_covered_even_by_the_tables_word(table: Any) -> None:
    t = table()
    t.lay(0, (7,))
    assert t.refused("place", spaces=[7, 8]) == Refusal("not_empty", "C04")
    assert t.refused("place", spaces=[7, 8], overrule=True) == Refusal("not_empty", "C04")
    assert not preview(t.state, [7, 8]).may_overrule


@pytest.mark.rule("C05", "C32")
def test_the_spaces_that_touch_the_leader_are_open_to_the_next(table: Any) -> None:
    t = table()
    t.lay(0, (7,))
    t.lay(1, (8, 148))
    held = owners(t.state)
    expected = {n for s in (8, 148) for n in board().spaces[s].touch} - held.keys()
    assert open_spaces(t.state) == expected
    for space in set(range(155)) - held.keys():
        seen = preview(t.state, [space])
        assert seen.touches_leader is (space in expected)
        assert seen.legal is (space in expected)
    assert t.refused("place", spaces=[71]) == Refusal("not_touching_leader", "C05")
    assert t.do("place", spaces=[5])[0].clause == "C05"


@pytest.mark.rule("C05", "C32")
def test_a_piece_that_touches_by_a_point_only_is_legal(table: Any) -> None:
    t = table()
    t.lay(0, (7,))
    assert 71 not in board().spaces[7].edge
    assert 71 in board().spaces[7].touch
    assert preview(t.state, [71]).legal


@pytest.mark.rule("C32")
def test_of_the_two_slivers_beside_a_star_one_may_follow_the_other(table: Any) -> None:
    t = table()
    t.lay(0, (7,), (155,))
    assert preview(t.state, [156]).legal
    assert not preview(t.state, [157]).legal


@pytest.mark.rule("C05", "C22")
def test_it_is_enough_that_one_space_of_the_piece_touches(table: Any) -> None:
    t = table()
    t.lay(0, (7,))
    assert preview(t.state, [8, 5]).legal  # 5 does not touch 7
    assert 5 not in board().spaces[7].touch


@pytest.mark.rule("C22")
def test_the_leader_is_the_last_piece_whoever_played_it(table: Any) -> None:
    t = table(players=2)
    t.do("place", spaces=[7])
    first = leader(t.state)
    t.do("cannot_place")
    assert leader(t.state) == first  # a lost turn does not change it
    assert t.state.turn == 0
    t.do("place", spaces=[8])  # follows the own piece
    assert leader(t.state).spaces == (8,)
    assert t.state.lost == ()  # any placement begins the count anew


@pytest.mark.rule("C22", "C30")
def test_the_centre_is_for_the_first_piece_of_each_round(table: Any) -> None:
    t = table(players=2, play_to="hundred")
    t.do("place", spaces=[7])
    t.do("abandon", what="round")
    t.do("next_round")
    assert leader(t.state) is None
    assert t.refused("place", spaces=[0]) == Refusal("not_in_centre", "C03")
    t.do("place", spaces=[7])


@pytest.mark.rule("C23")
def test_who_can_place_must(table: Any) -> None:
    t = table(players=2, pieces="assumed")
    assert t.refused("cannot_place") == Refusal("can_place", "C23")
    t.do("place", spaces=[7])
    assert t.refused("cannot_place") == Refusal("can_place", "C23")
    assert t.refused("cannot_place", 0) == Refusal("not_your_turn", "C02")


@pytest.mark.rule("C23", "C20", "C33")
def test_the_table_knows_better_than_the_set(table: Any, kind: Any) -> None:
    t = table(players=2, pieces="assumed")
    t.do("place", spaces=[7])
    rulings = t.do("cannot_place", overrule=True)
    assert [r.clause for r in rulings] == ["C33", "C12", "C02"]


@pytest.mark.rule("C23")
def test_without_the_set_the_players_word_counts(table: Any) -> None:
    t = table(players=2)
    assert t.refused("cannot_place") == Refusal("can_place", "C23")  # but not on the empty board
    t.do("place", spaces=[7])
    assert [r.clause for r in t.do("cannot_place")] == ["C12", "C02"]


@pytest.mark.rule("C23")
def test_the_page_can_say_that_nothing_is_open(table: Any) -> None:
    t = table(players=2)
    t.fill(0, leave=[0], leader=[7])
    assert open_spaces(t.state) == frozenset()
    assert t.refused("place", spaces=[0]) == Refusal("not_touching_leader", "C05")


@pytest.mark.rule("C33")
def test_an_overruled_placement_stays_and_the_journal_says_what_was_against_it(table: Any, kind: Any) -> None:
    t = table()
    t.do("place", spaces=[7])
    rulings = t.do("place", spaces=[0, 5], overrule=True)
    assert kind(rulings, "overruled")[0].data == {"codes": ["not_touching_leader", "not_adjoining"]}
    assert leader(t.state).overruled == ("not_touching_leader", "not_adjoining")
    assert owners(t.state) == {7: 0, 0: 1, 5: 1}
    assert not kind(t.do("place", spaces=[1], overrule=True), "overruled")  # nothing was against it


@pytest.mark.parametrize(
    "args",
    [
        {},
        {"spaces": 7},
        {"spaces": ["7"]},
        {"spaces": [7.0]},
        {"spaces": [True]},
        {"spaces": [7], "overrule": 1},
    ],
)
def test_malformed_placements_are_refused(table: Any, args: dict[str, Any]) -> None:
    assert table().refused("place", **args) == Refusal("bad_args")
