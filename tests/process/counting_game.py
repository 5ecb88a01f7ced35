"""A small game for tests of the process around it: players press, a timer runs, the table is heard.

"press" starts a timer of 10 s; a placed stone counts; when the timer ends the turn ends. Every ruling carries the
state it led to, so that an order or a journal that is wrong shows.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from companion.games.game import Advance, Command, Entry, Refusal, Ruling, Step
from companion.process.kinds.kind import GameKind
from companion.table import BoardTime, EventKind
from companion.views.context import ViewContext


@dataclass(frozen=True, slots=True)
class Count:
    """presses and stones so far, turns ended, the timer's end, gaps, rulings so far."""

    presses: int = 0
    stones: int = 0
    turns: int = 0
    deadline_us: BoardTime | None = None
    unseen: int = 0
    ruled: int = 0


class Counting:
    """The rules."""

    name = "counting"
    version = "1"

    def start(self, settings: Mapping[str, Any]) -> Count:
        if settings.get("bad"):
            raise ValueError("setting bad is wrong")
        return Count()

    def apply(self, state: Count, entry: Entry) -> Step[Count]:
        before, rulings = state, []
        if state.deadline_us is not None and state.deadline_us <= entry.t_us:
            due_us = state.deadline_us
            state = replace(state, deadline_us=None, turns=state.turns + 1, ruled=state.ruled + 1)
            rulings.append(Ruling(due_us, "turn_end", "C1", data=asdict(state)))
        if isinstance(entry, Advance):
            return Step(state, tuple(rulings))
        if isinstance(entry, Command):
            if entry.name == "crash":
                raise RuntimeError("a fault in the rules")
            if entry.name not in ("press", "move", "note"):
                return Step(before, (), Refusal("unknown_command"))
            state = replace(state, presses=state.presses + 1, ruled=state.ruled + 1)
            if entry.name == "press":
                state = replace(state, deadline_us=entry.t_us + 10_000_000)
            rulings.append(Ruling(entry.t_us, entry.name, "C2", data=asdict(state)))
        elif entry.kind is EventKind.PLACED:
            state = replace(state, stones=state.stones + 1, ruled=state.ruled + 1)
            rulings.append(Ruling(entry.t_us, "placed", "C3", data=asdict(state)))
        elif entry.kind is EventKind.UNSEEN:
            state = replace(state, unseen=state.unseen + 1, ruled=state.ruled + 1)
            rulings.append(Ruling(entry.t_us, "unseen", "C4", data={"until_us": entry.until_us}))
        return Step(state, tuple(rulings))

    def next_due(self, state: Count) -> BoardTime | None:
        return state.deadline_us

    def ruled(self, state: Count) -> int:
        return state.ruled

    def number_on(self, state: Count, ruled: int) -> Count:
        return replace(state, ruled=ruled)

    def shift(self, state: Count, by_us: BoardTime, earliest_us: BoardTime = 0) -> Count:
        if state.deadline_us is None:
            return state
        return replace(state, deadline_us=max(state.deadline_us + by_us, earliest_us))

    def to_json(self, state: Count) -> dict[str, Any]:
        return asdict(state)

    def from_json(self, obj: Mapping[str, Any]) -> Count:
        return Count(**obj)


def encode(state: Count, context: ViewContext) -> dict[str, Any]:
    """Everything, as it is."""
    return {
        "state": asdict(state),
        "version": context.version,
        "sensors": context.sensors,
        "health": context.health.state if context.health else None,
        "offset": context.server_offset_us,
        "pending": list(context.pending),
        "answers": {name: dict(answer) for name, answer in context.answers.items()},
        "notice": context.notice,
        "picture": context.picture.t_us if context.picture else None,
        "undone": context.undone,
        "undo": [each.name for each in context.undoable],
    }


def counting() -> GameKind:
    """The kind; "press" and "move" are moves, "note" is not."""
    return GameKind(
        Counting(),
        encode,
        phase=lambda state: "turn",
        players=lambda state: (),
        moves=frozenset({"press", "move"}),
        borders=frozenset({"turn_end"}),
        from_recording=lambda game: dict(game.get("settings", {})),
    )
