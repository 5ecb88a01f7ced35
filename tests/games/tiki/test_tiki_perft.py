"""Counts of plays and of reachable lines, made twice: by the rules, and by a brute force of its own."""

from itertools import permutations, product

import pytest

from companion.games.tiki.hand import SEVEN, SIX, Action, Hand
from companion.games.tiki.options import Mode
from companion.games.tiki.round import Phase, Round, legal_plays
from companion.games.tiki.tikis import TIKIS, Tiki


def by_the_rules(hands: list[str], tikis: int, depth: int, topple_bottom: bool = True) -> tuple[list[int], list[int]]:
    """Plays in sequence, and distinct lines, after 1 .. depth cards."""
    held = [tuple(Action(name) for name in hand.split()) for hand in hands]
    start = Round(0, tuple(Hand(i, cards) for i, cards in enumerate(held)), Mode.FOLLOW, line=TIKIS[:tikis])
    level: dict[Round, int] = {start: 1}
    nodes, lines = [], []
    for _ in range(depth):
        below: dict[Round, int] = {}
        for current, ways in level.items():
            for action, tiki in legal_plays(current, topple_bottom):
                after = current.play(current.turn, action, tiki, topple_bottom)
                below[after] = below.get(after, 0) + ways
        level = below
        nodes.append(sum(level.values()))
        lines.append(len({current.line for current in level}))
    return nodes, lines


def by_brute_force(hands: list[str], tikis: int, depth: int, topple_bottom: bool = True) -> tuple[list[int], list[int]]:
    """The same from the words of the sheet, sharing no code with the rules.

    Every order of each hand is dealt out with every tiki for each card; the line is a string that changes one
    swap of neighbours at a time; what is not allowed is thrown away.
    """
    start = "abcdefghi"[:tikis]
    kinds = [hand.split() for hand in hands]
    nodes, lines = [], []
    for cards in range(1, depth + 1):
        turns = [len(range(i, cards, len(hands))) for i in range(len(hands))]
        found: set[tuple[tuple[str, str], ...]] = set()
        ends: set[str] = set()
        for orders in product(*(sorted(set(permutations(kind, n))) for kind, n in zip(kinds, turns, strict=True))):
            played = [orders[i % len(hands)][i // len(hands)] for i in range(cards)]
            follow(start, played, (), len(hands), topple_bottom, found, ends)
        nodes.append(len(found))
        lines.append(len(ends))
    return nodes, lines


def follow(line, played, done, players, topple_bottom, found, ends) -> None:
    if not played:
        found.add(done)
        ends.add(line)
        return
    if len(line) == 3:
        return
    card = played[0]
    for tiki in "abcdefghi":
        after = moved(line, card, tiki, first_turn=len(done) < players, topple_bottom=topple_bottom)
        if after is not None:
            follow(after, played[1:], (*done, (card, tiki)), players, topple_bottom, found, ends)


def moved(line: str, card: str, tiki: str, first_turn: bool, topple_bottom: bool) -> str | None:
    if tiki not in line:
        return None
    if card == "toast":
        return None if first_turn or not line.endswith(tiki) else line.replace(tiki, "")
    if card == "topple":
        if line.endswith(tiki) and not topple_bottom:
            return None
        while not line.endswith(tiki):
            at = line.index(tiki)
            line = line.replace(tiki + line[at + 1], line[at + 1] + tiki)
        return line
    for _ in range(int(card[-1])):
        if line.startswith(tiki):
            return None
        at = line.index(tiki)
        line = line.replace(line[at - 1] + tiki, tiki + line[at - 1])
    return line


CASES = {
    "ups": (["up_1 up_2", "up_3 up_1"], 9, 4, True),
    "topples": (["topple up_1", "topple up_2"], 9, 4, True),
    "no topple of the lowest": (["topple up_1", "topple up_2"], 9, 3, False),
    "toasts": (["up_1 toast toast", "topple toast toast"], 6, 6, True),
    "toasts from the first turn on": (["toast toast up_1", "toast up_3"], 9, 5, True),
    "three players": (["up_1 toast", "up_2 toast", "topple toast"], 6, 6, True),
    "four in line": (["up_3 toast topple", "up_2 up_1 toast"], 4, 6, True),
}


# (plays in sequence, distinct lines) after 1, 2, ... cards, pinned so that a change of both counts shows.
PINNED: dict[str, tuple[list[int], list[int]]] = {
    "ups": ([15, 210, 1568, 10752], [15, 165, 505, 1629]),
    "topples": ([17, 272, 2304, 18144], [16, 220, 1035, 4280]),
    "no topple of the lowest": ([16, 240, 1920], [15, 214, 1002]),
    "toasts": ([5, 30, 30, 30, 30, 0], [5, 26, 26, 21, 13, 0]),
    "toasts from the first turn on": ([8, 48, 48, 48, 48], [8, 48, 48, 48, 44]),
    "three players": ([5, 20, 120, 120, 120, 120], [5, 20, 90, 90, 69, 41]),
    "four in line": ([5, 25, 65, 136, 96, 0], [5, 18, 38, 43, 23, 0]),
}


@pytest.mark.rule("T06", "T07", "T08", "T09", "T10", "T11", "T22")
@pytest.mark.parametrize("case", CASES)
def test_both_counts_agree(case: str) -> None:
    assert by_the_rules(*CASES[case]) == by_brute_force(*CASES[case]) == PINNED[case]


@pytest.mark.rule("T01", "T10")
@pytest.mark.parametrize("hand", [SIX, SEVEN])
def test_the_first_two_cards_of_a_real_round(hand: tuple[Action, ...]) -> None:
    names = " ".join(hand)
    nodes, lines = by_the_rules([names, names], 9, 2)
    # First turn, no Toast: Up 1 has 8 tikis, Up 2 seven, Up 3 six, Topple nine. One line comes twice: Up 1 of
    # the lowest is Topple of the one above it.
    assert nodes == [8 + 7 + 6 + 9, 30 * 30]
    assert lines[0] == 29
    assert (nodes, lines) == by_brute_force([names, names], 9, 2)


def test_no_play_follows_the_end() -> None:
    hands = (Hand(0, (Action.UP_1,)), Hand(1, (Action.UP_1,)))
    over = Round(0, hands, Mode.FOLLOW, line=(Tiki.NANI, Tiki.NUI, Tiki.EEPO))
    assert over.phase is Phase.ENDED
    assert legal_plays(over, True) == ()
