"""What belongs to one player: name and seat, the last-piece call, a penalty, what a round brought."""

from dataclasses import dataclass

from companion.games.yikerz.names import Said


@dataclass(frozen=True, slots=True)
class Player:
    """id never changes, whatever the seat. gone: left the game; the seat stays, without stones or turns (Y46).

    start_points: of one who joined later (Y46). handicap: stones fewer at each deal, into the bag (ours).
    """

    id: int
    name: str
    gone: bool = False
    start_points: int = 0
    handicap: int = 0


@dataclass(frozen=True, slots=True)
class Call:
    """A player's last-piece call (Y15). asked: number of the open question, 0 if none."""

    said: Said = Said.NOT_DUE
    asked: int = 0


@dataclass(frozen=True, slots=True)
class Penalty:
    """count stones that seat has to take for the missed call (Y40). due: at the end of this turn."""

    seat: int
    count: int
    due: bool = False


@dataclass(frozen=True, slots=True)
class RoundResult:
    """By player ids. winner: None when abandoned (Y46). left: (player, stones in the pile). loser: None: by Y04."""

    winner: int | None
    left: tuple[tuple[int, int], ...]
    dealer: int
    loser: int | None = None

    def left_of(self, player: int) -> int:
        """Stones left in this player's pile; 0 for one who was not there."""
        return dict(self.left).get(player, 0)
