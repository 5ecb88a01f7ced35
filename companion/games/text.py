"""A whole game as text, to read, to keep and to play again: one line an entry, with what it ruled; it round-trips.

    game yikerz 1                          which rules, and their version
    settings players=["Ana","Ben"] stones=6
    1.5 approach #4                        a table event: seconds, kind, tracks; then its other fields, where not usual:
                                           n= (count), until= (seconds), rest= (stones at rest), chain=, p= ...
    2 !placed player=1 by="Ana"            a command; id=, version=, player= and by= are its own, anything else are args
    12.0001 advance                        board time has passed
    > turn_end player=0 reason="ten_seconds"   the entry above ruled this
    # anything                             a comment

Values are JSON without blanks; a word without quotes stands for itself. The scenarios of the tests are such texts, with
more kinds of lines (tests/scenario.py).
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.games.game import Advance, Command, Entry
from companion.table import Stone, TableEvent, from_seconds, to_seconds
from companion.table.codec import from_json, to_json

_OWN = ("id", "version", "player", "by", "args")
_PLAIN = re.compile(r"[a-z_]+\Z")
_OF_EVENTS = {"n": "count", "new": "new_stones"}
_FIELDS = {name: short for short, name in _OF_EVENTS.items()}


@dataclass(frozen=True, slots=True)
class Line:
    """One line. sort: "entry", "ruling", or its first word; words and values: what follows."""

    sort: str
    entry: Entry | None = None
    words: tuple[str, ...] = ()
    values: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class GameText:
    """game: its name; rules: their version; settings: by name; entries: each with the rulings it made, JSON values."""

    game: str
    rules: str
    settings: Mapping[str, Any]
    entries: Sequence[tuple[Entry, Sequence[Mapping[str, Any]]]] = field(default=())


def write_game(game: GameText, notes: Iterable[str] = ()) -> str:
    """The text of a game. notes: comments at the head."""
    out = [f"game {game.game} {game.rules}", *(f"# {' '.join(note.split())}" for note in notes)]
    out.append(" ".join(["settings", *pairs(game.settings)]))
    for entry, rulings in game.entries:
        out.append(entry_text(entry))
        out += [ruling_text(ruling) for ruling in rulings]
    return "\n".join(out) + "\n"


def read_game(text: str) -> GameText:
    """The game of a text. Raises ValueError, with the line, where one is wrong."""
    game, rules = "", ""
    settings: dict[str, Any] = {}
    entries: list[tuple[Entry, list[Mapping[str, Any]]]] = []
    for line in parse(text):
        if line.sort == "game" and len(line.words) == 2:
            game, rules = line.words
        elif line.sort == "settings":
            settings |= dict(line.values)
        elif line.entry is not None:
            entries.append((line.entry, []))
        elif line.sort == "ruling" and entries and len(line.words) == 1:
            entries[-1][1].append(_ruling(line, entries[-1][0]))
        else:
            raise ValueError(f"a line of a game is none: {line.sort} {' '.join(line.words)}")
    if not game:
        raise ValueError("a game's text begins with: game NAME VERSION")
    return GameText(game, rules, settings, tuple((entry, tuple(rulings)) for entry, rulings in entries))


def parse(text: str) -> list[Line]:
    """The lines of a text. Raises ValueError, with the line, where one is wrong."""
    out: list[Line] = []
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        try:
            out.append(_line(line, len(out)))
        except (ValueError, KeyError, IndexError, TypeError, OverflowError, RecursionError) as error:
            raise ValueError(f"line {number}: {line[:80]!r}: {error}") from error
    return out


def _line(line: str, number: int) -> Line:
    first, *rest = line.split()
    words = tuple(w for w in rest if "=" not in w)
    values = {k: _value(v) for k, _, v in (w.partition("=") for w in rest if "=" in w)}
    if not first[0].isdigit():
        return Line("ruling" if first == ">" else first, None, words, tuple(values.items()))
    t_us = from_seconds(float(first))
    what, *tracks = words
    if what == "advance":
        return Line("entry", Advance(t_us))
    if what.startswith("!"):
        return Line("entry", _command(what[1:], t_us, values, number))
    return Line("entry", _event(what, t_us, [int(track.removeprefix("#")) for track in tracks], values))


def _command(name: str, t_us: int, values: dict[str, Any], number: int) -> Command:
    own = {key: values.pop(key) for key in ("id", "version", "player", "by") if key in values}
    args = values.pop("args") if "args" in values else values
    if not isinstance(args, dict):
        raise ValueError("args are an object")
    return Command(
        str(own.get("id", f"c{number}")),
        name,
        t_us,
        int(own.get("version", 0)),
        str(own.get("by", "")),
        own.get("player"),
        args,
    )


def _event(kind: str, t_us: int, stones: list[int], values: dict[str, Any]) -> TableEvent:
    told: dict[str, Any] = {"type": "event", "kind": kind, "t_us": t_us, "stones": stones, "t_report_us": t_us}
    told["count"] = len(stones) or 1
    for name, value in values.items():
        if name in ("until", "report"):
            told["until_us" if name == "until" else "t_report_us"] = from_seconds(value)
        elif name == "rest":
            told["rest"] = [s if isinstance(s, dict) else {"track": s, "x": 0.0, "y": 0.0} for s in value]
        else:
            told[_OF_EVENTS.get(name, name)] = value
    event = from_json(told)
    assert isinstance(event, TableEvent)
    return event


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def seconds(t_us: int) -> str:
    """Board time as the text has it: seconds, exact to the microsecond."""
    return f"{to_seconds(t_us):.6f}".rstrip("0").rstrip(".")


def entry_text(entry: Entry) -> str:
    """An entry as a line; `parse` gives it back."""
    t = seconds(entry.t_us)
    if isinstance(entry, Advance):
        return f"{t} advance"
    if isinstance(entry, Command):
        own = {"id": entry.id, "version": entry.version or None, "player": entry.player, "by": entry.by or None}
        plain = all(_PLAIN.match(name) and name not in _OWN for name in entry.args)
        values: dict[str, Any] = {k: v for k, v in own.items() if v is not None}
        values |= dict(entry.args) if plain else {"args": dict(entry.args)}
        return " ".join([t, f"!{entry.name}", *pairs(values)])
    told = to_json(entry)
    shown: dict[str, Any] = {}
    if entry.count != (len(entry.stones) or 1):
        shown["n"] = entry.count
    if entry.until_us is not None:
        shown["until"] = to_seconds(entry.until_us)
    if entry.t_report_us != entry.t_us:
        shown["report"] = to_seconds(entry.t_report_us)
    if entry.rest:
        alike = [Stone(stone.track, 0.0, 0.0) == stone for stone in entry.rest]
        shown["rest"] = [s["track"] if bare else s for s, bare in zip(told["rest"], alike, strict=True)]
    left_out = {"type", "kind", "t_us", "stones", "count", "until_us", "t_report_us", "rest"}
    shown |= {_FIELDS.get(name, name): value for name, value in told.items() if name not in left_out}
    return " ".join([t, str(entry.kind), *(f"#{track}" for track in entry.stones), *pairs(shown)])


def ruling_text(ruling: Mapping[str, Any]) -> str:
    """A ruling (JSON values of a Ruling) as a line."""
    own: dict[str, Any] = {"clause": ruling["clause"], "player": ruling.get("player"), "t_us": ruling["t_us"]}
    if ruling.get("asked"):
        own["asked"] = True
    data = dict(ruling.get("data", {}))
    plain = all(_PLAIN.match(name) and name not in ("clause", "player", "t_us", "asked", "data") for name in data)
    values = {k: v for k, v in own.items() if v is not None} | (data if plain else {"data": data})
    return " ".join([">", ruling["kind"], *pairs(values)])


def _ruling(line: Line, entry: Entry) -> Mapping[str, Any]:
    values = dict(line.values)
    own: dict[str, Any] = {"kind": line.words[0], "t_us": values.pop("t_us", entry.t_us)}
    own |= {"clause": values.pop("clause", "")}
    own |= {"player": values.pop("player", None), "asked": bool(values.pop("asked", False))}
    return own | {"data": values.pop("data", values)}


def pairs(values: Mapping[str, Any]) -> Iterator[str]:
    """name=value for each, as JSON without blanks."""
    for name, value in values.items():
        yield f"{name}={json.dumps(value, separators=(',', ':')).replace(' ', chr(92) + 'u0020')}"
