"""The virtual table as a whole: world, players, board and cable, one step a frame."""

import queue
import threading
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from drivers.links.link import Clock
from drivers.virtual.board import VirtualBoard
from drivers.virtual.cable import Cable, Way
from drivers.virtual.finger import Finger
from drivers.virtual.misbehaviour import MISBEHAVIOURS, Misbehaving
from drivers.virtual.place import Place
from drivers.virtual.players import Players
from drivers.virtual.sensors import MULTIPLEXERS, TILE, Sensors
from drivers.virtual.world import World

_STARTS = 1_000_003  # other than any seed that somebody gives
_BEHIND_US = 10_000_000  # further behind than this the time that has passed is let go; a frame takes 0.3 ms


class VirtualTable:
    """One thread calls `run`; `do` and `picture` are for any thread.

    seed: the same plays the same. starts: how often its process was started before: sensors and stones are the same
    ones then, what is played and the boot's id are others, and the first round waits as well. attended: the next round
    waits for `players.go_on`. playing: whether the scripted players play; a finger stops them, and `said` is told.
    """

    def __init__(
        self,
        place: Place,
        cable: Cable,
        clock: Clock,
        *,
        players: int = 2,
        seed: int = 0,
        starts: int = 0,
        accidents: float = 0.15,
        said: Callable[..., None] = lambda what, **more: None,
        attended: bool = True,
        uprights: float = 0.0,
    ) -> None:
        self.world = World(place, seed=seed)
        self.faults = Misbehaving()
        self.playing = self._told_playing = True
        self._cable, self._clock, self._place = cable, clock, place
        self._sensors = Sensors(self.world, seed)
        self._way = Way(self.faults, seed)
        played = seed + _STARTS * starts
        dt = place.period_us / 1e6
        between_s = 2.0 if attended else 15.0
        self.players = Players(
            self.world, self._sensors, dt, players, played, accidents, said, between_s, uprights=uprights
        )
        self.players.go_on = starts == 0
        self._attended, self._said = attended, said
        self._script = self.players.play()
        self._finger = Finger(self.world, self.players, dt)
        self._asked: queue.SimpleQueue[Mapping[str, Any]] = queue.SimpleQueue()
        self._now_us = clock.now_us()
        self._board = VirtualBoard(self.world, self._sensors, self.faults, self._now_us, played)
        self._heard = False
        self._wake = threading.Condition()
        self._closed = False

    def run(self) -> None:
        """Until `close`. Players wait until a host has said something: what is sent before may be lost."""
        while not self._closed:
            self.step(play=self._heard)
            due_us = self._now_us + self._place.period_us
            now_us = self._clock.now_us()
            self._now_us = now_us if now_us - due_us > _BEHIND_US else due_us
            with self._wake:
                while not self._closed and self._clock.now_us() < self._now_us:
                    self._clock.wait(self._wake, self._now_us)
        self._cable.unplug()

    def close(self) -> None:
        with self._wake:
            self._closed = True
            self._wake.notify_all()

    def step(self, play: bool = True) -> None:
        """One frame: what was asked for, a step of players and stones, a scan, its bytes."""
        now_us = self._now_us
        while not self._asked.empty():
            self._do(self._asked.get(), now_us)
        if self.playing is not self._told_playing:
            self._told_playing = self.playing
            self._said("players", playing=self.playing)
        if self.playing and play:
            next(self._script)
            self.players.go_on |= not self._attended
        self._finger.step()
        self.world.step(self._place.period_us / 1e6)
        self._line(now_us)
        said = self._cable.read()
        self._heard = self._heard or bool(said)
        answers = self._board.command(said, now_us)
        self._cable.write(self._way([*self._board.scan(now_us), *([answers] if answers else [])], now_us))

    def do(self, asked: Mapping[str, Any]) -> None:
        """Ask for something, see `drivers.virtual.finger` and misbehaviour; {"do": "weigh", "grams": g}: so heavy is
        what stands on the board besides. Done with the next frame.

        Raises ValueError, TypeError or KeyError where it makes no sense.
        """
        Finger.check(asked)
        if asked["do"] == "misbehave":
            Misbehaving().start(str(asked["name"]), 0, _number(asked, "amount"), _number(asked, "seconds"))
            which, count = _number(asked, "amount"), len(self._place.sensors)
            which = MISBEHAVIOURS[str(asked["name"])].amount if which is None else which
            parts = {"sensor": count, "multiplexer": count // TILE * MULTIPLEXERS}
            kind = str(asked["name"]).partition("_")[0]
            if kind in parts and which not in range(parts[kind]):
                last = parts[kind] - 1
                raise ValueError(f"there is no {kind} {which:g} here: they are numbered from 0 to {last}")
        self._asked.put(dict(asked))

    def lay(self, place: Place) -> None:
        """The tiles lie anew from the next frame on, without a stone on them. For any thread.

        Raises ValueError where that place has not the sensors of these tiles.
        """
        count, before = len(place.sensors), len(self._place.sensors)
        if count != before:
            raise ValueError(f"it has {count} sensors, and the tiles that lie here have {before}")
        self._asked.put({"do": "lay", "place": place})

    def picture(self) -> dict[str, Any]:
        """How the table looks, JSON values."""
        world = self.world
        return {
            "playing": self.playing,
            "seat": self.players.seat,
            "piles": self.players.piles,
            "laid_g": self._sensors.laid_g,
            "misbehaving": self.faults.names(self._now_us),
            "stones": [
                {
                    "x": round(float(world.position[k, 0]), 1),
                    "y": round(float(world.position[k, 1]), 1),
                    "r": round(float(world.radius[k]), 1),
                    "pole": int(world.pole[k]),
                    "tilt": round(float(world.tilt[k]), 2),
                    "turn": round(float(np.degrees(world.turn[k])), 1),
                    "half": round(float(world.thickness[k] / 2.0), 1),
                    "where": int(world.where[k]),
                    "owner": int(world.owner[k]),
                }
                for k in range(world.count)
            ],
        }

    def _do(self, asked: Mapping[str, Any], now_us: int) -> None:
        if asked["do"] == "play":
            self.playing = bool(asked["on"])
            self._finger.drop()
        elif asked["do"] == "misbehave":
            self.faults.start(str(asked["name"]), now_us, _number(asked, "amount"), _number(asked, "seconds"))
        elif asked["do"] == "weigh":
            self.playing, self._sensors.laid_g = False, float(asked["grams"])
        elif asked["do"] == "lay":
            self.playing = False
            self._finger.drop()
            for stone in range(self.world.count):
                self.world.put_away([stone], max(0, int(self.world.owner[stone])))
            self.world.place = asked["place"]
            self._sensors.move(asked["place"])
        elif asked["do"] == "behave":
            for name in self.faults.names(now_us):
                self.faults.stop(name)
        else:
            self.playing = False
            self._finger.do(asked)

    def _line(self, now_us: int) -> None:
        """What befalls the cable and the board as a whole."""
        if self.faults.take("renumber"):
            self._cable.plug()
        if self.faults.on("link_cut", now_us):
            self._cable.unplug()
        elif not self._cable.plugged:
            self._cable.plug()
        for name, cause in (("reboot", "external"), ("undervoltage", "brown_out")):
            if self.faults.take(name):
                self._cable.write(self._board.restart(now_us, cause, 1.5))


def _number(asked: Mapping[str, Any], key: str) -> float | None:
    value = asked.get(key)
    return None if value is None else float(value)
