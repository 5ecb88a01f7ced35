"""The owner: order of time, commit before publish, answers, sensors as a resource, coming back after a stop."""

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from companion.clock import HandClock
from companion.journal import MemoryJournal, NewEntry, open_journal
from companion.process.kinds.yikerz import yikerz
from companion.process.referee.inbox import LinkDown, LinkUp, Reports
from companion.process.referee.resume import LISTED
from companion.table import Complete, EventKind, Health, Numbered, Picture, TableEvent, TableReport
from companion.views.port import Answer
from tests.process.service import Bench, S

GRACE = 100_000


def placed(t_us: int) -> TableEvent:
    return TableEvent(EventKind.PLACED, t_us, (1,), t_report_us=t_us)


def sensed() -> tuple[Bench, str]:
    bench = Bench()
    bench.link_up()
    return bench, bench.new_game(sensors=True)


def test_nothing_is_judged_before_its_time_is_complete() -> None:
    bench, game = sensed()
    bench.hear(placed(5 * S))
    assert bench.view(game)["state"]["stones"] == 0
    bench.complete(5 * S - 1)
    assert bench.view(game)["state"]["stones"] == 0
    bench.complete(5 * S)
    assert bench.view(game)["state"]["stones"] == 1


def test_a_press_is_judged_at_its_own_time_between_events() -> None:
    bench, game = sensed()
    bench.clock.advance(6 * S)
    bench.complete(1)
    assert bench.press("press", game, press_us=bench.offset_us + 5 * S, id="p-1") is None
    assert bench.view(game)["pending"] == ["p-1"]
    bench.hear(placed(4 * S), placed(5 * S + 1))
    bench.complete(6 * S)
    assert [r["kind"] for r in bench.rulings(game)] == ["placed", "press", "placed"]
    view = bench.view(game)
    assert view["pending"] == []
    assert view["answers"]["p-1"] == {"status": "applied", "code": ""}
    assert view["state"]["deadline_us"] + view["offset"] == bench.offset_us + 15 * S


def test_who_is_told_that_a_game_was_made_finds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    decide, shown = bench.owner.answers.decide, []

    def answered(name: str, answer: Answer) -> None:
        if answer.body:
            frame = bench.owner.frames.newest(str(answer.body["game"]))
            shown.append(frame is not None)
        decide(name, answer)

    monkeypatch.setattr(bench.owner.answers, "decide", answered)
    bench.new_game()
    bench.new_game(sensors=True)
    assert shown == [True, True]


def test_any_order_of_arrival_gives_the_same_journal() -> None:
    parts = [("event", 3 * S), ("press", 4 * S), ("event", 4 * S), ("event", 5 * S)]
    journals = set()
    for order in itertools.permutations(parts):
        bench, game = sensed()
        bench.clock.advance(20 * S)
        version = bench.view(game)["version"]
        for what, t_us in order:
            if what == "event":
                bench.hear(placed(t_us))
            else:
                bench.press("press", game, version, bench.offset_us + t_us, id="p-1")
        bench.complete(20 * S)
        journals.add(str([(e.new.kind, e.new.t_us, e.new.body, e.new.rulings) for e in bench.journal.entries()]))
    assert len(journals) == 1


def test_a_press_that_comes_after_its_time_was_judged_counts_at_the_time_reached() -> None:
    bench, game = sensed()
    bench.clock.advance(9 * S)
    bench.complete(8 * S)
    assert bench.press("press", game, press_us=bench.offset_us + 2 * S) == Answer("applied")
    assert bench.view(game)["state"]["deadline_us"] >= 18 * S


def test_a_deadline_passes_by_complete_alone() -> None:
    bench, game = sensed()
    bench.press("press", game)
    bench.complete(1)
    bench.pass_time(60 * S)
    assert bench.view(game)["state"]["turns"] == 0
    bench.complete(10 * S)
    assert bench.view(game)["state"]["turns"] == 1


@pytest.mark.failure("G1")
def test_the_wall_clock_may_jump_by_weeks_while_the_timer_runs() -> None:
    kept = []
    for jumps in (("2026-05-01", "2026-05-01"), ("2026-05-15", "2026-04-17")):
        bench = Bench()
        game = bench.new_game()
        bench.press("press", game)
        bench.pass_time(GRACE)
        for wall in jumps:
            bench.clock.wall = wall
            bench.pass_time(3 * S)
        assert bench.view(game)["state"]["turns"] == 0
        bench.pass_time(4 * S)
        assert bench.view(game)["state"]["turns"] == 1
        kept.append([(e.new.t_us, e.new.rulings) for e in bench.journal.entries()])
    assert kept[0] == kept[1]


