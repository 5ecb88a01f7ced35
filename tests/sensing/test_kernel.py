"""The C kernel beside NumPy, its reference: the same answers, and nothing lost where it is not there."""

import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import compiled
from companion.cli.replay import prepared
from companion.process.table.offline import replay
from companion.sensing.fields import kernel
from companion.sensing.fields.bodies import Body, joined
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.equations import OWN_WINDOWS
from companion.sensing.fields.magnets import Magnets, magnet
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.solver import Fit, fit
from companion.sensing.sensors.layout import TableLayout
from companion.table import TableEvent
from tests.sensing.tables import table_json

ROOT = Path(__file__).parents[2]
RECORDING = ROOT / "tests" / "data" / "recordings" / "nominal-snap2-a"
SAME = 1e-9
LAYOUT = TableLayout.from_json(table_json())


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled.build(tmp_path_factory.mktemp("kernel"))


@pytest.fixture(scope="session")
def built(file: Path) -> kernel.Kernel:
    return kernel.Kernel(file)


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = kernel.used()
    yield
    kernel.use(before)


def tilted(rng: np.random.Generator) -> TableLayout:
    """The tests' table with sensors whose axes are a little askew."""
    axis = LAYOUT.axis + rng.normal(0.0, 0.05, LAYOUT.axis.shape)
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    return TableLayout(**{**vars_of(LAYOUT), "axis": axis})


def vars_of(layout: TableLayout) -> dict[str, object]:
    return {name: getattr(layout, name) for name in layout.__dataclass_fields__}


def stone(rng: np.random.Generator) -> Magnets:
    """Anywhere over the board, turned anyhow, half of them with a long side."""
    at = (rng.uniform(-120, 120), rng.uniform(-80, 130), rng.choice([3.4, 6.5, rng.uniform(5, 80)]))
    shape = (2.0, rng.uniform(1.5, 3.5), rng.choice([0.0, 2.4]))
    return magnet(at, rng.normal(size=3), rng.uniform(0.15, 0.5), shape, rng.normal(size=3))


def bodies_of(rng: np.random.Generator, count: int, clusters: int) -> list[Body]:
    out: list[Body] = []
    for k in range(count):
        body = Body((3 * k,), stone(rng))
        if k < clusters:
            second = magnet(
                body.centre + np.array([2.0, 3.0, 6.0]), rng.normal(size=3), 0.3, (2.0, 2.3, 2.4), rng.normal(size=3)
            )
            body = joined(body, Body((3 * k + 1,), second))
        out.append(body)
    return out


def apart(a: Fit, b: Fit) -> float:
    """The largest difference of two fits of the same bodies, as a part of the largest value where that is above 1."""
    assert (a.evaluations, a.converged) == (b.evaluations, b.converged)
    assert [x.tracks for x in a.bodies] == [x.tracks for x in b.bodies]
    assert np.array_equal(a.rows, b.rows)
    pairs = [(np.array(a.cost), np.array(b.cost)), (a.residual, b.residual), (a.normal, b.normal)]
    pairs.append((np.array(a.background), np.array(b.background)))
    for x, y in zip(a.bodies, b.bodies, strict=True):
        s, o = x.stones, y.stones
        pairs += [(s.position, o.position), (s.axis, o.axis), (s.side, o.side), (s.shape, o.shape)]
        pairs.append((s.log_moment, o.log_moment))
    return max(float(np.abs(x - y).max(initial=0.0) / max(1.0, float(np.abs(x).max(initial=0.0)))) for x, y in pairs)


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32 - 1),
    count=st.integers(1, OWN_WINDOWS + 8),
    clusters=st.integers(0, 2),
    dropped=st.sampled_from([0.0, 0.1, 0.5, 1.0]),
    unknown_background=st.booleans(),
    limit=st.integers(1, 8),
)
def test_the_same_fit(built, seed, count, clusters, dropped, unknown_background, limit):
    rng = np.random.default_rng(seed)
    layout = tilted(rng)
    true = bodies_of(rng, count, clusters)
    field = sum(FieldModel.of(layout).fields(b.stones).sum(axis=0) for b in true)
    field = field + rng.normal(0.0, 0.1, layout.count) + np.where(rng.random(layout.count) < 0.03, 5.0, 0.0)
    weight = np.where(rng.random(layout.count) < dropped, 0.0, rng.uniform(20.0, 120.0, layout.count))
    start = [b.moved(rng.normal(size=7) * [1.0, 1.0, 0.5, 0.05, 0.05, 0.05, 0.05]) for b in true]
    priors = [Prior(b.centre, np.full(3, 4.0), 0.5, float(np.log(b.moment)), 0.2) for b in start]
    floors = rng.uniform(1.0, 4.0, count).tolist()
    background = (0.02, 0.1) if unknown_background else None

    def found(work: kernel.Kernel | None) -> Fit:
        kernel.use(work)
        return fit(layout, start, priors, field, weight, limit=limit, floors=floors, background=background)

    assert apart(found(None), found(built)) < SAME


