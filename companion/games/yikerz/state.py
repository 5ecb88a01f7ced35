"""The state of a game of ¡Yikerz!: frozen, compares by value, JSON by companion/games/record.py.

Times are absolute board times in microseconds. Stones are named by their track; stones known by a button
only (Y24) have negative numbers. Seats are clockwise; `players[seat].id` is what commands and rulings
carry.
"""

from dataclasses import dataclass

from companion.games.logline import LogLine
from companion.games.yikerz.fault import Fault
from companion.games.yikerz.layout import Tile
from companion.games.yikerz.names import Outcome, Stage
from companion.games.yikerz.question import MISCOUNT, LeftOpen, Question
from companion.games.yikerz.seats import Call, Penalty, Player, RoundResult
from companion.games.yikerz.settings import Settings
from companion.games.yikerz.stones import BoardStone, Hand, Mismatch, Take
from companion.games.yikerz.versions import NEWEST
from companion.table import BoardTime


@dataclass(frozen=True, slots=True)
class State:
    """One game.

    layout: its name; tiles: of one that is given tile by tile, else the preset's (layout.presets).
    seat: in turn; before: the one whose turn ended last. coming: this turn's stone has come to the board.
    spent: no (further) stone is let go in this turn. last: the stone of this turn, let go on the board.
    taken, outcome: of this turn so far. deadline_us: end of the 10 s (Y13), None when they do not run.
    rested: the board is at rest. owners: (track, seat) of stones off the board, as far as known. missing:
    tracks that left the board without a ruling (Y37). lying: tracks that lay there when the table began all the same,
    and have not moved since: no stones of this round (Y21). denied: those of them that people have said do not lie
    there, against the sensors (Y22). asked: number of the last question. ruled: rulings so far;
    log: the last ones. away: seats without turns in this round. places: seats that are out, in order (Y25, play on).
    tied: players between whom sudden death decides; sudden: it is being played (Y20). winners: of the ended game.
    limit_us: until then the stone has to be let go (Y25, speed). toucher: what collapses now is that seat's (Y37).
    blind: so many stones more are seen than lie there, as the table has said (Y21; negative: fewer).
    unanswered: where nobody answers, what has been asked in this turn. faults: collapses and falls of this
    turn and the one before, which may still be taken back. rules: the version by which the game is judged.
    """

    settings: Settings
    rules: int = NEWEST
    players: tuple[Player, ...] = ()
    stage: Stage = Stage.LOBBY
    layout: str = ""
    tiles: tuple[Tile, ...] = ()
    dealer: int | None = None
    rounds: tuple[RoundResult, ...] = ()
    piles: tuple[int, ...] = ()
    bag: int = 0
    board: tuple[BoardStone, ...] = ()
    missing: tuple[int, ...] = ()
    lying: tuple[int, ...] = ()
    denied: tuple[int, ...] = ()
    seat: int = 0
    before: int | None = None
    turns: int = 0
    coming: bool = False
    spent: bool = False
    last: int | None = None
    outcome: Outcome = Outcome.CLEAN
    taken: tuple[int, ...] = ()
    hands: tuple[Hand, ...] = ()
    takes: tuple[Take, ...] = ()
    deadline_us: BoardTime | None = None
    rested: bool = True
    calls: tuple[Call, ...] = ()
    penalty: Penalty | None = None
    mismatch: Mismatch | None = None
    blind: int = 0
    questions: tuple[Question, ...] = ()
    asked: int = 0
    unanswered: tuple[LeftOpen, ...] = ()
    owners: tuple[tuple[int, int], ...] = ()
    next_id: int = 0
    next_virtual: int = -1
    away: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    tied: tuple[int, ...] = ()
    sudden: bool = False
    winners: tuple[int, ...] = ()
    limit_us: BoardTime | None = None
    toucher: int | None = None
    faults: tuple[Fault, ...] = ()
    ruled: int = 0
    log: tuple[LogLine, ...] = ()

    @property
    def phase(self) -> str:
        """The stage; but while an open question holds the end of the turn "unseen" (Y23), "miscount" (Y21) or
        "question".
        """
        holding = {q.code for q in self.questions if q.holds}
        if not holding:
            return str(self.stage)
        return "unseen" if "unseen" in holding else "miscount" if holding & MISCOUNT else "question"

    @property
    def running(self) -> bool:
        """A round is being played."""
        return self.stage in (Stage.TURN, Stage.COUNTDOWN, Stage.REMOVING, Stage.PENALTY)

    @property
    def next_seat(self) -> int:
        """The player after the one in turn (Y26)."""
        return self.after(self.seat)

    def after(self, seat: int) -> int:
        """The next seat clockwise that has turns in this round; itself if there is no other."""
        count = max(1, len(self.players))
        others = [(seat + step) % count for step in range(1, count + 1)]
        return next((other for other in others if other not in self.away), seat)

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that have turns in this round."""
        return tuple(seat for seat in range(len(self.players)) if seat not in self.away)

    @property
    def present(self) -> tuple[int, ...]:
        """The seats of the players who have not left (Y46)."""
        return tuple(seat for seat, player in enumerate(self.players) if not player.gone)

    @property
    def round(self) -> int:
        """The number of the round that runs, or of the last one, from 1; sudden death is none (Y42)."""
        return len(self.rounds) + (1 if self.running and not self.places and not self.sudden else 0)

    @property
    def wins(self) -> tuple[int, ...]:
        """Rounds won by seat; derived from `rounds`, never stored (I7)."""
        return tuple(sum(r.winner == player.id for r in self.rounds) for player in self.players)

    @property
    def points(self) -> tuple[int, ...]:
        """Stones left in the piles of all rounds won by seat, and what the player began with (Y19, Y46); derived."""
        scored = [r for r in self.rounds if r.winner is not None]
        return tuple(p.start_points + sum(r.left_of(p.id) for r in scored) for p in self.players)

    @property
    def on_board(self) -> int:
        """Stones that lie on the board, let go."""
        return len(self.board)

    @property
    def to_take(self) -> tuple[Take, ...]:
        """What must still be taken, presumed ones left out."""
        return tuple(t for t in self.takes if not t.presumed)