@pytest.mark.failure("G4")
def test_a_late_burst_is_judged_by_its_own_times() -> None:
    bench, game = sensed()
    bench.press("press", game)
    bench.complete(1)
    bench.pass_time(30 * S)  # nothing comes: the page shows a stale link, the timer is not over
    assert (bench.view(game)["health"], bench.view(game)["state"]["turns"]) == ("stale", 0)
    bench.hear(placed(9 * S), Complete(30 * S))
    assert [r["kind"] for r in bench.rulings(game)] == ["press", "placed", "turn_end"]


def test_what_was_repaired_of_the_journal_reaches_the_pages(tmp_path: Path) -> None:
    bench = Bench(open_journal(tmp_path))
    assert bench.view("")["notices"] == []
    bench.journal.close()
    (tmp_path / "journal.db").write_bytes(b"")
    (tmp_path / "settings.json").touch()  # the table has been used
    again = Bench(open_journal(tmp_path))
    assert again.view("")["notices"] == [{"code": "begun_anew"}]
    again.journal.close()


def test_silence_shows_as_stale_and_ends_with_the_next_report() -> None:
    bench, game = sensed()
    bench.pass_time(299_999)
    assert bench.view(game)["health"] == "ok"
    bench.pass_time(1)
    assert bench.view(game)["health"] == "stale"
    bench.hear(Health(300_000, "ok", clock_offset_us=bench.offset_us))
    assert bench.view(game)["health"] == "ok"


def test_a_silence_is_not_called_a_computer_that_is_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    bench, _ = sensed()
    heard: list[Health | None] = []
    monkeypatch.setattr(bench.owner, "_hear", heard.append)
    flowing = Health(300_000, "ok", lag_ms=20.0, frame_rate=100.0, clock_offset_us=bench.offset_us)
    bench.hear(flowing)
    bench.pass_time(300_000)
    assert [(each.state, each.late_s) for each in heard[-1:] if each] == [("stale", 0)]
    bench.hear(replace(flowing, state="stale", lag_ms=20_400.0))
    assert [(each.state, each.late_s) for each in heard[-1:] if each] == [("stale", 20)]


def test_a_game_without_sensors_gets_its_time_from_the_clock() -> None:
    bench = Bench()
    game = bench.new_game()
    assert bench.press("press", game, id="p-1") is None
    bench.pass_time(GRACE)
    assert bench.view(game)["answers"]["p-1"]["status"] == "applied"
    bench.pass_time(10 * S)
    assert bench.view(game)["state"]["turns"] == 1


@pytest.mark.failure("H13")
def test_a_repeated_id_gets_the_first_answer_and_does_nothing_twice() -> None:
    bench = Bench()
    game = bench.new_game()
    for _ in range(3):
        bench.press("press", game, version=0, id="p-1")
    bench.pass_time(GRACE)
    assert bench.press("press", game, version=0, id="p-1") == Answer("applied")
    assert bench.view(game)["state"]["presses"] == 1


@pytest.mark.failure("H13")
def test_two_phones_that_want_another_game_after_one_get_the_same_also_after_a_restart() -> None:
    bench = Bench(kinds={"yikerz": yikerz()})
    old = bench.new_game()
    asked = {"kind": "yikerz", "settings": {}, "after": old}
    first, second = bench.press("new_game", "", **asked), bench.press("new_game", "", **asked)
    assert first == Answer("applied", body={"game": "g2"})
    assert second == Answer("applied", body={"game": "g2", "joined": True})
    again = Bench(bench.journal, bench.clock, kinds={"yikerz": yikerz()})
    assert again.press("new_game", "", id="third", **asked) == second
    assert again.press("delete_game", "g2") == Answer("applied")
    assert again.press("new_game", "", id="fourth", **asked) == Answer("applied", body={"game": "g3"})


@pytest.mark.failure("H13")
def test_of_two_ids_against_one_version_the_second_is_told_why_not() -> None:
    bench = Bench()
    game = bench.new_game()
    version = bench.view(game)["version"]
    bench.press("press", game, version, id="p-1")
    bench.clock.advance(1)
    bench.press("press", game, version, id="p-2")
    bench.pass_time(GRACE)
    assert bench.view(game)["answers"] == {
        "p-1": {"status": "applied", "code": ""},
        "p-2": {"status": "refused", "code": "stale"},
    }
    assert bench.view(game)["state"]["presses"] == 1


