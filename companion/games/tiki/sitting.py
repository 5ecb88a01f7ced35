"""Commands about the people at the table: seats, leaving, a round abandoned, another way of keeping score."""

from dataclasses import replace

from companion.games.game import Command
from companion.games.tiki.command import mode_of, order_of, player_of
from companion.games.tiki.options import Mode
from companion.games.tiki.refusal import RefusedError
from companion.games.tiki.round import Round
from companion.games.tiki.ruling import Said, game_ended, round_started, say, what_follows
from companion.games.tiki.state import State, again, end, opener


def seats(state: State, current: Round, command: Command) -> tuple[State, Said]:
    """{"order": ids, clockwise}: play goes by the new order (T05); scores stay with their players (I9)."""
    order = order_of(command)
    if any(isinstance(item, bool) or not isinstance(item, int) for item in order):
        raise RefusedError("malformed")
    if sorted(order) != sorted(state.seats):
        raise RefusedError("bad_seats")
    hands = tuple(current.hand(player) for player in order if player in current.players)
    said = say(command, "seats", "T05", data={"order": list(order)})
    return replace(state, seats=order, current=replace(current, hands=hands)), (said,)


def leave(state: State, current: Round, command: Command) -> tuple[State, Said]:
    """T29: one who leaves keeps the points of the rounds scored, has none of the running one and cannot win.

    The game goes on with the hands and the number of rounds as they were; with one left it ends.
    """
    player = player_of(command, state.seats)
    if player in state.gone:
        raise RefusedError("has_left")
    said = say(command, "left", "T29", player, {"total": state.totals()[player]})
    after = replace(state, gone=(*state.gone, player), current=current.without(player))
    over = end(after)
    if over:
        return replace(after, current=None), (said, *game_ended(command, over))
    assert after.current is not None
    return after, (said, *what_follows(command, current, after.current))


def abandon(state: State, current: Round, command: Command) -> tuple[State, Said]:
    """T29: no points, the same starter, a new line and new secret cards."""
    said = say(command, "round_abandoned", "T29")
    # Cards that were shown are known discards (T23); those that were not stay nobody's business (T18).
    shown = tuple(card for _, card in current.cards) if current.revealed else ()
    before = replace(state, pack=state.pack.discard(shown))
    after = again(before, current)
    shuffled = before.pack.must_shuffle(len(current.players))
    return after, (said, *round_started(command, state, after, shuffled))


def change_mode(state: State, current: Round, command: Command) -> tuple[State, Said]:
    """T17: {"mode": "follow" or "quick"}: this round is begun anew in the other way, and those to come;
    cards entered stay. To take up a round that is under way, the line is then set by hand (T27)."""
    mode = mode_of(command)
    if mode is current.mode:
        raise RefusedError("quick_round" if mode is Mode.QUICK else "follow_round")
    if current.revealed:
        raise RefusedError("already_revealed")
    hands = tuple(hand.with_played(()) for hand in current.hands)
    after = replace(current, mode=mode, line=(), quick_places=(), turn=opener(state, current), hands=hands)
    said = say(command, "mode", "T17", data={"mode": str(mode)})
    return replace(state, mode=mode, current=after), (said,)
