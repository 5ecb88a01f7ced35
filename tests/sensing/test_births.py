"""The matched filter finds a stone in the air and nothing where there is none."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.sensing.fields.births import HEIGHTS_MM, LYING_MM, PITCH_MM, Births
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import magnet
from companion.sensing.sensors.layout import TableLayout

DATA = Path(__file__).parent.parent / "data" / "recordings"
LAYOUT = TableLayout.from_json(json.loads((DATA / "nominal-snap2-a" / "table.json").read_text()))
BIRTHS = Births(LAYOUT)
NONE = np.zeros((0, 3))


@settings(max_examples=30)
@given(st.floats(-35, 35), st.floats(-30, 25), st.floats(15, 45), st.floats(0.15, 0.4), st.integers(0, 99))
def test_a_stone_in_the_air_is_the_best_candidate(x: float, y: float, z: float, moment: float, seed: int) -> None:
    field = FieldModel.of(LAYOUT).fields(magnet((x, y, z), (0.2, 0.1, 1.0), moment)).sum(0)
    field += np.random.default_rng(seed).normal(0.0, 0.03, LAYOUT.count)
    found = BIRTHS.search(field, 0.03, NONE, 0.0)
    assert found[0].score > 90.0
    assert np.hypot(*(found[0].place[:2] - (x, y))) < 1.5 * PITCH_MM
    assert found[0].moment[2] > 0.0


@given(st.floats(-1.0, 1.0))
def test_a_uniform_field_is_no_stone(level: float) -> None:
    assert all(c.score < 20.0 for c in BIRTHS.search(np.full(LAYOUT.count, level), 0.03, NONE, 0.0))


def test_noise_is_no_stone() -> None:
    rng = np.random.default_rng(5)
    scores = [BIRTHS.search(rng.normal(0.0, 0.03, LAYOUT.count), 0.03, NONE, 0.0) for _ in range(300)]
    assert max(c.score for s in scores for c in s) < 60.0


def test_known_places_are_kept_free() -> None:
    field = FieldModel.of(LAYOUT).fields(magnet((0.0, 0.0, 25.0), (0, 0, 1), 0.3)).sum(0)
    known = np.array([[0.0, 0.0, 25.0]])
    for c in BIRTHS.search(field, 0.03, known, 28.0):
        assert float(np.linalg.norm(c.place - known[0])) >= 28.0


def test_candidates_carry_an_axis_of_unit_length() -> None:
    field = FieldModel.of(LAYOUT).fields(magnet((10.0, 0.0, 25.0), (0, 0, -1), 0.3)).sum(0)
    stone = BIRTHS.search(field, 0.03, NONE, 0.0)[0].magnets(0.29, (5.0, 1.5))
    assert float(np.linalg.norm(stone.axis)) == pytest.approx(1.0)
    assert stone.axis[0, 2] < 0.0


def test_what_a_table_looks_for_is_worked_out_once_and_never_another_tables() -> None:
    """Two filters of a tracker have the same lattice, and so has sensing that begins anew; a tile that lies elsewhere
    gives another one."""
    moved = replace(LAYOUT, position=LAYOUT.position + np.array([1.0, 0.0, 0.0]))
    own = Births(LAYOUT)  # that of the module may be let go by now: few are kept
    assert Births(replace(LAYOUT, gain=2.0 * LAYOUT.gain))._white is own._white
    others = [Births(moved), Births(LAYOUT, LYING_MM), Births(LAYOUT, HEIGHTS_MM, 5.0)]
    assert all(other._white is not own._white for other in others)
    assert not np.array_equal(others[0]._place, own._place)
