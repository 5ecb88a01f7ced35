"""What is not understood is asked about once, not once for each of its stones."""

import pytest

from tests.scenario import parse, play

TWO_LIE_THERE = """
1 approach #1
2 released #1
12 approach #2
13 released #2
"""


def asked(text: str) -> list[str]:
    """The codes of all questions, in order."""
    state = play(parse(TWO_LIE_THERE + text)).state
    return [str(line.data["code"]) for line in state.log if line.kind == "question"]


@pytest.mark.rule("Y37")
@pytest.mark.parametrize("answers", ["people", "nobody"])
def test_of_stones_that_are_taken_at_once(answers: str) -> None:
    assert asked(f'settings stones=12 answers="{answers}"\n16 removed #1 #2') == ["missing"]


@pytest.mark.rule("Y37")
def test_where_nobody_answers_of_stones_taken_one_by_one() -> None:
    assert asked('settings stones=12 answers="nobody"\n16 removed #1\n17 removed #2') == ["missing"]


@pytest.mark.rule("Y23", "Y37")
@pytest.mark.parametrize("answers", ["people", "nobody"])
def test_of_a_gap_and_the_stones_taken_after_it(answers: str) -> None:
    text = f'settings stones=12 answers="{answers}"\n14 unseen until=16 n=0\n17 removed #1\n18 removed #2'
    assert asked(text) == ["unseen"]


@pytest.mark.rule("Y22")
@pytest.mark.parametrize("answers", ["people", "nobody"])
def test_of_what_was_unsure_and_is_taken(answers: str) -> None:
    text = f'settings stones=12 answers="{answers}"\n14 unsure #1 #2 n=2 p=0.5 new=[1,2]\n17 removed #1\n18 removed #2'
    assert asked(text) == ["unsure"]


@pytest.mark.rule("Y37")
def test_of_the_next_turn_it_is_asked_anew() -> None:
    text = 'settings stones=12 answers="nobody"\n16 removed #1\n27 advance\n28 removed #2'
    assert asked(text) == ["missing", "missing"]


@pytest.mark.rule("Y23")
def test_where_nobody_answers_of_the_gaps_of_one_turn() -> None:
    gaps = "14 unseen until=16 n=0\n17 unseen until=18 n=0"
    assert asked(f'settings stones=12 answers="nobody"\n{gaps}') == ["unseen"]
