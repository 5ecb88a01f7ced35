"""When a link is opened, given up and tried again: time is an argument, so ten minutes take no time."""

import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.reconnect import HELLO_US, SILENT_US, STEADY_US, Do, LinkState, Reconnect
from drivers.trouble import TROUBLES

S = 1_000_000
LOCALE = Path(__file__).parents[2] / "web" / "locale"


def test_a_link_is_opened_at_once_greeted_and_read() -> None:
    link = Reconnect()
    assert link.next(5) is Do.OPEN
    link.opened(5)
    assert (link.state, link.next(6)) == (LinkState.GREETING, Do.READ)
    link.greeted(7)
    assert (link.state, link.next(8), link.trouble) == (LinkState.LIVE, Do.READ, "")


@pytest.mark.failure("A6")
def test_an_open_port_without_a_hello_is_not_ready_and_is_given_up() -> None:
    link = Reconnect()
    for _ in range(2):
        link.opened(0)
        assert link.next(HELLO_US - 1) is Do.READ
        assert link.state is LinkState.GREETING
        assert link.next(HELLO_US) is Do.DROP
        assert (link.state, link.trouble, link.drops) == (LinkState.WAITING, "no_hello", 0)


@pytest.mark.failure("D6")
def test_silence_ends_a_live_link_without_any_callback() -> None:
    link = Reconnect()
    link.opened(0)
    link.greeted(0)
    link.heard(3 * S)
    assert link.next(3 * S + SILENT_US - 1) is Do.READ
    assert link.next(3 * S + SILENT_US) is Do.DROP
    assert (link.trouble, link.drops) == ("silent", 1)


@pytest.mark.failure("G4")
def test_a_stall_of_five_seconds_keeps_the_port_open() -> None:
    link = Reconnect()
    link.opened(0)
    link.greeted(0)
    link.heard(1 * S)
    assert link.next(6 * S + 500_000) is Do.READ


@pytest.mark.failure("A2")
@pytest.mark.parametrize("kind", TROUBLES)
def test_tries_in_ten_minutes_of_failure_are_few(kind: str) -> None:
    link, opened = Reconnect(), []
    for now_us in range(0, 600 * S, 50_000):
        if link.next(now_us) is Do.OPEN:
            opened.append(now_us)
            link.failed(now_us, kind)
    trouble = TROUBLES[kind]
    gaps = [b - a for a, b in itertools.pairwise(opened)]
    assert gaps[0] >= trouble.first_us
    assert max(gaps) <= trouble.longest_us + 50_000
    assert len(opened) <= 600 * S // trouble.longest_us + 8


def test_a_link_that_lived_is_tried_again_soon_and_one_that_flaps_is_not() -> None:
    link = Reconnect()
    for _ in range(7):
        link.failed(0, "port_lost")
    assert link.due_us == TROUBLES["port_lost"].longest_us
    link.opened(0)
    link.greeted(0)
    link.heard(STEADY_US - 1)
    link.failed(STEADY_US, "port_lost")
    assert link.due_us == STEADY_US + TROUBLES["port_lost"].longest_us
    link.opened(0)
    link.greeted(0)
    link.heard(STEADY_US)
    link.failed(STEADY_US, "port_lost")
    assert link.due_us == STEADY_US + TROUBLES["port_lost"].first_us


@given(st.lists(st.tuples(st.integers(0, 20 * S), st.sampled_from(["open", "greet", "hear", *TROUBLES])), max_size=60))
def test_whatever_happens_there_is_always_something_to_do_and_an_end_to_waiting(steps: list[tuple[int, str]]) -> None:
    link, now_us = Reconnect(), 0
    for after_us, what in steps:
        now_us += after_us
        link.next(now_us)
        if what == "open" and link.state is LinkState.WAITING:
            link.opened(now_us)
        elif what == "greet" and link.state is LinkState.GREETING:
            link.greeted(now_us)
        elif what == "hear" and link.state is LinkState.LIVE:
            link.heard(now_us)
        elif what in TROUBLES:
            link.failed(now_us, what)
        assert link.state is not LinkState.LIVE or link.trouble == ""
        if link.state is LinkState.WAITING and link.due_us is not None:
            assert link.due_us - now_us <= max(t.longest_us for t in TROUBLES.values())


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_kind_has_words_for_what_it_is_and_what_to_do(language: str) -> None:
    texts = json.loads((LOCALE / language / "link.json").read_text("utf-8"))
    assert {f"link_{kind}" for kind in TROUBLES} == {key for key in texts if key.startswith("link_")}
    assert {f"advice_{kind}" for kind in TROUBLES} == {key for key in texts if key.startswith("advice_")}
