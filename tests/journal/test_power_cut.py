"""Power cuts and kills: what was committed is there, in order, and nothing else (failures G7, G8)."""

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.journal import NewEntry, open_journal
from companion.journal.store import FILE
from companion.journal.wal import HEADER, whole_part

ROOT = Path(__file__).parent.parent.parent
WAL = FILE + "-wal"


def entry(number: int) -> NewEntry:
    return NewEntry("g1", "event", "1", number, {"n": number, "pad": "ä" * (number * 37 % 900)})


class Table:
    """A journal with commits of 1 to 4 entries, copied with its log as a power cut would leave it."""

    def __init__(self, folder: Path, commits: int) -> None:
        live = folder / "live"
        live.mkdir()
        journal = open_journal(live)
        self.marks: list[tuple[int, int]] = [(HEADER, 0)]  # length of the log's whole part, entries in it
        number = 0
        for commit in range(commits):
            batch = [entry(number + k + 1) for k in range(1 + commit % 4)]
            journal.append(batch)
            number += len(batch)
            self.marks.append((whole_part((live / WAL).read_bytes()).whole, number))
        self.main = (live / FILE).read_bytes()
        self.log = (live / WAL).read_bytes()
        self.entries = number
        journal.close()
        self.folder = folder

    def committed_in(self, length: int) -> int:
        """Entries of the commits that lie wholly in the first `length` bytes of the log."""
        return max((entries for whole, entries in self.marks if whole <= length), default=0)

    def reopen(self, log: bytes, main: bytes | None = None) -> tuple[list[int], str]:
        """Numbers of the entries of a journal with this log, and its notice."""
        folder = self.folder / "cut"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / FILE).write_bytes(self.main if main is None else main)
        (folder / WAL).write_bytes(log)
        journal = open_journal(folder)
        bodies = [e.new.body for e in journal.entries()]
        assert [e.seq for e in journal.entries()] == list(range(1, len(bodies) + 1))
        assert all(body == entry(body["n"]).body for body in bodies)
        journal.append([entry(10_000)])  # and it goes on
        journal.close()
        again = open_journal(folder)
        assert again.notice == ""
        assert len(list(again.entries())) == len(bodies) + 1
        again.close()
        return [body["n"] for body in bodies], journal.notice


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return Table(tmp_path_factory.mktemp("cut"), 10)


def places(table: Table, count: int, seed: int) -> list[int]:
    """Places in the log: around every end of a commit, in its first bytes, and some at random."""
    edges = {whole + step for whole, _ in table.marks for step in (-1, 0, 1, 24)} | {0, 1, 12, 31, 33}
    picked = random.Random(seed).sample(range(len(table.log)), count)
    return sorted(place for place in {*edges, *picked} if 0 <= place < len(table.log))


@pytest.mark.failure("G7", "G8")
def test_a_log_cut_at_any_place_keeps_every_commit_before_it(table: Table) -> None:
    for place in places(table, 20, 1):
        numbers, notice = table.reopen(table.log[:place])
        assert numbers == list(range(1, table.committed_in(place) + 1)), place
        # Something was lost unless the cut lies on the end of a commit; if so, it is said.
        assert bool(notice) == (place not in {0} | {whole for whole, _ in table.marks}), place


@pytest.mark.failure("G7", "G8")
def test_a_log_garbled_at_any_place_keeps_every_commit_before_it(table: Table) -> None:
    chance = random.Random(2)
    for place in places(table, 20, 3):
        garbled = bytearray(table.log)
        length = chance.choice((1, 16, 700, 5000))
        for k in range(place, min(place + length, len(garbled))):
            garbled[k] ^= chance.randrange(1, 256)
        numbers, notice = table.reopen(bytes(garbled))
        assert numbers == list(range(1, table.committed_in(place) + 1)), place
        assert "copy" in notice, place


@pytest.mark.slow
@pytest.mark.failure("G7", "G8")
def test_a_log_cut_or_garbled_at_very_many_places(table: Table) -> None:
    chance = random.Random(6)
    for place in range(0, len(table.log), 701):
        expected = list(range(1, table.committed_in(place) + 1))
        assert table.reopen(table.log[:place])[0] == expected, place
        garbled = bytearray(table.log)
        garbled[place] ^= chance.randrange(1, 256)
        assert table.reopen(bytes(garbled))[0] == expected, place


@pytest.mark.failure("G8")
def test_a_log_zeroed_from_a_place_on_keeps_every_commit_before_it(table: Table) -> None:
    for place in places(table, 5, 4):
        changed = next(k for k in range(place, len(table.log)) if table.log[k])
        numbers, _ = table.reopen(table.log[:place] + bytes(len(table.log) - place))
        assert numbers == list(range(1, table.committed_in(changed) + 1)), place


