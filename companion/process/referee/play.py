"""One game being refereed: what waits for its time, the fold, and what pages are told besides the state."""

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import Any

from companion.games.fold import Fold
from companion.games.game import Advance, Command, Entry
from companion.games.order import Order
from companion.games.steps import SPARE_US
from companion.journal import NewEntry
from companion.process.common.body import from_body, to_body
from companion.process.kinds.kind import GameKind
from companion.process.referee.freshness import Freshness
from companion.process.referee.outcome import Doubtful, Outcome
from companion.table import SECOND, BoardTime, EventKind, Health, Picture, TableEvent
from companion.views.context import Undoable, ViewContext
from companion.views.port import Answer

_SHOWN_UNDO = 20
_LOG = logging.getLogger(__name__)


class ResumeError(Exception):
    """Folding a journaled entry again did not give what it gave then."""


class Play:
    """A game. version: counts what changed it. fault: code of the reason for which it is judged no more, or "".

    changed: since the last `view`. behind_us: how far its own time is behind game time, for which it has stood still.
    followed: it has had the sensors at some time. resumed: it is of an earlier run, and neither a person nor the table
    has gone on with it since.
    """

    def __init__(
        self,
        game_id: str,
        name: str,
        kind: GameKind,
        settings: Mapping[str, Any],
        at_us: BoardTime = 0,
        after: str = "",
    ) -> None:
        """Raises ValueError, naming the setting, where settings are wrong. at_us: game time at which it begins.

        after: the game after which the same people made this one, "" for none.
        """
        self.id, self.name, self.kind, self.settings = game_id, name, kind, settings
        self.after = after
        self.fault = ""
        self.changed = True
        self.followed = False
        self.behind_us = 0
        self._stands_us: BoardTime | None = None
        self.resumed = False
        self.over = False  # it has ended by what was ruled then, though it cannot be folded again to its end
        self._fold = Fold(kind.game)
        self._folded = self._fold.start(settings)
        self._order = Order(at_us)
        self._undrawn = False
        self._fresh = Freshness(kind)
        self._outcome = Outcome()

    @property
    def version(self) -> int:
        return self._fresh.version

    @property
    def reached_us(self) -> BoardTime:
        """Game time up to which it has been judged."""
        return self._order.reached_us

    @property
    def phase(self) -> str:
        return "game_end" if self.over else self.kind.phase(self._folded.state)

    @property
    def cut_off(self) -> bool:
        """Whether it was under way in an earlier run, and neither a person nor the table has gone on with it since."""
        return self.resumed and self.phase not in ("lobby", "game_end")

    @property
    def unattended(self) -> bool:
        """Whether it was begun with nobody to answer: the virtual table's own, or a recording's."""
        return self.settings.get("answers") == "nobody"

    @property
    def players(self) -> tuple[tuple[int, str] | tuple[int, str, str], ...]:
        return self.kind.players(self._folded.state)

    @property
    def waits(self) -> bool:
        """Whether time that passes can still change it: something is due or held back."""
        if self.fault:
            return False
        return bool(self._order.waiting) or self._fold.next_due(self._folded) is not None

    def offer(self, entry: TableEvent | Command) -> None:
        """An event or command in game time, judged when its time is complete."""
        if self.fault:
            self._put_off(entry)
        else:
            self._order.put(entry)
            self.changed |= isinstance(entry, Command)

    def complete(self, t_us: BoardTime) -> None:
        """Judge everything up to t_us, in order of time."""
        if self.fault:
            return
        for entry in self._order.complete(t_us):
            if self.fault:
                self._put_off(entry)
                continue
            try:
                self._judge(entry)
            except Exception:  # one game that fails must not take the others and the pages down
                _LOG.exception("game %s stopped at %r", self.id, self.kind.veiled(entry))
                self.stop("game_failed")
                self._put_off(entry)

    @property
    def stands(self) -> bool:
        """Whether it waits, folded again after a stop, for somebody to look at it or to press."""
        return self._stands_us is not None

    def stand(self, now_us: BoardTime) -> None:
        """After a stop, at game time now_us: from where it was no time has passed and none passes before `go_on`.

        No clock has less than SPARE_US left then.
        """
        at_us, due_us = self.reached_us + SECOND, self._fold.next_due(self._folded)
        self._stands_us = at_us if due_us is None else min(at_us, due_us - SPARE_US)
        self.behind_us = now_us - self._stands_us

    def go_on(self, now_us: BoardTime) -> None:
        """Its time passes again, if it stood."""
        if self._stands_us is not None:
            self.behind_us, self._stands_us, self.changed = now_us - self._stands_us, None, True

    def catch_up(self, now_us: BoardTime) -> None:
        """Its own time is game time again, because it follows the table: what it missed is unseen (Y23)."""
        self.go_on(now_us)
        if self.behind_us > 0 and now_us > self.reached_us:
            start_us = self.reached_us + 1
            self.offer(TableEvent(EventKind.UNSEEN, start_us, count=0, t_report_us=now_us, until_us=now_us))
        self.behind_us = 0

    def pause(self) -> None:
        """Time stands still where it is: presses are judged there, at once; events wait on."""
        waiting, self._order = self._order.waiting, Order(self._order.reached_us)
        for entry in waiting:
            here = isinstance(entry, Command)
            self._order.put(replace(entry, t_us=self._order.reached_us) if here else entry)
        self.complete(self._order.reached_us)

    def stop(self, fault: str) -> None:
        """Judge nothing any more; what waits is refused. The state stays as it is."""
        self.fault, self.changed = fault, True
        for entry in self._order.waiting:
            self._put_off(entry)
        self._order = Order(self._order.reached_us)

    def take_results(self) -> tuple[list[NewEntry], list[tuple[str, Answer]]]:
        """What has to be journaled since the last call, and the answers that hang on it."""
        return self._outcome.take_results()

    def take_doubtful(self) -> list[Doubtful]:
        """Rulings since the last call that people may want to see again."""
        return self._outcome.take_doubtful()

    def recorded(self) -> Mapping[str, Any]:
        """The state as the game.json beside a clip."""
        return self.kind.recorded(self._folded.state) if self.kind.recorded else {}

    def replay(self, entry: NewEntry) -> None:
        """Fold a journaled entry again. Raises ResumeError where it does not give the rulings that it gave."""
        self._order.complete(max(entry.t_us, self._order.reached_us))
        if entry.kind not in ("command", "undo", "event", "advance"):
            return
        try:
            self._judge(from_body(entry), again=True)
        except Exception as error:
            raise ResumeError(f"entry {entry.body!r} cannot be folded: {error}") from error
        again, _ = self.take_results()
        if not again or json.loads(json.dumps(again[0].rulings)) != list(entry.rulings):
            raise ResumeError(f"entry {entry.body!r} gives other rulings than it gave")

    def view(self, **context: Any) -> Mapping[str, Any]:
        """The public view; context: the fields of ViewContext that are not the game's own."""
        undoable = tuple(Undoable(done.what, done.by) for done in reversed(self._folded.done[-_SHOWN_UNDO:]))
        own = ViewContext(
            game=self.id,
            kind=self.name,
            version=self.version,
            settings=self.settings,
            undoable=undoable,
            undone=self._folded.undone,
            pending=tuple(entry.id for entry in self._order.waiting if isinstance(entry, Command)),
            answers=self._outcome.answers,
            notice=self.fault,
            entries=self._folded.commands,
            ruled={done.entry: done.first for done in self._folded.done if done.rulings},
            dispute=self._folded.dispute,
            laying=self._folded.laying,
            laid=self._folded.laid,
            insisted=self._folded.insisted,
            followed=self.followed,
        )
        self.changed = False
        try:
            return self.kind.encode(self._folded.state, replace(own, **context))
        except Exception:  # a fault in drawing must not stop the judging
            if not self._undrawn:
                _LOG.exception("game %s cannot be shown", self.id)
            self._undrawn = True
            return {"game": self.id, "kind": self.name, "version": self.version, "notice": "view_failed"}

    def foresight(self) -> Callable[[Mapping[str, Any]], Mapping[str, Any] | None] | None:
        """What a command would do to the game as it is now, to be asked from any thread; None: not of this kind."""
        foresee, state = self.kind.foresee, self._folded.state
        return None if foresee is None or self.fault else lambda asked: foresee(state, asked)

    def unlike(
        self, name: str, args: Mapping[str, Any], picture: Picture | None, health: Health | None
    ) -> dict[str, Any] | None:
        """What the sensors see otherwise than a command says, as JSON values; None where nothing speaks against it."""
        return None if self.kind.unlike is None else self.kind.unlike(self._folded, name, args, picture, health)

    def private(self) -> Mapping[tuple[int, str], Mapping[str, Any]]:
        """What single phones may see besides, by (player, mark of the phone)."""
        return self.kind.private(self._folded.state) if self.kind.private else {}

    def _judge(self, entry: Entry, again: bool = False) -> None:
        """Fold one entry and note what has to be journaled. again: it counted before, so it is not stale."""
        if isinstance(entry, Command) and not again and self._fresh.stale(entry):
            self._answer(entry, Answer("refused", "stale"))
            return
        if isinstance(entry, Command) and self.kind.edits_a_secret(entry, self._folded.commands):
            self._answer(entry, Answer("refused", "secret_entry"))
            return
        folded, step = self._fold.apply(self._folded, entry)
        if not again and _goes_on(entry):
            self.resumed = False
        if step.refusal is not None and isinstance(entry, Command):
            numbers = {"args": dict(step.refusal.args)} if step.refusal.args else None
            self._answer(entry, Answer("refused", step.refusal.code, numbers))
            return
        if isinstance(entry, Command):
            self._answer(entry, Answer("applied"))
        changed = folded.state != self._folded.state
        number = self.kind.game.ruled(self._folded.state)
        self._outcome.mark(step, entry, number, self._folded.done, self.kind.clipped)
        restated = self._fresh.restated(self._folded.state, folded.state) if changed else []
        self._folded = folded
        self.changed |= changed or bool(step.rulings)
        if isinstance(entry, Advance) and not step.rulings and not changed:
            return
        if step.rulings or restated or isinstance(entry, Command):
            self._fresh.count(entry, [ruling.kind for ruling in step.rulings], restated)
        kind, body = to_body(entry)
        rulings = tuple(asdict(ruling) for ruling in step.rulings)
        self._outcome.add(NewEntry(self.id, kind, self.kind.game.version, entry.t_us, body, rulings))

    def _put_off(self, entry: Entry) -> None:
        """A stopped game refuses presses and lets events go."""
        if isinstance(entry, Command):
            self._answer(entry, Answer("refused", self.fault))

    def _answer(self, command: Command, answer: Answer) -> None:
        self.changed = True
        self._outcome.answer(command, answer)


def _goes_on(entry: Entry) -> bool:
    """Whether somebody presses or the table tells something; that time passes, or was missed, is nobody's doing."""
    return isinstance(entry, Command) or (isinstance(entry, TableEvent) and entry.kind is not EventKind.UNSEEN)
