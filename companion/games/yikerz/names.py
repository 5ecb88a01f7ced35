"""Every code that leaves the referee of ¡Yikerz!: rulings, commands, refusals, questions with their
choices.

Pages turn codes into words; the catalogues are checked against these.
"""

from enum import StrEnum

from companion.games.fold import REFUSALS as FOLD_REFUSALS


class Stage(StrEnum):
    """Where a game stands, questions apart (`State.phase` puts an open question first)."""

    LOBBY = "lobby"  # players, dealer, settings
    TURN = "turn"  # the player in turn has not let go a stone yet; no time limit (Y06)
    COUNTDOWN = "countdown"  # let go, nothing to take: the 10 s run (Y13)
    REMOVING = "removing"  # the player in turn has stones to take back (Y10-Y12)
    PENALTY = "penalty"  # a player takes two stones for the missed call (Y40); the player in turn waits
    ROUND_END = "round_end"
    GAME_END = "game_end"


class Said(StrEnum):
    """Where a player's last-piece call stands (Y15, Y38)."""

    NOT_DUE = "not_due"
    DUE = "due"
    SAID = "said"


class Outcome(StrEnum):
    """What a turn has come to."""

    CLEAN = "clean"
    COLLAPSE = "collapse"
    FELL_OFF = "fell_off"


class Where(StrEnum):
    """Where a stone is that has to be taken back."""

    BOARD = "board"
    SOME = "some"  # on the board, but it is not known which of the stones there
    HAND = "hand"  # never let go: it counts in its pile
    TABLE = "table"  # fallen: it counts in the pile of the player who has to take it (Y21)


class Why(StrEnum):
    """Why a stone has to be taken back."""

    COLLAPSE = "collapse"  # Y10
    FELL_OFF = "fell_off"  # Y11: it lies on the table
    PLAYED = "played"  # Y11: the stone of this turn goes back after a fall
    EXTRA = "extra"  # let go though no stone was to be played (Y10, Y28, Y29)
    PENALTY = "penalty"  # Y39, call before placing: two stones, and the last one stays
    TOUCHED = "touched"  # Y37, setting: the stone goes to the pile of the one who touched it


RULINGS: dict[str, str] = {
    "round_start": "Y03: dealer, piles, bag, layout, round; picks: who picks a pile, in order",
    "begun_anyway": "Y21, F5: against (codes of ready.REASONS): the table began all the same; what lay there is not "
    "asked about until it moves",
    "sudden_death": "Y42: the tied play on; player starts; as round_start without round",
    "dealt_again": "Y43: a player had to place and had no stone; as sudden_death",
    "out": "Y42: player is out, pile and collapsed stones go into the bag; left: who is still in",
    "left": "Y46: player has left, the pile is in the bag; piles",
    "joined": "Y46: player joins; points to begin with",
    "touched": "Y37: player touched (what: stone, hands); how (noted, into_pile)",
    "finished": "Y25: play on: the player is out as place; piles",
    "turn_start": "Y06, Y26: player is in turn; piles",
    "placed": "Y09, Y13: player let go a stone; stones, pile, deadline_us",
    "countdown": "Y13: the 10 s run; deadline_us, cause (let_go|taken|answer)",
    "collapse": "Y10: player (null with to=bag: into the bag, Y33) takes stones (cluster), new (not yet to be "
    "taken), chain, count, p, evidence",
    "grew": "Y12: more stones stick to a collapse that has just been ruled; as collapse, stones: all of it",
    "taken_back": "Y22: what was ruled a collapse, or asked about, was none: stones; rulings: numbers of those that do "
    "not count; new: stones that are not to be taken for it, or not taken; piles, evidence",
    "fell_off": "Y11: player (or to=bag) takes stones, also (the stone of the turn that goes back too); piles",
    "taken": "Y10: stones now in the player's pile (or to=bag), each once; count: with those told before, if any; "
    "left to take; piles; how (seen|button|rest|next; answer: told of another before, who did not take them, Y29)",
    "turn_end": "Y13, Y14, Y17: player, piles, reason, outcome, taken (tracks)",
    "wait": "Y30, Y17: the next player came too early; code",
    "not_in_turn": "Y29: a stone brought by player who is not in turn",
    "extra_stone": "Y28: a stone let go that was not to be played goes back",
    "call_due": "Y15, Y38: player has to say it",
    "call_said": "Y15: it was said (how: button|answer|unanswered)",
    "call_missed": "Y15, Y40: player takes count stones",
    "penalty_end": "Y40: the player in turn goes on with a new approach",
    "missing": "Y37: stones left the board without a ruling",
    "returned": "Y37: a missing stone is back on the board",
    "mismatch": "Y21: the board shows seen stones, expected are expected",
    "mismatch_over": "Y21: the board shows what is expected again",
    "unseen": "Y23: samples were lost from t to until_us",
    "unsure": "Y22, Y23: something happened that cannot be told",
    "question": "a person is asked: question, code, choices; asked: nobody answers, choice: best reading",
    "answered": "question, code, choice; insisted: though the sensors saw seen stones and not expected (Y21)",
    "corrected": "Y24, Y21: piles or board set to what the table agrees on",
    "round_end": "Y17, Y44: winner, left (stones in each pile), wins, points; loser of playing on (Y25)",
    "tie": "Y20: players are tied for the win; the next round is sudden death",
    "round_abandoned": "Y46: no winner, the same dealer deals again; reason table_anew: not by the players",
    "game_end": "Y19, Y20, Y41: winners, wins, points",
}
"""Kind of a ruling: clause and data. `turn_end` reasons: see REASONS."""

