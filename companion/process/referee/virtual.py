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

from companion.clock import MICRO, SystemClock
from companion.process.common.child import end_child, own_environment
from companion.process.kinds.kind import GameKind
from companion.views.port import RefereePort

_END_S = 3.0
_AGAIN_S, _SHOWN_S = 0.2, 1.0  # before a press is repeated; that a view is waited for at a time
_PATIENCE_US = 10 * MICRO  # table time in which the board is to be seen empty
_GIVEN_UP_US = 5 * MICRO
_TRIES = 5  # of a press that another one may overtake
_JUDGED = frozenset(
    {"abandon_round", "set_dealer", "set_setting", "next_round"}
)  # the game's own: a view tells their answers
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 1.0, 8.0  # before it is started again
_LOG = logging.getLogger(__name__)


class VirtualError(Exception):
    """The virtual table does not start; its own sentence."""


class VirtualProcess:
    """A started virtual table. link: its cable's end, the same for every start; page: address of its page."""

    def __init__(self, link: Path, clock: SystemClock, table_file: Path, page_host: str = "127.0.0.1") -> None:
        """Returns when it is ready. page_host: who may move its stones. Raises VirtualError or OSError."""
        self.link, self._clock, self._table_file, self._page_host = link, clock, table_file, page_host
        self._starts = 0
        self._child = self._start()
        try:
            ready = self.said()
        except BaseException:  # Ctrl-C: it is ended before its place is taken away, which it would complain of
            self.close()
            raise
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
            "--starts", str(self._starts), "--page-host", self._page_host,
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
        self._tell("go")

    def lay(self) -> None:
        """Its tiles lie as its table file says now."""
        self._tell("lay")

    def _tell(self, line: str) -> None:
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(f"{line}\n")
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
    again, with a board without stones: the round cannot go on, so it is given up in words that say why, and its players
    begin another one. Where the players are stopped a person moves the stones, who can be asked: so the game asks
    people until they play again. One thread, from `start` to `close`.
    """

    def __init__(
        self,
        virtual: VirtualProcess,
        port: RefereePort,
        kind: GameKind,
        game: Mapping[str, Any],
        patience_us: int = _PATIENCE_US,
    ) -> None:
        self._patience_us = patience_us
        self._virtual, self._port, self._kind, self._game = virtual, port, kind, game
        self._lock = threading.Lock()  # no start while it is being closed
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="attend", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Press nothing more, start nothing again; the virtual table stays."""
        self._stopping.set()

    def close(self) -> None:
        """End the virtual table, and with it the thread."""
        self.stop()
        with self._lock:
            self._virtual.close()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        pause_s = _FIRST_PAUSE_S
        while not self._stopping.is_set():
            while (told := self._virtual.said()) is not None:
                if told.get("said") in ("players", "ready"):
                    self._answered(by_people=told.get("playing") is False)
                if told.get("said") in ("cleared", "ready"):  # ready: it has been started again
                    pause_s = _FIRST_PAUSE_S
                    if self._next(int(told.get("dealer", 0)), "table_anew" if told["said"] == "ready" else ""):
                        self._virtual.go_on()
            if not self._stopping.wait(pause_s):
                pause_s = min(2.0 * pause_s, _LONGEST_PAUSE_S)
                self._start_again()

    def _answered(self, by_people: bool) -> None:
        """Whether the game that follows the table asks from now on. A question that is open stays so."""
        setting = {"name": "answers", "value": "people" if by_people else "nobody"}
        for _ in range(_TRIES):
            game = self._following()
            if game is None or self._view(game).get("unasked", False) is not by_people:
                return
            if self._press("set_setting", game, args=setting) or self._stopping.wait(_AGAIN_S):
                return

    def _start_again(self) -> None:
        with self._lock:
            if self._stopping.is_set():
                return
            _LOG.warning("the virtual table has ended: it is started again")
            try:
                self._virtual.start_again()
            except OSError:  # no more processes or descriptors: tried again after the next pause
                _LOG.exception("the virtual table cannot be started")

    def _next(self, dealer: int, reason: str = "") -> bool:
        """Press until a round is under way, which is told; False only when closing. reason: why a round that runs is
        given up, as the ruling has it.

        Sensing lags behind the hands that clear the board: a round begins on a table that is ready, and all the same
        only after patience_us. A game that cannot go on even then is left for a new one.
        """
        since_us = self._port.now_us()
        done: set[str] = set()
        while not self._stopping.is_set():
            waited_us = self._port.now_us() - since_us
            anyway = waited_us >= self._patience_us
            game = self._following()
            view = self._view(game) if game else {}
            if game is None or (anyway and waited_us > 2 * self._patience_us + _GIVEN_UP_US):
                begun = self._new_game(game, dealer)
            elif view.get("phase") == "game_end":
                begun = (anyway or not view.get("board", {}).get("stones")) and self._new_game(game, dealer)
            else:
                begun = self._next_round(game, dealer, anyway, done, reason)
            if begun:
                return True
            self._stopping.wait(_AGAIN_S)
        return False

    def _next_round(self, game: str, dealer: int, anyway: bool, done: set[str], reason: str) -> bool:
        """Whether a round is under way now. done: presses before it that need no repeating."""
        if self._view(game).get("phase") != "round_end" and "abandon_round" not in done:
            given_up = self._press("abandon_round", game, args={"reason": reason} if reason else {})
            done |= {"abandon_round"} if given_up else set()
        if "set_dealer" not in done:
            done |= {"set_dealer"} if self._press("set_dealer", game, player=dealer) else set()
        if not self._press("next_round", game, args={"anyway": True} if anyway else {}):
            return False
        done.clear()
        return self._view(game).get("phase") == "turn"

    def _new_game(self, old: str | None, dealer: int) -> bool:
        if old is not None:
            self._press("release_sensors", old)
        assert self._kind.from_recording is not None
        settings = dict(self._kind.from_recording({**self._game, "first": dealer}))
        return self._press("new_game", "", args={"kind": self._game["game"], "sensors": True, "settings": settings})

    def _following(self) -> str | None:
        """The game that follows the table."""
        listed = json.loads(self._port.lobby().data)["games"]
        return next((str(each["game"]) for each in listed if each["holds"]), None)

    def _view(self, game: str) -> Mapping[str, Any]:
        frame = self._port.view(game)
        view: Mapping[str, Any] = json.loads(frame.data) if frame else {}
        return view

    def _press(self, name: str, game: str, player: int | None = None, args: Mapping[str, Any] | None = None) -> bool:
        """Whether it was applied, which is waited for: "received" says nothing yet."""
        press_id = secrets.token_hex(8)
        press = {
            "id": press_id, "game": game, "name": name, "by": "virtual", "player": player,
            "version": self._view(game).get("version", 0) if game else 0, "args": dict(args or {})
        }  # fmt: skip
        answer = self._port.post(press)
        while answer.status == "received" and not self._stopping.wait(_AGAIN_S):
            answer = self._port.post(press)  # a repeat does nothing twice: it waits on for the first one's answer
        if answer.status == "refused":
            _LOG.info("the virtual table's %s was refused: %s", name, answer.code)
        if answer.status == "applied" and name in _JUDGED:
            self._wait_shown(game, press_id)
        return answer.status == "applied"

    def _wait_shown(self, game: str, press_id: str) -> None:
        """An answer is given just before the view that knows of it is published."""
        frame = self._port.view(game)
        while frame is not None and not self._stopping.is_set():
            if press_id in json.loads(frame.data).get("answers", {}):
                return
            frame = self._port.wait(game, frame.seq, _SHOWN_S) or self._port.view(game)
