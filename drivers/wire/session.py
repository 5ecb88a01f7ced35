"""One connection to a board without any I/O: bytes in, samples and what else the board said out.

    session = Session(sensors=220)
    for item in session.feed(data, now_us):
        match item:
            case Sample(): ...

It joins a stream at any byte and finds its way again after any damage. Every byte is untrusted: what is not a
whole, sound message is counted and dropped, never an exception; memory is bounded by one frame. Bytes may
come in any pieces: the items are the same. A CRC of 16 bits finds every burst of up to 16 wrong bits and
all but about one in 65,536 of worse damage; what passes must also be of exactly the length that it
states.

On a thin link a board sends parts in place of frames: the means of some scans, in fractions of a count. Samples then
carry the newest value of every sensor and say which are fresh. After a lost part there is none before every sensor's
plain value has come again; a host that sends `start` has them at once.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from drivers.sample import LoadSample, Sample
from drivers.wire.framing import FrameError, Splitter, unseal
from drivers.wire.loads import dated
from drivers.wire.messages import (
    DEFINITION,
    PART_UNIT,
    PROTOCOL,
    Diagnosis,
    Done,
    Frame,
    Health,
    Hello,
    Log,
    Message,
    Part,
    decode,
)
from drivers.wire.partial import Newest
from drivers.wire.timeline import Place, Timeline

_WAITING = 256  # load conversions kept until all sensors are known
_COARSEST = 12  # a step of all that a value can be
_STRAY = 120  # bytes of what was no frame that are kept for people


@dataclass(frozen=True, slots=True)
class Gap:
    """Frames are missing between the samples at t0_us and t1_us. lost: how many (0: not known)."""

    t0_us: int
    t1_us: int
    lost: int


@dataclass(frozen=True, slots=True)
class Fault:
    """Something is wrong that a person or the log should know.

    code: "protocol_mismatch" (board and program do not speak alike: no samples), "sensor_count" (frames of
    another number of sensors: dropped), "rebooted" and "clock_jump" (the time since the sample before is
    known by arrival only). detail: plain words with the numbers.
    """

    code: str
    detail: str


Item: TypeAlias = Sample | Gap | Hello | Log | Fault | Health | Diagnosis | Done


@dataclass(slots=True)
class Counts:
    """What came in since the start of the session; all but frames and parts are signs of trouble.

    parts: parts taken in place of frames, also those before every sensor had been heard of; bad_cobs, bad_crc,
    bad_size: frames damaged on the way (the first, cut by joining, among them); malformed:
    sound frames that are no message; refused: frames of a board that does not fit; repeated: frames again
    or out of order; lost: frames missing by sequence; bad_loads: load conversions dated far from their
    frame.
    """

    frames: int = 0
    parts: int = 0
    bad_cobs: int = 0
    bad_crc: int = 0
    bad_size: int = 0
    malformed: int = 0
    refused: int = 0
    repeated: int = 0
    lost: int = 0
    bad_loads: int = 0


class Session:
    """The state of one connection. sensors: the number that a frame must have, None for any.

    hello: what the board last said about itself. counts, junk_bytes: figures for diagnostics.
    """

    def __init__(self, sensors: int | None = None) -> None:
        self.hello: Hello | None = None
        self.counts = Counts()
        self._sensors = sensors
        self._splitter = Splitter()
        self._timeline = Timeline()
        self._newest = Newest()
        self._waiting: list[LoadSample] = []  # conversions of parts that gave no sample yet
        self._untold = 0  # parts lost before a sample
        self._stray = b""
        self._boot_byte: int | None = None  # of the newest frame
        self._boot: int | None = None  # whole id, None while only the byte is known
        self._reset = False  # hello told of a reset, no frame after it yet
        self._mismatch = False
        self._told_sensors: int | None = None

    @property
    def blind(self) -> bool:
        """Whether parts come from which nothing can be told before each block has given its bases."""
        return self.counts.parts > 0 and not self._newest.complete

    @property
    def junk_bytes(self) -> int:
        """Bytes dropped because they were longer than any frame."""
        return self._splitter.junk

    @property
    def stray_text(self) -> str:
        """The printable part of the newest bytes that were no frame, such as a boot loader's words; "" for none."""
        kept = "".join(chr(byte) if 32 <= byte < 127 else " " for byte in self._stray)
        return " ".join(kept.split()) if sum(32 < byte < 127 for byte in self._stray) > len(self._stray) // 2 else ""

    @property
    def held(self) -> int:
        """Bytes kept of a frame that is not whole yet; never more than the longest frame."""
        return self._splitter.held

    def feed(self, data: bytes, now_us: int) -> list[Item]:
        """What became whole with these bytes, in order.

        now_us: monotonic time of their arrival in microseconds, never falling.
        """
        items: list[Item] = []
        for raw in self._splitter.feed(data):
            message = self._decode(raw)
            if message is not None:
                items.extend(self._take(message, now_us))
        return items

    def _decode(self, raw: bytes) -> Message | None:
        try:
            return decode(unseal(raw))
        except FrameError as error:
            name = f"bad_{error.cause}"
            setattr(self.counts, name, getattr(self.counts, name) + 1)
            self._stray = raw[-_STRAY:]
        except ValueError:
            self.counts.malformed += 1
        return None

    def _take(self, message: Message, now_us: int) -> Iterator[Item]:
        match message:
            case Hello():
                yield from self._greet(message)
            case Frame():
                yield from self._frame(message, now_us)
            case Part():
                yield from self._part(message, now_us)
            case Health() | Diagnosis() | Done():
                yield message
            case Log():
                yield Log(message.ticks, "".join(c if c.isprintable() else "\ufffd" for c in message.text))

    def _greet(self, hello: Hello) -> Iterator[Item]:
        if hello == self.hello:
            return
        self._mismatch = (hello.protocol, hello.definition) != (PROTOCOL, DEFINITION)
        if self._boot is not None and hello.boot != self._boot:
            self._reset = True
        self._boot = hello.boot
        self.hello = hello
        yield hello
        if self._mismatch:
            yield Fault(
                "protocol_mismatch",
                f"the board speaks protocol {hello.protocol}, definition {hello.definition:04X}; "
                f"this program {PROTOCOL}, {DEFINITION:04X}",
            )
            return
        self._timeline.period_us = hello.period_us or None

    def _frame(self, frame: Frame, now_us: int) -> Iterator[Item]:
        before_us = self._timeline.t_us
        place = yield from self._place(frame, len(frame.hall) // 2, now_us)
        if place is None:
            return
        self.counts.frames += 1
        yield from self._missing(before_us, place)
        load = self._loads(frame.loads, frame.ticks, place.t_us)
        yield Sample(place.t_us, place.sequence, frame.hall, None, tuple(load), place.lost, now_us)

    def _part(self, part: Part, now_us: int) -> Iterator[Item]:
        before_us = self._timeline.t_us
        place = yield from self._place(part, len(part.hall), now_us)
        if place is None:
            return
        self.counts.parts += 1
        yield from self._missing(before_us, place)
        fresh = self._newest.part(part)
        loads = [(part.ticks - 16 * before, value) for before, value in part.loads]
        self._waiting = [*self._waiting, *self._loads(loads, part.ticks, place.t_us)][-_WAITING:]
        self._untold += place.lost
        if not self._newest.complete:
            return
        hall, load, lost = self._newest.hall, tuple(self._waiting), self._untold
        self._waiting, self._untold = [], 0
        scans, step = max(part.scans, 1), 1 << min(part.coarse, _COARSEST)
        yield Sample(place.t_us, place.sequence, hall, fresh, load, lost, now_us, PART_UNIT, scans, step)

    def _place(self, message: Frame | Part, count: int, now_us: int) -> Generator[Item, None, Place | None]:
        """Where a frame or part lies in time; None where it is not taken."""
        if self._mismatch or (self._sensors is not None and count != self._sensors):
            self.counts.refused += 1
            if not self._mismatch and count != self._told_sensors:
                self._told_sensors = count
                yield Fault("sensor_count", f"the board sends {count} sensors, the table has {self._sensors}")
            return None
        reset = self._reset or self._boot_byte not in (None, message.boot)
        place = self._timeline.place(message.ticks, message.seq, now_us, reset=reset)
        if place is None:
            self.counts.repeated += 1
            return None
        if self._boot is not None and self._boot & 0xFF != message.boot:
            self._boot = None  # its hello is still to come
        self._boot_byte, self._reset = message.boot, False
        return place

    def _missing(self, before_us: int, place: Place) -> Iterator[Item]:
        self.counts.lost += place.lost
        if place.lost or place.jump:
            self._newest.forget()
        if place.jump:
            yield Fault(place.jump, f"board time goes on at {place.t_us / 1e6:.3f} s")
        if place.lost or place.jump:
            yield Gap(before_us, place.t_us, place.lost)

    def _loads(self, loads: Sequence[tuple[int, int]], ticks: int, t_us: int) -> list[LoadSample]:
        out = dated(loads, ticks, t_us)
        self.counts.bad_loads += len(loads) - len(out)
        return out
