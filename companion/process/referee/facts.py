"""What is so of the table for as long as the program runs: its name, how its tiles lie, whether there are sensors."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What pages are told of the table. name: "" where nobody gave it one; tiles: (x, y, rot) each, mm and degrees;
    sensors: whether there are any.
    """

    name: str = ""
    tiles: tuple[tuple[float, float, float], ...] = ()
    side_mm: float = 150.0
    sensors: bool = True
