"""The command line, up to its first import: Ctrl-C is heeded from the start."""

import sys

INTERRUPTED = 130
"""Exit code after Ctrl-C."""


def main() -> None:
    """Runs the command line and exits."""
    try:
        from airloom.cli import terminal

        terminal.prepare()
        from airloom.cli.app import code

        result = code()
    except KeyboardInterrupt:
        result = interrupted()
    sys.exit(result)


def interrupted(kept: str = "") -> int:
    """Says that Ctrl-C was heeded, and gives the exit code."""
    from airloom.cli.terminal import complain

    complain(f"interrupted; {kept or 'nothing was left behind'}")
    return INTERRUPTED
