"""Where the command `companion` begins: nothing is loaded before Ctrl-C is minded."""


def main() -> int:
    """Run the command line; returns the exit code, 130 where Ctrl-C ended it while its modules were loaded."""
    try:
        from companion.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        return 130
