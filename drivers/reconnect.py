"""When to open a link, when to give it up, when to try again: named states, all times as arguments, no I/O.

reconnect = Reconnect()
match reconnect.next(now_us):
    case Do.OPEN: ...      # then opened(now_us) or failed(now_us, kind)
    case Do.DROP: ...      # close it, it has been given up
    case Do.READ: ...      # then heard(now_us, ...) for what came
"""

from enum import StrEnum

from drivers.trouble import TROUBLES

HELLO_US = 10_000_000
"""For the first hello after opening: a Mega's boot loader takes 2 s after a reset, and a hello comes once a second."""

SILENT_US = 8_000_000
"""Of a live link. Longer than the 5 s for which USB has been seen to stall (OctoPrint/OctoPrint#4595): what the
kernel holds would be thrown away with the port, and with it the samples that tell what happened meanwhile."""

STEADY_US = 10_000_000
"""A link that lived for so long starts with short pauses again."""


class LinkState(StrEnum):
    """Where a link stands."""

    WAITING = "waiting"  # for the next try
    GREETING = "greeting"  # open, its board has not said who it is
    LIVE = "live"


class Do(StrEnum):
    """What is to be done now."""

    OPEN = "open"
    DROP = "drop"
    READ = "read"
    WAIT = "wait"


class Reconnect:
    """The state of one link that lasts through its connections.

    hello_us, silent_us: see HELLO_US and SILENT_US. state, trouble (kind of the last failure, "" once live), due_us
    (of the next try), tries (since it was last steadily live) and drops (connections lost in use) are for people.
    """

    def __init__(self, hello_us: int = HELLO_US, silent_us: int = SILENT_US) -> None:
        self.state = LinkState.WAITING
        self.trouble = ""
        self.due_us: int | None = None  # None: at once
        self.tries = 0
        self.drops = 0
        self._hello_us, self._silent_us = hello_us, silent_us
        self._since_us = 0  # the present state began
        self._heard_us = 0

    def next(self, now_us: int) -> Do:
        """What to do at now_us. DROP has already put the state to WAITING, with "no_hello" or "silent"."""
        match self.state:
            case LinkState.WAITING:
                return Do.OPEN if self.due_us is None or now_us >= self.due_us else Do.WAIT
            case LinkState.GREETING if now_us - self._since_us >= self._hello_us:
                self._lose(now_us, "no_hello")
                return Do.DROP
            case LinkState.LIVE if now_us - self._heard_us >= self._silent_us:
                self._lose(now_us, "silent")
                return Do.DROP
        return Do.READ

    def opened(self, now_us: int) -> None:
        """A connection is there."""
        self.state, self._since_us, self._heard_us = LinkState.GREETING, now_us, now_us

    def greeted(self, now_us: int) -> None:
        """Its board has said hello."""
        self.state, self._since_us, self._heard_us = LinkState.LIVE, now_us, now_us
        self.trouble = ""

    def heard(self, now_us: int) -> None:
        """Bytes came over a live link."""
        self._heard_us = now_us
        if self.tries and now_us - self._since_us >= STEADY_US:
            self.tries = 0

    def failed(self, now_us: int, kind: str) -> None:
        """It could not be opened, or the connection broke. Raises KeyError for a kind that is none."""
        self._lose(now_us, kind)

    def _lose(self, now_us: int, kind: str) -> None:
        trouble = TROUBLES[kind]
        self.drops += self.state is LinkState.LIVE
        pause_us = min(trouble.first_us << min(self.tries, 16), trouble.longest_us)
        self.tries += 1
        self.state, self.trouble, self.due_us = LinkState.WAITING, kind, now_us + pause_us
