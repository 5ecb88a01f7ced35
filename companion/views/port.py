"""The small door between the web pages and the referee: everything a page can read or ask for.

The web package sees this protocol and nothing else of the referee; views arrive encoded, once for all readers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Frame:
    """One published view: seq grows with every change; data is UTF-8 JSON without the clock."""

    seq: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a command. status: "applied", "received" (waits for its board time), "refused".

    code: reason of a refusal, for the catalogue; body: JSON values such as the new game's id, or args of a refusal.
    """

    status: str
    code: str = ""
    body: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """Something to read or download. type: MIME type; name: of a file that it is saved as."""

    type: str
    name: str
    data: bytes


class RefereePort(Protocol):
    """Thread-safe; every call returns frozen data."""

    def now_us(self) -> int:
        """The server clock that deadlines in views use (scaled in a fast replay), microseconds."""
        ...

    def clock_rate(self) -> float:
        """Seconds of the server clock per second of real time; 1 except in a scaled replay."""
        ...

    def lobby(self) -> Frame:
        """The list of games, the table's name and whether the sensors are free."""
        ...

    def view(self, game: str) -> Frame | None:
        """The newest public view of a game, None if there is none of that id."""
        ...

    def wait(self, game: str, after: int, timeout_s: float) -> Frame | None:
        """The newest view with seq > after, or None after the timeout (or on stop)."""
        ...

    def glimpse(self) -> Frame | None:
        """How the table is and the sensors as they were seen last, for the diagnostics page; without the sensors where
        nobody has looked yet. Asking makes the table tell of them. None where there is no table.
        """
        ...

    def wait_glimpse(self, after: int, timeout_s: float) -> Frame | None:
        """The sensors seen newer than number `after`, or None after the timeout (or on stop)."""
        ...

    def set_up(self, acts: bool = False) -> Frame | None:
        """How the setting up of the table stands (telling.py), how the table is, which game follows
        it. Asking makes the table tell of it. None where there is no table.

        acts: whether one asks who may act; a step that none of these asks about is left after a while.
        """
        ...

    def wait_set_up(self, after: int, timeout_s: float, acts: bool = False) -> Frame | None:
        """The same newer than number `after`, or None after the timeout (or on stop)."""
        ...

    def private_view(self, game: str, player: int, phone: str) -> bytes:
        """What the phone with this key alone may see about a player, UTF-8 JSON: a secret card that was entered on it
        and is not shown yet. `null` where there is nothing, whatever there is for other phones.
        """
        ...

    def foresee(self, game: str, asked: Mapping[str, Any]) -> bytes:
        """What a command ({name, player, args}, untrusted) would do now, UTF-8 JSON in the form of the game's kind;
        `null` where that is not told. Changes nothing.
        """
        ...

    def document(self, game: str, name: str) -> Document | None:
        """A document (documents.py): of a game its text, json, csv, entries or statistics; of the
        table (game "") its history or statistics. None where there is none. May read much: not for every frame.
        """
        ...

    def post(self, command: Mapping[str, Any]) -> Answer:
        """Hand a command (JSON object: id, game, name, by, player, version, press_us, phone, args) to the referee.

        phone: the key of the phone that pressed, "" for none. A repeated id gets the first answer. Returns within
        2 s: what cannot be decided yet is "received".
        """
        ...

    def check_code(self, code: str) -> bool:
        """Whether this is the table's present code (from the QR); compared in constant time."""
        ...

    def new_code(self) -> bool:
        """Make a new table code, so that every phone has to scan again; False where it cannot be kept."""
        ...

    def join_path(self) -> str:
        """The path with the table's code, for the QR."""
        ...
