"""The referee as the pages see it: `RefereePort` over an owner, its inbox and its published views.

No call waits longer than its own timeout; none touches a game.
"""

import json
import logging
import secrets
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from companion.clock import MICRO, Clock
from companion.process.referee.answers import Ticket
from companion.process.referee.owner import Owner
from companion.process.referee.phone import mark_of
from companion.process.referee.set_up import SetUpDesk
from companion.process.table.looking import Looking
from companion.settings import SettingsError
from companion.views.port import Answer, Document, Frame

_LOG = logging.getLogger(__name__)
ANSWER_US = MICRO  # real time that a press waits for its ruling before it is told "received"
_LONGEST_ARGS = 8192
_LONGEST_TEXT = 64
_DEEPEST_ARGS = 8


class Referee:
    """A `RefereePort`. code: gives the table's present code."""

    def __init__(
        self,
        owner: Owner,
        clock: Clock,
        code: Callable[[], str],
        rotate: Callable[[], None] | None = None,
        looking: Looking | None = None,
        set_up: SetUpDesk | None = None,
    ) -> None:
        self._owner = owner
        self._clock = clock
        self._code = code
        self._rotate = rotate
        self._looking = looking
        self._set_up = set_up

    def now_us(self) -> int:
        return self._clock.now_us()

    def clock_rate(self) -> float:
        return self._clock.rate()

    def lobby(self) -> Frame:
        frame = self._owner.frames.newest("")
        assert frame is not None  # the owner publishes it when it is made
        return frame

    def view(self, game: str) -> Frame | None:
        return self._owner.frames.newest(game) if game else None

    def wait(self, game: str, after: int, timeout_s: float) -> Frame | None:
        return self._owner.frames.wait(game, after, self._clock_us(timeout_s))

    def glimpse(self) -> Frame | None:
        return None if self._looking is None else self._looking.newest()

    def wait_glimpse(self, after: int, timeout_s: float) -> Frame | None:
        return None if self._looking is None else self._looking.wait(after, self._clock_us(timeout_s))

    def set_up(self, acts: bool = False) -> Frame | None:
        return None if self._set_up is None else self._set_up.newest(acts)

    def wait_set_up(self, after: int, timeout_s: float, acts: bool = False) -> Frame | None:
        return None if self._set_up is None else self._set_up.wait(after, self._clock_us(timeout_s), acts)

    def private_view(self, game: str, player: int, phone: str) -> bytes:
        return self._owner.privates.of(game, player, mark_of(phone))

    def foresee(self, game: str, asked: Mapping[str, Any]) -> bytes:
        return self._owner.foresight.of(game, asked)

    def document(self, game: str, name: str) -> Document | None:
        return self._owner.documents.of(game, name)

    def post(self, command: Mapping[str, Any]) -> Answer:
        try:
            ticket = ticket_of(command, self._clock.now_us())
        except (ValueError, TypeError, RecursionError):
            return Answer("refused", "malformed")
        ticket, is_new = self._owner.answers.admit(ticket)
        if is_new:
            self._owner.inbox.post(ticket)
        return self._owner.answers.wait(ticket, self._clock_us(ANSWER_US / MICRO))

    def check_code(self, code: str) -> bool:
        return secrets.compare_digest(code.encode("utf-8", "replace"), self._code().encode())

    def join_path(self) -> str:
        return f"/j?c={quote(self._code(), safe='')}"

    def new_code(self) -> bool:
        if self._rotate is None:
            return False
        try:
            self._rotate()
        except SettingsError as error:
            _LOG.warning("The table's code stays as it was: %s", error)
            return False
        return True

    def _clock_us(self, real_s: float) -> int:
        return round(real_s * MICRO * self._clock.rate())


def ticket_of(command: Mapping[str, Any], now_us: int) -> Ticket:
    """A ticket of a posted command. Raises ValueError or TypeError where it is malformed."""
    texts = {name: command.get(name, "") for name in ("id", "game", "name", "by", "phone")}
    if not all(isinstance(text, str) and len(text) <= _LONGEST_TEXT for text in texts.values()):
        raise ValueError("a text is missing, or too long")
    version, player, press_us = command.get("version", 0), command.get("player"), command.get("press_us", now_us)
    if not texts["id"] or not texts["name"] or not all(_whole(n) for n in (version, press_us)):
        raise ValueError("id, name, version or press_us is malformed")
    if player is not None and not _whole(player):
        raise ValueError("player is malformed")
    args = command.get("args") or {}
    if not isinstance(args, Mapping) or len(json.dumps(args, allow_nan=False)) > _LONGEST_ARGS:
        raise ValueError("args are malformed or too long")
    if not _shallow(args):
        raise ValueError("args are nested too deeply")
    # Half a surrogate pair is text to Python but not to UTF-8: what is journaled must also be fit to be shown.
    json.dumps([texts, args], ensure_ascii=False).encode()
    return Ticket(
        texts["id"],
        texts["game"],
        texts["name"],
        press_us,
        version,
        texts["by"],
        player,
        json.loads(json.dumps(args)),
        phone=mark_of(texts["phone"]),
    )


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**62


def _shallow(value: object, left: int = _DEEPEST_ARGS) -> bool:
    """Whether JSON values are nested no deeper than everything later can follow."""
    inner = list(value.values()) if isinstance(value, Mapping) else value
    if not isinstance(inner, list | tuple):
        return True
    return left > 0 and all(_shallow(each, left - 1) for each in inner)
