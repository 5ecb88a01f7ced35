"""CirKis: pieces on a kite-and-dart board, scored on the phone (docs/rules/cirkis.md)."""

from companion.games.cirkis.account import Told, account, round_points, totals
from companion.games.cirkis.board import Board, Shape, Space, board
from companion.games.cirkis.moves import find_place, unable
from companion.games.cirkis.outcome import Outcome, outcome
from companion.games.cirkis.pieces import ASSUMED_SET, PieceShape
from companion.games.cirkis.position import leader, open_spaces, owners, unplayed, unplayed_shapes
from companion.games.cirkis.preview import Preview, preview
from companion.games.cirkis.rules import CirKis
from companion.games.cirkis.settings import Settings, read_settings
from companion.games.cirkis.state import Phase, State

__all__ = [
    "ASSUMED_SET",
    "Board",
    "CirKis",
    "Outcome",
    "Phase",
    "PieceShape",
    "Preview",
    "Settings",
    "Shape",
    "Space",
    "State",
    "Told",
    "account",
    "board",
    "find_place",
    "leader",
    "open_spaces",
    "outcome",
    "owners",
    "preview",
    "read_settings",
    "round_points",
    "totals",
    "unable",
    "unplayed",
    "unplayed_shapes",
]
