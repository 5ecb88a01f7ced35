"""What a view is made of besides the game's state: names, health, picture, the last rulings, what waits.

The referee hands it to the game's encoder, `encode(state, context) -> dict`; pages see only what that puts in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.games.fold import Dispute
from companion.games.game import Ruling
from companion.table import Health, Picture


@dataclass(frozen=True, slots=True)
class Undoable:
    """An entry that an undo can take back. seq: its number in the journal; rulings: what it gave."""

    seq: int
    kind: str
    name: str
    by: str
    rulings: tuple[Ruling, ...]


@dataclass(frozen=True, slots=True)
class ViewContext:
    """One moment of one game.

    game: id; kind: name of the rules; version: to be sent back with commands. settings: those the game has now.
    server_offset_us: server clock minus game time, so that a page can count down to a deadline of the state; None
    before the table has sent anything. sensors: the game follows the table. health, picture: the newest, in game time.
    rulings: the last ones, newest last, undone ones left out. undoable: newest first. undone: how often
    something was undone so far. pending: ids of commands that wait for their time to be complete.
    answers: id -> {"status", "code"} of the last commands decided.
    tiles: (x, y, rot) of the board's triangles, side_mm theirs. notice: a code about the service ("journal_full"), or
    "". dispute: the ruling that is doubted, until the table has confirmed or rejected that (Y22).
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
    rulings: tuple[Ruling, ...] = ()
    undoable: tuple[Undoable, ...] = ()
    undone: int = 0
    pending: tuple[str, ...] = ()
    answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    tiles: tuple[tuple[float, float, float], ...] = ()
    side_mm: float = 150.0
    notice: str = ""
    dispute: Dispute | None = None
