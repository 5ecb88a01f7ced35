"""One entry being judged: the state so far, the time, the rulings made."""

from dataclasses import replace
from typing import Any

from companion.games.game import Refusal, Ruling
from companion.games.logline import LogLine
from companion.games.yikerz.names import Where
from companion.games.yikerz.state import State
from companion.games.yikerz.stones import BoardStone, Hand, Take
from companion.table import BoardTime

LOG_LINES = 32
"""Rulings that the state keeps for the page; the journal keeps all."""


class Refused(Exception):  # noqa: N818 - the word of the journal
    """A command is not accepted; caught in game.py, never seen outside."""

    def __init__(self, code: str, clause: str = "", **args: Any) -> None:
        super().__init__(code)
        self.refusal = Refusal(code, clause, args)


class Hearing:
    """The state while one entry is judged. Only here is it replaced; the rulings come out in order."""

    def __init__(self, state: State, t_us: BoardTime) -> None:
        self.state = state
        self.t_us = t_us
        self.rulings: list[Ruling] = []

    def set(self, **changes: Any) -> None:
        """Replace fields of the state."""
        self.state = replace(self.state, **changes)

    def rule(self, kind: str, clause: str, seat: int | None = None, asked: bool = False, **data: Any) -> None:
        """Make a ruling about the player at a seat (None: about nobody; -1: the stones go into the bag, Y33)."""
        if seat is not None and seat < 0:
            data["to"] = "bag"
        player = self.state.players[seat].id if seat is not None and seat >= 0 else None
        self.rulings.append(Ruling(self.t_us, kind, clause, player, data, asked))
        number = self.state.ruled + 1
        line = LogLine(number, self.t_us, kind, clause, player, data, asked)
        self.set(ruled=number, log=(*self.state.log, line)[-LOG_LINES:])

    # what the state says about one stone

    def hand(self, track: int) -> Hand | None:
        """The hand that carries the track."""
        return next((h for h in self.state.hands if h.track == track), None)

    def take(self, track: int) -> Take | None:
        """What is to be taken under this track."""
        return next((t for t in self.state.takes if t.track == track), None)

    def fallen(self, track: int) -> bool:
        """Whether it lies on the table beside the board, to be taken, or is only supposed to have been (Y35)."""
        take = self.take(track)
        return take is not None and take.where is Where.TABLE

    def lies(self, track: int) -> bool:
        """Whether the track is a stone on the board, let go."""
        return any(stone.track == track for stone in self.state.board)

    def owner(self, track: int) -> int | None:
        """The seat whose stone the track is known to be, off the board."""
        return next((seat for known, seat in self.state.owners if known == track), None)

    # small changes

    def set_hand(self, hand: Hand) -> None:
        """Add or replace the hand of this track."""
        others = [h for h in self.state.hands if h.track != hand.track]
        self.set(hands=tuple(sorted([*others, hand], key=lambda h: h.track)))

    def drop_hand(self, track: int) -> None:
        """No hand carries the track any more."""
        self.set(hands=tuple(h for h in self.state.hands if h.track != track))

    def set_take(self, take: Take) -> None:
        """Add or replace what is to be taken under this track."""
        others = [t for t in self.state.takes if t.track != take.track]
        self.set(takes=tuple(sorted([*others, take], key=lambda t: t.track)))

    def drop_take(self, track: int) -> None:
        """Nothing is to be taken under this track any more."""
        self.set(takes=tuple(t for t in self.state.takes if t.track != track))

    def set_lifted(self, track: int, lifted: bool) -> None:
        """Mark a stone of the board as carried by a hand, or not."""
        stones = [BoardStone(s.track, lifted) if s.track == track else s for s in self.state.board]
        self.set(board=tuple(stones))

    def own(self, track: int, seat: int | None) -> None:
        """Remember whose stone a track is (None: it lies on the board)."""
        others = [pair for pair in self.state.owners if pair[0] != track]
        kept = others if seat is None or seat < 0 or seat in self.state.away else [*others, (track, seat)]
        self.set(owners=tuple(sorted(kept)))

    def empty_pile(self, seat: int) -> None:
        """All stones of this pile go into the bag, also those in a hand; whose they were is forgotten."""
        piles, owners = list(self.state.piles), self.state.owners
        if seat >= len(piles):
            return
        bag = self.state.bag + piles[seat]
        piles[seat] = 0
        self.set(piles=tuple(piles), bag=bag, owners=tuple(pair for pair in owners if pair[1] != seat))

    def virtual(self) -> int:
        """A number for a stone that only a button or a count tells of (Y24)."""
        number = self.state.next_virtual
        self.set(next_virtual=number - 1)
        return number

    def uncovered(self) -> list[int]:
        """Tracks on the board that a take of "some" stone may still mean, the newest last."""
        covered = {t.track for t in self.state.takes if t.where is Where.BOARD}
        return [s.track for s in self.state.board if s.track not in covered]

    def some(self) -> list[Take]:
        """Takes of stones on the board of which it is not known which they are."""
        return [t for t in self.state.takes if t.where is Where.SOME]
