"""One game being refereed: what waits for its time, the fold, and what pages are told besides the state."""

import json
import logging
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.games.game import Advance, Command, Ruling, Step
from companion.journal import NewEntry
from companion.process.kinds import GameKind
from companion.table import BoardTime, TableEvent
from companion.table.codec import from_json, to_json
from companion.views.context import Undoable, ViewContext
from companion.views.port import Answer

_KEPT_ANSWERS = 16
_KEPT_RULINGS = 40
_KEPT_UNDO = 20
_LOG = logging.getLogger(__name__)


class Play:
    """A game. version: counts what changed it. reached_us: game time up to which it has been judged."""

    def __init__(self, game_id: str, name: str, kind: GameKind, settings: Mapping[str, Any]) -> None:
        """Raises ValueError, naming the setting, where settings are wrong."""
        self.id, self.name, self.kind = game_id, name, kind
        self.settings = settings
        self.version = 0
        self.reached_us: BoardTime = 0
        self.fault = ""
        self._state: Any = kind.game.start(settings)
        self._waiting: list[TableEvent | Command] = []
        self._entries: list[NewEntry] = []
        self._decided: list[tuple[str, Answer]] = []
        self._answers: OrderedDict[str, dict[str, str]] = OrderedDict()
        self._rulings: list[Ruling] = []
        self._border = 0
        self._pressed: dict[str, int] = {}

    @property
    def running(self) -> bool:
        """Whether time still does something to it."""
        return not self.fault

    @property
    def phase(self) -> str:
        return self.kind.phase(self._state)

    @property
    def players(self) -> tuple[tuple[int, str], ...]:
        return self.kind.players(self._state)

    def offer_event(self, event: TableEvent) -> None:
        """A table event in game time, judged when its time is complete."""
        self._waiting.append(event)

    def offer_command(self, command: Command) -> None:
        """A command in game time, judged when its time is complete."""
        self._waiting.append(command)

    def complete(self, t_us: BoardTime) -> None:
        """Judge everything up to t_us, in order of time."""
        due = sorted((e for e in self._waiting if e.t_us <= t_us), key=_order)
        self._waiting = [e for e in self._waiting if e.t_us > t_us]
        for entry in due:
            self._apply(entry)
        if t_us > self.reached_us:
            self._apply(Advance(t_us))

    def pause(self, t_us: BoardTime) -> None:
        """Time stands still at t_us: presses are judged there, at once."""
        presses = [e for e in self._waiting if isinstance(e, Command)]
        self._waiting = [e for e in self._waiting if not isinstance(e, Command)]
        for press in sorted(presses, key=_order):
            self._apply(replace(press, t_us=min(press.t_us, t_us)))

    def take_results(self) -> tuple[list[NewEntry], list[tuple[str, Answer]]]:
        """What has to be journaled since the last call, and the answers that hang on it."""
        results = self._entries, self._decided
        self._entries, self._decided = [], []
        return results

    def replay(self, entry: NewEntry) -> None:
        """Fold a journaled entry again. Raises ValueError where it is not one."""
        self.reached_us = max(self.reached_us, entry.t_us)
        if entry.kind in ("command", "undo", "event", "advance"):
            self._apply(_entry(entry))
            self._entries.clear()
            self._decided.clear()

    def view(self, **context: Any) -> Mapping[str, Any]:
        """The public view; context: the fields of ViewContext that are not the game's own."""
        return self.kind.encode(
            self._state,
            ViewContext(
                game=self.id,
                kind=self.name,
                version=self.version,
                settings=self.settings,
                rulings=tuple(self._rulings[-_KEPT_RULINGS:]),
                pending=tuple(e.id for e in self._waiting if isinstance(e, Command)),
                answers=self._answers,
                **context,
            ),
        )

    def _apply(self, entry: TableEvent | Command | Advance) -> None:
        """Fold one entry and note what has to be journaled."""
        entry = replace(entry, t_us=max(entry.t_us, self.reached_us))
        self.reached_us = entry.t_us
        if isinstance(entry, Command) and self._stale(entry):
            self._answer(entry, Answer("refused", "stale"))
            return
        step: Step[Any] = self.kind.game.apply(self._state, entry)
        if isinstance(entry, Command):
            self._answer(entry, Answer("refused", step.refusal.code) if step.refusal else Answer("applied"))
        if step.refusal or (isinstance(entry, Advance) and not step.rulings):
            return
        self._state = step.state
        self._rulings += step.rulings
        self._count(entry, step.rulings)
        kind, body = _body(entry)
        rulings = tuple(_plain(ruling) for ruling in step.rulings)
        self._entries.append(NewEntry(self.id, kind, self.kind.game.version, entry.t_us, body, rulings))

    def _stale(self, command: Command) -> bool:
        """Whether the press was made against a view that it no longer fits.

        A move is about the turn as it was seen; anything else is stale only when the very same was done since (two
        phones, or two taps, saying the same thing).
        """
        if command.name in self.kind.moves and command.version < self._border:
            return True
        return command.version < self._pressed.get(_same(command), 0)

    def _count(self, entry: TableEvent | Command | Advance, rulings: tuple[Ruling, ...]) -> None:
        self.version += 1
        if any(ruling.kind in self.kind.borders for ruling in rulings):
            self._border = self.version
        if isinstance(entry, Command):
            self._pressed[_same(entry)] = self.version
            if entry.name in self.kind.moves:
                self._border = self.version

    def _answer(self, command: Command, answer: Answer) -> None:
        self._decided.append((command.id, answer))
        self._answers[command.id] = {"status": answer.status, "code": answer.code}
        while len(self._answers) > _KEPT_ANSWERS:
            self._answers.popitem(last=False)


def _same(command: Command) -> str:
    return json.dumps([command.name, command.player, dict(command.args)], sort_keys=True)


def _order(entry: TableEvent | Command) -> tuple[int, int, str]:
    return entry.t_us, isinstance(entry, Command), getattr(entry, "id", "")


def _body(entry: TableEvent | Command | Advance) -> tuple[str, dict[str, Any]]:
    if isinstance(entry, TableEvent):
        return "event", to_json(entry)
    if isinstance(entry, Advance):
        return "advance", {"t_us": entry.t_us}
    return "command", {
        "id": entry.id,
        "name": entry.name,
        "t_us": entry.t_us,
        "version": entry.version,
        "by": entry.by,
        "player": entry.player,
        "args": dict(entry.args),
    }


def _entry(entry: NewEntry) -> TableEvent | Command | Advance:
    """The inverse of `_body`. Raises ValueError where the entry is not one."""
    if entry.kind == "event":
        event = from_json(entry.body)
        if not isinstance(event, TableEvent):
            raise ValueError("a journaled event is none")
        return event
    try:
        return Advance(**entry.body) if entry.kind == "advance" else Command(**entry.body)
    except TypeError as error:
        raise ValueError(f"a journaled {entry.kind} is none: {error}") from error


def _plain(ruling: Ruling) -> dict[str, Any]:
    return {
        "t_us": ruling.t_us,
        "kind": ruling.kind,
        "clause": ruling.clause,
        "player": ruling.player,
        "data": dict(ruling.data),
        "asked": ruling.asked,
    }
