"""Complete and the times of events: none comes dated before one already promised."""

from hypothesis import given
from hypothesis import strategies as st

from companion.sensing.promise import COMPLETE_LAG_US, Promise
from companion.table import Complete, EventKind, TableEvent


@given(st.lists(st.tuples(st.integers(0, 600_000), st.integers(0, 900_000)), max_size=30))
def test_no_event_is_dated_before_a_complete_and_completes_rise(steps: list[tuple[int, int]]) -> None:
    promise, t, done = Promise(), 0, -1
    for passed, late in steps:
        assert promise.since(t + passed) == (0 if promise.last_us is None else passed)
        t += passed
        promise.heard_us = promise.last_us = t
        (event,) = promise.dated([TableEvent(EventKind.PLACED, t - late)])
        assert event.t_us == max(t - late, done + 1)
        assert event.t_report_us == t
        told = promise.keep()
        if t - COMPLETE_LAG_US > max(done, -1):
            assert told == [Complete(t - COMPLETE_LAG_US)]
            done = t - COMPLETE_LAG_US
        else:
            assert not told


def test_no_event_ends_before_it_begins() -> None:
    promise = Promise()
    promise.complete_us = 900
    events = [TableEvent(EventKind.UNSURE, 500, until_us=until) for until in (600, 2_000, None)]
    assert [(e.t_us, e.until_us) for e in promise.dated(events)] == [(901, 901), (901, 2_000), (901, None)]


def test_at_the_end_all_is_complete_once() -> None:
    promise = Promise()
    assert not promise.end()
    promise.last_us = 5
    assert promise.end() == [Complete(5)]
    assert not promise.end()
    assert promise.date(3) == 6
