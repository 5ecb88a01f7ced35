"""What only people can tell, as it stands in the state until it is answered (questions.py asks)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.table import BoardTime

MISCOUNT = frozenset({"fewer", "more", "missing"})
"""Questions asked because the board does not show the stones that must lie there (Y21, Y37)."""

GAP = frozenset({"unseen", "unsure"})
"""Questions about what could not be told (Y22, Y23)."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something that only people can tell. holds: the end of the turn waits for the answer.

    code and choices: see names.QUESTIONS. seat: whom it is about. args: numbers for the page. deadline_us:
    the end of the 10 s that run on if the answer says that the player in turn is not concerned (Y29).
    """

    number: int
    code: str
    t_us: BoardTime
    seat: int
    choices: tuple[str, ...]
    holds: bool
    args: Mapping[str, Any] = field(default_factory=dict)
    deadline_us: BoardTime | None = None


@dataclass(frozen=True, slots=True)
class LeftOpen:
    """A question that was asked where nobody answers; code and args as of a Question."""

    code: str
    args: Mapping[str, Any] = field(default_factory=dict)
