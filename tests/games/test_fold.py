"""Undo as an entry: piles, turn and timer together; undone is as if it had never happened (Y22)."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.games.fold import REFUSALS, RULINGS, Fold, Folded
from companion.games.game import Advance, Command
from companion.games.steps import SPARE_US, Steps
from companion.games.yikerz.game import Yikerz
from companion.games.yikerz.state import State
from companion.table import SECOND, BoardTime, EventKind, TableEvent
from tests.games.entries import HALF_SECOND, commands, events, fold_all, games, sequences

GAME = Yikerz()
FOLD = Fold(GAME)


def undo(t_us: BoardTime) -> Command:
    return Command("u", "undo", t_us, by="phone")


def laid(t_us: BoardTime) -> Command:
    return Command("l", "lay", t_us, 0, "", None, {"how": "laid"})


def bare(state: State) -> State:
    """Without the log, whose lines keep the times at which they were ruled; without numbers of rulings; questions,
    which are numbered by their times, in order.
    """
    order = {question.number: place for place, question in enumerate(state.questions, 1)}
    return replace(
        state,
        log=(),
        ruled=0,
        faults=tuple(replace(fault, rulings=()) for fault in state.faults),
        asked=0,
        questions=tuple(replace(q, number=order[q.number]) for q in state.questions),
        calls=tuple(replace(call, asked=order.get(call.asked, 0)) for call in state.calls),
    )


def fold_answering(folded: Folded[State], entries: list[TableEvent | Command]) -> Folded[State]:
    """All entries folded; an answer is to the newest open question, whatever its number."""
    for entry in entries:
        if isinstance(entry, Command) and entry.name == "answer" and folded.state.questions:
            entry = replace(entry, args={**entry.args, "question": folded.state.questions[-1].number})
        folded, _ = FOLD.apply(folded, entry)
    return folded


def numbered_alike(state: State, other: State) -> State:
    """The state with as many rulings as the other: numbers of undone ones are not given again."""
    return replace(state, ruled=other.ruled)


def later(entry: TableEvent | Command, by_us: BoardTime) -> TableEvent | Command:
    if isinstance(entry, TableEvent) and entry.until_us is not None:
        entry = replace(entry, until_us=entry.until_us + by_us)
    return replace(entry, t_us=entry.t_us + by_us)


@pytest.mark.rule("Y22")
@settings(max_examples=80)
@given(st.data(), games(), sequences(most=12), sequences(most=6))
def test_undone_is_as_if_it_had_never_happened(
    data: st.DataObject,
    chosen: dict[str, Any],
    entries: list[TableEvent | Command],
    rest: list[TableEvent | Command],
) -> None:
    before = fold_all(FOLD, FOLD.start(chosen), entries)
    before, _ = FOLD.apply(before, laid(before.reached_us))  # an undo among the entries may have left stones elsewhere
    t = before.reached_us + data.draw(st.integers(0, 30)) * HALF_SECOND
    passed, _ = FOLD.apply(before, Advance(t))
    step = data.draw(events(t) | commands(t, 99))
    assume(getattr(step, "name", "") != "undo")
    after, _ = FOLD.apply(passed, step)
    if len(after.done) != len(passed.done) + 1:
        return  # it changed nothing that could be undone
    t_undo = t + data.draw(st.integers(0, 40)) * HALF_SECOND
    undone = after
    while len(undone.done) > len(passed.done) or undone is after:
        undone, answer = FOLD.apply(undone, undo(t_undo))
        assert answer.refusal is None
    undone, answer = FOLD.apply(undone, laid(t_undo))
    assert answer.refusal is None or answer.refusal.code == "nothing_to_lay"
    given_back = t_undo - t
    spared = GAME.shift(passed.state, 0, t + SPARE_US)
    assert undone.state == numbered_alike(GAME.shift(spared, given_back), undone.state)
    # and what is played then goes as it would have gone
    rest = [later(entry, t) for entry in rest if getattr(entry, "name", "") != "undo"]
    never = fold_answering(replace(passed, state=spared), rest)
    again = fold_answering(undone, [later(entry, given_back) for entry in rest])
    assert bare(again.state) == bare(GAME.shift(never.state, given_back))


def played(turns: int) -> Folded[State]:
    folded = FOLD.start({"players": ["A", "B"], "stones": 60, "begin": "at_once", "dealer": 0})
    for turn in range(turns):
        command = Command(f"p{turn}", "placed", (turn + 1) * 20 * SECOND)
        folded, step = FOLD.apply(folded, command)
        assert step.refusal is None
    return folded


@pytest.mark.rule("Y22")
def test_more_than_twenty_steps_can_be_undone() -> None:
    folded = played(16)
    beginning = FOLD.start({"players": ["A", "B"], "stones": 60, "begin": "at_once", "dealer": 0})
    steps = len(folded.done)
    assert steps > 30
    for _ in range(steps):
        folded, step = FOLD.apply(folded, undo(folded.reached_us))
        assert step.refusal is None
    assert bare(folded.state) == bare(beginning.state)
    folded, step = FOLD.apply(folded, undo(folded.reached_us))
    assert step.refusal is not None
    assert step.refusal.code == "nothing_to_undo"


@pytest.mark.rule("Y22")
def test_the_end_of_a_game_can_be_undone() -> None:
    folded = FOLD.start({"players": ["A", "B"], "stones": 6, "begin": "at_once", "dealer": 0, "best_of": 1})
    result = Command("r", "round_result", SECOND, args={"winner": 0, "left": [0, 2]})
    ended, _ = FOLD.apply(folded, result)
    assert ended.state.phase == "game_end"
    back, step = FOLD.apply(ended, undo(5 * SECOND))
    assert back.state == numbered_alike(GAME.shift(folded.state, 4 * SECOND), back.state)
    assert back.state.wins == (0, 0)
    assert step.rulings[0].kind == "undone"


@pytest.mark.rule("Y22")
@settings(max_examples=60)
@given(st.data(), games(), sequences(most=10), sequences(most=6))
def test_a_rejected_dispute_is_as_if_it_had_never_been(
    data: st.DataObject,
    chosen: dict[str, Any],
    entries: list[TableEvent | Command],
    rest: list[TableEvent | Command],
) -> None:
    """However long it was open, and however often time passed meanwhile, the clock goes on from where it stood."""
    before = fold_all(FOLD, FOLD.start(chosen), entries)
    assume(any(done.rulings for done in before.done))
    t, lasted = before.reached_us, data.draw(st.integers(1, 60)) * HALF_SECOND
    number = data.draw(st.sampled_from([n for done in before.done for n in done.numbers]))
    open_, step = FOLD.apply(before, Command("d", "dispute", t, 0, "", 0, {"ruling": number}))
    assert step.refusal is None
    waited, step = FOLD.apply(open_, Advance(t + lasted // 2))
    assert (step.rulings, FOLD.next_due(waited)) == ((), None)
    after, _ = FOLD.apply(waited, Command("r", "reject", t + lasted, 0, "", None, {"table": True}))
    assert after.state == GAME.shift(before.state, lasted)
    never = fold_answering(before, [later(entry, t) for entry in rest if getattr(entry, "name", "") != "undo"])
    again = fold_answering(after, [later(entry, t + lasted) for entry in rest if getattr(entry, "name", "") != "undo"])
    assert bare(again.state) == bare(GAME.shift(never.state, lasted))
    refolded = Steps(GAME).up_to(replace(again, done=()), len(again.past))  # from the beginning: the pause is kept
    timed, _ = Steps(GAME).passing(refolded, again.reached_us)
    assert timed.state == again.state


@pytest.mark.rule("Y22")
def test_what_the_fold_says_is_listed() -> None:
    start = FOLD.start({"players": ["A", "B"], "stones": 6, "begin": "at_once", "dealer": 0})
    said, refused = set(), set()
    presses = [
        ("undo", None, {}),
        ("confirm", 0, {}),
        ("lay", None, {"how": "laid"}),
        ("dispute", 0, {"ruling": 99}),
        ("placed", 0, {}),
        ("dispute", 0, {"ruling": 3}),
        ("confirm", 0, {}),
        ("reject", 1, {}),
        ("dispute", 0, {"ruling": 3}),
        ("confirm", None, {"table": True}),
        ("placed", 0, {}),
        ("undo", None, {}),
    ]
    folded = start
    for number, (name, player, args) in enumerate(presses):
        folded, step = FOLD.apply(folded, Command(f"c{number}", name, SECOND, 0, "", player, args))
        said |= {ruling.kind for ruling in step.rulings}
        refused |= {step.refusal.code} if step.refusal else set()
    assert RULINGS.keys() - {"edited", "laid"} <= said
    assert refused == REFUSALS.keys() - {"no_such_entry", "nothing_changed", "edit_breaks"}
    assert folded.state == numbered_alike(start.state, folded.state)


@pytest.mark.rule("Y22")
def test_a_number_that_was_undone_names_no_other_ruling() -> None:
    """A phone that has not heard of the undo disputes what it shows: nothing else is undone by it."""
    folded = played(1)
    old = folded.state.log[-1].number
    folded, _ = FOLD.apply(folded, undo(22 * SECOND))
    assert folded.undone == 1
    folded, _ = FOLD.apply(folded, Command("again", "placed", 23 * SECOND))
    assert folded.state.log[-1].number > old
    after, step = FOLD.apply(folded, Command("d", "dispute", 24 * SECOND, 0, "", 0, {"ruling": old}))
    assert step.refusal is not None
    assert step.refusal.code == "no_such_ruling"
    assert after.dispute is None


@pytest.mark.rule("Y22")
def test_an_old_answer_meets_no_new_question() -> None:
    """A question that is asked again after an undo is another one, with a number that was never given (H13)."""
    folded = FOLD.start({"players": ["A", "B"], "stones": 6, "begin": "at_once", "dealer": 0})
    folded, _ = FOLD.apply(folded, TableEvent(EventKind.UNSURE, SECOND))
    old = folded.state.questions[0].number
    folded, _ = FOLD.apply(folded, undo(2 * SECOND))
    assert folded.state.questions == ()
    folded, _ = FOLD.apply(folded, TableEvent(EventKind.UNSURE, 3 * SECOND))
    answer = Command("a", "answer", 4 * SECOND, args={"question": old, "choice": "nothing"})
    after, step = FOLD.apply(folded, answer)
    assert step.refusal is not None
    assert step.refusal.code == "no_such_question"
    assert after.state.questions == folded.state.questions


def test_folding_the_same_entries_gives_the_same() -> None:
    entries = [Command("a", "placed", SECOND), undo(3 * SECOND), Command("b", "placed", 4 * SECOND)]
    start = FOLD.start({"players": ["A", "B"], "stones": 6, "begin": "at_once", "dealer": 0})
    assert fold_all(FOLD, start, entries) == fold_all(FOLD, start, entries)
