"""Where the command `companion` begins: nothing is loaded before Ctrl-C is minded.

./run blocks SIGINT until here, so that one pressed while Python itself starts is minded as well.
"""

import signal
import sys

INTERRUPTED = 130  # what a shell reports of a program that Ctrl-C ended
STOPPED = "companion: stopped"


def main() -> int:
    """Run the command line; returns the exit code, 130 where Ctrl-C ended it while its modules were loaded."""
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        from companion.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        print(STOPPED, file=sys.stderr)
        return INTERRUPTED
