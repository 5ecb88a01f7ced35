"""Recordings through the firmware's budget of a thin link, beside their plain replay: what is ruled, and when.

python -m tests.drivers.thin_play [--reordered SEED] FOLDER...

A line for each, and one for all. --reordered: in place of the thin link whole frames of which its parts are the same
(tests/drivers/reordered.py): how far apart two plain replays are by the noise of single scans.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.games.game import Ruling
from companion.process.common.recorded import recorded_game, recorded_sensing
from companion.process.referee.judge import Judge
from companion.process.table.feed import Feed
from drivers.links import Link, LinkClosed, LinkStatus, ReplayLink
from drivers.recording import Recording, read_recording
from firmware import build
from tests.drivers.reordered import reordered
from tests.drivers.thin import thin_stream, zero_us
from tests.firmware.core import Core

NEAR_S, SAME_US = 0.2, 1_000_000
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


def since(rulings: Sequence[Ruling], zero_us: int) -> list[Ruling]:
    """Dated from the recording's first frame, of rulings whose board time began zero_us after it."""
    return [replace(ruling, t_us=ruling.t_us + zero_us) for ruling in rulings]


def thin_ruled(recording: Recording, core: Core) -> list[Ruling]:
    """What is ruled over the thin link, dated as in the plain replay."""
    return since(ruled(recording, Stream(thin_stream(recording, core))), zero_us(recording, core))


def true_ends_s(folder: Path) -> list[float]:
    """When the truth's turns end; none where it is not known."""
    truth = folder / "truth.json"
    return [turn["t_end"] for turn in json.loads(truth.read_text())["turns"]] if truth.exists() else []


def apart_s(ends: Sequence[Ruling], whole: Sequence[Ruling], true_s: Sequence[float]) -> list[float]:
    """By how many seconds each end differs from the plain replay's or the truth's, whichever is nearer: a hand that
    hovers at the zone's edge is seen by the last of the noise, and either may see it then."""
    near = zip(ends, whole, strict=True)
    return [min(abs(end.t_us / 1e6 - t) for t in (plain.t_us / 1e6, *true_s)) for end, plain in near]


def told(end: Ruling) -> tuple[object, ...]:
    """What a family sees of the end of a turn."""
    return end.player, list(end.data["piles"]), end.data["outcome"]


def matched(wanted: Sequence[Ruling], got: Sequence[Ruling]) -> int:
    """How many rulings of the plain replay have one of their own within a second."""
    left, found = [each.t_us for each in got], 0
    for ruling in wanted:
        near = min(left, key=lambda t: abs(t - ruling.t_us), default=None)
        if near is not None and abs(near - ruling.t_us) <= SAME_US:
            left.remove(near)
            found += 1
    return found


@dataclass(slots=True)
class Figures:
    """Recordings over the thin link beside their plain replays; a row of docs/sensing/links.md.

    same: ends of turns with the same player, piles and outcome. apart_s: how far each end is from the plain replay's or
    the truth's, where all turns have one. found, invented: by kind, rulings of the plain replay, and others.
    """

    recordings: int = 0
    ends: int = 0
    same: int = 0
    apart_s: list[float] = field(default_factory=list)
    plain: Counter[str] = field(default_factory=Counter[str])
    thin: Counter[str] = field(default_factory=Counter[str])
    found: Counter[str] = field(default_factory=Counter[str])

    def add(self, whole: Sequence[Ruling], thin: Sequence[Ruling], true_s: Sequence[float]) -> None:
        self.recordings += 1
        for kind in KINDS:
            a, b = ([ruling for ruling in each if ruling.kind == kind] for each in (whole, thin))
            self.plain[kind] += len(a)
            self.thin[kind] += len(b)
            self.found[kind] += matched(a, b)
            if kind == "turn_end":
                self.ends += len(a)
                self.same += sum(told(x) == told(y) for x, y in zip(a, b, strict=False))
                self.apart_s += apart_s(b, a, true_s) if len(a) == len(b) else []

    def __str__(self) -> str:
        near = sum(each <= NEAR_S for each in self.apart_s)
        collapses, falls = (
            f"{self.found[kind]} of {self.plain[kind]} ({self.thin[kind] - self.found[kind]})"
            for kind in ("collapse", "fell_off")
        )
        worst = f"{max(self.apart_s):.1f} s" if self.apart_s else "-"
        asked = f"{self.thin['question']} ({self.plain['question']})"
        cells = (self.recordings, self.ends, self.same, f"{near} ({worst})", collapses, falls, asked)
        return f"| {' | '.join(map(str, cells))} |"


def main(words: list[str]) -> None:
    asked = argparse.ArgumentParser(prog="python -m tests.drivers.thin_play")
    asked.add_argument("folders", nargs="+", metavar="FOLDER")
    asked.add_argument("--reordered", type=int, metavar="SEED")
    options = asked.parse_args(words)
    figures = Figures()
    with tempfile.TemporaryDirectory() as place:
        core = Core(build.host(Path(place)))
        for folder in options.folders:
            recording = read_recording(Path(folder))
            whole = ruled(recording, ReplayLink(recording))
            if options.reordered is None:
                thin = thin_ruled(recording, core)
            else:
                thin = ruled(recording, ReplayLink(reordered(recording, options.reordered)))
            true_s = true_ends_s(Path(folder))
            one = Figures()
            one.add(whole, thin, true_s)
            figures.add(whole, thin, true_s)
            print(
                f"{Path(folder).name} {one} ends apart by {sorted(round(each, 2) for each in one.apart_s)} s",
                flush=True,
            )
    print(
        "| recordings | ends | same | within 0.2 s (worst) | collapses (others) | falls (others) | questions (plain) |"
    )
    print(figures)


if __name__ == "__main__":
    main(sys.argv[1:])
