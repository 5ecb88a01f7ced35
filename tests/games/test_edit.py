"""An entry of any age is put right: as if it had been typed right first, totals folded again (I1, I3-I5, Y22)."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.games.fold import Fold, Folded
from companion.games.game import Advance, Command, Step
from companion.games.past import KEPT
from companion.games.steps import SPARE_US
from companion.games.yikerz.game import Yikerz
from companion.games.yikerz.state import State
from companion.table import SECOND, TableEvent
from tests.games.entries import HALF_SECOND, commands, games, sequences
from tests.games.test_fold import bare, undo

FOLD = Fold(Yikerz())
Entry = TableEvent | Command


def result(number: int, winner: int, left: list[int]) -> Command:
    return Command(f"r{number}", "round_result", number * SECOND, args={"winner": winner, "left": left})


def rounds(count: int, best_of: int = 99, mixed: bool = False) -> Folded[State]:
    """A game of so many rounds, each entered by its result; entry 2n + 1 is round n's."""
    folded = FOLD.start({"players": ["A", "B", "C"], "begin": "at_once", "dealer": 0, "best_of": best_of})
    for number in range(count):
        winner = number % 3 if mixed else 0
        left = [0 if seat == winner else seat + 1 for seat in range(3)]
        folded = took(folded, result(3 * number + 1, winner, left))[0]
        folded = took(folded, Command(f"n{number}", "next_round", (3 * number + 2) * SECOND))[0]
    return folded


def took(folded: Folded[State], command: Command) -> tuple[Folded[State], Step[State]]:
    folded, step = FOLD.apply(folded, command)
    assert step.refusal is None, step.refusal
    return folded, step


def edit(folded: Folded[State], entry: int, **args: Any) -> Command:
    return Command("e", "edit", folded.reached_us + SECOND, 0, "phone", None, {"entry": entry, **args})


