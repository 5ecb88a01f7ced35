"""The page of each kind of game: its template and script have the kind's name, and these are the texts it needs first.

A kind that has no page is not offered by the list of games.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GamePage:
    """live: parts of the catalogue for the page of a running game; gather: those for the page before it.

    record: those for its rulings once it has been played. help: those for how it is played; clauses: its rule book.
    sensors: a new game may follow the table. big: parts for the big screen, () where the kind has none.
    """

    live: tuple[str, ...]
    gather: tuple[str, ...]
    record: tuple[str, ...]
    help: tuple[str, ...]
    clauses: str
    sensors: bool = False
    big: tuple[str, ...] = ()


PAGES: dict[str, GamePage] = {
    "yikerz": GamePage(
        live=("live",),
        gather=("setup", "yikerz_setup"),
        record=("calls", "rulings", "clauses"),
        help=("yikerz_help", "live"),
        clauses="clauses",
        sensors=True,
        big=("live", "calls", "tv"),
    ),
    "cirkis": GamePage(
        live=("cirkis",),
        gather=("setup", "cirkis_setup"),
        record=("cirkis_record", "cirkis_clauses"),
        help=("cirkis_help", "cirkis_play"),
        clauses="cirkis_clauses",
        big=("cirkis", "tv"),
    ),
    "tiki": GamePage(
        live=("common", "tiki"),
        gather=("setup", "tiki_setup"),
        record=("tiki_second", "tiki_clauses"),
        help=("tiki_help",),
        clauses="tiki_clauses",
        big=("common", "tiki", "tv"),
    ),
}
"""By kind, in the order in which new games are offered."""
