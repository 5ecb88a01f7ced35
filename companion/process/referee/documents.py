"""A game as a document to read or download, told from the journal alone: text, JSON, CSV, its entries, statistics.

Made in whatever thread asks; no game is touched. A secret card is not in any of them (T18), whoever asks.
"""

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.effective import effective, numbered, with_laid
from companion.games.fold import COMMANDS as OF_THE_FOLD
from companion.games.fold import Fold, Folded
from companion.games.game import Command, Entry
from companion.games.text import GameText, write_game
from companion.journal import JournalEntry, ReadableJournal
from companion.process.common.body import from_body
from companion.process.common.clips import Clips, clip_name
from companion.process.kinds.kind import GameKind
from companion.process.referee.resume import rules_of
from companion.process.referee.spreadsheet import csv_of
from companion.table import to_seconds
from companion.views.port import Document

_JUDGED = ("command", "undo", "event", "advance")
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Told:
    """One game of the journal. players: (id, name) at its end; rows: entries that were judged. begun: once at least.

    rulings: those that count; listed: those that are told, also what people said of stones after an undo.
    """

    created: JournalEntry
    kind: GameKind | None
    players: tuple[tuple[int, str], ...]
    rows: tuple[JournalEntry, ...]
    rulings: Sequence[Mapping[str, Any]]
    listed: Sequence[Mapping[str, Any]]
    begun: bool


class Documents:
    """What can be read of the games of a journal."""

    def __init__(self, journal: ReadableJournal, kinds: Mapping[str, GameKind], clips: Clips | None = None) -> None:
        self._journal, self._kinds, self._clips = journal, kinds, clips or Clips()
        self._summaries: dict[str, tuple[int, dict[str, Any] | None]] = {}  # game -> last entry told of, what was told

    def of(self, game: str, name: str) -> Document | None:
        """The document of this name; None where there is none. game: "" for the whole table.

        Of a game: text, json, csv, csv-comma (the same for where numbers have a decimal comma), entries (what `edit`
        can change), statistics, clip/N (the pictures around the ruling of this number). Of the table: history,
        statistics.
        """
        if not game:
            return self._of_the_table(name)
        if name.startswith("clip/"):
            number = name.removeprefix("clip/")
            clip = self._clip(game, int(number)) if number.isdecimal() and len(number) < 10 else ""
            pictures = self._clips.read(clip)
            return None if pictures is None else Document("application/json", f"{clip}.json", pictures)
        told = self._tell(game)
        if told is None:
            return None
        if name == "text":
            return Document("text/plain; charset=utf-8", f"{game}.txt", self._text(told).encode())
        if name in ("csv", "csv-comma"):
            table = csv_of(told.listed, dict(told.players), decimal_comma=name == "csv-comma")
            return Document("text/csv; charset=utf-8", f"{game}.csv", table.encode())
        if name == "json":
            return _json_document(f"{game}.json", self._whole(told))
        if name == "entries":
            return _json_document(f"{game}-entries.json", {"entries": _editable(told)})
        if name == "statistics":
            return _json_document(f"{game}-statistics.json", _summary(told))
        return None

    def pin(self, game: str, ruling: object) -> bool:
        """Keep the clip of a ruling for good; False where there is none."""
        return type(ruling) is int and self._clips.pin(self._clip(game, ruling))

    def _clip(self, game: str, number: int) -> str:
        """The name of the clip of this ruling, undone or not; "" where there is no such ruling."""
        rows = self._journal.read(game)
        created = next((row.new for row in rows if row.new.kind == "created"), None)
        kind = self._kinds.get(str(created.body.get("kind"))) if created else None
        if created is None or kind is None or any(row.new.kind == "deleted" for row in rows):
            return ""
        before = kind.game.ruled(kind.game.start(created.body.get("settings", {})))
        made = numbered((row.new.rulings for row in rows if row.new.kind in _JUDGED), before)
        return clip_name(game, number, made[number]["data"]) if number in made else ""

    def _of_the_table(self, name: str) -> Document | None:
        if name not in ("history", "statistics"):
            return None
        games = self.history()
        if name == "history":
            return _json_document("history.json", {"games": games})
        by_kind: dict[str, Any] = {}
        for kind_name, kind in self._kinds.items():
            people = (game for game in reversed(games) if game["kind"] == kind_name and "unattended" not in game)
            told = [game["statistics"] for game in people if game["statistics"]]
            if kind.together is not None and told:
                by_kind[kind_name] = kind.together(told)
        return _json_document("statistics.json", {"statistics": by_kind})

    def history(self) -> list[dict[str, Any]]:
        """Every game that was begun, the newest first; what was told of one is told again while nothing was added."""
        deleted, lasts = self._journal.deleted(), self._journal.lasts()
        out = []
        for game in reversed(self._journal.games()):
            if game in deleted or game not in lasts:  # begun since those were read
                continue
            known = self._summaries.get(game)
            if known is None or known[0] != lasts[game]:
                told = self._tell(game)
                if told is None:
                    continue
                known = self._summaries[game] = lasts[game], _summary(told) if told.begun else None
            if known[1] is not None:
                out.append(known[1])
        return out

    def _tell(self, game: str) -> _Told | None:
        rows = self._journal.read(game)
        created = next((row for row in rows if row.new.kind == "created"), None)
        if created is None or any(row.new.kind == "deleted" for row in rows):
            return None
        kind = self._kinds.get(str(created.new.body.get("kind")))
        kind = kind and kind.under(rules_of(rows))
        judged = tuple(row for row in rows if row.new.kind in _JUDGED)
        players, before = _folded(kind, created, judged)
        made = [row.new.rulings for row in judged]
        rulings = effective(made, before)
        listed = with_laid(rulings, made, before)
        return _Told(created, kind, players, judged, rulings, listed, begun=before > 0 or bool(rulings))

    def _text(self, told: _Told) -> str:
        new = told.created.new
        entries = [(entry, row.new.rulings) for row in told.rows if (entry := _entry(told, row)) is not None]
        names = ", ".join(name for _, name in told.players)
        return write_game(
            GameText(str(new.body.get("kind")), new.rules, new.body.get("settings", {}), entries),
            [f"{new.game}, begun {new.label}", f"players: {names}"],
        )

    def _whole(self, told: _Told) -> dict[str, Any]:
        new = told.created.new
        entries = []
        for row in told.rows:
            entry = _entry(told, row)
            body = _body(entry, row)
            shown = {"seq": row.seq, "t_us": row.new.t_us, "label": row.new.label, "kind": row.new.kind}
            entries.append({**shown, "rules": row.new.rules, "body": body, "rulings": list(row.new.rulings)})
        settings = dict(new.body.get("settings", {}))
        return {**_summary(told), "settings": settings, "rulings": list(told.listed), "entries": entries}


