"""The line: lined up, moved up, toppled, toasted, set by hand (T02, T03, T07-T09, T20, T22, T27)."""

from contextlib import suppress
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.tiki.line import by_hand, first_places, lined_up, toast, toasted, topple, up
from companion.games.tiki.refusal import RefusedError
from companion.games.tiki.tikis import COLOURS, GROUPS, TIKIS, Tiki

LINES = st.lists(st.sampled_from(TIKIS), unique=True, min_size=4, max_size=9).map(tuple)


def line(names: str) -> tuple[Tiki, ...]:
    return tuple(Tiki(name) for name in names.split())


@pytest.mark.rule("T02")
def test_three_groups_of_three_each_with_its_colour() -> None:
    assert [sorted(group) for group in GROUPS] == [
        ["huhu", "nani", "wikiwiki"],
        ["akamai", "lokahi", "nui"],
        ["eepo", "hookipa", "kapu"],
    ]
    assert [COLOURS[t] for t in line("nani wikiwiki huhu nui lokahi akamai eepo hookipa kapu")] == (
        ["red", "blue", "yellow", "green", "purple", "orange", "brown", "grey", "pink"]
    )


@pytest.mark.rule("T03")
def test_exactly_1296_of_all_orders_can_be_lined_up() -> None:
    # Three blocks in any order (6), each in any order (6 * 6 * 6). The orders of the groups' letters are
    # counted, each for 6 * 6 * 6 orders of tikis: all 9! would take long.
    legal = 0
    for letters in set(permutations("AAABBBCCC")):
        members = {letter: iter(sorted(group)) for letter, group in zip("ABC", GROUPS, strict=True)}
        with suppress(RefusedError):
            lined_up([next(members[letter]) for letter in letters])
            legal += 6**3
    assert legal == 1296


@pytest.mark.rule("T03")
@pytest.mark.parametrize(
    "names",
    [
        "nani wikiwiki huhu nui lokahi akamai eepo hookipa",
        "nani wikiwiki huhu nui lokahi akamai eepo hookipa nani",
        "nani wikiwiki huhu nui lokahi akamai eepo hookipa kapu nani",
        "",
    ],
)
def test_a_line_up_needs_the_nine(names: str) -> None:
    with pytest.raises(RefusedError) as refused:
        lined_up(line(names))
    assert refused.value.refusal.code == "not_nine"


@pytest.mark.rule("T07")
def test_up_moves_exactly_n_and_the_passed_ones_go_down_in_order() -> None:
    start = line("nani wikiwiki huhu nui lokahi")
    assert up(start, Tiki.LOKAHI, 1) == line("nani wikiwiki huhu lokahi nui")
    assert up(start, Tiki.NUI, 2) == line("nani nui wikiwiki huhu lokahi")
    assert up(start, Tiki.NUI, 3) == line("nui nani wikiwiki huhu lokahi")


@pytest.mark.rule("T07")
@given(LINES, st.data())
def test_up_fewer_than_n_is_refused_and_else_only_the_passed_ones_move(
    start: tuple[Tiki, ...], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(start) - 1))
    places = data.draw(st.integers(1, 3))
    if at < places:
        with pytest.raises(RefusedError) as refused:
            up(start, start[at], places)
        assert (refused.value.refusal.code, refused.value.refusal.clause) == ("too_few_above", "T07")
        return
    after = up(start, start[at], places)
    assert after.index(start[at]) == at - places
    assert [t for t in after if t != start[at]] == [t for t in start if t != start[at]]


@pytest.mark.rule("T08")
@given(LINES, st.data())
def test_topple_goes_to_the_bottom_and_the_others_close_up(start: tuple[Tiki, ...], data: st.DataObject) -> None:
    tiki = data.draw(st.sampled_from(start))
    after = topple(start, tiki, bottom_allowed=True)
    assert after[-1] == tiki
    assert list(after[:-1]) == [t for t in start if t != tiki]


@pytest.mark.rule("T22")
def test_topple_of_the_lowest_moves_nothing_or_is_refused_by_the_setting() -> None:
    start = line("nani wikiwiki huhu nui")
    assert topple(start, Tiki.NUI, bottom_allowed=True) == start
    with pytest.raises(RefusedError) as refused:
        topple(start, Tiki.NUI, bottom_allowed=False)
    assert refused.value.refusal.clause == "T22"
    assert topple(start, Tiki.HUHU, bottom_allowed=False) == line("nani wikiwiki nui huhu")


@pytest.mark.rule("T09")
def test_toast_takes_the_lowest_and_no_other() -> None:
    start = line("nani wikiwiki huhu nui")
    assert toast(start) == toast(start, Tiki.NUI) == line("nani wikiwiki huhu")
    with pytest.raises(RefusedError) as refused:
        toast(start, Tiki.HUHU)
    assert refused.value.refusal.code == "not_lowest"


@pytest.mark.rule("T09")
def test_a_toasted_tiki_cannot_be_moved() -> None:
    after = toast(line("nani wikiwiki huhu nui lokahi"))
    for act in (lambda: up(after, Tiki.LOKAHI, 1), lambda: topple(after, Tiki.LOKAHI, True)):
        with pytest.raises(RefusedError) as refused:
            act()
        assert refused.value.refusal.code == "not_in_line"
    assert toasted(after) == line("lokahi akamai eepo hookipa kapu")


@pytest.mark.rule("T20")
def test_only_the_first_three_of_those_in_line_count() -> None:
    assert first_places(line("kapu nani eepo huhu nui")) == line("kapu nani eepo")
    assert first_places(line("kapu nani eepo")) == line("kapu nani eepo")


@pytest.mark.rule("T27")
def test_by_hand_any_order_of_three_to_nine_is_taken() -> None:
    split = line("nani nui wikiwiki eepo huhu lokahi hookipa akamai kapu")
    assert by_hand(split) == split
    assert by_hand(split[:3]) == split[:3]
    for wrong in (split[:2], (*split[:3], split[0])):
        with pytest.raises(RefusedError) as refused:
            by_hand(wrong)
        assert refused.value.refusal.code == "line_by_hand"
