"""Names of players as text for people: what cannot be printed falls away, blanks become single spaces."""

from collections.abc import Iterable
from typing import Any
from unicodedata import category

NAME_LENGTH = 40
"""Letters at most; pages have it from here too."""
_UNPRINTABLE = frozenset({"Cc", "Cf", "Cs", "Co"})  # controls, changes of direction, half a sign: categories of Unicode
_JOINER = "\u200d"  # between two signs of an emoji, such as those of a family
_DRESS = frozenset("\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")  # after one: coloured, a tone of skin


def plain(name: str) -> str:
    """The text without what cannot be printed, blanks single; a joiner stays between the signs of one emoji."""
    seen = [sign for sign in name if sign.isspace() or sign == _JOINER or category(sign) not in _UNPRINTABLE]
    return " ".join("".join(sign for n, sign in enumerate(seen) if sign != _JOINER or _joins(seen, n)).split())


def _joins(signs: list[str], n: int) -> bool:
    """Whether the joiner there stands between two pictures."""
    around = signs[n - 1 : n] + signs[n + 1 : n + 2] if n else []
    return len(around) == 2 and (around[0] in _DRESS or _picture(around[0])) and _picture(around[1])


def _picture(sign: str) -> bool:
    return category(sign) == "So"


class NameRefusedError(Exception):
    """code: "name_empty", "name_too_long" or "name_taken"."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def tidy_name(name: Any, taken: Iterable[str]) -> str:
    """The name to be shown; taken: those of the others. Raises NameRefusedError where it cannot be one."""
    if not isinstance(name, str):
        raise NameRefusedError("name_empty")
    tidy = plain(name)
    if not tidy:
        raise NameRefusedError("name_empty")
    if len(tidy) > NAME_LENGTH:
        raise NameRefusedError("name_too_long")
    if any(other.casefold() == tidy.casefold() for other in taken):
        raise NameRefusedError("name_taken")
    return tidy
