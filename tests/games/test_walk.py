"""A bounded exhaustive walk: every entry from every state that few stones and few steps can reach.

In each state the stones add up (Y21), exactly one player is in turn while a round runs, and there is a way on.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from companion.games.game import Advance, Command, Entry, Step
from companion.games.yikerz.game import Yikerz
from companion.games.yikerz.names import Outcome, Stage
from companion.games.yikerz.settings import CHOICES
from companion.games.yikerz.state import State
from companion.table import SECOND, BoardTime, EventKind, TableEvent
from tests.games import way_on
from tests.games.entries import tied
from tests.scenario import check_state

GAME = Yikerz()
NOW: BoardTime = 100 * SECOND


def start(**settings: Any) -> State:
    values = {"players": ["A", "B"], "stones": 4, "dealer": 0, "begin": "at_once", "best_of": 1, **settings}
    return GAME.start(values)


def sensed(state: State) -> Iterator[Entry]:
    """What sensors may tell next: up to three stones, all events that can happen to each."""
    known = {s.track for s in state.board} | {h.track for h in state.hands} | {t.track for t in state.to_take}
    lying = [s.track for s in state.board]
    for track in sorted(known | {1 + max([0, *known, *(t for t, _ in state.owners)])}):
        kinds = [EventKind.APPROACH, EventKind.PLACED, EventKind.RELEASED]
        if track in known:
            kinds += [EventKind.REMOVED, EventKind.WITHDRAWN, EventKind.FELL_OFF, EventKind.LIFTED]
        for kind in kinds:
            yield TableEvent(kind, NOW, (track,))
        for other in lying:
            if other != track:
                yield TableEvent(EventKind.COLLAPSE, NOW, tuple(sorted((track, other))), 2)
    for count in {len(lying), max(0, len(lying) - len(state.to_take))}:
        yield TableEvent(EventKind.SETTLED, NOW, (), count)


def pressed(state: State) -> Iterator[Entry]:
    """What people may press next."""
    for name in ("placed", "released", "removed", "next_player", "last_yiker", "said", "not_said"):
        yield Command("c", name, NOW)
    yield Command("c", "placed", NOW, player=state.players[state.next_seat].id)
    for n in (1, 2, 3):
        for hand in ("part", "apart", "none"):
            yield Command("c", "collapsed", NOW, args={"n": n, "hand": hand})
            yield Command("c", "fell_off", NOW, args={"n": n, "hand": hand})
    for question in state.questions:
        for choice in question.choices:
            yield Command("c", "answer", NOW, args={"question": question.number, "choice": choice, "n": 2})


def plain(state: State) -> State:
    """The state as seen at NOW, without what only counts or tells: two states alike go on alike."""
    due = state.deadline_us
    return replace(
        state,
        log=(),
        ruled=0,
        turns=0,
        taken=(),
        outcome=Outcome.CLEAN,
        faults=(),
        hands=tuple(replace(hand, since_us=0) for hand in state.hands),
        deadline_us=None if due is None else NOW + 10 * SECOND,
        limit_us=None if state.limit_us is None else NOW + 10 * SECOND,
        asked=0,
        mismatch=None if state.mismatch is None else replace(state.mismatch, since_us=NOW),
        questions=tuple(replace(q, t_us=0, deadline_us=q.deadline_us and NOW) for q in state.questions),
    )


def walk(first: State, entries: Callable[[State], Iterator[Entry]], depth: int) -> int:
    """Visit everything within `depth` entries, breadth first, each state once; returns how many."""
    layer, seen = [first], {repr(plain(first))}
    for _ in range(depth):
        found = []
        for state in layer:
            for entry in [*entries(state), *passing(state)]:
                step = GAME.apply(state, entry)
                if step.refusal is not None:
                    continue
                won_rightly(state, step)
                after = plain(step.state)
                if repr(after) not in seen:
                    seen.add(repr(after))
                    check(after)
                    found.append(after)
        layer = found
    print(f"{len(seen)} states visited, {depth} entries deep")
    return len(seen)


def won_rightly(before: State, step: Step[State]) -> None:
    """A round is won by Y17 alone: an empty pile that stood; sudden death by being the last one left (Y42)."""
    kinds = {ruling.kind: ruling for ruling in step.rulings}
    if step.state.sudden or before.sudden:
        assert "round_end" not in kinds
        assert ("game_end" in kinds) <= (
            "out" in kinds or "left" in kinds or step.state.settings.sudden_empty == "wins"
        )
    elif len(step.state.rounds) > len(before.rounds) and step.state.rounds[-1].winner is not None:
        ended = kinds["turn_end"]
        assert (ended.clause, ended.data["won"]) == ("Y17", True)
        seat = next(s for s, p in enumerate(before.players) if p.id == ended.player)
        assert ended.data["piles"][seat] == 0


def passing(state: State) -> list[Entry]:
    due = GAME.next_due(state)
    return [] if due is None else [Advance(due)]


def check(state: State) -> None:
    check_state(state)
    if state.running:
        assert state.seat in state.playing or (state.sudden and state.stage is Stage.REMOVING)
        assert (state.stage is Stage.COUNTDOWN) == (state.deadline_us is not None)
        assert state.spent == (state.stage is Stage.COUNTDOWN) or state.stage in (Stage.REMOVING, Stage.PENALTY)
        for seat, pile in enumerate(state.piles):
            waiting = {t.seat for t in state.takes}
            may_be_empty = seat == state.seat or seat in waiting or seat in state.away or state.sudden
            assert pile > 0 or may_be_empty, "a player without stones has to place (Y45)"
    way_on.check(state, NOW + 30 * SECOND)


@pytest.mark.rule("Y21", "Y30", "Y45")
@pytest.mark.parametrize("answers", ["people", "nobody"])
def test_all_that_sensors_can_tell(answers: str) -> None:
    assert walk(start(answers=answers), sensed, 4) > 500


@pytest.mark.slow
@pytest.mark.rule("Y21", "Y24", "Y30", "Y45")
def test_all_that_sensors_and_people_can_tell() -> None:
    assert walk(start(), lambda state: iter([*sensed(state), *pressed(state)]), 4) > 3000


@pytest.mark.rule("Y21", "Y24")
@pytest.mark.parametrize("last_call", ["after", "before"])
def test_all_that_people_can_press(last_call: str) -> None:
    assert walk(start(stones=6, last_call=last_call), pressed, 6) > 300


def sudden(**settings: Any) -> State:
    """Three players who are tied after a round each, at the beginning of their sudden death."""
    state = start(players=["A", "B", "C"], stones=6, best_of=3, **settings)
    for press in tied():
        state = GAME.apply(state, press).state
    assert state.sudden
    return state


@pytest.mark.rule("Y20", "Y21", "Y42", "Y43")
@pytest.mark.parametrize("fall", ["stays", "out"])
def test_all_that_people_can_press_in_sudden_death(fall: str) -> None:
    assert walk(sudden(sudden_fall=fall), pressed, 7) > 300


@pytest.mark.slow
@pytest.mark.rule("Y20", "Y21", "Y42", "Y43")
def test_all_that_sensors_can_tell_in_sudden_death() -> None:
    assert walk(sudden(), sensed, 5) > 1000


@pytest.mark.rule("Y21", "Y25")
@pytest.mark.parametrize("mode", [{"play_on": "on"}, {"speed": "on"}])
def test_all_that_people_can_press_in_the_extra_modes(mode: dict[str, str]) -> None:
    first = start(players=["A", "B", "C"], stones=3, last_call="assumed", **mode)
    assert walk(first, leaving, 4) > 100


def leaving(state: State) -> Iterator[Entry]:
    """What people may press, and that any of them leaves (Y46)."""
    yield from pressed(state)
    for player in state.players:
        if not player.gone:
            yield Command("c", "remove_player", NOW, player=player.id)
    yield Command("c", "touched", NOW)


def doubted(state: State) -> Iterator[Entry]:
    """What sensors may tell, that they could not tell something, and what people answer to it (Y22, Y23)."""
    yield from sensed(state)
    yield TableEvent(EventKind.UNSEEN, NOW, (), 0, until_us=NOW + SECOND)
    yield TableEvent(EventKind.UNSURE, NOW, tuple(s.track for s in state.board[:1]), 1, until_us=NOW)
    for question in state.questions:
        for choice in question.choices:
            for n in (1, 2):
                yield Command("c", "answer", NOW, args={"question": question.number, "choice": choice, "n": n})


OTHERWISE = [
    {name: value}
    for name, values in CHOICES.items()
    if name not in ("begin", "answers", "scoring", "loser", "join_points", "best_of_mode")  # not of a turn
    for value in values[1:]
]


@pytest.mark.slow
@pytest.mark.rule("Y21", "Y22", "Y23", "Y30", "Y45")
@pytest.mark.parametrize("changed", OTHERWISE, ids=lambda changed: "=".join(*changed.items()))
def test_all_that_can_happen_with_each_setting_changed(changed: dict[str, str]) -> None:
    assert walk(start(**changed), doubted, 4) > 300
    assert walk(start(**changed), pressed, 4) > 30


@pytest.mark.slow
@pytest.mark.rule("Y21", "Y30", "Y45")
@pytest.mark.parametrize(
    "pair", list(combinations(OTHERWISE, 2)), ids=lambda pair: "-".join(v for d in pair for v in d.values())
)
def test_all_that_can_happen_with_two_settings_changed(pair: tuple[dict[str, str], dict[str, str]]) -> None:
    first, second = pair
    if first.keys() != second.keys():
        assert walk(start(**first, **second), doubted, 3) > 100
