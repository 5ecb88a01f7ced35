"""Progress of a long command, for people at a terminal."""

import io

from companion.cli.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_shows_on_a_terminal_only() -> None:
    shown, hidden = Terminal(), io.StringIO()
    for stream in (shown, hidden):
        progress = Progress("snap", 200, stream)
        for done in (0, 1, 100, 200):
            progress.reach(done)
        progress.end()
    assert hidden.getvalue() == ""
    assert shown.getvalue().count("%") == 3
    assert " 50 %" in shown.getvalue()
    assert shown.getvalue().endswith("\r")
