"""The table process: link -> session -> sensing -> reports. Started by `companion.process.supervise`.

    python -m companion.process.table --channel FD --source SOURCE [--speed N --origin-ns NS] ...

It has one thread. It ends with code 0 when a recording is over, 2 when the source cannot be used (one sentence on
stderr), and by itself when the referee's end of the socket pair is closed.
"""

import argparse
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

from companion.clock import SystemClock
from companion.process.channel import ChannelError, ChannelWriter
from companion.process.playback import ReportsFileError, play

FINISHED, UNUSABLE, FAILED = 0, 2, 1


def main(argv: Sequence[str] | None = None) -> int:
    """Run the table process; returns its exit code."""
    parser = argparse.ArgumentParser(prog="companion-table", description="The table process; started by companion run.")
    parser.add_argument("--channel", type=int, required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--speed", type=float, default=1.0)
    parser.add_argument("--origin-ns", type=int, default=None)
    parser.add_argument("--calibration", action="append", default=[])
    args = parser.parse_args(argv)
    # Ctrl-C reaches the whole group of processes: the referee stops first, and its closing the channel stops this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    writer = ChannelWriter(socket.socket(fileno=args.channel))
    clock = SystemClock(args.speed, args.origin_ns)
    kind, _, place = args.source.partition(":")
    try:
        if kind == "reports":
            play(Path(place), clock, writer.send, writer.ended)
        else:
            from companion.process.feed import run_feed

            run_feed(args.source, clock, writer.send, writer.ended, calibration=[Path(c) for c in args.calibration])
    except ReportsFileError as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    except ChannelError:
        return FAILED
    finally:
        writer.finish(timeout_s=2.0)
    return FINISHED


if __name__ == "__main__":
    sys.exit(main())
