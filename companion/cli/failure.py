"""How a command ends because of what its user gave it: one sentence on stderr, exit code 2."""

USER_ERROR = 2


class UserError(Exception):
    """The message is one clear sentence that says what is wrong and what to do."""
