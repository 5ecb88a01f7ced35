"""Whole games as text: scenarios/*.txt, read by the Scenario of conftest.py."""

from pathlib import Path

import pytest

SCENARIOS = sorted((Path(__file__).parent / "scenarios").glob("*.txt"))


@pytest.mark.rule("T03", "T05", "T06", "T07", "T08", "T09", "T11", "T12", "T14", "T15", "T16", "T25", "T26", "T29")
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenario(scenario, path: Path) -> None:
    table = scenario(path).run()
    assert table.view["phase"] == "over"


def test_the_scenarios_are_there() -> None:
    assert {path.stem for path in SCENARIOS} >= {
        "two_players",
        "three_players_finals",
        "quick_to_35",
        "refused_and_put_right",
    }


def test_a_scenario_fails_where_its_text_is_wrong(scenario, tmp_path: Path) -> None:
    """The reader itself must be able to fail: one wrong word in an expectation or a refusal."""
    text = (Path(__file__).parent / "scenarios/quick_to_35.txt").read_text("utf-8")
    for right, wrong in (
        ("= winners 1", "= winners 2"),
        ("! not_revealed", ""),
        ("= starter 2", "= starter 3"),
    ):
        path = tmp_path / "wrong.txt"
        path.write_text(text.replace(right, wrong), "utf-8")
        with pytest.raises(AssertionError):
            scenario(path).run()
