"""A referee driven by hand, behind the port that the pages see."""

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from threading import Condition
from typing import Any

from companion.views.port import Answer, Document, Frame

CODE = "kite-7421"
GLIMPSE = "~glimpse"
SET_UP = "~set_up"


class ScriptedReferee:
    """Shows what the test tells it to show and keeps what is posted. Its clock stands until the test moves it."""

    def __init__(self) -> None:
        self.clock_us = 1_000_000_000
        self.rate = 1.0
        self.code = CODE
        self.looked = 0
        self.set_up_looks: list[bool] = []  # whether each may act
        self.posted: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []
        self.foreseen: Callable[[Mapping[str, Any]], Any] = lambda asked: None
        self.reply: Callable[[Mapping[str, Any]], Answer] = lambda command: Answer("applied")
        self._answers: dict[str, Answer] = {}
        self._frames: dict[str, Frame] = {}
        self.documents: dict[tuple[str, str], Document] = {}
        self._changed = Condition()
        self._seq = 0
        self.privates: dict[tuple[str, int, str], Any] = {}
        self.show_lobby({"table": "Mesa", "sensors": "free", "games": []})

    def show(self, view: Mapping[str, Any]) -> None:
        """Publish a game's view."""
        self._publish(str(view["game"]), view)

    def show_lobby(self, view: Mapping[str, Any]) -> None:
        self._publish("", view)

    def _publish(self, game: str, view: Mapping[str, Any]) -> None:
        with self._changed:
            self._seq += 1
            data = json.dumps(deepcopy(view), ensure_ascii=False, separators=(",", ":")).encode()
            self._frames[game] = Frame(self._seq, data)
            self._changed.notify_all()

    # The port.

    def now_us(self) -> int:
        return self.clock_us

    def clock_rate(self) -> float:
        return self.rate

    def lobby(self) -> Frame:
        return self._frames[""]

    def view(self, game: str) -> Frame | None:
        return self._frames.get(game) if game else None

    def show_glimpse(self, view: Mapping[str, Any]) -> None:
        """Publish what the sensors see."""
        self._publish(GLIMPSE, view)

    def glimpse(self) -> Frame | None:
        self.looked += 1
        return self._frames.get(GLIMPSE)

    def wait_glimpse(self, after: int, timeout_s: float) -> Frame | None:
        self.looked += 1
        return self.wait(GLIMPSE, after, timeout_s)

    def show_set_up(self, view: Mapping[str, Any]) -> None:
        """Publish how the setting up of the table stands."""
        self._publish(SET_UP, view)

    def set_up(self, acts: bool = False) -> Frame | None:
        self.set_up_looks.append(acts)
        return self._frames.get(SET_UP)

    def wait_set_up(self, after: int, timeout_s: float, acts: bool = False) -> Frame | None:
        self.set_up_looks.append(acts)
        return self.wait(SET_UP, after, timeout_s)

    def wait(self, game: str, after: int, timeout_s: float) -> Frame | None:
        with self._changed:
            if game not in self._frames:
                return None
            self._changed.wait_for(lambda: self._frames[game].seq > after, timeout_s)
            frame = self._frames[game]
            return frame if frame.seq > after else None

    def private_view(self, game: str, player: int, phone: str) -> bytes:
        return json.dumps(self.privates.get((game, player, phone))).encode()

    def foresee(self, game: str, asked: Mapping[str, Any]) -> bytes:
        self.asked.append(dict(asked))
        return json.dumps(self.foreseen(asked)).encode()

    def post(self, command: Mapping[str, Any]) -> Answer:
        with self._changed:
            known = self._answers.get(command["id"])
            if known is None:
                self.posted.append(dict(command))
                known = self._answers[command["id"]] = self.reply(command)
            self._changed.notify_all()
            return known

    def check_code(self, code: str) -> bool:
        return code == self.code

    def document(self, game: str, name: str) -> Document | None:
        return self.documents.get((game, name))

    def new_code(self) -> bool:
        self.code += "-new"
        return True

    def join_path(self) -> str:
        return f"/j?c={self.code}"

    # For tests.

    def wait_posted(self, count: int, timeout_s: float = 60.0) -> list[dict[str, Any]]:
        """What was posted, once there are `count` of them or the time is over."""
        with self._changed:
            self._changed.wait_for(lambda: len(self.posted) >= count, timeout_s)
            return list(self.posted)
