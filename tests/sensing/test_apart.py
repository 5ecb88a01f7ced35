"""What a gap may have hidden: of stones that moved over it or came just after it nobody knows whether they touch."""

import numpy as np
import pytest

from companion.sensing.events.collapses import LAST_US, Collapses
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.magnets import magnet
from companion.sensing.tracks.apart import AFTER_US, FRAMES, Apart
from companion.sensing.tracks.movers import Mover, Phase
from companion.table import EventKind

FRAME_US = 10_000
GAP_US = 5_000_000  # its end
UP = np.array([0.0, 0.0, 1.0])
HERE = np.array([0.0, 0.0, 3.0])


def lying(track: int, x: float, *, awake: bool = False) -> Mover:
    m = Mover(Body((track,), magnet((x, 0.0, 3.0), UP, 0.3)), Phase.BOARD, 0, awake=awake, evidence=300.0)
    m.smooth = m.rested = m.body.centre
    return m


def carried(track: int, x: float, *, born_us: int = 0) -> Mover:
    m = Mover(Body((track,), magnet((x, 0.0, 3.0), UP, 0.3)), Phase.HAND, born_us, evidence=300.0)
    m.smooth = m.body.centre
    return m


def put(m: Mover, x: float) -> None:
    m.body = m.body.shifted(np.array([x - float(m.body.centre[0]), 0.0, 0.0]))
    m.smooth = m.body.centre


def look(apart: Apart, movers: list[Mover], frames: int, t_us: int = GAP_US) -> None:
    for k in range(frames):
        apart.step(movers, t_us + k * FRAME_US)


@pytest.mark.failure("D11")
def test_a_stone_in_the_hand_beside_one_after_a_gap_may_stick_to_it_already() -> None:
    a, b, apart = lying(1, 0.0, awake=True), carried(2, 20.0), Apart()
    assert apart.seen(a, b)
    apart.gap([a, b], GAP_US)
    look(apart, [a, b], 200)
    assert not apart.seen(a, b)


@pytest.mark.failure("D11")
def test_once_seen_apart_what_they_do_is_seen() -> None:
    a, b, apart = lying(1, 0.0), carried(2, 50.0), Apart()
    apart.gap([a, b], GAP_US)
    look(apart, [a, b], FRAMES - 1)
    put(b, 20.0)
    look(apart, [a, b], 1)
    assert apart.seen(a, b)  # the resting one has not moved over the gap
    a.awake = True
    apart.gap([a, b], GAP_US)
    put(b, 50.0)
    look(apart, [a, b], FRAMES - 1)
    assert not apart.seen(a, b)
    look(apart, [a, b], 1)
    put(b, 10.0)
    assert apart.seen(a, b)


@pytest.mark.failure("D11")
@pytest.mark.parametrize(("after_us", "seen"), [(0, False), (AFTER_US - FRAME_US, False), (AFTER_US, True)])
def test_a_stone_that_shows_itself_just_after_a_gap_may_have_come_in_it(after_us: int, seen: bool) -> None:
    """It is first seen beside one that was moved over the gap."""
    a, apart = lying(1, 0.0), Apart()
    apart.gap([a], GAP_US)
    a.awake = True
    put(a, 12.0)
    look(apart, [a], 1, GAP_US)
    b = carried(2, 30.0, born_us=GAP_US + after_us)
    look(apart, [a, b], 3, GAP_US + after_us)
    assert apart.seen(a, b) is seen


@pytest.mark.failure("D11")
def test_of_two_that_lay_still_over_the_gap_each_contact_is_seen() -> None:
    a, b, apart = lying(1, 0.0), lying(2, 30.0), Apart()
    apart.gap([a, b], GAP_US)
    look(apart, [a, b], 60)
    a.awake = True
    put(a, 14.0)
    look(apart, [a, b], 3, GAP_US + AFTER_US)
    assert apart.seen(a, b)


def test_a_faint_body_is_not_seen_to_be_anywhere() -> None:
    a, b, apart = lying(1, 0.0, awake=True), carried(2, 60.0), Apart()
    a.evidence = b.evidence = 60.0
    apart.gap([a, b], GAP_US)
    look(apart, [a, b], 50)
    assert not apart.seen(a, b)


@pytest.mark.failure("D11")
def test_what_the_reading_does_not_bear_out_is_not_seen_to_be_apart() -> None:
    """After a gap in which a stone has come to stick to another, the new one's track begins elsewhere."""
    a, b, apart = lying(1, 0.0, awake=True), carried(2, 60.0), Apart()
    a.misfit = b.misfit = 4.0
    apart.gap([a, b], GAP_US)
    look(apart, [a, b], 50)
    assert not apart.seen(a, b)
    a.misfit = 1.0
    look(apart, [a, b], FRAMES)
    assert apart.seen(a, b)


@pytest.mark.failure("D11")
@pytest.mark.parametrize("first", [True, False])
def test_a_collapse_of_stones_not_seen_apart_is_asked_about(first: bool) -> None:
    """Also where only one of its contacts was not seen."""
    c = Collapses()
    c.touch(1_000_000, {1, 2}, HERE, True, "" if first else "gap")
    c.touch(1_100_000, {2, 3}, HERE, False, "gap")
    (event,) = c.due(1_000_000 + LAST_US)
    assert event.kind is EventKind.UNSURE
    assert (event.stones, event.count, event.until_us) == ((1, 2, 3), 3, 1_000_000)
    assert event.p < 1.0
    assert event.evidence is not None
    assert event.evidence.note == "gap"
