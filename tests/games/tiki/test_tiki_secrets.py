"""Secret cards stay secret until the reveal (T04, T18, T23, T28, T29)."""

import json
from dataclasses import replace
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.game import Command
from companion.games.tiki import private, public
from companion.games.tiki.secret import CARDS, Pack, expected_kind, twins
from companion.games.tiki.tikis import TIKIS, Tiki
from companion.process.kinds.tiki import tiki

KIND = tiki()
SHEET = [str(tiki) for tiki in TIKIS]
SEEDS = st.integers(0, 2**32 - 1)


def hidden(state) -> bool:
    return state.current is not None and not state.current.revealed


@pytest.mark.rule("T18")
@settings(max_examples=80, deadline=None)
@given(
    seed=SEEDS,
    steps=st.integers(1, 250),
    players=st.integers(2, 4),
    mode=st.sampled_from(["follow", "quick"]),
)
def test_games_that_differ_only_in_hidden_cards_look_the_same_at_every_step(
    at_table, some_command, seed: int, steps: int, players: int, mode: str
) -> None:
    """Two tables get the same commands but other secret cards: what others get is equal up to the reveal."""
    random = Random(seed)
    table, twin = at_table(players=players, mode=mode), at_table(players=players, mode=mode)
    for _ in range(steps):
        if table.state.current is None:
            break
        name, player, args = some_command(table.state, random, 0.15)
        other = dict(args)
        if name == "secret" and hidden(table.state):
            # Any card, or the one that somebody else has: what must not show before the reveal (T23).
            entered = [[str(t) for t in card] for _, card in table.state.current.cards]
            other["tikis"] = random.choice([random.sample(SHEET, 3), *entered])
        shown = table.send(name, player, **args)
        veiled = twin.send(name, player, **other)
        if hidden(table.state) or name not in ("reveal", "secret"):
            assert shown.rulings == veiled.rulings
            assert shown.refusal == veiled.refusal
            assert public(table.state) == public(twin.state)
            assert KIND.veiled(table.commands[-1]) == KIND.veiled(twin.commands[-1])
        if not hidden(table.state):
            # The cards were shown, or are nobody's any more: both go on from the same point.
            twin.state = table.state


@pytest.mark.rule("T18")
@settings(max_examples=80, deadline=None)
@given(seed=SEEDS, players=st.integers(2, 4), steps=st.integers(1, 120), card=st.permutations(TIKIS))
def test_a_state_with_other_hidden_cards_has_the_same_public_and_other_phones_the_same_private(
    at_table, wandering, seed: int, players: int, steps: int, card: list[Tiki]
) -> None:
    table = at_table(players=players)
    for _ in wandering(table, Random(seed), upsets=0.15, most=steps):
        pass
    current = table.state.current
    if current is None or current.revealed or not current.cards:
        return
    changed, old = current.cards[0]
    other = tuple(card[:3])
    cards = ((changed, other), *current.cards[1:])
    swapped = replace(table.state, current=replace(current, cards=cards))
    assert public(swapped) == public(table.state)
    for player in table.state.seats:
        assert (private(swapped, player) == private(table.state, player)) == (player != changed or other == old)


@pytest.mark.rule("T18")
def test_no_byte_for_others_holds_the_card_before_the_reveal(at_table) -> None:
    """The bytes of every answer: with no line set, no tiki of the card has a reason to be named."""
    table = at_table(players=3)
    tikis = ["hookipa", "lokahi", "nani"]
    step = table.ok("secret", 1, tikis=tikis)
    said = json.dumps(
        [
            public(table.state),
            [(r.kind, r.clause, r.player, dict(r.data), r.asked) for r in step.rulings],
            private(table.state, 0),
            private(table.state, 2),
            dict(KIND.veiled(table.commands[-1]).args),
        ]
    )
    assert not any(tiki in said for tiki in tikis)
    assert private(table.state, 1)["card"] == {"tikis": tikis, "expected": True}
    assert [hand["entered"] for hand in table.view["round"]["hands"]] == [False, True, False]


