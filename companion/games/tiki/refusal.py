"""Every way of being refused, with the clause of docs/rules/tiki.md behind it."""

from collections.abc import Mapping
from types import MappingProxyType

from companion.games.game import Refusal

REFUSALS: Mapping[str, str] = MappingProxyType(
    {
        # what was sent makes no sense; no rule decides
        "unknown_command": "",
        "malformed": "",
        "unknown_player": "T01",
        "unknown_card": "T01",
        "unknown_tiki": "T02",
        # the line and the turn
        "not_nine": "T03",
        "group_split": "T03",
        "line_is_set": "T03",
        "line_not_set": "T03",
        "not_your_turn": "T05",
        "bad_seats": "T05",
        "card_not_in_hand": "T06",
        "tiki_needed": "T07",
        "too_few_above": "T07",
        "not_lowest": "T09",
        "not_in_line": "T09",
        "toast_first_turn": "T10",
        "round_over": "T11",
        "three_places": "T20",
        "no_passing": "T21",
        "topple_bottom": "T22",
        # keeping the score
        "quick_round": "T17",
        "follow_round": "T17",
        "not_in_round": "T24",
        "line_by_hand": "T27",
        "hands_by_hand": "T27",
        "three_different": "T04",
        "same_cards": "T23",
        "round_running": "T28",
        "not_revealed": "T28",
        "already_revealed": "T28",
        "card_missing": "T28",
        "has_left": "T29",
        "game_over": "T16",
    }
)
"""Code to clause; "" where what was sent is no command at all. The page's catalogues have a sentence for
each code.

No code depends on a secret card of anybody but the one named in the command (T18).
"""


class RefusedError(Exception):
    """Raised where a clause forbids; `code` is a key of REFUSALS. Never leaves `TikiTopple.apply`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.refusal = Refusal(code, REFUSALS[code])
