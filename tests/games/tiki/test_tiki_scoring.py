"""Points of a card (T12, T13, T20), against the sheet's example and against a table written out here."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.tiki import example
from companion.games.tiki.scoring import ScoredRound, gains, points, totals
from companion.games.tiki.tikis import TIKIS, Tiki

THREE = st.lists(st.sampled_from(TIKIS), unique=True, min_size=3, max_size=3).map(tuple)


def tikis(names: str) -> tuple[Tiki, Tiki, Tiki]:
    one, two, three = (Tiki(name) for name in names.split())
    return (one, two, three)


SHEET = tikis("lokahi hookipa akamai")


@pytest.mark.rule("T13")
@pytest.mark.parametrize(
    ("player", "card", "expected"),
    [
        ("A", "hookipa lokahi nani", 5),
        ("B", "wikiwiki hookipa akamai", 7),
        ("C", "lokahi wikiwiki hookipa", 11),
        ("D", "akamai huhu hookipa", 2),
    ],
)
def test_the_sheets_example(player: str, card: str, expected: int) -> None:
    assert points(tikis(card), SHEET) == expected
    assert (example.PLACES, example.CARDS[player]) == (SHEET, (tikis(card), expected))


@pytest.mark.rule("T13")
def test_the_sheets_example_through_the_game(at_table) -> None:
    table = at_table(players=4, mode="quick")
    step = table.quick_round(
        "lokahi hookipa akamai",
        {
            0: "hookipa lokahi nani",
            1: "wikiwiki hookipa akamai",
            2: "lokahi wikiwiki hookipa",
            3: "akamai huhu hookipa",
        },
    )
    said = [r for r in step.rulings if r.kind == "points"]
    assert [(r.player, r.data["points"], r.clause) for r in said] == [
        (0, 5, "T12"),
        (1, 7, "T12"),
        (2, 11, "T12"),
        (3, 2, "T12"),
    ]
    assert said[2].data["gains"] == [
        {"tiki": "lokahi", "place": 1, "points": 9},
        {"tiki": "wikiwiki", "place": None, "points": 0},
        {"tiki": "hookipa", "place": 2, "points": 2},
    ]


@pytest.mark.rule("T12")
def test_every_place_of_every_tiki_of_a_card() -> None:
    worth = {  # (top, middle, bottom) by place 1, 2, 3 and lower
        "top": (9, 0, 0, 0),
        "middle": (5, 5, 0, 0),
        "bottom": (2, 2, 2, 0),
    }
    card = tikis("nui eepo nani")
    for line in permutations(TIKIS, 5):
        at = [min(line.index(t), 3) if t in line else 3 for t in card]
        expected = sum(row[place] for row, place in zip(worth.values(), at, strict=True))
        assert points(card, line[:3]) == expected


@pytest.mark.rule("T12")
def test_the_most_a_card_can_earn_is_16() -> None:
    card = tikis("nui eepo nani")
    assert points(card, card) == 16
    assert max(points(card, places) for places in permutations(TIKIS, 3)) == 16


@pytest.mark.rule("T12", "T20")
@given(THREE, THREE)
def test_gains_add_up_and_name_places_from_the_top(card, places) -> None:
    parts = gains(card, places)
    assert tuple(part.tiki for part in parts) == card
    assert sum(part.points for part in parts) == points(card, places)
    for part in parts:
        assert part.place == (places.index(part.tiki) + 1 if part.tiki in places else None)
        assert part.points == 0 or part.place is not None


@pytest.mark.rule("T19", "T24")
def test_totals_begin_at_nothing_and_a_final_adds_nothing() -> None:
    cards = ((0, tikis("lokahi hookipa akamai")), (1, tikis("nani eepo kapu")))
    played = ScoredRound(0, 0, SHEET, cards)
    assert totals((0, 1, 2), ()) == {0: 0, 1: 0, 2: 0}
    assert totals((0, 1, 2), (played, played)) == {0: 32, 1: 0, 2: 0}
    assert totals((0, 1, 2), (played, ScoredRound(1, 1, SHEET, cards))) == {0: 16, 1: 0, 2: 0}
