"""What is shared by the tests of a run is made once, also where several workers want it at the same time."""

import multiprocessing
from pathlib import Path

import pytest

from tests.once import Once


def want(folder: Path, key: str) -> str:
    """What a worker gets; each that makes it leaves a line."""

    def make() -> str:
        with (folder / "made").open("a") as made:
            made.write(f"{key}\n")
        return key.upper()

    return Once(folder)(make, key, 1)


def test_several_workers_make_it_once(tmp_path: Path) -> None:
    with multiprocessing.get_context("fork").Pool(4) as pool:
        found = pool.starmap(want, [(tmp_path, "a"), (tmp_path, "b")] * 8)
    assert found == ["A", "B"] * 8
    assert sorted((tmp_path / "made").read_text().split()) == ["a", "b"]


def test_what_failed_is_made_again(tmp_path: Path) -> None:
    once = Once(tmp_path)
    with pytest.raises(ZeroDivisionError):
        once(lambda: 1 // 0, "a")
    assert once(lambda: 2, "a") == 2
    assert once(lambda: 3, "a") == 2
    assert once(lambda: 3, "a", "other settings") == 3
