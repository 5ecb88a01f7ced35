"""Points of a card and of a game. Totals are always added up from the rounds, never kept (I5, I7)."""

from collections.abc import Iterable
from dataclasses import dataclass

from companion.games.tiki.line import Line
from companion.games.tiki.secret import SecretCard
from companion.games.tiki.tikis import Tiki

VALUES: tuple[tuple[int, int], ...] = ((9, 1), (5, 2), (2, 3))
"""T12: points of the top, middle and bottom tiki of a card, and the lowest place in which they are given."""


@dataclass(frozen=True, slots=True)
class Gain:
    """What one tiki of a card earned. place: 1, 2 or 3, None where it is lower or has left (T20)."""

    tiki: Tiki
    place: int | None
    points: int


def gains(card: SecretCard, places: Line) -> tuple[Gain, Gain, Gain]:
    """The three gains of a card, given the first three of the line (T12, T20)."""

    def gain(tiki: Tiki, points: int, lowest: int) -> Gain:
        place = places.index(tiki) + 1 if tiki in places else None
        return Gain(tiki, place, points if place is not None and place <= lowest else 0)

    top, middle, bottom = (gain(tiki, *value) for tiki, value in zip(card, VALUES, strict=True))
    return (top, middle, bottom)


def points(card: SecretCard, places: Line) -> int:
    """T12: 9 for the top tiki in 1st, 5 for the middle one in 1st or 2nd, 2 for the bottom one in 1st to
    3rd."""
    return sum(gain.points for gain in gains(card, places))


@dataclass(frozen=True, slots=True)
class ScoredRound:
    """A round that counted. final: 0 for a round of the game, 1 for the first final round, and so on (T24).

    cards: by player, those who were in the round to its end.
    """

    starter: int
    final: int
    places: Line
    cards: tuple[tuple[int, SecretCard], ...]

    def points(self) -> dict[int, int]:
        """Points of each player who took part."""
        return {player: points(card, self.places) for player, card in self.cards}


def totals(players: Iterable[int], history: Iterable[ScoredRound]) -> dict[int, int]:
    """Points of each player: from 0 (T19) over the rounds of the game; a final adds none (T24)."""
    out = dict.fromkeys(players, 0)
    for scored in history:
        if scored.final == 0:
            for player, gained in scored.points().items():
                out[player] += gained
    return out
