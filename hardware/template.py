"""A drilling and wiring template of one tile, true to scale: print it at 100 %, and measure the line of 100 mm.

    python -m hardware.template > tile.svg

Seen from above. Each sensor has its number in the tile and, below, its multiplexer (0 to 3 of the tile) and address.
"""

import math
from typing import Final

from hardware.geometry import GEOMETRY, channels, sensors

MARGIN: Final = 12.0  # mm around the tile
RULE: Final = 100.0


def template() -> str:
    """SVG text, in millimetres."""
    side = float(GEOMETRY["tile"]["side"])
    height = side * math.sqrt(3.0) / 2.0
    wide, high = side + 2.0 * MARGIN, height + 3.0 * MARGIN
    addresses = {c.sensor: (c.multiplexer, c.address) for c in channels(1) if c.sensor is not None}
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.1f}mm" height="{high:.1f}mm" '
        f'viewBox="0 0 {wide:.1f} {high:.1f}" font-family="sans-serif" text-anchor="middle">',
        f'<g fill="none" stroke="black" stroke-width="0.2"><path d="M {MARGIN} {MARGIN + height:.3f} h {side} '
        f'L {MARGIN + side / 2:.3f} {MARGIN} Z"/><path d="M {MARGIN} {high - MARGIN / 2:.3f} h {RULE}"/></g>',
        f'<text x="{MARGIN + RULE / 2}" y="{high - MARGIN / 2 - 1:.3f}" font-size="3">{RULE:.0f} mm</text>',
    ]
    for number, (x, y, _) in enumerate(sensors()):
        px, py = MARGIN + side / 2.0 + x, MARGIN + height * 2.0 / 3.0 - y
        multiplexer, address = addresses[number]
        out.append(
            f'<path d="M {px - 1.5:.3f} {py:.3f} h 3 m -1.5 -1.5 v 3" stroke="black" stroke-width="0.15"/>'
            f'<text x="{px:.3f}" y="{py - 2:.3f}" font-size="2.4">{number}</text>'
            f'<text x="{px:.3f}" y="{py + 4:.3f}" font-size="2">{multiplexer}.{address}</text>'
        )
    return "\n".join([*out, "</svg>", ""])


if __name__ == "__main__":
    print(template(), end="")
