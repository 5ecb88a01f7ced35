"""The set of pieces, and the search for somebody who can place."""

import random
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations
from math import dist
from typing import Any

import pytest

from companion.games.cirkis import (
    ASSUMED_SET,
    PieceShape,
    board,
    find_place,
    open_spaces,
    owners,
    preview,
    read_settings,
    unable,
    unplayed_shapes,
)
from companion.games.cirkis.pieces import catalogue, coverable, form, outline_faults, read_set, set_to_json
from companion.games.cirkis.state import Piece
from companion.games.game import Refusal

GAME = {"players": ["Ana", "Ben"]}


def print_of(spaces: tuple[int, ...]) -> tuple[Any, ...]:
    """An outline told another way: the distances between all corners, tile by tile, by floats.

    Mirrored ones agree.
    """
    tiles = [board().spaces[s].polygon() for s in spaces]
    apart = sorted(round(dist(a, b), 4) for one in tiles for other in tiles for a in one for b in other)
    return (*sorted(board().spaces[s].kind.value for s in spaces), *apart)


@pytest.mark.rule("C20")
def test_the_assumed_set_has_twenty_pieces_in_nine_shapes() -> None:
    assert sum(shape.count for shape in ASSUMED_SET) == 20
    names = {"big_slice", "small_slice", "wedge", "kite", "arrow", "hook", "triangle", "sliver", "ninth"}
    assert {shape.name for shape in ASSUMED_SET} == names
    assert read_set(set_to_json(ASSUMED_SET)) == ASSUMED_SET


@pytest.mark.rule("C20")
def test_the_set_is_data_marked_as_assumed_and_open_to_correction() -> None:
    assert read_settings(GAME).pieces is None
    assert not read_settings(GAME).assumed
    assert read_settings({**GAME, "pieces": "assumed"}).assumed
    corrected = set_to_json(ASSUMED_SET)
    corrected[2]["count"], corrected[4]["count"] = 3, 4
    chosen = read_settings({**GAME, "pieces": corrected})
    assert not chosen.assumed
    assert {shape.name: shape.count for shape in chosen.pieces or ()}["arrow"] == 4
    assert read_settings(chosen.to_json()) == chosen


@pytest.mark.rule("C20")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"count": 5}, "21 pieces"),
        ({"count": 0}, "count"),
        ({"count": "4"}, "count"),
        ({"name": ""}, "name"),
        ({"name": "kite"}, "one name"),
        ({"example": [0]}, "one shape"),
        ({"example": [0, 2]}, "C04"),
        ({"example": []}, "C04"),
        ({"example": [165]}, "list of spaces"),
        ({"example": "7"}, "list of spaces"),
        ({"flips": 1}, "flips"),
        ({"colour": "red"}, "name, count and example"),
    ],
)
def test_a_wrong_set_is_refused_with_the_reason(change: dict[str, Any], message: str) -> None:
    wrong = set_to_json(ASSUMED_SET)
    wrong[2].update(change)
    with pytest.raises(ValueError, match=f"pieces: .*{message}"):
        read_settings({**GAME, "pieces": wrong})


@pytest.mark.rule("C20")
@pytest.mark.parametrize("wrong", ["all", 20, {}, [1], [None]])
def test_a_set_that_is_none_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="pieces"):
        read_settings({**GAME, "pieces": wrong})


@pytest.mark.rule("C04")
def test_what_a_piece_might_cover_counted_two_ways() -> None:
    """Grown along sides, and as all near enough combinations that no clause forbids."""
    near = {n: {n, *board().touching([n]), *board().touching([n, *board().touching([n])])} for n in range(165)}
    found = {(n,) for n in range(165)}
    for size in (2, 3):
        for n in range(165):
            for more in combinations(sorted(m for m in near[n] if m > n), size - 1):
                if not outline_faults(board(), (n, *more)):
                    found.add((n, *more))
    assert found == coverable()
    assert Counter(len(spaces) for spaces in found) == {1: 165, 2: 285, 3: 650}


@pytest.mark.rule("C20")
def test_the_same_outline_has_the_same_form() -> None:
    by_print, by_form = defaultdict(set), defaultdict(set)
    for spaces in coverable():
        by_print[print_of(spaces)].add(spaces)
        by_form[min(form(spaces), form(spaces, mirrored=True))].add(spaces)
    assert sorted(map(sorted, by_print.values())) == sorted(map(sorted, by_form.values()))
    assert len(by_form) == 25


@pytest.mark.rule("C20")
def test_a_piece_that_does_not_flip_fits_in_fewer_places() -> None:
    hook = next(shape for shape in ASSUMED_SET if shape.name == "hook")
    both, one = catalogue((hook,)), catalogue((replace(hook, flips=False),))
    assert set(one.shape_at) < set(both.shape_at)
    assert len(both.shape_at) == 2 * len(one.shape_at) == 110
    assert len(catalogue((PieceShape("sliver", 20, (155,)),)).shape_at) == 10


@pytest.mark.rule("C20", "C21", "C33")
def test_with_the_set_each_piece_is_counted(table: Any, kind: Any) -> None:
    t = table(players=2, pieces="assumed")
    t.lay(1, (7,))
    before = unplayed_shapes(t.state, 0)
    assert preview(t.state, [8]).shape == "wedge"
    t.do("place", spaces=[8])
    assert unplayed_shapes(t.state, 0) == {**before, "wedge": before["wedge"] - 1}
    assert t.refused("place", spaces=[5, 24, 23]).clause in ("C04", "C20")
    no_such = next(c for c in t.places() if catalogue(ASSUMED_SET).shape(c) is None)
    assert t.refused("place", spaces=list(no_such)) == Refusal("no_such_piece", "C20")
    t.do("place", spaces=list(no_such), overrule=True)


