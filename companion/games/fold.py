"""A game's state as a fold over its entries, with undo, dispute and edit as entries among them (Y22).

Knows nothing of a rule or of a file: the journal stores the entries in the order in which they are
folded, and folding them again gives the same state. Undo takes back the last effective step; the time
that has passed since is given back, but not the numbers of rulings: one that is undone keeps its own. No clock has less
than SPARE_US left then: else what time brings would come again and again before the next undo could be pressed.
While a dispute is open the clock of the rules stands; what happens on the board is judged all the same. It stands too
while stones that an undo left elsewhere are laid back; their coming and going is then no move.
Edit changes an entry of any age (editing.py).
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Generic, TypeVar

from companion.games.editing import Editing
from companion.games.game import Advance, Command, Entry, Game, Ruling, Step
from companion.games.laying import LayingBack
from companion.games.logline import LogLine
from companion.games.past import (
    Dispute,
    Done,
    Folded,
    GivenBack,
    Laying,
    Written,
    numbers,
)
from companion.games.steps import SPARE_US, Steps, refused
from companion.table import BoardTime, TableEvent

__all__ = ["COMMANDS", "REFUSALS", "RULINGS", "Dispute", "Done", "Fold", "Folded", "Laying"]

S = TypeVar("S")

COMMANDS = ("undo", "dispute", "confirm", "reject", "edit", "lay")
"""undo: the last step. dispute (ruling: number): propose to undo back to it; confirm, reject: by another
player, or by the table as a whole (table: true). edit (entry: number; args: the new ones, or drop: true to strike
it out; player: another one, by id): a command that counts is put right. lay (how: laid, or as_it_lies): after an
undo that left stones elsewhere than the state has them."""


RULINGS: dict[str, str] = {
    "undone": "Y22: what, undone (numbers of rulings; restored: those that an undone edit had taken away), steps, by",
    "disputed": "Y22: ruling (its number), by; another player confirms or rejects",
    "dispute_agreed": "Y22: as undone",
    "dispute_rejected": "Y22: ruling, proposed_by, by; it stands",
    "laid": "Y22: after an undo the stones lie as the state has them; how (seen|laid|as_it_lies), by; "
    "insisted: though the sensors saw seen stones and not expected",
    "edited": "Y22: entry, what (its command), undone (numbers of rulings), by; the rulings made anew follow",
}
"""Rulings of the fold, beside those of the game."""

REFUSALS: dict[str, str] = {
    "nothing_to_undo": "",
    "no_such_ruling": "",
    "no_dispute": "",
    "same_player": "another player, or the whole table, confirms",
    "no_such_entry": "no command of this number counts",
    "nothing_changed": "an edit to what it says already",
    "nothing_to_lay": "the board lies as the state has it",
    "edit_breaks": "entry: a later one (its number) that would be refused, why: its refusal",
}


class Fold(Generic[S]):
    """Folds entries of one game, which come in order of time (companion/games/order.py)."""

    def __init__(self, game: Game[S]) -> None:
        self.game = game
        self._steps = Steps(game)
        self._laying, self._editing = LayingBack(game, self._steps), Editing(game, self._steps)

    def start(self, settings: Mapping[str, Any]) -> Folded[S]:
        """The beginning. Raises ValueError, naming the setting, where settings are wrong."""
        state = self.game.start(settings)
        return Folded(state, state)

    def apply(self, folded: Folded[S], entry: Entry) -> tuple[Folded[S], Step[S]]:
        """The next state with its rulings. What time alone brings is a step of its own, undone by itself.

        With a refusal the result is the one before, and whatever was due stays due.
        """
        if isinstance(entry, Advance) and folded.stands_since_us is not None:
            return replace(folded, reached_us=max(folded.reached_us, entry.t_us)), Step(folded.state)
        timed, due = self._passing(folded, entry.t_us)
        if isinstance(entry, Advance):
            return timed, Step(timed.state, due)
        if isinstance(entry, Command) and entry.name in COMMANDS:
            after, step = self._take_back(timed, entry)
        elif isinstance(entry, TableEvent) and timed.laying is not None:
            after, step = self._laying.seen(timed, entry)
        else:  # a press that counts goes on from the state: nothing is laid back any more
            after, step = self._steps.play(replace(timed, laying=None), Written(folded.entries + 1, entry))
        if step.refusal is not None:
            return folded, Step(folded.state, (), step.refusal)
        insisted = self._laying.insisted(folded, entry, after)
        return replace(after, entries=folded.entries + 1, insisted=insisted), Step(after.state, (*due, *step.rulings))

    def next_due(self, folded: Folded[S]) -> BoardTime | None:
        """When an Advance changes something, if nothing happens before; None: never, as while the clock stands."""
        return None if folded.stands_since_us is not None else self.game.next_due(folded.state)

    def _passing(self, folded: Folded[S], t_us: BoardTime) -> tuple[Folded[S], tuple[Ruling, ...]]:
        """Let time pass up to t_us. While the clock stands none passes for the rules: it is given back (Y22)."""
        since_us = folded.stands_since_us
        if since_us is None:
            return self._steps.passing(folded, t_us)
        if t_us <= since_us:
            return folded, ()
        folded, _ = self._steps.item(folded, GivenBack(since_us, t_us, 0))
        dispute = folded.dispute and replace(folded.dispute, since_us=t_us)
        return replace(folded, dispute=dispute, laying=folded.laying and replace(folded.laying, since_us=t_us)), ()

    def _take_back(self, folded: Folded[S], command: Command) -> tuple[Folded[S], Step[S]]:
        if command.name == "undo":
            if not folded.done:
                return refused(folded, "nothing_to_undo")
            return self._back_to(folded, len(folded.done) - 1, command, "undone")
        if command.name == "lay":
            return self._laying.pressed(folded, command)
        if command.name == "edit":
            return self._editing.pressed(folded, command)
        if command.name == "dispute":
            return self._propose(folded, command)
        dispute = folded.dispute
        if dispute is None:
            return refused(folded, "no_dispute")
        another = command.player is not None and command.player != dispute.player
        if not another and command.args.get("table") is not True:
            return refused(folded, "same_player")
        data = {"ruling": dispute.ruling, "proposed_by": dispute.by, "by": command.by}
        if command.name == "reject":
            ruling = Ruling(command.t_us, "dispute_rejected", "Y22", dispute.player, data)
            return replace(folded, dispute=None), Step(folded.state, (ruling,))
        index = self._step_of(folded, dispute.ruling)
        if index < 0:
            return refused(folded, "no_such_ruling")
        return self._back_to(folded, index, command, "dispute_agreed")

    def _propose(self, folded: Folded[S], command: Command) -> tuple[Folded[S], Step[S]]:
        number = command.args.get("ruling")
        if type(number) is not int or self._step_of(folded, number) < 0:
            return refused(folded, "no_such_ruling")
        log: tuple[LogLine, ...] = getattr(folded.state, "log", ())  # of a game that lists its rulings
        line = next((line for line in log if line.number == number), None)
        dispute = Dispute(number, command.player, command.by, command.t_us, line)
        ruling = Ruling(command.t_us, "disputed", "Y22", command.player, {"ruling": number, "by": command.by})
        return replace(folded, dispute=dispute), Step(folded.state, (ruling,))

    @staticmethod
    def _step_of(folded: Folded[S], ruling: int) -> int:
        """Index of the step that made the ruling of this number, -1 if it cannot be undone."""
        for index, done in enumerate(folded.done):
            if ruling in done.numbers:
                return index
        return -1

    def _back_to(self, folded: Folded[S], index: int, command: Command, kind: str) -> tuple[Folded[S], Step[S]]:
        """Before the step of this index: piles, turn and timer together; the time since then is given
        back.
        """
        done = folded.done[index]
        base = done.was or self._steps.before(folded, index)
        ruled = self.game.ruled(folded.state)
        spare_us = command.t_us + SPARE_US
        state = self.game.number_on(self.game.shift(base.state, command.t_us - done.since_us, spare_us), ruled)
        had, has = numbers(folded.done), numbers(base.done)
        data = {"what": done.what, "undone": sorted(had - has), "steps": len(folded.done) - index, "by": command.by}
        if has - had:
            data["restored"] = sorted(has - had)
        dispute = folded.dispute
        if kind == "dispute_agreed" or (dispute is not None and dispute.ruling not in has):
            dispute = None
        after = Folded(
            state,
            folded.begin,
            folded.reached_us,
            base.done,
            command.t_us,
            dispute,
            folded.undone + 1,
            (*base.past, GivenBack(done.since_us, command.t_us, ruled)),
            laying=self._laying.needed(folded, state, command.t_us),
            laid=folded.laid,
        )
        return after, Step(state, (Ruling(command.t_us, kind, "Y22", command.player, data),))
