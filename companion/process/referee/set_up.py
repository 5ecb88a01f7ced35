"""The referee's side of setting up: what the table process tells of it for the page, and a person's orders to it."""

import json
import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any, Final

from companion.clock import MICRO, Clock
from companion.process.common.frames import Frames
from companion.table import Health, SetUp
from companion.views.glimpse import health_view
from companion.views.port import Frame

_KEY: Final = "set_up"
_ASK_US: Final = MICRO  # real time
_LOG = logging.getLogger(__name__)


class SetUpDesk:
    """Any thread looks; the owner's hears and orders.

    send: hands an order to the table process, False where it cannot; relaid: called when the tiles lie anew; both set
    by whoever starts one.
    """

    def __init__(self, clock: Clock, send: Callable[[Mapping[str, Any]], bool] = lambda order: False) -> None:
        self._clock, self.send = clock, send
        self.relaid: Callable[[], None] = lambda: None
        self._frames = Frames(clock)
        self._lock = threading.Lock()
        self._asked_us: dict[bool, int] = {}  # by whether one who may act has looked
        self._view: dict[str, Any] = {"told": None, "health": None, "holder": None, "ended": ""}
        self._step = ""
        self._sent = self._taken = 0
        self._frames.publish({_KEY: self._view})

    @property
    def busy(self) -> bool:
        """Whether the table is being set up: a step is under way, or an order has not come back yet."""
        return bool(self._step) or self._taken != self._sent

    def order(self, order: Mapping[str, Any]) -> bool:
        """Hand a person's order on; False where no table process takes it."""
        if order.get("do") == "look":
            return self.send(order)
        if not self.send({**order, "nth": self._sent + 1}):
            return False
        self._sent += 1
        if self._view["ended"]:
            self._publish({"ended": ""})
        return True

    def hear(self, report: SetUp) -> None:
        """How the setting up stands."""
        try:
            told = json.loads(report.told)
            taken = told.get("taken")
        except (ValueError, RecursionError, AttributeError):
            _LOG.warning("what the table process tells of setting up is not what it should be")
            return
        self._step, self._taken = report.step, self._sent if taken == self._sent else self._taken
        self._publish({"told": told})

    def lost(self) -> None:
        """The table process has ended: a step with it, and nothing of it is kept; which one is said until somebody
        orders something.
        """
        ended = self._step or self._view["ended"]
        self._step, self._taken = "", self._sent
        self._publish({"told": None, "ended": ended})

    def known(self, health: Health | None, holder: str | None) -> None:
        """How the table is, and which game follows it."""
        shown = None if health is None else health_view(health)
        if (shown, holder) != (self._view["health"], self._view["holder"]):
            self._publish({"health": shown, "holder": holder})

    def newest(self, acts: bool = False) -> Frame | None:
        """What is known; asks for more. acts: whether one looks who may act, for whom a step is kept open."""
        self._keep_asking(acts)
        return self._frames.newest(_KEY)

    def wait(self, after: int, timeout_us: int, acts: bool = False) -> Frame | None:
        """What is newer than number `after`, None after the timeout; asks for more, as `newest`."""
        self._keep_asking(acts)
        return self._frames.wait(_KEY, after, timeout_us)

    def close(self) -> None:
        """Let those who wait go."""
        self._frames.close()

    def _publish(self, changes: Mapping[str, Any]) -> None:
        with self._lock:
            self._view = {**self._view, **changes}
            self._frames.publish({_KEY: self._view})

    def _keep_asking(self, acts: bool) -> None:
        with self._lock:
            now_us = self._clock.now_us()
            asked_us = self._asked_us.get(acts)
            if asked_us is not None and now_us - asked_us < _ASK_US * self._clock.rate():
                return
            self._asked_us[acts] = now_us
        self.send({"do": "look", "acts": acts})
