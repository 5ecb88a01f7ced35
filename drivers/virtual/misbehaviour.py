"""Ways in which the virtual table can misbehave, as data: what boards, cables and sensors have done to others.

Each has a name, an amount and a time. `Misbehaving` keeps those that are on; the parts of the table ask it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_S: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Misbehaviour:
    """doc: what it is. amount: default, None where there is none; most: its limit. seconds: how long, by default."""

    doc: str
    amount: float | None = None
    most: float = 0.0
    seconds: float = 5.0


MISBEHAVIOURS: Final[Mapping[str, Misbehaviour]] = {
    # on the way
    "silent": Misbehaviour("sends nothing"),
    "drop": Misbehaviour("loses so many per cent of the messages", 20.0, 100.0),
    "bad_crc": Misbehaviour("damages so many per cent of the messages", 5.0, 100.0),
    "half_frame": Misbehaviour("cuts so many per cent of the messages short", 5.0, 100.0),
    "boot_text": Misbehaviour("a boot loader's words between the messages"),
    "stall": Misbehaviour("says nothing for a while and then all of it at once"),
    "link_cut": Misbehaviour("the cable is out"),
    "renumber": Misbehaviour("the port comes back under another name", seconds=0.0),
    # the board
    "reboot": Misbehaviour("the board starts again", seconds=1.5),
    "undervoltage": Misbehaviour("the supply breaks down and the board starts again", seconds=1.5),
    "no_hello": Misbehaviour("the board never says who it is"),
    # the sensors
    "sensor_dead": Misbehaviour("the sensor of this number reads 0", 30.0, 511.0, 30.0),
    "sensor_stuck": Misbehaviour("the sensor of this number reads the same for ever", 30.0, 511.0, 30.0),
    "sensor_noisy": Misbehaviour("the sensor of this number is noisy", 30.0, 511.0, 30.0),
    "multiplexer_lost": Misbehaviour("the multiplexer of this number, four a tile, has no power", 5.0, 255.0, 30.0),
    "crosstalk": Misbehaviour("so many per cent of each sensor bleed into the next", 8.0, 50.0, 120.0),
    # the load cell
    "load_absent": Misbehaviour("no conversions come", seconds=30.0),
    "load_spikes": Misbehaviour("so many per cent of the conversions are of the kind 2^n - 1", 3.0, 100.0, 30.0),
    "load_saturated": Misbehaviour("the converter is at its rail", seconds=30.0),
    "load_constant": Misbehaviour("the same conversion for ever", seconds=30.0),
    "load_random": Misbehaviour("nothing is connected: any 24 bits", seconds=30.0),
    "load_half": Misbehaviour("the gain falls to a half, as by miscounted pulses", seconds=5.0),
}


class Misbehaving:
    """What is on."""

    def __init__(self) -> None:
        self._on: dict[str, tuple[float, int]] = {}  # name -> amount, end

    def start(self, name: str, now_us: int, amount: float | None = None, seconds: float | None = None) -> None:
        """Switch one on. Raises ValueError for an unknown name, or an amount or a time out of range."""
        known = MISBEHAVIOURS.get(name)
        if known is None:
            raise ValueError(f"there is no misbehaviour {name!r}: {', '.join(MISBEHAVIOURS)}")
        amount = (known.amount or 0.0) if amount is None else amount
        seconds = known.seconds if seconds is None else seconds
        if not 0.0 <= amount <= known.most:
            raise ValueError(f"the amount of {name} is from 0 to {known.most:g}, not {amount:g}")
        if not 0.0 <= seconds <= 1e6:
            raise ValueError(f"{name} cannot last {seconds:g} s")
        self._on[name] = amount, now_us + round(seconds * _S)

    def stop(self, name: str) -> None:
        self._on.pop(name, None)

    def on(self, name: str, now_us: int) -> bool:
        """Whether it is on now; one that has run out is forgotten."""
        found = self._on.get(name)
        if found is not None and now_us >= found[1]:
            del self._on[name]
            return False
        return found is not None

    def amount(self, name: str, now_us: int) -> float:
        """Its amount now, 0 where it is off."""
        return self._on[name][0] if self.on(name, now_us) else 0.0

    def take(self, name: str) -> bool:
        """Whether something that happens once was switched on; it is over with this."""
        return self._on.pop(name, None) is not None

    def names(self, now_us: int) -> list[str]:
        """Those that are on."""
        return [name for name in list(self._on) if self.on(name, now_us)]


def parse(text: str) -> tuple[str, float | None, float | None]:
    """Name, amount and seconds of "drop=20,60", the last two optional. Raises ValueError."""
    name, _, rest = text.partition("=")
    amount, _, seconds = rest.partition(",")
    return name, _number(text, "amount", amount), _number(text, "seconds", seconds)


def _number(text: str, what: str, written: str) -> float | None:
    try:
        return float(written) if written else None
    except ValueError:
        raise ValueError(
            f"in {text!r} the {what}, {written!r}, is no number: write NAME=AMOUNT,SECONDS, such as drop=20,60"
        ) from None
