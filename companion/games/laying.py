"""After an undo that leaves stones elsewhere than the state has them: laid back, or the board counts as it lies.

Part of companion/games/fold.py; of games whose stones sensors see (OnBoard).
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Generic, TypeVar

from companion.games.game import Command, Game, OnBoard, Ruling, Step
from companion.games.logline import LogLine
from companion.games.past import Folded, Laying, Written, last_seen
from companion.games.steps import Steps, refused
from companion.table import BoardTime, TableEvent

S = TypeVar("S")

LAID_MM = 12.0
"""A stone that rests nearer to a place than this, a stone's radius and a bit, has been put back there."""


def insisted(args: Mapping[str, Any]) -> dict[str, Any]:
    """What the sensors saw otherwise when people said all the same how the stones lie, for the ruling (Y22)."""
    unlike = args.get("unlike")
    if args.get("insist") is not True or not isinstance(unlike, Mapping):
        return {}
    return {"insisted": True, "seen": unlike.get("seen"), "expected": unlike.get("expected")}


class LayingBack(Generic[S]):
    """What an undo asks of the board, and how that ends."""

    def __init__(self, game: Game[S], steps: Steps[S]) -> None:
        self.game = game
        self._steps = steps

    def needed(self, folded: Folded[S], state: S, t_us: BoardTime) -> Laying[S] | None:
        """What has to be laid back when `folded` is taken back to this state; None where the board lies so."""
        if not isinstance(self.game, OnBoard):
            return None
        was = folded.state if folded.laying is None else folded.laying.was
        lie, should = self.game.lies(was), self.game.lies(state)
        if lie is None or should is None or lie == should:
            return None
        back, off = tuple(sorted(should - lie)), tuple(sorted(lie - should))
        return Laying(was, back, off, last_seen(folded.past, back), t_us)

    def seen(self, folded: Folded[S], event: TableEvent) -> tuple[Folded[S], Step[S]]:
        """Stones that come and go while they are laid back are no moves; the board at rest shows that they lie."""
        assert isinstance(self.game, OnBoard)
        over = self.game.laid(folded.state, event)
        if not over and not self.game.carried_off(folded.state, event):
            return folded, Step(folded.state)
        after, step = self._steps.play(folded, Written(folded.entries + 1, event))
        if not over:
            return after, step
        laid = Ruling(event.t_us, "laid", "Y22", None, {"how": "seen", "by": ""})
        return replace(after, laying=None), replace(step, rulings=(laid, *step.rulings))

    def pressed(self, folded: Folded[S], command: Command) -> tuple[Folded[S], Step[S]]:
        """The table says that the stones are put back, or that the board counts as it lies."""
        laying, how = folded.laying, command.args.get("how")
        if laying is None:
            return refused(folded, "nothing_to_lay")
        if how not in ("laid", "as_it_lies"):
            return refused(folded, "bad_args")
        laid = Ruling(
            command.t_us, "laid", "Y22", command.player, {"how": how, "by": command.by, **insisted(command.args)}
        )
        number = self.game.ruled(folded.state)
        line = LogLine(number, laid.t_us, laid.kind, laid.clause, laid.player, laid.data)
        after = replace(folded, laying=None, laid=line)
        if how == "laid":
            said, step = self._steps.play(after, Written(folded.entries + 1, replace(command, player=None)))
            changes = step.refusal is None and step.state != after.state  # what the sensors see beside is denied
            return (said if changes else after), Step(step.state, (laid,))
        assert isinstance(self.game, OnBoard)
        name, args = self.game.as_it_lies(folded.state, laying.was)
        meant = replace(command, name=name, player=None, args=args)
        after, step = self._steps.play(after, Written(folded.entries + 1, meant))
        return after, replace(step, rulings=(laid, *step.rulings)) if step.refusal is None else step

    def insisted(self, folded: Folded[S], entry: TableEvent | Command, after: Folded[S]) -> bool:
        """Whether, after this entry, people have said how the stones lie against the sensors, and the board at rest
        has not shown it since (Y22).
        """
        game = self.game
        if not isinstance(game, OnBoard) or None in (game.lies(folded.state), game.lies(after.state)):
            return False
        if isinstance(entry, Command):
            return bool(insisted(entry.args)) or after.insisted
        return folded.insisted and (game.denied(after.state) or not game.laid(after.state, entry))
