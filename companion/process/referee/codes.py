"""Every code that the referee around the games gives to pages, beside the games' own; catalogues are checked by it."""

REFUSALS: dict[str, str] = {
    "malformed": "the command is not one",
    "unknown_command": "the table knows no such command",
    "no_such_game": "there is no game of this id, or it is no longer listed",
    "unknown_game": "no kind of game of this name",
    "bad_args": "args are missing or of the wrong kind",
    "bad_setting": "a setting of the new game is wrong",
    "sensors_held": "another game follows the table",
    "no_sensors": "this table has none",
    "being_set_up": "somebody sets up the table: no game follows it meanwhile",
    "table_watched": "game: it follows the table, which cannot be set up meanwhile",
    "table_silent": "no table process takes orders now",
    "kept_by_hand": "a game of this kind has no use for sensors",
    "secret_entry": "an edit of a secret that is not shown yet: it is entered again instead",
    "not_ready": "against: what the sensors see that speaks against beginning; args anyway: true begins all the same",
    "unlike": "seen, expected, absent, extra (companion/games/yikerz/unlike.py): the sensors see the stones otherwise; "
    "args insist: true says so all the same",
    "no_clip": "nothing was seen of it, or it is no longer kept",
    "journal_full": "no new game while the journal cannot be written",
    "not_kept": "it cannot be written where settings are kept",
    "stale": "made against a view that was no longer so",
    "game_failed": "a fault of the program: the game is judged no more",
    "older_rules": "begun under older rules that would rule otherwise now: judged no more",
    "newer_rules": "judged by a newer program, whose rules this one does not know: judged no more",
    "not_resumed": "the journal could not be folded as it was: judged no more",
}
"""Why a command was refused."""

NOTICES: dict[str, str] = {
    "": "nothing",
    "journal_full": "the journal cannot be written; nothing new is shown until it can",
    "view_failed": "a fault of the program: the game goes on but cannot be shown",
    "game_failed": REFUSALS["game_failed"],
    "older_rules": REFUSALS["older_rules"],
    "newer_rules": REFUSALS["newer_rules"],
    "not_resumed": REFUSALS["not_resumed"],
}
"""`notice` of a view."""

LINK_FAULTS: dict[str, str] = {
    "ended": "the table process has ended and is started again",
    "unusable": "the table process cannot use its source",
}
"""Faults of a health that is "lost", beside sensing's own."""

FAULTS: dict[str, str] = LINK_FAULTS | {
    "protocol_mismatch": "the board's program has another definition of the messages",
    "sensor_count": "the board has another number of sensors than table.json",
    "other_table": "the board says another table_id",
    "rebooted": "the board has started again, within the last minute",
    "clock_jump": "the board's clock has jumped, within the last minute",
    "messages_lost": "messages get lost again and again",
    "messages_damaged": "messages arrive damaged again and again",
    "undervoltage": "this machine has too little voltage",
    "undervoltage_before": "this machine had too little voltage since it was started",
    "load_absent": "no load cell answers",
    "load_faulty": "the load cell's chip does not work as it should",
    "load_saturated": "the load cell is at its end",
    "load_constant": "the load cell gives one value",
    "load_random": "the load cell gives values at random",
    "load_spikes": "the load cell gives false values now and then",
    "load_gain": "the load cell's amplifier switches",
    "board_brown_out": "the board was started by a fall of its voltage",
    "board_watchdog": "the board was started because its program hung",
    "sensor_dead": "with the sensor's name",
    "sensor_stuck": "with the sensor's name",
    "sensor_noisy": "with the sensor's name",
    "sensor_off": "with the sensor's name: it does not fit its neighbours, or its zero is not known",
    "multiplexer_missing": "with its name: its sensors give nothing of their own",
    "tile_missing": "with its name: none of its sensors gives anything",
    "tile_moved": "with its name, A/B for one of two: stones at its seams do not fit where it is believed to lie",
    "tiles_exchanged": "with the names of two, A/B, whose cables are plugged in each other's place: nothing is ruled",
    "select_stuck": "with its name: addresses that differ in it read the same sensor",
    "crosstalk": "sensors show their neighbours",
    "zero_unsettled": "the board is not at rest, no zeros can be learned",
    "zero_refused": "with a sensor's name: a stone lies on the board",
    "zeros_foreign": "many sensors show what no stones can; a person says that the board is empty, or its weight does",
    "zeros_anew": "the zeros were another board's and were learned anew, within the last minutes",
}
"""Faults of a health, before a colon; beside them "link_" and a trouble of drivers/trouble.py."""

COMMANDS: dict[str, str] = {
    "new_game": "to the table (no game): kind, settings, sensors; the answer's body has the new game's id",
    "set_sound": "to the table: mode, volume, tongue of its own speaker (companion/sound/voice.py)",
    "set_up": "to the table: do, and what it needs, of a person who sets it up (companion/process/table/guiding.py)",
    "open_game": "a game that is no longer listed is listed again",
    "pin_clip": "ruling (its number): its clip is kept for good",
    "delete_game": "the game is shown to nobody any more",
    "take_sensors": "the game follows the table",
    "release_sensors": "the game goes on by buttons and by the clock",
}
"""Commands that the referee takes itself; every other one goes to the game's rules."""
