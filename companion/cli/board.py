"""`companion board`: what a board at the cable says of itself and its wires, its table's name, and its program."""

import argparse
import shutil
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from companion.cli.failure import UserError
from companion.clock import SystemClock
from drivers.links.link import Link, LinkClosed
from drivers.wire import BoardHealth, Diagnosis, Done, Fault, Hello, Session
from drivers.wire.framing import seal
from drivers.wire.messages import (
    DEFINITION,
    DONE_CODES,
    LOAD_STATES,
    PROTOCOL,
    RESET_CAUSES,
    Command,
    Diagnose,
    Greet,
    Identify,
    Name,
)

IMAGE = "firmware/mega2560.hex"
_WANTED = {Hello, BoardHealth, Diagnosis}
_BLEED = 2  # counts: noise and rounding
_ANSWER_US = 12_000_000  # a boot loader takes two seconds, and the first health comes a second after it


def add_parser(subparsers: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "board",
        help="ask the board at the cable how it and its wires are; name it; get its program",
        description="Greets the board at the USB cable, has it test its wires and prints what it says.",
    )
    parser.add_argument(
        "--port", type=Path, default=None, metavar="PORT", help="serial port (default: the one there is)"
    )
    parser.add_argument("--name", default=None, metavar="TABLE_ID", help="the table it belongs to, as in table.json")
    parser.add_argument("--identify", action="store_true", help="let its light blink for ten seconds")
    parser.add_argument("--image", type=Path, default=None, metavar="FILE", help="only write its program to a new file")


def run(args: argparse.Namespace) -> int:
    """Ask and print; exit code 0, 1 where something is wrong with the board. Raises UserError."""
    if args.image is not None:
        return _write_image(args.image)
    if args.name is not None and not 1 <= len(args.name.encode()) <= 32:
        raise UserError("--name must have 1 to 32 bytes: give the table_id of the table's table.json")
    from drivers.links.serial import SerialOpener

    clock = SystemClock()
    try:
        link = SerialOpener(clock, args.port)()
        try:
            return _ask(link, clock, args.name, args.identify)
        finally:
            link.close()
    except LinkClosed as error:
        raise UserError(str(error)) from error


def _commands(name: str | None, identify: bool) -> list[Command]:
    out: list[Command] = [Greet(PROTOCOL, DEFINITION)]
    out += [Identify(10)] if identify else []
    out += [Name(name), Greet(PROTOCOL, DEFINITION)] if name is not None else []  # read back what it keeps
    return [*out, Diagnose()]


def _ask(link: Link, clock: SystemClock, name: str | None, identify: bool) -> int:
    commands = _commands(name, identify)
    session, waiting = Session(), list(commands)
    told: dict[type, Any] = {}
    faults: list[str] = []
    until_us = clock.now_us() + _ANSWER_US
    link.send(b"\0")  # closes what the board may have heard half of; the rest waits for its hello
    while clock.now_us() < until_us and (waiting or not told.keys() >= _WANTED):
        for item in session.feed(*link.read(0.25)):
            told[type(item)] = item
            if isinstance(item, Fault):
                faults.append(item.detail)
            if isinstance(item, Done) and item.code:
                faults.append(f"it refused command {item.command} ({DONE_CODES.get(item.code, item.code)})")
            first = isinstance(item, Hello) and len(waiting) == len(commands)
            if waiting and (first or isinstance(item, Done)):
                told.pop(Diagnosis, None)  # one that it made by itself may be old
                link.send(b"\0" + seal(waiting.pop(0).encode()))
    if Hello not in told:
        raise UserError("Nobody says hello at this port: put the program on the board (firmware/README.md says how).")
    for missing in _WANTED - told.keys():
        faults.append(f"it gives no {missing.__name__.lower()}")
    lines = _words(told, faults)
    kept: str = told[Hello].table_id
    if name is not None and kept == name:
        lines.insert(1, f"named {name}")
    elif name is not None:
        faults.append(f"the board kept its name: {kept}")
    print("\n".join([*lines, *(f"WRONG: {fault}" for fault in faults)]))
    return 1 if faults else 0


def _words(told: dict[type, Any], faults: list[str]) -> list[str]:
    """What was said in plain words; what is wrong goes to faults."""
    hello: Hello = told[Hello]
    lines = [
        f"table {hello.table_id}, {hello.sensors} sensors, {1e6 / hello.period_us:.0f} frames/s, boot {hello.boot}"
    ]
    if health := told.get(BoardHealth):
        reset = RESET_CAUSES.get(health.reset, "unknown")
        load = LOAD_STATES.get(health.load, "unknown")
        lines.append(f"started by {reset}; load cell {load}, {health.load_errors} bad conversions")
        lines.append(
            f"busy {health.busy} %, longest wait {health.latency_us} us, scans left out {health.late}, "
            f"frames without room {health.dropped}"
        )
        if reset in ("brown_out", "watchdog"):
            faults.append(f"it was started again by {reset}: check its supply")
        if load not in ("ok", "starting"):
            faults.append(f"the load cell is {load}: check its four wires and the chip's")
    if wires := told.get(Diagnosis):
        lines.append(f"wires: {wires.bleed} counts left over from the sample before, {wires.conversions} weights/s")
        for bits, what in ((wires.stuck_low, "never rises"), (wires.stuck_high, "never falls")):
            faults += [f"select line S{b} {what}: check pin {22 + b}" for b in range(4) if bits >> b & 1]
        if not wires.stuck_low:
            absent = [f"A{m}" for m in range(16) if wires.ungrounded >> m & 1]
            faults += [f"no multiplexer with power answers on {', '.join(absent)}"] if absent else []
        if wires.bleed > _BLEED:
            faults.append("a sensor shows in its neighbour: the multiplexers do not settle in time")
    return lines


def _write_image(path: Path) -> int:
    try:
        with as_file(files("companion").joinpath(IMAGE)) as image, image.open("rb") as kept, path.open("xb") as file:
            shutil.copyfileobj(kept, file)
    except FileExistsError as error:
        raise UserError(f"There is something at {path} already: give the name of a new file.") from error
    except OSError as error:
        raise UserError(f"{path} cannot be written ({error}): give the name of a new file") from error
    print(f"avrdude -p m2560 -c wiring -P PORT -b 115200 -D -U flash:w:{path}:i")
    return 0
