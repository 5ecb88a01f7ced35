"""The games that are listed, and the one that follows the table: made, opened, deleted; the sensors handed on.

What changes is journaled by a note; the owner's thread alone calls.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.clock import Clock
from companion.journal import Journal, NewEntry
from companion.process.kinds.kind import GameKind
from companion.process.referee.answers import Ticket
from companion.process.referee.axis import Axis
from companion.process.referee.facts import TableFacts
from companion.process.referee.play import Play
from companion.process.referee.resume import Resumed, reopen
from companion.process.referee.saving import Saving
from companion.table import EventKind, TableEvent
from companion.views.port import Answer

STOOD_US = 1_000_000  # game time that a game which followed the table may lag behind the clock
_APPLIED = Answer("applied")
_LOG = logging.getLogger(__name__)


class Listed:
    """plays: by id, the newest last. holder: the game that follows the table, None for none. facts: of the table."""

    def __init__(
        self,
        journal: Journal,
        kinds: Mapping[str, GameKind],
        clock: Clock,
        axis: Axis,
        saving: Saving,
        facts: TableFacts,
        resumed: Resumed,
    ) -> None:
        self._journal, self._kinds, self._clock = journal, kinds, clock
        self._axis, self._saving = axis, saving
        self.facts = facts
        self.plays, self.holder, self._games = resumed.plays, resumed.holder, resumed.games
        for play in self.plays.values():
            if play.id != self.holder:
                play.stand(axis.from_server(clock.now_us()))

    def new_game(self, ticket: Ticket) -> Answer:
        """Answer's body: the new game's id.

        after: the game that the same people have played. Where another phone has made the next one already, and it is
        not over, its id is the answer, with "joined": two who press "another game" sit down at one table.
        """
        kind = self._kinds.get(str(ticket.args.get("kind", "")))
        settings = ticket.args.get("settings", {})
        if kind is None or not isinstance(settings, Mapping):
            return _refused("unknown_game" if kind is None else "bad_args")
        after = str(ticket.args.get("after", ""))
        for play in self.plays.values():
            if after and play.after == after and play.name == ticket.args["kind"] and play.phase != "game_end":
                return Answer("applied", body={"game": play.id, "joined": True})
        holds = bool(ticket.args.get("sensors", False))
        if holds and (kind.from_recording is None or self.holder is not None or not self.facts.sensors):
            return self._no_sensors(kind)
        try:
            return _applied(self.create(str(ticket.args["kind"]), settings, holds, ticket.by, ticket.id, after))
        except (ValueError, TypeError) as error:
            _LOG.info("a new game was refused: %s", error)
            return _refused("bad_setting")

    def create(
        self, name: str, settings: Mapping[str, Any], holds: bool, by: str, ticket_id: str, after: str = ""
    ) -> str:
        """A new game; holds: it follows the table from now on; after: the game that it follows, "" for none.

        Its id. Raises ValueError for wrong settings.
        """
        at_us = max(0, self._axis.complete_us) if holds else self._axis.from_server(self._clock.now_us())
        play = Play(f"g{self._games + 1}", name, self._kinds[name], settings, at_us, after)
        self._games += 1
        self.plays[play.id] = play
        play.followed = holds
        body = {"id": ticket_id, "kind": name, "settings": dict(settings), "sensors": holds, "by": by}
        if after:
            body["after"] = after
        self._note(play, "created", body)
        self.holder = play.id if holds else self.holder
        return play.id

    def shown(self) -> list[Play]:
        """Those that people may want to come to, the newest first.

        Not one that waits for its first player since an earlier run, or besides a newer one of its kind; who has its
        address comes to it all the same.
        """
        out: list[Play] = []
        waiting: set[str] = set()
        for play in list(self.plays.values())[::-1]:
            empty = play.phase == "lobby" and not play.players and play.id != self.holder
            if not empty or not (play.resumed or play.name in waiting):
                out.append(play)
            if empty:
                waiting.add(play.name)
        return out

    def open(self, game: str) -> Answer:
        """A game that is no longer listed is folded from the journal, so that it can be looked at. `shown` leaves out
        a lobby without players all the same.
        """
        if game not in self.plays:
            play = reopen(self._journal, self._kinds, game)
            if play is None:
                return _refused("no_such_game")
            play.stand(self._axis.from_server(self._clock.now_us()))
            self.plays[play.id] = play
        return _APPLIED

    def delete(self, ticket: Ticket, play: Play) -> Answer:
        """The game is shown to nobody any more; its entries stay in the journal, and this as the last of them."""
        if self.holder == play.id:
            self.release(ticket.by)
        self._note(play, "deleted", {"id": ticket.id, "by": ticket.by})
        del self.plays[play.id]
        return _APPLIED

    def take_sensors(self, ticket: Ticket, play: Play) -> Answer:
        """The game follows the table from now on."""
        if play.kind.from_recording is None or not self.facts.sensors or self.holder not in (None, play.id):
            return self._no_sensors(play.kind)
        self.holder, play.followed, play.changed = play.id, True, True
        play.catch_up(self._axis.from_server(self._clock.now_us()))
        self._note(play, "settings", {"sensors": True, "by": ticket.by})
        return _APPLIED

    def release(self, by: str) -> None:
        """The sensors are free again; the game that held them goes on by buttons and by the clock.

        Time for which it stood still is no time of its timers: it is unseen (Y23). One that the end of the service has
        cut off stands until somebody looks at it: nothing has watched it since.
        """
        holder, self.holder = self.holder, None
        if holder is None:
            return
        play = self.plays[holder]
        play.complete(self._axis.complete_us)  # what the table has told to the end comes first
        self.keep(play)
        play.changed = True
        self._note(play, "settings", {"sensors": False, "by": by})
        now_us = self._axis.from_server(self._clock.now_us())
        if play.cut_off:
            play.stand(now_us)
        elif now_us - play.reached_us > STOOD_US:
            start_us = play.reached_us + 1
            play.offer(TableEvent(EventKind.UNSEEN, start_us, count=0, t_report_us=now_us, until_us=now_us))

    def keep(self, play: Play) -> None:
        """What has been judged of a game goes to the journal, with its answers."""
        entries, decided = play.take_results()
        label = self._clock.label()
        self._saving.add([entry.labelled(label) for entry in entries], decided)

    def lies(self, tiles: Sequence[float]) -> bool:
        """How the tiles lie now: x, y (mm) and degrees of each, in a row. Whether that is news."""
        poses = tuple(zip(tiles[0::3], tiles[1::3], tiles[2::3], strict=False))
        if not poses or poses == self.facts.tiles:
            return False
        self.facts = replace(self.facts, tiles=poses)
        return True

    def sensors_gone(self, by: str) -> None:
        """There are none any more: no table process will come."""
        self.release(by)
        self.facts = replace(self.facts, sensors=False)

    def _no_sensors(self, kind: GameKind) -> Answer:
        """Why a game cannot follow the table."""
        if kind.from_recording is None:
            return _refused("kept_by_hand")
        return _refused("sensors_held" if self.facts.sensors else "no_sensors")

    def _note(self, play: Play, kind: str, body: dict[str, Any]) -> None:
        t_us = max(play.reached_us, 0)
        self._saving.add([NewEntry(play.id, kind, play.kind.game.version, t_us, body, (), self._clock.label())], [])


def _refused(code: str) -> Answer:
    return Answer("refused", code)


def _applied(game: str) -> Answer:
    return Answer("applied", body={"game": game})