def _folded(
    kind: GameKind | None, created: JournalEntry, rows: Iterable[JournalEntry]
) -> tuple[tuple[tuple[int, str], ...], int]:
    """The players at the end, and the rulings made at the start; as it began, of a game that cannot be folded."""
    settings = created.new.body.get("settings", {})
    named = settings.get("players", ())
    players = tuple(enumerate(str(name) for name in named)) if isinstance(named, list | tuple) else ()
    before = 0
    if kind is None:
        return players, before
    try:
        before = kind.game.ruled(Fold(kind.game).start(settings).state)
        folded = _fold(kind, settings, rows)
        return tuple((player[0], player[1]) for player in kind.players(folded.state)), before
    except Exception:  # of older rules, or a fault of this program: what was ruled is told all the same
        _LOG.warning("game %s cannot be folded for its document", created.new.game)
        return players, before


def _fold(kind: GameKind, settings: Mapping[str, Any], rows: Iterable[JournalEntry]) -> Folded[Any]:
    """The game's entries folded again. Raises what the game's rules raise."""
    fold = Fold(kind.game)
    folded = fold.start(settings)
    for row in rows:
        folded, _ = fold.apply(folded, from_body(row.new))
    return folded


def _entry(told: _Told, row: JournalEntry) -> Entry | None:
    """The entry as everybody may read it; None where it is of a form that is not known any more."""
    try:
        entry = from_body(row.new)
    except (ValueError, TypeError):
        return None
    return told.kind.veiled(entry) if told.kind is not None else entry


def _body(entry: Entry | None, row: JournalEntry) -> dict[str, Any]:
    if isinstance(entry, Command):
        return {**row.new.body, "args": dict(entry.args)}
    return dict(row.new.body) if entry is not None else {}


def _editable(told: _Told) -> list[dict[str, Any]]:
    """The commands that count, with the numbers that `edit` names, as they now stand (companion/games/fold.py)."""
    if told.kind is None:
        return []
    try:
        folded = _fold(told.kind, told.created.new.body.get("settings", {}), told.rows)
    except Exception:  # of older rules, or a fault of this program: nothing of it can be changed
        _LOG.warning("game %s cannot be folded for its entries", told.created.new.game)
        return []
    out = []
    for item in told.kind.readable(folded.commands):
        command = item.entry
        if isinstance(command, Command) and command.name not in OF_THE_FOLD:
            shown = {"entry": item.number, "t_us": command.t_us, "name": command.name, "player": command.player}
            out.append({**shown, "by": command.by, "args": dict(command.args)})
    return out


def _summary(told: _Told) -> dict[str, Any]:
    new, kind = told.created.new, told.kind
    ended = [ruling for ruling in told.rulings if ruling["kind"] == "game_end"]
    lasted = told.rows[-1].new.t_us - told.rows[0].new.t_us if told.rows else 0
    return {
        "game": new.game,
        "kind": new.body.get("kind"),
        "rules": new.rules,
        "begun": new.label,
        "last": told.rows[-1].new.label if told.rows else new.label,
        "lasted_s": to_seconds(lasted),
        "players": [{"id": player, "name": name} for player, name in told.players],
        **({"unattended": True} if new.body.get("settings", {}).get("answers") == "nobody" else {}),
        "ended": bool(ended),
        "winners": list(ended[-1]["data"].get("winners", ())) if ended else [],
        "statistics": kind.statistics(told.rulings, dict(told.players)) if kind and kind.statistics else {},
    }


def _json_document(name: str, values: Mapping[str, Any]) -> Document:
    text = json.dumps(values, ensure_ascii=False, indent=1, allow_nan=False)
    return Document("application/json", name, text.encode("utf-8", "replace"))
