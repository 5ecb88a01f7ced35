"""A collapse that is taken back leaves what there would be if it had never been told."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.game import Advance, Command, Entry
from companion.games.yikerz.game import Yikerz
from companion.games.yikerz.state import State
from companion.table import SECOND, EventKind, Stone, TableEvent

TURN_US = 20 * SECOND
TURNS = 5


def event(kind: EventKind, t_us: int, *stones: int, rest: tuple[int, ...] = (), count: int | None = None) -> TableEvent:
    lying = tuple(Stone(track, 0.0, 0.0) for track in rest)
    return TableEvent(kind, t_us, stones, len(stones) if count is None else count, t_us, rest=lying)


def turn(number: int) -> list[Entry]:
    """A turn without a fault: its stone comes, lies, is let go, and the 10 s pass."""
    at, track = number * TURN_US, number + 1
    return [
        event(EventKind.APPROACH, at + 1 * SECOND, track),
        event(EventKind.PLACED, at + 3 * SECOND, track),
        event(EventKind.RELEASED, at + 5 * SECOND, track),
        event(EventKind.SETTLED, at + 6 * SECOND, rest=tuple(range(1, track + 1)), count=track),
        Advance(at + 15 * SECOND),
    ]


def played(entries: list[Entry], answers: str) -> State:
    game = Yikerz()
    state = game.start({"players": ["Ana", "Ben"], "stones": 20, "begin": "at_once", "answers": answers})
    for entry in sorted(entries, key=lambda entry: entry.t_us):
        state = game.apply(state, entry).state
    # What was ruled stays on record; and the board is at rest again with the next settled.
    return replace(state, ruled=0, log=(), faults=(), rested=True)


@pytest.mark.rule("Y10", "Y22")
@given(
    number=st.integers(2, TURNS - 1),
    when_us=st.integers(1_100_000, 14_000_000),
    lasts_us=st.integers(1, 900_000),
    lying=st.sets(st.integers(1, 2), min_size=1),
    in_hand=st.booleans(),
    answers=st.sampled_from(["people", "nobody"]),
    taken=st.sampled_from(["not", "button", "rest"]),
)
def test_what_is_taken_back_was_never_told(
    number: int, when_us: int, lasts_us: int, lying: set[int], in_hand: bool, answers: str, taken: str
) -> None:
    at = number * TURN_US
    stones = lying | ({number + 1} if in_hand else set())
    if len(stones) < 2:
        stones, lying = stones | {1, 2}, {1, 2}
    steps = (1, 3, 5, 6, 15)  # nothing else happens while it is believed
    between = next(k for k in reversed(steps) if at + k * SECOND <= at + when_us)
    end = next((k for k in steps if k > between), 20)
    back_us = min(when_us + lasts_us, end * SECOND - 1)
    lies = lying | ({number + 1} if in_hand and when_us >= 5 * SECOND else set())
    back_us = max(when_us, back_us)
    told: list[Entry] = [event(EventKind.COLLAPSE, at + when_us, *sorted(stones))]
    taken_us = at + (when_us + back_us) // 2
    if taken == "button":
        told.append(Command("taken", "removed", taken_us))
    elif taken == "rest":  # the sensors see none of the stones for a moment
        others = set(range(1, number + (2 if when_us >= 5 * SECOND else 1))) - stones
        told.append(event(EventKind.SETTLED, taken_us, rest=tuple(sorted(others)), count=len(others)))
    told.append(event(EventKind.REFUTED, at + back_us, *sorted(stones), rest=tuple(sorted(lies & stones))))
    clean = [entry for each in range(TURNS) for entry in turn(each)]
    with_it, without = played(clean + told, answers), played(clean, answers)
    assert with_it == without


@pytest.mark.rule("Y21", "Y31")
def test_a_stone_that_counts_as_taken_lies_there_again_though_the_turn_has_passed() -> None:
    clean = [entry for each in range(2) for entry in turn(each)]
    at = 2 * TURN_US
    told: list[Entry] = [
        event(EventKind.APPROACH, at, 3),
        event(EventKind.COLLAPSE, at + 1 * SECOND, 1, 3),
        event(EventKind.APPROACH, at + 3 * SECOND, 4),
        event(EventKind.PLACED, at + 4 * SECOND, 4),  # nobody answers: what was to be taken counts as taken
    ]
    assumed = played(clean + told, "nobody")
    assert (assumed.seat, assumed.piles, len(assumed.board)) == (1, (10, 9), 1)
    put_right = played([*clean, *told, event(EventKind.REFUTED, at + 5 * SECOND, 1, 3, rest=(1,))], "nobody")
    assert (put_right.seat, put_right.piles, len(put_right.board)) == (1, (9, 9), 2)
    assert sum(put_right.piles) + len(put_right.board) + put_right.bag == 20
