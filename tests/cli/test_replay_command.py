"""`companion replay`: the files' lines, all or nothing, and a sentence for everything that is wrong."""

import argparse
import json
import re
import shutil
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.cli import replay
from companion.cli.failure import UserError
from companion.cli.main import main
from companion.cli.whole import whole_file
from companion.games.game import Ruling
from companion.process.table.table import main as table_process
from companion.table import Complete, EventKind, Stone, TableEvent, TableReport
from drivers.recording import read_recording
from drivers.sample import Sample

DATA = Path(__file__).parents[1] / "data" / "recordings"
SNAP = DATA / "nominal-snap2-a"


class Seen:
    """Sensing that says fixed events at fixed samples."""

    def __init__(self, break_at: int | None = None) -> None:
        self.count = 0
        self.break_at = break_at

    def feed(self, sample: Sample) -> Sequence[TableReport]:
        self.count += 1
        if self.count == self.break_at:
            raise RuntimeError("broken in the middle")
        if self.count == 50:
            return [
                TableEvent(
                    EventKind.COLLAPSE,
                    400_000,
                    (3, 5),
                    2,
                    sample.t_us,
                    x=1.234,
                    y=-5.0,
                    new_stones=(5,),
                    p=0.91,
                )
            ]
        if self.count == 60:
            stone = Stone(3, 10.0, 20.0, upright=True, identity=7, p=0.5)
            return [TableEvent(EventKind.SETTLED, 500_000, t_report_us=sample.t_us, rest=(stone,)), Complete(500_000)]
        return []

    def finish(self) -> Sequence[TableReport]:
        return [Complete(10**8)]


class Rules:
    """A referee with a turn and a question to tell."""

    def take(self, report: TableReport) -> Sequence[Ruling]:
        if report == Complete(500_000):
            data = {"piles": [9, 10], "reason": "ten_seconds", "deadline_us": 450_000, "t": "not ours"}
            return [Ruling(450_000, "turn_end", "Y13", player=0, data=data)]
        if report == Complete(10**8):
            return [Ruling(460_000, "unsure", "Y22", asked=True)]
        return []


def lines(path: Path) -> list[object]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_lines_are_in_the_recordings_format(tmp_path: Path) -> None:
    events, rulings = tmp_path / "e.jsonl", tmp_path / "r.jsonl"
    recording = read_recording(SNAP)
    assert replay.written(recording, Seen(), Rules(), events, rulings) == (2, 2)
    kept = [k for k in range(len(recording.t_us)) if not recording.lost[k]]
    when = [(int(recording.t_us[kept[n]]) - int(recording.t_us[0])) / 1e6 for n in (49, 59)]
    assert lines(events) == [
        {
            "t": 0.4,
            "t_report": when[0],
            "event": "collapse",
            "count": 2,
            "x": 1.23,
            "y": -5.0,
            "tracks": [3, 5],
            "new": [5],
            "chain": False,
            "p": 0.91,
        },
        {
            "t": 0.5,
            "t_report": when[1],
            "event": "settled",
            "count": 1,
            "stones": [{"x": 10.0, "y": 20.0, "upright": True, "pole_up": 0, "id": 7, "p": 0.5, "track": 3}],
        },
    ]
    assert lines(rulings) == [
        {
            "t": 0.45,
            "ruling": "turn_end",
            "clause": "Y13",
            "player": 0,
            "piles": [9, 10],
            "reason": "ten_seconds",
            "deadline": 0.45,
        },
        {"t": 0.46, "ruling": "unsure", "clause": "Y22", "asked": True},
    ]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["e.jsonl", "r.jsonl"]


def test_a_replay_that_breaks_leaves_what_was_there(tmp_path: Path) -> None:
    events = tmp_path / "e.jsonl"
    events.write_text("old")
    with pytest.raises(RuntimeError, match="broken"):
        replay.written(read_recording(SNAP), Seen(break_at=55), Rules(), events, tmp_path / "r.jsonl")
    assert [p.name for p in tmp_path.iterdir()] == ["e.jsonl"]
    assert events.read_text() == "old"


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"Cannot write .*: choose another place"), whole_file(tmp_path / "no" / "e"):
        pass
    with pytest.raises(UserError, match="is a folder"), whole_file(tmp_path):
        pass


