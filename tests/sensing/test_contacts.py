"""Contacts: tracks that are posed as if they touched are doubted where nothing brought them there."""

import numpy as np
import pytest

from companion.sensing.bodies import Body
from companion.sensing.contacts import CLOSES_MM, CONTACT_FRAMES, Contact, Contacts
from companion.sensing.dipole import magnet
from companion.sensing.layout import TableLayout
from companion.sensing.movers import Mover, Phase
from companion.sensing.tracker import Tracker

FRAME_US = 10_000
TRAIL = 30


def beside(track: int, at: tuple[float, float], layout: TableLayout, came_mm: float) -> Mover:
    """Lying at `at`, after a way of so much in its last frames; the reading shows none of its field."""
    place = np.array([*at, 3.4])
    m = Mover(Body((track,), magnet(tuple(place), (0.0, 0.0, 1.0), 0.29)), Phase.BOARD, 0, evidence=300.0)
    m.smooth, m.kept = place, np.zeros(layout.count)
    for k in range(TRAIL):
        m.trail.append(place - [came_mm * (1.0 - k / (TRAIL - 1)), 0.0, 0.0])
    return m


def first(contacts: Contacts) -> Contact:
    for k in range(2 * CONTACT_FRAMES):
        found = contacts.step(k * FRAME_US)
        if found:
            return found[0]
    raise AssertionError("no contact")


@pytest.mark.failure("F3")
@pytest.mark.parametrize(("came_mm", "doubt"), [(0.5, "slow"), (CLOSES_MM / 2.0, "slow"), (30.0, "")])
def test_tracks_that_meet_without_having_closed_in_are_doubted(layout: TableLayout, came_mm: float, doubt: str) -> None:
    tracker = Tracker(layout, np.full(layout.count, 0.1))
    tracker.sharp = tracker.weight = np.full(layout.count, 100.0)
    at = layout.triangles[0].mean(axis=0)
    a = beside(1, (float(at[0]), float(at[1])), layout, 0.0)
    b = beside(2, (float(at[0]) + 14.0, float(at[1])), layout, came_mm)
    tracker.movers += [a, b]
    contact = first(Contacts(tracker))
    assert ({*contact.a.body.tracks, *contact.b.body.tracks}, contact.doubt) == ({1, 2}, doubt)
