"""Ctrl-C while the program is still being imported: a line in place of a traceback.

All that this imports the interpreter has imported itself: `signal` takes `enum` along, which takes as long as the rest.
"""

import _signal  # type: ignore[import-not-found]
import os
import sys

NAME = "airloom"

MESSAGE = b"airloom: interrupted; nothing half-written was left behind\n"
CODE = 130
"""What `airloom.cli.terminal` says, and its exit code."""


def is_program() -> bool:
    """Whether this process is airloom's own command line, and not one that imports it."""
    words = sys.orig_argv
    if "-m" in words:
        return words[words.index("-m") + 1 :][:1] == [NAME]
    return bool(sys.argv) and os.path.splitext(os.path.basename(sys.argv[0]))[0] == NAME  # noqa: PTH119, PTH122


def end(*_: object) -> None:
    """Ends the process at once: nothing has been begun."""
    os.write(2, MESSAGE)
    os._exit(CODE)


def heed() -> None:
    """Ctrl-C ends airloom's own command line in order from now on, until `imported` is called."""
    if is_program() and _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, end)


def imported() -> None:
    """From now on Ctrl-C is what it is to any program."""
    if _signal.getsignal(_signal.SIGINT) is end:
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)