GIVEN_UP = ("table_anew",)
"""Reasons of `round_abandoned` that are not the players' wish: a virtual table began anew, without its stones."""

REASONS = ("ten_seconds", "next_approach", "time_limit", "out", "left")
"""Why a turn ended; data won: true where it won the round, how: "button" for next_player (Y24)."""

COMMANDS: dict[str, str] = {
    "add_player": "lobby; or between rounds (Y46); name",
    "rename_player": "at any time; player, name",
    "remove_player": "player; after the start: leaves (Y46)",
    "move_player": "lobby or round_end; player, to (seat, 0 = first): seats are clockwise",
    "set_handicap": "lobby or round_end; player, stones: so many fewer at each deal (ours)",
    "touched": "Y37; player (default: in turn) touched; what: stone (default) or hands (Y06)",
    "set_dealer": "lobby or round_end; player: places first (Y03, Y26); null: drawn, or by Y04",
    "set_setting": "lobby; name, value (names in Settings); answers at any time",
    "set_layout": "lobby or round_end; layout: a name, or free with tiles: four of [x, y, rot] (Y05)",
    "start": "lobby; deals and starts the first round; anyway: true though something speaks against it (ready.py)",
    "next_round": "round_end; deals and starts the next round (Y04); anyway: as start",
    "placed": "Y24: the player in turn put a stone on the board; held (default false): not let go yet. In "
    "the countdown with player = the next one: as next_player, then placed",
    "released": "Y24: the stone that was put on the board is let go: the 10 s run",
    "collapsed": "Y24; n: stones of the cluster, 2 or more; hand: part (the stone in the hand is one), "
    "apart (in the hand, not one of them) or none",
    "fell_off": "Y24; n: stones that fell, 1 or more; hand: apart or none",
    "removed": "Y24, Y35: everything that had to be taken is taken (also: fallen stones, just now)",
    "next_player": "Y24, Y14: the next player has brought a stone",
    "last_yiker": "Y15; player (default: in turn) said it",
    "said": "Y39: answer to the call question",
    "not_said": "Y39, Y15: it was not said: penalty; player (default: the one asked about)",
    "answer": "question (number), choice",
    "abandon_round": "Y46",
    "round_result": "Y24; winner (player), left (stones of each player, by seat)",
    "lay": "Y22: of the fold; insist: true with unlike: what the sensors see beside is no stone of the round",
    "set_piles": "Y21, Y24: what the table agrees on; piles (by seat), board, stones (their tracks, if known)",
}
"""Commands of the game. undo, dispute, confirm, reject and edit are those of the fold (companion/games/fold.py)."""

QUESTIONS: dict[str, tuple[str, ...]] = {
    "call": ("said", "not_said"),
    "unseen": ("nothing", "collapsed", "fell_off", "into_pile", "put_back"),
    "unsure": ("nothing", "collapsed", "fell_off", "into_pile", "put_back"),
    "missing": ("into_pile", "put_back"),
    "fewer": ("state_is_right", "collapsed", "fell_off", "into_pile", "put_back"),
    "more": ("state_is_right", "placed", "from_pile", "taken_off"),
    "whose": ("in_turn", "brought"),
}
"""Code of a question and its choices; the first is the best reading that an unattended replay goes on with
(of fewer it is into_pile: what is not there at rest was taken; of more, after a gap in a turn without its stone,
placed; stones that may stick together, taken away in that turn, have collapsed).

unseen, unsure: answer args n = how many; into_pile and put_back where stones are missing since. fewer: collapsed where
it stands for the question about a gap too. into_pile, from_pile: pile = player whose pile (default: in turn). call is
the only one that does not hold the end of the turn.
"""

REFUSALS: dict[str, str] = {
    "unknown_command": "",
    "bad_args": "args are missing or of the wrong kind",
    "wrong_stage": "not possible now",
    "not_enough_players": "Y01",
    "too_many_players": "Y01",
    "name_empty": "",
    "name_taken": "",
    "name_too_long": "",
    "no_such_player": "",
    "bad_setting": "",
    "stone_in_play": "Y28: only one stone is played in a turn",
    "nothing_placed": "Y09",
    "stones_to_take": "Y30: stones still have to be taken",
    "not_let_go": "Y30: the stone is not let go yet",
    "last_stone_waits": "Y17: the next player waits until the 10 s are over",
    "too_many": "Y21: more stones than lie there",
    "nothing_to_take": "Y10",
    "call_no_effect": "Y38: not one of the last two stones; no effect, no penalty",
    "nobody_asked": "Y39",
    "no_such_question": "",
    "no_such_choice": "",
    "penalty_first": "Y40: the penalty for the missed call comes first",
    "question_open": "a question holds the end of the turn; answer it first",
    "not_conserved": "Y21: the stones do not add up",
    "layout_overlaps": "Y05; tile: which triangle, from 0",
    "layout_apart": "Y05; tile: which triangle touches no other",
    **FOLD_REFUSALS,
}
