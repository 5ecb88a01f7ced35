"""The import rule of docs/architecture.md, held by reading every module's import statements."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("companion", "drivers", "web")
PURE = ("companion.table", "companion.games", "companion.sensing", "drivers.wire")
FORBIDDEN_IN_PURE = {"time", "threading", "asyncio", "socket", "random", "os"}

# Prefix of the module -> prefixes it may import besides the standard library; the longest prefix decides.
ALLOWED: dict[str, tuple[str, ...]] = {
    "companion.table": ("companion.table",),
    "companion.games": ("companion.games", "companion.table"),
    "companion.sensing": ("companion.sensing", "companion.table", "numpy"),
    "companion.journal": ("companion.journal", "companion.disk", "companion.games", "companion.table"),
    "companion.views": ("companion.views", "companion.games", "companion.table"),
    "companion.scoring": ("companion.scoring", "numpy", "scipy"),
    "companion": ("companion", "drivers", "numpy", "segno"),
    "drivers.wire": ("drivers.wire", "drivers.sample"),
    "drivers.links.serial": ("drivers", "serial"),
    "companion.cli.plot": ("companion", "drivers", "matplotlib"),
    "drivers.links.ble": ("drivers", "bleak"),
    "drivers.links.ble_errors": ("drivers", "bleak"),
    "drivers": ("drivers", "numpy"),
    "web": ("web", "companion.views", "flask", "werkzeug", "jinja2", "waitress", "segno", "markupsafe"),
}

# The rooms of sensing, from the sensors up: each knows those before it, and none after.
SENSING = ("sensors", "fields", "tracks", "events", "baseline", "learning")
ALLOWED |= {
    f"companion.sensing.{room}": (
        *(f"companion.sensing.{below}" for below in SENSING[: at + 1]),
        "companion.table",
        "numpy",
    )
    for at, room in enumerate(SENSING)
}

# What stands beside the rooms: single modules that know rooms and not each other; the pipeline knows them, but for
# `diagnosis`, which is another program's. `guided` is above all and may know all of sensing.
BESIDE = ("between", "pace", "promise", "diagnosis")
_ROOMS = (*(f"companion.sensing.{room}" for room in SENSING), "companion.table", "numpy")
ALLOWED |= {f"companion.sensing.{name}": _ROOMS for name in BESIDE}
ALLOWED["companion.sensing.pipeline"] = (*_ROOMS, *(f"companion.sensing.{name}" for name in BESIDE[:3]))

# The rooms of the processes: what both share, the table process, the kinds of games; the referee alone knows all.
BELOW = ("blas", "clock", "compiled", "disk", "games", "journal", "sensing", "settings", "table", "views")
ALLOWED |= {
    f"companion.process.{room}": (
        *(f"companion.process.{other}" for other in (room, *known)),
        *("companion." + name for name in BELOW),
        "drivers",
        "numpy",
    )
    for room, known in {"common": (), "table": ("common",), "kinds": ()}.items()
}


def modules() -> list[tuple[str, Path]]:
    found = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found.append((".".join(parts[:-1] if parts[-1] == "__init__" else parts), path))
    return found


def imports(name: str, path: Path) -> set[str]:
    """Absolute names of every module imported, anywhere in the file."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    out = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            out |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                up = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*up, base] if base else up)
            out |= {base, *(f"{base}.{alias.name}" for alias in node.names)} if is_ours(base) else {base}
    return out


def is_ours(name: str) -> bool:
    return name.split(".")[0] in PACKAGES


def under(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(prefix + ".")


def allowed(module: str, imported: str) -> bool:
    if imported.split(".")[0] in sys.stdlib_module_names:
        return True
    rule = max((p for p in ALLOWED if under(module, p)), key=len)
    # `from companion import x` shows as "companion" too: the names below it are judged one by one.
    return any(under(imported, p) or under(p, imported) for p in ALLOWED[rule])


@pytest.mark.parametrize(("name", "path"), modules(), ids=lambda v: v if isinstance(v, str) else "")
def test_a_module_imports_only_downwards(name: str, path: Path) -> None:
    assert {i for i in imports(name, path) if not allowed(name, i)} == set()


@pytest.mark.parametrize(("name", "path"), modules(), ids=lambda v: v if isinstance(v, str) else "")
def test_pure_modules_read_no_clock_and_touch_no_system(name: str, path: Path) -> None:
    if any(under(name, p) for p in PURE):
        assert {i for i in imports(name, path) if i.split(".")[0] in FORBIDDEN_IN_PURE} == set()


def test_nobody_imports_web() -> None:
    for name, path in modules():
        if not under(name, "web"):
            assert not {i for i in imports(name, path) if under(i, "web")}, name


def test_the_rule_would_notice() -> None:
    assert not allowed("companion.games.yikerz", "companion.sensing")
    assert not allowed("companion.table.event", "numpy")
    assert not allowed("web.app", "companion.games.game")
    assert not allowed("drivers.wire.frame", "numpy")
    assert not allowed("drivers.links.replay", "serial")
    assert not allowed("companion.sensing.learning.seams", "companion.sensing.guided.step")
    assert not allowed("companion.sensing.learning.seams", "companion.sensing.pipeline")
    assert not allowed("companion.sensing.pipeline", "companion.sensing.guided.sight")
    assert not allowed("companion.sensing.pace", "companion.sensing.promise")
    assert not allowed("companion.process.table.live", "companion.process.referee.owner")
    assert allowed("companion.sensing.guided.sight", "companion.sensing.pipeline")
    assert allowed("web.app", "companion.views.port")
