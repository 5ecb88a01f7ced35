"""Every scenario under tests/scenarios: the clauses of ¡Yikerz! one by one, as text."""

from pathlib import Path
from typing import Any

import pytest

from tests.scenario import SCENARIOS, entry_text, parse, play

FILES = sorted(SCENARIOS.glob("*.txt"))


def _case(path: Path) -> Any:
    rules = next(line.words for line in parse(path.read_text(encoding="utf-8")) if line.sort == "rules")
    return pytest.param(path, id=path.stem, marks=pytest.mark.rule(*rules))


@pytest.mark.parametrize("path", [_case(path) for path in FILES])
def test_scenario(path: Path) -> None:
    play(parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_entries_round_trip_as_text(path: Path) -> None:
    entries = [line.entry for line in parse(path.read_text(encoding="utf-8")) if line.entry is not None]
    again = [line.entry for line in parse("\n".join(entry_text(entry) for entry in entries))]
    for one, other in zip(entries, again, strict=True):
        assert entry_text(one) == entry_text(other)
        assert type(one) is type(other)
        assert one.t_us == other.t_us
