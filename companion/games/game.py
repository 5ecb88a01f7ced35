"""What every game is: a pure fold of entries into a state, with rulings on the way.

A game never reads a clock and does no I/O. Its state is frozen, compares by value and turns to and from
JSON.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

from companion.table import BoardTime, TableEvent

S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Command:
    """What a person pressed.

    id: made by the phone, unique; a repeat gets the first answer (H13). t_us: press time as board time.
    version: version of the view it was made against. by: who pressed (device name); player: for whom, by
    player id, never by row (I9). args: JSON values, checked by the game.
    """

    id: str
    name: str
    t_us: BoardTime
    version: int = 0
    by: str = ""
    player: int | None = None
    args: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Advance:
    """Board time has passed (Complete) up to t_us: deadlines <= t_us are due."""

    t_us: BoardTime


Entry: TypeAlias = TableEvent | Command | Advance


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the referee decided, with the clause behind it.

    kind: "turn_start", "placed", "turn_end", "collapse", "fell_off", "taken", "round_end", "question", ...
    clause: id in docs/rules that decided. data: JSON values for page, journal and files (piles, reason,
    ...). asked: a person is asked (in a replay nobody answers and the best reading goes on).
    """

    t_us: BoardTime
    kind: str
    clause: str
    player: int | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a command was not accepted: a code for the page's catalogue, the clause if one decides, numbers."""

    code: str
    clause: str = ""
    args: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """The result of one entry. With a refusal the state is the one before and there are no rulings."""

    state: S
    rulings: tuple[Ruling, ...] = ()
    refusal: Refusal | None = None


class Game(Protocol[S]):
    """One game's rules. Entries come in order of time; `apply` makes deadlines <= entry.t_us due first."""

    name: str

    @property
    def version(self) -> str:
        """Of the rules: entries are journaled with it."""
        ...

    def start(self, settings: Mapping[str, Any]) -> S:
        """The state at the beginning. Raises ValueError, naming the setting, where settings are wrong."""
        ...

    def apply(self, state: S, entry: Entry) -> Step[S]:
        """The next state."""
        ...

    def next_due(self, state: S) -> BoardTime | None:
        """When an Advance changes the state if nothing happens before, None: never."""
        ...

    def ruled(self, state: S) -> int:
        """Rulings made so far; the next one has this number + 1 (what `dispute` names)."""
        ...

    def number_on(self, state: S, ruled: int) -> S:
        """The state with so many rulings made: numbers that an undone ruling had are not given again."""
        ...

    def shift(self, state: S, by_us: BoardTime, earliest_us: BoardTime = 0) -> S:
        """The state with every deadline and open time moved by by_us, so that nothing comes due before earliest_us:
        undo gives the timer back.
        """
        ...

    def to_json(self, state: S) -> dict[str, Any]: ...

    def from_json(self, obj: Mapping[str, Any]) -> S: ...


@runtime_checkable
class OnBoard(Protocol[S_contra]):
    """A game whose stones sensors see: after an undo they may lie elsewhere than its state has them."""

    def lies(self, state: S_contra) -> frozenset[int] | None:
        """Tracks that lie on the board by the state; None where it does not matter (between rounds)."""
        ...

    def laid(self, state: S_contra, event: TableEvent) -> bool:
        """Whether this event shows that the board lies as the state has it."""
        ...

    def denied(self, state: S_contra) -> bool:
        """Whether people have said, against the sensors, that stones do not lie there, and none has moved since."""
        ...

    def carried_off(self, state: S_contra, event: TableEvent) -> bool:
        """Whether this event only says that stones which the state has in a hand have left."""
        ...

    def as_it_lies(self, state: S_contra, was: S_contra) -> tuple[str, Mapping[str, Any]]:
        """The command, with its args, that gives the state the board of `was`."""
        ...
