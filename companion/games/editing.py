"""An entry of any age is put right: all that follows is folded again, so totals are never patched (I1, I5).

Part of companion/games/fold.py.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Generic, TypeVar

from companion.games.game import Command, Game, Ruling, Step
from companion.games.past import Done, Folded, Past, Renumbered, Written, numbers, with_step
from companion.games.steps import Steps, refused

S = TypeVar("S")


class Editing(Generic[S]):
    """What `edit` makes of the past."""

    def __init__(self, game: Game[S], steps: Steps[S]) -> None:
        self.game = game
        self._steps = steps

    def pressed(self, folded: Folded[S], command: Command) -> tuple[Folded[S], Step[S]]:
        """An entry of any age is put right, and all that follows is folded again."""
        found = self._command_of(folded, command.args.get("entry"))
        if found is None:
            return refused(folded, "no_such_entry")
        index, number, entry = found
        args, player = command.args.get("args", entry.args), command.args.get("player", entry.player)
        drop = command.args.get("drop", False)
        if not isinstance(args, Mapping) or not (player is None or type(player) is int) or not isinstance(drop, bool):
            return refused(folded, "bad_args")
        changed = replace(entry, args=args, player=player)
        if changed == entry and not drop:
            return refused(folded, "nothing_changed")
        ruled = self.game.ruled(folded.state)
        again = self._steps.up_to(folded, index)
        again = replace(again, state=self.game.number_on(again.state, ruled), past=(*again.past, Renumbered(ruled)))
        rest: Past = folded.past[index + 1 :] if drop else (Written(number, changed), *folded.past[index + 1 :])
        rulings: list[Ruling] = []
        for item in rest:
            again, step = self._steps.item(again, item)
            if step.refusal is not None and isinstance(item, Written):
                if item.number == number:
                    return folded, Step(folded.state, (), step.refusal)
                return refused(folded, "edit_breaks", entry=item.number, why=step.refusal.code)
            rulings += step.rulings
        again, due = self._steps.passing(again, folded.reached_us)
        had, has = numbers(folded.done), numbers(again.done)
        data = {"entry": number, "what": entry.name, "undone": sorted(had - has), "by": command.by}
        done = Done(
            folded.state,
            len(again.past),
            command.t_us,
            command.t_us,
            folded.last_us,
            self.game.ruled(again.state) + 1,
            0,
            "edit",
            command.by,
            folded.entries + 1,
            folded,
        )
        dispute = folded.dispute if folded.dispute is not None and folded.dispute.ruling in has else None
        after = replace(
            again,
            done=with_step(again.done, done),
            last_us=command.t_us,
            dispute=dispute,
            undone=folded.undone,
            laying=folded.laying,
            laid=folded.laid,
            insisted=folded.insisted,
        )
        ruling = Ruling(command.t_us, "edited", "Y22", command.player, data)
        return after, Step(after.state, (ruling, *rulings, *due))

    @staticmethod
    def _command_of(folded: Folded[S], number: Any) -> tuple[int, int, Command] | None:
        """Where in the past the command of this number stands, the number, and the command."""
        for index, item in enumerate(folded.past if type(number) is int else ()):
            if isinstance(item, Written) and isinstance(item.entry, Command) and item.number == number:
                return index, item.number, item.entry
        return None
