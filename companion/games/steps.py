"""Steps of a game, one after the other: folding an entry, letting time pass, and folding the past again.

Undo, dispute and edit stand on it (companion/games/fold.py).
"""

from dataclasses import replace
from typing import Any, Generic, TypeVar

from companion.games.game import Advance, Command, Game, Refusal, Ruling, Step
from companion.games.past import Done, Folded, GivenBack, Renumbered, Written, with_step
from companion.table import SECOND, BoardTime

S = TypeVar("S")

SPARE_US = 3 * SECOND
"""After an undo nothing comes due by time alone for so long: the button is held for a second."""


class Steps(Generic[S]):
    """How one game goes from step to step."""

    def __init__(self, game: Game[S]) -> None:
        self.game = game

    def passing(self, folded: Folded[S], t_us: BoardTime) -> tuple[Folded[S], tuple[Ruling, ...]]:
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

    def play(self, folded: Folded[S], written: Written) -> tuple[Folded[S], Step[S]]:
        entry = written.entry
        step = self.game.apply(folded.state, entry)
        if step.refusal is not None:
            return folded, step
        after = replace(folded, state=step.state)
        pressed = isinstance(entry, Command) and step.state != folded.state
        if step.rulings or pressed:
            what = entry.name if isinstance(entry, Command) else step.rulings[0].kind
            by = entry.by if isinstance(entry, Command) else ""
            after = self._done(folded, step, entry.t_us, entry.t_us, what, by, written.number)
        return replace(after, past=(*folded.past, written)), step

    def _done(
        self,
        folded: Folded[S],
        step: Step[S],
        t_us: BoardTime,
        since_us: BoardTime,
        what: str,
        by: str = "",
        entry: int = 0,
    ) -> Folded[S]:
        first, last_us = self.game.ruled(folded.state) + 1, folded.last_us
        at, count = len(folded.past), len(step.rulings)
        done = Done(folded.state, at, t_us, since_us, last_us, first, count, what, by, entry)
        reached_us = max(t_us, folded.reached_us)
        return replace(folded, state=step.state, reached_us=reached_us, done=with_step(folded.done, done), last_us=t_us)

    def item(self, folded: Folded[S], item: Written | GivenBack | Renumbered) -> tuple[Folded[S], Step[S]]:
        """One item of the past folded again."""
        if isinstance(item, Written):
            timed, due = self.passing(folded, item.entry.t_us)
            after, step = self.play(timed, item)
            return after, Step(after.state, (*due, *step.rulings), step.refusal)
        due = ()
        state = folded.state
        if isinstance(item, GivenBack):
            folded, due = self.passing(folded, item.since_us)
            earliest_us = item.t_us + SPARE_US if item.ruled else 0  # 0: of a dispute, whose clocks only stood
            state = self.game.shift(folded.state, item.t_us - item.since_us, earliest_us)
            folded = replace(folded, reached_us=max(folded.reached_us, item.t_us), last_us=item.t_us)
        state = self.game.number_on(state, max(item.ruled, self.game.ruled(state)))
        return replace(folded, state=state, past=(*folded.past, item)), Step(state, due)

    def up_to(self, folded: Folded[S], index: int, steps: int | None = None) -> Folded[S]:
        """All as it was when the past had `index` items (and `steps` steps were done): from the newest state kept
        before that, or from the beginning.
        """
        again: Folded[S] = Folded(folded.begin, folded.begin)
        for place, done in enumerate(folded.done[:steps]):
            if done.at > index:
                break
            if done.before is not None and done.was is None:
                again = Folded(
                    done.before,
                    folded.begin,
                    done.last_us,
                    folded.done[:place],
                    done.last_us,
                    past=folded.past[: done.at],
                )
        for item in folded.past[len(again.past) : index]:
            again, _ = self.item(again, item)
        return again

    def before(self, folded: Folded[S], index: int) -> Folded[S]:
        """All as it was before the step of this index."""
        done = folded.done[index]
        if done.before is not None:
            return replace(folded, state=done.before, done=folded.done[:index], past=folded.past[: done.at])
        again = self.up_to(folded, done.at, index)
        again, _ = self.passing(again, done.t_us)
        if len(again.done) > index:  # it was time alone that made the step
            before = again.done[index].before
            assert before is not None
            again = replace(again, state=before, done=again.done[:index])
        return again


def refused(folded: Folded[S], code: str, **args: Any) -> tuple[Folded[S], Step[S]]:
    """All stays as it was; code: one of the fold's own (companion/games/fold.py)."""
    return folded, Step(folded.state, (), Refusal(code, "Y22", args))
