"""Clips: what was seen around what may be doubted, as pictures for pages and as a recording to replay (Y22)."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.games.game import Ruling
from companion.journal import MemoryJournal
from companion.process.common.clips import Clips, clip_name
from companion.process.kinds.yikerz import yikerz
from companion.process.referee.facts import TableFacts
from companion.process.referee.owner import Owner
from companion.process.table.witness import RING_US, Witness
from companion.table import SECOND, Complete, EventKind, Evidence, Picture, Stone, TableEvent
from drivers.recording import read_recording
from drivers.sample import LoadSample, Sample
from tests.process.service import Bench

TABLE = json.loads((Path(__file__).parents[1] / "data/recordings/ideal-snap2/table.json").read_text("utf-8"))
SENSORS = sum(len(tile["sensors"]) for tile in TABLE["tiles"])
HZ = 20


class Watched(Bench):
    """An owner whose table sends pictures; its clips lie in a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(kinds={"yikerz": yikerz()})
        self.clips = Clips(folder)
        self.owner = Owner(MemoryJournal(), {"yikerz": yikerz()}, self.clock, TableFacts(), self.clips)
        self.link_up()
        self.game = self.new_game(sensors=True, players=["Ana", "Beto"], begin="at_once", dealer=0, last_call="assumed")
        self.t_us = 0

    def pictures(self, seconds: float, x: float = 50.0, *events: TableEvent) -> None:
        """So many seconds of pictures of one stone that moves; events come with the picture after their time."""
        left = list(events)
        for _ in range(round(seconds * HZ)):
            self.t_us += SECOND // HZ
            due = [event for event in left if event.t_us <= self.t_us]
            left = [event for event in left if event not in due]
            moving = Stone(4, x + 20.0 * self.t_us / SECOND, 20.0, held=True)
            self.clock.advance(SECOND // HZ)
            self.hear(Picture(self.t_us, (Stone(3, 1.0, 2.0, pole_up=1), moving)), *due, Complete(self.t_us))

    def clip(self, number: int) -> dict[str, Any] | None:
        found = self.owner.documents.of(self.game, f"clip/{number}")
        return None if found is None else json.loads(found.data)


def number_of(watched: Watched, kind: str) -> int:
    return max(line["n"] for line in watched.view(watched.game)["rulings"] if line["kind"] == kind)


@pytest.mark.rule("Y22")
def test_a_collapse_keeps_its_pictures_from_five_seconds_before_to_three_after(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    snap = 8 * SECOND
    events = [TableEvent(EventKind.APPROACH, SECOND, (3,)), TableEvent(EventKind.RELEASED, 2 * SECOND, (3,))]
    evidence = Evidence(gap_mm=0.4, clip="20260501T183005Z-8000")
    collapse = TableEvent(EventKind.COLLAPSE, snap, (3, 4), 2, snap, evidence=evidence)
    watched.pictures(10, 50.0, *events, collapse)
    number = number_of(watched, "collapse")
    assert watched.clip(number) is None  # not yet: the three seconds after it are not over
    watched.pictures(2)
    clip = watched.clip(number)
    assert clip is not None
    assert (clip["from_ms"], clip["to_ms"]) == (-5000, 3000)
    assert clip["stones"] == [3, 4]  # those that snapped
    times = [frame["ms"] for frame in clip["frames"]]
    assert times[0] <= -4950
    assert times[-1] >= 2950
    assert {b - a for a, b in pairwise(times)} == {1000 // HZ}
    assert clip["frames"][0]["stones"][0] == {"track": 3, "x": 1.0, "y": 2.0, "pole": 1}
    assert (tmp_path / "20260501T183005Z-8000" / "pictures.json").stat().st_size < 60_000
    ruled = next(r for r in json.loads(watched.owner.documents.of(watched.game, "json").data)["rulings"]  # type: ignore[union-attr]
                 if r["kind"] == "collapse")  # fmt: skip
    assert ruled["data"]["evidence"] == {"gap_mm": 0.4, "clip": "20260501T183005Z-8000"}
    assert len(json.dumps(ruled)) < 2000


@pytest.mark.rule("Y22")
def test_whatever_is_disputed_keeps_its_pictures(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.pictures(
        30, 50.0, TableEvent(EventKind.APPROACH, SECOND, (3,)), TableEvent(EventKind.RELEASED, 2 * SECOND, (3,))
    )
    number = number_of(watched, "placed")
    assert watched.clip(number) is None
    watched.press("dispute", watched.game, ruling=number)
    watched.pictures(1)
    clip = watched.clip(number)
    assert clip is not None
    assert clip["frames"][0]["ms"] >= -2000
    assert json.loads((tmp_path / f"{watched.game}-{number}" / "game.json").read_text("utf-8"))["players"] == [
        "Ana",
        "Beto",
    ]


def test_a_clip_is_cut_short_when_the_table_is_lost(tmp_path: Path) -> None:
    clips = Clips(tmp_path)
    for ms in range(0, 4000, 50):
        clips.see(Picture(ms * 1000, (Stone(1, ms / 10, 0.0),)))
    clips.want("g1-7", 3 * SECOND, {})
    clips.cut()
    assert clips.read("g1-7") is None
    clips.cut(over=True)
    assert json.loads(clips.read("g1-7") or b"")["frames"][-1]["ms"] == 950


def test_frames_that_are_the_same_are_told_once_and_old_ones_forgotten(tmp_path: Path) -> None:
    clips = Clips(tmp_path)
    for ms in range(0, 200_000, 50):
        clips.see(Picture(ms * 1000, (Stone(1, 0.0, 0.0),)))
    clips.want("late", 195 * SECOND, {})
    clips.want("early", 10 * SECOND, {})
    clips.cut()
    assert [frame["ms"] for frame in json.loads(clips.read("late") or b"")["frames"]] == [-5000]
    assert clips.read("early") is None


def test_the_oldest_clips_that_are_not_pinned_go_first(tmp_path: Path) -> None:
    clips = Clips(tmp_path, most=3)
    clips.see(Picture(0, (Stone(1, 0.0, 0.0),)))
    for number in range(6):
        clips.want(f"g1-{number}", 0, {})
        clips.cut(over=True)
        if number == 1:
            assert clips.pin("g1-1")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g1-1", "g1-3", "g1-4", "g1-5"]
    assert not clips.pin("g1-0")


def test_a_clip_is_pinned_by_its_rulings_number(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.pictures(8, 50.0, TableEvent(EventKind.UNSURE, SECOND, (), 1, SECOND))
    number = number_of(watched, "unsure")
    answer = watched.press("pin_clip", watched.game, ruling=number)
    assert answer is not None
    assert answer.status == "applied"
    assert (tmp_path / f"{watched.game}-{number}" / "pinned").exists()
    for wrong in (99, "1", None, True):
        answer = watched.press("pin_clip", watched.game, ruling=wrong)
        assert answer is not None
        assert (answer.status, answer.code) == ("refused", "no_clip")


@pytest.mark.parametrize("name", ["../journal.db", "", ".", "..", "a/b", "x" * 65, "ä", "a\n"])
def test_a_name_that_leads_out_of_the_folder_is_no_clip(tmp_path: Path, name: str) -> None:
    clips = Clips(tmp_path)
    clips.see(Picture(0, ()))
    clips.want(name, 0, {})
    clips.cut(over=True)
    assert clips.read(name) is None
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_costs_the_clip_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "clips").write_text("no folder")
    clips = Clips(tmp_path / "clips")
    clips.see(Picture(0, ()))
    clips.want("g1-1", 0, {})
    clips.cut(over=True)
    assert clips.read("g1-1") is None


def test_the_name_of_a_clip() -> None:
    assert clip_name("g3", 12, {}) == "g3-12"
    assert clip_name("g3", 12, Ruling(0, "", "", data={"evidence": {"clip": "x-1"}}).data) == "x-1"


def frames(seconds: int, hz: int = 10) -> list[Sample]:
    every = SECOND // hz
    hall = [np.full(SENSORS, n % 1000, np.uint16).tobytes() for n in range(seconds * hz)]
    return [
        Sample(n * every, n, hall[n], load=(LoadSample(n * every + 7, n if n % 3 else None),))
        for n in range(seconds * hz)
    ]


@pytest.mark.rule("Y22")
def test_the_samples_around_a_collapse_are_a_recording(tmp_path: Path) -> None:
    witness = Witness(tmp_path, TABLE, lambda: "2026-05-01T18:30:05Z")
    at_us, named = 20 * SECOND, []
    for sample in frames(40):
        if sample.sequence in (180, 181):
            continue  # lost on the way
        sample = Sample(
            sample.t_us, sample.sequence, sample.hall, None, sample.load, 2 if sample.sequence == 182 else 0
        )
        reports = []
        if sample.t_us in (at_us, at_us + SECOND):
            reports = [TableEvent(EventKind.COLLAPSE, sample.t_us, (1, 2), 2), Complete(sample.t_us)]
        told = witness(sample, reports)
        named += [event.evidence.clip for event in told if isinstance(event, TableEvent) and event.evidence]
    assert named == ["20260501T183005Z-20000"] * 2  # one clip for what happened within two seconds
    folder = tmp_path / named[0]
    (folder / "game.json").write_text(json.dumps({"players": ["A"], "piles": [3], "first": 0}))
    recording = read_recording(folder)
    assert (recording.t_us[0], recording.t_us[-1], len(recording.t_us)) == (15 * SECOND, 23 * SECOND, 81)
    assert [int(n) for n in np.flatnonzero(recording.lost)] == [30, 31]
    assert recording.hall[0].tolist() == [150] * SENSORS
    assert recording.load.tolist()[:2] == [0x7FFFFF, 151]


def test_the_ring_of_samples_is_bounded_and_what_is_open_at_the_end_is_written(tmp_path: Path) -> None:
    witness = Witness(tmp_path, TABLE, lambda: "now")
    samples = frames(200, hz=2)
    for sample in samples[:-1]:
        witness(sample, [])
    assert witness._ring[-1].t_us - witness._ring[0].t_us <= RING_US
    witness(samples[-1], [TableEvent(EventKind.FELL_OFF, samples[-1].t_us)])
    assert list(tmp_path.iterdir()) == []
    witness.close()
    assert len(list(tmp_path.iterdir())) == 1


def test_the_page_offers_to_show_just_the_rulings_of_which_clips_are_kept() -> None:
    sheet = (Path(__file__).parents[2] / "web/static/sheets/rulings.js").read_text("utf-8")
    offered = re.search(r"CLIPPED = new Set\((\[.*?\])\)", sheet)
    assert offered is not None
    assert frozenset(json.loads(offered[1])) == yikerz().clipped >= {"collapse", "taken_back"}
