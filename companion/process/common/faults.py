"""What is wrong with a link, its board and this computer's supply, as the fault codes of a `Health`."""

from collections.abc import Callable
from typing import Final

from companion.process.common.losses import Losses
from drivers.links.link import LinkStatus
from drivers.wire import BoardHealth
from drivers.wire.messages import LOAD_STATES, RESET_CAUSES

PASSING: Final = frozenset({"rebooted", "clock_jump"})
"""Told for a while: the board's clock was reset, or jumped."""
ABOUT_THE_BOARD: Final = frozenset({"protocol_mismatch", "sensor_count", "other_table"})
"""Told until another one says hello."""
LOAD_TROUBLE: Final = frozenset({"absent", "faulty", "saturated", "constant", "random"})
BAD_RESETS: Final = frozenset({"brown_out", "watchdog"})
_PASSING_US: Final = 60_000_000
_POWER_EVERY_US: Final = 10_000_000


class Faults:
    """Those of one link. board: what the board said last of its own health, None for nothing.

    Codes: those told, among them those of drivers.wire.session.Fault; "link_" and the trouble of a link that is not
    live; those of companion.process.common.losses and of `power`; "load_" and what the board says of its load cell;
    "board_brown_out" and "board_watchdog" (why it started).
    """

    def __init__(self, power: Callable[[], tuple[str, ...]] = tuple) -> None:
        """power: asked now and then what is wrong with the supply."""
        self.board: BoardHealth | None = None
        self._power = power
        self._power_codes: tuple[str, ...] = ()
        self._power_us: int | None = None
        self._losses = Losses()
        self._told: dict[str, int] = {}  # code -> when

    def tell(self, code: str, now_us: int) -> None:
        """One that the session or the loop found."""
        self._told[code] = now_us

    def greeted(self) -> None:
        """A board has said hello: what was wrong with the one before is over."""
        for code in ABOUT_THE_BOARD & self._told.keys():
            del self._told[code]

    def sample(self, lost: int, damaged: int) -> None:
        """One sample has come; as companion.process.common.losses counts."""
        self._losses.add(lost, damaged)

    def at(self, now_us: int, live: bool = True) -> None:
        """The time goes on: what passes has passed, and the supply is asked again. A link that is not live loses no
        messages: why it is down is told in place of that.
        """
        if not live:
            self._losses = Losses()
        if self._power_us is None or now_us - self._power_us >= _POWER_EVERY_US:
            self._power_us, self._power_codes = now_us, self._power()
        for code in PASSING & self._told.keys():
            if now_us - self._told[code] > _PASSING_US:
                del self._told[code]

    def codes(self, status: LinkStatus) -> tuple[str, ...]:
        """All of them, each once."""
        link = (f"link_{status.trouble}",) if status.trouble and status.state != "live" else ()
        losses = (self._losses.fault,) if self._losses.fault else ()
        return tuple(dict.fromkeys((*self._told, *link, *losses, *self._power_codes, *_of(self.board))))


def _of(board: BoardHealth | None) -> tuple[str, ...]:
    """What a board's own health says is wrong."""
    if board is None:
        return ()
    load, reset = LOAD_STATES.get(board.load, ""), RESET_CAUSES.get(board.reset, "")
    return (
        *((f"load_{load}",) if load in LOAD_TROUBLE else ()),
        *((f"board_{reset}",) if reset in BAD_RESETS else ()),
    )
