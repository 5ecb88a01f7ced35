"""A recording refereed live, through both processes, the socket pair, the owner and the journal, gives the rulings of
the same recording refereed offline in one process."""

import json
import threading
from dataclasses import asdict
from pathlib import Path

from companion.clock import SystemClock
from companion.games.fold import Fold
from companion.games.order import Order
from companion.games.yikerz.game import Yikerz
from companion.games.yikerz.recorded import settings_of
from companion.journal import MemoryJournal
from companion.process.feed import Feed
from companion.process.inbox import LinkDown, Message
from companion.process.kinds import known_kinds
from companion.process.owner import Owner, TableFacts
from companion.process.recorded import recorded_sensing
from companion.process.supervise import Supervisor, start_table
from companion.table import Complete, TableEvent
from drivers.links.replay import ReplayLink
from drivers.recording import read_recording

RECORDING = Path(__file__).parent.parent / "data" / "recordings" / "nominal-snap2-a"
GAME = json.loads((RECORDING / "game.json").read_text())
SPEED = 8.0


def live() -> list[object]:
    """Rulings in the journal of a live run, up to the recording's end."""
    clock, journal, over = SystemClock(SPEED), MemoryJournal(), threading.Event()
    owner = Owner(journal, known_kinds(), clock, TableFacts())
    owner.follow("yikerz", settings_of(GAME))

    def post(message: Message) -> None:
        if isinstance(message, LinkDown):
            over.set()
        else:
            owner.inbox.post(message)

    supervisor = Supervisor(lambda: start_table(f"replay:{RECORDING}", clock), post, SystemClock())
    supervisor.start()
    assert over.wait(300)
    supervisor.close()
    owner.step()
    return [json.loads(json.dumps(ruling)) for entry in journal.entries("g1") for ruling in entry.new.rulings]


def offline() -> list[object]:
    """Rulings of the same steps, one after the other."""
    recording = read_recording(RECORDING)
    feed = Feed(ReplayLink(recording), recorded_sensing(recording), sensors=recording.sensors)
    fold, order = Fold(Yikerz()), Order()
    folded = fold.start(settings_of(GAME))
    rulings = []
    for report in feed.reports():
        if isinstance(report, TableEvent):
            order.put(report)
        elif isinstance(report, Complete):
            for entry in order.complete(report.t_us):
                folded, step = fold.apply(folded, entry)
                rulings += [json.loads(json.dumps(asdict(ruling))) for ruling in step.rulings]
    return rulings


def test_a_live_recording_is_ruled_as_offline() -> None:
    expected = offline()
    assert "collapse" in {ruling["kind"] for ruling in expected if isinstance(ruling, dict)}
    assert live() == expected
