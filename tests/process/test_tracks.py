"""A new table process numbers its stones from the beginning; they are not the stones that a game knows."""

import pytest

from companion.clock import HandClock
from companion.games.yikerz.recorded import settings_of
from companion.process.kinds.yikerz import yikerz
from companion.process.referee.inbox import LinkDown
from companion.table import Complete, EventKind, Numbered, Picture, Stone, TableEvent
from tests.process.service import Bench, S

GAME = {"game": "yikerz", "players": ["Ana", "Ben"], "first": 0, "piles": [5, 5], "bag": 10, "stones": 20}


def laid(t_us: int, track: int = 1) -> tuple[TableEvent, ...]:
    """A stone that comes, is placed and let go within a second."""
    kinds = (EventKind.APPROACH, EventKind.PLACED, EventKind.RELEASED)
    return tuple(TableEvent(kind, t_us + n * S // 3, (track,), t_report_us=t_us + n) for n, kind in enumerate(kinds))


def board(bench: Bench) -> list[tuple[str, int | None]]:
    """The stones let go, each with its player."""
    return [(r["kind"], r["player"]) for r in bench.rulings("g1") if r["kind"] == "placed"]


def started(**changes: object) -> Bench:
    bench = Bench(kinds={"yikerz": yikerz()})
    bench.owner.follow("yikerz", {**settings_of(GAME), **changes})
    bench.link_up()
    bench.clock.advance(4 * S)
    bench.hear(*laid(1 * S), Picture(3 * S, (Stone(1, 0.0, 0.0),)), Complete(3 * S))
    return bench


def test_a_stone_of_the_next_table_process_is_another_stone() -> None:
    bench = started()
    first = board(bench)
    assert len(first) == 1
    bench.post(LinkDown(False, "ended"))
    bench.pass_time(S)
    bench.link_up()
    bench.clock.advance(20 * S)
    bench.hear(*laid(15 * S), Picture(17 * S, (Stone(1, 0.0, 0.0),)), Complete(18 * S))
    again = board(bench)
    assert len(again) == 2
    assert again[0][1] != again[1][1]
    (stone,) = bench.view("g1")["board"]["stones"]
    assert stone["track"] > 1


def test_a_stone_found_again_by_the_next_table_process_is_the_same_stone() -> None:
    """A table with numbers of its own: what lies there keeps its track, and is counted as expected."""
    bench = started()
    first = bench.view("g1")["board"]["stones"][0]["track"]
    bench.post(LinkDown(False, "ended"))
    bench.pass_time(S)
    bench.link_up()
    bench.clock.advance(20 * S)
    lying = Stone(first, 0.0, 0.0)
    settled = TableEvent(EventKind.SETTLED, S, t_report_us=S, rest=(lying,))
    bench.hear(Numbered(0), settled, Picture(2 * S, (lying,)), Complete(8 * S))
    (stone,) = bench.view("g1")["board"]["stones"]
    assert stone["track"] == first
    assert not any(r["kind"] == "mismatch" for r in bench.rulings("g1"))
    bench.hear(*laid(9 * S, 7000), Complete(11 * S))
    assert len(board(bench)) == 2


@pytest.mark.rule("Y22", "Y23")
def test_a_doubt_about_a_gap_that_is_asked_about_is_no_second_question() -> None:
    bench = started(answers="people")
    bench.post(LinkDown(False, "ended"))
    bench.pass_time(S)
    bench.link_up()
    bench.clock.advance(20 * S)
    bench.hear(Complete(S), TableEvent(EventKind.UNSURE, 2 * S, t_report_us=2 * S, p=0.3), Complete(3 * S))
    codes = [r["kind"] for r in bench.rulings("g1")]
    assert "unsure" in codes
    assert [q["code"] for q in bench.view("g1")["questions"]] == ["unseen"]


@pytest.mark.rule("Y23")
def test_sensors_released_after_a_pause_leave_the_ten_seconds_what_was_left_of_them() -> None:
    bench = started()  # let go 2 s before its time reached
    bench.post(LinkDown(False, "ended"))
    bench.pass_time(60 * S)
    bench.press("release_sensors", "g1")

    def ended() -> bool:
        return any(r["kind"] == "turn_end" for r in bench.rulings("g1"))

    bench.pass_time(S)
    assert [r["kind"] for r in bench.rulings("g1")][-2:] == ["unseen", "question"]
    bench.pass_time(7 * S)
    assert not ended()
    bench.pass_time(S)
    assert ended()


def test_a_stone_after_a_restart_of_the_referee_is_another_stone() -> None:
    bench = started()
    again = Bench(bench.journal, HandClock(3000 * S), {"yikerz": yikerz()})
    again.link_up()
    again.clock.advance(20 * S)
    again.hear(*laid(15 * S), Complete(18 * S))
    assert len(board(again)) == 2
