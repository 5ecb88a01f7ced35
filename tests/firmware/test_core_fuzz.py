"""The core under the address and undefined-behaviour sanitizers, on vectors, noise and damage.

Ten million rounds: python -m firmware.build fuzz && firmware/build/fuzz 10000000 SEED < vectors (one frame in hex a
line; `python tests/firmware/test_core_fuzz.py` prints them).
"""

import json
import subprocess
from pathlib import Path

import pytest

from firmware import build

VECTORS = Path(__file__).parents[1] / "drivers" / "vectors"


def vectors() -> str:
    wires = [row["wire"] for path in sorted(VECTORS.glob("*.json")) for row in json.loads(path.read_text("utf-8"))]
    return "\n".join(wire[:-2] for wire in wires)  # without the closing zero


@pytest.mark.failure("A13")
@pytest.mark.slow
def test_a_hundred_thousand_rounds_find_nothing(tmp_path: Path) -> None:
    fuzz = build.fuzz(tmp_path)
    done = subprocess.run(
        [fuzz, "100000", "7"], input=vectors(), capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "100000 rounds" in done.stdout


if __name__ == "__main__":
    print(vectors())
