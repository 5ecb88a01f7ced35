"""The inbox: bounded for the table, never closed to presses, emptied before it ends."""

import threading

from companion.clock import HandClock
from companion.process.referee.answers import Ticket
from companion.process.referee.inbox import Inbox, LinkUp, Reports


def test_a_full_inbox_holds_the_table_back_but_no_press() -> None:
    clock = HandClock()
    inbox = Inbox(clock)
    for _ in range(1000):
        inbox.post(Reports(()))
    table = threading.Thread(target=inbox.post, args=(Reports(()),))
    table.start()
    while not clock.waiting():
        pass
    inbox.post(Ticket("id", "g1", "note", 0))
    inbox.post(LinkUp())
    assert len(inbox.take(None) or []) == 1002
    table.join(60)
    assert inbox.take_now() == [Reports(())]


def test_closing_lets_the_table_go_and_keeps_what_is_in_it() -> None:
    clock = HandClock()
    inbox = Inbox(clock)
    for _ in range(1000):
        inbox.post(Reports(()))
    table = threading.Thread(target=inbox.post, args=(Reports(()),))
    table.start()
    while not clock.waiting():
        pass
    inbox.close()
    table.join(60)
    assert len(inbox.take(None) or []) == 1001
    assert inbox.take(None) is None


def test_the_longest_wait_is_kept() -> None:
    clock = HandClock()
    inbox = Inbox(clock)
    inbox.post(LinkUp())
    clock.advance(7000)
    inbox.take_now()
    inbox.post(LinkUp())
    clock.advance(3000)
    inbox.take_now()
    assert inbox.lag_us == 7000


def test_an_empty_inbox_gives_nothing_at_its_time() -> None:
    clock = HandClock(5)
    assert Inbox(clock).take(5) == []
