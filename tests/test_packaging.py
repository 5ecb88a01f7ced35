"""The built wheel, installed outside the tree: what it holds, and that it plays a recording."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from companion.compiled import SUFFIX
from companion.sensing.fields.kernel import SOURCES

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]
    subprocess.run(
        [*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(out), str(ROOT)],
        check=True,
        timeout=300,
    )
    (made,) = out.glob("*.whl")
    return made


def test_top_level_holds_the_three_packages_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    top = {n.split("/")[0] for n in names}
    assert {t for t in top if not t.endswith(".dist-info")} == {"companion", "drivers", "web"}
    assert not [n for n in names if "__pycache__" in n or "node_modules" in n]


def test_data_of_the_pages_and_the_demo_game_are_inside(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {
        "web/locale/es/live.json",
        "web/locale/en/live.json",
        "web/static/vendor/lit-html.js",
        "web/templates/base.html",
        "companion/demo/game3-nominal/recording.npz",
        "companion/firmware/mega2560.hex",
        *(f"companion/sensing/fields/{source.name}" for source in SOURCES),
    } <= names
    assert not [n for n in names if n.endswith((".so", SUFFIX))]  # built where it is used, or not at all


def test_the_installed_wheel_replays_a_recording(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--no-deps", "--target", str(site), str(wheel)], check=True, timeout=300)
    recording = ROOT / "tests" / "data" / "recordings" / "nominal-snap2-a"
    events, rulings = tmp_path / "events.jsonl", tmp_path / "rulings.jsonl"
    code = (
        "import companion, sys; from companion.cli.main import main; print(companion.__file__);"
        f"sys.exit(main(['replay', {str(recording)!r}, '--events', {str(events)!r}, '--rulings', {str(rulings)!r}]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(site), "PYTHONSAFEPATH": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(site))
    kinds = [json.loads(line)["event"] for line in events.read_text().splitlines()]
    assert "collapse" in kinds
    assert rulings.read_text().strip()
