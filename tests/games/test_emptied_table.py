"""F7: taking everything off the table is never by itself a new game, a new round or a win."""

import pytest

from companion.games.fold import Fold, Folded
from companion.games.game import Advance
from companion.games.yikerz.game import Yikerz
from companion.games.yikerz.state import State
from companion.table import SECOND, EventKind, TableEvent
from tests.scenario import parse, play

FOLD = Fold(Yikerz())

PHASES = {
    "lobby": 'settings begin="lobby" stones=12',
    "turn": """
        settings stones=12
        1 approach #1
        2 released #1
        12 advance""",
    "countdown": """
        settings stones=12
        1 approach #1
        2 released #1
        12 approach #2
        13 released #2""",
    "removing": """
        settings stones=12
        1 approach #1
        2 released #1
        12 approach #2
        13 released #2
        14 collapse #1 #2""",
    "penalty": """
        settings stones=12 piles=[2,10]
        1 approach #1
        2 released #1
        3 approach #2
        4 released #2
        5 !not_said
        14 advance""",
    "unseen": """
        settings stones=12
        1 approach #1
        2 released #1
        3 unseen until=4 n=0""",
    "question": """
        settings stones=12
        1 approach #1
        2 released #1
        3 unsure #1""",
    "round_end": """
        settings stones=12
        1 approach #1
        2 released #1
        3 !round_result winner=0 left=[0,3]""",
    "game_end": """
        settings stones=12 best_of=1
        1 approach #1
        2 released #1
        3 !round_result winner=0 left=[0,3]""",
}


def emptied(folded: Folded[State]) -> Folded[State]:
    """Every stone is lifted and carried away, the board is at rest and empty, and half a minute goes by."""
    t = max(folded.reached_us, 15 * SECOND)
    tracks = tuple(stone.track for stone in folded.state.board) or (1, 2)
    for kind in (EventKind.LIFTED, EventKind.REMOVED):
        t += SECOND
        folded, _ = FOLD.apply(folded, TableEvent(kind, t, tracks, len(tracks)))
    folded, _ = FOLD.apply(folded, TableEvent(EventKind.SETTLED, t + SECOND, (), 0))
    folded, _ = FOLD.apply(folded, Advance(t + 30 * SECOND))
    return folded


@pytest.mark.failure("F7")
@pytest.mark.rule("Y21", "Y45")
@pytest.mark.parametrize("phase", PHASES)
def test_an_emptied_table_is_no_new_game_and_no_win(phase: str) -> None:
    before = play(parse(PHASES[phase]))
    assert before.state.phase == phase
    after = emptied(before)
    assert after.state.rounds == before.state.rounds
    assert after.state.wins == before.state.wins
    assert after.state.players == before.state.players
    assert after.state.dealer == before.state.dealer
    assert after.state.running == before.state.running
    if not before.state.running:
        assert after.state == before.state


@pytest.mark.failure("F7")
@pytest.mark.rule("Y17", "Y45")
def test_an_emptied_table_after_the_last_stone_does_not_win() -> None:
    before = play(
        parse(
            """
            settings stones=8 piles=[2,6] last_call="assumed"
            1 approach #1
            2 released #1
            4 approach #2
            5 released #2
            15 advance
            16 approach #3
            17 released #3
            = phase=countdown piles=[0,5]"""
        )
    )
    after = emptied(before)
    assert after.state.rounds == ()
    assert after.state.running
