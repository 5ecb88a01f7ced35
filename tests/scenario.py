"""Scenarios: texts of games (companion/games/text.py) that also say what has to be ruled and what state has to come.

rules Y10 Y13                          clauses that the scenario asserts
settings players=["A","B"] stones=6    of the game, which is dealt at once; any setting by name
> turn_end player=0 reason=ten_seconds the entry above made a ruling of this kind (the data named, no more)
> refused stone_in_play                the command above was refused with this code
> nothing                              the entry above made no ruling
> no taken                             it made none of this kind
= phase=turn turn=1 piles=[2,3]        the state (see `facts`)
"""

import json
from pathlib import Path
from typing import Any

from companion.games.fold import Fold, Folded
from companion.games.game import Step
from companion.games.text import Line, entry_text, pairs, parse
from companion.games.yikerz.game import Yikerz
from companion.games.yikerz.state import State
from companion.table import to_seconds

__all__ = ["SCENARIOS", "check_state", "entry_text", "facts", "parse", "play"]

SCENARIOS = Path(__file__).parent / "scenarios"


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
        "denied": list(state.denied),
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
        elif line.sort == "=":
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
    if kind == "no":
        assert words[0] not in [each for each, *_ in made], f"{_told(line)}: {made}"
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
    return " ".join([line.sort, *line.words, *pairs(dict(line.values))])
