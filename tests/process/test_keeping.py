"""A file that is replaced is there whole at every moment, the one before beside it."""

import os
from pathlib import Path

import pytest

from companion.process.common.keeping import replace_keeping


class CutError(Exception):
    """The power is gone."""


@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("cut", [0, 1, 2])
def test_a_cut_at_any_moment_leaves_a_whole_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: int, links: bool
) -> None:
    file, last, part = (tmp_path / name for name in ("a.json", "a.last.json", "part"))
    file.write_text("second")
    last.write_text("first")
    part.write_text("third")
    real, left = os.replace, [cut]

    def replace(source: Path, target: Path) -> None:
        if not left[0]:
            raise CutError
        left[0] -= 1
        real(source, target)

    def no_links(source: Path, target: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "replace", replace)
    if not links:
        monkeypatch.setattr(os, "link", no_links)
    if cut < 2:
        with pytest.raises(CutError):
            replace_keeping(part, file, last)
    else:
        replace_keeping(part, file, last)
    assert (file.read_text(), last.read_text()) == [("second", "first"), ("second", "second"), ("third", "second")][cut]


def test_the_first_file_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "part").write_text("new")
    replace_keeping(tmp_path / "part", tmp_path / "a", tmp_path / "last")
    assert (tmp_path / "a").read_text() == "new"
    assert not (tmp_path / "last").exists()


def test_without_links_the_copy_is_on_the_disk_before_it_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cut after the copy has its name must not leave it empty."""
    file, last, part = (tmp_path / name for name in ("a.json", "a.last.json", "part"))
    file.write_text("second")
    last.write_text("first")
    part.write_text("third")
    real, synced, unsynced = os.replace, set(), []

    def replace(source: Path, target: Path) -> None:
        if target == last and source.stat().st_ino not in synced:
            unsynced.append(source)
        real(source, target)

    def no_links(source: Path, target: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(os, "link", no_links)
    monkeypatch.setattr(os, "fsync", lambda handle: synced.add(_written(handle)))
    replace_keeping(part, file, last)
    assert (unsynced, last.read_text(), file.read_text()) == ([], "second", "third")
    assert {path.name for path in tmp_path.iterdir()} == {"a.json", "a.last.json"}


def _written(handle: int) -> int:
    """Which file is synced; with everything in it."""
    stat = os.fstat(handle)
    assert stat.st_size == len("second")
    return stat.st_ino
