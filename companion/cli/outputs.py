"""Outputs that would take the place of what a command reads, or of what no command writes as text: refused before
anything is done.
"""

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
_HEAD = 4096  # bytes that tell text from anything else


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


def keep_others(output: Path) -> None:
    """Raises UserError where a file is there that no earlier output was: one of a recording's, or one that is no text
    (a journal, a picture, a program). An earlier text is replaced, as by other programs.
    """
    if not output.is_file():
        return
    beside = any((output.parent / name).exists() for name in ("recording.npz", "capture.spool"))
    if beside and output.name in _OF_A_RECORDING:
        raise UserError(f"{output} belongs to a recording and would be lost by writing it: give another name.")
    try:
        with output.open("rb") as file:
            text = b"\0" not in file.read(_HEAD)
    except OSError as error:
        raise UserError(f"Cannot write {output} ({error.strerror}): choose another place.") from error
    if not text:
        raise UserError(f"{output} is no text and would be lost by writing it: give another name.")


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one of them is not there
        return one.resolve() == other.resolve()
