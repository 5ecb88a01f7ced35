"""Scenarios as text: one line an entry, what it must rule and what the state must then be; round trips.

    rules Y10 Y13                          clauses that the scenario asserts
    settings players=["A","B"] stones=6    of the game, which is dealt at once; any setting by name
    1.5 approach #4                        a table event: seconds, kind, tracks; then fields: n= chain=
    until= rest= 2 !placed player=1 n=2                 a command; player= and by= are its own, anything
    else are args 12.0001 advance                        board time has passed
    > turn_end player=0 reason=ten_seconds the entry above made a ruling of this kind (the data named, no
    more) > refused stone_in_play                the command above was refused with this code
    > nothing                              the entry above made no ruling
    = phase=turn turn=1 piles=[2,3]        the state (see `facts`)

Values are JSON without blanks; a word without quotes stands for itself. A line that begins with # is a
comment.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.games.fold import Fold, Folded
from companion.games.game import Advance, Command, Entry, Step
from companion.games.yikerz.game import Yikerz
from companion.games.yikerz.state import State
from companion.table import EventKind, Stone, TableEvent, from_seconds, to_seconds

SCENARIOS = Path(__file__).parent / "scenarios"


@dataclass(frozen=True, slots=True)
class Line:
    """One line. sort: rules, settings, entry, ruling or state; args: its words and values."""

    sort: str
    entry: Entry | None = None
    words: tuple[str, ...] = ()
    values: tuple[tuple[str, Any], ...] = ()


def parse(text: str) -> list[Line]:
    """The lines of a scenario. Raises ValueError, with the line, where one is wrong."""
    out = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        try:
            out.append(_line(line, len(out)))
        except (ValueError, KeyError, IndexError) as error:
            raise ValueError(f"line {number}: {raw.strip()!r}: {error}") from error
    return out


def _line(line: str, number: int) -> Line:
    first, *rest = line.split()
    words = tuple(w for w in rest if "=" not in w)
    values = {k: _value(v) for k, _, v in (w.partition("=") for w in rest if "=" in w)}
    if first in ("rules", "settings", ">", "="):
        sort = {">": "ruling", "=": "state"}.get(first, first)
        return Line(sort, None, words, tuple(values.items()))
    t_us = from_seconds(float(first))
    what, *tracks = words
    if what == "advance":
        return Line("entry", Advance(t_us))
    if what.startswith("!"):
        player, by = values.pop("player", None), values.pop("by", "")
        return Line("entry", Command(values.pop("id", f"c{number}"), what[1:], t_us, 0, by, player, values))
    stones = tuple(int(t.removeprefix("#")) for t in tracks)
    count = values.pop("n", len(stones) if stones else 1)
    until = values.pop("until", None)
    if until is not None:
        values["until_us"] = from_seconds(until)
    if "rest" in values:
        values["rest"] = tuple(Stone(track, 0.0, 0.0) for track in values["rest"])
    return Line("entry", TableEvent(EventKind(what), t_us, stones, count, t_us, **values))


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def entry_text(entry: Entry) -> str:
    """An entry as a line; `parse` gives it back (of a stone in `rest`, its track)."""
    t = f"{to_seconds(entry.t_us):.6f}".rstrip("0").rstrip(".")
    if isinstance(entry, Advance):
        return f"{t} advance"
    if isinstance(entry, Command):
        own = {"id": entry.id, "player": entry.player, "by": entry.by or None}
        values = {**{k: v for k, v in own.items() if v is not None}, **entry.args}
        return " ".join([t, f"!{entry.name}", *_pairs(values)])
    values = {}
    if entry.count != (len(entry.stones) or 1):
        values["n"] = entry.count
    if entry.until_us is not None:
        values["until"] = to_seconds(entry.until_us)
    if entry.rest:
        values["rest"] = [stone.track for stone in entry.rest]
    if entry.chain:
        values["chain"] = True
    if entry.stacked:
        values["stacked"] = True
    return " ".join([t, str(entry.kind), *(f"#{track}" for track in entry.stones), *_pairs(values)])


def _pairs(values: dict[str, Any]) -> Iterator[str]:
    for name, value in values.items():
        yield f"{name}={json.dumps(value, separators=(',', ':')).replace(' ', chr(92) + 'u0020')}"


def facts(state: State) -> dict[str, Any]:
    """What a state line may name."""
    ids = [player.id for player in state.players]
    return {
        "phase": state.phase,
        "stage": str(state.stage),
        "turn": ids[state.seat] if ids else None,
        "piles": list(state.piles),
        "bag": state.bag,
        "board": len(state.board),
        "take": [t.track for t in state.to_take],
        "to_take": len(state.to_take),
        "deadline": None if state.deadline_us is None else to_seconds(state.deadline_us),
        "said": [str(call.said) for call in state.calls],
        "outcome": str(state.outcome),
        "questions": [q.code for q in state.questions],
        "missing": list(state.missing),
        "mismatch": state.mismatch is not None,
        "wins": list(state.wins),
        "points": list(state.points),
        "winners": list(state.winners),
        "away": list(state.away),
        "round": state.round,
        "limit": None if state.limit_us is None else to_seconds(state.limit_us),
        "rounds": len(state.rounds),
        "dealer": state.dealer if state.dealer is None else ids[state.dealer],
        "penalty": None if state.penalty is None else state.penalty.count,
        "hands": [hand.track for hand in state.hands],
        "names": [player.name for player in state.players],
        "layout": state.layout,
    }


def play(lines: list[Line]) -> Folded[State]:
    """Run a scenario and check every line; AssertionError says which was wrong."""
    settings: dict[str, Any] = {"begin": "at_once", "dealer": 0, "players": ["Ana", "Ben"]}
    for line in lines:
        if line.sort == "settings":
            settings.update(dict(line.values))
    fold = Fold(Yikerz())
    folded = fold.start(settings)
    step: Step[State] = Step(folded.state)
    for line in lines:
        if line.entry is not None:
            folded, step = fold.apply(folded, line.entry)
            if step.refusal is None:
                check_state(folded.state)
        elif line.sort == "ruling":
            _check_ruling(line, step)
        elif line.sort == "state":
            now = facts(folded.state)
            for name, value in line.values:
                assert now[name] == value, f"{_told(line)}: {name} is {now[name]!r}"
    return folded


def check_state(state: State) -> None:
    """What holds in every state: the stones add up (Y21), JSON gives the state back."""
    if state.running:
        count = sum(state.piles) + state.bag + len(state.board) + len(state.missing)
        assert count == state.settings.stones, f"{count} stones"
        assert min(state.piles) >= 0
    game = Yikerz()
    assert game.from_json(json.loads(json.dumps(game.to_json(state)))) == state


def _check_ruling(line: Line, step: Step[State]) -> None:
    kind, *words = line.words
    made = [(r.kind, r.player, dict(r.data), r.clause, r.asked) for r in step.rulings]
    if kind == "nothing":
        assert (made, step.refusal) == ([], None)
        return
    if kind == "refused":
        assert step.refusal is not None, _told(line)
        assert step.refusal.code == words[0], f"{_told(line)}: {step.refusal}"
        return
    wanted = dict(line.values)
    for _, player, data, clause, asked in (m for m in made if m[0] == kind):
        have = {**data, "player": player, "clause": clause, "asked": asked}
        if all(have.get(name) == value for name, value in wanted.items()):
            return
    raise AssertionError(f"{_told(line)}: not among {made}, refused {step.refusal}")


def _told(line: Line) -> str:
    return " ".join([line.sort, *line.words, *_pairs(dict(line.values))])
