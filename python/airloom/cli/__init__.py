"""The command line, up to its first import: Ctrl-C is heeded from the start."""

import sys

INTERRUPTED = 130
"""Exit code after Ctrl-C."""


def main() -> None:
    """Runs the command line and exits."""
    try:
        from airloom.cli.app import code

        result = code()
    except KeyboardInterrupt:
        result = interrupted()
    sys.exit(result)


def interrupted(kept: str = "") -> int:
    """Says that Ctrl-C was heeded, and gives the exit code."""
    print(f"airloom: interrupted; {kept or 'nothing was left behind'}", file=sys.stderr)
    return INTERRUPTED
