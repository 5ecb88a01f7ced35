"""Outputs that would take the place of what a command reads: refused before anything is done."""

from collections.abc import Iterable
from pathlib import Path

from companion.cli.failure import UserError

_OF_A_RECORDING = (
    "recording.npz",
    "table.json",
    "game.json",
    "truth.json",
    "poses.npz",
    "calibration.json",
    "guided.json",
    "capture.spool",
    "README.md",
)


def recording_files(folders: Iterable[Path]) -> list[Path]:
    """The files of recordings, those that are there and those that are not."""
    return [folder / name for folder in folders for name in _OF_A_RECORDING]


def keep_inputs(output: Path | None, inputs: Iterable[Path]) -> None:
    """Raises UserError where the output is one of the inputs, by whatever name or link."""
    if output is None:
        return
    for path in inputs:
        if _same(output, path):
            raise UserError(f"{output} is read here and would be lost by writing it: give another name.")


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one of them is not there
        return one.resolve() == other.resolve()
