"""Recordings are read as they are, and each way of being wrong has its own sentence with what to do."""

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from drivers.recording import RecordingError, read_recording

DATA = Path(__file__).parents[1] / "data" / "recordings"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(DATA / "ideal-snap2", tmp_path / "rec"))


def rewrite(folder: Path, **changes: Any) -> None:
    with np.load(folder / "recording.npz") as file:
        arrays = dict(file)
    for name, change in changes.items():
        if change is None:
            del arrays[name]
        else:
            arrays[name] = change(arrays[name])
    np.savez_compressed(folder / "recording.npz", **arrays)


def retell(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_a_recording_is_read() -> None:
    recording = read_recording(DATA / "nominal-snap2-a")
    assert (recording.sensors, recording.table_id, recording.period_us) == (220, "hw2", 10_000)
    assert (recording.hall.shape, int(recording.lost.sum())) == ((1187, 220), 9)
    assert recording.duration_us == 11_860_488
    assert recording.game["piles"] == [10, 10]


def test_fewer_frames_than_the_table_gives_are_told_and_no_reason_to_refuse(folder: Path) -> None:
    assert read_recording(folder).doubt == ""
    rewrite(folder, **dict.fromkeys(("t_us", "hall", "lost"), lambda a: a[::4]))
    told = read_recording(folder).doubt
    assert "a frame every 40 ms, and by table.json one comes every 10 ms" in told
    assert told.startswith(str(folder))
    rewrite(folder, **dict.fromkeys(("t_us", "hall", "lost"), lambda a: a[:1]))
    assert read_recording(folder).doubt == ""


def cut(folder: Path, keep: float) -> None:
    path = folder / "recording.npz"
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * keep)])


def garble(folder: Path) -> None:
    path = folder / "recording.npz"
    data = bytearray(path.read_bytes())
    data[len(data) // 3 : len(data) // 3 + 200] = bytes(200)
    path.write_bytes(data)


def foreign_zip(folder: Path) -> None:
    with zipfile.ZipFile(folder / "recording.npz", "w") as file:
        file.writestr("holiday.txt", "sun")


WRONG: dict[str, tuple[Callable[[Path], object], str]] = {
    "no folder": (shutil.rmtree, "There is no folder .*: give the folder of a recording"),
    "no recording.npz": (lambda f: (f / "recording.npz").unlink(), "recording.npz is missing: a recording needs"),
    "no table.json": (lambda f: (f / "table.json").unlink(), "table.json is missing"),
    "no game.json": (lambda f: (f / "game.json").unlink(), "game.json is missing"),
    "cut": (lambda f: cut(f, 0.6), "damaged or cut off: copy it again"),
    "empty file": (lambda f: cut(f, 0), "damaged or cut off: copy it again"),
    "garbled": (garble, "damaged or cut off: copy it again"),
    "not a recording": (foreign_zip, "has no hall: it is not a recording"),
    "an image": (lambda f: (f / "recording.npz").write_bytes(b"\x89PNG" * 99), "is no recording"),
    "table cut": (lambda f: (f / "table.json").write_text('{"tiles": ['), "not JSON, or is cut off"),
    "table a list": (lambda f: (f / "table.json").write_text("[]"), "not a JSON object"),
    "table deep": (lambda f: (f / "table.json").write_text("[" * 99999), "not JSON"),
    "table foreign": (lambda f: (f / "table.json").write_text('{"legs": 4}'), "does not describe a table"),
    "12 bits": (lambda f: retell(f / "table.json", adc_bits=12), "cannot read"),
    "another version": (lambda f: retell(f / "table.json", format=2), "format 2, this program reads 1: update"),
    "no players": (lambda f: retell(f / "game.json", players=[]), "does not say players"),
    "piles of others": (lambda f: retell(f / "game.json", piles=[1, 2, 3]), "does not say players"),
    "no lost": (lambda f: rewrite(f, lost=None), "has no lost"),
    "floats": (lambda f: rewrite(f, hall=lambda a: a.astype(float)), "hall is not as in format 1"),
    "sensors": (lambda f: rewrite(f, hall=lambda a: a[:, :110]), "has 110 sensors but table.json .* has 220"),
    "counts": (lambda f: rewrite(f, hall=lambda a: a * 4), "more than the 10 bits"),
    "no frames": (lambda f: rewrite(f, **dict.fromkeys(("t_us", "hall", "lost"), lambda a: a[:0])), "no frame"),
    "all lost": (lambda f: rewrite(f, lost=np.ones_like), "holds no frame"),
    "lengths": (lambda f: rewrite(f, t_us=lambda a: a[:-1]), "differ in length"),
    "time back": (lambda f: rewrite(f, t_us=lambda a: a[::-1]), "times of t_us do not rise"),
    "times in ms": (lambda f: rewrite(f, t_us=lambda a: a // 1000), "a frame every 0.01 ms, .* 100 a second: put the"),
    "times in ns": (
        lambda f: rewrite(f, t_us=lambda a: a * 1000),
        "every 10000 ms, .* times are wrong: copy it",
    ),
    "a slow link": (
        lambda f: rewrite(f, **dict.fromkeys(("t_us", "hall", "lost"), lambda a: a[::25])),
        "a frame every 250 ms, too seldom for a referee.* nearer to the computer, or put it at the cable",
    ),
    "another rate": (
        lambda f: retell(f / "table.json", frame_rate=50),
        "every 10 ms, .*, 50 a second: put the",
    ),
    "load time huge": (lambda f: rewrite(f, load_t_us=lambda a: a | np.uint64(1 << 63)), "load_t_us do not rise"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_recording_gives_its_sentence(case: str, folder: Path) -> None:
    harm, words = WRONG[case]
    harm(folder)
    with pytest.raises(RecordingError, match=words) as caught:
        read_recording(folder)
    text = str(caught.value)
    assert str(folder) in text
    assert "\n" not in text
    assert text.endswith(".")


def test_cutting_the_file_anywhere_is_an_error_of_ours(folder: Path) -> None:
    whole = (folder / "recording.npz").read_bytes()
    for size in range(0, len(whole), 997):
        (folder / "recording.npz").write_bytes(whole[:size])
        with pytest.raises(RecordingError):
            read_recording(folder)
