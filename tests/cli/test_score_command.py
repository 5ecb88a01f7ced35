"""`companion score`: which recordings it takes, what it prints, and what it says when something is missing."""

import argparse
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.cli import score
from companion.cli.failure import USER_ERROR, UserError
from companion.games.game import Ruling
from companion.table import Complete, EventKind, TableEvent
from drivers.recording import read_recording

DATA = Path(__file__).parents[1] / "data" / "recordings"


class PerfectEyes:
    """Sensing that says the truth's events when their time has come."""

    def __init__(self, truth: dict[str, Any]) -> None:
        self.events = [e for e in truth["events"] if e["event"] in set(EventKind)]

    def feed(self, sample: Any) -> list[Any]:
        out: list[Any] = []
        while self.events and self.events[0]["t"] * 1e6 <= sample.t_us:
            e = self.events.pop(0)
            out.append(
                TableEvent(
                    EventKind(e["event"]),
                    round(e["t"] * 1e6),
                    tuple(e["ids"]),
                    e["count"],
                    sample.t_us,
                    x=e.get("x"),
                    y=e.get("y"),
                )
            )
        return [*out, Complete(sample.t_us)]

    def finish(self) -> list[Any]:
        return []


class PerfectReferee:
    """Rules the truth's turns when their time is complete."""

    def __init__(self, truth: dict[str, Any]) -> None:
        self.turns = list(truth["turns"])

    def take(self, report: Any) -> list[Ruling]:
        out = []
        while isinstance(report, Complete) and self.turns and self.turns[0]["t_end"] * 1e6 <= report.t_us:
            t = self.turns.pop(0)
            end = round(t["t_end"] * 1e6)
            out.append(Ruling(end, "turn_end", "Y14", t["player"], {"piles": t["piles"]}))
        return out


