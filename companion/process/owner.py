"""The owner: the one place where games change. It empties an inbox, journals, then publishes.

Its thread runs `run`; tests call `step`. Nothing is shown before it is on the disk (companion/process/saving.py).
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.clock import Clock
from companion.games.game import Command
from companion.journal import Journal, NewEntry
from companion.process.answers import Answers, Ticket
from companion.process.axis import Axis
from companion.process.clips import Clips, clip_name
from companion.process.documents import Documents
from companion.process.facts import TableFacts
from companion.process.inbox import Inbox, LinkDown, LinkUp, Message, Reports
from companion.process.kinds import GameKind
from companion.process.listening import Listening
from companion.process.play import Play
from companion.process.publishing import Publishing
from companion.process.resume import reopen, resume
from companion.process.saving import Saving
from companion.table import EventKind, Health, TableEvent
from companion.views.port import Answer

GRACE_US = 100_000  # real time for which a game without sensors waits for presses that come late
STOOD_US = 1_000_000  # game time that a game which followed the table may lag behind the clock
_TICK_US = 100_000
_LOG = logging.getLogger(__name__)


class Owner:
    """Other threads touch its `inbox`, `frames`, `privates`, `foresight` and `answers` only."""

    def __init__(
        self,
        journal: Journal,
        kinds: Mapping[str, GameKind],
        clock: Clock,
        facts: TableFacts,
        clips: Clips | None = None,
        hear: Callable[[Health | None], None] = lambda health: None,
    ) -> None:
        """clips: what is kept of what was seen; None: nothing. hear: told how the table is, after each change."""
        self.inbox, self.answers = Inbox(clock), Answers(clock)
        self._publishing = Publishing(clock)
        self.frames, self.privates = self._publishing.frames, self._publishing.privates
        self.foresight = self._publishing.foresight
        self._clips, self._hear = clips or Clips(), hear
        self.documents = Documents(journal, kinds, self._clips)
        self._journal, self._kinds, self._clock, self._facts = journal, kinds, clock, facts
        self._saving = Saving(journal, self.answers, clock)
        resumed = resume(journal, kinds)
        self._plays, self._holder, self._games = resumed.plays, resumed.holder, resumed.games
        for ticket_id, answer in resumed.answers:
            self.answers.remember(ticket_id, answer)
        self._axis = Axis(clock.now_us(), resumed.reached_us)
        self._listening = Listening(self._axis, clock, resumed.tracks)
        self._publish()
        if not self._saving.save():  # a full card at the start
            self._publishing.hold_up()

    def run(self) -> None:
        """Empty the inbox until it is closed."""
        while (messages := self.inbox.take(self._next_tick_us())) is not None:
            self.handle(messages)

    def step(self) -> None:
        """Handle what waits now, without waiting for more."""
        self.handle(self.inbox.take_now())

    def handle(self, messages: Sequence[Message]) -> None:
        """Apply messages in order, let time pass, journal, publish."""
        for message in messages:
            match message:
                case Reports(reports):
                    for event in self._listening.hear(reports):
                        if self._holder is not None:
                            self._plays[self._holder].offer(event)
                case Ticket():
                    self._take(message)
                case LinkUp():
                    self._listening.session()
                case LinkDown(finished, reason):
                    self._listening.lost(finished, reason)
                    if finished or reason == "unusable":  # no table process will come any more
                        self._release("recording_end" if finished else reason)
                        self._facts = replace(self._facts, sensors=False)
        self._hear(self._listening.health())
        for picture in self._listening.take_pictures():
            self._clips.see(picture)
        for play in self._plays.values():
            self._pass_time(play)
        self._clips.cut(over=not self._listening.flowing)
        if self._saving.save():
            self._publish()
        else:
            self._publishing.hold_up()

    def follow(self, name: str, settings: Mapping[str, Any]) -> None:
        """Before the thread runs: a new game takes the sensors, whoever held them in an earlier run.

        Raises ValueError where the settings are wrong.
        """
        self._release("restart")
        self._create(name, settings, True, "", "")
        self.handle(())

    def close(self) -> None:
        """Let every waiting thread go; `run` ends when what waits is handled."""
        self.inbox.close()
        self.answers.close()
        self.frames.close()

    # -- games -------------------------------------------------------------------------------------------------

    def _take(self, ticket: Ticket) -> None:
        """A command: to the table (no game), about the sensors, or to a game's rules."""
        play = self._plays.get(ticket.game)
        if not ticket.game:
            self._new_game(ticket) if ticket.name == "new_game" else self._refuse(ticket, "unknown_command")
        elif ticket.name == "open_game":
            self._open(ticket)
        elif play is None:
            self._refuse(ticket, "no_such_game")
        elif ticket.name == "take_sensors":
            self._take_sensors(ticket, play)
        elif ticket.name == "pin_clip":
            self._pin(ticket, play)
        elif ticket.name == "delete_game":
            self._delete(ticket, play)
        elif ticket.name == "release_sensors":
            self._release(ticket.by) if self._holder == play.id else None
            self._decide(ticket, Answer("applied"))
        else:
            t_us = self._axis.from_server(min(ticket.press_us, self._clock.now_us()))
            args = {**ticket.args, "phone": ticket.phone} if ticket.name in play.kind.secrets else ticket.args
            if ticket.name in play.kind.starts:
                against = self._against(play)
                args = {**args, "against": against}
                if against and args.get("anyway") is not True:
                    self._decide(ticket, Answer("refused", "not_ready", {"args": {"against": against}}))
                    return
            play.offer(Command(ticket.id, ticket.name, t_us, ticket.version, ticket.by, ticket.player, args))

    def _open(self, ticket: Ticket) -> None:
        """A game that is no longer listed is folded from the journal and listed again, so that it can be looked at."""
        if ticket.game not in self._plays:
            play = reopen(self._journal, self._kinds, ticket.game)
            if play is None:
                self._refuse(ticket, "no_such_game")
                return
            self._plays[play.id] = play
        self._decide(ticket, Answer("applied"))

    def _pin(self, ticket: Ticket, play: Play) -> None:
        """The clip of a ruling is kept for good."""
        pinned = self.documents.pin(play.id, ticket.args.get("ruling"))
        self._decide(ticket, Answer("applied") if pinned else Answer("refused", "no_clip"))

    def _against(self, play: Play) -> list[dict[str, Any]]:
        """What the sensors see that speaks against beginning now, of a game that follows them (F5)."""
        if play.id != self._holder or play.kind.not_ready is None:
            return []
        laid = self._facts.tiles, self._facts.side_mm
        return play.kind.not_ready(self._listening.picture, self._listening.health(), laid)

    def _delete(self, ticket: Ticket, play: Play) -> None:
        """The game is shown to nobody any more; its entries stay in the journal, and this as the last of them."""
        if self._holder == play.id:
            self._release(ticket.by)
        self._note(play, "deleted", {"id": ticket.id, "by": ticket.by}, [(ticket.id, Answer("applied"))])
        del self._plays[play.id]
        self._publishing.drop(play.id)

    def _new_game(self, ticket: Ticket) -> None:
        if self._saving.failed:  # else every press of somebody who sees nothing happen would come true later
            self.answers.decide(ticket.id, Answer("refused", "journal_full"))
            return
        kind = self._kinds.get(str(ticket.args.get("kind", "")))
        settings = ticket.args.get("settings", {})
        if kind is None or not isinstance(settings, Mapping):
            self._refuse(ticket, "unknown_game" if kind is None else "bad_args")
            return
        holds = bool(ticket.args.get("sensors", False))
        if holds and kind.from_recording is None:
            self._refuse(ticket, "kept_by_hand")
            return
        if holds and (self._holder is not None or not self._facts.sensors):
            self._refuse(ticket, "sensors_held" if self._facts.sensors else "no_sensors")
            return
        try:
            self._create(str(ticket.args["kind"]), settings, holds, ticket.by, ticket.id)
        except (ValueError, TypeError) as error:
            _LOG.info("a new game was refused: %s", error)
            self._refuse(ticket, "bad_setting")

    def _create(self, name: str, settings: Mapping[str, Any], holds: bool, by: str, ticket_id: str) -> None:
        at_us = max(0, self._axis.complete_us) if holds else self._axis.from_server(self._clock.now_us())
        play = Play(f"g{self._games + 1}", name, self._kinds[name], settings, at_us)
        self._games += 1
        self._plays[play.id] = play
        body = {"id": ticket_id, "kind": name, "settings": dict(settings), "sensors": holds, "by": by}
        self._note(play, "created", body, [(ticket_id, Answer("applied", body={"game": play.id}))])
        self._holder = play.id if holds else self._holder

    def _take_sensors(self, ticket: Ticket, play: Play) -> None:
        if play.kind.from_recording is None:
            self._refuse(ticket, "kept_by_hand")
        elif not self._facts.sensors:
            self._refuse(ticket, "no_sensors")
        elif self._holder not in (None, play.id):
            self._refuse(ticket, "sensors_held")
        else:
            self._holder, play.changed = play.id, True
            self._note(play, "settings", {"sensors": True, "by": ticket.by}, [(ticket.id, Answer("applied"))])

    def _release(self, by: str) -> None:
        """The sensors are free again; the game that held them goes on by buttons and by the clock.

        Time for which it stood still is no time of its timers: it is unseen (Y23).
        """
        holder, self._holder = self._holder, None
        if holder is None:
            return
        play = self._plays[holder]
        play.changed = True
        self._note(play, "settings", {"sensors": False, "by": by}, [])
        now_us = self._axis.from_server(self._clock.now_us())
        if now_us - play.reached_us > STOOD_US:
            start_us = play.reached_us + 1
            play.offer(TableEvent(EventKind.UNSEEN, start_us, count=0, t_report_us=now_us, until_us=now_us))

    def _pass_time(self, play: Play) -> None:
        """Let a game's time pass as far as it is complete; a game whose table is silent stands still."""
        if play.id != self._holder:
            grace_us = round(GRACE_US * self._clock.rate())
            play.complete(self._axis.from_server(self._clock.now_us() - grace_us))
        else:
            play.complete(self._axis.complete_us)
            if not self._listening.flowing:
                play.pause()
        for number, t_us, data in play.take_doubtful():
            if play.id == self._holder:
                self._clips.want(clip_name(play.id, number, data), t_us, play.recorded())
        entries, decided = play.take_results()
        label = self._clock.label()
        self._saving.add([entry.labelled(label) for entry in entries], decided)

    # -- journal -----------------------------------------------------------------------------------------------

    def _note(self, play: Play, kind: str, body: dict[str, Any], decided: list[tuple[str, Answer]]) -> None:
        t_us = max(play.reached_us, 0)
        entry = NewEntry(play.id, kind, play.kind.game.version, t_us, body, (), self._clock.label())
        self._saving.add([entry], decided)

    # -- publishing --------------------------------------------------------------------------------------------

    def _publish(self) -> None:
        self._publishing.publish(self._plays.values(), self._holder, self._listening, self._axis, self._facts)

    def _next_tick_us(self) -> int | None:
        """When to look at the clock again though nothing came: for silence, for games without sensors."""
        idle = self._holder is None and not self._saving.failed
        if idle and not any(play.waits for play in self._plays.values()):
            return None
        return self._clock.now_us() + round(_TICK_US * self._clock.rate())

    def _refuse(self, ticket: Ticket, code: str) -> None:
        self._decide(ticket, Answer("refused", code))

    def _decide(self, ticket: Ticket, answer: Answer) -> None:
        self._saving.add([], [(ticket.id, answer)])