def test_every_computer_gets_the_same_to_the_last_digit(built, tmp_path):
    """Of some functions there are versions for several kinds of computers (kernel.h): beside them without."""
    plain = kernel.Kernel(compiled.build(tmp_path, flags=("-DEACH_CPU=",)))
    for seed in range(20):
        rng = np.random.default_rng(seed)
        start = bodies_of(rng, 1 + seed % (OWN_WINDOWS + 8), seed % 3)
        priors = [Prior(b.centre, np.full(3, 4.0), 0.5, float(np.log(b.moment)), 0.2) for b in start]
        told = []
        for work in (built, plain):
            kernel.use(work)
            field = sum(FieldModel.of(LAYOUT).fields(b.stones).sum(axis=0) for b in start)
            field = field + np.random.default_rng(seed).normal(0.0, 0.3, LAYOUT.count)
            told.append(fit(LAYOUT, start, priors, field, np.full(LAYOUT.count, 100.0)))
        assert apart(*told) == 0.0


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32 - 1), count=st.integers(1, 30))
def test_the_same_fields(built, seed, count):
    rng = np.random.default_rng(seed)
    stones = stone(rng)
    for _ in range(count - 1):
        stones = stones.joined(stone(rng))
    model = FieldModel.of(tilted(rng))
    kernel.use(None)
    reference = model.fields(stones)
    kernel.use(built)
    assert np.abs(model.fields(stones) - reference).max() < SAME * max(1.0, float(np.abs(reference).max()))


def test_a_fit_without_a_sound_answer_is_left_to_numpy(built):
    kernel.use(built)
    body = Body((1,), magnet((0, 20, 3.4), (0, 0, 1)))
    prior = Prior(body.centre, np.full(3, 4.0), 0.5, float(np.log(body.moment)), 0.2)
    nowhere = np.full(LAYOUT.count, np.nan)
    found = fit(LAYOUT, [body], [prior], nowhere, np.ones(LAYOUT.count))
    assert np.isnan(found.cost)


def test_a_recording_is_read_the_same_either_way(built):
    told = []
    for work in (None, built):
        recording, sensing, referee = prepared(RECORDING, ())
        kernel.use(work)
        told.append([str(each) for each in replay(recording, sensing, referee) if isinstance(each, TableEvent)])
    assert told[0] == told[1]
    assert any("COLLAPSE" in each for each in told[0])


def copied(folder: Path) -> list[Path]:
    """The kernel's sources in another folder."""
    return [Path(shutil.copy(source, folder / source.name)) for source in kernel.SOURCES]


