"""What a command reads is never written over, and an output that cannot be written is refused before the work."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.journal import open_journal
from tests.process.test_documents import played

SNAP = Path(__file__).parents[1] / "data" / "recordings" / "nominal-snap2-a"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SNAP, tmp_path / "recording"))


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("name", ["recording.npz", "table.json", "game.json", "truth.json"])
@pytest.mark.parametrize(
    "line",
    [["replay", "{}", "--events", "{o}"], ["replay", "{}", "--rulings", "{o}"], ["score", "{}", "--json", "{o}"]],
)
def test_no_output_takes_the_place_of_what_is_read(
    folder: Path, line: list[str], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = bytes_of(folder)
    assert main([part.format(folder, o=folder / "." / name) for part in line]) == 2
    assert "is read here and would be lost" in capsys.readouterr().err
    assert bytes_of(folder) == before


def test_a_link_to_what_is_read_is_no_output(folder: Path, tmp_path: Path) -> None:
    for link in (tmp_path / "soft", tmp_path / "hard"):
        if link.name == "soft":
            link.symlink_to(folder / "recording.npz")
        else:
            link.hardlink_to(folder / "recording.npz")
        assert main(["replay", str(folder), "--events", str(link)]) == 2
    (folder / "tracks.png").symlink_to(folder / "recording.npz")
    assert main(["plot", str(folder), "--out", str(folder)]) == 2
    assert (folder / "recording.npz").read_bytes() == (SNAP / "recording.npz").read_bytes()


def test_a_calibration_is_no_output_either(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = shutil.copytree(SNAP, tmp_path / "other")
    given = ["--calibration", str(other), "--events", str(other / "recording.npz")]
    assert main(["replay", str(folder), *given]) == 2
    assert "would be lost" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["journal.db", "journal.db-wal", "settings.json"])
def test_an_export_leaves_the_journal_alone(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    played(open_journal(tmp_path))
    before = bytes_of(tmp_path)
    assert main(["export", "g1", "--data", str(tmp_path), "--out", str(tmp_path / name)]) == 2
    assert "would be lost" in capsys.readouterr().err
    assert bytes_of(tmp_path) == before


def test_an_export_into_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    played(open_journal(tmp_path))
    line = [sys.executable, "-m", "companion.cli.main", "export", "g1", "--data", str(tmp_path)]
    with open(os.devnull.replace("null", "full"), "wb") as full:
        done = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("companion: Standard output takes no more (No space left on device)")
    assert done.stderr.count("\n") == 1


def test_a_score_that_cannot_be_written_is_refused_before_the_replay(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.cli.score.score_one", lambda *_: pytest.fail("replayed"))
    for place in (tmp_path / "no" / "x", tmp_path):
        assert main(["score", str(folder), "--jobs", "1", "--json", str(place)]) == 2
        assert str(place) in capsys.readouterr().err


def test_folders_swallowed_by_calibration_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--calibration", str(folder), str(folder)]) == 2
    assert "put -- before the folders" in capsys.readouterr().err
    assert main(["score"]) == 2
    assert "no FOLDER to score" in capsys.readouterr().err


@pytest.mark.parametrize("part", [0.0, 0.5, 0.99])
def test_cut_poses_are_one_sentence(folder: Path, part: float, capsys: pytest.CaptureFixture[str]) -> None:
    poses = (folder / "poses.npz").read_bytes()
    (folder / "poses.npz").write_bytes(poses[: int(len(poses) * part)])
    assert main(["score", str(folder), "--jobs", "1"]) == 2
    assert "poses.npz is damaged or cut off" in capsys.readouterr().err


@pytest.mark.parametrize("at", ["nan", "inf", "-inf", "-1"])
def test_a_moment_that_is_none_is_refused(at: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plot", str(SNAP), f"--at={at}"]) == 2
    assert "--at must be from 0 to" in capsys.readouterr().err
