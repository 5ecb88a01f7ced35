"""The unattended referee: any order and delay of arrival gives the same rulings."""

import itertools
from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from companion.games.game import Entry, Ruling, Step
from companion.process.referee.judge import Judge
from companion.table import Complete, EventKind, Health, TableEvent, TableReport


class Diary:
    """A game whose state is what it has been told, and whose rulings repeat it."""

    name, version = "diary", "1"

    def start(self, settings: Mapping[str, Any]) -> tuple[Entry, ...]:
        return ()

    def apply(self, state: tuple[Entry, ...], entry: Entry) -> Step[tuple[Entry, ...]]:
        rulings = (Ruling(entry.t_us, str(entry.kind), ""),) if isinstance(entry, TableEvent) else ()
        return Step((*state, entry), rulings)

    def next_due(self, state: tuple[Entry, ...]) -> int | None:
        return None

    def ruled(self, state: tuple[Entry, ...]) -> int:
        return len(state)

    def number_on(self, state: tuple[Entry, ...], ruled: int) -> tuple[Entry, ...]:
        return state

    def shift(self, state: tuple[Entry, ...], by_us: int, earliest_us: int = 0) -> tuple[Entry, ...]:
        return state

    def to_json(self, state: tuple[Entry, ...]) -> dict[str, Any]:
        return {}

    def from_json(self, obj: Mapping[str, Any]) -> tuple[Entry, ...]:
        return ()


def judged(reports: list[TableReport]) -> tuple[list[Ruling], list[TableEvent]]:
    judge = Judge(Diary(), {})
    rulings = [r for report in reports for r in judge.take(report)]
    return rulings, [e for e in judge.state if isinstance(e, TableEvent)]


EVENTS = st.lists(
    st.builds(
        TableEvent,
        kind=st.sampled_from([EventKind.PLACED, EventKind.COLLAPSE]),
        t_us=st.integers(1, 6),
        count=st.integers(1, 2),
    ),
    max_size=8,
)


@given(EVENTS, st.data())
def test_any_order_and_delay_gives_the_same(events: list[TableEvent], data: st.DataObject) -> None:
    """Each event comes at any time before the Complete that passes it."""
    slots = [data.draw(st.integers(1, event.t_us)) for event in events]
    stream: list[TableReport] = []
    for t in range(1, 7):
        stream += data.draw(st.permutations([e for e, slot in zip(events, slots, strict=True) if slot == t]))
        stream.append(Complete(t))
    reference = judged([*events, Complete(6)])
    assert judged(stream) == reference
    assert [r.t_us for r in reference[0]] == sorted(e.t_us for e in events)


def test_nothing_is_judged_before_it_is_complete() -> None:
    judge = Judge(Diary(), {})
    event = TableEvent(EventKind.PLACED, 5)
    told = [judge.take(r) for r in (event, Complete(4), Health(9, "ok"), Complete(5), Complete(6))]
    assert [len(rulings) for rulings in told] == [0, 0, 0, 1, 0]


def test_events_of_one_time_are_ordered_by_content() -> None:
    events = [TableEvent(EventKind.PLACED, 1, stones=(k,)) for k in range(3)]
    results = [judged([*order, Complete(1)])[1] for order in itertools.permutations(events)]
    assert all(result == results[0] for result in results)
