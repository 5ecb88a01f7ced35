"""Builds the firmware, the emulator that runs it, and the core as a library for tests.

    python -m firmware.build [--out FOLDER] [firmware] [sketch] [simulator] [host] [fuzz] [image]

firmware: companion.elf and companion.hex by avr-gcc (Debian: gcc-avr, avr-libc). sketch: the same as the
Arduino IDE builds it, with Debian's arduino-core-avr. simulator: the emulator harness by gcc with libsimavr-dev and
libelf-dev. host: the core as a shared library. fuzz: its fuzzer, with sanitizers. image: the
hex file that is shipped, companion/firmware/mega2560.hex, written anew.
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent
SOURCES = ROOT / "companion" / "src"
IMAGE = ROOT.parent / "companion" / "firmware" / "mega2560.hex"
CORE = Path("/usr/share/arduino/hardware/arduino/avr")
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
AVR = ["-mmcu=atmega2560", "-DF_CPU=16000000UL", "-Os", "-std=gnu99", "-ffunction-sections", "-Wl,--gc-sections"]
HOST = ["-std=c99", "-O2", "-pedantic", f"-I{SOURCES}"]


class BuildError(Exception):
    """A tool is missing or refused; the message says which, and what to do."""


def firmware(out: Path, baud: int = 500_000) -> Path:
    """companion.elf, with companion.hex beside it. Raises BuildError."""
    elf, code = out / "companion.elf", sorted(SOURCES.rglob("*.c"))
    _run("avr-gcc", *AVR, *WARNINGS, f"-DTC_BAUD_USB={baud}UL", "-o", elf, *code)
    sections = ["-R", ".eeprom", "-R", ".fuse", "-R", ".lock"]
    _run("avr-objcopy", "-O", "ihex", *sections, elf, elf.with_suffix(".hex"))
    return elf


def sketch(out: Path) -> Path:
    """What the Arduino IDE would make of the sketch, with Debian's arduino-core-avr. Raises BuildError."""
    if not CORE.is_dir():
        raise BuildError("The Arduino core is not installed; on Debian: apt-get install arduino-core-avr")
    made, objects = out / "sketch.elf", []
    board = ["-DARDUINO=10819", "-DARDUINO_AVR_MEGA2560", "-DARDUINO_ARCH_AVR", "-DDECIMAL_DIG=17"]
    include = [f"-I{CORE / 'cores/arduino'}", f"-I{CORE / 'variants/mega'}"]
    core = sorted((CORE / "cores" / "arduino").rglob("*.c*"))
    for code in [*core, *sorted(SOURCES.rglob("*.c")), ROOT / "companion" / "companion.ino"]:
        objects.append(out / f"sketch-{len(objects)}.o")
        cpp = code.suffix != ".c"
        kind = ["-x", "c++", "-std=gnu++11", "-fno-exceptions", "-include", "Arduino.h"] if cpp else ["-std=gnu11"]
        _run("avr-gcc", *AVR[:3], "-ffunction-sections", *board, *include, *kind, "-c", code, "-o", objects[-1])
    archive = out / "core.a"
    _run("avr-ar", "rcs", archive, *objects[: len(core)])
    _run("avr-gcc", *AVR, "-o", made, *objects[len(core) :], archive, "-lm")
    return made


def simulator(out: Path) -> Path:
    """The emulator harness. Raises BuildError."""
    made = out / "simulator"
    code = [*sorted((ROOT / "simulator").glob("*.c")), SOURCES / "core" / "wire.c"]
    flags = ["-std=gnu11", "-O2", *WARNINGS, f"-I{SOURCES}", "-isystem", "/usr/include/simavr"]
    _run("gcc", *flags, "-o", made, *code, "-lsimavr", "-lelf", "-lm")
    return made


def host(out: Path) -> Path:
    """The core as a shared library. Raises BuildError."""
    made = out / "libcompanion.so"
    _run("gcc", *HOST, *WARNINGS, "-shared", "-fPIC", "-o", made, *_core(), ROOT / "host" / "host.c")
    return made


def fuzz(out: Path) -> Path:
    """The fuzzer, with address and undefined-behaviour sanitizers. Raises BuildError."""
    made = out / "fuzz"
    checks = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    _run("gcc", *HOST, *WARNINGS, *checks, "-o", made, *_core(), ROOT / "host" / "fuzz.c")
    return made


def image(out: Path) -> Path:
    """The shipped hex file, written anew. Raises BuildError."""
    IMAGE.parent.mkdir(exist_ok=True)
    shutil.copyfile(firmware(out).with_suffix(".hex"), IMAGE)
    return IMAGE


TARGETS: dict[str, Callable[[Path], Path]] = {
    "firmware": firmware,
    "simulator": simulator,
    "sketch": sketch,
    "host": host,
    "fuzz": fuzz,
    "image": image,
}


def _core() -> list[Path]:
    return sorted((SOURCES / "core").glob("*.c"))


def _run(tool: str, *arguments: str | Path) -> None:
    try:
        done = subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        packages = "gcc gcc-avr avr-libc libsimavr-dev libelf-dev"
        raise BuildError(f"{tool} is not installed; on Debian: apt-get install {packages}") from error
    if done.returncode:
        raise BuildError(f"{tool} refused:\n{done.stderr}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Build the firmware and what tests it.")
    parser.add_argument("targets", nargs="*", metavar="target", help=", ".join(TARGETS) + "; default: firmware")
    parser.add_argument("--out", type=Path, default=ROOT / "build")
    options = parser.parse_args(arguments)
    if unknown := set(options.targets) - set(TARGETS):
        parser.error(f"no such target: {', '.join(sorted(unknown))}")
    options.out.mkdir(parents=True, exist_ok=True)
    try:
        for target in options.targets or ["firmware"]:
            print(TARGETS[target](options.out))
    except BuildError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
