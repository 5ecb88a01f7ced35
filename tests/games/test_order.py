"""Any order and delay of arrival gives the same rulings and state, as long as events come before their Complete."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.fold import Fold
from companion.games.game import Advance, Command, Ruling
from companion.games.order import Order, sort_entries
from companion.games.yikerz.game import Yikerz
from companion.games.yikerz.state import State
from companion.table import SECOND, EventKind, TableEvent
from tests.games.entries import HALF_SECOND, games, sequences


def judged(
    chosen: dict[str, Any], arrivals: list[tuple[int, TableEvent | Command]], completes: list[int]
) -> tuple[list[Ruling], State]:
    """Rulings and state when each entry arrives before the Complete of the given index."""
    fold = Fold(Yikerz())
    folded = fold.start(chosen)
    order, rulings = Order(), []
    for index, complete in enumerate(completes):
        for due, entry in arrivals:
            if due == index:
                order.put(entry)
        for entry in order.complete(complete):
            folded, step = fold.apply(folded, entry)
            rulings += step.rulings
    return rulings, folded.state


@pytest.mark.rule("Y32")
@settings(max_examples=60)
@given(st.data(), games(), sequences(most=15))
def test_any_order_and_delay_gives_the_same(
    data: st.DataObject, chosen: dict[str, Any], entries: list[TableEvent | Command]
) -> None:
    end = max(entry.t_us for entry in entries) + 30 * SECOND
    steps = data.draw(st.lists(st.integers(1, 40), min_size=1, max_size=12))
    completes = []
    for step in steps:
        completes.append((completes[-1] if completes else 0) + step * HALF_SECOND)
    completes = [c for c in completes if c < end] + [end]
    shuffled = data.draw(st.permutations(entries))
    arrivals = []
    for entry in shuffled:
        passing = next(i for i, complete in enumerate(completes) if complete >= entry.t_us)
        arrivals.append((data.draw(st.integers(0, passing)), entry))
    one = judged(chosen, arrivals, completes)
    other = judged(chosen, [(0, entry) for entry in entries], [end])
    assert one == other


@pytest.mark.rule("Y32")
def test_a_late_command_is_applied_at_the_time_reached() -> None:
    order = Order()
    order.complete(5 * SECOND)
    order.put(Command("c", "placed", 2 * SECOND))
    entries = order.complete(6 * SECOND)
    assert [(type(e).__name__, e.t_us) for e in entries] == [("Command", 5 * SECOND), ("Advance", 6 * SECOND)]


def test_nothing_is_judged_before_its_complete() -> None:
    order = Order()
    order.put(TableEvent(EventKind.PLACED, 7 * SECOND, (1,)))
    assert order.complete(7 * SECOND - 1) == [Advance(7 * SECOND - 1)]
    assert order.complete(6 * SECOND) == []
    assert [type(e) for e in order.complete(7 * SECOND)] == [TableEvent, Advance]
    assert order.waiting == ()


@pytest.mark.rule("Y32")
@pytest.mark.parametrize(("part", "first"), [((1, 3), EventKind.APPROACH), ((1, 2), EventKind.COLLAPSE)])
def test_collapse_and_approach_at_the_same_time(part: tuple[int, ...], first: EventKind) -> None:
    """The next player's if that stone is part of the collapse, else the earlier turn's."""
    events = [TableEvent(EventKind.COLLAPSE, SECOND, part, 2), TableEvent(EventKind.APPROACH, SECOND, (3,))]
    for arrival in (events, events[::-1]):
        ordered = sort_entries(arrival)
        assert isinstance(ordered[0], TableEvent)
        assert ordered[0].kind is first