@pytest.mark.failure("G8")
def test_a_log_garbled_after_it_was_moved_into_the_file_loses_nothing(tmp_path: Path) -> None:
    """The file is then newer than the log's whole part, which would turn pages back to what they were."""
    table = Table(tmp_path, 1)
    live = tmp_path / "moved"
    live.mkdir()
    journal = open_journal(live)
    journal.append([entry(n) for n in range(1, 60)])
    journal.append([entry(n) for n in range(60, 120)])
    (moved,) = journal._connection.execute("PRAGMA wal_checkpoint(FULL)").fetchall()
    assert moved[1] == moved[2] > 0
    main, log = (live / FILE).read_bytes(), bytearray((live / WAL).read_bytes())
    journal.close()
    for place in range(HEADER + 30, len(log), len(log) // 7):
        garbled = bytes(log[:place]) + bytes([log[place] ^ 255]) + bytes(log[place + 1 :])
        numbers, _ = table.reopen(garbled, main)
        assert numbers == list(range(1, 120)), place


@pytest.mark.failure("G8")
def test_a_file_damaged_beyond_its_first_page_gives_the_entries_before(table: Table, tmp_path: Path) -> None:
    live = tmp_path / "main"
    live.mkdir()
    journal = open_journal(live)
    journal.append([entry(n) for n in range(1, 130)])
    journal.close()
    main = (live / FILE).read_bytes()
    seen = set()
    for place in range(4096 * 2, len(main), 4096 * 5 + 700):
        garbled = main[:place] + bytes(600) + main[place + 600 :]
        numbers, notice = table.reopen(b"", garbled)
        assert numbers == list(range(1, len(numbers) + 1))
        assert "copy" in notice or len(numbers) == 129
        seen.add(len(numbers))
    assert len(seen) > 3


@pytest.mark.failure("G8")
def test_a_damaged_file_beside_a_whole_log_is_copied_with_it_before_it_is_mended(tmp_path: Path) -> None:
    live = tmp_path / "live"
    live.mkdir()
    journal = open_journal(live)
    journal.append([entry(n) for n in range(1, 130)])
    journal.close()
    journal = open_journal(live)
    journal.append([entry(130)])
    main, log = (live / FILE).read_bytes(), (live / WAL).read_bytes()
    journal.close()
    for place in range(4096 * 2, len(main), 4096 * 4 + 700):
        folder = tmp_path / f"at-{place}"
        folder.mkdir()
        garbled = main[:place] + bytes([main[place + k] ^ 255 for k in range(400)]) + main[place + 400 :]
        (folder / FILE).write_bytes(garbled)
        (folder / WAL).write_bytes(log)
        journal = open_journal(folder)
        numbers = [e.new.body["n"] for e in journal.entries()]
        journal.close()
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) == 130 or "copy" in journal.notice
        if journal.notice:
            kept = folder / "journal-damaged-1"
            assert ((kept / FILE).read_bytes(), (kept / WAL).read_bytes()) == (garbled, log)


@pytest.mark.failure("G8")
def test_a_log_whose_file_is_empty_or_gone_is_kept_and_said(table: Table, tmp_path: Path) -> None:
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        if number:
            (folder / FILE).write_bytes(b"")
        (folder / WAL).write_bytes(table.log)
        journal = open_journal(folder)
        assert list(journal.entries()) == []
        journal.close()
        assert "journal-damaged-1" in journal.notice
        assert journal.repaired is not None
        assert journal.repaired.code == "nothing_left"
        assert (folder / "journal-damaged-1" / WAL).read_bytes() == table.log


@pytest.mark.failure("G8")
def test_a_file_of_which_nothing_can_be_read_is_kept_and_a_new_one_is_begun(tmp_path: Path) -> None:
    journal = open_journal(tmp_path)
    journal.append([entry(n) for n in range(1, 20)])
    journal.close()
    main = (tmp_path / FILE).read_bytes()
    damaged = main[:100] + bytes(len(main) - 100)
    (tmp_path / FILE).write_bytes(damaged)
    journal = open_journal(tmp_path)
    assert list(journal.entries()) == []
    assert "no entry could be read" in journal.notice
    assert journal.repaired is not None
    assert (journal.repaired.code, journal.repaired.args) == ("nothing_left", {"copy": "journal-damaged-1"})
    assert (tmp_path / "journal-damaged-1" / FILE).read_bytes() == damaged
    journal.append([entry(1)])
    journal.close()
    assert open_journal(tmp_path).notice == ""


@pytest.mark.failure("G8")
def test_a_power_cut_during_a_repair_only_makes_it_happen_again(table: Table, tmp_path: Path) -> None:
    folder = tmp_path / "repair"
    folder.mkdir()
    ready = open_journal(folder)
    ready.append([entry(1), entry(2)])
    ready.close()
    (folder / FILE).rename(folder / (FILE + ".repaired"))
    (folder / FILE).write_bytes(table.main)
    (folder / WAL).write_bytes(table.log)
    assert [e.new.body["n"] for e in open_journal(folder).entries()] == [1, 2]


_WRITER = """
import sys
from pathlib import Path
from companion.journal import JournalError, NewEntry, open_journal
journal = open_journal(Path(sys.argv[1]))
number = len(list(journal.entries()))
while True:
    batch = [NewEntry("g1", "event", "1", number + k + 1, {"n": number + k + 1, "pad": "x" * 700}) for k in range(3)]
    journal.append(batch)
    number += 3
    print(number, flush=True)
"""


@pytest.mark.failure("G7")
def test_a_process_killed_while_it_appends_has_lost_nothing_it_acknowledged(tmp_path: Path) -> None:
    chance = random.Random(5)
    before = 0
    for _ in range(8):
        writer = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        assert writer.stdout is not None
        acknowledged = before
        for _ in range(chance.randrange(1, 120)):
            acknowledged = int(writer.stdout.readline())
        writer.kill()
        acknowledged = int((writer.stdout.read().split() or [acknowledged])[-1])
        writer.wait()
        writer.stdout.close()
        journal = open_journal(tmp_path)
        numbers = [e.new.body["n"] for e in journal.entries()]
        journal.close()
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) in (acknowledged, acknowledged + 3)  # the last commit may be done but not yet told
        before = len(numbers)
