"""Makes glimpses of the sensors for the diagnostics page, a few a second, while somebody looks."""

from companion.process.table.seen import ellipse, moment
from companion.sensing.fields import kernel
from companion.sensing.pipeline import Sensing
from companion.table import BoardTime, Glimpse

EVERY_US = 250_000  # real time
FOR_US = 3_000_000  # real time after it was last asked


class Glimpses:
    """asked: somebody looks; due: whether the next one is to be made."""

    def __init__(self, speed: float = 1.0) -> None:
        """speed: of the process' clock and the board's, against real time."""
        self._speed = speed
        self._until_us = 0
        self._made_us: BoardTime = -EVERY_US

    def asked(self, now_us: int) -> None:
        """Somebody looks, now on the process' clock."""
        self._until_us = now_us + round(FOR_US * self._speed)

    def due(self, now_us: int, t_us: BoardTime) -> bool:
        """Whether a glimpse of board time t_us is wanted."""
        return now_us < self._until_us and not 0 <= t_us - self._made_us < EVERY_US * self._speed

    def make(self, sensing: Sensing, t_us: BoardTime, lost: int) -> Glimpse | None:
        """The newest frame; None before the zeros are known."""
        self._made_us = t_us
        seen, layout, tracker = moment(sensing, t_us), sensing.layout, sensing.tracker
        if seen is None or tracker is None:
            return None
        marks: list[float] = []
        for track, (x, y), covariance in seen.tracks:
            width, height, angle = ellipse(covariance)
            stone, p = tracker.identity.names.get(track, (-1, 0.0))
            marks += [track, x, y, width, height, angle, stone, p]
        return Glimpse(
            t_us,
            places=tuple(layout.position[:, :2].round(1).ravel().tolist()),
            corners=tuple(layout.triangles.round(1).ravel().tolist()),
            field=tuple(seen.field.round(2).tolist()),
            residual=tuple(seen.residual.round(2).tolist()),
            trusted="".join("1" if v else "0" for v in seen.valid),
            marks=tuple(round(float(v), 3) for v in marks),
            weight_g=sensing.grams(t_us),
            zeroed_us=sensing.zeroed_us,
            lost=lost,
            arithmetic="NumPy" if kernel.used() is None else "C",
        )
