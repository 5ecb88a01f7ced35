"""Which step of a frame took its time: the steps of sensing are timed where they begin and end, each without the others
that it calls.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from time import process_time
from typing import Any, Final, TypeVar

from companion.sensing.baseline.recount import Recount
from companion.sensing.events.contacts import Contacts
from companion.sensing.events.life import Life
from companion.sensing.events.unmoved import Unmoved
from companion.sensing.fields import solver
from companion.sensing.tracks import tracker
from companion.sensing.tracks.newborn import Newborn
from companion.sensing.tracks.tracker import Tracker

STEPS: Final[tuple[tuple[Any, str, str], ...]] = (
    (Tracker, "step", "tracks"),
    (tracker, "needed", "needed"),
    (Tracker, "_rest", "rests"),
    (Newborn, "find", "births"),
    (Life, "step", "rules"),
    (Contacts, "step", "contacts"),
    (Unmoved, "step", "unmoved"),
    (Recount, "step", "recount"),
)
"""Where it is, its name there, and what it is called here; what is left is reading, weighing and telling."""
OTHER: Final = "reading"

T = TypeVar("T")


@dataclass(slots=True)
class Spent:
    """One frame: milliseconds, in all and by step; fits made."""

    ms: float = 0.0
    steps: dict[str, float] = field(default_factory=dict)
    fits: int = 0


class Watch:
    """Times frames, one after the other."""

    def __init__(self) -> None:
        self._now = Spent()
        self._open: list[float] = []  # milliseconds in steps within each of those that are open

    def frame(self, step: Callable[[], T]) -> tuple[T, Spent]:
        """Do one frame's work."""
        self._now = Spent()
        out = self._timed(OTHER, step)
        self._now.ms = sum(self._now.steps.values())
        return out, self._now

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Time the steps of what is done within."""
        instead = [(place, name, self._watched(called, getattr(place, name))) for place, name, called in STEPS]
        instead.append((solver, "Fit", self._counted(solver.Fit)))  # each fit makes one
        before = [(place, name, getattr(place, name)) for place, name, _ in instead]
        for place, name, function in instead:
            setattr(place, name, function)
        try:
            yield
        finally:
            for place, name, function in before:
                setattr(place, name, function)

    def _counted(self, made: Callable[..., Any]) -> Callable[..., Any]:
        def fit(*parts: Any) -> Any:
            self._now.fits += 1
            return made(*parts)

        return fit

    def _watched(self, called: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def step(*args: Any, **more: Any) -> Any:
            return self._timed(called, lambda: function(*args, **more))

        return step

    def _timed(self, called: str, step: Callable[[], T]) -> T:
        self._open.append(0.0)
        begun = process_time()
        try:
            return step()
        finally:
            spent = 1e3 * (process_time() - begun)
            own = spent - self._open.pop()
            self._now.steps[called] = self._now.steps.get(called, 0.0) + own
            if self._open:
                self._open[-1] += spent


def longest(frames: list[Spent], part: float = 0.01) -> str:
    """What the longest of them did."""
    most = sorted(frames, key=lambda each: each.ms)[-max(1, round(part * len(frames))) :]
    ms = {step: sum(each.steps.get(step, 0.0) for each in most) / len(most) for each in most for step in each.steps}
    steps = ", ".join(f"{step} {ms[step]:.1f}" for step in sorted(ms, key=lambda step: -ms[step]) if ms[step] >= 0.05)
    fits = sum(each.fits for each in most) / len(most)
    usual = sum(each.fits for each in frames) / len(frames)
    return f"the longest {len(most)}: {steps} ms; {fits:.1f} fits, of all frames {usual:.1f}"
