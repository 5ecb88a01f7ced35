"""The virtual table beside a service: its process, and who sits at its side and presses what players would press."""

import json
import logging
import os
import secrets
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import companion
from companion.clock import SystemClock
from companion.process.kinds import GameKind
from companion.views.port import RefereePort

_END_S = 3.0
_PROGRAM = str(Path(companion.__file__).parent.parent)
_LOG = logging.getLogger(__name__)


class VirtualError(Exception):
    """The virtual table does not start; its own sentence."""


class VirtualProcess:
    """A started virtual table. link: its cable's end, the same for every start; page: address of its page."""

    def __init__(self, link: Path, clock: SystemClock, table_file: Path, seed: int = 0) -> None:
        """Returns when it is ready. Raises VirtualError."""
        self.link = link
        command = [
            sys.executable, "-P", "-m", "companion.cli.main", "virtual", "--attended", "--link", str(link),
            "--table", str(table_file), "--seed", str(seed),
            "--speed", repr(clock.speed), "--origin-ns", str(clock.origin_ns),
        ]  # fmt: skip
        path = os.pathsep.join([_PROGRAM, *filter(None, [os.environ.get("PYTHONPATH")])])
        environment = {**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        # A group of its own: a terminal's Ctrl-C reaches the referee alone; the end of standard input ends it.
        self._child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, process_group=0, text=True
        )
        ready = self.said()
        if ready is None:
            self.close()
            raise VirtualError("The virtual table did not start.")
        self.page = str(ready.get("page", ""))

    def said(self) -> Mapping[str, Any] | None:
        """The next thing that it says, waited for; None when it has ended."""
        assert self._child.stdout is not None
        for line in self._child.stdout:
            try:
                told = json.loads(line)
            except ValueError:
                continue
            if isinstance(told, dict):
                return told
        return None

    def go_on(self) -> None:
        """Let the next round begin."""
        assert self._child.stdin is not None
        try:
            self._child.stdin.write("go\n")
            self._child.stdin.flush()
        except OSError:
            _LOG.debug("the virtual table has ended")

    def close(self) -> None:
        """End it."""
        assert self._child.stdin is not None
        try:
            self._child.stdin.close()
        except OSError:  # it has ended, with something unsaid
            _LOG.debug("the virtual table had ended")
        for end in (self._child.terminate, self._child.kill):
            try:
                self._child.wait(timeout=_END_S)
                break
            except subprocess.TimeoutExpired:
                end()
        self._child.wait()


class Attendant:
    """Between two rounds of the scripted players it presses for them: next round, or a new game after the last.

    A round that the referee has understood otherwise is abandoned. One thread, from `start` to `close`.
    """

    def __init__(self, virtual: VirtualProcess, port: RefereePort, kind: GameKind, game: Mapping[str, Any]) -> None:
        self._virtual, self._port, self._kind, self._game = virtual, port, kind, game
        self._thread = threading.Thread(target=self._run, name="attend", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """End the virtual table, and with it the thread."""
        self._virtual.close()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while (told := self._virtual.said()) is not None:
            if told.get("said") == "cleared":
                self._next(int(told.get("dealer", 0)))
                self._virtual.go_on()

    def _next(self, dealer: int) -> None:
        game = self._following()
        if game is not None:
            phase = self._view(game).get("phase")
            if phase not in ("round_end", "game_end"):
                self._press("abandon_round", game)
            if phase != "game_end":
                self._press("set_dealer", game, player=dealer)
                if self._press("next_round", game, args={"anyway": True}):  # whatever sensing still sees there
                    return
            self._press("release_sensors", game)
        assert self._kind.from_recording is not None
        settings = dict(self._kind.from_recording({**self._game, "first": dealer}))
        self._press("new_game", "", args={"kind": self._game["game"], "sensors": True, "settings": settings})

    def _following(self) -> str | None:
        """The game that follows the table."""
        listed = json.loads(self._port.lobby().data)["games"]
        return next((str(each["game"]) for each in listed if each["holds"]), None)

    def _view(self, game: str) -> Mapping[str, Any]:
        frame = self._port.view(game)
        view: Mapping[str, Any] = json.loads(frame.data) if frame else {}
        return view

    def _press(self, name: str, game: str, player: int | None = None, args: Mapping[str, Any] | None = None) -> bool:
        """Whether it was not refused."""
        answer = self._port.post(
            {"id": secrets.token_hex(8), "game": game, "name": name, "by": "virtual", "player": player,
             "version": self._view(game).get("version", 0) if game else 0, "args": dict(args or {})}
        )  # fmt: skip
        if answer.status == "refused":
            _LOG.info("the virtual table's %s was refused: %s", name, answer.code)
        return answer.status != "refused"
