"""Quick mode, and its agreement with the map."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.cirkis import Phase, State, outcome, round_points, totals, unplayed
from companion.games.cirkis.settings import CHOICES
from companion.games.cirkis.state import End
from companion.games.game import Refusal


def stated(shape: str, **segments: int) -> dict[str, Any]:
    return {"shape": shape, "segments": {key[1:]: n for key, n in segments.items()}}


@pytest.mark.rule("C19")
def test_a_shape_as_told_by_the_players(table: Any, kind: Any) -> None:
    t = table(mode="quick")
    assert t.state.turn is None
    rulings = t.do("complete", 1, shapes=[stated("star-3", p0=3, p1=2, p2=0)])
    assert [(r.kind, r.clause) for r in rulings] == [
        ("completed", "C28"),
        ("points", "C10"),
        ("points", "C11"),
    ]
    assert totals(t.state) == {0: 10, 1: 5, 2: 0}


@pytest.mark.rule("C18", "C19")
def test_the_example_of_the_sheet_told_quickly(table: Any) -> None:
    t = table(mode="quick", colours=["purple", "red", "green"])
    t.do("complete", 1, shapes=[stated("star-3", p0=2, p1=3), stated("circle-2", p1=2, p2=3)])
    assert totals(t.state) == {0: 0, 1: 15, 2: 10}


@pytest.mark.rule("C19", "C28", "C16")
@pytest.mark.parametrize(
    ("shapes", "refusal"),
    [
        ([], Refusal("nothing_complete", "C19")),
        ("star-3", Refusal("bad_args")),
        (["star-3"], Refusal("bad_args")),
        ([{"shape": "star-3"}], Refusal("bad_args")),
        ([stated("star-3", p1=6, p0=-1)], Refusal("bad_args")),
        ([stated("star-3", p1=2, p7=3)], Refusal("bad_args")),
        ([{"shape": "star-3", "segments": {"1": True, "0": 4}}], Refusal("bad_args")),
        ([stated("star-6", p1=5)], Refusal("no_such_shape", "C28")),
        ([stated("star-3", p1=4)], Refusal("wrong_segments", "C28")),
        ([stated("star-3", p1=4, p0=2)], Refusal("wrong_segments", "C28")),
        ([stated("star-3", p0=5)], Refusal("not_completed_by", "C28")),
        ([stated("star-3", p1=5), stated("star-3", p1=5)], Refusal("already_complete", "C28")),
        ([stated("ring", p1=10)], Refusal("ring_not_played", "C16")),
        (
            [stated("star-0", p1=5), stated("star-1", p1=5), stated("star-2", p1=5)],
            Refusal("too_many_shapes", "C28"),
        ),
    ],
)
def test_what_cannot_be_is_refused(table: Any, shapes: Any, refusal: Refusal) -> None:
    assert table(mode="quick").refused("complete", 1, shapes=shapes) == refusal


@pytest.mark.rule("C28", "C33")
def test_a_shape_is_not_told_twice_and_the_table_may_insist_on_three(table: Any, kind: Any) -> None:
    t = table(mode="quick", ring=True)
    t.do("complete", 1, shapes=[stated("ring", p1=6, p0=4)])
    assert totals(t.state)[1] == 15
    assert t.refused("complete", 0, shapes=[stated("ring", p0=10)]) == Refusal("already_complete", "C28")
    three = [stated("star-0", p1=5), stated("star-1", p1=5), stated("star-2", p0=3, p1=2)]
    assert kind(t.do("complete", 1, shapes=three, overrule=True), "overruled")[0].clause == "C33"


@pytest.mark.rule("C19", "C13", "C26")
def test_at_forty_it_is_asked_whether_the_turn_has_ended(table: Any, kind: Any) -> None:
    t = table(mode="quick")
    assert t.refused("turn_over") == Refusal("no_stop_due", "C13")
    for n in range(3):
        assert not kind(t.do("complete", 0, shapes=[stated(f"circle-{n}", p0=5)]), "question")
    question = kind(t.do("complete", 2, shapes=[stated("star-0", p0=4, p2=1)]), "question")[0]
    assert (question.asked, question.player, question.data) == (True, 2, {"ask": "turn_over"})
    assert t.state.phase is Phase.PLAY
    assert t.refused("complete", 1, shapes=[stated("star-1", p1=5)]) == Refusal("turn_not_over", "C13")
    assert t.refused("stuck") == Refusal("turn_not_over", "C13")
    t.do("complete", 2, shapes=[stated("star-1", p2=5)])  # the free turn
    t.do("turn_over")
    assert t.state.round.end is End.FORTY
    assert totals(t.state) == {0: 40, 1: 0, 2: 15}


@pytest.mark.rule("C19", "C14", "C25")
def test_who_went_out_is_told(table: Any, kind: Any) -> None:
    t = table(mode="quick")
    rulings = t.do("complete", 0, shapes=[stated("circle-1", p1=4, p0=1)], out=True)
    assert [r.kind for r in rulings[-3:]] == ["went_out", "round_end", "game_end"]
    assert kind(rulings, "went_out")[0].clause == "C14"
    assert totals(t.state) == {0: 15, 1: 10, 2: 0}
    assert t.state.round.end is End.OUT


@pytest.mark.rule("C19", "C12")
def test_that_nobody_can_place_is_told(table: Any) -> None:
    t = table(mode="quick")
    t.do("complete", 0, shapes=[stated("circle-1", p0=5)])
    t.do("stuck")
    assert t.state.round.end is End.STUCK
    assert outcome(t.state).winners == (0,)


@pytest.mark.rule("C19", "C15")
def test_at_a_tie_the_unplayed_pieces_are_asked(table: Any, kind: Any) -> None:
    t = table(mode="quick")
    t.do("complete", 0, shapes=[stated("circle-1", p0=5)])
    t.do("complete", 2, shapes=[stated("circle-2", p2=5)])
    question = kind(t.do("stuck"), "question")[0]
    assert question.data == {"ask": "unplayed", "players": [0, 2]}
    assert t.state.phase is Phase.TIE
    assert outcome(t.state).asked == (0, 2)
    for pieces in ({"0": 3}, {"0": 3, "1": 3}, {"0": 3, "1": 2, "2": 3}, {"0": "3", "2": 3}, None):
        assert t.refused("unplayed", pieces=pieces) == Refusal("bad_args")
    assert t.refused("unplayed", pieces={"0": 3, "2": 21}) == Refusal("wrong_number", "C15")
    assert t.refused("complete", 0, shapes=[stated("circle-3", p0=5)]).code == "not_now"
    rulings = t.do("unplayed", pieces={"0": 3, "2": 4})
    assert kind(rulings, "game_end")[0].data["winners"] == [2]


@pytest.mark.rule("C15", "C19")
def test_who_went_out_has_no_unplayed_pieces_and_is_not_asked(table: Any) -> None:
    t = table(mode="quick", players=2)
    t.do("complete", 0, shapes=[stated("circle-1", p0=5)])
    t.do("complete", 1, shapes=[], out=True)
    assert totals(t.state) == {0: 10, 1: 10}
    assert unplayed(t.state, 1) == 0
    assert outcome(t.state).asked == (0,)
    t.do("unplayed", pieces={"0": 1})
    assert outcome(t.state).winners == (0,)


@pytest.mark.rule("C34", "C19")
def test_leaving_in_the_turn_that_reached_forty_ends_it(table: Any) -> None:
    t = table(players=4, mode="quick")
    for n in range(4):
        t.do("complete", 0, shapes=[stated(f"circle-{n}", p0=5)])
    t.do("leave", 1)
    assert t.state.phase is Phase.PLAY
    assert t.refused("complete", 1, shapes=[stated("star-1", p1=5)]) == Refusal("not_playing", "C34")
    t.do("leave", 0)
    assert t.state.round.end is End.FORTY


def quick_transcript(t: Any, q: Any) -> None:
    """Tell the quick table what its players would have told, from the log of the map game."""
    for command, rulings in t.log:
        kinds = {ruling.kind for ruling in rulings}
        if command.name == "place":
            shapes = [
                {"shape": r.data["shape"], "segments": {str(p): n for p, n in r.data["segments"]}}
                for r in rulings
                if r.kind == "completed"
            ]
            player = next(r.player for r in rulings if r.kind == "placed")
            if shapes or "went_out" in kinds:
                q.do("complete", player, shapes=shapes, out="went_out" in kinds, overrule=True)
        elif command.name != "cannot_place":
            q.do(command.name, command.player, **command.args)
        if "round_end" in kinds and q.state.phase is Phase.PLAY:
            q.do("stuck" if q.state.turn is None else "turn_over")
        if q.state.phase is Phase.TIE:
            q.do("unplayed", pieces={str(p): unplayed(t.state, p) for p in outcome(q.state).asked})


def result(state: State) -> tuple[Any, ...]:
    ends = [(r.end, round_points(state, r)) for r in state.rounds]
    return ends, totals(state), state.phase, outcome(state).winners


@pytest.mark.rule("C19")
@settings(max_examples=20, deadline=None)
@given(
    seed=st.integers(0, 10**9),
    players=st.integers(2, 4),
    extras=st.booleans(),
    chosen=st.fixed_dictionaries(
        {name: st.sampled_from(values) for name, values in CHOICES.items() if name != "mode"} | {"ring": st.booleans()}
    ),
)
def test_a_map_game_and_its_quick_transcript_give_the_same_scores(
    table: Any, seed: int, players: int, extras: bool, chosen: dict[str, Any]
) -> None:
    t = table(players=players, **chosen)
    t.play(random.Random(seed), moves=900, extras=extras)
    assert t.state.phase is Phase.OVER
    q = table(players=players, mode="quick", **chosen)
    quick_transcript(t, q)
    assert result(q.state) == result(t.state)
