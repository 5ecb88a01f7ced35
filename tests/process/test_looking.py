"""The sensors for the diagnostics page: told only while somebody looks, and no business of any game's."""

import json
from pathlib import Path

import pytest

from companion.clock import HandClock
from companion.journal.memory import MemoryJournal
from companion.process.common.channel import ChannelReader, ChannelWriter, pair
from companion.process.common.learned import recorded_layout, samples
from companion.process.referee.facts import TableFacts
from companion.process.referee.owner import Owner
from companion.process.referee.saving import RETRY_US
from companion.process.table.glimpses import EVERY_US, FOR_US, Glimpses
from companion.process.table.looking import Looking
from companion.sensing.pipeline import Sensing
from companion.table import Complete, Glimpse, Health
from companion.table.codec import from_json, to_json
from drivers.recording import read_recording

SNAP = Path(__file__).parents[1] / "data" / "recordings" / "nominal-snap2-a"


def test_a_look_crosses_to_the_table_and_glimpses_come_back() -> None:
    theirs, ours = pair()
    writer, reader = ChannelWriter(theirs), ChannelReader(ours)
    assert not writer.ended()
    assert not writer.looked
    reader.ask()
    assert not writer.ended()
    assert writer.looked
    glimpse = Glimpse(5, field=(1.5, -2.0), trusted="10", marks=(1.0, 2.0))
    writer.send(glimpse)
    writer.send(Complete(6))
    assert reader.read() == [glimpse, Complete(6)]
    reader.close()
    assert writer.ended()
    writer.finish(0.1)
    reader.ask()  # nobody there: no matter


def test_a_glimpse_is_made_a_few_times_a_second_while_somebody_looks() -> None:
    glimpses = Glimpses()
    assert not glimpses.due(0, 0)
    glimpses.asked(1_000_000)
    assert glimpses.due(1_000_000, 0)
    recording = read_recording(SNAP)
    sensing = Sensing(recorded_layout(recording))
    made = None
    for sample in samples(recording):
        sensing.feed(sample)
        if sample.t_us > 7_500_000:
            made = glimpses.make(sensing, sample.t_us, 3)
            break
    assert made is not None
    assert not glimpses.due(1_000_000, made.t_us + EVERY_US - 1)
    assert glimpses.due(1_000_000, made.t_us + EVERY_US)
    assert not glimpses.due(1_000_000 + FOR_US, made.t_us + EVERY_US)
    assert len(made.places) == 2 * len(made.field) == 2 * len(made.residual) == 2 * len(made.trusted)
    assert (len(made.corners), len(made.marks) % 8, made.lost) == (24, 0, 3)
    assert made.marks
    assert from_json(to_json(made)) == made


def test_looking_asks_once_a_second_and_shows_the_newest() -> None:
    asked: list[int] = []
    clock = HandClock()
    looking = Looking(clock, lambda: asked.append(clock.now_us()))
    for _ in range(2):
        assert (known := looking.newest()) is not None
        assert json.loads(known.data) == {"health": None, "sound": [], "notice": ""}
    assert len(asked) == 1
    looking.show(Glimpse(5, marks=(1.0, 2.0, 3.0, 0.1, 0.2, 30.0, -1.0, 0.0)))
    frame = looking.newest()
    assert frame is not None
    assert b'"stones":[{"track":1.0,"x":2.0,"y":3.0,"width":0.1' in frame.data
    looking.hear(Health(7, "lost", ("link_port_missing",), link="waiting"))
    frame = looking.newest()
    assert frame is not None
    told = json.loads(frame.data)
    assert (told["health"]["faults"], told["health"]["link"]) == (["link_port_missing"], "waiting")
    assert len(told["stones"]) == 1
    looking.hear(Health(8, "lost", ("link_port_missing",), link="waiting"))
    clock.advance(1_000_000)
    assert looking.newest() == frame
    assert len(asked) == 2
    looking.close()


@pytest.mark.parametrize("field", ["field", "marks"])
def test_numbers_that_are_none_are_refused(field: str) -> None:
    with pytest.raises(ValueError, match=field):
        from_json({"type": "glimpse", "t_us": 1, field: ["x"]})


def test_a_full_disk_is_told_to_whoever_looks_at_the_sensors_until_there_is_room() -> None:
    clock, journal = HandClock(), MemoryJournal()
    looking = Looking(clock)
    owner = Owner(journal, {}, clock, TableFacts(), kept=looking.kept)

    def notice() -> str:
        frame = looking.newest()
        assert frame is not None
        told: str = json.loads(frame.data)["notice"]
        return told

    assert notice() == ""
    journal.full = True
    owner.step()
    assert notice() == "journal_full"
    journal.full = False
    clock.advance(RETRY_US)
    owner.step()
    assert notice() == ""
