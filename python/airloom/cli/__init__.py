"""The command line, up to its first import: Ctrl-C is heeded from the start."""

import sys


def main() -> None:
    """Runs the command line and exits."""
    try:
        from airloom.cli import terminal

        terminal.prepare()
        from airloom.cli.app import code

        result = code()
    except KeyboardInterrupt:
        from airloom.cli.terminal import interrupted

        result = interrupted()
    sys.exit(result)
