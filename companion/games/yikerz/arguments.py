"""Arguments of commands, checked: what comes from a phone is untrusted."""

from collections.abc import Mapping
from typing import Any

from companion.games.yikerz.hearing import Hearing, Refused


def whole(args: Mapping[str, Any], name: str, low: int, high: int) -> int:
    """A whole number of the args. Refused: bad_args, or too_many above high (Y21)."""
    value = args.get(name)
    if type(value) is not int or value < low:
        raise Refused("bad_args")
    if value > high:
        raise Refused("too_many", "Y21")
    return value


def word(args: Mapping[str, Any], name: str, words: tuple[str, ...], default: str) -> str:
    """One of some words of the args. Refused: bad_args."""
    value = args.get(name, default)
    if value not in words:
        raise Refused("bad_args")
    return str(value)


def by_seat(h: Hearing, values: Any) -> tuple[int, ...]:
    """A whole number >= 0 for each seat. Refused: bad_args."""
    right = isinstance(values, list | tuple) and all(type(n) is int and n >= 0 for n in values)
    if not right or len(values) != len(h.state.players):
        raise Refused("bad_args")
    return tuple(values)
