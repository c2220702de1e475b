"""The way out: all that a command says leaves through here or through `screen`, and is text there, nothing else.

Titles and names come from files, and files may come from strangers: no control character of theirs reaches a terminal.
"""

from __future__ import annotations

import codecs
import os
import sys
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING

from airloom.errors import Mistake
from airloom.support.document import named
from airloom.support.visible import UNSEEN, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from airloom._engine import ScenarioWarning

STREAMS = ("stdin", "stdout", "stderr")

BOLD, DIM = 1, 2
"""Styles of what is printed (ECMA-48 8.3.117)."""

MOST_NARROW = 40
"""Columns that a paragraph takes at least."""

HANG = 2
"""Blanks by which the lines of a paragraph after its first are further in."""

INTERRUPTED = 130
"""Exit code after Ctrl-C."""


IN_ASCII = "airloom-in-ascii"
"""The name of what encodes characters that a stream does not have."""

LIKENESSES = {
    "\N{MINUS SIGN}": "-",
    "\N{EN DASH}": "-",
    "\N{MULTIPLICATION SIGN}": "x",
    "\N{PLUS-MINUS SIGN}": "+-",
    "\N{NO-BREAK SPACE}": " ",
    "\N{HORIZONTAL ELLIPSIS}": "...",
}
"""What stands for a character in a number or beside it: a question mark in place of a sign would be misread."""


def alike(error: UnicodeError) -> tuple[str, int]:
    """What is printed in place of characters that a stream does not have, and where it goes on behind them."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(LIKENESSES.get(one, "?") for one in lost), error.end


codecs.register_error(IN_ASCII, alike)


def prepare() -> None:
    """Opens the standard streams that were closed, and lets the others take any character.

    Otherwise the next file that is opened gets the number of a closed stream, and the text that is printed to it.
    """
    with suppress(OSError):
        while (handle := os.open(os.devnull, os.O_RDWR)) < len(STREAMS):
            pass
        os.close(handle)
    for name in STREAMS[1:]:
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115 - for as long as it runs
        getattr(sys, name).reconfigure(errors=IN_ASCII)


@contextmanager
def heard() -> Iterator[None]:
    """Prints what the block prints, until its reader is gone: the command goes on without one.

    Raises:
        OSError: It cannot be written for another reason, such as a full disk.
    """
    try:
        yield
    except BrokenPipeError:
        drop(sys.stdout)
    except OSError as error:
        error.filename = "standard output"
        raise


def drop(stream: IO[str]) -> None:
    """Lets go of a standard stream: what is printed to it from now on, and what was not read, goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def say(*lines: str, style: int | None = None, end: str = "\n") -> None:
    """Prints lines, in a style where a terminal knows any."""
    shown = style is not None and sys.stdout.isatty() and os.environ.get("TERM", "dumb") not in ("dumb", "unknown")
    with heard():
        for line in lines:
            print(f"\x1b[{style}m{visible(line)}\x1b[0m" if shown else visible(line), end=end)


def print_json(name: str, content: Mapping[str, object]) -> None:
    """Prints JSON that a script can read, in ASCII: what is in it is exact, whatever the terminal takes.

    Args:
        name: The command's words and what of it this is, joined by hyphens: the name of the schema.
        content: What is in it.
    """
    import json

    with heard():
        print(json.dumps(named(name, content), indent=2, allow_nan=False))


def print_file(text: str) -> None:
    """Prints the content of a file: to the byte, but for what a terminal would take for more than text."""
    with heard():
        if sys.stdout.isatty():
            print(UNSEEN.sub(lambda found: found[0] if found[0] == "\n" else visible(found[0]), text))
        else:
            sys.stdout.flush()
            sys.stdout.buffer.write(f"{text}\n".encode())


def complain(message: str) -> None:
    """Says what is wrong on standard error, if that is open."""
    with suppress(OSError):
        for line in f"airloom: {message}".split("\n"):
            print(fitted(visible(line)), file=sys.stderr)


def warn(warnings: Iterable[ScenarioWarning], word: str = "warning") -> None:
    """Prints a scenario's warnings on standard error, if that is open; or what else is to be known of it."""
    warn_of((Mistake(**warning) for warning in warnings), word)


def warn_of(found: Iterable[Mistake], word: str = "warning") -> None:
    """The same of what is no mistake but probably not meant."""
    with suppress(OSError):
        for one in found:
            for line in f"{word}: {of_command_line(one)}".split("\n"):
                print(fitted(visible(line)), file=sys.stderr)


def fitted(line: str) -> str:
    """A line as standard error has room for it, folded between words; as it is where no terminal shows it."""
    if not sys.stderr.isatty():
        return line
    import shutil
    from textwrap import wrap

    room = max(shutil.get_terminal_size().columns, MOST_NARROW)
    indent = " " * (len(line) - len(line.lstrip()) + HANG)
    folded = wrap(line, room, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return "\n".join(folded)


def of_command_line(mistake: Mistake) -> Mistake:
    """A mistake as a command says it: what Python sets, it sets by an option."""
    return mistake if mistake.setting is None else mistake._replace(file="--set")


def interrupted(kept: str = "") -> int:
    """Says that Ctrl-C was heeded, and gives the exit code."""
    complain(f"interrupted; {kept or 'nothing half-written was left behind'}")
    return INTERRUPTED


def flush() -> None:
    """Gets all that was printed out.

    Raises:
        OSError: It cannot be; then it is dropped, so that the interpreter's own last flush has nothing to complain of.
    """
    try:
        with heard():
            sys.stdout.flush()
    except OSError:
        drop(sys.stdout)
        raise
