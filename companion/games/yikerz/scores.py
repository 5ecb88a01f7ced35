"""Who has won, who is tied, who deals next: derived from the rounds, never stored (Y04, Y18-Y20, Y41)."""

from companion.games.yikerz.state import State


def loser(state: State) -> int:
    """The seat that deals next (Y04): most stones left, if equal the first clockwise from the winner.

    In playing on, the last one left (Y25). An abandoned round is dealt again by the same dealer (Y46). Instead of one
    who has left since, the next present player.
    """
    result = state.rounds[-1]
    seats = {player.id: seat for seat, player in enumerate(state.players)}
    if result.winner is None or result.loser is not None:
        seat = seats[result.dealer if result.winner is None or result.loser is None else result.loser]
        return seat if seat in state.present else clockwise(state, seat)[0]
    others = clockwise(state, seats[result.winner])
    if not others:
        return seats[result.winner]
    if state.settings.loser == "before_winner":
        return others[-1]
    return max(others, key=lambda seat: result.left_of(state.players[seat].id))


def clockwise(state: State, seat: int) -> list[int]:
    """The other present seats, clockwise from this one."""
    count = len(state.players)
    return [other for step in range(1, count) if (other := (seat + step) % count) in state.present]


def leaders(state: State) -> tuple[int, ...]:
    """The seats that have won the game (several: a tie, Y20), () while it goes on. Who has left cannot win (Y46)."""
    if not state.present or not any(result.winner is not None for result in state.rounds):
        return ()
    if len(state.players) == 1:
        return (0,)  # solitaire (Y25)
    return _by_points(state) if state.settings.scoring == "points" else _by_wins(state)


def _by_points(state: State) -> tuple[int, ...]:
    """Scoring B (Y19): as soon as any total reaches the limit, the lowest wins."""
    points = {seat: state.points[seat] for seat in state.present}
    if max(points.values()) < state.settings.points_limit:
        return ()
    return tuple(seat for seat, total in points.items() if total == min(points.values()))


def _by_wins(state: State) -> tuple[int, ...]:
    """Scoring A (Y18, Y41)."""
    best_of = state.settings.best_of
    wins = {seat: state.wins[seat] for seat in state.present}
    played, top = sum(state.wins), max(wins.values())
    leading = tuple(seat for seat, n in wins.items() if n == top)
    if len(state.players) == 2 or state.settings.best_of_mode == "until":
        return leading if top >= (best_of + 1) // 2 else ()
    second = max((n for seat, n in wins.items() if seat != leading[0]), default=0)
    if played >= best_of or (len(leading) == 1 and second + best_of - played < top):
        return leading
    return ()
