"""Guided step: known weights on the empty board, one after the other, give the counts a gram of the load cell."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from companion.sensing.guided.sight import Sight
from companion.sensing.guided.step import Clearing, RefusedError, Stage, magnets, trouble
from companion.sensing.learning.weighing import LEAST_WEIGHTS, WIDEST, fit_load
from companion.sensing.sensors.layout import TableLayout
from companion.table import SECOND, BoardTime

LIGHTEST_G: Final = 20.0
HEAVIEST_G: Final = 3000.0
_STILL_US: Final = SECOND
_ALIKE_G: Final = 5.0
"""So much the load cell's zero may wander between two looks; more is something that was put on, or taken off."""
_OFF_PART: Final = 0.25
"""Of the weight: with less than this left on the board it has been taken off."""
_PASSING: Final = ("no_weight", "magnets")
"""Troubles that are over when they are not seen any more; the others stand until the weight is off."""


class GramsStep:
    """The person says how heavy the next thing is, puts it on, and takes it off again; two are enough."""

    name = "grams"

    def __init__(self, layout: TableLayout) -> None:
        """Raises RefusedError where there is no load cell."""
        if not layout.load_gain:
            raise RefusedError("no_load_cell")
        self.stage: Stage = Stage.CLEAR
        self.trouble: Mapping[str, float | str] | None = None
        self._layout = layout
        self._clearing = Clearing()
        self._told_g = 0.0
        self._weights: list[tuple[float, float]] = []  # grams told, grams shown
        self._seen: list[float] = []
        self._since: BoardTime | None = None

    def tell(self, order: Mapping[str, Any]) -> None:
        """{"grams": n}: so heavy is what comes next."""
        grams = order.get("grams")
        if isinstance(grams, bool) or not isinstance(grams, int | float) or not LIGHTEST_G <= grams <= HEAVIEST_G:
            raise RefusedError("weight_range", low=LIGHTEST_G, high=HEAVIEST_G)
        if self.stage not in (Stage.TELL, Stage.PUT):
            raise RefusedError("not_now")
        self._told_g, self.stage, self.trouble = float(grams), Stage.PUT, None
        self._begin()

    def see(self, sight: Sight) -> None:
        if not sight.weighed:
            self.trouble = trouble("no_weight")
            self._begin()
        elif sight.stones:
            self.trouble = magnets(sight)
            self._begin()
        else:
            if self.trouble is not None and self.trouble["code"] in _PASSING:
                self.trouble = None
            self._next(sight)

    def _next(self, sight: Sight) -> None:
        if self.stage is Stage.CLEAR:
            self.trouble = None
            if self._clearing.see(sight) and not np.isnan(self._clearing.grams):
                self.stage = Stage.TELL
                self._begin()
        elif self.stage is Stage.TELL:
            self._wait(sight)
        else:
            self._weigh(sight)

    def _now(self, sight: Sight) -> float | None:
        """Grams above the empty board of what lies there quietly; None while that is not known."""
        if not sight.quiet:
            self._begin()
            return None
        self._seen += [w.grams - self._clearing.grams for w in sight.reading.load]
        return float(np.median(self._seen[-16:])) if self._seen else None

    def _wait(self, sight: Sight) -> None:
        """The empty board's weight is followed, but never up to a weight that is put on before it is told."""
        now_g = self._now(sight)
        if now_g is not None and now_g < -_ALIKE_G:
            self._clear()
        elif now_g is not None and now_g > _ALIKE_G:
            self.trouble = trouble("take_it_off", shown=round(now_g))
        else:
            self.trouble = None
            self._clearing.see(sight)

    def _clear(self) -> None:
        """What the empty board weighs is learned anew."""
        self.stage, self.trouble, self._clearing = Stage.CLEAR, None, Clearing()
        self._begin()

    def _weigh(self, sight: Sight) -> None:
        """Something lies there, or is to be taken off."""
        now_g = self._now(sight)
        if now_g is None:
            return
        if self.stage is Stage.TAKE:
            if now_g < max(3.0, _OFF_PART * self._told_g):
                self._clear()
            return
        if now_g < -_ALIKE_G:  # something lay there when the board was thought to be empty
            self._clear()
            return
        if now_g < LIGHTEST_G / WIDEST:
            self._begin()
            return
        self._since = sight.t_us if self._since is None else self._since
        if sight.t_us - self._since < _STILL_US:
            return
        if not 1.0 / WIDEST < now_g / self._told_g < WIDEST:
            self.trouble = trouble("weight_unlike", told=round(self._told_g), shown=round(now_g))
        else:
            self._weights.append((self._told_g, float(np.median(self._seen[-60:]))))
            self.trouble = None
        self.stage = Stage.TAKE
        self._begin()

    def _begin(self) -> None:
        self._seen.clear()
        self._since = None

    def shown(self) -> dict[str, Any]:
        """weights: grams told and shown of each; next: grams of what is to be put on now."""
        return {
            "done": len(self._weights),
            "wanted": LEAST_WEIGHTS,
            "least": LEAST_WEIGHTS,
            "weights": [[round(told, 1), round(seen, 1)] for told, seen in self._weights],
            "next": round(self._told_g, 1) if self.stage is Stage.PUT else None,
        }

    def found(self) -> dict[str, Any]:
        told, seen = np.array(self._weights, dtype=np.float64).reshape(-1, 2).T
        load = fit_load(self._layout, told, seen)
        if self.stage is Stage.TAKE:  # sensing begins anew with what is kept: the board is to be empty then
            raise RefusedError("take_off_first")
        return {"load": load}