@pytest.mark.rule("T18", "T23")
def test_the_answer_to_a_card_does_not_depend_on_the_others_cards(at_table) -> None:
    """An error text must not say that somebody else has this card."""
    table = at_table(players=2, mode="quick")
    first = table.ok("secret", 0, tikis=["nani", "nui", "eepo"])
    second = table.ok("secret", 1, tikis=["nani", "nui", "eepo"])
    assert [r.kind for r in first.rulings] == [r.kind for r in second.rulings] == ["card_entered"]
    assert first.rulings[0].data == second.rulings[0].data == {}
    assert table.view["round"]["same_cards"] == []


@pytest.mark.rule("T23", "T04")
def test_two_same_cards_are_said_at_the_reveal_and_must_be_put_right(at_table) -> None:
    table = at_table(players=3, mode="quick")
    table.ok("places", places=["nani", "nui", "eepo"])
    for player, third in enumerate(["eepo", "kapu", "eepo"]):
        table.ok("secret", player, tikis=["nani", "nui", third])
    step = table.ok("reveal")
    assert [(r.kind, r.clause, r.data.get("players"), r.asked) for r in step.rulings[1:]] == [
        ("same_cards", "T23", [0, 2], True)
    ]
    assert table.view["round"]["same_cards"] == [[0, 2]]
    assert table.no("score") == "same_cards"
    table.ok("secret", 2, tikis=["nani", "nui", "hookipa"])
    assert table.view["round"]["same_cards"] == []
    table.ok("score")
    assert table.totals == {0: 16, 1: 14, 2: 14}


@pytest.mark.rule("T04")
def test_any_three_different_tikis_are_a_card_and_the_usual_kind_is_known(at_table) -> None:
    table = at_table(players=2)
    for wrong in (["nani", "nani", "nui"], ["nani", "nui"], ["nani", "nui", "eepo", "kapu"], []):
        assert table.no("secret", 0, tikis=wrong) == "three_different"
    table.ok("secret", 0, tikis=["nani", "wikiwiki", "huhu"])
    assert private(table.state, 0)["card"]["expected"] is False
    usual = [c for c in ((a, b, c) for a in TIKIS for b in TIKIS for c in TIKIS) if len(set(c)) == 3]
    assert sum(expected_kind(card) for card in usual) == 27 * 6


@pytest.mark.rule("T28")
def test_cards_during_the_round_or_at_the_reveal_shown_together_and_corrected(at_table) -> None:
    table = at_table(players=3)
    table.ok("secret", 0, tikis=["nani", "nui", "eepo"])
    table.line_up()
    table.ok("secret", 0, tikis=["nani", "nui", "kapu"])  # entered again: that counts
    assert table.no("reveal") == "round_running"
    assert table.no("score") == "round_running"
    table.ok("set_line", line=["nani", "nui", "kapu"])
    assert table.no("score") == "not_revealed"
    table.ok("secret", 1, tikis=["nui", "nani", "kapu"])
    assert table.view["round"]["cards"] == []
    step = table.ok("reveal")
    cards = [
        {"player": 0, "card": ["nani", "nui", "kapu"], "expected": True},
        {"player": 1, "card": ["nui", "nani", "kapu"], "expected": True},
    ]
    assert step.rulings[0].data == {"cards": cards, "missing": [2]}
    shown = table.view["round"]["cards"]
    assert [{key: card[key] for key in cards[0]} for card in shown] == cards
    assert [card["points"] for card in shown] == [16, 7]  # what they would earn, before they count (T12)
    assert table.no("reveal") == "already_revealed"
    assert table.no("score") == "card_missing"
    step = table.ok("secret", 2, tikis=["eepo", "kapu", "nui"])  # without a phone: on any, in the open
    assert step.rulings[0].data["card"] == ["eepo", "kapu", "nui"]
    table.ok("secret", 1, tikis=["nui", "kapu", "eepo"])  # corrected before the points count
    table.ok("score")
    assert table.totals == {0: 16, 1: 0, 2: 2}


