"""The memory of the board on disk: whole or the one before, whatever happens; and never a reason not to start."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from companion.process.table.snapshot import FILE, LAST_FILE, Snapshots, first_track
from companion.sensing.baseline.memory import Memory
from companion.sensing.baseline.zero import Zero
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.magnets import magnet
from tests.test_settings import PARSERS


def memory(t_us: int, table_id: str = "hw1") -> Memory:
    values = np.linspace(500.0, 530.0, 220) + t_us
    body = Body((7, 8), magnet((1.0, 2.0, 3.4), (0, 0, 1)).joined(magnet((1.0, 2.0, 10.0), (0, 0, 1))))
    return Memory(table_id, t_us, Zero(values, values / 1e3, values / 1e4), (body,), 12.5, 0.5)


def test_it_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    kept = Snapshots(tmp_path, "hw1")
    assert kept.load() is None
    assert kept.save(memory(5))
    found = Snapshots(tmp_path, "hw1").load()
    assert found is not None
    assert found.to_json() == memory(5).to_json()
    assert Snapshots(tmp_path, "hw2").load() is None
    assert (tmp_path / FILE).stat().st_size < 20_000


@pytest.mark.failure("G8")
def test_a_file_cut_or_changed_at_any_place_leaves_the_one_before(tmp_path: Path) -> None:
    kept = Snapshots(tmp_path, "hw1")
    kept.save(memory(1))
    kept.save(memory(2))
    whole = (tmp_path / FILE).read_bytes()
    for end in range(0, len(whole) - 1, 97):
        (tmp_path / FILE).write_bytes(whole[:end])
        found = kept.load()
        assert found is not None
        assert found.t_us == 1
    for at in range(0, len(whole), 61):
        (tmp_path / FILE).write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        found = kept.load()
        assert found is not None
        assert found.t_us in (1, 2)
        assert found.to_json() == memory(found.t_us).to_json()
    (tmp_path / LAST_FILE).write_bytes(b"")
    (tmp_path / FILE).write_bytes(b"[[[")
    assert kept.load() is None


@pytest.mark.failure("G8")
def test_a_damaged_file_is_told_with_what_the_start_goes_on_with(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    kept = Snapshots(tmp_path, "hw1")
    kept.save(memory(1))
    kept.save(memory(2))
    whole = (tmp_path / FILE).read_bytes()
    damaged = {
        b"": "nothing in it",
        whole[:-9]: "cut off",
        whole.replace(b"[", b"(", 1): "no JSON",
        b"[]": "form of this version",
    }
    for text, says in damaged.items():
        caplog.clear()
        (tmp_path / FILE).write_bytes(text)
        assert kept.load() is not None
        (told,) = [record.getMessage() for record in caplog.records]
        assert told.startswith(f"{tmp_path / FILE} is not used: ")
        assert says in told
        assert told.endswith(f"is taken from {LAST_FILE}; games stay as they are.")
        assert not PARSERS.search(told)
    (tmp_path / LAST_FILE).write_bytes(b"{")
    caplog.clear()
    assert kept.load() is None
    assert "What lies on the board is looked for anew" in caplog.records[-1].getMessage()
    assert "Nothing is to be done" in caplog.records[-1].getMessage()


def test_where_it_cannot_be_written_it_is_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "no folder").write_text("")
    kept = Snapshots(tmp_path / "no folder", "hw1")
    assert not kept.save(memory(1))
    assert not kept.save(memory(2))
    assert len(caplog.records) == 1


@pytest.mark.slow
@pytest.mark.failure("G7")
def test_killed_at_any_moment_it_leaves_a_whole_one(tmp_path: Path) -> None:
    """A process writes one after the other and is killed; what is found is whole and no older than what it had said."""
    program = (
        "import sys; from pathlib import Path; from companion.process.table.snapshot import Snapshots\n"
        "from tests.process.test_snapshot import memory\n"
        "kept = Snapshots(Path(sys.argv[1]), 'hw1')\n"
        "for n in range(1, 10**6):\n"
        "    kept.save(memory(n)); print(n, flush=True)\n"
    )
    root = Path(__file__).parents[2]
    for lines in (1, 2, 3, 5, 8):
        child = subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, cwd=root, env={**os.environ}
        )
        assert child.stdout is not None
        said = 0
        for _ in range(lines):
            said = int(child.stdout.readline())
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        found = Snapshots(tmp_path, "hw1").load()
        assert found is not None
        assert found.t_us >= said
        assert found.to_json() == memory(found.t_us).to_json()
        for file in (FILE, LAST_FILE):
            if (tmp_path / file).exists():
                json.loads((tmp_path / file).read_bytes())


def test_numbers_of_tracks_of_two_sessions_lie_apart() -> None:
    begun = {first_track() for _ in range(50)}
    assert all(number % 1000 == 0 and number >= 1000 for number in begun)
    assert len(begun) > 40
