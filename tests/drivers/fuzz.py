"""Damage for the untrusted bytes of a link: mutated messages of every kind, and noise, each round checked.

A frame that was changed in one place never passes. A CRC of 16 bits lets one in 65,536 of those pass that were
changed in several places but kept their length: such false frames are counted, and must be as rare as that.

python -m tests.drivers.fuzz 10000000 [SEED]
"""

import random
import struct
import sys
from contextlib import suppress

from drivers.sample import Sample
from drivers.wire import Session
from drivers.wire.framing import MAX_FRAME, seal
from drivers.wire.messages import (
    DEFINITION,
    PROTOCOL,
    Diagnosis,
    Done,
    Frame,
    Health,
    Hello,
    Log,
    Part,
    decode_command,
)

COUNTS = int.from_bytes(struct.pack("<24H", *[1023] * 24), "little")  # ten bits each
RARE = 20_000  # rounds of several changes for a false frame; 65,536 and more to be expected
BOOT_TEXT = b"ets Jun  8 2016 00:22:57\r\nrst:0x1 (POWERON_RESET),boot:0x13\r\n\xff\xfe\x00"


def wire(k: int, rng: random.Random) -> tuple[bytes, bytes]:
    hall = (int.from_bytes(rng.randbytes(48), "little") & COUNTS).to_bytes(48, "little")
    return hall, seal(Frame(1, k % 65536, k * 10_000 % 2**32, ((k * 10_000 % 2**32, 5),), hall).encode())


def mutated(data: bytes, rng: random.Random, changes: int) -> bytes:
    """So many changes: a bit, a byte, a cut, bytes put in, a piece twice."""
    out = bytearray(data)
    for _ in range(changes):
        at = rng.randrange(len(out) + 1)
        kind = rng.randrange(5)
        if kind == 0 and at < len(out):
            out[at] ^= 1 << rng.randrange(8)
        elif kind == 1 and at < len(out):
            out[at] = rng.randrange(256)
        elif kind == 2:
            del out[at : at + rng.randrange(1, 20)]
        elif kind == 3:
            out[at:at] = rng.randbytes(rng.randrange(1, 20))
        else:
            out[at:at] = out[max(0, at - rng.randrange(1, 20)) : at]
    return bytes(out)


def damage(rounds: int, seed: int) -> int:
    """Damaged frames; how many false ones passed."""
    rng, session = random.Random(seed), Session(24)
    delivered, false, k = 0, 0, 0
    for _ in range(rounds):
        k += 2
        sent, whole = wire(k, rng)
        following, mark = wire(k + 1, rng)
        changes = rng.randrange(1, 4)
        data = mutated(whole, rng, changes) + rng.choice([b"", BOOT_TEXT, rng.randbytes(rng.randrange(40))])
        items = session.feed(data + b"\0" + mark, k * 10_000)
        halls = [item.hall for item in items if isinstance(item, Sample)]
        assert session.held <= MAX_FRAME
        if halls in ([following], [sent, following]):
            delivered += len(halls) == 2
            continue
        assert changes > 1, (seed, k)
        false += 1
        session = Session(24)  # a false time may put the frames after it into the past
    assert 0 < delivered < rounds  # some changes only fall after the frame; most destroy it
    assert false <= 1 + rounds // RARE
    return false


def others(rounds: int, seed: int) -> None:
    """Every other kind of message, damaged: nothing is raised, and of samples only those that were sent whole."""
    rng, session = random.Random(seed), Session(24)
    kinds = [
        Hello(PROTOCOL, DEFINITION, 1, 24, 10_000, "fuzz"),
        Log(5, "hello"),
        Health(5, 0, 50, 10, 0, 0, 0, 1, 0, struct.pack("<4H", 1, 2, 3, 4)),
        Diagnosis(5, 0, 0, 0, 1, 80, 100),
        Done(33, 0),
    ]
    whole = [seal(message.encode()) for message in kinds]
    given = (*range(2048, 2059), *range(-5, 6), 3, -3)
    for k in range(rounds):
        part = seal(Part(1, k & 0xFFFF, k * 10_000 % 2**32, 4, 0, 1, 1, ((3, 5),), given).encode())
        data = mutated(rng.choice([*whole, part]), rng, rng.randrange(1, 4))
        for item in session.feed(data + b"\0", k * 10_000):
            assert not isinstance(item, Sample) or len(item.hall) == 48
        assert session.held <= MAX_FRAME
        with suppress(ValueError):
            decode_command(rng.randbytes(rng.randrange(12)))


def noise(rounds: int, seed: int) -> None:
    rng, session = random.Random(seed), Session()
    for k in range(rounds):
        items = session.feed(rng.randbytes(rng.randrange(1, 600)), k)
        assert not [item for item in items if not isinstance(item, Log)]
        assert session.held <= MAX_FRAME
    hall, whole = wire(7, rng)
    assert [i.hall for i in session.feed(b"\0" + whole, rounds) if isinstance(i, Sample)] == [hall]


def main(arguments: list[str]) -> None:
    """So many rounds in all, told as they go."""
    rounds, seed = int(arguments[0]), int(arguments[1]) if len(arguments) > 1 else 0
    piece = max(2000, min(100_000, rounds // 30))
    done, false = 0, 0
    while done < rounds:
        false += damage(piece, seed)
        noise(piece, seed + 1)
        others(piece, seed + 2)
        done, seed = done + 3 * piece, seed + 3
        print(f"\r{done:,} of {rounds:,}", end="", flush=True)
    print(f": no exception, memory bounded, {false} false frames by the CRC's chance in {done // 3:,} damaged")


if __name__ == "__main__":
    main(sys.argv[1:])
