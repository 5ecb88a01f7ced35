"""Guided step: each stone of a box is shown once, flat and alone, and is learned at once."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from companion.sensing.fields.stones import LearnedStone, StoneSet
from companion.sensing.guided.sight import Lone, Sight
from companion.sensing.guided.step import Average, Clearing, RefusedError, Stage, magnets, trouble
from companion.sensing.learning.showing import Showing, fit_stone
from companion.sensing.learning.still import CalibrationRefusedError
from companion.sensing.learning.twins import same_stone
from companion.sensing.sensors.layout import TableLayout
from companion.table import SECOND

MOST: Final = 60
LONGEST_NAME: Final = 40
SPAN_US: Final = SECOND
EDGE_MM: Final = 14.0
"""Nearer to the edge of the board the stone is seen from one side only."""
_SETTLED_S: Final = 0.25


class StonesStep:
    """known: stones of this set that were learned before; they stay as they are unless they are shown again."""

    name = "stones"

    def __init__(self, layout: TableLayout, name: str, count: int, known: StoneSet | None = None) -> None:
        """Raises RefusedError where name or count make no sense."""
        name = " ".join(name.split())[:LONGEST_NAME]
        if not name:
            raise RefusedError("no_name")
        if not 1 <= count <= MOST:
            raise RefusedError("stone_count", n=MOST)
        self.stage: Stage = Stage.CLEAR
        self.trouble: Mapping[str, float | str] | None = None
        self._layout, self._set, self._count = layout, name, count
        self._learned: dict[int, LearnedStone] = {} if known is None else {s.number: s for s in known.stones}
        self._order = sorted(self._learned)  # as they were shown
        self._same: dict[int, int] = {}  # number -> under which it was probably shown before
        self._fresh: set[int] = set()
        self._wanted: int | None = None  # the one that the person has chosen to show next
        self._clearing, self._average = Clearing(), Average(SPAN_US)

    @property
    def next(self) -> int | None:
        """Number of the stone to be shown now; None where all are known."""
        if self._wanted is not None:
            return self._wanted
        return next((k for k in range(1, self._count + 1) if k not in self._learned), None)

    def tell(self, order: Mapping[str, Any]) -> None:
        """{"stone": n}: that one is shown next, also if it is known."""
        number = order.get("stone")
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= self._count:
            raise RefusedError("no_such_stone", n=self._count)
        self._wanted, self.trouble = number, None
        if self.stage is Stage.ENOUGH:
            self.stage = Stage.CLEAR
            self._clearing = Clearing()

    def see(self, sight: Sight) -> None:
        if self.stage in (Stage.CLEAR, Stage.TAKE):
            if self.stage is Stage.CLEAR:
                self.trouble = magnets(sight)
            if self._clearing.see(sight):
                self.stage = Stage.ENOUGH if self.next is None else Stage.PUT
            return
        if self.stage is not Stage.PUT:
            return
        lone = sight.lone
        if sight.empty:
            self._clearing.see(sight)
        if sight.stones > 1:
            self.trouble = trouble("one_magnet", n=sight.stones)
            self._average.begin()
        elif lone is None or lone.still_s < _SETTLED_S or not sight.quiet:
            self._average.begin()
        else:
            self._lies(sight, lone)

    def _lies(self, sight: Sight, lone: Lone) -> None:
        self.trouble = None
        if not lone.flat:
            self.trouble = trouble("lie_flat")
        elif not _inside(self._layout, lone.x, lone.y):
            self.trouble = trouble("near_edge")
        else:
            seen = self._average.add(sight, self._clearing.grams)
            if seen is None:
                return
            number = self.next
            assert number is not None  # else the stage were another one
            shown = Showing(number, sight.t_us - SPAN_US, sight.t_us, lone.x, lone.y, lone.pole)
            try:
                self._learned[number] = fit_stone(self._layout, seen, 0, shown, self._layout.gain_spread)
            except CalibrationRefusedError as error:
                self.trouble = trouble(error.code, **error.values)
            else:
                self._fresh.add(number)
                self._wanted = None
                self._compare(number)
            self.stage, self._clearing = Stage.TAKE, Clearing()
        self._average.begin()

    def _compare(self, number: int) -> None:
        """The stone just learned with those shown before: the same one under two numbers is warned of, not refused."""
        self._order = [k for k in self._order if k != number]
        before = same_stone([self._learned[k] for k in self._order], self._learned[number])
        self._order.append(number)
        self._same = {k: n for k, n in self._same.items() if number not in (k, n)}
        if before is not None:
            self._same[number] = before
            self.trouble = trouble("same_stone", n=before)

    def shown(self) -> dict[str, Any]:
        """stones: number, moment (A.m2), mass (g or None), residual (part), whether it was shown now; missing; next;
        same: pairs of numbers that are probably one stone.
        """
        known = sorted(self._learned)
        return {
            "done": sum(1 for k in known if k <= self._count),
            "wanted": self._count,
            "least": 1,
            "set": self._set,
            "stones": [
                [
                    k,
                    round(s.moment, 3),
                    s.mass if s.mass is None else round(s.mass, 2),
                    round(s.residual, 3),
                    k in self._fresh,
                ]
                for k, s in ((k, self._learned[k]) for k in known)
            ],
            "missing": [k for k in range(1, self._count + 1) if k not in self._learned],
            "next": self.next,
            "same": sorted([min(pair), max(pair)] for pair in self._same.items()),
        }

    def found(self) -> dict[str, Any]:
        if not self._fresh:
            raise RefusedError("no_stones")
        kept = tuple(self._learned[k] for k in sorted(self._learned) if 1 <= k <= self._count)
        return {"stones": StoneSet(self._set, kept, self._count - len(kept))}


def _inside(layout: TableLayout, x: float, y: float) -> bool:
    """Whether everything within EDGE_MM of a place lies over the mats, but for the slits between two tiles."""
    angle = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
    ring = np.array([x, y]) + EDGE_MM * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return bool((layout.beside(ring) < 3.0).all())
