"""What a table sends becomes a recording: cut anywhere, killed, on a full disk, and there and back again."""

import json
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cli.capture import keep_live
from companion.cli.failure import UserError
from companion.cli.main import main
from drivers.capture import SPOOL, Spool, finish
from drivers.links import LastingLink, LinkClosed, LinkLost, ReplayLink
from drivers.recording import Recording, RecordingError, read_recording
from drivers.sample import LoadSample, Sample
from drivers.wire import Session
from drivers.wire.framing import seal
from drivers.wire.messages import PART_BLOCK, PART_UNIT, Part
from tests.drivers.board import TurningClock, hello
from tests.drivers.test_lasting_link import Connection, opener

DATA = Path(__file__).parents[1] / "data" / "recordings"
GAME = {"game": "yikerz", "players": ["A", "B"], "first": 0, "piles": [10, 10], "bag": 0, "stones": 20, "settings": {}}


@pytest.fixture(scope="module")
def recording() -> Recording:
    return read_recording(DATA / "nominal-snap2-a")


def samples(recording: Recording) -> list[Sample]:
    link, session, out = ReplayLink(recording), Session(recording.sensors), []
    while True:
        try:
            data, now_us = link.read(0.0)
        except LinkClosed:
            return out
        out += [item for item in session.feed(data, now_us) if isinstance(item, Sample)]


def same(one: Recording, other: Recording) -> None:
    kept = ~one.lost
    assert (one.t_us[kept] - one.t_us[0] == other.t_us[~other.lost]).all()
    assert (one.hall[kept] == other.hall[~other.lost]).all()
    assert one.lost.sum() == other.lost.sum()
    assert (one.load == other.load).all()
    assert (one.load_t_us - one.t_us[0] == other.load_t_us).all()


def test_a_captured_recording_is_the_recording(recording: Recording, tmp_path: Path) -> None:
    with Spool(tmp_path / "kept", recording.table, recording.game) as spool:
        for sample in samples(recording):
            spool.add(sample)
    assert finish(tmp_path / "kept") == tmp_path / "kept" / "recording.npz"
    same(recording, read_recording(tmp_path / "kept"))
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["game.json", "recording.npz", "table.json"]
    assert spool.lost == 9


