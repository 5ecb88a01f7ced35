"""`companion plot`: a recording as pictures: field, residuals, tracks, weight, losses."""

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.calibration import add_calibration
from companion.cli.failure import UserError
from companion.cli.outputs import keep_inputs, recording_files
from companion.cli.progress import Progress
from companion.cli.source import recording_folder

if TYPE_CHECKING:
    from companion.process.table.seen import Seen

_NO_MATPLOTLIB = (
    "companion plot needs matplotlib: in the project's folder, .venv/bin/pip install -e '.[plot]' installs it."
)
PICTURES = ("field.png", "residual.png", "tracks.png", "time.png")
_COLOURS = ("tab:blue", "tab:orange", "tab:green", "tab:red", "tab:purple", "tab:brown", "tab:pink", "tab:olive")


def add_parser(subparsers: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "plot",
        help="a recording as pictures: field, residuals, tracks, weight, losses",
        description="Replays a recording through sensing and draws PNG files: field.png and residual.png (the board at "
        "one moment), tracks.png (where stones were, with ellipses of two standard deviations), time.png (weight, "
        "residual, lost frames over time).",
    )
    parser.add_argument("folder", type=Path, help="recording; or demo, the program's own, where none lies here")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the pictures go (default: the current folder)")
    parser.add_argument("--at", type=float, metavar="S", help="the moment that is drawn (default: the last)")
    add_calibration(parser)


def run(args: argparse.Namespace) -> int:
    """Draw; exit code 0. Raises UserError."""
    with ExitStack() as stack:
        return _drawn(args, recording_folder(args.folder, stack))


def _drawn(args: argparse.Namespace, folder: Path) -> int:
    from companion.compiled import choose
    from companion.process.common.guided import CalibrationError
    from companion.process.common.learned import learned
    from companion.process.common.recorded import recorded_sensing
    from companion.process.table.seen import see
    from drivers.recording import RecordingError, read_recording

    choose()
    out = args.out or Path()
    try:
        recording = read_recording(folder)
        sensing = recorded_sensing(recording, learned([read_recording(f) for f in args.calibration]))
    except (RecordingError, CalibrationError) as error:
        raise UserError(str(error)) from error
    for name in PICTURES:
        keep_inputs(out / name, recording_files([folder, *args.calibration]))
    # no number at all (nan) is not within the recording either
    if args.at is not None and not 0 <= args.at * 1e6 <= recording.duration_us:
        raise UserError(f"--at must be from 0 to {recording.duration_us / 1e6:.1f} s, the length of the recording.")
    at = recording.duration_us if args.at is None else round(args.at * 1e6)
    try:
        import matplotlib
    except ImportError as error:
        raise UserError(_NO_MATPLOTLIB) from error
    matplotlib.use("Agg")
    progress = Progress("plot", recording.duration_us)
    try:
        seen = see(recording, sensing, at, progress.reach)
    finally:
        progress.end()
    if seen.moment is None:
        raise UserError(f"{folder} shows no empty board at rest at its beginning: there is nothing to draw.")
    try:
        out.mkdir(parents=True, exist_ok=True)
        for path in _draw(seen, out):
            print(path, file=sys.stderr)
    except OSError as error:
        raise UserError(f"{out} cannot be written ({error.strerror}): choose another with --out DIR.") from error
    return 0


def _draw(seen: "Seen", out: Path) -> list[Path]:
    assert seen.moment is not None
    when = f"{seen.moment.t_us / 1e6:.2f} s"
    paths = [out / name for name in PICTURES]
    _map(seen, seen.moment.field, f"Field at {when}, mT", paths[0])
    _map(seen, seen.moment.residual, f"What the tracks leave of it at {when}, mT", paths[1])
    _tracks(seen, paths[2])
    _time(seen, paths[3])
    return paths


def _board(seen: "Seen", axes: Any) -> None:
    for triangle in seen.layout.triangles:
        axes.fill(triangle[:, 0], triangle[:, 1], facecolor="none", edgecolor="0.6")
    axes.set_aspect("equal")
    axes.set_xlabel("mm")
    axes.set_ylabel("mm")


def _map(seen: "Seen", values: Any, title: str, path: Path) -> None:
    import matplotlib.pyplot as plt

    assert seen.moment is not None
    figure, axes = plt.subplots(figsize=(8, 7))
    _board(seen, axes)
    at, valid = seen.layout.position, seen.moment.valid
    most = max(1.0, float(abs(values[valid]).max())) if valid.any() else 1.0
    drawn = axes.scatter(at[valid, 0], at[valid, 1], c=values[valid], cmap="RdBu_r", vmin=-most, vmax=most, s=90)
    axes.scatter(at[~valid, 0], at[~valid, 1], c="black", marker="x", label="not trusted")
    for track, place, _ in seen.moment.tracks:
        axes.annotate(str(track), place, ha="center", va="center")
    figure.colorbar(drawn, ax=axes)
    axes.set_title(title)
    if not valid.all():
        axes.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def _tracks(seen: "Seen", path: Path) -> None:
    import matplotlib.pyplot as plt
    from matplotlib.patches import Ellipse

    from companion.process.table.seen import ellipse

    assert seen.moment is not None
    figure, axes = plt.subplots(figsize=(8, 7))
    _board(seen, axes)
    for number, (track, places) in enumerate(sorted(seen.paths.items())):
        colour = _COLOURS[number % len(_COLOURS)]
        axes.plot([p[0] for p in places], [p[1] for p in places], color=colour, linewidth=0.8)
        axes.annotate(str(track), places[-1], color=colour)
    for _, place, covariance in seen.moment.tracks:
        width, height, angle = ellipse(covariance)
        # ten times as large, or nobody would see a tenth of a millimetre
        axes.add_patch(Ellipse(place, 10 * width, 10 * height, angle=angle, fill=False, color="black"))
    axes.set_title("Tracks; ellipses of two standard deviations at the moment drawn, ten times as large")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def _time(seen: "Seen", path: Path) -> None:
    import matplotlib.pyplot as plt

    figure, (weight, residual, lost) = plt.subplots(3, 1, figsize=(10, 8), sharex=True)
    weight.plot([t / 1e6 for t, _ in seen.weight], [g for _, g in seen.weight], linewidth=0.7)
    weight.set_ylabel("load cell, g")
    residual.plot([t / 1e6 for t, _ in seen.residual], [r for _, r in seen.residual], linewidth=0.7)
    residual.set_ylabel("residual, rms mT")
    lost.step([t / 1e6 for t, _ in seen.lost], [n for _, n in seen.lost], where="post")
    lost.set_ylabel("frames lost")
    lost.set_xlabel("s")
    figure.savefig(path, dpi=110)
    plt.close(figure)
