"""The owner: the one place where games change. It empties an inbox, journals, then publishes.

Its thread runs `run`; tests call `step`. Nothing is shown before it is on the disk (saving.py).
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.clock import Clock
from companion.games.game import Command
from companion.journal import Journal, NewEntry
from companion.process.common.clips import Clips, clip_name
from companion.process.kinds.kind import GameKind
from companion.process.referee.answers import Answers, Ticket
from companion.process.referee.at_table import AtTable
from companion.process.referee.axis import Axis
from companion.process.referee.documents import Documents
from companion.process.referee.facts import TableFacts
from companion.process.referee.inbox import Inbox, LinkDown, LinkUp, Message, Reports
from companion.process.referee.listed import Listed
from companion.process.referee.listening import Listening
from companion.process.referee.play import Play
from companion.process.referee.publishing import Publishing
from companion.process.referee.resume import resume
from companion.process.referee.saving import Saving
from companion.process.referee.set_up import SetUpDesk
from companion.sound.voice import Voice
from companion.table import Health, SetUp
from companion.views.port import Answer

GRACE_US = 100_000  # real time for which a game without sensors waits for presses that come late
HEARD_US = 5_000_000  # real time for which a ruling is still news to be heard
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
        voice: Voice | None = None,
        set_up: SetUpDesk | None = None,
        kept: Callable[[bool], None] = lambda well: None,
    ) -> None:
        """clips: what is kept of what was seen; None: nothing. hear: told how the table is, after each change.

        voice: the table's own speaker; None: there is none. set_up: where people set up the table. kept: told
        whether the journal can be written.
        """
        self.inbox, self.answers = Inbox(clock), Answers(clock)
        self._publishing = Publishing(clock)
        self.frames, self.privates = self._publishing.frames, self._publishing.privates
        self.foresight = self._publishing.foresight
        self._clips, self._hear, self._kept = clips or Clips(), hear, kept
        self.documents = Documents(journal, kinds, self._clips)
        self._clock, self._journal = clock, journal
        self._voice = voice or Voice()
        self._set_up = set_up or SetUpDesk(clock)
        self._saving = Saving(journal, self.answers, clock, self._sound)
        resumed = resume(journal, kinds)
        for ticket_id, answer in resumed.answers:
            self.answers.remember(ticket_id, answer)
        self._axis = Axis(clock.now_us(), resumed.reached_us)
        self._listed = Listed(journal, kinds, clock, self._axis, self._saving, facts, resumed)
        self._at_table = AtTable(self._listed, self._set_up, self._voice)
        followed = resumed.reached_us if resumed.holder is not None else None
        self._listening = Listening(self._axis, clock, resumed.tracks, followed)
        self._publish()
        if not self._saved():  # a full card at the start
            self._publishing.hold_up()

    def run(self) -> None:
        """Empty the inbox until it is closed."""
        while (messages := self.inbox.take(self._next_tick_us())) is not None:
            self.handle(messages)

    def step(self) -> None:
        """Handle what waits now, without waiting for more."""
        self.handle(self.inbox.take_now())

    def handle(self, messages: Sequence[Message]) -> None:
        """Apply messages in order, let time pass, journal, publish, answer."""
        for message in messages:
            match message:
                case Reports(reports):
                    for report in reports:
                        if isinstance(report, SetUp):
                            self._set_up.hear(report)
                            if self._listed.lies(report.tiles):
                                self._set_up.relaid()
                    for event in self._listening.hear([r for r in reports if not isinstance(r, SetUp)]):
                        if self._listed.holder is not None:
                            self._listed.plays[self._listed.holder].offer(event)
                case Ticket():
                    self._take(message)
                case LinkUp():
                    self._listening.session()
                case LinkDown(finished, reason):
                    self._listening.lost(finished, reason)
                    self._set_up.lost()
                    if finished or reason == "unusable":  # no table process will come any more
                        self._listed.sensors_gone("recording_end" if finished else reason)
        self._hear(self._listening.health())
        self._set_up.known(self._listening.health(), self._listed.holder)
        for picture in self._listening.take_pictures():
            self._clips.see(picture)
        for play in self._listed.plays.values():
            self._pass_time(play)
        self._clips.cut(over=not self._listening.flowing)
        if self._saved():
            self._publish()
            self._saving.answer()
        else:
            self._publishing.hold_up()

    def follow(self, name: str, settings: Mapping[str, Any]) -> None:
        """Before the thread runs: a new game takes the sensors, whoever held them in an earlier run.

        Raises ValueError where the settings are wrong.
        """
        self._listed.release("restart")
        self._listed.create(name, settings, True, "", "")
        self._listening.forget()
        self.handle(())

    def close(self) -> None:
        """Let every waiting thread go; `run` ends when what waits is handled."""
        self.inbox.close()
        self.answers.close()
        self.frames.close()

    # -- games -------------------------------------------------------------------------------------------------

    def _take(self, ticket: Ticket) -> None:
        """A command: to the table (no game), about the sensors, or to a game's rules."""
        play = self._listed.plays.get(ticket.game)
        if not ticket.game and ticket.name == "new_game" and self._saving.failed:
            # At once: else every press of somebody who sees nothing happen would come true later.
            self.answers.decide(ticket.id, Answer("refused", "journal_full"))
        elif not ticket.game:
            self._decide(ticket, self._at_table.take(ticket))
        elif ticket.name == "open_game":
            self._decide(ticket, self._listed.open(ticket.game))
        elif play is None:
            self._refuse(ticket, "no_such_game")
        elif ticket.name == "take_sensors" and self._set_up.busy:
            self._refuse(ticket, "being_set_up")
        elif ticket.name == "take_sensors":
            self._decide(ticket, self._listed.take_sensors(ticket, play))
        elif ticket.name == "pin_clip":
            self._pin(ticket, play)
        elif ticket.name == "delete_game":
            self._decide(ticket, self._listed.delete(ticket, play))
            self._publishing.drop(play.id)
        elif ticket.name == "release_sensors":
            self._listed.release(ticket.by) if self._listed.holder == play.id else None
            self._decide(ticket, Answer("applied"))
        else:
            play.go_on(self._axis.from_server(self._clock.now_us()))
            t_us = self._axis.from_server(min(ticket.press_us, self._clock.now_us())) - play.behind_us
            args = {**ticket.args, "phone": ticket.phone} if ticket.name in play.kind.secrets else ticket.args
            if ticket.name in play.kind.starts:
                against = self._against(play)
                picture = self._listening.here if against else None
                lying = [stone.track for stone in picture.stones] if picture else []
                args = {**args, "against": against, "lying": lying}
                if against and args.get("anyway") is not True:
                    self._decide(ticket, Answer("refused", "not_ready", {"args": {"against": against}}))
                    return
            if ticket.name in play.kind.says:
                unlike = self._unlike(play, ticket)
                if unlike is not None and args.get("insist") is not True:
                    self._decide(ticket, Answer("refused", "unlike", {"args": unlike}))
                    return
                args = {**args, "unlike": unlike} if "insist" in args else args
            play.offer(Command(ticket.id, ticket.name, t_us, ticket.version, ticket.by, ticket.player, args))

    def _sound(self, entries: Sequence[NewEntry]) -> None:
        """What is on the disk now is heard, unless it is long past."""
        offset_us = self._axis.server_offset_us()  # game time is not begun by this
        past_us = 0 if offset_us is None else self._clock.now_us() - offset_us - round(HEARD_US * self._clock.rate())
        for entry in entries:
            play = self._listed.plays.get(entry.game)
            if play is not None and entry.rulings and entry.t_us >= past_us - play.behind_us:
                self._voice.tell(entry.rulings, {player[0]: player[1] for player in play.players})

    def _pin(self, ticket: Ticket, play: Play) -> None:
        """The clip of a ruling is kept for good."""
        pinned = self.documents.pin(play.id, ticket.args.get("ruling"))
        self._decide(ticket, Answer("applied") if pinned else Answer("refused", "no_clip"))

    def _against(self, play: Play) -> list[dict[str, Any]]:
        """What the sensors see that speaks against beginning now, of a game that follows them (F5)."""
        if play.id != self._listed.holder or play.kind.not_ready is None:
            return []
        laid = self._listed.facts.tiles, self._listed.facts.side_mm
        return play.kind.not_ready(self._listening.picture, self._listening.health(), laid)

    def _unlike(self, play: Play, ticket: Ticket) -> dict[str, Any] | None:
        """What the sensors see otherwise than a press says, of a game that follows them."""
        if play.id != self._listed.holder or not self._listening.flowing:
            return None
        return play.unlike(ticket.name, ticket.args, self._listening.here, self._listening.health())

    def _pass_time(self, play: Play) -> None:
        """Let a game's time pass as far as it is complete; a game whose table is silent stands still.

        So does one without sensors after a stop, until somebody has seen it.
        """
        if play.id != self._listed.holder:
            if play.stands and self.frames.looked(play.id):
                play.go_on(self._axis.from_server(self._clock.now_us()))
            if not play.stands:
                grace_us = round(GRACE_US * self._clock.rate())
                play.complete(self._axis.from_server(self._clock.now_us() - grace_us) - play.behind_us)
        else:
            play.complete(self._axis.complete_us)
            if not self._listening.flowing:
                play.pause()
        for each in play.take_doubtful():
            if play.id == self._listed.holder:
                name = clip_name(play.id, each.number, each.data)
                self._clips.want(name, each.t_us, play.recorded(), each.stones)
        self._listed.keep(play)

    # -- publishing --------------------------------------------------------------------------------------------

    def _saved(self) -> bool:
        well = self._saving.save()
        self._kept(well)
        return well

    def _publish(self) -> None:
        self._publishing.publish(self._listed, self._listening, self._axis, self._voice.shown(), self._journal.repaired)

    def _next_tick_us(self) -> int | None:
        """When to look at the clock again though nothing came: for silence, for games without sensors."""
        idle = self._listed.holder is None and not self._saving.failed
        if idle and not any(play.waits for play in self._listed.plays.values()):
            return None
        return self._clock.now_us() + round(_TICK_US * self._clock.rate())

    def _refuse(self, ticket: Ticket, code: str) -> None:
        self._decide(ticket, Answer("refused", code))

    def _decide(self, ticket: Ticket, answer: Answer) -> None:
        self._saving.add([], [(ticket.id, answer)])
