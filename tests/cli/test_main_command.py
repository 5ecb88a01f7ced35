"""The command line's head: help that is good to read, errors of the user with code 2."""

import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from companion.cli import start
from companion.cli.failure import UserError
from companion.cli.main import main

ROOT = Path(__file__).parents[2]


def test_help_names_every_command_and_gives_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--help"])
    assert left.value.code == 0
    text = capsys.readouterr().out
    for word in ("run", "virtual", "capture", "replay", "score", "companion run --source serial", "exit code 2"):
        assert word in text


@pytest.mark.parametrize("name", ["run", "virtual", "capture", "replay", "score"])
def test_each_command_has_help(capsys: pytest.CaptureFixture[str], name: str) -> None:
    with pytest.raises(SystemExit) as left:
        main([name, "--help"])
    assert left.value.code == 0
    assert f"companion {name}" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["dance"], ["run", "--colour"]])
def test_wrong_arguments_end_with_code_2(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    assert "usage: companion" in capsys.readouterr().err


def test_an_error_of_the_user_is_one_sentence_and_code_2(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(args: object) -> int:
        raise UserError("the folder is missing: give another")

    monkeypatch.setattr("companion.cli.run.run", run)
    assert main(["run"]) == 2
    assert capsys.readouterr().err == "companion: the folder is missing: give another\n"


def test_ctrl_c_before_anything_runs_leaves_with_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(args: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("companion.cli.run.run", run)
    assert main(["run"]) == 130
    assert capsys.readouterr().err == "companion: stopped\n"


def test_ctrl_c_while_a_command_is_loaded_leaves_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr("companion.cli.main.import_module", load)
    assert main(["run"]) == 130


def test_a_virtual_table_does_not_take_the_name_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "notes.txt"
    kept.write_text("ours")
    assert main(["virtual", "--link", str(kept)]) == 2
    assert str(kept) in capsys.readouterr().err
    assert kept.read_text() == "ours"


def test_ctrl_c_while_the_command_line_itself_is_loaded_leaves_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Interrupted:
        def find_spec(self, name: str, *more: object) -> None:
            if name == "companion.cli.main":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "companion.cli.main")
    monkeypatch.setattr(sys, "meta_path", [Interrupted(), *sys.meta_path])
    assert start.main() == 130


def test_the_command_begins_where_ctrl_c_is_minded_first() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["scripts"] == {"companion": "companion.cli.start:main"}
    code = "import sys, companion.cli.start; print(*(m for m in sys.modules if m.startswith('companion')))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert set(loaded) == {"companion", "companion.cli", "companion.cli.start"}


def test_a_ctrl_c_that_waited_while_python_started_is_minded_first() -> None:
    program = (
        "import os, signal, sys\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})\n"
        "os.kill(os.getpid(), signal.SIGINT)\n"
        "from companion.cli.start import main\n"
        "sys.exit(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "companion: stopped\n")


@pytest.mark.parametrize("pressed", ["importlib", "pip install", "companion.compiled", "companion run"])
def test_ctrl_c_while_run_sets_up_or_begins_leaves_with_one_line(tmp_path: Path, pressed: str) -> None:
    """A stand-in for .venv presses Ctrl-C in the middle of one of the programs that ./run starts."""
    for name in ("run", ".ci/environment.sh", "requirements.lock", "pyproject.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    bin_folder = tmp_path / ".venv/bin"
    bin_folder.mkdir(parents=True)
    press = "trap 'echo Traceback >&2; exit 1' INT\nkill -INT 0\n"
    start = "from companion.cli.start import main; import sys; sys.exit(main())"
    begin = f'exec {shlex.quote(sys.executable)} -P -c {shlex.quote(start)} "$@"\n'
    python = f'case "$*" in *"{pressed}"*)\n{press}esac\n'
    stands_for = {"python": python, "companion": press + begin}
    for name, text in stands_for.items():
        (bin_folder / name).write_text("#!/bin/sh\n" + text)
        (bin_folder / name).chmod(0o755)
    stamp = 'cat "requirements.lock" pyproject.toml | sha256sum; python3 --version; pwd'
    done = subprocess.run(["bash", "-c", stamp], cwd=tmp_path, capture_output=True, text=True, check=True)
    if pressed.startswith("companion"):  # all is installed already
        (tmp_path / ".venv/installed-requirements.lock").write_text(done.stdout.rstrip("\n"))
    done = subprocess.run(
        [tmp_path / "run", "--help"], env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False, start_new_session=True,
    )  # fmt: skip
    line = "companion: stopped" if pressed == "companion run" else "Stopped."
    said = done.stderr.splitlines()
    assert (done.returncode, done.stdout, said[-1]) == (130, "", line)
    assert [each for each in said[:-1] if not each.startswith("Setting up .venv")] == []
