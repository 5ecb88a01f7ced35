"""The games that this service can referee; another game is one more entry here, made in a file of its own.

Loaded when asked for, so that a program that only needs one part does not load the rest.
"""

from companion.process.kinds.kind import GameKind


def known_kinds() -> dict[str, GameKind]:
    """Every kind by name."""
    from companion.process.kinds.cirkis import cirkis
    from companion.process.kinds.tiki import tiki
    from companion.process.kinds.yikerz import yikerz

    return {kind.game.name: kind for kind in (yikerz(), cirkis(), tiki())}