@pytest.mark.parametrize("changed", range(len(kernel.SOURCES)))
def test_a_kernel_is_out_of_date_when_any_of_its_sources_has_changed(tmp_path, changed):
    sources = copied(tmp_path)
    before = compiled.built_file(tmp_path, sources)
    assert before == compiled.built_file(tmp_path)
    sources[changed].write_text(sources[changed].read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert compiled.built_file(tmp_path, sources) != before


def test_what_is_built_is_used_and_not_built_again(tmp_path, monkeypatch):
    monkeypatch.delenv(compiled.VARIABLE, raising=False)
    sources = copied(tmp_path)
    old = tmp_path / compiled.built_file(tmp_path).name.replace("kernel-", "kernel-0")
    old.write_bytes(b"of an older source")
    path = compiled.build(tmp_path, sources)
    assert not old.exists()
    made = path.stat().st_mtime_ns
    assert compiled.build(tmp_path, sources) == path
    assert path.stat().st_mtime_ns == made
    assert str(compiled.choose(tmp_path)) == "C"
    assert kernel.used() is not None


def test_without_a_kernel_numpy_works_and_the_reason_is_told(tmp_path, monkeypatch, caplog):
    monkeypatch.delenv(compiled.VARIABLE, raising=False)
    caplog.set_level(logging.WARNING)
    choice = compiled.choose(tmp_path)
    assert (choice.name, kernel.used()) == ("NumPy", None)
    assert "companion.compiled" in choice.reason
    assert not caplog.records  # not a fault: it is optional


def test_a_file_that_is_no_kernel_is_told_once_and_not_used(tmp_path, monkeypatch, caplog):
    monkeypatch.delenv(compiled.VARIABLE, raising=False)
    compiled.built_file(tmp_path).write_bytes(b"\x7fELF of another kind")
    caplog.set_level(logging.WARNING)
    choice = compiled.choose(tmp_path)
    assert (choice.name, kernel.used()) == ("NumPy", None)
    assert "cannot be loaded" in choice.reason
    assert len(caplog.records) == 1


def test_a_kernel_of_another_version_is_refused(tmp_path):
    sources = copied(tmp_path)
    text = sources[0].read_text(encoding="utf-8")
    sources[0].write_text(text.replace("#define KERNEL_VERSION 1", "#define KERNEL_VERSION 99"), encoding="utf-8")
    with pytest.raises(kernel.KernelError, match="version 99"):
        compiled.build(tmp_path, sources)
    assert not list(tmp_path.glob(f"*{compiled.SUFFIX}"))


def test_numpy_can_be_asked_for(file, monkeypatch):
    monkeypatch.setenv(compiled.VARIABLE, "numpy")
    choice = compiled.choose(file.parent)
    assert (choice.name, kernel.used()) == ("NumPy", None)
    assert compiled.VARIABLE in choice.reason


def test_a_file_that_a_power_cut_left_empty_is_built_anew(tmp_path, monkeypatch):
    monkeypatch.delenv(compiled.VARIABLE, raising=False)
    compiled.built_file(tmp_path).touch()
    assert compiled.choose(tmp_path).name == "NumPy"
    compiled.build(tmp_path)
    assert str(compiled.choose(tmp_path)) == "C"


def test_a_python_with_other_pointers_has_a_kernel_of_its_own(tmp_path):
    assert compiled.built_file(tmp_path).stem.endswith(f"-{64 if sys.maxsize > 2**32 else 32}")


def test_numbers_of_another_kind_are_taken_and_of_another_size_refused(built):
    stones = [
        np.array([[0, 20, 4]]),
        np.array([[0, 0, 1]]),
        np.array([[1, 0, 0]]),
        np.array([[2, 2, 0]]),
        np.array([-1]),
    ]
    columns = LAYOUT.columns
    right = built.fields(columns, [part.astype(np.float64) for part in stones], 100.0)
    assert np.array_equal(built.fields(np.asfortranarray(columns), stones, 100.0), right)
    with pytest.raises(ValueError, match="13 numbers, 10 given"):
        built.fields(columns, stones[1:], 100.0)
    with pytest.raises(ValueError, match="columns"):
        built.fields(columns[:5], stones, 100.0)
    with pytest.raises(ValueError, match="numbers"):
        built.fit(columns, [1.0], [1], [np.zeros(20 + 2 * LAYOUT.count)])


@pytest.mark.parametrize("compiler", ["/nowhere/cc", "false", "'gcc"])
def test_no_compiler_or_one_that_fails_is_no_error_of_the_installer(compiler, tmp_path, monkeypatch):
    monkeypatch.setenv("CC", compiler)
    with pytest.raises(kernel.KernelError):
        compiled.build(tmp_path)
    assert not list(tmp_path.iterdir())


def test_the_installer_says_that_numpy_works_too(monkeypatch, capsys):
    def build() -> Path:
        raise kernel.KernelError("there is no C compiler")

    monkeypatch.setattr(compiled, "build", build)
    assert compiled.main() == 0
    assert "NumPy" in capsys.readouterr().err


EXERCISE = """
import sys
import numpy as np
from pathlib import Path
from companion.sensing.fields import kernel
from tests.sensing.test_kernel import exercise
exercise(kernel.Kernel(Path(sys.argv[1])))
print("done")
"""


def exercise(work: kernel.Kernel) -> None:
    """Fits and fields of many kinds, some without any row, some far off."""
    kernel.use(work)
    for seed in range(60):
        rng = np.random.default_rng(seed)
        bodies = bodies_of(rng, 1 + seed % 16, seed % 3)
        field = rng.normal(0.0, 3.0, LAYOUT.count)
        weight = np.where(rng.random(LAYOUT.count) < (1.0, 0.5, 0.0)[seed % 3], 100.0, 0.0)
        priors = [Prior(b.centre, np.full(3, 4.0), 0.5, float(np.log(b.moment)), 0.2) for b in bodies]
        background = (0.0, 0.1) if seed % 2 else None
        fit(LAYOUT, bodies, priors, field, weight, limit=6, background=background)
        FieldModel.of(LAYOUT).fields(bodies[0].stones)
    with pytest.raises(ValueError, match="at least one body"):
        fit(LAYOUT, [], [], field, weight)
    numbers = [np.zeros(2 * LAYOUT.count)]
    assert work.fit(LAYOUT.columns, [1.0, 0.1, 62.0, 6.0, 0.0], [], numbers) is None


@pytest.mark.slow
def test_the_sanitizers_find_nothing(tmp_path):
    """AddressSanitizer and UndefinedBehaviorSanitizer."""
    path = tmp_path / "kernel.so"
    flags = [*compiled.FLAGS, "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    rooms = [str(source) for source in kernel.SOURCES if source.suffix == ".c"]
    subprocess.run(["gcc", *flags, "-o", str(path), *rooms, "-lm"], check=True, timeout=120)
    asan = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    done = subprocess.run(
        [sys.executable, "-c", EXERCISE, str(path)],
        cwd=ROOT,
        env={
            **os.environ,
            "LD_PRELOAD": asan.stdout.strip(),
            "ASAN_OPTIONS": "detect_leaks=0",
            "PYTHONPATH": str(ROOT),
            "OPENBLAS_NUM_THREADS": "1",
        },
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.strip() == "done"
