"""A command as a phone sends it: checked, cut to what the referee knows, stamped on the server clock."""

import json
import re
from collections.abc import Mapping
from typing import Any

from companion.views.naming import NAME_LENGTH, plain

_OLDEST_PRESS_S = 30.0  # a press that was sent again and again for longer counts from its arrival
_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
_WORD = re.compile(r"[a-z_]{1,32}")


class MalformedCommandError(ValueError):
    """The body is not a command; the text names the field."""


def clean_name(name: object) -> str:
    """A name as text for people, by the rule of games' names, at most NAME_LENGTH signs."""
    return plain(plain(str(name))[:NAME_LENGTH])


def read_command(body: object, game: str, now_us: int, rate: float) -> dict[str, Any]:
    """The command of a JSON body, in the form of `RefereePort.post`.

    press_us is the page's reading of the server clock; one from the future, or too old, or none, becomes now_us.
    Raises MalformedCommandError, naming the field.
    """
    if not isinstance(body, Mapping):
        raise MalformedCommandError("body")
    identity, name = body.get("id"), body.get("name")
    if not isinstance(identity, str) or not _ID.fullmatch(identity):
        raise MalformedCommandError("id")
    if not isinstance(name, str) or not _WORD.fullmatch(name):
        raise MalformedCommandError("name")
    version, player, args = body.get("version", 0), body.get("player"), body.get("args", {})
    if not _whole(version) or version < 0:
        raise MalformedCommandError("version")
    if player is not None and not _whole(player):
        raise MalformedCommandError("player")
    if not isinstance(args, Mapping) or not _storable(args):
        raise MalformedCommandError("args")
    press, oldest = body.get("press_us"), now_us - _OLDEST_PRESS_S * 1_000_000 * max(rate, 1.0)
    if not isinstance(press, int) or isinstance(press, bool) or not oldest <= press <= now_us:
        press = now_us
    return {
        "id": identity,
        "game": game,
        "name": name,
        "by": clean_name(body.get("by", "")),
        "player": player,
        "version": version,
        "press_us": press,
        "args": dict(args),
    }


def _storable(value: object) -> bool:
    """Whether the journal could keep it: JSON allows half a pair of surrogates, which is no text."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
