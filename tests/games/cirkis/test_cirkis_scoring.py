"""Points: circles, stars, the ring, bonuses, going out."""

from typing import Any

import pytest

from companion.games.cirkis import Phase, account, board, preview, totals
from companion.games.cirkis.scoring import Award, judge
from companion.games.cirkis.state import End

STAR, CIRCLE = (2, 15, 17, 20, 32), (6, 13, 16, 29, 31)  # star-3 and circle-2: 15 adjoins 16
RING = (8, 24, 41, 55, 72, 86, 103, 117, 134, 148)
PURPLE, RED, GREEN, YELLOW = range(4)


def points(awards: Any) -> list[tuple[int, int, str]]:
    return [(award.player, award.points, award.clause) for award in awards]


@pytest.mark.rule("C18", "C10", "C11")
def test_the_example_of_the_sheet(table: Any, kind: Any) -> None:
    t = table(colours=["purple", "red", "green"])
    t.lay(PURPLE, (17,), (20,))
    t.lay(GREEN, (6,), (13,), (29,))
    t.lay(RED, (2,), (32,), (31,))
    t.turn(RED)
    rulings = t.do("place", spaces=[15, 16])
    assert [r.data["shape"] for r in kind(rulings, "completed")] == ["circle-2", "star-3"]
    scored = {(r.player, r.data["shape"], r.data["points"], r.clause) for r in kind(rulings, "points")}
    assert scored == {
        (RED, "star-3", 10, "C10"),
        (GREEN, "circle-2", 10, "C10"),
        (RED, "circle-2", 5, "C11"),
    }
    assert totals(t.state) == {PURPLE: 0, RED: 15, GREEN: 10}  # nothing for two segments of the star


@pytest.mark.rule("C10", "C11")
@pytest.mark.parametrize(
    ("segments", "by", "expected"),
    [
        ({0: 5}, 0, [(0, 10, "C10")]),
        ({0: 3, 1: 2}, 0, [(0, 10, "C10")]),
        ({0: 3, 1: 2}, 1, [(0, 10, "C10"), (1, 5, "C11")]),
        ({0: 2, 1: 1, 2: 1, 3: 1}, 0, [(0, 10, "C10")]),  # most, not a majority
        ({0: 2, 1: 1, 2: 1, 3: 1}, 3, [(0, 10, "C10"), (3, 5, "C11")]),
        ({0: 2, 1: 2, 2: 1}, 2, [(2, 5, "C11")]),  # nobody gets the 10
        ({0: 2, 1: 2, 2: 1}, 0, [(0, 5, "C11")]),  # also when the most is shared by who completes it
    ],
)
def test_who_scores_for_a_shape(segments: dict[int, int], by: int, expected: list[tuple[int, int, str]]) -> None:
    for shape in ("circle-4", "star-0"):
        assert points(judge(shape, segments, by).awards) == expected


@pytest.mark.rule("C11")
def test_never_ten_and_five_to_one_player_for_one_shape() -> None:
    splits = [(a, b, c, 5 - a - b - c) for a in range(6) for b in range(6 - a) for c in range(6 - a - b)]
    for split in splits:
        segments = {player: n for player, n in enumerate(split) if n}
        for by in segments:
            players = [award.player for award in judge("circle-0", segments, by).awards]
            assert len(players) == len(set(players))
            assert by in players  # who completes a shape never goes without


@pytest.mark.rule("C11")
@pytest.mark.parametrize(
    ("star", "circle", "expected"),
    [
        ((RED, RED, GREEN, GREEN), (RED, RED, GREEN, GREEN), {RED: 20}),
        ((GREEN, GREEN, GREEN, RED), (RED, RED, GREEN, GREEN), {GREEN: 10, RED: 15}),
        ((GREEN, GREEN, GREEN, RED), (GREEN, GREEN, YELLOW, YELLOW), {GREEN: 10, RED: 10}),
        ((GREEN, GREEN, YELLOW, YELLOW), (GREEN, GREEN, YELLOW, YELLOW), {RED: 10}),  # 5 and 5
    ],
)
def test_one_piece_may_complete_two_shapes(
    table: Any, star: tuple[int, ...], circle: tuple[int, ...], expected: dict[int, int]
) -> None:
    t = table(players=4)
    for player, space in zip(star + circle, (2, 17, 20, 32, 6, 13, 29, 31), strict=True):
        t.lay(player, (space,))
    t.turn(RED)
    t.do("place", spaces=[15, 16])
    assert {player: n for player, n in totals(t.state).items() if n} == expected


@pytest.mark.rule("C10")
def test_that_nobody_has_the_ten_is_said(table: Any, kind: Any) -> None:
    t = table()
    t.lay(PURPLE, (2,), (17,))
    t.lay(RED, (20,), (32,))
    t.turn(GREEN)
    rulings = t.do("place", spaces=[15])
    assert [(r.kind, r.clause) for r in kind(rulings, "most_shared")] == [("most_shared", "C10")]
    assert totals(t.state) == {PURPLE: 0, RED: 0, GREEN: 5}


def almost_ring(t: Any, owners: tuple[int, ...]) -> None:
    for player, space in zip(owners, RING[1:], strict=True):
        t.lay(player, (space,))


