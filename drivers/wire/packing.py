"""Raw counts of 10 bits each, packed without gaps: value k is bits 10k..10k+9, least significant bit first.

Both ways work on the whole frame as one big integer: halves of a block are moved apart (or together) in
log2(n) steps of masks and shifts, which in Python is many times cheaper than a loop over the values.
"""

from functools import cache


def packed_size(count: int) -> int:
    """Bytes of `count` packed values."""
    return (count * 10 + 7) // 8


def unpack10(packed: bytes, count: int) -> bytes:
    """`count` little-endian uint16 of `packed_size(count)` bytes; bits beyond the last value are ignored."""
    x = int.from_bytes(packed, "little") & ((1 << 10 * count) - 1)
    for half, low, high in _steps(count):
        x = (x & low) | ((x & high) << 6 * half)
    return x.to_bytes(2 * count, "little")


def pack10(values: bytes) -> bytes:
    """The packed form of little-endian uint16 values. Raises ValueError where one is over 1023."""
    count = len(values) // 2
    x = int.from_bytes(values, "little")
    if len(values) % 2 or x & _over(count):
        raise ValueError("not 10-bit values")
    for half, low, high in reversed(_steps(count)):
        x = (x & low) | (x >> 6 * half & high)
    return x.to_bytes(packed_size(count), "little")


@cache
def _steps(count: int) -> tuple[tuple[int, int, int], ...]:
    """(half, mask of lower halves, mask of upper halves) of blocks of 2*half values, 32*half bits apart."""
    size = 1
    while size < count:
        size *= 2
    out, half = [], size // 2
    while half:
        low = sum(((1 << 10 * half) - 1) << 32 * half * block for block in range(size // (2 * half)))
        out.append((half, low, low << 10 * half))
        half //= 2
    return tuple(out)


@cache
def _over(count: int) -> int:
    """The bits that no 10-bit value of a uint16 has set."""
    return sum(0xFC00 << 16 * k for k in range(count))
