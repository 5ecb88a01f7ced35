"""The one rule for names, for what the pages send."""

from companion.games.naming import plain

__all__ = ["plain"]
