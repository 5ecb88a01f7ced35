"""What a view is made of besides the game's state: names, health, picture, the last rulings, what waits.

The referee hands it to the game's encoder, `encode(state, context) -> dict`; pages see only what that puts in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.games.fold import Dispute, Laying
from companion.games.logline import LogLine
from companion.games.past import Written
from companion.table import Health, Picture


@dataclass(frozen=True, slots=True)
class Undoable:
    """A step that an undo can take back: the command or the kind of ruling that it began with, and who pressed."""

    name: str
    by: str


@dataclass(frozen=True, slots=True)
class ViewContext:
    """One moment of one game.

    game: id; kind: name of the rules; version: to be sent back with commands. settings: those the game has now.
    server_offset_us: server clock minus game time, so that a page can count down to a deadline of the state; None
    before the table has sent anything. sensors: the game follows the table. health, picture: the newest, in game time.
    undoable: newest first. undone: how often
    something was undone so far. pending: ids of commands that wait for their time to be complete.
    answers: id -> {"status", "code"} of the last commands decided.
    tiles: (x, y, rot) of the board's triangles, side_mm theirs. notice: a code about the service ("journal_full"), or
    "". entries: the commands that count, each with the number that `edit` names, oldest first.
    ruled: by number of an entry, the number of its first ruling, for those that can be doubted.
    dispute: the ruling that is doubted, until the table has confirmed or rejected that (Y22).
    laying: stones that an undo left elsewhere than the state has them, until they are laid back.
    laid: the last ruling by which people ended that. insisted: they have said how stones lie though the sensors saw
    otherwise, and the board at rest has not shown it since.
    followed: the game has had the sensors at some time.
    """

    game: str
    kind: str
    table_name: str = ""
    version: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)
    server_offset_us: int | None = None
    sensors: bool = False
    health: Health | None = None
    picture: Picture | None = None
    undoable: tuple[Undoable, ...] = ()
    undone: int = 0
    pending: tuple[str, ...] = ()
    answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    tiles: tuple[tuple[float, float, float], ...] = ()
    side_mm: float = 150.0
    notice: str = ""
    entries: tuple[Written, ...] = ()
    ruled: Mapping[int, int] = field(default_factory=dict)
    dispute: Dispute | None = None
    laying: Laying[Any] | None = None
    laid: LogLine | None = None
    insisted: bool = False
    followed: bool = False
