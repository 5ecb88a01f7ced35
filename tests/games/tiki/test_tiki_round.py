"""Hands, turns and the end of a round (T01, T05, T06, T09-T11, T19, T21, T27)."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.tiki import private, public
from companion.games.tiki.hand import SEVEN, SIX, Action, Hand, whole_hand
from companion.games.tiki.refusal import RefusedError


@pytest.mark.rule("T01")
def test_seven_cards_with_two_players_six_without_one_up_1_with_more() -> None:
    assert sorted(SEVEN) == sorted(["up_1", "up_1", "up_2", "up_3", "topple", "toast", "toast"])
    assert sorted([*SIX, Action.UP_1]) == sorted(SEVEN)
    assert [whole_hand(players) for players in (2, 3, 4)] == [SEVEN, SIX, SIX]


@pytest.mark.rule("T01", "T19")
@pytest.mark.parametrize(("players", "cards"), [(2, 7), (3, 6), (4, 6)])
def test_the_page_shows_what_was_played_and_how_many_are_left(at_table, players: int, cards: int) -> None:
    table = at_table(players=players)
    table.line_up()
    table.play("up_1", "kapu")
    hands = table.view["round"]["hands"]
    assert [hand["left"] for hand in hands] == [cards - 1] + [cards] * (players - 1)
    assert hands[0]["played"] == ["up_1"]
    assert all("held" not in hand for hand in hands)  # T19: hands are held secret


@pytest.mark.rule("T05")
@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_the_named_one_starts_and_play_is_clockwise(at_table, first: int) -> None:
    table = at_table(players=4, first=first)
    table.line_up()
    turns = [table.view["round"]["turn"]]
    for card, tiki in [("up_1", "kapu"), ("up_2", "kapu"), ("up_3", "kapu"), ("topple", "kapu")]:
        step = table.play(card, tiki)
        turns.append(table.view["round"]["turn"])
        assert [(r.kind, r.player) for r in step.rulings] == [
            ("played", turns[-2]),
            ("turn_start", turns[-1]),
        ]
    assert turns == [(first + i) % 4 for i in range(5)]


@pytest.mark.rule("T05")
def test_nobody_plays_out_of_turn(at_table) -> None:
    table = at_table(players=3, first=1)
    table.line_up()
    assert [bool(private(table.state, player)["plays"]) for player in range(3)] == [False, True, False]
    for player in (0, 2):
        assert table.no("play", player, card="up_1", tiki="kapu") == "not_your_turn"
    table.ok("play", 1, card="up_1", tiki="kapu")
    assert table.no("play", 1, card="up_2", tiki="kapu") == "not_your_turn"


@pytest.mark.rule("T06")
def test_a_played_card_is_out_for_the_round() -> None:
    hand = Hand(0, SEVEN).play(Action.UP_1).play(Action.UP_1)
    with pytest.raises(RefusedError) as refused:
        hand.play(Action.UP_1)
    assert refused.value.refusal.code == "card_not_in_hand"
    assert hand.played == (Action.UP_1, Action.UP_1)
    assert hand.held == SEVEN[2:]


@pytest.mark.rule("T09")
def test_a_toast_needs_no_tiki_and_takes_the_lowest(at_table) -> None:
    table = at_table(players=2)
    table.line_up()
    table.play("up_1", "nui")
    table.play("up_1", "nui")
    step = table.play("toast")
    assert step.rulings[0].clause == "T09"
    assert step.rulings[0].data == {"card": "toast", "tiki": "kapu", "from": 9, "to": None, "left": 5}
    assert table.no("play", 1, card="toast", tiki="nani") == "not_lowest"
    table.ok("play", 1, card="toast", tiki="hookipa")
    assert table.view["round"]["toasted"] == ["hookipa", "kapu"]


@pytest.mark.rule("T11")
def test_the_sixth_toast_ends_the_round_at_once(at_table) -> None:
    table = at_table(players=3, first=1)
    table.line_up()
    for _ in range(3):
        table.play("up_1", "nani" if table.view["round"]["line"][0] != "nani" else "wikiwiki")
    for _ in range(5):
        assert table.play("toast").rulings[-1].kind == "turn_start"
    step = table.play("toast")
    assert step.rulings[-1].kind == "round_end"
    assert step.rulings[-1].clause == "T11"
    assert step.rulings[-1].data["reason"] == "six_toasted"
    assert table.view["phase"] == "ended"
    assert len(table.view["round"]["line"]) == 3
    assert [hand["left"] for hand in table.view["round"]["hands"]] == [3, 3, 3]
    assert table.no("play", 1, card="up_2", tiki=table.view["round"]["line"][2]) == "round_over"


@pytest.mark.rule("T11")
def test_it_ends_in_the_middle_of_a_lap_too(at_table) -> None:
    table = at_table(players=4)
    table.line_up()
    for _ in range(4):
        table.play("up_1", "kapu")
    for _ in range(6):
        table.play("toast")
    assert table.view["phase"] == "ended"
    assert [hand["left"] for hand in table.view["round"]["hands"]] == [3, 3, 4, 4]


@pytest.mark.rule("T11", "T20")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_ends_when_all_hands_are_empty_with_more_than_three_in_line(at_table, players: int) -> None:
    table = at_table(players=players)
    toasts = 0
    table.line_up()
    while table.view["phase"] == "play":
        player = table.view["round"]["turn"]
        plays = private(table.state, player)["plays"]
        held = [p for p in plays if p["card"] != "toast" or toasts < 5]
        if not held:  # only Toasts left, and five have been played: put one back by hand, as a table might
            line = table.view["round"]["line"]
            table.ok("set_line", line=[*line, table.view["round"]["toasted"][0]])
            toasts -= 1
            continue
        toasts += held[0]["card"] == "toast"
        table.ok("play", player, **held[0])
    end = table.step.rulings[-1]
    assert (end.kind, end.data["reason"]) == ("round_end", "hands_empty")
    assert [hand["left"] for hand in table.view["round"]["hands"]] == [0] * players
    line = table.view["round"]["line"]
    assert len(line) > 3
    assert table.view["round"]["places"] == line[:3] == end.data["places"]


@pytest.mark.rule("T21")
@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    players=st.integers(2, 4),
    topple_bottom=st.booleans(),
)
def test_a_player_can_always_play(at_table, seed: int, players: int, topple_bottom: bool) -> None:
    random = Random(seed)
    table = at_table(players=players, topple_bottom=topple_bottom)
    table.line_up()
    lowest = 9
    while table.view["phase"] == "play":
        player = table.view["round"]["turn"]
        plays = private(table.state, player)["plays"]
        assert plays, "nobody is ever stuck"
        assert len(table.view["round"]["line"]) >= 4
        assert table.no("pass", player) == "no_passing"
        # Toast whenever possible, half of the time: that is what leaves the fewest tikis and the worst hands.
        toasts = [play for play in plays if play["card"] == "toast"]
        table.ok(
            "play",
            player,
            **(random.choice(toasts or plays) if random.random() < 0.5 else random.choice(plays)),
        )
        lowest = min(lowest, len(table.view["round"]["line"]))
    assert lowest >= 3


@pytest.mark.rule("T21")
@pytest.mark.parametrize("hand", [SIX, SEVEN])
@pytest.mark.parametrize("topple_bottom", [True, False])
def test_every_hand_and_length_of_line_leaves_a_play(at_table, hand, topple_bottom: bool) -> None:
    """The proof by cases behind the clause: any part of a hand, at a turn with four or more in line."""
    from itertools import combinations

    for size in range(1, len(hand) + 1):
        for held in set(combinations(hand, size)):
            played = list(hand)
            for card in held:
                played.remove(card)
            for length in (4, 9):
                table = at_table(players=2 if hand is SEVEN else 3, topple_bottom=topple_bottom)
                table.line_up()
                line = table.view["round"]["line"][:length]
                table.ok("set_line", line=line, turn=0, hands=[{"player": 0, "played": [str(c) for c in played]}])
                assert private(table.state, 0)["plays"]


@pytest.mark.rule("T27")
def test_the_line_is_set_by_hand_where_the_table_differs(at_table) -> None:
    table = at_table(players=3)
    table.line_up()
    table.play("up_1", "kapu")
    line = ["kapu", "nani", "nui", "eepo"]
    step = table.ok("set_line", line=line, turn=2, hands=[{"player": 0, "played": ["up_1", "toast"]}])
    assert [(r.kind, r.clause, r.player) for r in step.rulings] == [
        ("line_by_hand", "T27", None),
        ("turn_start", "T05", 2),
    ]
    view = table.view["round"]
    assert (view["line"], view["turn"]) == (line, 2)
    assert [hand["left"] for hand in view["hands"]] == [4, 6, 6]
    assert private(table.state, 0)["held"] == ["up_2", "up_3", "topple", "toast"]


@pytest.mark.rule("T27")
def test_a_line_by_hand_may_end_the_round_and_take_its_end_back_until_the_reveal(at_table) -> None:
    table = at_table(players=3)
    table.line_up()
    step = table.ok("set_line", line=["kapu", "nani", "nui"])
    assert step.rulings[-1].kind == "round_end"
    step = table.ok("set_line", line=["kapu", "nani", "nui", "eepo"])
    assert (table.view["phase"], step.rulings[-1].kind) == ("play", "turn_start")
    table.ok("set_line", line=["kapu", "nani", "nui"])
    table.ok("reveal")
    table.ok("set_line", line=["kapu", "nui", "nani"])
    assert table.view["round"]["places"] == ["kapu", "nui", "nani"]
    assert table.no("set_line", line=["kapu", "nani", "nui", "eepo"]) == "already_revealed"


@pytest.mark.rule("T27")
def test_hands_by_hand_must_be_possible_and_whose_turn_it_is_must_hold_a_card(at_table) -> None:
    table = at_table(players=3)
    table.line_up()
    line = table.view["round"]["line"]
    everything = [str(card) for card in SIX]
    for played in (["up_1", "up_1"], ["toast"] * 3, [*everything, "up_2"]):
        assert table.no("set_line", line=line, hands=[{"player": 0, "played": played}]) == "hands_by_hand"
    empty = [{"player": 0, "played": everything}]
    assert table.no("set_line", line=line, hands=empty, turn=0) == "hands_by_hand"
    table.ok("set_line", line=line, hands=empty)
    assert table.view["round"]["turn"] == 1
    table.play("up_1", "kapu")
    table.play("up_1", "kapu")
    assert table.view["round"]["turn"] == 1  # 0 holds nothing and is passed over


@pytest.mark.rule("T27")
def test_a_round_under_way_can_be_taken_up_without_a_line_up(at_table) -> None:
    table = at_table(players=2, first=1)
    step = table.ok("set_line", line=["kapu", "nani", "nui", "eepo", "huhu"])
    assert step.rulings[-1].kind == "turn_start"
    assert public(table.state)["round"]["turn"] == 1
