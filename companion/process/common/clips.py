"""Clips for "show me": the pictures around a ruling, as pages play them, beside the samples (witness.py).

    clips/NAME/pictures.json   {"t_us": of the ruling, "stones": tracks of those it is about, "from_ms", "to_ms",
                                "frames": [{"ms": after the ruling, "stones": [as in the view's board]}]}
              recording.npz, table.json   the samples, where the table process has them
              game.json        who plays and whose turn it is, so that the folder can be replayed
              pinned           if there is such a file, the clip is kept

A frame that is the same as the one before is left out. The oldest clips that are not pinned go first.
"""

import json
import logging
import os
import re
import shutil
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.disk import Writing
from companion.table import SECOND, BoardTime, Picture
from companion.views.stones import shown_stone

CLIPS = "clips"
"""The folder of clips in the data folder."""

RING_US = 120 * SECOND
BEFORE_US, AFTER_US = 5 * SECOND, 3 * SECOND
MOST = 200
"""Clips kept; about 0.5 MB each."""

_NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z.-]{0,63}\Z")
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Wanted:
    name: str
    t_us: BoardTime
    game: Mapping[str, Any] = field(default_factory=dict)
    stones: tuple[int, ...] = ()


class Clips:
    """The owner's thread sees, wants and cuts; any thread reads. folder: None: nothing is kept."""

    def __init__(self, folder: Path | None = None, most: int = MOST) -> None:
        self._folder, self._most = folder, most
        self._ring: deque[Picture] = deque()
        self._wanted: list[_Wanted] = []
        self._writing = Writing(_LOG, "A clip of what was seen cannot be kept")

    def see(self, picture: Picture) -> None:
        """One more picture, in game time; those of more than two minutes ago are forgotten."""
        if self._ring and picture.t_us <= self._ring[-1].t_us:
            return
        self._ring.append(picture)
        while self._ring[0].t_us < picture.t_us - RING_US:
            self._ring.popleft()

    def want(self, name: str, t_us: BoardTime, game: Mapping[str, Any], stones: tuple[int, ...] = ()) -> None:
        """There shall be a clip of this name around t_us, if there are pictures of it.

        game: its game.json; stones: tracks of those that it is about.
        """
        if self._folder is None or not _NAME.match(name) or any(each.name == name for each in self._wanted):
            return
        self._wanted.append(_Wanted(name, t_us, game, stones))

    def cut(self, over: bool = False) -> None:
        """Write the clips whose time has come; over: no more pictures will come, so all of them."""
        newest_us = self._ring[-1].t_us if self._ring else -1
        ready = [each for each in self._wanted if over or newest_us >= each.t_us + AFTER_US]
        if not ready:
            return
        self._wanted = [each for each in self._wanted if each not in ready]
        for wanted in ready:
            self._write(wanted)
        self._forget_oldest()

    def read(self, name: str) -> bytes | None:
        """The pictures of a clip, UTF-8 JSON; None where there is none (any more)."""
        if self._folder is None or not _NAME.match(name):
            return None
        try:
            return (self._folder / name / "pictures.json").read_bytes()
        except OSError:
            return None

    def pin(self, name: str) -> bool:
        """Keep a clip for good; False where there is none."""
        if self.read(name) is None or self._folder is None:
            return False
        try:
            (self._folder / name / "pinned").touch()
        except OSError:
            return False
        return True

    def _write(self, wanted: _Wanted) -> None:
        """A clip that cannot be written is only missed: the game goes on."""
        first_us, last_us = wanted.t_us - BEFORE_US, wanted.t_us + AFTER_US
        frames: list[dict[str, Any]] = []
        for picture in self._ring:
            if first_us <= picture.t_us <= last_us:
                stones = [shown_stone(stone) for stone in picture.stones]
                if not frames or stones != frames[-1]["stones"]:
                    frames.append({"ms": (picture.t_us - wanted.t_us) // 1000, "stones": stones})
        if not frames or self._folder is None:
            return
        head = {
            "t_us": wanted.t_us,
            "stones": wanted.stones,
            "from_ms": -(BEFORE_US // 1000),
            "to_ms": AFTER_US // 1000,
        }
        folder = self._folder / wanted.name
        with self._writing.to(folder):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "game.json").write_text(json.dumps(wanted.game), "utf-8")
            (folder / "pictures.part").write_text(
                json.dumps({**head, "frames": frames}, separators=(",", ":")), "utf-8"
            )
            os.replace(folder / "pictures.part", folder / "pictures.json")

    def _forget_oldest(self) -> None:
        if self._folder is None or not self._folder.is_dir():
            return
        try:
            kept = [each for each in self._folder.iterdir() if each.is_dir() and not (each / "pinned").exists()]
            kept.sort(key=lambda each: (each.stat().st_mtime_ns, each.name))
        except OSError:
            return
        for old in kept[: max(0, len(kept) - self._most)]:
            shutil.rmtree(old, ignore_errors=True)


def clip_name(game: str, number: int, data: Mapping[str, Any]) -> str:
    """The clip of a ruling: that which the table process named in its evidence, else one of the ruling's own."""
    evidence = data.get("evidence")
    named = evidence.get("clip") if isinstance(evidence, Mapping) else None
    return str(named) if named else f"{game}-{number}"
