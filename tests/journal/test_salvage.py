"""A bad card: what still checks is kept, game by game, and a full card opens what is there (failure G8)."""

import random
import re
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.journal import NewEntry, SqliteJournal, SqliteReader, UnwritableJournalError, open_journal
from companion.journal.store import FILE
from companion.process.referee.resume import resume

GAMES = 6
EACH = 40


def entry(game: int, number: int) -> NewEntry:
    kind = "event" if number else "created"
    return NewEntry(f"g{game}", kind, "1", number, {"n": number, "pad": "x" * (number * 53 % 400)})


@pytest.fixture
def whole(tmp_path: Path) -> bytes:
    """A journal of GAMES games of EACH entries, played one after the other."""
    journal = open_journal(tmp_path)
    for game in range(GAMES):
        journal.append([entry(game, n) for n in range(EACH)])
    journal.close()
    return (tmp_path / FILE).read_bytes()


def changed(folder: Path, how: str) -> bytes:
    """The journal with an entry changed behind its back."""
    other = sqlite3.connect(folder / FILE)
    other.executescript(f"DROP TRIGGER entry_stays; UPDATE entry SET {how}")
    other.close()
    return (folder / FILE).read_bytes()


def opened(folder: Path, main: bytes) -> tuple[SqliteJournal, list[int]]:
    """A journal of this file, and how many entries each game has: whole beginnings of what was written, only."""
    folder.mkdir()
    (folder / FILE).write_bytes(main)
    journal = open_journal(folder)
    counts = []
    for game in range(GAMES):
        entries = [each.new for each in journal.entries(f"g{game}")]
        assert entries == [entry(game, n) for n in range(len(entries))]
        counts.append(len(entries))
    assert [each.seq for each in journal.entries()] == list(range(1, sum(counts) + 1))
    cut = re.findall("(?:were cut there|are gone): (.*?);", journal.notice)
    short = {f"g{game}" for game in range(GAMES) if counts[game] < EACH}
    named = set(", ".join(cut).split(", "))
    if newest := re.search(r"games newer than g(\d+) may be gone too", journal.notice):
        named |= {f"g{game}" for game in range(int(newest[1]) + 1, GAMES)}
    assert short <= named or "cut back" in journal.notice or "no entry" in journal.notice
    if journal.notice:
        assert (folder / "journal-damaged-1" / FILE).read_bytes() == main
    return journal, counts


@pytest.mark.failure("G8")
def test_one_flipped_bit_takes_at_most_the_games_that_it_hit(tmp_path: Path, whole: bytes) -> None:
    chance = random.Random(11)
    for trial in range(20):
        at = chance.randrange(4096 * 3, len(whole))
        flipped = whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1 :]
        journal, counts = opened(tmp_path / str(trial), flipped)
        assert sum(count == EACH for count in counts) >= GAMES - 3, (at, counts)
        journal.append([entry(9, 0)])
        journal.close()
        assert open_journal(tmp_path / str(trial)).notice == ""


@pytest.mark.failure("G8")
def test_a_row_changed_in_the_middle_takes_the_rest_of_its_own_game_only(tmp_path: Path, whole: bytes) -> None:
    main = changed(tmp_path, f"body = '{{}}' WHERE seq = {2 * EACH + 8}")
    journal, counts = opened(tmp_path / "cut", main)
    assert counts == [EACH, EACH, 7, EACH, EACH, EACH]
    assert "cut there: g2;" in journal.notice
    assert journal.repaired is not None
    assert (journal.repaired.code, journal.repaired.args["games"]) == ("rebuilt", ["g2"])


@pytest.mark.failure("G8")
def test_a_check_sum_changed_alone_loses_nothing(tmp_path: Path, whole: bytes) -> None:
    assert opened(tmp_path / "sum", changed(tmp_path, "chain = chain / 2 WHERE seq = 50"))[1] == [EACH] * GAMES


