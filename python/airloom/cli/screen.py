"""Tables and styled lines on a terminal."""

from __future__ import annotations

import os
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from airloom.cli.blocks import blocks
from airloom.cli.terminal import HANG, MOST_NARROW, drop
from airloom.support.visible import visible

if TYPE_CHECKING:
    from rich.style import Style
    from rich.table import Table


UNBOUNDED = 1 << 16
"""Columns where no terminal shows the lines: a program reads them, or a file keeps them."""


def sizes() -> dict[str, str]:
    """The environment without a width or a height that is none, such as 0: rich shows nothing in no columns."""
    return {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES") or counts(value)}


def counts(value: str) -> bool:
    """Whether a text is a number of columns or lines."""
    return value.isdecimal() and int(value) > 0


class Screen(Console):
    """A console that takes every string for text: there is no markup, no emoji code, no control character in it.

    Style is what a command itself says with `style=`. A line goes on without end where no terminal shows it, unless
    COLUMNS says how wide it may be.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        """Goes to standard output, or to standard error."""
        asked = sizes()
        super().__init__(stderr=stderr, markup=False, emoji=False, highlight=False, _environ=asked)
        if not self.is_terminal and "COLUMNS" not in asked:
            self.size = (UNBOUNDED, self.height)

    def render_str(self, text: str, *, style: str | Style = "", **options: Any) -> Text:
        """A string as it is shown, wherever it stands: by itself, in a cell, at the head of a column."""
        return Text(visible(text), style, justify=options.get("justify"), overflow=options.get("overflow"))

    def say(self, text: str, style: str | None = None, end: str = "\n") -> None:
        """Prints a line, as long as it is."""
        self.print(text, style=style, end=end, soft_wrap=True)

    def print(self, *objects: Any, **options: Any) -> None:
        """Prints, and names the stream that cannot be written.

        Raises:
            OSError: It cannot be, as on a full disk.
        """
        try:
            super().print(*objects, **options)
        except OSError as error:
            error.filename = "standard error" if self.stderr else "standard output"
            raise

    def table(self, table: Table, labels: int = 1) -> None:
        """Prints a table; one that is wider than the terminal in blocks, each with the first columns, the `labels`."""
        for place, block in enumerate(blocks(table, self, labels)):
            if place:
                self.say("")
            self.print(block)
        if table.caption is not None:
            self.fold(str(table.caption), indent=0, hang=0, style="dim")

    def fold(self, text: str, *, indent: int, hang: int = HANG, style: str | None = None) -> None:
        """Prints a paragraph, folded where the terminal ends; lines after the first are `hang` further in."""
        before, after = " " * indent, " " * (indent + hang)
        lines = wrap(
            text,
            max(self.width, MOST_NARROW),
            initial_indent=before,
            subsequent_indent=after,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in lines:
            self.say(line, style=style)

    def on_broken_pipe(self) -> None:
        """Goes on without a reader of the stream that this console prints to."""
        drop(self.file)
