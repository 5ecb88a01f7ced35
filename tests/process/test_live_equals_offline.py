"""A recording refereed live, through both processes, the socket pair, the owner and the journal, gives the rulings of
the same recording refereed offline in one process."""

import json
import threading
from dataclasses import asdict
from pathlib import Path

from companion.clock import SystemClock
from companion.games.game import Ruling
from companion.journal import MemoryJournal
from companion.process.common.recorded import recorded_game, recorded_sensing
from companion.process.kinds import known_kinds
from companion.process.referee.facts import TableFacts
from companion.process.referee.inbox import LinkDown, Message
from companion.process.referee.judge import Judge
from companion.process.referee.owner import Owner
from companion.process.referee.supervise import Supervisor, start_table
from companion.process.table.offline import replay
from drivers.recording import read_recording

RECORDING = Path(__file__).parent.parent / "data" / "recordings" / "nominal-snap2-a"
GAME = json.loads((RECORDING / "game.json").read_text())
SPEED = 8.0


def live() -> list[object]:
    """Rulings in the journal of a live run, up to the recording's end."""
    clock, journal, over = SystemClock(SPEED), MemoryJournal(), threading.Event()
    owner = Owner(journal, known_kinds(), clock, TableFacts())
    owner.follow("yikerz", recorded_game(GAME)[1])

    def post(message: Message) -> None:
        if isinstance(message, LinkDown):
            over.set()
        else:
            owner.inbox.post(message)

    supervisor = Supervisor(lambda: start_table(f"replay:{RECORDING}", clock), post, SystemClock())
    supervisor.start()
    while not over.wait(0.05):  # the inbox has room for a few reports only
        owner.step()
    supervisor.close()
    owner.step()
    return [json.loads(json.dumps(ruling)) for entry in journal.entries("g1") for ruling in entry.new.rulings]


def offline() -> list[object]:
    """Rulings of `companion replay`: the same steps in one process, as fast as it goes."""
    recording = read_recording(RECORDING)
    judge = Judge(*recorded_game(GAME))
    told = replay(recording, recorded_sensing(recording), judge)
    return [json.loads(json.dumps(asdict(each))) for each in told if isinstance(each, Ruling)]


def test_a_live_recording_is_ruled_as_offline() -> None:
    expected = offline()
    assert "collapse" in {ruling["kind"] for ruling in expected if isinstance(ruling, dict)}
    assert live() == expected
