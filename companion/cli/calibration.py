"""The --calibration argument, the same for every command that takes a recording."""

import argparse
from pathlib import Path

HELP = (
    "recordings of the same table to learn from: one with a calibration.json gives the gains of the sensors "
    "and grams per count, one with a guided.json in which each stone is shown gives the set of stones"
)


def add_calibration(parser: argparse.ArgumentParser, words: str = HELP) -> None:
    """Add it; `args.calibration` is a list of folders. words: its help."""
    parser.add_argument("--calibration", type=Path, nargs="+", default=[], metavar="FOLDER", help=words)
