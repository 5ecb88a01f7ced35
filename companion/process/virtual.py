"""The virtual table beside a service: its process, and who sits at its side and presses what players would press."""

import json
import logging
import secrets
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from companion.clock import SystemClock
from companion.process.child import end_child, own_environment
from companion.process.kinds import GameKind
from companion.views.port import RefereePort

_END_S = 3.0
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 1.0, 8.0  # before it is started again
_LOG = logging.getLogger(__name__)


class VirtualError(Exception):
    """The virtual table does not start; its own sentence."""


class VirtualProcess:
    """A started virtual table. link: its cable's end, the same for every start; page: address of its page."""

    def __init__(self, link: Path, clock: SystemClock, table_file: Path) -> None:
        """Returns when it is ready. Raises VirtualError or OSError."""
        self.link, self._clock, self._table_file = link, clock, table_file
        self._starts = 0
        self._child = self._start()
        ready = self.said()
        if ready is None:
            self.close()
            raise VirtualError("The virtual table did not start.")
        self.page = str(ready.get("page", ""))

    def start_again(self) -> None:
        """After its process has ended: another one, with the same cable and page. It says "ready". Raises OSError."""
        self.close()
        self._child = self._start(["--page-port", str(urlsplit(self.page).port or 0)])

    def _start(self, more: Sequence[str] = ()) -> "subprocess.Popen[str]":
        command = [
            sys.executable, "-P", "-m", "companion.cli.main", "virtual", "--attended", "--link", str(self.link),
            "--table", str(self._table_file),
            "--seed", str(self._starts),  # of the boot id too: that of another start is another
            "--speed", repr(self._clock.speed), "--origin-ns", str(self._clock.origin_ns), *more,
        ]  # fmt: skip
        self._starts += 1
        # A group of its own: a terminal's Ctrl-C reaches the referee alone; the end of standard input ends it.
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=own_environment(),
            process_group=0,
            text=True,
        )

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
        end_child(self._child, _END_S)


class Attendant:
    """Between two rounds of the scripted players it presses for them: next round, or a new game after the last.

    A round that the referee has understood otherwise is abandoned. A virtual table whose process has died is started
    again, and its players begin another round. One thread, from `start` to `close`.
    """

    def __init__(self, virtual: VirtualProcess, port: RefereePort, kind: GameKind, game: Mapping[str, Any]) -> None:
        self._virtual, self._port, self._kind, self._game = virtual, port, kind, game
        self._lock = threading.Lock()  # no start while it is being closed
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="attend", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """End the virtual table, and with it the thread."""
        self._stopping.set()
        with self._lock:
            self._virtual.close()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        pause_s = _FIRST_PAUSE_S
        while not self._stopping.is_set():
            while (told := self._virtual.said()) is not None:
                if told.get("said") in ("cleared", "ready"):  # ready: it has been started again
                    pause_s = _FIRST_PAUSE_S
                    self._next(int(told.get("dealer", 0)))
                    self._virtual.go_on()
            if not self._stopping.wait(pause_s):
                pause_s = min(2.0 * pause_s, _LONGEST_PAUSE_S)
                self._start_again()

    def _start_again(self) -> None:
        with self._lock:
            if self._stopping.is_set():
                return
            _LOG.warning("the virtual table has ended: it is started again")
            try:
                self._virtual.start_again()
            except OSError:  # no more processes or descriptors: tried again after the next pause
                _LOG.exception("the virtual table cannot be started")

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
