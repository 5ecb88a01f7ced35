"""Commands about the line: line it up, play a card, set it by hand, tell the first three places (T17)."""

from dataclasses import replace

from companion.games.game import Command
from companion.games.tiki.command import action_of, played_of, player_of, tiki_of, tikis_of, turn_of
from companion.games.tiki.hand import Action
from companion.games.tiki.line import PLACES_THAT_SCORE, by_hand, lined_up, toasted
from companion.games.tiki.options import Mode
from companion.games.tiki.refusal import RefusedError
from companion.games.tiki.round import Phase, Round
from companion.games.tiki.ruling import Said, names, say, what_follows
from companion.games.tiki.state import State

MOVED_BY = {Action.TOPPLE: "T08", Action.TOAST: "T09"}  # the Up cards: T07


def line_up(state: State, current: Round, command: Command) -> tuple[State, Said]:
    """T03: {"line": nine tikis, the top first}. The starter's turn begins (T05, T14)."""
    _follow(current)
    if current.phase is not Phase.LINE_UP:
        raise RefusedError("line_is_set")
    after = replace(current, line=lined_up(tikis_of(command, "line")))
    said = say(command, "line_up", "T03", data={"line": names(after.line)})
    return replace(state, current=after), (said, *what_follows(command, current, after))


def play(state: State, current: Round, command: Command) -> tuple[State, Said]:
    """T06: {"card": an action, "tiki": which one}; a Toast needs no tiki (T09)."""
    player = player_of(command, state.seats)
    action, tiki = action_of(command), tiki_of(command)
    after = current.play(player, action, tiki, state.options.topple_bottom)
    moved = tiki or current.line[-1]
    data = {
        "card": str(action),
        "tiki": str(moved),
        "from": current.line.index(moved) + 1,
        "to": after.line.index(moved) + 1 if moved in after.line else None,
        "left": len(after.hand(player).held),
    }
    said = say(command, "played", MOVED_BY.get(action, "T07"), player, data)
    return replace(state, current=after), (said, *what_follows(command, current, after))


def set_line(state: State, current: Round, command: Command) -> tuple[State, Said]:
    """T27: the position as it is on the table: {"line": the tikis in line, the top first; "turn": a player;
    "hands": [{"player": 0, "played": cards}]}; turn and hands where they differ too. It may end the round or
    take its end back, but not once the secret cards have been shown.
    """
    _follow(current)
    after = replace(current, line=by_hand(tikis_of(command, "line")))
    for player, played in played_of(command, current.players).items():
        after = after.with_hand(after.hand(player).with_played(played))
    turn = turn_of(command, current.players)
    if after.end_reason == "" and turn is not None and not after.hand(turn).held:
        raise RefusedError("hands_by_hand")  # whose turn it is must hold a card
    after = replace(after, turn=after.turn if turn is None else turn)
    if after.end_reason == "" and not after.hand(after.turn).held:
        after = replace(after, turn=after.next_turn(after.turn))
    if current.revealed and after.end_reason == "":
        raise RefusedError("already_revealed")
    data = {
        "line": names(after.line),
        "toasted": names(toasted(after.line)),
        "hands": [{"player": hand.player, "played": [str(a) for a in hand.played]} for hand in after.hands],
    }
    said = say(command, "line_by_hand", "T27", data=data)
    return replace(state, current=after), (said, *what_follows(command, current, after))


def tell_places(state: State, current: Round, command: Command) -> tuple[State, Said]:
    """Quick (T17): {"places": the first three}; told again, it corrects them until the points count."""
    if current.mode is not Mode.QUICK:
        raise RefusedError("follow_round")
    places = tikis_of(command, "places")
    if len(places) != PLACES_THAT_SCORE or len(set(places)) != PLACES_THAT_SCORE:
        raise RefusedError("three_places")  # T20: only the first three score
    after = replace(current, quick_places=places)
    said = say(command, "places", "T20", data={"places": names(places)})
    return replace(state, current=after), (said, *what_follows(command, current, after))


def _follow(current: Round) -> None:
    if current.mode is not Mode.FOLLOW:
        raise RefusedError("quick_round")