def arguments(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    score.add_parser(parser.add_subparsers())
    return parser.parse_args(["score", *words])


def test_perfect_eyes_score_perfectly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def prepared(folder: Path, calibration: list[Path]) -> Any:
        truth = json.loads((folder / "truth.json").read_text())
        return read_recording(folder), PerfectEyes(truth), PerfectReferee(truth)

    monkeypatch.setattr(score, "prepared", prepared)
    out = tmp_path / "score.json"
    folders = [str(DATA / name) for name in ("ideal-snap2", "nominal-snap2-a")]
    assert score.run(arguments(*folders, "--json", str(out), "--jobs", "1")) == 0
    text = capsys.readouterr().out
    assert "ideal: 1 recordings" in text
    assert "  collapse  recall 1/1 = 1.000 (over 0.050); precision 1/1 = 1.000 (over 0.050)" in text
    assert "turns: 1/1 = 1.000 (over 0.050) ruled right" in text
    scores = json.loads(out.read_text())["recordings"]
    assert set(scores) == {"ideal-snap2", "nominal-snap2-a"}
    for row in scores.values():
        assert row["scene"] == "snap2"
        assert all(s["precision"] in (1.0, None) for k, s in row["score"].items() if k in ("collapse", "placed"))


def test_progress_moves_inside_a_recording_and_ends_at_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = DATA / "ideal-snap2"
    eyes = (read_recording(folder), PerfectEyes({"events": []}), PerfectReferee({"turns": []}))
    monkeypatch.setattr(score, "prepared", lambda f, c: eyes)
    added: list[int] = []
    score.score_one((folder, []), added.append)
    assert sum(added) == (folder / "recording.npz").stat().st_size
    assert max(added) < sum(added) / 50


def test_two_at_a_time_score_the_same_and_progress_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = []
    for name in ("a", "b"):
        folders.append(Path(shutil.copytree(DATA / "ideal-snap2", tmp_path / name)))
        with np.load(folders[-1] / "recording.npz") as file:
            arrays = dict(file)
        some = {key: value[: 150 if key.startswith("load") else 200] for key, value in arrays.items()}
        np.savez_compressed(folders[-1] / "recording.npz", **some)
    reached: list[int] = []
    monkeypatch.setattr(score.Progress, "reach", lambda self, done: reached.append(done))
    out = tmp_path / "score.json"
    assert score.run(arguments(*map(str, folders), "--jobs", "2", "--json", str(out))) == 0
    scores = json.loads(out.read_text())["recordings"]
    assert scores["a"]["score"] == scores["b"]["score"]
    assert reached[-1] == sum((folder / "recording.npz").stat().st_size for folder in folders)


def test_a_table_that_is_not_sound_is_blamed_and_not_the_truth(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(DATA / "ideal-snap2", tmp_path / "rec"))
    table = json.loads((folder / "table.json").read_text())
    (folder / "table.json").write_text(json.dumps(table | {"scan_fraction": "x"}))
    with pytest.raises(UserError, match=r"rec/table.json cannot be used \(scan_fraction must be a number"):
        score.run(arguments(str(folder)))


def test_a_folder_of_recordings_is_looked_into_and_the_guided_are_left_out(tmp_path: Path) -> None:
    for name, files in {
        "b": ("recording.npz", "truth.json"),
        "a": ("recording.npz", "truth.json"),
        "learn": ("recording.npz", "truth.json", "guided.json"),
        "bare": ("recording.npz",),
    }.items():
        (tmp_path / name).mkdir()
        for file in files:
            (tmp_path / name / file).touch()
    assert score.with_truth([tmp_path]) == [tmp_path / "a", tmp_path / "b"]
    assert score.with_truth([tmp_path / "b"]) == [tmp_path / "b"]
    with pytest.raises(UserError, match=r"None of these recordings has a truth\.json"):
        score.with_truth([tmp_path / "bare"])
    with pytest.raises(UserError, match="There is no folder"):
        score.with_truth([tmp_path / "none"])


def test_without_scipy_it_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [n for n in sys.modules if n.startswith(("scipy", "companion.scoring."))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    monkeypatch.delattr("companion.scoring.pooled", raising=False)
    with pytest.raises(UserError, match=r"companion score needs scipy: .*score"):
        score.run(arguments(str(DATA / "ideal-snap2")))
    with pytest.raises(UserError, match="There is no folder /nowhere"):  # what is wrong with the line comes first
        score.run(arguments("/nowhere"))
    with pytest.raises(UserError, match=r"/nowhere/table\.json cannot be read"):
        score.run(arguments(str(DATA / "ideal-snap2"), "--calibration", "/nowhere"))
    for name in ("recording.npz", "table.json", "game.json", "truth.json"):
        (tmp_path / name).write_bytes((DATA / "ideal-snap2" / name).read_bytes())
    whole = (tmp_path / "recording.npz").read_bytes()
    (tmp_path / "recording.npz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(UserError, match=r"recording\.npz"):
        score.run(arguments(str(tmp_path)))


def test_a_damaged_recording_is_named_and_the_others_are_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = [Path(shutil.copytree(DATA / "ideal-snap2", tmp_path / name)) for name in ("a", "b", "c", "d")]
    whole = (folders[0] / "recording.npz").read_bytes()
    (folders[0] / "recording.npz").write_bytes(whole[: len(whole) // 2])
    (folders[1] / "table.json").write_text('{"table_id" "x"}')
    (folders[2] / "truth.json").write_text("{")
    ready = score.prepared

    def prepared(folder: Path, calibration: Any) -> Any:
        _, *eyes = ready(folder, calibration)[0], PerfectEyes({"events": []}), PerfectReferee({"turns": []})
        return read_recording(folder), *eyes

    monkeypatch.setattr(score, "prepared", prepared)
    out = tmp_path / "score.json"
    assert score.run(arguments(*map(str, folders), "--jobs", "1", "--json", str(out))) == USER_ERROR
    assert set(json.loads(out.read_text())["recordings"]) == {"d"}
    said = capsys.readouterr().err.splitlines()
    said = said[said.index("companion: the figures are without what could not be scored:") + 1 :]
    assert len(said) == 3
    for folder, file in zip((folders[1], folders[0], folders[2]), ("table", "recording", "truth"), strict=True):
        assert any(line.startswith(str(folder / file)) for line in said), (file, said)
    with pytest.raises(UserError, match=r"(?s)table\.json cannot be read \(line 1 .*recording\.npz"):
        score.run(arguments(*map(str, folders[:2])))


def test_a_truth_of_another_kind_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = DATA / "ideal-snap2"
    monkeypatch.setattr(
        score, "prepared", lambda f, c: (read_recording(f), PerfectEyes({"events": []}), PerfectReferee({"turns": []}))
    )
    copy = tmp_path / "rec"
    copy.mkdir()
    for name in ("recording.npz", "table.json", "game.json"):
        (copy / name).write_bytes((folder / name).read_bytes())
    (copy / "truth.json").write_text('{"events": [{"event": "placed"}]}')
    with pytest.raises(UserError, match=r"truth.json is not a truth that the scorer knows .*: copy it again"):
        score.run(arguments(str(copy)))


@pytest.mark.parametrize("jobs", ["0", "65"])
def test_a_number_of_jobs_that_is_none_is_refused(jobs: str) -> None:
    with pytest.raises(UserError, match="--jobs must be from 1 to 64"):
        score.run(arguments(str(DATA / "ideal-snap2"), "--jobs", jobs))
