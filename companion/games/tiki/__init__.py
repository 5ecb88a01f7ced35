"""Tiki Topple: the score nobody has to add up. Pure rules, by the clauses of docs/rules/tiki.md."""

from companion.games.tiki.refusal import REFUSALS
from companion.games.tiki.rules import COMMANDS, TikiTopple
from companion.games.tiki.state import State
from companion.games.tiki.view import kept_cards, private, public, shown_cards

__all__ = ["COMMANDS", "REFUSALS", "State", "TikiTopple", "kept_cards", "private", "public", "shown_cards"]
