"""`companion diagnose`: some seconds of raw counts, then the faulty part in plain words."""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.failure import UserError
from companion.cli.progress import Progress
from companion.cli.source import BOARDS, source_of
from companion.clock import SystemClock
from companion.settings import SettingsError, data_folder

if TYPE_CHECKING:
    from companion.sensing.sensors.parts import Finding
    from drivers.links.link import Link
    from drivers.sample import Sample

_LONGEST_S = 600.0
_PATIENCE_US = 5_000_000  # beyond the seconds asked for: a board that takes its time to say hello

WORDS = {
    "no_samples": "No samples: {figure:.0f} frames came. Check the cable or radio, and that the board has power.",
    "tile_missing": "Tile {where} is missing: none of its sensors reads anything. Check its cable and plug.",
    "multiplexer_missing": "Multiplexer {where} (tile and number on the template) is missing: its sensors read nothing "
    "of their own. Check its solder joints, its enable pin and the wire to its ADC input.",
    "select_stuck": "Select line {where} is stuck: addresses that differ in it read the same sensor. Check that line "
    "for a break or a short.",
    "rail_off": "The sensors' supply or AREF is wrong: all zeros are off by {figure:.0%} of the range. Measure the 5 V "
    "of the sensors and AREF.",
    "rail_noisy": "The sensors' supply is restless: all sensors jump together by {figure:.1f} counts. Check the 5 V "
    "supply and its capacitors.",
    "sensor_dead": "Sensor {where} is dead: it stays at an end of its range. Check its solder joints or replace it.",
    "sensor_stuck": "Sensor {where} is stuck: it reads the same count all the time. Check its output pin.",
    "sensor_noisy": "Sensor {where} is noisy, unlike its neighbours. Check its supply pin and capacitor.",
    "load_absent": "The load cell is absent: {figure:.0f} weighings came. Check the HX711's wires and power.",
    "load_errors": "The load cell cannot be read: {figure:.0%} of the readings failed. Check the clock and data wires.",
    "load_constant": "The load cell is constant at {figure:.0f}: it does not weigh. Check its wiring to the HX711.",
    "load_wiring": "The load cell is constant at an end of its range ({figure:.0f}): check the wiring of its bridge.",
    "load_floating": "The load cell gives random numbers: its data wire is connected to no HX711. It is absent.",
    "load_saturated": "The load cell is at an end of its range: too much weight, or a bridge wire is loose.",
    "load_gain": "The load cell's amplifier has switched its gain by itself: shorten its clock wire, check its supply.",
    "load_spikes": "The load cell gives false values now and then (shifted bits): shorten its clock wire.",
    "frames_lost": "{figure:.0%} of the frames are lost on the way. Check the cable, or bring the radio nearer.",
}

UNCHECKED = (
    "Not checked, as it takes a magnet on each tile: exchanged plugs or wires, tiles that lie turned or elsewhere than "
    "in table.json, sensors upside down. For that: companion run, Set up the table, Is everything in its place?"
)


def add_parser(subparsers: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "diagnose",
        help="name the faulty part of a table within 10 s",
        description="Takes some seconds of raw counts and names what is wrong: select lines, multiplexers, tiles, "
        "sensors, supply, load cell, link. Exit code 0 where nothing is, 1 where something is.",
    )
    parser.add_argument("--source", metavar="SOURCE", help=BOARDS)
    parser.add_argument("--table", type=Path, metavar="TABLE.JSON", help="table.json of a live table")
    parser.add_argument("--data", metavar="DIR", help="data folder (default: ~/.local/share/table-companion)")
    parser.add_argument("--seconds", type=float, default=10.0, metavar="S", help="how long it looks (default: 10)")
    parser.add_argument("--json", action="store_true", help="the findings as JSON")


def run(args: argparse.Namespace) -> int:
    """Look, then say; exit code 0 or 1. Raises UserError."""
    from companion.compiled import choose
    from companion.sensing.diagnosis import Diagnosis
    from companion.sensing.sensors.layout import TableLayout

    if not 1.0 <= args.seconds <= _LONGEST_S:
        raise UserError(f"--seconds must be from 1 to {_LONGEST_S:.0f}, not {args.seconds:g}.")
    if args.source in (None, "virtual"):
        raise UserError(f"companion diagnose looks at a board or a recording: give --source, one of {BOARDS}")
    with ExitStack() as stack:
        try:
            source = source_of(args.source, args.table, lambda: data_folder(args.data), stack, BOARDS)
            diagnosis = Diagnosis(TableLayout.from_json(source.table))
        except (SettingsError, ValueError) as error:
            raise UserError(str(error)) from error
        progress = Progress("diagnose", round(args.seconds * 1e6))
        stack.callback(progress.end)
        try:
            for sample, first_us in _samples(source.spec, args.seconds):
                diagnosis.add(sample)
                progress.reach(sample.t_us - first_us)
        except ValueError as error:
            raise UserError(f"{error}: give the table.json of this table with --table") from error
    findings = diagnosis.findings()
    if args.json:
        print(json.dumps([{"code": f.code, "where": f.where, "figure": round(f.figure, 4)} for f in findings]))
    else:
        for finding in findings:
            print(said(finding))
        if not findings:
            print(f"Nothing is wrong in {diagnosis.frames} frames.")
        print(UNCHECKED)
    print(f"Arithmetic of sensing: {choose()}.", file=sys.stderr)
    return 1 if findings else 0


def said(finding: "Finding") -> str:
    """A finding in plain words."""
    where = finding.where
    if finding.code == "select_stuck" and ":" in where:
        line, _, multiplexer = where.partition(":")
        where = f"{line} at multiplexer {multiplexer} (tile and number on the template)"
    return WORDS[finding.code].format(where=where, figure=finding.figure)


def _samples(spec: str, seconds: float) -> "Iterator[tuple[Sample, int]]":
    """Samples of so many seconds of board time, each with the board time of the first."""
    from drivers.samples import samples_of

    clock = SystemClock()
    link, sensors = _link(spec, clock)
    until_us = clock.now_us() + round(seconds * 1e6) + _PATIENCE_US
    lasts = not spec.startswith("replay:")  # a recording ends by itself
    first: int | None = None
    for sample in samples_of(link, sensors, lambda now_us, came: lasts and now_us >= until_us):
        first = sample.t_us if first is None else first
        if sample.t_us - first > seconds * 1e6:
            return
        yield sample, first


def _link(spec: str, clock: SystemClock) -> "tuple[Link, int | None]":
    from drivers.links.replay import ReplayLink
    from drivers.recording import read_recording

    kind, _, place = spec.partition(":")
    if kind == "replay":
        recording = read_recording(Path(place))
        return ReplayLink(recording), recording.sensors
    from companion.process.table.live import live_link

    return live_link(kind, place, clock), None