@pytest.mark.rule("C16")
@pytest.mark.parametrize(
    ("owners", "by", "expected"),
    [
        ((0, 0, 0, 0, 1, 1, 1, 2, 2), 0, {0: 15}),
        ((0, 0, 0, 0, 1, 1, 1, 2, 2), 2, {0: 15, 2: 5}),
        ((0, 0, 0, 0, 1, 1, 1, 1, 2), 2, {2: 5}),  # nobody gets the 15
        ((0, 0, 0, 0, 0, 1, 1, 1, 1), 1, {1: 5}),
    ],
)
def test_the_ring_by_option(table: Any, owners: tuple[int, ...], by: int, expected: dict[int, int]) -> None:
    t = table(ring=True)
    almost_ring(t, owners)
    t.turn(by)
    seen = preview(t.state, [RING[0]])
    assert {award.clause for award in seen.awards()} == {"C16"}
    assert not seen.free_turn  # C31
    t.do("place", spaces=[RING[0]])
    assert {player: n for player, n in totals(t.state).items() if n} == expected


@pytest.mark.rule("C31", "C16")
def test_without_the_option_the_ring_only_serves_the_first_piece(table: Any) -> None:
    t = table()
    almost_ring(t, (0,) * 9)
    assert preview(t.state, [RING[0]]).completes == ()
    assert preview(t.state, [RING[0]]).legal


@pytest.mark.rule("C31", "C07")
def test_ring_and_central_star_by_one_piece_score_both(table: Any, kind: Any) -> None:
    t = table(ring=True)
    t.lay(0, (40,), (71,), (102,), (133,))
    almost_ring(t, (1,) * 9)
    t.turn(2)
    rulings = t.do("place", spaces=[7, 8])
    scored = [(r.player, r.data["points"], r.data["shape"]) for r in kind(rulings, "points")]
    assert scored == [(0, 10, "star-0"), (2, 5, "star-0"), (1, 15, "ring"), (2, 5, "ring")]
    assert {r["code"] for r in kind(rulings, "free_turn")[0].data["reasons"]} >= {"centre_star"}


@pytest.mark.rule("C28")
def test_a_piece_counts_one_segment_for_each_space_of_the_shape(table: Any) -> None:
    t = table()
    t.lay(0, (6, 13, 29))  # 3 of circle-2; as a set-up, whether they are one piece or not does not matter
    t.lay(1, (31,))
    t.turn(1)
    done = preview(t.state, [16, 15, 14]).completes
    assert [(c.shape, c.segments) for c in done] == [("circle-2", ((0, 3), (1, 2)))]


@pytest.mark.rule("C28")
def test_a_shape_never_scores_twice(table: Any, kind: Any) -> None:
    t = table()
    t.lay(0, (2,), (15,), (17,), (20,))
    assert kind(t.do("place", spaces=[32]), "completed")
    completed = []
    for _ in range(20):
        completed += kind(t.do("place", spaces=list(t.places()[0])), "completed")
    assert "star-3" not in [r.data["shape"] for r in completed]


@pytest.mark.rule("C14", "C25")
def test_going_out_gives_ten_after_the_shapes_and_ends_at_once(table: Any, kind: Any) -> None:
    t = table(players=2)
    t.lay(0, *[(n,) for n in range(140, 155)], (2,), (15,), (17,), (20,))
    rulings = t.do("place", spaces=[32])
    order = [r.kind for r in rulings]
    assert order == ["placed", "completed", "points", "went_out", "round_end", "game_end"]
    assert kind(rulings, "went_out")[0].clause == "C14"
    assert t.state.round.end is End.OUT
    assert t.state.phase is Phase.OVER
    assert totals(t.state)[0] == 10 + 10
    assert t.refused("place", spaces=[31]).code == "game_over"


@pytest.mark.rule("C25")
def test_going_out_on_a_free_turn_counts_the_same(table: Any) -> None:
    t = table(players=2)
    t.lay(0, *[(n,) for n in range(100, 117)], (125,))
    t.lay(1, (8,))
    t.do("place", spaces=[155], overrule=True)
    assert t.state.free
    t.do("place", spaces=[7])
    assert t.state.round.end is End.OUT


@pytest.mark.rule("C14")
def test_the_nineteenth_piece_is_not_the_last(table: Any) -> None:
    t = table(players=2)
    t.lay(0, *[(n,) for n in range(130, 148)])
    t.lay(1, (8,))
    assert not preview(t.state, [7]).goes_out
    t.do("place", spaces=[7])
    assert t.state.phase is Phase.PLAY


def test_points_are_worked_out_from_the_deeds_alone(table: Any) -> None:
    t = table()
    t.lay(0, (2,), (15,), (17,), (20,))
    t.turn(1)
    t.do("place", spaces=[32])
    assert account(t.state.settings, t.state.deeds)[-1].awards() == (
        Award(0, 10, "C10", "star-3"),
        Award(1, 5, "C11", "star-3"),
    )
    assert not any("points" in key or "total" in key for key in t.game.to_json(t.state))
    assert board().shape("star-3").spaces == STAR
    assert board().shape("circle-2").spaces == CIRCLE
    assert board().shape("ring").spaces == RING
