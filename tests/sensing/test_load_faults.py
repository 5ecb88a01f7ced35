"""Each fault of the load cell, one by one, over recorded scenes: nothing is invented, nothing ruled wrongly unasked."""

from pathlib import Path

import pytest

from tests.sensing.faulty import FAULTS
from tests.sensing.varied import Work, judged

SCENES = Path(__file__).parent.parent / "data" / "recordings"
OF_THE_LOAD_CELL = sorted(name for name in FAULTS if name.startswith("load_"))
INVENTED = ("approach", "placed", "collapse", "fell_off", "removed")


@pytest.mark.slow
@pytest.mark.failure("B5", "B6", "B7")
@pytest.mark.rule("Y21", "Y22")
@pytest.mark.parametrize("scene", ["nominal-snap2_removed-a", "nominal-near_place-a"])
@pytest.mark.parametrize("fault", OF_THE_LOAD_CELL)
def test_no_fault_of_the_load_cell_invents_anything(fault: str, scene: str) -> None:
    row = judged(Work(SCENES / scene, fault, 1, None))
    for kind in INVENTED:  # a touch beside another stone is dated worse without a weight, but it is one
        told = row["kinds"][kind]
        assert told["reported"] <= told["truth"], (kind, told)
    assert row["silent"] == []
    assert row["rest"]["invented"] == 0
