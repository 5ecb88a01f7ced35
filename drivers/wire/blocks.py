"""Values of many sensors in few bits: blocks of bases of 12 bits each, or of small differences in a Rice code.

Bits come least significant first. The blocks follow each other in their round, from block `turn` on; the first
`bases` of them give a plain value for each of their sensors. The others begin with a code of three bits: so many low
bits of each difference are plain, and so many more are left out (LOW, LEFT_OUT); ABSENT: no differences. A difference
d, without what is left out, is the number 2d, or -2d - 1 where it is negative: as many zeros as its high bits say, a
one, then its low bits (R. F. Rice, JPL Publication 79-22, 1979).
"""

from collections.abc import Iterator, Sequence
from typing import Final

LOW: Final = (0, 1, 2, 3, 4, 5, 5)
LEFT_OUT: Final = (0, 0, 0, 0, 0, 1, 3)
ABSENT: Final = 7
BASE_BITS: Final = 12
CODE_BITS: Final = 3


def in_round(count: int, block: int, turn: int) -> Iterator[range]:
    """The sensors of each block, from block `turn` on; the last block may be shorter."""
    number = -(-count // block)
    for k in range(number):
        start = (turn + k) % number * block
        yield range(start, min(start + block, count))


def read_blocks(data: bytes, count: int, block: int, turn: int, bases: int) -> tuple[int | None, ...]:
    """Of each of `count` sensors its base, or its difference, or None where its block is absent.

    Raises ValueError where the bytes are no such blocks, or more than these.
    """
    number = -(-count // block)
    if bases > number or turn >= max(number, 1):
        raise ValueError("blocks beyond the sensors")
    bits, left = int.from_bytes(data, "little"), 8 * len(data)
    out: list[int | None] = [None] * count
    for k, sensors in enumerate(in_round(count, block, turn)):
        if k < bases:
            for sensor in sensors:
                out[sensor] = bits & 0xFFF
                bits >>= BASE_BITS
                left -= BASE_BITS
            continue
        code = bits & 7
        bits >>= CODE_BITS
        left -= CODE_BITS
        if code == ABSENT:
            continue
        low, mask = LOW[code], (1 << LOW[code]) - 1
        for sensor in sensors:
            if not bits:
                raise ValueError("blocks end too soon")
            zeros = (bits & -bits).bit_length() - 1
            bits >>= zeros + 1
            folded = zeros << low | bits & mask
            bits >>= low
            left -= zeros + 1 + low
            out[sensor] = (-(folded + 1 >> 1) if folded & 1 else folded >> 1) << LEFT_OUT[code]
    if not 0 <= left < 8 or bits:
        raise ValueError("blocks of wrong length")
    return tuple(out)


def write_blocks(given: Sequence[int | None], block: int, turn: int, bases: int) -> bytes:
    """The inverse, each block in its fewest bits. Raises ValueError where a value has no place."""
    number = -(-len(given) // block)
    if bases > number or turn >= max(number, 1):
        raise ValueError("blocks beyond the sensors")
    bits = at = 0
    for k, sensors in enumerate(in_round(len(given), block, turn)):
        values = [value for sensor in sensors if (value := given[sensor]) is not None]
        if len(values) not in ((len(sensors),) if k < bases else (0, len(sensors))):
            raise ValueError("a block with some of its sensors")
        if k < bases:
            for value in values:
                if value >> BASE_BITS:
                    raise ValueError("a base of more than 12 bits")
                bits |= value << at
                at += BASE_BITS
            continue
        code, numbers = _cheapest(values) if values else (ABSENT, [])
        bits |= code << at
        at += CODE_BITS
        for each in numbers:
            bits |= (1 | (each & (1 << LOW[code]) - 1) << 1) << at + (each >> LOW[code])
            at += (each >> LOW[code]) + 1 + LOW[code]
    return bits.to_bytes(-(-at // 8), "little")


def _cheapest(values: Sequence[int]) -> tuple[int, list[int]]:
    """The code in which differences take the fewest bits without losing any, and their numbers in it."""
    found: list[tuple[int, int, list[int]]] = []
    for code, (low, out) in enumerate(zip(LOW, LEFT_OUT, strict=True)):
        if not any(value % (1 << out) for value in values):
            numbers = [2 * v if v >= 0 else -2 * v - 1 for v in (value >> out for value in values)]
            found.append((sum((each >> low) + 1 + low for each in numbers), code, numbers))
    _, code, numbers = min(found)
    return code, numbers
