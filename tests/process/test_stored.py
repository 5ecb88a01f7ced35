"""Calibrations in the data folder: history, undo, a damaged file is a sentence and the last good one is kept."""

import json
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.clock import Clock
from companion.process.common import lock
from companion.process.common.stored import FILE, LAST_FILE, Entry, Store, StoredError, stored_for
from companion.sensing.fields.stones import LearnedStone, StoneSet
from companion.sensing.learning.calibration import Calibration
from companion.sensing.learning.learned import SINCE, Learned
from companion.sensing.learning.seams import Laid
from companion.sensing.learning.weighing import LoadGain
from companion.sensing.sensors.layout import TableLayout
from tests.sensing.tables import table_json

SENSORS = ("A0", "A1", "B0")
GAINS = Calibration(np.array([5.0, 5.1, 5.2]), np.array([0.01, 0.01, 0.03]), 0.01, 40)
STONES = StoneSet("box", (LearnedStone(0, 0.25, 0.02, (2.0, 2.2, 1.5), 6.4, 4.1, 0.01),), 2)
LAID = Laid(np.array([[1.0, 0.5], [-1.0, -0.5]]), np.array([0.01, -0.01]), np.full((2, 3), 0.05), 1.0, 80)
ALL = Learned("hw1", SENSORS, GAINS, LoadGain(420.0, 0.001, 4), STONES, LAID, np.array([[0.0, 0.0], [75.0, 43.0]]))


def entry(note: str, **parts: object) -> Entry:
    return Entry("2026-05-01T18:30:05Z", note, replace(Learned("hw1", SENSORS), **parts))  # type: ignore[arg-type]


def test_everything_learned_comes_back_from_the_file(tmp_path: Path) -> None:
    Store(tmp_path).add(Entry("2026-05-01T18:30:05Z", "all", ALL))
    found = stored_for(tmp_path, "hw1")
    assert found is not None
    assert found.to_json() == ALL.to_json()
    assert stored_for(tmp_path, "hw2") is None
    assert stored_for(None, "hw1") is None
    assert Store(tmp_path).entries()[0].parts == ("gains", "load", "stones", "laid")


def test_the_newest_of_each_part_holds_and_undo_brings_back_what_was(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store.entries() == []
    store.add(entry("first", load=LoadGain(420.0, 0.001, 4), stones=STONES))
    store.add(entry("second", load=LoadGain(400.0, 0.001, 4)))
    found = store.in_force("hw1")
    assert found is not None
    assert found.load == LoadGain(400.0, 0.001, 4)
    assert found.stones == STONES
    assert store.undo("hw1").note == "second"
    found = store.in_force("hw1")
    assert found is not None
    assert found.load == LoadGain(420.0, 0.001, 4)
    store.undo("hw1")
    with pytest.raises(StoredError, match="nothing is stored for table hw1"):
        store.undo("hw1")


def test_a_table_with_other_sensors_begins_anew(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.add(entry("first", stones=STONES))
    store.add(Entry("later", "other tiles", Learned("hw1", ("A0", "A1"), load=LoadGain(400.0, 0.001, 4))))
    found = store.in_force("hw1")
    assert found is not None
    assert found.stones is None


def test_what_is_of_other_sensors_does_not_come_back_and_the_newest_stays(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.add(Entry("earlier", "other tiles", Learned("hw1", ("A0", "A1"), load=LoadGain(400.0, 0.001, 4))))
    store.add(entry("newest", stones=STONES))
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(StoredError, match="other sensors") as refused:
        store.undo("hw1")
    assert refused.value.code == "other_sensors"
    assert (tmp_path / FILE).read_bytes() == before
    found = store.in_force("hw1")
    assert found is not None
    assert found.sensors == SENSORS


def test_gains_that_were_learned_another_day_are_not_trusted_as_they_were_then() -> None:
    layout = TableLayout.from_json(table_json())
    gains = Calibration(layout.gain * 1.02, np.full(layout.count, 0.004), 0.01, 40)
    applied = Learned(layout.table_id, layout.names, gains).applied(layout)
    assert np.array_equal(applied.gain, layout.gain * 1.02)
    assert applied.gain_spread == pytest.approx(np.hypot(0.004, SINCE))
    assert Learned(layout.table_id, layout.names).applied(layout).gain_spread == pytest.approx(layout.gain_spread)


def test_of_two_who_store_at_once_neither_loses_what_the_other_has_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits, written = threading.Event(), threading.Event()

    def wait(clock: Clock, us: int) -> None:
        waits.set()
        assert written.wait(60)

    monkeypatch.setattr(lock, "pause", wait)
    other = threading.Thread(target=lambda: Store(tmp_path).add(entry("other", stones=STONES)))
    with Store(tmp_path).change() as change:
        change.add(entry("first", load=LoadGain(420.0, 0.001, 4)))
        other.start()
        assert waits.wait(60)
        change.write()
    written.set()
    other.join()
    assert [e.note for e in Store(tmp_path).entries()] == ["first", "other"]


def test_who_waits_in_vain_stores_nothing_and_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "pause", lambda clock, us: None)
    store = Store(tmp_path)
    store.add(entry("first", stones=STONES))
    with store.change(), pytest.raises(StoredError, match="written by another program: try again"):
        store.undo("hw1")
    assert [e.note for e in store.entries()] == ["first"]
    with pytest.raises(StoredError, match=r"cannot be written: .*check the disk"):
        Store(tmp_path / "gone").add(entry("second", stones=STONES))
    assert [path.name for path in tmp_path.iterdir()] == [FILE]  # and no lock lies about


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "it is cut off"),
        ("[]", "not in the form of this version"),
        (
            '{"format": 1, "entries": [{"when": "x", "note": "y", "learned": {"table_id": "a"}}]}',
            "names of the sensors",
        ),
        ("\ud800", "calibrations"),
    ],
)
def test_a_damaged_file_is_a_sentence_and_the_last_good_one_is_kept(tmp_path: Path, text: str, why: str) -> None:
    store = Store(tmp_path)
    store.add(entry("first", stones=STONES))
    store.add(entry("second", load=LoadGain(400.0, 0.001, 4)))
    kept = (tmp_path / LAST_FILE).read_bytes()
    (tmp_path / FILE).write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(StoredError, match=why) as refused:
        store.entries()
    assert f"put {LAST_FILE} in its place" in str(refused.value)
    with pytest.raises(StoredError):
        store.add(entry("third", stones=STONES))
    assert (tmp_path / LAST_FILE).read_bytes() == kept
    (tmp_path / FILE).write_bytes(kept)
    assert [e.note for e in store.entries()] == ["first"]


@pytest.mark.parametrize(
    ("part", "value", "why"),
    [
        ("gains", {"gain": [1, 2], "spread": [1, 1], "residual": 0, "points": 3}, "wrong size"),
        ("gains", {"gain": [1, 2, 0], "spread": [1, 1, 1], "residual": 0, "points": 3}, "must not be 0"),
        ("gains", 3, "gains of a calibration must be an object"),
        ("load", {"gain": float("nan"), "misfit": 0, "weights": 3}, "gain of a calibration must be a number"),
        ("laid", {"middles": [[0, 0]], "shift": [[0, 0]], "turn": [0, 0]}, "turn of a calibration"),
    ],
)
def test_a_part_that_is_none_says_why(part: str, value: object, why: str) -> None:
    obj = json.loads(json.dumps(ALL.to_json())) | {part: value}
    with pytest.raises(ValueError, match=why):
        Learned.from_json(obj)