@pytest.mark.failure("G8")
def test_a_file_with_its_end_cut_off_keeps_what_is_left(tmp_path: Path, whole: bytes) -> None:
    for trial, length in enumerate((len(whole) - 1, len(whole) - 9000, len(whole) * 3 // 4, len(whole) // 2 + 100)):
        _, counts = opened(tmp_path / str(trial), whole[:length])
        assert sum(counts) > GAMES * EACH * length / len(whole) * 0.7 - 15, (length, counts)


@pytest.mark.failure("G8")
@pytest.mark.parametrize("length", [0, 100, 4096 * 6, 4096 * 12])
def test_the_number_of_a_lost_game_is_never_given_again(tmp_path: Path, whole: bytes, length: int) -> None:
    """A phone may still be at its address."""
    folder = tmp_path / "cut"
    folder.mkdir()
    (folder / "settings.json").touch()
    (folder / FILE).write_bytes(whole[:length])
    for _ in range(2):  # after another start, too
        journal = open_journal(folder)
        assert resume(journal, {}).games == 10_000
        journal.close()
    journal = open_journal(folder)
    journal.append([NewEntry("g10001", "created", "1")])
    journal.append([NewEntry("g10002", "created", "1", body={"pad": "x" * 9000})])
    journal.close()
    (folder / FILE).write_bytes((folder / FILE).read_bytes()[:-4096])
    assert resume(open_journal(folder), {}).games == 20_000


def test_a_whole_journal_counts_its_games_on(tmp_path: Path, whole: bytes) -> None:
    assert resume(open_journal(tmp_path), {}).games == GAMES - 1


@pytest.mark.failure("G8")
def test_the_sentence_tells_games_that_are_gone_from_those_cut_short(tmp_path: Path, whole: bytes) -> None:
    gone = changed(tmp_path, f"body = '{{}}' WHERE seq = {2 * EACH + 1}")
    assert "; games that are gone: g2; games newer than g5 may" in opened(tmp_path / "cut", gone)[0].notice


@pytest.mark.failure("G8")
@pytest.mark.parametrize(
    ("at", "length"), [(0, 16), (16, 2), (18, 2), (28, 4), (60, 1), (60, 4), (68, 4), (100, 900), (0, 4096)]
)
def test_a_damaged_first_page_loses_nothing(tmp_path: Path, whole: bytes, at: int, length: int) -> None:
    garbled = bytes(byte ^ 0x41 for byte in whole[at : at + length])
    journal, counts = opened(tmp_path / "header", whole[:at] + garbled + whole[at + length :])
    assert counts == [EACH] * GAMES
    assert "damaged" in journal.notice


@contextmanager
def full_card() -> Iterator[None]:
    """No file can grow or be written, as on a card without room: the system itself refuses."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.failure("G8")
@pytest.mark.parametrize("damage", [False, True])
def test_a_full_card_opens_what_is_there_and_goes_on_when_there_is_room(
    tmp_path: Path, whole: bytes, damage: bool
) -> None:
    main = changed(tmp_path, f"body = '{{}}' WHERE seq = {5 * EACH + 8}") if damage else whole
    folder = tmp_path / "full"
    folder.mkdir()
    (folder / FILE).write_bytes(main)
    held = GAMES * EACH - (EACH - 7 if damage else 0)
    with full_card():
        journal = open_journal(folder)
        for _ in range(2):
            with pytest.raises(UnwritableJournalError, match="delete something there"):
                journal.append([])
        assert "delete something there" in journal.notice
        assert len(list(journal.entries())) == held
        assert journal.games() == tuple(f"g{n}" for n in range(GAMES))
        assert len(journal.read("g0")) == EACH
    assert (folder / FILE).read_bytes() == main
    assert not (folder / "journal-damaged-1").exists()
    (added,) = journal.append([entry(9, 0)])
    assert added.seq == held + 1
    assert SqliteReader(folder / FILE).games()[-1] == "g9"
    assert (folder / "journal-damaged-1").exists() == damage
    assert not (folder / "journal-damaged-2").exists()
