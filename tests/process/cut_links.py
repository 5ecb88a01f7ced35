"""The virtual table refereed while its cable is pulled and put back at random moments, without browser or process.

    python -m tests.process.cut_links FIRST COUNT [SECONDS [LOST]]

plays so many seeds and says what was ruled wrongly, and how often sensing knew again what lies on the board. SECONDS 0:
whole rounds with nothing cut, some stones on their edge. LOST: the cable stays in, but loses so many per cent of the
messages at those moments.
"""

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from companion.games.game import Ruling
from companion.games.yikerz.game import Yikerz
from companion.games.yikerz.recorded import settings_of
from companion.process.referee.judge import Judge
from companion.process.table.feed import Feed
from companion.sensing.pipeline import Sensing
from companion.sensing.sensors.layout import TableLayout
from companion.table import Picture
from drivers.virtual.world import Where
from tests.drivers.handed import Handed
from tests.drivers.rig import PLACE, TABLE, Rig

GAME: dict[str, Any] = {
    "game": "yikerz",
    "players": ["Ana", "Leo"],
    "first": 0,
    "piles": [10, 10],
    "bag": 0,
    "stones": 20,
    "settings": {"last_call": "assumed"},
}
S = 1_000_000
CUTS_S = (0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
FIRST_CUT_S = 7.0  # the zeros are known then
BETWEEN_S = (3.0, 14.0)
NEAR_S = 2.0  # of what came about: what is ruled of it lies so near to that
ROUND_S = 600.0  # no round is longer

QUIET_S = 2.5  # nothing moved for so long: sensing should know what lies there
ASKED = ("question", "unseen", "unsure", "mismatch", "missing")


class Refereed:
    """told: (seconds, what, more, piles) by the script; rulings: by the referee; picture: sensing's newest."""

    def __init__(self, seed: int, accidents: float, players: int = 2, uprights: float = 0.0) -> None:
        self.told: list[tuple[float, str, dict[str, Any], list[int]]] = []
        self.rulings: list[Ruling] = []
        self.picture: Picture | None = None
        self.joined: list[float] = []  # when a stone came to stick to others
        self.fallen: list[float] = []  # when one came to lie on the table
        self._stuck = self._down = 0
        self.piles: list[
            tuple[float, list[int]]
        ] = []  # as they are in each frame, what is carried counted to its owner
        self.rig = Rig(seed=seed, accidents=accidents, players=players, uprights=uprights, said=self._said)
        self.link = Handed()
        self.feed = Feed(self.link, Sensing(TableLayout.from_json(TABLE)), sensors=220)
        self._players = players
        each = GAME["stones"] // players
        names = ["Ana", "Leo", "Mia", "Tom"][:players]
        self.judge = Judge(Yikerz(), settings_of({**GAME, "players": names, "piles": [each] * players,
                                                  "bag": GAME["stones"] - each * players}))  # fmt: skip

    def _said(self, what: str, **more: Any) -> None:
        self.told.append((self.rig.now_us / S, what, more, self.rig.table.players.piles))

    @property
    def now_s(self) -> float:
        return self.rig.now_us / S

    def frames(self, seconds: float) -> Iterator[None]:
        """Let so much time pass, frame by frame."""
        rig, table = self.rig, self.rig.table
        for _ in range(round(seconds * 100)):
            table.step(True)
            rig.now_us = table._now_us = rig.now_us + PLACE.period_us
            self.link.data, self.link.now_us, rig.wire.out = rig.wire.out, rig.now_us, b""
            for report in self.feed.step():
                if isinstance(report, Picture):
                    self.picture = report
                self.rulings += self.judge.take(report)
            self.piles.append((self.now_s, self._piles()))
            self._look()
            yield

    def _look(self) -> None:
        """What has come about in the world itself."""
        world = self.rig.table.world
        counts = np.bincount(world.label[world.where != Where.PILE], minlength=1)
        stuck, down = int(counts[counts > 1].sum()), int((world.where == Where.TABLE).sum())
        self.joined += [self.now_s] * (stuck > self._stuck)
        self.fallen += [self.now_s] * (down > self._down)
        self._stuck, self._down = stuck, down

    def _piles(self) -> list[int]:
        world = self.rig.table.world
        owner = world.owner[(world.where == Where.PILE) | (world.where == Where.HAND)].tolist()
        return [owner.count(player) for player in range(self._players)]

    def of(self, *kinds: str) -> list[Ruling]:
        return [ruling for ruling in self.rulings if ruling.kind in kinds]


@dataclass(slots=True)
class Played:
    """collapses: ruled; doubted: what was unsure instead. wrong: rulings that no person was asked about and that are
    not so. looked, known: quiet moments after a cut, and those in which sensing had as many stones on the board as lay
    there."""

    seed: int
    turns: int = 0
    collapses: int = 0
    doubted: int = 0
    questions: int = 0
    looked: int = 0
    known: int = 0
    wrong: list[str] = field(default_factory=list)


def played_with_cuts(seed: int, seconds: float, lost: float = 100.0) -> Played:
    """So many seconds of play, the cable out now and then, or losing so many per cent; nobody answers a question."""
    chance, played, out = random.Random(seed), Refereed(seed, accidents=0.25), Played(seed)
    next_cut, back, quiet, seen = FIRST_CUT_S + chance.uniform(0.0, 20.0), 0.0, 0.0, True
    for _ in played.frames(seconds):
        now_s, world = played.now_s, played.rig.table.world
        quiet = quiet + 0.01 if world.still and not (world.where == Where.HAND).any() else 0.0
        if now_s >= next_cut:
            away = chance.choice(CUTS_S)
            faults, now_us = played.rig.table.faults, played.rig.now_us
            if lost < 100.0:
                faults.start("drop", now_us, lost, away)
            else:
                faults.start("link_cut", now_us, seconds=away)
            back, next_cut, seen = now_s + away, now_s + away + chance.uniform(*BETWEEN_S), False
        if not seen and now_s > back + QUIET_S and quiet > QUIET_S and played.picture is not None:
            seen = True
            out.looked += 1
            out.known += sum(stone.z < 30.0 for stone in played.picture.stones) == len(world.on_board())
    out.turns, out.questions = len(played.of("turn_end")), len(played.of("question"))
    out.collapses, out.doubted = len(played.of("collapse")), len(played.of("unsure"))
    out.wrong = list(_wrong(played))
    return out


def _wrong(played: Refereed) -> Iterator[str]:
    for ruling in played.of("collapse", "fell_off"):
        t, true = ruling.t_us / S, played.joined if ruling.kind == "collapse" else played.fallen
        asked = ruling.asked or ruling.data.get("how") == "taken"  # that was asked about before
        if not asked and not any(abs(t - at) <= NEAR_S for at in true):
            yield f"{t:.2f} s: {ruling.kind}, where nothing had happened"
    asked_us = min((ruling.t_us for ruling in played.of(*ASKED)), default=1 << 60)
    for end in played.of("turn_end"):
        piles = next(piles for t, piles in played.piles if t >= end.t_us / S)
        if end.t_us < asked_us and list(end.data["piles"]) != piles:
            yield f"{end.t_us / S:.2f} s: piles {end.data['piles']}, but {piles} lie there"


def played_whole(seed: int) -> Played:
    """A whole round, nothing cut."""
    played, out = Refereed(seed, accidents=0.15, uprights=0.1), Played(seed)
    for _ in played.frames(ROUND_S):
        if played.told and played.told[-1][1] == "cleared":
            break
    out.turns, out.questions = len(played.of("turn_end")), len(played.of("question"))
    out.wrong = list(_wrong(played))
    left = [more["piles"] for _, what, more, _ in played.told if what == "won"]
    found = [list(ruling.data["left"]) for ruling in played.of("round_end")]
    if left != found[:1]:
        out.wrong.append(f"piles at the end {found}, but {left} lie there")
    return out


def main(words: list[str]) -> int:
    first, count = int(words[0]), int(words[1])
    seconds = float(words[2]) if len(words) > 2 else 60.0
    lost = float(words[3]) if len(words) > 3 else 100.0
    sums, wrong = [0] * 6, 0
    for seed in range(first, first + count):
        one = played_with_cuts(seed, seconds, lost) if seconds else played_whole(seed)
        counts = (one.turns, one.questions, one.looked, one.known, one.collapses, one.doubted)
        sums = [a + b for a, b in zip(sums, counts, strict=True)]
        wrong += bool(one.wrong)
        for line in one.wrong:
            print(f"seed {seed}: {line}", flush=True)
    print(
        f"{count} seeds of {seconds:g} s: {wrong} with a wrong ruling; {sums[0]} turns, {sums[1]} questions, "
        f"{sums[4]} collapses and {sums[5]} doubted; "
        f"after {sums[2]} cuts the stones on the board were known {sums[3]} times"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
