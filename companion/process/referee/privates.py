"""What single phones may see besides the public views: published with them, read by any number of threads."""

import json
from collections.abc import Mapping
from typing import Any


class Privates:
    """Encoded values by game, player and mark of the phone. For anybody else's the answer is the same as for none."""

    def __init__(self) -> None:
        self._games: dict[str, Mapping[tuple[int, str], bytes]] = {}

    def publish(self, views: Mapping[str, Mapping[tuple[int, str], Mapping[str, Any]]]) -> None:
        """Replace those of the games given."""
        for game, shown in views.items():
            self._games[game] = {
                whose: json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
                for whose, value in shown.items()
            }

    def of(self, game: str, player: int, mark: str) -> bytes:
        """JSON for this phone about this player; `null` where it has nothing to see."""
        return self._games.get(game, {}).get((player, mark), b"null")
