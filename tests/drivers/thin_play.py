"""Recordings through the firmware's budget of a thin link, beside their plain replay: what is ruled, and when.

python -m tests.drivers.thin_play FOLDER...
"""

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
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


def true_ends_s(folder: Path) -> list[float]:
    """When the truth's turns end; none where it is not known."""
    truth = folder / "truth.json"
    return [turn["t_end"] for turn in json.loads(truth.read_text())["turns"]] if truth.exists() else []


def apart_s(ends: Sequence[Ruling], whole: Sequence[Ruling], true_s: Sequence[float]) -> list[float]:
    """By how many seconds each end differs from the plain replay's or the truth's, whichever is nearer: a hand that
    hovers at the zone's edge is seen by the last of the noise, and either may see it then."""
    near = zip(ends, whole, strict=True)
    return [min(abs(end.t_us / 1e6 - t) for t in (plain.t_us / 1e6, *true_s)) for end, plain in near]


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
                if kind == "turn_end" and len(a) == len(b):
                    near = sorted(round(each, 2) for each in apart_s(b, a, true_ends_s(Path(folder))))
                    print(f"    from the plain replay's end or the truth's: {near} s")


if __name__ == "__main__":
    main(sys.argv[1:])
