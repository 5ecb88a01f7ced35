"""Entries drawn at random: what sensors and people may tell of a small game, right or wrong."""

from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

from companion.games.fold import Fold, Folded
from companion.games.game import Command, Entry
from companion.games.yikerz.state import State
from companion.table import SECOND, BoardTime, EventKind, Stone, TableEvent

TRACKS = st.integers(1, 6)
HALF_SECOND: BoardTime = SECOND // 2


def fold_all(fold: Fold[State], folded: Folded[State], entries: Iterable[Entry]) -> Folded[State]:
    """All entries folded, one after the other."""
    for entry in entries:
        folded, _ = fold.apply(folded, entry)
    return folded


@st.composite
def events(draw: st.DrawFn, t_us: BoardTime) -> TableEvent:
    """A table event of any kind about a few stones, at t_us."""
    kind = draw(st.sampled_from(list(EventKind)))
    stones = tuple(sorted(draw(st.sets(TRACKS, max_size=4 if kind is EventKind.COLLAPSE else 2))))
    count = draw(st.integers(0, 6)) if kind is EventKind.SETTLED else max(1, len(stones))
    if draw(st.integers(0, 9)) == 0:
        count += 1
    rest = tuple(Stone(track, 0.0, 0.0) for track in stones) if kind in (EventKind.SETTLED, EventKind.REFUTED) else ()
    until = t_us + draw(st.integers(0, 8)) * HALF_SECOND
    return TableEvent(kind, t_us, stones, count, t_us, rest=rest, until_us=until)


PRESSES = (
    "placed",
    "released",
    "collapsed",
    "fell_off",
    "removed",
    "next_player",
    "last_yiker",
    "said",
    "not_said",
    "answer",
    "abandon_round",
    "next_round",
    "round_result",
    "set_piles",
    "lay",
    "start",
    "undo",
    "touched",
    "add_player",
    "remove_player",
    "move_player",
    "set_handicap",
    "rename_player",
    "set_dealer",
    "set_setting",
    "set_layout",
)
"""Every command of the game (a test compares), and undo."""


@st.composite
def commands(draw: st.DrawFn, t_us: BoardTime, number: int, names: tuple[str, ...] = PRESSES) -> Command:
    """A command, sensible or not, at t_us."""
    name = draw(st.sampled_from(names))
    args: dict[str, Any] = {}
    if name in ("collapsed", "fell_off"):
        args["n"] = draw(st.integers(0, 5))
        if draw(st.booleans()):
            args["hand"] = draw(st.sampled_from(["part", "apart", "none"]))
    elif name == "answer":
        args["question"] = t_us - draw(st.integers(0, 12)) * HALF_SECOND  # a question's number is its time
        words = ["nothing", "collapsed", "into_pile", "put_back", "state_is_right", "board_is_right", "brought"]
        args["choice"] = draw(st.sampled_from([*words, "in_turn", "said", "not_said", "fell_off"]))
        args["n"] = draw(st.integers(1, 3))
    elif name == "round_result":
        left = [draw(st.integers(0, 3)) for _ in range(draw(st.integers(2, 3)))]
        args = {"winner": draw(st.integers(0, 2)), "left": left}
    elif name == "set_piles":
        args = {"piles": [draw(st.integers(0, 5)), draw(st.integers(0, 5))], "board": draw(st.integers(0, 6))}
    elif name == "lay":
        args["how"] = draw(st.sampled_from(["laid", "as_it_lies"]))
        if draw(st.booleans()):
            extra = draw(st.lists(st.integers(0, 5), max_size=2, unique=True))
            unlike = {"seen": 2, "expected": 1, "absent": [], "extra": [{"track": track} for track in extra]}
            args |= {"insist": True, "unlike": unlike}
    elif name == "placed":
        args["held"] = draw(st.booleans())
    elif name in ("add_player", "rename_player"):
        args["name"] = draw(st.sampled_from(["Dan", "Eva"]))
    elif name == "set_layout":
        args["layout"] = draw(st.sampled_from(["novice", "advanced", "upside_down"]))
    elif name == "set_setting":
        args = {
            "name": draw(st.sampled_from(["near", "unsaid", "dealer"])),
            "value": draw(st.sampled_from(["touch", 1])),
        }
    elif name == "move_player":
        args["to"] = draw(st.integers(0, 3))
    elif name == "set_handicap":
        args["stones"] = draw(st.integers(0, 3))
    elif name == "touched":
        args["what"] = draw(st.sampled_from(["stone", "hands"]))
    player = draw(st.sampled_from([None, 0, 1, 7]))
    return Command(f"c{number}", name, t_us, 0, "phone", player, args)


@st.composite
def sequences(draw: st.DrawFn, most: int = 25, presses: bool = True) -> list[TableEvent | Command]:
    """Entries in order of time, several of the same time among them."""
    out: list[TableEvent | Command] = []
    t_us: BoardTime = SECOND
    for number in range(draw(st.integers(1, most))):
        t_us += draw(st.sampled_from([0, 0, 1, 2, 5, 20])) * HALF_SECOND
        if presses and draw(st.integers(0, 3)) == 0:
            out.append(draw(commands(t_us, number)))
        else:
            out.append(draw(events(t_us)))
    return out


def tied() -> list[Command]:
    """What makes three players tie at once, and sudden death begin (Y20); with two or other scoring it is refused."""
    out = []
    for winner in range(3):
        left = [0 if seat == winner else 1 for seat in range(3)]
        result = Command(f"tie{winner}", "round_result", HALF_SECOND, args={"winner": winner, "left": left})
        out += [result, Command(f"next{winner}", "next_round", HALF_SECOND)]
    return out


def games() -> st.SearchStrategy[dict[str, Any]]:
    """Settings of small games, dealt at once."""
    return st.fixed_dictionaries(
        {
            "players": st.sampled_from([["A", "B"], ["A", "B", "C"]]),
            "stones": st.just(6),
            "dealer": st.just(0),
            "begin": st.just("at_once"),
            "best_of": st.just(3),
            "answers": st.sampled_from(["people", "nobody"]),
            "last_call": st.sampled_from(["after", "before", "assumed"]),
            "unsaid": st.sampled_from(["ask", "penalty"]),
            "near": st.sampled_from(["zone", "touch"]),
            "win_wait": st.sampled_from(["wait", "passes"]),
            "hand_stone": st.sampled_from(["back", "may_place"]),
            "played_stone": st.sampled_from(["turn", "hand"]),
            "brought": st.sampled_from(["bringer", "in_turn"]),
            "early": st.sampled_from(["next", "bag"]),
            "scoring": st.sampled_from(["best_of", "points"]),
            "points_limit": st.just(3),
            "touched": st.sampled_from(["noted", "into_pile"]),
            "speed": st.sampled_from(["off", "on"]),
            "speed_s": st.just(5.0),
            "play_on": st.sampled_from(["off", "on"]),
            "sudden_fall": st.sampled_from(["stays", "out"]),
            "sudden_empty": st.sampled_from(["deal", "wins"]),
        }
    )
