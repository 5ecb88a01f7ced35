"""Rounds, totals, ties, finals, the end, people who leave (T14-T17, T19, T24-T26, T29)."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.game import Advance, Command
from companion.games.gathering import Rules
from companion.games.tiki import State, TikiTopple
from companion.table import EventKind, TableEvent

PLACES = "nani nui eepo"
# Cards by what they earn with these places.
EARNS = {
    16: "nani nui eepo",
    14: "nani nui kapu",
    11: "nani kapu nui",
    9: "nani kapu hookipa",
    7: "kapu nui nani",
    5: "kapu nui hookipa",
    2: "kapu hookipa nani",
    0: "kapu hookipa akamai",
}
# Others that earn the same: no two of a round may be alike.
ALSO = {
    16: ["nani nui eepo"],
    11: ["nani kapu nui", "nani kapu eepo", "nani huhu nui", "nani huhu eepo"],
    9: ["nani kapu hookipa", "nani kapu huhu", "nani hookipa kapu", "nani huhu kapu"],
    5: ["kapu nui hookipa", "kapu nani hookipa", "huhu nui hookipa", "huhu nui kapu"],
    2: ["kapu hookipa nani", "kapu hookipa nui", "kapu hookipa eepo", "huhu hookipa nani"],
    0: ["kapu hookipa akamai", "kapu hookipa huhu", "huhu kapu akamai", "huhu hookipa akamai"],
}


def cards(points: dict[int, int]) -> dict[int, str]:
    used: set[str] = set()
    out = {}
    for player, earned in points.items():
        card = next(c for c in [EARNS[earned], *ALSO.get(earned, [])] if c not in used)
        used.add(card)
        out[player] = card
    return out


def rounds(table, *points: dict[int, int]) -> list[str]:
    """Quick rounds in which the players earn these points; the kinds of the last rulings."""
    for earned in points:
        table.quick_round(PLACES, cards(earned))
    return [ruling.kind for ruling in table.step.rulings if ruling.kind != "points"]


def last(table, kind: str) -> Any:
    return next(ruling for ruling in table.step.rulings if ruling.kind == kind)


def test_it_is_a_game_and_other_entries_change_nothing(at_table) -> None:
    game: Rules[State] = TikiTopple()
    table = at_table(players=3)
    table.line_up()
    for entry in (Advance(10**9), TableEvent(EventKind.COLLAPSE, 5)):
        step = game.apply(table.state, entry)
        assert (step.state, step.rulings, step.refusal) == (table.state, (), None)
    assert (game.name, game.version) == ("tiki", "1")


@pytest.mark.rule("T14")
def test_a_new_round_has_whole_hands_a_new_line_new_cards_and_the_next_starter(at_table) -> None:
    table = at_table(players=3, first=2)
    for starter in (2, 0, 1):
        view = table.view["round"]
        assert (view["starter"], view["line"], view["cards"]) == (starter, [], [])
        assert [(hand["left"], hand["entered"]) for hand in view["hands"]] == [(6, False)] * 3
        table.line_up()
        assert table.view["round"]["turn"] == starter
        table.play("up_1", "kapu")
        table.ok("set_line", line=PLACES.split())
        for player, card in cards({0: 9, 1: 5, 2: 2}).items():
            table.ok("secret", player, tikis=card.split())
        table.ok("reveal")
        table.ok("score")
    assert table.totals == {0: 27, 1: 15, 2: 6}


@pytest.mark.rule("T15")
@pytest.mark.parametrize(("players", "more", "expected"), [(2, None, 4), (3, None, 3), (4, None, 4), (3, 5, 5)])
def test_the_game_ends_after_its_rounds(at_table, players: int, more: int | None, expected: int) -> None:
    table = at_table(players=players, mode="quick", rounds=more)
    earned = {player: [9, 5, 2, 0][player] for player in range(players)}
    for number in range(1, expected):
        assert rounds(table, earned) == ["round_start"]
        assert (table.view["round"]["number"], table.view["round"]["of"]) == (number + 1, expected)
    assert rounds(table, earned) == ["game_end"]
    assert last(table, "game_end").clause == "T15"
    assert last(table, "game_end").data == {"winners": [0], "shared": False, "reason": "rounds"}
    assert table.view["winners"] == [0]
    assert table.no("secret", 0, tikis=PLACES.split()) == "game_over"


@pytest.mark.rule("T26", "T15")
def test_to_35_is_looked_at_when_a_round_is_scored(at_table) -> None:
    table = at_table(players=2, mode="quick", to_35=True)
    kinds = rounds(table, *[{0: 5, 1: 7}] * 4)
    assert kinds == ["round_start"]  # 20 and 28 after the usual four rounds: it goes on
    assert table.view["round"]["of"] is None
    # 36 and 35: the most points win, whoever would have been there first.
    assert rounds(table, {0: 16, 1: 7}) == ["game_end"]
    assert last(table, "game_end").data == {"winners": [0], "shared": False, "reason": "35"}
    assert last(table, "game_end").clause == "T26"


@pytest.mark.rule("T26")
@pytest.mark.parametrize(("points", "over"), [(34, False), (35, True)])
def test_35_exactly_is_enough(at_table, points: int, over: bool) -> None:
    table = at_table(players=2, mode="quick", to_35=True)
    rounds(table, {0: 16, 1: 0}, {0: 16, 1: 0} if points == 34 else {0: 14, 1: 0})
    rounds(table, {0: 2 if points == 34 else 5, 1: 0})
    assert table.totals[0] == points
    assert (table.view["phase"] == "over") is over


@pytest.mark.rule("T26", "T16")
def test_a_tie_at_35_goes_to_a_final(at_table) -> None:
    table = at_table(players=3, mode="quick", to_35=True)
    assert rounds(table, *[{0: 9, 1: 9, 2: 0}] * 4) == ["tie", "round_start"]
    assert table.view["round"]["final"] == 1
    assert rounds(table, {0: 2, 1: 5}) == ["game_end"]
    assert table.view["winners"] == [1]


@pytest.mark.rule("T16", "T24")
def test_only_the_tied_play_the_final_and_only_its_points_decide(at_table) -> None:
    table = at_table(players=4, mode="quick")
    assert rounds(table, *[{0: 2, 1: 9, 2: 5, 3: 9}] * 4) == ["tie", "round_start"]
    assert last(table, "tie").clause == "T16"
    assert last(table, "tie").data == {"players": [1, 3]}
    view = table.view["round"]
    assert (view["final"], [hand["player"] for hand in view["hands"]]) == (1, [1, 3])
    assert table.no("secret", 0, tikis=PLACES.split()) == "not_in_round"
    assert rounds(table, {1: 2, 3: 5}) == ["game_end"]
    assert last(table, "game_end").data == {"winners": [3], "shared": False, "reason": "final"}
    assert table.totals == {0: 8, 1: 36, 2: 20, 3: 36}  # a final adds nothing
    assert {row["player"]: row["place"] for row in table.view["players"]} == {3: 1, 1: 2, 2: 3, 0: 4}


@pytest.mark.rule("T24", "T16")
def test_three_tied_play_for_one_win_and_the_best_still_tied_go_on(at_table) -> None:
    table = at_table(players=4, mode="quick")
    assert rounds(table, *[{0: 9, 1: 9, 2: 9, 3: 2}] * 4) == ["tie", "round_start"]
    assert rounds(table, {0: 5, 1: 0, 2: 5}) == ["tie", "round_start"]
    assert last(table, "tie").data == {"players": [0, 2]}
    assert table.view["round"]["final"] == 2
    assert rounds(table, {0: 0, 2: 0}) == ["tie", "round_start"]
    assert table.view["round"]["final"] == 3
    assert rounds(table, {0: 5, 2: 2}) == ["game_end"]
    assert {row["player"]: row["place"] for row in table.view["players"]} == {0: 1, 1: 2, 2: 2, 3: 4}


@pytest.mark.rule("T16")
def test_by_the_setting_the_win_is_shared_after_one_final(at_table) -> None:
    table = at_table(players=3, mode="quick", ties="share")
    assert rounds(table, *[{0: 9, 1: 9, 2: 9}] * 3) == ["tie", "round_start"]
    assert rounds(table, {0: 5, 1: 0, 2: 5}) == ["game_end"]
    assert last(table, "game_end").data == {"winners": [0, 2], "shared": True, "reason": "final"}
    assert {row["player"]: row["place"] for row in table.view["players"]} == {0: 1, 2: 1, 1: 3}


@pytest.mark.rule("T24", "T01")
@pytest.mark.parametrize(("final_hands", "players", "cards_each"), [("same", 3, 6), ("seven", 3, 7), ("same", 2, 7)])
def test_the_hands_of_a_final_of_two(at_table, final_hands: str, players: int, cards_each: int) -> None:
    table = at_table(players=players, mode="quick", final_hands=final_hands)
    rounds(table, *[{p: [9, 9, 0][p] for p in range(players)}] * (4 if players == 2 else 3))
    assert table.view["round"]["final"] == 1
    assert [hand["left"] for hand in table.view["round"]["hands"]] == [cards_each] * 2


@pytest.mark.rule("T24")
def test_seven_cards_are_for_a_final_of_two_only(at_table) -> None:
    table = at_table(players=4, mode="quick", final_hands="seven")
    rounds(table, *[{0: 9, 1: 9, 2: 9, 3: 0}] * 4)
    assert [hand["left"] for hand in table.view["round"]["hands"]] == [6, 6, 6]
    rounds(table, {0: 5, 1: 5, 2: 0})
    assert [hand["left"] for hand in table.view["round"]["hands"]] == [7, 7]


@pytest.mark.rule("T24", "T10")
def test_the_toast_ban_holds_in_the_final(at_table) -> None:
    table = at_table(players=2, mode="quick")
    rounds(table, *[{0: 9, 1: 9}] * 4)
    table.ok("mode", mode="follow")
    table.line_up()
    starter = table.view["round"]["turn"]
    assert table.no("play", starter, card="toast") == "toast_first_turn"


@pytest.mark.rule("T25")
@pytest.mark.parametrize(
    ("first", "tied", "starters"),
    [
        # four rounds: the last one is started by the player to the right of `first`
        (0, (0, 2), [0, 2, 0]),
        (2, (0, 3), [3, 0, 3]),
        (1, (0, 3), [3, 0, 3]),
        (3, (1, 2), [1, 2, 1]),
    ],
)
def test_the_final_is_started_by_the_first_tied_to_the_left(at_table, first: int, tied, starters) -> None:
    table = at_table(players=4, mode="quick", first=first)
    rounds(table, *[{p: 9 if p in tied else 0 for p in range(4)}] * 4)
    assert table.view["history"][-1]["starter"] == (first + 3) % 4
    seen = []
    for _ in starters:
        seen.append(table.view["round"]["starter"])
        rounds(table, dict.fromkeys(tied, 5))
    assert seen == starters
    assert last(table, "round_start").clause == "T25"


@pytest.mark.rule("T29")
def test_a_round_abandoned_gives_no_points_and_keeps_its_starter(at_table) -> None:
    table = at_table(players=3, mode="follow", first=1)
    table.line_up()
    table.play("up_1", "kapu")
    table.ok("secret", 1, tikis=PLACES.split())
    step = table.ok("abandon")
    assert [(r.kind, r.clause) for r in step.rulings] == [("round_abandoned", "T29"), ("round_start", "T14")]
    view = table.view["round"]
    assert (view["starter"], view["number"], view["line"], view["undealt"]) == (1, 1, [], 21)
    assert [(hand["left"], hand["entered"]) for hand in view["hands"]] == [(6, False)] * 3
    assert table.totals == {0: 0, 1: 0, 2: 0}


@pytest.mark.rule("T29")
def test_an_abandoned_final_is_the_same_final_again(at_table) -> None:
    table = at_table(players=3, mode="quick", first=1)
    rounds(table, *[{0: 9, 1: 9, 2: 0}] * 3)
    before = table.view["round"]
    step = table.ok("abandon")
    assert [r.kind for r in step.rulings] == ["round_abandoned", "round_start"]
    after = table.view["round"]
    assert (after["final"], after["starter"], after["hands"]) == (1, before["starter"], before["hands"])


@pytest.mark.rule("T29")
def test_one_who_leaves_keeps_the_points_but_cannot_win(at_table) -> None:
    table = at_table(players=4, mode="quick")
    rounds(table, {0: 16, 1: 2, 2: 0, 3: 5})
    table.ok("secret", 0, tikis=PLACES.split())
    step = table.ok("leave", 0)
    assert [(r.kind, r.clause, r.player) for r in step.rulings] == [("left", "T29", 0)]
    assert table.no("leave", 0) == "has_left"
    assert table.no("secret", 0, tikis=PLACES.split()) == "has_left"
    assert [hand["left"] for hand in table.view["round"]["hands"]] == [6, 6, 6]  # hands stay as they were
    assert table.view["round"]["of"] == 4  # and so does the number of rounds
    assert rounds(table, *[{1: 2, 2: 0, 3: 0}] * 3) == ["game_end"]
    assert table.totals == {0: 16, 1: 8, 2: 0, 3: 5}
    assert table.view["winners"] == [1]
    assert {row["player"]: row["place"] for row in table.view["players"]} == {0: None, 1: 1, 3: 2, 2: 3}


@pytest.mark.rule("T29")
def test_with_two_left_of_three_hands_stay_six_and_with_one_left_the_game_ends(at_table) -> None:
    table = at_table(players=3, mode="quick")
    rounds(table, {0: 16, 1: 2, 2: 0})
    table.ok("leave", 0)
    rounds(table, {1: 2, 2: 5})
    assert [hand["left"] for hand in table.view["round"]["hands"]] == [6, 6]
    step = table.ok("leave", 2)
    assert [(r.kind, r.clause) for r in step.rulings] == [("left", "T29"), ("game_end", "T29")]
    assert step.rulings[-1].data == {"winners": [1], "shared": False, "reason": "one_left"}
    assert table.totals == {0: 16, 1: 4, 2: 5}


@pytest.mark.rule("T29", "T05")
def test_the_turn_passes_on_when_the_one_whose_turn_it_is_leaves(at_table) -> None:
    table = at_table(players=4, first=3)
    table.line_up()
    table.play("up_1", "kapu")
    step = table.ok("leave", 0)
    assert [(r.kind, r.player) for r in step.rulings] == [("left", 0), ("turn_start", 1)]
    step = table.ok("leave", 2)
    assert [r.kind for r in step.rulings] == ["left"]
    table.play("up_1", "kapu")
    assert table.view["round"]["turn"] == 3


@pytest.mark.rule("T29", "T14")
def test_starters_when_the_starter_leaves(at_table) -> None:
    before = at_table(players=4, first=1)
    before.ok("leave", 1)  # before the first card: has started nothing
    assert before.view["round"]["starter"] == 2
    before.line_up()
    assert before.view["round"]["turn"] == 2

    during = at_table(players=4, first=1)
    during.line_up()
    during.play("up_1", "kapu")
    during.ok("leave", 1)
    assert during.view["round"]["starter"] == 1
    during.ok("abandon")  # same starter; that one is gone, so the next to the left
    assert during.view["round"]["starter"] == 2

    after = at_table(players=4, first=1, mode="quick")
    after.ok("leave", 1)
    rounds(after, {0: 9, 2: 5, 3: 0})
    assert after.view["round"]["starter"] == 2  # to the left of 1
    after.ok("mode", mode="follow")
    after.line_up()
    assert after.view["round"]["turn"] == 2


@pytest.mark.rule("T29")
def test_another_way_of_keeping_score_after_the_starter_left(at_table) -> None:
    table = at_table(players=3, first=1, mode="quick")
    table.ok("leave", 1)
    table.ok("mode", mode="follow")
    table.line_up()
    assert table.view["round"]["turn"] == 2


@pytest.mark.rule("T29", "T11")
def test_a_round_ends_when_only_one_who_leaves_held_cards(at_table) -> None:
    table = at_table(players=3)
    table.line_up()
    line = table.view["round"]["line"]
    everything = ["up_1", "up_2", "up_3", "topple", "toast", "toast"]
    table.ok("set_line", line=line, turn=1, hands=[{"player": p, "played": everything} for p in (0, 2)])
    step = table.ok("leave", 1)
    assert [(r.kind, r.data.get("reason")) for r in step.rulings[1:]] == [("round_end", "hands_empty")]
    # The end taken back by hand: somebody who is still there has the turn.
    table.ok("set_line", line=line, hands=[{"player": 0, "played": []}])
    assert table.view["round"]["turn"] == 0


@pytest.mark.rule("T29", "T24")
def test_leaving_a_final_decides_it_where_one_is_left_in_it(at_table) -> None:
    table = at_table(players=4, mode="quick")
    rounds(table, *[{0: 9, 1: 9, 2: 9, 3: 0}] * 4)
    table.ok("leave", 3)
    assert table.view["phase"] == "places"
    table.ok("leave", 0)
    assert [hand["player"] for hand in table.view["round"]["hands"]] == [1, 2]
    step = table.ok("leave", 2)
    assert step.rulings[-1].data["winners"] == [1]


@pytest.mark.rule("T29", "T24")
def test_leaving_a_second_final_leaves_the_win_to_the_other(at_table) -> None:
    table = at_table(players=4, mode="quick")
    rounds(table, *[{0: 9, 1: 9, 2: 9, 3: 0}] * 4, {0: 5, 1: 0, 2: 5})
    step = table.ok("leave", 0)
    assert (step.rulings[-1].kind, step.rulings[-1].data["winners"]) == ("game_end", [2])
    assert {row["player"]: row["place"] for row in table.view["players"]} == {0: None, 2: 1, 1: 2, 3: 3}


@pytest.mark.rule("T05")
@pytest.mark.failure("I9")
def test_other_seats_move_no_scores(at_table) -> None:
    table = at_table(players=4, mode="quick")
    rounds(table, {0: 9, 1: 5, 2: 2, 3: 0})
    table.ok("mode", mode="follow")
    table.line_up()
    table.play("up_1", "kapu")  # 1 started; by the old seats 2 would be next, and then 3
    assert table.view["round"]["turn"] == 2
    step = table.ok("seats", order=[2, 0, 3, 1])
    assert [(r.kind, r.clause) for r in step.rulings] == [("seats", "T05")]
    assert table.totals == {0: 9, 1: 5, 2: 2, 3: 0}
    assert [row["player"] for row in table.view["players"]] == [2, 0, 3, 1]
    turns = []
    for _ in range(4):
        turns.append(table.view["round"]["turn"])
        table.play("topple", "nani")
    assert turns == [2, 0, 3, 1]
    for wrong in ([0, 1, 2], [0, 1, 2, 2], [0, 1, 2, 7]):
        assert table.no("seats", order=wrong) == "bad_seats"
    assert table.no("seats", order=["0", 1, 2, 3]) == "malformed"


@pytest.mark.rule("T05", "T14")
def test_turns_and_starters_go_by_the_seats_not_by_the_ids(at_table) -> None:
    table = at_table(players=4, seats=[2, 0, 3, 1], first=3)
    for starters_turns in ([3, 1, 2, 0], [1, 2, 0, 3]):
        table.line_up()
        turns = []
        for _ in range(4):
            turns.append(table.view["round"]["turn"])
            table.play("topple", "nani")
        assert turns == starters_turns
        table.ok("mode", mode="quick")
        rounds(table, {0: 9, 1: 5, 2: 2, 3: 0})
        table.ok("mode", mode="follow")


@pytest.mark.rule("T17")
def test_the_way_of_keeping_score_can_change_from_round_to_round(at_table) -> None:
    table = at_table(players=2)
    assert table.no("places", places=PLACES.split()) == "follow_round"
    assert table.no("mode", mode="follow") == "follow_round"
    table.line_up()
    table.ok("secret", 0, tikis=["kapu", "nui", "nani"])
    step = table.ok("mode", mode="quick")
    assert [(r.kind, r.clause) for r in step.rulings] == [("mode", "T17")]
    for command in (("line_up",), ("play", 0), ("set_line",)):
        assert table.no(*command, line=PLACES.split(), card="up_1", tiki="nui") == "quick_round"
    assert table.view["round"]["hands"][0]["entered"]  # the card entered before stays
    table.ok("places", places=PLACES.split())
    table.ok("places", places=["nui", "nani", "eepo"])  # told again, it is corrected
    table.ok("secret", 1, tikis=["nui", "kapu", "eepo"])
    table.ok("reveal")
    assert table.no("mode", mode="follow") == "already_revealed"
    table.ok("score")
    assert table.totals == {0: 7, 1: 11}
    assert table.view["round"]["mode"] == "quick"


@pytest.mark.rule("T17", "T20")
def test_quick_takes_exactly_three_different_places(at_table) -> None:
    table = at_table(players=2, mode="quick")
    for wrong in (["nani", "nui"], ["nani", "nui", "nani"], ["nani", "nui", "eepo", "kapu"]):
        assert table.no("places", places=wrong) == "three_places"
    step = table.ok("places", places=PLACES.split())
    assert step.rulings[-1].data == {"reason": "told", "places": PLACES.split()}


@pytest.mark.rule("T17")
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), players=st.integers(2, 4))
def test_a_followed_game_and_its_quick_transcript_have_the_same_scores(
    at_table, wandering, seed: int, players: int
) -> None:
    table = at_table(players=players)
    for _ in wandering(table, Random(seed), upsets=0, most=600):
        pass
    quick = at_table(players=players, mode="quick")
    for scored in table.view["history"]:
        shown = {score["player"]: " ".join(score["card"]) for score in scored["scores"]}
        quick.quick_round(" ".join(scored["places"]), shown)
    assert table.view["history"], "at least one round was scored"
    assert quick.totals == table.totals
    assert quick.view["winners"] == table.view["winners"]
    assert quick.view["history"] == table.view["history"]


@pytest.mark.rule("T12", "T24")
@pytest.mark.failure("I5", "I7")
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), players=st.integers(2, 4), to_35=st.booleans())
def test_totals_are_what_the_rulings_gave_and_a_fold_of_the_commands_gives_the_same_game(
    at_table, wandering, seed: int, players: int, to_35: bool
) -> None:
    random = Random(seed)
    table = at_table(players=players, mode=random.choice(["follow", "quick"]), to_35=to_35)
    sums = dict.fromkeys(range(players), 0)
    start, accepted = table.state, []
    for step in wandering(table, random, upsets=0.1, most=300):
        for ruling in step.rulings:
            if ruling.kind == "points" and not ruling.data["final"]:
                sums[ruling.player] += ruling.data["points"]
                assert ruling.data["total"] == sums[ruling.player]
        assert table.totals == sums
        if step.refusal is None:
            accepted.append(table.commands[-1])
    state = start
    for command in accepted:
        state = table.game.apply(state, command).state
    assert state == table.state


@pytest.mark.failure("I1")
def test_a_card_of_an_earlier_round_edited_in_the_history_gives_the_totals_typed_right_first(
    at_table,
) -> None:
    """An edit is the same fold over other commands: the totals follow, nothing is patched."""
    wrong, right = at_table(players=2, mode="quick"), at_table(players=2, mode="quick")
    rounds(wrong, {0: 2, 1: 9}, {0: 5, 1: 0})
    rounds(right, {0: 16, 1: 9}, {0: 5, 1: 0})
    state = TikiTopple().start({"players": ["Ana", "Ben"], "mode": "quick"})
    edited = 0
    for command in wrong.commands:
        if command.name == "secret" and command.player == 0 and not edited:
            edited = 1
            command = Command(command.id, "secret", command.t_us, player=0, args={"tikis": EARNS[16].split()})
        state = wrong.game.apply(state, command).state
    assert state == right.state


@pytest.mark.failure("I4")
def test_the_end_can_be_taken_back(at_table) -> None:
    table = at_table(players=3, mode="quick")
    rounds(table, *[{0: 9, 1: 5, 2: 0}] * 3)
    assert table.view["phase"] == "over"
    state = TikiTopple().start({"players": ["Ana", "Ben", "Cleo"], "mode": "quick"})
    for command in table.commands[:-1]:
        state = table.game.apply(state, command).state
    step = table.game.apply(state, Command("again", "secret", 9, player=2, args={"tikis": PLACES.split()}))
    assert step.refusal is None
    assert table.game.apply(step.state, table.commands[-1]).rulings[2].data["points"] == 16
