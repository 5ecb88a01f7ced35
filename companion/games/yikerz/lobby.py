"""Before the first round: players, seats, dealer, settings, start (Y01-Y04, Y26). Between rounds: the next
one.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.games.naming import NameRefusedError, tidy_name
from companion.games.yikerz import layout, rounds, turn
from companion.games.yikerz.hearing import Hearing, Refused
from companion.games.yikerz.settings import check_setting
from companion.games.yikerz.state import Player

MOST_PLAYERS = 6


def seat_of(h: Hearing, player: int | None) -> int:
    """The seat of a player id. Refused: no_such_player."""
    for seat, known in enumerate(h.state.players):
        if known.id == player:
            return seat
    raise Refused("no_such_player")


def add_player(h: Hearing, name: Any) -> None:
    """One more player, in the last seat (Y01)."""
    if len(h.state.players) >= MOST_PLAYERS:
        raise Refused("too_many_players", "Y01")
    player = Player(h.state.next_id, _checked_name(h, name))
    h.set(players=(*h.state.players, player), next_id=player.id + 1)


def rename_player(h: Hearing, player: int | None, name: Any) -> None:
    """Another name for a player, at any time before the game ends."""
    seat = seat_of(h, player)
    players = list(h.state.players)
    players[seat] = replace(players[seat], name=_checked_name(h, name, but=seat))
    h.set(players=tuple(players))


def _checked_name(h: Hearing, name: Any, but: int | None = None) -> str:
    others = [p.name for seat, p in enumerate(h.state.players) if seat != but]
    try:
        return tidy_name(name, others)
    except NameRefusedError as error:
        raise Refused(error.code) from error


def remove_player(h: Hearing, player: int | None) -> None:
    """A player leaves before the start."""
    seat = seat_of(h, player)
    gone = h.state.players[seat].id
    h.set(players=tuple(p for p in h.state.players if p.id != gone))
    if h.state.settings.dealer == gone:
        h.set(settings=replace(h.state.settings, dealer=None))


def move_player(h: Hearing, player: int | None, to: Any) -> None:
    """A player takes another seat; seats are clockwise (Y26)."""
    seat = seat_of(h, player)
    if not isinstance(to, int) or isinstance(to, bool) or not 0 <= to < len(h.state.players):
        raise Refused("bad_args")
    players = list(h.state.players)
    players.insert(to, players.pop(seat))
    h.set(players=tuple(players))


def set_dealer(h: Hearing, player: int | None) -> None:
    """The table names the dealer (Y26), or leaves it to the draw, or to Y04 between rounds (None)."""
    if player is not None:
        seat_of(h, player)
    h.set(settings=replace(h.state.settings, dealer=player))


def set_setting(h: Hearing, args: Mapping[str, Any]) -> None:
    """One setting by name."""
    name, value = args.get("name"), args.get("value")
    try:
        value = check_setting(str(name), value)
    except ValueError as error:
        raise Refused("bad_setting") from error
    if name == "dealer":
        set_dealer(h, value)
    h.set(settings=replace(h.state.settings, **{str(name): value}))
    if name == "layout":
        h.set(layout=value, tiles=())


def set_layout(h: Hearing, args: Mapping[str, Any]) -> None:
    """The layout of the coming round, by name or tile by tile; an illegal one is refused, the tile named
    (Y05).
    """
    settings = h.state.settings
    name = args.get("layout", layout.FREE)
    try:
        check_setting("layout", name)
        tiles = layout.tiles_of(args.get("tiles")) if name == layout.FREE else ()
    except ValueError as error:
        raise Refused("bad_args") from error
    h.set(layout=name, tiles=tiles)
    lie = tiles or layout.presets(settings.tile_side_mm)[name]
    fault = layout.fault(lie, settings.tile_side_mm, settings.layout_slack_mm)
    if fault is not None:
        raise Refused(fault.code, "Y05", tile=fault.tile)


def start(h: Hearing) -> None:
    """The first round: players (one: solitaire, Y25), piles that add up, a dealer named or drawn (Y02,
    Y26).
    """
    state, count = h.state, len(h.state.players)
    if count < 1:
        raise Refused("not_enough_players", "Y01")
    dealt, bag = rounds.deal(state.settings, count)
    if len(dealt) != count or min(dealt) < 1 or sum(dealt) + bag != state.settings.stones:
        raise Refused("not_conserved", "Y21")
    named = state.settings.dealer
    dealer = rounds.drawn_dealer(state.settings, count) if named is None else seat_of(h, named)
    _begin(h, dealer)


def next_round(h: Hearing) -> None:
    """The loser of the round before deals (Y04), or the one the table named since."""
    named = h.state.settings.dealer
    _begin(h, rounds.loser(h.state) if named is None else seat_of(h, named))


def _begin(h: Hearing, dealer: int) -> None:
    h.set(settings=replace(h.state.settings, dealer=None))
    rounds.begin(h, dealer)
    turn.start(h, dealer)
