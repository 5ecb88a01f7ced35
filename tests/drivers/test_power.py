"""What the Pi's firmware says of its voltage, and nothing where it says nothing."""

import pytest

from drivers.power import power_faults


@pytest.mark.failure("G3")
@pytest.mark.parametrize(
    ("said", "faults"),
    [
        ("throttled=0x50005\n", ("undervoltage",)),
        ("throttled=0x50000\n", ("undervoltage_before",)),
        ("50005", ("undervoltage",)),
        ("throttled=0x0\n", ()),
        ("nonsense", ()),
    ],
)
def test_undervoltage_is_told(said: str, faults: tuple[str, ...]) -> None:
    assert power_faults(lambda: said) == faults


@pytest.mark.failure("G3")
def test_a_machine_that_does_not_know_is_well() -> None:
    def missing() -> str:
        raise FileNotFoundError("vcgencmd")

    assert power_faults(missing) == ()
    assert power_faults() in ((), ("undervoltage",), ("undervoltage_before",))
