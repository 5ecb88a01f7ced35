"""Free turns: how they are earned, taken and lost."""

import random
from typing import Any

import pytest

from companion.games.cirkis import Phase, board, leader, open_spaces, owners, preview
from companion.games.game import Refusal


def reasons(seen: Any) -> list[str]:
    return [reason.code for reason in seen.free_turn]


@pytest.mark.rule("C06")
@pytest.mark.parametrize(("hole", "earned"), [("touch", []), ("side", ["hole"])])
def test_a_hole_is_closed_by_points_or_only_by_sides(table: Any, hole: str, earned: list[str]) -> None:
    t = table(hole=hole)
    t.lay(0, *[(n,) for n in board().spaces[8].edge])
    assert reasons(preview(t.state, [8])) == earned
    t.lay(0, *[(n,) for n in board().spaces[8].touch if n not in board().spaces[8].edge], (7 + 64,))
    assert reasons(preview(t.state, [8])) == ["hole"]


@pytest.mark.rule("C06")
def test_the_default_is_side_or_point(table: Any) -> None:
    assert table().state.settings.hole == "touch"


@pytest.mark.rule("C06", "C29")
def test_beyond_the_edge_of_the_board_counts_as_filled(table: Any) -> None:
    t = table()
    t.lay(0, (7,), *[(n,) for n in board().spaces[0].touch])
    assert reasons(preview(t.state, [0])) == ["hole"]


@pytest.mark.rule("C07")
def test_the_central_star_completed_gives_a_free_turn(table: Any, kind: Any) -> None:
    t = table()
    t.lay(0, (40,), (71,), (102,), (133,))
    rulings = t.do("place", spaces=[7])
    assert kind(rulings, "free_turn")[0].data["reasons"] == [{"code": "centre_star", "clause": "C07"}]
    assert t.state.free
    assert t.state.turn == 0


@pytest.mark.rule("C07")
def test_another_star_gives_none(table: Any, kind: Any) -> None:
    t = table()
    t.lay(0, (2,), (15,), (17,), (20,))
    rulings = t.do("place", spaces=[32])
    assert kind(rulings, "completed")
    assert not kind(rulings, "free_turn")


@pytest.mark.rule("C08")
def test_the_first_sliver_of_the_game_gives_a_free_turn_later_ones_none(table: Any, kind: Any) -> None:
    t = table()
    t.lay(0, (125,))
    reason = kind(t.do("place", spaces=[155]), "free_turn")[0].data["reasons"]
    assert reason == [{"code": "first_sliver", "clause": "C08"}]
    assert not kind(t.do("place", spaces=[156]), "free_turn")


@pytest.mark.rule("C09")
def test_a_free_turn_is_taken_at_once_touching_any_piece(table: Any, kind: Any) -> None:
    t = table()
    t.lay(1, (7,))
    t.lay(0, (125,))
    t.do("place", spaces=[155])
    assert t.state.turn == 0
    assert open_spaces(t.state) == board().touching([7, 125, 155])
    assert t.refused("place", 1, spaces=[8]) == Refusal("free_turn_due", "C24")
    assert t.refused("place", 1, spaces=[8], overrule=True) == Refusal("free_turn_due", "C24")
    assert t.refused("place", spaces=[0]) == Refusal("touches_nothing", "C09")
    rulings = t.do("place", spaces=[8])  # touches 7, not the leader
    assert (rulings[0].kind, rulings[0].clause) == ("placed", "C09")
    assert leader(t.state).spaces == (8,)
    assert leader(t.state).free
    assert t.state.turn == 1
    assert open_spaces(t.state) == board().touching([8]) - {7}


@pytest.mark.rule("C09")
def test_one_placement_earns_one_free_turn_whatever_the_reasons(table: Any, kind: Any) -> None:
    t = table()
    t.lay(0, (40,), (71,), (102,), (133,), (8,), (24,), (41,), (148,))
    rulings = t.do("place", spaces=[7])
    assert [r["clause"] for r in kind(rulings, "free_turn")[0].data["reasons"]] == ["C06", "C07"]
    t.do("place", spaces=[5])
    assert t.state.turn == 1
    assert not t.state.free


@pytest.mark.rule("C09")
def test_free_turns_can_chain(table: Any, kind: Any) -> None:
    t = table()
    t.lay(0, (40,), (71,), (102,), (133,), (125,))
    t.turn(2)
    t.do("place", spaces=[155])
    assert kind(t.do("place", spaces=[7]), "free_turn")
    assert (t.state.turn, t.state.free) == (2, True)
    t.do("place", spaces=[8])
    assert (t.state.turn, t.state.free) == (0, False)


@pytest.mark.rule("C24")
def test_a_free_turn_must_be_taken_if_a_piece_fits(table: Any) -> None:
    t = table(pieces="assumed")
    t.lay(0, (7,), (125,))
    t.do("place", spaces=[155])
    assert t.refused("cannot_place") == Refusal("can_place", "C24")


@pytest.mark.rule("C24")
def test_a_free_turn_that_cannot_be_taken_lapses_and_is_no_lost_turn(table: Any) -> None:
    t = table(players=2)
    t.lay(0, (7,), (125,))
    t.do("place", spaces=[155])
    last = leader(t.state)
    rulings = t.do("cannot_place")
    assert [(r.kind, r.clause) for r in rulings] == [("free_lapsed", "C24"), ("turn_start", "C02")]
    assert t.state.lost == ()
    assert leader(t.state) == last
    assert (t.state.turn, t.state.free) == (1, False)


@pytest.mark.rule("C25")
def test_a_free_turn_earned_by_the_last_piece_lapses(table: Any, kind: Any) -> None:
    t = table(players=2)
    t.lay(0, (40,), (71,), (102,), (133,), *[(n,) for n in range(140, 155)])
    t.lay(1, (8,))
    seen = preview(t.state, [7])
    assert seen.goes_out
    assert reasons(seen) == ["centre_star"]
    assert not seen.earns_turn
    rulings = t.do("place", spaces=[7])
    assert [r.clause for r in kind(rulings, "free_lapsed")] == ["C25"]
    assert t.state.phase is Phase.OVER


@pytest.mark.rule("C29")
@pytest.mark.parametrize("hole", ["touch", "side"])
def test_a_leader_without_an_empty_space_to_follow_has_earned_a_free_turn(table: Any, hole: str) -> None:
    met = 0
    for seed in range(10):
        t = table(players=4, hole=hole)
        rng = random.Random(seed)
        while t.state.phase is Phase.PLAY:
            before = t.state
            t.move(rng)
            last = t.log[-1][1][0]
            if last.kind == "placed" and not board().touching(last.data["spaces"]) - owners(t.state).keys():
                assert "hole" in reasons(preview(before, last.data["spaces"]))
                met += 1
    assert met > 5
