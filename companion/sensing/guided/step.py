"""What every guided step is: it sees the table reading by reading, says what to do next, and gives what was learned."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Final, Protocol

import numpy as np

from companion.sensing.baseline.reading import Reading
from companion.sensing.guided.sight import Sight
from companion.sensing.learning.still import LEAST_WEIGHINGS, UNSETTLED_MT, Still
from companion.sensing.sensors.layout import Floats
from companion.table import SECOND, BoardTime

CLEAR_US: Final = 3 * SECOND // 5
"""The board must have been empty and quiet for so long."""


class Stage(Enum):
    """What the person has to do now."""

    CLEAR = "clear"  # take everything off the board, and wait
    TELL = "tell"  # say what comes next
    PUT = "put"  # put something on the board and let go of it
    SLIDE = "slide"  # slide a stone over the seams
    TAKE = "take"  # take it off again
    ENOUGH = "enough"  # everything was seen: judge it


class RefusedError(Exception):
    """A step cannot take this; code and values for pages that speak several languages."""

    def __init__(self, code: str, **values: float | str) -> None:
        super().__init__(code)
        self.code, self.values = code, values


class Step(Protocol):
    """name: of the step; stage; trouble: why what lies there now cannot be used, as a code with its values, None where
    nothing is wrong.
    """

    name: str
    stage: Stage
    trouble: Mapping[str, float | str] | None

    def see(self, sight: Sight) -> None:
        """One reading more."""
        ...

    def tell(self, order: Mapping[str, Any]) -> None:
        """What the person says, untrusted. Raises RefusedError."""
        ...

    def shown(self) -> dict[str, Any]:
        """Progress, as JSON values: done, wanted, least (so many are enough), and what the step has besides."""
        ...

    def found(self) -> dict[str, Any]:
        """Parts of companion.sensing.learning.learned.Learned by name. Raises CalibrationRefusedError, RefusedError."""
        ...


def trouble(code: str, **values: float | str) -> dict[str, float | str]:
    """A trouble of a step, as pages get it."""
    return {"code": code, **values}


def magnets(sight: Sight) -> dict[str, float | str] | None:
    """The trouble that magnets are on a board which should be clear; None without any."""
    return trouble("magnets", n=sight.stones) if sight.stones else None


class Clearing:
    """Whether the board has been empty and quiet for CLEAR_US, and what the load cell showed then (grams, NaN without
    weighings).
    """

    def __init__(self) -> None:
        self.grams = float("nan")
        self._since: BoardTime | None = None
        self._weighings: list[float] = []

    def see(self, sight: Sight) -> bool:
        """One reading more. grams are known later where the load cell weighs slowly: LEAST_WEIGHINGS are needed."""
        if not sight.empty:
            self._since = None
            return False
        if self._since is None:
            self._since = sight.t_us
            self._weighings.clear()
        self._weighings += [w.grams for w in sight.reading.load]
        del self._weighings[:-80]
        if sight.t_us - self._since < CLEAR_US:
            return False
        if len(self._weighings) >= LEAST_WEIGHINGS:
            self.grams = float(np.median(self._weighings[-40:]))
        return True


class Average:
    """Of a stone that lies still: the readings of some time, as still.still gives them of a span."""

    def __init__(self, span_us: BoardTime) -> None:
        self._span_us = span_us
        self.begin()

    def begin(self) -> None:
        """Nothing is averaged yet: it moved."""
        self._fields: list[Floats] = []
        self._valid: list[Floats] = []
        self._grams: list[float] = []
        self._since: BoardTime | None = None

    def add(self, sight: Sight, empty_g: float) -> Still | None:
        """One reading more; the means once the time is over. empty_g: what the load cell showed of the empty board."""
        return self.add_reading(sight.reading, sight.sigma, empty_g)

    def add_reading(self, reading: Reading, sigma: Floats, empty_g: float = float("nan")) -> Still | None:
        """The same of any reading; sigma (S,) mT."""
        if self._since is None:
            self._since = reading.t_us
        self._fields.append(reading.field)
        self._valid.append(reading.valid.astype(np.float64))
        self._grams += [w.grams for w in reading.load]
        if reading.t_us - self._since < self._span_us or len(self._fields) < 10:
            return None
        fields, valid = np.array(self._fields), np.array(self._valid)
        half = len(fields) // 2
        first, second = _mean(fields[:half], valid[:half]), _mean(fields[half:], valid[half:])
        grams = float(np.median(self._grams)) if len(self._grams) >= LEAST_WEIGHINGS else float("nan")
        seen = valid.sum(axis=0) >= 10
        out = Still(
            _mean(fields, valid)[None],
            seen[None],
            np.where(seen, np.abs(second - first), 0.0)[None],
            sigma,
            np.array([grams]),
            np.array([empty_g]),
            np.array([float(len(fields))]),
        )
        self.begin()
        return out


def together(each: Sequence[Still]) -> Still:
    """Means of several spans as one."""

    def all_of(name: str) -> Any:
        return np.concatenate([getattr(one, name) for one in each])

    return Still(
        field=all_of("field"),
        valid=all_of("valid"),
        unrest=all_of("unrest"),
        sigma=each[-1].sigma,
        grams=all_of("grams"),
        empty=all_of("empty"),
        frames=all_of("frames"),
    )


def restless(seen: Still) -> bool:
    """Whether what lay there moved meanwhile."""
    return bool(seen.unrest.max() > UNSETTLED_MT + 0.05 * np.abs(seen.field).max())


def _mean(fields: Floats, valid: Floats) -> Floats:
    out: Floats = (fields * valid).sum(axis=0) / np.maximum(valid.sum(axis=0), 1.0)
    return out
