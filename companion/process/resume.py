"""Every game of a journal, folded again after a stop."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from companion.journal import JournalEntry, NewEntry
from companion.process.kinds import GameKind
from companion.process.play import Play, ResumeError
from companion.table import SECOND, BoardTime
from companion.views.port import Answer

_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class Resumed:
    """games: how many the journal holds, unknown ones included; holder: the one that followed the table.

    reached_us: game time to go on after, None on a fresh journal; answers: those of every journaled command.
    """

    plays: dict[str, Play] = field(default_factory=dict)
    games: int = 0
    holder: str | None = None
    reached_us: BoardTime | None = None
    answers: list[tuple[str, Answer]] = field(default_factory=list)


def resume(entries: Iterable[JournalEntry], kinds: Mapping[str, GameKind]) -> Resumed:
    """Fold a journal. A game that cannot be folded as it was is listed, but judged no more (`Play.fault`)."""
    found = Resumed()
    for entry in entries:
        new = entry.new
        found.reached_us = max(found.reached_us or 0, new.t_us + SECOND)
        answer = Answer("applied")
        if new.kind == "created":
            found.games += 1
            answer = Answer("applied", body={"game": new.game})
            _create(found, new, kinds)
        if new.body.get("id"):
            found.answers.append((str(new.body["id"]), answer))
        play = found.plays.get(new.game)
        if play is None:
            continue
        if new.kind in ("created", "settings"):
            _follow(found, new)
        elif not play.fault:
            _replay(play, new)
    return found


def _create(found: Resumed, entry: NewEntry, kinds: Mapping[str, GameKind]) -> None:
    name = str(entry.body.get("kind"))
    kind = kinds.get(name)
    if kind is None:
        _LOG.warning("game %s is left alone: its kind %r is not known", entry.game, name)
        return
    try:
        found.plays[entry.game] = Play(entry.game, name, kind, entry.body.get("settings", {}), entry.t_us)
    except ValueError as error:
        _LOG.warning("game %s is left alone: %s", entry.game, error)


def _follow(found: Resumed, entry: NewEntry) -> None:
    if entry.body.get("sensors"):
        found.holder = entry.game
    elif found.holder == entry.game:
        found.holder = None


def _replay(play: Play, entry: NewEntry) -> None:
    try:
        play.replay(entry)
    except ResumeError as error:
        _LOG.warning("game %s is not resumed: %s", play.id, error)
        play.stop("older_rules" if entry.rules != play.kind.game.version else "not_resumed")
