"""Figures of the CirKis rules, in ms of processor time; printed, never a pass mark.

pytest tests/bench/test_cirkis_speed.py -m bench -s
"""

import json
from collections.abc import Callable
from statistics import median
from time import process_time

import pytest

from companion.games.cirkis import ASSUMED_SET, CirKis, State, board, find_place, open_spaces, preview
from companion.games.cirkis.pieces import catalogue
from companion.games.game import Command
from companion.games.gathered import Gathered, Seated
from companion.process.kinds.cirkis import CHOICES
from companion.views.cirkis import encode, foresee
from companion.views.cirkis_drawing import drawing
from companion.views.context import ViewContext

pytestmark = pytest.mark.bench


def milliseconds(call: Callable[[], object], times: int = 5) -> float:
    taken = []
    for _ in range(times):
        start = process_time()
        call()
        taken.append((process_time() - start) * 1e3)
    return median(taken)


def a_game() -> list[State]:
    """The states of a game of four in which each player takes the first placement that the search finds."""
    game = CirKis()
    states = [game.start({"players": ["Ana", "Ben", "Cleo", "Dan"], "pieces": "assumed"})]
    while states[-1].phase == "play" and states[-1].turn is not None:
        found = find_place(states[-1], states[-1].turn)
        assert found is not None
        args = {"spaces": list(found.spaces or ())}
        step = game.apply(states[-1], Command("x", "place" if found.spaces else "cannot_place", 0, args=args))
        assert step.refusal is None
        states.append(step.state)
    return states[:-1]


def test_cirkis_speed() -> None:
    board.cache_clear()
    built = milliseconds(board, times=1)
    places = milliseconds(lambda: catalogue(ASSUMED_SET), times=1)
    states = a_game()
    game = CirKis()
    context = ViewContext("g1", "cirkis")
    late = states[-1]
    seated = tuple(Seated(n, name, "red") for n, name in enumerate(late.settings.players))
    shown = Gathered(seated, inner=late)
    spaces = sorted(open_spaces(late))[:1]
    searches = [find_place(state, state.turn) for state in states if state.turn is not None]
    nodes = [search.nodes for search in searches if search is not None]
    print()
    print(f"board built once          {built:8.1f} ms")
    print(f"places of the set, once   {places:8.1f} ms, {len(catalogue(ASSUMED_SET).shape_at)} places")
    print(f"game of {len(states)} turns; late in it:")
    print(f"  preview                 {milliseconds(lambda: preview(late, spaces)):8.2f} ms")
    place = Command("x", "place", 0, args={"spaces": spaces, "overrule": True})
    asked = {"name": "place", "player": late.turn, "args": {"spaces": spaces}}
    print(f"  what it would do        {milliseconds(lambda: foresee(late, asked)):8.2f} ms")
    print(f"  place                   {milliseconds(lambda: game.apply(late, place)):8.2f} ms")
    print(f"  can anybody move        {milliseconds(lambda: find_place(late, late.turn or 0)):8.2f} ms")
    print(
        f"  public view             {milliseconds(lambda: encode(shown, context, CHOICES)):8.2f} ms, "
        f"{size(encode(shown, context, CHOICES))} bytes"
    )
    print(f"nodes of a search         {median(nodes):8.0f} median, {max(nodes)} most, {bound()} at most")
    print(f"drawing                   {size(drawing()):8d} bytes")


def size(value: object) -> int:
    return len(json.dumps(value, separators=(",", ":")))


def bound() -> int:
    return sum(len(places) for places in catalogue(ASSUMED_SET).at)
