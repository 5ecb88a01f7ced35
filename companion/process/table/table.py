"""The table process: link -> session -> sensing -> reports. Started by `companion.process.referee.supervise`.

    python -m companion.process.table.table --channel FD --source SOURCE [--table FILE] [--speed N --origin-ns NS].

It has one thread. It ends with code 0 when a recording is over, 2 when the source cannot be used (one sentence on
stderr), and by itself when the referee's end of the socket pair is closed.
"""

import argparse
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.clock import SystemClock
from companion.process.common.channel import ChannelError, ChannelWriter
from companion.process.table.playback import ReportsFileError, play
from companion.table import Numbered

if TYPE_CHECKING:
    from companion.process.table.feed import Feed
    from companion.process.table.guiding import Guiding
    from companion.process.table.snapshot import Snapshots

FINISHED, FAILED, UNUSABLE = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run the table process; returns its exit code."""
    parser = argparse.ArgumentParser(prog="companion-table", description="The table process of companion run.")
    parser.add_argument("--channel", type=int, required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--speed", type=float, default=1.0)
    parser.add_argument("--origin-ns", type=int, default=None)
    parser.add_argument("--table", type=Path, default=None)
    parser.add_argument("--stored", type=Path, default=None)
    parser.add_argument("--calibration", type=Path, action="append", default=[])
    args = parser.parse_args(argv)
    writer = ChannelWriter(socket.socket(fileno=args.channel))
    clock = SystemClock(args.speed, args.origin_ns)
    kind, _, place = args.source.partition(":")
    try:
        if kind == "reports":
            play(Path(place), clock, writer.send, writer.ended)
            return FINISHED
        if kind in ("replay", "emulator"):
            return _replay(kind, Path(place), args.calibration, args.stored, clock, writer)
        return _live(kind, place, args.table, args.stored, clock, writer)
    except ReportsFileError as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    except ChannelError:
        return FAILED
    finally:
        writer.finish(timeout_s=2.0)


def _replay(
    kind: str, folder: Path, calibration: Sequence[Path], store: Path | None, clock: SystemClock, writer: ChannelWriter
) -> int:
    """Play a recording through sensing. The heavy parts are loaded here, so that the other sources do without."""
    from companion.compiled import choose
    from companion.process.common.guided import CalibrationError
    from companion.process.common.learned import learned
    from companion.process.common.recorded import recorded_sensing
    from companion.process.common.stored import Store, StoredError, stored_for
    from companion.process.table.feed import STALE_US, Feed
    from companion.process.table.guiding import Guiding
    from companion.process.table.witness import witness_in
    from drivers.links.emulated import EmulatedLink, EmulatorError
    from drivers.links.replay import ReplayLink
    from drivers.recording import RecordingError, read_recording

    choose()
    try:
        recording = read_recording(folder)
        stored = stored_for(store, recording.table_id)
        found = learned([read_recording(each) for each in calibration]) or stored
        sensing = recorded_sensing(recording, found)
        link = ReplayLink(recording, clock) if kind == "replay" else EmulatedLink(folder, clock, clock.speed)
    except (RecordingError, CalibrationError, StoredError, EmulatorError, ValueError) as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    guiding = Guiding(
        recording.table,
        lambda table, now: recorded_sensing(recording, now),
        found,
        sensing=sensing,
        store=None if store is None else Store(store),
        label=clock.label,
        speed=clock.speed,
    )
    feed = Feed(
        link,
        guiding,
        sensors=recording.sensors,
        table_id=recording.table_id,
        clock=clock,
        stale_us=round(STALE_US * clock.speed),
        witness=witness_in(store, recording.table, clock.label),
    )
    try:
        return _carry(feed, guiding, writer, clock)
    finally:
        feed.close()


def _live(
    kind: str, place: str, table_file: Path, store: Path | None, clock: SystemClock, writer: ChannelWriter
) -> int:
    """Follow a live table."""
    from companion.compiled import choose
    from companion.process.common.stored import StoredError
    from companion.process.table.live import live_feed
    from companion.process.table.snapshot import Snapshots
    from drivers.recording import RecordingError

    choose()
    try:
        feed, guiding = live_feed(kind, place, table_file, clock, store)
    except (RecordingError, StoredError, ValueError) as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    writer.send(Numbered(0))
    try:
        return _carry(feed, guiding, writer, clock, None if store is None else Snapshots(store, feed.table_id or ""))
    finally:
        feed.close()


def _carry(
    feed: "Feed", guiding: "Guiding", writer: ChannelWriter, clock: SystemClock, snapshots: "Snapshots | None" = None
) -> int:
    """Reports from the feed to the referee, glimpses while somebody looks, how the setting up stands, until one of the
    two ends.
    """
    from companion.process.table.glimpses import Glimpses

    glimpses = Glimpses(clock.speed)
    while not feed.ended:
        reports = feed.step()
        for report in reports:
            writer.send(report)
        if snapshots is not None:
            snapshots.see(guiding.sensing, reports, feed.newest_us)
        if writer.looked:
            writer.looked = False
            glimpses.asked(clock.now_us())
        if glimpses.due(clock.now_us(), feed.newest_us):
            glimpse = glimpses.make(guiding.sensing, feed.newest_us, feed.session.counts.lost)
            if glimpse is not None:
                writer.send(glimpse)
        for order in writer.orders:
            guiding.take(order, clock.now_us())
        writer.orders.clear()
        stands = guiding.due(clock.now_us(), feed.newest_us)
        if stands is not None:
            writer.send(stands)
        if writer.ended():
            return FAILED
    return FINISHED


if __name__ == "__main__":
    sys.exit(main())
