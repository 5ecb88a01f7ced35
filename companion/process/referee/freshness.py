"""Which presses still fit the game: each carries the version of the view that it was made against."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from companion.games.game import Command, Entry
from companion.process.kinds.kind import GameKind


class Freshness:
    """What changed a game, and when. version: counts what changed it."""

    def __init__(self, kind: GameKind) -> None:
        self.version = 0
        self._kind = kind
        self._border = 0  # version of the last move, or ruling that ended a turn
        self._pressed: dict[str, int] = {}  # what was pressed -> version that it led to
        self._parts: dict[str, int] = {}  # what restates a part of the game -> version since which the part is as it is

    def stale(self, command: Command) -> bool:
        """Whether the press was made against a view that it no longer fits.

        A move is about the turn as it was seen, what restates a part of the game about that part; anything else is
        stale only when the very same was done since (two phones, or two taps, saying the same thing).
        """
        if command.version < self._parts.get(command.name, 0):
            return True
        if command.name in self._kind.moves and command.version < self._border:
            return True
        return command.version < self._pressed.get(self._same(command), 0)

    def restated(self, before: Any, after: Any) -> list[str]:
        """The commands whose part of the game is another in the state `after` than it was."""
        return [name for name, part in self._kind.restates.items() if part(after) != part(before)]

    def count(self, entry: Entry, rulings: Iterable[str], restated: Sequence[str]) -> None:
        """The entry has changed the game. rulings: the kinds it gave; restated: see there."""
        self.version += 1
        if not self._kind.borders.isdisjoint(rulings):
            self._border = self.version
        if isinstance(entry, Command):
            self._pressed[self._same(entry)] = self.version
            if entry.name in self._kind.moves:
                self._border = self.version
        self._parts.update(dict.fromkeys(restated, self.version))

    def _same(self, command: Command) -> str:
        """What two presses of the same have in common; "stale" must not tell that two secrets are the same (T18).

        Two edits of one entry are the same, whatever they make of it: the second has not seen the first.
        """
        if command.name == "edit":
            return json.dumps(["edit", command.args.get("entry")])
        seen = self._kind.veiled(command)
        return json.dumps([seen.name, seen.player, dict(seen.args)], sort_keys=True)
