"""The games of a journal that were played last, folded again after a stop; older ones stay in the journal, unlisted."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from companion.journal import Journal, JournalEntry, NewEntry, game_number
from companion.process.kinds.kind import GameKind
from companion.process.referee.listening import highest_track
from companion.process.referee.play import Play, ResumeError
from companion.table import BoardTime, TableEvent
from companion.table.codec import from_json
from companion.views.port import Answer

LISTED = 30
"""Games that are listed at the start: years of them must not hold it up."""
_LOOKED_AT = 4 * LISTED
"""Of so many, the last ones touched, those that began are looked for."""

_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class Resumed:
    """games: the highest number of any that the journal holds; holder: the one that followed the table.

    reached_us: the latest game time of any entry, None on a fresh journal; answers: of the listed games' commands;
    tracks: the highest track number that they know, -1 for none.
    """

    plays: dict[str, Play] = field(default_factory=dict)
    games: int = 0
    holder: str | None = None
    reached_us: BoardTime | None = None
    answers: list[tuple[str, Answer]] = field(default_factory=list)
    tracks: int = -1


_MARGIN = 10_000
"""More games than a table sees between two damages: after each the numbers go on from the next multiple."""


def resume(journal: Journal, kinds: Mapping[str, GameKind]) -> Resumed:
    """Fold the LISTED games that were played last, those that never began after all others.

    One that cannot be folded as it was is judged no more (`Play.fault`).
    """
    lasts, deleted = journal.lasts(), journal.deleted()
    games, reached_us = journal.games(), journal.reached_us()
    found = Resumed(
        games=_numbered(games, journal.damages), reached_us=None if reached_us is None else max(0, reached_us)
    )
    begun: list[Play] = []
    waiting: list[Play] = []
    rows: dict[str, list[JournalEntry]] = {}
    last_first = sorted((game for game in games if game not in deleted), key=lambda game: lasts[game], reverse=True)
    for game in last_first[:_LOOKED_AT]:
        if len(begun) == LISTED:
            break
        one = list(journal.entries(game))
        play = _fold(one, kinds)
        if play is not None:
            rows[game] = one
            (waiting if play.phase == "lobby" else begun).append(play)
    listed = [*begun, *waiting][:LISTED]
    found.plays = {play.id: play for play in reversed(listed)}
    # In the order of the journal, because the sensors went from game to game.
    for entry in sorted((each for game in found.plays for each in rows[game]), key=lambda each: each.seq):
        _note(found, entry.new)
    return found


def _note(found: Resumed, entry: NewEntry) -> None:
    """What the table as a whole has to know of an entry: its answer, the sensors, the tracks."""
    if entry.body.get("id"):
        body = {"game": entry.game} if entry.kind == "created" else None
        found.answers.append((str(entry.body["id"]), Answer("applied", body=body)))
    if entry.kind in ("created", "settings"):
        _follow(found, entry)
    elif entry.kind == "event":
        found.tracks = max(found.tracks, _highest_track(entry))


def _numbered(games: Sequence[str], damages: int) -> int:
    """The highest number that a game has or may have had: a phone may still be at one that a bad card took."""
    return max([damages * _MARGIN, *map(game_number, games)])


def reopen(journal: Journal, kinds: Mapping[str, GameKind], game: str) -> Play | None:
    """One older game folded again; None where there is none of this id, or it was deleted or is not known."""
    if game not in journal.games() or game in journal.deleted():
        return None
    return _fold(journal.entries(game), kinds)


def _fold(entries: Iterable[JournalEntry], kinds: Mapping[str, GameKind]) -> Play | None:
    """By the version of the rules that judged its last entry: a program before has folded all of it by that one."""
    play: Play | None = None
    every = list(entries)
    under = {name: kind.under(rules_of(every)) for name, kind in kinds.items()}
    for entry in every:
        if entry.new.kind == "created":
            play = _created(entry.new, under)
        elif play is not None and entry.new.kind != "settings" and not play.fault:
            _replay(play, entry.new, kinds[play.name])
        if play is not None and play.fault:
            play.over = _over(play.over, entry.new)
        if play is not None and entry.new.kind in ("created", "settings") and entry.new.body.get("sensors"):
            play.followed = True
    if play is not None:
        play.resumed = True
    return play


def _created(entry: NewEntry, kinds: Mapping[str, GameKind]) -> Play | None:
    name = str(entry.body.get("kind"))
    kind = kinds.get(name)
    if kind is None:
        _LOG.warning("game %s is left alone: its kind %r is not known", entry.game, name)
        return None
    try:
        return Play(
            entry.game, name, kind, entry.body.get("settings", {}), entry.t_us, str(entry.body.get("after", ""))
        )
    except ValueError as error:
        _LOG.warning("game %s is left alone: %s", entry.game, error)
        return None


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


def _over(over: bool, entry: NewEntry) -> bool:
    """Whether a game that cannot be folded any more has ended, by its rulings of then."""
    if entry.kind == "undo":
        return False
    return over or any(ruling["kind"] == "game_end" for ruling in entry.rulings)


def rules_of(entries: Sequence[JournalEntry]) -> str:
    """The version of the rules that a game has been judged by, "" for none."""
    return entries[-1].new.rules if entries else ""


def _replay(play: Play, entry: NewEntry, today: GameKind) -> None:
    try:
        play.replay(entry)
    except ResumeError as error:
        _LOG.warning("game %s is not resumed: %s", play.id, error)
        if entry.rules == today.game.version:
            play.stop("not_resumed")
        else:
            play.stop("newer_rules" if today.by_newer(entry.rules) else "older_rules")
