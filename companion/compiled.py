"""Which of the two does the arithmetic of sensing, chosen once when a program starts: the C kernel or NumPy.

    python -m companion.compiled          builds the kernel beside its source, if a C compiler is there

The kernel (kernel_*.c) is optional: what is missing, cannot be built or loaded, or is not wanted
(COMPANION_KERNEL=numpy) leaves NumPy, with the same answers, slower. The name of the file holds a digest of all
sources, the kind of computer and the size of pointers in Python (32 bits may run on a 64-bit computer), so that nothing
out of date or of another kind is ever loaded, and building again is quick.
"""

import hashlib
import logging
import os
import shlex
import shutil
import struct
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.sensing.fields import kernel

VARIABLE: Final = "COMPANION_KERNEL"
C, NUMPY = "C", "NumPy"
BUILD: Final = f"{Path(sys.executable).name} -m companion.compiled"
FLAGS: Final = ("-std=c99", "-O3", "-fno-math-errno", "-fno-trapping-math", "-fPIC", "-shared", "-Wall", "-Wextra")
SUFFIX: Final = ".shared"
"""Not .so: it is a plain shared library, and what looks for Python's own would take it for one."""
_PATIENCE_S = 120.0
_KIND: Final = f"{sysconfig.get_platform()}-{8 * struct.calcsize('P')}"
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Choice:
    """name: C or NUMPY; reason: why it is NumPy, "" where it is C."""

    name: str
    reason: str = ""

    def __str__(self) -> str:
        return self.name + (f" ({self.reason})" if self.reason else "")


def built_file(folder: Path | None = None, sources: Sequence[Path] = kernel.SOURCES) -> Path:
    """Where the kernel of these sources and this kind of computer lies, built or not; folder: beside the sources.

    Raises OSError where a source cannot be read.
    """
    whole = hashlib.sha256(repr(FLAGS).encode())
    for source in sources:
        whole.update(hashlib.sha256(source.read_bytes()).digest())
    return (folder or sources[0].parent) / f"kernel-{whole.hexdigest()[:12]}-{_KIND}{SUFFIX}"


def build(folder: Path | None = None, sources: Sequence[Path] = kernel.SOURCES, flags: tuple[str, ...] = ()) -> Path:
    """The built kernel, made where it is not there yet or cannot be loaded; others beside it, out of date now, are
    removed.

    flags: more of them for the compiler, which is $CC or cc or gcc. Raises kernel.KernelError, saying what is missing.
    """
    try:
        out = built_file(folder, sources)
        if out.exists():
            try:
                kernel.Kernel(out)
            except kernel.KernelError as error:
                _LOG.warning("It is built anew: %s", error)
            else:
                return out
        compiler = _compiler()
        with tempfile.TemporaryDirectory(dir=out.parent) as scratch:
            made = Path(scratch) / out.name
            rooms = [str(source) for source in sources if source.suffix == ".c"]
            command = [*compiler, *FLAGS, *flags, "-o", str(made), *rooms, "-lm"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE_S, check=False)
            if done.returncode:
                raise kernel.KernelError(f"{compiler[0]} failed: {(done.stderr.strip() or '?').splitlines()[-1]}")
            kernel.Kernel(made)
            _to_disk(made)  # else the name may outlast a power cut and what it names not
            os.replace(made, out)
        _to_disk(out.parent)
        for old in out.parent.glob(f"kernel-*-{_KIND}{SUFFIX}"):
            if old != out:
                old.unlink(missing_ok=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise kernel.KernelError(f"it could not be built ({error})") from error
    return out


def choose(folder: Path | None = None) -> Choice:
    """Use the built kernel from now on, else NumPy. Never raises; what went wrong is the reason, and is logged."""
    kernel.use(None)
    if os.environ.get(VARIABLE, "").strip().lower() == NUMPY.lower():
        return Choice(NUMPY, f"{VARIABLE} says so")
    try:
        path = built_file(folder)
        if not path.exists():
            return Choice(NUMPY, f"the C kernel is not built; with a C compiler: {BUILD}")
        kernel.use(kernel.Kernel(path))
    except (OSError, kernel.KernelError) as error:
        choice = Choice(NUMPY, str(error))
        _LOG.warning("Sensing goes on with NumPy: %s. To build the C kernel anew: %s", choice.reason, BUILD)
        return choice
    return Choice(C)


def _to_disk(path: Path) -> None:
    """Raises OSError where it cannot be written there."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _compiler() -> list[str]:
    try:
        named = shlex.split(os.environ.get("CC", ""))
    except ValueError as error:
        raise kernel.KernelError(f"CC cannot be read ({error})") from error
    found = named or [each for each in ("cc", "gcc", "clang") if shutil.which(each)][:1]
    if not found:
        raise kernel.KernelError("there is no C compiler")
    return found


def main() -> int:
    """Build, and say what came of it; exit code 0 also where there is no kernel, because none is needed."""
    try:
        build()
    except kernel.KernelError as error:
        print(f"No C kernel: {error}. Sensing works with NumPy, slower.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
