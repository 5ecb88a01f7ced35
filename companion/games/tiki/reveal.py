"""Commands about the secret cards: enter one, show all together, count the points (T18, T28)."""

from dataclasses import replace

from companion.games.game import Command, Ruling
from companion.games.tiki.command import phone_of, player_of, tikis_of
from companion.games.tiki.refusal import RefusedError
from companion.games.tiki.round import Phase, Round
from companion.games.tiki.ruling import Said, gain_json, game_ended, names, round_started, say, shown_card
from companion.games.tiki.scoring import ScoredRound, gains
from companion.games.tiki.secret import secret_card, twins
from companion.games.tiki.state import State, end, next_round


def enter_card(state: State, current: Round, command: Command) -> tuple[State, Said]:
    """{"tikis": [top, middle, bottom], "phone"}: a player's secret card, during the round or after it; again to
    correct it. phone: the mark of the phone that entered it, set by the service, never by the phone itself.

    Before the reveal the ruling says only that there is one (T18), whatever cards there are; after it the
    card is open to all, so that one without a phone can enter it on any (T28).
    """
    player = player_of(command, state.seats)
    if player in state.gone:
        raise RefusedError("has_left")
    after = current.with_card(player, secret_card(tikis_of(command, "tikis")), phone_of(command))
    if not current.revealed:
        return replace(state, current=after), (say(command, "card_entered", "T18", player),)
    card = after.card(player)
    assert card is not None
    shown = say(command, "card_shown", "T28", player, shown_card(player, card))
    return replace(state, current=after), (shown, *_what_cannot_be(command, state, after))


def reveal(state: State, current: Round, command: Command) -> tuple[State, Said]:
    """T28: the cards that were entered are shown together once the round has ended; the others are entered
    now."""
    if current.revealed:
        raise RefusedError("already_revealed")
    if current.phase is not Phase.ENDED:
        raise RefusedError("round_running")
    after = replace(current, revealed=True)
    data = {"cards": [shown_card(*entered) for entered in current.cards], "missing": missing(current)}
    shown = say(command, "revealed", "T28", data=data)
    return replace(state, current=after), (shown, *_what_cannot_be(command, state, after))


def score(state: State, current: Round, command: Command) -> tuple[State, Said]:
    """T12: the points count, and what follows begins: a round, a final round (T16) or the end (T15, T26)."""
    if not current.revealed:
        raise RefusedError("round_running" if current.phase is not Phase.ENDED else "not_revealed")
    if missing(current):
        raise RefusedError("card_missing")
    if twins(current.cards):
        raise RefusedError("same_cards")  # T23: one of them must be wrong (T04), so the points would be
    scored = ScoredRound(current.starter, current.final, current.places, current.cards)
    pack = state.pack.discard(tuple(card for _, card in current.cards))
    counted = replace(state, history=(*state.history, scored), pack=pack)
    said = tuple(_points(command, counted, scored, player) for player, _ in scored.cards)
    over = end(counted)
    after = next_round(counted)
    if over:
        return after, said + game_ended(command, over)
    assert after.current is not None
    shuffled = pack.must_shuffle(len(after.current.players))
    return after, said + round_started(command, state, after, shuffled)


def missing(current: Round) -> list[int]:
    """Players of the round whose card has not been entered."""
    return [player for player in current.players if current.card(player) is None]


def _points(command: Command, state: State, scored: ScoredRound, player: int) -> Ruling:
    card = dict(scored.cards)[player]
    data = {
        "card": names(card),
        "gains": [gain_json(gain) for gain in gains(card, scored.places)],
        "points": scored.points()[player],
        "total": state.totals()[player],
        "final": scored.final,
    }
    return say(command, "points", "T12", player, data)


def _what_cannot_be(command: Command, state: State, current: Round) -> Said:
    """T23, said at the reveal and not before: two cards are the same; a card came back before a shuffle."""
    same = tuple(
        say(command, "same_cards", "T23", data={"players": list(players)}, asked=True)
        for players in twins(current.cards)
    )
    back = tuple(
        say(command, "card_came_back", "T23", player, {"card": names(card)})
        for player, card in current.cards
        if card in state.pack.discards
    )
    return same + back
