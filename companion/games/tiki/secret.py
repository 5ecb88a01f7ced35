"""Secret cards (T04) and the pack they come from (T23)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from companion.games.tiki.refusal import RefusedError
from companion.games.tiki.tikis import GROUPS, Tiki

SecretCard: TypeAlias = tuple[Tiki, Tiki, Tiki]
"""Top, middle, bottom."""

CARDS = 27


def secret_card(tikis: Sequence[Tiki]) -> SecretCard:
    """T04: three different tikis, any three: the real list is not published."""
    if len(tikis) != 3 or len(set(tikis)) != 3:
        raise RefusedError("three_different")
    return (tikis[0], tikis[1], tikis[2])


def expected_kind(card: SecretCard) -> bool:
    """T04: a card with one tiki of each group. The page may ask "sure?" where another kind is entered."""
    return all(not group.isdisjoint(card) for group in GROUPS)


@dataclass(frozen=True, slots=True)
class Pack:
    """The 27 secret cards: how many lie undealt, and which shown ones cannot come back before a shuffle."""

    undealt: int = CARDS
    discards: tuple[SecretCard, ...] = ()

    def must_shuffle(self, players: int) -> bool:
        """T23: only when fewer are left than players are the discards shuffled in (Ours)."""
        return self.undealt < players

    def deal(self, players: int) -> "Pack":
        """One card to each player of the round."""
        if self.must_shuffle(players):
            return Pack(CARDS - players)
        return Pack(self.undealt - players, self.discards)

    def discard(self, shown: tuple[SecretCard, ...]) -> "Pack":
        """T14: the old cards are discarded. Cards that were never shown stay unknown (T18)."""
        return Pack(self.undealt, self.discards + shown)


def twins(cards: Sequence[tuple[int, SecretCard]]) -> tuple[tuple[int, ...], ...]:
    """Groups of players who hold the same card, which cannot be (T04); said at the reveal only (T23)."""
    holders: dict[SecretCard, list[int]] = {}
    for player, card in cards:
        holders.setdefault(card, []).append(player)
    return tuple(tuple(players) for players in holders.values() if len(players) > 1)
