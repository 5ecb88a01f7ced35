"""Writes both sides of firmware/messages.toml, the one definition of the messages, and the board's channel map.

python -m firmware.generate            write drivers/wire/messages.py, core/messages.h and core/channels.h
python -m firmware.generate --check    write nothing; exit 1 and name the stale files
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from firmware.c_side import c_side, channel_map
from firmware.definition import DefinitionError, load
from firmware.python_side import python_side

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "firmware" / "messages.toml"
PYTHON = ROOT / "drivers" / "wire" / "messages.py"
CORE = ROOT / "firmware" / "companion" / "src" / "core"
HEADER = CORE / "messages.h"
CHANNELS = CORE / "channels.h"


def stale(write: bool) -> list[Path]:
    """The generated files that differ from what the definition gives; written anew where asked."""
    definition = load(SOURCE.read_text(encoding="utf-8"))
    out = []
    made = ((PYTHON, python_side(definition)), (HEADER, c_side(definition)), (CHANNELS, channel_map()))
    for path, text in made:
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            out.append(path)
            if write:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    return out


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write both sides of firmware/messages.toml.")
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 where a file is stale")
    options = parser.parse_args(arguments)
    try:
        files = stale(write=not options.check)
    except DefinitionError as error:
        print(error, file=sys.stderr)
        return 2
    for path in files:
        print(f"{'stale' if options.check else 'written'}: {path.relative_to(ROOT)}")
    return 1 if options.check and files else 0


if __name__ == "__main__":
    sys.exit(main())
