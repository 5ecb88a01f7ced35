"""A CirKis table for tests: commands with short names, set-ups on the board, and games played at random."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from companion.games.cirkis import CirKis, State, open_spaces, owners, preview
from companion.games.cirkis.pieces import coverable
from companion.games.cirkis.state import Phase, Piece
from companion.games.game import Command, Refusal, Ruling

PLACES = sorted(coverable())
Log = list[tuple[Command, tuple[Ruling, ...]]]


class Table:
    """A game in progress; every command that was accepted is in the log with its rulings."""

    def __init__(self, players: int = 3, **settings: Any) -> None:
        self.game = CirKis()
        self.settings = {"players": ["Ana", "Ben", "Cleo", "Dan"][:players], **settings}
        self.state: State = self.game.start(self.settings)
        self.log: Log = []

    def command(self, name: str, player: int | None = None, **args: Any) -> Command:
        return Command(id=f"c{len(self.log)}", name=name, t_us=len(self.log), player=player, args=args)

    def do(self, name: str, player: int | None = None, **args: Any) -> tuple[Ruling, ...]:
        """The rulings of a command that must be accepted."""
        command = self.command(name, player, **args)
        step = self.game.apply(self.state, command)
        assert step.refusal is None, step.refusal
        self.state = step.state
        self.log.append((command, step.rulings))
        return step.rulings

    def refused(self, name: str, player: int | None = None, **args: Any) -> Refusal:
        """The refusal of a command that must not be accepted and changes nothing."""
        step = self.game.apply(self.state, self.command(name, player, **args))
        assert step.refusal is not None
        assert step.state == self.state
        assert step.rulings == ()
        return step.refusal

    def lay(self, player: int, *spaces: Sequence[int]) -> None:
        """Set the scene: pieces lie there already, the last is the leader.

        Whose turn it is does not change.
        """
        for covered in spaces:
            self.state = self.state.with_deed(Piece(player, tuple(sorted(covered))))

    def turn(self, player: int) -> None:
        self.state = replace(self.state, turn=player)

    def fill(self, player: int, leave: Iterable[int], leader: Sequence[int]) -> None:
        """Cover the whole board by single spaces but for `leave`; the last piece is `leader`."""
        keep = set(leave) | set(leader) | owners(self.state).keys()
        self.lay(player, *[(space,) for space in range(165) if space not in keep], leader)

    def places(self) -> list[tuple[int, ...]]:
        """All that the player in turn may cover, by C04 alone; sorted."""
        held, open_now = owners(self.state).keys(), open_spaces(self.state)
        return [c for c in PLACES if not open_now.isdisjoint(c) and held.isdisjoint(c)]

    def play(self, rng: random.Random, moves: int = 400, extras: bool = False) -> None:
        """Play at random up to the end: now small pieces, now the best of a few; with extras people also
        leave, change seats, overrule, claim to be unable and begin new rounds.
        """
        for _ in range(moves):
            if self.state.phase is Phase.OVER:
                return
            if self.state.phase is Phase.BETWEEN:
                self.do("next_round")
            elif extras and rng.random() < 0.03:
                self.extra(rng)
            else:
                self.move(rng)

    def move(self, rng: random.Random) -> None:
        places = self.places()
        if not places:
            self.do("cannot_place")
            return
        few = [rng.choice(places) for _ in range(5)]
        style = rng.random()
        if style < 0.3:
            chosen = min(few, key=len)
        elif style < 0.8:
            chosen = max(few, key=lambda c: sum(award.points for award in preview(self.state, c).awards()))
        else:
            chosen = few[0]
        self.do("place", spaces=list(chosen))

    def extra(self, rng: random.Random) -> None:
        active = self.state.active()
        kind = rng.choice(["seats", "overrule", "cannot", "leave", "round"])
        if kind == "seats":
            order = list(self.state.seats)
            rng.shuffle(order)
            self.do("seats", order=order)
        elif kind == "overrule":
            free = sorted(set(range(165)) - owners(self.state).keys())
            who = self.state.turn if self.state.free else rng.choice(active)
            self.do("place", who, spaces=rng.sample(free, min(2, len(free))), overrule=True)
        elif kind == "cannot" and self.state.deeds:
            self.do("cannot_place")
        elif kind == "leave" and rng.random() < 0.3:
            self.do("leave", rng.choice(active))
        elif kind == "round" and rng.random() < 0.2:
            self.do("abandon", what="round")


def of_kind(rulings: Iterable[Ruling], kind: str) -> list[Ruling]:
    return [ruling for ruling in rulings if ruling.kind == kind]


@pytest.fixture(scope="session")
def table() -> Callable[..., Table]:
    """table(players=3, **settings): a new table."""
    return Table


@pytest.fixture(scope="session")
def kind() -> Callable[[Iterable[Ruling], str], list[Ruling]]:
    """kind(rulings, "points"): those of one kind."""
    return of_kind