@pytest.mark.parametrize(("text", "value"), [("max", None), ("1", 1.0), ("0.5", 0.5), ("100", 100.0)])
def test_speed(text: str, value: float | None) -> None:
    assert replay.speed(text) == value


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "fast", "101"])
def test_a_speed_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="neither max nor a number"):
        replay.speed(text)


def arguments(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    replay.add_parser(parser.add_subparsers())
    return parser.parse_args(["replay", *words])


def test_wrong_folders_are_sentences(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="There is no folder"):
        replay.run(arguments(str(tmp_path / "none")))
    with pytest.raises(UserError, match=r"was recorded at table hw1, .* at table hw2: give calibration"):
        replay.run(arguments(str(SNAP), "--calibration", str(DATA / "ideal-snap2")))
    with pytest.raises(UserError, match="name the same file"):
        replay.run(arguments(str(SNAP), "--events", "x", "--rulings", "x"))


def test_the_demonstration_is_known_by_its_name_and_hides_no_recording_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []

    def prepared(folder: Path, calibration: Sequence[Path]) -> Any:
        asked.append(read_recording(folder).game["players"])
        raise UserError("enough")

    monkeypatch.setattr(replay, "prepared", prepared)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "demo").mkdir()  # of another program
    with pytest.raises(UserError, match="enough"):
        replay.run(arguments("demo"))
    assert len(asked[0]) == 3
    assert capsys.readouterr().err == ""
    shutil.copytree(SNAP, tmp_path / "demo", dirs_exist_ok=True)
    for name in ("demo", "./demo"):
        with pytest.raises(UserError, match="enough"):
            replay.run(arguments(name))
        assert len(asked.pop()) == 2
        assert str(tmp_path / "demo") in capsys.readouterr().err


def test_times_that_do_not_fit_the_rate_are_refused_or_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(replay, "replay", lambda *_: [])
    folder = Path(shutil.copytree(SNAP, tmp_path / "rec"))
    table = json.loads((folder / "table.json").read_text())
    (folder / "table.json").write_text(json.dumps(table | {"frame_rate": 200}))
    assert main(["replay", str(folder)]) == 0
    assert f"companion: {folder / 'recording.npz'} has a frame every 10 ms, and" in capsys.readouterr().err
    (folder / "table.json").write_text(json.dumps(table | {"frame_rate": 50}))
    assert main(["replay", str(folder)]) == 2
    assert "does not fit the frame_rate" in capsys.readouterr().err


def test_a_game_that_cannot_be_played_is_a_sentence(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(SNAP, tmp_path / "rec"))
    game = json.loads((folder / "game.json").read_text())
    (folder / "game.json").write_text(json.dumps(game | {"game": "chess"}))
    with pytest.raises(UserError, match=r"game.json cannot be played .*chess.*: correct it"):
        replay.run(arguments(str(folder)))


@pytest.mark.parametrize(
    ("fault", "field"),
    [
        (lambda table: table["tiles"][0]["sensors"][3].pop("gain"), r"tiles\[0\]\.sensors\[3\]\.gain is missing"),
        (lambda table: table.update(scan_fraction="x"), "scan_fraction must be a number, not 'x'"),
    ],
)
def test_a_table_that_is_not_sound_is_a_sentence_that_names_the_field(
    fault: Callable[[dict[str, Any]], object], field: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = Path(shutil.copytree(SNAP, tmp_path / "rec"))
    table = json.loads((folder / "table.json").read_text())
    fault(table)
    (folder / "table.json").write_text(json.dumps(table))
    sentence = rf"rec/table\.json cannot be used \({field}\): copy the recording again\.\n"
    assert main(["replay", str(folder), "--events", str(tmp_path / "e.jsonl")]) == 2
    assert re.fullmatch(rf"companion: .*{sentence}", capfd.readouterr().err)
    assert [path.name for path in tmp_path.iterdir()] == ["rec"]
    ours, theirs = socket.socketpair()
    with ours:
        assert table_process(["--channel", str(theirs.detach()), "--source", f"replay:{folder}"]) == 2
    assert re.fullmatch(rf".*{sentence}", capfd.readouterr().err)


def test_a_recording_in_which_nothing_is_seen_is_told_as_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As one does that begins with stones on the board."""
    monkeypatch.setattr(replay, "replay", lambda *_: [])
    assert main(["replay", str(SNAP), "--events", str(tmp_path / "e.jsonl")]) == 0
    told = capsys.readouterr().err
    assert "0 events, 0 rulings" in told
    assert "begin the capture before the first stone" in told
