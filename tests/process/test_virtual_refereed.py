"""The virtual table through the product's own way, from bytes to rulings: a round with accidents, a link that is cut.

The script knows what happened; the referee is told by the sensors alone, and nobody answers its questions.
"""

import pytest

from tests.process.cut_links import Refereed, S, played_with_cuts

HARD_SEEDS = ((250, 60.0), (261, 60.0), (363, 55.0), (303, 30.0), (309, 30.0), (509, 30.0), (531, 31.0))


@pytest.mark.slow
@pytest.mark.rule("Y10", "Y11", "Y14", "Y17")
def test_a_round_of_the_virtual_table_is_refereed_as_it_was_played() -> None:
    """What `./run` shows: two collapses at least and a fall are in this round."""
    played = Refereed(seed=5, accidents=0.25)
    for _ in played.frames(400):
        if played.told and played.told[-1][1] == "cleared":
            break
    left = next(piles for _, what, _, piles in played.told if what == "won")
    placed = [(t, more["player"], more["mishap"]) for t, what, more, _ in played.told if what == "placed"]
    assert {"collapse", "fell_off"} <= {mishap for _, _, mishap in placed}
    ends = played.of("turn_end")
    print([(round(end.t_us / S, 1), end.player, end.data["outcome"]) for end in ends])
    assert [end.player for end in ends] == [player for _, player, _ in placed]
    outcomes = [end.data["outcome"] for end in ends]
    assert all(
        (mishap or "clean") in ("crowded", outcome) for (_, _, mishap), outcome in zip(placed, outcomes, strict=True)
    )
    assert list(played.of("round_end")[0].data["left"]) == left
    assert played.of("question", "mismatch", "missing") == []


@pytest.mark.slow
@pytest.mark.failure("A1", "D11")
@pytest.mark.rule("Y23")
@pytest.mark.parametrize(
    ("seed", "seconds"),
    [*((seed, 45.0) for seed in range(10)), *HARD_SEEDS],
)
def test_with_the_link_cut_at_random_nothing_false_is_ruled(seed: int, seconds: float) -> None:
    """Collapses and falls only where there were some; piles right until something had to be asked; more seeds:
    `python -m tests.process.cut_links`. The last seven: a snap in the gap or just after it, the stones posed apart; a
    stone taken in the gap.
    """
    played = played_with_cuts(seed, seconds)
    assert played.wrong == []
    print(played)


@pytest.mark.slow
@pytest.mark.failure("D11")
@pytest.mark.rule("Y23")
@pytest.mark.parametrize("seed", range(4))
def test_where_two_fifths_of_the_messages_are_lost_nothing_false_is_ruled(seed: int) -> None:
    played = played_with_cuts(seed, 45.0, lost=40.0)
    assert played.wrong == []
    assert played.turns >= 3
    print(played)