@pytest.mark.rule("Y22")
@pytest.mark.failure("I1", "I5")
@settings(max_examples=60)
@given(st.data(), games(), sequences(most=20))
def test_edited_is_as_if_typed_right_first(data: st.DataObject, chosen: dict[str, Any], entries: list[Entry]) -> None:
    folded, counted = FOLD.start(chosen), []
    for entry in entries:
        folded, step = FOLD.apply(folded, entry)
        if step.refusal is None and getattr(entry, "name", "") != "undo":
            counted.append(entry)
    folded = FOLD.start(chosen)
    for entry in counted:
        folded, step = FOLD.apply(folded, entry)
        assume(step.refusal is None)
    pressed = [n for n, entry in enumerate(counted) if isinstance(entry, Command)]
    assume(pressed)
    number = data.draw(st.sampled_from(pressed))
    wrong = counted[number]
    assert isinstance(wrong, Command)
    other = data.draw(commands(wrong.t_us, 99, (wrong.name,)))
    right = replace(wrong, args=other.args, player=other.player)
    edited, answer = FOLD.apply(folded, edit(folded, number + 1, args=right.args, player=right.player))
    again, refused = FOLD.start(chosen), False
    for entry in [*counted[:number], right, *counted[number + 1 :]]:
        again, step = FOLD.apply(again, entry)
        refused = refused or step.refusal is not None
    if right == wrong:
        assert answer.refusal is not None
        assert answer.refusal.code == "nothing_changed"
    elif refused:
        assert answer.refusal is not None
        assert edited == folded
    else:
        assert answer.refusal is None, answer.refusal
        again, _ = FOLD.apply(again, replace(undo(edited.reached_us), name="none"))
        now, _ = FOLD._steps.passing(again, edited.reached_us)
        assert bare(edited.state) == bare(now.state)
        # and an undo brings back what there was before, the time given back; nothing comes due between half seconds,
        # which would be a step of its own
        back, step = FOLD.apply(edited, undo(edited.reached_us + HALF_SECOND // 2))
        assert step.refusal is None
        timed, _ = FOLD._steps.passing(folded, edited.reached_us)
        spare_us = back.reached_us + SPARE_US
        assert bare(back.state) == bare(FOLD.game.shift(timed.state, HALF_SECOND // 2, spare_us))


@pytest.mark.rule("Y22")
@pytest.mark.failure("I1")
def test_round_two_is_corrected_from_round_four() -> None:
    folded = rounds(4)
    assert folded.state.wins == (4, 0, 0)
    folded, step = took(folded, edit(folded, 3, args={"winner": 1, "left": [5, 0, 1]}))
    assert folded.state.wins == (3, 1, 0)
    assert step.rulings[0].kind == "edited"
    assert [r.kind for r in step.rulings].count("round_end") == 3
    undone = set(step.rulings[0].data["undone"])
    assert undone
    assert undone.isdisjoint({line.number for line in folded.state.log})


@pytest.mark.failure("I1")
def test_an_entry_is_struck_out_and_what_no_longer_fits_is_named() -> None:
    folded = rounds(2)
    refused, step = FOLD.apply(folded, edit(folded, 2, drop=True))
    assert step.refusal is not None
    assert (step.refusal.code, step.refusal.args) == ("edit_breaks", {"entry": 3, "why": "wrong_stage"})
    assert refused == folded
    folded, _ = took(folded, edit(folded, 4, drop=True))
    assert (folded.state.phase, folded.state.wins) == ("round_end", (2, 0, 0))


@pytest.mark.failure("I3")
@pytest.mark.parametrize(
    ("args", "code"),
    [
        ({"entry": 1, "args": {"winner": 0, "left": [0, 2, 3]}}, "nothing_changed"),
        ({"entry": 1}, "nothing_changed"),
        ({"entry": 99, "drop": True}, "no_such_entry"),
        ({"entry": True, "drop": True}, "no_such_entry"),
        ({"drop": True}, "no_such_entry"),
        ({"entry": 1, "args": 5}, "bad_args"),
        ({"entry": 1, "args": {"winner": 0, "left": [1, 2, 3]}}, "bad_args"),
        ({"entry": 1, "player": "Ana"}, "bad_args"),
        ({"entry": 1, "drop": 1}, "bad_args"),
    ],
)
def test_a_wrong_edit_changes_nothing(args: dict[str, Any], code: str) -> None:
    folded = rounds(2)
    same, step = FOLD.apply(folded, Command("e", "edit", folded.reached_us, args=args))
    assert step.refusal is not None
    assert step.refusal.code == code
    assert same == folded


@pytest.mark.failure("I4")
def test_the_end_of_a_game_is_edited_and_undone() -> None:
    folded = rounds(1, best_of=3)
    folded, _ = took(folded, result(9, 0, [0, 1, 1]))
    assert folded.state.phase == "game_end"
    folded, _ = took(folded, edit(folded, 3, args={"winner": 2, "left": [1, 1, 0]}))
    assert (folded.state.phase, folded.state.wins) == ("round_end", (1, 0, 1))
    folded, step = took(folded, undo(folded.reached_us + SECOND))
    assert (folded.state.phase, folded.state.wins) == ("game_end", (2, 0, 0))
    assert step.rulings[0].data["restored"]


@pytest.mark.failure("I5")
@settings(max_examples=30)
@given(st.data())
def test_totals_are_derived_whatever_is_edited_and_undone(data: st.DataObject) -> None:
    folded = rounds(3)
    for _ in range(data.draw(st.integers(1, 8))):
        if data.draw(st.booleans()):
            command = undo(folded.reached_us + HALF_SECOND)
        else:
            winner = data.draw(st.integers(0, 2))
            left = [0 if seat == winner else data.draw(st.integers(1, 4)) for seat in range(3)]
            entry = data.draw(st.sampled_from([1, 3, 5]))
            command = edit(folded, entry, args={"winner": winner, "left": left})
        folded, _ = FOLD.apply(folded, command)
        told = [item.entry for item in folded.commands if isinstance(item.entry, Command)]
        winners = [command.args["winner"] for command in told if command.name == "round_result"]
        assert folded.state.wins == tuple(winners.count(seat) for seat in range(3))


@pytest.mark.rule("Y22")
def test_a_long_game_is_undone_to_its_beginning_and_keeps_few_states() -> None:
    """Of steps that time alone made too: 58 turns of ten seconds."""
    begun = {"players": ["A", "B"], "begin": "at_once", "dealer": 0, "stones": 60, "last_call": "assumed"}
    folded, states = FOLD.start(begun), []
    for turn in range(58):
        for entry in (Command(f"p{turn}", "placed", (20 * turn + 5) * SECOND), Advance((20 * turn + 16) * SECOND)):
            states.append(folded.state)
            folded, step = FOLD.apply(folded, entry)
            assert step.refusal is None
    assert len(folded.done) == len(states) > KEPT + 40
    assert sum(done.before is not None for done in folded.done) == KEPT
    while folded.done:
        folded, _ = took(folded, undo(folded.reached_us + SECOND))
        then = states[len(folded.done)]
        assert (folded.state.piles, folded.state.seat, folded.state.stage) == (then.piles, then.seat, then.stage)
        if then.deadline_us is not None:
            assert folded.state.deadline_us == folded.reached_us + 10 * SECOND
    assert bare(folded.state) == bare(folded.begin)


@pytest.mark.rule("Y22")
def test_a_ruling_of_any_age_can_be_disputed() -> None:
    folded = rounds(60, mixed=True)
    assert folded.state.wins == (20, 20, 20)
    number = folded.done[2].first
    folded, _ = took(folded, Command("d", "dispute", folded.reached_us, 0, "", 0, {"ruling": number}))
    folded, step = took(folded, Command("c", "confirm", folded.reached_us, 0, "", 1))
    assert folded.state.wins == (1, 0, 0)
    assert len(folded.done) == 2
    assert len(step.rulings[0].data["undone"]) > 120
