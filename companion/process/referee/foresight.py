"""What a command would do, asked before it is pressed: answered by any thread from the states that are published.

It changes nothing, is journaled nowhere, and shows no state that the journal does not hold yet.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

_Foresee: TypeAlias = Callable[[Mapping[str, Any]], Mapping[str, Any] | None]


class Foresight:
    """By game, how its newest published state answers."""

    def __init__(self) -> None:
        self._games: dict[str, _Foresee | None] = {}

    def publish(self, foresights: Mapping[str, _Foresee | None]) -> None:
        """Replace those of the games given."""
        self._games.update(foresights)

    def of(self, game: str, asked: Mapping[str, Any]) -> bytes:
        """JSON for a command {name, player, args}; `null` where the game does not tell."""
        foresee = self._games.get(game)
        answer = None if foresee is None else foresee(asked)
        return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()