@settings(max_examples=30)
@given(st.data())
def test_a_spool_cut_at_any_byte_keeps_its_whole_samples(
    recording: Recording, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("cut") / "kept"
    some = samples(recording)[:6]
    ends = [8]
    with Spool(folder, recording.table, recording.game) as spool:
        for sample in some:
            spool.add(sample)
            ends.append((folder / SPOOL).stat().st_size)
    whole = (folder / SPOOL).read_bytes()
    cut = data.draw(st.integers(0, len(whole)))
    (folder / SPOOL).write_bytes(whole[:cut])
    left = sum(end <= cut for end in ends[1:])
    if not left:
        with pytest.raises(RecordingError, match="no whole sample"):
            finish(folder)
        return
    finish(folder)
    assert len(read_recording(folder).t_us) == left


def test_a_full_disk_ends_the_capture_and_loses_nothing(
    recording: Recording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = tmp_path / "bytes"
    assert main(["capture", str(DATA / "nominal-snap2-a"), "--to-bytes", str(stream)]) == 0
    added = Spool.add

    def until_full(self: Spool, sample: Sample) -> None:
        if self.samples == 100:
            raise OSError(28, "No space left on device")
        added(self, sample)

    monkeypatch.setattr(Spool, "add", until_full)
    table = DATA / "nominal-snap2-a" / "table.json"
    assert main(["capture", str(tmp_path / "kept"), "--from-bytes", str(stream), "--table", str(table)]) == 0
    assert "No space left" in capsys.readouterr().out
    assert int((~read_recording(tmp_path / "kept").lost).sum()) == 100


def test_where_the_recording_has_no_room_the_spool_stays(
    recording: Recording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "kept"
    with Spool(folder, recording.table, recording.game) as spool:
        for sample in samples(recording)[:20]:
            spool.add(sample)

    def full(*arguments: object, **named: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(np, "savez_compressed", full)
        with pytest.raises(RecordingError, match="--finish"):
            finish(folder)
    assert (folder / SPOOL).exists()
    assert main(["capture", str(folder), "--finish"]) == 0
    assert len(read_recording(folder).t_us) == 20


def test_what_came_too_seldom_to_be_refereed_is_kept_and_told(
    recording: Recording, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, every, told in (("seldom", 25, "seldom is kept, but its frames came too seldom"), ("radio", 4, "")):
        folder = tmp_path / name
        with Spool(folder, recording.table, recording.game) as spool:
            for sample in samples(recording)[::every]:
                spool.add(replace(sample, lost=0))
        assert main(["capture", str(folder), "--finish"]) == 0
        assert told in (err := capsys.readouterr().err)
        assert bool(err) is bool(told)
    assert read_recording(folder).doubt
    with pytest.raises(RecordingError, match="too seldom"):
        read_recording(tmp_path / "seldom")


def test_bytes_of_a_board_become_the_recording_again(recording: Recording, tmp_path: Path) -> None:
    stream, table = tmp_path / "bytes", DATA / "nominal-snap2-a" / "table.json"
    assert main(["capture", str(DATA / "nominal-snap2-a"), "--to-bytes", str(stream)]) == 0
    assert main(["capture", str(tmp_path / "kept"), "--from-bytes", str(stream), "--table", str(table)]) == 0
    same(recording, read_recording(tmp_path / "kept"))


def test_means_that_round_beyond_the_rail_are_the_rails_counts(recording: Recording, tmp_path: Path) -> None:
    """By parts in quarters of a count a sensor may come out at 4,095, one count more than ten bits hold."""
    quarters, session = (4095, 4094, 4093, 4092, 4090, 4089, 2, 1, *[2048] * (recording.sensors - 8)), Session()
    board = b"".join(
        seal(Part(1, k, k * 40_000, 4, 0, recording.sensors // PART_BLOCK, 0, (), quarters).encode()) for k in range(3)
    )
    means = [item for item in session.feed(board, 0) if isinstance(item, Sample)]
    assert [mean.unit for mean in means] == [PART_UNIT] * 3
    folder = tmp_path / "kept"
    with Spool(folder, recording.table, recording.game) as spool:
        for mean in means:
            spool.add(mean)
    finish(folder)
    kept = read_recording(folder)
    assert kept.hall[:, :8].tolist() == [[1023, 1023, 1023, 1023, 1023, 1022, 1, 0]] * 3
    assert [sample.hall for sample in samples(kept)] == [hall.astype("<u2").tobytes() for hall in kept.hall]


def test_the_virtual_table_is_captured_for_a_second(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["capture", str(tmp_path / "kept"), "--source", "virtual", "--seconds", "1"]) == 0
    kept = read_recording(tmp_path / "kept")
    assert len(kept.t_us) == 100
    assert kept.table_id == "virtual"
    assert "frames" in capsys.readouterr().out


ABSENT = LinkLost("adapter_absent", "This computer has no Bluetooth. Use the USB cable.")


def taken(folder: Path, clock: TurningClock, recording: Recording, *connections: Connection | LinkLost) -> int:
    """Three seconds of a link with these connections, kept in the folder."""
    args = Namespace(folder=folder, seconds=3.0, players=["A", "B"], piles=None)
    return keep_live(args, recording.table, LastingLink(opener(*connections)[0], clock), clock)


@pytest.mark.parametrize("there", [False, True])
def test_where_no_sample_comes_a_capture_ends_with_the_cause_and_leaves_nothing(
    recording: Recording, tmp_path: Path, there: bool
) -> None:
    clock, folder = TurningClock(), tmp_path / "new" / "kept"
    if there:
        folder.mkdir(parents=True)
        (folder / "table.json").write_text(json.dumps(recording.table))
    before = {path: path.is_dir() for path in tmp_path.rglob("*")}
    with pytest.raises(UserError, match=r"No samples came.*no Bluetooth. Use the USB cable"):
        taken(folder, clock, recording, ABSENT)
    assert 3_000_000 <= clock.now_us() < 3_200_000
    assert {path: path.is_dir() for path in tmp_path.rglob("*")} == before


def test_a_board_that_greets_and_gives_no_sample_ends_a_capture_too(recording: Recording, tmp_path: Path) -> None:
    clock = TurningClock()
    with pytest.raises(UserError, match=r"No samples came.*companion diagnose"):
        taken(tmp_path / "kept", clock, recording, Connection(clock, [hello()] * 100_000))
    assert 8_000_000 <= clock.now_us() < 8_200_000
    assert list(tmp_path.iterdir()) == []


def test_what_came_before_a_link_was_lost_for_good_is_kept(recording: Recording, tmp_path: Path) -> None:
    clock, stream = TurningClock(), tmp_path / "bytes"
    assert main(["capture", str(DATA / "nominal-snap2-a"), "--to-bytes", str(stream)]) == 0
    board = Connection(clock, [stream.read_bytes()[:50_000]], LinkLost("port_lost", "It was unplugged."))
    assert taken(tmp_path / "kept", clock, recording, board, ABSENT) == 0
    assert 0 < len(read_recording(tmp_path / "kept").t_us) < 300
    assert 3_000_000 <= clock.now_us() < 3_200_000


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--to-bytes", "x"], "no folder"),
        (["--finish"], "missing"),
        (["--from-bytes", "none"], "--table"),
        (["--source", "virtual", "--seconds", "0"], "--seconds"),
        (["--source", "virtual", "--players", *"ABCDEFG"], "--players"),
        (["--source", "virtual", "--piles", "1"], "--piles"),
    ],
)
def test_what_cannot_be_captured_is_one_sentence(
    arguments: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["capture", str(tmp_path / "kept"), *arguments]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert len(said.strip().splitlines()) == 1
    assert not (tmp_path / "kept").exists()


def test_a_recording_is_never_written_over(recording: Recording, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    with Spool(folder, recording.table, GAME) as spool:
        spool.add(Sample(0, 0, bytes(440), None, (LoadSample(5, None, "late"),)))
        spool.add(Sample(5, 1, bytes(4)))  # of another table: left out
    with pytest.raises(RecordingError, match="already has a capture"):
        Spool(folder, recording.table, GAME)
    finish(folder)
    assert read_recording(folder).load.tolist() == [0x7FFFFF]
    with pytest.raises(RecordingError, match="already has a recording"):
        Spool(folder, recording.table, GAME)