def test_a_move_made_before_the_turn_ended_is_stale_a_note_is_not() -> None:
    bench, game = sensed()
    bench.press("press", game)
    bench.complete(1)
    version = bench.view(game)["version"]
    bench.clock.advance(11 * S)
    bench.complete(10 * S)
    assert bench.press("move", game, version) is None
    assert bench.press("note", game, version, id="n-1") is None
    bench.complete(11 * S)
    answers = bench.view(game)["answers"].values()
    assert sorted(a["status"] for a in answers) == ["applied", "applied", "refused"]


def test_different_notes_against_one_version_all_count_the_same_one_only_once() -> None:
    bench = Bench()
    game = bench.new_game()
    for text in ("a", "b", "a"):
        bench.clock.advance(1)
        bench.press("note", game, 0, text=text)
    bench.pass_time(GRACE)
    assert bench.view(game)["state"]["presses"] == 2


def test_nothing_is_published_or_answered_before_it_is_journaled() -> None:
    journal = MemoryJournal()
    bench = Bench(journal)
    game = bench.new_game()
    before = bench.view(game)
    journal.full = True
    assert bench.press("press", game, id="p-1") is None
    bench.pass_time(GRACE)
    assert bench.view(game) == {**before, "notice": "journal_full"}
    assert bench.press("press", game, id="p-1") is None
    journal.full = False
    bench.pass_time(S)
    view = bench.view(game)
    assert (view["state"]["presses"], view["notice"]) == (1, "")
    assert bench.press("press", game, id="p-1") == Answer("applied")
    assert [e.new.kind for e in journal.entries(game)] == ["created", "command"]


def test_while_the_journal_is_full_the_lobby_says_so_and_no_game_is_begun() -> None:
    journal = MemoryJournal()
    bench = Bench(journal)
    game = bench.new_game()
    journal.full = True
    bench.press("press", game)
    bench.pass_time(GRACE)
    assert bench.view("")["notice"] == "journal_full"
    assert bench.press("new_game", "", kind="counting") == Answer("refused", "journal_full")
    journal.full = False
    bench.pass_time(S)
    assert "notice" not in bench.view("")
    assert [each["game"] for each in bench.view("")["games"]] == [game]
    assert bench.new_game() == "g2"


