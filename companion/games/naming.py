"""Names of players as text for people: what cannot be printed falls away, blanks become single spaces."""

from collections.abc import Iterable
from typing import Any
from unicodedata import category

NAME_LENGTH = 40
_UNPRINTABLE = frozenset({"Cc", "Cf", "Cs", "Co"})  # controls, changes of direction, half a sign: categories of Unicode


class NameRefusedError(Exception):
    """code: "name_empty", "name_too_long" or "name_taken"."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def tidy_name(name: Any, taken: Iterable[str]) -> str:
    """The name to be shown; taken: those of the others. Raises NameRefusedError where it cannot be one."""
    if not isinstance(name, str):
        raise NameRefusedError("name_empty")
    tidy = " ".join("".join(sign for sign in name if sign.isspace() or category(sign) not in _UNPRINTABLE).split())
    if not tidy:
        raise NameRefusedError("name_empty")
    if len(tidy) > NAME_LENGTH:
        raise NameRefusedError("name_too_long")
    if any(other.casefold() == tidy.casefold() for other in taken):
        raise NameRefusedError("name_taken")
    return tidy
