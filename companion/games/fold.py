"""A game's state as a fold over its entries, with undo and dispute as entries among them (docs/architecture.md, Y22).

Knows nothing of a rule or of a file: the journal stores the entries in the order in which they are
folded, and folding them again gives the same state. Undo takes back the last effective step; the time
that has passed since is given back, but not the numbers of rulings: one that is undone keeps its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from companion.games.game import Advance, Command, Entry, Game, Refusal, Ruling, Step
from companion.table import BoardTime

S = TypeVar("S")

DEPTH = 64
"""Steps that can be undone, one after the other."""

COMMANDS = ("undo", "dispute", "confirm", "reject")
"""undo: the last step. dispute (ruling: number): propose to undo back to it; confirm, reject: by another
player, or by the table as a whole (table: true)."""


RULINGS: dict[str, str] = {
    "undone": "Y22: what, undone (numbers of rulings), steps, by",
    "disputed": "Y22: ruling (its number), by; another player confirms or rejects",
    "dispute_agreed": "Y22: as undone",
    "dispute_rejected": "Y22: ruling, proposed_by, by; it stands",
}
"""Rulings of the fold, beside those of the game."""

REFUSALS = ("nothing_to_undo", "no_such_ruling", "no_dispute", "same_player")


@dataclass(frozen=True, slots=True)
class Done(Generic[S]):
    """An effective step that can be undone: the state before it, and since when that state's clock had run.

    first: number of its first ruling; rulings: how many. what, by: command or kind of its first ruling,
    and who.
    """

    before: S
    since_us: BoardTime
    first: int
    rulings: int
    what: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Dispute:
    """A proposal to undo back to a ruling; player: who proposes."""

    ruling: int
    player: int | None
    by: str


@dataclass(frozen=True, slots=True)
class Folded(Generic[S]):
    """The state, the steps that can be undone (newest last), the open dispute, and the time reached.

    undone: how often steps have been taken back so far.
    """

    state: S
    reached_us: BoardTime = 0
    done: tuple[Done[S], ...] = ()
    last_us: BoardTime = 0
    dispute: Dispute | None = None
    undone: int = 0


class Fold(Generic[S]):
    """Folds entries of one game, which come in order of time (companion/games/order.py)."""

    def __init__(self, game: Game[S]) -> None:
        self.game = game

    def start(self, settings: Mapping[str, Any]) -> Folded[S]:
        """The beginning. Raises ValueError, naming the setting, where settings are wrong."""
        return Folded(self.game.start(settings))

    def apply(self, folded: Folded[S], entry: Entry) -> tuple[Folded[S], Step[S]]:
        """The next state with its rulings. What time alone brings is a step of its own, undone by itself.

        With a refusal the result is the one before, and whatever was due stays due.
        """
        timed, due = self._passing(folded, entry.t_us)
        if isinstance(entry, Advance):
            return timed, Step(timed.state, due)
        if isinstance(entry, Command) and entry.name in COMMANDS:
            after, step = self._take_back(timed, entry)
        else:
            after, step = self._play(timed, entry)
        if step.refusal is not None:
            return folded, Step(folded.state, (), step.refusal)
        return after, Step(after.state, (*due, *step.rulings))

    def _passing(self, folded: Folded[S], t_us: BoardTime) -> tuple[Folded[S], tuple[Ruling, ...]]:
        """Let time pass up to t_us, due by due."""
        rulings: list[Ruling] = []
        while (due := self.game.next_due(folded.state)) is not None and due <= t_us:
            due = max(due, folded.reached_us)
            step = self.game.apply(folded.state, Advance(due))
            if step.state == folded.state:
                break
            # the clock of the state before had run since the step before: undo gives all of it back
            what = step.rulings[0].kind if step.rulings else "time"
            folded = self._done(folded, step, due, folded.last_us, what)
            rulings += step.rulings
        return replace(folded, reached_us=max(folded.reached_us, t_us)), tuple(rulings)

    def _play(self, folded: Folded[S], entry: Entry) -> tuple[Folded[S], Step[S]]:
        step = self.game.apply(folded.state, entry)
        if step.refusal is not None:
            return folded, step
        pressed = isinstance(entry, Command) and step.state != folded.state
        if step.rulings or pressed:
            what = entry.name if isinstance(entry, Command) else step.rulings[0].kind
            by = entry.by if isinstance(entry, Command) else ""
            return self._done(folded, step, entry.t_us, entry.t_us, what, by), step
        return replace(folded, state=step.state), step

    def _done(
        self, folded: Folded[S], step: Step[S], t_us: BoardTime, since_us: BoardTime, what: str, by: str = ""
    ) -> Folded[S]:
        first = self.game.ruled(folded.state) + 1
        done = Done(folded.state, since_us, first, len(step.rulings), what, by)
        reached_us = max(t_us, folded.reached_us)
        return replace(
            folded, state=step.state, reached_us=reached_us, done=(*folded.done, done)[-DEPTH:], last_us=t_us
        )

    def _take_back(self, folded: Folded[S], command: Command) -> tuple[Folded[S], Step[S]]:
        if command.name == "undo":
            if not folded.done:
                return self._refuse(folded, "nothing_to_undo")
            return self._back_to(folded, len(folded.done) - 1, command, "undone")
        if command.name == "dispute":
            return self._propose(folded, command)
        dispute = folded.dispute
        if dispute is None:
            return self._refuse(folded, "no_dispute")
        another = command.player is not None and command.player != dispute.player
        if not another and command.args.get("table") is not True:
            return self._refuse(folded, "same_player")
        data = {"ruling": dispute.ruling, "proposed_by": dispute.by, "by": command.by}
        if command.name == "reject":
            ruling = Ruling(command.t_us, "dispute_rejected", "Y22", dispute.player, data)
            return replace(folded, dispute=None), Step(folded.state, (ruling,))
        index = self._step_of(folded, dispute.ruling)
        if index < 0:
            return self._refuse(folded, "no_such_ruling")
        return self._back_to(folded, index, command, "dispute_agreed")

    def _propose(self, folded: Folded[S], command: Command) -> tuple[Folded[S], Step[S]]:
        number = command.args.get("ruling")
        if type(number) is not int or self._step_of(folded, number) < 0:
            return self._refuse(folded, "no_such_ruling")
        dispute = Dispute(number, command.player, command.by)
        ruling = Ruling(command.t_us, "disputed", "Y22", command.player, {"ruling": number, "by": command.by})
        return replace(folded, dispute=dispute), Step(folded.state, (ruling,))

    @staticmethod
    def _step_of(folded: Folded[S], ruling: int) -> int:
        """Index of the step that made the ruling of this number, -1 if it cannot be undone."""
        for index, done in enumerate(folded.done):
            if done.first <= ruling < done.first + done.rulings:
                return index
        return -1

    def _back_to(self, folded: Folded[S], index: int, command: Command, kind: str) -> tuple[Folded[S], Step[S]]:
        """Before the step of this index: piles, turn and timer together; the time since then is given
        back.
        """
        done = folded.done[index]
        state = self.game.shift(done.before, command.t_us - done.since_us)
        state = self.game.number_on(state, self.game.ruled(folded.state))
        undone = [number for later in folded.done[index:] for number in range(later.first, later.first + later.rulings)]
        data = {"what": done.what, "undone": undone, "steps": len(folded.done) - index, "by": command.by}
        dispute = folded.dispute
        if kind == "dispute_agreed" or (dispute is not None and dispute.ruling in undone):
            dispute = None
        after = Folded(state, folded.reached_us, folded.done[:index], command.t_us, dispute, folded.undone + 1)
        return after, Step(state, (Ruling(command.t_us, kind, "Y22", command.player, data),))

    @staticmethod
    def _refuse(folded: Folded[S], code: str) -> tuple[Folded[S], Step[S]]:
        return folded, Step(folded.state, (), Refusal(code, "Y22"))