def test_time_that_changes_nothing_is_not_journaled() -> None:
    bench, game = sensed()
    for t_us in range(0, 5 * S, S // 10):
        bench.complete(t_us)
    assert [e.new.kind for e in bench.journal.entries(game)] == ["created"]


def test_the_sensors_are_held_by_one_game_and_can_be_released() -> None:
    bench, first = sensed()
    second = bench.new_game()
    assert bench.press("new_game", "", kind="counting", sensors=True) == Answer("refused", "sensors_held")
    assert bench.press("take_sensors", second) == Answer("refused", "sensors_held")
    bench.hear(placed(1 * S), Complete(1 * S))
    assert bench.press("release_sensors", first) == Answer("applied")
    assert bench.press("take_sensors", second) == Answer("applied")
    bench.hear(placed(2 * S), Complete(2 * S))
    assert [bench.view(game)["state"]["stones"] for game in (first, second)] == [1, 1]
    assert [bench.view(game)["sensors"] for game in (first, second)] == [False, True]


def test_a_game_that_released_the_sensors_goes_on_by_the_clock() -> None:
    bench, game = sensed()
    bench.press("press", game)
    bench.complete(1)
    bench.press("release_sensors", game)
    bench.pass_time(11 * S)
    assert bench.view(game)["state"]["turns"] == 1


def test_wrong_commands_to_the_table_are_refused_by_name() -> None:
    bench = Bench()
    game = bench.new_game()
    assert bench.press("open_sesame", "") == Answer("refused", "unknown_command")
    assert bench.press("press", "g9", version=0) == Answer("refused", "no_such_game")
    assert bench.press("new_game", "", kind="chess") == Answer("refused", "unknown_game")
    assert bench.press("new_game", "", kind="counting", settings=5) == Answer("refused", "bad_args")
    assert bench.press("new_game", "", kind="counting", settings={"bad": 1}) == Answer("refused", "bad_setting")
    assert bench.press("dance", game, id="p-1") is None
    bench.pass_time(GRACE)
    assert bench.view(game)["answers"]["p-1"] == {"status": "refused", "code": "unknown_command"}
    assert [e.new.kind for e in bench.journal.entries()] == ["created"]


def test_a_table_process_that_dies_pauses_the_game_and_what_was_missed_is_an_event() -> None:
    bench, game = sensed()
    bench.press("press", game)
    bench.complete(2 * S)
    bench.clock.advance(2 * S)
    bench.post(LinkDown(False, "ended"))
    assert bench.view(game)["health"] == "lost"
    bench.pass_time(60 * S)
    assert bench.view(game)["state"]["turns"] == 0  # it stands still
    bench.link_up()
    bench.complete(0)
    (event,) = [e.new for e in bench.journal.entries(game) if e.new.kind == "event"]
    assert event.body["kind"] == "unseen"
    assert event.body["t_us"] == 2 * S + 1
    assert event.body["until_us"] == 62 * S  # the new session's zero, on the axis of the old one
    assert bench.view(game)["health"] == "ok"


def test_presses_count_while_the_table_process_is_gone() -> None:
    bench, game = sensed()
    bench.clock.advance(5 * S)
    bench.complete(2 * S)
    assert bench.press("note", game, id="n-1") is None
    bench.post(LinkDown(False, "ended"))
    assert bench.view(game)["answers"]["n-1"]["status"] == "applied"
    assert bench.press("note", game, n=2) == Answer("applied")
    assert {e.new.t_us for e in bench.journal.entries(game) if e.new.kind == "command"} == {2 * S}


def test_a_recording_that_is_over_frees_the_sensors_without_anything_unseen() -> None:
    bench, game = sensed()
    bench.complete(2 * S)
    bench.clock.advance(2 * S)
    bench.post(LinkDown(True, "ended"))
    assert bench.view(game)["sensors"] is False
    bench.pass_time(S)
    assert [e.new.kind for e in bench.journal.entries(game)] == ["created", "settings"]


@pytest.mark.rule("Y23")
def test_what_a_recording_told_to_its_end_is_judged_before_the_sensors_are_let_go() -> None:
    bench, game = sensed()
    bench.press("press", game)
    bench.complete(1)
    bench.clock.advance(30 * S)  # a busy machine: the table is far behind the clock
    bench.post(Reports((Complete(11 * S),)), LinkDown(True, "ended"))
    ended, unseen = bench.rulings(game)[1:]
    assert (ended["kind"], ended["t_us"]) == ("turn_end", 10 * S)
    assert (unseen["kind"], unseen["t_us"]) == ("unseen", 11 * S + 1)
    times = [e.new.t_us for e in bench.journal.entries(game)]
    assert times == sorted(times)


@pytest.mark.parametrize("down", [LinkDown(True, "ended"), LinkDown(False, "unusable")])
def test_sensors_that_will_not_come_back_are_offered_to_nobody(down: LinkDown) -> None:
    bench, game = sensed()
    assert bench.view("")["sensors"] == "held"
    bench.post(down)
    assert bench.view("")["sensors"] == "none"
    assert bench.press("new_game", "", kind="counting", sensors=True) == Answer("refused", "no_sensors")
    assert bench.press("take_sensors", game) == Answer("refused", "no_sensors")
    assert bench.press("press", game, id="p-1") is None
    bench.pass_time(GRACE + 10 * S)
    assert bench.view(game)["state"]["turns"] == 1  # by the clock


@pytest.mark.failure("G4")
def test_a_table_that_lives_but_completes_nothing_does_not_hold_presses_back() -> None:
    bench, game = sensed()
    bench.clock.advance(2 * S)
    bench.complete(1 * S)
    assert bench.press("press", game, id="p-1") is None
    for _ in range(3):
        assert bench.view(game)["pending"] == ["p-1"]
        bench.clock.advance(S)
        bench.hear(Health(1 * S, "stale", clock_offset_us=bench.offset_us))
    assert bench.view(game)["answers"]["p-1"]["status"] == "applied"
    assert bench.press("note", game) == Answer("applied")
    assert [e.new.t_us for e in bench.journal.entries(game) if e.new.kind == "command"] == [1 * S, 1 * S]
    bench.hear(Complete(3 * S))
    assert bench.press("note", game, n=2) is None  # it waits for its time again


def test_a_service_that_starts_again_resumes_every_game_from_the_journal() -> None:
    journal = MemoryJournal()
    bench = Bench(journal)
    bench.link_up()
    sensed_game, pressed_game = bench.new_game(sensors=True), bench.new_game()
    bench.press("note", pressed_game, id="n-1")
    bench.clock.advance(S)
    bench.hear(placed(S // 2), Complete(S))
    before = [bench.view(game)["state"] for game in (sensed_game, pressed_game)]

    again = Bench(journal, HandClock(7 * S))  # another boot: the monotonic clock begins anew
    assert [again.view(game)["state"] for game in (sensed_game, pressed_game)] == before
    assert again.press("note", pressed_game, id="n-1") == Answer("applied")  # a repeat, from before the stop
    assert [again.view(game)["sensors"] for game in (sensed_game, pressed_game)] == [True, False]
    again.link_up()
    again.hear(placed(S), Complete(S))
    assert again.view(sensed_game)["state"]["stones"] == 2
    times = [e.new.t_us for e in journal.entries(sensed_game)]
    assert times == sorted(times)


@pytest.mark.failure("G7")
@pytest.mark.rule("Y23")
def test_what_nobody_saw_while_the_power_was_out_is_asked_and_the_ten_seconds_go_on_from_there() -> None:
    journal = MemoryJournal()
    bench = Bench(journal, kinds={"yikerz": yikerz()})
    bench.link_up()
    game = bench.new_game(sensors=True, players=["Ana", "Beto"], begin="at_once", dealer=0)
    for kind in (EventKind.APPROACH, EventKind.PLACED, EventKind.RELEASED):
        bench.hear(TableEvent(kind, S, (1,), t_report_us=S))
    bench.complete(S)
    assert bench.view(game)["phase"] == "countdown"

    again = Bench(journal, HandClock(7 * S), {"yikerz": yikerz()})  # days later, another boot
    assert again.view(game)["phase"] == "countdown"
    again.pass_time(60 * S)
    assert again.view(game)["phase"] == "countdown"  # no time passes before the table is seen
    again.link_up()
    again.complete(S)
    view = again.view(game)
    assert (view["phase"], [q["code"] for q in view["questions"]]) == ("unseen", ["unseen"])
    unseen = next(r for r in again.rulings(game) if r["kind"] == "unseen")
    assert unseen["t_us"] == S + 1
    again.press("answer", game, question=view["questions"][0]["id"], choice="nothing")
    again.complete(2 * S)
    left_us = unseen["data"]["deadline_us"] - unseen["data"]["until_us"]
    assert left_us == 10 * S - 1  # all ten of them: they had only begun when the power went out
    again.complete(10 * S)
    assert again.view(game)["phase"] == "countdown"
    again.complete(12 * S)
    assert again.view(game)["phase"] == "turn"


@pytest.mark.failure("G7")
@pytest.mark.rule("Y17", "Y24")
@pytest.mark.parametrize("before_us", [S, 9 * S])
def test_the_ten_seconds_of_a_game_by_hand_stand_still_while_the_power_is_off_and_until_somebody_looks(
    before_us: int,
) -> None:
    journal = MemoryJournal()
    bench = Bench(journal, kinds={"yikerz": yikerz()})
    chosen = {"players": ["Ana", "Beto"], "begin": "at_once", "dealer": 0, "last_call": "assumed"}
    game = bench.new_game(**chosen)
    other = bench.new_game(**chosen)  # another game that goes on later moves no clock of the first
    bench.press("placed", game)
    bench.pass_time(before_us)
    bench.press("placed", other)
    bench.pass_time(GRACE)

    again = Bench(journal, HandClock(7 * S), {"yikerz": yikerz()})  # the power comes back, at whatever time
    for _ in range(160):
        again.pass_time(S // 10)  # nobody is there yet
    assert [r["kind"] for r in again.rulings(game)][-1] == "countdown"
    again.view(game)  # a phone is back
    again.pass_time(1)
    view = again.view(game)
    assert (view["phase"], view["questions"]) == ("countdown", [])
    left_us = view["deadline_us"] - again.clock.now_us()
    assert 3 * S < left_us <= 9 * S
    again.pass_time(left_us)
    assert again.view(game)["phase"] == "countdown"
    again.pass_time(GRACE + 1)
    assert again.view(game)["phase"] == "turn"
    assert [r["kind"] for r in again.rulings(other)][-1] == "countdown"  # nobody looks at that one


@pytest.mark.rule("Y23")
def test_a_game_that_stood_still_after_a_stop_and_then_follows_the_table_has_not_seen_that_time() -> None:
    journal = MemoryJournal()
    bench = Bench(journal, kinds={"yikerz": yikerz()})
    game = bench.new_game(players=["Ana", "Beto"], begin="at_once", dealer=0)
    bench.press("placed", game)
    bench.pass_time(GRACE)
    again = Bench(journal, HandClock(7 * S), {"yikerz": yikerz()})
    again.pass_time(60 * S)
    again.link_up()
    again.press("take_sensors", game)
    again.complete(S)
    view = again.view(game)
    assert (view["phase"], [q["code"] for q in view["questions"]]) == ("unseen", ["unseen"])


def test_the_rulings_after_a_resume_are_those_without_the_stop() -> None:
    def play(stop_after: int) -> list[object]:
        bench = Bench(MemoryJournal())
        game = bench.new_game()
        for number in range(6):
            if number == stop_after:
                bench = Bench(bench.journal, bench.clock)
            bench.press("move" if number % 2 else "note", game, id=f"c-{number}", n=number)
            bench.pass_time(4 * S)
        return [(r["kind"], r["data"].get("presses")) for r in bench.rulings(game)]

    assert len({str(play(stop)) for stop in range(7)}) == 1


def test_an_entry_of_an_unknown_kind_of_game_is_left_alone() -> None:
    journal = MemoryJournal()
    journal.append([NewEntry("g1", "created", "1", body={"kind": "chess", "settings": {}, "sensors": False})])
    bench = Bench(journal)
    game = bench.new_game()
    assert game == "g2"


def test_old_games_stay_in_the_journal_unlisted(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = MemoryJournal()
    bench = Bench(journal)
    games = [bench.new_game() for _ in range(LISTED + 3)]
    asked, entries = [], journal.entries
    monkeypatch.setattr(journal, "entries", lambda game=None: asked.append(game) or entries(game))
    again = Bench(journal)
    assert set(asked) == set(games[3:])  # the others cost nothing
    assert [again.owner.frames.newest(game) is not None for game in games] == [False] * 3 + [True] * LISTED
    assert again.new_game() == f"g{LISTED + 4}"
    assert journal.games()[:3] == ("g1", "g2", "g3")


def test_a_game_in_play_is_listed_after_a_restart_before_newer_ones_that_never_began() -> None:
    """A household that presses "new game" again and again finds the game that it plays."""
    journal = MemoryJournal()
    bench = Bench(journal, kinds={"yikerz": yikerz()})
    played = bench.new_game(players=["Ana", "Beto"], begin="at_once")
    empty = [bench.new_game(players=["Ana", "Beto"]) for _ in range(LISTED + 3)]
    again = Bench(journal, kinds={"yikerz": yikerz()})
    listed = [game["game"] for game in again.view("")["games"]]
    assert listed == [played, *reversed(empty[4:])]


def test_a_game_that_a_bad_card_took_leaves_its_number_to_nobody() -> None:
    journal = MemoryJournal()
    journal.append([NewEntry("g5", "created", "1", body={"kind": "chess", "settings": {}, "sensors": False})])
    assert Bench(journal).new_game() == "g6"


def test_a_journal_that_is_full_at_the_start_shows_its_games_and_says_so() -> None:
    journal = MemoryJournal()
    game = Bench(journal).new_game()
    journal.full = True
    bench = Bench(journal)
    assert bench.view(game)["notice"] == "journal_full"
    journal.full = False
    bench.pass_time(S)
    bench.pass_time(S)
    assert bench.view(game)["notice"] == ""


def test_reports_before_the_clock_is_known_wait_for_it() -> None:
    bench = Bench()
    game = bench.new_game(sensors=True)
    bench.clock.advance(5 * S)
    bench.post(LinkUp(), Reports((Health(0, "starting"), placed(1 * S), Complete(2 * S))))
    assert bench.view(game)["state"]["stones"] == 0
    offset_us = bench.clock.now_us() - 3 * S
    bench.hear(Health(2 * S, "ok", clock_offset_us=offset_us))
    view = bench.view(game)
    assert (view["state"]["stones"], view["offset"]) == (1, offset_us)


@pytest.mark.failure("A7")
def test_a_link_that_has_never_given_a_sample_is_told_at_once_and_its_wait_costs_no_game_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench()
    game = bench.new_game(sensors=True)
    heard: list[Health | None] = []
    monkeypatch.setattr(bench.owner, "_hear", heard.append)
    missing = Health(0, "lost", ("link_adapter_absent",), link="waiting")
    bench.post(LinkUp(), Reports((Numbered(0), missing)))
    assert bench.view(game)["health"] == "lost"
    assert [health and health.faults for health in heard[-1:]] == [("link_adapter_absent",)]
    for _ in range(300):  # five minutes
        bench.clock.advance(S)
        bench.hear(missing)
    assert bench.view(game)["health"] == "lost"
    offset_us = bench.clock.now_us() - 1 * S
    bench.hear(Health(1 * S, "ok", clock_offset_us=offset_us), Complete(1 * S))
    assert (bench.view(game)["health"], bench.view(game)["offset"]) == ("ok", offset_us)


def test_a_table_process_that_never_tells_the_clock_is_heard_all_the_same() -> None:
    bench = Bench()
    game = bench.new_game(sensors=True)
    bench.post(LinkUp(), Reports((placed(1), *(Complete(t_us) for t_us in range(2, 300)))))
    assert bench.view(game)["state"]["stones"] == 1


def test_reports_between_games_do_no_harm() -> None:
    bench = Bench()
    reports: tuple[TableReport, ...] = (placed(1), Picture(2, ()), Complete(3), Health(4, "ok"))
    bench.post(LinkUp(), Reports(reports), LinkUp(), LinkDown(False), LinkDown(False), Reports(reports))
    assert bench.view(bench.new_game(sensors=True))["state"]["stones"] == 0


@pytest.mark.rule("Y22")
def test_an_undo_is_an_entry_that_gives_the_time_back_and_survives_a_restart() -> None:
    journal = MemoryJournal()
    bench = Bench(journal)
    game = bench.new_game()
    bench.press("press", game)
    bench.pass_time(4 * S)
    deadline = bench.view(game)["state"]["deadline_us"]
    bench.press("move", game, id="m-1")
    bench.pass_time(3 * S)
    assert bench.view(game)["undo"] == ["move", "press"]
    bench.press("undo", game, id="u-1")
    bench.pass_time(GRACE)
    view = bench.view(game)
    assert (view["state"]["presses"], view["undo"], view["undone"]) == (1, ["press"], 1)
    assert view["state"]["deadline_us"] == deadline + 3 * S
    assert [e.new.kind for e in journal.entries(game)] == ["created", "command", "command", "undo"]
    assert Bench(journal, HandClock(5 * S)).view(game)["state"] == view["state"]


def test_nothing_to_undo_is_refused() -> None:
    bench = Bench()
    game = bench.new_game()
    bench.press("undo", game, id="u-1")
    bench.pass_time(GRACE)
    assert bench.view(game)["answers"]["u-1"] == {"status": "refused", "code": "nothing_to_undo"}


def test_a_game_that_fails_stops_alone() -> None:
    bench = Bench()
    bad, good = bench.new_game(), bench.new_game()
    bench.press("move", bad, id="m-1")
    bench.pass_time(GRACE)
    bench.press("crash", bad, id="c-1")
    bench.press("note", good, id="n-1")
    bench.pass_time(GRACE)
    assert bench.view(good)["answers"]["n-1"]["status"] == "applied"
    view = bench.view(bad)
    assert (view["notice"], view["state"]["presses"]) == ("game_failed", 1)
    assert bench.press("move", bad) == Answer("refused", "game_failed")
    assert [e.new.kind for e in bench.journal.entries(bad)] == ["created", "command"]


@pytest.mark.parametrize(
    ("version", "code"), [("0", "older_rules"), ("1", "not_resumed"), ("2", "newer_rules"), ("10", "newer_rules")]
)
def test_a_game_whose_rulings_would_be_others_now_is_not_resumed(version: str, code: str) -> None:
    journal = MemoryJournal()
    body = {"id": "m-1", "name": "move", "t_us": 5, "version": 0, "by": "", "player": None, "args": {}}
    journal.append(
        [
            NewEntry("g1", "created", version, 0, {"kind": "counting", "settings": {}, "sensors": False}),
            NewEntry("g1", "command", version, 5, body, ({"t_us": 5, "kind": "something_else"},)),
        ]
    )
    bench = Bench(journal)
    assert bench.view("g1")["notice"] == code
    assert bench.press("note", "g1") == Answer("refused", code)
    assert len(list(journal.entries())) == 2
