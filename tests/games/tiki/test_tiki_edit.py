"""Undo and edit of any earlier entry: totals are derived again, never patched; seats do not move them."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.fold import Fold, Folded
from companion.games.game import Command
from companion.games.gathered import Gathered
from companion.games.tiki import State, public
from companion.games.tiki.tikis import TIKIS
from companion.process.kinds.tiki import tiki

FOLD = Fold(tiki().game)
SHEET = [str(each) for each in TIKIS]
Entered = tuple[str, int | None, dict[str, Any]]


def folded_of(entries: list[Entered]) -> Folded[Gathered[State]]:
    folded = FOLD.start({"mode": "quick"})
    for number, (name, player, args) in enumerate(entries, start=1):
        folded = put(folded, Command(f"c{number}", name, number * 1000, 0, "", player, args))
    return folded


def put(folded: Folded[Gathered[State]], command: Command) -> Folded[Gathered[State]]:
    folded, step = FOLD.apply(folded, command)
    assert step.refusal is None, (command, step.refusal)
    return folded


def whole_game(random: Random, players: int) -> list[Entered]:
    """A quick game up to its last round, entry by entry, seats changed on the way."""
    names: list[Entered] = [("add_player", None, {"name": name}) for name in ("Ana", "Beto", "Carla", "Dora")[:players]]
    entries: list[Entered] = [*names, ("start", None, {})]
    for _ in range(4 if players == 2 else players):
        entries.append(("places", None, {"places": random.sample(SHEET, 3)}))
        cards = random.sample([[a, b, c] for a in SHEET[:3] for b in SHEET[3:6] for c in SHEET[6:]], players)
        entries += [("secret", player, {"tikis": card}) for player, card in enumerate(cards)]
        entries += [("reveal", None, {}), ("score", None, {})]
    return entries


def totals(folded: Folded[Gathered[State]]) -> dict[str, int]:
    inner = folded.state.inner
    assert inner is not None
    shown = public(inner)
    sums = {player["name"]: player["total"] for player in shown["players"]}
    added = dict.fromkeys(sums, 0)
    for scored in shown["history"]:
        for score in scored["scores"] if scored["final"] == 0 else ():
            added[inner.options.players[score["player"]]] += score["points"]
    assert sums == added  # never anything but the sum of the rounds (I5, I7)
    return sums


@pytest.mark.failure("I1", "I5", "I7")
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), players=st.integers(2, 4))
def test_a_round_put_right_later_is_as_if_it_had_been_typed_right_first(seed: int, players: int) -> None:
    random = Random(seed)
    entries = whole_game(random, players)
    at = random.choice([n for n, entry in enumerate(entries) if entry[0] == "places"])
    right = ("places", None, {"places": random.sample(SHEET, 3)})
    wrong = folded_of(entries)
    if right == entries[at]:
        return
    over = wrong.state.inner is not None and wrong.state.inner.current is None
    command = Command("e", "edit", 10**6, 0, "", None, {"entry": at + 1, "args": right[2]})
    mended, step = FOLD.apply(wrong, command)
    assert step.refusal is None
    typed = folded_of([*entries[:at], right, *entries[at + 1 :]])
    assert mended.state.inner == typed.state.inner
    assert totals(mended) == totals(typed)
    back = put(mended, Command("u", "undo", 10**6 + 1))
    assert back.state.inner == wrong.state.inner  # the edit is undone as any step, across the end too (I4)
    assert over == (back.state.inner is not None and back.state.inner.current is None)


@pytest.mark.failure("I4", "I5")
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), players=st.integers(2, 4))
def test_whatever_is_undone_and_edited_totals_are_the_sum_of_the_rounds(seed: int, players: int) -> None:
    random = Random(seed)
    folded = folded_of(whole_game(random, players))
    for step in range(12):
        t_us = 10**6 + 1000 * step
        if random.random() < 0.5:
            folded = put(folded, Command(f"u{step}", "undo", t_us))
        else:
            named = [
                item for item in folded.commands if isinstance(item.entry, Command) and item.entry.name == "places"
            ]
            if not named:
                break
            args = {"entry": random.choice(named).number, "args": {"places": random.sample(SHEET, 3)}}
            folded, _ = FOLD.apply(folded, Command(f"e{step}", "edit", t_us, 0, "", None, args))
        if folded.state.inner is None:
            break
        assert min(totals(folded).values()) >= 0


@pytest.mark.failure("I9")
@pytest.mark.rule("T05")
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), players=st.integers(2, 4))
def test_points_entered_by_id_go_to_the_same_player_whatever_the_seats(seed: int, players: int) -> None:
    random = Random(seed)
    entries = whole_game(random, players)
    moved: list[Entered] = []
    for entry in entries:
        moved.append(entry)
        if entry[0] in ("start", "score", "places") and entry is not entries[-1]:
            moved.append(("seats", None, {"order": random.sample(range(players), players)}))
    assert totals(folded_of(moved)) == totals(folded_of(entries))
