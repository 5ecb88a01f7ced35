"""The mistakes that other programs of this game are known for, one by one."""

import pytest

from companion.games.tiki import private


@pytest.mark.rule("T12")
@pytest.mark.parametrize(("places", "points"), [("nani nui eepo", 5), ("nui nani eepo", 5), ("nui eepo nani", 0)])
def test_the_middle_tiki_scores_in_2nd_place_too(at_table, places: str, points: int) -> None:
    table = at_table(players=2, mode="quick")
    table.quick_round(places, {0: "kapu nani huhu", 1: "lokahi akamai huhu"})
    assert table.totals == {0: points, 1: 0}


@pytest.mark.rule("T10")
def test_the_toast_ban_is_for_each_players_first_turn_not_for_the_rounds_first_card(at_table) -> None:
    table = at_table(players=4, first=2)
    table.line_up()
    for player in (2, 3, 0, 1):
        assert table.no("play", player, card="toast") == "toast_first_turn"
        assert all(play["card"] != "toast" for play in private(table.state, player)["plays"])
        table.ok("play", player, card="up_1", tiki="kapu")
    table.ok("play", 2, card="toast")


@pytest.mark.rule("T10", "T14")
def test_the_toast_ban_is_back_in_each_round(at_table) -> None:
    table = at_table(players=3)
    for expected_starter in (0, 1):
        table.line_up()
        for i in range(3):
            player = (expected_starter + i) % 3
            assert table.no("play", player, card="toast") == "toast_first_turn"
            table.ok("play", player, card="up_1", tiki="kapu")
        while table.view["phase"] == "play":
            table.play("toast")
        for player, card in enumerate(["nani nui eepo", "nani nui kapu", "nani nui hookipa"]):
            table.ok("secret", player, tikis=card.split())
        table.ok("reveal")
        table.ok("score")


@pytest.mark.rule("T01", "T14")
@pytest.mark.parametrize(("players", "up_1s"), [(2, 2), (3, 1), (4, 1)])
def test_hands_are_right_and_the_up_1_put_aside_stays_aside(at_table, players: int, up_1s: int) -> None:
    table = at_table(players=players, mode="quick")
    for number in (1, 2):
        assert table.view["round"]["number"] == number
        for player in range(players):
            held = private(table.state, player)["held"]
            assert held == ["up_1"] * up_1s + ["up_2", "up_3", "topple", "toast", "toast"]
        cards = {p: f"nani nui {third}" for p, third in enumerate(["eepo", "kapu", "huhu", "lokahi"][:players])}
        table.quick_round("kapu eepo lokahi", cards)


@pytest.mark.rule("T03")
def test_groups_are_kept_together(at_table) -> None:
    table = at_table(players=2)
    split = ["nani", "wikiwiki", "nui", "huhu", "lokahi", "akamai", "eepo", "hookipa", "kapu"]
    assert table.no("line_up", line=split) == "group_split"
    shifted = ["nani", "huhu", "nui", "lokahi", "akamai", "eepo", "hookipa", "kapu", "wikiwiki"]
    assert table.no("line_up", line=shifted) == "group_split"
    table.line_up(*["kapu", "eepo", "hookipa", "huhu", "nani", "wikiwiki", "lokahi", "nui", "akamai"])


@pytest.mark.rule("T20")
def test_toasted_tikis_score_nothing(at_table) -> None:
    table = at_table(players=3)
    table.line_up(*["nani", "wikiwiki", "huhu", "eepo", "hookipa", "kapu", "nui", "lokahi", "akamai"])
    for _ in range(3):
        table.play("up_1", "wikiwiki" if table.view["round"]["line"][0] == "nani" else "nani")
    while table.view["phase"] == "play":
        table.play("toast")
    line = table.view["round"]["line"]
    assert sorted(line) == ["huhu", "nani", "wikiwiki"]
    table.ok("secret", 0, tikis=["akamai", "lokahi", "nui"])  # toasted 1st, 2nd, 3rd
    table.ok("secret", 1, tikis=["eepo", "hookipa", "kapu"])
    table.ok("secret", 2, tikis=["kapu", "eepo", "huhu"])
    table.ok("reveal")
    table.ok("score")
    assert table.totals == {0: 0, 1: 0, 2: 2}


@pytest.mark.rule("T11")
def test_nobody_gets_a_turn_to_make_the_turns_equal(at_table) -> None:
    table = at_table(players=4, first=3)
    table.line_up()
    for _ in range(4):
        table.play("up_1", "kapu")
    for _ in range(6):
        table.play("toast")
    turns = [len(hand["played"]) for hand in sorted(table.view["round"]["hands"], key=lambda h: h["player"])]
    assert turns == [3, 2, 2, 3]
    assert table.no("play", 1, card="toast") == "round_over"


@pytest.mark.rule("T07")
def test_an_up_past_the_top_is_refused_not_cut_short(at_table) -> None:
    table = at_table(players=2)
    table.line_up()
    assert table.no("play", 0, card="up_2", tiki="wikiwiki") == "too_few_above"
    assert table.no("play", 0, card="up_3", tiki="huhu") == "too_few_above"
    assert table.no("play", 0, card="up_1", tiki="nani") == "too_few_above"
    table.ok("play", 0, card="up_2", tiki="huhu")
    assert table.view["round"]["line"][:3] == ["huhu", "nani", "wikiwiki"]
