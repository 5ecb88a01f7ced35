"""The state: frozen, equal by value, the same after a trip through JSON."""

import json
from dataclasses import FrozenInstanceError
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.tiki import TikiTopple, private, public


@settings(max_examples=100, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    steps=st.integers(0, 250),
    players=st.integers(2, 4),
    to_35=st.booleans(),
    final_hands=st.sampled_from(["same", "seven"]),
)
def test_state_and_views_round_trip_as_json(
    at_table, wandering, seed: int, steps: int, players: int, to_35: bool, final_hands: str
) -> None:
    table = at_table(players=players, to_35=to_35, final_hands=final_hands)
    for step in wandering(table, Random(seed), upsets=0.15, most=steps):
        for ruling in step.rulings:
            assert json.loads(json.dumps(dict(ruling.data))) == ruling.data
    state = table.state
    again = table.game.from_json(json.loads(json.dumps(table.game.to_json(state))))
    assert again == state
    assert hash(again) == hash(state)
    assert json.loads(json.dumps(public(state))) == public(again)
    for player in state.seats:
        assert json.loads(json.dumps(private(state, player))) == private(again, player)


def test_the_state_is_frozen(at_table) -> None:
    table = at_table(players=2)
    with pytest.raises(FrozenInstanceError):
        table.state.mode = "quick"
    with pytest.raises(FrozenInstanceError):
        table.state.current.turn = 1


@pytest.mark.parametrize(
    "spoil",
    [
        lambda obj: obj.pop("history"),
        lambda obj: obj.update(mode="slow"),
        lambda obj: obj.update(current=5),
        lambda obj: obj["current"].update(line=["tiki"]),
        lambda obj: obj["current"].update(cards=[{"player": 0, "card": ["nani"]}]),
        lambda obj: obj["options"].update(players=[]),
        lambda obj: obj.update(seats=None),
    ],
)
def test_what_is_no_state_is_a_value_error(at_table, spoil) -> None:
    obj = json.loads(json.dumps(TikiTopple().to_json(at_table(players=2).state)))
    spoil(obj)
    with pytest.raises(ValueError):  # noqa: PT011 - any of the causes
        TikiTopple().from_json(obj)
