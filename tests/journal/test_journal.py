"""The journal: append-only, in order, two twins; what it refuses."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.journal import (
    ForeignJournalError,
    Journal,
    MemoryJournal,
    NewEntry,
    NewerJournalError,
    UnwritableJournalError,
    open_journal,
    opening,
)
from companion.journal.store import FILE, SCHEMA_VERSION

Make = Callable[[], Journal]


@pytest.fixture(params=["sqlite", "memory"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    return (lambda: open_journal(tmp_path)) if request.param == "sqlite" else MemoryJournal


def entry(number: int, game: str = "g1", kind: str = "event") -> NewEntry:
    return NewEntry(game, kind, "1.0", number * 1000, {"n": number}, ({"kind": "placed"},), "2026-05-01T18:30:05Z")


def test_entries_come_back_in_order_with_their_rulings(make: Make) -> None:
    journal = make()
    added = journal.append([entry(0, kind="created"), entry(1), entry(2)])
    journal.append([entry(3, "g2", "created")])
    journal.append([])
    assert [e.seq for e in journal.entries()] == [1, 2, 3, 4]
    assert tuple(journal.entries("g1")) == added
    assert [e.new for e in journal.entries("g2")] == [entry(3, "g2", "created")]
    assert journal.games() == ("g1", "g2")


def test_the_twins_hold_the_same(tmp_path: Path) -> None:
    batch = [entry(n, f"g{n % 3}", "created" if n < 3 else "command") for n in range(20)]
    journals: tuple[Journal, Journal] = (open_journal(tmp_path), MemoryJournal())
    assert journals[0].append(batch) == journals[1].append(batch)
    assert list(journals[0].entries()) == list(journals[1].entries())


def test_the_time_reached_is_the_latest_of_any_game(make: Make) -> None:
    journal = make()
    assert journal.reached_us() is None
    journal.append([entry(7, "g1", "created"), entry(3, "g2", "created")])
    assert journal.reached_us() == 7000


def test_a_whole_journal_is_opened_without_holding_its_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = open_journal(tmp_path)
    journal.append([entry(n) for n in range(1, 50)])
    journal.close()
    held = []
    monkeypatch.setattr(opening, "salvage", lambda main, log: held.append(main))
    assert len(list(open_journal(tmp_path).entries())) == 49
    assert held == []


def test_a_kind_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="note"):
        NewEntry("g1", "note", "1")


def test_a_batch_with_a_value_that_is_not_json_leaves_nothing(make: Make) -> None:
    journal = make()
    with pytest.raises(ValueError, match="JSON"):
        journal.append([entry(1), NewEntry("g1", "event", "1", body={"x": object()})])
    assert list(journal.entries()) == []
    journal.append([entry(2)])
    assert [e.seq for e in journal.entries()] == [1]


@pytest.mark.parametrize("statement", ["DELETE FROM entry", "UPDATE entry SET body = '{}'"])
def test_the_table_refuses_to_change_or_delete(tmp_path: Path, statement: str) -> None:
    journal = open_journal(tmp_path)
    journal.append([entry(1)])
    journal.close()
    other = sqlite3.connect(tmp_path / FILE)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        other.execute(statement)
    other.close()


def test_commits_are_on_the_disk_before_append_returns(tmp_path: Path) -> None:
    journal = open_journal(tmp_path)
    (mode,) = journal._connection.execute("PRAGMA journal_mode").fetchone()
    (sync,) = journal._connection.execute("PRAGMA synchronous").fetchone()
    assert (mode, sync) == ("wal", 2)


def test_a_closed_journal_opens_again_and_goes_on(tmp_path: Path) -> None:
    journal = open_journal(tmp_path)
    journal.append([entry(1)])
    journal.close()
    again = open_journal(tmp_path)
    assert again.notice == ""
    again.append([entry(2)])
    assert [e.new.body["n"] for e in again.entries()] == [1, 2]


def test_a_newer_journal_is_refused_and_left_alone(tmp_path: Path) -> None:
    open_journal(tmp_path).close()
    other = sqlite3.connect(tmp_path / FILE)
    other.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    other.close()
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(NewerJournalError, match="newer version"):
        open_journal(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before


def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / FILE)
    other.execute("CREATE TABLE songs (name TEXT)")
    other.close()
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(ForeignJournalError, match="another program"):
        open_journal(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before


@pytest.mark.parametrize("content", [b"hello", b"x" * 5000, b"SQLite format 3\0", bytes(9000)])
def test_a_file_that_is_no_database_is_kept_and_a_new_journal_is_begun(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    journal = open_journal(tmp_path)
    assert list(journal.entries()) == []
    assert "a new one was begun" in journal.notice
    assert (tmp_path / "journal-damaged-1" / FILE).read_bytes() == content


@pytest.mark.parametrize("used", [True, False])
def test_a_journal_of_no_bytes_is_said_where_the_table_had_been_used(tmp_path: Path, used: bool) -> None:
    (tmp_path / FILE).write_bytes(b"")
    if used:
        (tmp_path / "settings.json").write_text("{}")
    assert ("the journal was empty" in open_journal(tmp_path).notice) == used


def test_an_empty_file_becomes_a_journal(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"")
    assert list(open_journal(tmp_path).entries()) == []


def test_a_folder_that_is_missing_or_may_not_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UnwritableJournalError, match="--data"):
        open_journal(tmp_path / "none")
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # a test run as root may write everywhere
    with pytest.raises(UnwritableJournalError, match="--data"):
        open_journal(tmp_path)


def test_a_full_disk_refuses_the_batch_and_later_goes_on(tmp_path: Path) -> None:
    journal = open_journal(tmp_path)
    journal.append([entry(1)])
    (pages,) = journal._connection.execute("PRAGMA page_count").fetchone()
    journal._connection.execute(f"PRAGMA max_page_count = {pages}")
    batch = [NewEntry("g1", "event", "1", body={"pad": "x" * 20000}) for _ in range(3)]
    with pytest.raises(UnwritableJournalError, match="full"):
        journal.append(batch)
    assert [e.new.body for e in journal.entries()] == [{"n": 1}]
    journal._connection.execute("PRAGMA max_page_count = 100000")
    journal.append(batch)
    assert [e.seq for e in journal.entries()] == [1, 2, 3, 4]


def test_a_row_that_was_changed_behind_its_back_is_cut_off_and_said(tmp_path: Path) -> None:
    journal = open_journal(tmp_path)
    journal.append([entry(n) for n in range(1, 11)])
    journal.close()
    other = sqlite3.connect(tmp_path / FILE)
    other.execute("DROP TRIGGER entry_stays")
    other.execute("UPDATE entry SET rulings = '[]' WHERE seq = 7")
    other.commit()
    other.close()
    again = open_journal(tmp_path)
    assert [e.seq for e in again.entries()] == [1, 2, 3, 4, 5, 6]
    assert "6 whole entries" in again.notice
    assert again.repaired is not None
    assert (again.repaired.code, again.repaired.args["n"]) == ("rebuilt", 6)
    assert (tmp_path / "journal-damaged-1" / FILE).exists()
    again.append([entry(7)])
    with pytest.raises(sqlite3.IntegrityError):
        again._connection.execute("DELETE FROM entry")
