"""Contacts of one cluster within 0.4 s of each other are one collapse; others are their own; chains are told."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sensing.events.collapses import ASK_BELOW, DOUBTED, EARLY_US, HOLD_US, LAST_US, Collapses
from companion.sensing.events.recheck import MARGIN, Doubt, likely
from companion.sensing.events.sticking import GONE_GAIN
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.magnets import magnet
from companion.table import EventKind, TableEvent

HERE = np.array([1.0, 2.0, 3.0])


def calm(stones: set[int]) -> bool:
    """Nothing else moves."""
    return bool(stones)


def restless(stones: set[int]) -> bool:
    """Something comes near."""
    return not stones


def late(c: Collapses, t_us: int) -> list[TableEvent]:
    return c.due(t_us + LAST_US)


def test_a_follow_up_of_the_same_cluster_is_the_same_collapse() -> None:
    c = Collapses()
    c.touch(1_000_000, {1, 2}, HERE, True)
    assert c.due(1_200_000) == []
    assert c.open
    c.touch(1_200_000, {1, 2, 3}, HERE, False)
    (event,) = late(c, 1_000_000)
    assert event.t_us == 1_000_000
    assert event.stones == event.new_stones == (1, 2, 3)
    assert event.count == 3
    assert not event.chain
    assert not c.open


def test_two_clusters_at_once_are_two_collapses_until_they_meet() -> None:
    c = Collapses()
    c.touch(1_000_000, {1, 2}, HERE, False)
    c.touch(1_010_000, {3, 4}, HERE, False)
    assert [e.stones for e in late(c, 1_010_000)] == [(1, 2), (3, 4)]
    c.touch(5_000_000, {1, 2, 3, 4, 5}, HERE, False)
    (event,) = late(c, 5_000_000)
    assert event.chain
    assert event.new_stones == (5,)


def test_a_stone_taken_away_and_played_again_is_new() -> None:
    c = Collapses()
    c.touch(1_000_000, {1, 2}, HERE, True)
    late(c, 1_000_000)
    c.forget((1, 2))
    c.touch(9_000_000, {1, 7}, HERE, True)
    (event,) = late(c, 9_000_000)
    assert event.new_stones == (1, 7)
    assert not event.chain


@given(st.lists(st.tuples(st.integers(0, 900_000), st.sets(st.integers(1, 6), min_size=2)), max_size=8))
def test_every_stone_that_touched_is_told_once_as_new(contacts: list[tuple[int, set[int]]]) -> None:
    c = Collapses()
    events: list[TableEvent] = []
    for t, stones in sorted(contacts, key=lambda x: x[0]):
        events += c.due(t)
        c.touch(t, stones, HERE, False)
    events += c.due(10_000_000)
    told = [k for e in events for k in e.new_stones]
    assert sorted(told) == sorted({k for _, s in contacts for k in s})
    assert all(set(e.new_stones) <= set(e.stones) for e in events)


@pytest.mark.failure("F3")
def test_a_stone_that_was_not_there_after_all_makes_no_collapse() -> None:
    c = Collapses()
    c.touch(1_000_000, {1, 2}, HERE, True)
    assert c.ripe(1_000_000 + HOLD_US, restless) == [{1, 2}]
    c.without(2)
    assert late(c, 1_000_000) == []
    assert c.caught == set()
    c.touch(2_000_000, {1, 3, 4}, HERE, True)
    c.without(4)
    (event,) = late(c, 2_000_000)
    assert (event.stones, event.new_stones, event.count) == ((1, 3), (1, 3), 2)


def test_stones_that_fell_before_it_was_sure_that_they_stick_have_not_collapsed() -> None:
    c = Collapses()
    c.touch(1_000_000, {1, 2}, HERE, False)
    c.touch(1_000_000, {5, 6}, HERE, False)
    c.fell((1, 2))
    assert [e.stones for e in late(c, 1_000_000)] == [(5, 6)]


def test_a_collapse_that_nothing_can_follow_is_told_early_and_one_that_something_can_is_not() -> None:
    c = Collapses()
    c.touch(1_000_000, {1, 2}, HERE, True)
    assert c.ripe(1_000_000 + EARLY_US - 1, calm) == []
    assert c.ripe(1_000_000 + EARLY_US, restless) == []
    assert c.ripe(1_000_000 + EARLY_US, calm) == [{1, 2}]
    assert c.due(1_000_000 + EARLY_US) == []  # until it is sure that its stones are there
    c.sure({1, 2})
    (event,) = c.due(1_000_000 + EARLY_US)
    assert event.count == 2
    assert event.t_report_us is not None
    assert event.t_report_us - event.t_us <= 250_000


def test_a_stone_that_joins_a_sure_collapse_is_counted_before_it_is_told() -> None:
    c = Collapses()
    c.touch(1_000_000, {1, 2}, HERE, True)
    c.sure({1, 2})
    c.touch(1_150_000, {2, 3}, HERE, False)
    assert c.due(1_200_000) == []
    (event,) = late(c, 1_000_000)
    assert event.stones == (1, 2, 3)


@pytest.mark.parametrize(
    ("gain", "margin", "low", "high"),
    [(-60.0, MARGIN, 0.99, 1.0), (0.0, MARGIN, 0.85, 0.95), (MARGIN, MARGIN, 0.5, 0.5), (0.0, GONE_GAIN, 0.99, 1.0)],
)
def test_a_stone_that_the_reading_hardly_misses_is_told_with_less_confidence(
    gain: float, margin: float, low: float, high: float
) -> None:
    """margin: the word of its track; a stone that has lain on the board is somewhere."""
    rest = Body((1,), magnet((0.0, 0.0, 3.4), (0.0, 0.0, 1.0), 0.29))
    assert low <= likely(Doubt(2, rest, gain), margin) <= high
    assert likely(None, margin) == 1.0


def test_the_confidence_of_a_collapse_is_told_with_it() -> None:
    c = Collapses()
    c.touch(1_000_000, {1, 2, 3}, HERE, True)
    c.without(3)
    c.sure({1, 2, 3}, 0.8)
    (event,) = c.due(1_200_000)
    assert (event.stones, event.p) == ((1, 2), 0.8)


def test_what_follows_within_450_ms_of_the_contact_before_completes_a_collapse_that_has_been_told() -> None:
    c = Collapses()
    c.touch(1_000_000, {1, 2}, HERE, True)
    (first,) = late(c, 1_000_000)
    assert not first.grown
    c.touch(1_390_000, {1, 2, 3}, HERE, False)
    (more,) = late(c, 1_390_000)
    c.touch(1_780_000, {1, 2, 3, 4}, HERE, False)  # the chain goes on: as long after the contact before, not the first
    (most,) = late(c, 1_780_000)
    assert [(e.grown, e.chain, e.count, e.new_stones) for e in (more, most)] == [
        (True, False, 3, (3,)),
        (True, False, 4, (4,)),
    ]
    c.touch(2_240_000, {1, 2, 3, 4, 5}, HERE, False)
    (own,) = late(c, 2_240_000)
    assert (own.grown, own.chain, own.count, own.new_stones) == (False, True, 5, (5,))


def test_where_less_is_measured_dates_scatter_more_and_a_chain_is_not_cut_for_that() -> None:
    c = Collapses()
    c.apart_us = 40_000
    c.touch(1_000_000, {1, 2}, HERE, True)
    late(c, 1_000_000)
    c.touch(1_480_000, {1, 2, 3}, HERE, False)
    (more,) = late(c, 1_480_000)
    assert more.grown
    c.touch(1_980_000, {1, 2, 3, 4}, HERE, False)
    (own,) = late(c, 1_980_000)
    assert (own.grown, own.chain) == (False, True)


def test_another_cluster_is_no_more_of_one_that_was_just_told() -> None:
    c = Collapses()
    c.touch(1_000_000, {1, 2}, HERE, True)
    late(c, 1_000_000)
    c.touch(1_300_000, {3, 4}, HERE, False)
    (event,) = late(c, 1_300_000)
    assert (event.grown, event.chain) == (False, False)


def test_of_two_collapses_of_a_cluster_a_follow_up_completes_the_newer_one() -> None:
    c = Collapses()
    c.touch(1_000_000, {1, 2}, HERE, True)
    late(c, 1_000_000)
    c.touch(1_460_000, {1, 2, 3}, HERE, False)
    (second,) = late(c, 1_460_000)
    assert second.chain
    assert not second.grown
    c.touch(1_790_000, {1, 2, 3, 4}, HERE, False)
    (more,) = late(c, 1_790_000)
    assert (more.grown, more.chain) == (True, True)


def test_a_follow_up_whose_stone_was_not_there_after_all_completes_nothing() -> None:
    c = Collapses()
    c.touch(1_000_000, {1, 2}, HERE, True)
    late(c, 1_000_000)
    c.touch(1_300_000, {1, 2, 3}, HERE, False)
    c.without(3)
    assert late(c, 1_300_000) == []
    assert c.caught == {1, 2}


def test_what_jumps_near_a_collapse_that_goes_on_is_part_of_it() -> None:
    """Drawn by it: the contact that joins them is often seen last."""
    c = Collapses()
    c.touch(1_000_000, {1, 2}, HERE, True)
    late(c, 1_000_000)
    c.touch(1_350_000, {3, 4}, HERE, False, near={2, 3, 4, 9})
    (more,) = late(c, 1_350_000)
    assert (more.grown, more.stones, more.count, more.new_stones) == (True, (1, 2, 3, 4), 4, (3, 4))


@pytest.mark.parametrize("doubt", ["gap", "brief", "slow"])
def test_a_contact_on_thin_evidence_is_unsure_with_what_is_known(doubt: str) -> None:
    c = Collapses()
    c.touch(1_000_000, {1, 2}, HERE, True, doubt)
    c.sure({1, 2})
    (event,) = c.due(1_200_000)
    assert (event.kind, event.stones, event.count, event.p) == (EventKind.UNSURE, (1, 2), 2, DOUBTED)
    assert event.until_us == event.t_us == 1_000_000
    assert event.evidence is not None
    assert event.evidence.note == doubt
    c.touch(1_300_000, {1, 2, 3}, HERE, False)  # seen: a collapse of its own, whatever is answered
    (seen,) = late(c, 1_300_000)
    assert (seen.kind, seen.grown, seen.count) == (EventKind.COLLAPSE, False, 3)


@pytest.mark.parametrize(("p", "kind"), [(ASK_BELOW, EventKind.COLLAPSE), (ASK_BELOW - 0.01, EventKind.UNSURE)])
def test_a_collapse_that_is_hardly_likely_is_asked_about(p: float, kind: EventKind) -> None:
    c = Collapses()
    c.touch(1_000_000, {1, 2}, HERE, True)
    c.sure({1, 2}, p)
    (event,) = c.due(1_200_000)
    assert (event.kind, event.p) == (kind, round(p, 2))


def test_a_collapse_is_told_by_250_ms_where_it_is_likely_and_held_longer_where_it_is_not() -> None:
    c = Collapses()
    c.touch(1_000_000, {1, 2}, HERE, True)
    assert not c.held({1, 2}, 1_000_000 + HOLD_US - 1)
    assert c.held({1, 2}, 1_000_000 + HOLD_US)
    assert HOLD_US <= 250_000
    assert c.ripe(1_000_000 + HOLD_US, restless) == [{1, 2}]
    assert c.due(1_000_000 + HOLD_US) == []  # its stones have not been found likely
    assert not c.full({1, 2}, 1_000_000 + LAST_US - 1)
    assert c.full({1, 2}, 1_000_000 + LAST_US)
    assert [e.stones for e in c.due(1_000_000 + LAST_US)] == [(1, 2)]


def test_what_jumps_near_a_collapse_that_is_still_held_back_is_part_of_it() -> None:
    c = Collapses()
    c.touch(1_000_000, {1, 2}, HERE, True)
    c.touch(1_080_000, {3, 4}, HERE, False, near={2, 3, 4})
    (event,) = late(c, 1_000_000)
    assert (event.stones, event.new_stones, event.chain) == ((1, 2, 3, 4), (1, 2, 3, 4), False)


def test_stones_that_are_asked_about_are_no_part_of_what_is_told_next_as_certain() -> None:
    c = Collapses()
    c.touch(1_000_000, {1, 2}, HERE, True)
    late(c, 1_000_000)
    c.touch(1_350_000, {1, 2, 3}, HERE, False, "brief")
    (asked,) = late(c, 1_350_000)
    assert (asked.kind, asked.stones, asked.new_stones) == (EventKind.UNSURE, (1, 2, 3), (3,))
    for t_us, track, stones in ((1_700_000, 4, (1, 2, 4)), (2_050_000, 5, (1, 2, 4, 5))):
        c.touch(t_us, {1, 2, 3, 4, track}, HERE, False)
        (more,) = late(c, t_us)
        told = (more.kind, more.grown, more.stones, more.count, more.new_stones)
        assert told == (EventKind.COLLAPSE, True, stones, len(stones), (track,))


def test_two_that_snap_and_then_meet_a_collapse_that_has_been_told_are_more_of_it() -> None:
    c = Collapses()
    c.touch(1_000_000, {1, 2}, HERE, True)
    c.sure({1, 2})
    (first,) = c.due(1_100_000)
    c.touch(1_150_000, {3, 4}, HERE, False)
    c.touch(1_200_000, {1, 2, 3, 4}, HERE, False)
    (more,) = late(c, 1_200_000)
    assert (first.grown, first.count) == (False, 2)
    assert (more.grown, more.chain, more.stones, more.new_stones) == (True, False, (1, 2, 3, 4), (3, 4))


def test_a_chain_stays_one_where_two_that_snap_meet_it() -> None:
    c = Collapses()
    c.touch(1_000_000, {1, 2}, HERE, True)
    late(c, 1_000_000)
    c.touch(5_000_000, {1, 2, 3}, HERE, False)
    late(c, 5_000_000)
    c.touch(5_360_000, {4, 5}, HERE, False)
    c.touch(5_400_000, {1, 2, 3, 4, 5}, HERE, False)
    (more,) = late(c, 5_400_000)
    assert (more.grown, more.chain, more.new_stones) == (True, True, (4, 5))


def taken(c: Collapses, stones: tuple[int, ...]) -> None:
    c.forget(stones)


def fallen(c: Collapses, stones: tuple[int, ...]) -> None:
    c.fell(stones)


def never_there(c: Collapses, stones: tuple[int, ...]) -> None:
    for track in stones:
        c.without(track)


@pytest.mark.parametrize("leave", [taken, fallen, never_there])
def test_what_has_left_a_collapse_is_not_told_again_when_it_grows(
    leave: Callable[[Collapses, tuple[int, ...]], None],
) -> None:
    c = Collapses()
    c.touch(1_000_000, {1, 2, 3}, HERE, True)
    late(c, 1_000_000)
    leave(c, (1,))
    c.touch(1_400_000, {2, 3, 7}, HERE, False)
    (more,) = late(c, 1_400_000)
    assert (more.grown, more.stones, more.count, more.new_stones) == (True, (2, 3, 7), 3, (7,))
    leave(c, (2, 3))
    c.touch(1_800_000, {7, 8}, HERE, False)
    (own,) = late(c, 1_800_000)
    assert (own.grown, own.stones) == (False, (7, 8))


@pytest.mark.parametrize("leave", [taken, fallen, never_there])
def test_a_contact_with_the_last_stone_of_a_collapse_whose_others_left_is_no_more_of_it(
    leave: Callable[[Collapses, tuple[int, ...]], None],
) -> None:
    c = Collapses()
    c.touch(1_000_000, {1, 2}, HERE, True)
    late(c, 1_000_000)
    c.touch(1_400_000, {2, 7}, HERE, False)
    leave(c, (1,))
    (own,) = late(c, 1_400_000)
    assert (own.grown, own.stones, own.count) == (False, (2, 7), 2)
    c.touch(1_790_000, {2, 7, 8}, HERE, False)
    (more,) = late(c, 1_790_000)
    assert (more.grown, more.stones) == (True, (2, 7, 8))


@pytest.mark.parametrize("doubt", ["", "first_seen"])
def test_the_blow_of_each_contact_is_known_when_its_collapse_has_been_told_or_asked_about(doubt: str) -> None:
    c = Collapses()
    c.touch(1_510_000, {1, 2}, HERE, False, doubt)
    c.touch(1_600_000, {2, 3}, HERE, False)
    c.touch(1_700_000, {3, 4}, HERE, False)
    for _ in range(2):
        assert [c.struck(t) for t in (1_400_000, 1_500_000, 1_610_000, 1_720_000, 1_800_000)] == [0, 1, 1, 1, 0]
        c.sure({1, 2, 3, 4})
        c.due(1_900_000)
        assert not c.open
    c.due(1_700_000 + 2_000_000)
    assert not c.struck(1_700_000)


def test_stones_that_touched_none_after_all_struck_nothing() -> None:
    c = Collapses()
    c.touch(1_000_000, {1, 2, 3}, HERE, False)
    c.without(3)
    assert c.struck(1_000_000)
    c.without(2)
    assert not c.struck(1_000_000)
