"""The newest games of a journal, folded again after a stop; older ones stay in the journal, unlisted."""

import heapq
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.journal import Journal, NewEntry
from companion.process.kinds import GameKind
from companion.process.listening import highest_track
from companion.process.play import Play, ResumeError
from companion.table import SECOND, BoardTime, TableEvent
from companion.table.codec import from_json
from companion.views.port import Answer

LISTED = 30
"""Games that are folded at the start and listed: years of them must not hold it up."""

_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class Resumed:
    """games: how many the journal holds, unknown ones included; holder: the one that followed the table.

    reached_us: game time to go on after, None on a fresh journal; answers: those of the listed games' commands;
    tracks: the highest track number that they know, -1 for none.
    """

    plays: dict[str, Play] = field(default_factory=dict)
    games: int = 0
    holder: str | None = None
    reached_us: BoardTime | None = None
    answers: list[tuple[str, Answer]] = field(default_factory=list)
    tracks: int = -1


def resume(journal: Journal, kinds: Mapping[str, GameKind]) -> Resumed:
    """Fold the newest LISTED games. One that cannot be folded as it was is judged no more (`Play.fault`)."""
    games, deleted = journal.games(), journal.deleted()
    reached_us = journal.reached_us()
    found = Resumed(games=len(games), reached_us=None if reached_us is None else max(0, reached_us) + SECOND)
    # In the order of the journal, because the sensors went from game to game; older games are not even read.
    listed = (journal.entries(game) for game in [game for game in games if game not in deleted][-LISTED:])
    for entry in heapq.merge(*listed, key=lambda each: each.seq):
        new = entry.new
        answer = Answer("applied")
        if new.kind == "created":
            answer = Answer("applied", body={"game": new.game})
            _create(found, new, kinds)
        if new.body.get("id"):
            found.answers.append((str(new.body["id"]), answer))
        play = found.plays.get(new.game)
        if play is None:
            continue
        if new.kind in ("created", "settings"):
            _follow(found, new)
            continue
        if new.kind == "event":
            found.tracks = max(found.tracks, _highest_track(new))
        if not play.fault:
            _replay(play, new)
    return found


def reopen(journal: Journal, kinds: Mapping[str, GameKind], game: str) -> Play | None:
    """One older game folded again; None where there is none of this id, or it was deleted or is not known."""
    if game not in journal.games() or game in journal.deleted():
        return None
    found = Resumed()
    for entry in journal.entries(game):
        if entry.new.kind == "created":
            _create(found, entry.new, kinds)
        elif game in found.plays and entry.new.kind != "settings" and not found.plays[game].fault:
            _replay(found.plays[game], entry.new)
    return found.plays.get(game)


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


def _highest_track(entry: NewEntry) -> int:
    try:
        event = from_json(entry.body)
    except ValueError:  # of an older form: the game that it belongs to is judged no more
        return -1
    return highest_track(event) if isinstance(event, TableEvent) else -1


def _replay(play: Play, entry: NewEntry) -> None:
    try:
        play.replay(entry)
    except ResumeError as error:
        _LOG.warning("game %s is not resumed: %s", play.id, error)
        play.stop("older_rules" if entry.rules != play.kind.game.version else "not_resumed")
