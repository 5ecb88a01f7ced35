"""The folder that a family opens in the Arduino IDE builds with the Arduino core, and does the same."""

from pathlib import Path

import pytest

from firmware import build
from tests.firmware.board import HALL, Built, counts, run

pytestmark = pytest.mark.slow


def test_the_sketch_builds_and_scans_as_the_firmware_does(built: Built, tmp_path: Path) -> None:
    heard = run(Built(built.simulator, build.sketch(tmp_path)), tmp_path, seconds=2.0)
    print(heard.figures)
    assert {tuple(counts(s)) for s in heard.samples} == {tuple(HALL)}
    assert heard.session.counts.lost == 0
    assert heard.figures["busy"] <= 0.72
    assert heard.figures["moved_while_sampling"] == heard.figures["short_settles"] == 0


def test_the_shipped_image_is_what_the_sources_give(tmp_path: Path) -> None:
    fresh = build.firmware(tmp_path).with_suffix(".hex").read_text()
    assert build.IMAGE.read_text() == fresh, "run: python -m firmware.build image"


def test_every_module_of_the_sketch_is_in_its_folder() -> None:
    """The Arduino IDE copies the folder and nothing beside it: no include may leave it."""
    for path in build.SOURCES.rglob("*.[ch]"):
        for line in path.read_text().splitlines():
            if line.startswith('#include "'):
                wanted = (path.parent / line.split('"')[1]).resolve()
                assert wanted.is_file(), (path, line)
                assert build.SOURCES.resolve() in wanted.parents
