"""The one rule for names, for what the pages send."""

from companion.games.naming import NAME_LENGTH, plain

__all__ = ["NAME_LENGTH", "plain"]