@pytest.mark.rule("T18", "T29")
@pytest.mark.parametrize("end", [("abandon", None), ("leave", 1)])
def test_a_card_that_is_never_shown_leaves_nothing_behind(at_table, end) -> None:
    tables = []
    for third in ("eepo", "kapu"):
        table = at_table(players=3)
        table.ok("secret", 1, tikis=["nani", "nui", third])
        table.ok(*end)
        tables.append(table.state)
    assert tables[0] == tables[1]


@pytest.mark.rule("T18")
def test_one_who_is_not_in_the_round_gets_nothing_private(at_table) -> None:
    table = at_table(players=3)
    table.ok("secret", 1, tikis=["nani", "nui", "eepo"])
    table.ok("leave", 1)
    nothing: dict[str, Any] = {"card": None, "held": [], "plays": []}
    assert private(table.state, 1) == {"player": 1, **nothing}
    assert private(table.state, 77) == {"player": 77, **nothing}


@pytest.mark.rule("T18")
def test_only_the_command_with_a_card_is_veiled() -> None:
    play = Command("a", "play", 5, player=1, args={"card": "up_1", "tiki": "nui"})
    assert KIND.veiled(play) == play
    card = Command("b", "secret", 5, version=3, by="phone", player=1, args={"tikis": ["nui", "nani", "kapu"]})
    assert KIND.veiled(card) == replace(card, args={})


@pytest.mark.rule("T23")
@pytest.mark.parametrize(("players", "rounds"), [(2, 13), (3, 9), (4, 6)])
def test_the_discards_come_back_only_when_fewer_cards_are_left_than_players(players: int, rounds: int) -> None:
    pack = Pack()
    shown = (TIKIS[0], TIKIS[3], TIKIS[6])
    for _ in range(rounds):
        assert not pack.must_shuffle(players)
        pack = pack.deal(players).discard((shown,))
    assert pack.undealt == CARDS - players * rounds < players
    assert pack.must_shuffle(players)
    assert pack.deal(players) == Pack(CARDS - players)


@pytest.mark.rule("T23")
def test_the_shuffle_is_said_and_a_card_that_came_back_too_early_too(at_table) -> None:
    table = at_table(players=4, rounds=9, mode="quick")
    every = [" ".join(card) for card in permutations(SHEET, 3)]
    # Four new cards a round, but in round 3 one of round 1, in round 7 (a fresh pack) all of round 1, in
    # round 8 one of round 7.
    dealt = {number: every[4 * number : 4 * number + 4] for number in range(1, 9)}
    dealt[3] = [*dealt[3][:3], dealt[1][2]]
    dealt[7] = dealt[1]
    dealt[8] = [dealt[7][1], *dealt[8][1:]]
    said: list[tuple[int, str, int | None]] = []
    for number, cards in dealt.items():
        table.ok("places", places=["nani", "nui", "eepo"])
        for player, card in enumerate(cards):
            entered = table.ok("secret", player, tikis=card.split())
            assert [r.kind for r in entered.rulings] == ["card_entered"]
        said += [(number, r.kind, r.player) for r in table.ok("reveal").rulings if r.clause == "T23"]
        said += [(number, r.kind, r.player) for r in table.ok("score").rulings if r.clause == "T23"]
    # 27 - 6 * 4 = 3 are left after round 6, fewer than players.
    assert said == [(3, "card_came_back", 3), (6, "shuffle", None), (8, "card_came_back", 0)]


@pytest.mark.rule("T04")
def test_twins_are_cards_alike_in_every_place() -> None:
    one, same_tikis = (TIKIS[0], TIKIS[3], TIKIS[6]), (TIKIS[3], TIKIS[0], TIKIS[6])
    assert twins(((0, one), (1, same_tikis))) == ()
    assert twins(((0, one), (1, same_tikis), (3, one))) == ((0, 3),)