@pytest.mark.rule("C20")
def test_a_shape_used_up_cannot_be_played(table: Any) -> None:
    few = [{"name": "arrow", "count": 1, "example": [0]}, {"name": "wedge", "count": 19, "example": [1]}]
    t = table(players=2, pieces=few)
    t.lay(0, (7,))
    assert unplayed_shapes(t.state, 0) == {"arrow": 0, "wedge": 19}
    assert unplayed_shapes(t.state, 1) == {"arrow": 1, "wedge": 19}
    t.lay(1, (9,))
    assert [problem.code for problem in preview(t.state, [0]).problems] == ["none_left"]
    assert t.refused("place", spaces=[0]) == Refusal("none_left", "C20")
    t.turn(1)
    assert preview(t.state, [0]).legal is False  # theirs is used up by 9, a dart too
    assert preview(t.state, [1]).legal


@pytest.mark.rule("C20")
def test_the_set_can_be_corrected_in_the_game_and_counts_are_worked_out_anew(table: Any, kind: Any) -> None:
    t = table(players=2)
    t.do("place", spaces=[7])
    assert t.refused("pieces", pieces=[]) == Refusal("wrong_set", "C20")
    assert kind(t.do("pieces", pieces="assumed"), "set_corrected")[0].clause == "C20"
    assert unplayed_shapes(t.state, 0)["arrow"] == 2
    few = [{"name": "dart", "count": 20, "example": [0]}]
    t.do("pieces", pieces=few)
    assert unplayed_shapes(t.state, 0) == {"dart": 19}
    t.do("pieces", pieces=None)
    assert unplayed_shapes(t.state, 0) == {}


def brute_force(t: Any, player: int) -> bool:
    """Any one to three empty spaces that are legal for a piece still there, without catalogue or growth."""
    left = {print_of(s.example) for s in t.state.settings.pieces if unplayed_shapes(t.state, player)[s.name]}
    free = sorted(set(range(165)) - owners(t.state).keys())
    for size in (1, 2, 3):
        for spaces in combinations(free, size):
            if (
                not open_spaces(t.state, player).isdisjoint(spaces)
                and not outline_faults(board(), spaces)
                and print_of(spaces) in left
            ):
                return True
    return False


@pytest.mark.rule("C20", "C23")
def test_brute_force_agrees_on_small_boards(table: Any) -> None:
    answers: Counter[bool] = Counter()
    for seed in range(120):
        rng = random.Random(seed)
        shapes = rng.sample(ASSUMED_SET, rng.randrange(1, 4))
        few = [replace(shape, count=1) for shape in shapes[1:]] + [replace(shapes[0], count=21 - len(shapes))]
        t = table(players=2, pieces=set_to_json(tuple(few)))
        start = rng.randrange(165)
        leave = {start, *rng.sample(sorted(board().touching([start])), 3)}
        leave |= set(rng.sample(sorted(board().touching(leave)), rng.randrange(4)))
        t.fill(0, leave=leave, leader=[rng.choice(sorted(board().touching(leave)))])
        if len(shapes) > 1 and rng.random() < 0.5:  # one shape is used up, by a piece that need not be in the way
            t.state = t.state.with_round(replace(t.state.round, deeds=(Piece(1, shapes[1].example), *t.state.deeds)))
        found = find_place(t.state, 1)
        assert found.nodes <= sum(len(places) for places in catalogue(t.state.settings.pieces).at)
        assert (found.spaces is not None) == brute_force(t, 1)
        if found.spaces is not None:
            assert preview(replace(t.state, turn=1), found.spaces).legal
        answers[found.spaces is not None] += 1
    assert min(answers[True], answers[False]) > 20


@pytest.mark.rule("C20", "C23")
def test_the_page_can_say_who_is_unable_to_move(table: Any) -> None:
    t = table(players=2)
    assert unable(t.state) is None
    t = table(players=2, pieces="assumed")
    assert unable(t.state) == ()
    t.fill(0, leave=[0, 1], leader=[7])
    assert unable(t.state) == (0, 1)


@pytest.mark.rule("C20")
def test_the_search_visits_a_bounded_number_of_places(table: Any) -> None:
    places = catalogue(ASSUMED_SET)
    bound = sum(len(at) for at in places.at)
    assert bound <= 3 * len(places.shape_at) == 3 * 530
    t = table(players=2, pieces="assumed")
    t.lay(1, (7,))
    search = find_place(t.state, 0)
    assert 1 <= search.nodes <= sum(len(places.at[space]) for space in open_spaces(t.state))
    rng = random.Random(1)
    for _ in range(30):
        if t.state.phase != "play":
            break
        search = find_place(t.state, t.state.turn)
        assert search.nodes <= sum(len(places.at[s]) for s in open_spaces(t.state)) <= bound
        if search.spaces is None:
            t.do("cannot_place")
        else:
            legal = [c for c in t.places() if preview(t.state, c).legal]
            assert search.spaces in legal
            t.do("place", spaces=list(rng.choice(legal)))


@pytest.mark.rule("C20", "C24")
def test_on_a_free_turn_the_search_looks_everywhere(table: Any) -> None:
    t = table(players=3, pieces="assumed")
    t.fill(1, leave=[0, 40], leader=[7])
    assert find_place(t.state, 0).spaces == (40,)
    t.fill(1, leave=[0], leader=[40])
    assert find_place(t.state, 0).spaces is None
    t.state = replace(t.state, free=True)
    assert find_place(t.state, 0).spaces == (0,)
    assert find_place(t.state, 2).spaces is None  # the free turn is not theirs
