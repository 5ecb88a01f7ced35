"""From games to what other threads read of them: views, what single phones may see, what a command would do.

The owner publishes when its journal has what is shown; while it cannot be written, the views of before say so.
"""

from collections.abc import Mapping
from typing import Any

from companion.clock import Clock
from companion.journal import Notice
from companion.process.common.frames import Frames
from companion.process.referee.axis import Axis
from companion.process.referee.facts import TableFacts
from companion.process.referee.foresight import Foresight
from companion.process.referee.listed import Listed
from companion.process.referee.listening import Listening
from companion.process.referee.play import Play
from companion.process.referee.privates import Privates
from companion.table import Health, Picture
from companion.views.lobby import game_entry, lobby


class Publishing:
    """Any thread reads `frames`, `privates` and `foresight`; the owner alone calls."""

    def __init__(self, clock: Clock) -> None:
        self.frames, self.privates, self.foresight = Frames(clock), Privates(), Foresight()
        self._told: tuple[Health | None, Picture | None] = (None, None)
        self._shown: dict[str, Mapping[str, Any]] = {}
        self._full = False  # whether what is shown says so
        self._dropped: list[str] = []  # games that were deleted since the last publishing

    def drop(self, game: str) -> None:
        """The game is shown to nobody any more, from the next publishing on."""
        self._shown.pop(game, None)
        self._dropped.append(game)

    def publish(
        self, listed: Listed, listening: Listening, axis: Axis, sound: Mapping[str, Any], repaired: Notice | None
    ) -> None:
        """What has changed: games, and what the table shows to the one that follows it.

        sound: how the table's own speaker sounds. repaired: what was done to the journal.
        """
        games, holder, facts = list(listed.plays.values()), listed.holder, listed.facts
        told = (listening.health(), listening.picture)
        moved, self._told = told != self._told, told
        changed = [play for play in games if play.changed or (moved and play.id == holder)]
        views = {play.id: _view(play, play.id == holder, listening, axis, facts) for play in changed}
        entries = [
            game_entry(play.id, play.name, play.phase, play.players, play.id == holder, play.cut_off, play.unattended)
            for play in listed.shown()
        ]
        notices = [] if repaired is None else [{"code": repaired.code, **repaired.args}]
        views[""] = lobby(facts.name, facts.sensors, entries, sound, notices)
        self._shown.update(views)
        if self._full:  # every game was shown to be held up, and none is any more
            self._full, views = False, dict(self._shown)
        self.privates.publish({**{game: {} for game in self._dropped}, **{p.id: p.private() for p in changed}})
        self.foresight.publish({**dict.fromkeys(self._dropped), **{p.id: p.foresight() for p in changed}})
        for game in self._dropped:
            self.frames.drop(game)
        self._dropped.clear()
        self.frames.publish(views)

    def hold_up(self) -> None:
        """What is not on the disk is not shown: the views of before, and that the journal is full."""
        self._full = True
        self.frames.publish({key: {**view, "notice": "journal_full"} for key, view in self._shown.items()})


def _view(play: Play, holds: bool, listening: Listening, axis: Axis, facts: TableFacts) -> Mapping[str, Any]:
    offset_us = axis.server_offset_us()
    return play.view(
        table_name=facts.name,
        server_offset_us=None if offset_us is None else offset_us + play.behind_us,
        sensors=holds,
        health=listening.health() if holds else None,
        picture=listening.picture if holds else None,
        tiles=facts.tiles,
        side_mm=facts.side_mm,
    )
