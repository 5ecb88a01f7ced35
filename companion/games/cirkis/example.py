"""The sheet's worked examples, for the help page and the tests (C18, C32)."""

from dataclasses import dataclass

from companion.games.cirkis.settings import read_settings
from companion.games.cirkis.state import Piece, Round, State

PURPLE, RED, GREEN = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Example:
    """A board with pieces on it, in the order played, and the piece that comes next.

    name: for the catalogue of words. lies: (player, spaces). by, spaces: who plays next, and where.
    """

    name: str
    clause: str
    lies: tuple[tuple[int, tuple[int, ...]], ...]
    by: int
    spaces: tuple[int, ...]

    def state(self) -> State:
        """The board before the next piece, the player who plays it in turn."""
        settings = read_settings({"players": ["Purple", "Red", "Green"], "colours": ["purple", "red", "green"]})
        deeds = tuple(Piece(player, spaces) for player, spaces in self.lies)
        return State(settings, settings.seats, (Round(self.lies[0][0], deeds),), turn=self.by)


EXAMPLES = (
    # C18: one piece of Red completes a star of which Red has most and a circle of which Green has most
    Example(
        "two_shapes",
        "C18",
        (
            (PURPLE, (17,)),
            (PURPLE, (20,)),
            (GREEN, (6, 13, 29)),
            (RED, (2,)),
            (RED, (32,)),
            (RED, (31,)),
        ),
        RED,
        (15, 16),
    ),
    # C32: all spaces that touch Green's piece are open to the next, by a point too
    Example("touching", "C32", ((GREEN, (8, 148)),), PURPLE, (5, 6)),
    Example("point_only", "C32", ((GREEN, (7,)), (PURPLE, (8, 24))), RED, (11, 12)),
    # C32: the two slivers beside a star touch at a point
    Example("slivers", "C32", ((GREEN, (7,)), (PURPLE, (155,))), RED, (156,)),
)
