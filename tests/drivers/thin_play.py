"""Recordings through the firmware's budget of a thin link, beside their plain replay: what is ruled, and when.

python -m tests.drivers.thin_play FOLDER...
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from companion.games.game import Ruling
from companion.process.feed import Feed
from companion.process.judge import Judge
from companion.process.recorded import recorded_game, recorded_sensing
from drivers.links import Link, LinkClosed, LinkStatus, ReplayLink
from drivers.recording import Recording, read_recording
from firmware import build
from tests.drivers.thin import thin_stream
from tests.firmware.core import Core

KINDS = ("turn_end", "collapse", "fell_off", "question")


class Stream:
    """A link that gives pieces at their times."""

    status = LinkStatus()

    def __init__(self, pieces: Iterator[tuple[int, bytes]]) -> None:
        self._pieces = pieces

    def read(self, timeout_s: float) -> tuple[bytes, int]:
        piece = next(self._pieces, None)
        if piece is None:
            raise LinkClosed("All has been read.")
        return piece[1], piece[0]

    def send(self, data: bytes) -> None: ...

    def close(self) -> None: ...


def ruled(recording: Recording, link: Link) -> list[Ruling]:
    game, settings = recorded_game(recording.game)
    feed, judge = Feed(link, recorded_sensing(recording), sensors=recording.sensors), Judge(game, settings)
    return [ruling for report in feed.reports() for ruling in judge.take(report)]


def main(folders: list[str]) -> None:
    with tempfile.TemporaryDirectory() as place:
        core = Core(build.host(Path(place)))
        for folder in folders:
            recording = read_recording(Path(folder))
            whole = ruled(recording, ReplayLink(recording))
            thin = ruled(recording, Stream(thin_stream(recording, core)))
            print(Path(folder).name)
            for kind in KINDS:
                a, b = ([ruling for ruling in each if ruling.kind == kind] for each in (whole, thin))
                apart = [round((y.t_us - x.t_us) / 1e6, 2) for x, y in zip(a, b, strict=False)]
                same = sum(
                    (x.player, x.data.get("piles")) == (y.player, y.data.get("piles"))
                    for x, y in zip(a, b, strict=False)
                )
                if a or b:
                    print(f"  {kind}: {len(b)} for {len(a)}, {same} of them with the same piles, later by {apart} s")


if __name__ == "__main__":
    main(sys.argv[1:])
