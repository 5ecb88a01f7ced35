"""The codes that a page turns into words: rulings, refusals and questions of CirKis."""

RULINGS: tuple[str, ...] = (
    "placed",
    "overruled",
    "completed",
    "most_shared",
    "points",
    "went_out",
    "free_turn",
    "free_lapsed",
    "lost_turn",
    "turn_start",
    "round_start",
    "round_end",
    "game_end",
    "question",
    "left",
    "reseated",
    "set_corrected",
)
"""Kinds of rulings.

free_turn carries reasons ("hole", "centre_star", "first_sliver"), overruled carries refusal codes, question carries
ask ("turn_over", "unplayed"), round_end carries end ("forty", "out", "stuck", "hundred", "alone", "abandoned").
"""

REFUSALS: tuple[str, ...] = (
    # a placement (C33: the table may overrule the first row)
    *("not_your_turn", "not_in_centre", "not_touching_leader", "touches_nothing"),
    *("too_many_spaces", "not_adjoining", "sliver_alone", "three_of_star", "no_such_piece", "none_left"),
    *("free_turn_due", "not_empty", "not_spaces", "not_playing"),
    # saying that nothing fits
    "can_place",
    # quick mode
    *("nothing_complete", "no_such_shape", "ring_not_played", "already_complete", "wrong_segments"),
    *("not_completed_by", "too_many_shapes", "turn_not_over", "no_stop_due", "wrong_number"),
    # a command at the wrong time, or malformed
    *("wrong_set", "not_now", "other_mode", "game_over", "unknown_command", "bad_args"),
)
"""Codes of refusals, also those of the problems of a preview."""
