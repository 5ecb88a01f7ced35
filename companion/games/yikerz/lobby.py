"""Before the first round: players, seats, dealer, settings, start (Y01-Y04, Y26). Between rounds: the next
one.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.games.naming import NameRefusedError, tidy_name
from companion.games.yikerz import layout, leaving, piles, rounds, scores, sudden, turn
from companion.games.yikerz.hearing import Hearing, Refused
from companion.games.yikerz.names import Stage
from companion.games.yikerz.seats import Player
from companion.games.yikerz.settings import check_setting

MOST_PLAYERS = 6
MOST_HANDICAP = 20


def seat_of(h: Hearing, player: int | None) -> int:
    """The seat of a player id who has not left. Refused: no_such_player."""
    for seat, known in enumerate(h.state.players):
        if known.id == player and not known.gone:
            return seat
    raise Refused("no_such_player")


def add_player(h: Hearing, name: Any) -> None:
    """One more player, in the last seat (Y01); later between rounds, but not before sudden death (Y46)."""
    if h.state.tied:
        raise Refused("wrong_stage", "Y42")
    if len(h.state.present) >= MOST_PLAYERS:
        raise Refused("too_many_players", "Y01")
    points = leaving.start_points(h.state)
    player = Player(h.state.next_id, _checked_name(h, name), start_points=points)
    h.set(players=(*h.state.players, player), next_id=player.id + 1)
    if h.state.stage is not Stage.LOBBY:
        h.set(piles=(*h.state.piles, 0), calls=piles.fresh_calls(len(h.state.players)))
        h.rule("joined", "Y46", len(h.state.players) - 1, points=points)


def rename_player(h: Hearing, player: int | None, name: Any) -> None:
    """Another name for a player, at any time."""
    seat = seat_of(h, player)
    players = list(h.state.players)
    players[seat] = replace(players[seat], name=_checked_name(h, name, but=seat))
    h.set(players=tuple(players))


def _checked_name(h: Hearing, name: Any, but: int | None = None) -> str:
    others = [h.state.players[seat].name for seat in h.state.present if seat != but]
    try:
        return tidy_name(name, others)
    except NameRefusedError as error:
        raise Refused(error.code) from error


def remove_player(h: Hearing, player: int | None) -> None:
    """A player leaves: before the start without a trace, later by Y46."""
    seat = seat_of(h, player)
    if h.state.stage is not Stage.LOBBY:
        leaving.leave(h, seat)
        return
    gone = h.state.players[seat].id
    h.set(players=tuple(p for p in h.state.players if p.id != gone))
    if h.state.settings.dealer == gone:
        h.set(settings=replace(h.state.settings, dealer=None))


def move_player(h: Hearing, player: int | None, to: Any) -> None:
    """A player takes another seat; seats are clockwise (Y26)."""
    seat = seat_of(h, player)
    if not isinstance(to, int) or isinstance(to, bool) or not 0 <= to < len(h.state.players):
        raise Refused("bad_args")
    order = list(range(len(h.state.players)))
    order.insert(to, order.pop(seat))
    h.set(players=tuple(h.state.players[old] for old in order))
    if h.state.piles:  # between rounds: what is shown of the last one goes with its player
        dealer = None if h.state.dealer is None else order.index(h.state.dealer)
        stones = tuple(h.state.piles[old] for old in order)
        h.set(piles=stones, dealer=dealer, calls=piles.fresh_calls(len(order)), seat=0, before=None, away=(), places=())


def set_handicap(h: Hearing, player: int | None, stones: Any) -> None:
    """So many stones of this player's pile go into the bag at each deal, at most all but one."""
    seat = seat_of(h, player)
    if type(stones) is not int or not 0 <= stones <= MOST_HANDICAP:
        raise Refused("bad_args")
    players = list(h.state.players)
    players[seat] = replace(players[seat], handicap=stones)
    h.set(players=tuple(players))


def set_dealer(h: Hearing, player: int | None) -> None:
    """The table names the dealer (Y26), or leaves it to the draw, or to Y04 between rounds (None)."""
    if player is not None:
        seat_of(h, player)
    h.set(settings=replace(h.state.settings, dealer=player))


def set_setting(h: Hearing, args: Mapping[str, Any]) -> None:
    """One setting by name; once the game has begun, whether people answer and no other."""
    name, value = args.get("name"), args.get("value")
    if h.state.stage is not Stage.LOBBY and name != "answers":
        raise Refused("wrong_stage")
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


def start(h: Hearing, args: Mapping[str, Any]) -> None:
    """The first round: players (one: solitaire, Y25), piles that add up, a dealer named or drawn (Y02,
    Y26).
    """
    state, count = h.state, len(h.state.players)
    if count < 1:
        raise Refused("not_enough_players", "Y01")
    fixed = state.settings.piles
    dealt, bag = rounds.deal(state, range(count))
    if len(fixed) not in (0, count) or min(dealt) < 1 or sum(dealt) + bag != state.settings.stones:
        raise Refused("not_conserved", "Y21")
    named = state.settings.dealer
    dealer = rounds.drawn_dealer(state.settings, count) if named is None else seat_of(h, named)
    _anyway(h, dealer, args)
    _begin(h, dealer)
    _left_lying(h, args)


def next_round(h: Hearing, args: Mapping[str, Any]) -> None:
    """The loser of the round before deals (Y04), or the one the table named since. Of a tie: sudden death (Y20)."""
    state = h.state
    if len(state.present) < min(2, len(state.players)):
        raise Refused("not_enough_players", "Y46")
    if min(rounds.deal(state, state.present)[0][seat] for seat in state.present) < 1:
        raise Refused("not_conserved", "Y21")
    if state.tied:
        _anyway(h, None, args)
        turn.start(h, sudden.begin(h))
        _left_lying(h, args)
        return
    named = state.settings.dealer
    dealer = scores.loser(state) if named is None else seat_of(h, named)
    _anyway(h, dealer, args)
    _begin(h, dealer)
    _left_lying(h, args)


def _left_lying(h: Hearing, args: Mapping[str, Any]) -> None:
    """What lay on the board when the table began all the same is no news of this round: it is not asked about (Y21)."""
    lying = args.get("lying")
    if args.get("anyway") is True and isinstance(lying, list | tuple):
        h.set(lying=tuple(sorted({track for track in lying if type(track) is int})))


def _anyway(h: Hearing, dealer: int | None, args: Mapping[str, Any]) -> None:
    """A start in spite of what spoke against it is a ruling of its own (F5, ready.py)."""
    against = args.get("against")
    if args.get("anyway") is True and isinstance(against, list | tuple) and against:
        codes = [reason["code"] for reason in against if isinstance(reason, Mapping) and "code" in reason]
        h.rule("begun_anyway", "Y21", dealer, against=codes)


def _begin(h: Hearing, dealer: int) -> None:
    h.set(settings=replace(h.state.settings, dealer=None))
    rounds.begin(h, dealer)
    turn.start(h, dealer)
