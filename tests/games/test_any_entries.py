"""Whatever sensors and people tell, in whatever order: the stones add up, one player is in turn, there is a way on."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.fold import Fold
from companion.games.game import Advance, Command
from companion.games.yikerz.game import Yikerz
from companion.games.yikerz.names import COMMANDS, Stage
from companion.table import SECOND, EventKind, TableEvent
from tests.games import way_on
from tests.games.entries import PRESSES, fold_all, games, sequences, tied
from tests.scenario import check_state


def test_every_command_is_drawn() -> None:
    assert {*COMMANDS, "undo"} == set(PRESSES)


@pytest.mark.rule("Y21", "Y45")
@settings(max_examples=120)
@given(games(), sequences(), st.booleans())
def test_stones_add_up_and_there_is_a_way_on(
    chosen: dict[str, Any], entries: list[TableEvent | Command], tie: bool
) -> None:
    fold = Fold(Yikerz())
    folded = fold.start(chosen)
    for entry in [*(tied() if tie else ()), *entries]:
        before = folded
        folded, step = fold.apply(folded, entry)
        if step.refusal is not None:
            assert folded is before
            assert step.rulings == ()
        state = folded.state
        check_state(state)
        if state.running:
            assert 0 <= state.seat < len(state.players)
            assert state.seat in state.playing or (state.sudden and state.stage is Stage.REMOVING)
            assert len(state.playing) > 1 or len(state.players) == 1
            assert all(state.piles[seat] == 0 for seat in state.away)
            assert min(pile for seat, pile in enumerate(state.piles) if seat != state.seat or not state.spent) >= 0
    way_on.check(folded.state, folded.reached_us)


@pytest.mark.rule("Y30")
@settings(max_examples=50)
@given(games(), sequences(presses=False))
def test_an_unattended_replay_never_stands_still(chosen: dict[str, Any], entries: list[TableEvent | Command]) -> None:
    """Whatever was misread before, stones that come, are put down and stand for ten seconds end turns."""
    fold = Fold(Yikerz())
    folded = fold_all(fold, fold.start({**chosen, "answers": "nobody"}), entries)
    turns, rounds, t = folded.state.turns, len(folded.state.rounds), folded.reached_us
    for track in range(100, 104):
        for kind in (EventKind.APPROACH, EventKind.PLACED, EventKind.RELEASED):
            t += SECOND
            folded, _ = fold.apply(folded, TableEvent(kind, t, (track,)))
        t += 11 * SECOND
        folded, _ = fold.apply(folded, Advance(t))
    assert (folded.state.turns, len(folded.state.rounds)) != (turns, rounds) or not folded.state.running


NAMES = st.sampled_from(["add_player", "rename_player", "remove_player", "move_player", "set_dealer", "set_setting"])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@pytest.mark.rule("Y24")
@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(
            NAMES | st.sampled_from(["placed", "collapsed", "answer", "set_piles", "round_result", "dispute"]),
            st.dictionaries(
                st.sampled_from(["name", "value", "to", "n", "hand", "piles", "board", "question", "choice", "left"])
                | st.sampled_from(["winner", "held", "ruling", "table", "layout"]),
                ANYTHING,
            ),
            st.none() | st.integers(-2, 3),
        ),
        max_size=8,
    ),
    st.sampled_from(["lobby", "at_once"]),
)
def test_wrong_commands_are_refused_and_never_raise(
    pressed: list[tuple[str, dict[str, Any], int | None]], begin: str
) -> None:
    fold = Fold(Yikerz())
    folded = fold.start({"players": ["A", "B"], "begin": begin, "stones": 6})
    for number, (name, args, player) in enumerate(pressed):
        command = Command(f"c{number}", name, (number + 1) * SECOND, 0, "", player, args)
        folded, _ = fold.apply(folded, command)
        check_state(folded.state)
