"""The virtual table through the product's own way, from bytes to rulings: a round with accidents, a link that is cut.

The script knows what happened; the referee is told by the sensors alone, and nobody answers its questions.
"""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from companion.games.game import Ruling
from companion.games.yikerz.game import Yikerz
from companion.games.yikerz.recorded import settings_of
from companion.process.feed import Feed
from companion.process.judge import Judge
from companion.sensing.layout import TableLayout
from companion.sensing.pipeline import Sensing
from drivers.links import LinkStatus
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


class Handed:
    """A link that gives what was put into it."""

    status = LinkStatus()

    def __init__(self) -> None:
        self.data, self.now_us = b"", 0

    def read(self, timeout_s: float) -> tuple[bytes, int]:
        data, self.data = self.data, b""
        return data, self.now_us

    def send(self, data: bytes) -> None: ...

    def close(self) -> None: ...


class Refereed:
    """told: (seconds, what, more, piles) by the script; rulings: by the referee."""

    def __init__(self, seed: int, accidents: float) -> None:
        self.told: list[tuple[float, str, dict[str, Any], list[int]]] = []
        self.rulings: list[Ruling] = []
        self.rig = Rig(seed=seed, accidents=accidents, said=self._said)
        self.link = Handed()
        self.feed = Feed(self.link, Sensing(TableLayout.from_json(TABLE)), sensors=220)
        self.judge = Judge(Yikerz(), settings_of(GAME))

    def _said(self, what: str, **more: Any) -> None:
        self.told.append((self.rig.now_us / S, what, more, self.rig.table.players.piles))

    def frames(self, seconds: float) -> Iterator[None]:
        """Let so much time pass, frame by frame."""
        rig, table = self.rig, self.rig.table
        for _ in range(round(seconds * 100)):
            table.step(True)
            rig.now_us = table._now_us = rig.now_us + PLACE.period_us
            self.link.data, self.link.now_us, rig.wire.out = rig.wire.out, rig.now_us, b""
            for report in self.feed.step():
                self.rulings += self.judge.take(report)
            yield

    def of(self, *kinds: str) -> list[Ruling]:
        return [ruling for ruling in self.rulings if ruling.kind in kinds]


@pytest.mark.slow
@pytest.mark.rule("Y10", "Y11", "Y14", "Y17")
def test_a_round_of_the_virtual_table_is_refereed_as_it_was_played() -> None:
    """What `./run` shows: two collapses at least and a fall are in this round."""
    played = Refereed(seed=5, accidents=0.25)
    for _ in played.frames(400):
        if played.told and played.told[-1][1] == "cleared":
            break
    left = next(piles for _, what, _, piles in played.told if what == "won")
    placed = [(t, more["player"], more["mishap"]) for t, what, more, _ in played.told if what == "placed"]
    assert {"collapse", "fell_off"} <= {mishap for _, _, mishap in placed}
    ends = played.of("turn_end")
    print([(round(end.t_us / S, 1), end.player, end.data["outcome"]) for end in ends])
    assert [end.player for end in ends] == [player for _, player, _ in placed]
    outcomes = [end.data["outcome"] for end in ends]
    assert all(
        (mishap or "clean") in ("crowded", outcome) for (_, _, mishap), outcome in zip(placed, outcomes, strict=True)
    )
    assert list(played.of("round_end")[0].data["left"]) == left
    assert played.of("question", "mismatch", "missing") == []


@pytest.mark.slow
@pytest.mark.failure("A1", "D11")
@pytest.mark.rule("Y23")
@pytest.mark.parametrize("seed", range(3))
def test_with_the_link_cut_at_random_nothing_false_is_ruled(seed: int) -> None:
    """A collapse or fall is only ruled where there was one; piles are right as long as nothing had to be asked."""
    chance = random.Random(seed)
    played = Refereed(seed=seed, accidents=0.25)
    cut, asked_us = 12.0, None
    for _ in played.frames(90):
        now_s = played.rig.now_us / S
        if now_s >= cut:
            seconds = chance.choice([0.1, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0])
            played.rig.table.faults.start("link_cut", played.rig.now_us, seconds=seconds)
            cut = now_s + seconds + chance.uniform(6.0, 25.0)
    mishaps = [t for t, what, more, _ in played.told if what == "placed" and more["mishap"]]
    for ruling in played.of("collapse", "fell_off"):
        assert any(t - 4.0 <= ruling.t_us / S <= t + 6.0 for t in mishaps), ruling
    asked = played.of("question", "unseen", "unsure", "mismatch")
    asked_us = min((ruling.t_us for ruling in asked), default=1 << 60)
    for end in played.of("turn_end"):
        if end.t_us < asked_us:
            before = [piles for t, what, _, piles in played.told if t <= end.t_us / S]
            assert list(end.data["piles"]) == before[-1], end
    print(f"seed {seed}: {len(played.of('turn_end'))} turns, {len(played.of('question'))} questions")
