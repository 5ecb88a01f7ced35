"""Guided step: one stone on a marked spot of each tile, then on each seam, shows whether everything is where table.json
has it: cables, wires, tiles, sensors. Nothing is learned or kept.

The person is told where the stone is to be put, so one stone at one place is proof: which tile's sensors answer, and
where in that tile they have it. No track is asked, which exchanged cables would lead astray.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from companion.sensing.fields.stones import POPULATION, Population
from companion.sensing.guided.odd import Finding, of_poles, of_sensors
from companion.sensing.guided.sight import Sight
from companion.sensing.guided.spot_look import Look, SpotLook
from companion.sensing.guided.spots import Spot, in_tile, spots
from companion.sensing.guided.step import Average, RefusedError, Stage, restless, trouble
from companion.sensing.sensors.layout import Bools, Floats, TableLayout
from companion.sensing.sensors.wiring import NOWHERE, crossed
from companion.table import SECOND

GOOD: Final = 0.5
"""Misfit of one stone: at most 0.23 where 60 stones of three tables were shown, nominal and with other gains, and at
least 1.1 where two multiplexers or the order of the sensors were exchanged."""
BETTER: Final = 3.0
"""Times less must two exchanged wires leave over."""
NEAR_MM: Final = 18.0
"""Of the cross, by a hand that has no template; a tile turned by a third has it twice as far off."""
APART_MM: Final = 5.0
"""One stone on a seam, as either tile has it: up to 1.6 where the tiles lie as drawn (36 seams, half of them hard)."""
LEAST_MT: Final = 1.2
"""The weakest stone shows 5 mT at a spot, and this with two of the three sensors round it deaf."""
SHARE: Final = 0.9
TURNED_MM: Final = 12.0
"""Of a cross that is turned with its tile."""
_HELD_MM: Final = 12.0  # no stone that lies has its centre so high
_MOVED_PART: Final = 0.3
_SPAN_US: Final = round(0.35 * SECOND)
_CLEAR_MT, _CLEAR_MOST = 0.6, 4  # so many sensors may be off on an empty board; a stone shows so much at seven or more


class _Doubt(NamedTuple):
    """What is found if the stone does lie on the cross; lies (S,) mT, None where nothing is seen; tile: the one
    whose cross it is, None at a seam and where nothing is seen.
    """

    finding: Finding
    lies: Floats | None
    tile: int | None


class CheckStep:
    """Spots in their order; one that nothing sees, or that makes no sense, counts when the person says so."""

    name = "check"

    def __init__(self, layout: TableLayout, population: Population = POPULATION) -> None:
        self.spots = spots(layout)
        self._layout, self._population = layout, population
        self._tiles = len(layout.triangles)
        self._names = [layout.names[int(np.argmax(layout.tile == k))].removesuffix("0") for k in range(self._tiles)]
        self._begin()

    def _begin(self) -> None:
        self.stage: Stage = Stage.CLEAR
        self.trouble: Mapping[str, float | str] | None = None
        self.findings: list[Finding] = []
        self._average = Average(_SPAN_US)
        self._empty: Floats = np.zeros(self._layout.count)
        self._lies: Floats | None = None  # what was judged last, and may still lie there
        self._doubt: _Doubt | None = None
        self._answered: list[int] = []
        self._said: list[int] = []  # tiles on whose cross it lies by a person's word alone
        self._poles: dict[int, int] = {}
        self._done = 0

    def tell(self, order: Mapping[str, Any]) -> None:
        """again: from the beginning; put: the stone does lie on the cross."""
        if order.get("again") is True:
            self._begin()
        elif order.get("put") is not True or self.stage is not Stage.PUT:
            raise RefusedError("not_now")
        elif self._doubt is None:
            raise RefusedError("check_wait")
        else:
            finding, self._lies, tile = self._doubt  # it may lie there still, and is no answer of the next tile then
            self._said += [] if tile is None else [tile]
            self._note(finding)

    def see(self, sight: Sight) -> None:
        if self.stage is Stage.ENOUGH:
            return
        seen = self._average.add_reading(sight.whole, sight.sigma)
        if seen is None:
            return
        if restless(seen):
            self._doubt, self.trouble = None, None
            return
        field, valid = seen.field[0], seen.valid[0]
        if self.stage is Stage.CLEAR:
            off = int((np.abs(field[valid]) > _CLEAR_MT).sum())
            self.trouble = trouble("magnets", n=max(1, sight.stones)) if off > _CLEAR_MOST else None
            if self.trouble is None:
                self._empty, self.stage = field, Stage.PUT
            return
        self._judge(np.where(valid, field - self._empty, 0.0), valid, sight.sigma)

    def _judge(self, change: Floats, valid: Bools, sigma: Floats) -> None:
        spot, peak = self.spots[self._done], float(np.abs(change).max())
        self.trouble = self._doubt = None
        if self._lies is not None and np.abs(change - self._lies).max() < _MOVED_PART * np.abs(self._lies).max():
            return  # it has not been taken from there yet
        if peak < LEAST_MT:
            blind: Finding = {"code": "blind"} if len(spot.tiles) == 1 else {"code": "blind_seam"}
            self._lies, self._doubt = None, _Doubt({**blind, "a": spot.called(self._names)}, None, None)
            return
        look = SpotLook(self._layout, sigma, self._population)
        if len(spot.tiles) == 1:
            self._on_tile(look, spot, change, valid)
        else:
            self._on_seam(look, spot, change, valid)

    def _on_tile(self, look: SpotLook, spot: Spot, change: Floats, valid: Bools) -> None:
        told, name = spot.tiles[0], spot.called(self._names)
        energy = np.array([(change[self._layout.tile == n] ** 2).sum() for n in range(self._tiles)])
        tile = int(energy.argmax())
        rows = valid & (self._layout.tile == tile)
        seen = look.look(change, rows)
        if seen is None or seen.misfit > GOOD or energy[tile] < SHARE * energy.sum():
            self._mixed(look, spot, change, valid, np.inf if seen is None else seen.misfit)
            return
        if seen.place[2] > _HELD_MM:
            return
        own = in_tile(self._layout, tile, seen.place[:2])
        third, away = spot.third(in_tile(self._layout, told, spot.place), own)
        if away > (TURNED_MM if third else NEAR_MM):
            self._off(spot, change, away)
            return
        answers: Finding = {"code": "answers", "a": name, "b": self._names[tile]}
        if tile in self._answered or tile in self._said:
            self._unsure(spot, change, trouble("check_there", a=self._names[tile], b=name), answers)
            if tile in self._answered:
                self._doubt = None
            return
        found: list[Finding] = [answers] if tile != told else []
        if third:
            found.append({"code": "turn_left" if third == 1 else "turn_right", "a": self._names[tile]})
        self._answered.append(tile)
        self._poles[tile] = seen.pole
        self._lain(change, [*found, *of_sensors(self._layout, seen, change, rows)])

    def _mixed(self, look: SpotLook, spot: Spot, change: Floats, valid: Bools, misfit: float) -> None:
        """No stone of these tiles: two wires may be exchanged."""
        name, there = spot.called(self._names), np.isin(self._layout.tile, spot.tiles)
        whole = look.look(change, valid, held=True)
        if whole is not None and whole.misfit <= GOOD:
            if whole.place[2] > _HELD_MM:
                return
            if _level(whole, spot) > NEAR_MM:  # between two tiles
                self._off(spot, change, _level(whole, spot))
                return
        best, least = None, min(GOOD, misfit / BETTER)
        for tile in spot.tiles:
            for pair in crossed(self._layout, tile):
                rows = there & (pair.source != NOWHERE) & valid[pair.source]
                seen = look.look(change[pair.source], rows, spot.place)
                if seen is not None and seen.misfit < least and _level(seen, spot) < NEAR_MM:
                    best, least = (tile, pair), seen.misfit
        if best is not None:
            tile, pair = best
            self._answered += [tile] if len(spot.tiles) == 1 else []
            self._lain(change, [{"code": pair.code, "a": pair.one, "b": pair.other, "tile": self._names[tile]}])
        elif len(spot.tiles) == 1:
            self._unsure(spot, change, trouble("check_mixed", a=name), {"code": "mixed", "a": name})
        else:
            self._unsure(spot, change, trouble("check_apart", a=name), {"code": "apart", "a": name})

    def _on_seam(self, look: SpotLook, spot: Spot, change: Floats, valid: Bools) -> None:
        name = spot.called(self._names)
        seen = look.look(change, valid & np.isin(self._layout.tile, spot.tiles), spot.place)
        if seen is None or seen.misfit > GOOD:
            self._mixed(look, spot, change, valid, np.inf if seen is None else seen.misfit)
        elif seen.place[2] > _HELD_MM:
            return
        elif _level(seen, spot) > NEAR_MM:
            self._off(spot, change, _level(seen, spot))
        elif self._apart(look, spot, change, valid) > APART_MM:
            self._unsure(spot, change, trouble("check_apart", a=name), {"code": "apart", "a": name})
        else:
            self._lain(change, [])

    def _apart(self, look: SpotLook, spot: Spot, change: Floats, valid: Bools) -> float:
        """How far apart the two tiles of a seam have the same stone, mm."""
        each = [look.look(change, valid & (self._layout.tile == tile), spot.place) for tile in spot.tiles]
        places = [one.place[:2] for one in each if one is not None and one.misfit <= GOOD]
        return float(np.hypot(*(places[0] - places[1]))) if len(places) == 2 else 0.0

    def _off(self, spot: Spot, change: Floats, away: float) -> None:
        name, n = spot.called(self._names), round(away)
        self._unsure(spot, change, trouble("off_cross", n=n), {"code": "elsewhere", "a": name, "n": n})

    def _unsure(self, spot: Spot, change: Floats, why: Mapping[str, float | str], finding: Finding) -> None:
        """Most likely the stone does not lie on the cross; what it is if it does."""
        tile = spot.tiles[0] if len(spot.tiles) == 1 else None
        self.trouble, self._doubt = why, _Doubt(finding, change, tile)

    def _lain(self, change: Floats, found: list[Finding]) -> None:
        self._lies = change
        self._note(*found)

    def _note(self, *found: Finding) -> None:
        self.findings += [each for each in found if each not in self.findings]
        self._done += 1
        self.trouble = self._doubt = None
        if self._done == self._tiles:
            self.findings += of_poles(self._poles, self._names)
        # The seams say nothing while a tile is not what it should be.
        if self._done == len(self.spots) or (self._done >= self._tiles and self.findings):
            self.stage = Stage.ENOUGH

    def shown(self) -> dict[str, Any]:
        """names, points: what each spot is called, and its x, y in a row; did; next; findings: codes with values;
        can_say: whether it would count that the stone does lie there.
        """
        return {
            "done": self._done,
            "wanted": self._tiles if self.stage is Stage.ENOUGH and self.findings else len(self.spots),
            "least": len(self.spots),
            "names": [spot.called(self._names) for spot in self.spots],
            "points": [round(v, 1) for spot in self.spots for v in spot.place.tolist()],
            "did": list(range(self._done)),
            "next": None if self.stage is Stage.ENOUGH else self._done,
            "findings": self.findings,
            "can_say": self._doubt is not None,
        }

    def found(self) -> dict[str, Any]:
        raise RefusedError("not_now")


def _level(seen: Look, spot: Spot) -> float:
    return float(np.hypot(*(seen.place[:2] - spot.place)))
